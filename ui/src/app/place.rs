//! The window's place in its address: followed when it is opened or changed, kept up to date while one looks around.

use std::sync::Arc;

use super::App;
use crate::Action;
use crate::model::place::Place;
use crate::model::toasts::Level;
use crate::model::{Selection, TimePosition};

impl App {
    /// Looks where a link leads, once its run is known.
    pub(super) fn follow_link_to(&mut self, fragment: &str) {
        self.goto = Place::read(fragment).filter(|place| self.here().as_ref() != Some(place));
        if self.state.online() {
            self.arrive();
        }
    }

    /// Goes where a link leads if that run is here, and says so if it is not. While no run is here one may come.
    pub(super) fn arrive(&mut self) {
        let Some(place) = self.goto.take_if(|_| !self.state.runs.is_empty()) else { return };
        if self.state.run(&place.run).is_none() {
            let why = format!("There is no run {} here.", place.run);
            return self.say(Level::Failed, "The link leads nowhere", why);
        }
        let key: Arc<str> = place.run.as_str().into();
        self.state.chosen = true;
        if self.shown().as_ref() != Some(&key) {
            self.watch(&key);
        }
        // Who follows a link wants to be where it leads, not at what is held there.
        let held = self.state.run(&place.run).into_iter().flat_map(|run| &run.holds);
        self.known_holds.extend(held.map(|hold| (hold.run.clone(), hold.pause_id.clone())));
        let arc = |text: Option<String>| text.map(Arc::from);
        self.state.selection =
            Selection { node: arc(place.node), instance: arc(place.instance), seq: place.seq };
        self.state.time = place.seq.map_or(TimePosition::Live, TimePosition::At);
        if let Some(node) = self.state.selection.node.clone() {
            self.actions.push(Action::Reveal(node));
        }
    }

    fn here(&self) -> Option<Place> {
        let run = self.state.shown.as_deref()?;
        Some(Place::of(run, &self.state.selection, self.state.time))
    }

    /// Keeps the address at what is shown.
    pub(super) fn keep_place(&mut self) {
        // A recording that plays would write an address a moment.
        if self.state.play.is_some() {
            return;
        }
        let fragment = self.here().map(|place| place.fragment()).unwrap_or_default();
        if fragment != self.fragment {
            self.platform.set_fragment(&fragment);
            self.fragment = fragment;
        }
    }

    /// Copies a link to what is shown.
    pub(super) fn copy_link(&mut self, ctx: &egui::Context) {
        let page = self.state.server.as_ref().map(|server| server.viewer_url.clone()).unwrap_or_default();
        let Some(place) = self.here().filter(|_| !page.is_empty()) else { return };
        let page = page.split('#').next().unwrap_or_default();
        ctx.copy_text(format!("{page}#{}", place.fragment()));
        self.say(Level::Done, "Copied a link to this place", "Paste it into a tab that shows the viewer.");
    }
}
