//! The page's entry: what `boot.js` calls once the module is loaded. Everything that touches the browser is here, in
//! files of one matter each; the rest of the crate does not know that there is one.

mod events;
mod export;
mod frames;
mod page;
mod shell;
mod socket;
mod surroundings;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use crate::platform::Incoming;
use crate::transport::Recording;
use crate::{App, Transport};

/// Where the server is and this launch's token, as the shell or the page's address gave them.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Session {
    token: String,
    ws_url: String,
    notice: Option<String>,
}

/// Files on their way into the window.
type Inbox = Rc<RefCell<VecDeque<Incoming>>>;

/// Starts the window on a canvas. `session` is the JSON of [`Session`].
///
/// # Errors
/// If the session cannot be read, or the browser has no WebGL 2.
#[wasm_bindgen]
pub async fn start(canvas: HtmlCanvasElement, session: String) -> Result<(), JsValue> {
    let session: Session = serde_json::from_str(&session)
        .map_err(|error| JsValue::from_str(&format!("the session cannot be read: {error}")))?;
    show(canvas, move |cc| {
        let Session { token, ws_url, notice } = session;
        let socket = socket::Socket::new(&ws_url, &token, cc.egui_ctx.clone());
        window(cc, Box::new(socket), &token, notice)
    })
    .await
}

/// Starts the window over a recording that the page itself holds: newline-delimited envelopes. There is no server and
/// nothing is fetched.
///
/// # Errors
/// If the browser has no WebGL 2.
#[wasm_bindgen]
pub async fn open(
    canvas: HtmlCanvasElement,
    name: String,
    recording: Vec<u8>,
    notice: Option<String>,
) -> Result<(), JsValue> {
    show(canvas, move |cc| {
        let text = match String::from_utf8(recording) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        let ctx = cc.egui_ctx.clone();
        let transport = Recording::new(&name, text, Box::new(move || frames::wake(&ctx)));
        window(cc, Box::new(transport), "", notice)
    })
    .await
}

async fn show(
    canvas: HtmlCanvasElement,
    window: impl FnOnce(&eframe::CreationContext<'_>) -> page::Page + 'static,
) -> Result<(), JsValue> {
    let options = eframe::WebOptions { should_stop_propagation: Box::new(|_| false), ..Default::default() };
    // Lives as long as the page.
    let runner: &'static eframe::WebRunner = Box::leak(Box::new(eframe::WebRunner::new()));
    runner.start(canvas, options, Box::new(move |cc| Ok(Box::new(window(cc))))).await
}

fn window(
    cc: &eframe::CreationContext<'_>,
    transport: Box<dyn Transport>,
    token: &str,
    notice: Option<String>,
) -> page::Page {
    let ctx = cc.egui_ctx.clone();
    // A slow frame between press and release must not eat the click.
    ctx.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
    frames::gate(&ctx);
    let inbox = Inbox::default();
    let dragging = Rc::new(Cell::new(false));
    events::listen(&ctx, &inbox, &dragging);
    #[cfg(feature = "test-hooks")]
    crate::hooks::install(&ctx);
    let platform = surroundings::Surroundings::new(token, Rc::clone(&inbox), dragging, ctx);
    let mut app = App::new(transport, Box::new(platform));
    if let Some(notice) = notice {
        app.notice(notice);
    }
    page::Page::new(app, inbox)
}
