//! The menu of a right click on a card or box: everything the pointer can do there, in words.

use egui::{Popup, Response, Ui};

use super::CanvasAction;
use crate::scene::{BoxModel, CardModel, HoldModel, HoldVerb, Target};

pub(super) fn of_card(response: &Response, card: &CardModel, actions: &mut Vec<CanvasAction>) {
    if !wanted(response) {
        return;
    }
    response.context_menu(|ui| {
        inspect(ui, &card.target, actions);
        breakpoint(ui, &card.target, card.breakpoint.is_some(), actions);
        answers(ui, card.hold.as_ref(), actions);
        if card.stack && ui.button("Show the siblings").clicked() {
            actions.push(CanvasAction::OpenStack(card.target.clone()));
        }
        copy(ui, &card.name, actions);
    });
}

pub(super) fn of_canvas(response: &Response, actions: &mut Vec<CanvasAction>) {
    if !wanted(response) {
        return;
    }
    response.context_menu(|ui| {
        if ui.button("Fit").clicked() {
            actions.push(CanvasAction::Enter(None));
        }
        if ui.button("Tidy up: lay everything out anew").clicked() {
            actions.push(CanvasAction::Tidy);
        }
    });
}

pub(super) fn of_box(response: &Response, model: &BoxModel, actions: &mut Vec<CanvasAction>) {
    if !wanted(response) {
        return;
    }
    response.context_menu(|ui| {
        inspect(ui, &model.target, actions);
        if ui.button("Zoom to it").clicked() {
            actions.push(CanvasAction::Enter(Some(model.target.clone())));
        }
        if ui.button(if model.folded { "Unfold" } else { "Fold" }).clicked() {
            actions.push(CanvasAction::Fold(model.target.clone()));
        }
        breakpoint(ui, &model.target, model.breakpoint.is_some(), actions);
        answers(ui, model.hold.as_ref(), actions);
        copy(ui, &model.name, actions);
    });
}

/// Whether a menu can be open: asking each of five hundred cards for its own would cost more than painting them.
fn wanted(response: &Response) -> bool {
    response.secondary_clicked() || Popup::is_any_open(&response.ctx)
}

fn inspect(ui: &mut Ui, target: &Target, actions: &mut Vec<CanvasAction>) {
    if ui.button("Inspect").clicked() {
        actions.push(CanvasAction::Inspect(target.clone()));
    }
}

fn breakpoint(ui: &mut Ui, target: &Target, set: bool, actions: &mut Vec<CanvasAction>) {
    let node = target;
    if ui.button(if set { "Clear breakpoint" } else { "Set breakpoint" }).clicked() {
        actions.push(CanvasAction::ToggleBreakpoint(node.clone()));
    }
    if ui.button("Breakpoint with a condition…").clicked() {
        actions.push(CanvasAction::EditBreakpoint(node.clone()));
    }
}

fn answers(ui: &mut Ui, hold: Option<&HoldModel>, actions: &mut Vec<CanvasAction>) {
    let Some(hold) = hold else { return };
    ui.separator();
    for verb in HoldVerb::ALL {
        let possible = verb != HoldVerb::Edit || hold.editable;
        if ui.add_enabled(possible, egui::Button::new(verb.word()).shortcut_text(verb.key())).clicked() {
            actions.push(CanvasAction::Answer { pause: hold.pause.clone(), verb });
        }
    }
    ui.separator();
}

fn copy(ui: &mut Ui, name: &std::sync::Arc<str>, actions: &mut Vec<CanvasAction>) {
    if ui.button("Copy name").clicked() {
        actions.push(CanvasAction::CopyName(name.clone()));
    }
}
