//! A fingerprint of the state.
//!
//! Decides what two equal states have in common: everything that can be seen, in an order of its own (by id and
//! sequence), so that neither arena positions nor arrival can show. FNV-1a, 64 bits: equal on every platform. It
//! guards against mistakes, not against people.

use wire::Body;

use crate::facts::Failure;
use crate::{Cost, EdgeKind, Hold, InstanceIx, Money, NodeIx, Run, Stamp, TextStats, Usage};

/// The fingerprint of some runs, in whatever order they come.
pub(crate) fn of_runs<'a>(runs: impl Iterator<Item = &'a Run>) -> u64 {
    let mut runs: Vec<&Run> = runs.collect();
    runs.sort_by(|a, b| a.key().cmp(b.key()));
    let mut hash = Fnv::default();
    runs.iter().for_each(|run| hash.run(run));
    hash.0
}

impl Run {
    /// A fingerprint of the run: equal for equal states. Late work must be settled first.
    pub fn digest(&self) -> u64 {
        of_runs(std::iter::once(self))
    }
}

struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn num(&mut self, value: impl Into<u64>) {
        self.bytes(&value.into().to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.num(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    fn float(&mut self, value: f64) {
        self.num(value.to_bits());
    }

    fn option<T>(&mut self, value: Option<T>, some: impl FnOnce(&mut Self, T)) {
        self.num(value.is_some());
        if let Some(value) = value {
            some(self, value);
        }
    }

    fn stamp(&mut self, at: Option<Stamp>) {
        self.option(at, |hash, at| {
            hash.num(at.seq);
            hash.float(at.ts);
        });
    }

    fn usage(&mut self, usage: &Usage) {
        for figure in
            [usage.fresh, usage.cache_read, usage.cache_write, usage.output, usage.reasoning, usage.total]
        {
            self.num(figure);
        }
    }

    fn cost(&mut self, cost: &Cost) {
        self.text(cost.currency.as_str());
        self.text(cost.kind.as_str());
        self.num(cost.nanos);
    }

    fn money(&mut self, money: &Money) {
        money.sums().for_each(|cost| self.cost(&cost));
    }

    fn stats(&mut self, stats: &TextStats) {
        for figure in [stats.deltas, stats.text_bytes, stats.reasoning_bytes, stats.tool_args_bytes] {
            self.num(figure);
        }
        self.stamp(stats.first);
        self.stamp(stats.last);
    }

    fn body(&mut self, body: Option<(&Body, u64)>) {
        self.option(body, |hash, (body, seq)| {
            hash.num(seq);
            hash.num(body.size_bytes);
            hash.text(&body.preview);
        });
    }

    fn failure(&mut self, failure: Option<&Failure>) {
        self.option(failure, |hash, failure| {
            hash.text(&failure.name);
            hash.text(&failure.message);
            hash.num(failure.cut);
            hash.num(failure.has_stack);
            hash.num(failure.seq);
        });
    }

    fn run(&mut self, run: &Run) {
        let data = &run.data;
        self.text(run.key().as_str());
        self.text(data.run_id.as_str());
        self.text(run.status().as_str());
        self.option(run.start(), |hash, start| {
            hash.stamp(Some(start.at));
            hash.text(&start.app);
            hash.option(start.sdk.as_deref(), Self::text);
            hash.body(start.meta.as_ref().map(|meta| (meta, start.at.seq)));
        });
        self.option(run.end(), |hash, end| {
            hash.stamp(Some(end.at));
            hash.failure(end.failure.as_ref());
        });
        for figure in [
            data.events,
            u64::from(data.starts_seen),
            u64::from(data.self_parents),
            data.unknown.count,
            data.lost_unnumbered,
        ] {
            self.num(figure);
        }
        self.num(data.bad_graph_events);
        self.num(data.long_links);
        self.lineage(run);
        self.ticks(run);
        self.kxm(run);
        data.unknown.names.iter().for_each(|name| self.text(name));
        self.option(data.first_ts, Self::float);
        self.option(data.last_ts, Self::float);
        for (from, to) in run.gaps().into_iter().chain(run.known_loss()) {
            self.num(from);
            self.num(to);
        }
        self.usage(&data.usage);
        self.money(&data.money);
        self.nodes(run);
        self.edges(run);
        self.holds(run);
    }

    fn lineage(&mut self, run: &Run) {
        let lineage = run.lineage();
        for member in [&lineage.root, &lineage.parent, &lineage.thread, &lineage.graph] {
            self.option(member.as_ref(), |hash, (seq, id)| {
                hash.num(*seq);
                hash.text(id);
            });
        }
    }

    fn ticks(&mut self, run: &Run) {
        for tick in run.ticks() {
            self.stamp(Some(tick.at));
            self.text(tick.kind.as_str());
            run.namespace(tick.namespace).iter().for_each(|segment| self.text(segment));
            self.option(tick.node, |hash, ix| hash.text(run.node(ix).id.as_str()));
            self.option(tick.step, |hash, step| hash.num(step));
            self.text(&tick.label);
            self.option(tick.from.as_deref(), Self::text);
        }
    }

    fn kxm(&mut self, run: &Run) {
        let redaction = run.redaction();
        let counts = [
            redaction.records,
            redaction.values_replaced,
            redaction.fields_omitted,
            redaction.paths_redacted,
            run.kxm_records().len() as u64,
        ];
        counts.into_iter().for_each(|count| self.num(count));
        for record in run.kxm_records() {
            self.stamp(Some(record.at));
            self.body(record.summary.as_ref().map(|summary| (summary, record.at.seq)));
            record.facts().for_each(|(name, word)| {
                self.text(name);
                self.text(word);
            });
        }
    }

    fn nodes(&mut self, run: &Run) {
        let named = run.nodes_ix().filter(|(_, node)| !node.is_vacant());
        let mut order: Vec<NodeIx> = named.map(|(ix, _)| ix).collect();
        order.sort_by(|a, b| run.node(*a).id.cmp(&run.node(*b).id));
        self.num(order.len() as u64);
        order.into_iter().for_each(|ix| self.node(run, ix));
    }

    fn node(&mut self, run: &Run, ix: NodeIx) {
        let node = run.node(ix);
        self.text(node.id.as_str());
        self.text(node.kind.as_str());
        self.text(&node.name);
        run.namespace(node.namespace).iter().for_each(|segment| self.text(segment));
        self.option(node.parent, |hash, parent| hash.text(run.node(parent).id.as_str()));
        self.text(run.node_status(ix).as_str());
        for figure in [node.first_seq, node.busy_us, node.held_us, u64::from(node.timed)] {
            self.num(figure);
        }
        node.child_runs.iter().for_each(|child| self.text(child));
        for flag in
            [node.hinted, node.routed, node.in_graph, node.is_container, node.collapsed, node.is_ghost()]
        {
            self.num(flag);
        }
        let counts = run.counts(ix);
        for count in [counts.total, counts.ok, counts.error, counts.aborted, counts.running, counts.abandoned]
        {
            self.num(count);
        }
        for count in [counts.held, counts.uncertain, counts.injected, counts.cached, counts.retried] {
            self.num(count);
        }
        self.usage(&node.usage);
        self.money(&node.money);
        self.stats(&node.unattributed);
        self.text(&run.unattributed_tail(ix));
        let mut instances = node.instances.clone();
        instances.sort_by(|a, b| run.instance(*a).id.cmp(&run.instance(*b).id));
        self.num(instances.len() as u64);
        instances.into_iter().for_each(|ix| self.instance(run, ix));
    }

    fn instance(&mut self, run: &Run, ix: InstanceIx) {
        let instance = run.instance(ix);
        self.text(instance.id.as_str());
        self.text(run.instance_status(ix).as_str());
        self.stamp(instance.started);
        self.stamp(instance.ended);
        let flags = instance.flags;
        for flag in
            [flags.injected, flags.cached, flags.failed_once, flags.guessed, flags.no_start, flags.retrying]
        {
            self.num(flag);
        }
        self.num(instance.retried);
        self.num(instance.first_seq);
        self.option(instance.held_ms, Self::float);
        self.option(instance.duration_ms, Self::float);
        self.body(run.input(ix));
        self.body(run.output(ix));
        self.failure(run.failure(ix));
        self.option(run.model(ix), Self::text);
        self.option(run.step(ix), |hash, step| hash.num(step));
        self.option(run.parent_of(ix), |hash, parent| hash.text(run.node(parent).id.as_str()));
        self.option(instance.usage(), Self::usage);
        self.option(instance.repeated_usage(), Self::usage);
        self.option(instance.money(), Self::money);
        self.stats(&instance.text());
        self.text(&run.tail(ix));
    }

    fn edges(&mut self, run: &Run) {
        let id = |ix: NodeIx| run.node(ix).id.as_str();
        let mut edges: Vec<(&str, &str, EdgeKind, u32, u64)> =
            run.edges().map(|e| (id(e.from), id(e.to), e.kind, e.count, e.first_seq)).collect();
        edges.sort_unstable();
        for (from, to, kind, count, first_seq) in edges {
            self.text(from);
            self.text(to);
            self.text(kind.as_str());
            self.num(count);
            self.num(first_seq);
        }
    }

    fn holds(&mut self, run: &Run) {
        let mut holds: Vec<&Hold> = run.holds().iter().filter(|hold| !hold.is_shadow()).collect();
        holds.sort_by(|a, b| (a.paused.seq, &a.pause_id).cmp(&(b.paused.seq, &b.pause_id)));
        holds.into_iter().for_each(|hold| self.hold(run, hold));
    }

    fn hold(&mut self, run: &Run, hold: &Hold) {
        self.text(hold.pause_id.as_str());
        self.text(run.node(hold.node).id.as_str());
        self.option(hold.instance, |hash, ix| hash.text(run.instance(ix).id.as_str()));
        self.text(hold.point.as_str());
        self.option(hold.reason.as_ref(), |hash, reason| hash.text(reason.as_str()));
        self.option(hold.detail.as_deref(), Self::text);
        self.num(hold.editable);
        self.num(hold.interrupt);
        self.body(hold.question.as_ref().map(|question| (question, hold.paused.seq)));
        self.num(run.is_held(hold));
        self.stamp(Some(hold.paused));
        self.stamp(hold.passed);
        self.option(hold.release.as_ref(), |hash, release| {
            hash.stamp(Some(release.at));
            hash.text(release.action.as_str());
            hash.num(release.edited);
            hash.option(release.principal.as_deref(), Self::text);
            hash.option(release.request_id.as_deref(), Self::text);
        });
        self.num(hold.refusals);
        self.option(hold.refused.as_ref(), |hash, refused| {
            hash.stamp(Some(refused.at));
            hash.text(refused.code.as_str());
            hash.option(refused.message.as_deref(), Self::text);
        });
    }
}
