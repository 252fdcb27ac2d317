//! One pass: the verbs, then painting. The order of the panels decides who gets the room.

use egui::{Frame, Panel as EguiPanel};

use super::App;
use crate::model::{Model, Panel};
use crate::theme::{Size, Theme};
use crate::views;

impl App {
    /// Runs a pass in `ui`, which fills the window.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        let ctx = ui.ctx().clone();
        self.time_s = ctx.input(|input| input.time);
        self.theme(&ctx);
        let more = self.receive();
        self.keys(&ctx);
        self.dispatch(&ctx);
        self.refresh(&ctx);
        self.paint(ui);
        if more || !self.actions.is_empty() {
            ctx.request_repaint();
        }
    }

    fn theme(&mut self, ctx: &egui::Context) {
        if self.themed {
            return;
        }
        if self.fonts {
            Theme::apply(ctx, self.state.layout.theme);
        } else {
            Theme::install(ctx, self.state.layout.theme);
            self.fonts = true;
        }
        self.themed = true;
    }

    fn paint(&mut self, ui: &mut egui::Ui) {
        let run = self.state.shown.as_deref().and_then(|key| self.store.run(&graph::RunKey::from(key)));
        let model = Model {
            state: &self.state,
            run,
            now_ms: self.platform.now_ms(),
            time_s: self.time_s,
            reduced_motion: self.platform.reduced_motion(),
        };
        let (scratch, actions) = (&mut self.scratch, &mut self.actions);
        let layout = &self.state.layout;
        let chrome = Frame::NONE.fill(Theme::of(ui).colors.surface_chrome);
        let empty = model.state.shown.is_none();
        EguiPanel::top("control bar")
            .exact_size(Size::BAR)
            .frame(chrome)
            .resizable(false)
            .show_separator_line(false)
            .show(ui, |ui| filled(ui, |ui| views::control_bar::show(ui, &model, scratch, actions)));
        EguiPanel::bottom("status bar")
            .exact_size(Size::STATUS_BAR)
            .frame(chrome)
            .resizable(false)
            .show_separator_line(false)
            .show(ui, |ui| filled(ui, |ui| views::status_bar::show(ui, &model, actions)));
        if layout.rail {
            let shown = EguiPanel::left("rail")
                .default_size(layout.rail_width)
                .size_range(180.0..=400.0)
                .frame(chrome)
                .show_separator_line(false)
                .show(ui, |ui| filled(ui, |ui| views::rail::show(ui, &model, scratch, actions)));
            resized(ui, Panel::Rail, layout.rail_width, shown.response.rect.width(), actions);
        }
        if layout.inspector && !empty {
            let shown = EguiPanel::right("inspector")
                .default_size(layout.inspector_width)
                .size_range(300.0..=640.0)
                .frame(chrome)
                .show_separator_line(false)
                .show(ui, |ui| filled(ui, |ui| views::inspector::show(ui, &model, scratch, actions)));
            resized(ui, Panel::Inspector, layout.inspector_width, shown.response.rect.width(), actions);
        }
        if layout.dock && !empty {
            let most = (ui.available_height() * 0.6).max(120.0);
            let shown = EguiPanel::bottom("dock")
                .default_size(layout.dock_height)
                .size_range(120.0..=most)
                .frame(chrome)
                .resizable(true)
                .show_separator_line(false)
                .show(ui, |ui| filled(ui, |ui| views::dock::show(ui, &model, scratch, actions)));
            resized(ui, Panel::Dock, layout.dock_height, shown.response.rect.height(), actions);
        }
        let canvas = Frame::NONE.fill(Theme::of(ui).colors.surface_canvas);
        egui::CentralPanel::no_frame().frame(canvas).show(ui, |ui| {
            if empty {
                views::empty::show(ui, &model, scratch, actions);
            } else {
                views::stage::show(ui, &model, self.scene.model(), scratch, actions);
            }
        });
        views::overlays(ui, &model, scratch, actions);
    }
}

/// A panel is as large as it was made, whatever is in it: otherwise it shrinks to its words.
fn filled(ui: &mut egui::Ui, add: impl FnOnce(&mut egui::Ui)) {
    ui.expand_to_include_rect(ui.max_rect());
    add(ui);
}

/// Remembers a dragged size once the pointer is up.
fn resized(ui: &egui::Ui, panel: Panel, known: f32, seen: f32, actions: &mut crate::Actions) {
    let dragging = ui.input(|input| input.pointer.any_down());
    if !dragging && (known - seen).abs() > 1.0 && seen > 1.0 {
        actions.push(crate::Action::PanelSize(panel, seen));
    }
}
