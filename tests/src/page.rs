//! The viewer page as a person finds things on it: by role and by words, never by coordinates.
//!
//! The page is one canvas; a build with the test hook publishes what a screen reader would be told, and this reads it.

use serde_json::Value;

use crate::{Driver, wait_for};

/// Something on the page that has a name.
#[derive(Clone, Debug)]
pub struct Widget {
    /// As AccessKit names it: `Button`, `TextInput`, …
    pub role: String,
    /// What it says, or what a screen reader would say.
    pub label: String,
    /// Its middle, in page pixels.
    pub middle: (f64, f64),
}

/// The page in a window or a browser.
#[derive(Debug)]
pub struct Page<'a>(pub &'a Driver);

impl Page<'_> {
    /// Everything that has a name, in painting order.
    pub fn widgets(&self) -> Vec<Widget> {
        let listed = self.0.script("return JSON.stringify(window.__holdpoint_a11y || [])");
        let listed: Value = serde_json::from_str(listed.as_str().unwrap_or("[]")).unwrap_or_default();
        listed.as_array().into_iter().flatten().filter_map(widget).collect()
    }

    /// Waits until something with these words is there.
    ///
    /// # Panics
    /// If it never comes.
    pub fn find(&self, role: &str, words: &str) -> Widget {
        wait_for(&format!("{role} {words:?}"), || {
            let widgets = self.widgets();
            let found = widgets.iter().find(|widget| widget.role == role && widget.label.contains(words));
            found.cloned().ok_or_else(|| said(&widgets))
        })
    }

    /// Waits until these words stand anywhere.
    ///
    /// # Panics
    /// If they never come.
    pub fn says(&self, words: &str) -> Widget {
        wait_for(&format!("the words {words:?}"), || {
            let widgets = self.widgets();
            widgets.iter().find(|widget| widget.label.contains(words)).cloned().ok_or_else(|| said(&widgets))
        })
    }

    /// Clicks what has these words.
    ///
    /// # Panics
    /// If it never comes.
    pub fn click(&self, role: &str, words: &str) {
        let (x, y) = self.find(role, words).middle;
        self.0.click(x, y);
    }
}

fn widget(value: &Value) -> Option<Widget> {
    let number = |name: &str| value[name].as_f64();
    let (x, y, w, h) = (number("x")?, number("y")?, number("w")?, number("h")?);
    Some(Widget {
        role: value["role"].as_str()?.to_string(),
        label: value["label"].as_str()?.to_string(),
        middle: (x + w / 2.0, y + h / 2.0),
    })
}

fn said(widgets: &[Widget]) -> String {
    widgets.iter().map(|widget| format!("{}:{}", widget.role, widget.label)).collect::<Vec<_>>().join(" | ")
}
