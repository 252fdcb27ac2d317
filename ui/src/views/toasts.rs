//! Messages, bottom right: three at most, the rest counted; imports under way stand above them.

use egui::{Align2, Area, CornerRadius, Frame, Id, Margin, Order, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::lay;
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::Model;
use crate::model::toasts::{Level, Toast};
use crate::theme::{Colors, Radius, Size, Theme};
use crate::widgets::IconButton;

/// Most messages on screen.
const SHOWN_MAX: usize = 3;

/// Glyph and colour of a level.
pub(super) fn mark(level: Level, colors: &Colors) -> (Glyph, egui::Color32) {
    match level {
        Level::Done => (Glyph::Ok, colors.status_ok),
        Level::Info => (Glyph::Info, colors.accent),
        Level::Held => (Glyph::Held, colors.status_held),
        Level::Failed => (Glyph::Warn, colors.status_failed),
    }
}

/// Shows them.
pub(super) fn show(ui: &Ui, model: &Model<'_>, actions: &mut Actions) {
    let shown = model.state.toasts.shown();
    if shown.is_empty() && model.state.imports.is_empty() {
        return;
    }
    let area = Area::new(Id::unique("toasts"))
        .order(Order::Foreground)
        .anchor(Align2::RIGHT_BOTTOM, vec2(-16.0, -40.0));
    area.show(ui.ctx(), |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        let hidden = shown.len().saturating_sub(SHOWN_MAX);
        if hidden > 0 {
            let c = &Theme::of(ui).colors;
            lay::prose(ui, &format!("{hidden} more in the console"), c.text_secondary, Theme::small());
        }
        for import in &model.state.imports {
            super::imports::card(ui, import, actions);
        }
        for toast in &shown[hidden..] {
            card(ui, toast, actions);
        }
    });
}

fn card(ui: &mut Ui, toast: &Toast, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let frame = Frame::NONE
        .fill(c.surface_raised)
        .stroke(Stroke::new(1.0, c.line))
        .corner_radius(CornerRadius::same(Radius::CARD))
        .shadow(theme.popup_shadow())
        .inner_margin(Margin { left: 44, right: 36, top: 12, bottom: 12 });
    let response = frame.show(ui, |ui| {
        ui.set_width(Size::TOAST - 82.0);
        ui.spacing_mut().item_spacing.y = 4.0;
        lay::prose(ui, &toast.title, c.text_primary, Theme::strong());
        if !toast.text.is_empty() {
            lay::prose(ui, &toast.text, c.text_secondary, Theme::small());
        }
        if let Some((words, action)) = &toast.link
            && lay::link(ui, words).clicked()
        {
            actions.push(action.clone());
            actions.push(Action::CloseToast(toast.id));
        }
    });
    let rect = response.response.rect;
    let (glyph, color) = mark(toast.level, c);
    glyph.paint(ui.painter(), rect.min + vec2(24.0, 20.0), 16.0, color);
    let alert = ui.interact(rect, Id::unique(("toast", toast.id)), Sense::hover());
    let name = format!("{} {}", toast.title, toast.text);
    alert.widget_info(|| WidgetInfo::labeled(Role::Alert, true, name.trim()));
    let place = egui::Rect::from_center_size(rect.right_top() + vec2(-20.0, 20.0), egui::Vec2::splat(24.0));
    if ui.put(place, IconButton::new(Glyph::Close, "Close message")).clicked() {
        actions.push(Action::CloseToast(toast.id));
    }
}
