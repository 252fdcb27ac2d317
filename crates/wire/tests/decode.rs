//! The four outcomes, in the contract's order.
use wire::{Decoded, Message, Point, decode};

/// An outcome in a few words, and the path of its first issue.
fn outcome(frame: &str) -> (String, String) {
    match decode(frame) {
        Decoded::Ok(envelope) => (format!("ok {}", envelope.message.kind()), String::new()),
        Decoded::UnknownType(opaque) => (format!("unknown {}", opaque.header.kind), String::new()),
        Decoded::VersionMismatch { received } => (format!("version {received}"), String::new()),
        Decoded::Invalid(invalid) => {
            ("invalid".to_owned(), invalid.issues.first().map_or(String::new(), |issue| issue.path.clone()))
        }
    }
}

#[track_caller]
fn check(frame: &str, expect: &str, path: &str) {
    assert_eq!(outcome(frame), (expect.to_owned(), path.to_owned()), "{frame}");
}

fn envelope(kind: &str, payload: &str) -> String {
    format!(r#"{{"gm":1,"seq":1,"ts":5,"runId":"r1","type":"{kind}","payload":{payload}}}"#)
}

#[test]
fn what_is_not_shaped_like_an_envelope_is_invalid_whatever_its_version() {
    check("", "invalid", "");
    check("nul", "invalid", "");
    check("null", "invalid", "");
    check("[]", "invalid", "");
    check("\"x\"", "invalid", "");
    check("{}", "invalid", "gm");
    check(r#"{"gm":2}"#, "invalid", "seq");
    for (good, bad, path) in [
        (r#""gm":1"#, r#""gm":"1""#, "gm"),
        (r#""gm":1"#, r#""gm":1.5"#, "gm"),
        (r#""gm":1"#, r#""gm":null"#, "gm"),
        (r#""seq":1"#, r#""seq":-1"#, "seq"),
        (r#""seq":1"#, r#""seq":1.5"#, "seq"),
        (r#""seq":1"#, r#""seq":9007199254740992"#, "seq"),
        (r#""seq":1"#, r#""seq":"1""#, "seq"),
        (r#""ts":5"#, r#""ts":"5""#, "ts"),
        (r#""ts":5"#, r#""ts":1e999"#, "ts"),
        (r#""runId":"r1""#, r#""runId":7"#, "runId"),
        (r#""type":"mode.set""#, r#""type":null"#, "type"),
        (r#""payload":{"mode":"run"}"#, r#""payload":[1]"#, "payload"),
        (r#""payload":{"mode":"run"}"#, r#""payload":null"#, "payload"),
    ] {
        let frame = envelope("mode.set", r#"{"mode":"run"}"#);
        assert!(frame.contains(good), "{good}");
        check(&frame.replace(good, bad), "invalid", path);
        check(&frame.replace(good, bad).replace(r#""gm":1"#, r#""gm":2"#), "invalid", path);
    }
}

#[test]
fn another_major_is_a_mismatch_before_its_type_or_payload_is_looked_at() {
    for gm in ["2", "0", "-1", "100", "1e1"] {
        let frame = envelope("node.started", "{}").replace(r#""gm":1"#, &format!(r#""gm":{gm}"#));
        check(&frame, &format!("version {gm}"), "");
    }
}

#[test]
fn an_unknown_type_is_kept_whole_whatever_it_holds() {
    check(&envelope("node.moved", r#"{"nodeId":5}"#), "unknown node.moved", "");
    check(&envelope("constructor", "{}"), "unknown constructor", "");
    check(&envelope("", "{}"), "unknown ", "");
    let frame = envelope("x", r#"{"a":[1,2]}"#);
    let Decoded::UnknownType(opaque) = decode(&frame) else { panic!("{frame}") };
    assert_eq!((opaque.raw, opaque.payload.get()), (frame.as_str(), r#"{"a":[1,2]}"#));
}

#[test]
fn a_known_type_with_a_bad_payload_says_where_and_what() {
    check(&envelope("node.started", "{}"), "invalid", "payload.nodeId");
    check(
        &envelope("node.token", r#"{"nodeId":"n","deltas":[{"t":"text","v":"a"},{"t":"text"}]}"#),
        "invalid",
        "payload.deltas[1].v",
    );
    check(
        &envelope("node.finished", r#"{"nodeId":"n","durationMs":-1,"status":"ok"}"#),
        "invalid",
        "payload.durationMs",
    );
    check(&envelope("run.finished", r#"{"status":"fine"}"#), "invalid", "payload.status");
    check(
        &envelope("exec.paused", r#"{"pauseId":"p","nodeId":"n","point":"during"}"#),
        "invalid",
        "payload.point",
    );
    let frame = envelope("exec.resume", r#"{"pauseId":5,"action":"jump"}"#);
    let Decoded::Invalid(invalid) = decode(&frame) else { panic!("{frame}") };
    let seen: Vec<_> = invalid.issues.iter().map(|issue| issue.seen.as_str()).collect();
    assert_eq!(seen, ["number 5", "string \"jump\""]);
    assert_eq!(
        invalid.reason,
        "bad payload of \"exec.resume\": payload.pauseId: expected a string, seen number 5 (and 1 more)"
    );
}

#[test]
fn the_last_of_duplicate_members_counts() {
    let frame =
        envelope("exec.paused", r#"{"pauseId":5,"pauseId":"p","nodeId":"n","point":"x","point":"after"}"#);
    let Decoded::Ok(envelope_) = decode(&frame) else { panic!("{:?}", decode(&frame)) };
    let Message::ExecPaused(paused) = envelope_.message else { panic!() };
    assert_eq!((&*paused.pause_id, paused.point), ("p", Point::After));
    check(&envelope("mode.set", r#"{"mode":"run","mode":"jump"}"#), "invalid", "payload.mode");
    check(
        &envelope("mode.set", r#"{"mode":"run"}"#).replace(r#""gm":1"#, r#""gm":2,"gm":1"#),
        "ok mode.set",
        "",
    );
}

#[test]
fn escaped_names_are_the_names_they_mean() {
    let frame = envelope("mode.set", r#"{"mo\u0064e":"st\u0065p"}"#).replace("\"type\"", r#""t\u0079pe""#);
    check(&frame, "ok mode.set", "");
}

#[test]
fn integers_may_be_written_as_any_number() {
    for (text, value) in
        [("1.0", 1), ("1e2", 100), ("0", 0), ("-0", 0), ("9007199254740991", 9_007_199_254_740_991)]
    {
        let frame =
            envelope("mode.set", r#"{"mode":"run"}"#).replace(r#""seq":1"#, &format!(r#""seq":{text}"#));
        let Decoded::Ok(envelope) = decode(&frame) else { panic!("{text}") };
        assert_eq!(envelope.header.seq, value, "{text}");
    }
}

#[test]
fn lone_surrogates_cost_nothing_but_the_character() {
    let frame =
        envelope("node.token", r#"{"nodeId":"a\ud800b","deltas":[{"t":"text","v":"\udc00\ud83d\ude00"}]}"#);
    let Decoded::Ok(envelope) = decode(&frame) else { panic!("{frame}") };
    assert_eq!(envelope.raw, frame);
    let Message::NodeToken(token) = envelope.message else { panic!() };
    assert_eq!((&*token.node_id, &*token.deltas[0].v), ("a\u{fffd}b", "\u{fffd}\u{1f600}"));
}

#[test]
fn depth_costs_nothing() {
    let depth = 200_000;
    let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let deep = format!(r#"{{"nodeId":"n","durationMs":1,"status":"ok","output":{deep},"x":{{"y":{deep}}}}}"#);
    let frame = envelope("node.finished", &deep);
    let Decoded::Ok(envelope_) = decode(&frame) else { panic!() };
    let Message::NodeFinished(finished) = &envelope_.message else { panic!() };
    assert_eq!(finished.output.unwrap().depth(), depth);
    assert!(wire::slim(&frame).len() < 2_000);
    check(&envelope("other", &deep), "unknown other", "");
    let open = format!(r#"{{"gm":{}"#, "[{\"a\":".repeat(depth));
    check(&open, "invalid", "");
}

#[test]
fn null_in_an_optional_member_is_absent_and_kept() {
    let frame = envelope(
        "node.started",
        r#"{"nodeId":"n","parentId":null,"kind":"llm","name":"x","instanceId":"i","input":null}"#,
    );
    let Decoded::Ok(envelope) = decode(&frame) else { panic!("{:?}", decode(&frame)) };
    let Message::NodeStarted(started) = &envelope.message else { panic!() };
    assert_eq!((started.parent_id.as_deref(), started.input.unwrap().get()), (None, "null"));
    assert!(envelope.to_frame().contains(r#""parentId":null"#));
}
