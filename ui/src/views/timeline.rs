//! The timeline: a lane for each parallel execution under its node, time at gates hatched, the first token ticked,
//! idle stretches folded. Only the bars in view are made; a drag on the ruler moves the one time position.

mod bars;
mod build;
mod marks;
mod ruler;

use egui::{Rect, ScrollArea, Ui, pos2, vec2};
use graph::project::{Axis, Mark, Superstep};
use graph::{InstanceIx, Run};

use build::Row;

use super::lay;
use crate::action::{Action, Actions};
use crate::model::{Model, Selection, TimePosition, format};
use crate::theme::{NodeKind, Size, Theme};
use crate::widgets::{Button, Tone};

/// Width of the names.
const NAMES: f32 = 168.0;

/// The axis and lanes as they were built last, and what part of them is shown.
#[derive(Debug, Default)]
pub struct Scratch {
    built: Option<(String, u64, u64)>,
    built_s: f64,
    axis: Axis,
    rows: Vec<Row>,
    marks: Vec<Mark>,
    steps: Vec<Superstep>,
    /// Shown part, as distances on the axis; `None` is all of it.
    window: Option<(f64, f64)>,
    /// A range being measured, as distances.
    measure: Option<(f64, f64)>,
}

/// From moments to pixels.
#[derive(Clone, Copy, Debug)]
struct Scale {
    left: f32,
    width: f32,
    from: f64,
    to: f64,
}

impl Scale {
    fn x(&self, distance: f64) -> f32 {
        let share = (distance - self.from) / (self.to - self.from).max(1e-9);
        self.left + (share.clamp(-4.0, 5.0) as f32) * self.width
    }

    fn distance(&self, x: f32) -> f64 {
        self.from + f64::from((x - self.left) / self.width.max(1.0)) * (self.to - self.from)
    }

    fn per_pixel(&self) -> f64 {
        (self.to - self.from) / f64::from(self.width.max(1.0))
    }
}

/// What the signs mean, beside the tabs.
pub(super) fn legend(ui: &mut Ui, scratch: &mut Scratch) {
    let c = &Theme::of(ui).colors;
    if scratch.window.is_some() && ui.add(Button::new("Whole run").tone(Tone::Bare)).clicked() {
        scratch.window = None;
    }
    if ui.available_width() < 260.0 {
        return;
    }
    let word = |ui: &mut Ui, text: &str| {
        let galley = lay::line(ui, text, Theme::small(), c.text_secondary, 100.0);
        let (rect, _) = ui.allocate_exact_size(galley.size(), egui::Sense::hover());
        lay::at_left(ui.painter(), rect.left(), rect.center().y, galley);
    };
    let mark = |ui: &mut Ui, width: f32| ui.allocate_exact_size(vec2(width, 16.0), egui::Sense::hover()).0;
    word(ui, "error");
    let at = mark(ui, 10.0);
    marks::triangle(ui.painter(), at.center() + vec2(0.0, -3.0), vec2(10.0, 8.0), c.status_failed);
    word(ui, "first token");
    let at = mark(ui, 4.0);
    ui.painter().vline(at.center().x, at.y_range(), egui::Stroke::new(1.5, c.text_primary));
    word(ui, "held");
    let at = mark(ui, 24.0);
    bars::hatch(ui.painter(), Rect::from_center_size(at.center(), vec2(22.0, 10.0)), Theme::of(ui));
}

/// Shows it.
pub(super) fn show(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let Some(run) = model.run.filter(|run| !run.instances().is_empty()) else {
        return super::dock::nothing(ui, "Bars appear here when the first call begins.");
    };
    build::build(run, model, scratch);
    let live = run.is_live() && !run.is_over() && !scratch.axis.ordinal;
    if live {
        scratch.axis.end = scratch.axis.end.max(model.now_ms);
    }
    let rect = ui.max_rect();
    let length = scratch.axis.length().max(1.0);
    // While it runs there is a little room ahead, so that the present has a place.
    let (from, to) = scratch.window.unwrap_or((0.0, length * if live { 1.12 } else { 1.02 }));
    let scale = Scale { left: rect.left() + NAMES, width: rect.width() - NAMES - 8.0, from, to };
    let head = Rect::from_min_size(rect.min, vec2(rect.width(), Size::RULER));
    ruler::show(ui, head, model, scratch, scale, live, actions);
    let body = Rect::from_min_max(pos2(rect.left(), head.bottom()), rect.max);
    wheel(ui, head, body, scratch, scale, length);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(body));
    child.set_clip_rect(body.intersect(ui.clip_rect()));
    ruler::grid(ui, body, scratch, scale);
    rows(&mut child, model, run, scratch, scale, actions);
    ruler::lines(ui, body, model, run, scratch, scale, live);
}

/// The wheel zooms at the pointer: over the ruler as it is, over the lanes, which scroll, with Ctrl. Sideways it moves.
fn wheel(ui: &Ui, head: Rect, body: Rect, scratch: &mut Scratch, scale: Scale, length: f64) {
    if !ui.rect_contains_pointer(head.union(body)) {
        return;
    }
    let (scroll, mut zoom, shift, at) = ui.input(|input| {
        (input.smooth_scroll_delta(), input.zoom_delta(), input.modifiers.shift, input.pointer.hover_pos())
    });
    let Some(at) = at.filter(|at| at.x > scale.left) else { return };
    if head.contains(at) && !shift {
        zoom *= (scroll.y / 200.0).exp();
    }
    let sideways = if shift { scroll.x + scroll.y } else { scroll.x };
    if (zoom - 1.0).abs() > 1e-3 {
        let middle = scale.distance(at.x);
        let factor = 1.0 / f64::from(zoom);
        let (from, to) = (middle - (middle - scale.from) * factor, middle + (scale.to - middle) * factor);
        let whole = to - from >= length * 1.1;
        scratch.window = (!whole && to - from > 0.01).then_some((from.max(-length * 0.05), to));
    } else if sideways.abs() > 0.0 && scratch.window.is_some() {
        let by = -f64::from(sideways) * scale.per_pixel();
        scratch.window = Some((scale.from + by, scale.to + by));
    }
}

fn rows(ui: &mut Ui, model: &Model<'_>, run: &Run, scratch: &Scratch, scale: Scale, actions: &mut Actions) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let total: usize = scratch.rows.last().map_or(0, |row| row.above + row.lanes.len());
    ScrollArea::vertical().id_salt("timeline").auto_shrink(false).show_viewport(ui, |ui, view| {
        ui.set_height(total as f32 * Size::LANE);
        ui.set_width(ui.available_width());
        let top = ui.max_rect().top();
        let first_lane = (view.top() / Size::LANE).floor().max(0.0) as usize;
        let first = scratch.rows.partition_point(|row| row.above + row.lanes.len() <= first_lane);
        for row in &scratch.rows[first..] {
            let y = top + row.above as f32 * Size::LANE;
            if row.above as f32 * Size::LANE > view.bottom() {
                break;
            }
            one(ui, model, run, scratch, row, y, scale, actions);
        }
    });
}

#[expect(clippy::too_many_arguments, reason = "one row needs the pass's whole surroundings, and only here")]
fn one(
    ui: &mut Ui,
    model: &Model<'_>,
    run: &Run,
    scratch: &Scratch,
    row: &Row,
    y: f32,
    scale: Scale,
    actions: &mut Actions,
) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let node = run.node(row.node);
    let height = row.lanes.len() as f32 * Size::LANE;
    let full = ui.max_rect();
    let rect = Rect::from_min_size(pos2(full.left(), y), vec2(full.width(), height));
    if model.state.selection.node.as_deref() == Some(node.id.as_str()) {
        let names = Rect::from_min_size(rect.min, vec2(NAMES - 8.0, height));
        ui.painter().rect_filled(names, 0, c.surface_selected);
    }
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, egui::Stroke::new(1.0, c.line_subtle));
    name(ui, run, row, rect, actions);
    let clip = Rect::from_min_max(pos2(scale.left, rect.top()), rect.max).intersect(ui.clip_rect());
    let painter = ui.painter().with_clip_rect(clip);
    let kind = NodeKind::from_word(node.kind.as_str());
    let (from, to) = (scratch.axis.unfold(scale.from.max(0.0)), scratch.axis.unfold(scale.to));
    let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|at| clip.contains(*at));
    let mut hit: Option<(InstanceIx, u32)> = None;
    for bar in row.lanes.bars(run, &scratch.axis, from, to, scale.per_pixel() * 4.0) {
        let at = bars::place(&bar, &scratch.axis, scale, rect.top(), model.now_ms, run);
        bars::paint(&painter, theme, kind, &bar, at, &scratch.axis, scale, model.now_ms);
        let target = at.expand2(vec2(((8.0 - at.width()) / 2.0).max(0.0), 4.0));
        if pointer.is_some_and(|pointer| target.contains(pointer)) {
            hit = Some((bar.instance, bar.count));
        }
    }
    let area = Rect::from_min_max(pos2(scale.left, rect.top()), rect.max);
    let response = ui.interact(area, ui.scope_id().with(("lane", row.node.0)), egui::Sense::click());
    if let Some((instance, count)) = hit {
        let response = response.on_hover_cursor(egui::CursorIcon::PointingHand);
        if response.clicked() {
            let instance = run.instance(instance);
            actions.push(Action::Select(Selection::instance(node.id.as_str(), instance.id.as_str())));
        }
        response.on_hover_text(bars::about(run, instance, count, model.now_ms));
    }
}

fn name(ui: &mut Ui, run: &Run, row: &Row, rect: Rect, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let node = run.node(row.node);
    let kind = NodeKind::from_word(node.kind.as_str());
    let mid = rect.top() + Size::LANE / 2.0;
    kind.glyph().paint(ui.painter(), pos2(rect.left() + 19.0, mid), 14.0, kind.hue(theme));
    let mut right = rect.left() + NAMES - 12.0;
    if node.instances.len() > 1 {
        let count = format!("\u{D7}{}", format::count(node.instances.len() as u64));
        right = lay::at_right(
            ui.painter(),
            right,
            mid,
            lay::line(ui, &count, Theme::small(), c.text_tertiary, 60.0),
        ) - 6.0;
    }
    let x = rect.left() + 34.0;
    lay::at_left(ui.painter(), x, mid, lay::line(ui, &node.name, Theme::small(), c.text_primary, right - x));
    let area = Rect::from_min_size(rect.min, vec2(NAMES, Size::LANE));
    let response = ui.interact(area, ui.scope_id().with(("lane name", row.node.0)), egui::Sense::click());
    let label = format!("Lane of {}", node.name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
        actions.push(Action::Select(Selection::node(node.id.as_str())));
        actions.push(Action::Reveal(node.id.as_str().into()));
    }
}

/// The event whose moment is nearest before a distance on the axis.
fn seq_at(run: &Run, model: &Model<'_>, axis: &Axis, distance: f64) -> TimePosition {
    let moment = axis.unfold(distance.max(0.0));
    if moment >= axis.end {
        return TimePosition::Live;
    }
    if axis.ordinal {
        return TimePosition::At(moment as u64);
    }
    let listed = model.state.events.rows().take_while(|row| row.ts <= moment).last();
    let near = listed.map(|row| row.seq).or_else(|| run.first_seq());
    near.map_or(TimePosition::Live, TimePosition::At)
}
