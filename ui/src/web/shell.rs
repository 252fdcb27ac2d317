//! Calls to the shell, where there is one: `globalThis.holdpoint.invoke` as `boot.js` leaves it, null in a browser.

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

fn invoke() -> Option<Function> {
    let holdpoint = Reflect::get(&js_sys::global(), &"holdpoint".into()).ok()?;
    Reflect::get(&holdpoint, &"invoke".into()).ok()?.dyn_into().ok()
}

/// Whether the shell hosts the page.
pub(super) fn is_there() -> bool {
    invoke().is_some()
}

/// Calls a command with arguments; `None` without a shell or when it refuses.
pub(super) async fn ask(command: &str, args: &[(&str, &str)]) -> Option<JsValue> {
    let values = Object::new();
    for (name, value) in args {
        Reflect::set(&values, &(*name).into(), &(*value).into()).ok()?;
    }
    let promise: Promise = invoke()?.call2(&JsValue::NULL, &command.into(), &values).ok()?.dyn_into().ok()?;
    JsFuture::from(promise).await.ok()
}

/// Calls a command and does not wait.
pub(super) fn tell(command: &'static str) {
    spawn_local(async move {
        ask(command, &[]).await;
    });
}

/// The same with one argument.
pub(super) fn tell_with(command: &'static str, name: &'static str, value: String) {
    spawn_local(async move {
        ask(command, &[(name, &value)]).await;
    });
}
