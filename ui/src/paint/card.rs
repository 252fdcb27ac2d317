//! A card at every level of detail.
//!
//! Invariant: state is shape, word and colour together; a ring never covers what is in the card, so nothing moves when
//! a state changes.

use egui::{Color32, Pos2, Rect, Stroke, vec2};

use super::held::{StripLook, strip};
use super::pen::Words;
use super::text::{Face, LINE_CHARS_MAX};
use super::{Lod, Pen};
use crate::glyph::{BreakpointMark, Glyph};
use crate::model::format;
use crate::scene::{CardModel, DiffMark};
use crate::theme::{NodeKind, Radius, Status, Theme};

/// How a card is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CardLook {
    /// It is the selection.
    pub(crate) selected: bool,
    /// The keyboard is on it.
    pub(crate) focused: bool,
    /// The pointer is over its gutter.
    pub(crate) gutter_hovered: bool,
    /// Wall clock, milliseconds since 1970.
    pub(crate) now_ms: f64,
    /// Halo of what runs, from 0.10 to 0.22.
    pub(crate) pulse: f32,
    /// It led to the selected failure.
    pub(crate) failing: bool,
    /// The strip of actions.
    pub(crate) strip: StripLook,
}

const CARD_RADIUS: f32 = Radius::CARD as f32;

/// The surface of a box level; 0 is the canvas.
pub(crate) fn surface(theme: &Theme, level: u32) -> Color32 {
    let c = &theme.colors;
    match level {
        0 => c.surface_canvas,
        1 => c.surface_box_1,
        level if level % 2 == 0 => c.surface_box_2,
        _ => c.surface_box_3,
    }
}

/// Paints a card.
pub(crate) fn card(pen: &mut Pen<'_>, card: &CardModel, look: CardLook) {
    match pen.view.lod() {
        Lod::Full => full(pen, card, look),
        Lod::Name => named(pen, card, look),
        Lod::Block => block(pen, card, look),
        Lod::Count => dot(pen, card, look),
    }
}

fn full(pen: &mut Pen<'_>, card: &CardModel, look: CardLook) {
    let rect = pen.view.rect(card.painted());
    if card.diff == Some(DiffMark::Missing) {
        return missing(pen, card, rect);
    }
    let fill = body(pen, card, look, rect);
    if card.hold.is_some() {
        strip(pen, rect, look.strip);
    }
    first_line(pen, card, look, rect, fill);
    second_line(pen, card, look, rect);
    if card.hold.is_none() {
        stream(pen, card, rect);
    }
    if let Some(mark) = card.diff {
        diff_disc(pen, mark, rect);
    }
}

/// Outline, fill, rings and shadow. Returns the fill.
fn body(pen: &mut Pen<'_>, card: &CardModel, look: CardLook, rect: Rect) -> Color32 {
    let c = &pen.theme.colors;
    let behind = surface(pen.theme, card.depth);
    let fill = fill_of(pen.theme, card);
    let plain = Stroke::new(1.0, c.line);
    if card.stack {
        for shift in [8.0, 4.0] {
            let back = rect.translate(vec2(shift, shift) * pen.view.zoom);
            pen.outlined(back, CARD_RADIUS, fill, plain);
        }
    }
    if card.status.reached() && card.hold.is_none() && pen.view.zoom >= 0.5 {
        let shadow = pen.theme.card_shadow();
        pen.shadow(rect, CARD_RADIUS, shadow);
    }
    // What stands behind a card without a fill is the box, and no edge runs there.
    let own_ring = match card.status {
        _ if card.hold.is_some() => {
            pen.outlined(rect, CARD_RADIUS, fill, Stroke::new(2.0, c.held_fill));
            pen.halo(rect, CARD_RADIUS, 1.0, Stroke::new(1.0, c.held_ring));
            if !look.selected {
                pen.halo(rect, CARD_RADIUS, 2.0, Stroke::new(4.0, c.held_fill.gamma_multiply(0.22)));
            }
            2.0
        }
        Status::Running => {
            pen.outlined(rect, CARD_RADIUS, fill, Stroke::new(1.5, c.status_running));
            if !look.selected {
                let halo = c.status_running.gamma_multiply(look.pulse);
                pen.halo(rect, CARD_RADIUS, 0.5, Stroke::new(3.5, halo));
            }
            0.5
        }
        Status::Ghost => {
            pen.dashed(rect, CARD_RADIUS, Stroke::new(1.0, c.line_strong), 4.0, 3.0);
            0.0
        }
        // Neither well nor ill until someone says: a body, but no firm outline.
        Status::Uncertain => {
            pen.fill(rect, CARD_RADIUS, fill);
            pen.dashed(rect, CARD_RADIUS, Stroke::new(1.5, c.text_secondary), 6.0, 4.0);
            0.0
        }
        _ => {
            let led = look.failing.then(|| Stroke::new(1.5, c.status_failed));
            pen.outlined(rect, CARD_RADIUS, fill, led.unwrap_or_else(|| outline_of(pen.theme, card)));
            0.0
        }
    };
    if look.selected {
        selection(pen, rect, own_ring, behind);
    }
    if look.focused && !look.selected {
        pen.halo(rect, CARD_RADIUS, 2.0, Stroke::new(2.0, c.accent));
    }
    if fill == Color32::TRANSPARENT { behind } else { fill }
}

fn selection(pen: &mut Pen<'_>, rect: Rect, own_ring: f32, behind: Color32) {
    let accent = pen.theme.colors.accent;
    if own_ring > 0.0 {
        pen.halo(rect, CARD_RADIUS, own_ring, Stroke::new(2.0, behind));
        pen.halo(rect, CARD_RADIUS, own_ring + 2.0, Stroke::new(2.0, accent));
    } else {
        pen.outlined(rect, CARD_RADIUS, Color32::TRANSPARENT, Stroke::new(2.0, accent));
        pen.halo(rect, CARD_RADIUS, 1.0, Stroke::new(4.0, accent.gamma_multiply(0.20)));
    }
}

fn fill_of(theme: &Theme, card: &CardModel) -> Color32 {
    let c = &theme.colors;
    match card.diff {
        Some(DiffMark::Added) => c.surface_card.lerp_to_gamma(c.status_ok, 0.09),
        Some(DiffMark::Removed) => c.surface_card.lerp_to_gamma(c.status_failed, 0.09),
        _ if card.status.reached() => c.surface_card,
        _ => Color32::TRANSPARENT,
    }
}

fn outline_of(theme: &Theme, card: &CardModel) -> Stroke {
    let c = &theme.colors;
    match (card.diff, card.status) {
        (Some(DiffMark::Changed), _) => Stroke::new(1.5, c.accent),
        (Some(DiffMark::Added), _) => Stroke::new(1.5, c.status_ok),
        (Some(DiffMark::Removed), _) => Stroke::new(1.5, c.status_failed),
        (_, Status::Failed) => Stroke::new(1.0, c.status_failed),
        (_, Status::Injected) => Stroke::new(1.0, c.status_injected),
        _ => Stroke::new(1.0, c.line),
    }
}

/// Breakpoint, tile, name, count.
fn first_line(pen: &mut Pen<'_>, card: &CardModel, look: CardLook, rect: Rect, fill: Color32) {
    let c = &pen.theme.colors;
    let at = |pen: &Pen<'_>, x: f32, y: f32| rect.min + vec2(x, y) * pen.view.zoom;
    let hover = look.gutter_hovered.then_some(BreakpointMark::Hover);
    if let Some(mark) = card.breakpoint.or(hover) {
        let shapes = mark.shapes(pen.theme, at(pen, 10.0, 18.0), pen.scale(16.0), fill);
        shapes.into_iter().for_each(|shape| pen.add(shape));
    }
    kind_tile(pen, card.kind, at(pen, 30.0, 18.0), card.status.reached());
    let mid = at(pen, 48.0, 18.0);
    let right = rect.right() - pen.scale(12.0);
    let mut name_right = rect.right() - pen.scale(8.0);
    if card.count > 1 {
        let count = format!("×{}", format::count(card.count));
        let from = egui::pos2(right, mid.y);
        let left = pen.words(Words::small(&count, from, right - mid.x, c.text_secondary).to_right());
        name_right = left - pen.scale(8.0);
    }
    let (face, color) = match card.status {
        Status::NotReached | Status::Later => (Face::Regular, c.text_tertiary),
        Status::Ghost => (Face::Regular, c.text_secondary),
        Status::Aborted | Status::Abandoned => (Face::Strong, c.text_secondary),
        _ => (Face::Strong, c.text_primary),
    };
    pen.words(Words { face, ..Words::strong(&card.name, mid, name_right - mid.x, color) });
}

/// The kind's glyph on its tile; grey and without a tile while not reached.
pub(crate) fn kind_tile(pen: &mut Pen<'_>, kind: NodeKind, center: Pos2, reached: bool) {
    if reached {
        let tile = Rect::from_center_size(center, egui::Vec2::splat(pen.scale(20.0)));
        pen.fill(tile, f32::from(Radius::TILE), kind.tile(pen.theme));
        pen.glyph(kind.glyph(), center, pen.scale(16.0), kind.hue(pen.theme));
    } else {
        pen.glyph(kind.glyph(), center, pen.scale(16.0), pen.theme.colors.text_tertiary);
    }
}

/// Status glyph and word, then durations and tokens.
fn second_line(pen: &mut Pen<'_>, card: &CardModel, look: CardLook, rect: Rect) {
    let status = if card.hold.is_some() { Status::Held } else { card.status };
    let color = status.color(pen.theme);
    let at = |pen: &Pen<'_>, x: f32| rect.min + vec2(x, 40.0) * pen.view.zoom;
    pen.glyph(status.glyph(), at(pen, 30.0), pen.scale(12.0), color);
    let right = rect.right() - pen.scale(4.0);
    let left = at(pen, 48.0);
    let (word, detail) = second_words(card, look.now_ms);
    let end = pen.words(Words::small(&word, left, right - left.x, color));
    let gap = pen.scale(6.0);
    let mut from = egui::pos2(end + gap, left.y);
    if let Some(failed) = &card.failed {
        let end = pen.words(Words::small(failed, from, right - from.x, pen.theme.colors.status_failed));
        from.x = end + gap;
    }
    pen.words(Words::small(&detail, from, right - from.x, pen.theme.colors.text_secondary));
}

/// The words of the second line; what runs counts whole seconds.
fn second_words(card: &CardModel, now_ms: f64) -> (String, String) {
    if let Some(hold) = &card.hold {
        let time = hold.since_ms.map(|since| format!(" {}", format::clock(now_ms - since)));
        let word = format!("held{}", time.unwrap_or_default());
        let more = if hold.more == 0 { String::new() } else { format!(" · {} more", hold.more) };
        return (word, format!("{}{more}", hold.place));
    }
    let word = card.word.as_deref().unwrap_or_else(|| card.status.word()).to_owned();
    match card.since_ms {
        Some(since) if card.status == Status::Running => {
            let time = format::running(now_ms - since);
            let rest = if card.detail.is_empty() { String::new() } else { format!(" · {}", card.detail) };
            (word, format!("{time}{rest}"))
        }
        _ => (word, card.detail.to_string()),
    }
}

/// The last words of the stream on two lines, and a block at their end while it runs.
fn stream(pen: &mut Pen<'_>, card: &CardModel, rect: Rect) {
    let Some(text) = &card.stream else { return };
    if !card.model_call {
        return;
    }
    let c = &pen.theme.colors;
    let width = rect.width() - pen.scale(48.0 + 8.0);
    let lines = last_lines(pen, text, width - pen.scale(8.0));
    let mut end = None;
    for (line, y) in lines.iter().zip([58.0, 74.0]) {
        let left = rect.min + vec2(48.0, y) * pen.view.zoom;
        let x = pen.words(Words::small(line, left, width, c.text_secondary));
        end = Some(egui::pos2(x, left.y));
    }
    if let Some(end) = end.filter(|_| card.status == Status::Running) {
        let size = vec2(6.0, 12.0) * pen.view.zoom;
        let block = Rect::from_center_size(end + vec2(pen.scale(2.0) + size.x / 2.0, 0.0), size);
        pen.fill(block, 1.0, c.status_running);
    }
}

/// Wraps the text and keeps its last two lines, the first with an ellipsis if something stands before it.
fn last_lines(pen: &mut Pen<'_>, text: &str, width: f32) -> Vec<String> {
    let words = text.split_whitespace().flat_map(|word| pieces(pen, word, width)).collect::<Vec<_>>();
    let space = pen.width("n n", Face::Regular, 12.0) - pen.width("nn", Face::Regular, 12.0);
    let mut lines: Vec<(String, f32)> = Vec::new();
    for word in words {
        let wide = pen.width(word, Face::Regular, 12.0).min(width);
        match lines.last_mut() {
            Some((line, used)) if *used + space + wide <= width => {
                line.push(' ');
                line.push_str(word);
                *used += space + wide;
            }
            _ => lines.push((word.to_owned(), wide)),
        }
    }
    let skipped = lines.len() > 2;
    let from = lines.len().saturating_sub(2);
    let mut shown: Vec<String> = lines.drain(from..).map(|(line, _)| line).collect();
    if skipped && let Some(first) = shown.first_mut() {
        first.insert(0, '…');
    }
    shown
}

/// A word in pieces that fit on a line: scripts without spaces, and addresses, are one word for pages. Letters of one
/// word are about equally wide, so its width says how many fit.
fn pieces<'a>(pen: &mut Pen<'_>, word: &'a str, width: f32) -> Vec<&'a str> {
    let wide = pen.width(word, Face::Regular, 12.0);
    if wide <= width || width <= 0.0 {
        return vec![word];
    }
    let chars = word.chars().count().min(LINE_CHARS_MAX);
    let fit = ((chars as f32 * width / wide) as usize).max(1);
    let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).step_by(fit).collect();
    let ends = starts.iter().skip(1).copied().chain([word.len()]);
    starts.iter().zip(ends).map(|(from, to)| &word[*from..to]).collect()
}

fn missing(pen: &mut Pen<'_>, card: &CardModel, rect: Rect) {
    let c = &pen.theme.colors;
    pen.dashed(rect, CARD_RADIUS, Stroke::new(1.0, c.line_strong), 4.0, 3.0);
    let width = pen.width(&card.detail, Face::Regular, 12.0);
    let left = rect.center() - vec2(width / 2.0, 0.0);
    pen.words(Words::small(&card.detail, left, rect.width() - 8.0, c.text_tertiary));
}

fn diff_disc(pen: &mut Pen<'_>, mark: DiffMark, rect: Rect) {
    let c = &pen.theme.colors;
    let (sign, color, soft) = match mark {
        DiffMark::Changed => ("≠", c.accent, c.accent_soft),
        DiffMark::Added => ("+", c.status_ok, c.ok_soft),
        DiffMark::Removed => ("−", c.status_failed, c.failed_soft),
        DiffMark::Missing => return,
    };
    let disc = Rect::from_center_size(rect.min, egui::Vec2::splat(pen.scale(20.0)));
    pen.outlined(disc, 10.0, soft, Stroke::new(1.5, color));
    let width = pen.width(sign, Face::Strong, 12.0);
    let left = disc.center() - vec2(width / 2.0, 0.0);
    pen.words(Words { size: 12.0, ..Words::strong(sign, left, 40.0, color) });
}

/// Glyph, name and status glyph, with text at 12 whatever the zoom.
fn named(pen: &mut Pen<'_>, card: &CardModel, look: CardLook) {
    let rect = pen.view.rect(card.rect);
    if card.diff == Some(DiffMark::Missing) {
        return pen.dashed(rect, CARD_RADIUS, Stroke::new(1.0, pen.theme.colors.line_strong), 4.0, 3.0);
    }
    let fill = body(pen, card, look, rect);
    let c = &pen.theme.colors;
    let mid = rect.center().y;
    let status = if card.hold.is_some() { Status::Held } else { card.status };
    let reached = card.status.reached();
    let hue = if reached { card.kind.hue(pen.theme) } else { c.text_tertiary };
    let wide = rect.width() >= 100.0;
    let glyph_x = if wide { 16.0 } else { 12.0 };
    pen.glyph(card.kind.glyph(), egui::pos2(rect.left() + glyph_x, mid), 14.0, hue);
    if let Some(mark) = card.breakpoint {
        let at = egui::pos2(rect.left() + 2.0, rect.top() + 2.0);
        mark.shapes(pen.theme, at, 12.0, fill).into_iter().for_each(|shape| pen.add(shape));
    }
    pen.glyph(status.glyph(), egui::pos2(rect.right() - glyph_x + 2.0, mid), 12.0, status.color(pen.theme));
    let left = egui::pos2(rect.left() + glyph_x + 11.0, mid);
    let color = if reached { c.text_primary } else { c.text_tertiary };
    let width = rect.right() - glyph_x - 6.0 - left.x;
    pen.words(
        Words { face: Face::Regular, size: 12.0, ..Words::strong(&card.name, left, width, color) }.fixed(),
    );
}

/// A block of hue with the state as its outline.
fn block(pen: &mut Pen<'_>, card: &CardModel, look: CardLook) {
    let rect = pen.view.rect(card.rect);
    let fill = if card.status.reached() { card.kind.block(pen.theme) } else { Color32::TRANSPARENT };
    let quiet = matches!(card.status, Status::Ok | Status::Cached | Status::Retried);
    let stroke = match () {
        () if card.hold.is_some() => Stroke::new(1.5, pen.theme.colors.held_ring),
        () if quiet => Stroke::NONE,
        () if card.status.reached() => Stroke::new(1.5, card.status.color(pen.theme)),
        () => Stroke::new(1.0, pen.theme.colors.line),
    };
    pen.outlined(rect, CARD_RADIUS, fill, Stroke::new(stroke.width.max(1.0), stroke.color));
    if card.hold.is_some() {
        let halo = pen.theme.colors.held_fill.gamma_multiply(0.30);
        pen.halo(rect, CARD_RADIUS, 0.5, Stroke::new(3.0, halo));
    }
    if look.selected {
        pen.halo(rect, CARD_RADIUS, 2.0, Stroke::new(2.0, pen.theme.colors.accent));
    }
}

/// Below a readable size a speck of hue, or of what runs and failed; what needs a person keeps its ring.
fn dot(pen: &mut Pen<'_>, card: &CardModel, look: CardLook) {
    let rect = pen.view.rect(card.rect);
    if card.status.reached() {
        let hue = match card.status {
            Status::Failed | Status::Running => card.status.color(pen.theme),
            _ => card.kind.block(pen.theme),
        };
        pen.quad(rect, hue.gamma_multiply(0.55));
    }
    if card.hold.is_some() {
        let ring = Rect::from_center_size(rect.center(), rect.size().max(egui::Vec2::splat(8.0)));
        pen.halo(ring, 2.0, -2.0, Stroke::new(2.0, pen.theme.colors.held_ring));
    }
    if look.selected {
        let ring = Rect::from_center_size(rect.center(), rect.size().max(egui::Vec2::splat(8.0)));
        pen.halo(ring, 2.0, 0.0, Stroke::new(2.0, pen.theme.colors.accent));
    }
}

/// Glyph that a folded box or a card shows for a hold elsewhere.
pub(crate) fn badge(pen: &mut Pen<'_>, glyph: Glyph, text: &str, left: Pos2, color: Color32) -> f32 {
    pen.glyph(glyph, left + vec2(pen.scale(6.0), 0.0), pen.scale(12.0), color);
    pen.words(Words::small(text, left + vec2(pen.scale(16.0), 0.0), 400.0, color))
}
