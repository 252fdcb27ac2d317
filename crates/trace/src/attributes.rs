//! What the attributes of a span say, in any of the dialects that agent libraries write.
//!
//! Every container (OTLP, flat span dumps, Jaeger, Zipkin) gives its attributes as names and JSON values; here they
//! become kind, name, input, output, model, tokens and error of a [`Span`]. The dialect is decided for each span by
//! the attributes it has, not for a file. What no dialect claims stays under `attributes`.

mod body;
mod happening;
mod kind;
mod usage;

use wire::Raw;

use crate::adapter::ObjectWriter;
use crate::span::Span;

pub(crate) use happening::{Happening, error_of, tell};
pub(crate) use usage::details as usage_details;

/// The attributes of one span: names and JSON texts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Attributes {
    list: Vec<(String, String)>,
}

/// Objects inside objects that are flattened to dotted names.
const FLATTEN_DEPTH_MAX: usize = 8;

impl Attributes {
    pub(crate) fn push(&mut self, name: impl Into<String>, json: impl Into<String>) {
        self.list.push((name.into(), json.into()));
    }

    /// The members of an object, nested ones under dotted names too.
    pub(crate) fn from_object(object: Raw<'_>) -> Self {
        let mut attributes = Self::default();
        let mut open = vec![(String::new(), object, 0)];
        while let Some((prefix, object, depth)) = open.pop() {
            for (key, value) in object.members() {
                let name = format!("{prefix}{}", key.name());
                if value.kind() == wire::JsonKind::Object && depth < FLATTEN_DEPTH_MAX {
                    open.push((format!("{name}."), value, depth + 1));
                }
                attributes.push(name, value.get());
            }
        }
        attributes
    }

    /// The value of an attribute; of repeated ones the last.
    pub(crate) fn get(&self, name: &str) -> Option<Raw<'_>> {
        let (_, json) = self.list.iter().rev().find(|(known, _)| known == name)?;
        Raw::parse(json).ok()
    }

    /// The text of a string attribute that is not empty.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name)?.as_str().map(|text| text.into_owned()).filter(|text| !text.is_empty())
    }

    /// The first of these that is a text.
    pub(crate) fn first_text(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.text(name))
    }

    /// A count, also where it is written as a float or a text.
    pub(crate) fn count(&self, name: &str) -> Option<u64> {
        count(self.get(name)?)
    }

    /// Whether any attribute begins so.
    pub(crate) fn any(&self, prefix: &str) -> bool {
        self.list.iter().any(|(name, _)| name.starts_with(prefix))
    }

    /// Attributes that begin so, without the prefix.
    pub(crate) fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.list.iter().filter_map(move |(name, json)| Some((name.strip_prefix(prefix)?, json.as_str())))
    }

    /// All of them as one object.
    pub(crate) fn to_json(&self) -> String {
        let mut object = ObjectWriter::new();
        for (name, json) in &self.list {
            object.raw(name, json);
        }
        object.finish()
    }

    /// Fills what the attributes know of a span; what the container has said already stays.
    pub(crate) fn describe(&self, span: &mut Span) {
        let original = span.name.clone();
        span.kind = kind::kind(self, &original).to_owned();
        span.name = kind::name(self, &span.kind, &original);
        span.node = kind::node(self, &span.kind);
        span.noise = kind::is_noise(self, &span.kind);
        span.input = span.input.take().or_else(|| body::input(self));
        span.output = span.output.take().or_else(|| body::output(self));
        span.model = span.model.take().or_else(|| {
            self.first_text(&[
                "gen_ai.response.model",
                "ai.response.model",
                "gen_ai.request.model",
                "llm.model_name",
                "embedding.model_name",
                "langfuse.observation.model.name",
                "ai.model.id",
                "llm.request.model",
            ])
        });
        span.usage = span.usage.take().or_else(|| usage::usage(self));
        let wait_ms = self.get("ai.response.msToFirstChunk").and_then(Raw::as_f64);
        span.first_token_ms = span.first_token_ms.or_else(|| Some(span.start_ms? + wait_ms?));
        if original != span.name {
            span.extra.push(("spanName".to_owned(), quoted(&original)));
        }
        if !self.list.is_empty() {
            // A body is long: it is not said twice.
            let mut rest = ObjectWriter::new();
            for (name, json) in self.list.iter().filter(|(name, json)| !body::is_shown(name, json, span)) {
                rest.raw(name, json);
            }
            span.extra.push(("attributes".to_owned(), rest.finish()));
        }
    }
}

/// A count however it is written.
pub(crate) fn count(raw: Raw<'_>) -> Option<u64> {
    raw.as_u64().or_else(|| whole(raw.as_f64()?)).or_else(|| raw.as_str()?.trim().parse().ok())
}

fn whole(float: f64) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
    (0.0..9.0e15).contains(&float).then_some(float as u64)
}

/// A text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    wire::json::write_string(text, &mut json);
    json
}

/// A value that may be JSON inside a text: the inner value where it is an object or a list.
pub(crate) fn opened(raw: Raw<'_>) -> String {
    if let Some(text) = raw.as_str() {
        let inner = text.trim();
        if inner.starts_with(['{', '[']) && Raw::parse(inner).is_ok() {
            return inner.to_owned();
        }
    }
    raw.get().to_owned()
}
