//! The steps of `cargo xtask test`. All native builds share one folder and one profile, and tests are built for the
//! whole workspace at once, so that no crate is compiled twice with other features.

use crate::sh::{self, Done};
use crate::{tidy, web};

/// One check.
pub(crate) struct Step {
    /// What a person types to run it alone.
    pub(crate) name: &'static str,
    /// What it makes sure of.
    pub(crate) about: &'static str,
    /// Steps without which it cannot say anything.
    pub(crate) needs: &'static [&'static str],
    pub(crate) run: fn() -> Done,
}

/// All checks in their order.
pub(crate) const STEPS: [Step; 7] = [
    Step { name: "format", about: "rustfmt has nothing to change", needs: &[], run: format },
    Step { name: "tidy", about: "arrows, sizes, module docs", needs: &[], run: tidy::run },
    Step { name: "viewer", about: "the viewer compiles to wasm", needs: &[], run: viewer },
    Step { name: "lints", about: "clippy has nothing to say", needs: &["viewer"], run: lints },
    Step { name: "programs", about: "the window and the command compile", needs: &["viewer"], run: programs },
    Step { name: "tests", about: "every crate's own tests", needs: &[], run: tests },
    Step {
        name: "journeys",
        about: "the real window, a browser and a Python agent",
        needs: &["viewer", "programs"],
        run: journeys,
    },
];

fn format() -> Done {
    sh::run(sh::cargo(&["fmt", "--all", "--check"]))
}

fn viewer() -> Done {
    web::build(web::Page::ForJourneys)
}

fn lints() -> Done {
    sh::run(sh::cargo(&[
        "clippy",
        "--quiet",
        "--locked",
        "--workspace",
        "--all-targets",
        // Journeys are built only when asked for, and are read as closely as the rest.
        "--features",
        "acceptance/journeys",
        "--",
        "-D",
        "warnings",
    ]))
}

fn programs() -> Done {
    // Not ourselves: Windows cannot replace a program that runs.
    sh::run(sh::cargo(&["build", "--locked", "--workspace", "--exclude", "xtask", "--bins"]))
}

fn tests() -> Done {
    sh::run(sh::cargo(&["test", "--locked", "--workspace", "--no-fail-fast"]))
}

/// A real window on a busy machine can miss a click: what fails is tried once more, and the log shows both tries.
fn journeys() -> Done {
    each_journey().or_else(|error| {
        println!("journeys: {error}; trying once more");
        each_journey()
    })
}

fn each_journey() -> Done {
    let mut cargo =
        sh::cargo(&["test", "--locked", "-p", "acceptance", "--features", "journeys", "--no-fail-fast"]);
    // Each journey has its own screen and its own server; one at a time keeps two slow cores from starving them.
    cargo.args(["--", "--test-threads", "1"]);
    sh::run(cargo)
}
