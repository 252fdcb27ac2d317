//! Exports: in a browser a download of what the server gives out, in the shell a file where the person chose.

use js_sys::JSON;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlElement, RequestInit, Response, Url};

use super::{shell, surroundings};
use crate::model::export::{Export, Exported};

/// How long a download's bytes are kept for the browser, in milliseconds.
const KEPT_MS: i32 = 60_000;

type Done = Result<Option<Exported>, String>;

/// Says beside the bytes what was done, as the server does.
const ABOUT: &str = "x-holdpoint-export";

pub(super) async fn in_shell(ask: &Export) -> Done {
    let args = [
        ("run", JsValue::from_str(&ask.run)),
        ("to", JsValue::from_str(ask.form.word())),
        ("redact", JsValue::from_bool(ask.redact)),
    ];
    let done = shell::call("export_run", &args).await.map_err(surroundings::say)?;
    let text = JSON::stringify(&done).ok().and_then(|text| text.as_string()).unwrap_or_default();
    serde_json::from_str(&text).map_err(|error| format!("the answer cannot be read: {error}"))
}

pub(super) async fn in_browser(ask: &Export, token: &str) -> Done {
    let path = ask.path(|text| js_sys::encode_uri_component(text).into());
    let answer = surroundings::fetch(&path, token, &RequestInit::new()).await?;
    let header = |name: &str| answer.headers().get(name).ok().flatten().unwrap_or_default();
    let mut done: Exported = serde_json::from_str(&header(ABOUT)).unwrap_or_default();
    let told = header("content-disposition");
    let named = told.split_once("filename=\"").and_then(|(_, rest)| rest.split_once('"'));
    done.name = named.map_or_else(|| format!("run.{}", ask.form.word()), |(name, _)| name.to_owned());
    keep(&answer, &done.name).await.map_err(surroundings::say)?;
    Ok(Some(done))
}

/// Hands the body to the browser's downloads.
async fn keep(answer: &Response, name: &str) -> Result<(), JsValue> {
    let blob: Blob = JsFuture::from(answer.blob()?).await?.dyn_into()?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let link: HtmlElement = document.create_element("a")?.dyn_into()?;
    link.set_attribute("href", &url)?;
    link.set_attribute("download", name)?;
    link.click();
    // The browser reads it after the click; the bytes are its own until they are given back.
    let give_back = Closure::once_into_js(move || Url::revoke_object_url(&url).is_ok());
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    window.set_timeout_with_callback_and_timeout_and_arguments_0(give_back.unchecked_ref(), KEPT_MS)?;
    Ok(())
}
