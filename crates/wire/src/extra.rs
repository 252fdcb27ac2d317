//! Members this version does not know. They are kept as they were sent, name escapes included, and written back so.
use crate::json::{Key, Raw, write_string};

/// Unknown members of one object, in order, duplicates included. Empty costs no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extra<'a>(Vec<(&'a str, Raw<'a>)>);

impl<'a> Extra<'a> {
    /// Keeps a member.
    pub fn push(&mut self, key: Key<'a>, value: Raw<'a>) {
        self.0.push((key.raw, value));
    }

    /// Keeps a member by its raw name (text between the quotes, escapes included). `None` where it is not one.
    pub fn insert(&mut self, raw_name: &'a str, value: Raw<'a>) -> Option<()> {
        let mut quoted = String::new();
        write_string(raw_name, &mut quoted);
        let plain = quoted.len() == raw_name.len() + 2;
        let escaped = || Raw::parse(&format!("\"{raw_name}\"")).is_ok();
        (plain || escaped()).then(|| self.0.push((raw_name, value)))
    }

    /// The last member of that name.
    pub fn get(&self, name: &str) -> Option<Raw<'a>> {
        let named =
            |raw: &str| raw == name || (raw.contains('\\') && crate::json::unescape(raw, true) == name);
        self.0.iter().rev().find(|(raw, _)| named(raw)).map(|(_, value)| *value)
    }

    /// Raw names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, Raw<'a>)> + '_ {
        self.0.iter().copied()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Appends the members to an object being written.
    pub(crate) fn write(&self, first: &mut bool, out: &mut String) {
        for (name, value) in self.iter() {
            if !std::mem::take(first) {
                out.push(',');
            }
            out.push('"');
            out.push_str(name);
            out.push_str("\":");
            out.push_str(value.get());
        }
    }
}
