//! The Breakpoints panel: each with its mark, how often it was seen and held, and its fault in words; a form to add or
//! change one.

use egui::{Ui, pos2};
use wire::viewer::{BreakpointSpec, BreakpointState};
use wire::{Matcher, Point};

use super::{lay, rail};
use crate::action::{Action, Actions};
use crate::glyph::{BreakpointMark, Glyph};
use crate::model::{Model, Selection};
use crate::theme::{NodeKind, Size, Theme};
use crate::widgets::{Button, Chip, ChipTone, Field, IconButton, Switch, Tone};

/// The form while it is open.
#[derive(Debug, Default)]
pub struct Scratch {
    form: Option<Form>,
}

#[derive(Debug, Default)]
struct Form {
    /// The one that is changed; its matcher is cleared if another is set.
    before: Option<BreakpointSpec>,
    kind: Option<NodeKind>,
    name: String,
    point: Point,
    condition: String,
    hit: String,
    log: String,
}

impl Scratch {
    /// Opens the form, empty or with what a breakpoint is now.
    pub(super) fn open(&mut self, spec: Option<BreakpointSpec>) {
        let from = spec.clone().unwrap_or_default();
        let text = |part: Option<String>| part.unwrap_or_default();
        self.form = Some(Form {
            before: spec,
            kind: from.matcher.kind.as_deref().map(NodeKind::from_word),
            name: text(from.matcher.name),
            point: from.matcher.point.unwrap_or(Point::Before),
            condition: text(from.condition),
            hit: text(from.hit),
            log: text(from.log),
        });
    }
}

/// The mark of a breakpoint.
pub(crate) fn mark(known: &BreakpointState) -> BreakpointMark {
    match &known.spec {
        _ if known.error.is_some() => BreakpointMark::Error,
        spec if !spec.enabled || !known.bound => BreakpointMark::NotBound,
        BreakpointSpec { log: Some(_), .. } => BreakpointMark::LogPoint,
        BreakpointSpec { condition: Some(_), .. } => BreakpointMark::Condition,
        BreakpointSpec { hit: Some(_), .. } => BreakpointMark::HitCount,
        _ => BreakpointMark::Bound,
    }
}

/// The section in the rail.
pub(super) fn section(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    egui::Frame::NONE.inner_margin(egui::Margin { left: 12, right: 12, top: 0, bottom: 4 }).show(ui, |ui| {
        let on = model.state.debug.pause_on_error;
        if model.state.server.is_some() && ui.add(Switch { on, text: "Hold at errors" }).clicked() {
            actions.push(Action::PauseOnError(!on));
        }
    });
    if scratch.form.is_some() {
        form(ui, scratch, actions);
    }
    let mut any = false;
    for known in model.state.breakpoints() {
        any = true;
        row(ui, model, known, scratch, actions);
    }
    if !any && scratch.form.is_none() {
        rail::nothing(ui, "Click the gutter of a card, or press F9 on it.");
    }
    ui.add_space(8.0);
}

fn row(
    ui: &mut Ui,
    model: &Model<'_>,
    known: &BreakpointState,
    scratch: &mut Scratch,
    actions: &mut Actions,
) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let name = title(&known.spec.matcher);
    let node = model
        .run
        .and_then(|run| run.nodes().iter().find(|n| Some(&*n.name) == known.spec.matcher.name.as_deref()));
    let selected = node.is_some_and(|node| model.state.selection.node.as_deref() == Some(node.id.as_str()));
    let (rect, response) = lay::row(ui, Size::ROW_2 - 4.0, selected, &format!("Breakpoint {name}"));
    let (first, second) = (rect.top() + 14.0, rect.top() + 31.0);
    mark(known).paint(ui.painter(), theme, pos2(rect.left() + 16.0, first), 16.0, c.surface_chrome);
    let count = if known.error.is_some() {
        "\u{2014}".to_owned()
    } else {
        format!("{} / {}", known.held, known.seen)
    };
    let right = lay::at_right(
        ui.painter(),
        rect.right() - 12.0,
        first,
        lay::line(ui, &count, Theme::small(), c.text_secondary, 80.0),
    );
    let x = rect.left() + 34.0;
    lay::at_left(
        ui.painter(),
        x,
        first,
        lay::line(ui, &name, Theme::body(), c.text_primary, right - x - 8.0),
    );
    let hovered = ui.rect_contains_pointer(rect);
    let room = rect.right() - 12.0 - x - if hovered { 30.0 } else { 0.0 };
    let (text, font, color) = about(known, theme);
    lay::at_left(ui.painter(), x, second, lay::line(ui, &text, font, color, room));
    if hovered {
        let place =
            egui::Rect::from_center_size(pos2(rect.right() - 22.0, second - 2.0), egui::Vec2::splat(20.0));
        let remove = format!("Remove breakpoint {name}");
        let button = IconButton::new(Glyph::Close, &remove).size(20.0);
        if ui.put(place, button).clicked() {
            actions.push(Action::ClearBreakpoint(known.spec.matcher.clone()));
        }
    }
    if response.clicked()
        && let Some(node) = node
    {
        actions.push(Action::Select(Selection::node(node.id.as_str())));
        actions.push(Action::Reveal(node.id.as_str().into()));
    }
    let response = response.on_hover_text(format!(
        "{}\nseen {}, matched {}, held {}",
        mark(known).word(),
        known.seen,
        known.matched,
        known.held
    ));
    response.context_menu(|ui| menu(ui, known, scratch, actions));
}

fn menu(ui: &mut Ui, known: &BreakpointState, scratch: &mut Scratch, actions: &mut Actions) {
    let on = known.spec.enabled;
    if ui.button(if on { "Switch off" } else { "Switch on" }).clicked() {
        actions.push(Action::SetBreakpoint(BreakpointSpec { enabled: !on, ..known.spec.clone() }));
        ui.close();
    }
    if ui.button("Change\u{2026}").clicked() {
        scratch.open(Some(known.spec.clone()));
        ui.close();
    }
    if ui.button("Remove").clicked() {
        actions.push(Action::ClearBreakpoint(known.spec.matcher.clone()));
        ui.close();
    }
}

/// What it is set on, in words.
fn title(matcher: &Matcher) -> String {
    match (&matcher.name, &matcher.kind) {
        (Some(name), _) => name.clone(),
        (None, Some(kind)) => format!("Every {}", NodeKind::from_word(kind).label().to_lowercase()),
        (None, None) => "Every node".to_owned(),
    }
}

fn about(known: &BreakpointState, theme: &Theme) -> (String, egui::FontId, egui::Color32) {
    let c = &theme.colors;
    let spec = &known.spec;
    if let Some(error) = &known.error {
        return (error.clone(), Theme::small(), c.status_failed);
    }
    let code = spec.log.as_deref().or(spec.condition.as_deref()).or(spec.hit.as_deref());
    if let Some(code) = code {
        return (code.to_owned(), Theme::mono(), c.text_secondary);
    }
    let point = match spec.matcher.point.unwrap_or(Point::Before) {
        Point::Before => "Before",
        Point::After => "After",
        Point::Error => "At error",
    };
    let state = match (spec.enabled, known.seen) {
        (false, _) => " \u{B7} off",
        (true, 0) => " \u{B7} not seen yet",
        _ => "",
    };
    (format!("{point}{state}"), Theme::small(), c.text_secondary)
}

fn form(ui: &mut Ui, scratch: &mut Scratch, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let Some(form) = scratch.form.as_mut() else { return };
    let mut close = false;
    let frame = egui::Frame::NONE.fill(c.surface_field).inner_margin(12);
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 6.0);
        let width = ui.available_width();
        let field = Field::new(&mut form.name, "Node name").hint("Node name, or empty for any").width(width);
        let named = field.show(ui);
        ui.horizontal_wrapped(|ui| {
            for point in [Point::Before, Point::After, Point::Error] {
                choice(ui, point.as_str(), form.point == point, || form.point = point);
            }
        });
        ui.horizontal_wrapped(|ui| {
            for kind in NodeKind::ALL {
                let on = form.kind == Some(kind);
                choice(ui, kind.word(), on, || form.kind = if on { None } else { Some(kind) });
            }
        });
        Field::new(&mut form.condition, "Condition")
            .hint("Only if, for example input.line > 10")
            .mono()
            .width(width)
            .show(ui);
        Field::new(&mut form.hit, "Hit count")
            .hint("Only at these hits, for example >= 3")
            .mono()
            .width(width)
            .show(ui);
        Field::new(&mut form.log, "Log message")
            .hint("Write this and do not hold")
            .mono()
            .width(width)
            .show(ui);
        ui.horizontal(|ui| {
            let words = if form.before.is_some() { "Change it" } else { "Add breakpoint" };
            let enter = named.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if ui.add(Button::new(words).tone(Tone::Primary)).clicked() || enter {
                set(form, actions);
                close = true;
            }
            close |= ui.add(Button::new("Cancel").name("Cancel breakpoint").tone(Tone::Bare)).clicked();
        });
    });
    if close {
        scratch.form = None;
    }
}

fn choice(ui: &mut Ui, word: &str, on: bool, then: impl FnOnce()) {
    let tone = if on { ChipTone::Pressed } else { ChipTone::Plain };
    if ui.add(Chip::new(word).tone(tone).clickable()).clicked() {
        then();
    }
}

fn set(form: &Form, actions: &mut Actions) {
    let part = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
    let matcher = Matcher {
        kind: form.kind.map(|kind| kind.word().to_owned()),
        name: part(&form.name),
        point: Some(form.point),
    };
    if let Some(before) = form.before.as_ref().filter(|before| before.matcher != matcher) {
        actions.push(Action::ClearBreakpoint(before.matcher.clone()));
    }
    actions.push(Action::SetBreakpoint(BreakpointSpec {
        matcher,
        condition: part(&form.condition),
        hit: part(&form.hit),
        log: part(&form.log),
        enabled: form.before.as_ref().is_none_or(|before| before.enabled),
    }));
}
