//! Everything on the canvas by its accessible name.

use egui_kittest::kittest::Queryable;
use ui::scene::{HoldVerb, way_to_failure};
use ui::theme::Appearance;
use ui::views::canvas::CanvasAction;

use crate::runs::held;
use crate::stage::{Stage, window};

fn asked(label: &str) -> Vec<CanvasAction> {
    let mut harness = window(Stage::new(held(), Appearance::Dark), 976.0, 740.0);
    harness.get_by_label(label).click();
    harness.run();
    std::mem::take(&mut harness.state_mut().actions)
}

#[test]
fn the_buttons_of_a_held_card_answer_its_hold() {
    for verb in HoldVerb::ALL {
        let label = format!("{} parse_amount", verb.word());
        let answer = CanvasAction::Answer { pause: "pause-1".into(), verb };
        assert_eq!(asked(&label), [answer], "{label}");
    }
}

#[test]
fn a_click_in_the_gutter_sets_a_breakpoint_and_does_not_select() {
    assert_eq!(asked("Set breakpoint on fx_rate"), [CanvasAction::ToggleBreakpoint("fx_rate".into())]);
    assert_eq!(asked("Clear breakpoint on ask_owner"), [CanvasAction::ToggleBreakpoint("ask_owner".into())]);
}

#[test]
fn a_click_on_a_card_or_a_header_selects_it() {
    let select = |name: &str| [CanvasAction::Select(Some(name.into()))];
    assert_eq!(asked("fx_rate, server, failed"), select("fx_rate"));
    assert_eq!(asked("lookup, 4 nodes, 1 running, 1 held, 1 failed"), select("lookup"));
}

#[test]
fn the_chevron_folds_and_the_path_leads_to_a_box() {
    assert_eq!(asked("Fold match"), [CanvasAction::Fold("match".into())]);
    assert_eq!(asked("Go to reconcile"), [CanvasAction::Enter(Some("reconcile".into()))]);
}

#[test]
fn what_led_to_a_failure_is_known_from_the_failure_outwards() {
    let model = held();
    let name = |key: &u64| {
        let card = model.cards.iter().find(|card| card.key == *key).map(|card| card.name.to_string());
        card.or_else(|| model.boxes.iter().find(|b| b.key == *key).map(|b| b.name.to_string()))
            .unwrap_or_default()
    };
    let way =
        |target: &str| -> Vec<String> { way_to_failure(&model, &target.into()).iter().map(name).collect() };
    let led = way("fx_rate");
    assert_eq!(led.first().map(String::as_str), Some("fx_rate"));
    assert_eq!(led.last().map(String::as_str), Some("reconcile"), "{led:?}");
    assert_eq!(way("ask_owner"), [""; 0], "it did not fail");
    assert_eq!(way("nobody"), [""; 0]);
}

#[test]
fn zooming_by_button_changes_what_is_in_view_and_fit_brings_all_of_it_back() {
    let mut harness = window(Stage::new(held(), Appearance::Dark), 976.0, 740.0);
    let zoom = |harness: &egui_kittest::Harness<'_, Stage>| harness.state().scratch.camera.zoom();
    let before = zoom(&harness);
    harness.get_by_label("Zoom in").click();
    harness.run();
    assert!(zoom(&harness) > before);
    harness.get_by_label("Zoom out").click();
    harness.get_by_label("Zoom out").click();
    harness.run();
    assert!(zoom(&harness) < before);
    harness.get_by_label("Fit").click();
    harness.run();
    assert_eq!(zoom(&harness), before);
}

#[test]
fn a_drag_moves_the_canvas_and_stops_following() {
    let mut stage = Stage::new(held(), Appearance::Dark);
    stage.scratch.follow = true;
    let mut harness = window(stage, 976.0, 740.0);
    let place =
        |harness: &egui_kittest::Harness<'_, Stage>| harness.get_by_label("fx_rate, server, failed").rect();
    let before = place(&harness);
    harness.drag_at(egui::pos2(200.0, 400.0));
    harness.run();
    harness.hover_at(egui::pos2(240.0, 430.0));
    harness.run();
    harness.drop_at(egui::pos2(240.0, 430.0));
    harness.run();
    let moved = place(&harness).min - before.min;
    assert!((moved - egui::vec2(40.0, 30.0)).length() < 1.0, "{moved}");
    assert!(!harness.state().scratch.follow);
}

#[test]
fn a_menu_opens_by_right_click_and_by_keyboard_with_the_keyboard_on_its_first_line() {
    let inspect = [CanvasAction::Inspect("fx_rate".into())];
    for (modifiers, key) in [(egui::Modifiers::NONE, egui::Key::M), (egui::Modifiers::SHIFT, egui::Key::F10)]
    {
        let mut harness = window(Stage::new(held(), Appearance::Dark), 976.0, 740.0);
        harness.get_by_label("fx_rate, server, failed").focus();
        harness.run();
        harness.key_press_modifiers(modifiers, key);
        harness.run();
        assert!(harness.get_by_label("Inspect").is_focused(), "{key:?}");
        harness.state_mut().actions.clear();
        harness.key_press(egui::Key::Enter);
        harness.run();
        assert_eq!(harness.state().actions, inspect, "{key:?}");
    }
    let mut harness = window(Stage::new(held(), Appearance::Dark), 976.0, 740.0);
    harness.get_by_label("fx_rate, server, failed").click_secondary();
    harness.run();
    harness.state_mut().actions.clear();
    harness.get_by_label("Inspect").click();
    harness.run();
    assert_eq!(harness.state().actions, inspect);
}

#[test]
fn an_armed_abort_asks_again_in_words() {
    let mut stage = Stage::new(held(), Appearance::Dark);
    stage.armed = Some("pause-1");
    let harness = window(stage, 976.0, 740.0);
    harness.get_by_label("Abort this run?");
}
