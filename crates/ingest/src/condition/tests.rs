//! The language by example: what is true, what is refused, what fails on a value.

use wire::Raw;

use super::{Condition, Hit, Scope, Template};

const INPUT: &str =
    r#"{"city":"Ulm","n":3,"list":[1,"two",{"x":null}],"a b":true,"deep":{"er":{"v":-1.5e1}}}"#;

fn scope() -> Scope<'static> {
    Scope {
        run: "r1",
        node: "tool:search",
        kind: "tool",
        name: "search",
        point: "before",
        instance: Some("i1"),
        bodies: Some([("input", Raw::parse(INPUT).ok()), ("error", None), ("output", None)]),
        why_no_bodies: "",
    }
}

fn check(text: &str, expect: Result<bool, &str>) {
    let got = Condition::parse(text).and_then(|condition| condition.holds(&scope()));
    match (&got, expect) {
        (Ok(got), Ok(expect)) if *got == expect => {}
        (Err(got), Err(expect)) if got.contains(expect) => {}
        _ => panic!("{text:?}: expected {expect:?}, seen {got:?}"),
    }
}

#[test]
fn comparisons_reach_into_values() {
    check("input.city == \"Ulm\"", Ok(true));
    check("input.city != 'Ulm'", Ok(false));
    check("input.n >= 3 && input.n < 4", Ok(true));
    check("input[\"a b\"]", Ok(true));
    check("!(input.list[0] == 2) && input.list[1] == 'two'", Ok(true));
    check("input.list[2].x == null", Ok(true));
    check("input.deep.er.v == -15", Ok(true));
    check("input.list contains 'two' || false", Ok(true));
    check("input contains 'city'", Ok(true));
    check("input.city contains 'lm' && input.city startsWith 'U' && input.city endsWith 'm'", Ok(true));
    check("exists(input.city) && !exists(input.town)", Ok(true));
    check("len(input.list) == 3 && len(input.city) == 3", Ok(true));
    check("name == 'search' && kind == 'tool' && point == 'before' && instance == 'i1'", Ok(true));
    check("input.n == '3'", Ok(false));
}

#[test]
fn what_cannot_be_decided_is_an_error_and_not_false() {
    check("input.town == 'Ulm'", Err("input.town is not there"));
    check("input.city < 3", Err("have no order"));
    check("input.n contains 3", Err("cannot contain"));
    check("input.city", Err("expected true or false, seen a text"));
    check("error.message == 'x'", Err("error.message is not there"));
    check("exists(error.message)", Ok(false));
    let scope = Scope { bodies: None, why_no_bodies: "not seen", ..scope() };
    let condition = Condition::parse("exists(input.city)").expect("a condition");
    assert_eq!(condition.holds(&scope), Err("not seen".to_owned()));
}

#[test]
fn a_bad_expression_says_where_and_what_is_expected() {
    check("", Err("at 0: expected a value, a path or (, seen the end"));
    check("input.city =", Err("at 11"));
    check("input.city == ", Err("seen the end"));
    check("cite == 3", Err("at 0: expected one of input, output"));
    check("1 < 2 < 3", Err("comparisons do not chain"));
    check("'abc", Err("has no end"));
    check("(true", Err("expected \")\""));
    check("true true", Err("expected an operator or the end"));
    check("input[-1] == 2", Err("a text or an index"));
    check(&"(".repeat(100_000), Err("nested deeper than"));
    check(&"!".repeat(100_000), Err("nested deeper than"));
    check("\u{1F600}", Err("means nothing here"));
}

#[test]
fn hit_counts_take_the_usual_spellings() {
    let holds = |text: &str, counts: &[u64]| {
        let hit = Hit::parse(text).expect(text);
        let held: Vec<u64> = (1..=7).filter(|count| hit.holds(*count)).collect();
        assert_eq!(held, counts, "{text}");
    };
    holds("3", &[3]);
    holds("== 3", &[3]);
    holds(">5", &[6, 7]);
    holds(" >= 6 ", &[6, 7]);
    holds("<= 2", &[1, 2]);
    holds("!= 4", &[1, 2, 3, 5, 6, 7]);
    holds("% 3", &[3, 6]);
    for bad in [">> 3", "", "x", "% 0", "-1", "3.5", "= 3"] {
        assert!(Hit::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn log_texts_put_values_in_place() {
    let render = |text: &str| Template::parse(text).map(|template| template.render(&scope()));
    assert_eq!(render("to {input.city} ({name})"), Ok("to Ulm (search)".to_owned()));
    assert_eq!(render("{{n}} = {input.n}"), Ok("{n} = 3".to_owned()));
    assert_eq!(render("{input.town}"), Ok("(input.town is not there)".to_owned()));
    assert!(render("{input.").is_err());
    assert!(render("{1}").is_err());
}
