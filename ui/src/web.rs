//! The page's entry: what `boot.js` calls once the module is loaded. Everything that touches the browser is here, in
//! files of one matter each; the rest of the crate does not know that there is one.

mod events;
mod page;
mod shell;
mod socket;
mod surroundings;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use crate::App;
use crate::platform::Incoming;

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
    let options = eframe::WebOptions { should_stop_propagation: Box::new(|_| false), ..Default::default() };
    // Lives as long as the page.
    let runner: &'static eframe::WebRunner = Box::leak(Box::new(eframe::WebRunner::new()));
    runner.start(canvas, options, Box::new(move |cc| Ok(Box::new(window(cc, session))))).await
}

fn window(cc: &eframe::CreationContext<'_>, session: Session) -> page::Page {
    let ctx = cc.egui_ctx.clone();
    // A slow frame between press and release must not eat the click.
    ctx.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
    let inbox = Inbox::default();
    let dragging = Rc::new(Cell::new(false));
    events::listen(&ctx, &inbox, &dragging);
    #[cfg(feature = "test-hooks")]
    crate::hooks::install(&ctx);
    let transport = socket::Socket::new(&session.ws_url, &session.token, ctx.clone());
    let platform = surroundings::Surroundings::new(&session.token, Rc::clone(&inbox), dragging, ctx);
    let mut app = App::new(Box::new(transport), Box::new(platform));
    if let Some(notice) = session.notice {
        app.notice(notice);
    }
    page::Page::new(app, inbox)
}
