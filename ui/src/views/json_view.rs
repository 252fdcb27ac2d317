//! A body as a tree: one row a value, only the visible ones laid out, a beginning as well as a whole. Values keep the
//! digits and the order they were sent with.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Role, ScrollArea, Ui, pos2};

use super::lay;
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::encoded;
use crate::model::json::{self, Index, Kind, Row};
use crate::theme::{Size, Theme};

/// Values read of one body at most.
const ROWS_MAX: usize = 400_000;
/// Characters of a string laid out in its row.
const SHOWN_CHARS: usize = 240;
/// Depth that is open at first.
const OPEN_DEPTH: u32 = 2;

/// The tree of one body.
#[derive(Debug, Default)]
pub struct Tree {
    text: Arc<str>,
    index: Index,
    flipped: BTreeSet<u32>,
    visible: Vec<u32>,
}

impl Tree {
    /// Reads a text; does nothing if it is the same one.
    pub fn set(&mut self, text: &Arc<str>) {
        if Arc::ptr_eq(&self.text, text) && !self.index.rows.is_empty() {
            return;
        }
        let grown = text.starts_with(&*self.text) && !self.text.is_empty();
        if !grown {
            self.flipped.clear();
        }
        self.text = Arc::clone(text);
        self.index = json::index(text, ROWS_MAX);
        self.arrange();
    }

    /// Rows that can be seen with what is open.
    pub fn len(&self) -> usize {
        self.visible.len()
    }

    /// Whether the text was one whole JSON value.
    pub fn is_whole(&self) -> bool {
        !self.index.rows.is_empty() && self.index.stopped.is_none()
    }

    /// Whether the text held no value at all.
    pub fn is_empty(&self) -> bool {
        self.visible.is_empty()
    }

    fn is_open(&self, at: u32) -> bool {
        let row = &self.index.rows[at as usize];
        let by_depth = row.depth < OPEN_DEPTH && row.children <= 200;
        by_depth != self.flipped.contains(&at)
    }

    fn arrange(&mut self) {
        self.visible.clear();
        let rows = &self.index.rows;
        // The outermost container is the whole view: its braces are not worth a row.
        let mut at = u32::from(rows.first().is_some_and(|row| row.children > 0));
        while (at as usize) < rows.len() {
            self.visible.push(at);
            let row = &rows[at as usize];
            at = if row.children > 0 && !self.is_open(at) { row.end } else { at + 1 };
        }
    }

    fn flip(&mut self, at: u32) {
        if !self.flipped.remove(&at) {
            self.flipped.insert(at);
        }
        self.arrange();
    }

    fn cut(&self, range: &std::ops::Range<u32>) -> &str {
        self.text.get(range.start as usize..range.end as usize).unwrap_or("")
    }

    /// The path of a value, as a JSON pointer.
    fn path(&self, at: u32) -> String {
        let mut parts = Vec::new();
        let mut wanted = self.index.rows[at as usize].depth;
        for row in self.index.rows[..=at as usize].iter().rev() {
            if row.depth == wanted && wanted > 0 {
                let key = self.cut(&row.key);
                let name =
                    if key.is_empty() { row.position.to_string() } else { json::unescape(key, 4_096).0 };
                parts.push(name.replace('~', "~0").replace('/', "~1"));
                wanted -= 1;
            }
        }
        parts.iter().rev().map(|part| format!("/{part}")).collect()
    }
}

/// Shows the tree with its own scroll bar, at most `height` points high; returns the encoded text that was pressed.
pub(super) fn show(
    ui: &mut Ui,
    id: &str,
    tree: &mut Tree,
    height: f32,
    actions: &mut Actions,
) -> Option<String> {
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut flip = None;
    let area = ScrollArea::vertical().id_salt(id).auto_shrink([false, true]).max_height(height);
    area.show_rows(ui, Size::JSON_ROW, tree.len(), |ui, range| {
        for at in tree.visible[range].iter().copied() {
            if row(ui, tree, at, actions) {
                flip = Some(at);
            }
        }
    });
    let at = flip?;
    let pressed = &tree.index.rows[at as usize];
    if pressed.kind == Kind::Text {
        return Some(inner(tree.cut(&pressed.value)).to_owned());
    }
    tree.flip(at);
    None
}

/// A string's characters between its quotes; encoded bytes have no escapes.
fn inner(value: &str) -> &str {
    let value = value.strip_prefix('"').unwrap_or(value);
    value.strip_suffix('"').unwrap_or(value)
}

fn row(ui: &mut Ui, tree: &Tree, at: u32, actions: &mut Actions) -> bool {
    let c = &Theme::of(ui).colors;
    let row = &tree.index.rows[at as usize];
    let open = row.children > 0 && tree.is_open(at);
    let job = job(ui, tree, row, open);
    let name = job.text.clone();
    let (rect, response) = lay::row_as(ui, Size::JSON_ROW, false, &name, Role::TreeItem);
    let outer = u32::from(tree.index.rows[0].children > 0);
    let x = rect.left() + 16.0 + Size::INDENT * row.depth.saturating_sub(outer).min(24) as f32;
    if row.children > 0 {
        let chevron = if open { Glyph::Down } else { Glyph::Right };
        chevron.paint(ui.painter(), pos2(x - 8.0, rect.center().y), 12.0, c.text_secondary);
    }
    let galley = ui.painter().layout_job(job);
    let clip = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    lay::at_left(&clip, x, rect.center().y, galley);
    let value = tree.cut(&row.value);
    response.context_menu(|ui| {
        if ui.button("Copy value").clicked() {
            actions.push(Action::Copy { text: value.to_owned(), what: "the value" });
            ui.close();
        }
        if row.kind == Kind::Text && ui.button("Copy as text").clicked() {
            actions.push(Action::Copy { text: json::unescape(value, usize::MAX).0, what: "the text" });
            ui.close();
        }
        if ui.button("Copy path").clicked() {
            actions.push(Action::Copy { text: tree.path(at), what: "the path" });
            ui.close();
        }
    });
    let encoded = row.kind == Kind::Text && encoded::of_text(inner(value)).is_some();
    response.clicked() && (row.children > 0 || encoded)
}

fn job(ui: &Ui, tree: &Tree, row: &Row, open: bool) -> LayoutJob {
    let c = &Theme::of(ui).colors;
    let mut job = LayoutJob::default();
    job.wrap.max_rows = 1;
    job.wrap.max_width = (ui.available_width() - 24.0).max(40.0);
    job.wrap.break_anywhere = true;
    let mono = Theme::mono();
    let key = tree.cut(&row.key);
    if !key.is_empty() {
        push(&mut job, &json::visible(&json::unescape(key, 120).0), &mono, c.json_key);
        push(&mut job, ": ", &mono, c.text_secondary);
    } else if row.depth > 0 {
        push(&mut job, &format!("{}: ", row.position), &mono, c.text_tertiary);
    }
    let value = tree.cut(&row.value);
    let (text, color) = match row.kind {
        Kind::Object => (brace('{', row.children, '}', open), c.text_secondary),
        Kind::Array => (brace('[', row.children, ']', open), c.text_secondary),
        Kind::Text => match encoded::of_text(inner(value)) {
            Some(found) => (format!("[{}]", found.words()), c.accent),
            None => (quoted(value), c.json_string),
        },
        Kind::Number => (value.chars().take(SHOWN_CHARS).collect(), c.json_number),
        Kind::Literal => (value.to_owned(), c.json_literal),
    };
    push(&mut job, &text, &mono, color);
    job
}

fn push(job: &mut LayoutJob, text: &str, font: &FontId, color: Color32) {
    job.append(text, 0.0, TextFormat::simple(font.clone(), color));
}

fn brace(open: char, count: u32, close: char, _is_open: bool) -> String {
    if count == 0 { format!("{open}{close}") } else { format!("{open} {count} {close}") }
}

fn quoted(value: &str) -> String {
    let (text, cut) = json::unescape(value, SHOWN_CHARS);
    let more = if cut { "\u{2026}" } else { "" };
    format!("\"{}{more}\"", json::visible(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        let mut tree = Tree::default();
        tree.set(&Arc::from(text));
        tree
    }

    #[test]
    fn a_closed_value_hides_what_is_in_it() {
        let mut shown = tree(r#"{"a": {"b": 1, "c": 2}, "d": 3}"#);
        assert_eq!(shown.len(), 4);
        shown.flip(1);
        assert_eq!(shown.len(), 2);
        shown.flip(1);
        assert_eq!(shown.len(), 4);
    }

    #[test]
    fn paths_are_json_pointers() {
        let shown = tree(r#"{"a/b": [10, {"c": 2}], "d": 3}"#);
        let paths: Vec<String> = shown.visible.iter().map(|at| shown.path(*at)).collect();
        assert!(paths.contains(&"/a~1b/1".to_owned()) && paths.contains(&"/d".to_owned()), "{paths:?}");
    }

    #[test]
    fn a_wide_list_is_closed_at_first_and_a_plain_value_is_a_row() {
        let wide = format!("{{\"a\": [{}]}}", vec!["1"; 500].join(","));
        assert_eq!(tree(&wide).len(), 1);
        assert_eq!(tree("42").len(), 1);
        assert!(tree("").is_empty());
    }
}
