//! Steps, assignments and their attempts.
//!
//! Decides that a step's try is an instance of it, that an assignment is an instance of its agent, and that attempts
//! are tries of the assignment. A record names little beside its own id; what it hangs on was said before.

use wire::Kind;

use super::{Told, words};
use crate::tick::TickKind;
use crate::{EdgeKind, InstanceIx, NodeIx, Run, Status};

/// Name of the agent of an assignment that names none.
const NAMELESS: &str = "assignment";

impl Run {
    /// The node of the step that a record names.
    pub(super) fn step_told(&mut self, told: &Told<'_>) -> Option<NodeIx> {
        Some(self.step_node(told, told.record.get("stepId")?))
    }

    fn step_node(&mut self, told: &Told<'_>, step: &str) -> NodeIx {
        self.kxm_node(told.at.seq, &format!("step:{step}"), step, Kind::Chain, None)
    }

    /// The instance that a record is about, where it names a known one: the assignment before the step.
    pub(super) fn instance_told(&self, told: &Told<'_>) -> Option<InstanceIx> {
        let kxm = &self.data.kxm;
        let known = |name: &str, table: &std::collections::BTreeMap<Box<str>, InstanceIx>| {
            table.get(told.record.get(name)?).copied()
        };
        known("assignmentId", &kxm.assignments)
            .or_else(|| known("attemptId", &kxm.attempts))
            .or_else(|| known("stepId", &kxm.steps))
    }

    pub(super) fn kxm_step(&mut self, told: &Told<'_>) -> Option<NodeIx> {
        let record = told.record;
        if record.event() == "step.transitioned" {
            return self.transition(told);
        }
        let node = self.step_told(told)?;
        let id = record.get("stepId").unwrap_or_default();
        let known = self.data.kxm.steps.get(id).copied();
        let instance = match record.get("stepAttempt").or(known.is_none().then_some("1")) {
            Some(attempt) => self.begin_life(told, node, &format!("{id}#{attempt}"), None),
            None => known?,
        };
        if record.get("stepAttempt").is_none() && known.is_some() {
            self.live_on(told, instance);
        }
        self.data.kxm.steps.insert(id.into(), instance);
        let status = match record.event() {
            "step.outcome_recorded" => record.get("outcome").map(words::status_of_outcome),
            _ => record.get("status").and_then(words::status_of_word),
        };
        self.spend(told, instance);
        self.turn(told, instance, status);
        Some(node)
    }

    /// One step led to another; a transition without a target is the end.
    fn transition(&mut self, told: &Told<'_>) -> Option<NodeIx> {
        let from = self.step_node(told, told.record.get("fromStepId")?);
        let Some(to) = told.record.get("toStepId") else {
            self.kxm_tick(told, Some(from), TickKind::Phase);
            return Some(from);
        };
        let to = self.step_node(told, to);
        self.data.nodes[to.at()].routed = true;
        self.count_edge(from, to, EdgeKind::Route, 1, told.at.seq);
        Some(to)
    }

    pub(super) fn kxm_assignment(&mut self, told: &Told<'_>) -> Option<NodeIx> {
        let record = told.record;
        let id = record.get("assignmentId")?;
        let instance = self.assignment(told, id);
        let status = match record.event() {
            "assignment.result_recorded" => record.get("resultClass").map(|class| match class {
                "outcome_unknown" => Status::Uncertain,
                "producer_rejected" => Status::Error,
                "cancelled" => Status::Aborted,
                _ => words::status_of_outcome(record.get("outcome").unwrap_or("")),
            }),
            "assignment.terminal" => {
                let named = record.get("status").and_then(words::status_of_word);
                named.or_else(|| record.get("outcome").map(words::status_of_outcome))
            }
            _ => record.get("status").and_then(words::status_of_word),
        };
        self.spend(told, instance);
        self.turn(told, instance, status);
        Some(self.instance(instance).node)
    }

    /// The instance of an assignment: of the agent that its first record names.
    fn assignment(&mut self, told: &Told<'_>, id: &str) -> InstanceIx {
        if let Some(instance) = self.data.kxm.assignments.get(id).copied() {
            self.live_on(told, instance);
            return instance;
        }
        let step = self.step_told(told);
        let node = match told.record.get("agentId") {
            Some(agent) => self.kxm_node(told.at.seq, &format!("agent:{agent}"), agent, Kind::Agent, step),
            None => self.kxm_node(told.at.seq, &format!("agent:?{id}"), NAMELESS, Kind::Agent, step),
        };
        let instance = self.begin_life(told, node, id, step);
        self.data.kxm.assignments.insert(id.into(), instance);
        instance
    }

    /// A try of an assignment. The first is the assignment's own beginning.
    pub(super) fn kxm_attempt(&mut self, told: &Told<'_>) -> Option<NodeIx> {
        let record = told.record;
        let id = record.get("attemptId")?;
        let known = self.data.kxm.attempts.get(id).copied();
        let Some(instance) = known.or_else(|| Some(self.assignment(told, record.get("assignmentId")?)))
        else {
            self.kxm_tick(told, None, TickKind::Phase);
            return None;
        };
        if known.is_some() {
            self.live_on(told, instance);
        } else {
            self.data.kxm.attempts.insert(id.into(), instance);
            let life = self.data.kxm.lives.entry(instance).or_default();
            life.attempts += 1;
            if life.attempts > 1 {
                self.go_on(told, instance, true);
            }
        }
        if record.event() == "attempt.connection_lost" {
            let node = self.instance(instance).node;
            self.kxm_tick(told, Some(node), TickKind::Phase);
        }
        self.spend(told, instance);
        let status = record.get("status").and_then(words::status_of_word);
        // A try that went well does not end its assignment: its result still has to be recorded.
        self.turn(told, instance, status.filter(|status| *status != Status::Ok));
        Some(self.instance(instance).node)
    }
}
