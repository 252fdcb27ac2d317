//! The inspector: the selected node and instance, its values, error, stream, executions and envelopes; below them the
//! editor of a hold.

mod body;
mod error;
mod figures;
mod find;
mod image;
mod instances;
mod life;
mod raw;
mod reading;
mod stream;

use std::sync::Arc;

use egui::{Align, Layout, Popup, Rect, Ui, UiBuilder, pos2, vec2};
use graph::{Instance, InstanceIx, Node, NodeIx, Run};

use super::{Scratch as All, editor, lay, outline};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::{InspectorTab, Model, Selection, format};
use crate::theme::{NodeKind, Radius, Size, Theme};
use crate::widgets::{Button, Tab};

/// Bodies as they were read last.
#[derive(Debug, Default)]
pub struct Scratch {
    input: body::Scratch,
    output: body::Scratch,
    stack: body::Scratch,
    raw: body::Scratch,
    stream: stream::Scratch,
    image: image::Scratch,
    life: life::Scratch,
    editor_height: Option<f32>,
}

impl Scratch {
    /// Opens the search in the body that a tab shows; `false` where there is none.
    pub(crate) fn find(&mut self, tab: InspectorTab) -> bool {
        match tab {
            InspectorTab::Input | InspectorTab::Error => self.input.find(),
            InspectorTab::Output => self.output.find(),
            InspectorTab::Raw => self.raw.find(),
            InspectorTab::Stream | InspectorTab::Instances => return false,
        }
        true
    }

    /// Encoded text that one of the bodies was asked to show.
    fn wanted(&mut self) -> Option<String> {
        [&mut self.input, &mut self.output, &mut self.raw].into_iter().find_map(body::Scratch::take_wanted)
    }
}

/// Room the editor takes at first.
const EDITOR_HEIGHT: f32 = 388.0;

/// Shows it.
pub fn show(ui: &mut Ui, model: &Model<'_>, scratch: &mut All, actions: &mut Actions) {
    let rect = ui.max_rect();
    let scratch = &mut scratch.inspector;
    let (mut upper, mut lower) = (rect, None);
    if model.state.editor.is_some() {
        let height =
            scratch.editor_height.unwrap_or(EDITOR_HEIGHT).clamp(200.0, (rect.height() - 180.0).max(220.0));
        let split = rect.bottom() - height;
        upper.max.y = split;
        lower = Some(Rect::from_min_max(pos2(rect.left() + 1.0, split), rect.max));
        drag(ui, rect, split, scratch);
    }
    let mut top = ui.new_child(UiBuilder::new().max_rect(upper).layout(Layout::top_down(Align::Min)));
    top.set_clip_rect(upper.intersect(ui.clip_rect()));
    selection(&mut top, model, scratch, actions);
    if let Some(text) = scratch.wanted() {
        scratch.image.open(ui, &text);
    }
    image::show(ui, &mut scratch.image, actions);
    if let Some(lower) = lower {
        let mut bottom = ui.new_child(UiBuilder::new().max_rect(lower).layout(Layout::top_down(Align::Min)));
        bottom.set_clip_rect(lower.intersect(ui.clip_rect()));
        editor::show(&mut bottom, model, actions);
    }
}

/// The editor's top line can be dragged.
fn drag(ui: &Ui, rect: Rect, split: f32, scratch: &mut Scratch) {
    let c = &Theme::of(ui).colors;
    let grip = Rect::from_center_size(pos2(rect.center().x, split), vec2(rect.width(), 8.0));
    let response = ui.interact(grip, ui.scope_id().with("editor height"), egui::Sense::drag());
    let active = response.hovered() || response.dragged();
    let stroke =
        if active { egui::Stroke::new(2.0, c.accent) } else { egui::Stroke::new(1.0, c.line_subtle) };
    ui.painter().hline(rect.x_range(), split, stroke);
    if response.dragged() {
        scratch.editor_height = Some(rect.bottom() - split - response.drag_delta().y);
    }
    response.on_hover_cursor(egui::CursorIcon::ResizeVertical);
}

fn selection(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    let (Some(run), Some((ix, node))) = (model.run, model.node()) else {
        return figures::run(ui, model, actions);
    };
    let instance = model.instance();
    head(ui, model, run, node, instance, actions);
    tabs(ui, model, run, node, instance, actions);
    let frame = egui::Frame::NONE.inner_margin(egui::Margin { left: 16, right: 16, top: 8, bottom: 8 });
    frame.show(ui, |ui| {
        let place = Place { model, run, ix, node, instance };
        life::question(ui, &place, actions);
        match model.state.tab {
            InspectorTab::Input | InspectorTab::Output => life::show(ui, &place, &mut scratch.life, actions),
            _ => {}
        }
        match model.state.tab {
            InspectorTab::Input => body::input(ui, &place, &mut scratch.input, actions),
            InspectorTab::Output => body::output(ui, &place, &mut scratch.output, actions),
            InspectorTab::Error => error::show(ui, &place, scratch, actions),
            InspectorTab::Stream => stream::show(ui, &place, &mut scratch.stream, actions),
            InspectorTab::Instances => instances::show(ui, &place, actions),
            InspectorTab::Raw => raw::show(ui, &place, &mut scratch.raw, actions),
        }
    });
}

/// What a tab is about.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    model: &'a Model<'a>,
    run: &'a Run,
    ix: NodeIx,
    node: &'a Node,
    instance: Option<(InstanceIx, &'a Instance)>,
}

impl Place<'_> {
    fn key(&self) -> Arc<str> {
        self.run.key().as_str().into()
    }
}

fn head(
    ui: &mut Ui,
    model: &Model<'_>,
    run: &Run,
    node: &Node,
    instance: Option<(InstanceIx, &Instance)>,
    actions: &mut Actions,
) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let (rect, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), Size::INSPECTOR_HEAD + 4.0), egui::Sense::hover());
    let kind = NodeKind::from_word(node.kind.as_str());
    let tile = Rect::from_min_size(rect.min + vec2(16.0, 12.0), vec2(28.0, 28.0));
    ui.painter().rect_filled(tile, Radius::TILE, kind.tile(theme));
    kind.glyph().paint(ui.painter(), tile.center(), 18.0, kind.hue(theme));
    let mut right = rect.right() - 16.0;
    if node.instances.len() > 1 {
        right = choose(ui, rect, model, (run, node), instance, actions) - 8.0;
    }
    let x = rect.left() + 58.0;
    let room = right - x;
    lay::at_left(
        ui.painter(),
        x,
        rect.top() + 20.0,
        lay::line(ui, &node.name, Theme::title(), c.text_primary, room),
    );
    let path = path(run, node);
    let word = if kind.word() == node.kind.as_str() || node.kind.as_str().is_empty() {
        kind.label()
    } else {
        node.kind.as_str()
    };
    let under = if path.is_empty() { word.to_owned() } else { format!("{word} \u{B7} {path}") };
    lay::at_left(
        ui.painter(),
        x,
        rect.top() + 39.0,
        lay::line(ui, &under, Theme::small(), c.text_secondary, room),
    );
    let name = format!("Selected: {}", node.name);
    ui.interact(rect, ui.scope_id().with("head"), egui::Sense::hover())
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Heading, true, &name));
}

/// Names of the parents, outermost first.
fn path(run: &Run, node: &Node) -> String {
    let namespace = run.namespace(node.namespace);
    if !namespace.is_empty() {
        return namespace.join(" / ");
    }
    let mut names = Vec::new();
    let mut at = node.parent;
    while let Some(ix) = at.filter(|_| names.len() < 8) {
        let parent = run.node(ix);
        names.push(parent.name.to_string());
        at = parent.parent;
    }
    names.reverse();
    names.join(" / ")
}

/// `12 of 12`, and the others to choose from.
fn choose(
    ui: &mut Ui,
    rect: Rect,
    model: &Model<'_>,
    (run, node): (&Run, &Node),
    instance: Option<(InstanceIx, &Instance)>,
    actions: &mut Actions,
) -> f32 {
    let rank = instance
        .and_then(|(at, _)| node.instances.iter().rposition(|known| *known == at))
        .map_or(0, |at| at + 1);
    let text = format!("{rank} of {}", format::count(node.instances.len() as u64));
    let place = Rect::from_min_max(
        pos2(rect.right() - 140.0, rect.top() + 12.0),
        pos2(rect.right() - 16.0, rect.top() + 40.0),
    );
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(place).layout(Layout::right_to_left(Align::Center)));
    let button = Button::new(&text).name("Choose an instance").trailing(Glyph::Down);
    let response = child.add(button.tooltip("Choose an execution"));
    let left = response.rect.left();
    Popup::menu(&response).width(280.0).show(|ui| {
        ui.set_max_height(320.0);
        instances::list(ui, model, run, node, instance.map(|(at, _)| at), actions);
    });
    left
}

fn tabs(
    ui: &mut Ui,
    model: &Model<'_>,
    run: &Run,
    node: &Node,
    instance: Option<(InstanceIx, &Instance)>,
    actions: &mut Actions,
) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), Size::TABS), egui::Sense::hover());
    crate::widgets::separator(ui, rect.bottom() - 0.5);
    let inner = rect.shrink2(vec2(16.0, 0.0));
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(inner).layout(Layout::left_to_right(Align::Center)));
    child.spacing_mut().item_spacing.x = 16.0;
    let count =
        if node.instances.len() > 1 { format::count(node.instances.len() as u64) } else { String::new() };
    let failed =
        instance.and_then(|(ix, _)| run.failure(ix)).is_some_and(|failure| !model.is_later(failure.seq));
    for tab in InspectorTab::ALL {
        let active = model.state.tab == tab;
        let count = if tab == InspectorTab::Instances { count.as_str() } else { "" };
        let response = child.add(Tab { text: tab.word(), count, active });
        if tab == InspectorTab::Error && failed && !active {
            let at = response.rect.right_top() + vec2(3.0, 10.0);
            child.painter().circle_filled(at, 2.5, Theme::of(ui).colors.status_failed);
        }
        if response.clicked() {
            actions.push(Action::Inspect(tab));
        }
    }
}

/// Selects one instance of a node.
fn pick(node: &Node, instance: &Instance) -> Action {
    Action::Select(Selection::instance(node.id.as_str(), instance.id.as_str()))
}

/// The state of an instance as the window says it.
fn status(model: &Model<'_>, run: &Run, ix: InstanceIx, instance: &Instance) -> crate::theme::Status {
    use crate::theme::Status;
    let (status, held) = match model.at {
        Some(at) => match at.instance(run, ix) {
            Some(then) => (then.status, then.held),
            None => return Status::NotReached,
        },
        None => (run.instance_status(ix), instance.is_held() && !run.is_over()),
    };
    match status {
        _ if held => Status::Held,
        graph::Status::Running => Status::Running,
        graph::Status::Ok if instance.flags.injected => Status::Injected,
        graph::Status::Ok if instance.flags.cached => Status::Cached,
        graph::Status::Ok => Status::Ok,
        graph::Status::Error => Status::Failed,
        graph::Status::Aborted => Status::Aborted,
        graph::Status::Abandoned => Status::Abandoned,
        graph::Status::Uncertain => Status::Uncertain,
    }
}

/// The state of the node, where it has no instance.
fn node_status(place: &Place<'_>) -> crate::theme::Status {
    outline::status(place.run, place.ix, place.model.at)
}
