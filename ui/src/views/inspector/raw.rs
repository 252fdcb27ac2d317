//! The Raw tab: the envelopes of the instance exactly as received, byte for byte.

use egui::Ui;

use super::{Place, body};
use crate::action::{Action, Actions};
use crate::model::{BodyKey, Selection, format};
use crate::theme::Theme;
use crate::views::lay;
use crate::widgets::{Chip, ChipTone};

/// Shows it.
pub(super) fn show(ui: &mut Ui, place: &Place<'_>, scratch: &mut body::Scratch, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let seqs = numbers(place);
    let Some(first) = seqs.first() else {
        lay::prose(ui, "No event names it yet.", c.text_tertiary, Theme::small());
        return;
    };
    let wanted = place.model.state.selection.seq;
    let seq = wanted.filter(|seq| seqs.iter().any(|(known, _)| known == seq)).unwrap_or(first.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        for (number, what) in &seqs {
            let text = format!("{what} {}", format::count(*number));
            let tone = if *number == seq { ChipTone::Pressed } else { ChipTone::Plain };
            if ui.add(Chip::new(&text).tone(tone).clickable()).clicked() {
                let selection = Selection { seq: Some(*number), ..place.model.state.selection.clone() };
                actions.push(Action::Select(selection));
            }
        }
    });
    let key = BodyKey { run: place.key(), seq, pointer: "".into() };
    body::fetched(place, scratch, &key, actions);
    let total = place.model.state.bodies.get(&key).map_or(0, |text| text.total_bytes);
    body::head(ui, "Envelope", &key, total, scratch, actions);
    body::value(ui, place, &key, total, scratch, actions);
}

/// Numbers of the events that made the instance.
fn numbers(place: &Place<'_>) -> Vec<(u64, &'static str)> {
    let Some((ix, instance)) = place.instance else { return Vec::new() };
    let mut out = Vec::new();
    if let Some(start) = instance.started {
        out.push((start.seq, "Start"));
    }
    if let Some(failure) = place.run.failure(ix) {
        out.push((failure.seq, "Error"));
    }
    for hold in place
        .node
        .holds
        .iter()
        .rev()
        .take(16)
        .map(|at| place.run.hold(*at))
        .filter(|h| h.instance == Some(ix))
    {
        out.push((hold.paused.seq, "Hold"));
        if let Some(until) = hold.until() {
            out.push((until.seq, "Release"));
        }
    }
    if let Some(end) = instance.ended.filter(|end| out.iter().all(|(seq, _)| *seq != end.seq)) {
        out.push((end.seq, "End"));
    }
    out.sort_unstable();
    out
}
