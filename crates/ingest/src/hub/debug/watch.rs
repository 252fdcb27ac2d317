//! What conditions are asked about: the bodies of instances that are open and that some condition could concern.
//!
//! Invariant: bodies are kept by reference to the frame they came in, only while a breakpoint with an expression matches
//! the node, and never more than a bound; what is not there makes a condition fail on the value, and so hold.

use std::collections::VecDeque;

use graph::RunKey;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use wire::NodeStarted;

use super::super::Hub;
use super::Debug;
use crate::limits::OPEN_BODIES_MAX;

/// Frames of open instances, oldest first.
#[derive(Default)]
pub(crate) struct Bodies(VecDeque<Open>);

struct Open {
    node_id: Box<str>,
    instance_id: Box<str>,
    started: Utf8Bytes,
    error: Option<Utf8Bytes>,
    finished: Option<Utf8Bytes>,
}

/// The frames of one instance.
pub(super) struct Frames<'a> {
    pub(super) started: &'a Utf8Bytes,
    pub(super) error: Option<&'a Utf8Bytes>,
    pub(super) finished: Option<&'a Utf8Bytes>,
}

impl Bodies {
    fn start(&mut self, started: &NodeStarted<'_>, frame: &Utf8Bytes) {
        if self.0.len() >= OPEN_BODIES_MAX {
            self.0.pop_front();
        }
        self.0.push_back(Open {
            node_id: (&*started.node_id).into(),
            instance_id: (&*started.instance_id).into(),
            started: frame.clone(),
            error: None,
            finished: None,
        });
    }

    fn at(&self, node_id: &str, instance_id: Option<&str>) -> Result<usize, &'static str> {
        let fits = |open: &Open| {
            *open.node_id == *node_id && instance_id.is_none_or(|instance| *open.instance_id == *instance)
        };
        let mut found = self.0.iter().enumerate().filter(|(_, open)| fits(open)).map(|(at, _)| at);
        let first = found.next().ok_or("its input was not seen while this breakpoint was set")?;
        match found.next() {
            None => Ok(first),
            Some(_) => Err("several instances are open and the hold names none"),
        }
    }

    /// The frames of the instance a hold is about.
    pub(super) fn of(&self, node_id: &str, instance_id: Option<&str>) -> Result<Frames<'_>, &'static str> {
        let open = &self.0[self.at(node_id, instance_id)?];
        let (error, finished) = (open.error.as_ref(), open.finished.as_ref());
        Ok(Frames { started: &open.started, error, finished })
    }

    fn note(&mut self, node_id: &str, instance_id: Option<&str>, put: impl FnOnce(&mut Open)) {
        if let Ok(at) = self.at(node_id, instance_id) {
            put(&mut self.0[at]);
        }
    }

    /// Lets go of an instance that has ended and is not held.
    fn end(&mut self, node_id: &str, instance_id: Option<&str>) {
        if let Ok(at) = self.at(node_id, instance_id) {
            self.0.remove(at);
        }
    }
}

impl Debug {
    /// Counts a node that begins; true if some expression may ask about its bodies.
    fn seen(&mut self, kind: &str, name: &str) -> bool {
        let mut asked = false;
        for breakpoint in &mut self.breakpoints {
            let matcher = &breakpoint.state.spec.matcher;
            if !breakpoint.is_armed() || !matcher.matches(kind, name, matcher.effective_point()) {
                continue;
            }
            breakpoint.state.seen += 1;
            breakpoint.state.bound = true;
            self.changed = true;
            asked |= breakpoint.condition.is_some() || breakpoint.log.is_some();
        }
        asked
    }
}

impl Hub {
    /// A node begins: its words are remembered, breakpoints count it.
    pub(in crate::hub) fn node_started(
        &mut self,
        key: &RunKey,
        started: &NodeStarted<'_>,
        frame: &Utf8Bytes,
    ) {
        let (kind, name) = (started.kind.as_str(), &*started.name);
        let asked = !self.debug.breakpoints.is_empty() && self.debug.seen(kind, name);
        let Some(run) = self.runs.get_mut(key) else { return };
        if !run.words.contains_key(&*started.node_id) {
            run.words.insert((&*started.node_id).into(), (kind.into(), name.into()));
        }
        if asked {
            run.bodies.start(started, frame);
        }
    }

    /// A node fails: conditions at its error gate may ask about it.
    pub(in crate::hub) fn node_failed(
        &mut self,
        key: &RunKey,
        node_id: &str,
        instance_id: Option<&str>,
        frame: &Utf8Bytes,
    ) {
        if let Some(run) = self.runs.get_mut(key) {
            run.bodies.note(node_id, instance_id, |open| open.error = Some(frame.clone()));
        }
    }

    /// A node ends. Some clients hold at `after` only now, so the bodies stay until the hold or the next end.
    pub(in crate::hub) fn node_ended(
        &mut self,
        key: &RunKey,
        node_id: &str,
        instance_id: Option<&str>,
        frame: &Utf8Bytes,
    ) {
        let Some(run) = self.runs.get_mut(key) else { return };
        let after = self
            .debug
            .breakpoints
            .iter()
            .any(|b| b.is_armed() && b.state.spec.matcher.effective_point() != wire::Point::Before);
        if after {
            run.bodies.note(node_id, instance_id, |open| open.finished = Some(frame.clone()));
        } else {
            run.bodies.end(node_id, instance_id);
        }
    }
}
