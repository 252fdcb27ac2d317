//! The head of the canvas: the path to the selection, zoom, fit and follow.

use egui::{Align, Layout, Rect, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::{CameraMove, CanvasAction, CanvasScratch, CanvasView};
use crate::glyph::Glyph;
use crate::scene::{BoxModel, CanvasModel, Target, path_to, way_to_failure};
use crate::theme::Theme;
use crate::widgets::{Button, IconButton, Tone};

pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    model: &CanvasModel,
    view: &CanvasView<'_>,
    scratch: &mut CanvasScratch,
    actions: &mut Vec<CanvasAction>,
) {
    let theme = Theme::of(ui);
    ui.painter().rect_filled(rect, 0, theme.colors.surface_chrome);
    let y = rect.bottom() - 0.5;
    ui.painter().hline(rect.x_range(), y, Stroke::new(1.0, theme.colors.line_subtle));
    let right = Layout::right_to_left(Align::Center);
    let mut tools = ui.new_child(UiBuilder::new().max_rect(rect.shrink2(vec2(8.0, 0.0))).layout(right));
    tools.spacing_mut().item_spacing.x = 8.0;
    zoom_tools(&mut tools, scratch);
    let free = Rect::from_min_max(rect.min, pos2(tools.min_rect().left() - 16.0, rect.bottom()));
    if free.width() > 40.0 {
        let left = Layout::left_to_right(Align::Center);
        let mut crumbs = ui.new_child(UiBuilder::new().max_rect(free.shrink2(vec2(12.0, 0.0))).layout(left));
        crumbs.set_clip_rect(free.intersect(ui.clip_rect()));
        scratch.crumbs.see(model, view.selected);
        breadcrumbs(&mut crumbs, model, &scratch.crumbs, actions);
    }
}

/// From the right: follow, fit, nearer, how near, away.
fn zoom_tools(ui: &mut Ui, scratch: &mut CanvasScratch) {
    let theme = Theme::of(ui);
    let follow = follow_button(ui, scratch.follow);
    if follow.clicked() {
        scratch.ask(CameraMove::ToggleFollow);
    }
    let (line, _) = ui.allocate_exact_size(vec2(1.0, 20.0), Sense::hover());
    ui.painter().vline(line.center().x, line.y_range(), Stroke::new(1.0, theme.colors.line));
    if ui.add(IconButton::new(Glyph::Fit, "Fit").key("Shift+F")).clicked() {
        scratch.follow = false;
        scratch.ask(CameraMove::Fit);
    }
    if ui.add(IconButton::new(Glyph::Plus, "Zoom in").key("+")).clicked() {
        scratch.ask(CameraMove::In);
    }
    let text = format!("{:.0} %", scratch.camera.zoom() * 100.0);
    let (rect, percent) = ui.allocate_exact_size(vec2(44.0, 24.0), Sense::click());
    percent.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Zoom {text}, set to 100 %")));
    let color = if percent.hovered() { theme.colors.text_primary } else { theme.colors.text_secondary };
    ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, &text, Theme::body(), color);
    crate::widgets::focus_ring(ui, &percent, 4);
    if percent.on_hover_text("Show at 100 %").clicked() {
        scratch.ask(CameraMove::Actual);
    }
    if ui.add(IconButton::new(Glyph::Minus, "Zoom out").key("−")).clicked() {
        scratch.ask(CameraMove::Out);
    }
}

fn follow_button(ui: &mut Ui, on: bool) -> egui::Response {
    let tone = if on { Tone::Pressed } else { Tone::Bare };
    let tooltip = if on { "Stop following what runs (F)" } else { "Keep what runs in view (F)" };
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 24.0;
        ui.add(Button::new("Follow").glyph(Glyph::Follow).tone(tone).tooltip(tooltip).height(24.0))
    })
    .inner
}

/// The boxes around the selection, outermost first, by position in the model; found once for a model and a selection.
#[derive(Debug, Default)]
pub(super) struct Crumbs {
    of: Option<(u64, Option<Target>)>,
    path: Vec<usize>,
    failing: Vec<u64>,
}

impl Crumbs {
    /// Keys of the way from the outermost caller to the selection, if that failed.
    pub(super) fn failing(&self) -> &[u64] {
        &self.failing
    }

    fn see(&mut self, model: &CanvasModel, selected: Option<&Target>) {
        let known = self
            .of
            .as_ref()
            .is_some_and(|(revision, target)| *revision == model.revision && target.as_ref() == selected);
        if known {
            return;
        }
        self.of = Some((model.revision, selected.cloned()));
        self.path = selected.map(|target| path_to(model, target)).unwrap_or_default();
        self.failing = selected.map(|target| way_to_failure(model, target)).unwrap_or_default();
        let first =
            |fits: &dyn Fn(&BoxModel) -> bool| model.boxes.iter().position(|b| b.part == 0 && fits(b));
        self.path.extend(first(&|b| Some(&b.target) == selected));
        if self.path.is_empty() {
            self.path.extend(first(&|b| b.level == 1));
        }
    }
}

/// The boxes around the selection, each a way there.
fn breadcrumbs(ui: &mut Ui, model: &CanvasModel, crumbs: &Crumbs, actions: &mut Vec<CanvasAction>) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.x = 6.0;
    let last = crumbs.path.len().saturating_sub(1);
    for (index, around) in crumbs.path.iter().map(|at| &model.boxes[*at]).enumerate() {
        if index > 0 {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 16.0), Sense::hover());
            Glyph::Right.paint(ui.painter(), rect.center(), 12.0, theme.colors.text_tertiary);
        }
        let color = if index == last { theme.colors.text_primary } else { theme.colors.text_secondary };
        let name = crate::model::format::elide_middle(&around.name, 32);
        let galley = crate::widgets::line(ui, &name, Theme::body());
        let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x, 24.0), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Go to {}", around.name)));
        let color = if response.hovered() { theme.colors.accent } else { color };
        let top = (rect.center().y - galley.size().y / 2.0).round();
        ui.painter().galley(pos2(rect.left(), top), galley, color);
        crate::widgets::focus_ring(ui, &response, 4);
        if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
            actions.push(CanvasAction::Enter(Some(around.target.clone())));
        }
    }
}
