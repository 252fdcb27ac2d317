//! Exports: nothing planted comes out, everything else stays as it was, and what was written can be read again.

use std::ops::ControlFlow;

use proptest::prelude::*;
use serde_json::{Value, json};
use trace::Source;
use trace::export::{Exported, Options, Page, To, export};

/// The forms that hold the envelopes themselves.
const RECORDINGS: [To; 3] = [To::Ndjson, To::Zstd, To::Html];
const SECRET: &str = "sk-ant-api03-Zq8vT2mXw4Lk9RbN1yHc";

fn envelope(seq: u64, kind: &str, payload: &Value) -> String {
    json!({"gm": 1, "seq": seq, "ts": seq, "runId": "r1", "type": kind, "payload": payload}).to_string()
}

fn write(lines: &[String], options: &Options<'_>) -> (Vec<u8>, Exported) {
    let mut out = Vec::new();
    let done = export(&mut lines.to_vec(), options, &mut out).expect("written");
    (out, done)
}

fn read(bytes: &[u8]) -> Vec<String> {
    let source = Source::Bytes { name: "export".into(), bytes: bytes.to_vec() };
    let mut lines = Vec::new();
    let report = trace::import(&[source], &mut |line| {
        lines.push(line.to_owned());
        ControlFlow::Continue(())
    });
    let report = report.expect("readable");
    assert_eq!((report.skipped_total, report.imported), (0, lines.len() as u64));
    lines
}

fn page() -> Page<'static> {
    Page { title: "<a> & b", script: "export function open() {}", module: b"\0asm", style: "p{}" }
}

fn options(to: To, redact: bool) -> Options<'static> {
    Options { redact, page: Some(page()), ..Options::new(to) }
}

/// What one redacted payload becomes, and how many values went.
fn check(payload: &str, expect: &str, replaced: u64) {
    let line = format!(r#"{{"gm":1,"seq":1,"ts":0,"runId":"r1","type":"note","payload":{payload}}}"#);
    let (out, done) = write(std::slice::from_ref(&line), &Options::new(To::Ndjson));
    let out = String::from_utf8(out).expect("UTF-8");
    assert_eq!(out, line.replace(payload, expect) + "\n");
    assert_eq!(done.replaced, replaced, "{payload}");
    let (again, done) = write(&[out.trim_end().to_owned()], &Options::new(To::Ndjson));
    assert_eq!((String::from_utf8(again).expect("UTF-8"), done.replaced), (out, 0), "a second time");
}

#[test]
fn secrets_are_replaced_where_they_stand_and_nothing_else_changes() {
    check(r#"{"api_key" : "a", "n":1.0}"#, r#"{"api_key" : "__REDACTED__", "n":1.0}"#, 1);
    check(
        r#"{"headers":{"Set-Cookie":["a","b"]}}"#,
        r#"{"headers":{"Set-Cookie":["__REDACTED__","__REDACTED__"]}}"#,
        2,
    );
    check(
        r#"{"password":123,"token":5,"auth":null}"#,
        r#"{"password":"__REDACTED__","token":5,"auth":null}"#,
        1,
    );
    check(
        r#"{"max_tokens":10,"tokens":"12","usage":{"token_count":"3","inputTokens":4}}"#,
        r#"{"max_tokens":10,"tokens":"12","usage":{"token_count":"3","inputTokens":4}}"#,
        0,
    );
    check(r#"{"t":"a\nBearer abcdefgh é\u00e9 z"}"#, r#"{"t":"a\nBearer [redacted] é\u00e9 z"}"#, 1);
    check(r#"{"url":"https://ana:pw@host/x"}"#, r#"{"url":"https://[redacted]@host/x"}"#, 1);
    check(
        r#"{"a":[{"key":"authorization","value":{"stringValue":"x"}},{"value":"y","name":"password"}]}"#,
        r#"{"a":[{"key":"authorization","value":{"stringValue":"__REDACTED__"}},{"value":"__REDACTED__","name":"password"}]}"#,
        2,
    );
    check(
        r#"{"h":[["cookie","c=1"],["accept","x"]]}"#,
        r#"{"h":[["cookie","__REDACTED__"],["accept","x"]]}"#,
        1,
    );
    check(
        r#"{"schema":{"password":{"type":"string","description":"The password"}}}"#,
        r#"{"schema":{"password":{"type":"string","description":"The password"}}}"#,
        0,
    );
    check(
        r#"{"body":"{\"user\":\"a\",\"password\":\"p\\\"q\",\"pin\":1}"}"#,
        r#"{"body":"{\"user\":\"a\",\"password\":\"__REDACTED__\",\"pin\":1}"}"#,
        1,
    );
    check(r#"{"body":"{\"password\":77}"}"#, r#"{"body":"{\"password\":\"__REDACTED__\"}"}"#, 1);
    check(
        r#"{"pem":"x -----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- y"}"#,
        r#"{"pem":"x [redacted] y"}"#,
        1,
    );
    check(
        r#"{"id":"chatcmpl-9aBcDeFgHiJkLmNoPqRsTuVwXyZ012","sha":"9f86d081884c7d659a2feaa0c55ad015"}"#,
        r#"{"id":"chatcmpl-9aBcDeFgHiJkLmNoPqRsTuVwXyZ012","sha":"9f86d081884c7d659a2feaa0c55ad015"}"#,
        0,
    );
    check(
        r#"{"t":"my api key is 8fK2mQ9xLw3ZtR7vBn4c, thanks"}"#,
        r#"{"t":"my api key is [redacted], thanks"}"#,
        1,
    );
}

#[test]
fn a_secret_across_deltas_is_found_and_the_rest_of_the_stream_stays() {
    let token = |seq: u64, instance: &str, pieces: &[&str]| {
        let deltas: Vec<Value> = pieces.iter().map(|v| json!({"t": "text", "v": v})).collect();
        envelope(seq, "node.token", &json!({"nodeId": "n", "instanceId": instance, "deltas": deltas}))
    };
    let lines = [
        token(1, "a", &["the key: sk-ant", "-api03-Zq8v"]),
        token(2, "b", &["nothing here"]),
        token(3, "a", &["T2mXw4Lk9RbN1yHc and on"]),
        token(3, "a", &["T2mXw4Lk9RbN1yHc and on"]),
    ];
    let (out, done) = write(&lines, &Options::new(To::Ndjson));
    let texts: Vec<String> = String::from_utf8(out)
        .expect("UTF-8")
        .lines()
        .map(|line| {
            let event: Value = serde_json::from_str(line).expect("JSON");
            let deltas = event["payload"]["deltas"].as_array().expect("a list").clone();
            deltas
                .iter()
                .map(|delta| delta["v"].as_str().expect("a text").to_owned())
                .collect::<Vec<_>>()
                .join("|")
        })
        .collect();
    assert_eq!(texts, ["the key: [redacted]|", "nothing here", " and on", " and on"]);
    assert_eq!(done.replaced, 1);
}

#[test]
fn what_is_exported_whole_is_read_again_byte_for_byte() {
    let odd = "x </script> <!-- é \u{2028} \" \\ ".repeat(200);
    let lines: Vec<String> = (1..=300)
        .map(|seq| envelope(seq, "note", &json!({"body": odd, "api_key": SECRET, "n": seq})))
        .chain([
            r#"{"gm":1, "seq":1.0e3,"ts":0.50,"runId":"r1","type":"note","payload":{"s":"\ud83d \u0041"}}"#
                .to_owned(),
        ])
        .collect();
    for to in RECORDINGS {
        let (out, done) = write(&lines, &options(to, false));
        assert_eq!((done.events, done.replaced), (301, 0));
        assert_eq!(read(&out), lines, "{to:?}");
    }
}

#[test]
fn a_page_holds_nothing_that_could_end_its_elements() {
    let lines =
        [envelope(1, "note", &json!({"body": "</script><script>alert(1)</script><!--", "token": "abc"}))];
    let (out, _) = write(&lines, &options(To::Html, true));
    let html = String::from_utf8(out).expect("UTF-8");
    assert_eq!(html.matches("<script").count(), 4);
    assert!(html.contains("<title>&lt;a&gt; &amp; b</title>"));
    assert!(html.contains(r#""redacted":true,"valuesReplaced":1"#));
    assert!(!html.contains("alert(1)"));
}

#[test]
fn a_page_without_the_viewer_is_an_error_in_words() {
    let mut out = Vec::new();
    let error = export(&mut vec![String::new()], &Options::new(To::Html), &mut out).expect_err("no viewer");
    assert!(error.to_string().contains("without the viewer"), "{error}");
}

#[test]
fn a_damaged_page_is_named() {
    let html =
        "<!doctype html><script type=\"application/vnd.holdpoint.recording\" id=\"recording\">*</script>";
    let source = Source::Bytes { name: "p.html".into(), bytes: html.into() };
    let failure = trace::import(&[source], &mut |_| ControlFlow::Continue(())).expect_err("damaged");
    assert!(failure.message.contains("damaged"), "{}", failure.message);
}

#[test]
fn an_ending_tells_the_form() {
    for (name, to) in [
        ("a.ndjson", Some(To::Ndjson)),
        ("A.JSONL", Some(To::Ndjson)),
        ("a.ndjson.zst", Some(To::Zstd)),
        ("a.htm", Some(To::Html)),
        ("a", None),
        ("-", None),
    ] {
        assert_eq!(To::of_name(name), to, "{name}");
    }
}

/// Secrets as issuers make them.
fn secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "sk-[A-Za-z0-9]{24,48}",
        "sk-ant-api03-[A-Za-z0-9_]{30}",
        "ghp_[A-Za-z0-9]{36}",
        "AKIA[A-Z0-9]{16}",
        "xoxb-[0-9]{10}-[A-Za-z0-9]{20}",
        "eyJ[A-Za-z0-9]{20}\\.eyJ[A-Za-z0-9]{20}\\.[A-Za-z0-9]{20}",
        "AIza[A-Za-z0-9]{35}",
    ]
}

/// A payload with the secret planted somewhere in it.
fn planted(place: usize, secret: &str, noise: &str) -> Value {
    let inner = json!({"note": noise, "password": secret}).to_string();
    match place {
        0 => json!({"input": {"api_key": secret, "q": noise}}),
        1 => json!({"output": format!("{noise} {secret} {noise}")}),
        2 => {
            json!({"error": {"name": "E", "message": noise, "stack": format!("at f ({noise})\n  key={secret}\n")}})
        }
        3 => json!({"unknown": [[noise, [secret]], {"deep": {"deeper": secret}}]}),
        4 => json!({"body": inner}),
        5 => json!({"body": json!({"again": inner}).to_string()}),
        6 => json!({"headers": [["authorization", format!("Bearer {secret}")], ["x", noise]]}),
        7 => json!({"attributes": [{"key": "http.request.header.cookie", "value": {"stringValue": secret}}]}),
        8 => json!({(secret): noise}),
        9 => json!({"nodeId": secret, "url": format!("https://u:{secret}@h/{noise}")}),
        _ => json!({"text": format!("Authorization: Bearer {secret}\n{noise}")}),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_planted_secret_comes_out_of_any_form(
        secret in secret(), noise in "[ -~é\n\"\\\\]{0,40}", places in prop::collection::vec(0_usize..11, 1..5),
        cut in 1_usize..20,
    ) {
        let mut lines: Vec<String> = places.iter().zip(1..).map(|(place, seq)| {
            envelope(seq, "note", &planted(*place, &secret, &noise))
        }).collect();
        let (head, tail) = secret.split_at(cut);
        for (seq, piece) in [(90, format!("it is {head}")), (91, format!("{tail} so"))] {
            let deltas = json!([{"t": "text", "v": piece}]);
            lines.push(envelope(seq, "node.token", &json!({"nodeId": "n", "deltas": deltas})));
        }
        for to in RECORDINGS {
            let (out, done) = write(&lines, &options(to, true));
            prop_assert!(done.replaced > places.len() as u64);
            let plain = String::from_utf8_lossy(&out).into_owned();
            prop_assert!(!plain.contains(&secret), "{:?} holds it: {}", to, plain);
            let mut streamed = String::new();
            for line in read(&out) {
                prop_assert!(!line.contains(&secret), "{:?} holds it: {}", to, line);
                let event: Value = serde_json::from_str(&line).expect("JSON");
                streamed.extend(event["payload"]["deltas"][0]["v"].as_str());
            }
            prop_assert!(!streamed.contains(&secret), "{:?} streams it: {}", to, streamed);
        }
    }

    #[test]
    fn no_planted_secret_comes_out_as_a_span_or_a_record(
        secret in secret(), noise in "[ -~é\n\"\\\\]{0,40}", places in prop::collection::vec(0_usize..11, 1..5),
        kind in prop::sample::select(vec!["agent", "llm", "tool", "chain", "custom"]), named in 0_usize..5,
    ) {
        let as_name = |at: usize, plain: &str| if named == at { secret.clone() } else { plain.to_owned() };
        let mut lines = vec![envelope(1, "run.started", &json!({
            "app": as_name(0, "app"), "sdk": {"name": "s", "version": "1"}, "meta": planted(places[0], &secret, &noise),
        }))];
        for (place, seq) in places.iter().zip((10..).step_by(10)) {
            let body = planted(*place, &secret, &noise);
            let (node, instance) = (as_name(1, "n"), as_name(2, &format!("i{seq}")));
            lines.push(envelope(seq, "node.started", &json!({
                "nodeId": node, "kind": kind, "name": as_name(3, "name"), "instanceId": instance, "input": body,
                "model": as_name(4, "m"),
            })));
            lines.push(envelope(seq + 1, "node.error", &json!({
                "nodeId": node, "instanceId": instance,
                "error": {"name": "E", "message": format!("{noise} {secret}"), "stack": format!("at key={secret}")},
            })));
            lines.push(envelope(seq + 2, "node.finished", &json!({
                "nodeId": node, "instanceId": instance, "output": body, "durationMs": 1, "status": "error",
                "usage": {"inputTokens": 1, "outputTokens": 2},
            })));
        }
        lines.push(envelope(900, "run.finished", &json!({"status": "ok"})));
        for to in [To::Otlp, To::Kxm] {
            let (out, _) = write(&lines, &options(to, true));
            let text = String::from_utf8(out).expect("UTF-8");
            prop_assert!(!text.contains(&secret), "{:?} holds it: {}", to, text);
            let records = text.lines().count();
            if to == To::Kxm {
                let noise = noise.trim();
                prop_assert!(noise.len() < 8 || !text.contains(noise), "a record holds {:?}: {}", noise, text);
                prop_assert_eq!(records, 2 + places.len() * 2);
                for line in text.lines() {
                    prop_assert!(kxm::decode(line).is_ok(), "{:?}: {}", kxm::decode(line), line);
                }
            } else {
                prop_assert_eq!(records, 1);
                serde_json::from_str::<Value>(&text).expect("JSON");
            }
        }
    }

    #[test]
    fn any_text_stays_what_it_is_where_no_secret_is(text in "[a-z .,\n\"\\\\é]{0,60}") {
        let line = envelope(1, "note", &json!({"text": text, "n": [1, null, true]}));
        let (out, done) = write(std::slice::from_ref(&line), &Options::new(To::Ndjson));
        if done.replaced == 0 {
            prop_assert_eq!(String::from_utf8(out).expect("UTF-8"), line + "\n");
        } else {
            serde_json::from_slice::<Value>(&out).expect("still JSON");
        }
    }
}

#[test]
fn long_values_cost_time_in_proportion_to_their_length() {
    // Each of these once had every word look to the end of the text; a million of them would not end.
    let image: String = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB+/".repeat(12_000);
    let marks = "cookie: [redacted] ".repeat(12_000);
    let pairs: Vec<Value> = (0..12_000).map(|n| json!(["cookie", n.to_string()])).collect();
    let dots = "a.".repeat(120_000);
    let (_, done) = write(
        &[envelope(1, "note", &json!({"image": image, "marks": marks, "pairs": pairs, "dots": dots}))],
        &Options::new(To::Ndjson),
    );
    assert_eq!(done.replaced, 12_000);
}
