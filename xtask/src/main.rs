//! `cargo xtask`: the project's own commands. Each one sets up what it needs first, so that two commands (`run` and
//! `test`) are all that a fresh clone on a bare machine asks of a person.

mod bench;
mod dist;
mod run;
mod setup;
mod sh;
mod test;
mod tidy;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <command>

  run [-- ARGS]  build everything and open the window with the demo agent attached
                 (without a display: serve the same viewer and print its address)
  test [NAME…]   set up, then every check: format, lints, tidy, tests, journeys; or only the named steps
  tidy           architecture arrows, file sizes, module docs, forbidden calls
  setup          install or name what this machine lacks
  web            build the viewer into dist/
  bench          run the benchmarks
  dist           build installable packages (deb and rpm on Linux, dmg on macOS, msi on Windows)
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let done = match args.first().map(String::as_str) {
        Some("run") => run::run(rest),
        Some("test") => test::run(rest),
        Some("tidy") => tidy::run(),
        Some("setup") => setup::ensure(&[setup::Need::Window, setup::Need::Viewer, setup::Need::Tests]),
        Some("web") => setup::ensure(&[setup::Need::Viewer]).and_then(|()| web::build(web::Page::Shipped)),
        Some("bench") => bench::run(),
        Some("dist") => dist::run(rest),
        None | Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("there is no command {other:?}\n\n{HELP}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
}
