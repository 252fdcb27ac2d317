//! The dock: timeline, events, streams, state and console, each a tab that can be dragged elsewhere. Here are what a tab
//! shows, what is counted on it and what stands beside it.

use egui::Ui;

use super::{Scratch, console, events, lay, moments, streams, timeline};
use crate::action::Actions;
use crate::model::{DockTab, Model, format};
use crate::theme::Theme;

/// Shows one tab's content.
pub(super) fn show(
    ui: &mut Ui,
    tab: DockTab,
    model: &Model<'_>,
    scratch: &mut Scratch,
    actions: &mut Actions,
) {
    match tab {
        DockTab::Timeline => timeline::show(ui, model, &mut scratch.timeline, actions),
        DockTab::Events => events::show(ui, model, &mut scratch.events, actions),
        DockTab::Streams => streams::show(ui, model, &mut scratch.streams, actions),
        DockTab::State => moments::show(ui, model, &mut scratch.moments, actions),
        DockTab::Console => console::show(ui, model, actions),
    }
}

/// What is counted on a tab; empty for nothing.
pub(super) fn count(tab: DockTab, model: &Model<'_>) -> String {
    match tab {
        DockTab::Events => format::count(model.run.map_or(0, graph::Run::event_count)),
        DockTab::Streams => match streams::open(model) {
            0 => String::new(),
            open => format::count(open as u64),
        },
        _ => String::new(),
    }
}

/// The legend or the filters of a tab, right of the tabs.
pub(super) fn tools(ui: &mut Ui, tab: DockTab, scratch: &mut Scratch) {
    match tab {
        DockTab::Timeline => timeline::legend(ui, &mut scratch.timeline),
        DockTab::Events => events::filters(ui, &mut scratch.events),
        DockTab::State => moments::tools(ui, &mut scratch.moments),
        _ => {}
    }
}

/// A quiet sentence where a tab has nothing to show.
pub(super) fn nothing(ui: &mut Ui, text: &str) {
    let c = &Theme::of(ui).colors;
    egui::Frame::NONE.inner_margin(16).show(ui, |ui| lay::prose(ui, text, c.text_tertiary, Theme::small()));
}
