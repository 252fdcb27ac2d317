//! The bar that finds words in a body: n of m, the next and the one before, and the place itself in the text.

use std::ops::Range;
use std::sync::Arc;

use egui::{Key, Modifiers, Ui};

use crate::glyph::Glyph;
use crate::model::find::Find;
use crate::model::format;
use crate::theme::Theme;
use crate::views::lay;
use crate::widgets::{Field, IconButton};

/// A search in the body of one tab.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    open: bool,
    focus: bool,
    words: String,
    find: Find,
    /// The chosen place has changed: bring it into view.
    moved: bool,
}

impl Scratch {
    /// Shows the bar and puts the keyboard into it.
    pub(super) fn open(&mut self) {
        (self.open, self.focus) = (true, true);
    }

    /// Whether the bar is shown.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// The chosen place, and whether to bring it into view.
    pub(super) fn place(&mut self) -> Option<(Range<usize>, bool)> {
        let (_, range) = self.find.current().filter(|_| self.open)?;
        Some((range, std::mem::take(&mut self.moved)))
    }

    fn close(&mut self) {
        self.open = false;
        self.words.clear();
    }
}

/// Shows the bar over `text`, if it is open.
pub(super) fn bar(ui: &mut Ui, text: &Arc<str>, scratch: &mut Scratch) {
    if !scratch.open {
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = (ui.available_width() - 190.0).max(80.0);
        let field = Field::new(&mut scratch.words, "Find in body")
            .hint("Find in body")
            .glyph(Glyph::Search)
            .width(width);
        let response = field.show(ui);
        if std::mem::take(&mut scratch.focus) {
            response.request_focus();
        }
        let before = scratch.find.current();
        if scratch.find.search(text, &scratch.words) {
            ui.request_repaint();
        }
        let back = ui.add(IconButton::new(Glyph::Up, "Previous place").key("Shift+Enter")).clicked();
        let on = ui.add(IconButton::new(Glyph::Down, "Next place").key("Enter")).clicked();
        turn(ui, &response, (back, on), scratch);
        scratch.moved |= before != scratch.find.current();
        let c = &Theme::of(ui).colors;
        lay::prose(ui, &count(scratch), c.text_secondary, Theme::small());
        let closed = ui.add(IconButton::new(Glyph::Close, "Close find").key("Esc")).clicked();
        if closed || (response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape))) {
            scratch.close();
        }
    });
    ui.add_space(4.0);
}

/// Enter goes on and keeps the keyboard where it is.
fn turn(ui: &Ui, field: &egui::Response, (back, on): (bool, bool), scratch: &mut Scratch) {
    let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let shift = ui.input(|input| input.modifiers.matches_logically(Modifiers::SHIFT));
    if enter {
        field.request_focus();
    }
    if back || (enter && shift) {
        scratch.find.turn(false);
    } else if on || enter {
        scratch.find.turn(true);
    }
}

fn count(scratch: &Scratch) -> String {
    match scratch.find.current() {
        _ if scratch.words.is_empty() => String::new(),
        None => "Not found".to_owned(),
        Some((at, _)) => {
            let more = if scratch.find.is_full() { "+" } else { "" };
            format!("{} of {}{more}", format::count(at as u64), format::count(scratch.find.count() as u64))
        }
    }
}
