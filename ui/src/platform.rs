//! What the window needs of its surroundings beside frames: the wall clock, small remembered settings, dialogs.
//! Each is asked for through this trait, so the crate runs the same in a page, a native window and a test.

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

    /// Tells the system that something waits, if the window is not in front.
    fn notify(&mut self, title: &str, body: &str);

    /// Title of the window or page.
    fn set_title(&mut self, title: &str);

    /// Whether the system asks for less motion.
    fn reduced_motion(&self) -> bool;

    /// Whether the shell hosts the page (paths instead of bytes, its own menus).
    fn in_shell(&self) -> bool;
}

/// A file that a person gave to the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// A path on this machine.
    Path(String),
    /// Content, where the page may not know the path.
    Bytes {
        /// Name without folders.
        name: String,
        /// The content.
        bytes: Vec<u8>,
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
