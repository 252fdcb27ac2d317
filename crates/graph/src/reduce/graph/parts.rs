//! Stream parts that a producer writes itself: tasks, checkpoints, updates, messages.
//!
//! Decides that a message's pieces are deltas of its task, that a whole message is a tick, and that tokens count once a
//! message: the largest figures under its id, because pieces repeat them. Reads members, not types: messages come in
//! every harness's own shape.

use stream::Interrupt;
use wire::{Body, Header, Raw};

use super::Told;
use super::tasks::Outcome;
use crate::run::position;
use crate::text::{is_long, text_of};
use crate::tick::TickKind;
use crate::{Change, Channel, NodeIx, Reported, Run, TextStats, Usage};

impl Run {
    pub(super) fn graph_part(
        &mut self,
        header: &Header<'_>,
        payload: Raw<'_>,
        change: &mut Change,
    ) -> Result<(), String> {
        let raw = payload.member("part").ok_or("no part in it")?;
        let (name, body) = raw.members().next().ok_or("expected a part such as {\"Values\": {…}}")?;
        let mut told = self.told(header, payload, Some(body)).map_err(|why| why.to_string())?;
        if told.place.path.is_empty() {
            let inner = stream::Context::read(body).map_err(|why| why.to_string())?;
            told.context.namespace = inner.namespace;
            told.place = self.place(told.at.seq, &told.context);
        }
        (change.status, change.structure) = (true, true);
        let data = body.member("data");
        match name.name().as_ref() {
            "Values" => {
                self.tick(&told, TickKind::Values, None, told.place.step, "", None);
                self.interrupts(&told, body, change);
            }
            "Updates" => self.updates(&told, data),
            "Messages" => self.message(&told, body, change),
            "Custom" => {
                let node = self.task_node(told.at.seq, &told.place);
                self.tick(&told, TickKind::Custom, node, told.place.step, "", None);
            }
            "Checkpoint" => self.checkpoint(&told, data),
            "Tasks" => self.task_part(&told, data, change),
            "Debug" => match data.and_then(|data| data.members().next()) {
                Some((key, inner)) if key.name() == "Checkpoint" => self.checkpoint(&told, Some(inner)),
                Some((_, inner)) => self.task_part(&told, Some(inner), change),
                None => return Err("a debug part without data".to_owned()),
            },
            other => self.count_unknown(other, change),
        }
        Ok(())
    }

    fn updates(&mut self, told: &Told<'_>, data: Option<Raw<'_>>) {
        let mut node = None;
        for (key, _) in data.into_iter().flat_map(Raw::members) {
            let name = key.name();
            if !name.starts_with("__") {
                node = Some(self.graph_node(told.at.seq, &told.place, &name));
            }
        }
        self.tick(told, TickKind::State, node, told.place.step, "", None);
    }

    fn checkpoint(&mut self, told: &Told<'_>, data: Option<Raw<'_>>) {
        let text = |name: &str| data?.member(name)?.as_str();
        let step = data.and_then(|data| data.member("step")?.as_u64()).or(told.place.step);
        let (id, from) = (text("checkpoint_id"), text("parent_checkpoint_id"));
        self.tick(told, TickKind::Checkpoint, None, step, id.as_deref().unwrap_or(""), from.as_deref());
    }

    fn task_part(&mut self, told: &Told<'_>, data: Option<Raw<'_>>, change: &mut Change) {
        let Some((key, data)) = data.and_then(|data| data.members().next()) else { return };
        let text = |name: &str| data.member(name).and_then(Raw::as_str).filter(|text| !text.is_empty());
        let Some(name) = text("node") else { return };
        let ix = self.graph_node(told.at.seq, &told.place, &name);
        let task = text("task_id");
        change.node = Some(ix);
        if key.name() == "Start" {
            self.start_in(told, ix, task.as_deref(), data.member("input").map(Body::from));
            let triggers: Vec<String> = data
                .member("triggers")
                .into_iter()
                .flat_map(Raw::items)
                .filter_map(|t| Some(t.as_str()?.into_owned()))
                .collect();
            self.triggers(told, ix, &triggers);
            return;
        }
        let output = data.member("result").map(Body::from);
        let outcome = match text("status").as_deref() {
            Some("interrupted") => return self.interrupts(told, data, change),
            Some("cached") => Outcome { output, ..Outcome::cached() },
            Some("error") => {
                let failure = Told {
                    body: Some(data),
                    context: told.context.clone(),
                    place: told.place.clone(),
                    ..*told
                };
                Outcome::failed(failure.failure("TaskFailed"))
            }
            _ => Outcome { output, ..Outcome::ok() },
        };
        self.end_in(told, ix, task.as_deref(), outcome);
    }

    /// The interrupts that a part lists. One event may list several; each has its own id.
    fn interrupts(&mut self, told: &Told<'_>, body: Raw<'_>, change: &mut Change) {
        for raw in body.member("interrupts").into_iter().flat_map(Raw::items) {
            if let Some(interrupt) = Interrupt::from_raw(raw).filter(|interrupt| !interrupt.id.is_empty()) {
                self.interrupt(told, &interrupt, change);
            }
        }
    }

    fn message(&mut self, told: &Told<'_>, body: Raw<'_>, change: &mut Change) {
        let metadata = body.member("metadata");
        let of_meta = |name: &str| metadata?.member(name)?.as_str();
        let name = told
            .place
            .node
            .clone()
            .or_else(|| Some(of_meta("node").or_else(|| of_meta("langgraph_node"))?.as_ref().into()));
        let Some(name) = name else { return };
        let ix = self.graph_node(told.at.seq, &told.place, &name);
        change.node = Some(ix);
        let Some(message) = body.member("message") else { return };
        let inner = message.member("kwargs").unwrap_or(message);
        self.message_usage(told, ix, inner);
        if !is_piece(message, inner) {
            self.tick(told, TickKind::Message, Some(ix), told.place.step, "", None);
            return;
        }
        let task = told.place.task.clone().or_else(|| Some(of_meta("task_id")?.as_ref().into()));
        let deltas = deltas_of(inner);
        let mut stats = TextStats::of(told.at);
        deltas.iter().for_each(|(channel, bytes, _)| stats.count(*channel, *bytes));
        if !deltas.is_empty() {
            change.stream = true;
            self.add_deltas(ix, task.as_deref(), told.at.seq, &deltas, &stats);
        }
    }

    fn add_deltas(
        &mut self,
        ix: NodeIx,
        task: Option<&str>,
        seq: u64,
        deltas: &[(Channel, usize, String)],
        stats: &TextStats,
    ) {
        let named = task.map(|task| self.intern_instance(ix, task));
        let tail = match named {
            Some(named) => {
                let instance = &mut self.data.instances[named.at()];
                let text = instance.text.get_or_insert_default().named.get_or_insert_default();
                text.stats.merge(stats);
                (!instance.ended_by_name).then_some(&mut text.tail)
            }
            None => Some(self.data.nodes[ix.at()].tail.get_or_insert_default().as_mut()),
        };
        if let Some(tail) = tail {
            for (part, (channel, _, text)) in deltas.iter().enumerate() {
                tail.push(seq, position(part), *channel, text);
            }
        }
        if named.is_none() {
            self.apply_deltas(ix, seq, *stats);
        }
    }

    /// Tokens of a message: its largest figures, whatever pieces repeat them.
    fn message_usage(&mut self, told: &Told<'_>, ix: NodeIx, message: Raw<'_>) {
        let found = ["usage", "usage_metadata"].iter().find_map(|name| message.member(name));
        let Some(usage) = told.payload.member("usage").or(found).and_then(Reported::of_json) else { return };
        let id = message.member("id").and_then(Raw::as_str);
        let id: Box<str> = id.map_or_else(|| format!("@{}", told.at.seq).into(), |id| id.as_ref().into());
        let next = position(self.data.messages.len());
        let at = *self.index.messages.entry((ix, id.clone())).or_insert(next);
        if at == next {
            self.data.messages.push((ix, id, Usage::default()));
        }
        let known = &mut self.data.messages[at as usize].2;
        let before = *known;
        *known = known.largest(&Usage::reckon(&usage));
        let after = *known;
        let node = &mut self.data.nodes[ix.at()];
        for sum in [&mut node.message_usage, &mut node.usage, &mut self.data.usage] {
            sum.sub(&before);
            sum.add(&after);
        }
    }
}

/// Whether a message is a piece of one: said so, or of a type that is one.
fn is_piece(message: Raw<'_>, inner: Raw<'_>) -> bool {
    let chunk = |raw: Raw<'_>, name: &str| {
        raw.member(name).and_then(Raw::as_str).is_some_and(|word| word.ends_with("Chunk"))
    };
    let typed = chunk(inner, "type") || chunk(message, "type");
    let constructed = message.member("id").is_some_and(|id| {
        id.items().last().and_then(Raw::as_str).is_some_and(|word| word.ends_with("Chunk"))
    });
    inner.member("delta").and_then(Raw::as_bool) == Some(true) || typed || constructed
}

/// The texts of a message with their channels: content as one text or as blocks.
fn deltas_of(message: Raw<'_>) -> Vec<(Channel, usize, String)> {
    let channel = match message.member("channel").and_then(Raw::as_str).as_deref() {
        None | Some("text") => Channel::Text,
        Some("reasoning") => Channel::Reasoning,
        Some("tool-args") => Channel::ToolArgs,
        Some(_) => Channel::Other,
    };
    let Some(content) = message.member("content") else { return Vec::new() };
    let mut deltas = Vec::new();
    if content.kind() == wire::JsonKind::Array {
        for block in content.items() {
            let named =
                [("text", channel), ("reasoning", Channel::Reasoning), ("thinking", Channel::Reasoning)];
            let text = named.iter().find_map(|(name, channel)| Some((*channel, block.member(name)?)));
            deltas.extend(text.map(|(channel, raw)| delta(channel, raw)));
        }
    } else {
        deltas.push(delta(channel, content));
    }
    deltas.retain(|(_, bytes, _)| *bytes > 0);
    deltas
}

/// A text with its length; of a long one, as a slim envelope carries it, the length of its JSON.
fn delta(channel: Channel, raw: Raw<'_>) -> (Channel, usize, String) {
    let text = text_of(raw);
    let bytes = if is_long(raw) { Body::from(raw).size_bytes as usize } else { text.len() };
    (channel, bytes, text)
}
