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
    Append(Tail),
    /// Everything is placed anew: the first time, with other metrics, with none of the old items, or to tidy.
    Full,
}

/// How much at the start of a request is known to be as it was, so that `solve` need not compare again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tail {
    known: Option<(usize, usize)>,
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
    if starts_with(&request.items, &old.items) && starts_with(&request.edges, &old.edges) {
        let known = Some((old.items.len(), old.edges.len()));
        return match (request.items.len() > old.items.len(), request.edges.len() > old.edges.len()) {
            (false, false) => Plan::Keep,
            (true, _) if old.items.is_empty() => Plan::Full,
            (true, _) => Plan::Append(Tail { known }),
            (false, true) => Plan::Resize,
        };
    }
    let known = request.items.iter().filter(|item| layout.keys.contains_key(&item.key)).count();
    match known {
        0 => Plan::Full,
        _ if known < request.items.len() => Plan::Append(Tail::default()),
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
pub(crate) fn added(old: &Request, new: &Request, tail: Tail) -> Option<Added> {
    if tail.known == Some((old.items.len(), old.edges.len())) {
        let from = |old: usize, new: usize| (old as u32..new as u32).collect();
        let (items, edges) = (from(old.items.len(), new.items.len()), from(old.edges.len(), new.edges.len()));
        return Some(Added { items, edges });
    }
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
