//! The same journey in Chromium: the page that the server gives at `/` is the window's own.

use acceptance::{Driver, Folder, Page, finished, held_at_its_bug, holdpoint, inject_on_the_page, serve};

#[test]
fn a_person_injects_a_value_in_a_browser_and_the_demo_finishes() {
    let folder = Folder::new();
    let served = serve(&folder);
    let driver = Driver::chromium(1280, 800);
    driver.open(&served.viewer);
    Page(&driver).says("Run the demo");
    driver.picture("browser-empty");
    Page(&driver).click("Button", "Run the demo");
    let hold = held_at_its_bug(&folder);
    assert_eq!(hold["point"], "error", "{hold}");
    Page(&driver).find("Button", "Inject");
    driver.picture("browser-held");
    inject_on_the_page(&driver, "1284.50");
    let run = finished(&folder);
    assert_eq!(run["status"], "ok", "{run}");
    driver.picture("browser-finished");
    holdpoint(&folder, &["holds"]);
}
