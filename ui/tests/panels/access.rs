//! Every control has a name, the keyboard reaches it, and a window in which nothing changes is not painted.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::window::{Window, summary};

/// Controls without a name, as role and place.
fn unnamed(window: &Window) -> Vec<String> {
    let controls = [
        Role::Button,
        Role::CheckBox,
        Role::ComboBox,
        Role::Link,
        Role::ListItem,
        Role::MenuItem,
        Role::RadioButton,
        Role::Slider,
        Role::Switch,
        Role::Tab,
        Role::TextInput,
        Role::MultilineTextInput,
        Role::TreeItem,
    ];
    let root = window.harness.root();
    let all = root.children_recursive().filter(|node| controls.contains(&node.accesskit_node().role()));
    let named = |node: &egui_kittest::Node<'_>| {
        node.accesskit_node().label().is_some_and(|name| !name.trim().is_empty())
    };
    all.filter(|node| !named(node))
        .map(|node| format!("{:?} at {:?}", node.accesskit_node().role(), node.rect()))
        .collect()
}

#[test]
fn every_control_has_a_name() {
    let empty = Window::empty();
    assert_eq!(unnamed(&empty), Vec::<String>::new(), "the empty window");
    let mut window = Window::held();
    for tab in
        ["Events", "Streams", "Console", "Timeline", "Input", "Output", "Stream", "Instances", "Raw", "Error"]
    {
        window.click(tab);
        assert_eq!(unnamed(&window), Vec::<String>::new(), "{tab}");
    }
    window.click("Inject");
    assert_eq!(unnamed(&window), Vec::<String>::new(), "the editor");
    window.press(Modifiers::NONE, Key::Escape);
    window.click("Filter the graph");
    assert_eq!(unnamed(&window), Vec::<String>::new(), "the filters");
    window.press(Modifiers::NONE, Key::Escape);
    for (key, what) in [(Key::K, "the palette"), (Key::Comma, "the settings")] {
        window.press(Modifiers::COMMAND, key);
        assert_eq!(unnamed(&window), Vec::<String>::new(), "{what}");
        window.press(Modifiers::NONE, Key::Escape);
    }
}

#[test]
fn tab_walks_from_the_control_bar_through_every_pane() {
    let mut window = Window::held();
    let mut seen = Vec::new();
    for _ in 0..160 {
        window.harness.key_press_modifiers(Modifiers::NONE, Key::Tab);
        window.harness.run_steps(1);
        let root = window.harness.root();
        let focused = root.children_recursive().find(|node| node.accesskit_node().is_focused());
        seen.extend(focused.and_then(|node| node.accesskit_node().label()));
    }
    for name in ["Run: Invoice reconciliation", "Runs 1", "Hold parse_amount", "Timeline", "Error"] {
        assert!(seen.iter().any(|known| known == name), "{name} is not reached: {seen:?}");
    }
    let at = |name: &str| seen.iter().position(|known| known == name);
    assert!(
        at("Run: Invoice reconciliation") < at("Runs 1"),
        "the control bar comes before the rail: {seen:?}"
    );
}

#[test]
fn nothing_is_painted_while_nothing_changes() {
    let idle = |window: &mut Window, what: &str| {
        window.harness.run_steps(40);
        let wait = window.harness.output().viewport_output.values().map(|output| output.repaint_delay).min();
        assert!(wait.is_some_and(|wait| wait > std::time::Duration::from_secs(3_600)), "{what}: {wait:?}");
    };
    let mut window = Window::empty();
    idle(&mut window, "the empty window");
    let mut window = Window::held();
    let mut run = summary(false);
    run["live"] = serde_json::json!(false);
    run["status"] = serde_json::json!("ok");
    window.serve(&serde_json::json!({ "t": "run", "run": run }));
    idle(&mut window, "a recording");
    window.harness.get_all_by_label("propose").next().expect("a row").click();
    idle(&mut window, "a selected node");
}
