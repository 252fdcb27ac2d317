//! Effects on the world outside, and gates where a person decides.
//!
//! Decides that an effect is a tool of its own that goes from intent to settled, that one nobody is sure of has ended
//! in a state of its own, and that its resolution ends it for good or tries it again. An approval is a gate that was
//! answered in the moment it was recorded: when it began to wait is not told.

use wire::{Action, Kind, PauseId, Point, Reason};

use super::{Told, words};
use crate::{Hold, HoldIx, NodeIx, Release, Run, Status};

/// Name of the node that stands for gates which name no step.
const GATE: &str = "approval";

impl Run {
    pub(super) fn kxm_effect(&mut self, told: &Told<'_>) -> Option<NodeIx> {
        let record = told.record;
        let id = record.get("effectId")?;
        let above = self.instance_told(told).map(|ix| self.instance(ix).node);
        let above = above.or_else(|| self.step_told(told));
        let name = record.get("leaseOperation").or(record.get("receiptQuery")).or(record.get("effectClass"));
        let node =
            self.kxm_node(told.at.seq, &format!("effect:{id}"), name.unwrap_or("effect"), Kind::Tool, above);
        let instance = self.begin_life(told, node, id, above);
        self.spend(told, instance);
        let stated = record.get("status").and_then(words::status_of_word);
        let outcome = record.get("outcome").map(words::status_of_outcome);
        match record.event() {
            "effect.settled" => {
                let failed = told.failure().map(|_| Status::Error);
                self.turn(told, instance, Some(failed.or(stated).or(outcome).unwrap_or(Status::Ok)));
            }
            "effect.blocked_uncertain" => self.turn(told, instance, Some(Status::Uncertain)),
            "effect.uncertainty_resolved" => {
                match words::status_of_resolution(record.get("resolutionAction").unwrap_or("")) {
                    Some(status) => self.turn(told, instance, Some(status)),
                    None => self.go_on(told, instance, true),
                }
            }
            _ => {}
        }
        Some(node)
    }

    pub(super) fn kxm_approval(&mut self, told: &Told<'_>) -> Option<NodeIx> {
        let record = told.record;
        let instance = self.instance_told(told);
        if let Some(instance) = instance {
            self.live_on(told, instance);
        }
        let node = instance.map(|ix| self.instance(ix).node).or_else(|| self.step_told(told));
        let node = node
            .unwrap_or_else(|| self.kxm_node(told.at.seq, GATE, GATE, Kind::from("gate").into_owned(), None));
        let refused = words::status_of_outcome(record.get("outcome").unwrap_or("")) != Status::Ok;
        let group = self.intern_pause(&format!("approval@{}", told.at.seq));
        let pause_id = PauseId::from(self.data.pauses[group as usize].id.as_str());
        self.data.pauses[group as usize].releases = vec![Release {
            at: told.at,
            action: if refused { Action::Abort } else { Action::Continue },
            edited: false,
            principal: record.actor().map(Box::from),
            request_id: None,
        }];
        let ix = HoldIx::from(self.data.holds.len());
        self.data.holds.push(Hold {
            named: instance,
            reason: Some(Reason::from("approval").into_owned()),
            detail: Some(words::label(record).into()),
            ..Hold::new(told.at, node, pause_id, Point::Before)
        });
        self.add_hold(group, ix);
        Some(node)
    }
}
