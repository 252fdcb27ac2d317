//! Models by hand and a window to show them in. Fixed clock, fonts, size and theme, so that pictures repeat.

use std::sync::Arc;

use egui::{Pos2, Rect, pos2, vec2};
use egui_kittest::Harness;
use ui::scene::{
    BoxModel, CanvasModel, CardModel, EdgeLook, EdgeModel, EdgeSegment, HoldModel, HoldVerb, Tally, Target,
};
use ui::theme::{Appearance, NodeKind, Status, Theme};
use ui::views::canvas::{CanvasAction, CanvasScratch, CanvasView, canvas_ui};

/// The wall clock of every test.
pub(crate) const NOW_MS: f64 = 1_000_000_008_400.0;

/// What a test's window holds.
pub(crate) struct Stage {
    pub(crate) model: CanvasModel,
    pub(crate) scratch: CanvasScratch,
    pub(crate) actions: Vec<CanvasAction>,
    pub(crate) selected: Option<Target>,
    pub(crate) editor: Option<(&'static str, HoldVerb)>,
    pub(crate) armed: Option<&'static str>,
    pub(crate) appearance: Appearance,
    pub(crate) reduced_motion: bool,
    /// Shows letters that no font of the tests has.
    pub(crate) any_script: bool,
    /// The window's own clock.
    pub(crate) time_s: f64,
    installed: bool,
}

impl Stage {
    pub(crate) fn new(model: CanvasModel, appearance: Appearance) -> Self {
        let mut scratch = CanvasScratch::default();
        scratch.follow = false;
        Self {
            model,
            scratch,
            actions: Vec::new(),
            selected: None,
            editor: None,
            armed: None,
            appearance,
            reduced_motion: true,
            any_script: false,
            time_s: 0.0,
            installed: false,
        }
    }

    pub(crate) fn selected(mut self, target: &str) -> Self {
        self.selected = Some(target.into());
        self
    }
}

/// A window of this size showing the stage.
pub(crate) fn window(stage: Stage, width: f32, height: f32) -> Harness<'static, Stage> {
    let show = |ui: &mut egui::Ui, stage: &mut Stage| {
        if !std::mem::replace(&mut stage.installed, true) {
            Theme::install(ui.ctx(), stage.appearance);
            // The fonts are there from the next pass on.
            ui.ctx().request_repaint();
            return;
        }
        let view = CanvasView {
            now_ms: NOW_MS,
            time_s: stage.time_s,
            selected: stage.selected.as_ref(),
            editor: stage.editor,
            armed: stage.armed,
            waiting: &[],
            reduced_motion: stage.reduced_motion,
        };
        canvas_ui(ui, &stage.model, &view, &mut stage.scratch, &mut stage.actions);
    };
    let builder = match stage.any_script {
        true => Harness::builder().allow_missing_glyphs(),
        false => Harness::builder(),
    };
    let mut harness = builder
        .with_size(vec2(width, height))
        .with_pixels_per_point(1.0)
        .with_max_steps(64)
        .build_ui_state(show, stage);
    harness.run();
    harness
}

/// A card of 184 by 56, or 88 for a model call.
pub(crate) fn card(name: &str, kind: NodeKind, status: Status, x: f32, y: f32) -> CardModel {
    let model_call = kind == NodeKind::Llm;
    let height = if model_call { CardModel::HEIGHT_TALL } else { CardModel::HEIGHT };
    CardModel {
        key: key(name),
        target: name.into(),
        rect: Rect::from_min_size(pos2(x, y), vec2(CardModel::WIDTH, height)),
        kind,
        name: name.into(),
        count: 1,
        status,
        word: None,
        detail: "".into(),
        failed: None,
        since_ms: (status == Status::Running).then_some(NOW_MS - 8_400.0),
        stream: None,
        model_call,
        hold: None,
        breakpoint: None,
        stack: false,
        dim: false,
        diff: None,
        depth: 3,
        parent: None,
    }
}

/// A hold that began eight seconds ago.
pub(crate) fn hold(pause: &str) -> HoldModel {
    HoldModel {
        pause: pause.into(),
        since_ms: Some(NOW_MS - 8_400.0),
        place: "at error",
        editable: true,
        more: 0,
    }
}

/// A box.
pub(crate) fn boxed(name: &str, level: u32, rect: Rect, tally: Tally) -> BoxModel {
    BoxModel {
        key: key(name),
        target: name.into(),
        rect,
        level,
        name: name.into(),
        caption: "".into(),
        kind: NodeKind::Chain,
        status: Status::Ok,
        tally,
        folded: false,
        part: 0,
        hold: None,
        breakpoint: None,
        dim: false,
        parent: None,
    }
}

/// Some running, held, failed.
pub(crate) fn tally(running: u64, held: u64, failed: u64) -> Tally {
    Tally { nodes: 4, calls: 40, running, held, failed, ok: 2 }
}

/// An edge from the bottom of one card to the top of another, over a stub down to the lowest bottom of the row.
pub(crate) fn edge(
    from: &CardModel,
    to: &CardModel,
    look: EdgeLook,
    count: u64,
    row_bottom: f32,
) -> EdgeModel {
    let start = from.rect.center_bottom();
    let knee = pos2(start.x, row_bottom);
    let end = to.rect.center_top();
    let bend = (end.y - knee.y) * 0.55;
    let segments =
        [EdgeSegment::Line(knee), EdgeSegment::Cubic(knee + vec2(0.0, bend), end - vec2(0.0, bend), end)];
    let bounds = Rect::from_points(&[start, knee, end]).expand(4.0);
    let pill = pos2(egui::lerp(knee.x..=end.x, 0.78), egui::lerp(knee.y..=end.y, 0.62));
    route(from, to, look, count, start, Arc::new(segments), pill, bounds)
}

#[expect(clippy::too_many_arguments, reason = "the fields of an edge, in order")]
pub(crate) fn route(
    from: &CardModel,
    to: &CardModel,
    look: EdgeLook,
    count: u64,
    start: Pos2,
    segments: Arc<[EdgeSegment]>,
    pill: Pos2,
    bounds: Rect,
) -> EdgeModel {
    let depth = from.depth.min(to.depth);
    EdgeModel { from: from.key, to: to.key, look, count, start, segments, pill, bounds, depth, dim: false }
}

pub(crate) fn key(name: &str) -> u64 {
    name.bytes().fold(7, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)))
}

/// Finishes a model: bounds and revision.
pub(crate) fn model(boxes: Vec<BoxModel>, cards: Vec<CardModel>, edges: Vec<EdgeModel>) -> CanvasModel {
    let rects = cards.iter().map(CardModel::painted).chain(boxes.iter().map(|b| b.rect));
    let bounds = rects.reduce(|a, b| a.union(b));
    CanvasModel { run: Some("run".into()), boxes, cards, edges, bounds, revision: 1 }
}
