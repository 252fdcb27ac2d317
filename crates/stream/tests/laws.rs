//! Laws that hold for any input.
use stream::{GraphEvent, RunFold, StreamItem, StreamPart};
use testkit::{Chance, any_json, corrupt};
use wire::decode;

#[path = "laws/check.rs"]
mod check;

/// A payload of a graph message: a known or unknown event or part with any members.
fn any_payload(chance: &mut Chance) -> String {
    let name = if chance.one_in(5) { "Moved" } else { chance.pick(GraphEvent::NAMES) };
    let members = ["node", "step", "routes", "update", "interrupt", "payload", "active", "namespace"];
    let mut body: Vec<_> = (0..chance.below(4))
        .map(|_| format!("\"{}\":{}", chance.pick(&members), any_json(chance, 3)))
        .collect();
    body.push(r#""node":"a""#.to_owned());
    let body = body.join(",");
    match chance.below(4) {
        0 => format!(r#"{{"part":{{"Values":{{"data":{},"interrupts":[]}}}}}}"#, any_json(chance, 3)),
        1 => format!(r#"{{"part":{{"Updates":{{"data":{{"a":{}}}}}}}}}"#, any_json(chance, 3)),
        _ => format!(r#"{{"step":1,"namespace":["a:1"],"event":{{"{name}":{{{body}}}}}}}"#),
    }
}

#[test]
fn any_payload_and_any_corruption_of_it_is_safe() {
    for seed in 0..2_000 {
        let mut chance = Chance::new(seed);
        let payload = any_payload(&mut chance);
        check::item(&payload);
        check::item(&corrupt(&mut chance, &payload));
        check::line(&corrupt(&mut chance, &payload));
    }
}

#[test]
fn what_was_subscribed_changes_nothing_about_the_outcome() {
    for seed in 0..300 {
        let mut chance = Chance::new(seed);
        let items: Vec<_> = (0..20)
            .filter_map(|seq| {
                let kind = chance.pick(&["graph.event", "graph.part"]);
                let frame = testkit::e(seq, kind, &any_payload(&mut chance));
                StreamItem::decode(&decode(&frame)).ok().flatten()
            })
            .collect();
        let mut fold = RunFold::default();
        let mut told = RunFold::default();
        for item in &items {
            fold.apply(item);
            told.apply(&StreamItem::decode(&decode(&envelope_of(item))).unwrap().unwrap());
        }
        assert_eq!(fold.outcome(), told.outcome(), "{seed}");
    }
}

/// The item written again by a producer that knows no more than this crate.
fn envelope_of(item: &StreamItem) -> String {
    match &item.body {
        stream::Body::Event(event) => stream::encode_event(item.seq, item.ts_ms, "r1", &item.context, event),
        stream::Body::Part(part) => stream::encode_part(item.seq, item.ts_ms, "r1", &item.context, part),
        stream::Body::Harness { kind } => panic!("{kind}"),
    }
}

#[test]
fn the_fuzz_corpora_hold_every_law() {
    for (name, check) in [("stream_item", check::item as fn(&str)), ("stream_line", check::line)] {
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
fn a_part_of_every_mode_reads_from_what_it_writes() {
    for text in [r#"{"Values":{"data":1}}"#, r#"{"Custom":{"data":null}}"#, r#"{"Updates":{"data":{}}}"#] {
        let part: StreamPart = serde_json::from_str(text).unwrap();
        let again: StreamPart = serde_json::from_str(&serde_json::to_string(&part).unwrap()).unwrap();
        assert_eq!(part, again);
    }
}
