//! What the window needs of its surroundings beside frames: the wall clock, small remembered settings, dialogs.
//! Each is asked for through this trait, so the crate runs the same in a page, a native window and a test.

use crate::model::export::{Export, Exported};

/// The surroundings.
pub trait Platform {
    /// Wall clock, milliseconds since 1970; the unit and origin of the wire's `ts`.
    fn now_ms(&self) -> f64;

    /// A remembered setting.
    fn load(&self, key: &str) -> Option<String>;

    /// Remembers a setting; failing to is not worth a word.
    fn save(&mut self, key: &str, value: &str);

    /// Asks for a file. `false`: there is no such dialog here.
    fn open_dialog(&mut self) -> bool;

    /// Hands over files dropped or chosen since the last call.
    fn take_files(&mut self) -> Vec<Incoming>;

    /// A file is dragged over the window, as far as egui does not see it itself.
    fn dragging(&self) -> bool {
        false
    }

    /// Sends bytes of a file to the server's import; the answer arrives as a frame.
    fn upload(&mut self, name: &str, bytes: Vec<u8>);

    /// Has a run written to a file that the person keeps; what came of it is among the files later.
    fn export(&mut self, ask: &Export);

    /// Loads the page anew.
    fn reload(&mut self);

    /// Tells the system that something waits, if the window is not in front.
    fn notify(&mut self, title: &str, body: &str);

    /// Asks the person to let notifications be shown, where that needs a word.
    fn allow_notifications(&mut self);

    /// The part of the page's address behind `#`, without it.
    fn fragment(&self) -> String;

    /// Changes it, without loading anything.
    fn set_fragment(&mut self, fragment: &str);

    /// Title of the window or page.
    fn set_title(&mut self, title: &str);

    /// Whether the system asks for less motion.
    fn reduced_motion(&self) -> bool;

    /// Whether the shell hosts the page (paths instead of bytes, its own menus).
    fn in_shell(&self) -> bool;
}

/// A file that a person gave to the window, or the window to a person.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// The part of the address behind `#` that a person has typed or followed.
    Place(String),
    /// A path on this machine.
    Path(String),
    /// Content, where the page may not know the path.
    Bytes {
        /// Name without folders.
        name: String,
        /// The content.
        bytes: Vec<u8>,
    },
    /// A run was written; `None` when the person chose no place for it.
    Exported {
        /// What was asked for.
        ask: Export,
        /// What came of it, or why nothing did.
        done: Result<Option<Exported>, String>,
    },
    /// It could not be read.
    Failed {
        /// Why, for a person.
        reason: String,
    },
}

/// Surroundings that remember in memory and have a clock set by hand: for tests and the native demonstration.
#[derive(Debug, Default)]
pub struct Plain {
    /// What [`Platform::now_ms`] says.
    pub now_ms: f64,
    /// Remembered settings, which outlive the window.
    pub settings: std::sync::Arc<std::sync::Mutex<std::collections::BTreeMap<String, String>>>,
    /// The last title.
    pub title: String,
    /// Notifications so far.
    pub notified: Vec<String>,
    /// Files to hand over.
    pub files: Vec<Incoming>,
    /// Names and sizes of uploads.
    pub uploads: Vec<(String, usize)>,
    /// Exports and reloads that were asked for, which outlive the window.
    pub asked: std::sync::Arc<std::sync::Mutex<Vec<String>>>,
}

impl Plain {
    fn ask(&self, what: String) {
        if let Ok(mut asked) = self.asked.lock() {
            asked.push(what);
        }
    }
}

impl Platform for Plain {
    fn now_ms(&self) -> f64 {
        self.now_ms
    }
    fn load(&self, key: &str) -> Option<String> {
        self.settings.lock().ok()?.get(key).cloned()
    }
    fn save(&mut self, key: &str, value: &str) {
        if let Ok(mut settings) = self.settings.lock() {
            settings.insert(key.to_owned(), value.to_owned());
        }
    }
    fn open_dialog(&mut self) -> bool {
        false
    }
    fn take_files(&mut self) -> Vec<Incoming> {
        std::mem::take(&mut self.files)
    }
    fn upload(&mut self, name: &str, bytes: Vec<u8>) {
        self.uploads.push((name.to_owned(), bytes.len()));
    }
    fn export(&mut self, ask: &Export) {
        self.ask(ask.path(str::to_owned));
        let name = format!("{}.{}", ask.run, ask.form.word());
        let done = Exported { name, events: 50, replaced: 3, notes: Vec::new() };
        self.files.push(Incoming::Exported { ask: ask.clone(), done: Ok(Some(done)) });
    }
    fn reload(&mut self) {
        self.ask("reload".to_owned());
    }
    fn allow_notifications(&mut self) {
        self.ask("notifications".to_owned());
    }
    fn fragment(&self) -> String {
        self.load("fragment").unwrap_or_default()
    }
    fn set_fragment(&mut self, fragment: &str) {
        self.save("fragment", fragment);
    }
    fn notify(&mut self, title: &str, body: &str) {
        self.notified.push(format!("{title}: {body}"));
    }
    fn set_title(&mut self, title: &str) {
        title.clone_into(&mut self.title);
    }
    fn reduced_motion(&self) -> bool {
        true
    }
    fn in_shell(&self) -> bool {
        false
    }
}
