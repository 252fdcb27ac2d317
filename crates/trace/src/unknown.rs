//! Words for what no format recognises: a record among others, or a whole text.

use wire::{JsonKind, Raw};

use crate::error::ACCEPTED;

/// Characters of a text that are repeated to people.
const SEEN_CHARS: usize = 60;

/// Why a value is no event.
pub(crate) fn not_an_event(raw: Raw<'_>) -> String {
    match raw.kind() {
        JsonKind::Object => {
            let names: Vec<String> = raw.members().take(8).map(|(key, _)| key.name().into_owned()).collect();
            format!(
                "an object of no known format, with {}",
                if names.is_empty() { "no members".into() } else { names.join(", ") }
            )
        }
        JsonKind::Array => "a list of no known format".to_owned(),
        kind => {
            let seen: String = raw.get().chars().take(SEEN_CHARS).collect();
            format!("a {} ({seen}), not an event", format!("{kind:?}").to_lowercase())
        }
    }
}

/// What a text is that holds no event, by its first bytes.
pub(crate) fn unknown(name: &str, head: &str) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    let seen: String = head.trim_start().chars().take(SEEN_CHARS).map(shown).collect();
    format!("{name} is {} (it begins with {seen:?}): {ACCEPTED}.", what(head))
}

fn what(head: &str) -> &'static str {
    let start = head.trim_start();
    match Raw::parse(head.trim()).map(Raw::kind) {
        Ok(JsonKind::Object) => return "JSON of no known format",
        Ok(JsonKind::Array) => return "a JSON list of no known format",
        Ok(_) => return "a single JSON value",
        Err(_) => {}
    }
    if head.starts_with("SQLite format 3\0") {
        return "a SQLite database";
    }
    if head.contains('\0') || head.starts_with('\u{fffd}') {
        return "binary data of no known kind";
    }
    if ["{'", "[{'", "('", "[('", "((", "[("].iter().any(|lead| start.starts_with(lead)) {
        return "Python's own notation, not JSON: dump it with json.dumps";
    }
    if start.starts_with(['{', '[']) {
        return "JSON of no known format";
    }
    let columns = start.lines().next().map_or(0, |line| line.matches([',', '\t']).count());
    let table =
        columns > 0 && start.lines().skip(1).take(3).all(|line| line.matches([',', '\t']).count() >= columns);
    if table && start.lines().nth(1).is_some() { "a table (CSV)" } else { "no JSON" }
}
