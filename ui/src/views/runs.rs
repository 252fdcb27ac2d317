//! The list of runs: what they are called, how they stand, how long or how large they are.

use std::sync::Arc;

use egui::{Ui, pos2};
use wire::viewer::RunSummary;

use super::{lay, rail};
use crate::action::{Action, Actions};
use crate::app::run_title;
use crate::glyph::Glyph;
use crate::model::{Model, format};
use crate::theme::{Size, Status, Theme};
use crate::widgets::Field;

/// What the list keeps for itself.
#[derive(Debug, Default)]
pub struct Scratch {
    filter: String,
    all: bool,
    deleting: Option<String>,
}

/// Runs in the rail before the rest is folded away.
const SHORT: usize = 6;

/// The section in the rail.
pub(super) fn section(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    if model.state.runs.is_empty() {
        return rail::nothing(ui, "Runs appear here when an agent connects or a file is opened.");
    }
    list(ui, model, scratch, actions, false);
    ui.add_space(8.0);
}

/// The list itself; `filtered` adds a field to search it.
pub(super) fn list(
    ui: &mut Ui,
    model: &Model<'_>,
    scratch: &mut Scratch,
    actions: &mut Actions,
    filtered: bool,
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    if filtered {
        let width = ui.available_width();
        Field::new(&mut scratch.filter, "Filter runs")
            .hint("Filter by name, id or status")
            .glyph(Glyph::Search)
            .width(width)
            .show(ui);
        ui.add_space(6.0);
    }
    let needle = if filtered { scratch.filter.to_lowercase() } else { String::new() };
    let fits = |run: &&RunSummary| {
        let hay = format!("{} {} {} {}", run.app, run.run, run.status, run.source).to_lowercase();
        needle.split_whitespace().all(|word| hay.contains(word))
    };
    let runs: Vec<&RunSummary> = model.state.runs.iter().filter(fits).collect();
    let most = if filtered || scratch.all { runs.len() } else { SHORT };
    let most_shown = most.min(runs.len());
    if filtered {
        egui::ScrollArea::vertical().max_height(340.0).show_rows(ui, Size::ROW, most_shown, |ui, range| {
            for run in &runs[range] {
                row(ui, model, run, "Open", scratch, actions);
            }
        });
        if runs.is_empty() {
            rail::nothing(ui, "No run has these words.");
        }
        return;
    }
    for run in &runs[..most_shown] {
        row(ui, model, run, "Run", scratch, actions);
    }
    if runs.len() > SHORT {
        ui.horizontal(|ui| {
            ui.add_space(28.0);
            let text = if scratch.all {
                "Show fewer".to_owned()
            } else {
                format!("Show {} more", runs.len() - SHORT)
            };
            if lay::link(ui, &text).clicked() {
                scratch.all = !scratch.all;
            }
        });
    }
}

/// Glyph and colour of a run's state.
pub(crate) fn status(run: &RunSummary) -> Option<Status> {
    match run.status.as_str() {
        _ if !run.holds.is_empty() => Some(Status::Held),
        "ok" => Some(Status::Ok),
        "error" => Some(Status::Failed),
        "aborted" => Some(Status::Aborted),
        "abandoned" => Some(Status::Abandoned),
        "uncertain" => Some(Status::Uncertain),
        _ => None,
    }
}

fn row(
    ui: &mut Ui,
    model: &Model<'_>,
    run: &RunSummary,
    verb: &str,
    scratch: &mut Scratch,
    actions: &mut Actions,
) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let selected = model.state.shown.as_deref() == Some(run.run.as_str());
    let (rect, response) = lay::row(ui, Size::ROW, selected, &format!("{verb} {}", run.run));
    let (painter, mid) = (ui.painter(), rect.center().y);
    let mark = pos2(rect.left() + 16.0, mid);
    match status(run) {
        Some(status) => status.glyph().paint(painter, mark, 12.0, status.color(theme)),
        None if run.source != "live" => Glyph::File.paint(painter, mark, 14.0, c.text_secondary),
        None => {
            painter.circle_filled(mark, 4.0, c.status_ok);
        }
    }
    let right = lay::at_right(
        painter,
        rect.right() - 12.0,
        mid,
        lay::line(ui, &figure(run, model.now_ms), Theme::small(), c.text_tertiary, 110.0),
    );
    let name = label(run);
    lay::at_left(
        painter,
        rect.left() + 28.0,
        mid,
        lay::line(ui, &name, Theme::body(), c.text_primary, right - rect.left() - 36.0),
    );
    if response.clicked() {
        actions.push(Action::OpenRun(Arc::from(run.run.as_str())));
        ui.close();
    }
    let response = response.on_hover_text(about(run));
    response.context_menu(|ui| menu(ui, model, run, scratch, actions));
}

fn label(run: &RunSummary) -> String {
    let title = run_title(run);
    if title == run.run {
        title.to_owned()
    } else {
        format!("{title} \u{B7} {}", format::elide_middle(&run.run, 10))
    }
}

/// Live, or how long it took, or how many events a recording has.
fn figure(run: &RunSummary, now_ms: f64) -> String {
    match run.ended_ms {
        _ if run.live && run.status == "running" => "live".to_owned(),
        Some(end) if end > run.started_ms => format::duration(end - run.started_ms),
        _ if run.source != "live" => format::plural(run.events, "event"),
        _ => format!("{} ago", format::running((now_ms - run.started_ms).max(0.0))),
    }
}

fn about(run: &RunSummary) -> String {
    let holds = if run.holds.is_empty() { String::new() } else { format!(", {} held", run.holds.len()) };
    let status = format!("{}{holds}", if run.status.is_empty() { "running" } else { &run.status });
    let size =
        if run.size_bytes > 0 { format!(", {}", format::bytes(run.size_bytes)) } else { String::new() };
    format!(
        "{}\n{status}\n{}{size}\n{}",
        run.run,
        format::plural(run.events, "event"),
        run.sdk.as_deref().unwrap_or(&run.source)
    )
}

fn menu(ui: &mut Ui, model: &Model<'_>, run: &RunSummary, scratch: &mut Scratch, actions: &mut Actions) {
    if ui.button("Copy the run's id").clicked() {
        actions.push(Action::Copy { text: run.run_id.clone(), what: "the run's id" });
        ui.close();
    }
    super::compare::offer(ui, model, &run.run, actions);
    let sure = scratch.deleting.as_deref() == Some(run.run.as_str());
    let words = if sure { "Delete it with its journal?" } else { "Delete\u{2026}" };
    if ui.button(words).clicked() {
        if sure {
            actions.push(Action::DeleteRun(Arc::from(run.run.as_str())));
            scratch.deleting = None;
            ui.close();
        } else {
            scratch.deleting = Some(run.run.clone());
        }
    }
}
