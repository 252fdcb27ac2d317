//! The same window as a native program over a running server: for demonstrations and for a look without a webview.
//! `holdpoint-ui ADDRESS`, where ADDRESS is the one that `holdpoint serve` prints, with its token. Without one it shows
//! the empty window.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::Duration;

use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Error, Message, WebSocket};
use ui::App;
use ui::platform::Plain;
use ui::transport::{Link, Queue};

/// How long a read waits before what the window wants to send is looked at.
const TURN: Duration = Duration::from_millis(30);
/// How long a lost connection waits before the next attempt, in seconds.
const AGAIN_S: u64 = 2;

struct Native(App);

impl eframe::App for Native {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.0.show(ui);
    }
}

fn main() -> eframe::Result {
    let address = std::env::args().nth(1).and_then(|given| socket_of(&given));
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_inner_size([1440.0, 900.0]),
        ..Default::default()
    };
    let start = move |creation: &eframe::CreationContext<'_>| {
        let queue = Queue::new();
        if let Some(address) = address {
            let (line, ctx) = (queue.clone(), creation.egui_ctx.clone());
            std::thread::spawn(move || stay_connected(&address, &line, &ctx));
        }
        Ok(Box::new(Native(App::new(Box::new(queue), Box::new(Plain::default())))) as Box<dyn eframe::App>)
    };
    eframe::run_native("Holdpoint", options, Box::new(start))
}

/// `ws://HOST/ws/ui?token=T` of `http://HOST/?token=T` or `http://HOST/#token=T`.
fn socket_of(page: &str) -> Option<String> {
    let rest = page.split_once("://").map_or(page, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
    let token = rest.split_once("token=").map_or("", |(_, token)| token.split('&').next().unwrap_or(""));
    Some(format!("ws://{host}/ws/ui?token={token}"))
}

/// Connects, and again when the connection is lost.
fn stay_connected(address: &str, line: &Queue, ctx: &egui::Context) {
    for attempt in 1.. {
        if let Ok((mut socket, _)) = tungstenite::connect(address) {
            line.set_link(Link::Open);
            ctx.request_repaint();
            exchange(&mut socket, line, ctx);
        }
        line.set_link(Link::Retrying { attempt, wait_s: AGAIN_S as f64 });
        ctx.request_repaint();
        std::thread::sleep(Duration::from_secs(AGAIN_S));
    }
}

/// Frames both ways, until the connection is lost.
fn exchange(socket: &mut WebSocket<MaybeTlsStream<TcpStream>>, line: &Queue, ctx: &egui::Context) {
    if let MaybeTlsStream::Plain(stream) = socket.get_mut()
        && stream.set_read_timeout(Some(TURN)).is_err()
    {
        return;
    }
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => {
                line.feed(text.as_str());
                ctx.request_repaint();
            }
            Ok(Message::Close(_)) => return,
            Ok(_) => {}
            Err(Error::Io(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
        for frame in line.sent() {
            if socket.send(Message::text(frame)).is_err() {
                return;
            }
        }
    }
}
