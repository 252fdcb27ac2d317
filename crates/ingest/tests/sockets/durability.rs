//! What is on the disk after something went wrong, and what the next start makes of it.

use super::*;

async fn two_runs(dir: &Dir) {
    let server = dir.start().await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    for run in ["r1", "r2"] {
        for frame in testkit::typical_run(run, 5, 12) {
            app.say(&frame).await;
        }
    }
    for run in ["r1", "r2"] {
        stored(&server, run, testkit::typical_run(run, 5, 12).len() as u64).await;
    }
    server.shutdown().await;
}

async fn listed(dir: &Dir) -> Vec<(String, u64, String)> {
    let server = dir.start().await;
    let runs = get_json(&server, "/api/runs").await;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = runs["runs"].as_array().expect("a list").iter();
    let list = list
        .map(|run| (text(&run["run"]), run["events"].as_u64().unwrap_or(0), text(&run["status"])))
        .collect();
    server.shutdown().await;
    list
}

#[tokio::test]
async fn a_torn_tail_is_skipped_and_the_next_event_stands_on_its_own_line() {
    let dir = Dir::new();
    let server = dir.start().await;
    let (mut app, token) = Peer::app(&server, None, 1).await;
    app.say(&testkit::e(2, "run.started", r#"{"app":"t","sdk":{"name":"t","version":"1"}}"#)).await;
    stored(&server, "r1", 1).await;
    server.shutdown().await;
    let path = dir.journals().remove(0);
    let whole = read(&path);
    std::fs::write(&path, format!("{whole}{{\"gm\":1,\"seq\":41,\"ts\":17")).expect("written");
    let server = dir.start().await;
    let mut viewer = Peer::dial(&format!("ws://{}/ws/ui?token={}", server.addr, server.token)).await;
    let notice = viewer.until(|frame| frame["t"] == "notice").await;
    assert!(
        notice["text"].as_str().is_some_and(|text| text.contains("last line incomplete (24 bytes)")),
        "{notice}"
    );
    let (mut app, _) = Peer::app(&server, Some(&token), 3).await;
    app.say(&testkit::e(4, "run.finished", r#"{"status":"ok"}"#)).await;
    stored(&server, "r1", 2).await;
    let events = get_json(&server, "/api/runs/r1/events").await;
    assert_eq!(events["events"].as_array().map(Vec::len), Some(2));
    server.shutdown().await;
    assert_eq!(listed(&dir).await, [("r1".to_owned(), 2, "ok".to_owned())]);
}

#[tokio::test]
async fn the_index_is_rebuilt_from_the_journals_whatever_became_of_it() {
    let dir = Dir::new();
    two_runs(&dir).await;
    let before = listed(&dir).await;
    assert_eq!(before.len(), 2);
    for damage in ["", "{bad", "{\"v\":1,\"bytes\":999999999}", "\u{0}\u{0}"] {
        for journal in dir.journals() {
            std::fs::write(journal.with_extension("json"), damage).expect("written");
        }
        assert_eq!(listed(&dir).await, before, "{damage:?}");
    }
    // A byte that leaves it readable and makes it wrong.
    for journal in dir.journals() {
        let sidecar = journal.with_extension("json");
        let wrong = read(&sidecar).replacen("\"events\":", "\"events\":1", 1);
        std::fs::write(sidecar, wrong).expect("written");
    }
    assert_eq!(listed(&dir).await, before);
    for journal in dir.journals() {
        let _ = std::fs::remove_file(journal.with_extension("json"));
    }
    assert_eq!(listed(&dir).await, before);
}

#[tokio::test]
async fn a_damaged_file_never_stops_another() {
    let dir = Dir::new();
    two_runs(&dir).await;
    let before = listed(&dir).await;
    let journal = dir.journals().remove(0);
    std::fs::write(&journal, [0u8, 255, 10, 13, 10, 200].repeat(1_000)).expect("written");
    std::fs::write(dir.runs().join("stranger.ndjson"), "not ours\n42\n").expect("written");
    std::fs::create_dir(dir.runs().join("folder.ndjson")).expect("a folder");
    std::fs::write(dir.0.join("data/sessions.ndjson"), "{\n\u{0}garbage").expect("written");
    std::fs::write(dir.0.join("data/debug.json"), "{").expect("written");
    let after = listed(&dir).await;
    assert_eq!(after.len(), 1);
    assert!(before.contains(&after[0]));
}

#[tokio::test]
async fn pages_of_a_file_out_of_order_give_every_event_once_in_order() {
    let dir = Dir::new();
    let server = dir.start().await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    let mut seqs: Vec<u64> = (2..2_002).collect();
    testkit::shuffle(&mut testkit::Chance::new(11), &mut seqs);
    for seq in &seqs {
        app.say(&testkit::e(*seq, "x", "{}")).await;
    }
    stored(&server, "r1", 2_000).await;
    let (mut after, mut seen) = (String::new(), Vec::new());
    loop {
        let page = get_json(&server, &format!("/api/runs/r1/events?limit=300{after}")).await;
        seen.extend(
            page["events"].as_array().expect("events").iter().map(|event| event["seq"].as_u64().unwrap_or(0)),
        );
        match page["nextAfterSeq"].as_u64() {
            Some(next) => after = format!("&afterSeq={next}"),
            None => break,
        }
    }
    assert_eq!(seen, (2..2_002).collect::<Vec<u64>>());
    server.shutdown().await;
}
