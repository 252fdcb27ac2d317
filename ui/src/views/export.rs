//! The dialog of an export: as what, with or without secrets.

use egui::{Id, Modal, Role, Sense, Ui, WidgetInfo, vec2};

use super::{lay, settings};
use crate::action::{Action, Actions};
use crate::app::run_title;
use crate::model::Model;
use crate::model::export::{Export, Form};
use crate::model::state::Overlay;
use crate::theme::Theme;
use crate::widgets::{Button, Switch, Tone};

/// Height of a form with what it is good for.
const ROW: f32 = 44.0;

/// Shows what is asked for; every choice changes it.
pub(super) fn show(ui: &Ui, model: &Model<'_>, ask: &Export, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let mut wanted = ask.clone();
    let modal = Modal::new(Id::unique("export")).frame(settings::dialog(theme));
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width(520.0f32.min(ui.ctx().content_rect().width() - 80.0));
        ui.spacing_mut().item_spacing.y = 6.0;
        let title = model.state.run(&ask.run).map_or(&*ask.run, run_title);
        let title = crate::model::format::elide_middle(title, 48);
        lay::prose(ui, &format!("Export {title}"), c.text_primary, Theme::title());
        for form in Form::ALL {
            if choice(ui, form, form == ask.form) {
                wanted.form = form;
            }
        }
        if ask.form.may_keep_secrets() {
            let text = "Replace secrets: keys, tokens, passwords, cookies";
            if ui.add(Switch { on: ask.redact, text }).clicked() {
                wanted.redact = !ask.redact;
            }
        } else {
            let text = "These records never hold secrets.";
            lay::prose(ui, text, c.text_tertiary, Theme::small());
        }
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let go = ui.add(Button::new("Export").tone(Tone::Primary)).clicked();
            (go, ui.add(Button::new("Cancel export").tone(Tone::Quiet)).clicked())
        })
        .inner
    });
    let (go, closed) = response.inner;
    if go {
        actions.push(Action::Export(ask.clone()));
    }
    if go || closed || response.should_close() {
        actions.push(Action::Overlay(Overlay::None));
    } else if wanted != *ask {
        actions.push(Action::Overlay(Overlay::Export(wanted)));
    }
}

fn choice(ui: &mut Ui, form: Form, chosen: bool) -> bool {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, chosen, form.title()));
    let painter = ui.painter();
    if chosen || response.hovered() {
        let fill = if chosen { c.surface_selected } else { c.surface_hover };
        painter.rect_filled(rect, crate::theme::Radius::BUTTON, fill);
    }
    let mark = egui::pos2(rect.left() + 18.0, rect.center().y);
    painter.circle_stroke(mark, 6.0, egui::Stroke::new(1.5, if chosen { c.accent } else { c.line_strong }));
    if chosen {
        painter.circle_filled(mark, 3.0, c.accent);
    }
    let (x, width) = (rect.left() + 36.0, rect.width() - 44.0);
    let title = lay::line(ui, form.title(), Theme::strong(), c.text_primary, width);
    lay::at_left(painter, x, rect.top() + 14.0, title);
    let about = lay::line(ui, form.about(), Theme::small(), c.text_secondary, width);
    lay::at_left(painter, x, rect.top() + 31.0, about);
    crate::widgets::focus_ring(ui, &response, crate::theme::Radius::BUTTON);
    response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked()
}
