//! How much of a layout a request leaves alone. Decides only; `solve` does.
//!
//! The common case, items and edges added at the end, is told by comparing slices, without a look at any key.

use crate::layout::Layout;
use crate::request::{Edge, Item, Request};

/// What has to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Nothing changed.
    Keep,
    /// Sizes, folds, parents or edges changed, or items went: what stays and fits keeps its place.
    Resize,
    /// Items came (and perhaps some went): they take free places, nothing that stays moves.
    Append,
    /// Everything is placed anew: the first time, with other metrics, with none of the old items, or to tidy.
    Full,
}

/// What has to be done to turn `previous` into the layout of `request`.
#[must_use]
pub fn plan(previous: Option<&Layout>, request: &Request) -> Plan {
    let Some(layout) = previous else {
        return Plan::Full;
    };
    let old = &layout.request;
    if old.metrics != request.metrics {
        return Plan::Full;
    }
    let more = request.items.len() > old.items.len();
    if starts_with(&request.items, &old.items) && starts_with(&request.edges, &old.edges) {
        let same = !more && request.edges.len() == old.edges.len();
        return if same {
            Plan::Keep
        } else if old.items.is_empty() {
            Plan::Full
        } else if more {
            Plan::Append
        } else {
            Plan::Resize
        };
    }
    let known = request.items.iter().filter(|item| layout.keys.contains_key(&item.key)).count();
    match known {
        0 => Plan::Full,
        _ if known < request.items.len() => Plan::Append,
        _ => Plan::Resize,
    }
}

fn starts_with<T: PartialEq>(all: &[T], start: &[T]) -> bool {
    all.len() >= start.len() && all[..start.len()] == *start
}

/// Positions in a new request of what was not in the old one, if nothing else changed.
#[derive(Debug, Default)]
pub(crate) struct Added {
    pub(crate) items: Vec<u32>,
    pub(crate) edges: Vec<u32>,
}

/// Finds what was inserted; `None` if something went, changed or moved.
pub(crate) fn added(old: &Request, new: &Request) -> Option<Added> {
    let items = inserted(&old.items, &new.items, |a: &Item, b: &Item| a == b)?;
    let edges = inserted(&old.edges, &new.edges, |a: &Edge, b: &Edge| a == b)?;
    Some(Added { items, edges })
}

fn inserted<T>(old: &[T], new: &[T], same: impl Fn(&T, &T) -> bool) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    let extra = new.len().checked_sub(old.len())?;
    let mut rest = old.iter();
    let mut next = rest.next();
    for (i, value) in new.iter().enumerate() {
        match next {
            Some(expected) if same(expected, value) => next = rest.next(),
            _ if found.len() == extra => return None,
            _ => found.push(i as u32),
        }
    }
    next.is_none().then_some(found)
}
