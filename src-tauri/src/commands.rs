//! What the page may ask of the shell. Shell matters only: everything about runs goes over the server's socket.

use std::path::PathBuf;

use serde::Serialize;
use tauri::{AppHandle, Manager, State, UserAttentionType, WebviewWindow};
use tauri_plugin_dialog::DialogExt;

use crate::files::{self, Waiting};
use crate::host::Host;
use crate::window::Painted;

/// A title in a task bar; more than this is cut by every system anyway.
const TITLE_CHARS_MAX: usize = 200;

/// Where the server is and what else the page needs before its first frame.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Session {
    version: &'static str,
    port: u16,
    token: String,
    /// The viewer's socket without its token: `ws://127.0.0.1:PORT/ws/ui`.
    ws_url: String,
    ingest_url: String,
    /// The same page for a browser, with its token.
    viewer_url: String,
    data_dir: String,
    notice: Option<String>,
}

/// The server's address and this launch's token.
#[tauri::command]
pub(crate) fn session(host: State<'_, Host>) -> Session {
    let address = &host.address;
    Session {
        version: env!("CARGO_PKG_VERSION"),
        port: address.port,
        token: address.token.clone(),
        ws_url: format!("ws://127.0.0.1:{}/ws/ui", address.port),
        ingest_url: address.ingest_url.clone(),
        viewer_url: address.viewer_url.clone(),
        data_dir: address.data_dir.to_string_lossy().into_owned(),
        notice: address.notice.clone(),
    }
}

/// The page has painted its first frame.
#[tauri::command]
pub(crate) fn painted(painted: State<'_, Painted>) {
    painted.set();
}

/// Paths that the system handed to the window since the last call.
#[tauri::command]
pub(crate) fn take_files(waiting: State<'_, Waiting>) -> Vec<String> {
    waiting.take().into_iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

/// Opens the system's dialog; what is chosen arrives like a drop.
#[tauri::command]
pub(crate) fn open_dialog(app: AppHandle) {
    ask_for_files(&app);
}

/// What became of an export.
#[derive(Serialize)]
pub(crate) struct Exported {
    /// Name of the file.
    name: String,
    events: u64,
    replaced: u64,
    notes: Vec<String>,
}

/// Asks where, and writes a run there; `null` when the person chose no place.
#[tauri::command]
pub(crate) async fn export_run(
    app: AppHandle,
    host: State<'_, Host>,
    run: String,
    to: String,
    redact: bool,
) -> Result<Option<Exported>, String> {
    let name = host.export_name(&run, &to).ok_or_else(|| format!("{to:?} is no form of a run"))?;
    let Some(path) = ask_where(&app, &name).await else { return Ok(None) };
    let name = path.file_name().map_or(name, |name| name.to_string_lossy().into_owned());
    let work = host.export(&run, &to, redact, path).ok_or("the server has stopped")?;
    let done = work.await.map_err(|error| error.to_string())??;
    Ok(Some(Exported { name, events: done.events, replaced: done.replaced, notes: done.notes }))
}

/// The place that the person chose for a file.
async fn ask_where(app: &AppHandle, name: &str) -> Option<PathBuf> {
    let mut dialog = app.dialog().file().set_title("Export").set_file_name(name);
    if let Some(window) = app.get_webview_window("main") {
        dialog = dialog.set_parent(&window);
    }
    let (chosen, answer) = tokio::sync::oneshot::channel();
    dialog.save_file(move |path| {
        // Who asked may be gone.
        let _ = chosen.send(path);
    });
    answer.await.ok()??.into_path().ok()
}

/// Puts a text into the title bar.
#[tauri::command]
pub(crate) fn set_title(window: WebviewWindow, title: String) -> Result<(), String> {
    window.set_title(&tidy_title(&title)).map_err(|error| error.to_string())
}

/// Something waits for the person: the task bar says so if the window is not in front.
#[tauri::command]
pub(crate) fn attention(window: WebviewWindow) -> Result<(), String> {
    if window.is_focused().unwrap_or(false) {
        return Ok(());
    }
    window.request_user_attention(Some(UserAttentionType::Critical)).map_err(|error| error.to_string())
}

/// The dialog itself, for the page and for the menu.
pub(crate) fn ask_for_files(app: &AppHandle) {
    let handle = app.clone();
    let mut dialog = app.dialog().file().set_title("Open recordings");
    if let Some(window) = app.get_webview_window("main") {
        dialog = dialog.set_parent(&window);
    }
    dialog.pick_files(move |chosen| {
        let paths = chosen.unwrap_or_default().into_iter().filter_map(|file| file.into_path().ok());
        files::deliver(&handle, paths.collect());
    });
}

/// A run's name comes from a program: no line breaks, no control characters, no end.
fn tidy_title(title: &str) -> String {
    title.chars().map(|c| if c.is_control() { ' ' } else { c }).take(TITLE_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_line_of_bounded_length() {
        let check = |title: &str, expect: &str| assert_eq!(tidy_title(title), expect);
        check("(1 held) demo, Holdpoint", "(1 held) demo, Holdpoint");
        check("a\nb\0c", "a b c");
        check(&"é".repeat(TITLE_CHARS_MAX + 1), &"é".repeat(TITLE_CHARS_MAX));
    }
}
