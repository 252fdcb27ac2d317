//! Walking the graph by keyboard: caller, first call, siblings in reading order; and the path to a place.
//!
//! Invariant: from anywhere on the canvas every other place can be reached, and a step never leads off it.

use std::collections::HashMap;

use egui::Rect;

use super::{CanvasModel, Target};
use crate::theme::Status;

/// A direction in the graph, not on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The caller, or the box around.
    Parent,
    /// The first of what it called or holds.
    Child,
    /// The sibling before.
    Previous,
    /// The sibling after.
    Next,
}

struct Place<'a> {
    key: u64,
    parent: Option<u64>,
    target: &'a Target,
    rect: Rect,
}

fn places(model: &CanvasModel) -> impl Iterator<Item = Place<'_>> {
    let boxes = model.boxes.iter().filter(|b| b.part == 0).map(|b| Place {
        key: b.key,
        parent: b.parent,
        target: &b.target,
        rect: b.rect,
    });
    let cards =
        model.cards.iter().map(|c| Place { key: c.key, parent: c.parent, target: &c.target, rect: c.rect });
    boxes.chain(cards)
}

/// The place one step from `from`; the first place if nothing is selected.
pub fn walk(model: &CanvasModel, from: Option<&Target>, direction: Direction) -> Option<Target> {
    let here = from.and_then(|from| places(model).find(|place| place.target == from));
    let Some(here) = here else {
        return siblings(model, None).first().map(|place| place.target.clone());
    };
    let found = match direction {
        Direction::Parent => places(model).find(|place| Some(place.key) == here.parent)?,
        Direction::Child => siblings(model, Some(here.key)).into_iter().next()?,
        Direction::Previous | Direction::Next => {
            let row = siblings(model, here.parent);
            let at = row.iter().position(|place| place.key == here.key)?;
            let at = if direction == Direction::Next { at + 1 } else { at.checked_sub(1)? };
            row.into_iter().nth(at)?
        }
    };
    Some(found.target.clone())
}

/// Those with this parent, in reading order: by row, then by column.
fn siblings(model: &CanvasModel, parent: Option<u64>) -> Vec<Place<'_>> {
    let mut row: Vec<_> = places(model).filter(|place| place.parent == parent).collect();
    row.sort_by(|a, b| {
        (a.rect.top(), a.rect.left())
            .partial_cmp(&(b.rect.top(), b.rect.left()))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    row
}

/// Keys of what led to a place that failed: it, its caller, and so on outwards; empty where nothing failed.
pub fn way_to_failure(model: &CanvasModel, target: &Target) -> Vec<u64> {
    let card = model.cards.iter().find(|card| card.target == *target);
    let failed = match card {
        Some(card) => card.status == Status::Failed || card.failed.is_some(),
        None => model.boxes.iter().any(|b| b.target == *target && b.status == Status::Failed),
    };
    if !failed {
        return Vec::new();
    }
    let parents: HashMap<u64, Option<u64>> = places(model).map(|place| (place.key, place.parent)).collect();
    let mut way: Vec<u64> = Vec::new();
    let mut next = places(model).find(|place| place.target == target).map(|place| place.key);
    // A way longer than there are places would be a circle.
    while let Some(key) = next.filter(|_| way.len() <= parents.len()) {
        way.push(key);
        next = parents.get(&key).copied().flatten();
    }
    way
}

/// Positions of the boxes around a place in the model, outermost first.
pub fn path_to(model: &CanvasModel, target: &Target) -> Vec<usize> {
    let mut path = Vec::new();
    let mut next = places(model).find(|place| place.target == target).and_then(|place| place.parent);
    // A path longer than the number of boxes would be a circle.
    while let Some(parent) = next.filter(|_| path.len() <= model.boxes.len()) {
        if let Some(around) = model.boxes.iter().position(|b| b.key == parent && b.part == 0) {
            path.push(around);
            next = model.boxes[around].parent;
        } else {
            next = model.cards.iter().find(|card| card.key == parent).and_then(|card| card.parent);
        }
    }
    path.reverse();
    path
}
