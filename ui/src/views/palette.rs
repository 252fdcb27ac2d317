//! Everything by name: commands, nodes, runs; and the results under the search field. Fuzzy: letters in order.

use std::sync::Arc;

use egui::{Id, Key, Modal, Modifiers, Popup, Response, ScrollArea, Ui, pos2};

use super::{lay, outline};
use crate::action::{Action, Actions, Camera, Control, Verb};
use crate::app::run_title;
use crate::glyph::Glyph;
use crate::model::export::Export;
use crate::model::state::Overlay;
use crate::model::{DockTab, Model, Pane, Panel, Selection, Side, TimePosition};
use crate::theme::{Appearance, NodeKind, Size, Theme};
use crate::widgets::Field;

/// The query while the palette is open.
#[derive(Debug, Default)]
pub struct Scratch {
    query: String,
    at: usize,
    opened: bool,
    found: Vec<Entry>,
    /// The query that `found` fits, and the half second in which it was made.
    found_for: Option<(String, u64)>,
}

impl Scratch {
    /// Finds anew when the query changes; else, for what goes on meanwhile, twice a second.
    fn find(&mut self, model: &Model<'_>) {
        let wanted = (self.query.clone(), (model.time_s * 2.0) as u64);
        if self.found_for.as_ref() != Some(&wanted) {
            self.found = found(model, &wanted.0);
            self.found_for = Some(wanted);
        }
    }
}

/// Results listed.
const LISTED: usize = 200;

#[derive(Debug)]
struct Entry {
    name: String,
    about: String,
    key: &'static str,
    glyph: Glyph,
    actions: Vec<Action>,
}

fn entry(name: impl Into<String>, key: &'static str, glyph: Glyph, action: Action) -> Entry {
    Entry { name: name.into(), about: String::new(), key, glyph, actions: vec![action] }
}

/// Shows it.
pub(super) fn show(ui: &Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let frame = super::settings::dialog(theme).inner_margin(12);
    let response = Modal::new(Id::unique("palette")).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(560.0f32.min(ui.ctx().content_rect().width() - 60.0));
        let id = Id::unique("palette query");
        let (down, up, enter) = ui.input_mut(|input| {
            (
                input.consume_key(Modifiers::NONE, Key::ArrowDown),
                input.consume_key(Modifiers::NONE, Key::ArrowUp),
                input.consume_key(Modifiers::NONE, Key::Enter),
            )
        });
        let width = ui.available_width();
        let field =
            Field::new(&mut scratch.query, "Everything by name").hint("Type a command, a node or a run");
        let typed = field.glyph(Glyph::Search).width(width).id(id).show(ui);
        if !scratch.opened {
            typed.request_focus();
            scratch.opened = true;
        }
        if typed.changed() {
            scratch.at = 0;
        }
        ui.add_space(8.0);
        scratch.find(model);
        scratch.at = match (down, up) {
            (true, _) => scratch.at + 1,
            (_, true) => scratch.at.saturating_sub(1),
            _ => scratch.at,
        }
        .min(scratch.found.len().saturating_sub(1));
        list(ui, &scratch.found, scratch.at, enter, down || up, actions);
    });
    if response.should_close() {
        actions.push(Action::Overlay(Overlay::None));
    }
}

fn list(ui: &mut Ui, found: &[Entry], at: usize, enter: bool, moved: bool, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    if found.is_empty() {
        lay::prose(ui, "Nothing has this name.", c.text_tertiary, Theme::small());
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().max_height(380.0).auto_shrink([false, true]).show(ui, |ui| {
        for (index, entry) in found.iter().enumerate() {
            let (rect, response) = lay::row(ui, Size::ROW, index == at, &entry.name);
            let mid = rect.center().y;
            entry.glyph.paint(ui.painter(), pos2(rect.left() + 16.0, mid), 14.0, c.text_secondary);
            let key = lay::line(ui, entry.key, Theme::mono(), c.text_tertiary, 120.0);
            let right = lay::at_right(ui.painter(), rect.right() - 12.0, mid, key);
            let name = lay::line(ui, &entry.name, Theme::body(), c.text_primary, right - rect.left() - 44.0);
            let x = lay::at_left(ui.painter(), rect.left() + 32.0, mid, name);
            let about =
                lay::line(ui, &entry.about, Theme::small(), c.text_tertiary, (right - x - 16.0).max(8.0));
            lay::at_left(ui.painter(), x + 8.0, mid, about);
            if index == at && moved {
                response.scroll_to_me(None);
            }
            if response.clicked() || (enter && index == at) {
                actions.push(Action::Overlay(Overlay::None));
                for action in &entry.actions {
                    actions.push(action.clone());
                }
            }
        }
    });
}

/// What fits a query, the best first.
fn found(model: &Model<'_>, query: &str) -> Vec<Entry> {
    let mut all: Vec<(u32, Entry)> = commands(model)
        .into_iter()
        .chain(nodes(model))
        .chain(runs(model))
        .chain(compares(model))
        .chain(reports(model))
        .filter_map(|entry| Some((score(&format!("{} {}", entry.name, entry.about), query)?, entry)))
        .collect();
    all.sort_by_key(|(score, _)| *score);
    all.into_iter().take(LISTED).map(|(_, entry)| entry).collect()
}

/// How well a name fits: lower is better, `None` is not at all.
fn score(name: &str, query: &str) -> Option<u32> {
    let (name, query) = (name.to_lowercase(), query.trim().to_lowercase());
    if query.is_empty() {
        return Some(0);
    }
    if let Some(at) = name.find(&query) {
        return Some(at.min(500) as u32);
    }
    let mut letters = name.chars();
    let in_order = query.chars().filter(|c| !c.is_whitespace()).all(|wanted| letters.any(|c| c == wanted));
    in_order.then_some(1_000 + name.len() as u32)
}

fn commands(model: &Model<'_>) -> Vec<Entry> {
    let mut out = Vec::new();
    if let Some(hold) = model.state.current_hold() {
        let (run, pause): (Arc<str>, Arc<str>) = (hold.run.as_str().into(), hold.pause_id.as_str().into());
        for (verb, glyph) in [
            (Verb::Continue, Glyph::Run),
            (Verb::Step, Glyph::Step),
            (Verb::Retry, Glyph::Retried),
            (Verb::Inject, Glyph::Injected),
            (Verb::Edit, Glyph::Edit),
            (Verb::Abort, Glyph::Aborted),
        ] {
            let name = format!("{} {}", verb.word(), hold.name);
            out.push(entry(name, verb.key(), glyph, Action::Control(Control::plain(&run, &pause, verb))));
        }
    }
    let state = model.state;
    let pause = if state.debug.pause_on_error { "Do not hold at errors" } else { "Hold at errors" };
    out.extend([
        entry("Continue all holds", "", Glyph::Run, Action::ContinueAll { run: None }),
        entry("Pause all at their next gate", "", Glyph::Held, Action::PauseAll),
        entry("Run freely", "F5", Glyph::Run, Action::StepMode(false)),
        entry("Step: hold at every gate", "F10", Glyph::Step, Action::StepMode(true)),
        entry(pause, "", Glyph::Failed, Action::PauseOnError(!state.debug.pause_on_error)),
        entry("Run the demo", "", Glyph::Run, Action::StartDemo),
        entry("Open a recording", "Ctrl+O", Glyph::File, Action::OpenDialog),
        entry("Fit the graph", "Shift+F", Glyph::Fit, Action::Camera(Camera::Fit)),
        entry("Follow what runs", "F", Glyph::Follow, Action::Camera(Camera::ToggleFollow)),
        entry("Tidy the graph", "", Glyph::Fit, Action::Camera(Camera::Tidy)),
        entry("Go to live", "End", Glyph::Last, Action::Time(TimePosition::Live)),
        entry("Show or hide the left rail", "Ctrl+B", Glyph::Left, Action::TogglePanel(Panel::Rail)),
        entry("Show or hide the inspector", "Ctrl+I", Glyph::Right, Action::TogglePanel(Panel::Inspector)),
        entry("Show or hide the dock", "Ctrl+J", Glyph::Down, Action::TogglePanel(Panel::Dock)),
        entry("Reset layout", "", Glyph::Fit, Action::ResetLayout),
        entry("Dark", "", Glyph::Info, Action::Theme(Appearance::Dark)),
        entry("Light", "", Glyph::Info, Action::Theme(Appearance::Light)),
        entry("Appearance of the system", "", Glyph::Info, Action::Theme(Appearance::System)),
        entry("Settings", "Ctrl+,", Glyph::Info, Action::Overlay(Overlay::Settings)),
        entry("Copy a link to this place", "", Glyph::Copy, Action::CopyLink),
        entry("Prices of models", "", Glyph::Info, Action::Overlay(Overlay::Prices)),
        entry("All keys", "?", Glyph::Info, Action::Overlay(Overlay::Keys)),
    ]);
    if let Some(run) = state.exportable() {
        let ask = Action::Overlay(Overlay::Export(Export::of(&run)));
        out.push(entry("Export the run\u{2026}", "Ctrl+S", Glyph::File, ask));
    }
    out.extend(DockTab::ALL.map(|tab| {
        entry(format!("Show {}", tab.word().to_lowercase()), "", Glyph::Right, Action::Dock(tab))
    }));
    for pane in Pane::all().filter(|pane| *pane != Pane::Canvas) {
        out.extend(Side::ALL.map(|side| {
            let name = format!("{}: {}", pane.word(), side.words().to_lowercase());
            entry(name, "", Glyph::Right, Action::Place(pane, side))
        }));
    }
    out
}

fn nodes(model: &Model<'_>) -> Vec<Entry> {
    let Some(run) = model.run else { return Vec::new() };
    let node = |(ix, node): (graph::NodeIx, &graph::Node)| {
        let kind = NodeKind::from_word(node.kind.as_str());
        let id: Arc<str> = node.id.as_str().into();
        Entry {
            name: node.name.to_string(),
            about: format!("{} \u{B7} {}", kind.label(), outline::status(run, ix, model.at).word()),
            key: "",
            glyph: kind.glyph(),
            actions: vec![Action::Select(Selection::node(Arc::clone(&id))), Action::Reveal(id)],
        }
    };
    run.nodes_ix().take(5_000).map(node).collect()
}

fn runs(model: &Model<'_>) -> Vec<Entry> {
    let run = |run: &wire::viewer::RunSummary| Entry {
        name: format!("Open {}", run_title(run)),
        about: format!("{} \u{B7} {}", run.run, run.status),
        key: "",
        glyph: Glyph::File,
        actions: vec![Action::OpenRun(Arc::from(run.run.as_str()))],
    };
    model.state.runs.iter().take(2_000).map(run).collect()
}

/// Reports of imports, the newest first.
fn reports(model: &Model<'_>) -> Vec<Entry> {
    let report = |(at, report): (usize, &crate::model::report::Report)| Entry {
        name: format!("Report of {}", report.name),
        about: report.summary.clone(),
        key: "",
        glyph: Glyph::Info,
        actions: vec![Action::Overlay(Overlay::Report(at))],
    };
    model.state.reports.iter().enumerate().rev().map(report).collect()
}

/// Every other run, to compare with the shown one.
fn compares(model: &Model<'_>) -> Vec<Entry> {
    let shown = model.state.shown.as_deref();
    let others = model.state.runs.iter().filter(|run| shown.is_some_and(|shown| shown != run.run));
    let compare = |run: &wire::viewer::RunSummary| Entry {
        name: format!("Compare with {}", run_title(run)),
        about: format!("{} \u{B7} {}", run.run, run.status),
        key: "",
        glyph: Glyph::Diff,
        actions: vec![Action::Compare(Some(Arc::from(run.run.as_str())))],
    };
    others.take(500).map(compare).collect()
}

/// Nodes that match the search, under its field.
pub(super) fn search_results(ui: &Ui, field: &Response, model: &Model<'_>, actions: &mut Actions) {
    let search = model.state.search.trim();
    let (Some(run), Some(matches)) = (model.run, model.matches) else { return };
    if search.is_empty() || !field.has_focus() {
        return;
    }
    let enter = ui.input(|input| input.key_pressed(Key::Enter));
    Popup::from_response(field).id(Id::unique("search results")).width(320.0).open(true).show(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let c = &Theme::of(ui).colors;
        lay::prose(ui, &format!("{} found", matches.count()), c.text_tertiary, Theme::small());
        for (at, ix) in matches.nodes().take(12).enumerate() {
            let node = run.node(ix);
            let (rect, response) = lay::row(ui, Size::ROW, false, &format!("Found {}", node.name));
            let kind = NodeKind::from_word(node.kind.as_str());
            kind.glyph().paint(
                ui.painter(),
                pos2(rect.left() + 14.0, rect.center().y),
                14.0,
                kind.hue(Theme::of(ui)),
            );
            lay::at_left(
                ui.painter(),
                rect.left() + 30.0,
                rect.center().y,
                lay::line(ui, &node.name, Theme::body(), c.text_primary, rect.width() - 40.0),
            );
            if response.clicked() || response.is_pointer_button_down_on() || (enter && at == 0) {
                actions.push(Action::Select(Selection::node(node.id.as_str())));
                actions.push(Action::Reveal(node.id.as_str().into()));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn a_name_is_found_by_its_letters_in_order_and_better_by_its_words() {
        assert!(score("Run the demo", "demo").is_some_and(|s| s < 1_000));
        assert!(score("Run the demo", "rtd").is_some_and(|s| s >= 1_000));
        assert_eq!(score("Run the demo", "xyz"), None);
        assert!(score("Fit the graph", "fit") < score("Profit", "fit"));
    }
}
