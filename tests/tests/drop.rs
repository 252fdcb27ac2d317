//! A recording dragged from another program onto the real window opens there.

use acceptance::{Driver, Folder, Screen, json, wait_for, window_program};

/// A run as an agent would have written it.
const RECORDING: &str = r#"{"gm":1,"seq":0,"ts":1000,"runId":"dropped","type":"run.started","payload":{"app":"dropped-app","sdk":{"name":"test","version":"1"}}}
{"gm":1,"seq":1,"ts":1001,"runId":"dropped","type":"node.started","payload":{"nodeId":"tool:a","kind":"tool","name":"a","instanceId":"i1"}}
{"gm":1,"seq":2,"ts":1002,"runId":"dropped","type":"node.finished","payload":{"nodeId":"tool:a","instanceId":"i1","status":"ok","durationMs":1}}
{"gm":1,"seq":3,"ts":1003,"runId":"dropped","type":"run.finished","payload":{"status":"ok"}}
"#;

#[test]
fn a_recording_dropped_on_the_window_opens() {
    let (screen, folder, files) = (Screen::start(1280, 800), Folder::new(), Folder::new());
    let _manager = screen.window_manager();
    let file = files.path().join("dropped.jsonl");
    std::fs::write(&file, RECORDING).expect("a file can be written");
    let driver = Driver::window(&screen, &window_program(), &folder, &[]);
    wait_for("the server", || {
        let painted = driver.script("return document.getElementById('holdpoint') !== null");
        if painted == true { Ok(()) } else { Err(painted.to_string()) }
    });
    screen.drop_file(&file, 640, 400);
    let run = wait_for("the dropped run", || {
        let runs = json(&folder, &["runs"]);
        let run = runs["runs"].get(0).cloned();
        run.ok_or_else(|| runs.to_string())
    });
    assert_eq!((&run["runId"], &run["app"]), (&"dropped".into(), &"dropped-app".into()), "{run}");
    assert_ne!(run["source"], "live", "{run}");
    driver.picture("window-dropped");
}
