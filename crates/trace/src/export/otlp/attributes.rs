//! Attributes as OTLP JSON writes them: a list of keys and typed values.

use wire::json::{write_number, write_string};
use wire::{JsonKind, Raw};

/// A list of attributes.
#[derive(Debug, Default)]
pub(super) struct Attributes(String);

impl Attributes {
    fn push(&mut self, key: &str, kind: &str, value: &str) -> &mut Self {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        self.0.push_str("{\"key\":");
        write_string(key, &mut self.0);
        self.0.push_str(&format!(",\"value\":{{\"{kind}\":{value}}}}}"));
        self
    }

    pub(super) fn text(&mut self, key: &str, text: &str) -> &mut Self {
        let mut json = String::with_capacity(text.len() + 2);
        write_string(text, &mut json);
        self.push(key, "stringValue", &json)
    }

    pub(super) fn count(&mut self, key: &str, count: u64) -> &mut Self {
        self.push(key, "intValue", &format!("\"{count}\""))
    }

    pub(super) fn number(&mut self, key: &str, number: f64) -> &mut Self {
        let mut json = String::new();
        write_number(number, &mut json);
        self.push(key, "doubleValue", &json)
    }

    /// Any JSON value: scalars by their type, lists and objects as JSON in a text, as the conventions have it. `null` is
    /// no attribute.
    pub(super) fn json(&mut self, key: &str, raw: Raw<'_>) -> &mut Self {
        match raw.kind() {
            JsonKind::Null => self,
            JsonKind::String => self.push(key, "stringValue", raw.get()),
            JsonKind::Bool => self.push(key, "boolValue", raw.get()),
            JsonKind::Number => {
                match raw.as_u64().filter(|_| raw.get().bytes().all(|b| b.is_ascii_digit())) {
                    Some(count) => self.count(key, count),
                    None => self.push(key, "doubleValue", raw.get()),
                }
            }
            JsonKind::Object | JsonKind::Array => self.text(key, raw.get()),
        }
    }

    /// As a JSON list.
    pub(super) fn list(&self) -> String {
        format!("[{}]", self.0)
    }
}
