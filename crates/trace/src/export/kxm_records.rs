//! Runs as sync-safe KXM records: what happened, when, how long, how much; never what was said.
//!
//! A KXM run passes through `kxm::redact`. Of any other run agents become assignments, tools effects of an unknown class,
//! model calls attempts, everything else steps, errors a class, holds approvals. Invariants: every record
//! validates, because each one passes through `kxm::redact` too; no prompt, input, output, message or path is
//! in any; names that are no plain names are replaced by stand-ins and counted; what was left out is listed
//! in each record's `redaction`.

mod names;
mod record;
mod run;

use std::collections::BTreeMap;
use std::io::{self, Write};

use wire::Raw;

use super::ids::digest;
use super::story::told;
use super::{Notes, Source};
use run::Run;

/// Version of what is left out here, as each record names it.
const POLICY: &str = "holdpoint-1";

pub(super) fn write(source: &mut Source<'_>, out: &mut dyn Write) -> io::Result<Vec<String>> {
    let mut writer = Writer {
        out,
        policy: kxm::Policy { version: POLICY.to_owned(), sync_policy_revision: revision("sync") },
        runs: BTreeMap::new(),
        notes: Notes::default(),
        replaced: 0,
    };
    source.each(&mut |envelope, _| writer.take(envelope))?;
    let (replaced, notes) = (writer.replaced, writer.notes.into_list());
    source.replaced = replaced;
    Ok(notes)
}

/// A revision of something that other runs have no revisions of.
fn revision(of: &str) -> String {
    format!("sha256:{}", digest(&["holdpoint", POLICY, of], 32))
}

struct Writer<'w> {
    out: &'w mut dyn Write,
    policy: kxm::Policy,
    runs: BTreeMap<String, Run>,
    notes: Notes,
    replaced: u64,
}

impl Writer<'_> {
    fn take(&mut self, envelope: &str) -> io::Result<()> {
        if let Some(record) = whole_record(envelope) {
            return self.record(record.get());
        }
        let Some((header, all)) = told(envelope) else { return Ok(()) };
        if header.run_id == wire::WILDCARD_RUN_ID {
            return Ok(());
        }
        for told in all {
            let run = self.runs.entry(header.run_id.to_string()).or_insert_with(|| Run::new(&header.run_id));
            if let Some(record) = run.take(header.ts, &told, &mut self.notes) {
                self.record(&record)?;
            }
        }
        Ok(())
    }

    /// Writes a record if it can be made safe.
    fn record(&mut self, record: &str) -> io::Result<()> {
        match kxm::redact(record, &self.policy) {
            Ok(safe) => {
                let replaced = Raw::parse(&safe)
                    .ok()
                    .and_then(|safe| safe.pointer("/redaction/valuesReplaced")?.as_u64());
                self.replaced += replaced.unwrap_or(0);
                writeln!(self.out, "{safe}")
            }
            Err(refused) => {
                self.notes.count(&format!("records were left out: {refused}"), 1);
                Ok(())
            }
        }
    }
}

/// The record that an envelope of a KXM run carries.
fn whole_record(envelope: &str) -> Option<Raw<'_>> {
    if !envelope.contains("kxm.event") {
        return None;
    }
    let raw = Raw::parse(envelope).ok()?;
    (raw.member("type")?.as_str()? == "kxm.event").then_some(())?;
    raw.pointer("/payload/record")
}
