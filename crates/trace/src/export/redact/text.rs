//! Secrets inside one string: in its words, or in the JSON that it holds.

use wire::Raw;
use wire::json::unescape;

use super::edit::{Edit, outward};
use super::walk;

/// JSON inside strings inside JSON that is opened: each level escapes the one below once more.
const DEPTH_MAX: usize = 6;
/// No shorter string holds a secret with its name.
const BYTES_MIN: usize = 6;

/// Edits of a JSON string's text, which begins at `base`; `id` keeps different secrets apart.
pub(super) fn edits(raw: &str, escaped: bool, base: usize, depth: usize, id: bool) -> Vec<Edit> {
    if raw.len() < BYTES_MIN {
        return Vec::new();
    }
    let text = unescape(raw, escaped);
    let found = if id { of_id(&text) } else { of_text(&text, depth) };
    outward(raw, escaped, base, found)
}

/// Edits of a plain text, or of the JSON that it is.
pub(super) fn of_text(text: &str, depth: usize) -> Vec<Edit> {
    let inner = text.trim();
    if depth < DEPTH_MAX && inner.starts_with(['{', '[']) && Raw::parse(inner).is_ok() {
        let before = text.len() - text.trim_start().len();
        let moved = |edit: Edit| Edit { range: edit.range.start + before..edit.range.end + before, ..edit };
        return walk::edits_within(inner, depth + 1).into_iter().map(moved).collect();
    }
    let found = kxm::find(text, kxm::Reach::Secrets).into_iter();
    found.map(|found| Edit { range: found.range, text: found.mark.to_owned() }).collect()
}

/// In an id every secret has a stand-in of its own, so that references still meet.
fn of_id(text: &str) -> Vec<Edit> {
    let found = kxm::find(text, kxm::Reach::Secrets).into_iter();
    found.map(|found| Edit { text: kxm::stand_in(&text[found.range.clone()]), range: found.range }).collect()
}
