//! From chunks to graph events: tasks, results, routes, checkpoints, interrupts, messages.
//!
//! Triggers name the real edges. `branch:to:x` says only where to: its sources are the nodes that finished in the
//! step before, in the same namespace; a join names its sources. Without task chunks a node's update stands for its
//! start and its end.

use std::collections::{BTreeMap, BTreeSet};

use wire::{JsonKind, Raw};

use super::chunk::{Chunk, path, split};
use crate::adapter::{ObjectWriter, Out, RunWriter};
use crate::attributes::{count, quoted};
use crate::read::{either, list, text};

/// A run while its chunks come.
pub(super) struct Run {
    id: String,
    writer: Option<RunWriter>,
    now: f64,
    /// Tasks that are open, by id: namespace and node.
    open: BTreeMap<String, (Vec<String>, String)>,
    /// Ids of all tasks that were started.
    started: BTreeSet<String>,
    /// Nodes that finished last and those that are finishing now, by namespace.
    finished: BTreeMap<Vec<String>, (BTreeSet<String>, BTreeSet<String>)>,
    interrupts: BTreeSet<String>,
    synthetic: u64,
    with_tasks: bool,
    /// Largest figures by message id: input, output.
    usage: BTreeMap<String, (u64, u64)>,
    failed: Option<String>,
}

impl Default for Run {
    fn default() -> Self {
        Self::new(1)
    }
}

impl Run {
    /// A run of the file with this number, from 1.
    pub(super) fn new(number: u64) -> Self {
        Self {
            id: if number == 1 { "langgraph".to_owned() } else { format!("langgraph-{number}") },
            writer: None,
            now: 0.0,
            open: BTreeMap::new(),
            started: BTreeSet::new(),
            finished: BTreeMap::new(),
            interrupts: BTreeSet::new(),
            synthetic: 0,
            with_tasks: false,
            usage: BTreeMap::new(),
            failed: None,
        }
    }
}

/// What stands beside an event in its payload.
#[derive(Default)]
struct Beside<'a> {
    namespace: &'a [String],
    step: Option<u64>,
    task: Option<&'a str>,
    node: Option<&'a str>,
    extra: Vec<(&'a str, String)>,
}

impl Run {
    pub(super) fn chunk(&mut self, chunk: &Chunk<'_>, out: &mut Out<'_>) -> Result<(), String> {
        self.now += 1.0;
        let mode = chunk.mode.clone().unwrap_or_else(|| guessed(chunk.data).to_owned());
        let space = &chunk.namespace;
        if let Some(interrupts) = chunk.interrupts {
            self.interrupts(space, interrupts, out);
        }
        match mode.as_str() {
            "tasks" => self.task(space, chunk.data, None, out)?,
            "debug" => self.debug(space, chunk.data, out)?,
            "updates" => self.updates(space, chunk.data, out),
            "checkpoints" => self.checkpoint(space, chunk.data, None, out),
            mode if mode.starts_with("messages") => self.message(space, chunk.data, out),
            "custom" => self.event(
                "Custom",
                &[("name", quoted("custom")), ("payload", chunk.data.get().to_owned())],
                &Beside { namespace: space, ..Beside::default() },
                out,
            ),
            "error" => {
                self.failed = Some(
                    text(chunk.data, &["message", "error"]).unwrap_or_else(|| chunk.data.get().to_owned()),
                )
            }
            "metadata" | "end" => {}
            _ => {
                if let Some(interrupts) = chunk.data.member("__interrupt__") {
                    self.interrupts(space, interrupts, out);
                }
                self.part(&mode, space, chunk.data, out);
            }
        }
        Ok(())
    }

    pub(super) fn finish(&mut self, out: &mut Out<'_>) {
        let notes = &mut out.report;
        notes.note_times("a node's start is not in the stream: placed at its update", self.synthetic);
        self.now += 1.0;
        let id = quoted(&self.id);
        match self.failed.take() {
            Some(error) => {
                self.event("RunFailed", &[("run_id", id), ("error", quoted(&error))], &Beside::default(), out)
            }
            None if self.open.is_empty() && self.interrupts.is_empty() && self.writer.is_some() => {
                self.event("RunCompleted", &[("run_id", id)], &Beside::default(), out);
            }
            None => {}
        }
    }

    fn writer(&mut self, out: &mut Out<'_>) -> &mut RunWriter {
        let now = self.now;
        self.writer.get_or_insert_with(|| {
            let mut writer = RunWriter::new(self.id.clone());
            let payload = r#"{"app":"LangGraph","sdk":{"name":"langgraph","version":""},"meta":{"format":"LangGraph stream","ordinalTime":true}}"#;
            writer.raw(now, "run.started", payload, out);
            writer
        })
    }

    fn event(&mut self, name: &str, members: &[(&str, String)], beside: &Beside<'_>, out: &mut Out<'_>) {
        let mut body = ObjectWriter::new();
        members.iter().for_each(|(name, json)| {
            body.raw(name, json);
        });
        let mut event = ObjectWriter::new();
        event.raw(name, &body.finish());
        self.payload(stream::GRAPH_EVENT, "event", &event.finish(), beside, out);
    }

    fn payload(&mut self, kind: &str, member: &str, json: &str, beside: &Beside<'_>, out: &mut Out<'_>) {
        let mut payload = ObjectWriter::new();
        payload.text("run_id", &self.id).raw("namespace", &texts(beside.namespace));
        if let Some(step) = beside.step {
            payload.raw("step", &step.to_string());
        }
        for (name, value) in [("task_id", beside.task), ("node", beside.node)] {
            if let Some(value) = value {
                payload.text(name, value);
            }
        }
        for (name, json) in &beside.extra {
            payload.raw(name, json);
        }
        payload.raw(member, json);
        let (now, payload) = (self.now, payload.finish());
        self.writer(out).raw(now, kind, &payload, out);
    }

    /// A part of a mode that has no event of its own.
    fn part(&mut self, mode: &str, space: &[String], data: Raw<'_>, out: &mut Out<'_>) {
        let name = if mode == "values" { "Values" } else { "Custom" };
        let mut body = ObjectWriter::new();
        body.raw("namespace", &texts(space)).raw("data", data.get());
        let mut part = ObjectWriter::new();
        part.raw(name, &body.finish());
        let beside = Beside { namespace: space, extra: vec![("mode", quoted(mode))], ..Beside::default() };
        self.payload(stream::GRAPH_PART, "part", &part.finish(), &beside, out);
    }

    fn debug(&mut self, space: &[String], data: Raw<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let step = either(data, &["step"]).and_then(Raw::as_u64);
        let payload = either(data, &["payload"]).ok_or("a debug chunk without a payload")?;
        match text(data, &["type"]).unwrap_or_default().as_str() {
            "checkpoint" => self.checkpoint(space, payload, step, out),
            _ => self.task(space, payload, step, out)?,
        }
        Ok(())
    }

    fn task(
        &mut self,
        space: &[String],
        data: Raw<'_>,
        step: Option<u64>,
        out: &mut Out<'_>,
    ) -> Result<(), String> {
        self.with_tasks = true;
        let id = text(data, &["id"]).ok_or("a task without an id")?;
        let node = text(data, &["name"]).ok_or("a task without a name")?;
        if data.member("triggers").is_some() || data.member("input").is_some() {
            self.start(space, &id, &node, step, data, out);
            return Ok(());
        }
        let error = text(data, &["error"]);
        let interrupts = list(data, &["interrupts"]).filter(|list| list.items().next().is_some());
        if let Some(interrupts) = interrupts {
            self.interrupts_of(space, Some((&id, &node)), interrupts, out);
            return Ok(());
        }
        self.end(space, &id, &node, error, either(data, &["result"]), out);
        Ok(())
    }

    fn start(
        &mut self,
        space: &[String],
        id: &str,
        node: &str,
        step: Option<u64>,
        data: Raw<'_>,
        out: &mut Out<'_>,
    ) {
        let triggers: Vec<String> = list(data, &["triggers"]).map(path).unwrap_or_default();
        let moved = self.finished.entry(space.to_vec()).or_default();
        if self.open.values().all(|(other, _)| other != space) {
            // Nothing of this namespace is open: a new step begins.
            moved.0 = std::mem::take(&mut moved.1);
        }
        let sources = moved.0.clone();
        if self.started.insert(id.to_owned()) {
            for source in sources_of(&triggers, &sources) {
                let routes = format!("[{{\"Node\":{}}}]", quoted(node));
                let beside = Beside { namespace: space, step, node: Some(&source), ..Beside::default() };
                self.event("RouteSelected", &[("node", quoted(&source)), ("routes", routes)], &beside, out);
            }
        }
        self.open.insert(id.to_owned(), (space.to_vec(), node.to_owned()));
        let input = either(data, &["input"]).map(|input| ("input", input.get().to_owned()));
        let beside = Beside {
            namespace: space,
            step,
            task: Some(id),
            node: Some(node),
            extra: input.into_iter().collect(),
        };
        self.event(
            "TaskStarted",
            &[("task_id", quoted(id)), ("node", quoted(node)), ("triggers", texts(&triggers))],
            &beside,
            out,
        );
    }

    fn end(
        &mut self,
        space: &[String],
        id: &str,
        node: &str,
        error: Option<String>,
        output: Option<Raw<'_>>,
        out: &mut Out<'_>,
    ) {
        self.open.remove(id);
        self.finished.entry(space.to_vec()).or_default().1.insert(node.to_owned());
        let output = output.map(|output| ("output", output.get().to_owned()));
        let beside = Beside {
            namespace: space,
            task: Some(id),
            node: Some(node),
            extra: output.into_iter().collect(),
            ..Beside::default()
        };
        let mut members = vec![("task_id", quoted(id)), ("node", quoted(node))];
        match error {
            None => self.event("TaskCompleted", &members, &beside, out),
            Some(error) => {
                members.push(("error", quoted(&error)));
                self.event("TaskFailed", &members, &beside, out);
            }
        }
    }

    fn updates(&mut self, space: &[String], data: Raw<'_>, out: &mut Out<'_>) {
        let cached =
            data.member("__metadata__").and_then(|meta| either(meta, &["cached"])).and_then(Raw::as_bool)
                == Some(true);
        for (key, value) in data.members() {
            let node = key.name();
            match node.as_ref() {
                "__interrupt__" => self.interrupts(space, value, out),
                "__metadata__" => {}
                node => self.update(space, node, value, cached, out),
            }
        }
    }

    fn update(&mut self, space: &[String], node: &str, value: Raw<'_>, cached: bool, out: &mut Out<'_>) {
        let open = self
            .open
            .iter()
            .find(|(_, (other, name))| other == space && name == node)
            .map(|(id, _)| id.clone());
        let beside = Beside { namespace: space, node: Some(node), ..Beside::default() };
        if cached {
            let id = open.unwrap_or_else(|| format!("{node}@{}", self.now));
            self.open.remove(&id);
            let beside = Beside { task: Some(&id), ..beside };
            self.event("TaskCached", &[("task_id", quoted(&id)), ("node", quoted(node))], &beside, out);
            return;
        }
        self.event(
            "StateUpdated",
            &[("node", quoted(node)), ("update", value.get().to_owned())],
            &beside,
            out,
        );
        if !self.with_tasks {
            self.synthetic += 1;
            let id = format!(
                "{}{node}@{}",
                space.iter().map(|part| format!("{part}|")).collect::<String>(),
                self.now
            );
            self.event(
                "TaskStarted",
                &[("task_id", quoted(&id)), ("node", quoted(node)), ("triggers", "[]".to_owned())],
                &Beside { task: Some(&id), ..beside },
                out,
            );
            self.end(space, &id, node, None, Some(value), out);
        }
    }

    fn interrupts(&mut self, space: &[String], list: Raw<'_>, out: &mut Out<'_>) {
        self.interrupts_of(space, None, list, out);
    }

    /// One interrupt shows in several modes; its id makes it one.
    fn interrupts_of(
        &mut self,
        space: &[String],
        task: Option<(&str, &str)>,
        list: Raw<'_>,
        out: &mut Out<'_>,
    ) {
        for raw in list.items() {
            let id = text(raw, &["id", "interrupt_id"]).unwrap_or_else(|| format!("interrupt:{}", raw.get()));
            if !self.interrupts.insert(id.clone()) {
                continue;
            }
            let value = either(raw, &["value", "payload"]).map_or("null", Raw::get);
            let node =
                task.map(|(_, node)| node.to_owned()).or_else(|| self.waiting(space)).unwrap_or_default();
            let interrupt =
                format!("{{\"id\":{},\"node\":{},\"payload\":{value}}}", quoted(&id), quoted(&node));
            let beside = Beside {
                namespace: space,
                task: task.map(|(id, _)| id),
                node: Some(&node),
                ..Beside::default()
            };
            self.event("InterruptEmitted", &[("interrupt", interrupt)], &beside, out);
        }
    }

    /// The node of the only open task of a namespace.
    fn waiting(&self, space: &[String]) -> Option<String> {
        let mut open = self.open.values().filter(|(other, _)| other == space);
        let first = open.next()?;
        open.next().is_none().then(|| first.1.clone())
    }

    fn checkpoint(&mut self, space: &[String], data: Raw<'_>, step: Option<u64>, out: &mut Out<'_>) {
        let at =
            |name: &str| data.pointer(&format!("/{name}/configurable/checkpoint_id")).and_then(Raw::as_str);
        let id = at("config").map_or_else(|| format!("checkpoint-{}", self.now), |id| id.into_owned());
        let mut extra = vec![("values", either(data, &["values"]).map_or("null", Raw::get).to_owned())];
        extra.extend(either(data, &["next"]).map(|next| ("next", next.get().to_owned())));
        extra.extend(at("parent_config").map(|parent| ("parent_checkpoint_id", quoted(&parent))));
        let beside = Beside { namespace: space, step, extra, ..Beside::default() };
        self.event("CheckpointSaved", &[("checkpoint_id", quoted(&id))], &beside, out);
        for task in list(data, &["tasks"]).into_iter().flat_map(Raw::items) {
            if let (Some(id), Some(interrupts)) = (text(task, &["id"]), list(task, &["interrupts"])) {
                let node = text(task, &["name"]).unwrap_or_default();
                self.interrupts_of(space, Some((&id, &node)), interrupts, out);
            }
        }
    }

    /// A message or a piece of one goes to the task that the metadata names.
    fn message(&mut self, space: &[String], data: Raw<'_>, out: &mut Out<'_>) {
        let pair: Vec<Raw<'_>> = data.items().take(2).collect();
        let (message, metadata) = match pair.as_slice() {
            [message, metadata]
                if metadata.kind() == JsonKind::Object && metadata.member("langgraph_node").is_some() =>
            {
                (*message, Some(*metadata))
            }
            [message, ..] => (*message, None),
            [] => (data, None),
        };
        let of = |name: &str| metadata.and_then(|metadata| text(metadata, &[name]));
        let own = of("langgraph_checkpoint_ns").or_else(|| of("checkpoint_ns")).map(|ns| split(&ns));
        let (space, task) = match own {
            Some(mut own) => {
                let task = own.pop().and_then(|last| last.split_once(':').map(|(_, id)| id.to_owned()));
                (own, task)
            }
            None => (space.to_vec(), None),
        };
        self.usage(message);
        let node = of("langgraph_node");
        let mut body = ObjectWriter::new();
        body.raw("namespace", &texts(&space))
            .raw("message", message.get())
            .raw("metadata", metadata.map_or("{}", Raw::get));
        let mut part = ObjectWriter::new();
        part.raw("Messages", &body.finish());
        let extra = usage_of(message, &self.usage).map(|usage| ("usage", usage)).into_iter().collect();
        let step = metadata.and_then(|metadata| either(metadata, &["langgraph_step"])).and_then(Raw::as_u64);
        let beside = Beside { namespace: &space, step, task: task.as_deref(), node: node.as_deref(), extra };
        self.payload(stream::GRAPH_PART, "part", &part.finish(), &beside, out);
    }

    /// Chunks of a message are cumulative or only the last has figures: the largest holds.
    fn usage(&mut self, message: Raw<'_>) {
        let body = either(message, &["kwargs"]).unwrap_or(message);
        let (Some(id), Some(usage)) = (text(body, &["id"]), either(body, &["usage_metadata"])) else {
            return;
        };
        let at = |name: &str| either(usage, &[name]).and_then(count).unwrap_or(0);
        let known = self.usage.entry(id).or_default();
        *known = (known.0.max(at("input_tokens")), known.1.max(at("output_tokens")));
    }
}

fn usage_of(message: Raw<'_>, known: &BTreeMap<String, (u64, u64)>) -> Option<String> {
    let body = either(message, &["kwargs"]).unwrap_or(message);
    either(body, &["usage_metadata"])?;
    let (input, output) = known.get(&text(body, &["id"])?)?;
    Some(format!("{{\"inputTokens\":{input},\"outputTokens\":{output}}}"))
}

/// The nodes that led to a task, as its triggers say.
fn sources_of(triggers: &[String], before: &BTreeSet<String>) -> Vec<String> {
    let mut sources = BTreeSet::new();
    let joined = triggers.iter().find_map(|trigger| trigger.strip_prefix("join:"));
    if let Some(join) = joined {
        let names = join.rsplit_once(':').map_or(join, |(names, _)| names);
        sources.extend(names.split('+').map(str::to_owned));
    } else if triggers.iter().any(|trigger| trigger.starts_with("branch:to:") || trigger == "__pregel_push") {
        sources.extend(before.iter().cloned());
    } else {
        let named = triggers.iter().filter_map(|trigger| trigger.split_once(':')).map(|(source, _)| source);
        sources.extend(named.filter(|source| !source.starts_with("__")).map(str::to_owned));
    }
    sources.into_iter().collect()
}

fn texts(list: &[String]) -> String {
    format!("[{}]", list.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(","))
}

/// The mode of a chunk that names none.
fn guessed(data: Raw<'_>) -> &'static str {
    let has = |names: &[&str]| names.iter().all(|name| data.member(name).is_some());
    match data.kind() {
        JsonKind::Array => "messages",
        _ if has(&["id", "name"]) && (has(&["triggers"]) || has(&["result"]) || has(&["error"])) => "tasks",
        _ if has(&["config", "values"]) => "checkpoints",
        _ if has(&["step", "timestamp", "payload"]) => "debug",
        _ => "updates",
    }
}
