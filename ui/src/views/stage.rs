//! The middle of the window: the time bar in the past or on a recording, above it the canvas.

use egui::{Align, Layout, Panel, Rect, Sense, Ui, UiBuilder, pos2, vec2};

use std::sync::Arc;

use super::canvas::{CanvasAction, CanvasView, canvas_ui};
use super::{Scratch, lay};
use crate::action::{Action, Actions, Camera, Control, EditorKind, Verb};
use crate::glyph::Glyph;
use crate::model::pending::Stage;
use crate::model::steps::{SPEEDS, Step};
use crate::model::{Model, Selection, TimePosition, format};
use crate::scene::{CanvasModel, HoldVerb};
use crate::theme::{Size, Theme};
use crate::widgets::{Button, Chip, ChipTone, IconButton};

/// Shows it.
pub fn show(
    ui: &mut Ui,
    model: &Model<'_>,
    scene: &CanvasModel,
    scratch: &mut Scratch,
    actions: &mut Actions,
) {
    let recording = model.state.shown_run().is_some_and(|run| !run.live);
    if recording || model.state.time != TimePosition::Live {
        let c = &Theme::of(ui).colors;
        let frame = egui::Frame::NONE.fill(c.surface_chrome);
        let bar = Panel::bottom("time bar")
            .exact_size(Size::TIME_BAR)
            .resizable(false)
            .show_separator_line(false)
            .frame(frame);
        bar.show(ui, |ui| time_bar(ui, model, actions));
    }
    let waiting = waiting(model);
    let editor = model.state.editor.as_ref().map(|editor| {
        let verb = if editor.kind == EditorKind::Inject { HoldVerb::Inject } else { HoldVerb::Edit };
        (&*editor.pause, verb)
    });
    let view = CanvasView {
        now_ms: model.now_ms,
        time_s: model.time_s,
        selected: model.state.selection.node.as_ref(),
        editor,
        armed: model.state.armed.as_ref().map(|armed| &*armed.pause),
        waiting: &waiting,
        reduced_motion: model.reduced_motion,
    };
    let mut asked = Vec::new();
    canvas_ui(ui, scene, &view, &mut scratch.canvas, &mut asked);
    for action in asked {
        translate(model, scratch, action, actions);
    }
}

/// Holds whose answer is under way.
fn waiting(model: &Model<'_>) -> Vec<Arc<str>> {
    let Some(run) = model.state.shown_run() else { return Vec::new() };
    let asked = |pause: &str| {
        let ask = model.state.pending.get(&run.run, pause);
        ask.is_some_and(|ask| !matches!(ask.stage, Stage::Refused(_)))
    };
    run.holds
        .iter()
        .filter(|hold| asked(&hold.pause_id))
        .map(|hold| Arc::from(hold.pause_id.as_str()))
        .collect()
}

/// The canvas's words in the window's.
fn translate(model: &Model<'_>, scratch: &mut Scratch, action: CanvasAction, actions: &mut Actions) {
    let Some(run) = model.state.shown.clone() else { return };
    match action {
        CanvasAction::Select(target) => {
            actions.push(Action::Select(target.map(Selection::node).unwrap_or_default()));
        }
        CanvasAction::Inspect(target) => {
            actions.push(Action::Select(Selection::node(target)));
            actions.push(Action::Inspect(model.state.tab));
        }
        CanvasAction::Fold(target) => actions.push(Action::ToggleFold(target)),
        CanvasAction::Enter(target) => actions.push(Action::Enter(target)),
        CanvasAction::ToggleBreakpoint(node) => actions.push(Action::ToggleBreakpoint(node)),
        CanvasAction::EditBreakpoint(node) => {
            let known = model.run.and_then(|run| Some(run.node(run.find_node(&node)?)));
            let spec = known.and_then(|node| model.state.breakpoint_of(node.kind.as_str(), &node.name));
            scratch.breakpoints.open(spec.map(|known| known.spec.clone()));
        }
        CanvasAction::Answer { pause, verb } => {
            actions.push(Action::Control(Control::plain(&run, &pause, answer(verb))));
        }
        CanvasAction::OpenStack(target) => actions.push(Action::OpenStack(target)),
        CanvasAction::CopyName(name) => {
            actions.push(Action::Copy { text: name.to_string(), what: "the name" })
        }
        CanvasAction::Tidy => actions.push(Action::Camera(Camera::Tidy)),
    }
}

fn answer(verb: HoldVerb) -> Verb {
    match verb {
        HoldVerb::Continue => Verb::Continue,
        HoldVerb::Step => Verb::Step,
        HoldVerb::Retry => Verb::Retry,
        HoldVerb::Inject => Verb::Inject,
        HoldVerb::Edit => Verb::Edit,
        HoldVerb::Abort => Verb::Abort,
    }
}

fn time_bar(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let rect = ui.max_rect();
    ui.expand_to_include_rect(rect);
    let c = &Theme::of(ui).colors;
    ui.painter().hline(rect.x_range(), rect.top() + 0.5, egui::Stroke::new(1.0, c.line_subtle));
    let inner = rect.shrink2(vec2(12.0, 0.0));
    let mut left =
        ui.new_child(UiBuilder::new().max_rect(inner).layout(Layout::left_to_right(Align::Center)));
    left.spacing_mut().item_spacing.x = 4.0;
    let first = model.run.and_then(graph::Run::first_seq).unwrap_or(0);
    let last = model.run.and_then(graph::Run::last_seq).unwrap_or(0);
    for (glyph, name, key, action) in [
        (Glyph::First, "First event", "Home", Action::Time(TimePosition::At(first))),
        (Glyph::Prev, "Previous event", "[", Action::StepEvent(false)),
        (Glyph::Next, "Next event", "]", Action::StepEvent(true)),
        (Glyph::Last, "Last event", "End", Action::Time(TimePosition::Live)),
        (Glyph::Step, "Step over", "F10", Action::Step(Step::Over)),
        (Glyph::Into, "Step into", "F11", Action::Step(Step::Into)),
        (Glyph::Out, "Step out", "Shift+F11", Action::Step(Step::Out)),
        (Glyph::Up, "Previous error", "Shift+[", Action::Step(Step::Error(false))),
        (Glyph::Down, "Next error", "Shift+]", Action::Step(Step::Error(true))),
    ] {
        if left.add(IconButton::new(glyph, name).key(key)).clicked() {
            actions.push(action);
        }
    }
    play(&mut left, model, actions);
    let used = left.min_rect().right() + 16.0;
    let seq = match model.state.time {
        TimePosition::At(seq) => seq,
        TimePosition::Live => last,
    };
    let mut right =
        ui.new_child(UiBuilder::new().max_rect(inner).layout(Layout::right_to_left(Align::Center)));
    right.spacing_mut().item_spacing.x = 12.0;
    let past = model.state.time != TimePosition::Live;
    if right.add(Button::new("Go to the end").key("End").enabled(past)).clicked() {
        actions.push(Action::Time(TimePosition::Live));
    }
    let text = format!("At event {} of {}", format::count(seq), format::count(last));
    let galley = lay::line(ui, &text, Theme::small(), c.text_secondary, 260.0);
    let (label, response) = right.allocate_exact_size(galley.size(), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &text));
    lay::at_left(ui.painter(), label.left(), label.center().y, galley);
    let track = Rect::from_min_max(
        pos2(used, rect.center().y - 10.0),
        pos2(label.left() - 16.0, rect.center().y + 10.0),
    );
    if track.width() > 60.0 {
        slide(ui, track, model, (first, seq, last), actions);
    }
}

/// Play and its speed, or stop.
fn play(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let playing = model.state.play.as_ref().map(|play| play.speed);
    let (glyph, name) = match playing {
        Some(_) => (Glyph::Held, "Stop playing"),
        None => (Glyph::Run, "Play the recording"),
    };
    if ui.add(IconButton::new(glyph, name).key("F5")).clicked() {
        actions.push(Action::Play(if playing.is_some() { None } else { Some(1.0) }));
    }
    let Some(speed) = playing else { return };
    for offered in SPEEDS {
        let text = format!("\u{D7}{offered}");
        let tone = if (offered - speed).abs() < 0.01 { ChipTone::Pressed } else { ChipTone::Plain };
        if ui.add(Chip::new(&text).tone(tone).clickable()).clicked() {
            actions.push(Action::Play(Some(offered)));
        }
    }
}

/// The track: a drag or a click looks at that part of the run.
fn slide(
    ui: &Ui,
    track: Rect,
    model: &Model<'_>,
    (first, seq, last): (u64, u64, u64),
    actions: &mut Actions,
) {
    let c = &Theme::of(ui).colors;
    let response = ui.interact(track, ui.scope_id().with("time track"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Moment of the run"));
    let span = last.saturating_sub(first).max(1) as f32;
    let share = (seq.saturating_sub(first)) as f32 / span;
    let line = Rect::from_center_size(track.center(), vec2(track.width(), 4.0));
    let x = track.left() + track.width() * share.clamp(0.0, 1.0);
    ui.painter().rect_filled(line, 2, c.line);
    ui.painter().rect_filled(Rect::from_min_max(line.min, pos2(x, line.bottom())), 2, c.accent);
    let failed = model.state.events.rows().filter(|row| row.tone == crate::model::events::Tone::Failed);
    for row in failed.take(400) {
        let at = track.left() + track.width() * (row.seq.saturating_sub(first) as f32 / span);
        let mark = Rect::from_center_size(pos2(at, line.top() - 6.0), vec2(2.0, 5.0));
        ui.painter().rect_filled(mark, 0, c.status_failed);
    }
    ui.painter().circle(pos2(x, line.center().y), 7.0, c.accent, egui::Stroke::new(2.0, c.on_accent));
    if let Some(at) = response.interact_pointer_pos() {
        let share = ((at.x - track.left()) / track.width()).clamp(0.0, 1.0);
        let seq = first + (f64::from(share) * f64::from(span)).round() as u64;
        actions.push(Action::Time(if seq >= last { TimePosition::Live } else { TimePosition::At(seq) }));
    }
}
