//! Two runs side by side: both are watched while they are compared, and the difference is made once a change of either.

use std::sync::Arc;

use graph::RunKey;
use wire::viewer::ViewerFrame;

use super::App;
use crate::model::compare::Compare;
use crate::model::toasts::Level;
use crate::model::{Selection, TimePosition};

impl App {
    /// Compares `first` with the shown run.
    pub(super) fn compare_with(&mut self, first: &Arc<str>) {
        let Some(second) = self.shown().filter(|shown| shown != first) else {
            return self.say(
                Level::Info,
                "Open another run first",
                "A run is compared with the one that is shown.",
            );
        };
        self.end_compare();
        self.send(&ViewerFrame::Watch { run: first.to_string() });
        self.state.time = TimePosition::Live;
        self.state.compare = Some(Compare::new(Arc::clone(first), second));
    }

    /// Puts the second run first.
    pub(super) fn swap_compare(&mut self) {
        let Some(compare) = self.state.compare.take() else { return };
        let (first, second) = (compare.second, compare.first);
        let total = self.state.run(&second).map_or(0, |run| run.events);
        self.state.events.open(&second, total);
        self.state.selection = Selection::default();
        self.state.shown = Some(Arc::clone(&second));
        self.state.compare = Some(Compare::new(first, second));
    }

    /// Back to one run; the other is no longer watched.
    pub(super) fn end_compare(&mut self) {
        if let Some(compare) = self.state.compare.take() {
            self.send(&ViewerFrame::Unwatch { run: compare.first.to_string() });
        }
    }

    /// The next or previous row that differs.
    pub(super) fn step_difference(&mut self, forward: bool) {
        let Some(compare) = &mut self.state.compare else { return };
        compare.turn(forward);
        let node = compare.current().and_then(|row| match row.pairing {
            graph::project::Pairing::Both(_, ix) | graph::project::Pairing::Second(ix) => Some(ix),
            graph::project::Pairing::First(_) => None,
        });
        let second = RunKey::from(&*compare.second);
        if let Some((run, ix)) = self.store.run(&second).zip(node) {
            self.state.selection = Selection::node(run.node(ix).id.as_str());
        }
    }

    /// Makes the difference anew when one of the two has changed; ends it when one is gone.
    pub(super) fn refresh_compare(&mut self) {
        let Some(compare) = &mut self.state.compare else { return };
        let gone = |key: &Arc<str>| self.state.runs.iter().all(|run| run.run != **key);
        if gone(&compare.first) || gone(&compare.second) {
            self.state.compare = None;
            return;
        }
        let run = |key: &Arc<str>| self.store.run(&RunKey::from(&**key));
        if let (Some(first), Some(second)) = (run(&compare.first), run(&compare.second)) {
            compare.refresh(first, second);
        }
    }
}
