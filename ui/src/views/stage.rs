//! The middle of the window: the time bar in the past or on a recording, above it the canvas.

use egui::{Align, Layout, Panel, Rect, Sense, Ui, UiBuilder, pos2, vec2};

use super::{Scratch, lay};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::{Model, TimePosition, format};
use crate::theme::{Size, Theme};
use crate::widgets::{Button, IconButton};

/// Shows it.
pub fn show(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let recording = model.state.shown_run().is_some_and(|run| !run.live);
    if recording || model.state.time != TimePosition::Live {
        let c = &Theme::of(ui).colors;
        let frame = egui::Frame::NONE.fill(c.surface_chrome);
        let bar = Panel::bottom("time bar").exact_size(Size::TIME_BAR).resizable(false).frame(frame);
        bar.show(ui, |ui| time_bar(ui, model, actions));
    }
    let _ = scratch;
}

fn time_bar(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let rect = ui.max_rect();
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
        (Glyph::Up, "Previous error", "Shift+[", Action::StepError(false)),
        (Glyph::Down, "Next error", "Shift+]", Action::StepError(true)),
    ] {
        if left.add(IconButton::new(glyph, name).key(key)).clicked() {
            actions.push(action);
        }
    }
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
