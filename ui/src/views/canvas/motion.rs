//! What moves by itself when the model changes: new things fade in, a box that is folded or opened changes its size.
//!
//! Invariant: everything is over within 200 ms, nothing else moves along, and nothing moves at all where motion is
//! unwelcome. The model is always where it will be: only the picture lags behind.

use std::collections::HashMap;

use egui::Rect;

use super::CanvasView;
use crate::scene::{BoxModel, CanvasModel};

/// When each card and box was first seen, to fade it in; nothing fades when a run is opened.
#[derive(Debug, Default)]
pub(crate) struct Births {
    born: HashMap<u64, f64>,
    opened: bool,
}

impl Births {
    const FADE_S: f64 = 0.16;

    pub(super) fn see(&mut self, model: &CanvasModel, view: &CanvasView<'_>) {
        let at = if self.opened && !view.reduced_motion { view.time_s } else { f64::NEG_INFINITY };
        self.opened = self.opened || !model.cards.is_empty();
        let keys = model.cards.iter().map(|card| card.key).chain(model.boxes.iter().map(|b| b.key));
        // What went with a fold is forgotten: it fades in when the box is opened.
        let mut born = HashMap::with_capacity(model.cards.len() + model.boxes.len());
        born.extend(keys.map(|key| (key, self.born.get(&key).copied().unwrap_or(at))));
        self.born = born;
    }

    /// 1 once it is fully there.
    pub(crate) fn opacity(&self, key: u64, time_s: f64) -> f32 {
        let Some(born) = self.born.get(&key) else { return 1.0 };
        let t = ((time_s - born) / Self::FADE_S).clamp(0.0, 1.0) as f32;
        1.0 - (1.0 - t) * (1.0 - t)
    }
}

/// Boxes that are being folded or opened.
#[derive(Debug, Default)]
pub(crate) struct Folds {
    known: HashMap<u64, (Rect, bool)>,
    /// From which rectangle on, and since when.
    moving: HashMap<u64, (Rect, f64)>,
}

impl Folds {
    const FOLD_S: f64 = 0.14;

    pub(super) fn see(&mut self, model: &CanvasModel, view: &CanvasView<'_>) {
        self.moving.retain(|_, (_, since)| view.time_s - *since < Self::FOLD_S);
        for b in model.boxes.iter().filter(|b| b.part == 0 && !view.reduced_motion) {
            if let Some((from, folded)) = self.known.get(&b.key)
                && *folded != b.folded
            {
                self.moving.insert(b.key, (*from, view.time_s));
            }
        }
        self.known.clear();
        self.known.extend(model.boxes.iter().filter(|b| b.part == 0).map(|b| (b.key, (b.rect, b.folded))));
    }

    /// The rectangle a box is on the way through; none once it has arrived.
    pub(crate) fn rect(&self, b: &BoxModel, time_s: f64) -> Option<Rect> {
        let (from, since) = self.moving.get(&b.key).filter(|_| b.part == 0)?;
        let t = ((time_s - since) / Self::FOLD_S) as f32;
        let eased = t * t * (3.0 - 2.0 * t);
        (t < 1.0).then(|| from.lerp_towards(&b.rect, eased.max(0.0)))
    }
}
