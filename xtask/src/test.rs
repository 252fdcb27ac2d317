//! `cargo xtask test`: everything that must be true before a change lands, in the order in which it fails fastest, with
//! a summary at the end. A step that fails does not stop the others, unless they stand on it.

mod steps;

use std::time::{Duration, Instant};

use crate::setup::{self, Need};
use crate::sh::Done;

use steps::{STEPS, Step};

enum Outcome {
    Passed(Duration),
    Failed(Duration, String),
    Skipped(&'static str),
}

/// Runs all steps, or those whose names are given.
pub(crate) fn run(names: &[String]) -> Done {
    let unknown = names.iter().find(|name| !STEPS.iter().any(|step| step.name == name.as_str()));
    if let Some(name) = unknown {
        let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        return Err(format!("there is no step {name:?}; there are {}", known.join(", ")));
    }
    setup::ensure(&[Need::Window, Need::Viewer, Need::Tests])?;
    let mut results: Vec<(&Step, Outcome)> = Vec::new();
    for step in STEPS.iter().filter(|step| names.is_empty() || names.iter().any(|name| name == step.name)) {
        let outcome = outcome(step, &results);
        results.push((step, outcome));
    }
    summary(&results)
}

fn outcome(step: &Step, before: &[(&Step, Outcome)]) -> Outcome {
    let lost = |need: &&&str| {
        before.iter().any(|(done, was)| done.name == **need && !matches!(was, Outcome::Passed(_)))
    };
    if let Some(need) = step.needs.iter().find(lost) {
        return Outcome::Skipped(need);
    }
    println!("\n== {}: {}", step.name, step.about);
    let start = Instant::now();
    match (step.run)() {
        Ok(()) => Outcome::Passed(start.elapsed()),
        Err(reason) => {
            eprintln!("{}: {reason}", step.name);
            Outcome::Failed(start.elapsed(), reason)
        }
    }
}

fn summary(results: &[(&Step, Outcome)]) -> Done {
    println!("\n== summary");
    let mut failed = 0;
    for (step, outcome) in results {
        match outcome {
            Outcome::Passed(took) => println!("  ok      {:<9} {:>5.0} s", step.name, took.as_secs_f64()),
            Outcome::Failed(took, reason) => {
                println!("  FAILED  {:<9} {:>5.0} s  {reason}", step.name, took.as_secs_f64());
                failed += 1;
            }
            Outcome::Skipped(need) => {
                println!("  skipped {:<9}          because {need} failed", step.name);
                failed += 1;
            }
        }
    }
    if failed == 0 {
        println!("all {} steps passed", results.len());
        Ok(())
    } else {
        Err(format!("{failed} of {} steps did not pass", results.len()))
    }
}
