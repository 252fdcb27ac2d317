//! Prices that a person has set, and what the shown run cost by them: reported costs stay as they are, the rest is
//! estimated and marked as that.

use graph::project::{Spending, spending};
use graph::{Currency, Price, PriceTable, Run};

/// Instances that may be reckoned in a second of looking: a large run that grows is reckoned now and then.
const INSTANCES_PER_S: f64 = 200_000.0;

/// The table, and what was reckoned by it last.
#[derive(Debug, Default)]
pub struct Prices {
    table: PriceTable,
    revision: u64,
    /// Run, its events and the table's revision, and when.
    made: Option<((graph::RunKey, u64, u64), f64)>,
    spending: Spending,
}

impl Prices {
    /// The prices.
    pub fn table(&self) -> &PriceTable {
        &self.table
    }

    /// Sets other ones.
    pub fn set(&mut self, table: PriceTable) {
        self.table = table;
        self.revision += 1;
    }

    /// What the run cost, as of the last [`Self::refresh`].
    pub fn spending(&self) -> &Spending {
        &self.spending
    }

    /// Reckons what a run cost if it or the prices have changed; a large run not at every event.
    pub fn refresh(&mut self, run: &Run, now_s: f64) {
        let key = (run.key().clone(), run.event_count(), self.revision);
        let pause_s = run.instances().len() as f64 / INSTANCES_PER_S;
        if let Some((made, at_s)) = &self.made {
            let grown = made.0 == key.0 && made.2 == key.2;
            if *made == key || (grown && now_s - at_s < pause_s) {
                return;
            }
        }
        self.spending = spending(run, &self.table);
        self.made = Some((key, now_s));
    }
}

/// A price as it is typed: the model, then prices of a million tokens of fresh input, cache read, cache write and
/// output.
pub type Row = [String; 5];

/// What the columns are called.
pub const COLUMNS: [&str; 5] = ["Model begins with", "Input", "Cache read", "Cache write", "Output"];

/// A table as it is typed.
pub fn rows(table: &PriceTable) -> Vec<Row> {
    let row = |price: &Price| {
        let [fresh, read, write, output] =
            [price.fresh, price.cache_read, price.cache_write, price.output].map(|price| price.to_string());
        [price.model.clone(), fresh, read, write, output]
    };
    table.prices.iter().map(row).collect()
}

/// Reads what was typed; rows without anything in them are left out.
///
/// # Errors
/// The first cell that is no price or model, in words.
pub fn read(currency: &str, rows: &[Row]) -> Result<PriceTable, String> {
    let code = currency.trim().to_uppercase();
    let currency = Currency::of_code(&code)
        .ok_or_else(|| format!("{code:?} is no currency: three letters such as USD are"))?;
    let mut prices: Vec<Price> = Vec::new();
    for row in rows.iter().filter(|row| row.iter().any(|cell| !cell.trim().is_empty())) {
        let model = row[0].trim().to_owned();
        if model.is_empty() {
            return Err("A price has no model: type the beginning of its name".to_owned());
        }
        if prices.iter().any(|known| known.model == model) {
            return Err(format!("{model} stands twice"));
        }
        let cell = |at: usize| amount(&row[at]).ok_or_else(|| wrong(&model, at, &row[at]));
        let (fresh, cache_read, cache_write, output) = (cell(1)?, cell(2)?, cell(3)?, cell(4)?);
        prices.push(Price { model, fresh, cache_read, cache_write, output });
    }
    Ok(PriceTable { currency, prices })
}

/// A price of a million tokens; an empty cell is nothing.
fn amount(text: &str) -> Option<f64> {
    match text.trim() {
        "" => Some(0.0),
        text => text.replace(',', ".").parse().ok().filter(|n: &f64| n.is_finite() && *n >= 0.0),
    }
}

fn wrong(model: &str, at: usize, seen: &str) -> String {
    let column = COLUMNS[at].to_lowercase();
    format!("{model}: {seen:?} is no price for {column}; a number such as 2.5 is")
}

/// Models of a run that have no price.
pub fn unpriced(run: &Run, table: &PriceTable) -> Vec<String> {
    let all = (0..run.instances().len() as u32).map(graph::InstanceIx);
    let models = all.filter_map(|ix| run.model(ix));
    let models: std::collections::BTreeSet<&str> = models.collect();
    models.into_iter().filter(|model| table.price(model).is_none()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: [&str; 5]) -> Row {
        cells.map(str::to_owned)
    }

    #[test]
    fn what_is_typed_is_read_and_written_alike() {
        let typed = [row(["gpt-4o", "2.5", "1.25", "0", "10"]), row(["", " ", "", "", ""])];
        let table = read(" eur ", &typed).unwrap();
        assert_eq!((table.currency.as_str(), table.prices.len()), ("EUR", 1));
        assert_eq!(rows(&table), typed[..1]);
        let table = read("USD", &[row(["m", "0,5", "", "", "1"])]).unwrap();
        assert_eq!((table.prices[0].fresh, table.prices[0].cache_read), (0.5, 0.0));
    }

    #[test]
    fn what_is_no_price_is_named_with_its_place() {
        for (currency, rows, words) in [
            ("dollars", vec![], "three letters"),
            ("USD", vec![row(["", "1", "", "", ""])], "no model"),
            ("USD", vec![row(["m", "cheap", "", "", ""])], "m: \"cheap\" is no price for input"),
            ("USD", vec![row(["m", "1", "", "", "-2"])], "no price for output"),
            ("USD", vec![row(["m", "inf", "", "", ""])], "no price for input"),
            ("USD", vec![row(["m", "1", "", "", ""]), row(["m", "2", "", "", ""])], "m stands twice"),
        ] {
            let why = read(currency, &rows).unwrap_err();
            assert!(why.contains(words), "{why}");
        }
    }
}
