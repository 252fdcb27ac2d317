//! From where the canvas is looked at, and how the look moves there.
//!
//! Invariant: a zoom keeps the point under the pointer where it is; a movement that was asked for takes 180 ms and a
//! drag takes none. Only this file decides how near or far one can go.

use egui::{Pos2, Rect, Vec2};

use crate::paint::View;

/// Nearest.
pub(crate) const ZOOM_MAX: f32 = 2.0;
/// Farthest.
pub(crate) const ZOOM_MIN: f32 = 0.02;
const GLIDE_S: f64 = 0.18;
const MARGIN: f32 = 24.0;

/// Where from, and where to.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    origin: Pos2,
    zoom: f32,
    glide: Option<Glide>,
}

#[derive(Clone, Copy, Debug)]
struct Glide {
    from: (Pos2, f32),
    to: (Pos2, f32),
    start_s: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { origin: Pos2::ZERO, zoom: 1.0, glide: None }
    }
}

impl Camera {
    /// Screen points for a canvas point.
    pub fn zoom(&self) -> f32 {
        self.zoom
    }

    /// The view of `screen`, the origin on whole pixels so that nothing shimmers.
    pub(crate) fn view(&self, screen: Rect, pixels_per_point: f32) -> View {
        let snap = self.zoom * pixels_per_point;
        let origin = (self.origin.to_vec2() * snap).round() / snap;
        View { screen, origin: origin.to_pos2(), zoom: self.zoom }
    }

    /// Moves on; true while still on the way.
    pub(crate) fn tick(&mut self, time_s: f64) -> bool {
        let Some(glide) = self.glide else { return false };
        let t = ((time_s - glide.start_s) / GLIDE_S).clamp(0.0, 1.0) as f32;
        let eased = t * t * (3.0 - 2.0 * t);
        self.origin = glide.from.0.lerp(glide.to.0, eased);
        self.zoom = egui::lerp(glide.from.1..=glide.to.1, eased);
        if t >= 1.0 {
            self.glide = None;
        }
        self.glide.is_some()
    }

    pub(crate) fn pan(&mut self, screen_delta: Vec2) {
        self.glide = None;
        self.origin -= screen_delta / self.zoom;
    }

    /// Zooms by a factor and keeps the canvas point under `at`, in points from the canvas's top left.
    pub(crate) fn zoom_at(&mut self, at: Vec2, factor: f32) {
        self.glide = None;
        let zoom = (self.zoom * factor).clamp(ZOOM_MIN, ZOOM_MAX);
        self.origin += at / self.zoom - at / zoom;
        self.zoom = zoom;
    }

    fn glide_to(&mut self, origin: Pos2, zoom: f32, time_s: Option<f64>) {
        match time_s {
            Some(start_s) => {
                self.glide = Some(Glide { from: (self.origin, self.zoom), to: (origin, zoom), start_s });
            }
            None => {
                (self.origin, self.zoom, self.glide) = (origin, zoom, None);
            }
        }
    }

    /// Where it will be once it has arrived.
    fn target(&self) -> (Pos2, f32) {
        self.glide.map_or((self.origin, self.zoom), |glide| glide.to)
    }

    /// Brings a rectangle into view whole, never nearer than `zoom_max`. Without a time, at once.
    pub(crate) fn fit(&mut self, rect: Rect, screen: Vec2, zoom_max: f32, time_s: Option<f64>) {
        let zoom = fit_zoom(rect, screen).clamp(ZOOM_MIN, zoom_max);
        self.glide_to(rect.center() - screen / (2.0 * zoom), zoom, time_s);
    }

    /// Centres a canvas point.
    pub(crate) fn center(&mut self, at: Pos2, screen: Vec2, time_s: Option<f64>) {
        let zoom = self.target().1;
        self.glide_to(at - screen / (2.0 * zoom), zoom, time_s);
    }

    /// Moves as little as possible until the rectangle is in view, at `zoom_min` at least.
    pub(crate) fn reveal(&mut self, rect: Rect, screen: Vec2, zoom_min: f32, time_s: Option<f64>) {
        let (origin, zoom) = self.target();
        if zoom < zoom_min {
            return self.glide_to(rect.center() - screen / (2.0 * zoom_min), zoom_min, time_s);
        }
        let wanted = rect.expand(MARGIN / zoom);
        let size = screen / zoom;
        let shift = |low: f32, high: f32, from: f32, length: f32| {
            if high - low > length || low < from { low - from } else { (high - from - length).max(0.0) }
        };
        let by = Vec2::new(
            shift(wanted.left(), wanted.right(), origin.x, size.x),
            shift(wanted.top(), wanted.bottom(), origin.y, size.y),
        );
        if by != Vec2::ZERO {
            self.glide_to(origin + by, zoom, time_s);
        }
    }
}

/// The zoom at which a rectangle with a margin fills the screen.
pub(crate) fn fit_zoom(rect: Rect, screen: Vec2) -> f32 {
    let within = |margin: f32| {
        let room = screen - Vec2::splat(2.0 * margin);
        (room.x / rect.width().max(1.0)).min(room.y / rect.height().max(1.0)).max(ZOOM_MIN)
    };
    // Text is sharpest at its own size: a narrower margin is a fair price for it.
    if within(MARGIN) < 1.0 && within(MARGIN / 4.0) >= 1.0 { 1.0 } else { within(MARGIN) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    const SCREEN: Rect = Rect { min: Pos2::ZERO, max: pos2(800.0, 600.0) };

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        for factor in [0.2, 0.9, 1.3, 50.0, 0.0001] {
            let mut camera = Camera::default();
            camera.pan(vec2(-37.0, 12.0));
            let at = pos2(310.0, 255.0);
            let before = View { screen: SCREEN, origin: camera.origin, zoom: camera.zoom }.to_canvas(at);
            camera.zoom_at(at.to_vec2(), factor);
            let after = View { screen: SCREEN, origin: camera.origin, zoom: camera.zoom }.to_canvas(at);
            assert!((before - after).length() < 0.01, "{factor}: {before:?} {after:?}");
        }
    }

    #[test]
    fn fitting_shows_all_of_a_rectangle_and_never_enlarges_beyond_the_limit() {
        for rect in [
            Rect::from_min_size(pos2(50.0, -900.0), vec2(4000.0, 300.0)),
            Rect::from_center_size(Pos2::ZERO, vec2(10.0, 10.0)),
        ] {
            let mut camera = Camera::default();
            camera.fit(rect, SCREEN.size(), 1.0, None);
            let view = camera.view(SCREEN, 1.0);
            assert!(view.visible().contains_rect(rect), "{rect:?}");
            assert!(view.zoom <= 1.0);
        }
    }

    #[test]
    fn revealing_what_is_in_view_moves_nothing() {
        let mut camera = Camera::default();
        camera.reveal(Rect::from_min_size(pos2(100.0, 100.0), vec2(184.0, 56.0)), SCREEN.size(), 0.5, None);
        assert_eq!(camera.origin, Pos2::ZERO);
        camera.reveal(Rect::from_min_size(pos2(900.0, 100.0), vec2(184.0, 56.0)), SCREEN.size(), 0.5, None);
        assert_eq!(camera.origin, pos2(900.0 + 184.0 + 24.0 - 800.0, 0.0));
    }
}
