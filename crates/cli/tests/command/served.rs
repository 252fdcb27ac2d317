//! Starting, saying so, being found, ending.

use crate::program::{Folder, text};
use serde_json::Value;

#[test]
fn one_ready_line_names_address_page_and_token() {
    let folder = Folder::new();
    let server = folder.serve();
    assert_eq!(server.ready["ready"], true);
    assert!(
        server.field("ingest").starts_with("ws://127.0.0.1:") && server.field("ingest").ends_with("/ingest")
    );
    assert!(server.field("viewer").starts_with("http://127.0.0.1:"));
    let token = std::fs::read_to_string(folder.path().join("token")).expect("the token file");
    assert_eq!(token.trim(), server.field("token"));
    assert_eq!(folder.json(&["runs"]), serde_json::json!({"runs": []}));
    assert_eq!(folder.json(&["holds"]), serde_json::json!({"holds": []}));
}

#[cfg(unix)]
#[test]
fn sigterm_ends_it_cleanly() {
    let folder = Folder::new();
    let server = folder.serve();
    assert!(server.running.terminate().success());
    let (said, code) = folder.fails(&["holds"]);
    assert!(said.contains("holdpoint serve") && code == 1, "{said}");
}

#[test]
fn a_taken_port_or_folder_is_explained() {
    let folder = Folder::new();
    let server = folder.serve();
    let other = Folder::new();
    let (said, _) = other.fails(&["serve", "--port", &server.port()]);
    assert!(said.contains("taken by") && said.contains("HOLDPOINT_PORT"), "{said}");
    let (said, _) = folder.fails(&["serve", "--port", "0"]);
    assert!(said.contains("in use"), "{said}");
}

#[test]
fn without_a_server_each_command_says_what_to_do() {
    let folder = Folder::new();
    for args in
        [&["holds"][..], &["mode", "step"], &["break", "list"], &["resume", "p", "--action", "continue"]]
    {
        let (said, code) = folder.fails(args);
        assert!(said.starts_with("holdpoint: ") && said.contains("holdpoint serve"), "{args:?}: {said}");
        assert_eq!(code, 1);
    }
    assert_eq!(folder.json(&["runs"]), serde_json::json!({"runs": []}));
    let (said, _) = folder.fails(&["show"]);
    assert!(said.contains("no runs yet"), "{said}");
    let (said, _) = folder.fails(&["demo", "--url", "ws://127.0.0.1:1/ingest", "--fast"]);
    assert!(said.contains("no debugger at ws://127.0.0.1:1/ingest"), "{said}");
}

#[test]
fn a_server_is_found_by_its_folder_its_port_or_its_address() {
    let folder = Folder::new();
    let server = folder.serve();
    let page = server.field("viewer");
    for args in [vec!["mode"], vec!["mode", "--port", &server.port()], vec!["--url", &page, "mode"]] {
        assert_eq!(folder.json(&args)["mode"], "run", "{args:?}");
    }
    let stranger = Folder::new();
    let (said, _) = stranger.fails(&["mode", "--port", &server.port()]);
    assert!(said.contains("token"), "{said}");
}

#[test]
fn two_folders_stand_side_by_side() {
    let (one, two) = (Folder::new(), Folder::new());
    let (server, _other) = (one.serve(), two.serve());
    let mut demo = one.start(&["demo", "--fast", "--url", &server.field("ingest")]);
    let hold = one.holds(1).remove(0);
    assert_eq!(text(&hold, "nodeId"), "tool:parse_amount");
    assert_eq!(two.json(&["runs"])["runs"], Value::Array(Vec::new()));
    demo.kill();
}
