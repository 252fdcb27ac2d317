//! The canvas: a run as boxes, cards and edges to look at, walk through and act on.
//!
//! Invariant: it changes nothing but its own scratch; what a person asks for comes back as [`CanvasAction`]s. A frame
//! costs what is in view. It asks for further frames only while something in view moves by itself.

mod camera;
mod contact;
mod head;
mod index;
mod layers;
mod menu;
mod motion;
mod scratch;

pub use camera::Camera;
pub use scratch::{CameraMove, CanvasScratch};

use std::sync::Arc;
use std::time::Duration;

use egui::{Rect, Ui, pos2};

use crate::paint::Pen;
use crate::scene::{CanvasModel, HoldVerb, Target};
use crate::theme::{Size, Theme};

/// What a person asked of the canvas.
#[derive(Clone, Debug, PartialEq)]
pub enum CanvasAction {
    /// Make this the selection; `None` clears it.
    Select(Option<Target>),
    /// Show it in the inspector.
    Inspect(Target),
    /// Fold the box, or unfold it.
    Fold(Target),
    /// Zoom to the box; `None` is the whole run.
    Enter(Option<Target>),
    /// Set a breakpoint on this node, or clear the one there is.
    ToggleBreakpoint(Arc<str>),
    /// Open the editor of its breakpoint.
    EditBreakpoint(Arc<str>),
    /// Answer a hold. Inject and Edit open their editors; Abort needs a second press, which the receiver counts.
    Answer {
        /// The hold.
        pause: Arc<str>,
        /// What to do.
        verb: HoldVerb,
    },
    /// Show what a stack of siblings stands for.
    OpenStack(Target),
    /// Put a name on the clipboard.
    CopyName(Arc<str>),
    /// Lay everything out anew.
    Tidy,
}

/// What the canvas is told each frame, beside the model.
#[derive(Clone, Copy, Debug, Default)]
pub struct CanvasView<'a> {
    /// Wall clock, milliseconds since 1970.
    pub now_ms: f64,
    /// The window's own clock, seconds.
    pub time_s: f64,
    /// The selection.
    pub selected: Option<&'a Target>,
    /// Hold whose editor is open, and which editor.
    pub editor: Option<(&'a str, HoldVerb)>,
    /// Hold whose Abort was pressed once.
    pub armed: Option<&'a str>,
    /// Holds with an answer on its way.
    pub waiting: &'a [Arc<str>],
    /// Motion is unwelcome.
    pub reduced_motion: bool,
}

/// Shows the canvas with its head in what is left of `ui`.
pub fn canvas_ui(
    ui: &mut Ui,
    model: &CanvasModel,
    view: &CanvasView<'_>,
    scratch: &mut CanvasScratch,
    actions: &mut Vec<CanvasAction>,
) {
    let outer = ui.available_rect_before_wrap();
    let head = Rect::from_min_max(outer.min, pos2(outer.right(), outer.top() + Size::CANVAS_HEAD));
    let screen = Rect::from_min_max(pos2(outer.left(), head.bottom()), outer.max);
    if screen.height() < 8.0 || screen.width() < 8.0 {
        return;
    }
    scratch.begin(ui.ctx(), model, view, screen);
    head::show(ui, head, model, view, scratch, actions);
    contact::background(ui, screen, model, scratch, actions);
    let looking = scratch.camera.view(screen, ui.ctx().pixels_per_point());
    // Wide enough for rings, halos and arrows of what is just out of view.
    scratch.index.look(looking.visible().expand(16.0 / looking.zoom), &mut scratch.seen);
    let contact = contact::items(ui, &looking, model, view, scratch, actions);
    let theme = Theme::of(ui);
    let painter = ui.painter().with_clip_rect(screen.intersect(ui.clip_rect()));
    painter.rect_filled(screen, 0, theme.colors.surface_canvas);
    let ctx = ui.ctx().clone();
    let mut pen = Pen::new(&ctx, theme, looking, &mut scratch.inks);
    let shown = layers::Shown {
        model,
        seen: &scratch.seen,
        held: scratch.index.held(),
        failing: scratch.crumbs.failing(),
    };
    let moving = layers::paint(&mut pen, &painter, &shown, view, &contact, (&scratch.births, &scratch.folds));
    let held = scratch.index.held().iter().map(|at| looking.rect(model.cards[*at as usize].painted()));
    if let Some(at) = super::minimap::show(ui, screen, &looking, model, held, &mut scratch.minimap) {
        scratch.follow = false;
        scratch.camera.center(at, screen.size(), None);
        ctx.request_repaint();
    }
    wake(&ctx, moving, scratch.gliding, view);
}

/// What in view moves by itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moving {
    /// Something fades in.
    pub(crate) fading: bool,
    /// Something runs.
    pub(crate) running: bool,
    /// Something counts seconds.
    pub(crate) counting: bool,
}

/// Asks for the next frame, as late as what moves allows.
fn wake(ctx: &egui::Context, moving: Moving, gliding: bool, view: &CanvasView<'_>) {
    if moving.fading || gliding {
        ctx.request_repaint();
    } else if moving.running && !view.reduced_motion {
        ctx.request_repaint_after(Duration::from_millis(100));
    } else if moving.counting || moving.running {
        let left = 1000.0 - view.now_ms.rem_euclid(1000.0);
        ctx.request_repaint_after(Duration::from_millis(left.clamp(20.0, 1000.0) as u64));
    }
}
