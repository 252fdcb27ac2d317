//! Breakpoint matchers: present members must match, absent ones match anything, equality is as sent.
use wire::{Decoded, Matcher, Message, Point, WireMatcher, decode};

fn matcher(json: &str) -> Matcher {
    serde_json::from_str(json).unwrap()
}

#[test]
fn present_members_must_match_and_absent_ones_match_anything() {
    for (json, kind, name, point, expect) in [
        ("{}", "tool", "x", Point::Before, true),
        ("{}", "tool", "x", Point::After, false),
        ("{}", "tool", "x", Point::Error, false),
        (r#"{"point":"error"}"#, "anything", "", Point::Error, true),
        (r#"{"point":"error"}"#, "anything", "", Point::Before, false),
        (r#"{"kind":"tool"}"#, "tool", "x", Point::Before, true),
        (r#"{"kind":"tool"}"#, "Tool", "x", Point::Before, false),
        (r#"{"kind":"odd"}"#, "odd", "x", Point::Before, true),
        (r#"{"name":"x"}"#, "llm", "x", Point::Before, true),
        (r#"{"name":"x"}"#, "llm", "xx", Point::Before, false),
        (r#"{"name":""}"#, "llm", "", Point::Before, true),
        (r#"{"kind":"tool","name":"x","point":"after"}"#, "tool", "x", Point::After, true),
        (r#"{"kind":"tool","name":"x","point":"after"}"#, "llm", "x", Point::After, false),
    ] {
        assert_eq!(matcher(json).matches(kind, name, point), expect, "{json} {kind} {name} {point}");
    }
}

#[test]
fn an_absent_point_is_not_the_same_matcher_as_before() {
    assert_ne!(matcher("{}"), matcher(r#"{"point":"before"}"#));
    assert_eq!(matcher("{}").effective_point(), matcher(r#"{"point":"before"}"#).effective_point());
    assert_eq!(matcher(r#"{"name":null}"#), matcher("{}"));
}

#[test]
fn a_matcher_goes_through_the_wire_unchanged() {
    for json in [
        "{}",
        r#"{"kind":"odd"}"#,
        r#"{"name":"ü\"","point":"after"}"#,
        r#"{"kind":"llm","name":"","point":"before"}"#,
    ] {
        let sent = matcher(json);
        let message =
            Message::from(wire::BreakpointSet { matcher: WireMatcher::from(&sent), ..Default::default() });
        let frame = wire::encode(1, 0.0, "*", &message);
        let Decoded::Ok(envelope) = decode(&frame) else { panic!("{frame}") };
        let Message::BreakpointSet(set) = envelope.message else { panic!("{frame}") };
        assert_eq!(set.matcher.to_matcher(), sent);
        assert_eq!(serde_json::to_string(&sent).unwrap(), serde_json::to_string(&matcher(json)).unwrap());
    }
}
