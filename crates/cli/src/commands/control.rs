//! Controls that take one word: mode, pause on error, pause and continue everything, delete, open.

use super::{Context, pick::of_server};
use crate::{
    args::Switch,
    fail::{Context as _, Done},
    print,
    viewer::Viewer,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use wire::Mode;
use wire::viewer::ViewerFrame;

/// Sends one control and reports `done`, or in words `said`.
async fn send(context: &Context, frame: impl FnOnce(u64) -> ViewerFrame, done: Value, said: &str) -> Done {
    let (mut viewer, _) = Viewer::attach(&context.place).await?;
    let req = viewer.req();
    viewer.control(&frame(req), req).await?;
    if context.json { print::json(&done) } else { print::line(said) }
}

/// Sets the mode, or says which it is.
pub(crate) async fn mode(context: &Context, mode: Option<Mode>) -> Done {
    if let Some(mode) = mode {
        let said = format!("mode {mode}");
        return send(context, |req| ViewerFrame::ModeSet { req, mode }, json!({"mode": mode}), &said).await;
    }
    let (_, welcome) = Viewer::attach(&context.place).await?;
    let debug = welcome.debug;
    if context.json {
        return print::json(&json!({"mode": debug.mode, "pauseOnError": debug.pause_on_error}));
    }
    print::line(debug.mode.as_str())
}

/// Arms or disarms pause on error.
pub(crate) async fn pause_on_error(context: &Context, on: Switch) -> Done {
    let on = on == Switch::On;
    let said = if on { "failing calls are held" } else { "failing calls are not held" };
    send(context, |req| ViewerFrame::PauseOnError { req, on }, json!({"pauseOnError": on}), said).await
}

/// Holds everything at its next gate.
pub(crate) async fn pause_all(context: &Context) -> Done {
    let done = json!({"asked": "pauseAll"});
    send(context, |req| ViewerFrame::PauseAll { req }, done, "everything is held at its next gate").await
}

/// Releases every hold, or those of one run.
pub(crate) async fn continue_all(context: &Context, run: Option<String>) -> Done {
    let done = json!({"asked": "continueAll", "runId": run});
    send(context, |req| ViewerFrame::ContinueAll { req, run }, done, "every hold was told to continue").await
}

/// Deletes a run and its recording.
pub(crate) async fn delete(context: &Context, run: String) -> Done {
    let (mut viewer, welcome) = Viewer::attach(&context.place).await?;
    of_server(&welcome.runs, Some(&run))?;
    let req = viewer.req();
    viewer.control(&ViewerFrame::RunDelete { req, run: run.clone() }, req).await?;
    if context.json {
        print::json(&json!({"deleted": run}))
    } else {
        print::line(&format!("{run} is deleted"))
    }
}

/// Opens recordings in the server.
pub(crate) async fn open(context: &Context, files: &[PathBuf]) -> Done {
    let (mut viewer, _) = Viewer::attach(&context.place).await?;
    for file in files {
        // The server's working directory is not ours.
        let path = std::path::absolute(file).context(format!("cannot find {}", file.display()))?;
        let path = path.to_string_lossy().into_owned();
        let req = viewer.req();
        viewer.control(&ViewerFrame::Open { req, path }, req).await?;
    }
    if context.json { print::json(&json!({"opened": files.len()})) } else { print::line("opened") }
}
