//! How often the canvas asks to be painted again: as rarely as what moves in view allows.

use std::time::Duration;

use ui::scene::CanvasModel;
use ui::theme::{Appearance, NodeKind, Status};

use crate::stage::{Stage, boxed, card, hold, model, tally, window};
use egui::{Rect, pos2, vec2};

fn next_frame(model: CanvasModel, reduced_motion: bool) -> Duration {
    let mut stage = Stage::new(model, Appearance::Dark);
    stage.reduced_motion = reduced_motion;
    let mut harness = window(stage, 400.0, 300.0);
    harness.step();
    harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay
}

fn one(status: Status, held: bool) -> CanvasModel {
    let mut card = card("a", NodeKind::Tool, status, 0.0, 0.0);
    card.hold = held.then(|| hold("p"));
    model(vec![], vec![card], vec![])
}

#[test]
fn a_quiet_canvas_asks_for_no_frame_at_all() {
    for status in [Status::Ok, Status::Failed, Status::NotReached, Status::Ghost, Status::Cached] {
        assert_eq!(next_frame(one(status, false), false), Duration::MAX, "{status:?}");
    }
}

#[test]
fn what_runs_asks_for_ten_frames_a_second_and_for_one_with_reduced_motion() {
    assert_eq!(next_frame(one(Status::Running, false), false), Duration::from_millis(100));
    assert!(next_frame(one(Status::Running, false), true) > Duration::from_millis(100));
}

#[test]
fn a_hold_counts_seconds_and_does_not_pulse() {
    let delay = next_frame(one(Status::Running, true), false);
    assert!(delay > Duration::from_millis(100) && delay <= Duration::from_secs(1), "{delay:?}");
}

/// A box that is opened, and how long until the next frame at some moments after.
#[test]
fn opening_a_box_moves_for_less_than_200_ms_and_not_at_all_with_reduced_motion() {
    for (reduced_motion, expect) in [(false, [true, true, false]), (true, [false, false, false])] {
        let at = |size| Rect::from_min_size(pos2(0.0, 0.0), size);
        let mut folded = boxed("lookup", 1, at(vec2(192.0, 72.0)), tally(0, 0, 0));
        folded.folded = true;
        let mut stage = Stage::new(model(vec![folded.clone()], vec![], vec![]), Appearance::Dark);
        stage.reduced_motion = reduced_motion;
        let mut harness = window(stage, 400.0, 300.0);
        let mut open = boxed("lookup", 1, at(vec2(300.0, 200.0)), tally(0, 0, 0));
        open.key = folded.key;
        harness.state_mut().model = model(vec![open], vec![], vec![]);
        harness.state_mut().model.revision = 2;
        let moves = [0.0, 0.1, 0.2].map(|time_s| {
            harness.state_mut().time_s = time_s;
            // egui paints once more after the last time it was asked to.
            harness.run_steps(3);
            harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay == Duration::ZERO
        });
        assert_eq!(moves, expect, "reduced motion: {reduced_motion}");
    }
}
