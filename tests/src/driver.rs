//! A WebDriver client: one session, clicks, keys, scripts and pictures.
//!
//! WebKitWebDriver opens our own window (the automation switch of the webview is a variable that we set on the driver);
//! chromedriver opens Chromium. Both speak the same protocol, so the journeys do not know which one they drive.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::{Folder, Screen, http, text, wait_for};

/// Keys by the code points WebDriver gives them.
#[derive(Clone, Copy, Debug)]
pub enum Keys {
    /// Control with one more key.
    Control(char),
    /// Control with Enter.
    ControlEnter,
    /// Escape.
    Escape,
}

/// A session; window, browser and driver end with this value.
#[derive(Debug)]
pub struct Driver {
    process: Child,
    port: u16,
    session: String,
}

impl Driver {
    /// Opens the real window on a screen, with a data directory of its own.
    ///
    /// # Panics
    /// If it does not open.
    pub fn window(screen: &Screen, program: &Path, folder: &Folder, args: &[&str]) -> Self {
        let mut driver = Command::new("WebKitWebDriver");
        driver
            .env("DISPLAY", &screen.display)
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("TAURI_AUTOMATION", "true");
        driver
            .env("HOLDPOINT_DATA_DIR", folder.path())
            .env("HOLDPOINT_PORT", "0")
            .env_remove("WAYLAND_DISPLAY");
        driver.env("GDK_BACKEND", "x11").env("DBUS_SESSION_BUS_ADDRESS", "disabled:");
        let options = json!({ "binary": program, "args": args });
        Self::start(driver, &json!({ "browserName": "wry", "webkitgtk:browserOptions": options }))
    }

    /// Opens Chromium without a screen, of this size in pixels.
    ///
    /// # Panics
    /// If it does not open.
    pub fn chromium(width: u32, height: u32) -> Self {
        let args = [
            "--headless=new".to_string(),
            "--no-sandbox".to_string(),
            // Mesa's software renderer: on two cores it paints twice as fast as the browser's own.
            "--ignore-gpu-blocklist".to_string(),
            "--use-gl=angle".to_string(),
            "--use-angle=gl-egl".to_string(),
            "--disable-renderer-backgrounding".to_string(),
            "--no-first-run".to_string(),
            "--hide-scrollbars".to_string(),
            format!("--window-size={width},{height}"),
        ];
        Self::start(Command::new("chromedriver"), &json!({ "goog:chromeOptions": { "args": args } }))
    }

    fn start(mut command: Command, capabilities: &Value) -> Self {
        let port = free_port();
        let name = command.get_program().to_string_lossy().into_owned();
        let process = command
            .arg(format!("--port={port}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{name} starts ({error}); `cargo xtask setup` installs it"));
        let mut driver = Self { process, port, session: String::new() };
        wait_for("the driver", || http::request(port, "GET", "/status", None).map(drop));
        let asked = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let (_, answer) = http::request(port, "POST", "/session", Some(&asked)).expect("the driver answers");
        let session = answer["value"]["sessionId"].as_str();
        driver.session = session.unwrap_or_else(|| panic!("{name} opens a session: {answer}")).to_string();
        driver
    }

    /// Opens an address.
    pub fn open(&self, url: &str) {
        self.post("url", &json!({ "url": url }));
    }

    /// Runs a script in the page and gives what it returns.
    pub fn script(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// The title that a person reads.
    pub fn title(&self) -> String {
        self.call("GET", "title", None).as_str().unwrap_or_default().to_string()
    }

    /// Presses and releases the first button at a place in the page.
    pub fn click(&self, x: f64, y: f64) {
        let at = json!({ "type": "pointerMove", "duration": 0, "origin": "viewport", "x": x as i64, "y": y as i64 });
        let pause = json!({ "type": "pause", "duration": 100 });
        // Press and release fall into one frame: where frames are slow, a long press would be no click.
        let actions =
            json!([at, pause, { "type": "pointerDown", "button": 0 }, { "type": "pointerUp", "button": 0 }]);
        self.act(&json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions }));
    }

    /// Types a text as a person would.
    pub fn type_text(&self, text: &str) {
        let keys = text.chars().flat_map(|c| {
            [
                json!({ "type": "keyDown", "value": c }),
                json!({ "type": "keyUp", "value": c }),
                json!({ "type": "pause", "duration": 10 }),
            ]
        });
        self.keys(&keys.collect::<Vec<_>>());
    }

    /// Presses a key, with its modifier held.
    pub fn press(&self, keys: Keys) {
        let down = |value: &str| json!({ "type": "keyDown", "value": value });
        let up = |value: &str| json!({ "type": "keyUp", "value": value });
        let (control, enter, escape) = ("\u{E009}", "\u{E007}", "\u{E00C}");
        let chord = |key: &str| vec![down(control), down(key), up(key), up(control)];
        self.keys(&match keys {
            Keys::Control(key) => chord(&key.to_string()),
            Keys::ControlEnter => chord(enter),
            Keys::Escape => vec![down(escape), up(escape)],
        });
    }

    /// Writes a picture of the page to `screens/NAME.png` in the build folder and gives its path.
    ///
    /// # Panics
    /// If it cannot be taken or written.
    pub fn picture(&self, name: &str) -> PathBuf {
        let picture = self.call("GET", "screenshot", None);
        let dir = crate::programs::target_dir().join("screens");
        std::fs::create_dir_all(&dir).expect("the folder for pictures can be made");
        let path = dir.join(format!("{name}.png"));
        std::fs::write(&path, text::from_base64(picture.as_str().unwrap_or_default()))
            .expect("a picture can be written");
        path
    }

    fn keys(&self, actions: &[Value]) {
        self.act(&json!({ "type": "key", "id": "keyboard", "actions": actions }));
    }

    fn act(&self, source: &Value) {
        self.post("actions", &json!({ "actions": [source] }));
    }

    fn post(&self, what: &str, body: &Value) -> Value {
        self.call("POST", what, Some(body))
    }

    fn call(&self, method: &str, what: &str, body: Option<&Value>) -> Value {
        let path = format!("/session/{}/{what}", self.session);
        let (status, answer) = http::request(self.port, method, &path, body).expect("the driver answers");
        assert_eq!(status, 200, "{method} {what}: {answer}");
        answer["value"].clone()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // The driver closes its window or browser; it is told so even while a failed journey unwinds.
        let _ = http::request(self.port, "DELETE", &format!("/session/{}", self.session), None);
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    listener.local_addr().expect("a bound socket has an address").port()
}
