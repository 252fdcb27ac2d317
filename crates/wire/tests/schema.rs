//! `schema.json` is what the types say; any difference is a change of the contract and is reviewed as one.
use serde_json::Value;

/// Record a new golden file with `UPDATE_GOLDEN=1`.
#[test]
fn schema_json_is_what_the_types_say() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema.json");
    let text = wire::schema_text();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        golden == text,
        "schema.json differs from the types; review, then record it with UPDATE_GOLDEN=1"
    );
}

#[test]
fn every_message_has_a_branch_and_every_reference_a_definition() {
    let schema = wire::schema();
    let branches: Vec<_> = schema["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|branch| branch["properties"]["type"]["const"].as_str())
        .collect();
    assert_eq!(branches, wire::Message::KINDS);
    let text = wire::schema_text();
    for reference in text.split("\"#/$defs/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(schema["$defs"][name].is_object(), "{name}");
    }
    let parsed: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(parsed, schema);
}

#[test]
fn requirements_in_the_schema_are_those_of_the_decoder() {
    let schema = wire::schema();
    let required = |name: &str| schema["$defs"][name]["required"].to_string();
    assert_eq!(required("NodeStarted"), r#"["nodeId","kind","name","instanceId"]"#);
    assert_eq!(required("NodeFinished"), r#"["nodeId","durationMs","status"]"#);
    assert_eq!(required("WireMatcher"), "[]");
    assert_eq!(schema["$defs"]["Point"]["enum"].to_string(), r#"["before","after","error"]"#);
    assert_eq!(schema["$defs"]["Kind"]["type"], "string", "kinds are open");
}
