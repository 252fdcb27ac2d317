//! The demo's story as a person plays it, the same in the window and in a browser.

use serde_json::Value;

use crate::{Driver, Folder, Keys, Page, json, wait_for};

/// Waits until the demo is held at its bug and gives the hold.
///
/// # Panics
/// If it never is.
pub fn held_at_its_bug(folder: &Folder) -> Value {
    wait_for("the demo held at its bug", || {
        let holds = json(folder, &["holds"]);
        let first = holds["holds"].get(0).cloned();
        first.ok_or_else(|| holds.to_string())
    })
}

/// Clicks Inject, types the value and sends it, all on the page.
///
/// # Panics
/// If a control is not there.
pub fn inject_on_the_page(driver: &Driver, value: &str) {
    let page = Page(driver);
    page.click("Button", "Inject");
    page.says("Inject a result");
    driver.press(Keys::Control('a'));
    driver.type_text(value);
    driver.press(Keys::ControlEnter);
}

/// Waits until the demo's run has ended and gives its row of `holdpoint runs`.
///
/// # Panics
/// If it never ends.
pub fn finished(folder: &Folder) -> Value {
    wait_for("the end of the demo", || {
        let runs = json(folder, &["runs"]);
        let run = runs["runs"][0].clone();
        if run["status"] == "running" || run.is_null() { Err(runs.to_string()) } else { Ok(run) }
    })
}
