//! The list of runs: what they are called, how they stand, how long or how large they are.

use std::sync::Arc;

use egui::{Ui, pos2};
use wire::viewer::RunSummary;

use super::{lay, rail};
use crate::action::{Action, Actions};
use crate::app::run_title;
use crate::glyph::Glyph;
use crate::model::export::Export;
use crate::model::state::Overlay;
use crate::model::{Model, family, format};
use crate::theme::{Size, Status, Theme};
use crate::widgets::Field;

/// What the list keeps for itself.
#[derive(Debug, Default)]
pub struct Scratch {
    filter: String,
    all: bool,
    deleting: Option<String>,
    /// The whole list, and the list that fits the filter.
    rows: [Rows; 2],
}

/// Places of runs in the order they are listed in, with their depth; made anew when runs or filter change.
#[derive(Debug, Default)]
struct Rows {
    of: Option<(u64, String)>,
    rows: Vec<(usize, u32)>,
}

impl Rows {
    fn see(&mut self, model: &Model<'_>, filter: &str) {
        let of = (model.state.runs_revision, filter.to_lowercase());
        if self.of.as_ref() == Some(&of) {
            return;
        }
        let fits = |run: &RunSummary| {
            let hay = format!("{} {} {} {}", run.app, run.run, run.status, run.source).to_lowercase();
            of.1.split_whitespace().all(|word| hay.contains(word))
        };
        let all = &model.state.runs;
        let found: Vec<usize> = (0..all.len()).filter(|at| of.1.is_empty() || fits(&all[*at])).collect();
        let runs: Vec<&RunSummary> = found.iter().map(|at| &all[*at]).collect();
        self.rows = family::tree(&runs).into_iter().map(|(at, depth)| (found[at], depth)).collect();
        self.of = Some(of);
    }
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
    let mut rows = std::mem::take(&mut scratch.rows[usize::from(filtered)]);
    rows.see(model, if filtered { &scratch.filter } else { "" });
    if filtered {
        egui::ScrollArea::vertical().max_height(340.0).show_rows(
            ui,
            Size::ROW,
            rows.rows.len(),
            |ui, range| {
                for at in &rows.rows[range] {
                    row(ui, model, *at, "Open", scratch, actions);
                }
            },
        );
        if rows.rows.is_empty() {
            rail::nothing(ui, "No run has these words.");
        }
    } else {
        short(ui, model, &rows.rows, scratch, actions);
    }
    scratch.rows[usize::from(filtered)] = rows;
}

/// The newest runs, and all of them when asked; only the rows in view are made.
fn short(
    ui: &mut Ui,
    model: &Model<'_>,
    runs: &[(usize, u32)],
    scratch: &mut Scratch,
    actions: &mut Actions,
) {
    let shown = if scratch.all { runs.len() } else { SHORT.min(runs.len()) };
    lay::rows_in_view(ui, Size::ROW, shown, |ui, at| row(ui, model, runs[at], "Run", scratch, actions));
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
    (at, depth): (usize, u32),
    verb: &str,
    scratch: &mut Scratch,
    actions: &mut Actions,
) {
    let Some(run) = model.state.runs.get(at) else { return };
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let indent = Size::INDENT * depth.min(8) as f32;
    let selected = model.state.shown.as_deref() == Some(run.run.as_str());
    let (rect, response) = lay::row(ui, Size::ROW, selected, &format!("{verb} {}", run.run));
    let (painter, mid) = (ui.painter(), rect.center().y);
    let mark = pos2(rect.left() + 16.0 + indent, mid);
    if depth > 0 {
        // The corner of a branch: this run was started by the one above it.
        let stroke = egui::Stroke::new(1.0, c.line_strong);
        let x = mark.x - Size::INDENT / 2.0 - 4.0;
        painter.vline(x, rect.top()..=mid, stroke);
        painter.hline(x..=x + 6.0, mid, stroke);
    }
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
        rect.left() + 28.0 + indent,
        mid,
        lay::line(ui, &name, Theme::body(), c.text_primary, right - rect.left() - 36.0 - indent),
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
    let above = run.parent.as_ref().map(|parent| format!("\nstarted by {parent}")).unwrap_or_default();
    let size =
        if run.size_bytes > 0 { format!(", {}", format::bytes(run.size_bytes)) } else { String::new() };
    format!(
        "{}\n{status}\n{}{size}\n{}{above}",
        run.run,
        format::plural(run.events, "event"),
        run.sdk.as_deref().unwrap_or(&run.source)
    )
}

fn menu(ui: &mut Ui, model: &Model<'_>, run: &RunSummary, scratch: &mut Scratch, actions: &mut Actions) {
    if model.state.shown.as_deref() == Some(run.run.as_str())
        && ui.button("Copy a link to this place").clicked()
    {
        actions.push(Action::CopyLink);
        ui.close();
    }
    if ui.button("Copy the run's id").clicked() {
        actions.push(Action::Copy { text: run.run_id.clone(), what: "the run's id" });
        ui.close();
    }
    super::compare::offer(ui, model, &run.run, actions);
    if model.state.server.as_ref().is_some_and(|server| server.export)
        && ui.button("Export\u{2026}").clicked()
    {
        actions.push(Action::Overlay(Overlay::Export(Export::of(&run.run))));
        ui.close();
    }
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
