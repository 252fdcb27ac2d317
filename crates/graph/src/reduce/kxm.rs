//! KXM records: a delivery run as steps, agents, effects, gates and leases.
//!
//! Decides what each record means (contract "Meaning for a viewer"). Most records name only the thing they are about,
//! so what they mean hangs on those before them: records are taken in strictly in sequence order. One that comes late
//! waits for `settle`, which takes all of them in anew; nodes and instances keep their positions. Invariant: the state
//! is a function of the records in that order, so arrival cannot show.
//! Does not read the records themselves, only the facts beside them, and does not check what `kxm` has checked.

mod effects;
mod ends;
mod steps;
mod words;

use wire::{Header, Kind, Raw};

use crate::facts::{Again, End, Fact, Failure, Spent, Start};
use crate::kxm::{Kxm, KxmRecord};
use crate::run::{RunStart, position};
use crate::tick::{Tick, TickKind};
use crate::{Change, InstanceIx, NamespaceIx, NodeIx, Run, Stamp, Status};

/// Type of the envelopes that carry a KXM record.
pub(crate) const KXM_EVENT: &str = "kxm.event";

impl Run {
    /// Takes an envelope in that carries a KXM record; false when it is none.
    pub(super) fn apply_kxm(&mut self, header: &Header<'_>, payload: Raw<'_>, change: &mut Change) -> bool {
        if &*header.kind != KXM_EVENT {
            return false;
        }
        let record = KxmRecord::read(Stamp { seq: header.seq, ts: header.ts }, payload);
        (change.structure, change.status) = (true, true);
        let kxm = &mut self.data.kxm;
        let in_order = kxm.records.last().is_none_or(|last| last.at.seq < header.seq);
        let redaction = &mut kxm.redaction;
        let counts =
            ["valuesReplaced", "fieldsOmitted", "pathsRedacted"].map(|name| record.count(name).unwrap_or(0));
        redaction.records += u64::from(counts.iter().any(|count| *count > 0));
        redaction.values_replaced += counts[0];
        redaction.fields_omitted += counts[1];
        redaction.paths_redacted += counts[2];
        let late = kxm.is_late();
        kxm.records.push(record);
        if late || !in_order {
            self.data.debt += 1;
            self.data.dirty_cost += if late { 1 } else { self.data.kxm.records.len() as u64 };
            self.data.kxm.taken = self.data.kxm.taken.min(self.data.kxm.records.len() - 1);
        } else {
            change.node = self.take_record();
        }
        true
    }

    /// Takes late records in: all anew in order, on the same positions. In a run that others speak of too, those that
    /// are new are taken in as they came: what the others said cannot be told apart from what the records did.
    pub(crate) fn settle_kxm(&mut self) {
        if !self.data.kxm.others {
            self.begin_anew();
        }
        while self.data.kxm.is_late() {
            self.take_record();
        }
    }

    /// Forgets everything but the records and what envelopes said of the run as a whole.
    fn begin_anew(&mut self) {
        let mut fresh = Run::new(self.data.key.clone(), self.data.run_id.as_str(), &self.data.source);
        for node in &self.data.nodes {
            let ix = fresh.intern_node(node.id.as_str(), u64::MAX);
            fresh.data.nodes[ix.at()].vacant = true;
        }
        for instance in &self.data.instances {
            fresh.intern_instance(instance.node, instance.id.as_str());
        }
        // An instance keeps its position, and belongs to its node again once a record speaks of it.
        fresh.data.nodes.iter_mut().for_each(|node| node.instances.clear());
        let mut records = std::mem::take(&mut self.data.kxm.records);
        records.sort_by_key(|record| record.at.seq);
        fresh.data.kxm = Kxm { records, redaction: self.data.kxm.redaction, ..Kxm::default() };
        fresh.keep_run_facts(&mut self.data);
        *self = fresh;
    }

    /// Takes the next record in.
    fn take_record(&mut self) -> Option<NodeIx> {
        let at = self.data.kxm.taken;
        self.data.kxm.taken += 1;
        let record = self.data.kxm.records.get_mut(at)?.lend();
        let told = Told { record: &record, at: record.at, position: position(at) };
        let (subject, _) = record.event().split_once('.').unwrap_or((record.event(), ""));
        let node = match subject {
            "run" => self.kxm_run(&told),
            "step" => self.kxm_step(&told),
            "assignment" => self.kxm_assignment(&told),
            "attempt" => self.kxm_attempt(&told),
            "effect" => self.kxm_effect(&told),
            "approval" => self.kxm_approval(&told),
            _ => self.kxm_moment(&told),
        };
        self.data.kxm.records[at] = record;
        node
    }

    /// The run itself.
    fn kxm_run(&mut self, told: &Told<'_>) -> Option<NodeIx> {
        let record = told.record;
        match record.event() {
            "run.created" => {
                let app = record.get("displayTitle").or(record.get("workflowId")).unwrap_or("").into();
                self.data.graph_start.get_or_insert(RunStart { at: told.at, app, sdk: None, meta: None });
            }
            "run.status_changed" => {
                let status = record.get("status").and_then(words::status_of_word);
                let blocked = status == Some(Status::Uncertain);
                if self.data.kxm.blocked.last().is_some_and(|(_, before)| *before) != blocked {
                    self.data.kxm.blocked.push((told.at.seq, blocked));
                }
                if let Some(status) = status.filter(|status| status.is_over() && !blocked) {
                    let failure = told.failure().filter(|_| status == Status::Error);
                    self.end_run_by_records(told.at, status, failure);
                }
            }
            _ => {}
        }
        self.kxm_tick(told, None, TickKind::Phase);
        None
    }

    fn end_run_by_records(&mut self, at: Stamp, status: Status, failure: Option<Failure>) {
        let replaced =
            super::runs::keep_last(&mut self.data.graph_end, crate::RunEnd { at, status, failure });
        self.data.past_ends.extend(replaced.map(|end| (false, end)));
    }

    /// What is neither step nor work: leases, workspaces, models, routes, deliveries, candidates.
    fn kxm_moment(&mut self, told: &Told<'_>) -> Option<NodeIx> {
        let instance = self.instance_told(told);
        if let Some(instance) = instance {
            self.live_on(told, instance);
        }
        let node = instance.map(|ix| self.instance(ix).node).or_else(|| self.step_told(told));
        let kind = match told.record.event() {
            "lease.acquired" | "lease.released" | "lease.lost" => TickKind::Lease,
            _ => TickKind::Phase,
        };
        self.kxm_tick(told, node, kind);
        node
    }

    fn kxm_tick(&mut self, told: &Told<'_>, node: Option<NodeIx>, kind: TickKind) {
        let label = words::label(told.record);
        let from = told.record.get("leaseId").map(Box::from);
        self.data.ticks_late |= self.data.ticks.last().is_some_and(|last| last.at.seq > told.at.seq);
        let tick = Tick {
            at: told.at,
            kind,
            namespace: NamespaceIx(0),
            node,
            step: None,
            label: label.into(),
            from,
        };
        self.data.ticks.push(tick);
    }

    /// The node of a KXM id, made when it is new.
    fn kxm_node(
        &mut self,
        seq: u64,
        id: &str,
        name: &str,
        kind: Kind<'static>,
        parent: Option<NodeIx>,
    ) -> NodeIx {
        let ix = self.intern_node(id, seq);
        let node = &mut self.data.nodes[ix.at()];
        node.vacant = false;
        if !std::mem::replace(&mut node.in_kxm, true) && !node.started {
            (node.name, node.kind, node.parent) = (name.into(), kind, parent);
        }
        ix
    }

    /// Begins an instance, or notes that one goes on.
    fn begin_life(&mut self, told: &Told<'_>, node: NodeIx, id: &str, parent: Option<NodeIx>) -> InstanceIx {
        let before = self.data.instances.len();
        let instance = self.intern_instance(node, id);
        if !self.data.kxm.lives.contains_key(&instance) {
            let listed = &mut self.data.nodes[node.at()].instances;
            if instance.at() < before && !(self.data.kxm.others && listed.contains(&instance)) {
                listed.push(instance);
            }
            let start = Start {
                at: told.at,
                instance,
                parent,
                step: None,
                unnamed: false,
                model: told.record.get("model").map(Box::from),
                input: None,
            };
            let at = position(self.data.starts.len());
            self.add_start(node, start);
            let life = self.data.kxm.lives.entry(instance).or_default();
            life.start = Some(at);
            (life.began_ns, life.began_ms) = (told.record.count("monotonicNs"), told.at.ts);
        }
        self.live_on(told, instance);
        instance
    }

    /// Files a record under the instance it is about.
    fn live_on(&mut self, told: &Told<'_>, instance: InstanceIx) {
        let life = self.data.kxm.lives.entry(instance).or_default();
        life.records.push(told.position);
        if let Some(summary) = &told.record.summary {
            life.output = Some(summary.clone());
        }
        if let Some(start) = life.start
            && let Some(model) = told.record.get("model")
        {
            self.data.starts[start as usize].model = Some(model.into());
        }
    }

    /// What had ended goes on: as a further try, or as the same one.
    fn go_on(&mut self, told: &Told<'_>, instance: InstanceIx, retry: bool) {
        let node = self.instance(instance).node;
        let at = position(self.data.agains.len());
        self.data.agains.push(Again { at: told.at, named: Some(instance), retry });
        self.data.nodes[node.at()].facts.push(Fact::Again(at));
        self.fold_in_order(node, told.at.seq, crate::derive::Step::Again(at));
        if let Some(life) = self.data.kxm.lives.get_mut(&instance) {
            life.ended = None;
        }
    }
}

/// One record that is being taken in.
struct Told<'a> {
    record: &'a KxmRecord,
    at: Stamp,
    /// Its position in `Kxm::records`.
    position: u32,
}

impl Told<'_> {
    /// The error a record names.
    fn failure(&self) -> Option<Failure> {
        let name = self.record.get("errorClass").or(self.record.get("producerError"))?;
        let component =
            self.record.get("errorComponent").map(|part| format!("in {part}")).unwrap_or_default();
        let retryable = match self.record.get("errorRetryable") {
            Some("true") => ", can be tried again",
            Some(_) => ", final",
            None => "",
        };
        let message =
            self.record.get("reason").map_or_else(|| format!("{component}{retryable}"), str::to_owned);
        let message = message.trim_start_matches(", ").into();
        Some(Failure { name: name.into(), message, cut: false, has_stack: false, seq: self.at.seq })
    }
}

/// An end as records tell it.
fn end_of(at: Stamp, instance: InstanceIx, status: Status) -> End {
    End {
        at,
        named: Some(instance),
        resolved: None,
        step: None,
        start: None,
        status,
        is_error: false,
        injected: false,
        cached: false,
        duration_ms: None,
        held_ms: None,
        output: None,
        usage: None::<Box<Spent>>,
        failure: None,
    }
}
