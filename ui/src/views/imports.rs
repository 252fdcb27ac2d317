//! Imports that take long, above the messages: what, how far, and the button that stops one.

use egui::{CornerRadius, Frame, Margin, Rect, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::lay;
use crate::action::{Action, Actions};
use crate::model::imports::Import;
use crate::theme::{Radius, Size, Theme};
use crate::widgets::{Button, Tone};

/// Shows one of them.
pub(super) fn card(ui: &mut Ui, import: &Import, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let frame = Frame::NONE
        .fill(c.surface_raised)
        .stroke(Stroke::new(1.0, c.line))
        .corner_radius(CornerRadius::same(Radius::CARD))
        .shadow(theme.popup_shadow())
        .inner_margin(Margin { left: 16, right: 16, top: 12, bottom: 12 });
    frame.show(ui, |ui| {
        ui.set_width(Size::TOAST - 34.0);
        ui.spacing_mut().item_spacing.y = 6.0;
        let name = crate::model::format::elide_middle(&import.name, 44);
        lay::prose(ui, &format!("Reading {name}"), c.text_primary, Theme::strong());
        bar(ui, import);
        ui.horizontal(|ui| {
            lay::prose(ui, &import.words(), c.text_secondary, Theme::small());
            let name = format!("Cancel import of {}", import.name);
            let button = Button::new("Cancel").name(&name).tone(Tone::Quiet).enabled(!import.stopping);
            if ui.add(button.tooltip("Stop reading; nothing of it is kept")).clicked() {
                actions.push(Action::CancelImport(import.id));
            }
        });
    });
}

/// How much of the file is read; all of the bar is faint where that is not known.
fn bar(ui: &mut Ui, import: &Import) {
    let c = &Theme::of(ui).colors;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 4.0), Sense::hover());
    let name = format!("Import of {}, {}", import.name, import.words());
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, &name));
    ui.painter().rect_filled(rect, 2, c.line);
    let (share, color) = import.share().map_or((1.0, c.accent_soft), |share| (share, c.accent));
    let done = Rect::from_min_size(rect.min, vec2(rect.width() * share, rect.height()));
    ui.painter().rect_filled(done, 2, color);
}
