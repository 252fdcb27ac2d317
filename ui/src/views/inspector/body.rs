//! Input and Output: what went in and what came out, as a conversation, as a tree or as text, fetched only as far as
//! it is looked at. Everything that reads a whole text is made once a text, never once a pass.

use std::sync::Arc;

use egui::{Align, Layout, Ui, UiBuilder, vec2};
use wire::Body;

use super::{Place, figures, find, reading};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::reading::Reading;
use crate::model::rows::Rows;
use crate::model::{BodyAsk, BodyKey, format, json};
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
    /// The body as a conversation, if it is one; made when the whole of it is here.
    reading: Option<Reading>,
    read: reading::Scratch,
    look: Option<Look>,
    find: find::Scratch,
    /// An encoded value that was asked to be shown.
    wanted: Option<String>,
    /// Lines of a stack, and the text they were made of.
    lines: (Arc<str>, Vec<String>),
}

/// How a body is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// As prose and messages.
    Reading,
    /// As a tree of values.
    Tree,
    /// As it was sent.
    Text,
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
    let later = body.is_some_and(|(_, seq)| place.model.is_later(seq));
    let Some((body, seq)) = body.filter(|_| !later) else {
        let text = match title {
            _ if later => "It comes later than the moment you look at.",
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
    head(ui, title, &key, total, scratch, actions);
    value(ui, place, &key, total, scratch, actions);
}

/// Keeps the text of a body that is here already.
fn hold(scratch: &mut Scratch, key: &BodyKey, text: impl FnOnce() -> Arc<str>) {
    if scratch.key.as_ref() != Some(key) {
        scratch.take(key, text());
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
    if scratch.key.as_ref() != Some(key) || !Arc::ptr_eq(&scratch.text, &text) {
        scratch.take(key, text);
    }
}

pub(super) fn head(
    ui: &mut Ui,
    title: &str,
    key: &BodyKey,
    total: u64,
    scratch: &mut Scratch,
    actions: &mut Actions,
) {
    let c = &Theme::of(ui).colors;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), Size::SECTION), egui::Sense::hover());
    let words = lay::line(ui, title, Theme::small_strong(), c.text_secondary, 200.0);
    let x = lay::at_left(ui.painter(), rect.left(), rect.center().y, words);
    let size = lay::line(ui, &format::bytes(total), Theme::small(), c.text_tertiary, 100.0);
    lay::at_left(ui.painter(), x + 6.0, rect.center().y, size);
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::right_to_left(Align::Center)));
    child.spacing_mut().item_spacing.x = 4.0;
    let name = title.to_lowercase();
    if child.add(IconButton::new(Glyph::Copy, &format!("Copy {name}"))).clicked() {
        actions.push(match scratch.text.len() as u64 >= total {
            true => Action::Copy { text: scratch.text.to_string(), what: "the value" },
            false => Action::CopyBody(key.clone()),
        });
    }
    if child.add(IconButton::new(Glyph::Search, &format!("Find in {name}")).key("Ctrl+F")).clicked() {
        scratch.find.open();
    }
    for look in scratch.looks() {
        let words = match look {
            Look::Reading => "As reading",
            Look::Tree => "As tree",
            Look::Text => "As text",
        };
        let name = format!("{title} {}", words.to_lowercase());
        if look != scratch.look() && child.add(Button::new(words).name(&name).tone(Tone::Bare)).clicked() {
            scratch.look = Some(look);
        }
    }
    find::bar(ui, &scratch.text, &mut scratch.find);
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
    let wanted = match scratch.look() {
        Look::Reading => {
            let Scratch { reading: known, read, .. } = &mut *scratch;
            known.as_ref().and_then(|known| reading::show(ui, &id, known, height, read))
        }
        Look::Tree => json_view::show(ui, &id, &mut scratch.tree, height, actions),
        Look::Text => {
            let mark = scratch.find.place().map(|(range, jump)| text_view::Mark { range, jump });
            let size = vec2(ui.available_width(), height);
            ui.allocate_ui(size, |ui| {
                text_view::show(ui, &id, &scratch.text, &mut scratch.rows, false, mark.as_ref());
            });
            None
        }
    };
    if let Some(text) = wanted {
        scratch.wanted = Some(text);
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
    /// Another text, or more of it.
    fn take(&mut self, key: &BodyKey, text: Arc<str>) {
        if self.key.as_ref() != Some(key) {
            self.tree = Tree::default();
            self.look = None;
            self.read.reset();
            self.key = Some(key.clone());
        }
        self.tree.set(&text);
        self.reading = if self.tree.is_whole() { crate::model::reading::read(&text) } else { None };
        self.text = text;
    }

    /// What this body can be shown as, the last one first, since buttons stand right to left.
    fn looks(&self) -> impl Iterator<Item = Look> + use<> {
        let (readable, tree) = (self.reading.is_some(), !self.tree.is_empty());
        let all = [(Look::Text, true), (Look::Tree, tree), (Look::Reading, readable)];
        all.into_iter().filter(|(_, can)| *can).map(|(look, _)| look)
    }

    /// What it is shown as: what was chosen, else reading before tree before text. A search looks at the text.
    fn look(&self) -> Look {
        if self.find.is_open() {
            return Look::Text;
        }
        let can: Vec<Look> = self.looks().collect();
        self.look.filter(|look| can.contains(look)).or(can.last().copied()).unwrap_or(Look::Text)
    }

    /// Opens the search of this body.
    pub(super) fn find(&mut self) {
        self.find.open();
    }

    /// The encoded text that was asked to be shown.
    pub(super) fn take_wanted(&mut self) -> Option<String> {
        self.wanted.take()
    }

    /// The stack's lines, innermost last as most languages print them; made once a text.
    pub(super) fn stack(&mut self) -> &[String] {
        if !Arc::ptr_eq(&self.lines.0, &self.text) {
            let (text, _) = json::unescape(&self.text, 64 << 10);
            let line = |line: &str| json::visible(line.trim_end()).chars().take(400).collect();
            self.lines = (Arc::clone(&self.text), text.lines().take(2_000).map(line).collect());
        }
        &self.lines.1
    }
}
