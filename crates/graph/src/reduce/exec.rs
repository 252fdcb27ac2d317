//! Events about gates.
//!
//! Invariant: what a hold says of its answer is a function of all pauses, answers and refusals under its id.
//! Only the holds between two answers can change with one event, so a reused id costs no more than a fresh one.

use wire::{ExecPaused, ExecRefused, ExecResumed};

use crate::derive::Step;
use crate::facts::Fact;
use crate::run::PauseGroup;
use crate::{Change, Hold, HoldIx, HoldRefusal, NodeIx, Note, NoteKind, Release, Run, Stamp};

/// Longest text kept of a reason, a principal, a request id or a refusal, in bytes.
const TEXT_BYTES_MAX: usize = 512;

impl Run {
    pub(super) fn exec_paused(&mut self, at: Stamp, payload: &ExecPaused<'_>, change: &mut Change) {
        let node = self.intern_node(&payload.node_id, at.seq);
        let named = payload.instance_id.as_ref().map(|id| self.intern_instance(node, id));
        let ix = HoldIx::from(self.data.holds.len());
        let group = self.intern_pause(&payload.pause_id);
        let pause_id = self.data.pauses[group as usize].id.clone();
        self.data.holds.push(Hold {
            named,
            reason: payload.reason.clone().map(wire::Reason::into_owned),
            detail: detail(payload),
            editable: payload.editable.unwrap_or(false),
            ..Hold::new(at, node, pause_id, payload.point)
        });
        (change.node, change.status) = (Some(node), true);
        self.warn_of_twin(group, ix, change);
        self.add_hold(group, ix);
    }

    /// Files a hold under its pause id and takes it in.
    pub(super) fn add_hold(&mut self, group: u32, ix: HoldIx) {
        let (holds, hold) = (&self.data.holds, self.hold(ix));
        let (node, seq) = (hold.node, hold.paused.seq);
        let filed = &self.data.pauses[group as usize].holds;
        let place = filed.partition_point(|h| holds[h.at()].paused.seq < seq);
        self.data.pauses[group as usize].holds.insert(place, ix);
        let state = &mut self.data.nodes[node.at()];
        state.holds.push(ix);
        state.facts.push(Fact::Pause(ix));
        self.settle_shadows(group);
        self.fold_in_order(node, seq, Step::Pause(ix));
        self.settle_hold(group, ix);
    }

    /// One interrupt shows in many events and, where it can be answered, as a gate. Between two answers the first that
    /// shows stands for all of them, until a gate takes its place.
    fn settle_shadows(&mut self, at: u32) {
        let group = &self.data.pauses[at as usize];
        if !group.holds.iter().any(|ix| self.data.holds[ix.at()].interrupt) {
            return;
        }
        let mut releases = group.releases.iter().map(|release| release.at.seq).peekable();
        let mut standing: Option<HoldIx> = None;
        let mut told: Vec<(HoldIx, bool, Option<Stamp>)> = Vec::new();
        for ix in &group.holds {
            let hold = &self.data.holds[ix.at()];
            while releases.next_if(|seq| *seq < hold.paused.seq).is_some() {
                standing = None;
            }
            match (hold.interrupt, standing) {
                (true, before) => told.push((*ix, before.is_some(), None)),
                (false, Some(before)) => {
                    let of = told.iter_mut().find(|(other, ..)| *other == before);
                    of.into_iter().for_each(|(.., taken)| *taken = taken.or(Some(hold.paused)));
                }
                (false, None) => {}
            }
            standing = standing.or(Some(*ix));
        }
        told.into_iter().for_each(|(ix, shadow, taken)| self.set_shadow(ix, shadow, taken));
    }

    fn set_shadow(&mut self, ix: HoldIx, shadow: bool, taken: Option<Stamp>) {
        let hold = &mut self.data.holds[ix.at()];
        let (node, before) = (hold.node, (hold.shadow, hold.taken));
        (hold.shadow, hold.taken) = (shadow, taken);
        match taken {
            Some(taken) if before == (shadow, None) && hold.open => {
                self.fold_in_order(node, taken.seq, Step::Release(ix));
            }
            _ if before != (shadow, taken) => {
                self.mark_node(node);
                self.mark_groups_of(node);
            }
            _ => {}
        }
    }

    /// Two gates that hold under one id: one answer releases both.
    fn warn_of_twin(&self, group: u32, ix: HoldIx, change: &mut Change) {
        let before = self.data.pauses[group as usize].holds.last();
        if before.is_some_and(|other| self.hold(*other).open && !self.hold(*other).interrupt) {
            let hold = self.hold(ix);
            change.notes.push(Note {
                kind: NoteKind::DuplicatePause,
                text: format!(
                    "Two gates hold under the id {:?}; one answer releases both.",
                    hold.pause_id.as_str()
                ),
                node_id: Some(self.node(hold.node).id.as_str().to_owned()),
                seq: Some(hold.paused.seq),
            });
        }
    }

    pub(super) fn exec_resumed(&mut self, at: Stamp, payload: &ExecResumed<'_>, change: &mut Change) {
        let group = self.intern_pause(&payload.pause_id);
        let release = Release {
            at,
            action: payload.action,
            edited: payload.edited.is_some(),
            principal: payload.principal.as_deref().map(short),
            request_id: payload.request_id.as_deref().map(short),
        };
        let releases = &mut self.data.pauses[group as usize].releases;
        let place = releases.partition_point(|other| other.at.seq < at.seq);
        releases.insert(place, release);
        change.status = true;
        self.settle_shadows(group);
        change.node = self.settle_holds_before(group, at.seq);
    }

    pub(super) fn exec_refused(&mut self, at: Stamp, payload: &ExecRefused<'_>, change: &mut Change) {
        let group = self.intern_pause(&payload.pause_id);
        let refusal = HoldRefusal {
            at,
            code: payload.code.clone().into_owned(),
            message: payload.message.as_deref().map(short),
            request_id: payload.request_id.as_deref().map(short),
        };
        let refusals = &mut self.data.pauses[group as usize].refusals;
        let place = refusals.partition_point(|other| other.at.seq < at.seq);
        refusals.insert(place, refusal);
        change.status = true;
        change.node = self.settle_holds_before(group, at.seq);
    }

    /// Settles the holds that began before `seq` and after the answer before it; the node of the last of them.
    fn settle_holds_before(&mut self, at: u32, seq: u64) -> Option<NodeIx> {
        let group = &self.data.pauses[at as usize];
        let before = group.releases[..group.releases.partition_point(|r| r.at.seq < seq)].last();
        let floor = before.map_or(0, |release| release.at.seq);
        let began = |ix: &HoldIx| self.data.holds[ix.at()].paused.seq;
        let from = group.holds.partition_point(|ix| began(ix) < floor);
        let to = group.holds.partition_point(|ix| began(ix) < seq);
        for i in from..to {
            let ix = self.data.pauses[at as usize].holds[i];
            self.settle_hold(at, ix);
        }
        let last = self.data.pauses[at as usize].holds[from..to].last()?;
        Some(self.hold(*last).node)
    }

    /// Gives a hold the first answer after it, and the refusals before that answer.
    fn settle_hold(&mut self, group: u32, ix: HoldIx) {
        let group = &self.data.pauses[group as usize];
        let hold = &mut self.data.holds[ix.at()];
        let release = group.release_after(hold.paused.seq);
        let until = release.map_or(u64::MAX, |release| release.at.seq);
        let refusals = group.refusals_between(hold.paused.seq, until);
        hold.refusals = crate::run::position(refusals.len());
        hold.refused = refusals.last().cloned();
        if hold.is_shadow() {
            hold.release = release.cloned();
            return;
        }
        if hold.release.as_ref().map(|r| r.at.seq) == release.map(|r| r.at.seq) {
            return;
        }
        let node = hold.node;
        if std::mem::replace(&mut hold.release, release.cloned()).is_some() {
            self.mark_node(node);
            self.mark_groups_of(node);
        } else {
            self.fold_in_order(node, until, Step::Release(ix));
        }
    }
}

impl PauseGroup {
    fn release_after(&self, seq: u64) -> Option<&Release> {
        self.releases.get(self.releases.partition_point(|release| release.at.seq < seq))
    }

    fn refusals_between(&self, from: u64, to: u64) -> &[HoldRefusal] {
        let first = self.refusals.partition_point(|refusal| refusal.at.seq < from);
        let last = self.refusals.partition_point(|refusal| refusal.at.seq < to);
        &self.refusals[first..last]
    }
}

/// What the sender says about the reason, in a few words.
fn detail(payload: &ExecPaused<'_>) -> Option<Box<str>> {
    if let Some(smart) = &payload.smart {
        let more = smart.detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default();
        return Some(short(&format!("{}{more}", smart.rule)));
    }
    let repeated = payload.loop_info.as_ref()?;
    let kind = repeated.kind.as_deref().unwrap_or("call");
    Some(short(&format!("{kind} repeated {} times", repeated.repeats)))
}

fn short(text: &str) -> Box<str> {
    text[..text.floor_char_boundary(TEXT_BYTES_MAX)].into()
}
