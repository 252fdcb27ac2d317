//! Subscribers: replay, live, filters, outcome, end.

use stream::{Context, GraphEvent, StreamFilter, StreamItem, StreamLine, encode_event};
use testkit::Chance;

use super::*;

fn updated(seq: u64, node: &str, namespace: &[&str]) -> String {
    let namespace = namespace.iter().map(|segment| (*segment).to_owned()).collect();
    let context = Context { namespace, ..Context::default() };
    let event = GraphEvent::StateUpdated { node: node.into(), update: "x".into() };
    encode_event(seq, 1.0, "r1", &context, &event)
}

impl Peer {
    /// The numbers of the items until the end, and the last outcome's text.
    async fn items(&mut self) -> (Vec<u64>, usize) {
        let (mut seqs, mut outcomes) = (Vec::new(), 0);
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.0.next()).await.expect("in time");
            let Message::Text(text) = frame.expect("open").expect("a frame") else { continue };
            match StreamLine::parse(&text).expect("a line") {
                StreamLine::Item(item) => seqs.push(item.seq),
                StreamLine::Outcome(_) => outcomes += 1,
                StreamLine::Missed { .. } => panic!("missed: {text}"),
                StreamLine::End => return (seqs, outcomes),
            }
        }
    }
}

#[tokio::test]
async fn a_subscriber_gets_what_was_and_what_comes_and_the_end() {
    let dir = Dir::new();
    let server = dir.start().await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    for seq in 2..700 {
        app.say(&updated(seq, if seq % 2 == 0 { "even" } else { "odd" }, &["a", "b"][..(seq % 3) as usize]))
            .await;
    }
    stored(&server, "r1", 698).await;
    let url = |query: &str| format!("ws://{}/stream?token={}&run=r1{query}", server.addr, server.token);
    let mut all = Peer::dial(&url("&modes=updates")).await;
    let mut late = Peer::dial(&url("&modes=updates&from=690")).await;
    let mut even = Peer::dial(&url("&modes=updates&nodes=even&namespace=a/b")).await;
    let mut custom = Peer::dial(&url("&modes=custom")).await;
    for seq in 700..1_000 {
        app.say(&updated(seq, "odd", &[])).await;
    }
    app.say(&testkit::e(1_000, "run.finished", r#"{"status":"ok"}"#)).await;
    assert_eq!(all.items().await.0, (2..1_000).collect::<Vec<u64>>());
    assert_eq!(late.items().await.0, (690..1_000).collect::<Vec<u64>>());
    assert_eq!(
        even.items().await.0,
        (2..700).filter(|seq| seq % 2 == 0 && seq % 3 == 2).collect::<Vec<u64>>()
    );
    let (items, outcomes) = custom.items().await;
    assert!(items.is_empty() && outcomes > 0, "{items:?}, {outcomes} outcomes");
    assert_eq!(custom.until_closed().await, Some(1000));
    server.shutdown().await;
}

#[tokio::test]
async fn what_cannot_be_subscribed_to_is_refused_with_a_word() {
    let dir = Dir::new();
    let server = dir.start().await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    app.say(&updated(2, "n", &[])).await;
    stored(&server, "r1", 1).await;
    for (query, status) in [
        ("", 400),
        ("run=r9", 426),
        ("run=r9&wait=0", 404),
        ("run=r1&modes=nonsense", 400),
        ("run=r1&from=x", 400),
        ("run=r1&wait=-1", 400),
        ("run=r1", 426),
    ] {
        let (got, body) = get(&server, &format!("/stream?{query}")).await;
        assert_eq!(got, status, "{query}: {body}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_run_that_has_not_begun_is_waited_for_and_that_is_told() {
    let dir = Dir::new();
    let server = dir.start().await;
    let url = |query: &str| format!("ws://{}/stream?token={}&{query}", server.addr, server.token);
    let mut early = Peer::dial(&url("run=r1&modes=updates")).await;
    let told = early.until(|_| true).await;
    assert_eq!(told["outcome"]["status"], "unseen", "{told}");
    let mut never = Peer::dial(&url("run=r9&wait=1")).await;
    assert_eq!(never.until_closed().await, Some(ingest::limits::NO_SUCH_RUN));
    let (mut app, _) = Peer::app(&server, None, 1).await;
    app.say(&updated(2, "n", &[])).await;
    app.say(&testkit::e(3, "run.finished", r#"{"status":"ok"}"#)).await;
    assert_eq!(early.items().await.0, [2]);
    server.shutdown().await;
}

/// A graph event of any kind anywhere.
fn any_event(chance: &mut Chance, seq: u64) -> String {
    let context = Context {
        namespace: (0..chance.below(3)).map(|_| chance.pick(&["a:1", "b:2"]).to_owned()).collect(),
        thread_id: chance.one_in(2).then(|| chance.pick(&["t1", "t2"]).into()),
        ..Context::default()
    };
    let node = chance.pick(&["plan", "act"]);
    let event = match chance.below(4) {
        0 => GraphEvent::StateUpdated { node: node.into(), update: "x".into() },
        1 => GraphEvent::TaskCompleted { task_id: "k".into(), node: node.into() },
        2 => GraphEvent::Custom { name: "c".into(), payload: "y".into() },
        _ => GraphEvent::CheckpointSaved { checkpoint_id: "p".into() },
    };
    encode_event(seq, 1.0, "r1", &context, &event)
}

/// Each filter alone, then combined with others.
fn any_queries(chance: &mut Chance) -> Vec<String> {
    let alone = [
        "modes=updates",
        "modes=custom,checkpoints",
        "families=task-payloads",
        "families=state-updates,checkpoints",
        "threads=t1",
        "namespace=a",
        "namespace=a/b%3A2",
        "nodes=plan",
        "tasks=k",
        "kinds=Custom,TaskCompleted",
    ];
    let combined = (0..10).map(|_| {
        let parts: Vec<&str> = (0..2 + chance.below(2)).map(|_| chance.pick(&alone)).collect();
        parts.join("&")
    });
    let combined: Vec<String> = combined.collect();
    alone.iter().map(|query| (*query).to_owned()).chain(combined).chain([String::new()]).collect()
}

impl Peer {
    /// Reads item lines into `lines`, at most `most`; true when the run has ended.
    async fn lines(&mut self, lines: &mut Vec<String>, most: usize) -> bool {
        while lines.len() < most {
            let frame = tokio::time::timeout(PATIENCE, self.0.next()).await.expect("in time");
            let Message::Text(text) = frame.expect("open").expect("a frame") else { continue };
            match StreamLine::parse(&text).expect("a line") {
                StreamLine::Item(_) => lines.push(text.to_string()),
                StreamLine::Outcome(_) => {}
                StreamLine::Missed { .. } => panic!("missed: {text}"),
                StreamLine::End => return true,
            }
        }
        false
    }
}

fn seq_of(line: &str) -> u64 {
    serde_json::from_str::<Value>(line).expect("JSON")["seq"].as_u64().expect("a number")
}

/// Subscribes, goes away after every `each` lines, and comes back for what follows.
async fn with_breaks(url: String, each: usize) -> Vec<String> {
    let (mut all, mut from) = (Vec::new(), 0);
    loop {
        let mut peer = Peer::dial(&format!("{url}&from={from}")).await;
        let mut got = Vec::new();
        if peer.lines(&mut got, each).await {
            all.extend(got);
            return all;
        }
        // Lines of the last number may be missing yet: they are asked for again.
        from = seq_of(got.last().expect("lines"));
        got.retain(|line| seq_of(line) < from);
        assert!(!got.is_empty(), "more lines are read at a time than one event has");
        all.extend(got);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_filter_gives_what_filtering_afterwards_gives_also_late_slow_and_with_breaks() {
    let dir = Dir::new();
    let server = dir.start().await;
    let mut chance = Chance::new(5);
    let events: Vec<String> = (2..602).map(|seq| any_event(&mut chance, seq)).collect();
    let queries = any_queries(&mut chance);
    let url = |query: &str| format!("ws://{}/stream?token={}&run=r1&{query}", server.addr, server.token);
    let (mut app, _) = Peer::app(&server, None, 1).await;
    let mut subscribers = Vec::new();
    for (at, event) in events.iter().enumerate() {
        // Some are there before the run, the others come as it goes.
        if at % 40 == 0 {
            for query in queries.iter().skip(at / 40).step_by(events.len() / 40) {
                let (url, each) = (url(query), [40, usize::MAX][at / 40 % 2]);
                subscribers.push((query.clone(), tokio::spawn(with_breaks(url, each))));
            }
        }
        app.say(event).await;
    }
    app.say(&testkit::e(9_000, "run.finished", r#"{"status":"ok"}"#)).await;
    assert!(subscribers.len() >= queries.len());
    for (query, subscriber) in subscribers {
        let got = subscriber.await.expect("a subscriber");
        let filter = StreamFilter::from_query(&query).expect("a filter");
        let item = |event: &String| StreamItem::decode(&wire::decode(event)).expect("good").expect("an item");
        let mut expect: Vec<String> =
            events.iter().flat_map(|event| stream::lines(&item(event), &filter)).collect();
        expect.extend(got.last().filter(|line| seq_of(line) == 9_000).cloned());
        assert_eq!(got, expect, "{query}");
    }
    server.shutdown().await;
}
