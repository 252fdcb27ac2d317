//! How often the canvas asks to be painted again: as rarely as what moves in view allows.

use std::time::Duration;

use ui::scene::CanvasModel;
use ui::theme::{Appearance, NodeKind, Status};

use crate::stage::{Stage, card, hold, model, window};

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
