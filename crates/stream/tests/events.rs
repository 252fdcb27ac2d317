//! Every event: the seed's serde shape, other producers' spellings, unknown variants and fields kept.
use serde_json::{Value, json};
use stream::{Body, EventClass, GraphEvent, Interrupt, RouteTarget, StreamItem};
use wire::{Raw, decode};

/// The 22 variants as the seed's derive would write them.
const SEED: &[&str] = &[
    r#"{"RunStarted":{"run_id":"r","graph_id":"g"}}"#,
    r#"{"RunStreamingStarted":{"run_id":"r"}}"#,
    r#"{"StepStarted":{"step":1,"active":["a","b"]}}"#,
    r#"{"TaskStarted":{"task_id":"t","node":"a","triggers":["branch:to:a"]}}"#,
    r#"{"TaskCompleted":{"task_id":"t","node":"a"}}"#,
    r#"{"TaskCached":{"task_id":"t","node":"a"}}"#,
    r#"{"TaskFailed":{"task_id":"t","node":"a","error":"no\n"}}"#,
    r#"{"StateUpdated":{"node":"a","update":{"n":1.0}}}"#,
    r#"{"RouteSelected":{"node":"a","routes":[{"Node":"b"},{"Send":{"node":"c","input":[1]}},"End"]}}"#,
    r#"{"ContextForked":{"parent_task_id":"t","child_task_id":"u"}}"#,
    r#"{"ContextForkJoined":{"parent_task_id":"t","child_task_id":"u"}}"#,
    r#"{"SubgraphStarted":{"node":"a","child_run_id":"s","namespace":["a:t"]}}"#,
    r#"{"SubgraphCompleted":{"node":"a","child_run_id":"s"}}"#,
    r#"{"SubAgentStarted":{"node":"a","agent":"w","child_run_id":"s"}}"#,
    r#"{"SubAgentCompleted":{"node":"a","agent":"w","child_run_id":"s"}}"#,
    r#"{"RecursionDepthChanged":{"depth":2}}"#,
    r#"{"CheckpointSaved":{"checkpoint_id":"c"}}"#,
    r#"{"InterruptEmitted":{"interrupt":{"id":"i","node":"a","payload":{"ask":"?"}}}}"#,
    r#"{"RunDraining":{"run_id":"r","reason":"stop"}}"#,
    r#"{"RunCompleted":{"run_id":"r"}}"#,
    r#"{"RunFailed":{"run_id":"r","error":"e"}}"#,
    r#"{"Custom":{"name":"x","payload":null}}"#,
];

/// What real producers add.
const ADDED: &[&str] = &[
    r#"{"StepCompleted":{"step":1}}"#,
    r#"{"TaskScheduled":{"node":"a","step":1}}"#,
    r#"{"NodeStarted":{"node":"a","step":1}}"#,
    r#"{"NodeCompleted":{"node":"a","step":1}}"#,
    r#"{"NodeFailed":{"node":"a","step":1,"error":"e"}}"#,
    r#"{"NodeRetryScheduled":{"node":"a","step":1,"attempt":2}}"#,
    r#"{"CheckpointRestored":{"checkpoint_id":"c"}}"#,
];

fn event(text: &str) -> GraphEvent {
    GraphEvent::parse(Raw::parse(text).unwrap()).unwrap()
}

fn item(event: &str) -> StreamItem {
    let payload = format!(r#"{{"event":{event}}}"#);
    let frame = testkit::e(1, "graph.event", &payload);
    StreamItem::decode(&decode(&frame)).unwrap().unwrap()
}

#[test]
fn every_variant_round_trips_in_the_seeds_shape() {
    for text in SEED.iter().chain(ADDED) {
        let event = event(text);
        assert_eq!(event.to_json(), *text);
        assert_eq!(serde_json::to_string(&event).unwrap(), *text);
        assert_eq!(serde_json::from_str::<GraphEvent>(text).unwrap(), event);
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::from_value::<GraphEvent>(value).unwrap().name(), event.name());
    }
}

#[test]
fn every_variant_is_tested_and_none_is_unknown() {
    let names: Vec<_> = SEED.iter().chain(ADDED).map(|text| event(text).name().to_owned()).collect();
    assert_eq!(names, GraphEvent::NAMES);
    assert!(SEED.iter().chain(ADDED).all(|text| event(text).class() != EventClass::Unknown));
}

#[test]
fn other_producers_spellings_are_read() {
    for (text, expect) in [
        (r#"{"RunCompleted":{"run_id":"r","steps":3}}"#, GraphEvent::RunCompleted { run_id: "r".into() }),
        (
            r#"{"RouteSelected":{"node":"a","target":"b"}}"#,
            GraphEvent::RouteSelected { node: "a".into(), routes: vec![RouteTarget::Node("b".into())] },
        ),
        (
            r#"{"RouteSelected":{"node":"a","routes":["b","__end__"]}}"#,
            GraphEvent::RouteSelected {
                node: "a".into(),
                routes: vec![RouteTarget::Node("b".into()), RouteTarget::End],
            },
        ),
        (
            r#"{"StateUpdated":{"node":"a","step":2}}"#,
            GraphEvent::StateUpdated { node: "a".into(), update: stream::Json::default() },
        ),
        (
            r#"{"Custom":{"name":"x","data":[1]}}"#,
            GraphEvent::Custom { name: "x".into(), payload: json!([1]).into() },
        ),
        (
            r#"{"SubgraphStarted":{"node":"a","namespace":["a"]}}"#,
            GraphEvent::SubgraphStarted {
                node: "a".into(),
                child_run_id: "".into(),
                namespace: vec!["a".into()],
            },
        ),
        (
            r#"{"InterruptEmitted":{"interrupt":{"interrupt_id":"i","value":1}}}"#,
            GraphEvent::InterruptEmitted {
                interrupt: Interrupt { id: "i".into(), node: "".into(), payload: json!(1).into() },
            },
        ),
        (r#""RunCompleted""#, GraphEvent::RunCompleted { run_id: "".into() }),
    ] {
        assert_eq!(event(text), expect, "{text}");
    }
}

#[test]
fn unknown_variants_and_fields_are_kept_whole() {
    for text in [r#"{"NodeMoved":{ "to" : "b","n":1.0}}"#, r#""Paused""#, r#"{"Odd":7}"#, r#"{"":null}"#] {
        let GraphEvent::Unknown { .. } = event(text) else { panic!("{text}") };
        assert_eq!(event(text).class(), EventClass::Unknown);
    }
    assert_eq!(event(r#"{"Odd":{ "n" :1.0}}"#).to_json(), r#"{"Odd":{ "n" :1.0}}"#);
    assert_eq!(event(r#""Paused""#).to_json(), r#""Paused""#);
    let item = item(r#"{"ContextForked":{"node":"a","fork": 2,"step":3,"\u0078":[1e2]}}"#);
    assert_eq!(item.member("fork").unwrap().get(), "2");
    assert_eq!(item.member("x").unwrap().get(), "[1e2]");
    assert!(item.payload.get().contains(r#""\u0078":[1e2]"#));
}

#[test]
fn a_member_of_the_wrong_kind_is_named() {
    for (text, path, expected) in [
        (r#"{"StepStarted":{"step":"one","active":[]}}"#, "StepStarted.step", "an integer, zero or more"),
        (r#"{"StepStarted":{"step":1,"active":[7]}}"#, "StepStarted.active", "a list"),
        (r#"{"TaskFailed":{"node":{}}}"#, "TaskFailed.node", "a string"),
        ("7", "event", r#"an event such as {"StepStarted": {…}}"#),
        ("{}", "event", r#"an event such as {"StepStarted": {…}}"#),
    ] {
        let error = GraphEvent::parse(Raw::parse(text).unwrap()).unwrap_err();
        assert_eq!((error.path.as_str(), error.expected), (path, expected), "{text}");
    }
}

#[test]
fn depth_in_a_value_costs_nothing() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let item = item(&format!(r#"{{"StateUpdated":{{"node":"a","update":{deep}}}}}"#));
    let Body::Event(GraphEvent::StateUpdated { update, .. }) = &item.body else { panic!() };
    assert_eq!(update.get(), deep);
    assert!(update.parse_as::<Value>().is_err(), "too deep for a tree, kept as text");
}

#[test]
fn node_task_step_and_checkpoint_of_the_event_fill_the_context() {
    let context = item(r#"{"TaskStarted":{"task_id":"t","node":"a","triggers":[]}}"#).context;
    assert_eq!((context.node.unwrap().as_str(), context.task_id.unwrap().as_str()), ("a", "t"));
    assert_eq!(item(r#"{"NodeStarted":{"node":"a","step":4}}"#).context.step, Some(4));
    assert_eq!(
        item(r#"{"CheckpointSaved":{"checkpoint_id":"c"}}"#).context.checkpoint_id.unwrap().as_str(),
        "c"
    );
}

#[test]
fn an_encoded_event_decodes_to_itself_with_its_context() {
    let context = stream::Context {
        event_id: Some("e1".into()),
        run_id: Some("child".into()),
        root_run_id: Some("r1".into()),
        parent_run_id: Some("r1".into()),
        thread_id: Some("th".into()),
        graph_id: Some("g".into()),
        namespace: vec!["a:1".into(), "b|c".into()],
        step: Some(3),
        task_id: Some("t".into()),
        node: Some("n".into()),
        checkpoint_id: Some("c".into()),
        seq: Some(9),
        ts_ms: Some(1.5),
    };
    for text in SEED.iter().chain(ADDED) {
        let frame = stream::encode_event(7, 2.0, "r1", &context, &event(text));
        let item = StreamItem::decode(&decode(&frame)).unwrap().unwrap();
        assert_eq!((&item.context, &item.body), (&context, &Body::Event(event(text))));
        assert_eq!(
            (item.seq, item.ts_ms, item.run.as_str(), item.kind()),
            (7, 2.0, "r1", event(text).name())
        );
    }
}

#[test]
fn a_slim_event_reads_as_the_full_one_but_for_its_values() {
    let long = "x".repeat(2_000);
    let full = testkit::e(
        1,
        "graph.event",
        &format!(r#"{{"event":{{"StateUpdated":{{"node":"a","update":"{long}"}}}}}}"#),
    );
    let slim = wire::slim(&full);
    let read = |frame: &str| StreamItem::decode(&decode(frame)).unwrap().unwrap();
    let (
        Body::Event(GraphEvent::StateUpdated { update: a, .. }),
        Body::Event(GraphEvent::StateUpdated { update: b, .. }),
    ) = (read(&full).body, read(&slim).body)
    else {
        panic!()
    };
    assert_ne!(a, b);
    assert_eq!(wire::Body::from(a.raw()), wire::Body::from(b.raw()));
}
