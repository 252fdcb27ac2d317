//! Claude Code transcripts with their sub-agents' files, and the stream-json of its command line.
//!
//! A message of the model is one call however many lines it takes, and counts its tokens once, also where another
//! file repeats it. A tool call hangs under its message, a sub-agent under the tool call that spawned it, to any
//! depth. Lines are kept until the end, since a sub-agent's file may come before its parent's.

mod build;
mod line;

use std::collections::BTreeMap;

use wire::Raw;

use crate::adapter::{Adapter, Item, Out};
use crate::detect::{Format, Look};
use crate::read::{list, text};
use crate::span::Spans;
use build::Session;
use line::Line;

pub(crate) const FORMATS: &[Format] = &[
    Format {
        name: "Claude Code transcript",
        recognises: is_transcript,
        adapter: || Box::new(Claude::default()),
    },
    Format { name: "Claude Code stream-json", recognises: is_stream, adapter: || Box::new(Claude::stream()) },
];

fn is_transcript(look: &Look<'_>) -> bool {
    let word = look.text("type").unwrap_or_default();
    let kind = matches!(
        word.as_str(),
        "user"
            | "assistant"
            | "system"
            | "summary"
            | "file-history-snapshot"
            | "progress"
            | "queue-operation"
            | "attachment"
    );
    (kind
        && (look.has(&["sessionId"])
            || look.has(&["uuid"])
            || look.has(&["leafUuid"])
            || word == "file-history-snapshot"))
        || look.has(&["loglines"])
        || is_side_car(look)
}

/// The small file beside a sub-agent's transcript that names the call which spawned it.
fn is_side_car(look: &Look<'_>) -> bool {
    (look.has(&["toolUseId"]) || look.has(&["agentType"])) && !look.has(&["type"])
}

fn is_stream(look: &Look<'_>) -> bool {
    let word = look.text("type").unwrap_or_default();
    let init = word == "system" && look.has(&["subtype"]);
    (init
        || matches!(word.as_str(), "stream_event" | "result" | "rate_limit_event")
        || look.has(&["message", "session_id"]))
        && (look.has(&["session_id"]) || look.has(&["event"]))
}

#[derive(Default)]
struct Claude {
    sessions: BTreeMap<String, Session>,
    /// The last session named.
    current: Option<String>,
    /// Lines that name no session, and the last one named before each.
    homeless: Vec<(Option<String>, Line)>,
    /// Calls that spawned sub-agents, by the sub-agent's id: from side-cars.
    spawned_by: BTreeMap<String, String>,
    /// The lines have no clock.
    ordinal: bool,
}

impl Claude {
    fn stream() -> Self {
        Self { ordinal: true, ..Self::default() }
    }

    fn line(&mut self, raw: Raw<'_>) -> Result<(), String> {
        if raw.kind() != wire::JsonKind::Object {
            return Err("not an object".to_owned());
        }
        let line = Line::read(raw)?;
        match text(raw, &["sessionId", "session_id"]) {
            Some(id) => {
                self.current = Some(id.clone());
                self.session(id).take(line);
            }
            None if self.ordinal && self.current.is_some() => {
                let id = self.current.clone().unwrap_or_default();
                self.session(id).take(line);
            }
            None => self.homeless.push((self.current.clone(), line)),
        }
        Ok(())
    }

    fn session(&mut self, id: String) -> &mut Session {
        let ordinal = self.ordinal;
        self.sessions.entry(id.clone()).or_insert_with(|| Session::new(id, ordinal))
    }

    /// A line that names no session belongs to the only one there is, else to the last one named before it.
    fn house(&mut self) {
        let only = self.sessions.keys().next().filter(|_| self.sessions.len() == 1).cloned();
        for (before, line) in std::mem::take(&mut self.homeless) {
            let home = only.clone().or(before);
            // A label alone is no session.
            if home.is_some() || line.message.is_some() {
                self.session(home.unwrap_or_else(|| "session".to_owned())).take(line);
            }
        }
    }
}

impl Adapter for Claude {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        if is_side_car(&Look::new(item.raw)) {
            if let (Some(agent), Some(call)) = (agent_of(item.file), text(item.raw, &["toolUseId"])) {
                self.spawned_by.insert(agent, call);
            }
            out.report.used();
            return Ok(());
        }
        match list(item.raw, &["loglines"]) {
            None => {
                self.line(item.raw)?;
                out.report.used();
            }
            Some(lines) => {
                for raw in lines.items() {
                    match self.line(raw) {
                        Ok(()) => out.report.used(),
                        Err(reason) => out.report.skip(item.line, reason),
                    }
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        self.house();
        let mut spans = Spans::default();
        for session in std::mem::take(&mut self.sessions).into_values() {
            session.finish(&self.spawned_by, &mut spans, &mut out.report);
        }
        spans.finish("Claude Code", out);
    }
}

/// The sub-agent's id in the name of its side-car, `agent-ID.meta.json`.
fn agent_of(file: &str) -> Option<String> {
    let name = file.rsplit(['/', '\\']).next()?;
    Some(name.strip_prefix("agent-")?.strip_suffix(".meta.json")?.to_owned())
}
