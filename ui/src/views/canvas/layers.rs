//! One frame of the canvas, layer by layer: boxes, edges, box headers, count pills, cards with their rings.

use std::borrow::Cow;
use std::collections::BTreeSet;

use egui::Painter;

use super::contact::Contact;
use super::index::Seen;
use super::motion::{Births, Folds};
use super::{CanvasView, Moving};
use crate::paint::{self, CardLook, Lod, Pen, StripLook};
use crate::scene::{BoxModel, CanvasModel, CardModel, EdgeModel, HoldModel};
use crate::theme::Status;

/// How much of a dimmed thing is left: enough to find it.
const DIM: f32 = 0.35;
const CYCLE_S: f64 = 1.6;

/// The model, and what of it is in view.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) model: &'a CanvasModel,
    pub(super) seen: &'a Seen,
    /// Held cards, by position.
    pub(super) held: &'a [u32],
    /// What led to the selected failure.
    pub(super) failing: &'a [u64],
}

impl<'a> Shown<'a> {
    fn cards(self) -> impl Iterator<Item = &'a CardModel> {
        self.seen.cards.iter().map(move |at| &self.model.cards[*at as usize])
    }

    fn boxes(self) -> impl Iterator<Item = &'a BoxModel> {
        self.seen.boxes.iter().map(move |at| &self.model.boxes[*at as usize])
    }

    fn edges(self) -> impl Iterator<Item = &'a EdgeModel> {
        self.seen.edges.iter().map(move |at| &self.model.edges[*at as usize])
    }
}

pub(super) fn paint(
    pen: &mut Pen<'_>,
    painter: &Painter,
    shown: &Shown<'_>,
    view: &CanvasView<'_>,
    contact: &Contact,
    (births, folds): (&Births, &Folds),
) -> Moving {
    let mut layer = Layers { shown: *shown, view, contact, births, folds, moving: Moving::default() };
    layer.boxes(pen);
    layer.edges(pen);
    pen.flush(painter);
    layer.headers(pen);
    layer.pills(pen);
    pen.flush(painter);
    layer.cards(pen);
    pen.flush(painter);
    layer.counts(pen);
    pen.flush(painter);
    layer.moving
}

struct Layers<'a> {
    shown: Shown<'a>,
    view: &'a CanvasView<'a>,
    contact: &'a Contact,
    births: &'a Births,
    folds: &'a Folds,
    moving: Moving,
}

impl Layers<'_> {
    fn ink(&mut self, pen: &mut Pen<'_>, key: u64, dim: bool) {
        let born = self.births.opacity(key, self.view.time_s);
        self.moving.fading |= born < 1.0;
        pen.opacity = born * if dim { DIM } else { 1.0 };
    }

    fn pulse(&self) -> f32 {
        if self.view.reduced_motion {
            return 0.16;
        }
        let turn = (self.view.time_s.rem_euclid(CYCLE_S) / CYCLE_S) as f32 * std::f32::consts::TAU;
        0.16 + 0.06 * turn.sin()
    }

    fn boxes(&mut self, pen: &mut Pen<'_>) {
        for b in self.shown.boxes() {
            self.ink(pen, b.key, b.dim && b.folded);
            let look = self.box_look(b);
            let b = &*self.on_the_way(b);
            if b.folded {
                let running = b.tally.running > 0 || b.status == Status::Running;
                self.moving.running |= running;
                paint::folded_box(pen, b, look);
            } else {
                paint::open_box(pen, b, look);
            }
            self.moving.counting |= b.hold.is_some();
        }
        pen.opacity = 1.0;
    }

    /// The box as it looks now, while it is folded or opened.
    fn on_the_way<'b>(&mut self, b: &'b BoxModel) -> Cow<'b, BoxModel> {
        match self.folds.rect(b, self.view.time_s) {
            Some(rect) => {
                self.moving.fading = true;
                Cow::Owned(BoxModel { rect, ..b.clone() })
            }
            None => Cow::Borrowed(b),
        }
    }

    fn box_look(&self, b: &BoxModel) -> CardLook {
        CardLook {
            selected: self.view.selected == Some(&b.target),
            focused: self.contact.focused == Some(b.key),
            now_ms: self.view.now_ms,
            pulse: self.pulse(),
            failing: self.shown.failing.contains(&b.key),
            ..CardLook::default()
        }
    }

    fn edges(&mut self, pen: &mut Pen<'_>) {
        if pen.view.lod() == Lod::Count {
            return;
        }
        let ringed = self.ringed();
        for edge in self.shown.edges() {
            let born = self
                .births
                .opacity(edge.to, self.view.time_s)
                .min(self.births.opacity(edge.from, self.view.time_s));
            pen.opacity = born * if edge.dim { DIM } else { 1.0 };
            let early = if ringed.contains(&edge.to) && edge.look.arrow() { 7.0 } else { 0.0 };
            let ends = |key| self.shown.failing.contains(key);
            paint::edge(pen, edge, early, ends(&edge.from) && ends(&edge.to));
        }
        pen.opacity = 1.0;
    }

    /// Cards with a ring: edges end at it.
    fn ringed(&self) -> Vec<u64> {
        let held = self.shown.held.iter().map(|at| self.shown.model.cards[*at as usize].key);
        let selected = self.shown.cards().filter(|card| self.view.selected == Some(&card.target));
        held.chain(selected.map(|card| card.key)).collect()
    }

    fn headers(&mut self, pen: &mut Pen<'_>) {
        if pen.view.lod() == Lod::Count {
            return;
        }
        for b in self.shown.boxes().filter(|b| !b.folded) {
            self.ink(pen, b.key, false);
            paint::open_box_header(pen, &self.on_the_way(b), self.contact.chevron == Some(b.key));
        }
        pen.opacity = 1.0;
    }

    fn pills(&self, pen: &mut Pen<'_>) {
        let seen = pen.view.visible();
        for edge in self.shown.edges().filter(|edge| edge.count > 1 && seen.contains(edge.pill)) {
            pen.opacity = if edge.dim { DIM } else { 1.0 };
            paint::pill(pen, edge);
        }
        pen.opacity = 1.0;
    }

    fn cards(&mut self, pen: &mut Pen<'_>) {
        for card in self.shown.cards() {
            self.ink(pen, card.key, card.dim && card.hold.is_none());
            self.moving.running |= card.status == Status::Running && card.hold.is_none();
            self.moving.counting |= card.hold.is_some();
            paint::card(pen, card, self.card_look(card));
        }
        pen.opacity = 1.0;
    }

    fn card_look(&self, card: &CardModel) -> CardLook {
        CardLook {
            selected: self.view.selected == Some(&card.target),
            focused: self.contact.focused == Some(card.key),
            gutter_hovered: self.contact.gutter == Some(card.key),
            now_ms: self.view.now_ms,
            pulse: self.pulse(),
            failing: self.shown.failing.contains(&card.key),
            strip: card.hold.as_ref().map(|hold| self.strip_look(card.key, hold)).unwrap_or_default(),
        }
    }

    fn strip_look(&self, key: u64, hold: &HoldModel) -> StripLook {
        let here = |at: Option<(u64, _)>| at.filter(|(card, _)| *card == key).map(|(_, verb)| verb);
        StripLook {
            hovered: here(self.contact.button),
            focused: here(self.contact.button_focused),
            pressed: self.view.editor.filter(|(pause, _)| *pause == &*hold.pause).map(|(_, verb)| verb),
            no_edit: !hold.editable,
            armed: self.view.armed == Some(&*hold.pause),
            waiting: self.view.waiting.contains(&hold.pause),
        }
    }

    /// A count on each innermost box that has room for one.
    fn counts(&self, pen: &mut Pen<'_>) {
        if pen.view.lod() > Lod::Count {
            return;
        }
        let seen = pen.view.visible();
        let fits = |b: &BoxModel| b.rect.intersects(seen) && paint::count_fits(pen.view.rect(b.rect));
        let shown: Vec<&BoxModel> = self.shown.boxes().filter(|b| fits(b)).collect();
        let around: BTreeSet<u64> = shown.iter().filter_map(|b| b.parent).collect();
        for b in shown.into_iter().filter(|b| !around.contains(&b.key)) {
            paint::count(pen, b);
        }
    }
}
