//! What the page itself reports: files from the shell, a drag over the window, and the keys whose default the browser
//! must not carry out (reload, full screen, find, zoom).

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Array, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{AddEventListenerOptions, Event, EventTarget, KeyboardEvent, WheelEvent};

use super::{Inbox, frames, shell};
use crate::platform::Incoming;

/// Function keys that are ours, with or without Shift.
const FUNCTION_KEYS: [&str; 5] = ["F3", "F5", "F9", "F10", "F11"];
/// Keys that are ours together with Ctrl or Cmd.
const CONTROL_KEYS: &str = "kKfFoObBjJiIgGsS,+-=0";

/// Listens for as long as the page lives.
pub(super) fn listen(ctx: &egui::Context, inbox: &Inbox, dragging: &Rc<Cell<bool>>) {
    let Some(window) = web_sys::window() else { return };
    let (files, wake) = (Rc::clone(inbox), ctx.clone());
    on(&window, "holdpoint:files", move |_| take(&files, &wake));
    let (over, wake) = (Rc::clone(dragging), ctx.clone());
    on(&window, "holdpoint:drag", move |event| {
        let detail = Reflect::get(&event, &"detail".into()).unwrap_or(JsValue::NULL);
        over.set(detail.as_bool() == Some(true));
        frames::wake(&wake);
    });
    let (places, wake) = (Rc::clone(inbox), ctx.clone());
    on(&window, "hashchange", move |_| {
        let hash = web_sys::window().and_then(|window| window.location().hash().ok());
        places.borrow_mut().push_back(Incoming::Place(hash.unwrap_or_default()));
        frames::wake(&wake);
    });
    on(&window, "keydown", |event| {
        if event.dyn_ref::<KeyboardEvent>().is_some_and(is_ours) {
            event.prevent_default();
        }
    });
    on(&window, "wheel", |event| {
        if event.dyn_ref::<WheelEvent>().is_some_and(|wheel| wheel.ctrl_key()) {
            event.prevent_default();
        }
    });
    // What came before the page was there.
    take(inbox, ctx);
}

fn is_ours(event: &KeyboardEvent) -> bool {
    let key = event.key();
    let control = (event.ctrl_key() || event.meta_key()) && !event.shift_key() && !event.alt_key();
    FUNCTION_KEYS.contains(&key.as_str()) || (control && key.len() == 1 && CONTROL_KEYS.contains(&key))
}

fn on(target: &EventTarget, name: &str, heard: impl FnMut(Event) + 'static) {
    let options = AddEventListenerOptions::new();
    options.set_capture(true);
    options.set_passive(false);
    let heard = Closure::<dyn FnMut(Event)>::new(heard).into_js_value();
    // A browser without events has no page either.
    let _ = target.add_event_listener_with_callback_and_add_event_listener_options(
        name,
        heard.unchecked_ref(),
        &options,
    );
}

/// Takes the paths that wait in the shell.
fn take(inbox: &Inbox, ctx: &egui::Context) {
    if !shell::is_there() {
        return;
    }
    let (inbox, ctx) = (Rc::clone(inbox), ctx.clone());
    spawn_local(async move {
        let paths = shell::ask("take_files", &[]).await.unwrap_or(JsValue::NULL);
        let paths = paths.dyn_into::<Array>().unwrap_or_default();
        inbox.borrow_mut().extend(paths.iter().filter_map(|path| path.as_string()).map(Incoming::Path));
        frames::wake(&ctx);
    });
}
