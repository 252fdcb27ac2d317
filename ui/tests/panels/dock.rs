//! Timeline, events, streams, console; the status bar.

use serde_json::json;

use crate::window::{Window, invoice_run};

#[test]
fn every_tab_of_the_dock_opens() {
    let mut window = Window::held();
    for tab in ["Events", "Streams", "Console", "Timeline"] {
        window.click(tab);
        window.picture(&format!("dock-{}", tab.to_lowercase()));
    }
    assert!(window.has("Lane of parse_amount"), "{:?}", window.names());
}

#[test]
fn the_event_list_shows_what_came_live_and_looks_at_a_moment() {
    let mut window = Window::held();
    window.click("Events");
    let last = invoice_run().len();
    assert!(window.has(&format!("Event {last}")), "{:?}", window.names());
    window.click(&format!("Event {last}"));
    assert!(window.says("You are in the past"));
    window.picture("past-dark");
    window.click("Go to the end");
    assert!(!window.says("You are in the past"));
}

#[test]
fn a_page_that_is_missing_in_view_is_asked_for_once() {
    let mut window = Window::empty();
    let mut recorded = crate::window::summary(false);
    recorded["live"] = json!(false);
    recorded["events"] = json!(50_000);
    window.serve(&crate::window::welcome(&[recorded]));
    window.click("Events");
    assert_eq!(window.sent("eventsGet").len(), 1);
    window.harness.run_steps(4);
    assert_eq!(window.sent("eventsGet").len(), 0);
}

#[test]
fn the_status_bar_says_what_flows_and_what_is_lost() {
    let mut window = Window::held();
    assert!(
        window.says("Connected \u{B7} 127.0.0.1:4747") && window.says("38 events/s") && window.says("212 MB")
    );
    window.serve(&json!({ "t": "stats", "eventsPerS": 0.0, "dropped": 3, "gaps": 1, "connections": 1, "memoryBytes": 1u64 }));
    window.click("3 dropped \u{B7} 1 gap");
    assert!(window.is_selected("Console") && !window.is_selected("Timeline"));
}
