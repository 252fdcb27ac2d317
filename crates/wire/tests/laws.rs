//! Laws that hold for any input: nothing panics, what is good is kept, and own code agrees with the general parser.
use testkit::{Chance, any_frame, any_json, corrupt};
use wire::{Body, Decoded, Raw, decode};

#[path = "laws/check.rs"]
mod check;

const CASES: u64 = 4_000;

#[test]
fn any_frame_and_any_corruption_of_it_is_safe() {
    for seed in 0..CASES {
        let mut chance = Chance::new(seed);
        let frame = any_frame(&mut chance, "r1", seed);
        check::frame(&frame);
        check::frame(&corrupt(&mut chance, &frame));
    }
}

#[test]
fn every_cut_of_a_frame_is_invalid_and_safe() {
    for seed in 0..40 {
        let frame = any_frame(&mut Chance::new(seed), "r1", seed);
        for (at, _) in frame.char_indices().skip(1) {
            assert!(matches!(decode(&frame[..at]), Decoded::Invalid(_)), "{}", &frame[..at]);
        }
    }
}

#[test]
fn any_json_is_read_as_the_general_parser_reads_it() {
    for seed in 0..CASES {
        let mut chance = Chance::new(seed);
        let text = any_json(&mut chance, 5);
        let raw = Raw::parse(&text).unwrap();
        assert_eq!(raw.get(), text);
        check::json(&text);
        check::json(&corrupt(&mut chance, &text));
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) {
            agrees(raw, &value);
        }
    }
}

fn agrees(raw: Raw<'_>, value: &serde_json::Value) {
    match value {
        serde_json::Value::Object(map) => {
            for (name, item) in map {
                agrees(raw.member(name).unwrap(), item);
            }
        }
        serde_json::Value::Array(items) => {
            assert_eq!(raw.items().count(), items.len());
            raw.items().zip(items).for_each(|(raw, item)| agrees(raw, item));
        }
        serde_json::Value::String(text) => assert_eq!(raw.as_str().unwrap(), *text),
        serde_json::Value::Number(number) => assert_eq!(raw.as_f64(), number.as_f64()),
        serde_json::Value::Bool(flag) => assert_eq!(raw.as_bool(), Some(*flag)),
        serde_json::Value::Null => assert_eq!(raw.get(), "null"),
    }
}

#[test]
fn any_text_survives_being_written_as_a_string() {
    for code in (0..0x300).chain(0x2020..0x2040).chain(0xfff0..0x1_0010) {
        let Some(char) = char::from_u32(code) else { continue };
        let text = format!("a{char}{char}b");
        let mut written = String::new();
        wire::json::write_string(&text, &mut written);
        assert_eq!(Raw::parse(&written).unwrap().as_str().unwrap(), text);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }
}

#[test]
fn a_stub_and_its_value_are_the_same_body() {
    for seed in 0..CASES {
        let mut chance = Chance::new(seed);
        let value = format!(
            "[{}]",
            (0..chance.below(12)).map(|_| any_json(&mut chance, 3)).collect::<Vec<_>>().join(",")
        );
        let body = Body::from(Raw::parse(&value).unwrap());
        let stub = body.to_stub();
        assert_eq!(Body::from(Raw::parse(&stub).unwrap()), body, "{value}");
        assert_eq!((body.size_bytes, body.whole), (value.len() as u64, value.len() <= 256));
        assert!(value.starts_with(&*body.preview));
    }
}

#[test]
fn the_fuzz_corpora_hold_every_law() {
    let json = |text: &str| {
        check::json(text);
    };
    for (name, check) in [("wire_frame", check::frame as fn(&str)), ("wire_json", json)] {
        let folder = format!("{}/../../fuzz/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
        let mut seen = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            check(&String::from_utf8_lossy(&bytes));
            seen += 1;
        }
        assert!(seen > 10, "{name} has {seen} inputs");
    }
}

#[test]
fn repaired_text_is_read_by_the_general_parser_as_own_code_reads_the_original() {
    let pieces = ["a", "\\ud800", "\\udc00", "\\ud83d\\ude00", "\\\\", "\\u0041", "é", "\\\"", "\\\\ud800"];
    for seed in 0..2_000 {
        let mut chance = Chance::new(seed);
        let text: String = (0..chance.below(9)).map(|_| chance.pick(&pieces)).collect();
        let text = format!("\"{text}\"");
        let raw = Raw::parse(&text).unwrap();
        let repaired = wire::json::repair_surrogates(&text);
        assert_eq!(serde_json::from_str::<String>(&repaired).unwrap(), raw.as_str().unwrap(), "{text}");
        assert_eq!(raw.parse_as::<String>().unwrap(), raw.as_str().unwrap(), "{text}");
    }
}
