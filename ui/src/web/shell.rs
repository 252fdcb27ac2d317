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

/// Calls a command with arguments; the error is what the shell refuses it with, null without a shell.
pub(super) async fn call(command: &str, args: &[(&str, JsValue)]) -> Result<JsValue, JsValue> {
    let values = Object::new();
    for (name, value) in args {
        Reflect::set(&values, &(*name).into(), value)?;
    }
    let invoke = invoke().ok_or(JsValue::NULL)?;
    let promise: Promise = invoke.call2(&JsValue::NULL, &command.into(), &values)?.dyn_into()?;
    JsFuture::from(promise).await
}

/// The same where a refusal means nothing.
pub(super) async fn ask(command: &str, args: &[(&str, JsValue)]) -> Option<JsValue> {
    call(command, args).await.ok()
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
        ask(command, &[(name, value.into())]).await;
    });
}
