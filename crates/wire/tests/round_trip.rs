//! Every message survives decode and encode, unknown members at every depth included, byte for byte.
use wire::{Decoded, Envelope, Message, decode, encode};

/// Unknown members with everything a lesser reader would normalise: escapes in the name, number spelling, blanks, order,
/// duplicates, lone surrogates, depth.
const UNKNOWN: &str =
    r#""\u0066uture":{ "b" : 1.0, "a":[1e2, -0,"\ud800\/"] ,"b":2},"é":12345678901234567890"#;

/// Each message with every known member in the order it is written, `…` standing for unknown ones.
const MESSAGES: &[(&str, &str)] = &[
    ("run.started", r#"{"app":"a","sdk":{"name":"s","version":"1",…},"meta":{"k":[1, 2],…},…}"#),
    ("run.finished", r#"{"status":"error","error":{"name":"E","message":"m\n","stack":"at x",…},…}"#),
    (
        "graph.hint",
        r#"{"nodes":[{"nodeId":"n","kind":"odd kind","name":"x","parentId":"p",…},{"nodeId":"m","kind":"tool","name":"y"}],…}"#,
    ),
    (
        "node.started",
        r#"{"nodeId":"n","parentId":"p","kind":"retriever","name":"x","instanceId":"i","input":{ "q" : "\u0041" },"collapsed":true,"model":"m-1","redaction":{"count":1,"keys":["input"],…},…}"#,
    ),
    (
        "node.token",
        r#"{"nodeId":"n","instanceId":"i","deltas":[{"t":"text","v":"a",…},{"t":"tool-args","v":"{"},{"t":"new","v":""}],"redaction":{"count":0,"keys":[]},…}"#,
    ),
    (
        "node.finished",
        r#"{"nodeId":"n","instanceId":"i","output":null,"usage":{"inputTokens":1,"outputTokens":2,"inclusive":false,"cacheReadTokens":3,"cacheWriteTokens":4,"reasoningTokens":5,…},"durationMs":12.25,"heldMs":0.5,"status":"aborted","injected":true,"redaction":{"count":1,"keys":["output"]},…}"#,
    ),
    ("node.error", r#"{"nodeId":"n","instanceId":"i","error":{"name":"E","message":"m",…},"heldMs":3,…}"#),
    (
        "exec.paused",
        r#"{"pauseId":"p","nodeId":"n","instanceId":"i","point":"after","reason":"loop","loop":{"repeats":3,"firstSeq":4,"lastSeq":9,"fingerprint":"f","kind":"cycle","period":2,"laps":3,…},"smart":{"rule":"r","detail":"d",…},"editable":true,…}"#,
    ),
    (
        "exec.resumed",
        r#"{"pauseId":"p","action":"retry","edited":{"after":[ 1 ],…},"requestId":"q","principal":"me",…}"#,
    ),
    ("exec.refused", r#"{"pauseId":"p","code":"shape","message":"no","requestId":"q",…}"#),
    ("gap", r#"{"lost":3,"fromSeq":4,"toSeq":6,…}"#),
    ("exec.resume", r#"{"pauseId":"p","action":"inject","output":"\/","input":{"a":1},"requestId":"q",…}"#),
    ("breakpoint.set", r#"{"matcher":{"kind":"tool","name":"x","point":"error",…},…}"#),
    ("breakpoint.clear", r#"{"matcher":{},…}"#),
    ("mode.set", r#"{"mode":"step",…}"#),
    (
        "hello",
        r#"{"versions":{"protocol":1,"client":"0.5.1",…},"capabilities":["pause","fly"],"app":"a","sdk":{"name":"s","version":"1"},"resumeToken":"t",…}"#,
    ),
    (
        "hello.ack",
        r#"{"versions":{"protocol":1,"viewer":"0.1.0",…},"capabilities":["pause"],"breakpoints":[{"point":"error",…},{}],"mode":"run","sessionToken":"t","hubCapabilities":["edit-input"],…}"#,
    ),
];

fn frame(kind: &str, payload: &str, unknown: &str) -> String {
    let (comma, rest) = if unknown.is_empty() { ("", "") } else { (",", unknown) };
    let payload = payload.replace(",…", &format!("{comma}{rest}"));
    format!(
        r#"{{"gm":1,"seq":7,"ts":1756200000000.25,"runId":"r \"1\"","type":"{kind}","payload":{payload}{comma}{rest}}}"#
    )
}

#[track_caller]
fn decoded(frame: &str) -> Envelope<'_> {
    match decode(frame) {
        Decoded::Ok(envelope) => envelope,
        other => panic!("{frame}\n{other:?}"),
    }
}

#[test]
fn every_message_round_trips_byte_for_byte() {
    for (kind, payload) in MESSAGES {
        for unknown in ["", UNKNOWN] {
            let frame = frame(kind, payload, unknown);
            let envelope = decoded(&frame);
            assert_eq!(envelope.to_frame(), frame);
            assert_eq!(envelope.raw, frame);
            assert_eq!(envelope.message.kind(), *kind);
        }
    }
}

#[test]
fn every_known_type_has_its_round_trip() {
    let tested: Vec<_> = MESSAGES.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(tested, Message::KINDS);
}

#[test]
fn encode_writes_what_decode_reads() {
    for (kind, payload) in MESSAGES {
        let frame = frame(kind, payload, "");
        let envelope = decoded(&frame);
        let written = encode(7, 1_756_200_000_000.25, "r \"1\"", &envelope.message);
        assert_eq!(written, frame);
    }
}

#[test]
fn members_may_come_in_any_order_payload_first_included() {
    for (kind, payload) in MESSAGES {
        let payload = payload.replace(",…", "");
        let usual = format!(r#"{{"gm":1,"seq":7,"ts":1,"runId":"r","type":"{kind}","payload":{payload}}}"#);
        let other = format!(r#"{{"payload":{payload}, "runId":"r","ts":1,"type":"{kind}","seq":7,"gm":1}}"#);
        assert_eq!(decoded(&usual).message, decoded(&other).message);
    }
}

/// The members without which a message is invalid.
const REQUIRED: &[(&str, &[&str])] = &[
    ("run.started", &["app", "sdk"]),
    ("run.finished", &["status"]),
    ("graph.hint", &["nodes"]),
    ("node.started", &["nodeId", "kind", "name", "instanceId"]),
    ("node.token", &["nodeId", "deltas"]),
    ("node.finished", &["nodeId", "durationMs", "status"]),
    ("node.error", &["nodeId", "error"]),
    ("exec.paused", &["pauseId", "nodeId", "point"]),
    ("exec.resumed", &["pauseId", "action"]),
    ("exec.refused", &["pauseId", "code"]),
    ("gap", &[]),
    ("exec.resume", &["pauseId", "action"]),
    ("breakpoint.set", &["matcher"]),
    ("breakpoint.clear", &["matcher"]),
    ("mode.set", &["mode"]),
    ("hello", &["versions", "capabilities"]),
    ("hello.ack", &["versions", "capabilities", "breakpoints", "mode"]),
];

#[test]
fn every_required_member_is_required_and_no_other() {
    for ((kind, payload), (_, required)) in MESSAGES.iter().zip(REQUIRED) {
        let value: serde_json::Value = serde_json::from_str(&payload.replace(",…", "")).unwrap();
        for name in value.as_object().unwrap().keys() {
            let mut without = value.clone();
            without.as_object_mut().unwrap().remove(name);
            let frame = frame(kind, &without.to_string(), "");
            let good = matches!(decode(&frame), Decoded::Ok(_));
            assert_eq!(good, !required.contains(&name.as_str()), "{kind} without {name}");
        }
    }
}

#[test]
fn a_gap_says_its_range_and_count_in_any_spelling() {
    for (payload, range, count) in [
        (r#"{"lost":3,"fromSeq":4,"toSeq":6}"#, Some((4, 6)), Some(3)),
        (r#"{"firstSeq":4,"lastSeq":6}"#, Some((4, 6)), Some(3)),
        (r#"{"count":9,"from":1,"to":20}"#, Some((1, 20)), Some(9)),
        (r#"{"from":5,"to":4}"#, None, None),
        ("{}", None, None),
    ] {
        let frame = frame("events.lost", payload, "");
        let Message::Gap(gap) = decoded(&frame).message else { panic!("{payload}") };
        assert_eq!((gap.range(), gap.count()), (range, count), "{payload}");
    }
}
