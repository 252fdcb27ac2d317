//! Many peers and long floods. `HOLDPOINT_FULL=1` runs them at the size the server is built for.

use super::*;

/// The full count, or a tenth of it.
fn sized(full: u64) -> u64 {
    let whole = std::env::var_os("HOLDPOINT_FULL").is_some_and(|value| value == "1");
    if whole { full } else { full / 10 }
}

const TOKEN: &str = r#"{"nodeId":"a","deltas":[{"t":"text","v":"x"}]}"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_of_apps_keeps_no_newcomer_out() {
    let dir = Dir::new();
    let server = dir.start().await;
    let mut crowd = Vec::new();
    for id in 0..sized(3_000) {
        let (mut app, _) = Peer::app(&server, None, 1).await;
        app.say(&testkit::e_of(&format!("r{id}"), 2, "node.token", TOKEN)).await;
        crowd.push(app);
    }
    for (id, app) in crowd.iter_mut().enumerate() {
        app.0
            .feed(Message::text(testkit::e_of(&format!("r{id}"), 3, "node.token", TOKEN)))
            .await
            .expect("sent");
        app.0.flush().await.expect("sent");
        if id % 100 == 0 {
            Peer::app(&server, None, 1).await;
        }
    }
    for id in [0, sized(3_000) / 2, sized(3_000) - 1] {
        stored(&server, &format!("r{id}"), 2).await;
    }
    server.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_one_app_is_stored_whole_while_others_are_served() {
    let dir = Dir::new();
    let server = dir.start().await;
    let frames = sized(200_000);
    let (mut flood, _) = Peer::app(&server, None, 0).await;
    let flooding = tokio::spawn(async move {
        for seq in 1..=frames {
            flood.0.feed(Message::text(testkit::e(seq, "node.token", TOKEN))).await.expect("sent");
        }
        flood.0.flush().await.expect("sent");
        flood
    });
    for id in 0..20 {
        let (mut app, _) = Peer::app(&server, None, 1).await;
        app.say(&testkit::e_of(&format!("other{id}"), 2, "node.token", TOKEN)).await;
        stored(&server, &format!("other{id}"), 1).await;
    }
    let _open = flooding.await.expect("the flood");
    stored(&server, "r1", frames).await;
    let own = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("r1-"));
    let journal = dir.journals().into_iter().find(own).expect("the journal of r1");
    assert_eq!(read(&journal).lines().count() as u64, frames);
    server.shutdown().await;
}
