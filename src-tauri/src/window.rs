//! The one window: how it opens, what it passes to the page, and what happens when the page never paints.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tauri::webview::{Color, NewWindowResponse};
use tauri::{
    AppHandle, DragDropEvent, LogicalSize, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
    WindowEvent,
};
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons, MessageDialogKind};

use crate::files;
use crate::host::Host;

const LABEL: &str = "main";
/// The canvas's own colour, so that nothing flashes before the first frame.
const CANVAS: Color = Color(0x0D, 0x0F, 0x13, 0xFF);
const SIZE: LogicalSize<f64> = LogicalSize { width: 1440.0, height: 900.0 };
const SIZE_MIN: LogicalSize<f64> = LogicalSize { width: 640.0, height: 420.0 };
/// A first frame takes half a second; a slow disk and a busy machine many times that.
const PAINT_WAIT: Duration = Duration::from_secs(20);

/// Whether the page has painted.
#[derive(Default)]
pub(crate) struct Painted(AtomicBool);

impl Painted {
    /// It has.
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn get(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Opens the window and starts to watch for its first frame.
///
/// # Errors
/// No display, or no webview.
pub(crate) fn open(app: &AppHandle) -> tauri::Result<()> {
    let size = fitting(app);
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::App("index.html".into()))
        .title("Holdpoint")
        .inner_size(size.width, size.height)
        .min_inner_size(SIZE_MIN.width, SIZE_MIN.height)
        .background_color(CANVAS)
        .zoom_hotkeys_enabled(false)
        .on_navigation(is_ours)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .build()?;
    let handle = app.clone();
    window.on_window_event(move |event| passed_on(&handle, event));
    watch_first_frame(window);
    Ok(())
}

/// Brings the window to the front.
pub(crate) fn to_front(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(LABEL) {
        // Each may be refused by a window manager, and the next may still help.
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

/// Sends the page a DOM event with a JSON value; a page that still loads asks for itself later.
pub(crate) fn tell(app: &AppHandle, event: &str, detail: &str) {
    if let Some(window) = app.get_webview_window(LABEL) {
        let sent =
            window.eval(format!("window.dispatchEvent(new CustomEvent({event:?}, {{ detail: {detail} }}))"));
        if let Err(error) = sent {
            eprintln!("holdpoint-app: cannot reach the page: {error}");
        }
    }
}

/// The wished size, or what the screen has.
fn fitting(app: &AppHandle) -> LogicalSize<f64> {
    let Ok(Some(screen)) = app.primary_monitor() else { return SIZE };
    let room = screen.size().to_logical::<f64>(screen.scale_factor());
    LogicalSize::new(SIZE.width.min(room.width), SIZE.height.min(room.height))
}

/// The page never leaves itself.
fn is_ours(url: &Url) -> bool {
    url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost") || url.as_str() == "about:blank"
}

fn passed_on(app: &AppHandle, event: &WindowEvent) {
    match event {
        WindowEvent::DragDrop(DragDropEvent::Enter { .. }) => tell(app, "holdpoint:drag", "true"),
        WindowEvent::DragDrop(DragDropEvent::Leave) => tell(app, "holdpoint:drag", "false"),
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            tell(app, "holdpoint:drag", "false");
            files::deliver(app, paths.clone());
        }
        _ => {}
    }
}

/// A webview without a working renderer stays blank and reports nothing. Only the page knows that it painted; if it does
/// not say so in time, the person gets words and the way out: the same viewer in a browser.
fn watch_first_frame(window: WebviewWindow) {
    std::thread::spawn(move || {
        std::thread::sleep(PAINT_WAIT);
        if window.state::<Painted>().get() {
            return;
        }
        let url = window.state::<Host>().address.viewer_url.clone();
        let text = format!(
            "The window has not painted anything yet. On this machine the webview may not be able to draw.\n\n\
             Holdpoint itself is running. The same viewer in a browser:\n{url}"
        );
        eprintln!("holdpoint-app: {text}");
        let buttons = MessageDialogButtons::OkCancelCustom("Open in browser".into(), "Wait".into());
        let dialog = window
            .dialog()
            .message(text)
            .title("Holdpoint")
            .kind(MessageDialogKind::Warning)
            .buttons(buttons);
        dialog.show(move |browser| {
            if browser {
                open_in_browser(&url);
            }
        });
    });
}

fn open_in_browser(url: &str) {
    let (program, args): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    if let Err(error) = std::process::Command::new(program).args(args).arg(url).spawn() {
        eprintln!("holdpoint-app: cannot start {program}: {error}");
    }
}
