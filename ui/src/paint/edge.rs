//! Edges and their count pills.
//!
//! Invariant: edges are painted below cards and headers, pills above them; an arrow ends at the border of a card, or
//! at its ring if it is held or selected.

use egui::epaint::PathShape;
use egui::{Color32, Pos2, Rect, Shape, Stroke, Vec2, pos2};

use super::Pen;
use super::card::surface;
use super::pen::Words;
use crate::model::format;
use crate::scene::{EdgeLook, EdgeModel, EdgeSegment};
use crate::theme::Theme;

struct Line {
    stroke: Stroke,
    dash: Option<(f32, f32)>,
}

fn line_of(theme: &Theme, look: EdgeLook) -> Line {
    let c = &theme.colors;
    let plain = |width, color| Line { stroke: Stroke::new(width, color), dash: None };
    let dashed = |color, dash| Line { stroke: Stroke::new(1.25, color), dash: Some(dash) };
    match look {
        EdgeLook::Taken => plain(1.5, c.edge),
        EdgeLook::Active => plain(1.75, c.status_running),
        EdgeLook::Possible => plain(1.25, c.edge_faint),
        EdgeLook::Call => plain(1.0, c.edge),
        EdgeLook::Handoff => dashed(c.edge, (5.0, 4.0)),
        EdgeLook::HandoffPossible => dashed(c.edge_faint, (5.0, 4.0)),
        EdgeLook::Link => dashed(c.edge_faint, (2.0, 4.0)),
    }
}

/// Paints an edge; `early` is how far before its end it stops, in screen points. One on the way to the selected failure is
/// red and stronger.
pub(crate) fn edge(pen: &mut Pen<'_>, model: &EdgeModel, early: f32, failing: bool) {
    let mut line = line_of(pen.theme, model.look);
    if failing {
        line.stroke = Stroke::new(2.0, pen.theme.colors.status_failed);
    }
    let mut points = flatten(pen, model);
    let color = pen.color(line.stroke.color);
    let head = pen.scale(8.0).clamp(4.0, 12.0);
    let tip = model.look.arrow().then(|| arrow(&mut points, heading(model), head, early)).flatten();
    let width = (line.stroke.width * pen.view.zoom.clamp(0.6, 1.5)).max(0.75);
    let stroke = Stroke::new(width, color);
    match line.dash {
        Some((dash, gap)) => {
            Shape::dashed_line(&points, stroke, dash, gap).into_iter().for_each(|s| pen.add(s))
        }
        None => pen.add(Shape::Path(PathShape::line(points, stroke))),
    }
    if let Some(triangle) = tip {
        pen.add(Shape::convex_polygon(triangle.to_vec(), color, Stroke::NONE));
    }
}

/// The edge as a polyline on screen, finer where it is longer.
fn flatten(pen: &Pen<'_>, model: &EdgeModel) -> Vec<Pos2> {
    let mut from = pen.view.pos(model.start);
    let mut points = Vec::with_capacity(16);
    points.push(from);
    for segment in model.segments.iter() {
        match *segment {
            EdgeSegment::Line(to) => {
                from = pen.view.pos(to);
                points.push(from);
            }
            EdgeSegment::Cubic(a, b, to) => {
                let (a, b, to) = (pen.view.pos(a), pen.view.pos(b), pen.view.pos(to));
                let length = (a - from).length() + (b - a).length() + (to - b).length();
                let steps = (length / 7.0).clamp(4.0, 40.0) as u32;
                points.extend((1..=steps).map(|step| cubic(from, a, b, to, step as f32 / steps as f32)));
                from = to;
            }
        }
    }
    points
}

fn cubic(from: Pos2, a: Pos2, b: Pos2, to: Pos2, t: f32) -> Pos2 {
    let u = 1.0 - t;
    let weigh = |p: Pos2, w: f32| p.to_vec2() * w;
    (weigh(from, u * u * u) + weigh(a, 3.0 * u * u * t) + weigh(b, 3.0 * u * t * t) + weigh(to, t * t * t))
        .to_pos2()
}

/// Takes `by` points of length off the end.
fn shorten(points: &mut Vec<Pos2>, mut by: f32) {
    while by > 0.0 && points.len() >= 2 {
        let (last, before) = (points[points.len() - 1], points[points.len() - 2]);
        let length = (last - before).length();
        if length > by {
            let end = points.len() - 1;
            points[end] = last + (before - last) / length * by;
            return;
        }
        by -= length;
        points.pop();
    }
}

/// The direction in which an edge arrives: that of its last piece's end, so that curves which meet share one arrow.
fn heading(model: &EdgeModel) -> Vec2 {
    let end_of = |segment: &EdgeSegment| match *segment {
        EdgeSegment::Line(to) | EdgeSegment::Cubic(_, _, to) => to,
    };
    let before = model.segments.iter().rev().nth(1).map_or(model.start, end_of);
    match model.segments.last() {
        Some(EdgeSegment::Cubic(_, control, to)) if control != to => (*to - *control).normalized(),
        Some(EdgeSegment::Line(to) | EdgeSegment::Cubic(_, _, to)) => (*to - before).normalized(),
        None => Vec2::DOWN,
    }
}

/// The arrow at the end of a polyline, `early` before it; the line is cut back to the middle of the arrow.
fn arrow(points: &mut Vec<Pos2>, along: Vec2, size: f32, early: f32) -> Option<[Pos2; 3]> {
    let tip = *points.last()? - along * early;
    let base = tip - along * size;
    let side = Vec2::new(-along.y, along.x) * (size / 2.0);
    shorten(points, early + size);
    points.push(tip - along * (size / 2.0));
    Some([tip, base + side, base - side])
}

/// The count of an edge, on the curve.
pub(crate) fn pill(pen: &mut Pen<'_>, model: &EdgeModel) {
    if model.count < 2 || pen.view.zoom < 0.6 {
        return;
    }
    let c = &pen.theme.colors;
    let text = format!("×{}", format::count(model.count));
    let center = pen.view.pos(model.pill).round();
    let width = pen.fixed_width(&text);
    let rect = Rect::from_center_size(center, Vec2::new((width + 10.0).round(), 16.0));
    let shape = egui::epaint::RectShape::new(
        rect,
        8,
        pen.color(surface(pen.theme, model.depth)),
        Stroke::new(1.0, pen.color(c.line)),
        egui::StrokeKind::Inside,
    );
    pen.add(Shape::Rect(shape));
    let color: Color32 = c.text_secondary;
    pen.words(Words::small(&text, pos2(center.x - width / 2.0, center.y), 200.0, color).fixed());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortening_takes_off_length_and_never_turns_a_line_around() {
        let mut points = vec![pos2(0.0, 0.0), pos2(0.0, 10.0), pos2(0.0, 14.0)];
        shorten(&mut points, 7.0);
        assert_eq!(points, [pos2(0.0, 0.0), pos2(0.0, 7.0)]);
        shorten(&mut points, 100.0);
        assert_eq!(points, [pos2(0.0, 0.0)]);
    }

    #[test]
    fn an_arrow_points_where_the_line_ends() {
        let mut points = vec![pos2(0.0, 0.0), pos2(0.0, 100.0)];
        let [tip, left, right] = arrow(&mut points, Vec2::DOWN, 8.0, 0.0).unwrap();
        assert_eq!(tip, pos2(0.0, 100.0));
        assert_eq!((left.y, right.y), (92.0, 92.0));
        assert_eq!((left.x - right.x).abs(), 8.0);
    }
}
