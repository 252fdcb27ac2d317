//! LangGraph streams, dumped in any of their outer shapes.
//!
//! Every chunk becomes graph events: tasks with their triggers, results, routes, checkpoints, interrupts, messages.
//! There is no clock, so the axis counts chunks; values repeat the whole state and are kept as they came. What came
//! as Python's own notation is named, not guessed at.

mod chunk;
mod tasks;

use wire::{JsonKind, Raw};

use crate::adapter::{Adapter, Item, Out};
use crate::detect::{Format, Look};
use chunk::Chunk;
use tasks::Run;

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "LangGraph stream",
    recognises: |look| is_wrapped(look) || is_bare(look),
    adapter: || Box::new(LangGraph::default()),
}];

fn is_wrapped(look: &Look<'_>) -> bool {
    Chunk::read(look.raw).is_some_and(|chunk| chunk.mode.is_some() || look.raw.kind() == JsonKind::Array)
}

/// A chunk without a mode is known by what only this library writes.
fn is_bare(look: &Look<'_>) -> bool {
    let task = look.has(&["id", "name"]) && (look.has(&["triggers"]) || look.has(&["interrupts", "result"]));
    let checkpoint = look.has(&["config", "values", "next"]);
    let debug = look.has(&["step", "timestamp", "type", "payload"]);
    let update = look.get("__interrupt__").is_some();
    task || checkpoint || debug || update
}

#[derive(Default)]
struct LangGraph {
    run: Run,
    /// The file that is being read: each is a run of its own.
    file: Option<String>,
    runs: u64,
}

impl Adapter for LangGraph {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        if self.file.as_deref() != Some(item.file) {
            self.file = Some(item.file.to_owned());
            self.runs += 1;
            std::mem::replace(&mut self.run, Run::new(self.runs)).finish(out);
        }
        if let Some(text) = item.raw.as_str() {
            return Err(if text.starts_with(['(', '{', '[']) {
                "a chunk in Python's own notation; dump it with json.dumps".to_owned()
            } else {
                format!("a text, not a chunk: {}", text.chars().take(60).collect::<String>())
            });
        }
        // A dump of all chunks as one list.
        let listed = item.raw.kind() == JsonKind::Array && Chunk::read(item.raw).is_none();
        if listed {
            for raw in item.raw.items() {
                match self.chunk(raw, out) {
                    Ok(()) => out.report.used(),
                    Err(reason) => out.report.skip(item.line, reason),
                }
            }
            return Ok(());
        }
        self.chunk(item.raw, out)?;
        out.report.used();
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        self.run.finish(out);
        out.report.note("the format has no clock: the time axis counts events");
    }
}

impl LangGraph {
    fn chunk(&mut self, raw: Raw<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let chunk = Chunk::read(raw).ok_or_else(|| "no chunk of a known shape".to_owned())?;
        self.run.chunk(&chunk, out)
    }
}
