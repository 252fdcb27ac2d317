//! Subscribers: replay, live, filters, outcome, end.

use stream::{Context, GraphEvent, StreamLine, encode_event};

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
    for (query, status) in
        [("", 400), ("run=r9", 404), ("run=r1&modes=nonsense", 400), ("run=r1&from=x", 400), ("run=r1", 426)]
    {
        let (got, body) = get(&server, &format!("/stream?{query}")).await;
        assert_eq!(got, status, "{query}: {body}");
    }
    server.shutdown().await;
}
