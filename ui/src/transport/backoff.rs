//! When to try again. Doubles from a quarter of a second to eight seconds; pure, the caller supplies the time.

/// Waiting times between attempts.
#[derive(Clone, Debug, Default)]
pub struct Backoff {
    attempt: u32,
    due_s: Option<f64>,
}

impl Backoff {
    /// Shortest wait, in seconds.
    const FIRST_S: f64 = 0.25;
    /// Longest wait, in seconds.
    const LAST_S: f64 = 8.0;

    /// A connection was lost or refused at `now_s`.
    pub fn failed(&mut self, now_s: f64) {
        let wait = (Self::FIRST_S * f64::from(1u32 << self.attempt.min(10))).min(Self::LAST_S);
        self.attempt = self.attempt.saturating_add(1);
        self.due_s = Some(now_s + wait);
    }

    /// A connection is open: the next loss starts from the shortest wait.
    pub fn opened(&mut self) {
        *self = Self::default();
    }

    /// Tries at once, keeping the count.
    pub fn hurry(&mut self) {
        if self.due_s.is_some() {
            self.due_s = Some(f64::NEG_INFINITY);
        }
    }

    /// Whether it is time; clears the wait when it is.
    pub fn due(&mut self, now_s: f64) -> bool {
        let due = self.due_s.is_some_and(|at| at <= now_s);
        if due {
            self.due_s = None;
        }
        due
    }

    /// Failed attempts in a row.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Seconds until the next attempt, none while one is under way.
    pub fn wait_s(&self, now_s: f64) -> Option<f64> {
        self.due_s.map(|at| (at - now_s).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;

    #[test]
    fn waits_double_and_stop_at_eight_seconds() {
        let mut backoff = Backoff::default();
        let waits: Vec<f64> = (0..8)
            .map(|_| {
                backoff.failed(10.0);
                backoff.wait_s(10.0).unwrap_or(0.0)
            })
            .collect();
        assert_eq!(waits, [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]);
    }

    #[test]
    fn an_open_connection_starts_the_waits_anew() {
        let mut backoff = Backoff::default();
        backoff.failed(0.0);
        backoff.failed(0.0);
        backoff.opened();
        backoff.failed(0.0);
        assert_eq!(backoff.wait_s(0.0), Some(0.25));
    }

    #[test]
    fn is_due_once() {
        let mut backoff = Backoff::default();
        backoff.failed(0.0);
        assert!(!backoff.due(0.2));
        assert!(backoff.due(0.3));
        assert!(!backoff.due(0.4));
    }
}
