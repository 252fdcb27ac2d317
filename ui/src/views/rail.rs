//! The left rail: runs, holds, breakpoints, outline, each a section that folds.

use egui::{ScrollArea, Ui};

use super::{Scratch, breakpoints, holds, lay, outline, runs};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::{Model, format};
use crate::theme::{Size, Theme};
use crate::widgets::{IconButton, SectionHead};

/// Shows it.
pub fn show(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let rect = ui.max_rect();
    ui.set_clip_rect(rect.intersect(ui.clip_rect()));
    ScrollArea::vertical().auto_shrink(false).id_salt("rail").show(ui, |ui| {
        ui.spacing_mut().item_spacing = egui::vec2(0.0, 0.0);
        ui.set_width(ui.available_width());
        if section(ui, model, 0, "Runs", model.state.runs.len() as u64, actions, Some("Open a recording")) {
            actions.push(Action::OpenDialog);
        }
        if model.state.layout.sections[0] {
            runs::section(ui, model, &mut scratch.runs, actions);
        }
        section(ui, model, 1, "Holds", model.state.hold_count() as u64, actions, None);
        if model.state.layout.sections[1] {
            holds::section(ui, model, actions);
        }
        let count = model.state.breakpoints().count() as u64;
        if section(ui, model, 2, "Breakpoints", count, actions, Some("Add a breakpoint")) {
            scratch.breakpoints.open(None);
        }
        if model.state.layout.sections[2] {
            breakpoints::section(ui, model, &mut scratch.breakpoints, actions);
        }
        let nodes = model.run.map_or(0, |run| run.nodes().len()) as u64;
        section(ui, model, 3, "Outline", nodes, actions, None);
        if model.state.layout.sections[3] {
            outline::section(ui, model, &mut scratch.outline, actions);
        }
        ui.add_space(12.0);
    });
}

/// The head of a section, with what can be added to it; `true` when that was pressed.
fn section(
    ui: &mut Ui,
    model: &Model<'_>,
    at: usize,
    text: &'static str,
    count: u64,
    actions: &mut Actions,
    add: Option<&'static str>,
) -> bool {
    let open = model.state.layout.sections[at];
    let caption = format::count(count);
    let held = text == "Holds" && count > 0;
    let head = SectionHead { text, caption: if held { "" } else { &caption }, open };
    let response = ui.add(head);
    if response.clicked() {
        actions.push(Action::Section(at));
    }
    let rect = response.rect;
    if held {
        let pill = egui::Rect::from_center_size(
            egui::pos2(rect.left() + 78.0, rect.center().y),
            egui::vec2(20.0, 16.0),
        );
        let c = &Theme::of(ui).colors;
        ui.painter().rect_filled(pill, 8, c.held_fill);
        let text = lay::line(ui, &caption, Theme::small_strong(), c.on_held, 40.0);
        let x = pill.center().x - text.size().x / 2.0;
        lay::at_left(ui.painter(), x, pill.center().y, text);
    }
    add.is_some_and(|name| {
        let place = egui::Rect::from_center_size(
            egui::pos2(rect.right() - 24.0, rect.center().y),
            egui::Vec2::splat(Size::ICON_BUTTON),
        );
        ui.put(place, IconButton::new(Glyph::Plus, name)).clicked()
    })
}

/// A quiet sentence where a section has nothing to show.
pub(super) fn nothing(ui: &mut Ui, text: &str) {
    let color = Theme::of(ui).colors.text_tertiary;
    egui::Frame::NONE.inner_margin(egui::Margin { left: 28, right: 16, top: 0, bottom: 12 }).show(ui, |ui| {
        lay::prose(ui, text, color, Theme::small());
    });
}
