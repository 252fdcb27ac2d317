//! The report of an import: what it was, what was read, every skipped line with its reason, every note. Only the rows in
//! view are laid out.

use egui::{Id, Modal, ScrollArea, Ui};

use super::{lay, settings};
use crate::action::{Action, Actions};
use crate::model::Model;
use crate::model::report::Report;
use crate::model::state::Overlay;
use crate::theme::{Size, Theme};
use crate::widgets::{Button, Tone};

/// Shows the report with this place, if there is one.
pub(super) fn show(ui: &Ui, model: &Model<'_>, at: usize, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let response = Modal::new(Id::unique("report")).frame(settings::dialog(theme)).show(ui.ctx(), |ui| {
        ui.set_width(620.0f32.min(ui.ctx().content_rect().width() - 80.0));
        ui.spacing_mut().item_spacing.y = 6.0;
        let Some(report) = model.state.reports.get(at) else {
            lay::prose(ui, "This report is no longer kept.", c.text_tertiary, Theme::body());
            return ui.add(Button::new("Close report")).clicked();
        };
        lay::prose(ui, &format!("Report of {}", report.name), c.text_primary, Theme::title());
        lay::prose(ui, &report.summary, c.text_secondary, Theme::body());
        rows(ui, report);
        ui.horizontal(|ui| {
            if ui.add(Button::new("Copy the report").tone(Tone::Quiet)).clicked() {
                actions.push(Action::Copy { text: report.json.clone(), what: "the report" });
            }
            ui.add(Button::new("Close report").tone(Tone::Primary)).clicked()
        })
        .inner
    });
    if response.inner || response.should_close() {
        actions.push(Action::Overlay(Overlay::None));
    }
}

fn rows(ui: &mut Ui, report: &Report) {
    let c = &Theme::of(ui).colors;
    if report.rows.is_empty() {
        lay::prose(ui, "Nothing was skipped and nothing had to be guessed.", c.status_ok, Theme::body());
        return;
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical().id_salt("report rows").max_height(320.0).auto_shrink([false, true]);
        area.show_rows(ui, Size::EVENT_ROW, report.rows.len(), |ui, range| {
            for text in &report.rows[range] {
                let (rect, response) = lay::row_as(ui, Size::EVENT_ROW, false, text, egui::Role::Label);
                let shown = lay::line(ui, text, Theme::mono(), c.text_primary, rect.width());
                lay::at_left(ui.painter(), rect.left(), rect.center().y, shown);
                response.on_hover_text(text);
            }
        });
    });
    if report.unlisted > 0 {
        let text = format!("{} more skipped lines are counted and not listed.", report.unlisted);
        lay::prose(ui, &text, c.text_tertiary, Theme::small());
    }
}
