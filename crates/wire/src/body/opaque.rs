//! Bodies of payloads that this crate has no type for, graph events and parts among them.
//!
//! Decides by member names: named data, and any very long text. Ids, lists of ids and everything else that carries
//! structure is left alone. Walks with a cursor and a list of what is open, so depth costs no stack.
use crate::{
    field::{self, Bodies},
    json::{Fault, Scanner},
};

/// Members that carry a program's data.
const DATA_NAMES: &[&str] = &[
    "input", "output", "meta", "stack", "update", "payload", "data", "value", "values", "state", "result",
    "args", "answer", "resume", "snapshot",
];
/// Any other text over this length is a body too.
const TEXT_BYTES_MAX: usize = 4096;

/// What a bracket is, as far as it decides about its members.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Other,
    /// A stream part whose `data` is one value of the program.
    Whole,
    /// A stream part whose `data` holds a value by node.
    Updates,
    /// That `data`: the node names are structure, the values are not.
    ByNode,
}

/// An open bracket.
struct Open {
    object: bool,
    /// Whether its first member is still to come.
    first: bool,
    place: Place,
}

/// Collects the bodies of the value at the cursor and steps over it.
pub(super) fn bodies(kind: &str, scanner: &mut Scanner<'_>, bodies: &mut Bodies) -> Result<(), Fault> {
    let parts = kind == "graph.part";
    let mut open: Vec<Open> = Vec::new();
    let mut next = (false, Place::Other);
    loop {
        let (is_data, place) = next;
        scanner.peek();
        let start = scanner.at();
        if is_data {
            field::body(scanner, bodies)?;
        } else if scanner.take(b'{') {
            open.push(Open { object: true, first: true, place });
        } else if scanner.take(b'[') {
            open.push(Open { object: false, first: true, place: Place::Other });
        } else {
            let text = scanner.peek() == Some(b'"');
            scanner.skip()?;
            if text && scanner.at() - start > TEXT_BYTES_MAX {
                bodies.push(start..scanner.at());
            }
        }
        match advance(scanner, &mut open, parts)? {
            Some(found) => next = found,
            None => return Ok(()),
        }
    }
}

/// Moves to the next value: whether it is data, and what place it would open. `None` at the end.
fn advance(
    scanner: &mut Scanner<'_>,
    open: &mut Vec<Open>,
    parts: bool,
) -> Result<Option<(bool, Place)>, Fault> {
    while let Some(inner) = open.last_mut() {
        if inner.object {
            if let Some(key) = scanner.member(&mut inner.first)? {
                return Ok(Some(judge(inner.place, &key.name(), parts)));
            }
        } else if scanner.item(&mut inner.first)? {
            return Ok(Some((false, Place::Other)));
        }
        open.pop();
    }
    Ok(None)
}

fn judge(place: Place, name: &str, parts: bool) -> (bool, Place) {
    match (place, name) {
        (Place::ByNode, _) | (Place::Whole, "data") => (true, Place::Other),
        (Place::Updates, "data") => (false, Place::ByNode),
        (_, "Values" | "Custom") if parts => (false, Place::Whole),
        (_, "Updates") if parts => (false, Place::Updates),
        (_, "data") if parts => (false, Place::Other),
        _ => (DATA_NAMES.contains(&name), Place::Other),
    }
}
