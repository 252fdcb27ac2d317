//! What its records say became of a KXM step, assignment or effect, above its values.

use egui::{Ui, pos2, vec2};
use graph::InstanceIx;

use super::Place;
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::life::{Turn, life};
use crate::model::{TimePosition, format};
use crate::theme::Theme;
use crate::views::lay;

/// The life of one instance, as it was made last.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    made_of: Option<(String, InstanceIx, u64)>,
    turns: Vec<Turn>,
}

/// Rows shown before the section scrolls.
const HEIGHT: f32 = 8.0 * 40.0;

/// Shows it, where there are records.
pub(super) fn show(ui: &mut Ui, place: &Place<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let Some((ix, _)) = place.instance.filter(|_| !place.run.kxm_records().is_empty()) else { return };
    let key = (place.run.key().as_str().to_owned(), ix, place.run.event_count());
    if scratch.made_of.as_ref() != Some(&key) {
        scratch.turns = life(place.run, ix);
        scratch.made_of = Some(key);
    }
    if scratch.turns.is_empty() {
        return;
    }
    let c = &Theme::of(ui).colors;
    lay::prose(ui, "What its records say", c.text_secondary, Theme::small_strong());
    ui.add_space(4.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = egui::ScrollArea::vertical().id_salt("life").max_height(HEIGHT).auto_shrink([false, true]);
    area.show_rows(ui, 40.0, scratch.turns.len(), |ui, range| {
        for turn in &scratch.turns[range] {
            row(ui, place, turn, actions);
        }
    });
    ui.add_space(8.0);
}

fn row(ui: &mut Ui, place: &Place<'_>, turn: &Turn, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let later = place.model.is_later(turn.seq);
    let name = format!("{}. {}", turn.what, turn.facts);
    let (rect, response) = lay::row(ui, 40.0, place.model.state.selection.seq == Some(turn.seq), &name);
    let color = match (turn.uncertain, later) {
        (_, true) => c.text_tertiary,
        (true, false) => c.status_failed,
        (false, false) => c.text_primary,
    };
    let glyph = if turn.uncertain { Glyph::Warn } else { Glyph::Right };
    glyph.paint(ui.painter(), pos2(rect.left() + 8.0, rect.top() + 12.0), 12.0, color);
    let start = place.run.first_ts().unwrap_or(turn.ts);
    let time = lay::line(ui, &format::offset(turn.ts - start), Theme::mono(), c.text_tertiary, 90.0);
    let right = lay::at_right(ui.painter(), rect.right() - 4.0, rect.top() + 12.0, time);
    let x = rect.left() + 22.0;
    let what = lay::line(ui, &turn.what, Theme::body(), color, right - x - 8.0);
    lay::at_left(ui.painter(), x, rect.top() + 12.0, what);
    let facts = lay::line(ui, &turn.facts, Theme::small(), c.text_secondary, rect.right() - x);
    lay::at_left(ui.painter(), x, rect.top() + 29.0, facts);
    if response.on_hover_text(&name).clicked() {
        actions.push(Action::Time(TimePosition::At(turn.seq)));
    }
}

/// What a graph or a person was asked at the open hold, with a way to answer.
pub(super) fn question(ui: &mut Ui, place: &Place<'_>, actions: &mut Actions) {
    if place.node.holds.is_empty() {
        return;
    }
    let asks = graph::project::asks(place.run);
    let found = asks.into_iter().find(|ask| ask.node == place.ix);
    let Some((ask, question)) = found.and_then(|ask| Some((ask.clone(), ask.question?))) else { return };
    let c = &Theme::of(ui).colors;
    let frame = egui::Frame::NONE.fill(c.held_soft).corner_radius(8).inner_margin(10);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing = vec2(8.0, 6.0);
        lay::prose(ui, "It asks", c.status_held, Theme::small_strong());
        let asked =
            crate::model::editor::pretty(&question.preview).unwrap_or_else(|_| question.preview.to_string());
        lay::prose(ui, &asked, c.text_primary, Theme::mono());
        let (run, pause) = (place.key(), std::sync::Arc::<str>::from(ask.id));
        if ask.answerable && place.model.state.hold(&run, &pause).is_some() {
            if ui.add(crate::widgets::Button::new("Answer").tone(crate::widgets::Tone::Hold)).clicked() {
                let ask = crate::action::EditorAsk { run, pause, what: crate::action::EditorKind::Inject };
                actions.push(Action::Edit(ask));
            }
        } else {
            let text = "The graph has stopped here; it goes on when its program resumes it with an answer.";
            lay::prose(ui, text, c.text_secondary, Theme::small());
        }
    });
    ui.add_space(8.0);
}
