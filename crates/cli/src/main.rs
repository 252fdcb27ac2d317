//! `holdpoint`: everything the window can do, headless.
//!
//! Each command prints for people, and with `--json` for programs, on standard output; what went wrong goes to standard
//! error with an exit code other than 0. The commands are viewers like the window: they hold no state of their own.

mod api;
mod args;
mod assets;
mod commands;
mod demo;
mod disk;
mod exporter;
mod fail;
mod importer;
mod place;
mod print;
mod viewer;

use args::{Cli, Command};
use clap::Parser;
use commands::Context;
use fail::Done;
use place::Place;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match start(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fail) => fail.report(),
    }
}

fn start(cli: Cli) -> Done {
    let place = Place::new(&cli.place)?;
    let runtime = match cli.command {
        Command::Serve(_) => tokio::runtime::Builder::new_multi_thread().enable_all().build(),
        _ => tokio::runtime::Builder::new_current_thread().enable_all().build(),
    };
    let runtime = fail::Context::context(runtime, "cannot start the runtime")?;
    let context = Context { place, port: cli.place.port, url: cli.place.url, json: cli.json };
    runtime.block_on(dispatch(&context, cli.command))
}

async fn dispatch(context: &Context, command: Command) -> Done {
    match command {
        Command::Serve(args) => commands::serve::run(context, &args).await,
        Command::Demo { fast } => commands::demo::run(context, fast).await,
        Command::Runs => commands::runs::run(context).await,
        Command::Show { run } => commands::show::run(context, &run).await,
        Command::Events(args) => commands::events::run(context, &args).await,
        Command::Holds => commands::holds::run(context).await,
        Command::Resume(args) => commands::resume::run(context, args).await,
        Command::Break { change } => commands::breakpoints::run(context, change).await,
        Command::Mode { mode } => commands::control::mode(context, mode).await,
        Command::PauseOnError { on } => commands::control::pause_on_error(context, on).await,
        Command::PauseAll => commands::control::pause_all(context).await,
        Command::ContinueAll { run } => commands::control::continue_all(context, run).await,
        Command::Delete { run } => commands::control::delete(context, run).await,
        Command::Stream(args) => commands::stream::run(context, &args).await,
        Command::Check { files } => commands::check::run(context, &files),
        Command::Export(args) => commands::export::run(context, &args).await,
        Command::Diff { first, second } => commands::diff::run(context, &first, &second).await,
        Command::Open { files } => commands::control::open(context, &files).await,
        Command::App { files } => commands::app::run(context, &files),
    }
}
