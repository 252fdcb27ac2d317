//! Slim envelopes: long bodies become stubs, everything else stays byte for byte.
use testkit::e;
use wire::{Decoded, Message, Raw, decode, slim};

fn long(bytes: usize) -> String {
    format!("\"{}\"", "x".repeat(bytes - 2))
}

/// The members of a payload that are stubs.
fn stubbed(kind: &str, payload: &str) -> Vec<String> {
    let frame = e(1, kind, payload);
    let slim = slim(&frame).into_owned();
    assert_eq!(wire::slim(&slim), slim, "idempotent");
    let mut found = Vec::new();
    let payload = Raw::parse(&slim).unwrap().member("payload").unwrap();
    let mut open = vec![(String::new(), payload)];
    while let Some((path, value)) = open.pop() {
        for (key, inner) in value.members() {
            let path = format!("{path}/{}", key.name());
            if inner.member(wire::STUB_KEY).is_some() { found.push(path) } else { open.push((path, inner)) }
        }
        open.extend(value.items().enumerate().map(|(index, inner)| (format!("{path}/{index}"), inner)));
    }
    found.sort();
    found
}

#[test]
fn inputs_outputs_meta_stacks_and_unknown_members_are_bodies() {
    let (at, over) = (long(256), long(257));
    for (kind, payload, expect) in [
        (
            "node.started",
            format!(r#"{{"nodeId":"n","kind":"k","name":"x","instanceId":"i","input":{over}}}"#),
            vec!["/input"],
        ),
        (
            "node.started",
            format!(r#"{{"nodeId":"n","kind":"k","name":"x","instanceId":"i","input":{at}}}"#),
            vec![],
        ),
        ("node.started", format!(r#"{{"nodeId":{over},"kind":"k","name":{over},"instanceId":"i"}}"#), vec![]),
        (
            "node.finished",
            format!(r#"{{"nodeId":"n","durationMs":1,"status":"ok","output":[{over}],"new":{over}}}"#),
            vec!["/new", "/output"],
        ),
        (
            "node.error",
            format!(
                r#"{{"nodeId":"n","error":{{"name":"E","message":{over},"stack":{over},"cause":{over}}}}}"#
            ),
            vec!["/error/cause", "/error/stack"],
        ),
        (
            "run.started",
            format!(r#"{{"app":"a","sdk":{{"name":"s","version":"1"}},"meta":{{"k":{over}}}}}"#),
            vec!["/meta"],
        ),
        ("node.token", format!(r#"{{"nodeId":"n","deltas":[{{"t":"text","v":{over}}}]}}"#), vec![]),
        (
            "exec.resumed",
            format!(r#"{{"pauseId":"p","action":"retry","edited":{{"after":{over}}}}}"#),
            vec!["/edited/after"],
        ),
        (
            "graph.event",
            format!(r#"{{"event":{{"StateUpdated":{{"node":{over},"update":{over}}}}}}}"#),
            vec!["/event/StateUpdated/update"],
        ),
        (
            "graph.event",
            format!(r#"{{"event":{{"StepStarted":{{"step":1,"active":[{over}]}}}},"input":1}}"#),
            vec![],
        ),
        (
            "whatever",
            format!(r#"{{"note":{},"list":[{{"value":{over}}}]}}"#, long(5000)),
            vec!["/list/0/value", "/note"],
        ),
    ] {
        assert_eq!(stubbed(kind, &payload), expect, "{kind}");
    }
}

#[test]
fn a_slim_frame_still_decodes_to_the_same_message_but_for_its_bodies() {
    let stack = long(9_000);
    let payload =
        format!(r#"{{"nodeId":"n", "error":{{"name":"E","message":"m","stack":{stack}}} , "heldMs": 2}}"#);
    let frame = e(4, "node.error", &payload);
    let slim = slim(&frame);
    let (Decoded::Ok(full), Decoded::Ok(small)) = (decode(&frame), decode(&slim)) else { panic!("{slim}") };
    let (Message::NodeError(full_error), Message::NodeError(small_error)) = (&full.message, &small.message)
    else {
        panic!()
    };
    assert_eq!((full.header, full_error.held_ms), (small.header, small_error.held_ms));
    let body = |error: &wire::NodeError<'_>| wire::Body::from(error.error.stack.unwrap().raw());
    assert_eq!(body(full_error), body(small_error));
    assert_eq!(body(small_error).size_bytes, 9_000);
    assert!(slim.contains(r#""nodeId":"n", "error""#), "blanks stay");
}

#[test]
fn the_type_may_stand_behind_the_payload() {
    let usual = e(
        1,
        "node.finished",
        &format!(r#"{{"nodeId":"n","durationMs":1,"status":"ok","new":{}}}"#, long(300)),
    );
    let value = Raw::parse(&usual).unwrap();
    let other = format!(
        r#"{{"payload":{},"type":"node.finished","gm":1,"seq":1,"ts":1,"runId":"r1"}}"#,
        value.member("payload").unwrap().get()
    );
    assert!(slim(&usual).contains(wire::STUB_KEY) && slim(&other).contains(wire::STUB_KEY));
    let payload = |frame: &str| Raw::parse(frame).unwrap().member("payload").unwrap().get().to_owned();
    assert_eq!(payload(&slim(&usual)), payload(&slim(&other)));
}

#[test]
fn an_object_that_only_looks_like_a_stub_is_a_body_of_its_own() {
    let fake = format!(r#"{{"__holdpointBody":{{"bytes":9,"preview":{}}}}}"#, long(600));
    let payload = format!(r#"{{"nodeId":"n","durationMs":1,"status":"ok","output":{fake}}}"#);
    let frame = e(1, "node.finished", &payload);
    let slim = slim(&frame);
    assert!(slim.contains(&format!(r#""bytes":{}"#, fake.len())), "{slim}");
}
