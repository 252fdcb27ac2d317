//! Every part: golden JSON, unknown members kept, and slim frames that keep their structure.
use stream::{Body, StreamItem, StreamMode, StreamPart};
use wire::{decode, slim};

/// Each part with all of its members.
const PARTS: &[(&str, StreamMode)] = &[
    (
        r#"{"Values":{"namespace":["a:1"],"data":{"n": 1.0},"interrupts":[{"id":"i","node":"a","payload":null}]}}"#,
        StreamMode::Values,
    ),
    (r#"{"Updates":{"namespace":[],"data":{"b":{"x":1},"a":null}}}"#, StreamMode::Updates),
    (
        r#"{"Messages":{"namespace":[],"message":{"id":"m","role":"assistant","content":"Hel","channel":"reasoning","delta":true,"tool_calls":[{"id":"c"}],"usage":{"in":1}},"metadata":{"run_id":"r","thread_id":"t","graph_id":"g","step":2,"node":"a","task_id":"k","triggers":["x"],"model":"m-1"}}}"#,
        StreamMode::Messages,
    ),
    (r#"{"Custom":{"namespace":[],"data":[1e2]}}"#, StreamMode::Custom),
    (
        r#"{"Checkpoint":{"namespace":[],"data":{"checkpoint_id":"c2","parent_checkpoint_id":"c1","step":3,"values":{"n":1},"next":["b"]}}}"#,
        StreamMode::Checkpoints,
    ),
    (
        r#"{"Tasks":{"namespace":[],"data":{"Start":{"task_id":"t","node":"a","input":{"q":1},"triggers":["branch:to:a"]}}}}"#,
        StreamMode::Tasks,
    ),
    (
        r#"{"Tasks":{"namespace":[],"data":{"Finish":{"task_id":"t","node":"a","status":"error","result":null,"error":"e","interrupts":[{"id":"i","payload":1}]}}}}"#,
        StreamMode::Tasks,
    ),
    (r#"{"Debug":{"namespace":[],"data":{"Checkpoint":{"checkpoint_id":"c"}}}}"#, StreamMode::Debug),
    (r#"{"Debug":{"namespace":[],"data":{"Task":{"Start":{"node":"a","triggers":[]}}}}}"#, StreamMode::Debug),
];

fn item(part: &str) -> StreamItem {
    let frame = testkit::e(1, "graph.part", &format!(r#"{{"thread_id":"t","part":{part}}}"#));
    StreamItem::decode(&decode(&frame)).unwrap().unwrap()
}

#[test]
fn every_part_round_trips() {
    for (text, mode) in PARTS {
        let part: StreamPart = serde_json::from_str(text).unwrap();
        // An absent and a null result are the same: nothing.
        assert_eq!(serde_json::to_string(&part).unwrap(), text.replace(r#""result":null,"#, ""));
        assert_eq!(part.mode(), *mode);
        let frame = stream::encode_part(1, 1.0, "r1", &Default::default(), &part);
        assert_eq!(StreamItem::decode(&decode(&frame)).unwrap().unwrap().body, Body::Part(Box::new(part)));
    }
}

#[test]
fn a_part_keeps_its_producers_members_on_its_way_to_a_subscriber() {
    let text = r#"{"Updates":{"data":{"a":1.0}, "new": 1e2}}"#;
    let lines = stream::lines(&item(text), &Default::default());
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains(&format!(r#""part":{text}"#)), "{}", lines[0]);
    assert_eq!(item(text).member("new").unwrap().get(), "1e2");
}

#[test]
fn state_and_output_can_be_a_callers_own_types() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct State {
        n: u32,
    }
    let text = r#"{"Values":{"namespace":[],"data":{"n":1},"interrupts":[]}}"#;
    let part: StreamPart<State, State> = serde_json::from_str(text).unwrap();
    assert_eq!(part, StreamPart::Values { namespace: vec![], data: State { n: 1 }, interrupts: vec![] });
    assert_eq!(serde_json::to_string(&part).unwrap(), text);
}

#[test]
fn a_slim_part_keeps_its_structure() {
    let long = format!("\"{}\"", "x".repeat(600));
    for (part, stub) in [
        (format!(r#"{{"Values":{{"data":{{"n":{long}}}}}}}"#), "/part/Values/data"),
        (format!(r#"{{"Updates":{{"data":{{"a":{long},"b":1}}}}}}"#), "/part/Updates/data/a"),
        (format!(r#"{{"Custom":{{"data":{long}}}}}"#), "/part/Custom/data"),
        (
            format!(
                r#"{{"Tasks":{{"data":{{"Start":{{"task_id":"t","node":"a","input":{long},"triggers":[]}}}}}}}}"#
            ),
            "/part/Tasks/data/Start/input",
        ),
        (
            format!(r#"{{"Checkpoint":{{"data":{{"checkpoint_id":"c","values":{long}}}}}}}"#),
            "/part/Checkpoint/data/values",
        ),
        (
            format!(r#"{{"Debug":{{"data":{{"Checkpoint":{{"checkpoint_id":"c","values":{long}}}}}}}}}"#),
            "/part/Debug/data/Checkpoint/values",
        ),
    ] {
        let full = testkit::e(1, "graph.part", &format!(r#"{{"part":{part}}}"#));
        let slim = slim(&full);
        let value = wire::Raw::parse(&slim).unwrap();
        assert!(value.pointer(&format!("/payload{stub}/{}", wire::STUB_KEY)).is_some(), "{stub}: {slim}");
        assert!(StreamItem::decode(&decode(&slim)).unwrap().is_some(), "{slim}");
    }
}

#[test]
fn a_bad_part_says_so() {
    let frame = testkit::e(1, "graph.part", r#"{"part":{"Values":{}}}"#);
    assert_eq!(StreamItem::decode(&decode(&frame)).unwrap_err().path, "part");
    let frame = testkit::e(1, "graph.part", "{}");
    assert_eq!(StreamItem::decode(&decode(&frame)).unwrap_err().path, "part");
}

#[test]
fn half_a_surrogate_pair_in_a_piece_of_text_costs_nothing_but_the_character() {
    let item = item(r#"{"Messages":{"message":{"content":"a\ud83d","delta":true}}}"#);
    let Body::Part(part) = &item.body else { panic!() };
    let StreamPart::Messages { message, .. } = &**part else { panic!() };
    assert_eq!(message.content, "a\u{fffd}");
    assert!(item.payload.get().contains(r"a\ud83d"));
}
