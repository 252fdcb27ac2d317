//! A resume from a viewer to its app (two hops over the server) against a bare round trip (two hops over an echo).

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::Message;

use crate::support::{HELLO, Outcome, Socket, percentiles, server, viewer_url, wait_for};

const TIMES: u64 = 1_000;

async fn dial(url: &str) -> Outcome<Socket> {
    let (socket, _) = tokio_tungstenite::connect_async_with_config(url, None, true).await?;
    Ok(socket)
}

fn resume_of(seq: u64) -> String {
    format!(r#"{{"t":"resume","req":{seq},"run":"held","pauseId":"p{seq}","action":"continue"}}"#)
}

fn ms(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1_000.0
}

/// Sends and waits for the same text, again and again.
pub(crate) async fn echo(url: &str) -> Outcome<()> {
    let mut socket = dial(url).await?;
    let mut times = Vec::new();
    for seq in 0..TIMES {
        let began = Instant::now();
        socket.send(Message::text(resume_of(seq))).await?;
        socket.next().await.ok_or("closed")??;
        times.push(ms(began));
    }
    println!("bare round trip: {}", percentiles(times));
    Ok(())
}

/// The next text of an app or a viewer that fits.
async fn until(socket: &mut Socket, fits: impl Fn(&str) -> bool) -> Outcome<()> {
    while let Some(message) = socket.next().await {
        if let Message::Text(text) = message?
            && fits(&text)
        {
            return Ok(());
        }
    }
    Err("closed".into())
}

/// Holds as an app and resumes as a viewer, again and again.
pub(crate) async fn resume(urls: &str) -> Outcome<()> {
    let (ingest, ui) = urls.split_once(' ').ok_or("two URLs")?;
    let (mut app, mut viewer) = (dial(ingest).await?, dial(ui).await?);
    app.send(Message::text(HELLO)).await?;
    let mut times = Vec::new();
    for seq in 0..TIMES {
        let paused = format!(
            r#"{{"gm":1,"seq":{},"ts":1,"runId":"held","type":"exec.paused","payload":{{"pauseId":"p{seq}","nodeId":"n","point":"before"}}}}"#,
            2 * seq + 2
        );
        app.send(Message::text(paused)).await?;
        let id = format!("\"p{seq}\"");
        until(&mut viewer, |text| text.starts_with("{\"t\":\"run\"") && text.contains(&id)).await?;
        let began = Instant::now();
        viewer.send(Message::text(resume_of(seq))).await?;
        until(&mut app, |text| text.contains("exec.resume") && text.contains(&id)).await?;
        times.push(ms(began));
        let resumed = format!(
            r#"{{"gm":1,"seq":{},"ts":1,"runId":"held","type":"exec.resumed","payload":{{"pauseId":"p{seq}","action":"continue"}}}}"#,
            2 * seq + 3
        );
        app.send(Message::text(resumed)).await?;
    }
    println!("resume from viewer to app: {}", percentiles(times));
    Ok(())
}

/// Prints both.
pub(crate) async fn compare(dir: &Path) -> Outcome<()> {
    let exe = std::env::current_exe()?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let mut bare = Command::new(&exe).args(["echo", &format!("ws://{}/", listener.local_addr()?)]).spawn()?;
    let (stream, _) = listener.accept().await?;
    stream.set_nodelay(true)?;
    let mut socket = tokio_tungstenite::accept_async(stream).await?;
    while let Some(Ok(message)) = socket.next().await {
        if message.is_text() {
            socket.send(message).await?;
        }
    }
    bare.wait()?;
    let server = server(dir, "control").await?;
    let urls = format!("{} {}", server.ingest_url, viewer_url(&server));
    let ours = Command::new(&exe).args(["resume", &urls]).spawn()?;
    wait_for(&mut [ours]).await?;
    server.shutdown().await;
    Ok(())
}
