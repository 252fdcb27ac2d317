//! Moments that are neither starts nor ends.

use stream::GraphEvent;
use wire::Raw;

use super::Told;
use crate::tick::{Tick, TickKind};
use crate::{NodeIx, Run};

/// Longest name kept of a tick, in bytes.
const LABEL_BYTES_MAX: usize = 200;

impl Run {
    pub(super) fn graph_tick(&mut self, told: &Told<'_>, event: &GraphEvent) {
        use GraphEvent as E;
        match event {
            E::StepStarted { step, active } => {
                for node in active {
                    let ix = self.graph_node(told.at.seq, &told.place, node.as_str());
                    self.data.nodes[ix.at()].routed = true;
                }
                self.tick(told, TickKind::Step, None, Some(*step as u64), "", None);
            }
            E::StepCompleted { step } => {
                self.tick(told, TickKind::StepEnd, None, Some(*step as u64), "", None)
            }
            E::StateUpdated { node, .. } => {
                let ix = self.graph_node(told.at.seq, &told.place, node.as_str());
                self.tick(told, TickKind::State, Some(ix), told.place.step, "", None);
            }
            E::CheckpointSaved { checkpoint_id } => {
                let from = told.payload.member("parent_checkpoint_id").and_then(Raw::as_str);
                self.tick(
                    told,
                    TickKind::Checkpoint,
                    None,
                    told.place.step,
                    checkpoint_id.as_str(),
                    from.as_deref(),
                );
            }
            E::CheckpointRestored { checkpoint_id } => {
                self.tick(told, TickKind::Restored, None, told.place.step, checkpoint_id.as_str(), None);
            }
            E::ContextForked { parent_task_id, child_task_id } => {
                self.fork(told, TickKind::Fork, parent_task_id.as_str(), child_task_id.as_str());
            }
            E::ContextForkJoined { parent_task_id, child_task_id } => {
                self.fork(told, TickKind::Join, parent_task_id.as_str(), child_task_id.as_str());
            }
            E::RecursionDepthChanged { depth } => {
                self.tick(told, TickKind::Depth, None, Some(*depth as u64), "", None);
            }
            E::RunDraining { reason, .. } => {
                let long = told.body.and_then(|body| body.member("reason")).is_some_and(crate::text::is_long);
                self.tick(told, TickKind::Draining, None, None, if long { "" } else { reason }, None);
            }
            E::Custom { name, .. } => {
                let node = self.task_node(told.at.seq, &told.place);
                self.tick(told, TickKind::Custom, node, told.place.step, name, None);
            }
            _ => {}
        }
    }

    /// A fork names tasks, or, with some producers, a node and the fork's name.
    fn fork(&mut self, told: &Told<'_>, kind: TickKind, parent: &str, child: &str) {
        let member = |name: &str| told.body?.member(name)?.as_str();
        let node = member("node").map(|name| self.graph_node(told.at.seq, &told.place, &name));
        let fork = member("fork");
        let label = if child.is_empty() { fork.as_deref().unwrap_or("") } else { child };
        self.tick(told, kind, node, told.place.step, label, (!parent.is_empty()).then_some(parent));
    }

    pub(super) fn tick(
        &mut self,
        told: &Told<'_>,
        kind: TickKind,
        node: Option<NodeIx>,
        step: Option<u64>,
        label: &str,
        from: Option<&str>,
    ) {
        let short = |text: &str| Box::from(&text[..text.floor_char_boundary(LABEL_BYTES_MAX)]);
        let late = self.data.ticks.last().is_some_and(|last| last.at.seq > told.at.seq);
        self.data.ticks_late |= late;
        self.data.ticks.push(Tick {
            at: told.at,
            kind,
            namespace: told.place.namespace,
            node,
            step,
            label: short(label),
            from: from.map(short),
        });
    }
}
