//! What a person should know about how a run was put together.
//!
//! Invariant: a function of the state, so the same for any order of arrival; at most `GAPS_MAX` gaps are listed one by
//! one, the rest as a sum.

use crate::project::Tree;
use crate::{NodeIx, Note, NoteKind, Run};

/// Gaps listed one by one.
const GAPS_MAX: usize = 100;

/// What a person should know about how a run was put together, sorted by kind.
pub fn notes(run: &Run) -> Vec<Note> {
    let mut notes = Vec::new();
    gaps(run, &mut notes);
    parents(run, &mut notes);
    pauses(run, &mut notes);
    instances(run, &mut notes);
    messages(run, &mut notes);
    redaction(run, &mut notes);
    notes.sort();
    notes
}

fn note(kind: NoteKind, text: String) -> Note {
    Note { kind, text, node_id: None, seq: None }
}

fn gaps(run: &Run, notes: &mut Vec<Note>) {
    let gaps = run.gaps();
    for (from, to) in gaps.iter().take(GAPS_MAX) {
        let text = match to - from + 1 {
            1 => format!("1 event missing between {} and {}", from.saturating_sub(1), to + 1),
            n => format!("{n} events missing between {} and {}", from.saturating_sub(1), to + 1),
        };
        notes.push(Note { seq: Some(*from), ..note(NoteKind::Gap, text) });
    }
    if gaps.len() > GAPS_MAX {
        let more: u64 = gaps[GAPS_MAX..].iter().map(|(from, to)| to - from + 1).sum();
        let places = gaps.len() - GAPS_MAX;
        notes.push(Note {
            seq: Some(gaps[GAPS_MAX].0),
            ..note(NoteKind::Gap, format!("{more} more events missing in {places} other places"))
        });
    }
    for (from, to) in run.known_loss().into_iter().take(GAPS_MAX) {
        let text = format!("{} events lost by the program itself, {from} to {to}", to - from + 1);
        notes.push(Note { seq: Some(from), ..note(NoteKind::KnownLoss, text) });
    }
    if run.data.lost_unnumbered > 0 {
        let text =
            format!("{} events lost by the program itself, it does not say which", run.data.lost_unnumbered);
        notes.push(note(NoteKind::KnownLoss, text));
    }
}

fn parents(run: &Run, notes: &mut Vec<Note>) {
    match run.missing_parents() {
        0 => {}
        1 => notes.push(note(NoteKind::MissingParent, "1 missing parent".to_owned())),
        n => notes.push(note(NoteKind::MissingParent, format!("{n} missing parents"))),
    }
    if run.data.self_parents > 0 {
        let text = format!("{} starts name their own node as parent; that is ignored", run.data.self_parents);
        notes.push(note(NoteKind::SelfParent, text));
    }
    for ix in Tree::new(run).cut() {
        let node = run.node(*ix);
        let text = format!("the parents of {} form a ring; it is shown as a root", node.id);
        notes.push(Note { node_id: Some(node.id.to_string()), ..note(NoteKind::Cycle, text) });
    }
}

fn pauses(run: &Run, notes: &mut Vec<Note>) {
    for group in &run.data.pauses {
        let holds: Vec<_> =
            group.holds.iter().map(|ix| run.hold(*ix)).filter(|hold| !hold.interrupt).collect();
        for pair in holds.windows(2) {
            let (first, second) = (pair[0], pair[1]);
            if first.until().is_some_and(|until| until.seq <= second.paused.seq) {
                continue;
            }
            let text =
                format!("two gates hold under the id {:?}; one answer releases both", group.id.as_str());
            let node_id = Some(run.node(second.node).id.to_string());
            let seq = Some(second.paused.seq);
            notes.push(Note { kind: NoteKind::DuplicatePause, text, node_id, seq });
        }
    }
}

fn instances(run: &Run, notes: &mut Vec<Note>) {
    for (ix, node) in run.nodes_ix() {
        if !node.unattributed.is_empty() {
            let text = format!(
                "{} deltas of {} name no instance while none or several were open",
                node.unattributed.deltas, node.id
            );
            notes.push(about(node, NoteKind::Unattributed, text));
        }
        let (guessed, no_start) = irregular(run, ix);
        if guessed > 0 {
            let text = format!("ends of {} name no instance; {guessed} were given to the newest", node.id);
            notes.push(about(node, NoteKind::Guessed, text));
        }
        if no_start > 0 {
            notes.push(about(
                node,
                NoteKind::NoStart,
                format!("the start of {no_start} instances of {} was not seen", node.id),
            ));
        }
    }
}

fn irregular(run: &Run, ix: NodeIx) -> (usize, usize) {
    let flags = run.node(ix).instances.iter().map(|i| run.instance(*i).flags);
    flags.fold((0, 0), |(guessed, no_start), f| {
        (guessed + usize::from(f.guessed), no_start + usize::from(f.no_start))
    })
}

fn about(node: &crate::Node, kind: NoteKind, text: String) -> Note {
    Note { node_id: Some(node.id.to_string()), ..note(kind, text) }
}

fn redaction(run: &Run, notes: &mut Vec<Note>) {
    let redaction = run.redaction();
    if redaction.records > 0 {
        let text = format!(
            "{} values replaced, {} fields omitted and {} paths left out by redaction, in {} records",
            redaction.values_replaced, redaction.fields_omitted, redaction.paths_redacted, redaction.records
        );
        notes.push(note(NoteKind::Redacted, text));
    }
}

fn messages(run: &Run, notes: &mut Vec<Note>) {
    let unknown = &run.data.unknown;
    if unknown.count > 0 {
        let names: Vec<&str> = unknown.names.iter().map(|name| &**name).collect();
        let text = format!("{} messages of unknown types are kept: {}", unknown.count, names.join(", "));
        notes.push(note(NoteKind::UnknownType, text));
    }
    if run.data.long_links > 0 {
        let text = format!(
            "{} lists of links or hand-offs are too long to be drawn; they are in the recording",
            run.data.long_links
        );
        notes.push(note(NoteKind::Unattributed, text));
    }
    if run.data.bad_graph_events > 0 {
        let text = format!(
            "{} graph events could not be read; they are in the recording",
            run.data.bad_graph_events
        );
        notes.push(note(NoteKind::Invalid, text));
    }
    if run.data.starts_seen > 1 {
        let text = format!("run.started was sent {} times; the first counts", run.data.starts_seen);
        notes.push(note(NoteKind::ReusedRun, text));
    }
}
