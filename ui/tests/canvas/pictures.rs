//! Pictures of the canvas in both themes, compared pixel by pixel.

use egui_kittest::SnapshotResults;
use ui::scene::HoldVerb;
use ui::theme::Appearance;
use ui::views::canvas::CameraMove;

use crate::runs::{folded, held, states};
use crate::stage::{Stage, window};

const THEMES: [(Appearance, &str); 2] = [(Appearance::Dark, "dark"), (Appearance::Light, "light")];

#[test]
fn every_state_of_a_card_looks_as_designed_in_both_themes() {
    let mut results = SnapshotResults::new();
    for (appearance, name) in THEMES {
        let mut harness = window(Stage::new(states(), appearance).selected("selected"), 872.0, 700.0);
        harness.snapshot(format!("canvas_states_{name}"));
        results.extend_harness(&mut harness);
    }
}

#[test]
fn a_run_held_at_its_bug_looks_as_designed_in_both_themes() {
    let mut results = SnapshotResults::new();
    for (appearance, name) in THEMES {
        let mut stage = Stage::new(held(), appearance).selected("parse_amount");
        stage.editor = Some(("pause-1", HoldVerb::Inject));
        let mut harness = window(stage, 976.0, 740.0);
        harness.snapshot(format!("canvas_held_{name}"));
        results.extend_harness(&mut harness);
    }
}

/// Seen from further and further away: names, blocks, counts.
#[test]
fn less_is_drawn_the_further_away_and_what_is_held_stays_marked() {
    let mut results = SnapshotResults::new();
    for (steps, name) in [(1, "names"), (4, "blocks"), (10, "counts")] {
        let mut stage = Stage::new(held(), Appearance::Dark);
        (0..steps).for_each(|_| stage.scratch.ask(CameraMove::Out));
        let mut harness = window(stage, 820.0, 560.0);
        harness.snapshot(format!("canvas_lod_{name}"));
        results.extend_harness(&mut harness);
    }
}

#[test]
fn a_window_too_small_for_the_run_shows_a_minimap() {
    let mut results = SnapshotResults::new();
    for (appearance, name) in THEMES {
        let mut stage = Stage::new(folded(), appearance).selected("explorer");
        stage.scratch.ask(CameraMove::Actual);
        let mut harness = window(stage, 640.0, 420.0);
        harness.snapshot(format!("canvas_minimap_{name}"));
        results.extend_harness(&mut harness);
    }
}
