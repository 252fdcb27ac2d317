//! The window before the first run: run the demo, open a recording, or connect an agent, with the code to do it.

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Color32, CornerRadius, Frame, Layout, Rect, ScrollArea, Sense, Shape, Stroke, StrokeKind, Ui,
    UiBuilder,
};
use egui::{pos2, vec2};

use super::snippets::Language;
use super::{Scratch as All, lay};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::Model;
use crate::model::state::Overlay;
use crate::theme::{NodeKind, Radius, Theme};
use crate::transport::Link;
use crate::widgets::{Button, IconButton, Tab, Tone};

/// The chosen language.
#[derive(Debug, Default)]
pub struct Scratch {
    language: Language,
}

/// Width of the three panels together.
const WIDTH: f32 = 866.0;
/// Height of the two upper panels.
const UPPER: f32 = 278.0;

/// Shows it.
pub fn show(ui: &mut Ui, model: &Model<'_>, scratch: &mut All, actions: &mut Actions) {
    ScrollArea::vertical().auto_shrink(false).id_salt("empty").show(ui, |ui| {
        let width = WIDTH.min(ui.available_width() - 48.0).max(420.0);
        let left = ((ui.available_width() - width) / 2.0).max(24.0);
        let top = ((ui.available_height() - 880.0) / 2.0).clamp(12.0, 112.0);
        ui.add_space(top);
        ui.horizontal(|ui| {
            ui.add_space(left);
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
                title(ui);
                ui.add_space(24.0);
                upper(ui, model, width, actions);
                ui.add_space(14.0);
                connect(ui, model, &mut scratch.empty, actions);
                ui.add_space(12.0);
                foot(ui, actions);
                ui.add_space(16.0);
            });
        });
    });
}

fn title(ui: &mut Ui) {
    let c = &Theme::of(ui).colors;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::hover());
    let text = "Watch an agent run, and stop it where you like";
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Heading, true, text));
    let tile = Rect::from_min_size(rect.min, vec2(32.0, 32.0));
    ui.painter().rect_filled(tile, Radius::CARD, c.held_fill);
    Glyph::Held.paint(ui.painter(), tile.center(), 20.0, c.on_held);
    lay::at_left(
        ui.painter(),
        rect.left() + 44.0,
        tile.center().y,
        lay::line(ui, text, Theme::title(), c.text_primary, 700.0),
    );
}

fn panel(ui: &Ui, rect: Rect) {
    let c = &Theme::of(ui).colors;
    let radius = CornerRadius::same(Radius::BOX);
    ui.painter().rect(rect, radius, c.surface_chrome, Stroke::new(1.0, c.line_subtle), StrokeKind::Inside);
}

fn upper(ui: &mut Ui, model: &Model<'_>, width: f32, actions: &mut Actions) {
    let (rect, _) = ui.allocate_exact_size(vec2(width, UPPER), Sense::hover());
    let split = rect.left() + (width - 14.0) * 0.472;
    let left = Rect::from_min_max(rect.min, pos2(split, rect.bottom()));
    let right = Rect::from_min_max(pos2(split + 14.0, rect.top()), rect.max);
    panel(ui, left);
    panel(ui, right);
    let picture = Rect::from_min_size(left.min + vec2(24.0, 24.0), vec2(left.width() - 48.0, 112.0));
    drawing(ui, picture);
    let demo = model.state.server.as_ref().is_none_or(|server| server.demo);
    let about = "A small invoice agent with a planted bug.\nNo keys, no network.";
    words(ui, left, "Run the demo", about);
    let place =
        Rect::from_min_size(pos2(left.left() + 24.0, left.bottom() - 48.0), vec2(left.width() - 48.0, 28.0));
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Center)));
    let ready = demo && model.state.server.is_some() && !model.state.demo_asked;
    let words_on = if model.state.demo_asked { "Starting\u{2026}" } else { "Run the demo" };
    let why = match (&model.state.server, demo) {
        (None, _) => "Not connected to the debugger yet",
        (_, false) => "This server has no demo: run `holdpoint demo` in a terminal",
        _ => "An agent attaches, runs, and holds at its bug",
    };
    let button = Button::new(words_on).glyph(Glyph::Run).tone(Tone::Primary).enabled(ready).tooltip(why);
    if child.add(button).clicked() {
        actions.push(Action::StartDemo);
    }
    recording(ui, right, model, actions);
}

fn recording(ui: &mut Ui, rect: Rect, model: &Model<'_>, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let zone = Rect::from_min_size(rect.min + vec2(24.0, 24.0), vec2(rect.width() - 48.0, 112.0));
    dashed(ui, zone, c.line_strong);
    Glyph::Drop.paint(ui.painter(), zone.center() - vec2(0.0, 16.0), 28.0, c.accent);
    let text = lay::line(
        ui,
        "Drop a file anywhere in this window",
        Theme::body(),
        c.text_secondary,
        zone.width() - 16.0,
    );
    lay::at_left(ui.painter(), zone.center().x - text.size().x / 2.0, zone.center().y + 24.0, text);
    let about = "OpenTelemetry, LangGraph, coding-agent transcripts,\nHoldpoint journals. Also zipped, also very large.";
    words(ui, rect, "Open a recording", about);
    let place =
        Rect::from_min_size(pos2(rect.left() + 24.0, rect.bottom() - 48.0), vec2(rect.width() - 48.0, 28.0));
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Center)));
    let ready = model.state.server.as_ref().is_some_and(|server| server.import);
    let why = if ready { "Choose a file on this machine" } else { "This server cannot read recordings" };
    let button = Button::new("Choose a file").glyph(Glyph::File).key("Ctrl+O").enabled(ready).tooltip(why);
    if child.add(button).clicked() {
        actions.push(Action::OpenDialog);
    }
}

fn words(ui: &Ui, rect: Rect, title: &str, about: &str) {
    let c = &Theme::of(ui).colors;
    let x = rect.left() + 24.0;
    lay::at_left(
        ui.painter(),
        x,
        rect.top() + 160.0,
        lay::line(ui, title, Theme::strong(), c.text_primary, rect.width() - 48.0),
    );
    for (at, text) in about.lines().enumerate() {
        let y = rect.top() + 182.0 + 20.0 * at as f32;
        lay::at_left(
            ui.painter(),
            x,
            y,
            lay::line(ui, text, Theme::body(), c.text_secondary, rect.width() - 48.0),
        );
    }
}

fn dashed(ui: &Ui, rect: Rect, color: Color32) {
    let r = rect.shrink(0.5);
    let points = [r.left_top(), r.right_top(), r.right_bottom(), r.left_bottom(), r.left_top()];
    ui.painter().extend(Shape::dashed_line(&points, Stroke::new(1.0, color), 6.0, 5.0));
}

/// A graph of four cards, one of them held.
fn drawing(ui: &Ui, rect: Rect) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    ui.painter().rect(
        rect,
        Radius::CARD,
        c.surface_canvas,
        Stroke::new(1.0, c.line_subtle),
        StrokeKind::Inside,
    );
    let mid = rect.center().y;
    let third = rect.width() / 352.0;
    let card = |x: f32, y: f32, w: f32| {
        Rect::from_min_size(pos2(rect.left() + x * third, y - 16.0), vec2(w * third, 32.0))
    };
    let (a, b) = (card(24.0, mid, 80.0), card(148.0, mid - 24.0, 80.0));
    let (held, d) = (card(148.0, mid + 24.0, 80.0), card(264.0, mid, 64.0));
    for (from, to, color) in
        [(a, b, c.edge), (a, held, c.edge), (b, d, c.edge_faint), (held, d, c.edge_faint)]
    {
        curve(ui, from.right_center(), to.left_center(), color);
    }
    let ring = held.expand(4.0);
    ui.painter().rect_filled(ring, 9, c.held_fill.gamma_multiply(0.22));
    for (at, kind, mark) in [
        (a, NodeKind::Llm, Some((Glyph::Ok, c.status_ok))),
        (b, NodeKind::Retriever, Some((Glyph::Ok, c.status_ok))),
        (held, NodeKind::Tool, Some((Glyph::Held, c.status_held))),
        (d, NodeKind::Chain, None),
    ] {
        let stroke = match (at == held, mark) {
            (true, _) => Stroke::new(2.0, c.held_fill),
            _ => Stroke::new(1.0, c.line),
        };
        let fill = if mark.is_some() { c.surface_card } else { c.surface_canvas };
        ui.painter().rect(at, 6, fill, stroke, StrokeKind::Inside);
        let hue = if mark.is_some() { kind.hue(theme) } else { c.text_tertiary };
        kind.glyph().paint(ui.painter(), at.left_center() + vec2(16.0, 0.0), 14.0, hue);
        if let Some((glyph, color)) = mark {
            glyph.paint(ui.painter(), at.right_center() - vec2(16.0, 0.0), 12.0, color);
        }
    }
}

fn curve(ui: &Ui, from: egui::Pos2, to: egui::Pos2, color: Color32) {
    let bend = vec2((to.x - from.x) * 0.5, 0.0);
    let points = [from, from + bend, to - bend, to];
    let shape = egui::epaint::CubicBezierShape::from_points_stroke(
        points,
        false,
        Color32::TRANSPARENT,
        Stroke::new(1.5, color),
    );
    ui.painter().add(shape);
}

fn connect(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let url = model.state.server.as_ref().map_or("ws://127.0.0.1:4747/ingest", |server| &server.ingest_url);
    let frame = Frame::NONE
        .fill(c.surface_chrome)
        .stroke(Stroke::new(1.0, c.line_subtle))
        .corner_radius(CornerRadius::same(Radius::BOX))
        .inner_margin(24);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        address(ui, model, url, actions);
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 16.0;
            for language in Language::ALL {
                let active = scratch.language == language;
                if ui.add(Tab { text: language.word(), count: "", active }).clicked() {
                    scratch.language = language;
                }
            }
        });
        let y = ui.cursor().top();
        crate::widgets::separator(ui, y);
        ui.add_space(16.0);
        code(ui, scratch.language, &scratch.language.code(url), actions);
        ui.add_space(16.0);
        waiting(ui, model, scratch.language, actions);
    });
}

fn address(ui: &mut Ui, model: &Model<'_>, url: &str, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::hover());
    let mid = rect.center().y;
    lay::at_left(
        ui.painter(),
        rect.left(),
        mid,
        lay::line(ui, "Connect your agent", Theme::strong(), c.text_primary, 300.0),
    );
    let text = lay::line(ui, url, Theme::mono(), c.text_primary, 320.0);
    let field = Rect::from_min_max(pos2(rect.right() - text.size().x - 48.0, rect.top()), rect.max);
    ui.painter().rect(field, Radius::BUTTON, c.surface_field, Stroke::new(1.0, c.line), StrokeKind::Inside);
    lay::at_left(ui.painter(), field.left() + 10.0, mid, text);
    let button = Rect::from_center_size(pos2(field.right() - 17.0, mid), egui::Vec2::splat(24.0));
    if ui.put(button, IconButton::new(Glyph::Copy, "Copy address")).clicked() {
        actions.push(Action::Copy { text: url.to_owned(), what: "the address" });
    }
    let (word, color) = match (&model.state.link, &model.state.server) {
        (Link::Open, Some(_)) => ("Listening on", c.status_ok),
        _ => ("Not connected", c.status_failed),
    };
    let left = lay::at_right(
        ui.painter(),
        field.left() - 12.0,
        mid,
        lay::line(ui, word, Theme::small(), color, 160.0),
    );
    ui.painter().circle_filled(pos2(left - 10.0, mid), 4.0, color);
}

fn code(ui: &mut Ui, language: Language, text: &str, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let frame = Frame::NONE.fill(theme.colors.surface_field).corner_radius(Radius::BUTTON).inner_margin(16);
    let response = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let job = coloured(language, text, theme);
        ui.add(egui::Label::new(job).selectable(true).extend());
    });
    let rect = response.response.rect;
    let place = Rect::from_min_size(pos2(rect.right() - 84.0, rect.top() + 8.0), vec2(76.0, 28.0));
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(place).layout(Layout::right_to_left(Align::Center)));
    if child.add(Button::new("Copy").name("Copy the code").glyph(Glyph::Copy)).clicked() {
        actions.push(Action::Copy { text: text.to_owned(), what: "the code" });
    }
}

/// Keywords, strings and comments in the colours of values.
fn coloured(language: Language, text: &str, theme: &Theme) -> LayoutJob {
    let c = &theme.colors;
    let mut job = LayoutJob::default();
    job.wrap.max_width = f32::INFINITY;
    let mut add = |text: &str, color: Color32| {
        let mut format = TextFormat::simple(Theme::mono(), color);
        format.line_height = Some(20.0);
        job.append(text, 0.0, format);
    };
    for line in text.trim_end().split_inclusive('\n') {
        let comment = line.find(language.comment()).filter(|at| line[..*at].matches('"').count() % 2 == 0);
        let (code, rest) = line.split_at(comment.unwrap_or(line.len()));
        for (at, part) in code.split('"').enumerate() {
            if at % 2 == 1 {
                add(&format!("\"{part}\""), c.json_string);
                continue;
            }
            for word in part.split_inclusive(|ch: char| !ch.is_alphanumeric() && ch != '_') {
                let bare = word.trim_end_matches(|ch: char| !ch.is_alphanumeric() && ch != '_');
                let color = match () {
                    () if language.keywords().contains(&bare) => c.json_literal,
                    () if word.ends_with('(') => c.json_key,
                    () => c.text_primary,
                };
                add(bare, color);
                add(&word[bare.len()..], c.text_primary);
            }
        }
        add(rest, c.text_tertiary);
    }
    job
}

fn waiting(ui: &mut Ui, model: &Model<'_>, language: Language, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let mid = rect.center().y;
    Glyph::Running.paint(ui.painter(), pos2(rect.left() + 7.0, mid), 12.0, c.status_running);
    let connected = model.state.stats.is_some_and(|stats| stats.connections > 0);
    let text = if connected {
        "A program is connected; its run appears here."
    } else {
        "Waiting for the first agent."
    };
    let x = lay::at_left(
        ui.painter(),
        rect.left() + 22.0,
        mid,
        lay::line(ui, text, Theme::small(), c.text_secondary, 320.0),
    );
    let install = language.install();
    if install.is_empty() {
        return;
    }
    let x = lay::at_left(
        ui.painter(),
        x + 4.0,
        mid,
        lay::line(ui, "Install with", Theme::small(), c.text_secondary, 120.0),
    );
    let code = lay::line(ui, install, Theme::mono(), c.text_primary, rect.right() - x - 20.0);
    let pill = Rect::from_min_size(pos2(x + 8.0, rect.top() + 1.0), vec2(code.size().x + 12.0, 22.0));
    ui.painter().rect_filled(pill, 4, c.surface_field);
    lay::at_left(ui.painter(), pill.left() + 6.0, mid, code);
    let response = ui.interact(pill, ui.scope_id().with("install"), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Copy the install command"));
    if response.on_hover_text("Click to copy").clicked() {
        actions.push(Action::Copy { text: install.to_owned(), what: "the command" });
    }
}

fn foot(ui: &mut Ui, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 20.0;
        for (key, what, overlay) in [
            ("Ctrl+K", "Everything by name", Overlay::Palette),
            ("?", "All keys", Overlay::Keys),
            ("Ctrl+,", "Settings", Overlay::Settings),
        ] {
            let keys = lay::line(ui, key, Theme::mono(), c.text_secondary, 80.0);
            let words = lay::line(ui, what, Theme::small(), c.text_tertiary, 200.0);
            let size = vec2(keys.size().x + 8.0 + words.size().x, 24.0);
            let (rect, response) = ui.allocate_exact_size(size, Sense::click());
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, what));
            let x = lay::at_left(ui.painter(), rect.left(), rect.center().y, keys);
            lay::at_left(ui.painter(), x + 8.0, rect.center().y, words);
            if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
                actions.push(Action::Overlay(overlay));
            }
        }
        lay::prose(ui, "Nothing leaves this machine.", c.text_tertiary, Theme::small());
    });
}

/// While a file is dragged over the window.
pub(super) fn drop_hint(ui: &Ui) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let rect = ui.ctx().content_rect();
    let painter =
        ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
    painter.rect_filled(rect, 0, c.surface_canvas.gamma_multiply(0.85));
    let zone = rect.shrink(24.0);
    let points =
        [zone.left_top(), zone.right_top(), zone.right_bottom(), zone.left_bottom(), zone.left_top()];
    painter.extend(Shape::dashed_line(&points, Stroke::new(2.0, c.accent), 8.0, 6.0));
    Glyph::Drop.paint(&painter, rect.center() - vec2(0.0, 24.0), 40.0, c.accent);
    painter.text(
        rect.center() + vec2(0.0, 20.0),
        egui::Align2::CENTER_CENTER,
        "Drop it to open the recording",
        Theme::title(),
        c.text_primary,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colouring_keeps_the_code_as_it_is() {
        for language in Language::ALL {
            let code = language.code("ws://127.0.0.1:4747/ingest");
            assert_eq!(coloured(language, &code, &Theme::DARK).text, code.trim_end());
        }
    }
}
