//! The fold: final output, interrupted or not, what is asked. Whatever was subscribed.
use stream::{GraphEvent, RunFold, RunStatus, StreamItem, StreamLine};
use wire::decode;

/// Folds `(type, payload)` messages of run r1.
fn fold(messages: &[(&str, &str)]) -> RunFold {
    let mut fold = RunFold::default();
    for (index, (kind, payload)) in messages.iter().enumerate() {
        let frame = testkit::e(index as u64, kind, payload);
        if let Some(item) = StreamItem::decode(&decode(&frame)).unwrap() {
            fold.apply(&item);
        }
    }
    fold
}

/// Graph events in short: `ev(r#""RunStarted":{…}"#)`.
fn ev(event: &str) -> String {
    format!(r#"{{"event":{{{event}}}}}"#)
}

fn ev_in(context: &str, event: &str) -> String {
    format!(r#"{{{context},"event":{{{event}}}}}"#)
}

#[track_caller]
fn check(events: &[String], status: RunStatus, pending: &[&str]) {
    let messages: Vec<_> = events.iter().map(|payload| ("graph.event", payload.as_str())).collect();
    let fold = fold(&messages);
    let ids: Vec<_> = fold.pending_interrupts().iter().map(|interrupt| interrupt.id.as_str()).collect();
    assert_eq!((fold.status(), ids.as_slice()), (status, pending));
    assert_eq!(fold.is_interrupted(), fold.status() == RunStatus::Interrupted);
}

const STARTED: &str = r#""RunStarted":{"run_id":"g1","graph_id":"g"}"#;
const ASKS: &str = r#""InterruptEmitted":{"interrupt":{"id":"i1","node":"review","payload":1}}"#;

#[test]
fn a_run_runs_completes_fails_or_drains() {
    let failed = RunStatus::Failed { error: "no".into() };
    let draining = RunStatus::Draining { reason: "stop".into() };
    check(&[], RunStatus::Unseen, &[]);
    check(&[ev(STARTED)], RunStatus::Running, &[]);
    check(&[ev(STARTED), ev(r#""RunCompleted":{"run_id":"g1"}"#)], RunStatus::Completed, &[]);
    check(&[ev(STARTED), ev(r#""RunFailed":{"run_id":"g1","error":"no"}"#)], failed, &[]);
    check(&[ev(STARTED), ev(r#""RunDraining":{"run_id":"g1","reason":"stop"}"#)], draining, &[]);
    check(&[ev(r#""RunCompleted":{"run_id":"g1"}"#)], RunStatus::Completed, &[]);
}

#[test]
fn the_end_of_an_inner_run_is_not_the_end() {
    let inner = r#""run_id":"g2","parent_run_id":"g1","namespace":["a"]"#;
    let flat = r#""run_id":"g2","parent_run_id":"g1""#;
    for context in [inner, flat] {
        check(
            &[
                ev(STARTED),
                ev_in(context, r#""RunStarted":{"run_id":"g2"}"#),
                ev_in(context, r#""RunFailed":{"run_id":"g2","error":"x"}"#),
            ],
            RunStatus::Running,
            &[],
        );
    }
}

#[test]
fn an_interrupt_is_pending_until_its_node_starts_again_or_the_run_ends() {
    let again = ev(r#""NodeStarted":{"node":"review","step":2}"#);
    let other = ev(r#""NodeStarted":{"node":"other","step":2}"#);
    let elsewhere = ev_in(r#""namespace":["x"]"#, r#""NodeStarted":{"node":"review","step":2}"#);
    let resumed = ev(r#""RunStarted":{"run_id":"g2","graph_id":"g"}"#);
    let done = ev(r#""RunCompleted":{"run_id":"g2"}"#);
    check(&[ev(STARTED), ev(ASKS)], RunStatus::Interrupted, &["i1"]);
    check(&[ev(STARTED), ev(ASKS), ev(ASKS)], RunStatus::Interrupted, &["i1"]);
    check(&[ev(STARTED), ev(ASKS), other, elsewhere], RunStatus::Interrupted, &["i1"]);
    check(&[ev(STARTED), ev(ASKS), resumed.clone()], RunStatus::Interrupted, &["i1"]);
    check(&[ev(STARTED), ev(ASKS), resumed.clone(), again.clone()], RunStatus::Running, &[]);
    check(&[ev(STARTED), ev(ASKS), resumed, again, done], RunStatus::Completed, &[]);
}

#[test]
fn an_interrupt_that_shows_in_several_parts_is_one() {
    let asked = r#"{"id":"i1","value":{"ask":"?"}}"#;
    let messages = [
        ("graph.part", format!(r#"{{"part":{{"Updates":{{"data":{{"__interrupt__":[{asked}]}}}}}}}}"#)),
        ("graph.part", format!(r#"{{"part":{{"Values":{{"data":{{}},"interrupts":[{asked}]}}}}}}"#)),
        (
            "graph.part",
            format!(
                r#"{{"part":{{"Tasks":{{"data":{{"Finish":{{"node":"review","status":"interrupted","interrupts":[{asked}]}}}}}}}}}}"#
            ),
        ),
    ];
    let messages: Vec<_> = messages.iter().map(|(kind, payload)| (*kind, payload.as_str())).collect();
    let fold = fold(&messages);
    assert_eq!(fold.pending_interrupts().len(), 1);
    assert_eq!(
        fold.pending_interrupts()[0].node.as_str(),
        "review",
        "the node is learnt from the part that knows it"
    );
}

#[test]
fn a_released_hold_answers_the_interrupt_of_its_id() {
    let asks = ev(ASKS);
    let released = r#"{"pauseId":"i1","action":"inject"}"#;
    let fold = fold(&[("graph.event", &asks), ("exec.resumed", released)]);
    assert_eq!((fold.status(), fold.pending_interrupts().len()), (RunStatus::Running, 0));
}

#[test]
fn the_final_output_is_the_outermost_state_or_the_outermost_nodes_output() {
    let values = |namespace: &str, n: u32| {
        format!(r#"{{"part":{{"Values":{{"namespace":{namespace},"data":{n}}}}}}}"#)
    };
    let start = testkit::started("agent:r1", "r1", "agent", None);
    let tool = testkit::started("tool:a", "t", "tool", Some("agent:r1"));
    let ended = |node: &str, output: &str| {
        format!(r#"{{"nodeId":"{node}","durationMs":1,"status":"ok","output":{output}}}"#)
    };
    let output = |messages: &[(&str, String)]| {
        let messages: Vec<_> = messages.iter().map(|(kind, payload)| (*kind, payload.as_str())).collect();
        fold(&messages).final_output().map(|json| json.get().to_owned())
    };
    let (part, started, finished) = ("graph.part", "node.started", "node.finished");
    assert_eq!(output(&[]), None);
    assert_eq!(output(&[(part, values("[]", 1)), (part, values(r#"["a"]"#, 2))]).as_deref(), Some("1"));
    assert_eq!(
        output(&[
            (started, start.clone()),
            (started, tool.clone()),
            (finished, ended("tool:a", "5")),
            (finished, ended("agent:r1", "6")),
        ])
        .as_deref(),
        Some("6")
    );
    assert_eq!(
        output(&[(started, start), (started, tool), (finished, ended("tool:a", "5"))]).as_deref(),
        Some("5"),
        "a program whose outermost node gives nothing"
    );
}

#[test]
fn plain_runs_end_with_run_finished() {
    for (payload, expect) in [
        (r#"{"status":"ok"}"#, RunStatus::Completed),
        (r#"{"status":"aborted"}"#, RunStatus::Aborted),
        (r#"{"status":"error","error":{"name":"E","message":"m"}}"#, RunStatus::Failed { error: "m".into() }),
    ] {
        let fold = fold(&[("run.finished", payload)]);
        assert_eq!(fold.status(), expect);
        assert!(fold.is_finished());
    }
}

#[test]
fn an_outcome_goes_through_its_line_unchanged() {
    let asks = ev(ASKS);
    let values = r#"{"part":{"Values":{"data":{"n": 1.0}}}}"#;
    for messages in [vec![], vec![("graph.event", asks.as_str()), ("graph.part", values)]] {
        let outcome = fold(&messages).outcome();
        assert_eq!(
            StreamLine::parse(&StreamLine::encode_outcome(&outcome)).unwrap(),
            StreamLine::Outcome(outcome)
        );
    }
}

#[test]
fn the_outcome_does_not_depend_on_the_name_an_event_was_told_by() {
    let task = GraphEvent::TaskStarted { task_id: "t2".into(), node: "review".into(), triggers: vec![] };
    let frame = stream::encode_event(9, 0.0, "r1", &Default::default(), &task);
    let mut fold = fold(&[("graph.event", &ev(STARTED)), ("graph.event", &ev(ASKS))]);
    fold.apply(&StreamItem::decode(&decode(&frame)).unwrap().unwrap());
    assert_eq!(fold.status(), RunStatus::Running);
}

#[test]
fn a_program_that_asks_without_end_is_counted_not_followed() {
    let ask = |id: usize| {
        ev(&format!(r#""InterruptEmitted":{{"interrupt":{{"id":"i{id}","node":"n","payload":1}}}}"#))
    };
    let payloads: Vec<_> = (0..stream::PENDING_MAX + 7).map(ask).collect();
    let messages: Vec<_> = payloads.iter().map(|payload| ("graph.event", payload.as_str())).collect();
    let mut fold = fold(&messages);
    assert_eq!((fold.pending_interrupts().len(), fold.pending_beyond()), (stream::PENDING_MAX, 7));
    let task = GraphEvent::NodeStarted { node: "n".into(), step: 1 };
    let frame = stream::encode_event(9, 0.0, "r1", &Default::default(), &task);
    fold.apply(&StreamItem::decode(&decode(&frame)).unwrap().unwrap());
    assert_eq!((fold.status(), fold.pending_interrupts().len()), (RunStatus::Running, 0));
}
