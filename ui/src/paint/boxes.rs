//! Boxes: open ones under the edges, their headers above them; folded ones as cards that say what is inside.
//!
//! Invariant: levels alternate surfaces, so nesting is seen without lines; the header of an open box has room for its
//! badges and elides its name, never the badges.

use egui::{Pos2, Rect, Stroke, pos2, vec2};

use super::card::{badge, surface};
use super::pen::Words;
use super::text::Face;
use super::{CardLook, Lod, Pen};
use crate::glyph::Glyph;
use crate::model::format;
use crate::scene::{BoxModel, Tally};
use crate::theme::{NodeKind, Radius, Status, Theme};

const RADIUS: f32 = Radius::BOX as f32;
const HEADER: f32 = 32.0;
/// The least height a line of text needs.
const TEXT: f32 = 12.8;

/// An open box, without its header.
pub(crate) fn open_box(pen: &mut Pen<'_>, model: &BoxModel, look: CardLook) {
    let c = &pen.theme.colors;
    let rect = pen.view.rect(model.rect);
    let fill = surface(pen.theme, model.level);
    let line = if model.level == 1 { c.line_subtle } else { c.line_box };
    let stroke = match model.status {
        _ if model.hold.is_some() => Stroke::new(2.0, c.held_fill),
        _ if look.failing => Stroke::new(1.5, c.status_failed),
        Status::Failed => Stroke::new(1.0, c.status_failed),
        _ => Stroke::new(1.0, line),
    };
    if model.status == Status::Ghost {
        pen.fill(rect, RADIUS, fill);
        pen.dashed(rect, RADIUS, Stroke::new(1.0, c.line_strong), 4.0, 3.0);
    } else {
        pen.outlined(rect, RADIUS, fill, stroke);
    }
    if model.hold.is_some() {
        pen.halo(rect, RADIUS, 1.0, Stroke::new(1.0, c.held_ring));
        pen.halo(rect, RADIUS, 2.0, Stroke::new(4.0, c.held_fill.gamma_multiply(0.22)));
    }
    rings(pen, rect, look, if model.hold.is_some() { 2.0 } else { 0.0 });
}

fn rings(pen: &mut Pen<'_>, rect: Rect, look: CardLook, own_ring: f32) {
    let accent = pen.theme.colors.accent;
    if look.selected {
        pen.halo(rect, RADIUS, own_ring, Stroke::new(2.0, accent));
        if own_ring == 0.0 {
            pen.halo(rect, RADIUS, 2.0, Stroke::new(4.0, accent.gamma_multiply(0.20)));
        }
    } else if look.focused {
        pen.halo(rect, RADIUS, 2.0, Stroke::new(2.0, accent));
    }
}

/// The header of an open box: chevron, name, caption, badges.
pub(crate) fn open_box_header(pen: &mut Pen<'_>, model: &BoxModel, chevron_hovered: bool) {
    let rect = pen.view.rect(model.rect);
    let zoom = pen.view.zoom;
    if HEADER * zoom < TEXT {
        return legend(pen, model, rect);
    }
    if rect.width() < 60.0 {
        return;
    }
    let c = &pen.theme.colors;
    let scale = zoom.min(rect.width() / 120.0);
    let mid = rect.top() + HEADER / 2.0 * zoom;
    let color = if chevron_hovered { c.text_primary } else { c.text_secondary };
    pen.glyph(Glyph::Down, pos2(rect.left() + 18.0 * scale, mid), 12.0 * scale.max(0.9), color);
    let mut left = pos2(rect.left() + 30.0 * scale, mid);
    let badges_left = badges(pen, model, pos2(rect.right() - 12.0 * scale, mid));
    // A chain, or whatever else only groups, is told by being a box.
    let groups = matches!(model.kind, NodeKind::Chain | NodeKind::Custom);
    if pen.view.lod() >= Lod::Name && !groups {
        let hue = model.kind.hue(pen.theme);
        pen.glyph(model.kind.glyph(), left + vec2(7.0 * scale, 0.0), 14.0 * scale, hue);
        left.x += 20.0 * scale;
    }
    if let Some(mark) = model.breakpoint {
        let at = left + vec2(6.0 * scale, 0.0);
        let fill = surface(pen.theme, model.level);
        mark.shapes(pen.theme, at, 14.0 * scale, fill).into_iter().for_each(|shape| pen.add(shape));
        left.x += 16.0 * scale;
    }
    let continued = if model.part > 0 { "continued" } else { &*model.caption };
    let room = badges_left - 8.0 - left.x;
    let end = pen.words(Words::strong(&model.name, left, room, c.text_primary));
    let from = pos2(end + 8.0 * scale, mid);
    pen.words(Words::small(continued, from, badges_left - 8.0 - from.x, c.text_tertiary));
}

/// Too far away for a header: an outermost box has its name on its upper border.
fn legend(pen: &mut Pen<'_>, model: &BoxModel, rect: Rect) {
    if model.level > 1 || rect.width() < 70.0 || pen.view.lod() == Lod::Count {
        return;
    }
    let width = pen.fixed_width(&model.name).min(rect.width() - 24.0);
    let left = pos2(rect.left() + 12.0, rect.top());
    let patch = Rect::from_min_max(left - vec2(4.0, 8.0), left + vec2(width + 6.0, 8.0));
    let fill = surface(pen.theme, 0);
    pen.fill(patch, 3.0, fill);
    let words = Words::strong(&model.name, left, width + 2.0, pen.theme.colors.text_secondary);
    pen.words(Words { face: Face::Regular, size: 12.0, ..words }.fixed());
}

/// Shape and number of what is inside, right-aligned; returns the left end.
fn badges(pen: &mut Pen<'_>, model: &BoxModel, right: Pos2) -> f32 {
    let mut x = right.x;
    for (status, number) in counts(&model.tally).into_iter().rev() {
        if number == 0 {
            continue;
        }
        let text = format::count(number);
        let color = status.color(pen.theme);
        x = pen.words(Words::small(&text, pos2(x, right.y), 200.0, color).to_right());
        x -= 8.0;
        pen.glyph(status.glyph(), pos2(x - 2.0, right.y), 11.0, color);
        x -= 16.0;
    }
    x
}

fn counts(tally: &Tally) -> [(Status, u64); 3] {
    [(Status::Running, tally.running), (Status::Held, tally.held), (Status::Failed, tally.failed)]
}

/// A folded box.
pub(crate) fn folded_box(pen: &mut Pen<'_>, model: &BoxModel, look: CardLook) {
    let c = &pen.theme.colors;
    let rect = pen.view.rect(model.rect);
    let reached = model.status.reached() || model.tally.calls > 0;
    let fill = if reached { c.surface_box_3 } else { egui::Color32::TRANSPARENT };
    let held = model.hold.is_some() || model.tally.held > 0;
    let running = model.tally.running > 0 || model.status == Status::Running;
    let own_ring = if held {
        pen.outlined(rect, RADIUS, fill, Stroke::new(1.5, c.held_fill));
        0.5
    } else if running {
        pen.outlined(rect, RADIUS, fill, Stroke::new(1.5, c.status_running));
        if !look.selected {
            pen.halo(rect, RADIUS, 0.5, Stroke::new(3.5, c.status_running.gamma_multiply(look.pulse)));
        }
        0.5
    } else {
        pen.outlined(rect, RADIUS, fill, Stroke::new(1.0, c.line));
        0.0
    };
    rings(pen, rect, look, own_ring);
    match pen.view.lod() {
        Lod::Full => folded_words(pen, model, rect, reached),
        Lod::Name => {
            let left = pos2(rect.left() + 26.0, rect.center().y);
            pen.glyph(Glyph::Right, pos2(rect.left() + 14.0, left.y), 12.0, c.text_secondary);
            let words = Words {
                face: Face::Strong,
                size: 12.0,
                ..Words::strong(&model.name, left, rect.right() - 8.0 - left.x, c.text_primary)
            };
            pen.words(words.fixed());
        }
        Lod::Block | Lod::Count => {}
    }
}

fn folded_words(pen: &mut Pen<'_>, model: &BoxModel, rect: Rect, reached: bool) {
    let c = &pen.theme.colors;
    let at = |pen: &Pen<'_>, x: f32, y: f32| rect.min + vec2(x, y) * pen.view.zoom;
    pen.glyph(Glyph::Right, at(pen, 18.0, 16.0), pen.scale(12.0), c.text_secondary);
    let mut right = rect.right() - pen.scale(12.0);
    let hue = if reached { model.kind.hue(pen.theme) } else { c.text_tertiary };
    pen.glyph(model.kind.glyph(), pos2(right - pen.scale(7.0), at(pen, 0.0, 16.0).y), pen.scale(14.0), hue);
    right -= pen.scale(20.0);
    if let Some(mark) = model.breakpoint {
        let shapes = mark.shapes(
            pen.theme,
            pos2(right - pen.scale(7.0), at(pen, 0.0, 16.0).y),
            pen.scale(14.0),
            c.surface_box_3,
        );
        shapes.into_iter().for_each(|shape| pen.add(shape));
        right -= pen.scale(18.0);
    }
    let left = at(pen, 30.0, 16.0);
    let color = if reached { c.text_primary } else { c.text_tertiary };
    pen.words(Words::strong(&model.name, left, right - left.x, color));
    let inside = inside(&model.tally);
    let line = at(pen, 30.0, 36.0);
    pen.words(Words::small(&inside, line, rect.right() - pen.scale(8.0) - line.x, c.text_secondary));
    let mut left = at(pen, 30.0, 55.0);
    for (status, text) in folded_badges(model) {
        if left.x > rect.right() - pen.scale(40.0) {
            break;
        }
        let color = status.color(pen.theme);
        left.x = badge(pen, status.glyph(), &text, left, color) + pen.scale(10.0);
    }
}

fn inside(tally: &Tally) -> String {
    let calls =
        if tally.calls == 0 { String::new() } else { format!(" · {}", format::plural(tally.calls, "call")) };
    format!("{}{calls}", format::plural(tally.nodes, "node"))
}

fn folded_badges(model: &BoxModel) -> Vec<(Status, String)> {
    let tally = &model.tally;
    let mut badges: Vec<_> =
        [(Status::Held, tally.held), (Status::Failed, tally.failed), (Status::Running, tally.running)]
            .into_iter()
            .filter(|(_, number)| *number > 0)
            .map(|(status, number)| (status, format!("{} {}", format::count(number), status.word())))
            .collect();
    if badges.is_empty() {
        let badge = match tally.ok {
            0 => (Status::NotReached, Status::NotReached.word().to_owned()),
            ok => (Status::Ok, format!("{} ok", format::count(ok))),
        };
        badges.push(badge);
    }
    badges
}

/// Below a readable size: how many there are in a box, and how many of them are held.
pub(crate) fn count(pen: &mut Pen<'_>, model: &BoxModel) {
    let rect = pen.view.rect(model.rect);
    let c = &pen.theme.colors;
    let held = (model.tally.held > 0).then(|| format!("{} held", format::count(model.tally.held)));
    let nodes = format::count(model.tally.nodes);
    let centred = |pen: &mut Pen<'_>, text: &str, y: f32, color| {
        let words = Words::small(text, pos2(0.0, y), rect.width().max(44.0), color).fixed();
        let width = pen.fixed_width(text);
        let patch = Rect::from_center_size(pos2(rect.center().x, y), vec2(width + 10.0, 16.0));
        let shape = egui::epaint::RectShape::filled(patch, 8, surface(pen.theme, model.level));
        pen.rect(shape);
        pen.words(Words { left: pos2(rect.center().x - width / 2.0, y), ..words });
    };
    let mid = rect.center().y;
    match held {
        Some(held) if rect.height() >= 34.0 => {
            centred(pen, &nodes, mid - 8.0, c.text_primary);
            centred(pen, &held, mid + 8.0, c.status_held);
        }
        // Its ring is in the middle.
        Some(held) => centred(pen, &held, rect.top() - 9.0, c.status_held),
        None => centred(pen, &nodes, mid, c.text_secondary),
    }
}

/// Whether a count would fit on screen.
pub(crate) fn count_fits(rect: Rect) -> bool {
    rect.width() >= 40.0 && rect.height() >= 18.0
}

/// The surface of a level, for whoever paints on a box.
pub(crate) fn level_surface(theme: &Theme, level: u32) -> egui::Color32 {
    surface(theme, level)
}
