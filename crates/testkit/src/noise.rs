//! Noise by seed: any JSON, any payload, any frame, and broken ones.
use crate::{Chance, e_of};
use std::fmt::Write;

const NAMES: &[&str] = &["a", "nodeId", "x-y", "\\u0061", "ключ", "", "__proto__", "type", "\\ud800"];
const TEXTS: &[&str] =
    &["", "plain", "ünïcode ☃ \u{1f600}", "\\n\\t\\\"", "\\ud800", "\\ud83d\\ude00", "\\u0000"];
const NUMBERS: &[&str] = &["0", "-0", "1", "1.0", "1e2", "-3.25", "9007199254740993", "1E+400", "0.1e-7"];

/// One JSON value, nested at most `depth` levels, with blanks, escapes and odd numbers in it.
pub fn any_json(chance: &mut Chance, depth: usize) -> String {
    let bracket = if depth == 0 { 0 } else { 2 };
    match chance.below(4 + bracket) {
        0 => chance.pick(&["null", "true", "false"]).to_owned(),
        1 => chance.pick(NUMBERS).to_owned(),
        2 | 3 => format!("\"{}\"", chance.pick(TEXTS)),
        4 => {
            let items: Vec<_> = (0..chance.below(4)).map(|_| any_json(chance, depth - 1)).collect();
            let comma: &str = chance.pick(&[",", ", ", " ,\n"]);
            format!("[{}]", items.join(comma))
        }
        _ => format!("{{{}}}", any_members(chance, depth)),
    }
}

fn any_members(chance: &mut Chance, depth: usize) -> String {
    let mut out = String::new();
    for index in 0..chance.below(4) {
        let comma = if index == 0 { "" } else { "," };
        let (name, value) = (chance.pick(NAMES), any_json(chance, depth - 1));
        let written = write!(out, "{comma}\"{name}\":{}{value}", chance.pick(&["", " "]));
        assert!(written.is_ok(), "writing to a String cannot fail");
    }
    out
}

const PAYLOADS: &[(&str, &str)] = &[
    ("run.started", r#""app":"a","sdk":{"name":"s","version":"1"}"#),
    ("run.finished", r#""status":"error","error":{"name":"E","message":"m","stack":"s"}"#),
    ("graph.hint", r#""nodes":[{"nodeId":"n","kind":"tool","name":"t"}]"#),
    ("node.started", r#""nodeId":"n","kind":"llm","name":"x","instanceId":"i","input":{"q":1}"#),
    ("node.token", r#""nodeId":"n","deltas":[{"t":"text","v":"hi"}]"#),
    ("node.finished", r#""nodeId":"n","instanceId":"i","durationMs":1.5,"status":"ok""#),
    ("node.error", r#""nodeId":"n","error":{"name":"E","message":"m"}"#),
    ("exec.paused", r#""pauseId":"p","nodeId":"n","point":"before""#),
    ("exec.resumed", r#""pauseId":"p","action":"continue""#),
    ("exec.refused", r#""pauseId":"p","code":"schema""#),
    ("exec.resume", r#""pauseId":"p","action":"inject","output":[1]"#),
    ("breakpoint.set", r#""matcher":{"name":"x","point":"error"}"#),
    ("breakpoint.clear", r#""matcher":{}"#),
    ("mode.set", r#""mode":"step""#),
    ("hello", r#""versions":{"protocol":1,"client":"1"},"capabilities":["pause"]"#),
    (
        "hello.ack",
        r#""versions":{"protocol":1,"viewer":"1"},"capabilities":[],"breakpoints":[],"mode":"run""#,
    ),
    ("graph.event", r#""step":1,"event":{"StepStarted":{"step":1,"active":["n"]}}"#),
];

/// A message type and a good payload of it, with an unknown member at the end.
pub fn any_payload(chance: &mut Chance) -> (&'static str, String) {
    let (kind, members) = chance.pick(PAYLOADS);
    let extra = any_json(chance, 3);
    (kind, format!("{{{members},\"future\":{extra}}}"))
}

/// A good envelope of any type.
pub fn any_frame(chance: &mut Chance, run: &str, seq: u64) -> String {
    let (kind, payload) = any_payload(chance);
    e_of(run, seq, kind, &payload)
}

/// The text with a few characters removed, doubled or replaced; it may still be good.
pub fn corrupt(chance: &mut Chance, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=chance.below(3) {
        let at = chance.below(chars.len());
        match chance.below(3) {
            0 if !chars.is_empty() => drop(chars.remove(at)),
            1 => chars.insert(at, chance.pick(&['"', '{', '}', '[', ']', ',', ':', '\\', '\u{7}', 'é'])),
            _ => chars.truncate(chars.len() - chance.below(chars.len().min(9))),
        }
    }
    chars.into_iter().collect()
}

/// The items in another order.
pub fn shuffle<T>(chance: &mut Chance, items: &mut [T]) {
    for index in (1..items.len()).rev() {
        items.swap(index, chance.below(index + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::{Decoded, decode};

    #[test]
    fn any_frame_decodes_and_the_same_seed_gives_the_same_bytes() {
        for seed in 0..500 {
            let frame = any_frame(&mut Chance::new(seed), "r1", seed);
            let good = matches!(decode(&frame), Decoded::Ok(_) | Decoded::UnknownType(_));
            assert!(good, "{frame}: {:?}", decode(&frame));
            assert_eq!(frame, any_frame(&mut Chance::new(seed), "r1", seed));
        }
    }

    #[test]
    fn every_shape_decodes() {
        let shapes =
            [crate::chain(5), crate::fan_out(5), crate::token_flood(5), crate::typical_run("r9", 3, 6)];
        for frame in shapes.iter().flatten() {
            assert!(matches!(decode(frame), Decoded::Ok(_)), "{frame}");
        }
    }
}
