//! Random documents made from a rule: valid ones, and ones with a place broken.

use kxm::{Object, Rule};
use serde_json::{Map, Value, json};

/// A small deterministic generator: the same seed gives the same documents on every machine.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides.max(1)
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.roll(from.len())]
    }
}

/// Strings on both sides of every pattern and length of the schema.
pub(crate) const TEXTS: &[&str] = &[
    "",
    "a",
    "a-b",
    "a_b1",
    "A",
    "1a",
    "a--b",
    "a-",
    "run_abcdef",
    "run_abcdef-_9",
    "r_abcdef",
    "run_abcde",
    "run__bcdef",
    "abcdefghijklmnop_abcdef",
    "abcdefghijklmnopq_abcdef",
    "Run_abcdef",
    "run_abcdef\n",
    ".",
    "..",
    "a/b",
    "/a",
    "a/",
    "a//b",
    "a/../b",
    "a/./b",
    "a.",
    "a /b",
    "a. /b",
    "con",
    "CoN.txt",
    "nul .txt",
    "a/aux",
    "com0",
    "com1",
    "com¹",
    "COM²/x",
    "com10",
    "lpt9.a.b",
    "conin$",
    "CONOUT$",
    "clock$.x",
    "con\u{130}",
    "a\u{2028}<b",
    "a\u{2028}/../b",
    "a\u{2029}/con",
    "<\u{2028}",
    "con.a\u{2028}b",
    "a.\u{2028}",
    "a\u{7f}b",
    "a\tb",
    "a:b",
    "a\\b",
    "é",
    "e\u{301}",
    "2026-01-02T03:04:05Z",
    "2026-13-99T99:99:99Z",
    "2026-01-02T03:04:05.123456789Z",
    "2026-01-02T03:04:05.Z",
    "2026-01-02T03:04:05.1234567890Z",
    "2026-01-02T03:04:05+00:00",
    "2026-01-02t03:04:05Z",
    "２０26-01-02T03:04:05Z",
    "USD",
    "usd",
    "EURO",
    "PATH",
    "_X1",
    "1X",
    "path",
    "0",
    "01",
    "12",
    "x_y",
    "x_y_z_w_v",
    "sha256:0000000000000000000000000000000000000000000000000000000000000000",
    "sha256:000000000000000000000000000000000000000000000000000000000000000g",
    "sha256:00000000000000000000000000000000000000000000000000000000000000000",
    "0123456789abcdef0123456789abcdef01234567",
    "kxm.sync-event.v1",
    "kxm.run-event.v1",
];

const LENGTHS: &[usize] =
    &[63, 64, 65, 127, 128, 129, 144, 145, 160, 161, 200, 201, 256, 257, 512, 513, 1000, 1001, 1024, 1025];

pub(crate) fn any_text(dice: &mut Dice) -> String {
    match dice.roll(4) {
        0 => "a".repeat(LENGTHS[dice.roll(LENGTHS.len())]),
        1 => "é".repeat(LENGTHS[dice.roll(LENGTHS.len())]),
        _ => dice.pick(TEXTS).to_owned(),
    }
}

/// A value that the rule accepts, laws between members left aside.
pub(crate) fn accepted(rule: &Rule, dice: &mut Dice) -> Value {
    match rule {
        Rule::Any | Rule::AnyObject => json!({ "any": dice.roll(9) }),
        Rule::Const(word) => json!(word),
        Rule::Enum(words) => json!(words[dice.roll(words.len())]),
        Rule::Text { min, max, pattern } => loop {
            let text = any_text(dice);
            let chars = text.chars().count();
            if (*min..=*max).contains(&chars) && pattern.is_none_or(|pattern| (pattern.accepts)(&text)) {
                return json!(text);
            }
        },
        Rule::Integer { min, max } => whole(*min, *max, dice),
        Rule::Number { .. } => json!(dice.roll(1000) as f64 / 8.0),
        Rule::Bool => json!(dice.roll(2) == 0),
        Rule::Array { items, min, unique, .. } => list(items, *min, *unique, dice),
        Rule::Object(object) => members(object, dice),
        Rule::Map { names, values, .. } => {
            let name = accepted(names, dice);
            let mut map = Map::new();
            map.insert(name.as_str().unwrap_or_default().to_owned(), accepted(values, dice));
            Value::Object(map)
        }
    }
}

fn whole(min: f64, max: f64, dice: &mut Dice) -> Value {
    let top = if max.is_finite() { max } else { 1e15 };
    match dice.roll(4) {
        0 => json!(min as i64),
        1 => json!(top),
        2 => json!(top as i64),
        _ => json!(min as i64 + dice.roll(50) as i64),
    }
}

fn list(items: &Rule, min: usize, unique: bool, dice: &mut Dice) -> Value {
    let mut list: Vec<Value> = Vec::new();
    for _ in 0..min + dice.roll(3) {
        let item = accepted(items, dice);
        if !unique || !list.contains(&item) {
            list.push(item);
        }
    }
    Value::Array(list)
}

fn members(object: &Object, dice: &mut Dice) -> Value {
    let mut map = Map::new();
    for member in object.members {
        if member.required || dice.roll(5) == 0 {
            map.insert(member.name.to_owned(), accepted(member.rule, dice));
        }
    }
    if map.len() < object.min {
        let member = &object.members[dice.roll(object.members.len())];
        map.insert(member.name.to_owned(), accepted(member.rule, dice));
    }
    Value::Object(map)
}

/// Breaks, or at least changes, one place of the document.
pub(crate) fn change(document: &mut Value, dice: &mut Dice) {
    let mut at = document;
    for _ in 0..dice.roll(6) {
        let children = match &*at {
            Value::Object(map) => map.len(),
            Value::Array(list) => list.len(),
            _ => 0,
        };
        if children == 0 {
            *at = strange(dice);
            return;
        }
        let place = dice.roll(children);
        let child = match at {
            Value::Object(map) => map.values_mut().nth(place),
            Value::Array(list) => list.get_mut(place),
            _ => None,
        };
        at = child.expect("the place is below the length");
    }
    match (dice.roll(4), at) {
        (0, Value::Object(map)) if !map.is_empty() => {
            let name = map.keys().nth(dice.roll(map.len())).cloned().unwrap_or_default();
            map.remove(&name);
        }
        (1, Value::Object(map)) => drop(map.insert(any_text(dice), strange(dice))),
        (2, Value::Array(list)) if !list.is_empty() => list.push(list[0].clone()),
        (_, other) => *other = strange(dice),
    }
}

fn strange(dice: &mut Dice) -> Value {
    let raw = dice.pick(&[
        "null",
        "true",
        "false",
        "0",
        "1",
        "-1",
        "-0",
        "-0.0",
        "1.0",
        "1e2",
        "1.5",
        "1e30",
        "18446744073709551616",
        "0.9999999999999999999999",
        "64",
        "65",
        "100000",
        "100001",
        "31536000000",
        "31536000001",
        "1099511627777",
        "\"1\"",
        "[]",
        "{}",
        "[[]]",
        "{\"\":0}",
    ]);
    if dice.roll(2) == 0 { json!(any_text(dice)) } else { serde_json::from_str(raw).expect("a JSON value") }
}
