//! Marks on the ruler: errors, supersteps, checkpoints and other moments of a graph run. A click looks at that moment.
//!
//! Invariant: a mark is never nearer to another of its sort than it is wide: those are counted in the first. So a frame
//! makes at most as many as fit on the ruler.

use egui::{Color32, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use graph::project::{Mark, MarkKind, Superstep};
use graph::{NodeIx, Run, TickKind};

use super::{Scale, Scratch};
use crate::action::{Action, Actions};
use crate::model::{TimePosition, format, moments};
use crate::theme::{Colors, Theme};

/// Nodes of a superstep that are named.
const NAMED_MAX: usize = 3;
/// Points between two marks of one sort.
const APART: f32 = 7.0;

/// How a mark is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Step,
    Lease,
    Checkpoint,
    Error,
}

/// One mark, or several too near to tell apart.
#[derive(Clone, Copy, Debug)]
struct Spot {
    sort: Sort,
    first: Mark,
    count: u64,
    x: f32,
}

/// Paints them and makes them clickable.
pub(super) fn show(ui: &Ui, area: Rect, run: &Run, scratch: &Scratch, scale: Scale, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let painter = ui.painter().with_clip_rect(area.expand(6.0).intersect(ui.clip_rect()));
    for spot in spots(run, scratch, scale, area) {
        let at = pos2(spot.x, area.bottom());
        let target = Rect::from_min_size(at - vec2(5.0, 14.0), vec2(10.0, 14.0));
        paint(&painter, spot.sort, at, c);
        let id = ui.scope_id().with(("mark", spot.first.at.seq, spot.sort as u8));
        let response = ui.interact(target, id, Sense::click());
        let name = || about(run, scratch, &spot);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, name()));
        if response.clicked() {
            actions.push(Action::Time(TimePosition::At(spot.first.at.seq)));
        }
        if response.hovered() {
            response.on_hover_cursor(egui::CursorIcon::PointingHand).on_hover_text(name());
        }
    }
}

/// The marks in view, near ones of a sort as one; errors last, for they lie above.
fn spots(run: &Run, scratch: &Scratch, scale: Scale, area: Rect) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    let mut last: [Option<usize>; 4] = [None; 4];
    for mark in &scratch.marks {
        let Some(sort) = sort(run, mark.kind) else { continue };
        let x = scale.x(scratch.axis.fold_down(scratch.axis.moment(mark.at))).round();
        if !area.x_range().contains(x) {
            continue;
        }
        match last[sort as usize].filter(|at| (x - spots[*at].x).abs() < APART) {
            Some(at) => spots[at].count += 1,
            None => {
                last[sort as usize] = Some(spots.len());
                spots.push(Spot { sort, first: *mark, count: 1, x });
            }
        }
    }
    spots.sort_by_key(|spot| spot.sort as u8);
    spots
}

fn sort(run: &Run, kind: MarkKind) -> Option<Sort> {
    match kind {
        MarkKind::Error(_) => Some(Sort::Error),
        MarkKind::Tick(at) => match run.ticks().get(at as usize)?.kind {
            TickKind::Checkpoint | TickKind::Restored => Some(Sort::Checkpoint),
            TickKind::Lease => Some(Sort::Lease),
            _ => Some(Sort::Step),
        },
        // Holds are hatched in their bars; both ends of a run are the ends of the axis.
        MarkKind::Hold(_) | MarkKind::Start | MarkKind::End(_) => None,
    }
}

/// What it stands for, with its moment.
fn about(run: &Run, scratch: &Scratch, spot: &Spot) -> String {
    let what = match spot.first.kind {
        MarkKind::Error(ix) => format!("Error of {}", run.node(run.instance(ix).node).name),
        MarkKind::Tick(at) => {
            run.ticks().get(at as usize).map(|it| tick(run, scratch, it)).unwrap_or_default()
        }
        MarkKind::Hold(_) | MarkKind::Start | MarkKind::End(_) => String::new(),
    };
    let others = if spot.count > 1 {
        format!(" and {} more, zoom in to tell them apart", format::count(spot.count - 1))
    } else {
        String::new()
    };
    match scratch.axis.ordinal {
        true => format!("{what} at event {}{others}", format::count(spot.first.at.seq)),
        false => format!("{what} at {}{others}", format::duration(spot.first.at.ts - scratch.axis.start)),
    }
}

fn tick(run: &Run, scratch: &Scratch, tick: &graph::Tick) -> String {
    match (tick.kind, tick.step) {
        (TickKind::Step, Some(step)) => {
            let known = scratch.steps.iter().find(|row| (row.namespace, row.step) == (tick.namespace, step));
            format!("Superstep {step}{}", known.map(|row| beside(run, row)).unwrap_or_default())
        }
        _ => format::elide_middle(&moments::words(run, tick), 60),
    }
}

/// Which nodes ran side by side in a superstep; what a task calls is part of it.
fn beside(run: &Run, row: &Superstep) -> String {
    let called = |ix: &NodeIx| run.node(*ix).parent.is_some_and(|parent| row.nodes.contains(&parent));
    let tasks: Vec<&str> = row.nodes.iter().filter(|ix| !called(ix)).map(|ix| &*run.node(*ix).name).collect();
    if tasks.len() < 2 {
        return String::new();
    }
    let more = if tasks.len() > NAMED_MAX { ", \u{2026}" } else { "" };
    let names = tasks[..tasks.len().min(NAMED_MAX)].join(", ");
    format!(" with {} side by side ({names}{more})", format::plural(tasks.len() as u64, "node"))
}

fn paint(painter: &Painter, sort: Sort, at: Pos2, c: &Colors) {
    match sort {
        Sort::Step => triangle(painter, at - vec2(0.0, 7.0), vec2(8.0, 6.0), c.text_tertiary),
        Sort::Lease => {
            let square = Rect::from_center_size(at - vec2(0.0, 5.0), vec2(6.0, 6.0));
            painter.rect_filled(square, 1, c.status_held);
        }
        Sort::Checkpoint => {
            let middle = at - vec2(0.0, 5.0);
            let corners = [vec2(0.0, -4.0), vec2(4.0, 0.0), vec2(0.0, 4.0), vec2(-4.0, 0.0)];
            let points = corners.map(|corner| middle + corner).to_vec();
            painter.add(Shape::convex_polygon(points, c.accent, Stroke::NONE));
        }
        Sort::Error => triangle(painter, at - vec2(0.0, 8.0), vec2(10.0, 8.0), c.status_failed),
    }
}

/// Pointing down, from the middle of its upper side.
pub(super) fn triangle(painter: &Painter, at: Pos2, size: egui::Vec2, color: Color32) {
    let half = size.x / 2.0;
    let points = vec![at - vec2(half, 0.0), at + vec2(half, 0.0), at + vec2(0.0, size.y)];
    painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
}
