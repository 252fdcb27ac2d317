//! The Holds panel: a row for each hold with controls of its own, so that no answer goes to the wrong one.

use std::sync::Arc;

use egui::{Ui, pos2};
use wire::Point;
use wire::viewer::HoldSummary;

use super::{control_bar, lay, rail};
use crate::action::{Action, Actions, Control, Verb};
use crate::glyph::Glyph;
use crate::model::pending::Stage;
use crate::model::{InspectorTab, Model, Selection, format};
use crate::theme::{Size, Theme};
use crate::widgets::IconButton;

/// The section in the rail.
pub(super) fn section(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let recording = model.state.shown_run().is_some_and(|run| !run.live);
    let holds: Vec<&HoldSummary> = model.state.holds().collect();
    let stopped = stopped(ui, model, actions);
    if holds.is_empty() && stopped == 0 {
        let text = if recording {
            "A recording cannot be held. Connect the agent to hold it."
        } else {
            "Nothing is held."
        };
        return rail::nothing(ui, text);
    }
    for hold in &holds {
        row(ui, model, hold, actions);
    }
    if holds.len() > 1 {
        ui.horizontal(|ui| {
            ui.add_space(28.0);
            if lay::link(ui, "Continue all").clicked() {
                actions.push(Action::ContinueAll { run: None });
            }
        });
    }
    ui.add_space(8.0);
}

/// Interrupts at which the shown graph has stopped: nothing can be sent to them, so they are rows without controls.
/// How many there are.
fn stopped(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) -> usize {
    let asks = model.run.filter(|run| !run.holds().is_empty()).map(graph::project::asks).unwrap_or_default();
    let held = |id: &str| {
        model.state.shown_run().is_some_and(|run| run.holds.iter().any(|hold| hold.pause_id == id))
    };
    let asks: Vec<_> = asks.into_iter().filter(|ask| !held(ask.id)).take(STOPPED_MAX).collect();
    for ask in &asks {
        let theme = Theme::of(ui);
        let c = &theme.colors;
        let name = format!("{} asks", ask.name);
        let (rect, response) = lay::row(ui, Size::ROW_2, false, &name);
        let (first, second) = (rect.top() + 16.0, rect.top() + 33.0);
        Glyph::Held.paint(ui.painter(), pos2(rect.left() + 16.0, first), 14.0, c.status_held);
        let (x, room) = (rect.left() + 34.0, rect.width() - 46.0);
        lay::at_left(ui.painter(), x, first, lay::line(ui, &name, Theme::strong(), c.text_primary, room));
        let question = ask.question.map_or("", |body| &body.preview);
        let about = format!("Stopped \u{B7} {}", crate::model::json::visible(question));
        lay::at_left(ui.painter(), x, second, lay::line(ui, &about, Theme::small(), c.text_secondary, room));
        if response.clicked() {
            let node: Arc<str> = model.run.map_or("".into(), |run| run.node(ask.node).id.as_str().into());
            actions.push(Action::Select(Selection::node(Arc::clone(&node))));
            actions.push(Action::Inspect(InspectorTab::Input));
            actions.push(Action::Reveal(node));
        }
    }
    asks.len()
}

/// Interrupts listed at most.
const STOPPED_MAX: usize = 200;

fn row(ui: &mut Ui, model: &Model<'_>, hold: &HoldSummary, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let here = model.state.shown.as_deref() == Some(hold.run.as_str());
    let current = model.state.current_hold().is_some_and(|known| known.pause_id == hold.pause_id);
    let name = format!("Hold {}", hold.name);
    let (rect, response) = lay::row(ui, Size::ROW_2, current, &name);
    ui.painter().rect_filled(rect, 0, c.held_soft);
    if current {
        let edge = egui::Rect::from_min_size(rect.min, egui::vec2(2.0, rect.height()));
        ui.painter().rect_filled(edge, 0, c.held_fill);
    }
    let (first, second) = (rect.top() + 16.0, rect.top() + 33.0);
    Glyph::Held.paint(ui.painter(), pos2(rect.left() + 16.0, first), 14.0, c.status_held);
    let held = format::clock(model.now_ms - hold.since_ms);
    let right = lay::at_right(
        ui.painter(),
        rect.right() - 12.0,
        first,
        lay::line(ui, &held, Theme::mono(), c.text_secondary, 80.0),
    );
    let x = rect.left() + 34.0;
    lay::at_left(
        ui.painter(),
        x,
        first,
        lay::line(ui, &hold.name, Theme::strong(), c.text_primary, right - x - 8.0),
    );
    let hovered = ui.rect_contains_pointer(rect);
    let room = rect.right() - 12.0 - x - if hovered { 112.0 } else { 0.0 };
    let about = about(model, hold, here);
    lay::at_left(ui.painter(), x, second, lay::line(ui, &about, Theme::small(), c.text_secondary, room));
    if hovered || response.has_focus() {
        strip(ui, model, hold, rect, actions);
    }
    if response.clicked() {
        if !here {
            actions.push(Action::OpenRun(Arc::from(hold.run.as_str())));
        }
        actions.push(Action::Select(Selection {
            node: Some(hold.node_id.as_str().into()),
            instance: hold.instance_id.as_deref().map(Arc::from),
            seq: None,
        }));
        actions.push(Action::Inspect(tab(hold.point)));
        actions.push(Action::Reveal(hold.node_id.as_str().into()));
    }
    response.context_menu(|ui| {
        control_bar::answers(ui, model, hold, control_bar::Room::Compact, &hold.name, actions);
    });
}

/// The tab that says why it holds.
fn tab(point: Point) -> InspectorTab {
    match point {
        Point::Before => InspectorTab::Input,
        Point::After => InspectorTab::Output,
        Point::Error => InspectorTab::Error,
    }
}

/// `Error · instance 12 of 12`, or how far the answer came.
fn about(model: &Model<'_>, hold: &HoldSummary, here: bool) -> String {
    if let Some(ask) = model.state.pending.get(&hold.run, &hold.pause_id) {
        return match &ask.stage {
            Stage::Asked => format!("{} asked", ask.verb.word()),
            Stage::OnItsWay => format!("{} on its way", ask.verb.word()),
            Stage::Refused(why) => format!("Refused: {why}"),
        };
    }
    let point = match hold.point {
        Point::Before => "Before",
        Point::After => "After",
        Point::Error => "Error",
    };
    let why = hold
        .reason
        .as_deref()
        .filter(|why| *why != "error")
        .map(|why| format!(" \u{B7} {why}"))
        .unwrap_or_default();
    if !here {
        return format!("{point}{why} \u{B7} in {}", hold.run);
    }
    let place = model.run.and_then(|run| {
        let node = run.find_node(&hold.node_id)?;
        let at = run.find_instance(node, hold.instance_id.as_deref()?)?;
        let all = &run.node(node).instances;
        let rank = all.iter().rposition(|ix| *ix == at)? + 1;
        (all.len() > 1).then(|| format!(" \u{B7} instance {rank} of {}", all.len()))
    });
    format!("{point}{why}{}", place.unwrap_or_default())
}

/// The controls of the row under the pointer.
fn strip(ui: &mut Ui, model: &Model<'_>, hold: &HoldSummary, rect: egui::Rect, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    if model
        .state
        .pending
        .get(&hold.run, &hold.pause_id)
        .is_some_and(|ask| !matches!(ask.stage, Stage::Refused(_)))
    {
        return;
    }
    let verbs = [
        (Verb::Continue, Glyph::Run),
        (Verb::Step, Glyph::Step),
        (Verb::Retry, Glyph::Retried),
        (Verb::Inject, Glyph::Injected),
    ];
    for (at, (verb, glyph)) in verbs.into_iter().enumerate() {
        let x = rect.right() - 12.0 - 26.0 * (verbs.len() - at) as f32 + 13.0;
        let place = egui::Rect::from_center_size(pos2(x, rect.top() + 33.0), egui::Vec2::splat(22.0));
        let name = format!("{} {}", verb.word(), hold.name);
        if ui.put(place, IconButton::new(glyph, &name).size(22.0).color(c.text_primary)).clicked() {
            let (run, pause): (Arc<str>, Arc<str>) =
                (hold.run.as_str().into(), hold.pause_id.as_str().into());
            if model.state.shown.as_deref() != Some(hold.run.as_str()) {
                actions.push(Action::OpenRun(Arc::clone(&run)));
            }
            actions.push(Action::Control(Control::plain(&run, &pause, verb)));
        }
    }
}
