//! What was asked of a hold and how far it came. Asked, on its way and done are three different stages; the last
//! comes only from the program's own events, never from here. One ask at a time a hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::action::Verb;

/// How far an ask came.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// Sent to the server, nothing heard yet.
    Asked,
    /// The server handed it to the program.
    OnItsWay,
    /// It will not happen; why.
    Refused(String),
}

/// One ask.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// Number that the server's answer carries.
    pub req: u64,
    /// What was asked.
    pub verb: Verb,
    /// How far it came.
    pub stage: Stage,
}

/// Asks in flight, by run and hold.
#[derive(Debug, Default)]
pub struct Pending {
    asks: BTreeMap<(Arc<str>, Arc<str>), Ask>,
}

impl Pending {
    /// Notes a new ask; `false` when one is already under way at this hold.
    pub fn begin(&mut self, run: &Arc<str>, pause: &Arc<str>, ask: Ask) -> bool {
        let busy = self.get(run, pause).is_some_and(|known| !matches!(known.stage, Stage::Refused(_)));
        if !busy {
            self.asks.insert((Arc::clone(run), Arc::clone(pause)), ask);
        }
        !busy
    }

    /// The ask at a hold.
    pub fn get(&self, run: &str, pause: &str) -> Option<&Ask> {
        self.asks.iter().find(|((r, p), _)| &**r == run && &**p == pause).map(|(_, ask)| ask)
    }

    /// Moves the ask with this number on; returns its run and hold.
    pub fn advance(&mut self, req: u64, stage: Stage) -> Option<(Arc<str>, Arc<str>)> {
        let (key, ask) = self.asks.iter_mut().find(|(_, ask)| ask.req == req)?;
        ask.stage = stage;
        Some(key.clone())
    }

    /// Refuses whatever is under way at a hold: the program itself said no.
    pub fn refuse(&mut self, run: &str, pause: &str, reason: String) {
        if let Some((_, ask)) = self.asks.iter_mut().find(|((r, p), _)| &**r == run && &**p == pause) {
            ask.stage = Stage::Refused(reason);
        }
    }

    /// Forgets asks at holds that have ended; returns those forgotten.
    pub fn retain(&mut self, held: impl Fn(&str, &str) -> bool) -> Vec<(Arc<str>, Arc<str>, Ask)> {
        let ended: Vec<_> = self.asks.keys().filter(|(run, pause)| !held(run, pause)).cloned().collect();
        ended.into_iter().filter_map(|key| self.asks.remove(&key).map(|ask| (key.0, key.1, ask))).collect()
    }

    /// Fails everything still unanswered, since the connection is gone.
    pub fn lost(&mut self) {
        for ask in self.asks.values_mut().filter(|ask| ask.stage == Stage::Asked) {
            ask.stage = Stage::Refused("The connection was lost before the server answered.".to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(req: u64) -> Ask {
        Ask { req, verb: Verb::Continue, stage: Stage::Asked }
    }

    #[test]
    fn a_hold_has_one_ask_in_flight_until_it_is_refused() {
        let (run, pause): (Arc<str>, Arc<str>) = ("r".into(), "p".into());
        let mut pending = Pending::default();
        assert!(pending.begin(&run, &pause, ask(1)));
        assert!(!pending.begin(&run, &pause, ask(2)));
        assert_eq!(pending.advance(1, Stage::Refused("no".to_owned())), Some((run.clone(), pause.clone())));
        assert!(pending.begin(&run, &pause, ask(3)));
    }

    #[test]
    fn an_ended_hold_takes_its_ask_along() {
        let (run, pause): (Arc<str>, Arc<str>) = ("r".into(), "p".into());
        let mut pending = Pending::default();
        pending.begin(&run, &pause, ask(1));
        assert_eq!(pending.retain(|_, _| true).len(), 0);
        assert_eq!(pending.retain(|_, _| false).len(), 1);
        assert_eq!(pending.get("r", "p"), None);
    }
}
