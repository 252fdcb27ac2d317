//! Input and Output: what went in and what came out, as a tree or as text, fetched only as far as it is looked at.

use std::sync::Arc;

use egui::{Align, Layout, Ui, UiBuilder, vec2};
use wire::Body;

use super::{Place, figures};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::rows::Rows;
use crate::model::{BodyAsk, BodyKey, format};
use crate::theme::{Size, Theme};
use crate::views::json_view::{self, Tree};
use crate::views::{lay, text_view};
use crate::widgets::{Button, IconButton, Tone};

/// Bytes fetched when a body is first looked at, and with every wish for more.
const CHUNK: u64 = 256 << 10;

/// One body as it was read last.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    key: Option<BodyKey>,
    text: Arc<str>,
    tree: Tree,
    rows: Rows,
    as_text: bool,
}

/// The Input tab.
pub(super) fn input(ui: &mut Ui, place: &Place<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    figures::instance(ui, place);
    let body = place.instance.and_then(|(ix, _)| place.run.input(ix));
    show(ui, place, "Input", "/payload/input", body, scratch, actions);
}

/// The Output tab.
pub(super) fn output(ui: &mut Ui, place: &Place<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    figures::instance(ui, place);
    figures::tokens(ui, place);
    let body = place.instance.and_then(|(ix, _)| place.run.output(ix));
    show(ui, place, "Output", "/payload/output", body, scratch, actions);
}

/// A body with its head; says so when there is none.
pub(super) fn show(
    ui: &mut Ui,
    place: &Place<'_>,
    title: &str,
    pointer: &str,
    body: Option<(&Body, u64)>,
    scratch: &mut Scratch,
    actions: &mut Actions,
) {
    let Some((body, seq)) = body else {
        let text = match title {
            "Output" => "Nothing has come out yet.",
            _ => "It was called without arguments, or they were not sent.",
        };
        lay::prose(ui, text, Theme::of(ui).colors.text_tertiary, Theme::small());
        return;
    };
    let key = BodyKey { run: place.key(), seq, pointer: pointer.into() };
    let total = body.size_bytes;
    if body.whole {
        hold(scratch, &key, || Arc::from(&*body.preview));
    } else {
        fetched(place, scratch, &key, actions);
    }
    head(ui, title, total, scratch, actions);
    value(ui, place, &key, total, scratch, actions);
}

/// Keeps the text of a body that is here already.
fn hold(scratch: &mut Scratch, key: &BodyKey, text: impl FnOnce() -> Arc<str>) {
    if scratch.key.as_ref() != Some(key) {
        scratch.text = text();
        scratch.key = Some(key.clone());
        scratch.tree = Tree::default();
    }
}

/// Asks for the beginning of a body, and takes what is here.
pub(super) fn fetched(place: &Place<'_>, scratch: &mut Scratch, key: &BodyKey, actions: &mut Actions) {
    let known = place.model.state.bodies.get(key);
    let wanted = known.is_none_or(|text| text.text.is_empty() && !text.waiting && text.failed.is_none());
    if wanted && place.model.state.online() {
        actions.push(Action::FetchBody(BodyAsk { key: key.clone(), limit: CHUNK }));
    }
    let text = known.map(|known| Arc::clone(&known.text)).unwrap_or_default();
    if scratch.key.as_ref() != Some(key) {
        scratch.tree = Tree::default();
        scratch.key = Some(key.clone());
    }
    scratch.text = text;
}

pub(super) fn head(ui: &mut Ui, title: &str, total: u64, scratch: &mut Scratch, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), Size::SECTION), egui::Sense::hover());
    let words = lay::line(ui, title, Theme::small_strong(), c.text_secondary, 200.0);
    let x = lay::at_left(ui.painter(), rect.left(), rect.center().y, words);
    let size = lay::line(ui, &format::bytes(total), Theme::small(), c.text_tertiary, 100.0);
    lay::at_left(ui.painter(), x + 6.0, rect.center().y, size);
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::right_to_left(Align::Center)));
    let copy = format!("Copy {}", title.to_lowercase());
    if child.add(IconButton::new(Glyph::Copy, &copy)).clicked() {
        actions.push(Action::Copy { text: scratch.text.to_string(), what: "the value" });
    }
    let words = if scratch.as_text { "As tree" } else { "As text" };
    let name = format!("{title} {}", words.to_lowercase());
    if child.add(Button::new(words).name(&name).tone(Tone::Bare)).clicked() {
        scratch.as_text = !scratch.as_text;
    }
}

pub(super) fn value(
    ui: &mut Ui,
    place: &Place<'_>,
    key: &BodyKey,
    total: u64,
    scratch: &mut Scratch,
    actions: &mut Actions,
) {
    let c = &Theme::of(ui).colors;
    let known = place.model.state.bodies.get(key);
    if let Some(why) = known.and_then(|text| text.failed.as_deref()) {
        lay::prose(ui, why, c.status_failed, Theme::small());
    }
    let waiting = known.is_some_and(|text| text.waiting);
    if scratch.text.is_empty() && waiting {
        lay::prose(ui, "Reading it\u{2026}", c.text_tertiary, Theme::small());
        return;
    }
    let have = scratch.text.len() as u64;
    let foot = if have < total { 32.0 } else { 0.0 };
    let height = (ui.available_height() - foot).max(60.0);
    let id = format!("{}{}", key.pointer, key.seq);
    if !scratch.as_text {
        scratch.tree.set(&scratch.text);
    }
    if scratch.as_text || scratch.tree.is_empty() {
        let size = vec2(ui.available_width(), height);
        ui.allocate_ui(size, |ui| text_view::show(ui, &id, &scratch.text, &mut scratch.rows, false));
    } else {
        json_view::show(ui, &id, &mut scratch.tree, height, actions);
    }
    if have < total && !scratch.text.is_empty() {
        more(ui, key, have, total, waiting, actions);
    }
}

fn more(ui: &mut Ui, key: &BodyKey, have: u64, total: u64, waiting: bool, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    ui.horizontal(|ui| {
        let text = format!("{} of {} shown", format::bytes(have), format::bytes(total));
        lay::prose(ui, &text, c.text_tertiary, Theme::small());
        if waiting {
            lay::prose(ui, "Reading it\u{2026}", c.status_running, Theme::small());
        } else if lay::link(ui, "Show more").clicked() {
            let limit = (CHUNK * 4).max(have);
            actions.push(Action::FetchBody(BodyAsk { key: key.clone(), limit: limit.min(8 << 20) }));
        }
    });
}

impl Scratch {
    /// The text as it was read last.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}
