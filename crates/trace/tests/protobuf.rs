//! OTLP as protobuf is one more spelling of OTLP JSON, in each of its framings.

use std::ops::ControlFlow;

use trace::{Report, Source, import};

/// A field with a length.
fn field(number: u8, value: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    bytes.extend(varint(value.len()));
    bytes.extend(value);
    bytes
}

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(0x80 | (number & 0x7f) as u8);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn time(number: u8, ms: u64) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 1];
    bytes.extend((ms * 1_000_000).to_le_bytes());
    bytes
}

/// `key` with an AnyValue.
fn pair(key: &str, value: &[u8]) -> Vec<u8> {
    [field(1, key.as_bytes()), field(2, value)].concat()
}

fn span(id: u8, parent: Option<u8>, name: &str) -> Vec<u8> {
    let id8 = |last: u8| [0, 0, 0, 0, 0, 0, 0, last];
    [
        field(1, &[7; 16]),
        field(2, &id8(id)),
        parent.map(|parent| field(4, &id8(parent))).unwrap_or_default(),
        field(5, name.as_bytes()),
        time(7, 10),
        time(8, 20),
        field(9, &pair("gen_ai.operation.name", &field(1, b"chat"))),
        field(9, &pair("gen_ai.usage.input_tokens", &[0x18, 5])),
        field(9, &pair("list", &field(5, &field(1, &[0x10, 1])))),
        field(15, &[field(2, b"bad"), vec![0x18, 2]].concat()),
    ]
    .concat()
}

fn request(spans: &[Vec<u8>]) -> Vec<u8> {
    let spans: Vec<u8> = spans.iter().flat_map(|span| field(2, span)).collect();
    let scope = [field(1, &field(1, b"lib")), spans].concat();
    let resource = field(1, &pair("service.name", &field(1, b"bot")));
    field(1, &[field(1, &resource), field(2, &scope)].concat())
}

fn run(bytes: Vec<u8>) -> (Report, Vec<String>) {
    let mut lines = Vec::new();
    let source = Source::Bytes { name: "traces.binpb".into(), bytes };
    let report = import(&[source], &mut |line| {
        lines.push(line.to_owned());
        ControlFlow::Continue(())
    });
    (report.unwrap_or_else(|failure| panic!("{failure}")), lines)
}

const JSON: &str = r#"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"bot"}}]},"scopeSpans":[{"scope":{"name":"lib"},"spans":[SPANS]}]}]}"#;

fn json_span(id: &str, parent: &str, name: &str) -> String {
    format!(
        r#"{{"traceId":"07070707070707070707070707070707","spanId":"{id}","parentSpanId":"{parent}","name":"{name}","startTimeUnixNano":"10000000","endTimeUnixNano":"20000000","attributes":[{{"key":"gen_ai.operation.name","value":{{"stringValue":"chat"}}}},{{"key":"gen_ai.usage.input_tokens","value":{{"intValue":"5"}}}},{{"key":"list","value":{{"arrayValue":{{"values":[{{"boolValue":true}}]}}}}}}],"status":{{"message":"bad","code":2}}}}"#
    )
}

#[test]
fn protobuf_and_json_are_one_model() {
    let spans = [span(1, None, "root"), span(2, Some(1), "inner")];
    let json = format!(
        "{},{}",
        json_span("0000000000000001", "", "root"),
        json_span("0000000000000002", "0000000000000001", "inner")
    );
    let (_, expected) = run(JSON.replace("SPANS", &json).into_bytes());
    let whole = request(&spans);
    let apart: Vec<Vec<u8>> = spans.iter().map(|span| request(std::slice::from_ref(span))).collect();
    let by_varint =
        apart.iter().flat_map(|message| [varint(message.len()), message.clone()].concat()).collect();
    let by_four = apart
        .iter()
        .flat_map(|message| [(message.len() as u32).to_be_bytes().to_vec(), message.clone()].concat())
        .collect();
    for bytes in [whole, apart.concat(), by_varint, by_four] {
        let (report, lines) = run(bytes);
        assert_eq!(
            (report.format.as_str(), report.imported, report.skipped_total),
            ("OpenTelemetry (OTLP)", 2, 0)
        );
        assert_eq!(lines, expected);
    }
}

#[test]
fn a_cut_message_costs_itself() {
    let mut bytes = [request(&[span(1, None, "a")]), request(&[span(2, None, "b")])].concat();
    bytes.truncate(bytes.len() - 3);
    let (report, _) = run(bytes);
    assert_eq!((report.imported, report.skipped_total), (1, 1), "{:?}", report.skipped);
    assert!(report.skipped[0].reason.starts_with("the last message is incomplete"), "{:?}", report.skipped);
}
