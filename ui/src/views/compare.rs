//! Two runs side by side in the place of the graph: a row a node, A left and B right, what differs between them, and
//! the figures of both at the foot.

use std::sync::Arc;

use egui::{Align, Color32, Layout, Rect, ScrollArea, Ui, UiBuilder, pos2, vec2};
use graph::project::{Diff, DiffRow, Pairing};
use graph::{NodeIx, Run};

use super::lay;
use crate::action::{Action, Actions};
use crate::app::run_title;
use crate::glyph::Glyph;
use crate::model::compare::{Compare, Mark, mark, words};
use crate::model::{Model, Selection, format};
use crate::theme::{NodeKind, Size, Theme};
use crate::views::outline;
use crate::widgets::{Button, Chip, ChipTone, Tone};

/// Height of a row.
const ROW: f32 = 44.0;
/// Height of the figures at the foot.
const FOOT: f32 = 5.0 * Size::FIGURE_ROW + 16.0;

/// What is compared: both runs, once they are here.
struct Pair<'a> {
    compare: &'a Compare,
    first: &'a Run,
    second: &'a Run,
}

/// Shows it.
pub(super) fn show(ui: &mut Ui, model: &Model<'_>, compare: &Compare, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    bar(ui, compare, actions);
    let (Some(first), Some(second), Some(diff)) = (model.other, model.run, &compare.diff) else {
        egui::Frame::NONE.inner_margin(16).show(ui, |ui| {
            lay::prose(ui, "Reading both runs\u{2026}", c.text_tertiary, Theme::small());
        });
        return;
    };
    heads(ui, model, compare);
    let pair = Pair { compare, first, second };
    let height = (ui.available_height() - FOOT).max(ROW * 2.0);
    let area = ScrollArea::vertical().id_salt("compare").auto_shrink(false).max_height(height);
    area.show_rows(ui, ROW, diff.rows.len(), |ui, range| {
        for at in range {
            row(ui, model, &pair, at, actions);
        }
    });
    figures(ui, &pair, diff);
}

fn bar(ui: &mut Ui, compare: &Compare, actions: &mut Actions) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 40.0), egui::Sense::hover());
    let inner = rect.shrink2(vec2(12.0, 0.0));
    let mut ui = ui.new_child(UiBuilder::new().max_rect(inner).layout(Layout::left_to_right(Align::Center)));
    let ui = &mut ui;
    let (at, all) = compare.rank();
    let some = all > 0;
    if ui.add(Button::new("Previous").name("Previous difference").glyph(Glyph::Left).enabled(some)).clicked()
    {
        actions.push(Action::StepDifference(false));
    }
    if ui.add(Button::new("Next difference").glyph(Glyph::Right).key("F7").enabled(some)).clicked() {
        actions.push(Action::StepDifference(true));
    }
    let [changed, first, second] = compare.counts();
    let texts = [
        (format!("{changed} changed"), ChipTone::Accent),
        (format!("{first} only in A"), ChipTone::Plain),
        (format!("{second} only in B"), ChipTone::Plain),
        (format!("Difference {at} of {all}"), ChipTone::Outline),
    ];
    for (text, tone) in &texts {
        if ui.available_width() > 260.0 {
            ui.add(Chip::new(text).tone(*tone));
        }
    }
    if ui.add(Button::new("Swap A and B").tone(Tone::Bare)).clicked() {
        actions.push(Action::SwapCompare);
    }
    if ui.add(Button::new("Close compare").glyph(Glyph::Close).tone(Tone::Bare)).clicked() {
        actions.push(Action::Compare(None));
    }
}

fn heads(ui: &mut Ui, model: &Model<'_>, compare: &Compare) {
    let c = &Theme::of(ui).colors;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), Size::TABS), egui::Sense::hover());
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, egui::Stroke::new(1.0, c.line_subtle));
    for (half, letter, key) in [(left(rect), "A", &compare.first), (right(rect), "B", &compare.second)] {
        let title = model.state.run(key).map_or(&**key, run_title);
        let about =
            model.state.run(key).map_or(String::new(), |run| format!("{} \u{B7} {}", run.run, run.status));
        let mid = half.center().y;
        let x = lay::at_left(
            ui.painter(),
            half.left() + 16.0,
            mid,
            lay::line(ui, letter, Theme::strong(), c.text_primary, 20.0),
        );
        let x = lay::at_left(
            ui.painter(),
            x + 10.0,
            mid,
            lay::line(ui, title, Theme::strong(), c.text_primary, half.width() * 0.5),
        );
        let room = (half.right() - x - 16.0).max(8.0);
        lay::at_left(
            ui.painter(),
            x + 8.0,
            mid,
            lay::line(ui, &about, Theme::small(), c.text_secondary, room),
        );
    }
}

fn left(rect: Rect) -> Rect {
    Rect::from_min_max(rect.min, pos2(rect.center().x, rect.bottom()))
}

fn right(rect: Rect) -> Rect {
    Rect::from_min_max(pos2(rect.center().x, rect.top()), rect.max)
}

/// Glyph, colour and soft surface of a mark.
fn sign(mark: Mark, theme: &Theme) -> Option<(Glyph, Color32, Color32)> {
    let c = &theme.colors;
    match mark {
        Mark::Same => None,
        Mark::Changed => Some((Glyph::Diff, c.accent, c.accent_soft)),
        Mark::OnlyFirst => Some((Glyph::Minus, c.status_failed, c.failed_soft)),
        Mark::OnlySecond => Some((Glyph::Plus, c.status_ok, c.ok_soft)),
    }
}

fn row(ui: &mut Ui, model: &Model<'_>, pair: &Pair<'_>, at: usize, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let row = &pair.compare.rows()[at];
    let mark = mark(row);
    let about = words(row);
    let said = match mark {
        Mark::Same => "the same".to_owned(),
        Mark::Changed => about.clone(),
        Mark::OnlyFirst => "only in A".to_owned(),
        Mark::OnlySecond => "only in B".to_owned(),
    };
    let selected = pair.compare.place() == Some(at);
    let (rect, response) = lay::row(ui, ROW, selected, &format!("{}: {said}", row.name));
    let x = rect.left() + 12.0 + 16.0 * row.depth.min(12) as f32;
    if let Some((glyph, color, soft)) = sign(mark, theme) {
        ui.painter().circle_filled(pos2(x + 8.0, rect.center().y), 9.0, soft);
        glyph.paint(ui.painter(), pos2(x + 8.0, rect.center().y), 12.0, color);
    }
    let (a, b) = match row.pairing {
        Pairing::Both(a, b) => (Some(a), Some(b)),
        Pairing::First(a) => (Some(a), None),
        Pairing::Second(b) => (None, Some(b)),
    };
    let (first, second) = (left(rect), right(rect));
    half(ui, Rect::from_min_max(pos2(x + 24.0, first.top()), first.max), pair.first, a, row, "Only in B");
    half(ui, second.with_min_x(second.left() + 16.0), pair.second, b, row, "Only in A");
    if !about.is_empty() && mark == Mark::Changed {
        let color = theme.colors.text_tertiary;
        let words = lay::line(ui, &about, Theme::small(), color, second.width() - 140.0);
        lay::at_left(ui.painter(), second.left() + 42.0, rect.bottom() - 12.0, words);
    }
    if response.clicked() {
        if let Some(ix) = b {
            actions.push(Action::Select(Selection::node(pair.second.node(ix).id.as_str())));
        }
        actions.push(Action::Inspect(model.state.tab));
    }
}

/// One side of a row: kind, name, state and calls, or that it is not there.
fn half(ui: &Ui, rect: Rect, run: &Run, ix: Option<NodeIx>, row: &DiffRow, missing: &str) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let mid = rect.top() + 14.0;
    let Some(ix) = ix else {
        lay::at_left(
            ui.painter(),
            rect.left() + 26.0,
            mid,
            lay::line(ui, missing, Theme::small(), c.text_tertiary, 120.0),
        );
        return;
    };
    let kind = NodeKind::from_word(&row.kind);
    kind.glyph().paint(ui.painter(), pos2(rect.left() + 8.0, mid), 14.0, kind.hue(theme));
    let status = outline::status(run, ix, None);
    let calls = run.counts(ix).total;
    let text = format!("{} \u{B7} {}", status.word(), format::plural(u64::from(calls), "call"));
    let end = lay::at_right(
        ui.painter(),
        rect.right() - 16.0,
        mid,
        lay::line(ui, &text, Theme::small(), status.color(theme), 160.0),
    );
    let room = (end - rect.left() - 34.0).max(24.0);
    lay::at_left(
        ui.painter(),
        rect.left() + 26.0,
        mid,
        lay::line(ui, &row.name, Theme::strong(), c.text_primary, room),
    );
}

/// Calls, tokens, failures and time of both runs and what B has more.
fn figures(ui: &mut Ui, pair: &Pair<'_>, diff: &Diff) {
    let c = &Theme::of(ui).colors;
    let plain = |a: u64, b: u64| (format::count(a), format::count(b), signed(b as i128 - a as i128));
    let (a, b) = (pair.first, pair.second);
    let failed = pair.compare.failed();
    let elapsed = (format::duration(diff.elapsed_ms.0), format::duration(diff.elapsed_ms.1));
    let longer = diff.elapsed_ms.1 - diff.elapsed_ms.0;
    let sign = if longer < 0.0 { "\u{2212}" } else { "+" };
    let rows = [
        ("Calls", plain(a.instances().len() as u64, b.instances().len() as u64)),
        ("Failed", plain(failed.0, failed.1)),
        ("Tokens", plain(diff.usage.0.total, diff.usage.1.total)),
        ("Took", (elapsed.0, elapsed.1, format!("{sign}{}", format::duration(longer.abs())))),
    ];
    ui.add_space(8.0);
    line(ui, "Whole run", ("A", "B", "B less A"), c.text_secondary);
    for (what, (a, b, more)) in &rows {
        line(ui, what, (a, b, more), c.text_primary);
    }
}

fn line(ui: &mut Ui, what: &str, (a, b, more): (&str, &str, &str), color: Color32) {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), Size::FIGURE_ROW), egui::Sense::hover());
    let name = format!("{what}: A {a}, B {b}, {more}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &name));
    let mid = rect.center().y;
    lay::at_left(ui.painter(), rect.left() + 16.0, mid, lay::line(ui, what, Theme::body(), color, 140.0));
    for (share, text) in [(0.5, a), (0.7, b), (0.95, more)] {
        let x = rect.left() + rect.width() * share;
        lay::at_right(ui.painter(), x, mid, lay::line(ui, text, Theme::body(), color, 120.0));
    }
}

fn signed(n: i128) -> String {
    let size = format::count(u64::try_from(n.unsigned_abs()).unwrap_or(u64::MAX));
    match n {
        0 => size,
        n if n < 0 => format!("\u{2212}{size}"),
        _ => format!("+{size}"),
    }
}

/// Compares a run with the shown one, from a menu.
pub(super) fn offer(ui: &mut Ui, model: &Model<'_>, key: &str, actions: &mut Actions) {
    let other = model.state.shown.as_deref().is_some_and(|shown| shown != key);
    if other && ui.button("Compare with the shown run").clicked() {
        actions.push(Action::Compare(Some(Arc::from(key))));
        ui.close();
    }
}
