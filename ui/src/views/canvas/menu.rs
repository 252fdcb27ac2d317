//! The menu of a card or box: everything the pointer can do there, in words. A right click opens it at the pointer, `M`
//! or Shift+F10 on what has the keyboard opens it below, with the keyboard on its first line.

use egui::{Key, Modifiers, Popup, PopupAnchor, Response, Ui};

use super::CanvasAction;
use crate::scene::{BoxModel, CardModel, HoldModel, HoldVerb, Target};

pub(super) fn of_card(response: &Response, card: &CardModel, actions: &mut Vec<CanvasAction>) {
    menu(response, |ui, keyed| {
        inspect(ui, &card.target, keyed, actions);
        breakpoint(ui, &card.target, card.breakpoint.is_some(), actions);
        answers(ui, card.hold.as_ref(), actions);
        if card.stack && ui.button("Show the siblings").clicked() {
            actions.push(CanvasAction::OpenStack(card.target.clone()));
        }
        copy(ui, &card.name, actions);
    });
}

pub(super) fn of_canvas(response: &Response, actions: &mut Vec<CanvasAction>) {
    menu(response, |ui, _| {
        if ui.button("Fit").clicked() {
            actions.push(CanvasAction::Enter(None));
        }
        if ui.button("Tidy up: lay everything out anew").clicked() {
            actions.push(CanvasAction::Tidy);
        }
    });
}

pub(super) fn of_box(response: &Response, model: &BoxModel, actions: &mut Vec<CanvasAction>) {
    menu(response, |ui, keyed| {
        inspect(ui, &model.target, keyed, actions);
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

/// Shows the menu of `response` while it is open; the contents are told whether the keyboard has just opened it.
fn menu(response: &Response, add: impl FnOnce(&mut Ui, bool)) {
    let ctx = &response.ctx;
    let hit = |modifiers, key| ctx.input_mut(|input| input.consume_key(modifiers, key));
    let keyed = response.has_focus() && (hit(Modifiers::SHIFT, Key::F10) || hit(Modifiers::NONE, Key::M));
    // Asking each of five hundred cards for its own would cost more than painting them.
    if !(keyed || response.secondary_clicked() || Popup::is_any_open(ctx)) {
        return;
    }
    let id = Popup::default_response_id(response);
    if keyed {
        Popup::open_id(ctx, id);
    }
    let below = Popup::is_id_open(ctx, id) && Popup::position_of_id(ctx, id).is_none();
    let popup = Popup::context_menu(response);
    let popup = if below && !response.secondary_clicked() {
        popup.anchor(PopupAnchor::ParentRect(response.rect))
    } else {
        popup
    };
    popup.show(|ui| add(ui, keyed));
}

fn inspect(ui: &mut Ui, target: &Target, keyed: bool, actions: &mut Vec<CanvasAction>) {
    let line = ui.button("Inspect");
    if keyed {
        line.request_focus();
    }
    if line.clicked() {
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
