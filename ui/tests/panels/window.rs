//! A window without a server: the frames a server would send, and what the window sends back.

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::{Value, json};
use ui::App;
use ui::platform::Plain;
use ui::transport::Queue;

/// Wall clock of the tests: eight seconds after the hold began.
pub(crate) const NOW_MS: f64 = 1_700_000_030_500.0;
/// When the run began.
pub(crate) const START_MS: f64 = 1_700_000_000_000.0;

/// A window and the other end of its line.
pub(crate) struct Window {
    pub(crate) harness: Harness<'static, App>,
    pub(crate) line: Queue,
    memory: Memory,
    asked: std::sync::Arc<std::sync::Mutex<Vec<String>>>,
}

/// What outlives a window.
type Memory = std::sync::Arc<std::sync::Mutex<std::collections::BTreeMap<String, String>>>;

impl Window {
    /// Connected, with nothing to show.
    pub(crate) fn empty() -> Self {
        Self::with(Memory::default())
    }

    fn with(memory: Memory) -> Self {
        let line = Queue::new();
        let asked = std::sync::Arc::default();
        let platform = Plain {
            now_ms: NOW_MS,
            settings: memory.clone(),
            asked: std::sync::Arc::clone(&asked),
            ..Plain::default()
        };
        let app = App::new(Box::new(line.clone()), Box::new(platform));
        let harness = Harness::builder()
            .with_size([1600.0, 1000.0])
            .with_theme(egui::Theme::Dark)
            .with_max_steps(40)
            .allow_missing_glyphs()
            .build_ui_state(|ui, app: &mut App| app.show(ui), app);
        let mut window = Self { harness, line, memory, asked };
        window.serve(&welcome(&[]));
        window
    }

    /// The invoice run, held at its error.
    pub(crate) fn held() -> Self {
        let mut window = Self::empty();
        window.fill();
        window
    }

    /// Shows the invoice run, held at its error.
    pub(crate) fn fill(&mut self) {
        self.serve(&welcome(&[summary(true)]));
        self.serve(&json!({ "t": "events", "run": "7f3a", "events": invoice_run() }));
        self.serve(&json!({
            "t": "stats", "eventsPerS": 38.2, "dropped": 0, "gaps": 0, "connections": 1, "memoryBytes": 212_000_000u64,
        }));
        self.line.sent();
    }

    /// A frame from the server, and the passes it causes.
    pub(crate) fn serve(&mut self, frame: &Value) {
        self.line.feed(frame.to_string());
        self.harness.run_steps(4);
    }

    /// Clicks what has this accessible name.
    pub(crate) fn click(&mut self, name: &str) {
        self.harness.get_by_label(name).click();
        self.harness.run_steps(3);
    }

    /// Whether something has this accessible name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.harness.query_all_by_label(name).next().is_some()
    }

    /// Whether some accessible name contains these words.
    pub(crate) fn says(&self, words: &str) -> bool {
        self.harness.query_all_by_label_contains(words).next().is_some()
    }

    /// Whether the tab, row or switch with this name is the chosen one.
    pub(crate) fn is_selected(&self, name: &str) -> bool {
        self.harness
            .query_all_by_label(name)
            .any(|node| node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True))
    }

    /// Presses at one point and lets go at another, as a hand does.
    pub(crate) fn drag(&mut self, from: egui::Pos2, to: egui::Pos2) {
        let button = |pos, pressed| egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        self.harness.event(egui::Event::PointerMoved(from));
        self.harness.run_steps(1);
        self.harness.event(button(from, true));
        self.harness.run_steps(1);
        for step in 1..=4u8 {
            self.harness.event(egui::Event::PointerMoved(from.lerp(to, f32::from(step) / 4.0)));
            self.harness.run_steps(1);
        }
        self.harness.event(button(to, false));
        self.harness.run_steps(4);
    }

    /// Where something with this name is.
    pub(crate) fn rect(&self, name: &str) -> egui::Rect {
        self.harness.get_all_by_label(name).next().map_or(egui::Rect::NOTHING, |node| node.rect())
    }

    /// Another window with what this one remembers.
    pub(crate) fn reopened(&self) -> Self {
        Self::with(self.memory.clone())
    }

    /// Leaves a setting for the next window.
    pub(crate) fn remember(&self, key: &str, value: &str) {
        self.memory.lock().expect("nobody else holds it").insert(key.to_owned(), value.to_owned());
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, modifiers: egui::Modifiers, key: egui::Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run_steps(3);
    }

    /// Frames sent since the last call, of one kind.
    pub(crate) fn sent(&self, kind: &str) -> Vec<Value> {
        let frames =
            self.line.sent().into_iter().filter_map(|frame| serde_json::from_str::<Value>(&frame).ok());
        frames.filter(|frame| frame["t"] == kind).collect()
    }

    /// What the surroundings were asked for so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("nobody else holds it").clone()
    }

    /// Everything that has a name now, for a failing test to say.
    pub(crate) fn names(&self) -> Vec<String> {
        let root = self.harness.root();
        root.children_recursive().filter_map(|node| node.accesskit_node().label()).collect()
    }

    /// Paints the window; with `HOLDPOINT_PICTURES` set to a folder the picture is kept there.
    pub(crate) fn picture(&mut self, name: &str) {
        let image = self.harness.render().expect("a renderer");
        assert!(image.width() > 0);
        if let Ok(folder) = std::env::var("HOLDPOINT_PICTURES") {
            image.save(format!("{folder}/{name}.png")).expect("a folder to write to");
        }
    }
}

/// The first frame of a connection.
pub(crate) fn welcome(runs: &[Value]) -> Value {
    json!({
        "t": "welcome", "version": "0.1.0", "protocol": wire::viewer::VERSION, "export": true,
        "ingestUrl": "ws://127.0.0.1:4747/ingest",
        "viewerUrl": "http://127.0.0.1:4747/", "dataDir": "~/.local/share/holdpoint", "demo": true, "import": true,
        "debug": debug("run"), "runs": runs,
    })
}

/// Mode, pause on error, four breakpoints.
pub(crate) fn debug(mode: &str) -> Value {
    let breakpoint = |name: &str,
                      condition: Option<&str>,
                      log: Option<&str>,
                      (held, seen): (u64, u64),
                      error: Option<&str>| {
        json!({
            "spec": { "matcher": { "name": name, "point": "before" }, "condition": condition, "hit": null, "log": log, "enabled": true },
            "bound": seen > 0 || error.is_none(), "seen": seen, "matched": held, "held": held, "error": error,
        })
    };
    json!({
        "mode": mode, "pauseOnError": true,
        "breakpoints": [
            breakpoint("parse_amount", Some("error or line > 10"), None, (1, 12), None),
            breakpoint("bank_feed", None, Some("{count} rows"), (1, 1), None),
            breakpoint("ask_owner", None, None, (0, 0), None),
            breakpoint("review_variance", Some("totl > 3"), None, (0, 0), Some("Unknown name \u{201C}totl\u{201D} at 1")),
        ],
    })
}

/// The invoice run in the list.
pub(crate) fn summary(held: bool) -> Value {
    let hold = json!({
        "pauseId": "p1", "run": "7f3a", "nodeId": "tool:parse_amount", "name": "parse_amount", "instanceId": "parse_amount-12",
        "point": "error", "reason": "error", "sinceMs": NOW_MS - 8_000.0, "editable": false,
    });
    json!({
        "run": "7f3a", "runId": "7f3a", "app": "Invoice reconciliation", "source": "live", "sdk": "graphmind-ai-python/0.5.1",
        "status": "running", "events": 0, "startedMs": START_MS, "endedMs": null,
        "holds": if held { vec![hold] } else { Vec::new() }, "live": true, "sizeBytes": 48_000,
    })
}

/// Envelopes with numbers and times.
struct Journal {
    seq: u64,
    ts: f64,
    out: Vec<Value>,
}

impl Journal {
    fn at(&mut self, ts: f64) -> &mut Self {
        self.ts = START_MS + ts;
        self
    }

    fn say(&mut self, kind: &str, payload: Value) -> &mut Self {
        self.out.push(json!({ "gm": 1, "seq": self.seq, "ts": self.ts, "runId": "7f3a", "type": kind, "payload": payload }));
        self.seq += 1;
        self
    }

    fn start(&mut self, kind: &str, name: &str, n: u32, parent: Option<&str>, input: Value) -> &mut Self {
        let (node, instance) = (format!("{kind}:{name}"), format!("{name}-{n}"));
        let mut payload =
            json!({ "nodeId": node, "instanceId": instance, "kind": kind, "name": name, "input": input });
        if let Some(parent) = parent {
            payload["parentId"] = json!(parent);
        }
        self.say("node.started", payload)
    }

    fn end(&mut self, kind: &str, name: &str, n: u32, ms: f64, output: Value) -> &mut Self {
        let (node, instance) = (format!("{kind}:{name}"), format!("{name}-{n}"));
        let mut payload = json!({ "nodeId": node, "instanceId": instance, "output": output, "durationMs": ms, "status": "ok" });
        if kind == "llm" {
            payload["usage"] = json!({ "inputTokens": 1_204, "outputTokens": 1_114 });
        }
        self.say("node.finished", payload)
    }
}

/// A run like the one in the pictures: three rounds of a model and its tools, the last one held at an error.
pub(crate) fn invoice_run() -> Vec<Value> {
    let mut j = Journal { seq: 1, ts: START_MS, out: Vec::new() };
    let agent = Some("agent:reconcile");
    let matching = Some("chain:match");
    let hint = |kind: &str, name: &str| json!({ "nodeId": format!("{kind}:{name}"), "kind": kind, "name": name, "parentId": "agent:reconcile" });
    j.say("run.started", json!({ "app": "Invoice reconciliation", "sdk": { "name": "graphmind-ai-python", "version": "0.5.1" } }));
    j.say("graph.hint", json!({ "nodes": [hint("agent", "review_variance"), hint("tool", "post_entries"), hint("chain", "write_report"), hint("custom", "ask_owner")] }));
    j.start("agent", "reconcile", 1, None, json!({ "inbox": "june" }));
    j.at(300.0).start("resource", "read_inbox", 1, agent, json!({ "folder": "june" }));
    j.start("retriever", "load_ledger", 1, agent, json!({ "ledger": "2024-06" }));
    j.at(320.0).end("resource", "read_inbox", 1, 18.0, json!({ "files": 38 }));
    j.at(712.0).end("retriever", "load_ledger", 1, 412.0, json!({ "rows": 412 }));
    j.at(900.0).start("chain", "match", 1, agent, json!({ "open": 12 }));
    for round in 0..3u32 {
        let at = 1_800.0 + f64::from(round) * 7_200.0;
        j.at(at).start("llm", "propose", round + 1, matching, json!({ "messages": 4 }));
        j.at(at + 700.0).say("node.token", json!({ "nodeId": "llm:propose", "deltas": [{ "t": "text", "v": "PO-2291 fits line 3, amount still to parse" }] }));
        j.at(at + 4_610.0).end("llm", "propose", round + 1, 4_610.0, json!({ "plan": ["fetch", "parse"] }));
        for line in 1..=4u32 {
            let n = round * 4 + line;
            let at = at + 4_900.0 + f64::from(line) * 160.0;
            j.at(at).start("tool", "fetch_order", n, matching, json!({ "order": format!("PO-{n}") }));
            j.at(at + 140.0).end("tool", "fetch_order", n, 236.0, json!({ "total": 1_284.5 }));
            let input = json!({ "text": "1.284,50", "currency": "EUR", "locale": null, "line": 3, "source": { "file": "inv-0417.pdf", "page": 2 } });
            j.at(at + 150.0).start("tool", "parse_amount", n, matching, input);
            if n < 12 {
                j.at(at + 290.0).end(
                    "tool",
                    "parse_amount",
                    n,
                    4.0,
                    json!({ "amount": 99.5, "currency": "EUR", "line": line }),
                );
            }
        }
        j.at(at + 5_900.0).start("server", "fx_rate", round + 1, matching, json!({ "from": "EUR" }));
        j.at(at + 6_300.0).end("server", "fx_rate", round + 1, 400.0, json!({ "rate": 1.08 }));
    }
    let error = json!({ "name": "ValueError", "message": "could not convert string to float: '1.284,50'", "stack": "Traceback" });
    j.at(22_480.0).say(
        "node.error",
        json!({ "nodeId": "tool:parse_amount", "instanceId": "parse_amount-12", "error": error }),
    );
    j.at(22_500.0).say("exec.paused", json!({ "pauseId": "p1", "nodeId": "tool:parse_amount", "instanceId": "parse_amount-12", "point": "error", "reason": "error" }));
    j.at(22_600.0).start("llm", "read_terms", 1, matching, json!({ "file": "terms.pdf" }));
    j.at(23_300.0).say("node.token", json!({ "nodeId": "llm:read_terms", "deltas": [{ "t": "text", "v": "due 30 days net, or 2 % off if paid in" }] }));
    j.out
}
