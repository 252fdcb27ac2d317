//! The table of prices: what a million tokens of a model cost, to estimate calls whose cost was not reported.

use egui::{Id, Modal, ScrollArea, Ui};

use super::{lay, settings};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::Model;
use crate::model::prices::{self, COLUMNS, Row};
use crate::model::state::Overlay;
use crate::theme::{Size, Theme};
use crate::widgets::{Button, Field, IconButton, Tone};

/// Width of the model's name.
const NAME: f32 = 208.0;
/// Width of a price.
const PRICE: f32 = 88.0;
/// Rows at most, so that a table of a whole catalogue stays quick to edit.
const ROWS_MAX: usize = 500;

/// The table as it is typed, while the dialog is open.
#[derive(Debug, Default)]
pub struct Scratch {
    typed: Option<(String, Vec<Row>)>,
}

/// Shows it.
pub(super) fn show(ui: &Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let table = model.state.prices.table();
    let (currency, rows) =
        scratch.typed.get_or_insert_with(|| (table.currency.as_str().to_owned(), prices::rows(table)));
    let modal = Modal::new(Id::unique("prices")).frame(settings::dialog(theme));
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width(NAME + 4.0 * PRICE + Size::ICON_BUTTON + 48.0);
        ui.spacing_mut().item_spacing = egui::vec2(6.0, 6.0);
        lay::prose(ui, "Prices", c.text_primary, Theme::title());
        let about =
            "For a million tokens. A reported cost always counts; these estimate the calls without one.";
        lay::prose(ui, about, c.text_secondary, Theme::small());
        cells(ui, rows);
        more(ui, model, currency, rows);
        let read = prices::read(currency, rows);
        if let Err(why) = &read {
            lay::prose(ui, why, c.status_failed, Theme::small());
        }
        ui.horizontal(|ui| {
            let save = Button::new("Save prices").tone(Tone::Primary).enabled(read.is_ok());
            let saved = ui.add(save).clicked();
            (read.ok().filter(|_| saved), ui.add(Button::new("Close prices").tone(Tone::Quiet)).clicked())
        })
        .inner
    });
    let dismissed = response.should_close();
    let (saved, closed) = response.inner;
    if closed || saved.is_some() || dismissed {
        actions.push(Action::Overlay(Overlay::None));
    }
    if let Some(table) = saved {
        actions.push(Action::SetPrices(table));
    }
}

fn cells(ui: &mut Ui, rows: &mut Vec<Row>) {
    let c = &Theme::of(ui).colors;
    ui.horizontal(|ui| {
        for (at, column) in COLUMNS.iter().enumerate() {
            let size = egui::vec2(if at == 0 { NAME } else { PRICE }, 20.0);
            let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
            let text = lay::line(ui, column, Theme::small_strong(), c.text_secondary, size.x);
            lay::at_left(ui.painter(), rect.left(), rect.center().y, text);
        }
    });
    let mut gone = None;
    ScrollArea::vertical().max_height(300.0).auto_shrink([false, true]).show(ui, |ui| {
        for (at, row) in rows.iter_mut().enumerate() {
            ui.horizontal(|ui| {
                for (column, cell) in row.iter_mut().enumerate() {
                    let name = format!("{} {}", COLUMNS[column], at + 1);
                    let width = if column == 0 { NAME } else { PRICE };
                    Field::new(cell, &name).mono().width(width).show(ui);
                }
                if ui.add(IconButton::new(Glyph::Close, &format!("Remove price {}", at + 1))).clicked() {
                    gone = Some(at);
                }
            });
        }
    });
    if let Some(at) = gone {
        rows.remove(at);
    }
}

/// Further rows, and the currency.
fn more(ui: &mut Ui, model: &Model<'_>, currency: &mut String, rows: &mut Vec<Row>) {
    let c = &Theme::of(ui).colors;
    ui.horizontal(|ui| {
        let room = rows.len() < ROWS_MAX;
        if ui.add(Button::new("Add a price").glyph(Glyph::Plus).enabled(room)).clicked() {
            rows.push(Row::default());
        }
        let known = model.run.filter(|_| room);
        if ui.add(Button::new("Add the models of this run").enabled(known.is_some())).clicked()
            && let Some(run) = known
        {
            let new = prices::unpriced(run, model.state.prices.table());
            let new = new.into_iter().filter(|name| rows.iter().all(|row| row[0] != *name));
            let new: Vec<Row> = new.take(ROWS_MAX - rows.len()).map(named).collect();
            rows.extend(new);
        }
        lay::prose(ui, "Currency", c.text_secondary, Theme::small());
        Field::new(currency, "Currency").mono().width(64.0).show(ui);
    });
}

fn named(model: String) -> Row {
    let mut row = Row::default();
    row[0] = model;
    row
}
