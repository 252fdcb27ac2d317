//! Panes that dock, resize, hide and are remembered.

use egui::{Key, Modifiers, pos2, vec2};
use egui_kittest::kittest::Queryable as _;

use crate::window::Window;

#[test]
fn a_dragged_tab_becomes_a_pane_of_its_own_and_is_remembered() {
    let mut window = Window::held();
    let from = window.rect("Events").center();
    let head = window.rect("Selected: parse_amount");
    window.drag(from, pos2(head.right() - 20.0, 700.0));
    assert!(
        window.is_selected("Events") && window.is_selected("Timeline"),
        "both are shown: {:?}",
        window.names()
    );
    window.picture("panes-dragged");
    let place = window.rect("Events");
    assert!(place.center().distance(from) > 200.0, "{place:?}");
    let mut again = window.reopened();
    again.fill();
    assert!((again.rect("Events").center() - place.center()).length() < 2.0, "{:?}", again.rect("Events"));
    again.press(Modifiers::COMMAND, Key::K);
    again.harness.get_by_label("Everything by name").type_text("reset layout");
    again.harness.run_steps(3);
    again.press(Modifiers::NONE, Key::Enter);
    assert!((again.rect("Events").center() - from).length() < 2.0, "{:?}", again.rect("Events"));
}

#[test]
fn a_dragged_edge_keeps_its_size_when_the_window_grows() {
    let mut window = Window::held();
    let rail = window.rect("Runs 1").width();
    let edge = window.rect("Runs 1").right() + 0.5;
    window.drag(pos2(edge, 600.0), pos2(edge + 60.0, 600.0));
    let wide = window.rect("Runs 1").width();
    assert!((wide - rail - 60.0).abs() < 3.0, "{rail} became {wide}");
    window.harness.set_size(vec2(1_900.0, 1_000.0));
    window.harness.run_steps(3);
    assert!((window.rect("Runs 1").width() - wide).abs() < 1.0);
    let mut again = window.reopened();
    again.fill();
    assert!((again.rect("Runs 1").width() - wide).abs() < 1.0);
}

#[test]
fn a_pane_moves_by_its_menu_and_hides_and_comes_back_by_name() {
    let mut window = Window::held();
    window.click("Move the inspector");
    window.click("Move to the left");
    assert!(
        window.rect("Selected: parse_amount").left() < 10.0,
        "{:?}",
        window.rect("Selected: parse_amount")
    );
    window.click("Move the inspector");
    window.click("Hide inspector");
    assert!(!window.says("Selected: parse_amount"));
    window.press(Modifiers::COMMAND, Key::K);
    window.harness.get_by_label("Everything by name").type_text("hide the inspector");
    window.harness.run_steps(3);
    window.press(Modifiers::NONE, Key::Enter);
    assert!(window.says("Selected: parse_amount"));
}

#[test]
fn a_hidden_tab_comes_back_by_name() {
    let mut window = Window::held();
    window.harness.get_by_label("Console").click_secondary();
    window.harness.run_steps(3);
    window.click("Hide console");
    assert!(!window.has("Console"));
    window.press(Modifiers::COMMAND, Key::K);
    window.harness.get_by_label("Everything by name").type_text("show console");
    window.harness.run_steps(3);
    window.press(Modifiers::NONE, Key::Enter);
    assert!(window.is_selected("Console"));
}

#[test]
fn a_narrow_window_keeps_every_pane_and_answer_in_reach() {
    let mut window = Window::held();
    window.harness.set_size(vec2(1_024.0, 640.0));
    window.harness.run_steps(4);
    window.picture("held-dark-1024");
    let whole = egui::Rect::from_min_size(pos2(0.0, 0.0), vec2(1_024.0, 640.0));
    for name in [
        "Continue",
        "Step",
        "Retry",
        "Inject",
        "Edit",
        "Abort",
        "Selected: parse_amount",
        "Timeline",
        "Runs 1",
    ] {
        assert!(whole.contains_rect(window.rect(name)), "{name} is at {:?}", window.rect(name));
    }
}
