//! Filters, each alone and combined, against a model that filters after the fact.
use stream::{
    Body, Context, Family, GraphEvent, LineBody, StreamFilter, StreamItem, StreamLine, StreamMode,
    StreamPart, lines,
};
use testkit::Chance;
use wire::decode;

const EVENTS: &[&str] = &[
    r#"{"RunStarted":{"run_id":"g1","graph_id":"g"}}"#,
    r#"{"StepStarted":{"step":1,"active":["a"]}}"#,
    r#"{"TaskStarted":{"task_id":"t1","node":"a","triggers":["start"]}}"#,
    r#"{"TaskFailed":{"task_id":"t2","node":"b","error":"e"}}"#,
    r#"{"StateUpdated":{"node":"a","update":{"n":1}}}"#,
    r#"{"SubAgentStarted":{"node":"b","agent":"w","child_run_id":"s"}}"#,
    r#"{"CheckpointSaved":{"checkpoint_id":"c"}}"#,
    r#"{"InterruptEmitted":{"interrupt":{"id":"i","node":"b","payload":1}}}"#,
    r#"{"Custom":{"name":"x","payload":[1]}}"#,
    r#"{"Moved":{"n":1}}"#,
];
const PARTS: &[&str] = &[
    r#"{"Values":{"data":1,"interrupts":[]}}"#,
    r#"{"Updates":{"data":{"a":1}}}"#,
    r#"{"Messages":{"message":{"content":"x"}}}"#,
    r#"{"Custom":{"data":1}}"#,
    r#"{"Checkpoint":{"data":{"checkpoint_id":"c"}}}"#,
    r#"{"Tasks":{"data":{"Start":{"node":"a"}}}}"#,
];

fn any_context(chance: &mut Chance) -> Context {
    let depth = chance.below(4);
    Context {
        run_id: (!chance.one_in(3)).then(|| chance.pick(&["g1", "g2"]).into()),
        thread_id: (!chance.one_in(3)).then(|| chance.pick(&["th1", "th2"]).into()),
        namespace: (0..depth).map(|_| chance.pick(&["a", "a:t1", "b:t2", "b"]).to_owned()).collect(),
        node: (!chance.one_in(3)).then(|| chance.pick(&["a", "b"]).into()),
        task_id: (!chance.one_in(3)).then(|| chance.pick(&["t1", "t2"]).into()),
        ..Context::default()
    }
}

fn any_item(chance: &mut Chance, seq: u64) -> StreamItem {
    let context = any_context(chance);
    let run = chance.pick(&["r1", "r2"]);
    let frame = match chance.below(3) {
        0 => {
            let event: GraphEvent = serde_json::from_str(chance.pick(EVENTS)).unwrap();
            stream::encode_event(seq, 1.0, run, &context, &event)
        }
        1 => {
            let part: StreamPart = serde_json::from_str(chance.pick(PARTS)).unwrap();
            stream::encode_part(seq, 1.0, run, &context, &part)
        }
        _ => testkit::e_of(run, seq, "node.token", &testkit::token("a", "hi")),
    };
    StreamItem::decode(&decode(&frame)).unwrap().unwrap()
}

fn any_query(chance: &mut Chance) -> String {
    let mut members = Vec::new();
    let mut add = |chance: &mut Chance, name: &str, words: &[&str]| {
        if chance.one_in(3) {
            let count = 1 + chance.below(2);
            let words: Vec<_> = (0..count).map(|_| chance.pick(words)).collect();
            members.push(format!("{name}={}", words.join(",")));
        }
    };
    add(
        chance,
        "modes",
        &["values", "updates", "messages", "custom", "checkpoints", "tasks", "debug", "events"],
    );
    add(chance, "runs", &["r1", "r2", "g1"]);
    add(chance, "threads", &["th1", "th2"]);
    add(chance, "nodes", &["a", "b"]);
    add(chance, "tasks", &["t1", "t2"]);
    add(chance, "kinds", &["StateUpdated", "Moved", "node.token", "values"]);
    add(chance, "families", &["messages", "state-updates", "graph-events", "harness-events"]);
    if chance.one_in(3) {
        members.push(format!("namespace={}", chance.pick(&["a", "b", "a/b", "a%3At1", "a:t1/b"])));
    }
    members.join("&")
}

/// The model: takes every line and asks of each member of the query whether it is met.
fn wanted(query: &str, item: &StreamItem, line: &StreamLine) -> bool {
    let StreamLine::Item(line) = line else { return false };
    query.split('&').filter(|pair| !pair.is_empty()).all(|pair| {
        let (name, value) = pair.split_once('=').unwrap();
        let any = |met: &dyn Fn(&str) -> bool| value.split(',').any(met);
        let context = &line.context;
        match name {
            "modes" => any(&|word| line.mode.as_str() == word),
            "runs" => any(&|word| {
                line.run.as_str() == word || context.run_id.as_ref().is_some_and(|id| id.as_str() == word)
            }),
            "threads" => any(&|word| context.thread_id.as_ref().is_some_and(|id| id.as_str() == word)),
            "nodes" => any(&|word| context.node.as_ref().is_some_and(|id| id.as_str() == word)),
            "tasks" => any(&|word| context.task_id.as_ref().is_some_and(|id| id.as_str() == word)),
            "kinds" => any(&|word| item.kind() == word),
            "families" => any(&|word| family(word, item)),
            "namespace" => {
                let wanted: Vec<_> = value.replace("%3A", ":").split('/').map(String::from).collect();
                let have = &context.namespace;
                wanted.len() <= have.len()
                    && wanted.iter().enumerate().all(|(index, segment)| {
                        have[index] == *segment || have[index].starts_with(&format!("{segment}:"))
                    })
            }
            _ => panic!("{name}"),
        }
    })
}

fn family(word: &str, item: &StreamItem) -> bool {
    let (event, part, harness) = match &item.body {
        Body::Event(event) => (event.name().to_owned(), String::new(), false),
        Body::Part(part) => (String::new(), part.mode().to_string(), false),
        Body::Harness { .. } => (String::new(), String::new(), true),
    };
    match word {
        "messages" => harness || part == "messages",
        "harness-events" => harness || part == "messages",
        "state-updates" => event == "StateUpdated" || part == "values" || part == "updates",
        "graph-events" => !event.is_empty() || part == "custom",
        _ => panic!("{word}"),
    }
}

#[test]
fn every_filter_shows_what_the_model_shows() {
    for seed in 0..400 {
        let mut chance = Chance::new(seed);
        let query = any_query(&mut chance);
        let filter = StreamFilter::from_query(&query).unwrap();
        for seq in 0..8 {
            let item = any_item(&mut chance, seq);
            let all = lines(&item, &StreamFilter::default());
            let expect: Vec<_> = all
                .iter()
                .filter(|line| wanted(&query, &item, &StreamLine::parse(line).unwrap()))
                .cloned()
                .collect();
            assert_eq!(lines(&item, &filter), expect, "{query} {item:?}");
        }
    }
}

#[test]
fn every_line_reads_back_as_what_it_says() {
    for seed in 0..300 {
        let item = any_item(&mut Chance::new(seed), seed);
        for text in lines(&item, &StreamFilter::default()) {
            let StreamLine::Item(line) = StreamLine::parse(&text).unwrap() else { panic!("{text}") };
            assert_eq!((line.seq, line.ts_ms, &line.run), (item.seq, item.ts_ms, &item.run));
            assert_eq!(line.context, item.context, "{text}");
            match (&line.body, &item.body) {
                (LineBody::Event(line), Body::Event(item)) => assert_eq!(line, item),
                (LineBody::Harness { kind, payload }, Body::Harness { kind: item_kind }) => {
                    assert_eq!((kind, payload), (item_kind, &item.payload));
                }
                (LineBody::Part(part), _) => assert_eq!(part.mode(), line.mode),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn each_mode_has_its_parts() {
    for (event, modes) in [
        (EVENTS[0], vec!["events"]),
        (EVENTS[2], vec!["tasks", "debug", "events"]),
        (EVENTS[4], vec!["updates", "events"]),
        (EVENTS[6], vec!["checkpoints", "debug", "events"]),
        (EVENTS[7], vec!["updates", "events"]),
        (EVENTS[8], vec!["custom", "events"]),
        (EVENTS[9], vec!["events"]),
    ] {
        let event: GraphEvent = serde_json::from_str(event).unwrap();
        let frame = stream::encode_event(1, 1.0, "r1", &Context::default(), &event);
        let item = StreamItem::decode(&decode(&frame)).unwrap().unwrap();
        let seen: Vec<_> = stream::modes_of(&item).iter().map(|mode| mode.as_str()).collect();
        assert_eq!(seen, modes, "{event:?}");
    }
    let values = testkit::e(1, "graph.part", &format!(r#"{{"part":{}}}"#, PARTS[0]));
    let item = StreamItem::decode(&decode(&values)).unwrap().unwrap();
    assert_eq!(stream::modes_of(&item), [StreamMode::Values]);
}

#[test]
fn messages_stand_under_the_graph_node_they_come_from() {
    let payload = r#"{"nodeId":"llm:step","instanceId":"i1","deltas":[{"t":"text","v":"a"},{"t":"tool-args","v":"{"}],"graph":{"run_id":"g2","thread_id":"th","graph_id":"g","namespace":["research:7"],"step":3,"node":"search","task_id":"t"}}"#;
    let item = StreamItem::decode(&decode(&testkit::e(1, "node.token", payload))).unwrap().unwrap();
    assert_eq!(item.context.namespace, ["research:7"]);
    let parts = stream::project(&item);
    let seen: Vec<_> = parts
        .iter()
        .map(|part| {
            let StreamPart::Messages { message, metadata, .. } = part else { panic!("{part:?}") };
            (
                message.content.as_str(),
                message.channel.as_deref(),
                metadata.node.as_ref().unwrap().as_str(),
                metadata.step,
            )
        })
        .collect();
    assert_eq!(seen, [("a", None, "search", Some(3)), ("{", Some("tool-args"), "search", Some(3))]);
}

#[test]
fn a_bad_query_says_what_there_is() {
    for (query, words) in
        [("modes=valeus", ["valeus", "checkpoints"]), ("families=x", ["\"x\"", "state-updates"])]
    {
        let error = StreamFilter::from_query(query).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
    assert_eq!(StreamFilter::from_query("token=x&from=3&").unwrap(), StreamFilter::default());
    let filter = StreamFilter::from_query("nodes=a%2Cb,c&runs=%zz").unwrap();
    let names: Vec<_> = filter.nodes.iter().map(|node| node.as_str()).collect();
    assert_eq!((names, filter.runs[0].as_str()), (vec!["a,b", "c"], "%zz"));
    assert_eq!(Family::ALL.len(), 7);
}

#[test]
fn a_namespace_of_any_depth_is_kept_and_filtered() {
    for depth in [1, 3, 12, 200] {
        let namespace: Vec<_> = (0..depth).map(|level| format!("n{level}:task-{level}")).collect();
        let context = Context { namespace: namespace.clone(), ..Context::default() };
        let event = GraphEvent::StepCompleted { step: 1 };
        let frame = stream::encode_event(1, 1.0, "r1", &context, &event);
        let item = StreamItem::decode(&decode(&frame)).unwrap().unwrap();
        assert_eq!(item.context.namespace, namespace);
        let names: Vec<_> = namespace.iter().map(|segment| stream::segment_node(segment)).collect();
        let whole = StreamFilter::from_query(&format!("namespace={}", names.join("/"))).unwrap();
        let deeper = StreamFilter::from_query(&format!("namespace={}/x", names.join("/"))).unwrap();
        assert!(whole.matches(&item) && !deeper.matches(&item), "{depth}");
    }
}
