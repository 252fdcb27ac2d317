//! The scene: a run's projection, placed, as models to paint; rebuilt only when something changed.
//!
//! Invariant: a frame never pays for the size of a run, a change of state never lays out anew, and what is placed
//! stays where it is until a tidy is asked for. Folds are kept by node id, so that they outlive a new snapshot.
//! Deliberately unknown here: pixels, zoom and pointer.

mod breakpoint;
mod build;
mod facts;
mod model;
mod place;
mod stack;
mod walk;

use std::collections::BTreeSet;

use graph::project::{self, At, Filter, Matches, Tree};
use graph::{NodeIx, Run, RunKey};
use wire::viewer::BreakpointState;

pub use breakpoint::{breakpoint_mark, breakpoint_of};
pub use model::{
    BoxModel, CanvasModel, CardModel, DiffMark, EdgeLook, EdgeModel, EdgeSegment, HoldModel, HoldVerb, Tally,
    Target,
};
pub use walk::{Direction, path_to, walk, way_to_failure};

/// What a scene is made from.
#[derive(Clone, Copy, Debug)]
pub struct SceneAsk<'a> {
    /// The shown run.
    pub run: Option<&'a Run>,
    /// The shown moment; `None` is now.
    pub at: Option<&'a At>,
    /// Breakpoints, for the gutters.
    pub breakpoints: &'a [BreakpointState],
    /// What is searched for: the rest is dimmed.
    pub filter: &'a Filter,
    /// Nodes or edges may have come since the last refresh.
    pub structure: bool,
    /// Anything else may have changed: states, text, breakpoints, filter, moment.
    pub changed: bool,
}

/// A scene and what it was made from.
#[derive(Debug, Default)]
pub struct Scene {
    model: CanvasModel,
    run: Option<RunKey>,
    folded: BTreeSet<Target>,
    opened: BTreeSet<Target>,
    unstacked: BTreeSet<Target>,
    tree: Option<Tree>,
    matches: Option<Matches>,
    shown: stack::Stacked,
    request: layout::Request,
    layout: Option<layout::Layout>,
    rooms: place::Rooms,
    stale: bool,
    tidy: bool,
}

impl Scene {
    /// What to paint.
    pub fn model(&self) -> &CanvasModel {
        &self.model
    }

    /// The nodes that were looked for at the last refresh; `None` when nothing was.
    pub fn matches(&self) -> Option<&Matches> {
        self.matches.as_ref()
    }

    /// Folds an open box and opens a folded one.
    pub fn toggle_fold(&mut self, target: &str) {
        let target: Target = target.into();
        let folded = self.model.boxes.iter().any(|b| b.target == target && b.folded);
        let (from, to) = match folded {
            true => (&mut self.folded, &mut self.opened),
            false => (&mut self.opened, &mut self.folded),
        };
        from.remove(&target);
        to.insert(target);
        self.stale = true;
    }

    /// Shows the siblings that a stack stands for, each on its own.
    pub fn open_stack(&mut self, target: &str) {
        self.unstacked.insert(target.into());
        self.stale = true;
    }

    /// Lays everything out anew at the next refresh.
    pub fn tidy(&mut self) {
        self.tidy = true;
        self.stale = true;
    }

    /// Whether a tidy would help: boxes had to be continued elsewhere.
    pub fn untidy(&self) -> bool {
        self.layout.as_ref().is_some_and(|layout| layout.continued() > 0)
    }

    /// The place one step from `from`.
    pub fn walk(&self, from: Option<&Target>, direction: Direction) -> Option<Target> {
        walk(&self.model, from, direction)
    }

    /// Brings the models up to date; true if anything was rebuilt.
    pub fn refresh(&mut self, ask: &SceneAsk<'_>) -> bool {
        let key = ask.run.map(|run| run.key().clone());
        let other = key != self.run;
        if other {
            self.forget(key);
        }
        let Some(run) = ask.run else { return other };
        let structure = other || ask.structure || self.stale || self.tree.is_none();
        if structure {
            self.stale = false;
            self.restructure(run, ask.at);
        }
        if !(structure || ask.changed) {
            return false;
        }
        self.repaint(run, ask);
        true
    }

    fn forget(&mut self, key: Option<RunKey>) {
        let revision = self.model.revision + 1;
        *self = Self { run: key, ..Self::default() };
        self.model.revision = revision;
        self.model.run = self.run.as_ref().map(|key| key.as_str().into());
    }

    /// Containment, cards, boxes, edges and where they are.
    fn restructure(&mut self, run: &Run, at: Option<&At>) {
        if self.tidy {
            // Room is kept for what grows now, not for what once grew.
            self.rooms = place::Rooms::default();
        }
        let tree = Tree::new(run);
        let view = project::View {
            folded: indices(run, &self.folded),
            opened: indices(run, &self.opened),
            inside: None,
        };
        let scene = project::scene(run, &tree, &view, at);
        self.shown = stack::stack(run, scene, &indices(run, &self.unstacked));
        let request = place::request(run, &self.shown.scene, &mut self.rooms);
        if self.tidy || self.layout.is_none() || request != self.request {
            let plan = match std::mem::take(&mut self.tidy) {
                true => layout::Plan::Full,
                false => layout::plan(self.layout.as_ref(), &request),
            };
            self.layout = Some(layout::solve(plan, self.layout.take(), &request));
            self.request = request;
        }
        self.tree = Some(tree);
    }

    fn repaint(&mut self, run: &Run, ask: &SceneAsk<'_>) {
        let (Some(tree), Some(layout)) = (&self.tree, &self.layout) else { return };
        self.matches = (!ask.filter.is_empty()).then(|| project::filter(run, tree, ask.filter));
        let facts = facts::Facts {
            run,
            tree,
            at: ask.at,
            breakpoints: ask.breakpoints,
            matches: self.matches.as_ref(),
        };
        build::build(&facts, &self.shown, layout, &mut self.model);
        self.model.revision += 1;
    }
}

fn indices(run: &Run, ids: &BTreeSet<Target>) -> BTreeSet<NodeIx> {
    ids.iter().filter_map(|id| run.find_node(id)).collect()
}
