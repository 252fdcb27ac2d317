//! The first journey, in the real window on a screen in memory: the demo attaches, is held at its bug, a person injects a
//! value and the agent finishes.

use acceptance::{
    Driver, Folder, Page, Screen, finished, held_at_its_bug, inject_on_the_page, wait_for, window_program,
};

#[test]
fn a_person_injects_a_value_in_the_window_and_the_demo_finishes() {
    let (screen, folder) = (Screen::start(1280, 800), Folder::new());
    let driver = Driver::window(&screen, &window_program(), &folder, &["--demo"]);
    let hold = held_at_its_bug(&folder);
    assert_eq!(hold["point"], "error", "{hold}");
    wait_for("the hold in the title", || {
        let title = driver.title();
        if title.contains("(1 held)") { Ok(()) } else { Err(title) }
    });
    Page(&driver).find("Button", "Inject");
    driver.picture("window-held");
    inject_on_the_page(&driver, "1284.50");
    let run = finished(&folder);
    assert_eq!(run["status"], "ok", "{run}");
    driver.picture("window-finished");
}
