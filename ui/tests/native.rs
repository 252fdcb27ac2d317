//! The native window over a server: it starts, connects and watches the run that it is told of. Needs Xvfb.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use tungstenite::{Message, WebSocket};

/// Ends with the test, however that ends.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command) -> Ends {
    let silent = command.stdout(Stdio::null()).stderr(Stdio::null());
    Ends(silent.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}")))
}

fn accept(listener: &TcpListener) -> WebSocket<TcpStream> {
    let (stream, _) = listener.accept().expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
    tungstenite::accept(stream).expect("a WebSocket")
}

#[test]
fn the_native_window_connects_and_watches_a_run() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let display = format!(":{}", 200 + port % 400);
    let _screen = start(Command::new("Xvfb").args([&display, "-screen", "0", "1440x900x24"]));
    std::thread::sleep(Duration::from_secs(1));
    let page = format!("http://127.0.0.1:{port}/?token=secret");
    let mut window = Command::new(env!("CARGO_BIN_EXE_holdpoint-ui"));
    let _window = start(
        window
            .arg(page)
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .env("LIBGL_ALWAYS_SOFTWARE", "1"),
    );
    let mut socket = accept(&listener);
    let run = json!({ "run": "r1", "runId": "r1", "app": "demo", "source": "live", "status": "running", "live": true });
    let welcome = json!({
        "t": "welcome", "version": "0", "ingestUrl": "ws://127.0.0.1:1/ingest", "viewerUrl": "http://127.0.0.1:1/",
        "dataDir": "", "demo": false, "import": false, "debug": {}, "runs": [run],
    });
    socket.send(Message::text(welcome.to_string())).expect("the window listens");
    loop {
        let frame = socket.read().expect("a frame of the window");
        if frame.to_text().is_ok_and(|text| text.contains("\"watch\"") && text.contains("r1")) {
            break;
        }
    }
}
