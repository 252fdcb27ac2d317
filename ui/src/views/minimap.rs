//! The minimap: everything small, and what is in view. Shown only while something is out of view.
//!
//! Invariant: its picture is made once for each change of the model; a frame only moves the frame in it.

use std::sync::Arc;

use egui::epaint::Mesh;
use egui::{Color32, CornerRadius, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use crate::paint::View;
use crate::scene::CanvasModel;
use crate::theme::{Radius, Theme};

const SIZE: egui::Vec2 = vec2(178.0, 122.0);
const INSET: f32 = 8.0;

/// What a picture was made for: the model, the theme, and where it stands.
type Of = (u64, bool, Rect);

/// The minimap's picture between frames.
#[derive(Debug, Default)]
pub(crate) struct Minimap {
    picture: Option<(Of, Arc<Mesh>)>,
}

/// Shows it in a corner of `screen`, away from what is held. Returns the canvas point the view should be centred on, if
/// asked.
pub(crate) fn show(
    ui: &Ui,
    screen: Rect,
    view: &View,
    model: &CanvasModel,
    held: impl Iterator<Item = Rect> + Clone,
    kept: &mut Minimap,
) -> Option<Pos2> {
    let bounds = model.bounds?;
    if view.visible().contains_rect(bounds.shrink(8.0)) || screen.width() < 420.0 || screen.height() < 260.0 {
        return None;
    }
    let outer = corner(screen, held)?;
    let theme = Theme::of(ui);
    let fit = Fit::new(bounds, outer.shrink(INSET));
    let response = ui.interact(outer, ui.scope_id().with("minimap"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Minimap"));
    let painter = ui.painter().with_clip_rect(screen);
    painter.add(theme.minimap_shadow().as_shape(outer, CornerRadius::same(Radius::CARD)));
    let stroke = Stroke::new(1.0, theme.colors.line);
    painter.rect(
        outer,
        CornerRadius::same(Radius::CARD),
        theme.colors.surface_raised,
        stroke,
        StrokeKind::Inside,
    );
    let of = (model.revision, theme.dark, outer);
    let known = kept.picture.take().filter(|(made_for, _)| *made_for == of);
    let (_, mesh) = kept.picture.insert(known.unwrap_or_else(|| (of, Arc::new(picture(theme, model, &fit)))));
    painter.add(Shape::mesh(Arc::clone(mesh)));
    let seen = fit.rect(view.visible()).intersect(outer.shrink(INSET - 2.0));
    if seen.is_positive() {
        let stroke = Stroke::new(1.5, theme.colors.accent);
        painter.rect_stroke(seen, CornerRadius::same(2), stroke, StrokeKind::Inside);
    }
    let pressed = response.clicked() || response.dragged();
    response.interact_pointer_pos().filter(|_| pressed).map(|at| fit.to_canvas(at))
}

/// The first corner, from the bottom right on, in which it covers no held card: a hold is never hidden. None if each
/// would.
fn corner(screen: Rect, held: impl Iterator<Item = Rect> + Clone) -> Option<Rect> {
    let free = screen.shrink(16.0);
    let (right, bottom) = (free.right() - SIZE.x, free.bottom() - SIZE.y);
    let corners = [(right, bottom), (free.left(), bottom), (right, free.top()), (free.left(), free.top())];
    let at = |(x, y)| Rect::from_min_size(Pos2::new(x, y), SIZE);
    corners.map(at).into_iter().find(|corner| !held.clone().any(|card| card.expand(8.0).intersects(*corner)))
}

struct Fit {
    bounds: Rect,
    inner: Rect,
    scale: f32,
}

impl Fit {
    fn new(bounds: Rect, inner: Rect) -> Self {
        let scale = (inner.width() / bounds.width().max(1.0)).min(inner.height() / bounds.height().max(1.0));
        Self { bounds, inner, scale }
    }

    fn pos(&self, at: Pos2) -> Pos2 {
        self.inner.center() + (at - self.bounds.center()) * self.scale
    }

    fn rect(&self, rect: Rect) -> Rect {
        Rect::from_min_max(self.pos(rect.min), self.pos(rect.max))
    }

    fn to_canvas(&self, at: Pos2) -> Pos2 {
        self.bounds.center() + (at - self.inner.center()) / self.scale
    }
}

fn picture(theme: &Theme, model: &CanvasModel, fit: &Fit) -> Mesh {
    let mut mesh = Mesh::default();
    for b in &model.boxes {
        let rect = fit.rect(b.rect);
        mesh.add_colored_rect(rect, theme.colors.line);
        let fill = match () {
            () if b.folded && b.tally.held > 0 => theme.colors.held_fill,
            () if b.folded && b.tally.calls > 0 => b.kind.bar(theme),
            () => crate::paint::level_surface(theme, b.level),
        };
        mesh.add_colored_rect(rect.shrink(1.0), fill);
    }
    for card in &model.cards {
        let mut rect = fit.rect(card.rect);
        rect.set_width(rect.width().max(2.0));
        rect.set_height(rect.height().max(1.5));
        mesh.add_colored_rect(rect, dot(theme, card));
    }
    mesh
}

fn dot(theme: &Theme, card: &crate::scene::CardModel) -> Color32 {
    match card.status {
        _ if card.hold.is_some() => theme.colors.held_fill,
        crate::theme::Status::Failed => theme.colors.status_failed,
        status if status.reached() => card.kind.bar(theme),
        _ => theme.colors.line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn it_goes_to_a_corner_where_nothing_is_held_and_hides_when_there_is_none() {
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(640.0, 400.0));
        let card = |x, y| Rect::from_min_size(pos2(x, y), vec2(184.0, 88.0));
        let (low, high) = (card(420.0, 300.0), card(420.0, 20.0));
        let wide = Rect::from_min_size(Pos2::ZERO, vec2(640.0, 400.0));
        for (held, place) in [
            (vec![], Some(pos2(446.0, 262.0))),
            (vec![low], Some(pos2(16.0, 262.0))),
            (vec![low, card(20.0, 260.0)], Some(pos2(446.0, 16.0))),
            (vec![low, card(20.0, 260.0), high], Some(pos2(16.0, 16.0))),
            (vec![wide], None),
        ] {
            assert_eq!(corner(screen, held.iter().copied()).map(|corner| corner.min), place, "{held:?}");
        }
    }
}
