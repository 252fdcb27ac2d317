//! The Instances tab: every execution, newest first, only the visible rows laid out.

use egui::{ScrollArea, Ui, pos2};
use graph::{InstanceIx, Node, Run};

use super::{Place, pick, status};
use crate::action::Actions;
use crate::model::{Model, format};
use crate::theme::{Size, Theme};
use crate::views::lay;

/// Shows it.
pub(super) fn show(ui: &mut Ui, place: &Place<'_>, actions: &mut Actions) {
    if place.node.instances.is_empty() {
        let c = &Theme::of(ui).colors;
        lay::prose(ui, "It has not been reached.", c.text_tertiary, Theme::small());
        return;
    }
    list(ui, place.model, place.run, place.node, place.instance.map(|(ix, _)| ix), actions);
}

/// The rows.
pub(super) fn list(
    ui: &mut Ui,
    model: &Model<'_>,
    run: &Run,
    node: &Node,
    selected: Option<InstanceIx>,
    actions: &mut Actions,
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let total = node.instances.len();
    ScrollArea::vertical().id_salt("instances").auto_shrink([false, true]).show_rows(
        ui,
        Size::ROW,
        total,
        |ui, range| {
            for at in range {
                let rank = total - at;
                let ix = node.instances[rank - 1];
                row(ui, model, (run, node), (ix, rank), selected == Some(ix), actions);
            }
        },
    );
}

fn row(
    ui: &mut Ui,
    model: &Model<'_>,
    (run, node): (&Run, &Node),
    (ix, rank): (InstanceIx, usize),
    selected: bool,
    actions: &mut Actions,
) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let instance = run.instance(ix);
    let later = instance.started.is_some_and(|start| model.is_later(start.seq));
    let (rect, response) = lay::row(ui, Size::ROW, selected, &format!("Instance {rank}"));
    let mid = rect.center().y;
    let status = status(model, run, ix, instance);
    status.glyph().paint(ui.painter(), pos2(rect.left() + 12.0, mid), 12.0, status.color(theme));
    let number = lay::line(ui, &format::count(rank as u64), Theme::mono(), c.text_primary, 80.0);
    lay::at_left(ui.painter(), rect.left() + 26.0, mid, number);
    let word = lay::line(
        ui,
        if later { "later" } else { status.word() },
        Theme::small(),
        status.color(theme),
        100.0,
    );
    lay::at_left(ui.painter(), rect.left() + 72.0, mid, word);
    let ended = instance.ended.is_some_and(|end| !model.is_later(end.seq));
    let took = instance.run_ms().filter(|_| ended).map(format::duration).unwrap_or_default();
    lay::at_right(
        ui.painter(),
        rect.right() - 8.0,
        mid,
        lay::line(ui, &took, Theme::small(), c.text_secondary, 80.0),
    );
    let preview = run
        .failure(ix)
        .filter(|failure| !model.is_later(failure.seq))
        .map(|f| f.message.to_string())
        .or_else(|| run.input(ix).map(|(body, _)| body.preview.to_string()));
    let room = rect.width() - 246.0;
    if let Some(preview) = preview.filter(|_| room > 40.0) {
        let shown =
            lay::line(ui, &crate::model::json::visible(&preview), Theme::mono(), c.text_tertiary, room);
        lay::at_left(ui.painter(), rect.left() + 150.0, mid, shown);
    }
    if response.clicked() {
        actions.push(pick(node, instance));
    }
}
