//! What an answer means at a typed call: which actions fit which point, and whether their values can be read.
//!
//! Invariant: a value with a placeholder in it is never used as if it were the real one; a value that does not fit is
//! refused in words that name what was seen. Pure.

use crate::{
    body::placeholder_in,
    gate::{Refusal, Verdict},
    hold::Answer,
};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use wire::{Action, Point, RefusalCode};

/// What a call does after a gate.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next<I, O> {
    /// Goes on; at a before gate with an edited input, if there is one.
    Go(Option<I>),
    /// Runs again, with an edited input if there is one.
    Again(Option<I>),
    /// Returns this instead.
    Give(O),
    Abort,
}

/// Reads `answer` for a gate at `point`.
pub(crate) fn judge<I: DeserializeOwned, O: DeserializeOwned>(
    point: Point,
    editable: bool,
    answer: Answer,
) -> Result<Verdict<Next<I, O>>, Refusal> {
    let Answer { action, output, input, .. } = answer;
    if input.is_some() {
        check_edit(point, action, editable)?;
    }
    match action {
        Action::Abort => Ok(Verdict { value: Next::Abort, done: Action::Abort, edited: None }),
        Action::Inject => {
            let given = output.ok_or_else(|| shape("inject needs an output, seen none"))?;
            let value = Next::Give(read(&given, "output")?);
            Ok(Verdict { value, done: Action::Inject, edited: None })
        }
        // Nothing has run yet before the node, so a retry there is a continue, and is reported as one.
        Action::Continue | Action::Retry if point == Point::Before => edit(input, Action::Continue, Next::Go),
        Action::Retry => edit(input, Action::Retry, Next::Again),
        Action::Continue => Ok(Verdict { value: Next::Go(None), done: Action::Continue, edited: None }),
    }
}

fn edit<I: DeserializeOwned, O>(
    input: Option<Box<RawValue>>,
    done: Action,
    next: impl FnOnce(Option<I>) -> Next<I, O>,
) -> Result<Verdict<Next<I, O>>, Refusal> {
    let value = input.as_deref().map(|raw| read(raw, "input")).transpose()?;
    Ok(Verdict { value: next(value), done, edited: input })
}

fn check_edit(point: Point, action: Action, editable: bool) -> Result<(), Refusal> {
    let fits = match point {
        Point::Before => matches!(action, Action::Continue | Action::Retry),
        Point::After | Point::Error => action == Action::Retry,
    };
    if !fits {
        let wanted = if point == Point::Before { "continue" } else { "retry" };
        let reason = format!("an edited input goes with {wanted} at the {point} gate, seen {action}");
        return Err(Refusal::new(RefusalCode::Unsupported, reason));
    }
    if editable {
        Ok(())
    } else {
        Err(Refusal::new(RefusalCode::Disabled, "the input of this gate cannot be edited"))
    }
}

fn read<T: DeserializeOwned>(raw: &RawValue, what: &str) -> Result<T, Refusal> {
    if let Some(code) = placeholder_in(raw.get()) {
        let reason = format!("the {what} still holds a {code} value; give the real one");
        return Err(Refusal::new(code.into(), reason));
    }
    serde_json::from_str(raw.get()).map_err(|error| {
        let label = crate::error::type_label::<T>();
        Refusal::new(RefusalCode::Schema, format!("the {what} does not fit {label}: {error}"))
    })
}

fn shape(message: &str) -> Refusal {
    Refusal::new(RefusalCode::Shape, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Option<Box<RawValue>> {
        (!text.is_empty()).then(|| RawValue::from_string(text.to_owned()).expect("test JSON"))
    }

    /// `Ok((next, action reported))` or the code of the refusal.
    fn ask(
        point: Point,
        action: Action,
        output: &str,
        input: &str,
    ) -> Result<(Next<u8, u8>, Action), String> {
        let answer = Answer { action, output: raw(output), input: raw(input), request_id: None };
        judge(point, true, answer)
            .map(|verdict| (verdict.value, verdict.done))
            .map_err(|refusal| refusal.code.as_str().to_owned())
    }

    #[test]
    fn each_action_means_one_thing_at_each_point() {
        use Action::{Abort, Continue, Inject, Retry};
        for point in [Point::Before, Point::After, Point::Error] {
            assert_eq!(ask(point, Abort, "", ""), Ok((Next::Abort, Abort)));
            assert_eq!(ask(point, Inject, "7", ""), Ok((Next::Give(7), Inject)));
            assert_eq!(ask(point, Continue, "", ""), Ok((Next::Go(None), Continue)));
        }
        assert_eq!(ask(Point::Before, Retry, "", ""), Ok((Next::Go(None), Continue)));
        assert_eq!(ask(Point::Before, Continue, "", "9"), Ok((Next::Go(Some(9)), Continue)));
        assert_eq!(ask(Point::After, Retry, "", ""), Ok((Next::Again(None), Retry)));
        assert_eq!(ask(Point::Error, Retry, "", "9"), Ok((Next::Again(Some(9)), Retry)));
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_code() {
        let check = |point, action, output, input, code: &str| {
            assert_eq!(ask(point, action, output, input), Err(code.to_owned()), "{output} {input}");
        };
        check(Point::Error, Action::Inject, "", "", "shape");
        check(Point::Error, Action::Inject, "\"no\"", "", "schema");
        check(Point::Error, Action::Inject, "300", "", "schema");
        check(Point::Error, Action::Inject, "\"__REDACTED__\"", "", "placeholder");
        check(Point::Error, Action::Inject, "{\"__graphmindTruncated\":true}", "", "truncated");
        check(Point::Before, Action::Continue, "", "\"x\"", "schema");
        check(Point::Error, Action::Continue, "", "9", "unsupported");
        check(Point::Before, Action::Abort, "", "9", "unsupported");
    }

    #[test]
    fn an_edit_where_editing_is_off_is_refused() {
        let answer = Answer { action: Action::Retry, output: None, input: raw("1"), request_id: None };
        let refusal = judge::<u8, u8>(Point::Error, false, answer).expect_err("off");
        assert_eq!(refusal.code, RefusalCode::Disabled);
    }
}
