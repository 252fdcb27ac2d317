//! Texts that wrap a recording: HTML pages with the events inside, server-sent events, protobuf.
//!
//! Each is turned into lines of JSON; what follows sees no difference.

use std::io::{BufRead, Cursor, Read};

use crate::container::Text;
use crate::error::Failure;
use crate::report::Report;

/// The lines inside a wrapped text; nothing where it is plain.
pub(crate) fn unwrap(
    head: &str,
    text: &mut Text,
    report: &mut Report,
) -> Result<Option<Box<dyn BufRead + Send>>, Failure> {
    let start = head.trim_start();
    let lower: String = start.chars().take(64).flat_map(char::to_lowercase).collect();
    if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        return page(text).map(Some);
    }
    if ["event:", "data:", "id:", ": ", "retry:"].iter().any(|field| start.starts_with(field)) {
        return events(text).map(Some);
    }
    crate::protobuf::lines(text, report)
}

fn whole(text: &mut Text) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    text.reader.read_to_end(&mut bytes).map_err(|error| Failure::read(&text.name, &error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The contents of the page's script elements that hold data: those whose text begins as JSON does.
fn page(text: &mut Text) -> Result<Box<dyn BufRead + Send>, Failure> {
    let html = whole(text)?;
    if let Some(recording) = crate::export::recording_of(&html) {
        let bytes = recording
            .map_err(|why| Failure::new(format!("{}: its recording is damaged ({why})", text.name)))?;
        return crate::container::plain(&text.name, Box::new(Cursor::new(bytes)), 0);
    }
    let mut lines = String::new();
    let mut rest = html.as_str();
    while let Some(open) = rest.find("<script") {
        rest = &rest[open..];
        let Some(start) = rest.find('>') else { break };
        let Some(end) = rest[start..].find("</script") else { break };
        let body = rest[start + 1..start + end].trim();
        if body.starts_with(['{', '[']) {
            // Writers escape the sequence that would end the element.
            lines.push_str(&body.replace("<\\/", "</"));
            lines.push('\n');
        }
        rest = &rest[start + end..];
    }
    if lines.is_empty() {
        return Err(Failure::named(
            &text.name,
            "a web page without a recording inside",
            "drop the recording itself",
        ));
    }
    Ok(Box::new(Cursor::new(lines.into_bytes())))
}

/// Server-sent events as lines `{"event":…,"id":…,"data":…}`; comments are passed over.
fn events(text: &mut Text) -> Result<Box<dyn BufRead + Send>, Failure> {
    let body = whole(text)?;
    let mut lines = String::new();
    let mut event = Event::default();
    for line in body.lines() {
        if line.trim().is_empty() {
            event.write(&mut lines);
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut event.name),
            "id" => value.clone_into(&mut event.id),
            "data" => {
                if !event.data.is_empty() {
                    event.data.push('\n');
                }
                event.data.push_str(value);
            }
            _ => {}
        }
    }
    event.write(&mut lines);
    Ok(Box::new(Cursor::new(lines.into_bytes())))
}

#[derive(Default)]
struct Event {
    name: String,
    id: String,
    data: String,
}

impl Event {
    fn write(&mut self, lines: &mut String) {
        let event = std::mem::take(self);
        if event.data.is_empty() || event.data.trim() == "[DONE]" {
            return;
        }
        let mut json = crate::adapter::ObjectWriter::new();
        json.text("event", &event.name);
        if !event.id.is_empty() {
            json.text("id", &event.id);
        }
        match wire::Raw::parse(&event.data) {
            Ok(raw) => json.raw("data", raw.get()),
            Err(_) => json.text("data", &event.data),
        };
        lines.push_str(&json.finish());
        lines.push('\n');
    }
}
