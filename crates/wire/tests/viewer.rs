//! Viewer frames: names on the wire, and raw values that stay raw.
use wire::viewer::{ServerFrame, ViewerFrame};

#[track_caller]
fn server(frame: &str) {
    assert_eq!(ServerFrame::decode(frame).unwrap().encode(), frame);
}

#[track_caller]
fn viewer(frame: &str) {
    assert_eq!(ViewerFrame::decode(frame).unwrap().encode(), frame);
}

#[test]
fn server_frames_round_trip() {
    server(
        r#"{"t":"welcome","version":"1","protocol":2,"ingestUrl":"ws://x","viewerUrl":"http://x","dataDir":"/d","debug":{"mode":"step","pauseOnError":true,"breakpoints":[{"spec":{"matcher":{"name":"x"},"condition":null,"hit":">= 3","log":null,"enabled":true},"bound":false,"seen":1,"matched":2,"held":3,"error":"e"}]},"runs":[{"run":"r1 (2)","runId":"r1","parent":"r0","app":"a","source":"live","sdk":null,"status":"running","events":5,"startedMs":1.5,"endedMs":null,"holds":[{"pauseId":"p","run":"r1 (2)","nodeId":"n","name":"x","instanceId":null,"point":"error","reason":"loop","sinceMs":2.0,"editable":false}],"live":true,"sizeBytes":9}],"demo":true,"import":false,"export":true}"#,
    );
    server(r#"{"t":"events","run":"r1","events":[{"gm":1.0, "x":"\ud800"},{}]}"#);
    server(r#"{"t":"snapshot","run":"r1","state":{"n": 1e2}}"#);
    server(r#"{"t":"eventPage","req":1,"run":"r1","total":2,"events":[],"nextAfterSeq":7}"#);
    server(r#"{"t":"control","req":1,"stage":"refused","reason":"gone"}"#);
    server(r#"{"t":"notice","level":"warning","text":"x"}"#);
    server(r#"{"t":"stats","eventsPerS":1.5,"dropped":0,"gaps":0,"connections":1,"memoryBytes":2}"#);
}

#[test]
fn a_server_that_names_no_protocol_is_older_than_all_that_do() {
    let welcome = r#"{"t":"welcome","version":"1","ingestUrl":"ws://x","viewerUrl":"http://x","dataDir":"/d","debug":{"mode":"run","pauseOnError":true,"breakpoints":[]},"runs":[],"demo":true,"import":false}"#;
    let ServerFrame::Welcome { protocol, export, .. } = ServerFrame::decode(welcome).unwrap() else {
        panic!()
    };
    assert!(protocol == 0 && wire::viewer::VERSION > 0 && !export);
}

#[test]
fn viewer_frames_round_trip() {
    viewer(r#"{"t":"watch","run":"r1"}"#);
    viewer(
        r#"{"t":"bodyGet","req":1,"run":"r","seq":2,"pointer":"/payload/input","offset":0,"limit":65536}"#,
    );
    viewer(
        r#"{"t":"resume","req":1,"run":"r","pauseId":"p","nodeId":"n","action":"inject","output":{"a": 1.0},"input":null}"#,
    );
    viewer(r#"{"t":"breakpointClear","req":1,"matcher":{"point":"before"}}"#);
    viewer(r#"{"t":"pauseOnError","req":1,"on":true}"#);
}

#[test]
fn absent_members_of_a_viewer_frame_are_none_and_unknown_ones_are_ignored() {
    let frame =
        ViewerFrame::decode(r#"{"x":[1],"t":"resume","req":1,"run":"r","pauseId":"p","action":"continue"}"#)
            .unwrap();
    let ViewerFrame::Resume { node_id, output, input, .. } = frame else { panic!() };
    assert!(node_id.is_none() && output.is_none() && input.is_none());
    let frame =
        ViewerFrame::decode(r#"{"t":"breakpointSet","req":1,"spec":{"matcher":{},"enabled":true}}"#).unwrap();
    assert!(matches!(frame, ViewerFrame::BreakpointSet { .. }));
}

#[test]
fn a_bad_frame_says_what_was_seen_and_what_is_accepted() {
    let error = ViewerFrame::decode(r#"{"t":"fly"}"#).unwrap_err().to_string();
    assert!(error.contains("fly") && error.contains("bodyGet"), "{error}");
    let error = ViewerFrame::decode(r#"{"t":"watch"}"#).unwrap_err().to_string();
    assert!(error.contains("run"), "{error}");
    assert!(ServerFrame::decode("[]").is_err() && ServerFrame::decode("").is_err());
}

#[test]
fn an_injected_null_is_a_value() {
    let frame = ViewerFrame::decode(
        r#"{"t":"resume","req":1,"run":"r","pauseId":"p","action":"inject","output":null}"#,
    )
    .unwrap();
    let ViewerFrame::Resume { output, .. } = frame else { panic!() };
    assert_eq!(output.map(|raw| raw.get().to_owned()), Some("null".to_owned()));
}
