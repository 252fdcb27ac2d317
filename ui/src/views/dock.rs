//! The dock: timeline, events, streams and console, one at a time.

use egui::{Align, Layout, Rect, Ui, UiBuilder, pos2, vec2};

use super::{Scratch, console, events, lay, streams, timeline};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::{DockTab, Model, Panel, format};
use crate::theme::{Size, Theme};
use crate::widgets::{IconButton, Tab};

/// Shows it.
pub fn show(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let rect = ui.max_rect();
    let c = &Theme::of(ui).colors;
    ui.painter().hline(rect.x_range(), rect.top() + 0.5, egui::Stroke::new(1.0, c.line_subtle));
    let strip = Rect::from_min_size(rect.min, vec2(rect.width(), Size::TABS));
    tabs(ui, strip, model, scratch, actions);
    let body = Rect::from_min_max(pos2(rect.left(), strip.bottom()), rect.max);
    let mut child = ui.new_child(UiBuilder::new().max_rect(body).layout(Layout::top_down(Align::Min)));
    child.set_clip_rect(body.intersect(ui.clip_rect()));
    match model.state.dock {
        DockTab::Timeline => timeline::show(&mut child, model, &mut scratch.timeline, actions),
        DockTab::Events => events::show(&mut child, model, &mut scratch.events, actions),
        DockTab::Streams => streams::show(&mut child, model, &mut scratch.streams, actions),
        DockTab::Console => console::show(&mut child, model, actions),
    }
}

fn tabs(ui: &mut Ui, strip: Rect, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let inner = strip.shrink2(vec2(16.0, 0.0));
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(inner).layout(Layout::left_to_right(Align::Center)));
    child.spacing_mut().item_spacing.x = 16.0;
    for tab in DockTab::ALL {
        let count = match tab {
            DockTab::Events => format::count(model.run.map_or(0, graph::Run::event_count)),
            DockTab::Streams => count_of(streams::open(model)),
            _ => String::new(),
        };
        if child.add(Tab { text: tab.word(), count: &count, active: model.state.dock == tab }).clicked() {
            actions.push(Action::Dock(tab));
        }
    }
    let mut right = ui.new_child(
        UiBuilder::new().max_rect(strip.shrink2(vec2(8.0, 0.0))).layout(Layout::right_to_left(Align::Center)),
    );
    right.spacing_mut().item_spacing.x = 8.0;
    if right.add(IconButton::new(Glyph::Down, "Hide the dock").key("Ctrl+J")).clicked() {
        actions.push(Action::TogglePanel(Panel::Dock));
    }
    match model.state.dock {
        DockTab::Timeline => timeline::legend(&mut right, &mut scratch.timeline),
        DockTab::Events => events::filters(&mut right, &mut scratch.events),
        _ => {}
    }
}

fn count_of(n: usize) -> String {
    if n == 0 { String::new() } else { format::count(n as u64) }
}

/// A quiet sentence where a tab has nothing to show.
pub(super) fn nothing(ui: &mut Ui, text: &str) {
    let c = &Theme::of(ui).colors;
    egui::Frame::NONE.inner_margin(16).show(ui, |ui| lay::prose(ui, text, c.text_tertiary, Theme::small()));
}
