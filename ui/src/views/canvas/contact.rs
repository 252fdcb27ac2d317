//! Pointer and keyboard on the canvas: what is under them, and what they ask for.
//!
//! Invariant: what can be read can be reached by name; below a readable size there is one surface, and a click finds
//! the card by its place. Dragging anywhere moves the canvas.

use egui::{
    CursorIcon, EventFilter, Id, Pos2, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::{CanvasAction, CanvasScratch, CanvasView, menu};
use crate::glyph::BreakpointMark;
use crate::paint::{LINE_CHARS_MAX, Lod, View, strip_button_rects};
use crate::scene::{BoxModel, CanvasModel, CardModel, HoldModel, HoldVerb, Target};
use crate::theme::Status;

/// What pointer and keyboard are on, for the painter.
#[derive(Debug, Default)]
pub(crate) struct Contact {
    /// Card or box with the keyboard on it.
    pub(crate) focused: Option<u64>,
    /// Card whose gutter is under the pointer.
    pub(crate) gutter: Option<u64>,
    /// Box whose chevron is under the pointer.
    pub(crate) chevron: Option<u64>,
    /// Button under the pointer, with its card.
    pub(crate) button: Option<(u64, HoldVerb)>,
    /// Button with the keyboard on it, with its card.
    pub(crate) button_focused: Option<(u64, HoldVerb)>,
}

/// Where the keyboard was, so that it follows the selection as it walks.
#[derive(Debug, Default)]
pub(crate) struct Focus {
    had: bool,
    selected: Option<Target>,
}

/// The surface behind everything: drag, wheel, pinch, clicks beside cards.
pub(super) fn background(
    ui: &Ui,
    screen: Rect,
    model: &CanvasModel,
    scratch: &mut CanvasScratch,
    actions: &mut Vec<CanvasAction>,
) {
    let response = ui.interact(screen, ui.scope_id().with("canvas"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Graph"));
    let dragged = response.dragged();
    if dragged {
        let delta = response.drag_delta();
        if delta != Vec2::ZERO {
            scratch.follow = false;
            scratch.camera.pan(delta);
        }
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    if response.contains_pointer() {
        wheel(ui, screen, scratch);
    }
    menu::of_canvas(&response, actions);
    if response.clicked() {
        let view = scratch.camera.view(screen, ui.ctx().pixels_per_point());
        let at = response.interact_pointer_pos().map(|at| view.to_canvas(at));
        let found = at.filter(|_| view.lod() <= Lod::Block).and_then(|at| find(model, at));
        actions.push(CanvasAction::Select(found));
    }
    if response.double_clicked() && scratch.camera.zoom() < 0.4 {
        let at = response.interact_pointer_pos().map_or(Vec2::ZERO, |at| at - screen.min);
        scratch.follow = false;
        scratch.camera.zoom_at(at, 1.0 / scratch.camera.zoom());
    }
}

fn wheel(ui: &Ui, screen: Rect, scratch: &mut CanvasScratch) {
    let (zoom, scroll, at) =
        ui.input(|input| (input.zoom_delta(), input.smooth_scroll_delta(), input.pointer.hover_pos()));
    let at = at.unwrap_or(screen.center()) - screen.min;
    if zoom != 1.0 {
        scratch.follow = false;
        scratch.camera.zoom_at(at, zoom);
    } else if scroll != Vec2::ZERO {
        scratch.follow = false;
        scratch.camera.pan(scroll);
    }
}

/// The card at a place, else the innermost box.
fn find(model: &CanvasModel, at: Pos2) -> Option<Target> {
    let card = model.cards.iter().rev().find(|card| card.rect.contains(at)).map(|card| &card.target);
    card.or_else(|| model.boxes.iter().rev().find(|b| b.rect.contains(at)).map(|b| &b.target)).cloned()
}

/// Everything in view that has a name.
pub(super) fn items(
    ui: &Ui,
    view: &View,
    model: &CanvasModel,
    told: &CanvasView<'_>,
    scratch: &mut CanvasScratch,
    actions: &mut Vec<CanvasAction>,
) -> Contact {
    let mut contact = Contact::default();
    if view.lod() < Lod::Name {
        return contact;
    }
    let walked = scratch.focus.had && scratch.focus.selected.as_ref() != told.selected;
    let (seen, area) = (std::mem::take(&mut scratch.seen), view.visible());
    let mut touch = Touch { ui, view, told, actions, contact: &mut contact, take_focus: walked };
    for b in seen.boxes.iter().map(|at| &model.boxes[*at as usize]).filter(|b| b.rect.intersects(area)) {
        touch.boxed(b);
    }
    for card in seen.cards.iter().map(|at| &model.cards[*at as usize]) {
        if card.painted().intersects(area) {
            touch.card(card);
        }
    }
    scratch.seen = seen;
    scratch.focus = Focus { had: contact.focused.is_some(), selected: told.selected.cloned() };
    contact
}

struct Touch<'a, 'b> {
    ui: &'a Ui,
    view: &'a View,
    told: &'a CanvasView<'b>,
    actions: &'a mut Vec<CanvasAction>,
    contact: &'a mut Contact,
    take_focus: bool,
}

impl Touch<'_, '_> {
    fn id(&self, key: u64, part: &str) -> Id {
        self.ui.scope_id().with((key, part))
    }

    fn interact(&self, rect: Rect, id: Id, role: Role, name: impl Fn() -> String) -> Response {
        let rect = rect.intersect(self.view.screen);
        let response = self.ui.interact(rect, id, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(role, true, name()));
        response
    }

    fn card(&mut self, card: &CardModel) {
        let rect = self.view.rect(card.painted());
        let response = self.interact(rect, self.id(card.key, "card"), Role::ListItem, || card_name(card));
        self.select(&response, card.key, &card.target);
        menu::of_card(&response, card, self.actions);
        if card.stack && response.double_clicked() {
            self.actions.push(CanvasAction::OpenStack(card.target.clone()));
        }
        if self.view.lod() == Lod::Full {
            if response.hovered() && self.elided(card) {
                response.on_hover_text(&*card.name);
            }
            self.gutter(card, rect);
            if let Some(hold) = &card.hold {
                self.strip(card.key, &card.name, hold, rect);
            }
        } else if response.hovered() {
            response.on_hover_text(card_name(card));
        }
    }

    /// Whether the whole name may have no room on the card; only asked for the one under the pointer.
    fn elided(&self, card: &CardModel) -> bool {
        let name = self.ui.painter().layout_no_wrap(
            card.name.chars().take(LINE_CHARS_MAX).collect(),
            egui::FontId::new(13.0, crate::theme::strong_family()),
            egui::Color32::PLACEHOLDER,
        );
        let count = if card.count > 1 { 48.0 } else { 0.0 };
        name.size().x > CardModel::WIDTH - 48.0 - 8.0 - count
    }

    fn select(&mut self, response: &Response, key: u64, target: &Target) {
        if response.clicked() {
            self.actions.push(CanvasAction::Select(Some(target.clone())));
        }
        if response.double_clicked() {
            self.actions.push(CanvasAction::Inspect(target.clone()));
        }
        if self.take_focus && self.told.selected == Some(target) {
            response.request_focus();
        }
        if response.has_focus() {
            self.contact.focused = Some(key);
            // Arrows walk the graph, not the widgets.
            let filter =
                EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
            self.ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        }
    }

    fn gutter(&mut self, card: &CardModel, rect: Rect) {
        let node = &card.target;
        let area = Rect::from_min_size(rect.min, vec2(20.0, 36.0) * self.view.zoom);
        let name = || match card.breakpoint {
            Some(mark) => format!("Clear {} on {}", mark.word(), card.name),
            None => format!("Set breakpoint on {}", card.name),
        };
        let response = self.interact(area, self.id(card.key, "gutter"), Role::Button, name);
        if response.hovered() || response.has_focus() {
            self.contact.gutter = Some(card.key);
        }
        if response.clicked() {
            self.actions.push(CanvasAction::ToggleBreakpoint(node.clone()));
        }
        let tooltip =
            if card.breakpoint.is_some() { "Clear the breakpoint (F9)" } else { "Set a breakpoint (F9)" };
        let response = response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(tooltip);
        if response.secondary_clicked() {
            self.actions.push(CanvasAction::EditBreakpoint(node.clone()));
        }
    }

    fn strip(&mut self, key: u64, name: &str, hold: &HoldModel, rect: Rect) {
        if self.told.waiting.contains(&hold.pause) {
            return;
        }
        for (verb, area) in strip_button_rects(rect, self.view.zoom) {
            let possible = verb != HoldVerb::Edit || hold.editable;
            let armed = verb == HoldVerb::Abort && self.told.armed == Some(&*hold.pause);
            let words = if armed { "Abort this run?".to_owned() } else { format!("{} {name}", verb.word()) };
            let sense = if possible { Sense::click() } else { Sense::hover() };
            let id = self.id(key, verb.word());
            let response = self.ui.interact(area.intersect(self.view.screen), id, sense);
            response.widget_info(|| WidgetInfo::labeled(Role::Button, possible, &words));
            if response.hovered() {
                self.contact.button = Some((key, verb));
            }
            if response.has_focus() {
                self.contact.button_focused = Some((key, verb));
            }
            if response.clicked() && possible {
                self.actions.push(CanvasAction::Answer { pause: hold.pause.clone(), verb });
            }
            let tooltip = match (possible, armed) {
                (false, _) => "The program does not accept other arguments here".to_owned(),
                (_, true) => "Press again to abort this run".to_owned(),
                _ => format!("{} ({})", verb.word(), verb.key()),
            };
            response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(tooltip);
        }
    }

    fn boxed(&mut self, model: &BoxModel) {
        let rect = self.view.rect(model.rect);
        let header = if model.folded {
            rect
        } else {
            Rect::from_min_max(rect.min, pos2(rect.right(), rect.top() + 32.0 * self.view.zoom))
        };
        if !header.intersects(self.view.screen) {
            return;
        }
        let part = if model.part == 0 { "box" } else { "box part" };
        let id = self.id(model.key.wrapping_add(u64::from(model.part) << 48), part);
        let response = self.interact(header, id, Role::Group, || box_name(model));
        self.select(&response, model.key, &model.target);
        menu::of_box(&response, model, self.actions);
        if response.double_clicked() {
            let action = match model.folded {
                true => CanvasAction::Fold(model.target.clone()),
                false => CanvasAction::Enter(Some(model.target.clone())),
            };
            self.actions.push(action);
        }
        if model.part == 0 {
            self.chevron(model, header);
        }
    }

    fn chevron(&mut self, model: &BoxModel, header: Rect) {
        let size = vec2(30.0, 32.0) * self.view.zoom;
        let area = Rect::from_min_size(header.min, size.min(header.size()));
        let verb = if model.folded { "Unfold" } else { "Fold" };
        let name = || format!("{verb} {}", model.name);
        let response = self.interact(area, self.id(model.key, "chevron"), Role::DisclosureTriangle, name);
        if response.hovered() {
            self.contact.chevron = Some(model.key);
        }
        if response.clicked() {
            self.actions.push(CanvasAction::Fold(model.target.clone()));
        }
        response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(format!("{verb} (Space)"));
    }
}

fn card_name(card: &CardModel) -> String {
    let status = match &card.hold {
        Some(hold) => format!("{} {}", Status::Held.word(), hold.place),
        None => card.status.word().to_owned(),
    };
    let broken = card.breakpoint.filter(|mark| *mark != BreakpointMark::Hover);
    let mark = broken.map(|mark| format!(", {}", mark.word())).unwrap_or_default();
    format!("{}, {}, {status}{mark}", card.name, card.kind.label().to_lowercase())
}

fn box_name(model: &BoxModel) -> String {
    let mut name = format!("{}, {} nodes", model.name, model.tally.nodes);
    for (count, status) in [
        (model.tally.running, Status::Running),
        (model.tally.held, Status::Held),
        (model.tally.failed, Status::Failed),
    ] {
        if count > 0 {
            name.push_str(&format!(", {count} {}", status.word()));
        }
    }
    name
}
