//! Places of some words in a text: found once for a text and the words, then walked. Letters of ASCII match in either
//! case; the work per call has a bound, so a long text is searched over several passes.

use std::sync::Arc;

/// Places kept at most.
pub const PLACES_MAX: usize = 10_000;
/// Bytes searched in one pass.
const STRIDE: usize = 8 << 20;

/// A search in one text.
#[derive(Clone, Debug, Default)]
pub struct Find {
    text: Arc<str>,
    words: String,
    done: usize,
    places: Vec<usize>,
    at: usize,
}

impl Find {
    /// Searches on for `words` in `text`; `true` when another pass is needed.
    pub fn search(&mut self, text: &Arc<str>, words: &str) -> bool {
        let same = Arc::ptr_eq(text, &self.text);
        if !same || words != self.words {
            let grown = words == self.words && text.len() > self.text.len() && text.starts_with(&*self.text);
            if !grown {
                (self.done, self.at) = (0, 0);
                self.places.clear();
            }
            self.text = Arc::clone(text);
            words.clone_into(&mut self.words);
        }
        self.stride();
        !self.is_whole()
    }

    fn is_whole(&self) -> bool {
        self.words.is_empty()
            || self.places.len() >= PLACES_MAX
            || self.done + self.words.len() > self.text.len()
    }

    fn stride(&mut self) {
        if self.is_whole() {
            return;
        }
        let (hay, needle) = (self.text.as_bytes(), self.words.as_bytes());
        let last = (hay.len() - needle.len()).min(self.done + STRIDE);
        let (low, high) = (needle[0].to_ascii_lowercase(), needle[0].to_ascii_uppercase());
        let mut at = self.done;
        while at <= last && self.places.len() < PLACES_MAX {
            let fits = (hay[at] == low || hay[at] == high)
                && hay[at..at + needle.len()].eq_ignore_ascii_case(needle);
            if fits {
                self.places.push(at);
            }
            at += if fits { needle.len() } else { 1 };
        }
        self.done = at;
    }

    /// How many places there are.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// Whether there may be more than are counted.
    pub fn is_full(&self) -> bool {
        self.places.len() >= PLACES_MAX
    }

    /// The chosen place: its rank from 1, and its bytes.
    pub fn current(&self) -> Option<(usize, std::ops::Range<usize>)> {
        let start = *self.places.get(self.at)?;
        Some((self.at + 1, start..start + self.words.len()))
    }

    /// Chooses the next place or the one before, around the end.
    pub fn turn(&mut self, forward: bool) {
        let count = self.places.len().max(1);
        self.at = (self.at + if forward { 1 } else { count - 1 }) % count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_once_counted_and_walked_in_a_ring() {
        let text: Arc<str> = "Amount amount AMOUNT a".into();
        let mut find = Find::default();
        assert!(!find.search(&text, "amount"));
        assert_eq!((find.count(), find.current()), (3, Some((1, 0..6))));
        find.turn(false);
        assert_eq!(find.current(), Some((3, 14..20)));
        find.turn(true);
        assert_eq!(find.current(), Some((1, 0..6)));
        find.search(&text, "\u{e9}");
        assert_eq!((find.count(), find.current()), (0, None));
        find.search(&text, "");
        assert_eq!(find.count(), 0);
    }

    #[test]
    fn a_long_text_is_searched_in_strides_and_a_grown_one_goes_on() {
        let text: Arc<str> = format!("{}needle", "x".repeat(STRIDE + 10)).into();
        let mut find = Find::default();
        assert!(find.search(&text, "needle"), "the first pass does not reach it");
        assert!(!find.search(&text, "needle"));
        assert_eq!(find.count(), 1);
        let grown: Arc<str> = format!("{text} needle").into();
        find.search(&grown, "needle");
        assert_eq!(find.count(), 2);
    }
}
