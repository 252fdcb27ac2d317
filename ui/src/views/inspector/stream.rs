//! The Stream tab: text and reasoning as they arrive; the whole of it is read when it is looked at.

use std::sync::Arc;

use egui::Ui;

use super::Place;
use crate::action::{Action, Actions};
use crate::model::format;
use crate::model::rows::Rows;
use crate::theme::Theme;
use crate::views::{lay, text_view};

/// The text as it was put together last.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    rows: Rows,
    reasoning: Rows,
    text: Arc<str>,
    made_of: Option<(usize, u64)>,
}

/// Shows it.
pub(super) fn show(ui: &mut Ui, place: &Place<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let named = place.instance.filter(|(_, instance)| !instance.text().is_empty());
    let stats = named.map_or(place.node.unattributed, |(_, instance)| instance.text());
    if stats.is_empty() {
        lay::prose(ui, "Nothing was streamed here.", c.text_tertiary, Theme::small());
        return;
    }
    let node: Arc<str> = place.node.id.as_str().into();
    let instance = named.map(|(_, instance)| Arc::<str>::from(instance.id.as_str()));
    let key = (place.key(), Arc::clone(&node), instance.clone());
    let known = place.model.state.streams.get(&key);
    let ended = named.is_some_and(|(_, instance)| instance.ended.is_some()) || place.run.is_over();
    let wanted = known.is_none_or(|text| {
        !text.waiting && text.failed.is_none() && behind(text.pieces, stats.deltas, ended)
    });
    if wanted && place.model.state.online() {
        actions.push(Action::FetchStream { node, instance });
    }
    if named.is_none() {
        lay::prose(
            ui,
            "These words named no call while several were open, so they are shown as they came.",
            c.text_tertiary,
            Theme::small(),
        );
    }
    let figures = format!(
        "{} \u{B7} {} of text, {} of reasoning",
        format::plural(stats.deltas, "piece"),
        format::bytes(stats.text_bytes),
        format::bytes(stats.reasoning_bytes)
    );
    lay::prose(ui, &figures, c.text_secondary, Theme::small());
    ui.add_space(6.0);
    if let Some(why) = known.and_then(|text| text.failed.as_deref()) {
        lay::prose(ui, why, c.status_failed, Theme::small());
    }
    let reasoning = known.filter(|text| !text.reasoning.is_empty());
    if let Some(text) = reasoning {
        lay::prose(ui, "Reasoning", c.text_secondary, Theme::small_strong());
        let height = (ui.available_height() * 0.4).clamp(48.0, 240.0);
        ui.allocate_ui(egui::vec2(ui.available_width(), height), |ui| {
            text_view::show(ui, "reasoning", &text.reasoning, &mut scratch.reasoning, true, None);
        });
        ui.add_space(6.0);
    }
    let made_of = (known.map_or(0, |text| text.text.len()), stats.deltas);
    if scratch.made_of != Some(made_of) || scratch.text.is_empty() {
        let tail = match named {
            Some((ix, _)) => place.run.tail(ix),
            None => place.run.unattributed_tail(place.ix),
        };
        scratch.text = joined(known.map_or("", |text| &text.text), &tail).into();
        scratch.made_of = Some(made_of);
    }
    text_view::show(ui, "stream", &scratch.text, &mut scratch.rows, true, None);
}

/// Whether the whole is worth reading again: at its end, and in between in growing strides, since each reading is all
/// of it. The last words in between come from the run itself.
fn behind(known: u64, now: u64, ended: bool) -> bool {
    known < now && (ended || now - known >= (known / 8).max(16))
}

/// The text that was read and the words that came since, where they meet.
fn joined(text: &str, tail: &str) -> String {
    if text.is_empty() {
        return tail.to_owned();
    }
    let from = text.char_indices().rev().nth(47).map_or(0, |(at, _)| at);
    let end = &text[from..];
    let news = tail.rfind(end).map_or("", |at| &tail[at + end.len()..]);
    format!("{text}{news}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_and_what_came_since_meet() {
        let table = [
            ("", "abc", "abc"),
            ("Hello wor", "lo world", "Hello wor"),
            ("Hello wor", "Hello world", "Hello world"),
            ("x", "y", "x"),
        ];
        for (text, tail, expect) in table {
            assert_eq!(joined(text, tail), expect);
        }
    }

    #[test]
    fn a_long_stream_is_not_read_again_at_every_word() {
        assert!(behind(0, 1, true) && behind(0, 16, false));
        assert!(!behind(800, 850, false) && behind(800, 900, false));
        assert!(!behind(5, 5, true));
    }
}
