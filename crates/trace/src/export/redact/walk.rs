//! Secrets in one JSON text, by where they stand.
//!
//! One pass, without recursion over depth. A name that says "secret" covers whatever stands under it, lists and objects
//! too; so does such a name beside a `value`, and in a pair of a list, as headers and attributes are written.

use std::ops::Range;

use kxm::Naming;
use wire::json::{Fault, Key, Scanner, unescape};
use wire::limits::REDACTED;

use super::edit::{Edit, offset_in};
use super::text;

/// Members of an envelope that name something: they must go on meeting.
const IDS: &[&str] = &[
    "runId",
    "nodeId",
    "parentId",
    "instanceId",
    "parentInstanceId",
    "pauseId",
    "run_id",
    "task_id",
    "thread_id",
];
/// Members that say what stands beside them.
const LABELS: &[&str] = &["name", "key", "k", "header", "field"];
/// Members that are meant by a label.
const VALUES: &[&str] = &["value", "v", "val", "values"];
/// Members that describe a secret (a schema of arguments, say) and do not hold it.
const ABOUT: &[&str] = &["type", "description", "title", "format", "name", "kind", "$ref"];
/// No secret is a shorter member name.
const NAME_BYTES_MIN: usize = 12;

/// Edits that make `text`, a JSON value, free of secrets; none where it is no JSON.
pub(super) fn edits(text: &str) -> Vec<Edit> {
    edits_within(text, 0)
}

/// The same for JSON that stands in `depth` strings.
pub(super) fn edits_within(text: &str, depth: usize) -> Vec<Edit> {
    let mut walk = Walk { text, scanner: Scanner::new(text), frames: Vec::new(), edits: Vec::new(), depth };
    // A fault ends the walk: before it everything was looked at, and what follows is no JSON.
    if walk.run().is_err() {
        let rest = walk.scanner.at().min(text.len());
        let found = kxm::find(text.get(rest..).unwrap_or_default(), kxm::Reach::Secrets).into_iter();
        walk.edits.extend(found.map(|found| Edit {
            range: found.range.start + rest..found.range.end + rest,
            text: found.mark.to_owned(),
        }));
    }
    walk.edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
    let mut end = 0;
    walk.edits.retain(|edit| {
        let apart = edit.range.start >= end;
        end = end.max(edit.range.end);
        apart
    });
    walk.edits
}

/// An object or a list that is open.
struct Frame {
    object: bool,
    first: bool,
    start: usize,
    /// What the names above say.
    under: Naming,
    /// Values seen so far.
    count: usize,
    /// What a label inside says about the value beside it.
    label: Naming,
    /// The value that a label means, seen before the label.
    value: Option<Range<usize>>,
    /// It is itself such a value of the object around it.
    is_value: bool,
}

struct Walk<'a> {
    text: &'a str,
    scanner: Scanner<'a>,
    frames: Vec<Frame>,
    edits: Vec<Edit>,
    depth: usize,
}

impl<'a> Walk<'a> {
    fn run(&mut self) -> Result<(), Fault> {
        self.value(Naming::Plain, "")?;
        while let Some(top) = self.frames.last_mut() {
            if top.object {
                match self.scanner.member(&mut top.first)? {
                    Some(key) => self.member(key)?,
                    None => self.close(),
                }
            } else if self.scanner.item(&mut top.first)? {
                let under = top.under;
                self.value(under, "")?;
            } else {
                self.close();
            }
        }
        Ok(())
    }

    fn member(&mut self, key: Key<'a>) -> Result<(), Fault> {
        let name = key.name();
        if name.len() >= NAME_BYTES_MIN {
            let base = offset_in(self.text, key.raw);
            self.edits.extend(text::edits(key.raw, key.escaped, base, self.depth, true));
        }
        let (above, label) =
            self.frames.last().map_or((Naming::Plain, Naming::Plain), |top| (top.under, top.label));
        let under = match kxm::naming(&name) {
            Naming::Secret => Naming::Secret,
            _ if covers(label) && VALUES.contains(&&*name) => label,
            own if covers(above) && !ABOUT.contains(&&*name) => stronger(own, above),
            own => own,
        };
        self.value(under, &name)
    }

    /// The value under the cursor; `name` is that of its member, empty in a list.
    fn value(&mut self, under: Naming, name: &str) -> Result<(), Fault> {
        let next = self.scanner.peek();
        let start = self.scanner.at();
        match next {
            Some(open @ (b'{' | b'[')) => {
                self.scanner.take(open);
                let is_value = VALUES.contains(&name);
                let under = if covers(under) { under } else { Naming::Plain };
                self.frames.push(Frame {
                    object: open == b'{',
                    first: true,
                    start,
                    under,
                    count: 0,
                    label: Naming::Plain,
                    value: None,
                    is_value,
                });
                return Ok(());
            }
            Some(b'"') => {
                let (raw, escaped) = self.scanner.string()?;
                self.string(raw, escaped, under, IDS.contains(&name));
                self.note(name, Some((raw, escaped)), start);
            }
            Some(b'-' | b'0'..=b'9') => {
                self.scanner.number()?;
                if under == Naming::Secret {
                    let range = start..self.scanner.at();
                    self.edits.push(Edit { range, text: format!("\"{REDACTED}\"") });
                }
                self.note(name, None, start);
            }
            _ => {
                self.scanner.skip()?;
                self.note(name, None, start);
            }
        }
        Ok(())
    }

    fn string(&mut self, raw: &str, escaped: bool, under: Naming, id: bool) {
        let base = offset_in(self.text, raw);
        let whole = match under {
            Naming::Plain => false,
            Naming::Doubtful => kxm::looks_random(&unescape(raw, escaped)),
            Naming::Token | Naming::Secret => !raw.trim().is_empty() && !is_mark(raw),
        };
        if whole {
            self.edits.push(Edit { range: base..base + raw.len(), text: REDACTED.to_owned() });
        } else if !is_mark(raw) {
            self.edits.extend(text::edits(raw, escaped, base, self.depth, id));
        }
    }

    /// Takes down what a value means to those beside it.
    fn note(&mut self, name: &str, string: Option<(&str, bool)>, start: usize) {
        let end = self.scanner.at();
        let Some(top) = self.frames.last_mut() else { return };
        top.count += 1;
        let said = string.map_or(Naming::Plain, |(raw, escaped)| kxm::naming(&unescape(raw, escaped)));
        if top.object {
            if LABELS.contains(&name) {
                top.label = said;
                if covers(said)
                    && let Some(range) = top.value.take()
                {
                    self.cover(range);
                }
            } else if VALUES.contains(&name) {
                top.value = Some(start..end);
            }
        } else if top.count == 1 {
            top.label = said;
        } else if top.count == 2 && string.is_some() {
            top.value = Some(start..end);
        }
    }

    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        // `["authorization", "…"]` in a list of such pairs.
        let pairs = self.frames.last().is_some_and(|above| !above.object);
        if !frame.object
            && frame.count == 2
            && pairs
            && covers(frame.label)
            && let Some(range) = frame.value
        {
            self.cover(range);
        }
        let end = self.scanner.at();
        if let Some(above) = self.frames.last_mut() {
            above.count += 1;
            if frame.is_value && above.object {
                above.value = Some(frame.start..end);
            }
        }
    }

    /// A whole value is a secret after all.
    fn cover(&mut self, range: Range<usize>) {
        let plain = matches!(self.text.as_bytes()[range.start], b't' | b'f' | b'n');
        if plain || is_mark(self.text[range.clone()].trim_matches('"')) {
            return;
        }
        // What was found inside stands at the end of the list; the whole value takes its place.
        let inside =
            self.edits.iter().rposition(|edit| edit.range.start < range.start).map_or(0, |at| at + 1);
        let later = self.edits.split_off(inside);
        self.edits.extend(later.into_iter().filter(|edit| edit.range.start >= range.end));
        self.edits.push(Edit { range, text: format!("\"{REDACTED}\"") });
    }
}

fn covers(naming: Naming) -> bool {
    matches!(naming, Naming::Secret | Naming::Token)
}

fn stronger(a: Naming, b: Naming) -> Naming {
    if a == Naming::Secret { a } else { b }
}

/// What stands there was replaced before, by us or by the program.
fn is_mark(raw: &str) -> bool {
    matches!(raw, REDACTED | "[redacted]" | "[REDACTED]" | "***")
}
