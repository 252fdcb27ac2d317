//! Who is let in: every route against every kind of stranger.

use super::*;

const ROUTES: [&str; 10] = [
    "/",
    "/ingest",
    "/ws/ui",
    "/stream?run=r1",
    "/api/hello",
    "/api/runs",
    "/api/runs/r1",
    "/api/runs/r1/events",
    "/api/runs/r1/body?seq=1",
    "/nowhere",
];

fn request(addr: SocketAddr, path: &str, host: &str, extra: &str) -> String {
    let _ = addr;
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{extra}Connection: close\r\n\r\n")
}

#[tokio::test]
async fn a_foreign_host_or_origin_is_refused_on_every_route_before_anything_else() {
    let dir = Dir::new();
    let server = dir.start().await;
    let port = server.addr.port();
    let own = format!("127.0.0.1:{port}");
    let token = format!("Authorization: Bearer {}\r\n", server.token);
    for route in ROUTES {
        for host in
            [format!("evil.example:{port}"), "127.0.0.1.evil.example".to_owned(), "0.0.0.0".to_owned()]
        {
            let (status, ..) = raw(server.addr, &request(server.addr, route, &host, &token)).await;
            assert_eq!(status, 403, "{route} with Host {host}");
        }
        for origin in
            ["https://evil.example", "http://localhost.evil.example", "http://127.0.0.1.evil.example", "null"]
        {
            let extra = format!("{token}Origin: {origin}\r\n");
            let (status, head, _) = raw(server.addr, &request(server.addr, route, &own, &extra)).await;
            assert_eq!(status, 403, "{route} with Origin {origin}");
            assert!(!head.contains("access-control-"), "{head}");
        }
        let twice = format!("{token}Host: {own}\r\n");
        let (status, ..) = raw(server.addr, &request(server.addr, route, &own, &twice)).await;
        assert!(status == 403 || status == 400, "{route} with two Hosts: {status}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn reading_and_controlling_need_the_token_and_attaching_does_not() {
    let dir = Dir::new();
    let server = dir.start().await;
    let own = server.addr.to_string();
    for route in [
        "/ws/ui",
        "/stream?run=r1",
        "/api/runs",
        "/api/runs/r1",
        "/api/runs/r1/events",
        "/api/runs/r1/body?seq=1",
        "/api/runs/r1/export?to=html",
        "/api/x",
    ] {
        for extra in ["", "Authorization: Bearer nope\r\n", "Authorization: Basic nope\r\n"] {
            let (status, ..) = raw(server.addr, &request(server.addr, route, &own, extra)).await;
            assert_eq!(status, 401, "{route} with {extra:?}");
        }
        let half = &server.token[..server.token.len() / 2];
        let path = format!("{route}{}token={half}", if route.contains('?') { '&' } else { '?' });
        assert_eq!(raw(server.addr, &request(server.addr, &path, &own, "")).await.0, 401, "{path}");
    }
    let post =
        format!("POST /api/import HTTP/1.1\r\nHost: {own}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    assert_eq!(raw(server.addr, &post).await.0, 401);
    let origin = format!("Origin: http://localhost:{}\r\n", server.addr.port());
    for (route, status) in [("/api/hello", 200), ("/", 200), ("/ingest", 426)] {
        assert_eq!(raw(server.addr, &request(server.addr, route, &own, &origin)).await.0, status, "{route}");
    }
    let with = format!("/api/runs?token={}", server.token);
    assert_eq!(raw(server.addr, &request(server.addr, &with, &own, "")).await.0, 200);
    server.shutdown().await;
}

#[tokio::test]
async fn no_path_leads_out_of_the_page_or_the_runs() {
    let dir = Dir::new();
    let server = dir.start().await;
    for path in [
        "/../token",
        "/..%2ftoken",
        "/%2e%2e/token",
        "/a/../../token",
        "//etc/passwd",
        "/token",
        "/runs",
        "/api/runs/..%2f..%2ftoken",
        "/api/runs/..%2ftoken/events",
        "/api/runs/%00/events",
        "/api/runs/%ff",
    ] {
        let (status, body) = get(&server, path).await;
        assert!(matches!(status, 400 | 404), "{path}: {status} {body}");
        assert!(!body.contains(&server.token), "{path}");
    }
    let (mut app, _) = Peer::app(&server, None, 1).await;
    let run = "../../../evil/\u{0}\\..";
    app.say(&testkit::e(2, "x", "{}").replace("\"r1\"", &json!(run).to_string())).await;
    stored(&server, "..%2F..%2F..%2Fevil%2F%00%5C..", 1).await;
    assert_eq!(dir.journals().len(), 1, "the journal lies among the others");
    server.shutdown().await;
}

#[tokio::test]
async fn the_page_may_load_nothing_but_itself_and_talk_only_to_loopback() {
    let dir = Dir::new();
    let server = dir.start().await;
    let own = server.addr.to_string();
    let (_, head, _) = raw(server.addr, &request(server.addr, "/", &own, "")).await;
    for part in [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "connect-src 'self' ws://127.0.0.1:* ws://localhost:*",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
    ] {
        assert!(head.contains(part), "{part} in {head}");
    }
    assert!(!head.contains("unsafe-inline"));
    server.shutdown().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn nothing_but_both_loopback_addresses_is_listened_on() {
    const LISTENING: &str = "0A";
    let dir = Dir::new();
    let server = dir.start().await;
    let port = format!("{:04X}", server.addr.port());
    let mut found = Vec::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        for line in read(Path::new(table)).lines().skip(1) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (host, own) = fields[1].split_once(':').expect("an address");
            if own == port && fields[3] == LISTENING {
                found.push(host.to_owned());
            }
        }
    }
    let loopback = ["0100007F", "00000000000000000000000001000000"];
    assert!(found.iter().all(|host| loopback.contains(&host.as_str())), "{found:?}");
    assert!(found.iter().any(|host| host == loopback[0]), "{found:?}");
    server.shutdown().await;
}

#[cfg(unix)]
#[tokio::test]
async fn every_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new();
    let server = dir.start().await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    app.say(&testkit::e(2, "run.finished", r#"{"status":"ok"}"#)).await;
    stored(&server, "r1", 1).await;
    server.shutdown().await;
    let mut folders = vec![dir.0.join("data")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        let mode = std::fs::metadata(&folder).expect("a folder").permissions().mode() & 0o777;
        assert_eq!(mode, 0o700, "{}", folder.display());
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
                continue;
            }
            files += 1;
            let mode = entry.metadata().expect("a file").permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{}", entry.path().display());
        }
    }
    assert!(files >= 4, "{files}");
}

#[tokio::test]
async fn a_taken_port_is_named_with_its_holder_and_the_way_out() {
    let dir = Dir::new();
    let server = dir.start().await;
    let other = Dir::new();
    let config = ServerConfig { port: server.addr.port(), ..other.config() };
    let error = ingest::start(config).await.expect_err("the port is taken").to_string();
    for part in ["is taken by Holdpoint", "HOLDPOINT_PORT=", "next free one is"] {
        assert!(error.contains(part), "{part} in {error}");
    }
    let mute = std::net::TcpListener::bind("127.0.0.1:0").expect("a listener");
    let port = mute.local_addr().expect("an address").port();
    let error = ingest::start(ServerConfig { port, ..other.config() }).await.expect_err("taken").to_string();
    assert!(error.contains(&format!("port {port} is taken by")), "{error}");
    let error = ingest::start(dir.config()).await.expect_err("the directory is in use").to_string();
    assert!(error.contains("in use by another Holdpoint"), "{error}");
    server.shutdown().await;
    dir.start().await.shutdown().await;
}
