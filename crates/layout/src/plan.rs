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
    if starts_with(&request.items, &old.items, item_unlike)
        && starts_with(&request.edges, &old.edges, edge_unlike)
    {
        let known = Some((old.items.len(), old.edges.len()));
        return match (request.items.len() > old.items.len(), request.edges.len() > old.edges.len()) {
            (false, false) => Plan::Keep,
            (true, _) if old.items.is_empty() => Plan::Full,
            (true, _) => Plan::Append(Tail { known }),
            (false, true) => Plan::Resize,
        };
    }
    if old.items.is_empty() {
        return Plan::Full;
    }
    if let Some(new) = added(old, request, Tail::default()) {
        return if new.items.is_empty() { Plan::Resize } else { Plan::Append(Tail::default()) };
    }
    let known = request.items.iter().filter(|item| layout.keys.contains_key(&item.key)).count();
    match known {
        0 => Plan::Full,
        _ if known < request.items.len() => Plan::Append(Tail::default()),
        _ => Plan::Resize,
    }
}

/// Whether a list starts with another. Most of an append is this comparison, so it has no branch per value.
fn starts_with<T>(all: &[T], start: &[T], unlike: impl Fn(&T, &T) -> u64) -> bool {
    let Some(head) = all.get(..start.len()) else {
        return false;
    };
    let ((heads, head), (starts, start)) = (head.as_chunks::<8>(), start.as_chunks::<8>());
    let eight = |(a, b): (&[T; 8], &[T; 8])| (0..8).fold(0, |bits, i| bits | unlike(&a[i], &b[i])) == 0;
    heads.iter().zip(starts).all(eight) && head.iter().zip(start).all(|(a, b)| unlike(a, b) == 0)
}

/// 0 if the items are alike bit by bit. Fields are joined in memory order, so that they are read at once.
fn item_unlike(a: &Item, b: &Item) -> u64 {
    let parent = |item: &Item| item.parent.map_or(0, |key| key.0);
    let size = |item: &Item| u64::from(item.size.h.to_bits()) << 32 | u64::from(item.size.w.to_bits());
    let flags =
        |item: &Item| u64::from(item.opens) << 16 | u64::from(item.grows) << 8 | u64::from(item.container);
    let named = u64::from(a.parent.is_some() ^ b.parent.is_some());
    (a.key.0 ^ b.key.0) | (parent(a) ^ parent(b)) | named | (size(a) ^ size(b)) | (flags(a) ^ flags(b))
}

fn edge_unlike(a: &Edge, b: &Edge) -> u64 {
    (a.from.0 ^ b.from.0) | (a.to.0 ^ b.to.0) | u64::from(a.ranks ^ b.ranks)
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
    let items = inserted(&old.items, &new.items, item_unlike)?;
    let edges = inserted(&old.edges, &new.edges, edge_unlike)?;
    Some(Added { items, edges })
}

fn inserted<T>(old: &[T], new: &[T], unlike: impl Fn(&T, &T) -> u64) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    let extra = new.len().checked_sub(old.len())?;
    let mut rest = old.iter();
    let mut next = rest.next();
    for (i, value) in new.iter().enumerate() {
        match next {
            Some(expected) if unlike(expected, value) == 0 => next = rest.next(),
            _ if found.len() == extra => return None,
            _ => found.push(i as u32),
        }
    }
    next.is_none().then_some(found)
}
