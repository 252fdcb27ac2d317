//! What is kept for a debugger that is not there yet: frames in order, bounded by count and by bytes.
//!
//! Invariant: a frame is evicted oldest first, and one that no debugger is known to have read is then entered in
//! the loss ledger, so that a gap marker can name it. A frame counts as read once a pong has confirmed it.
//! Knows nothing of sockets, time or what a frame says.

use std::collections::VecDeque;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use wire::RunId;

/// Runs the ledger tells apart; losses of further runs are counted but not named.
const LEDGER_RUNS_MAX: usize = 64;
/// Evicted frames whose pong is awaited; beyond it they count as lost.
const DOUBTFUL_MAX: usize = 65_536;

/// One encoded envelope.
struct Frame {
    seq: u64,
    run: RunId,
    text: Utf8Bytes,
}

/// Frames of one run that no debugger has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) run: RunId,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) count: u64,
}

/// The ring. See the module's invariant.
pub(crate) struct Ring {
    frames: VecDeque<Frame>,
    bytes: usize,
    events_max: usize,
    bytes_max: usize,
    next_seq: u64,
    /// Every number below it was written to the connection that is open now.
    written: u64,
    /// Every number below it was read by a debugger.
    confirmed: u64,
    lost: Vec<Loss>,
    /// Evicted, written, not confirmed: lost only if the connection ends before its pong.
    doubtful: VecDeque<(u64, RunId)>,
    dropped: u64,
}

impl Ring {
    pub(crate) fn new(events_max: usize, bytes_max: usize) -> Self {
        Self {
            frames: VecDeque::new(),
            bytes: 0,
            events_max: events_max.max(1),
            bytes_max,
            next_seq: 1,
            written: 0,
            confirmed: 0,
            lost: Vec::new(),
            doubtful: VecDeque::new(),
            dropped: 0,
        }
    }

    /// Takes a number without a frame in the ring (each `hello` has one).
    pub(crate) fn take_seq(&mut self) -> u64 {
        let seq = self.next_seq;
        self.next_seq += 1;
        seq
    }

    /// Appends the frame that `encode` makes for the next number.
    pub(crate) fn push(&mut self, run: &RunId, encode: impl FnOnce(u64) -> String) -> u64 {
        let seq = self.take_seq();
        let text = Utf8Bytes::from(encode(seq));
        self.bytes += text.len();
        self.frames.push_back(Frame { seq, run: run.clone(), text });
        while self.frames.len() > self.events_max || self.bytes > self.bytes_max {
            self.evict(0);
        }
        seq
    }

    /// The frames from number `from` on, at least one and up to about `bytes_max` bytes, and where to go on.
    pub(crate) fn batch(&self, from: u64, bytes_max: usize) -> (Vec<Utf8Bytes>, u64) {
        let start = self.frames.partition_point(|frame| frame.seq < from);
        let mut bytes = 0;
        let mut next = from;
        let mut texts = Vec::new();
        for frame in self.frames.range(start..) {
            if bytes > 0 && bytes + frame.text.len() > bytes_max {
                break;
            }
            bytes += frame.text.len();
            next = frame.seq + 1;
            texts.push(frame.text.clone());
        }
        (texts, next)
    }

    /// The open connection has taken every number below `next`.
    pub(crate) fn mark_written(&mut self, next: u64) {
        self.written = self.written.max(next);
    }

    /// A debugger has read every number below `next`.
    pub(crate) fn confirm(&mut self, next: u64) {
        self.confirmed = self.confirmed.max(next);
        while self.doubtful.front().is_some_and(|(seq, _)| *seq < next) {
            self.doubtful.pop_front();
        }
    }

    /// The connection ended: what it had taken and nobody confirmed may be lost.
    pub(crate) fn disconnected(&mut self) {
        self.written = 0;
        for (seq, run) in std::mem::take(&mut self.doubtful) {
            self.lose(seq, run);
        }
    }

    /// The ledger, emptied into the caller's gap markers.
    pub(crate) fn take_losses(&mut self) -> Vec<Loss> {
        std::mem::take(&mut self.lost)
    }

    /// Gives up the largest unconfirmed frame: the debugger refused one for its size.
    pub(crate) fn drop_largest_unconfirmed(&mut self) {
        let confirmed = self.confirmed;
        let open = self.frames.iter().enumerate().filter(|(_, frame)| frame.seq >= confirmed);
        if let Some((at, _)) = open.max_by_key(|(_, frame)| frame.text.len()) {
            self.evict(at);
        }
    }

    /// Whether everything was confirmed as read.
    pub(crate) fn is_read(&self) -> bool {
        self.frames.back().is_none_or(|frame| frame.seq < self.confirmed)
    }

    /// Whether there is a frame with number `from` or a later one.
    pub(crate) fn reaches(&self, from: u64) -> bool {
        self.frames.back().is_some_and(|frame| frame.seq >= from)
    }

    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    /// Frames lost so far.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    fn evict(&mut self, at: usize) {
        let Some(frame) = self.frames.remove(at) else { return };
        self.bytes -= frame.text.len();
        if frame.seq < self.confirmed {
            return;
        }
        if frame.seq < self.written && self.doubtful.len() < DOUBTFUL_MAX {
            self.doubtful.push_back((frame.seq, frame.run));
        } else {
            self.lose(frame.seq, frame.run);
        }
    }

    fn lose(&mut self, seq: u64, run: RunId) {
        self.dropped += 1;
        if let Some(known) = self.lost.iter_mut().find(|known| known.run == run) {
            known.from = known.from.min(seq);
            known.to = known.to.max(seq);
            known.count += 1;
        } else if self.lost.len() < LEDGER_RUNS_MAX {
            self.lost.push(Loss { run, from: seq, to: seq, count: 1 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(events_max: usize, bytes_max: usize, texts: &[&str]) -> Ring {
        let mut ring = Ring::new(events_max, bytes_max);
        for text in texts {
            ring.push(&RunId::from("r1"), |_| (*text).to_owned());
        }
        ring
    }

    fn loss(from: u64, to: u64, count: u64) -> Vec<Loss> {
        vec![Loss { run: RunId::from("r1"), from, to, count }]
    }

    #[test]
    fn a_full_ring_drops_the_oldest_and_names_the_range() {
        let mut ring = filled(2, 100, &["a", "b", "c", "d"]);
        assert_eq!(ring.batch(0, 1 << 20), (vec!["c".into(), "d".into()], 5));
        assert_eq!(ring.take_losses(), loss(1, 2, 2));
        assert!(ring.take_losses().is_empty());
        let mut by_bytes = filled(10, 5, &["aaa", "bb", "ccc"]);
        assert_eq!(by_bytes.len(), 2);
        assert_eq!(by_bytes.take_losses(), loss(1, 1, 1));
    }

    #[test]
    fn a_frame_larger_than_the_ring_is_a_loss_and_not_a_hang() {
        let mut ring = filled(10, 3, &["aaaaaa"]);
        assert_eq!(ring.len(), 0);
        assert_eq!(ring.take_losses(), loss(1, 1, 1));
    }

    #[test]
    fn a_frame_that_was_read_is_dropped_without_a_loss() {
        let mut ring = filled(2, 100, &["a", "b"]);
        ring.mark_written(3);
        ring.confirm(3);
        assert!(ring.is_read());
        ring.push(&RunId::from("r1"), |_| "c".to_owned());
        assert!(ring.take_losses().is_empty());
        assert_eq!(ring.dropped(), 0);
    }

    #[test]
    fn a_written_frame_is_lost_only_if_the_connection_ends_before_its_pong() {
        let evicted_after_writing = || {
            let mut ring = filled(1, 100, &["a"]);
            ring.mark_written(2);
            ring.push(&RunId::from("r1"), |_| "b".to_owned());
            assert!(ring.take_losses().is_empty());
            ring
        };
        let mut confirmed = evicted_after_writing();
        confirmed.confirm(2);
        confirmed.disconnected();
        assert!(confirmed.take_losses().is_empty());
        let mut cut = evicted_after_writing();
        cut.disconnected();
        assert_eq!(cut.take_losses(), loss(1, 1, 1));
    }

    #[test]
    fn a_batch_is_bounded_and_goes_on_where_it_stopped() {
        let ring = filled(10, 100, &["aa", "bb", "cccccc"]);
        assert_eq!(ring.batch(0, 4), (vec!["aa".into(), "bb".into()], 3));
        assert_eq!(ring.batch(3, 4), (vec!["cccccc".into()], 4));
        assert_eq!(ring.batch(4, 4), (Vec::new(), 4));
    }

    #[test]
    fn a_refused_frame_is_given_up_so_that_replay_ends() {
        let mut ring = filled(10, 100, &["a", "bbbbbb", "c"]);
        ring.drop_largest_unconfirmed();
        assert_eq!(ring.batch(0, 100).0.len(), 2);
        assert_eq!(ring.take_losses(), loss(2, 2, 1));
    }
}
