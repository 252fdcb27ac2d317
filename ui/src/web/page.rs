//! The window as an eframe app: one pass, the files a browser drops, and the word to the shell that it has painted.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::{Inbox, frames, shell};
use crate::App;
use crate::platform::Incoming;

/// The app and what only a page has to do.
pub(super) struct Page {
    app: App,
    inbox: Inbox,
    passes: u32,
}

impl Page {
    pub(super) fn new(app: App, inbox: Inbox) -> Self {
        Self { app, inbox, passes: 0 }
    }

    /// In a browser a drop gives names and bytes; in the shell the paths come from the shell.
    fn take_drops(&self, ctx: &egui::Context) {
        for file in ctx.input(|input| input.raw.dropped_files.clone()) {
            let (inbox, ctx) = (Rc::clone(&self.inbox), ctx.clone());
            spawn_local(async move {
                let name = file.path().to_string_lossy().into_owned();
                let incoming = match file.bytes_async().await {
                    Ok(bytes) => Incoming::Bytes { name, bytes },
                    Err(reason) => Incoming::Failed { reason: format!("{name}: {reason}") },
                };
                inbox.borrow_mut().push_back(incoming);
                frames::wake(&ctx);
            });
        }
    }
}

impl eframe::App for Page {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.take_drops(&ui.ctx().clone());
        self.app.show(ui);
        self.passes = self.passes.saturating_add(1);
        match self.passes {
            1 => ui.ctx().request_repaint(),
            // The first pass is on the screen once the second one begins.
            2 => shell::tell("painted"),
            _ => {}
        }
    }
}
