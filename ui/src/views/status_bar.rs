//! The status bar: the connection, how much flows, what was lost, memory, holds, tokens, where in time.

use egui::{Align, Color32, Layout, Response, Role, Sense, Ui, UiBuilder, WidgetInfo, vec2};

use super::lay;
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::{DockTab, Model, TimePosition, format};
use crate::theme::Theme;
use crate::transport::Link;

/// Shows it.
pub fn show(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let rect = ui.max_rect();
    let theme = Theme::of(ui);
    ui.painter().hline(rect.x_range(), rect.top() + 0.5, egui::Stroke::new(1.0, theme.colors.line_subtle));
    let inner = rect.shrink2(vec2(12.0, 0.0));
    let mut left =
        ui.new_child(UiBuilder::new().max_rect(inner).layout(Layout::left_to_right(Align::Center)));
    left.spacing_mut().item_spacing.x = 16.0;
    connection(&mut left, model, actions);
    figures(&mut left, model, actions);
    let mut right =
        ui.new_child(UiBuilder::new().max_rect(inner).layout(Layout::right_to_left(Align::Center)));
    right.spacing_mut().item_spacing.x = 16.0;
    time(&mut right, model, actions);
    tokens(&mut right, model);
    holds(&mut right, model, actions);
}

enum Mark {
    None,
    Disc(Color32),
    Glyph(Glyph, Color32),
}

fn item(ui: &mut Ui, mark: &Mark, text: &str, color: Color32, clickable: bool) -> Response {
    let words = lay::line(ui, text, Theme::small(), color, 420.0);
    let lead = match mark {
        Mark::None => 0.0,
        _ => 14.0,
    };
    let sense = if clickable { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(words.size().x + lead, 20.0), sense);
    let role = if clickable { Role::Button } else { Role::Label };
    response.widget_info(|| WidgetInfo::labeled(role, true, text));
    let at = egui::pos2(rect.left() + 4.0, rect.center().y);
    match mark {
        Mark::None => {}
        Mark::Disc(color) => {
            ui.painter().circle_filled(at, 4.0, *color);
        }
        Mark::Glyph(glyph, color) => glyph.paint(ui.painter(), at + vec2(1.0, 0.0), 12.0, *color),
    }
    lay::at_left(ui.painter(), rect.left() + lead, rect.center().y, words);
    crate::widgets::focus_ring(ui, &response, 4);
    if clickable { response.on_hover_cursor(egui::CursorIcon::PointingHand) } else { response }
}

fn connection(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let address = &model.state.address;
    // A page that carries its recording has no server that programs could connect to.
    let alone = model.state.server.as_ref().is_some_and(|server| server.ingest_url.is_empty());
    let (text, color) = match &model.state.link {
        Link::Open if alone => (format!("Recording \u{B7} {address}"), c.text_tertiary),
        Link::Open if model.state.server.is_none() => (format!("Waiting for {address}"), c.status_running),
        Link::Open if model.state.runs.iter().any(|run| run.live) => {
            (format!("Connected \u{B7} {address}"), c.status_ok)
        }
        Link::Open => (format!("Listening \u{B7} {address}"), c.status_ok),
        Link::Connecting => (format!("Connecting to {address}"), c.status_running),
        Link::Retrying { attempt, wait_s } => {
            let wait = wait_s.ceil().max(1.0);
            (
                format!("Connection lost \u{B7} attempt {attempt} in {wait:.0} s \u{B7} Try now"),
                c.status_failed,
            )
        }
        Link::Down { reason } => (format!("{reason} \u{B7} Try again"), c.status_failed),
    };
    let lost = matches!(model.state.link, Link::Retrying { .. } | Link::Down { .. });
    let words = if lost { c.status_failed } else { c.text_primary };
    let response = item(ui, &Mark::Disc(color), &text, words, lost);
    if response.clicked() {
        actions.push(Action::Reconnect);
    }
    if let Some(server) = model.state.server.as_ref().filter(|_| !alone) {
        response
            .on_hover_text(format!("Programs connect to {}\nVersion {}", server.ingest_url, server.version));
    }
}

fn figures(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let Some(stats) = model.state.stats else { return };
    if stats.connections == 0 {
        item(ui, &Mark::None, "No agent connected", c.text_secondary, false);
    } else {
        let rate = format!("{} events/s", format::count(stats.events_per_s.round().max(0.0) as u64));
        item(ui, &Mark::None, &rate, c.text_secondary, false)
            .on_hover_text(format::plural(u64::from(stats.connections), "program") + " connected");
    }
    let gaps = if stats.gaps == 0 { "no gaps".to_owned() } else { format::plural(stats.gaps, "gap") };
    let lost = format!("{} dropped \u{B7} {gaps}", format::count(stats.dropped));
    let bad = stats.gaps > 0 || stats.dropped > 0;
    let color = if bad { c.status_failed } else { c.text_secondary };
    let response = item(ui, &Mark::None, &lost, color, bad);
    if response.clicked() {
        actions.push(Action::Dock(DockTab::Console));
    }
    if ui.available_width() > 500.0 {
        item(ui, &Mark::None, &format::bytes(stats.memory_bytes), c.text_secondary, false)
            .on_hover_text("Memory of the debugger's server");
    }
}

fn holds(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let count = model.state.hold_count();
    if count == 0 {
        return;
    }
    let mark = Mark::Glyph(Glyph::Held, c.status_held);
    if item(ui, &mark, &format!("{count} held"), c.status_held, true).clicked()
        && let Some(hold) = model.state.holds().next()
    {
        actions.push(Action::OpenRun(hold.run.as_str().into()));
        actions.push(Action::Reveal(hold.node_id.as_str().into()));
    }
}

fn tokens(ui: &mut Ui, model: &Model<'_>) {
    let c = &Theme::of(ui).colors;
    let Some(usage) = model.run.map(graph::Run::usage).filter(|usage| usage.total > 0) else { return };
    let about = format!(
        "Fresh input {}\nCache read {}\nCache write {}\nOutput {}\n  of it reasoning {}\nTotal {}",
        format::count(usage.fresh),
        format::count(usage.cache_read),
        format::count(usage.cache_write),
        format::count(usage.output),
        format::count(usage.reasoning),
        format::count(usage.total)
    );
    let text = format!("{} tokens", format::count(usage.total));
    item(ui, &Mark::None, &text, c.text_secondary, false).on_hover_text(about);
}

fn time(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let Some(run) = model.state.shown_run() else { return };
    let total = model.run.map_or(run.events, graph::Run::event_count);
    match model.state.time {
        TimePosition::At(seq) => {
            let last = model.run.and_then(graph::Run::last_seq).unwrap_or(total);
            let text = format!("At event {} of {}", format::count(seq), format::count(last));
            if item(ui, &Mark::None, &text, c.accent, true)
                .on_hover_text("Go back to the end (End)")
                .clicked()
            {
                actions.push(Action::Time(TimePosition::Live));
            }
        }
        TimePosition::Live if run.live => {
            let text = format!("Live \u{B7} event {}", format::count(total));
            item(ui, &Mark::Disc(c.status_ok), &text, c.status_ok, false);
        }
        TimePosition::Live => {
            item(ui, &Mark::None, &format::plural(total, "event"), c.text_secondary, false);
        }
    }
}
