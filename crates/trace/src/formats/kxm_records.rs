//! KXM records, sync-safe and local, one a line or in a list.
//!
//! Each valid record becomes one envelope of type `kxm.event` that carries it whole; each broken rule of an invalid
//! one stands in the report with its place.

use crate::adapter::{Adapter, Item, Out};
use crate::detect::Format;
use crate::report::InvalidRecord;

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "KXM records",
    recognises: |look| {
        look.text("schema")
            .is_some_and(|schema| schema == "kxm.sync-event.v1" || schema == "kxm.run-event.v1")
    },
    adapter: || Box::new(Records),
}];

/// Broken rules that a report lists; beyond them records are only counted.
const INVALID_MAX: usize = 1000;

struct Records;

impl Adapter for Records {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let text = item.raw.get();
        let head = match kxm::decode(text) {
            Ok(head) => head,
            Err(invalid) => {
                let reason = invalid.to_string();
                let room = INVALID_MAX.saturating_sub(out.report.invalid.len());
                let faults = invalid.faults.into_iter().take(room);
                out.report.invalid.extend(faults.map(|fault| InvalidRecord { line: item.line, fault }));
                return Err(reason);
            }
        };
        let envelope = kxm::to_envelope(text, &head).ok_or_else(|| {
            format!("sequence {} is above 2^53 - 1 and cannot be placed in a run", head.sequence)
        })?;
        out.envelope(&envelope);
        out.report.used();
        Ok(())
    }

    fn finish(&mut self, _out: &mut Out<'_>) {}
}
