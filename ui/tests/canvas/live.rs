//! From events to the canvas: the scene of a run, as it grows, is folded, held and searched.

use std::collections::BTreeMap;

use egui::Rect;
use egui_kittest::kittest::Queryable;
use graph::project::Filter;
use graph::{RunKey, Store};
use testkit::Recording;
use ui::scene::{Direction, Scene, SceneAsk, Target};
use ui::theme::{Appearance, Status};

use crate::stage::{Stage, window};

struct Live {
    store: Store,
    scene: Scene,
    filter: Filter,
}

impl Live {
    fn new() -> Self {
        Self { store: Store::default(), scene: Scene::default(), filter: Filter::default() }
    }

    fn apply(&mut self, frames: &[String]) {
        for frame in frames {
            self.store.apply(&wire::decode(frame));
        }
        let key = RunKey::from("r");
        self.store.set_live(&key, true);
        self.refresh();
    }

    fn refresh(&mut self) {
        let run = self.store.run(&RunKey::from("r"));
        let ask = SceneAsk {
            run,
            at: None,
            breakpoints: &[],
            filter: &self.filter,
            structure: true,
            changed: true,
        };
        self.scene.refresh(&ask);
    }

    fn rects(&self) -> BTreeMap<Target, Rect> {
        self.scene.model().cards.iter().map(|card| (card.target.clone(), card.rect)).collect()
    }

    fn status(&self, target: &str) -> Option<Status> {
        self.scene.model().cards.iter().find(|card| &*card.target == target).map(|card| card.status)
    }
}

fn agent() -> Recording {
    Recording::new("r")
        .run_started("invoices")
        .node("reconcile", "a", "agent", None)
        .node("plan", "p", "llm", Some("reconcile"))
        .token("plan", "first fetch the order, then parse what it says")
        .done("plan", "p", "ok")
        .node("lookup", "l", "chain", Some("reconcile"))
        .node("fetch_order", "f", "tool", Some("lookup"))
        .done("fetch_order", "f", "ok")
        .node("parse_amount", "m", "tool", Some("lookup"))
}

#[test]
fn a_run_from_its_events_is_boxes_cards_and_edges_and_a_hold_shows_its_actions() {
    let mut live = Live::new();
    live.apply(&agent().paused("p1", "parse_amount", "error").frames());
    let model = live.scene.model();
    assert_eq!(model.boxes.len(), 2);
    assert_eq!(live.status("fetch_order"), Some(Status::Ok));
    let held = model.cards.iter().find(|card| &*card.target == "parse_amount").unwrap();
    assert_eq!(held.hold.as_ref().map(|hold| &*hold.pause), Some("p1"));
    assert!(!model.edges.is_empty());
    let harness = window(Stage::new(model.clone(), Appearance::Dark), 700.0, 520.0);
    harness.get_by_label("Inject parse_amount");
    harness.get_by_label("parse_amount, tool, held at error");
}

/// Five levels deep, three hundred nodes.
fn large() -> Recording {
    let mut recording = Recording::new("r").run_started("large").node("root", "i", "agent", None);
    let mut parents = vec!["root".to_owned()];
    for level in 1..4 {
        let mut next = Vec::new();
        for parent in &parents {
            for n in 0..3 {
                let name = format!("{parent}.{n}");
                recording =
                    recording.node(&name, "i", if level == 1 { "agent" } else { "chain" }, Some(parent));
                next.push(name);
            }
        }
        parents = next;
    }
    for parent in &parents {
        for (n, kind) in
            ["llm", "tool", "tool", "retriever", "tool", "resource", "prompt", "server"].iter().enumerate()
        {
            let name = format!("{parent}.{kind}{n}");
            recording = recording.node(&name, "i", kind, Some(parent)).done(&name, "i", "ok");
        }
    }
    recording
}

#[test]
fn a_run_of_five_levels_has_every_node_in_its_box_and_no_two_cards_in_one_place() {
    let mut live = Live::new();
    live.apply(&large().frames());
    let model = live.scene.model();
    assert_eq!(model.cards.len() + model.boxes.len(), 1 + 3 + 9 + 27 + 27 * 8);
    for (index, card) in model.cards.iter().enumerate() {
        let around = model.boxes.iter().find(|b| Some(b.key) == card.parent).unwrap();
        let boxes = model.boxes.iter().filter(|b| b.key == around.key);
        assert!(boxes.clone().any(|b| b.rect.contains_rect(card.rect)), "{}", card.name);
        for other in &model.cards[index + 1..] {
            assert!(
                !card.rect.shrink(0.5).intersects(other.rect.shrink(0.5)),
                "{} {}",
                card.name,
                other.name
            );
        }
    }
    let harness = window(Stage::new(model.clone(), Appearance::Dark), 1280.0, 800.0);
    harness.get_by_label("Fit");
}

#[test]
fn what_is_placed_stays_while_the_run_grows() {
    let mut live = Live::new();
    let frames = agent().frames();
    live.apply(&frames);
    let before = live.rects();
    let more = agent()
        .done("parse_amount", "m", "ok")
        .node("check", "c", "chain", Some("reconcile"))
        .node("report", "w", "llm", Some("reconcile"))
        .frames();
    live.apply(&more[frames.len()..]);
    let after = live.rects();
    assert!(after.len() > before.len());
    for (target, rect) in before {
        assert_eq!(after[&target], rect, "{target}");
    }
}

#[test]
fn folding_hides_what_is_inside_and_unfolding_brings_it_back() {
    let mut live = Live::new();
    live.apply(&agent().frames());
    let before = live.rects();
    live.scene.toggle_fold("lookup");
    live.refresh();
    let folded = live.scene.model().boxes.iter().find(|b| &*b.target == "lookup").unwrap();
    assert!(folded.folded);
    assert_eq!((folded.tally.nodes, folded.tally.calls), (2, 2));
    assert_eq!(live.status("fetch_order"), None);
    live.scene.toggle_fold("lookup");
    live.refresh();
    assert_eq!(live.rects().keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
}

#[test]
fn many_siblings_are_one_stack_that_sums_up_and_opens() {
    let mut recording = Recording::new("r").run_started("fan").node("all", "a", "agent", None);
    for n in 0..40 {
        let (node, instance) = (format!("n{n}:read_file"), format!("i{n}"));
        recording = recording.node(&node, &instance, "tool", Some("all"));
        if n % 2 == 0 {
            recording = recording.done(&node, &instance, "ok");
        }
    }
    let mut live = Live::new();
    live.apply(&recording.frames());
    let cards = &live.scene.model().cards;
    assert_eq!(cards.len(), 1);
    assert_eq!((cards[0].count, cards[0].stack), (40, true));
    assert_eq!(cards[0].word.as_deref(), Some("20 running"));
    let target = cards[0].target.clone();
    live.scene.open_stack(&target);
    live.refresh();
    assert_eq!(live.scene.model().cards.len(), 40);
}

/// A parent that is only named is a box all the same, and says that it was not seen.
#[test]
fn a_box_without_a_node_of_its_own_is_a_ghost_around_what_names_it() {
    let mut live = Live::new();
    let recording = Recording::new("r").run_started("late").node("search", "s", "tool", Some("agent:lost"));
    live.apply(&recording.frames());
    let around = &live.scene.model().boxes[0];
    assert_eq!((&*around.target, &*around.caption, around.status), ("agent:lost", "", Status::Ghost));
    assert!(around.rect.contains_rect(live.scene.model().cards[0].rect));
    let harness = window(Stage::new(live.scene.model().clone(), Appearance::Dark), 700.0, 520.0);
    harness.get_by_label("agent:lost, 1 nodes, 1 running");
}

#[test]
fn a_search_dims_the_rest_and_removes_nothing() {
    let mut live = Live::new();
    live.apply(&agent().frames());
    let before = live.rects();
    live.filter = Filter { text: "parse".into(), ..Filter::default() };
    live.refresh();
    assert_eq!(live.rects(), before);
    let dim: Vec<bool> = live.scene.model().cards.iter().map(|card| card.dim).collect();
    assert!(dim.contains(&true) && dim.contains(&false), "{dim:?}");
}

#[test]
fn arrows_walk_from_caller_to_call_to_sibling_and_back() {
    let mut live = Live::new();
    live.apply(&agent().frames());
    let walk = |from: &str, direction| live.scene.walk(Some(&from.into()), direction);
    assert_eq!(live.scene.walk(None, Direction::Next).as_deref(), Some("reconcile"));
    assert_eq!(walk("lookup", Direction::Parent).as_deref(), Some("reconcile"));
    let first = walk("lookup", Direction::Child).unwrap();
    let second = walk(&first, Direction::Next).unwrap();
    assert_eq!(walk(&second, Direction::Previous), Some(first.clone()));
    assert_eq!(walk(&first, Direction::Parent).as_deref(), Some("lookup"));
    assert_eq!(walk(&first, Direction::Previous), None);
}

#[test]
fn a_refresh_without_a_change_rebuilds_nothing() {
    let mut live = Live::new();
    live.apply(&agent().frames());
    let revision = live.scene.model().revision;
    let run = live.store.run(&RunKey::from("r"));
    let ask =
        SceneAsk { run, at: None, breakpoints: &[], filter: &live.filter, structure: false, changed: false };
    assert!(!live.scene.refresh(&ask));
    assert_eq!(live.scene.model().revision, revision);
}
