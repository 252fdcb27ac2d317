//! A page's surroundings: the clock, remembered settings, titles, dialogs and uploads, through the browser or the shell.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Event, HtmlInputElement, Notification, NotificationPermission, RequestInit, Response};

use super::{Inbox, export, frames, shell};
use crate::model::export::Export;
use crate::platform::{Incoming, Platform};

/// Prefix of remembered settings.
const PREFIX: &str = "holdpoint.";

/// The surroundings of a page.
pub(super) struct Surroundings {
    token: String,
    inbox: Inbox,
    dragging: Rc<Cell<bool>>,
    ctx: egui::Context,
    in_shell: bool,
    reduced_motion: bool,
}

impl Surroundings {
    pub(super) fn new(token: &str, inbox: Inbox, dragging: Rc<Cell<bool>>, ctx: egui::Context) -> Self {
        let query =
            window().and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok().flatten());
        let reduced_motion = query.is_some_and(|query| query.matches());
        Self { token: token.to_owned(), inbox, dragging, ctx, in_shell: shell::is_there(), reduced_motion }
    }
}

fn window() -> Option<web_sys::Window> {
    web_sys::window()
}

fn storage() -> Option<web_sys::Storage> {
    window()?.local_storage().ok().flatten()
}

impl Platform for Surroundings {
    fn now_ms(&self) -> f64 {
        js_sys::Date::now()
    }

    fn load(&self, key: &str) -> Option<String> {
        storage()?.get_item(&format!("{PREFIX}{key}")).ok().flatten()
    }

    fn save(&mut self, key: &str, value: &str) {
        if let Some(storage) = storage() {
            // A full or forbidden store forgets the setting; the window works on.
            let _ = storage.set_item(&format!("{PREFIX}{key}"), value);
        }
    }

    fn open_dialog(&mut self) -> bool {
        if self.in_shell {
            shell::tell("open_dialog");
            return true;
        }
        choose(&self.inbox, &self.ctx).is_some()
    }

    fn take_files(&mut self) -> Vec<Incoming> {
        self.inbox.borrow_mut().drain(..).collect()
    }

    fn dragging(&self) -> bool {
        self.dragging.get()
    }

    fn upload(&mut self, name: &str, bytes: Vec<u8>) {
        let (name, token) = (name.to_owned(), self.token.clone());
        let (inbox, ctx) = (Rc::clone(&self.inbox), self.ctx.clone());
        spawn_local(async move {
            if let Err(reason) = import(&name, &token, &bytes).await {
                inbox.borrow_mut().push_back(Incoming::Failed { reason: format!("{name}: {reason}") });
                frames::wake(&ctx);
            }
        });
    }

    fn export(&mut self, ask: &Export) {
        let (ask, token, in_shell) = (ask.clone(), self.token.clone(), self.in_shell);
        let (inbox, ctx) = (Rc::clone(&self.inbox), self.ctx.clone());
        spawn_local(async move {
            let done = match in_shell {
                true => export::in_shell(&ask).await,
                false => export::in_browser(&ask, &token).await,
            };
            inbox.borrow_mut().push_back(Incoming::Exported { ask, done });
            frames::wake(&ctx);
        });
    }

    fn reload(&mut self) {
        if let Some(window) = window() {
            // A page that cannot be loaded anew is still there.
            let _ = window.location().reload();
        }
    }

    fn notify(&mut self, title: &str, body: &str) {
        if self.in_shell {
            shell::tell("attention");
        } else if Notification::permission() == NotificationPermission::Granted {
            let options = web_sys::NotificationOptions::new();
            options.set_body(body);
            // Without permission or support there is still the title and the panel.
            let _ = Notification::new_with_options(title, &options);
        }
    }

    fn allow_notifications(&mut self) {
        // The answer is the browser's to keep; without one there is still the title and the panel.
        let _ = Notification::request_permission();
    }

    fn fragment(&self) -> String {
        let hash = window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
        hash.trim_start_matches('#').to_owned()
    }

    fn set_fragment(&mut self, fragment: &str) {
        let Some(window) = window() else { return };
        let (Ok(history), Ok(path)) = (window.history(), window.location().pathname()) else { return };
        let address = if fragment.is_empty() { path } else { format!("{path}#{fragment}") };
        // A browser that refuses keeps the old address; the window shows the same.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }

    fn set_title(&mut self, title: &str) {
        if let Some(document) = window().and_then(|window| window.document()) {
            document.set_title(title);
        }
        if self.in_shell {
            shell::tell_with("set_title", "title", title.to_owned());
        }
    }

    fn reduced_motion(&self) -> bool {
        self.reduced_motion
    }

    fn in_shell(&self) -> bool {
        self.in_shell
    }
}

/// The browser's own file dialog.
fn choose(inbox: &Inbox, ctx: &egui::Context) -> Option<()> {
    let document = window()?.document()?;
    let input: HtmlInputElement = document.create_element("input").ok()?.dyn_into().ok()?;
    input.set_type("file");
    let (picked, inbox, ctx) = (input.clone(), Rc::clone(inbox), ctx.clone());
    let changed = Closure::once_into_js(move |_: Event| {
        let Some(file) = picked.files().and_then(|files| files.get(0)) else { return };
        spawn_local(async move {
            let name = file.name();
            let incoming = match JsFuture::from(file.array_buffer()).await {
                Ok(buffer) => Incoming::Bytes { name, bytes: Uint8Array::new(&buffer).to_vec() },
                Err(_) => Incoming::Failed { reason: format!("{name} could not be read.") },
            };
            inbox.borrow_mut().push_back(incoming);
            frames::wake(&ctx);
        });
    });
    input.set_onchange(Some(changed.unchecked_ref()));
    input.click();
    Some(())
}

/// Sends a file to the server that served the page.
async fn import(name: &str, token: &str, bytes: &[u8]) -> Result<(), String> {
    let options = RequestInit::new();
    options.set_method("POST");
    options.set_body(&Uint8Array::from(bytes));
    let url = format!("/api/import?name={}", js_sys::encode_uri_component(name));
    fetch(&url, token, &options).await.map(|_| ())
}

/// What went wrong, in words.
pub(super) fn say(error: JsValue) -> String {
    error.as_string().unwrap_or_else(|| "the server could not be reached".to_owned())
}

/// Asks the server that served the page; an answer that is none is an error in its words.
pub(super) async fn fetch(url: &str, token: &str, options: &RequestInit) -> Result<Response, String> {
    let headers = web_sys::Headers::new().map_err(say)?;
    headers.append("Authorization", &format!("Bearer {token}")).map_err(say)?;
    options.set_headers(&headers);
    let window = window().ok_or("there is no page")?;
    let answer = JsFuture::from(window.fetch_with_str_and_init(url, options)).await.map_err(say)?;
    let answer: Response = answer.unchecked_into();
    if answer.ok() {
        return Ok(answer);
    }
    let text =
        JsFuture::from(answer.text().map_err(say)?).await.map_err(say)?.as_string().unwrap_or_default();
    let said: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    Err(said["error"]
        .as_str()
        .map_or_else(|| format!("the server answered {}", answer.status()), str::to_owned))
}
