//! The Stream tab: text and reasoning as they arrive; the whole of it is read when it is looked at.

use std::sync::Arc;

use egui::Ui;

use super::Place;
use crate::action::{Action, Actions};
use crate::model::format;
use crate::model::rows::Rows;
use crate::theme::Theme;
use crate::views::{lay, text_view};

/// Shows it.
pub(super) fn show(ui: &mut Ui, place: &Place<'_>, rows: &mut Rows, actions: &mut Actions) {
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
    if known.is_none_or(|text| !text.waiting && text.failed.is_none() && text.pieces < stats.deltas) {
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
        let shown: String = text.reasoning.chars().take(600).collect();
        lay::prose(ui, &shown, c.text_tertiary, Theme::small());
        ui.add_space(6.0);
    }
    let whole = known.map(|text| Arc::clone(&text.text)).filter(|text| !text.is_empty());
    let tail = || match named {
        Some((ix, _)) => place.run.tail(ix),
        None => place.run.unattributed_tail(place.ix),
    };
    let text = whole.unwrap_or_else(|| Arc::from(tail()));
    text_view::show(ui, "stream", &text, rows, true);
}
