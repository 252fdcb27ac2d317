//! The views: functions over a borrowed model that paint and push actions. They hold nothing but [`Scratch`], small
//! things that matter only to themselves (scroll positions, half-typed filters, indices over a text).

pub mod breakpoints;
pub mod canvas;
pub mod compare;
pub mod console;
pub mod control_bar;
pub mod dock;
pub mod editor;
pub mod empty;
pub mod events;
mod export;
pub mod holds;
mod imports;
pub mod inspector;
pub mod json_view;
pub mod keys;
pub mod lay;
mod minimap;
pub(crate) mod mismatch;
pub mod moments;
pub mod outline;
pub mod palette;
pub mod panes;
pub mod prices;
pub mod rail;
pub mod report;
pub mod runs;
pub mod settings;
pub mod snippets;
pub mod stage;
pub mod status_bar;
pub mod streams;
pub mod text_view;
pub mod timeline;
pub mod toasts;

use crate::action::Actions;
use crate::model::Model;
use crate::model::state::Overlay;

/// What views keep for themselves between passes.
#[derive(Debug, Default)]
pub struct Scratch {
    /// How the window is divided.
    pub panes: crate::model::Panes,
    /// The canvas: camera and caches.
    pub canvas: canvas::CanvasScratch,
    /// Half-typed search.
    pub search: String,
    /// Filter of the run list.
    pub runs: runs::Scratch,
    /// The form for a new breakpoint.
    pub breakpoints: breakpoints::Scratch,
    /// Closed rows of the outline.
    pub outline: outline::Scratch,
    /// Prices as they are typed.
    pub prices: prices::Scratch,
    /// The palette's query.
    pub palette: palette::Scratch,
    /// Bodies as trees and text.
    pub inspector: inspector::Scratch,
    /// The event list.
    pub events: events::Scratch,
    /// Zoom of the timeline.
    pub timeline: timeline::Scratch,
    /// Moments of a graph and their values.
    pub moments: moments::Scratch,
    /// Streams as rows.
    pub streams: streams::Scratch,
    /// The chosen language of the snippets.
    pub empty: empty::Scratch,
}

/// What lies over everything: messages, palette, keys, settings, the drop hint.
pub fn overlays(ui: &mut egui::Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    toasts::show(ui, model, actions);
    match &model.state.overlay {
        Overlay::None => {
            scratch.palette = palette::Scratch::default();
            scratch.prices = prices::Scratch::default();
        }
        Overlay::Palette => palette::show(ui, model, &mut scratch.palette, actions),
        Overlay::Keys => keys::show(ui, actions),
        Overlay::Settings => settings::show(ui, model, actions),
        Overlay::Prices => prices::show(ui, model, &mut scratch.prices, actions),
        Overlay::Report(at) => report::show(ui, model, *at, actions),
        Overlay::Export(ask) => export::show(ui, model, ask, actions),
    }
    if model.state.dragging {
        empty::drop_hint(ui);
    }
}
