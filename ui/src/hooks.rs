//! What a screen reader would be told, as JSON on the page, for tests that find things by their words. Only in builds
//! with the feature `test-hooks`: eframe on the web hands the accessibility tree to nobody.

use egui::{Context, FullOutput, Plugin};

/// Publishes role, label and place of everything that has a name, after each pass.
#[derive(Debug, Default)]
struct Hooks;

/// Switches it on.
pub fn install(ctx: &Context) {
    ctx.enable_accesskit();
    ctx.add_plugin(Hooks);
}

impl Plugin for Hooks {
    fn debug_name(&self) -> &'static str {
        "test hooks"
    }

    fn output_hook(&mut self, _ctx: &Context, output: &mut FullOutput) {
        if let Some(update) = output.platform_output.accesskit_update.take() {
            publish(&widgets(&update));
        }
    }
}

/// The widgets of a pass as a JSON array of `{role, label, x, y, w, h}`, in points of the page.
pub fn widgets(update: &egui::accesskit::TreeUpdate) -> String {
    let mut out = Vec::new();
    for (_, node) in &update.nodes {
        let label = node.label().filter(|label| !label.is_empty()).or_else(|| node.value());
        let (Some(label), Some(at)) = (label, node.bounds()) else { continue };
        out.push(serde_json::json!({
            "role": format!("{:?}", node.role()), "label": label,
            "x": at.x0, "y": at.y0, "w": at.x1 - at.x0, "h": at.y1 - at.y0,
        }));
    }
    serde_json::Value::Array(out).to_string()
}

#[cfg(target_arch = "wasm32")]
fn publish(widgets: &str) {
    let value = js_sys::JSON::parse(widgets).unwrap_or(wasm_bindgen::JsValue::NULL);
    // A page whose globals are frozen shows nothing to tests, which then fail by themselves.
    let _ = js_sys::Reflect::set(&js_sys::global(), &"__holdpoint_a11y".into(), &value);
}

#[cfg(not(target_arch = "wasm32"))]
fn publish(_widgets: &str) {}
