//! The quick way to a verdict: one pass over the text that checks each value as it is read and keeps no tree.
//!
//! Invariant: what this pass accepts, `check` accepts too. It may give up on a valid document
//! (a member that stands twice, an escape where a law looks); the tree then decides. It never names a fault.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::check::{accepts_number, accepts_text, check, distinct};
use crate::json::Json;
use crate::law::{Node, keeps};
use crate::rule::{Object, Rule};

/// What is remembered of one value: enough for the laws between members and for the head of a record.
#[derive(Debug, Clone, Copy)]
enum Leaf<'a> {
    Text(&'a str),
    Bool(bool),
    /// A whole number that is not negative.
    Int(u64),
    Object,
    /// A value no law can ask for.
    Other,
}

/// A member of an object that was read, in the order in which values ended.
#[derive(Debug)]
struct Entry<'a> {
    parent: usize,
    name: &'static str,
    leaf: Leaf<'a>,
    /// Its own number if it is an object.
    own: usize,
}

/// The members of one accepted document, flat.
#[derive(Debug)]
pub(crate) struct Tape<'a> {
    entries: Vec<Entry<'a>>,
    objects: usize,
}

/// Members of a usual record; only saves growing.
const USUAL_MEMBERS: usize = 64;

impl<'a> Tape<'a> {
    /// The members of `text`, if the rule surely accepts it.
    pub(crate) fn accepted(rule: &'static Rule, text: &'a str) -> Option<Self> {
        let mut tape = Self { entries: Vec::with_capacity(USUAL_MEMBERS), objects: 0 };
        let mut json = serde_json::Deserializer::from_str(text);
        Value { rule, tape: &mut tape }.deserialize(&mut json).ok()?;
        json.end().ok()?;
        Some(tape)
    }

    /// A text of the record itself, if it was written without escapes.
    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        match self.find(0, name)?.leaf {
            Leaf::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A whole number of the record itself; saturated where it exceeds 64 bits.
    pub(crate) fn int(&self, name: &str) -> Option<u64> {
        match self.find(0, name)?.leaf {
            Leaf::Int(int) => Some(int),
            _ => None,
        }
    }

    fn find(&self, parent: usize, name: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| entry.parent == parent && entry.name == name)
    }
}

/// A value on a tape; the first object is number 0.
#[derive(Clone, Copy)]
struct Spot<'t, 'a> {
    tape: &'t Tape<'a>,
    leaf: Leaf<'a>,
    own: usize,
}

impl<'t, 'a: 't> Node<'t> for Spot<'t, 'a> {
    fn member(self, name: &str) -> Option<Self> {
        let found = self.tape.find(self.own, name)?;
        Some(Self { tape: self.tape, leaf: found.leaf, own: found.own })
    }

    fn word(self) -> Option<&'t str> {
        match self.leaf {
            Leaf::Text(text) => Some(text),
            _ => None,
        }
    }

    fn truth(self) -> Option<bool> {
        match self.leaf {
            Leaf::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn is_object(self) -> bool {
        matches!(self.leaf, Leaf::Object)
    }
}

/// Reads one value under its rule.
struct Value<'t, 'a> {
    rule: &'static Rule,
    tape: &'t mut Tape<'a>,
}

impl<'t, 'de: 'a, 'a> DeserializeSeed<'de> for Value<'t, 'a> {
    type Value = (Leaf<'a>, usize);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        match self.rule {
            // Rare, and free in what they hold: the tree checks them.
            Rule::Any | Rule::AnyObject | Rule::Map { .. } => {
                let json = <Json<'de> as serde::Deserialize>::deserialize(deserializer)?;
                if check(self.rule, &json).is_empty() { Ok((Leaf::Other, 0)) } else { Err(doubt()) }
            }
            _ => deserializer.deserialize_any(self),
        }
    }
}

/// The tree has to look at this document. Nobody reads the words.
fn doubt<E: Error>() -> E {
    E::custom("")
}

fn sure<'a, E: Error>(accepted: bool, leaf: Leaf<'a>) -> Result<(Leaf<'a>, usize), E> {
    if accepted { Ok((leaf, 0)) } else { Err(doubt()) }
}

impl<'t, 'de: 'a, 'a> Visitor<'de> for Value<'t, 'a> {
    type Value = (Leaf<'a>, usize);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of its rule")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        sure(matches!(self.rule, Rule::Bool), Leaf::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        sure(accepts_number(self.rule, &Json::Int(value.into())), Leaf::Int(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        sure(accepts_number(self.rule, &Json::Int(value.into())), Leaf::Other)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates, as the head says"
    )]
    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        let json = Json::Float(value);
        let leaf = if json.is_integer() { Leaf::Int(value as u64) } else { Leaf::Other };
        sure(accepts_number(self.rule, &json), leaf)
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<Self::Value, E> {
        sure(accepts_text(self.rule, value), Leaf::Text(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        // A text with an escape is not kept, so it must be none of the words that a law asks for.
        let word = value.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'.' | b'-' | b'_'));
        sure(!word && accepts_text(self.rule, value), Leaf::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let Rule::Array { items, min, max, unique } = self.rule else { return Err(doubt()) };
        let mut texts = Vec::new();
        let mut count = 0;
        while let Some((leaf, _)) = seq.next_element_seed(Value { rule: items, tape: &mut *self.tape })? {
            count += 1;
            match leaf {
                Leaf::Text(text) if *unique => texts.push(text),
                _ if *unique => return Err(doubt()),
                _ => {}
            }
        }
        sure((*min..=*max).contains(&count) && distinct(texts.iter().copied()), Leaf::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Rule::Object(object) = self.rule else { return Err(doubt()) };
        let own = self.tape.objects;
        self.tape.objects += 1;
        let mut seen = Seen::default();
        while let Some(index) = map.next_key_seed(Name { object, next: seen.next })? {
            if !seen.put(index) {
                return Err(doubt());
            }
            let member = &object.members[index];
            let (leaf, child) = map.next_value_seed(Value { rule: member.rule, tape: &mut *self.tape })?;
            self.tape.entries.push(Entry { parent: own, name: member.name, leaf, own: child });
        }
        let all =
            object.members.iter().enumerate().all(|(index, member)| !member.required || seen.has(index));
        let spot = Spot { tape: self.tape, leaf: Leaf::Object, own };
        let lawful = || object.laws.iter().flat_map(|group| group.iter()).all(|law| keeps(law, spot));
        if all && seen.count >= object.min && lawful() { Ok((Leaf::Object, own)) } else { Err(doubt()) }
    }
}

/// Which members of an object were read.
#[derive(Default)]
struct Seen {
    bits: u64,
    count: usize,
    /// The member that stands next if the writer keeps the order of the schema.
    next: usize,
}

impl Seen {
    /// Whether the member is new; an object has at most 64 members, a test says so.
    fn put(&mut self, index: usize) -> bool {
        let bit = 1 << index;
        let new = self.bits & bit == 0;
        self.bits |= bit;
        self.count += 1;
        self.next = index + 1;
        new
    }

    fn has(&self, index: usize) -> bool {
        self.bits & (1 << index) != 0
    }
}

/// Reads a member name as its place in the object.
struct Name {
    object: &'static Object,
    next: usize,
}

impl<'de> DeserializeSeed<'de> for Name {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let (before, after) = self.object.members.split_at(self.next);
        let find = |members: &[crate::rule::Member]| members.iter().position(|member| member.name == name);
        find(after).map(|index| index + self.next).or_else(|| find(before)).ok_or_else(doubt)
    }
}

#[cfg(test)]
mod tests {
    use super::Tape;
    use crate::check::check;
    use crate::json::Json;
    use crate::record::Typed;
    use crate::rule::Rule;
    use crate::sync::SyncEvent;

    const RECORD: &str = r#"{"schema":"kxm.sync-event.v1","sourceEventId":"evt_12345678","eventType":"lease.lost","projectId":"prj_12345678","runId":"run_12345678","homeRuntimeId":"rtm_12345678","sequence":3,"occurredAt":"2026-11-30T10:00:00Z","configRevision":"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef","memoryRevision":"mem_12345678","executorPolicyRevision":"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef","toolPolicyRevision":"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef","syncPolicyRevision":"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef","redaction":{"version":"v1","fieldsOmitted":[],"valuesReplaced":0},"payload":{"summary":"lost","lease":{"id":"lea_12345678","fencingToken":"1","acquiredAt":"2026-11-30T10:00:00Z","expiresAt":"2026-11-30T11:00:00Z"}}}"#;

    /// The change made to the record, what the tree says, what the quick pass says.
    fn verdict(from: &str, to: &str, valid: bool, quick: bool) {
        assert!(RECORD.contains(from), "{from}");
        let text = RECORD.replacen(from, to, 1);
        let faults = check(&SyncEvent::RULE, &Json::parse(&text).expect("JSON"));
        assert_eq!(faults.is_empty(), valid, "{to}: {faults:?}");
        assert_eq!(Tape::accepted(&SyncEvent::RULE, &text).is_some(), quick, "{to}");
    }

    #[test]
    fn the_quick_pass_accepts_plain_records_and_leaves_doubts_to_the_tree() {
        verdict("lost", "lost", true, true);
        verdict("\"lost\"", "\"lost: 1\\n2\"", true, true);
        verdict("\"lost\"", r#""\u006cost""#, true, false);
        verdict("lease.lost", r"lease.l\u006fst", true, false);
        verdict("\"sequence\":3", "\"sequence\":0,\"sequence\":3", true, false);
        verdict("\"sequence\":3", "\"sequence\":3.0", true, true);
        verdict("\"sequence\":3", "\"sequence\":3.5", false, false);
        verdict("\"lease\":", "\"lost\":", false, false);
        verdict("\"runId\":\"run_12345678\",", "", false, false);
        verdict("\"fieldsOmitted\":[]", "\"fieldsOmitted\":[\"a\",\"a\"]", false, false);
    }

    #[test]
    fn a_law_is_seen_by_both() {
        let other = RECORD.replace(r#","lease":{"id":"lea_12345678","fencingToken":"1","acquiredAt":"2026-11-30T10:00:00Z","expiresAt":"2026-11-30T11:00:00Z"}"#, "");
        assert_eq!(check(&SyncEvent::RULE, &Json::parse(&other).expect("JSON")).len(), 1);
        assert!(Tape::accepted(&SyncEvent::RULE, &other).is_none());
    }

    #[test]
    fn no_object_has_more_members_than_there_are_bits() {
        let mut rules: Vec<&Rule> = vec![&SyncEvent::RULE, &crate::local::LocalEvent::RULE];
        while let Some(rule) = rules.pop() {
            match rule {
                Rule::Array { items, .. } => rules.push(items),
                Rule::Object(object) => {
                    assert!(object.members.len() <= 64, "{}", object.name);
                    rules.extend(object.members.iter().map(|member| member.rule));
                }
                _ => {}
            }
        }
    }
}
