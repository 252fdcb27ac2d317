//! One pass: the verbs, then painting. The two bars take their room first, the panes divide the rest.

use egui::{Frame, Panel as EguiPanel};

use super::App;
use crate::model::Model;
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
        let other = self
            .state
            .compare
            .as_ref()
            .and_then(|compare| self.store.run(&graph::RunKey::from(&*compare.first)));
        let model = Model {
            state: &self.state,
            run,
            other,
            at: self.changed.at(),
            matches: self.scene.matches(),
            now_ms: self.platform.now_ms(),
            time_s: self.time_s,
            reduced_motion: self.platform.reduced_motion(),
        };
        let (scratch, actions) = (&mut self.scratch, &mut self.actions);
        let chrome = Frame::NONE.fill(Theme::of(ui).colors.surface_chrome);
        if let Some(why) = &self.state.mismatch {
            views::mismatch::show(ui, why, actions);
        }
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
        let place = views::panes::Place { model: &model, scene: self.scene.model() };
        views::panes::show(ui, &place, scratch, actions);
        views::overlays(ui, &model, scratch, actions);
    }
}

/// A panel is as large as it was made, whatever is in it: otherwise it shrinks to its words.
fn filled(ui: &mut egui::Ui, add: impl FnOnce(&mut egui::Ui)) {
    ui.expand_to_include_rect(ui.max_rect());
    add(ui);
}
