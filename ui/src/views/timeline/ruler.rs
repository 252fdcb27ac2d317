//! The ruler: seconds, marks, the live line, the time position, and the drag that moves it.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use graph::project::Superstep;
use graph::{NamespaceIx, Run};

use super::{Scale, Scratch, marks, seq_at};
use crate::action::{Action, Actions};
use crate::model::{Model, TimePosition, format};
use crate::theme::Theme;
use crate::views::lay;

/// Points between two labels at least.
const LABEL_GAP: f32 = 90.0;

/// The strip itself.
pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    model: &Model<'_>,
    scratch: &mut Scratch,
    scale: Scale,
    live: bool,
    actions: &mut Actions,
) {
    let c = &Theme::of(ui).colors;
    let area = Rect::from_min_max(pos2(scale.left, rect.top()), rect.max);
    let painter = ui.painter().with_clip_rect(area.expand(12.0).intersect(ui.clip_rect()));
    let step = step_ms(scale.per_pixel() * f64::from(LABEL_GAP));
    let mut at = (scale.from / step).ceil().max(0.0) * step;
    while at <= scale.to {
        let text = if scratch.axis.ordinal { format::count(at as u64) } else { label(at, step) };
        let galley = lay::line(ui, &text, Theme::small(), c.text_tertiary, 80.0);
        lay::at_left(&painter, scale.x(at) + 4.0, rect.center().y - 2.0, galley);
        at += step;
    }
    if live {
        let x = scale.x(scratch.axis.length());
        let pill = Rect::from_center_size(pos2(x, rect.center().y - 2.0), vec2(40.0, 18.0));
        painter.rect_filled(pill, 4, c.ok_soft);
        let galley = lay::line(ui, "live", Theme::small(), c.status_ok, 40.0);
        let left = pill.center().x - galley.size().x / 2.0;
        lay::at_left(&painter, left, pill.center().y, galley);
    }
    scrub(ui, area, model, scratch, scale, actions);
    if let Some(run) = model.run {
        marks::show(ui, area, run, scratch, scale, actions);
    }
}

/// A drag moves the time position; with Shift it measures.
fn scrub(ui: &Ui, area: Rect, model: &Model<'_>, scratch: &mut Scratch, scale: Scale, actions: &mut Actions) {
    let response = ui.interact(area, ui.scope_id().with("ruler"), egui::Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Time position"));
    let (Some(run), Some(at)) = (model.run, response.interact_pointer_pos()) else { return };
    let distance = scale.distance(at.x);
    if ui.input(|input| input.modifiers.shift) {
        let from = scratch.measure.map_or(distance, |(from, _)| from);
        scratch.measure = Some((if response.drag_started() { distance } else { from }, distance));
    } else if response.clicked() || response.dragged() {
        scratch.measure = None;
        actions.push(Action::Time(seq_at(run, model, &scratch.axis, distance)));
    }
}

/// Lines behind the bars: seconds and folded stretches.
pub(super) fn grid(ui: &Ui, rect: Rect, scratch: &Scratch, scale: Scale) {
    let c = &Theme::of(ui).colors;
    let area = Rect::from_min_max(pos2(scale.left, rect.top() - 4.0), rect.max);
    let painter = ui.painter().with_clip_rect(area.intersect(ui.clip_rect().expand(4.0)));
    let step = step_ms(scale.per_pixel() * f64::from(LABEL_GAP));
    let mut at = (scale.from / step).ceil().max(0.0) * step;
    while at <= scale.to {
        painter.vline(scale.x(at).round() + 0.5, area.y_range(), Stroke::new(1.0, c.line_subtle));
        at += step;
    }
    steps(&painter, area, scratch, scale, c.surface_box_1);
    for fold in &scratch.axis.folds {
        let (from, to) =
            (scale.x(scratch.axis.fold_down(fold.from)), scale.x(scratch.axis.fold_down(fold.to)));
        let band = Rect::from_x_y_ranges(from..=to.max(from + 4.0), area.y_range());
        painter.rect_filled(band, 0, c.surface_box_2.gamma_multiply(0.7));
        zigzag(&painter, band.center_top() + vec2(0.0, 12.0), c.line_strong);
        if ui.rect_contains_pointer(band) {
            let text = format!("idle {}", format::duration(fold.to - fold.from));
            lay::at_left(
                &painter,
                band.left() + 4.0,
                area.top() + 30.0,
                lay::line(ui, &text, Theme::small(), c.text_secondary, 160.0),
            );
        }
    }
}

/// Every other superstep of the outermost graph as a band, so that what ran side by side is seen together.
fn steps(painter: &Painter, area: Rect, scratch: &Scratch, scale: Scale, color: Color32) {
    // The root is the first namespace of every run.
    let outer = |step: &&Superstep| step.namespace == NamespaceIx::default() && step.step % 2 == 1;
    for step in scratch.steps.iter().filter(outer) {
        let at = |stamp| scale.x(scratch.axis.fold_down(scratch.axis.moment(stamp)));
        let (from, to) = (at(step.from), step.to.map_or(scale.x(scratch.axis.length()), at));
        let band = Rect::from_x_y_ranges(from..=to, area.y_range());
        if band.intersects(area) && band.width() >= 3.0 {
            painter.rect_filled(band, 0, color);
        }
    }
}

/// Lines over the bars: live, time position, a measured range.
pub(super) fn lines(
    ui: &Ui,
    rect: Rect,
    model: &Model<'_>,
    run: &Run,
    scratch: &Scratch,
    scale: Scale,
    live: bool,
) {
    let c = &Theme::of(ui).colors;
    let area = Rect::from_min_max(pos2(scale.left, rect.top() - 4.0), rect.max);
    let painter = ui.painter().with_clip_rect(area.intersect(ui.clip_rect().expand(4.0)));
    if live {
        let x = scale.x(scratch.axis.length()).round() + 0.5;
        painter.vline(x, area.y_range(), Stroke::new(1.5, c.status_ok));
    }
    if let Some((from, to)) = scratch.measure {
        let band = Rect::from_x_y_ranges(scale.x(from.min(to))..=scale.x(from.max(to)), area.y_range());
        painter.rect_filled(band, 0, c.accent.gamma_multiply(0.12));
        let length = (scratch.axis.unfold(to) - scratch.axis.unfold(from)).abs();
        let galley = lay::line(ui, &format::duration(length), Theme::small(), c.accent, 100.0);
        let left = band.center().x - galley.size().x / 2.0;
        lay::at_left(&painter, left, area.top() + 12.0, galley);
    }
    position(&painter, area, model, run, scratch, scale, c.accent);
}

fn position(
    painter: &Painter,
    area: Rect,
    model: &Model<'_>,
    run: &Run,
    scratch: &Scratch,
    scale: Scale,
    color: Color32,
) {
    let TimePosition::At(seq) = model.state.time else { return };
    let listed = model.state.events.rank_of(seq).and_then(|rank| model.state.events.at_rank(rank));
    let moment = match (scratch.axis.ordinal, listed) {
        (true, _) => seq as f64,
        (false, Some(row)) => row.ts,
        (false, None) => run.first_ts().unwrap_or(0.0),
    };
    let x = scale.x(scratch.axis.fold_down(moment)).round();
    painter.vline(x, area.y_range(), Stroke::new(2.0, color));
    let top = area.top();
    let points = vec![pos2(x - 5.0, top), pos2(x + 5.0, top), pos2(x, top + 6.0)];
    painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
}

fn zigzag(painter: &Painter, at: Pos2, color: Color32) {
    for x in [-3.0, 3.0] {
        let points = [(0.0, -8.0), (3.0, -3.0), (-3.0, 3.0), (0.0, 8.0)];
        let line = points.iter().map(|(dx, dy)| at + vec2(x + dx, *dy)).collect();
        painter.add(Shape::line(line, Stroke::new(1.0, color)));
    }
}

/// The smallest of 1, 2, 5, 10, … that is at least as long.
fn step_ms(at_least: f64) -> f64 {
    let power = 10f64.powf(at_least.max(1e-3).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|step| step * power)
        .find(|step| *step >= at_least)
        .unwrap_or(power * 10.0)
}

fn label(ms: f64, step: f64) -> String {
    match step {
        _ if ms >= 120_000.0 && step >= 1_000.0 => format::clock(ms),
        _ if step >= 1_000.0 => format!("{:.0} s", ms / 1_000.0),
        _ if step >= 100.0 => format!("{:.1} s", ms / 1_000.0),
        _ => format!("{ms:.0} ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_at_round_numbers() {
        for (least, step) in [(0.4, 0.5), (1.0, 1.0), (3.0, 5.0), (812.0, 1_000.0), (5_001.0, 10_000.0)] {
            assert!((step_ms(least) - step).abs() < 1e-9, "{least}: {}", step_ms(least));
        }
        assert_eq!(label(5_000.0, 5_000.0), "5 s");
        assert_eq!(label(1_500.0, 500.0), "1.5 s");
        assert_eq!(label(180_000.0, 60_000.0), "3:00");
    }
}
