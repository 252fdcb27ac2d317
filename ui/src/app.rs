//! The window as one value: the store, the state, and the three verbs that change them in a fixed order every pass.
//! Invariant: nothing changes while views paint; what they asked for is carried out in the next verb.

mod canvas;
mod compare;
mod control;
mod dispatch;
mod keys;
mod place;
mod receive;
mod refresh;
mod show;
mod time;

pub(crate) use keys::KEYS;
pub(crate) use refresh::run_title;

use std::sync::Arc;

use graph::Store;
use wire::viewer::ViewerFrame;

use crate::action::Actions;
use crate::model::State;
use crate::model::toasts::Level;
use crate::platform::Platform;
use crate::scene::Scene;
use crate::transport::Transport;
use crate::views::Scratch;

/// The window.
pub struct App {
    store: Store,
    state: State,
    actions: Actions,
    scratch: Scratch,
    transport: Box<dyn Transport>,
    platform: Box<dyn Platform>,
    next_req: u64,
    epoch: u64,
    frames: Vec<String>,
    time_s: f64,
    /// Holds seen so far, to tell new ones.
    known_holds: Vec<(String, String)>,
    scene: Scene,
    /// What changed since the scene was last brought up to date.
    changed: canvas::Changed,
    title: String,
    /// The part of the address behind `#`, as it was set last.
    fragment: String,
    /// Where a link leads, until its run is here.
    goto: Option<crate::model::place::Place>,
    themed: bool,
    fonts: bool,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("shown", &self.state.shown).finish_non_exhaustive()
    }
}

impl App {
    /// A window over a transport, remembering what it remembered.
    pub fn new(transport: Box<dyn Transport>, platform: Box<dyn Platform>) -> Self {
        let mut state = State { in_shell: platform.in_shell(), ..State::default() };
        if let Some(layout) = platform.load("layout").and_then(|text| serde_json::from_str(&text).ok()) {
            state.layout = layout;
        }
        if let Some(table) = platform.load("prices").and_then(|text| serde_json::from_str(&text).ok()) {
            state.prices.set(table);
        }
        let panes =
            platform.load("panes").and_then(|text| crate::model::Panes::read(&text)).unwrap_or_default();
        let goto = crate::model::place::Place::read(&platform.fragment());
        Self {
            store: Store::default(),
            state,
            actions: Actions::default(),
            scratch: Scratch { panes, ..Scratch::default() },
            transport,
            platform,
            next_req: 0,
            epoch: 0,
            frames: Vec::new(),
            time_s: 0.0,
            known_holds: Vec::new(),
            scene: Scene::default(),
            changed: canvas::Changed::default(),
            title: String::new(),
            fragment: String::new(),
            goto,
            themed: false,
            fonts: false,
        }
    }

    /// The window's state, for tests and the shell around it.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Asks for something from outside the views: menus, deep links, tests.
    pub fn ask(&mut self, action: crate::Action) {
        self.actions.push(action);
    }

    /// Says something that the surroundings have to say, such as a port that was taken.
    pub fn notice(&mut self, text: impl Into<String>) {
        self.say(Level::Info, text, "");
    }

    /// A number for the next request.
    fn req(&mut self) -> u64 {
        self.next_req += 1;
        self.next_req
    }

    /// Sends a frame; says so when there is no connection.
    fn send(&mut self, frame: &ViewerFrame) -> bool {
        self.transport.send(frame.encode())
    }

    fn shown(&self) -> Option<Arc<str>> {
        self.state.shown.clone()
    }

    fn now(&self) -> (f64, f64) {
        (self.time_s, self.platform.now_ms())
    }

    fn say(&mut self, level: Level, title: impl Into<String>, text: impl Into<String>) {
        let now = self.now();
        self.state.toasts.say(level, title, text, now);
    }

    fn remember(&mut self) {
        if let Ok(text) = serde_json::to_string(&self.state.layout) {
            self.platform.save("layout", &text);
        }
        if let Ok(text) = serde_json::to_string(self.state.prices.table()) {
            self.platform.save("prices", &text);
        }
        if let Ok(text) = serde_json::to_string(&self.scratch.panes) {
            self.platform.save("panes", &text);
        }
    }
}
