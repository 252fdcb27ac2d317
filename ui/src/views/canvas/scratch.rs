//! What the canvas keeps between frames: camera, caches, what was seen before, what the pointer does.
//!
//! Invariant: losing all of it changes nothing about the run, only where one looked.

use egui::{Context, Rect, Vec2};

use super::camera::{Camera, fit_zoom};
use super::head::Crumbs;
use super::index::{Index, Seen};
use super::motion::{Births, Folds};
use super::{CanvasView, contact::Focus};
use crate::paint::Inks;
use crate::scene::{CanvasModel, Target};
use crate::theme::Status;
use crate::views::minimap::Minimap;

/// A movement of the camera, as asked by keys, palette or buttons.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraMove {
    /// Everything in view.
    Fit,
    /// One step nearer.
    In,
    /// One step away.
    Out,
    /// Zoom 1.
    Actual,
    /// Keep what runs in view, or stop.
    ToggleFollow,
    /// Bring this into view, with as little movement as possible.
    Reveal(Target),
    /// Zoom to this.
    Enter(Target),
}

/// The canvas between frames.
#[derive(Debug)]
pub struct CanvasScratch {
    /// From where it is looked at.
    pub camera: Camera,
    /// Keep what runs in view.
    pub follow: bool,
    pub(crate) minimap: Minimap,
    pub(super) inks: Inks,
    pub(super) births: Births,
    pub(super) folds: Folds,
    pub(super) focus: Focus,
    pub(super) gliding: bool,
    pub(super) index: Index,
    pub(super) seen: Seen,
    pub(super) crumbs: Crumbs,
    screen: Vec2,
    moves: Vec<CameraMove>,
    run: Option<std::sync::Arc<str>>,
    revision: u64,
    fitted: bool,
}

impl Default for CanvasScratch {
    fn default() -> Self {
        Self {
            camera: Camera::default(),
            follow: true,
            minimap: Minimap::default(),
            inks: Inks::default(),
            births: Births::default(),
            folds: Folds::default(),
            focus: Focus::default(),
            gliding: false,
            index: Index::default(),
            seen: Seen::default(),
            crumbs: Crumbs::default(),
            screen: Vec2::ZERO,
            moves: Vec::new(),
            run: None,
            revision: 0,
            fitted: false,
        }
    }
}

impl CanvasScratch {
    /// Asks for a movement; it is made when the canvas is next shown.
    pub fn ask(&mut self, movement: CameraMove) {
        self.moves.push(movement);
    }

    pub(super) fn begin(&mut self, ctx: &Context, model: &CanvasModel, view: &CanvasView<'_>, screen: Rect) {
        self.inks.begin(ctx);
        let resized = self.screen != screen.size();
        self.screen = screen.size();
        if self.run != model.run {
            self.run.clone_from(&model.run);
            self.births = Births::default();
            self.folds = Folds::default();
            self.fitted = false;
        }
        let changed = self.revision != model.revision;
        if changed {
            self.revision = model.revision;
            self.births.see(model, view);
            self.folds.see(model, view);
            self.index.build(model);
        }
        let glide = (!view.reduced_motion).then_some(view.time_s);
        if !self.fitted
            && let Some(bounds) = model.bounds
        {
            self.fitted = true;
            self.camera.fit(bounds, self.screen, 1.0, None);
        } else if self.follow && (changed || resized) {
            self.follow_what_runs(model, glide);
        }
        for movement in std::mem::take(&mut self.moves) {
            self.carry_out(&movement, model, glide);
        }
        self.gliding = self.camera.tick(view.time_s);
    }

    /// The whole graph while it is readable so; then what waits for a person, else what runs.
    fn follow_what_runs(&mut self, model: &CanvasModel, glide: Option<f64>) {
        const READABLE: f32 = 0.86;
        let Some(bounds) = model.bounds else { return };
        if fit_zoom(bounds, self.screen) >= READABLE {
            return self.camera.fit(bounds, self.screen, 1.0, glide);
        }
        let held = model.cards.iter().find(|card| card.hold.is_some());
        let running = || model.cards.iter().rev().find(|card| card.status == Status::Running);
        if let Some(card) = held.or_else(running) {
            self.camera.reveal(card.painted(), self.screen, READABLE, glide);
        }
    }

    fn carry_out(&mut self, movement: &CameraMove, model: &CanvasModel, glide: Option<f64>) {
        let middle = self.screen / 2.0;
        match movement {
            CameraMove::Fit => {
                if let Some(bounds) = model.bounds {
                    self.camera.fit(bounds, self.screen, 1.0, glide);
                }
            }
            CameraMove::In => self.camera.zoom_at(middle, 1.25),
            CameraMove::Out => self.camera.zoom_at(middle, 0.8),
            CameraMove::Actual => self.camera.zoom_at(middle, 1.0 / self.camera.zoom()),
            CameraMove::ToggleFollow => {
                self.follow = !self.follow;
                if self.follow {
                    self.follow_what_runs(model, glide);
                }
            }
            CameraMove::Reveal(target) => {
                if let Some(rect) = rect_of(model, target) {
                    self.camera.reveal(rect, self.screen, 0.5, glide);
                }
            }
            CameraMove::Enter(target) => {
                if let Some(rect) = rect_of(model, target) {
                    self.follow = false;
                    self.camera.fit(rect, self.screen, 1.0, glide);
                }
            }
        }
    }
}

fn rect_of(model: &CanvasModel, target: &Target) -> Option<Rect> {
    let card = model.cards.iter().find(|card| card.target == *target).map(|card| card.painted());
    card.or_else(|| model.boxes.iter().find(|b| b.target == *target).map(|b| b.rect))
}
