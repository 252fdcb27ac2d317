//! What the canvas needs of the verbs: its scene brought up to date when something changed, and its camera moved.

use graph::RunKey;
use graph::project::{self, At, Filter};

use super::App;
use crate::action::{Action, Camera, Walk};
use crate::model::{Selection, TimePosition};
use crate::scene::{Direction, SceneAsk};
use crate::views::canvas::CameraMove;

/// Run, moment, filter and breakpoints that the scene shows.
type Seen = (RunKey, TimePosition, Filter, u64);

/// What changed since the last refresh, and the moment that is shown.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// Nodes or edges may have come.
    pub(super) structure: bool,
    /// Anything else may have changed.
    pub(super) state: bool,
    /// What the scene was made for: run, moment, search, breakpoints.
    seen: Option<Seen>,
    at: Option<At>,
}

impl Changed {
    /// The run at the moment that is shown.
    pub(super) fn at(&self) -> Option<&At> {
        self.at.as_ref()
    }
}

impl App {
    /// Projects and places what is shown, if anything about it changed.
    pub(super) fn refresh_scene(&mut self) {
        let key = self.shown().map(|key| RunKey::from(&*key));
        let run = key.as_ref().and_then(|key| self.store.run(key));
        let counted: u64 =
            self.state.debug.breakpoints.iter().map(|known| known.seen + u64::from(known.bound)).sum();
        let marks = self.state.debug.breakpoints.len() as u64 * 1_000_003 + counted;
        let filter = self.state.filter();
        let seen = key.map(|key| (key, self.state.time, filter.clone(), marks));
        let moved = self.changed.seen != seen;
        let moment = |known: &Option<Seen>| known.as_ref().map(|k| (k.0.clone(), k.1));
        let jumped = moment(&self.changed.seen) != moment(&seen);
        if jumped {
            self.changed.at = match (self.state.time, run) {
                (TimePosition::At(seq), Some(run)) => Some(project::at(run, seq)),
                _ => None,
            };
        }
        let ask = SceneAsk {
            run,
            at: self.changed.at.as_ref(),
            breakpoints: &self.state.debug.breakpoints,
            filter: &filter,
            structure: self.changed.structure || jumped,
            changed: self.changed.state || moved,
        };
        self.scene.refresh(&ask);
        self.changed = Changed { seen, at: self.changed.at.take(), ..Changed::default() };
    }

    /// Actions that only the canvas knows.
    pub(super) fn canvas(&mut self, action: Action) {
        match action {
            Action::Reveal(node) => self.scratch.canvas.ask(CameraMove::Reveal(node)),
            Action::Enter(Some(node)) => self.scratch.canvas.ask(CameraMove::Enter(node)),
            Action::Enter(None) => self.scratch.canvas.ask(CameraMove::Fit),
            Action::ToggleFold(node) => self.scene.toggle_fold(&node),
            Action::OpenStack(node) => self.scene.open_stack(&node),
            Action::Camera(movement) => self.camera(movement),
            _ => {}
        }
    }

    fn camera(&mut self, movement: Camera) {
        let ask = match movement {
            Camera::Fit => CameraMove::Fit,
            Camera::ZoomIn => CameraMove::In,
            Camera::ZoomOut => CameraMove::Out,
            Camera::Actual => CameraMove::Actual,
            Camera::ToggleFollow => CameraMove::ToggleFollow,
            Camera::Tidy => return self.scene.tidy(),
            Camera::Walk(walk) => return self.walk(walk),
        };
        self.scratch.canvas.ask(ask);
    }

    fn walk(&mut self, walk: Walk) {
        let direction = match walk {
            Walk::Parent => Direction::Parent,
            Walk::Child => Direction::Child,
            Walk::Previous => Direction::Previous,
            Walk::Next => Direction::Next,
        };
        if let Some(target) = self.scene.walk(self.state.selection.node.as_ref(), direction) {
            self.scratch.canvas.ask(CameraMove::Reveal(target.clone()));
            self.state.selection = Selection::node(target);
        }
    }
}
