//! `cargo xtask run`: from a clone to a held agent in one command.
//!
//! With a display the window opens and starts the demo agent itself. Without one the same server and the same page are
//! served headless, the demo attaches to it, and the address is printed. Ctrl-C reaches the whole foreground group, so
//! it ends all of them; what is left when one ends is ended here.

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::setup::{self, Need};
use crate::sh::{self, Done};
use crate::web;

/// Sets up, builds and starts; `args` go to the window or to `holdpoint serve`.
pub(crate) fn run(args: &[String]) -> Done {
    let args: Vec<String> = args.iter().filter(|arg| *arg != "--").cloned().collect();
    let with_window = has_display();
    setup::ensure(if with_window { &[Need::Window, Need::Viewer] } else { &[Need::Viewer] })?;
    web::build(web::Page::Shipped)?;
    let mut build = sh::cargo(&["build", "--locked", "-p", "cli"]);
    if with_window {
        build.args(["-p", "holdpoint-app"]);
    }
    sh::run(build)?;
    if with_window { window(&args) } else { headless(&args) }
}

fn has_display() -> bool {
    cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}

fn window(args: &[String]) -> Done {
    let mut app = sh::command(sh::built("holdpoint-app"), args);
    app.arg("--demo");
    sh::run(app)
}

fn headless(args: &[String]) -> Done {
    println!("no display: serving the viewer instead of opening the window");
    let mut serve = sh::command(sh::built("holdpoint"), &["serve", "--json"]);
    serve.args(args).stdout(Stdio::piped());
    let mut server = start(serve)?;
    let ready = first_line(&mut server)?;
    let field = |name: &str| ready[name].as_str().unwrap_or_default().to_string();
    println!("viewer: {}/#token={}", field("viewer").trim_end_matches('/'), field("token"));
    println!("agents: {}", field("ingest"));
    println!("Ctrl-C ends it");
    let mut demo = start(sh::command(sh::built("holdpoint"), &["demo", "--url", &field("ingest")]))?;
    let ended = server.wait().map_err(|error| format!("cannot wait for the server: {error}"));
    demo.kill().and_then(|()| demo.wait()).map_err(|error| format!("cannot end the demo: {error}"))?;
    ended.and_then(
        |status| if status.success() { Ok(()) } else { Err(format!("the server ended ({status})")) },
    )
}

fn start(mut command: Command) -> Done<Child> {
    command
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", command.get_program().to_string_lossy()))
}

fn first_line(server: &mut Child) -> Done<serde_json::Value> {
    let output = server.stdout.take().ok_or("the server has no output")?;
    let mut line = String::new();
    BufReader::new(output)
        .read_line(&mut line)
        .map_err(|error| format!("cannot read the server's address: {error}"))?;
    serde_json::from_str(&line).map_err(|_| "the server did not start".to_string())
}
