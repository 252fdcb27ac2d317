//! Recorded runs as they grow, event by event: where things are put first is where they stay, and it reads well.
//!
//! `recordings/` holds the demo and the `graph_runtime` example as they came over the wire, all but the first token of
//! each node left out.

use std::collections::BTreeMap;

use egui::Rect;
use graph::project::Filter;
use graph::{RunKey, Store};
use ui::scene::{CanvasModel, Scene, SceneAsk};

const DEMO: &str = include_str!("recordings/demo.ndjson");
const GRAPH_RUNTIME: &str = include_str!("recordings/graph_runtime.ndjson");

/// A recording that is played into a scene.
struct Replay {
    store: Store,
    scene: Scene,
    key: RunKey,
}

impl Replay {
    fn new(recording: &str) -> Self {
        let first: serde_json::Value = serde_json::from_str(recording.lines().next().unwrap()).unwrap();
        let key = RunKey::from(first["runId"].as_str().unwrap());
        Self { store: Store::default(), scene: Scene::default(), key }
    }

    fn play(&mut self, frame: &str) {
        self.store.apply(&wire::decode(frame));
        self.store.set_live(&self.key, true);
        self.refresh();
    }

    fn refresh(&mut self) {
        let (run, filter) = (self.store.run(&self.key), Filter::default());
        let ask =
            SceneAsk { run, at: None, breakpoints: &[], filter: &filter, structure: true, changed: true };
        self.scene.refresh(&ask);
    }

    fn model(&self) -> &CanvasModel {
        self.scene.model()
    }

    fn cards(&self) -> BTreeMap<u64, Rect> {
        self.model().cards.iter().map(|card| (card.key, card.rect)).collect()
    }

    /// Top of a card or box with this name.
    fn top(&self, name: &str) -> f32 {
        let card = self.model().cards.iter().find(|card| &*card.name == name).map(|card| card.rect);
        let rect = card.or_else(|| self.model().boxes.iter().find(|b| &*b.name == name).map(|b| b.rect));
        rect.unwrap_or_else(|| panic!("{name} is not shown")).top()
    }
}

/// Plays all of it and checks at every event that no card moved; one that opened into a box is no card any more.
fn grown(recording: &str) -> Replay {
    let mut replay = Replay::new(recording);
    for frame in recording.lines() {
        let before = replay.cards();
        replay.play(frame);
        let after = replay.cards();
        for (key, rect) in before {
            if let Some(now) = after.get(&key) {
                assert_eq!(*now, rect, "card {key} moved with {frame}");
            }
        }
    }
    replay
}

/// Hints carry no edges: their order alone gives the rows that the flow will have.
#[test]
fn the_demo_announces_itself_in_the_rows_in_which_it_will_run() {
    let mut replay = Replay::new(DEMO);
    DEMO.lines().take(2).for_each(|frame| replay.play(frame));
    let rows = [
        &["read_inbox", "load_ledger", "match_policy", "bank_feed"][..],
        &["match"],
        &["propose"],
        &["lookup"],
        &["fetch_order", "parse_amount", "fx_rate", "read_terms"],
        &["check_totals"],
        &["ask_owner", "post_entries", "write_report"],
    ];
    let mut above = f32::NEG_INFINITY;
    for row in rows {
        let top = replay.top(row[0]);
        assert!(top > above, "{row:?}");
        assert!(row.iter().all(|name| replay.top(name) == top), "{row:?}");
        above = top;
    }
}

#[test]
fn the_demo_runs_through_without_a_card_that_moves_or_a_box_in_parts() {
    let replay = grown(DEMO);
    assert!(!replay.scene.untidy());
}

#[test]
fn announced_tasks_open_where_they_stand_three_graphs_deep() {
    let replay = grown(GRAPH_RUNTIME);
    assert!(!replay.scene.untidy());
    assert!(replay.top("market") == replay.top("rules") && replay.top("rules") < replay.top("review"));
}
