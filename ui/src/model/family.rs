//! The tree of runs: those that another started stand under it.

use std::collections::HashMap;

use wire::viewer::RunSummary;

/// Places of some runs in the order they are listed in, with their depth: a run that another one of them started stands
/// under it, all else keeps its order.
pub fn tree(runs: &[&RunSummary]) -> Vec<(usize, u32)> {
    // Of runs that share an id the newest one counts; they are listed newest first.
    let mut by_id: HashMap<&str, usize> = HashMap::with_capacity(runs.len());
    for (at, run) in runs.iter().enumerate() {
        by_id.entry(&run.run_id).or_insert(at);
    }
    let above = |(at, run): (usize, &&RunSummary)| {
        by_id.get(run.parent.as_deref()?).copied().filter(|parent| *parent != at)
    };
    let mut above: Vec<Option<usize>> = runs.iter().enumerate().map(above).collect();
    graph::project::forest(&mut above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_stands_under_the_one_that_started_it_and_rings_are_cut() {
        let run = |id: &str, parent: Option<&str>| RunSummary {
            run: id.to_owned(),
            run_id: id.to_owned(),
            parent: parent.map(str::to_owned),
            ..RunSummary::default()
        };
        let check = |runs: &[RunSummary], expect: &[(usize, u32)]| {
            let runs: Vec<&RunSummary> = runs.iter().collect();
            assert_eq!(tree(&runs), expect);
        };
        check(&[run("b", None), run("a", None)], &[(0, 0), (1, 0)]);
        check(
            &[run("leaf", Some("child")), run("other", None), run("child", Some("root")), run("root", None)],
            &[(1, 0), (3, 0), (2, 1), (0, 2)],
        );
        check(&[run("a", Some("gone"))], &[(0, 0)]);
        check(&[run("a", Some("a"))], &[(0, 0)]);
        check(&[run("a", Some("b")), run("b", Some("a"))], &[(0, 0), (1, 1)]);
    }
}
