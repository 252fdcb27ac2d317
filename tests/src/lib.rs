//! What the journeys stand on: built programs with a data directory of their own, a screen in memory, and one small
//! WebDriver client for both the real window (WebKitWebDriver) and Chromium (chromedriver).
//!
//! Everything that is started ends when its value is dropped, so a failing journey leaves nothing behind. Waiting is for
//! a state, never for a time: the bounds here only end a journey that can no longer succeed.

mod demo;
mod desktop;
mod driver;
mod http;
mod page;
mod programs;
mod screen;
mod text;

pub use demo::{finished, held_at_its_bug, inject_on_the_page};
pub use desktop::Running;
pub use driver::{Driver, Keys};
pub use page::{Page, Widget};
pub use programs::{Agent, Folder, Served, holdpoint, json, python_agent, serve, window_program};
pub use screen::Screen;

use std::time::{Duration, Instant};

/// When a state that should come has not come, the journey is over.
const WAIT_MAX: Duration = Duration::from_secs(180);
const STEP: Duration = Duration::from_millis(50);

/// Asks again and again until there is an answer.
///
/// # Panics
/// If none comes: with what was waited for and what was seen last.
pub fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Result<T, String>) -> T {
    let end = Instant::now() + WAIT_MAX;
    loop {
        match ask() {
            Ok(found) => return found,
            Err(seen) => assert!(Instant::now() < end, "waited in vain for {what}; last seen: {seen}"),
        }
        std::thread::sleep(STEP);
    }
}
