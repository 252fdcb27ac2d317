//! The State tab: checkpoints as a tree with forks, changes of state, custom events; beside them the values of the
//! chosen moment and what they change against the one before.

use std::sync::Arc;

use egui::{Align, Layout, Rect, ScrollArea, Ui, UiBuilder, pos2, vec2};
use graph::Run;

use super::{dock, lay};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::diff::{self, Sign};
use crate::model::moments::{self, Moment, moments};
use crate::model::{BodyAsk, BodyKey, Model, Selection, TimePosition, format};
use crate::theme::{Size, Theme};
use crate::widgets::{Chip, ChipTone};

/// Bytes of values read to be compared.
const VALUES_MAX: u64 = 256 << 10;
/// Lines of a difference shown.
const LINES_MAX: usize = 4_000;

/// Rows and difference as they were made last.
#[derive(Debug, Default)]
pub struct Scratch {
    checkpoints: bool,
    built: Option<(String, usize, bool)>,
    rows: Vec<Moment>,
    chosen: Option<usize>,
    /// The two texts that were compared, and the lines.
    compared: Option<(Arc<str>, Arc<str>)>,
    lines: Vec<diff::Line>,
}

/// The switch beside the tabs.
pub(super) fn tools(ui: &mut Ui, scratch: &mut Scratch) {
    let tone = if scratch.checkpoints { ChipTone::Pressed } else { ChipTone::Plain };
    if ui.add(Chip::new("Checkpoints only").tone(tone).clickable()).clicked() {
        scratch.checkpoints = !scratch.checkpoints;
    }
}

/// Shows it.
pub(super) fn show(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let Some(run) = model.run.filter(|run| !run.ticks().is_empty()) else {
        return dock::nothing(ui, "Supersteps, checkpoints and changes of state of a graph appear here.");
    };
    let key = (run.key().as_str().to_owned(), run.ticks().len(), scratch.checkpoints);
    if scratch.built.as_ref() != Some(&key) {
        if scratch.built.as_ref().is_none_or(|built| built.0 != key.0) {
            scratch.chosen = None;
        }
        scratch.rows = moments(run, scratch.checkpoints);
        scratch.built = Some(key);
    }
    let rect = ui.max_rect();
    let middle = rect.left() + rect.width() * 0.45;
    let half = |rect: Rect| UiBuilder::new().max_rect(rect).layout(Layout::top_down(Align::Min));
    let mut left = ui.new_child(half(Rect::from_min_max(rect.min, pos2(middle, rect.bottom()))));
    list(&mut left, model, run, scratch, actions);
    ui.painter().vline(middle, rect.y_range(), egui::Stroke::new(1.0, Theme::of(ui).colors.line_subtle));
    let right = Rect::from_min_max(pos2(middle + 1.0, rect.top()), rect.max).shrink2(vec2(12.0, 6.0));
    let mut right = ui.new_child(half(right));
    values(&mut right, model, run, scratch, actions);
}

fn list(ui: &mut Ui, model: &Model<'_>, run: &Run, scratch: &mut Scratch, actions: &mut Actions) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let Scratch { rows, chosen, .. } = scratch;
    let area = ScrollArea::vertical().id_salt("moments").auto_shrink(false);
    area.show_rows(ui, Size::OUTLINE_ROW, rows.len(), |ui, range| {
        for moment in &rows[range] {
            row(ui, model, run, moment, chosen, actions);
        }
    });
}

fn row(
    ui: &mut Ui,
    model: &Model<'_>,
    run: &Run,
    moment: &Moment,
    chosen: &mut Option<usize>,
    actions: &mut Actions,
) {
    let c = &Theme::of(ui).colors;
    let tick = &run.ticks()[moment.tick];
    let words = moments::words(run, tick);
    let selected = *chosen == Some(moment.tick);
    let (rect, response) = lay::row(ui, Size::OUTLINE_ROW, selected, &words);
    let mid = rect.center().y;
    let number = lay::line(ui, &format::count(tick.at.seq), Theme::mono(), c.text_tertiary, 70.0);
    lay::at_right(ui.painter(), rect.left() + 72.0, mid, number);
    let x = rect.left() + 84.0 + 16.0 * moment.depth.min(12) as f32;
    let later = model.is_later(tick.at.seq);
    let color = if later { c.text_tertiary } else { c.text_primary };
    if moment.forks {
        Glyph::Diff.paint(ui.painter(), pos2(x + 6.0, mid), 12.0, c.accent);
    }
    let path = run.namespace(tick.namespace).join(" / ");
    let place = lay::line(ui, &path, Theme::small(), c.text_tertiary, 160.0);
    let right = lay::at_right(ui.painter(), rect.right() - 10.0, mid, place);
    let text = lay::line(ui, &words, Theme::body(), color, (right - x - 26.0).max(24.0));
    lay::at_left(ui.painter(), x + 18.0, mid, text);
    if response.clicked() {
        *chosen = Some(moment.tick);
        let node = tick.node.map(|ix| Arc::from(run.node(ix).id.as_str()));
        let node = node.or(model.state.selection.node.clone());
        actions.push(Action::Select(Selection { node, instance: None, seq: Some(tick.at.seq) }));
        actions.push(Action::Time(TimePosition::At(tick.at.seq)));
    }
}

fn values(ui: &mut Ui, model: &Model<'_>, run: &Run, scratch: &mut Scratch, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let chosen = scratch.chosen.and_then(|at| scratch.rows.iter().find(|row| row.tick == at).cloned());
    let Some(moment) = chosen else {
        return drop(lay::prose(ui, "Choose a moment to see its values.", c.text_tertiary, Theme::small()));
    };
    let tick = &run.ticks()[moment.tick];
    let number = format::count(tick.at.seq);
    let head = match moment.before {
        Some(before) => format!("What event {number} changes against event {}", format::count(before)),
        None => format!("What event {number} says"),
    };
    lay::prose(ui, &head, c.text_secondary, Theme::small_strong());
    let mut text = |seq: u64| body(model, run, seq, moment.pointers, actions);
    let (new, old) = (text(tick.at.seq), moment.before.map(&mut text));
    let (Some(new), Some(old)) = (new, old.unwrap_or_else(|| Some(Arc::from("")))) else {
        return drop(lay::prose(ui, "Reading it\u{2026}", c.text_tertiary, Theme::small()));
    };
    let same = |(a, b): &(Arc<str>, Arc<str>)| (&**a, &**b) == (&*old, &*new);
    if !scratch.compared.as_ref().is_some_and(same) {
        let printed = |text: &str| crate::model::editor::pretty(text).unwrap_or_else(|_| text.to_owned());
        scratch.lines = diff::lines(&printed(&old), &printed(&new));
        if moment.before.is_none() {
            scratch.lines.iter_mut().for_each(|line| line.sign = Sign::Same);
        }
        scratch.lines.truncate(LINES_MAX);
        scratch.compared = Some((old, new));
    }
    lines(ui, &scratch.lines);
}

/// The value of an event under the first pointer that leads to one; asked for where it is not here.
fn body(
    model: &Model<'_>,
    run: &Run,
    seq: u64,
    pointers: &[&str],
    actions: &mut Actions,
) -> Option<Arc<str>> {
    let mut why = None;
    for pointer in pointers {
        let key = BodyKey { run: run.key().as_str().into(), seq, pointer: (*pointer).into() };
        match model.state.bodies.get(&key) {
            Some(text) if text.failed.is_some() => why.clone_from(&text.failed),
            Some(text) if text.waiting => return None,
            Some(text) if !text.text.is_empty() => return Some(Arc::clone(&text.text)),
            _ => {
                if model.state.online() {
                    actions.push(Action::FetchBody(BodyAsk { key, limit: VALUES_MAX }));
                }
                return None;
            }
        }
    }
    why.map(Arc::from)
}

fn lines(ui: &mut Ui, lines: &[diff::Line]) {
    let c = &Theme::of(ui).colors;
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt("values").auto_shrink(false);
    area.show_rows(ui, Size::JSON_ROW, lines.len(), |ui, range| {
        for line in &lines[range] {
            let (sign, color, soft) = match line.sign {
                Sign::Same => (" ", c.text_secondary, None),
                Sign::Added => ("+", c.status_ok, Some(c.ok_soft)),
                Sign::Removed => ("\u{2212}", c.status_failed, Some(c.failed_soft)),
            };
            let size = vec2(ui.available_width(), Size::JSON_ROW);
            let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
            let text = crate::model::json::visible(&line.text);
            let name = format!("{sign} {text}");
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &name));
            if let Some(soft) = soft {
                ui.painter().rect_filled(rect, 0, soft);
            }
            let shown = lay::line(ui, &name, Theme::mono(), color, rect.width());
            lay::at_left(ui.painter(), rect.left() + 4.0, rect.center().y, shown);
        }
    });
}
