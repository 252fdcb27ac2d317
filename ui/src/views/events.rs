//! The event list: every event of the run in order, read by page, only the visible rows laid out; a click looks at
//! that moment.

use std::sync::Arc;

use egui::{ScrollArea, Ui, pos2, vec2};

use super::lay;
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::events::{EventRow, Events, Tone};
use crate::model::{Model, Selection, TimePosition, format};
use crate::theme::{NodeKind, Size, Theme};
use crate::widgets::{Chip, ChipTone, Field};

/// What the list keeps for itself.
#[derive(Debug, Default)]
pub struct Scratch {
    filter: String,
    errors: bool,
    /// What was brought into view last, so that the list scrolls only when the selection moves.
    shown: Option<u64>,
    found: Found,
}

/// Ranks of the rows that fit a filter; found anew when the filter or the rows change.
#[derive(Debug, Default)]
struct Found {
    of: Option<FoundOf>,
    ranks: Vec<u64>,
}

/// Run, words, errors only, first rank, number of rows.
type FoundOf = (Option<Arc<str>>, String, bool, u64, usize);

impl Found {
    fn see(&mut self, model: &Model<'_>, words: &str, errors: bool) {
        let (run, events) = (model.state.shown.clone(), &model.state.events);
        let of = (run, words.to_lowercase(), errors, events.first_rank(), events.len());
        if self.of.as_ref() == Some(&of) {
            return;
        }
        let needle = &of.1;
        let fits = |event: &EventRow| {
            let node = event.node.as_deref().unwrap_or("");
            (!errors || event.tone == Tone::Failed)
                && (needle.is_empty()
                    || node.to_lowercase().contains(needle)
                    || event.what.to_lowercase().contains(needle))
        };
        let ranked = events.rows().zip(events.first_rank()..);
        self.ranks = ranked.filter(|(event, _)| fits(event)).map(|(_, rank)| rank).collect();
        self.of = Some(of);
    }
}

/// The field and chip beside the tabs.
pub(super) fn filters(ui: &mut Ui, scratch: &mut Scratch) {
    let tone = if scratch.errors { ChipTone::Pressed } else { ChipTone::Plain };
    if ui.add(Chip::new("Errors").tone(tone).clickable()).clicked() {
        scratch.errors = !scratch.errors;
    }
    let width = 216.0f32.min(ui.available_width());
    if width > 120.0 {
        let field = Field::new(&mut scratch.filter, "Filter events").hint("Filter by node, kind, text");
        field.glyph(Glyph::Search).width(width).show(ui);
    }
}

/// Places of the columns, from the left edge.
struct Columns {
    seq: f32,
    time: f32,
    node: f32,
    what: f32,
    took: f32,
}

fn columns(left: f32, width: f32) -> Columns {
    let node = left + 192.0;
    let what = node + (width * 0.16).clamp(110.0, 190.0);
    Columns { seq: left + 84.0, time: left + 172.0, node, what, took: left + width - 14.0 }
}

/// Shows it.
pub(super) fn show(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    ui.spacing_mut().item_spacing.y = 0.0;
    head(ui);
    let events = &model.state.events;
    if events.total() == 0 {
        return super::dock::nothing(ui, "No event yet.");
    }
    if scratch.filter.is_empty() && !scratch.errors {
        all(ui, model, events, scratch, actions);
    } else {
        scratch.found.see(model, &scratch.filter, scratch.errors);
        some(ui, model, events, &scratch.found.ranks, actions);
    }
}

fn head(ui: &mut Ui) {
    let c = &Theme::of(ui).colors;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), egui::Sense::hover());
    crate::widgets::separator(ui, rect.bottom() - 0.5);
    let at = columns(rect.left(), rect.width());
    let mid = rect.center().y;
    let word = |text: &str| lay::line(ui, text, Theme::small(), c.text_tertiary, 120.0);
    lay::at_right(ui.painter(), at.seq, mid, word("Event"));
    lay::at_right(ui.painter(), at.time, mid, word("Time"));
    lay::at_left(ui.painter(), at.node + 20.0, mid, word("Node"));
    lay::at_left(ui.painter(), at.what, mid, word("What happened"));
    lay::at_right(ui.painter(), at.took, mid, word("Took"));
}

/// The whole list by rank; what is missing in view is asked for.
fn all(ui: &mut Ui, model: &Model<'_>, events: &Events, scratch: &mut Scratch, actions: &mut Actions) {
    let total = usize::try_from(events.total()).unwrap_or(usize::MAX);
    let live = model.state.time == TimePosition::Live;
    let mut area = ScrollArea::vertical().id_salt("events").auto_shrink(false).stick_to_bottom(live);
    let target = match model.state.time {
        TimePosition::At(seq) => Some(seq),
        TimePosition::Live => model.state.selection.seq,
    };
    if target != scratch.shown {
        scratch.shown = target;
        if let Some(rank) = target.and_then(|seq| events.rank_of(seq)) {
            let middle = ui.available_height() / 2.0;
            area = area.vertical_scroll_offset((rank as f32 * Size::EVENT_ROW - middle).max(0.0));
        }
    }
    area.show_rows(ui, Size::EVENT_ROW, total, |ui, range| {
        let (from, to) = (range.start as u64, range.end as u64);
        if model.state.online() && events.lacks(from, to) {
            actions.push(Action::SeeEvents { from, to });
        }
        for rank in range {
            match events.at_rank(rank as u64) {
                Some(event) => row(ui, model, event, actions),
                None => waiting(ui),
            }
        }
    });
}

/// Only the rows that are here and fit the filter.
fn some(ui: &mut Ui, model: &Model<'_>, events: &Events, ranks: &[u64], actions: &mut Actions) {
    if ranks.is_empty() {
        let here = format::count(events.len() as u64);
        return super::dock::nothing(
            ui,
            &format!("None of the {here} events that are here fit. Scroll the whole list to read more."),
        );
    }
    ScrollArea::vertical().id_salt("events found").auto_shrink(false).show_rows(
        ui,
        Size::EVENT_ROW,
        ranks.len(),
        |ui, range| {
            for event in ranks[range].iter().filter_map(|rank| events.at_rank(*rank)) {
                row(ui, model, event, actions);
            }
        },
    );
}

fn waiting(ui: &mut Ui) {
    let c = &Theme::of(ui).colors;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), Size::EVENT_ROW), egui::Sense::hover());
    let bar = egui::Rect::from_min_size(rect.min + vec2(212.0, 8.0), vec2(120.0, 4.0));
    ui.painter().rect_filled(bar, 2, c.line_subtle);
}

fn row(ui: &mut Ui, model: &Model<'_>, event: &EventRow, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let (at_moment, later) = match model.state.time {
        TimePosition::At(seq) => (event.seq == seq, event.seq > seq),
        TimePosition::Live => (model.state.selection.seq == Some(event.seq), false),
    };
    let (rect, response) =
        lay::row(ui, Size::EVENT_ROW, at_moment, &format!("Event {}", format::count(event.seq)));
    let (mid, at) = (rect.center().y, columns(rect.left(), rect.width()));
    if at_moment {
        let edge = egui::Rect::from_min_size(rect.min, vec2(2.0, rect.height()));
        ui.painter().rect_filled(edge, 0, c.accent);
    }
    let plain = if later || event.tone == Tone::Quiet { c.text_tertiary } else { c.text_primary };
    let color = match event.tone {
        Tone::Failed => c.status_failed,
        Tone::Held => c.status_held,
        Tone::Injected => c.status_injected,
        Tone::Plain | Tone::Quiet => plain,
    };
    let start = model.run.and_then(graph::Run::first_ts).unwrap_or(event.ts);
    lay::at_right(
        ui.painter(),
        at.seq,
        mid,
        lay::line(ui, &format::count(event.seq), Theme::mono(), plain, 80.0),
    );
    lay::at_right(
        ui.painter(),
        at.time,
        mid,
        lay::line(ui, &format::offset(event.ts - start), Theme::mono(), plain, 84.0),
    );
    let node = model.run.and_then(|run| Some(run.node(run.find_node(event.node.as_deref()?)?)));
    if let Some(node) = node {
        let kind = NodeKind::from_word(node.kind.as_str());
        kind.glyph().paint(ui.painter(), pos2(at.node + 7.0, mid), 14.0, kind.hue(theme));
        lay::at_left(
            ui.painter(),
            at.node + 20.0,
            mid,
            lay::line(ui, &node.name, Theme::small(), plain, at.what - at.node - 28.0),
        );
    }
    let took = event.took_ms.map(format::duration).unwrap_or_default();
    let right = lay::at_right(ui.painter(), at.took, mid, lay::line(ui, &took, Theme::small(), plain, 90.0));
    lay::at_left(
        ui.painter(),
        at.what,
        mid,
        lay::line(ui, &event.what, Theme::small(), color, right - at.what - 8.0),
    );
    if response.clicked() {
        let (node, instance) = (event.node.clone(), event.instance.clone());
        actions.push(Action::Select(Selection { node, instance, seq: Some(event.seq) }));
        actions.push(Action::Time(TimePosition::At(event.seq)));
    }
    response.context_menu(|ui| {
        if ui.button("Show the raw envelope").clicked() {
            let (node, instance) = (event.node.clone(), event.instance.clone());
            actions.push(Action::Select(Selection { node, instance, seq: Some(event.seq) }));
            actions.push(Action::Inspect(crate::model::InspectorTab::Raw));
            ui.close();
        }
        if ui.button("Copy the line").clicked() {
            let text = format!("{} {} {}", event.seq, event.node.as_deref().unwrap_or(""), event.what);
            actions.push(Action::Copy { text, what: "the line" });
            ui.close();
        }
    });
}
