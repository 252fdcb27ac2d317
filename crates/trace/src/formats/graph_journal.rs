//! Journals of graph runtimes: one observation a line, with its context and an externally tagged event.
//!
//! Each line becomes one `graph.event` that carries it whole; its number is the journal's own, so order and holes are
//! the producer's. Lines of one run tree stand under their own runs.

use wire::{JsonKind, Raw};

use crate::adapter::{Adapter, Item, ObjectWriter, Out};
use crate::detect::Format;
use crate::read::{either, text};

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "graph runtime journal",
    recognises: |look| {
        let observation = look.has(&["event_id", "run_id", "offset", "event"]);
        let wrapped = look.has(&["run_id", "ns", "seq", "event"]);
        observation || wrapped
    },
    adapter: || Box::new(Journal::default()),
}];

#[derive(Default)]
struct Journal {
    /// Runs that have said who they are.
    begun: std::collections::BTreeSet<String>,
    clockless: u64,
}

impl Adapter for Journal {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let raw = item.raw;
        let run = text(raw, &["run_id"]).ok_or("an observation without run_id")?;
        let number = either(raw, &["offset", "seq"])
            .and_then(Raw::as_u64)
            .ok_or("an observation without offset or seq")?;
        let event = either(raw, &["event"]).ok_or("an observation without an event")?;
        if !matches!(event.kind(), JsonKind::Object | JsonKind::String) {
            return Err(format!("an event that is neither an object nor a name: {}", cut(event.get())));
        }
        let ts_ms = either(raw, &["ts_ms"]).and_then(Raw::as_f64);
        self.clockless += u64::from(ts_ms.is_none());
        self.begun.insert(run.clone());
        let mut envelope = ObjectWriter::new();
        envelope.raw("gm", "1").raw("seq", &number.to_string());
        // Without a clock the counter itself is the time axis.
        #[expect(clippy::cast_precision_loss, reason = "an envelope's number is below 2^53")]
        envelope.number("ts", ts_ms.unwrap_or(number as f64));
        envelope.text("runId", &run).text("type", stream::GRAPH_EVENT).raw("payload", raw.get());
        out.envelope(&envelope.finish());
        out.report.used();
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        if self.clockless > 0 {
            out.report.note("the journal has no clock: the time axis counts events");
        }
        if self.begun.len() > 1 {
            out.report.note(format!("{} runs share this journal", self.begun.len()));
        }
    }
}

fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}
