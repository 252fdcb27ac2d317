//! One bar: its place, its look by state, the time it was held, its first token.

use egui::{Color32, CornerRadius, Painter, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use graph::project::{Axis, Bar};
use graph::{InstanceIx, Run, Status};

use super::Scale;
use crate::glyph::Glyph;
use crate::model::format;
use crate::theme::{NodeKind, Radius, Size, Theme};

/// Narrowest bar.
const WIDTH_MIN: f32 = 4.0;

/// Where a bar lies; one that still runs reaches to the present.
pub(super) fn place(bar: &Bar, axis: &Axis, scale: Scale, top: f32, now_ms: f64, run: &Run) -> Rect {
    let open =
        bar.count == 1 && run.instance(bar.instance).ended.is_none() && !run.is_over() && !axis.ordinal;
    let to = if open { now_ms.max(bar.to) } else { bar.to };
    let (left, right) = (scale.x(axis.fold_down(bar.from)), scale.x(axis.fold_down(to)));
    let y = top + bar.lane as f32 * Size::LANE + 4.0;
    Rect::from_min_max(pos2(left, y), pos2(right.max(left + WIDTH_MIN), y + 12.0))
}

/// Paints it.
#[expect(clippy::too_many_arguments, reason = "a bar is painted from the lane's surroundings, and only here")]
pub(super) fn paint(
    painter: &Painter,
    theme: &Theme,
    kind: NodeKind,
    bar: &Bar,
    at: Rect,
    axis: &Axis,
    scale: Scale,
    now_ms: f64,
) {
    let c = &theme.colors;
    let radius = CornerRadius::same(Radius::BAR);
    match bar.status {
        Status::Error if bar.count == 1 => {
            painter.rect(at, radius, c.failed_soft, Stroke::new(1.0, c.status_failed), StrokeKind::Inside);
            if at.width() > 16.0 {
                Glyph::Failed.paint(painter, at.center(), 10.0, c.status_failed);
            }
        }
        Status::Abandoned => dashed(painter, at, c.line_strong),
        _ if bar.count > 1 => {
            painter.rect_filled(at, radius, kind.block(theme));
            merged(painter, theme, bar, at);
        }
        _ => {
            painter.rect_filled(at, radius, kind.bar(theme));
        }
    }
    if bar.status == Status::Running && bar.count == 1 {
        let end = Rect::from_min_max(pos2(at.right() - 3.0, at.top()), at.max);
        painter.rect_filled(end, CornerRadius { nw: 0, sw: 0, ne: 3, se: 3 }, c.status_running);
    }
    for (from, to) in &bar.held {
        // A hold without an end reaches to the present.
        let open = *to >= axis.end - 0.5 && bar.status == Status::Running;
        let to = if open { now_ms.max(*to) } else { *to };
        let (left, right) = (scale.x(axis.fold_down(*from)), scale.x(axis.fold_down(to)));
        let rect = Rect::from_min_max(pos2(left, at.top()), pos2(right.max(left + 2.0), at.bottom()));
        hatch(painter, rect, theme);
        if rect.width() > 74.0 {
            held_label(painter, theme, rect, to - from);
        }
    }
    if let Some(first) = bar.first_token {
        let x = scale.x(axis.fold_down(first)).round() + 0.5;
        painter.vline(x, at.y_range().expand(2.0), Stroke::new(1.5, c.text_primary));
    }
}

fn merged(painter: &Painter, theme: &Theme, bar: &Bar, at: Rect) {
    let c = &theme.colors;
    if bar.status == Status::Error {
        painter.hline(at.x_range(), at.bottom() - 1.0, Stroke::new(2.0, c.status_failed));
    }
    let text = format!("\u{D7}{}", format::count(u64::from(bar.count)));
    let galley = painter.layout_no_wrap(text, Theme::small(), c.text_primary);
    if galley.size().x + 4.0 < at.width() {
        let pos = at.center() - galley.size() / 2.0;
        painter.galley(pos2(pos.x, pos.y.round()), galley, c.text_primary);
    }
}

fn held_label(painter: &Painter, theme: &Theme, rect: Rect, ms: f64) {
    let c = &theme.colors;
    let galley = painter.layout_no_wrap(format!("held {}", format::clock(ms)), Theme::small(), c.status_held);
    let pos = pos2(rect.left() + 12.0, (rect.center().y - galley.size().y / 2.0).round());
    let patch = Rect::from_min_size(pos, galley.size()).expand2(vec2(5.0, 0.0)).intersect(rect.shrink(1.0));
    painter.rect_filled(patch, 0, c.held_soft);
    painter.galley(pos, galley, c.status_held);
}

/// Held time: amber lines at 45 degrees.
pub(super) fn hatch(painter: &Painter, rect: Rect, theme: &Theme) {
    let c = &theme.colors;
    painter.rect_filled(rect, CornerRadius::same(Radius::BAR), c.held_soft);
    let inner = painter.with_clip_rect(rect.shrink(1.0).intersect(painter.clip_rect()));
    let seen = rect.intersect(painter.clip_rect());
    let stroke = Stroke::new(2.2, c.held_ring.gamma_multiply(0.55));
    let first = ((seen.left() - rect.left()) / 6.0).floor().max(0.0) as i32 - 3;
    let last = ((seen.right() - rect.left()) / 6.0).ceil().min(2_000.0) as i32 + 1;
    for step in first..last {
        let x = rect.left() + step as f32 * 6.0;
        inner.line_segment([pos2(x, rect.bottom()), pos2(x + rect.height(), rect.top())], stroke);
    }
    painter.rect_stroke(
        rect,
        CornerRadius::same(Radius::BAR),
        Stroke::new(1.0, c.held_ring),
        StrokeKind::Inside,
    );
}

fn dashed(painter: &Painter, at: Rect, color: Color32) {
    let seen = at.intersect(painter.clip_rect());
    let points = [seen.right_top(), seen.left_top(), seen.left_bottom(), seen.right_bottom()];
    painter.extend(Shape::dashed_line(&points, Stroke::new(1.0, color), 3.0, 3.0));
}

/// What a bar stands for, on hover.
pub(super) fn about(run: &Run, ix: InstanceIx, count: u32, now_ms: f64) -> String {
    let instance = run.instance(ix);
    let name = &run.node(instance.node).name;
    if count > 1 {
        return format!(
            "{name}: {} too short to tell apart here; zoom in",
            format::plural(u64::from(count), "call")
        );
    }
    let status = run.instance_status(ix).as_str();
    let took = match (instance.run_ms(), instance.started, instance.ended) {
        (Some(ms), ..) => format::duration(ms),
        (None, Some(from), Some(to)) => format::duration(to.ts - from.ts),
        (None, Some(from), None) => format::running(now_ms - from.ts),
        _ => String::new(),
    };
    let held = instance.held_ms.filter(|ms| *ms > 0.0).map(|ms| format!(", held {}", format::duration(ms)));
    format!("{name} {status} {took}{}", held.unwrap_or_default())
}
