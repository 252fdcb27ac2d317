//! Figures of an instance: state, model, time without time at gates, tokens; and of the whole run when nothing is
//! selected.

use egui::{Ui, vec2};
use graph::{Run, Usage};

use super::{Place, node_status, status};
use crate::action::{Action, Actions};
use crate::app::run_title;
use crate::model::export::Export;
use crate::model::state::Overlay;
use crate::model::{Model, format};
use crate::theme::{Size, Theme};
use crate::views::lay;
use crate::widgets::Button;

/// Runs listed that the shown one has started.
const KIN_MAX: usize = 24;

/// One row: what and how much.
fn row(ui: &mut Ui, what: &str, text: &str, mono: bool) {
    let c = &Theme::of(ui).colors;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), Size::FIGURE_ROW), egui::Sense::hover());
    let name = format!("{what} {text}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &name));
    let mid = rect.center().y;
    lay::at_left(ui.painter(), rect.left(), mid, lay::line(ui, what, Theme::body(), c.text_secondary, 96.0));
    let font = if mono { Theme::mono() } else { Theme::body() };
    lay::at_left(
        ui.painter(),
        rect.left() + 96.0,
        mid,
        lay::line(ui, text, font, c.text_primary, rect.width() - 96.0),
    );
}

/// State, model and time of the instance.
pub(super) fn instance(ui: &mut Ui, place: &Place<'_>) {
    let theme = Theme::of(ui);
    let Some((ix, instance)) = place.instance else {
        let status = node_status(place);
        lay::prose(ui, &capital(status.word()), status.color(theme), Theme::body());
        ui.add_space(4.0);
        return;
    };
    let status = status(place.model, place.run, ix, instance);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), Size::FIGURE_ROW), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, status.word()));
    let mid = rect.center().y;
    status.glyph().paint(ui.painter(), egui::pos2(rect.left() + 6.0, mid), 12.0, status.color(theme));
    let word = lay::line(ui, status.word(), Theme::body(), status.color(theme), 200.0);
    let x = lay::at_left(ui.painter(), rect.left() + 20.0, mid, word);
    let time = took(place, instance);
    lay::at_left(
        ui.painter(),
        x + 8.0,
        mid,
        lay::line(ui, &time, Theme::body(), theme.colors.text_secondary, rect.width() - 120.0),
    );
    if let Some(model) = place.run.model(ix) {
        row(ui, "Model", model, true);
    }
    if instance.retried > 0 {
        row(ui, "Retried", &format::plural(u64::from(instance.retried), "time"), false);
    }
}

/// The hold that this instance waits at.
fn open_hold<'a>(place: &Place<'a>) -> Option<&'a graph::Hold> {
    let (ix, _) = place.instance?;
    let mut holds = place.node.holds.iter().rev().take(256).copied();
    let held = |at: graph::HoldIx| match place.model.at {
        Some(moment) => moment.is_held(place.run, at),
        None => place.run.is_held(place.run.hold(at)),
    };
    let found = holds.find(|at| place.run.hold(*at).instance == Some(ix) && held(*at))?;
    Some(place.run.hold(found))
}

/// `14.2 s, first token after 1.31 s, held 0:08`.
fn took(place: &Place<'_>, instance: &graph::Instance) -> String {
    let mut parts = Vec::new();
    if let Some(hold) = open_hold(place) {
        let point = crate::model::events::point(hold.point.as_str());
        if place.model.at.is_some() {
            return point.to_owned();
        }
        return format!("{} {point}", format::clock(place.model.now_ms - hold.paused.ts));
    }
    if instance.ended.is_none_or(|end| place.model.is_later(end.seq)) && place.model.at.is_some() {
        return String::new();
    }
    match (instance.run_ms(), instance.started, instance.ended) {
        (Some(ms), ..) => parts.push(format::duration(ms)),
        (None, Some(start), Some(end)) => parts.push(format::duration(end.ts - start.ts)),
        (None, Some(start), None) if place.run.is_live() => {
            parts.push(format::running(place.model.now_ms - start.ts));
        }
        _ => {}
    }
    if let (Some(start), Some(first)) = (instance.started, instance.first_token()) {
        parts.push(format!("first token after {}", format::duration(first.ts - start.ts)));
    }
    if let Some(held) = instance.held_ms.filter(|ms| *ms > 0.0) {
        parts.push(format!("held {}", format::duration(held)));
    }
    parts.join(", ")
}

/// Six figures, each call counted once.
pub(super) fn tokens(ui: &mut Ui, place: &Place<'_>) {
    let ended = |instance: &graph::Instance| instance.ended.is_none_or(|end| !place.model.is_later(end.seq));
    let instance = place.instance.map(|(_, instance)| instance).filter(|instance| ended(instance));
    let Some(usage) = instance.and_then(graph::Instance::usage) else { return };
    let c = &Theme::of(ui).colors;
    ui.add_space(8.0);
    columns(ui, "Tokens", "This call", "Run so far", c.text_secondary, Theme::small_strong());
    table(ui, usage, place.run.usage());
    let prices = &place.model.state.prices;
    let this = place.instance.map(|(ix, _)| graph::project::cost(place.run, ix, prices.table()));
    let (this, all) = (money(&this.unwrap_or_default()), money(&prices.spending().money));
    if !(this.is_empty() && all.is_empty()) {
        columns(ui, "Money", &this, &all, c.text_primary, Theme::body());
    }
    ui.add_space(8.0);
}

fn table(ui: &mut Ui, this: &Usage, all: &Usage) {
    let c = &Theme::of(ui).colors;
    let rows = [
        ("Fresh input", this.fresh, all.fresh),
        ("Cache read", this.cache_read, all.cache_read),
        ("Cache write", this.cache_write, all.cache_write),
        ("Output", this.output, all.output),
        ("of it reasoning", this.reasoning, all.reasoning),
    ];
    for (what, one, whole) in rows.into_iter().filter(|(_, one, whole)| one + whole > 0) {
        columns(ui, what, &format::count(one), &format::count(whole), c.text_primary, Theme::body());
    }
    columns(
        ui,
        "Total",
        &format::count(this.total),
        &format::count(all.total),
        c.text_primary,
        Theme::strong(),
    );
}

fn columns(ui: &mut Ui, what: &str, one: &str, two: &str, color: egui::Color32, font: egui::FontId) {
    let c = &Theme::of(ui).colors;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), Size::FIGURE_ROW), egui::Sense::hover());
    let name = format!("{what} {one} {two}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &name));
    let mid = rect.center().y;
    lay::at_left(ui.painter(), rect.left(), mid, lay::line(ui, what, font.clone(), color, 140.0));
    let middle = rect.left() + rect.width() * 0.66;
    lay::at_right(ui.painter(), middle, mid, lay::line(ui, one, font.clone(), color, 120.0));
    lay::at_right(ui.painter(), rect.right(), mid, lay::line(ui, two, font, c.text_secondary, 120.0));
}

/// The run as a whole, when nothing is selected.
pub(super) fn run(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    egui::Frame::NONE.inner_margin(16).show(ui, |ui| {
        let Some(run) = model.run else {
            lay::prose(ui, "Reading the run\u{2026}", c.text_tertiary, Theme::small());
            return;
        };
        let title = if run.app().is_empty() { run.key().as_str() } else { run.app() };
        lay::prose(ui, title, c.text_primary, Theme::title());
        ui.add_space(4.0);
        whole(ui, run);
        cost(ui, model, actions);
        kin(ui, model, actions);
        ui.add_space(12.0);
        if let Some(key) = model.state.exportable() {
            if ui.add(Button::new("Export\u{2026}").name("Export the run").key("Ctrl+S")).clicked() {
                actions.push(Action::Overlay(Overlay::Export(Export::of(&key))));
            }
            ui.add_space(8.0);
        }
        lay::prose(ui, "Select a card, a row or a bar to look into it.", c.text_tertiary, Theme::small());
    });
}

/// What the run cost, and the way to prices where some calls have none.
fn cost(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let spending = model.state.prices.spending();
    if !spending.money.is_empty() {
        row(ui, "Money", &money(&spending.money), false);
    }
    if spending.unpriced > 0 {
        let calls = format::plural(u64::from(spending.unpriced), "call");
        if lay::link(ui, &format!("{calls} without a price \u{B7} Set prices")).clicked() {
            actions.push(Action::Overlay(Overlay::Prices));
        }
    }
}

/// Ways to the run that started this one and to those it started.
fn kin(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let Some(shown) = model.state.shown_run() else { return };
    let above = shown.parent.as_deref().and_then(|parent| model.state.run_named(parent));
    let under = model.state.runs.iter().filter(|run| run.parent.as_deref() == Some(&shown.run_id));
    let under = under.filter(|run| run.run != shown.run).take(KIN_MAX).map(|run| ("Started", run));
    for (what, run) in above.map(|run| ("Started by", run)).into_iter().chain(under) {
        let text = format!("{what} {} \u{B7} {}", run_title(run), format::elide_middle(&run.run, 16));
        if lay::link(ui, &text).clicked() {
            actions.push(Action::OpenRun(run.run.as_str().into()));
        }
    }
}

fn whole(ui: &mut Ui, run: &Run) {
    row(ui, "Run", run.key().as_str(), true);
    row(ui, "Status", run.status().as_str(), false);
    if let Some(sdk) = run.sdk() {
        row(ui, "Client", sdk, true);
    }
    if let (Some(first), Some(last)) = (run.first_ts(), run.last_ts()) {
        row(ui, "Took", &format::duration(last - first), false);
    }
    row(ui, "Nodes", &format::count(run.nodes().len() as u64), false);
    row(ui, "Calls", &format::count(run.instances().len() as u64), false);
    row(ui, "Events", &format::count(run.event_count()), false);
    if run.usage().total > 0 {
        row(ui, "Tokens", &format::count(run.usage().total), false);
    }
    related(ui, run);
    if let Some(failure) = run.end().and_then(|end| end.failure.as_ref()) {
        row(ui, "Error", &format!("{} {}", failure.name, failure.message), false);
    }
}

/// Sums by currency, with how sure they are where that is less than reported.
pub(super) fn money(money: &graph::Money) -> String {
    let sums = money.sums().map(|cost| {
        let amount = cost.nanos as f64 / graph::NANOS;
        let digits = if amount < 1.0 { 4 } else { 2 };
        let sure = if cost.kind == graph::CostKind::Reported { "" } else { cost.kind.as_str() };
        format!("{amount:.digits$} {} {sure}", cost.currency.as_str()).trim_end().to_owned()
    });
    sums.collect::<Vec<_>>().join(", ")
}

/// Runs and conversations it belongs to, and what redaction has taken out of its records.
fn related(ui: &mut Ui, run: &Run) {
    let lineage = run.lineage();
    let rows = [
        ("Parent run", &lineage.parent),
        ("Root run", &lineage.root),
        ("Thread", &lineage.thread),
        ("Graph", &lineage.graph),
    ];
    for (what, value) in rows {
        if let Some((_, value)) = value {
            row(ui, what, value, true);
        }
    }
    let redacted = run.redaction();
    if redacted.records > 0 {
        let text = format!(
            "{} values replaced, {} fields left out, {} paths hidden",
            format::count(redacted.values_replaced),
            format::count(redacted.fields_omitted),
            format::count(redacted.paths_redacted)
        );
        row(ui, "Redacted", &text, false);
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|c| c.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}
