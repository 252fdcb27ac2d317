//! The window of Holdpoint. Wiring only: it starts the server in its own process, opens one webview on the page, tells
//! the page where the server is, and passes on what the system sends: dropped and opened files, a second launch, menus.
//! It knows no event, no run and no pixel.

#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

mod app;
mod args;
mod commands;
mod demo;
mod exporter;
mod files;
mod host;
mod importer;
mod menu;
mod page;
mod second;
mod webkit;
mod window;

use std::process::ExitCode;

use args::Asked;

fn main() -> ExitCode {
    webkit::prepare();
    match args::parse(std::env::args_os().skip(1)) {
        Ok(Asked::Start(start)) => app::run(start),
        Ok(Asked::Say(text)) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("holdpoint-app: {reason}");
            ExitCode::FAILURE
        }
    }
}
