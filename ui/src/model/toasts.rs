//! Short messages: what happened, and one thing to do about it. Failures stay until closed, the rest leave by
//! themselves; all of them are kept in the console.

use crate::action::Action;

/// How loud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Something worked.
    Done,
    /// Something to know.
    Info,
    /// Something waits for the person.
    Held,
    /// Something failed.
    Failed,
}

/// One message.
#[derive(Clone, Debug)]
pub struct Toast {
    /// To close it by.
    pub id: u64,
    /// How loud.
    pub level: Level,
    /// The first line.
    pub title: String,
    /// More, in a sentence or two.
    pub text: String,
    /// A word and what it does.
    pub link: Option<(String, Action)>,
    /// When it came, seconds of the window's clock.
    pub since_s: f64,
    /// Wall clock, milliseconds.
    pub at_ms: f64,
}

/// Messages on screen and those that were.
#[derive(Debug, Default)]
pub struct Toasts {
    shown: Vec<Toast>,
    log: std::collections::VecDeque<Toast>,
    next: u64,
}

impl Toasts {
    /// Seconds that a message without a failure stays.
    pub const STAY_S: f64 = 6.0;
    /// Messages that the console keeps.
    pub const LOG_MAX: usize = 500;

    /// Says something.
    pub fn say(
        &mut self,
        level: Level,
        title: impl Into<String>,
        text: impl Into<String>,
        now: (f64, f64),
    ) -> u64 {
        self.say_with(level, title, text, None, now)
    }

    /// Says something and offers one thing to do. `now` is the window's clock in seconds and the wall clock in ms.
    pub fn say_with(
        &mut self,
        level: Level,
        title: impl Into<String>,
        text: impl Into<String>,
        link: Option<(String, Action)>,
        now: (f64, f64),
    ) -> u64 {
        self.next += 1;
        let (title, text) = (title.into(), text.into());
        let toast = Toast { id: self.next, level, title, text, link, since_s: now.0, at_ms: now.1 };
        self.shown.retain(|shown| (&shown.title, &shown.text) != (&toast.title, &toast.text));
        self.shown.push(toast.clone());
        self.note(toast);
        self.next
    }

    /// Keeps a message in the console without showing it.
    pub fn log(&mut self, level: Level, title: impl Into<String>, now: (f64, f64)) {
        self.next += 1;
        let (title, text) = (title.into(), String::new());
        self.note(Toast { id: self.next, level, title, text, link: None, since_s: now.0, at_ms: now.1 });
    }

    fn note(&mut self, toast: Toast) {
        if self.log.len() == Self::LOG_MAX {
            self.log.pop_front();
        }
        self.log.push_back(toast);
    }

    /// Closes one.
    pub fn close(&mut self, id: u64) {
        self.shown.retain(|toast| toast.id != id);
    }

    /// Lets old messages go; seconds until the next one must.
    pub fn age(&mut self, now_s: f64) -> Option<f64> {
        let stays = |toast: &Toast| matches!(toast.level, Level::Failed | Level::Held);
        self.shown.retain(|toast| stays(toast) || now_s - toast.since_s < Self::STAY_S);
        let left = self.shown.iter().filter(|toast| !stays(toast));
        left.map(|toast| (Self::STAY_S - (now_s - toast.since_s)).max(0.05)).reduce(f64::min)
    }

    /// On screen, oldest first.
    pub fn shown(&self) -> &[Toast] {
        &self.shown
    }

    /// All of them, oldest first.
    pub fn history(&self) -> impl ExactSizeIterator<Item = &Toast> + DoubleEndedIterator {
        self.log.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_stay_and_the_rest_leaves() {
        let mut toasts = Toasts::default();
        toasts.say(Level::Info, "Copied", "", (0.0, 0.0));
        let failed = toasts.say(Level::Failed, "Refused", "why", (0.0, 0.0));
        assert!(toasts.age(1.0).is_some());
        assert_eq!(toasts.age(10.0), None);
        assert_eq!(toasts.shown().iter().map(|t| t.id).collect::<Vec<_>>(), [failed]);
        toasts.close(failed);
        assert!(toasts.shown().is_empty());
        assert_eq!(toasts.history().count(), 2);
    }

    #[test]
    fn the_same_message_is_on_screen_once() {
        let mut toasts = Toasts::default();
        toasts.say(Level::Info, "Copied", "", (0.0, 0.0));
        toasts.say(Level::Info, "Copied", "", (1.0, 0.0));
        assert_eq!(toasts.shown().len(), 1);
    }
}
