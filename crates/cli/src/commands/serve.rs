//! `holdpoint serve`: the server without a window, until it is told to stop.

use super::Context;
use crate::{
    args::{ServeArgs, Switch},
    assets::Embedded,
    exporter::Forms,
    fail::{Context as _, Done, Fail},
    importer::Recordings,
    print,
};
use ingest::{Server, ServerConfig};
use serde_json::json;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Serves; returns when a signal has ended it and everything is on the disk.
pub(crate) async fn run(context: &Context, args: &ServeArgs) -> Done {
    let demos = Arc::new(Demos::default());
    let server =
        ingest::start(config(context, args, &demos)).await.map_err(|error| Fail::new(error.to_string()))?;
    demos.url.get_or_init(|| server.ingest_url.clone());
    announce(context, &server)?;
    let ended = stop_signal().await;
    demos.stop();
    server.shutdown().await;
    ended
}

fn config(context: &Context, args: &ServeArgs, demos: &Arc<Demos>) -> ServerConfig {
    let mut config = ServerConfig::new(context.place.data_dir.clone());
    config.port = context.port.unwrap_or(wire::DEFAULT_PORT);
    config.pause_on_error = args.pause_on_error.map(|switch| switch == Switch::On);
    config.assets = Some(Arc::new(Embedded));
    config.importer = Some(Arc::new(Recordings));
    config.exporter = Some(Arc::new(Forms));
    let demos = Arc::clone(demos);
    config.demo = Some(Arc::new(move || demos.start()));
    config
}

fn announce(context: &Context, server: &Server) -> Done {
    let page = server.viewer_url.split('#').next().unwrap_or_default();
    if context.json {
        return print::json(&json!({
            "ready": true,
            "ingest": server.ingest_url,
            "viewer": page,
            "token": server.token,
            "dataDir": server.data_dir,
        }));
    }
    print::line(&format!("viewer  {}", server.viewer_url))?;
    print::line(&format!("agents  {}", server.ingest_url))?;
    print::line(&format!("data    {}", server.data_dir.display()))?;
    print::line("Ctrl-C ends it. `holdpoint demo` attaches the demo agent.")
}

#[cfg(unix)]
async fn stop_signal() -> Done {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).context("cannot listen for signals");
    let (mut terminate, mut interrupt) = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn stop_signal() -> Done {
    tokio::signal::ctrl_c().await.context("cannot listen for Ctrl-C")
}

/// Demo agents that viewers have asked for: this very program, as processes of their own.
#[derive(Default)]
struct Demos {
    url: OnceLock<String>,
    children: Mutex<Vec<Child>>,
}

impl Demos {
    fn start(&self) {
        let (Some(url), Ok(program)) = (self.url.get(), std::env::current_exe()) else { return };
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        children.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        let mut command = Command::new(program);
        command.args(["demo", "--url", url]).stdin(Stdio::null()).stdout(Stdio::null());
        match command.spawn() {
            Ok(child) => children.push(child),
            Err(error) => eprintln!("holdpoint: cannot start the demo agent: {error}"),
        }
    }

    fn stop(&self) {
        for child in self.children.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
            // One that has ended by itself cannot be killed, and that is as good.
            let _ = child.kill().and_then(|()| child.wait());
        }
    }
}
