//! The event list of the shown run: one contiguous piece of it at a time, read by page from the server and extended
//! by what arrives live. Invariant: rows are in order of their numbers and memory has a bound however long the run.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::format;

/// How a row is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As usual.
    Plain,
    /// A failure.
    Failed,
    /// A hold begins.
    Held,
    /// A value set by hand.
    Injected,
    /// Text arriving: many of them, so quiet.
    Quiet,
}

/// One event in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    /// Its number.
    pub seq: u64,
    /// When, milliseconds since 1970.
    pub ts: f64,
    /// The node, where it is about one.
    pub node: Option<Arc<str>>,
    /// The instance, where it names one.
    pub instance: Option<Arc<str>>,
    /// In words.
    pub what: String,
    /// Milliseconds of the call, where it ended.
    pub took_ms: Option<f64>,
    /// How it is drawn.
    pub tone: Tone,
}

/// A piece of a run's events.
#[derive(Debug, Default)]
pub struct Events {
    run: Option<Arc<str>>,
    rows: VecDeque<EventRow>,
    /// Rank of the first row among all events of the run.
    first_rank: u64,
    total: u64,
    /// The request under way, and whether its page replaces the piece.
    request: Option<(u64, Fetch)>,
    at_end: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fetch {
    Append,
    Replace { rank: u64 },
}

impl Events {
    /// Rows kept at most.
    pub const ROWS_MAX: usize = 6_000;
    /// Rows asked for at once.
    pub const PAGE: u32 = 400;

    /// Shows another run, forgetting the old one's rows.
    pub fn open(&mut self, run: &Arc<str>, total: u64) {
        if self.run.as_ref() != Some(run) {
            *self = Self { run: Some(Arc::clone(run)), ..Self::default() };
        }
        self.total = self.total.max(total);
    }

    /// Forgets requests, since the connection is gone.
    pub fn lost(&mut self) {
        self.request = None;
    }

    /// Starts over, for a new snapshot.
    pub fn reset(&mut self) {
        let run = self.run.take();
        *self = Self { run, ..Self::default() };
    }

    /// All events of the run.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Rank of the first row that is here.
    pub fn first_rank(&self) -> u64 {
        self.first_rank
    }

    /// Rows here.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether no row is here.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether some of these ranks should be asked for: one is missing and no page is under way.
    pub fn lacks(&self, from: u64, to: u64) -> bool {
        let end = self.first_rank + self.rows.len() as u64;
        self.request.is_none()
            && self.total > 0
            && (from < self.first_rank || (to.min(self.total) > end && !self.at_end))
    }

    /// The row of a rank, if it is here.
    pub fn at_rank(&self, rank: u64) -> Option<&EventRow> {
        rank.checked_sub(self.first_rank).and_then(|at| self.rows.get(usize::try_from(at).ok()?))
    }

    /// The rows here, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &EventRow> + DoubleEndedIterator {
        self.rows.iter()
    }

    /// Rank of the event with this number, if it is here.
    pub fn rank_of(&self, seq: u64) -> Option<u64> {
        self.rows.binary_search_by_key(&seq, |row| row.seq).ok().map(|at| self.first_rank + at as u64)
    }

    /// The number of the event before or after (`forward`) one, among the rows here.
    pub fn neighbour(&self, seq: u64, forward: bool) -> Option<u64> {
        if forward {
            self.rows.iter().map(|row| row.seq).find(|at| *at > seq)
        } else {
            self.rows.iter().rev().map(|row| row.seq).find(|at| *at < seq)
        }
    }

    /// What to ask for so that ranks `from..to` come into view: `after_seq` of the page, `None` when nothing is
    /// missing or a request is under way. `first_seq..=last_seq` are the run's numbers, to guess a far rank by.
    pub fn wanted(&mut self, from: u64, to: u64, numbers: (u64, u64), req: u64) -> Option<Option<u64>> {
        if self.request.is_some() || self.run.is_none() || self.total == 0 {
            return None;
        }
        let end = self.first_rank + self.rows.len() as u64;
        let near = from >= self.first_rank && from <= end && !self.rows.is_empty();
        if near {
            if to.min(self.total) <= end || self.at_end {
                return None;
            }
            self.request = Some((req, Fetch::Append));
            return Some(self.rows.back().map(|row| row.seq));
        }
        let rank = from.saturating_sub(u64::from(Self::PAGE) / 4);
        self.request = Some((req, Fetch::Replace { rank }));
        Some(guess(rank, self.total, numbers))
    }

    /// A page arrived; `false` when it was not asked for here.
    pub fn page(&mut self, req: u64, total: u64, rows: Vec<EventRow>, more: bool) -> bool {
        let Some((_, fetch)) = self.request.take_if(|(asked, _)| *asked == req) else { return false };
        self.total = total;
        match fetch {
            Fetch::Replace { rank } => {
                self.rows.clear();
                self.first_rank = if more { rank } else { total.saturating_sub(rows.len() as u64) };
                self.rows.extend(rows);
            }
            Fetch::Append => self.extend(rows),
        }
        self.at_end = !more;
        true
    }

    /// A request failed; `false` when it was not one of these.
    pub fn failed(&mut self, req: u64) -> bool {
        let mine = self.request.take_if(|(asked, _)| *asked == req).is_some();
        self.at_end |= mine;
        mine
    }

    /// Events arrived live.
    pub fn live(&mut self, run: &str, total: u64, rows: Vec<EventRow>) {
        if self.run.as_deref() != Some(run) {
            return;
        }
        let end = self.first_rank + self.rows.len() as u64;
        if end >= self.total || (self.rows.is_empty() && self.total == 0) {
            self.extend(rows);
            self.at_end = true;
        }
        self.total = self.total.max(total).max(self.first_rank + self.rows.len() as u64);
    }

    fn extend(&mut self, rows: Vec<EventRow>) {
        for row in rows {
            match self.rows.binary_search_by_key(&row.seq, |known| known.seq) {
                Ok(_) => {}
                Err(at) => self.rows.insert(at, row),
            }
        }
        while self.rows.len() > Self::ROWS_MAX {
            self.rows.pop_front();
            self.first_rank += 1;
        }
    }
}

/// The number to ask after so that the page begins near a rank: a straight line through the run's numbers.
fn guess(rank: u64, total: u64, (first, last): (u64, u64)) -> Option<u64> {
    if rank == 0 || total == 0 {
        return None;
    }
    let share = rank as f64 / total as f64;
    Some(first + ((last.saturating_sub(first)) as f64 * share) as u64)
}

#[derive(Deserialize)]
struct Loose {
    #[serde(default)]
    seq: u64,
    #[serde(default)]
    ts: f64,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    payload: Value,
}

/// A slim envelope in words; one that does not parse becomes a row that says so.
pub fn row(envelope: &str) -> EventRow {
    let loose: Loose = serde_json::from_str(envelope).unwrap_or_else(|error| Loose {
        seq: 0,
        ts: 0.0,
        kind: format!("Not an envelope: {error}"),
        payload: Value::Null,
    });
    let text = |key: &str| loose.payload.get(key).and_then(Value::as_str);
    let (what, tone) = words(&loose.kind, &loose.payload);
    EventRow {
        seq: loose.seq,
        ts: loose.ts,
        node: text("nodeId").map(Arc::from),
        instance: text("instanceId").map(Arc::from),
        what,
        took_ms: loose.payload.get("durationMs").and_then(Value::as_f64),
        tone,
    }
}

fn words(kind: &str, payload: &Value) -> (String, Tone) {
    let text = |key: &str| payload.get(key).and_then(Value::as_str).unwrap_or("");
    match kind {
        "run.started" => ("Run started".to_owned() + &named(", ", text("app")), Tone::Plain),
        "run.finished" => ended("Run ended ", text("status"), text("error")),
        "graph.hint" => {
            let nodes = payload.get("nodes").and_then(Value::as_array).map_or(0, Vec::len) as u64;
            (format!("Announced {}", format::plural(nodes, "node")), Tone::Plain)
        }
        "node.started" => ("Started".to_owned() + &named(", ", &preview(payload.get("input"))), Tone::Plain),
        "node.token" => (token(payload), Tone::Quiet),
        "node.finished" => finished(payload),
        "node.error" => {
            let error = payload.get("error").unwrap_or(payload);
            let message = error.get("message").and_then(Value::as_str).unwrap_or("without a message");
            (format!("Failed, {}", format::first_line(message, 160)), Tone::Failed)
        }
        "exec.paused" => {
            let reason = named(", ", text("reason"));
            (format!("Held {}{reason}", point(text("point"))), Tone::Held)
        }
        "exec.resumed" => {
            let action = text("action");
            let tone = if action == "inject" { Tone::Injected } else { Tone::Plain };
            (format!("Released by {}", if action.is_empty() { "the program" } else { action }), tone)
        }
        "exec.refused" => {
            (format!("Refused: {}{}", text("code"), named(", ", text("message"))), Tone::Failed)
        }
        other => (other.to_owned(), Tone::Plain),
    }
}

fn named(before: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{before}{}", format::first_line(text, 120)) }
}

/// Where a gate stands, as one says it.
pub fn point(point: &str) -> &'static str {
    match point {
        "after" => "after",
        "error" => "at error",
        _ => "before",
    }
}

fn ended(what: &str, status: &str, error: &str) -> (String, Tone) {
    let status = if status.is_empty() { "ok" } else { status };
    (
        format!("{what}{status}{}", named(", ", error)),
        if status == "error" { Tone::Failed } else { Tone::Plain },
    )
}

fn finished(payload: &Value) -> (String, Tone) {
    let flag = |key: &str| payload.get(key).and_then(Value::as_bool) == Some(true);
    if flag("injected") {
        return ("Ended with an injected value".to_owned(), Tone::Injected);
    }
    let status = payload.get("status").and_then(Value::as_str).unwrap_or("");
    let (mut what, tone) = ended("Ended ", status, "");
    let figure = |key: &str| payload.pointer(&format!("/usage/{key}")).and_then(Value::as_u64);
    let sum = figure("inputTokens").map(|input| input + figure("outputTokens").unwrap_or(0));
    if let Some(tokens) = figure("totalTokens").or_else(|| figure("total")).or(sum) {
        what.push_str(&format!(", {}", format::plural(tokens, "token")));
    }
    (what, tone)
}

fn token(payload: &Value) -> String {
    let deltas = payload.get("deltas").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let text: String = deltas.iter().filter_map(|delta| delta.get("v").and_then(Value::as_str)).collect();
    let what = match deltas.first().and_then(|delta| delta.get("t")).and_then(Value::as_str) {
        Some("reasoning") => "Reasoning",
        Some("tool-args") => "Arguments",
        _ => "Text",
    };
    format!("{what} \u{201C}{}\u{201D}", super::json::visible(&format::elide_middle(&text, 80)))
}

/// A few words of a value, or of the stub that stands for a long one.
fn preview(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::Object(map)) if map.contains_key("__holdpointBody") => {
            let bytes =
                value.and_then(|v| v.pointer("/__holdpointBody/bytes")).and_then(Value::as_u64).unwrap_or(0);
            format::bytes(bytes)
        }
        Some(value) => format::first_line(&value.to_string(), 100),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: u64) -> EventRow {
        row(&format!(
            r#"{{"gm":1,"seq":{seq},"ts":1,"runId":"r","type":"node.started","payload":{{"nodeId":"tool:a"}}}}"#
        ))
    }

    #[test]
    fn events_are_said_in_words() {
        let check = |kind: &str, payload: &str, what: &str, tone: Tone| {
            let envelope =
                format!(r#"{{"gm":1,"seq":3,"ts":1.5,"runId":"r","type":"{kind}","payload":{payload}}}"#);
            let row = row(&envelope);
            assert_eq!((row.seq, row.what.as_str(), row.tone), (3, what, tone), "{envelope}");
        };
        check("run.started", r#"{"app":"invoices"}"#, "Run started, invoices", Tone::Plain);
        check("node.started", r#"{"nodeId":"n","input":{"a":1}}"#, r#"Started, {"a":1}"#, Tone::Plain);
        check(
            "node.finished",
            r#"{"status":"ok","usage":{"totalTokens":1842}}"#,
            "Ended ok, 1,842 tokens",
            Tone::Plain,
        );
        check(
            "node.finished",
            r#"{"usage":{"inputTokens":7,"outputTokens":3}}"#,
            "Ended ok, 10 tokens",
            Tone::Plain,
        );
        check("node.finished", r#"{"injected":true}"#, "Ended with an injected value", Tone::Injected);
        check("node.error", r#"{"error":{"name":"E","message":"no\nfile"}}"#, "Failed, no", Tone::Failed);
        let deltas = r#"{"deltas":[{"t":"text","v":"due "},{"t":"text","v":"30"}]}"#;
        check("node.token", deltas, "Text \u{201C}due 30\u{201D}", Tone::Quiet);
        check("exec.paused", r#"{"point":"error"}"#, "Held at error", Tone::Held);
        check("exec.resumed", r#"{"action":"inject"}"#, "Released by inject", Tone::Injected);
        check("future.thing", "{}", "future.thing", Tone::Plain);
        assert!(row("nonsense").what.starts_with("Not an envelope"));
    }

    #[test]
    fn pages_extend_the_piece_and_far_jumps_replace_it() {
        let mut events = Events::default();
        let run: Arc<str> = "r".into();
        events.open(&run, 1_000);
        assert_eq!(events.wanted(0, 40, (1, 1_000), 1), Some(None), "the first page begins at the start");
        assert_eq!(events.wanted(0, 40, (1, 1_000), 2), None, "one request at a time");
        assert!(events.page(1, 1_000, (1..=400).map(event).collect(), true));
        assert_eq!(events.wanted(10, 40, (1, 1_000), 3), None, "all of it is here");
        assert_eq!(events.wanted(390, 430, (1, 1_000), 4), Some(Some(400)));
        assert!(events.page(4, 1_000, (401..=800).map(event).collect(), true));
        assert_eq!(events.at_rank(799).map(|row| row.seq), Some(800));
        assert!(matches!(events.wanted(5_000, 5_040, (1, 1_000), 5), Some(Some(_))));
    }

    #[test]
    fn live_events_join_at_the_end_only_and_once() {
        let mut events = Events::default();
        let run: Arc<str> = "r".into();
        events.open(&run, 0);
        events.live("r", 2, vec![event(2), event(1), event(2)]);
        assert_eq!(events.rows().map(|row| row.seq).collect::<Vec<_>>(), [1, 2]);
        events.live("other", 9, vec![event(9)]);
        assert_eq!(events.total(), 2);
    }

    #[test]
    fn memory_has_a_bound() {
        let mut events = Events::default();
        events.open(&"r".into(), 0);
        events.live("r", 10_000, (0..10_000).map(event).collect());
        assert_eq!(events.len(), Events::ROWS_MAX);
        assert_eq!(events.at_rank(9_999).map(|row| row.seq), Some(9_999));
    }
}
