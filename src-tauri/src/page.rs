//! The page that the window embeds, lent to the server, so that any browser shows the very same viewer at `/`.

use std::borrow::Cow;

use tauri::AppHandle;

/// The embedded files.
pub(crate) struct Page(pub(crate) AppHandle);

impl ingest::Assets for Page {
    fn get(&self, path: &str) -> Option<(Cow<'static, [u8]>, &'static str)> {
        let asset = self.0.asset_resolver().get(path.to_string())?;
        // The resolver answers an unknown path with the start page, for pages that route by themselves. Ours do not.
        let is_page = asset.mime_type.starts_with("text/html");
        if is_page && !path.ends_with(".html") {
            return None;
        }
        Some((Cow::Owned(asset.bytes), mime(path)))
    }
}

fn mime(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}
