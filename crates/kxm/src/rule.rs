//! The vocabulary of rules: what a place in a record may hold.
//!
//! Rules are constants made by the record types, so the checker, the published schema and the types cannot
//! disagree. A rule knows nothing of a document.

use crate::pattern::Pattern;

/// What one value must be.
#[derive(Debug)]
pub enum Rule {
    /// Any JSON value.
    Any,
    /// Exactly this string.
    Const(&'static str),
    /// One of these strings.
    Enum(&'static [&'static str]),
    /// A string of `min..=max` Unicode code points that the pattern accepts.
    Text {
        /// Fewest code points.
        min: usize,
        /// Most code points.
        max: usize,
        /// What it must look like.
        pattern: Option<&'static Pattern>,
    },
    /// A number without a fractional part.
    Integer {
        /// Smallest value.
        min: f64,
        /// Largest value; infinite where the schema sets none.
        max: f64,
    },
    /// A number.
    Number {
        /// Smallest value.
        min: f64,
    },
    /// `true` or `false`.
    Bool,
    /// An array.
    Array {
        /// The rule of each item.
        items: &'static Rule,
        /// Fewest items.
        min: usize,
        /// Most items.
        max: usize,
        /// Whether no item may stand twice.
        unique: bool,
    },
    /// An object with known members.
    Object(&'static Object),
    /// An object with free names.
    Map {
        /// The rule of each name.
        names: &'static Rule,
        /// The rule of each value.
        values: &'static Rule,
        /// Most members.
        max: usize,
    },
    /// Any object.
    AnyObject,
}

/// A closed object: no member besides the listed ones.
#[derive(Debug)]
pub struct Object {
    /// Name of its definition in the published schema.
    pub name: &'static str,
    /// Its members.
    pub members: &'static [Member],
    /// Fewest members.
    pub min: usize,
    /// What holds between its members, in groups.
    pub laws: &'static [&'static [Law]],
}

/// One member of an [`Object`].
#[derive(Debug)]
pub struct Member {
    /// Name on the wire.
    pub name: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it must be.
    pub rule: &'static Rule,
}

/// A conditional: where every condition holds, the demand must too (seed 003, `allOf`).
#[derive(Debug)]
pub struct Law {
    /// All of them must hold.
    pub when: &'static [When],
    /// What is then asked.
    pub then: Then,
}

/// A condition: the member at `path` is there and is one of `values`.
#[derive(Debug)]
pub struct When {
    /// Member names from the object downwards.
    pub path: &'static [&'static str],
    /// Accepted values.
    pub is: Is,
}

/// The values of a condition.
#[derive(Debug)]
pub enum Is {
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// This truth value.
    Bool(bool),
}

/// The demand of a [`Law`]; `at` is the member it is made of, or none for the object itself.
#[derive(Debug)]
pub enum Then {
    /// `at` has these members, if it is there.
    Require {
        /// The member that must have them.
        at: Option<&'static str>,
        /// The members asked for.
        names: &'static [&'static str],
    },
    /// These members are absent from `at`.
    Forbid {
        /// The member that must not have them.
        at: Option<&'static str>,
        /// The members refused.
        names: &'static [&'static str],
    },
    /// The member, if there, is this truth value.
    Bool {
        /// Name of the member.
        name: &'static str,
        /// Its only value.
        value: bool,
    },
}

impl Object {
    /// The member called `name`.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&'static Member> {
        self.members.iter().find(|member| member.name.len() == name.len() && member.name == name)
    }
}
