//! How long a newcomer waits for its `hello.ack` while 3,000 apps are connected and one of them floods.

use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::Message;

use crate::support::{HELLO, Outcome, child, percentiles, server};

const APPS: usize = 3_000;

/// Connects all, then floods with one.
pub(crate) async fn throng(url: &str) -> Outcome<()> {
    let mut apps = Vec::new();
    for _ in 0..APPS {
        let (mut app, _) = tokio_tungstenite::connect_async(url).await?;
        app.send(Message::text(HELLO)).await?;
        apps.push(app);
    }
    let mut flood = apps.pop().ok_or("no app")?;
    for seq in 2u64.. {
        let token = r#"{"nodeId":"n","deltas":[{"t":"text","v":"token"}]}"#;
        let frame =
            format!(r#"{{"gm":1,"seq":{seq},"ts":1,"runId":"flood","type":"node.token","payload":{token}}}"#);
        flood.send(Message::text(frame)).await?;
    }
    Ok(())
}

/// Prints what newcomers waited.
pub(crate) async fn compare(dir: &Path) -> Outcome<()> {
    let server = server(dir, "crowd").await?;
    let mut throng = child("throng", &server.ingest_url)?;
    tokio::time::sleep(Duration::from_secs(4)).await;
    let mut waits = Vec::new();
    for _ in 0..200 {
        let began = Instant::now();
        let (mut app, _) = tokio_tungstenite::connect_async(&server.ingest_url).await?;
        app.send(Message::text(HELLO)).await?;
        app.next().await.ok_or("closed")??;
        waits.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    println!("a newcomer among {APPS} apps and a flood, from dialling to hello.ack: {}", percentiles(waits));
    throng.kill()?;
    throng.wait()?;
    server.shutdown().await;
    Ok(())
}
