//! The control bar: which run, where it comes from, Run and Step; on a hold its six answers; breakpoints; search.

use std::sync::Arc;

use egui::{Align, CornerRadius, Frame, Layout, Popup, PopupCloseBehavior, Rect, Ui, UiBuilder, pos2};
use wire::Mode;
use wire::viewer::HoldSummary;

use super::{Scratch, lay};
use crate::action::{Action, Actions, Control, EditorKind, Verb};
use crate::app::run_title;
use crate::glyph::{BreakpointMark, Glyph};
use crate::model::narrow::{self, Narrow};
use crate::model::pending::Stage;
use crate::model::{Model, TimePosition, format};
use crate::theme::{Size, Status, Theme};
use crate::widgets::{Button, Chip, ChipTone, Field, IconButton, Switch, Tone};

/// Id of the search field, for the key that goes to it.
pub(crate) fn search_id() -> egui::Id {
    egui::Id::unique("search nodes and values")
}

/// Shows it.
pub fn show(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let rect = ui.max_rect();
    crate::widgets::separator(ui, rect.bottom() - 0.5);
    let inner = Rect::from_min_max(rect.min + egui::vec2(12.0, 0.0), rect.max - egui::vec2(12.0, 0.0));
    let mut left =
        ui.new_child(UiBuilder::new().max_rect(inner).layout(Layout::left_to_right(Align::Center)));
    left.spacing_mut().item_spacing.x = 8.0;
    picker(&mut left, model, scratch, actions);
    source(&mut left, model);
    match model.state.current_hold() {
        Some(hold) => held(&mut left, model, hold, actions),
        None => modes(&mut left, model, actions),
    }
    past(&mut left, model, actions);
    let used = left.min_rect().right();
    let rest = Rect::from_min_max(pos2(used + 8.0, inner.top()), inner.max);
    let mut right =
        ui.new_child(UiBuilder::new().max_rect(rest).layout(Layout::right_to_left(Align::Center)));
    right.spacing_mut().item_spacing.x = 8.0;
    search(&mut right, scratch, model, actions);
    narrow(&mut right, model, actions);
    breakpoints(&mut right, model, actions);
}

fn picker(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let run = model.state.shown_run();
    let title = run.map_or("No run yet", run_title);
    let shown = format::elide_middle(title, 26);
    let glyph = match run {
        None => Glyph::Plug,
        Some(run) if run.source != "live" => Glyph::File,
        Some(_) => Glyph::Run,
    };
    let width = if ui.available_width() > 1100.0 { 232.0 } else { 180.0 };
    let name = format!("Run: {title}");
    let button = Button::new(&shown).name(&name).glyph(glyph).trailing(Glyph::Down);
    let response = ui.add(button.min_width(width).strong().align_left().tooltip("Choose a run"));
    Popup::menu(&response).width(320.0).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_max_height(420.0);
        super::runs::list(ui, model, &mut scratch.runs, actions, true);
    });
}

fn source(ui: &mut Ui, model: &Model<'_>) {
    let Some(run) = model.state.shown_run() else {
        ui.add(Chip::new("Waiting").glyph(Glyph::Plug).tooltip("No program has connected yet"));
        return;
    };
    let by = run.sdk.as_deref().map(language).unwrap_or_default();
    if run.live {
        let text = if by.is_empty() { "Live".to_owned() } else { format!("Live \u{B7} {by}") };
        ui.add(Chip::live(&text).tooltip("The program is connected"));
    } else if run.source == "live" {
        let text = if by.is_empty() { "Recorded".to_owned() } else { format!("Recorded \u{B7} {by}") };
        ui.add(Chip::new(&text).glyph(Glyph::File).tooltip("The program has left; this is what it did"));
    } else {
        ui.add(Chip::new(&format!("Recording \u{B7} {}", run.source)).glyph(Glyph::File));
    }
}

/// `Python` of `graphmind-ai-python/0.5.1`.
fn language(sdk: &str) -> &str {
    let low = sdk.to_ascii_lowercase();
    let known = [
        ("python", "Python"),
        ("py", "Python"),
        ("typescript", "TypeScript"),
        ("js", "TypeScript"),
        ("rust", "Rust"),
    ];
    known
        .iter()
        .find(|(part, _)| low.contains(part))
        .map_or_else(|| sdk.split(['/', '@']).next().unwrap_or(sdk), |k| k.1)
}

fn modes(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let live = model.state.shown_run().is_some_and(|run| run.live) || model.state.shown.is_none();
    let connected = model.state.server.is_some();
    let step = model.state.debug.mode == Mode::Step;
    let why = if connected {
        "Only a connected program can be run or stepped"
    } else {
        "Not connected to the debugger"
    };
    let enabled = connected && live;
    ui.add_space(8.0);
    let tone = |on: bool| if on { Tone::Pressed } else { Tone::Bare };
    let tip = |text: &'static str| if enabled { text } else { why };
    let run = Button::new("Run").glyph(Glyph::Run).key("F5").tone(tone(!step && enabled)).enabled(enabled);
    if ui.add(run.tooltip(tip("Run freely: hold only at breakpoints and errors"))).clicked() {
        actions.push(Action::StepMode(false));
    }
    let stepping =
        Button::new("Step").glyph(Glyph::Step).key("F10").tone(tone(step && enabled)).enabled(enabled);
    if ui.add(stepping.tooltip(tip("Hold at every gate"))).clicked() {
        actions.push(Action::StepMode(true));
    }
}

/// The amber group of a hold.
fn held(ui: &mut Ui, model: &Model<'_>, hold: &HoldSummary, actions: &mut Actions) {
    let theme = Theme::of(ui);
    ui.add_space(8.0);
    let room = match ui.available_width() {
        width if width < 760.0 => Room::Tight,
        width if width < 900.0 => Room::Compact,
        _ => Room::Full,
    };
    let group = Frame::NONE
        .fill(theme.colors.held_soft)
        .corner_radius(CornerRadius::same(8))
        .inner_margin(egui::Margin { left: 10, right: 4, top: 4, bottom: 4 });
    group.show(ui, |ui| {
        ui.set_height(Size::BUTTON);
        ui.spacing_mut().item_spacing.x = 4.0;
        Glyph::Held.paint(
            ui.painter(),
            pos2(ui.cursor().left() + 7.0, ui.max_rect().center().y),
            Size::GLYPH,
            theme.colors.status_held,
        );
        ui.add_space(18.0);
        let name = lay::line(
            ui,
            &format::elide_middle(&hold.name, 24),
            Theme::strong(),
            theme.colors.status_held,
            180.0,
        );
        let (rect, response) = ui.allocate_exact_size(name.size(), egui::Sense::click());
        let label = format!("Held: {}", hold.name);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
        lay::at_left(ui.painter(), rect.left(), rect.center().y, name);
        if response.clicked() {
            actions.push(Action::Reveal(hold.node_id.as_str().into()));
        }
        ui.add_space(4.0);
        answers(ui, model, hold, room, "", actions);
    });
}

/// How much room the answers to a hold have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// Words and keys.
    Full,
    /// Words.
    Compact,
    /// Signs, but for the first answer.
    Tight,
}

/// The six answers to a hold, or how far the one that was given came. `of` makes their names unique in a list.
pub(crate) fn answers(
    ui: &mut Ui,
    model: &Model<'_>,
    hold: &HoldSummary,
    room: Room,
    of: &str,
    actions: &mut Actions,
) {
    let ask = model.state.pending.get(&hold.run, &hold.pause_id);
    if let Some(ask) = ask {
        stage(ui, ask.verb, &ask.stage);
        if !matches!(ask.stage, Stage::Refused(_)) {
            return;
        }
    }
    for verb in Verb::ALL {
        answer(ui, model, hold, verb, room, of, actions);
    }
}

/// Asked, on its way, refused: three words in one place.
fn stage(ui: &mut Ui, verb: Verb, stage: &Stage) {
    match stage {
        Stage::Asked => ui.add(Chip::new(&format!("{} asked", verb.word())).tone(ChipTone::Outline)),
        Stage::OnItsWay => {
            let text = format!("{} on its way", verb.word());
            ui.add(
                Chip::status(Status::Running, &text)
                    .tooltip("The program has it; what it did appears when it says so"),
            )
        }
        Stage::Refused(why) => ui.add(Chip::status(Status::Failed, "Refused").tooltip(why)),
    };
}

fn glyph(verb: Verb) -> Glyph {
    match verb {
        Verb::Continue => Glyph::Run,
        Verb::Step => Glyph::Step,
        Verb::Retry => Glyph::Retried,
        Verb::Inject => Glyph::Injected,
        Verb::Edit => Glyph::Edit,
        Verb::Abort => Glyph::Aborted,
    }
}

fn answer(
    ui: &mut Ui,
    model: &Model<'_>,
    hold: &HoldSummary,
    verb: Verb,
    room: Room,
    of: &str,
    actions: &mut Actions,
) {
    let theme = Theme::of(ui);
    let armed = model.state.armed.as_ref().is_some_and(|armed| *armed.pause == *hold.pause_id);
    let open = model
        .state
        .editor
        .as_ref()
        .filter(|editor| *editor.pause == *hold.pause_id)
        .map(|editor| editor.kind);
    let pressed = match verb {
        Verb::Inject => open == Some(EditorKind::Inject),
        Verb::Edit => open == Some(EditorKind::Edit),
        _ => false,
    };
    if verb == Verb::Abort {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(9.0, 20.0), egui::Sense::hover());
        ui.painter().vline(rect.center().x, rect.y_range(), egui::Stroke::new(1.0, theme.colors.line_strong));
    }
    let tone = match verb {
        Verb::Continue => Tone::Hold,
        Verb::Abort if armed => Tone::DangerArmed,
        Verb::Abort => Tone::Danger,
        _ if pressed => Tone::Pressed,
        _ => Tone::Bare,
    };
    let enabled = verb != Verb::Edit || hold.editable;
    let words = if verb == Verb::Abort && armed { "Abort this run?" } else { verb.word() };
    let name = if of.is_empty() { words.to_owned() } else { format!("{words} {of}") };
    let clicked = if room == Room::Tight && verb != Verb::Continue && !(verb == Verb::Abort && armed) {
        let button = IconButton::new(glyph(verb), &name).key(verb.key()).pressed(pressed).enabled(enabled);
        ui.add(button).clicked()
    } else {
        let mut button = Button::new(words).name(&name).glyph(glyph(verb)).tone(tone).enabled(enabled);
        if verb != Verb::Abort && room == Room::Full {
            button = button.key(verb.key());
        }
        ui.add(button.tooltip(tooltip(verb, hold))).clicked()
    };
    if clicked {
        let (run, pause): (Arc<str>, Arc<str>) = (hold.run.as_str().into(), hold.pause_id.as_str().into());
        let same = pressed && model.state.editor.is_some();
        actions.push(if same {
            Action::CloseEditor
        } else {
            Action::Control(Control::plain(&run, &pause, verb))
        });
    }
}

fn tooltip(verb: Verb, hold: &HoldSummary) -> &'static str {
    match verb {
        Verb::Continue => "Go on to the next breakpoint (F5 or C)",
        Verb::Step => "Go on and hold at the next gate (F10 or S)",
        Verb::Retry => "Run this call again (R)",
        Verb::Inject => "Put a result in place of this call (I)",
        Verb::Edit if hold.editable => "Change the arguments of this call (E)",
        Verb::Edit => "This client does not take edited arguments; Inject works",
        Verb::Abort => "End the run here (Shift+F5); press twice",
    }
}

fn past(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let TimePosition::At(seq) = model.state.time else { return };
    let text = format!("You are in the past, at event {}", format::count(seq));
    let chip = Chip::new(&text).glyph(Glyph::Pin).tone(ChipTone::Accent).clickable();
    if ui.add(chip.tooltip("Go back to the end (End)")).clicked() {
        actions.push(Action::Time(TimePosition::Live));
    }
}

fn search(ui: &mut Ui, scratch: &mut Scratch, model: &Model<'_>, actions: &mut Actions) {
    if scratch.search != model.state.search && !ui.ctx().memory(|memory| memory.has_focus(search_id())) {
        scratch.search.clone_from(&model.state.search);
    }
    let width = ui.available_width().clamp(80.0, 224.0);
    let field = Field::new(&mut scratch.search, "Search nodes and values").hint("Search nodes and values");
    let response = field.glyph(Glyph::Search).key("/").width(width).id(search_id()).show(ui);
    if response.changed() {
        actions.push(Action::Search(scratch.search.clone()));
    }
    super::palette::search_results(ui, &response, model, actions);
}

/// What the graph is narrowed to; the rest is dimmed.
fn narrow(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let Some(run) = model.run.filter(|_| ui.available_width() > 70.0) else { return };
    let filter = &model.state.narrowed;
    let on = narrow::count(filter) as u64;
    let text = if on == 0 { "Filter".to_owned() } else { format::plural(on, "filter") };
    let tone = if on == 0 { ChipTone::Plain } else { ChipTone::Pressed };
    let chip = Chip::new(&text).name("Filter the graph").tone(tone).clickable();
    let response = ui.add(chip.tooltip("Dim what does not match"));
    Popup::menu(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_max_height(420.0);
        egui::ScrollArea::vertical().show(ui, |ui| {
            for choice in choices(run) {
                let on = choice.is_in(filter);
                let words = choice.words();
                if ui.add(Switch { on, text: &words }).clicked() {
                    actions.push(Action::Narrow(choice));
                }
            }
            if on > 0 && ui.add(Button::new("Show all alike")).clicked() {
                actions.push(Action::Widen);
            }
        });
    });
}

/// Everything that a run can be narrowed to: the plain ones, its kinds, its namespaces.
fn choices(run: &graph::Run) -> Vec<Narrow> {
    let kinds: std::collections::BTreeSet<&str> = run.nodes().iter().map(|node| node.kind.as_str()).collect();
    let kinds = kinds.into_iter().filter(|kind| !kind.is_empty()).take(24);
    let spaces = run.namespaces().iter().filter(|path| !path.is_empty()).take(60);
    let space = |path: &Vec<Box<str>>| Narrow::Namespace(path.iter().map(ToString::to_string).collect());
    let plain = Narrow::PLAIN.into_iter();
    plain.chain(kinds.map(|kind| Narrow::Kind(kind.to_owned()))).chain(spaces.map(space)).collect()
}

fn breakpoints(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    if model.state.server.is_none() {
        return;
    }
    let on = model.state.debug.pause_on_error;
    if ui.available_width() > 160.0 {
        let tone = if on { ChipTone::Pressed } else { ChipTone::Plain };
        let chip = Chip::new("Pause on error").glyph(Glyph::Failed).tone(tone).clickable();
        if ui.add(chip.tooltip("Hold where a call fails, before the program sees the error")).clicked() {
            actions.push(Action::PauseOnError(!on));
        }
    }
    let count = model.state.breakpoints().count() as u64;
    if count > 0 && ui.available_width() > 140.0 {
        let text = format::plural(count, "breakpoint");
        let chip = Chip::new(&text).breakpoint(BreakpointMark::Bound).clickable();
        if ui.add(chip.tooltip("Show them in the left rail")).clicked() && !model.state.layout.rail {
            actions.push(Action::TogglePanel(crate::model::Panel::Rail));
        }
    }
}
