//! The panes as tiles: what stands in each, tabs to drag, a grip on a pane that stands alone, and the same by menu for
//! the keyboard. The arrangement is the one thing that painting changes, because the tiles' library works that way.

use egui::{
    Align, Id, Layout, Popup, Rect, Response, Sense, Stroke, Ui, UiBuilder, Visuals, WidgetInfo, pos2, vec2,
};
use egui_tiles::{
    Behavior, EditAction, ResizeState, SimplificationOptions, TabState, TileId, Tiles, UiResponse,
};

use super::{Scratch, compare, dock, empty, inspector, rail, stage};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::panes::GAP;
use crate::model::{Model, Pane, Panel, Side};
use crate::scene::CanvasModel;
use crate::theme::{Size, Theme};
use crate::widgets::{IconButton, Tab};

/// What the panes show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// State and run.
    pub(crate) model: &'a Model<'a>,
    /// The graph as placed.
    pub(crate) scene: &'a CanvasModel,
}

/// Size of the grip of a pane without tabs.
const GRIP: egui::Vec2 = vec2(32.0, 10.0);

/// Width from which a strip of tabs has room for the tools of the shown one.
const TABS_AND_TOOLS: f32 = 420.0;

/// Shows all panes in what is left of the window.
pub(crate) fn show(ui: &mut Ui, place: &Place<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let mut panes = std::mem::take(&mut scratch.panes);
    let layout = &place.model.state.layout;
    let empty = place.model.state.shown.is_none();
    panes.show_only(|pane| layout.shows(pane, empty));
    panes.fit(ui.available_size());
    let alone = Pane::all().filter(|pane| !matches!(pane, Pane::Dock(_)));
    let alone = alone.filter_map(|pane| panes.find(pane)).collect();
    let mut tiles = Arrangement { place, scratch, actions, alone, edits: Vec::new() };
    panes.tree.ui(&mut tiles, ui);
    let edits = tiles.edits;
    if edits.contains(&EditAction::TileResized) {
        panes.keep_sizes();
    }
    let settled = edits.iter().any(|edit| matches!(edit, EditAction::TileDropped | EditAction::TabSelected));
    let let_go = !ui.input(|input| input.pointer.any_down());
    if settled || (let_go && panes.take_moved()) {
        actions.push(Action::Arranged);
    }
    scratch.panes = panes;
}

struct Arrangement<'a> {
    place: &'a Place<'a>,
    scratch: &'a mut Scratch,
    actions: &'a mut Actions,
    /// Tiles that need no tab while they stand alone.
    alone: Vec<TileId>,
    edits: Vec<EditAction>,
}

impl Behavior<Pane> for Arrangement<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, id: TileId, pane: &mut Pane) -> UiResponse {
        let rect = ui.max_rect();
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        let c = &Theme::of(ui).colors;
        let fill = if *pane == Pane::Canvas { c.surface_canvas } else { c.surface_chrome };
        ui.painter().rect_filled(rect, 0, fill);
        let mut inner = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::top_down(Align::Min)));
        let (ui_, model) = (&mut inner, self.place.model);
        match *pane {
            Pane::Rail => rail::show(ui_, model, self.scratch, self.actions),
            Pane::Inspector => inspector::show(ui_, model, self.scratch, self.actions),
            Pane::Dock(tab) => dock::show(ui_, tab, model, self.scratch, self.actions),
            Pane::Canvas => middle(ui_, self.place, self.scratch, self.actions),
        }
        let has_grip = matches!(pane, Pane::Rail | Pane::Inspector);
        if has_grip && grip(ui, id, *pane, rect, self.actions) {
            self.edits.push(EditAction::TileDragged);
            return UiResponse::DragStarted;
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        pane.word().into()
    }

    fn tab_ui(
        &mut self,
        tiles: &mut Tiles<Pane>,
        ui: &mut Ui,
        id: Id,
        tile: TileId,
        state: &TabState,
    ) -> Response {
        let Some(pane) = tiles.get_pane(&tile).copied() else {
            return ui.interact(Rect::NOTHING, id, Sense::hover());
        };
        let count = match pane {
            Pane::Dock(tab) => dock::count(tab, self.place.model),
            _ => String::new(),
        };
        ui.add_space(16.0);
        let response = Tab { text: pane.word(), count: &count, active: state.active }.draggable(ui, id);
        response.context_menu(|ui| menu(ui, pane, self.actions));
        response
    }

    fn top_bar_right_ui(
        &mut self,
        tiles: &Tiles<Pane>,
        ui: &mut Ui,
        _: TileId,
        tabs: &egui_tiles::Tabs,
        _: &mut f32,
    ) {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.add_space(8.0);
        let Some(pane) = tabs.active.and_then(|active| tiles.get_pane(&active).copied()) else { return };
        let Pane::Dock(tab) = pane else { return };
        // More than one strip of tabs may be open: the button of each is named after what it hides.
        let whole = tabs.children.len() > 1;
        let name =
            if whole { "Hide the dock".to_owned() } else { format!("Hide {}", pane.word().to_lowercase()) };
        let button = IconButton::new(Glyph::Down, &name);
        if ui.add(if whole { button.key("Ctrl+J") } else { button }).clicked() {
            self.actions.push(if whole { Action::TogglePanel(Panel::Dock) } else { Action::Hide(pane) });
        }
        // The tabs come first: in a narrow dock what stands beside them gives way.
        if ui.available_width() > TABS_AND_TOOLS {
            dock::tools(ui, tab, self.scratch);
        }
    }

    fn drag_ui(&mut self, tiles: &Tiles<Pane>, ui: &mut Ui, tile: TileId) {
        let theme = Theme::of(ui);
        let name = tiles.get_pane(&tile).map_or("Panel", |pane| pane.word());
        egui::Frame::popup(ui.style())
            .show(ui, |ui| super::lay::prose(ui, name, theme.colors.text_primary, Theme::strong()));
    }

    fn is_tab_bar_visible(&self, _: TileId, tabs: &egui_tiles::Tabs) -> bool {
        !matches!(tabs.children.as_slice(), [only] if self.alone.contains(only))
    }

    fn is_tile_draggable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        tiles.get_pane(&tile) != Some(&Pane::Canvas)
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        Size::TABS
    }

    fn tab_bar_color(&self, visuals: &Visuals) -> egui::Color32 {
        visuals.panel_fill
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        GAP
    }

    fn min_size(&self) -> f32 {
        120.0
    }

    fn resize_stroke(&self, style: &egui::Style, state: ResizeState) -> Stroke {
        match state {
            ResizeState::Idle => Stroke::new(GAP, style.visuals.widgets.noninteractive.bg_stroke.color),
            ResizeState::Hovering | ResizeState::Dragging => Stroke::new(2.0, style.visuals.hyperlink_color),
        }
    }

    fn on_edit(&mut self, edit: EditAction) {
        self.edits.push(edit);
    }
}

/// The empty window, two runs side by side, or the graph.
fn middle(ui: &mut Ui, place: &Place<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let model = place.model;
    match &model.state.compare {
        _ if model.state.shown.is_none() => empty::show(ui, model, scratch, actions),
        Some(two) => compare::show(ui, model, two, actions),
        None => stage::show(ui, model, place.scene, scratch, actions),
    }
}

/// The grip of a pane that has no tab: dragged, or pressed for the menu; `true` when a drag begins.
fn grip(ui: &Ui, tile: TileId, pane: Pane, rect: Rect, actions: &mut Actions) -> bool {
    let place = Rect::from_center_size(pos2(rect.center().x, rect.top() + GRIP.y / 2.0), GRIP);
    let response = ui.interact(place, Id::unique("grip").with(tile), Sense::click_and_drag());
    let name = format!("Move the {}", pane.word().to_lowercase());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &name));
    if response.hovered() || response.has_focus() || ui.rect_contains_pointer(rect) {
        let c = &Theme::of(ui).colors;
        let color = if response.hovered() { c.text_primary } else { c.line_strong };
        for at in [-8.0, 0.0, 8.0] {
            ui.painter().circle_filled(place.center() + vec2(at, 0.0), 1.5, color);
        }
    }
    if response.has_focus() {
        crate::widgets::focus_ring_at(ui.painter(), Theme::of(ui), place.shrink(2.0), 4);
    }
    Popup::menu(&response).show(|ui| menu(ui, pane, actions));
    response.on_hover_cursor(egui::CursorIcon::Grab).drag_started()
}

/// Where a pane can go, and away.
fn menu(ui: &mut Ui, pane: Pane, actions: &mut Actions) {
    for side in Side::ALL {
        if ui.button(side.words()).clicked() {
            actions.push(Action::Place(pane, side));
            ui.close();
        }
    }
    if ui.button(format!("Hide {}", pane.word().to_lowercase())).clicked() {
        actions.push(Action::Hide(pane));
        ui.close();
    }
    if ui.button("Reset layout").clicked() {
        actions.push(Action::ResetLayout);
        ui.close();
    }
}
