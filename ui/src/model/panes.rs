//! How the window is divided: panes as tiles that dock, resize, hide and are remembered. A side panel keeps its size in
//! points when the window grows; the canvas takes what is left. Knows nothing of what a pane shows.

use std::collections::BTreeMap;

use egui_tiles::{Container, ContainerKind, Linear, LinearDir, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

use super::DockTab;

/// What a tile shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Pane {
    /// Runs, holds, breakpoints and outline.
    Rail,
    /// The graph, or the empty window.
    Canvas,
    /// Details of the selection.
    Inspector,
    /// One tab of the bottom dock.
    Dock(DockTab),
}

/// A place that a pane is sent to by name rather than by dragging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Left edge of the window.
    Left,
    /// Right edge of the window.
    Right,
    /// Among the tabs of the bottom dock.
    Below,
}

impl Side {
    /// In the order of the menu.
    pub const ALL: [Self; 3] = [Self::Left, Self::Right, Self::Below];

    /// Words of the menu.
    pub fn words(self) -> &'static str {
        match self {
            Self::Left => "Move to the left",
            Self::Right => "Move to the right",
            Self::Below => "Move to the bottom",
        }
    }
}

impl Pane {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Rail, Self::Canvas, Self::Inspector].into_iter().chain(DockTab::ALL.map(Self::Dock))
    }

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Rail => "Left rail",
            Self::Canvas => "Graph",
            Self::Inspector => "Inspector",
            Self::Dock(tab) => tab.word(),
        }
    }

    /// Least, usual and greatest width in points.
    fn width(self) -> [f32; 3] {
        match self {
            Self::Rail => [180.0, 240.0, 400.0],
            Self::Inspector => [300.0, 384.0, 640.0],
            _ => [240.0, 420.0, 1_200.0],
        }
    }
}

/// Least, usual and greatest height of whatever lies above or below the canvas, in points.
const HEIGHT: [f32; 3] = [120.0, 216.0, 1_200.0];
/// The canvas is not squeezed below this, as long as its neighbours can give way.
const CANVAS_MIN: [f32; 2] = [320.0, 200.0];
/// Points between two tiles.
pub const GAP: f32 = 1.0;

/// The arrangement of the window.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Panes {
    /// The tiles, in the library's own terms.
    pub tree: Tree<Pane>,
    /// Size of each tile along its container, as a person left it, in points.
    wish: BTreeMap<u64, f32>,
    /// A drag has left sizes that are not remembered yet.
    #[serde(skip)]
    moved: bool,
}

impl std::fmt::Debug for Panes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Panes").field("wish", &self.wish).finish_non_exhaustive()
    }
}

impl Default for Panes {
    /// Rail, canvas over the dock, inspector.
    fn default() -> Self {
        let mut tiles = Tiles::default();
        let mut alone = |pane| {
            let id = tiles.insert_pane(pane);
            tiles.insert_tab_tile(vec![id])
        };
        let (rail, canvas, inspector) = (alone(Pane::Rail), alone(Pane::Canvas), alone(Pane::Inspector));
        let tabs = DockTab::ALL.map(|tab| tiles.insert_pane(Pane::Dock(tab))).to_vec();
        let dock = tiles.insert_tab_tile(tabs);
        let middle = tiles.insert_vertical_tile(vec![canvas, dock]);
        let root = tiles.insert_horizontal_tile(vec![rail, middle, inspector]);
        Self { tree: Tree::new(egui::Id::unique("panes"), root, tiles), wish: BTreeMap::new(), moved: false }
    }
}

impl Panes {
    /// Reads what was remembered; anything but exactly one tile a pane is not taken.
    pub fn read(text: &str) -> Option<Self> {
        let read: Self = serde_json::from_str(text).ok()?;
        let root = read.tree.root()?;
        let mut left: Vec<Pane> = Pane::all().collect();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match read.tree.tiles.get(id)? {
                Tile::Pane(pane) => drop(left.remove(left.iter().position(|known| known == pane)?)),
                Tile::Container(container) => open.extend(container.children()),
            }
        }
        left.is_empty().then_some(read)
    }

    /// The tile of a pane.
    pub fn find(&self, pane: Pane) -> Option<TileId> {
        self.tree.tiles.find_pane(&pane)
    }

    /// Shows exactly the panes that `wanted` names.
    pub fn show_only(&mut self, wanted: impl Fn(Pane) -> bool) {
        for pane in Pane::all() {
            if let Some(id) = self.find(pane) {
                self.tree.tiles.set_visible(id, wanted(pane));
            }
        }
    }

    /// Brings a pane to the front of its tabs.
    pub fn activate(&mut self, pane: Pane) {
        self.tree.make_active(|_, tile| matches!(tile, Tile::Pane(known) if *known == pane));
    }

    /// Sends a pane to an edge, or back among the tabs of the dock.
    pub fn place(&mut self, pane: Pane, side: Side) {
        let Some(id) = self.find(pane) else { return };
        match side {
            Side::Left | Side::Right => {
                let (row, at) = (self.row(), if side == Side::Left { 0 } else { usize::MAX });
                self.tree.move_tile_to_container(id, row, at, false);
            }
            Side::Below => self.below(pane, id),
        }
        self.activate(pane);
    }

    /// The outermost row; made if the root is something else.
    fn row(&mut self) -> TileId {
        let root = self.tree.root.unwrap_or_else(|| self.tree.tiles.insert_horizontal_tile(Vec::new()));
        let is_row =
            self.tree.tiles.get_container(root).map(Container::kind) == Some(ContainerKind::Horizontal);
        let row = if is_row { root } else { self.tree.tiles.insert_horizontal_tile(vec![root]) };
        self.tree.root = Some(row);
        row
    }

    /// Joins the tabs of another dock pane, the nearest in order; without one, a new strip under the canvas.
    fn below(&mut self, pane: Pane, id: TileId) {
        let others = DockTab::ALL.map(Pane::Dock);
        let tabs = others.into_iter().filter(|other| *other != pane).find_map(|other| {
            let parent = self.tree.tiles.parent_of(self.find(other)?)?;
            let holds_canvas =
                self.find(Pane::Canvas).and_then(|at| self.tree.tiles.parent_of(at)) == Some(parent);
            (!holds_canvas).then_some(parent)
        });
        if let Some(tabs) = tabs {
            self.tree.move_tile_to_container(id, tabs, usize::MAX, false);
        }
    }

    /// Takes the sizes that a drag left behind as wishes.
    pub fn keep_sizes(&mut self) {
        self.moved = true;
        for tile in self.tree.tiles.tiles() {
            let Tile::Container(Container::Linear(linear)) = tile else { continue };
            for child in linear.children.iter().filter(|child| self.tree.tiles.is_visible_in_layout(**child))
            {
                self.wish.insert(child.0, linear.shares[*child]);
            }
        }
    }

    /// Whether a drag has left something to remember; asked once.
    pub fn take_moved(&mut self) -> bool {
        std::mem::take(&mut self.moved)
    }

    /// Divides `area` points anew: side panels as they were wished, the canvas what is left. Called every pass; costs
    /// one visit a tile.
    pub fn fit(&mut self, area: egui::Vec2) {
        let Some(root) = self.tree.root() else { return };
        let spine = self.spine();
        let mut open = vec![(root, area)];
        while let Some((id, area)) = open.pop() {
            let Some(Container::Linear(linear)) = self.tree.tiles.get_container(id) else {
                let inner =
                    self.tree.tiles.get_container(id).map(Container::children_vec).unwrap_or_default();
                open.extend(inner.into_iter().map(|child| (child, area)));
                continue;
            };
            let (shares, axis) = self.shares(linear, &spine, area);
            for (child, size) in &shares {
                let mut inner = area;
                inner[axis] = *size;
                open.push((*child, inner));
            }
            if let Some(Tile::Container(Container::Linear(linear))) = self.tree.tiles.get_mut(id) {
                shares.into_iter().for_each(|(child, size)| linear.shares.set_share(child, size));
            }
        }
    }

    /// The canvas and what it lies in, innermost first.
    fn spine(&self) -> Vec<TileId> {
        let mut at = self.find(Pane::Canvas);
        std::iter::from_fn(|| {
            let id = at?;
            at = self.tree.tiles.parent_of(id);
            Some(id)
        })
        .collect()
    }

    /// Points for each visible child of a row or column, and which axis they lie along.
    fn shares(&self, linear: &Linear, spine: &[TileId], area: egui::Vec2) -> (Vec<(TileId, f32)>, usize) {
        let axis = usize::from(linear.dir == LinearDir::Vertical);
        let shown = |child: &&TileId| self.tree.tiles.is_visible_in_layout(**child);
        let children: Vec<TileId> = linear.children.iter().filter(shown).copied().collect();
        let flexible =
            children.iter().position(|child| spine.contains(child)).or(children.len().checked_sub(1));
        let room = area[axis] - GAP * children.len().saturating_sub(1) as f32;
        let mut sizes: Vec<(TileId, f32)> =
            children.iter().map(|child| (*child, self.wished(*child, axis))).collect();
        let Some(flexible) = flexible else { return (sizes, axis) };
        let others: f32 =
            sizes.iter().enumerate().filter(|(at, _)| *at != flexible).map(|(_, size)| size.1).sum();
        let slack: f32 = children
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != flexible)
            .map(|(at, child)| (sizes[at].1 - self.limits(*child, axis)[0]).max(0.0))
            .sum();
        let lacks = (CANVAS_MIN[axis] - (room - others)).clamp(0.0, slack);
        for (_, (child, size)) in sizes.iter_mut().enumerate().filter(|(at, _)| *at != flexible) {
            *size -= lacks * ((*size - self.limits(*child, axis)[0]).max(0.0) / slack.max(1.0));
        }
        let taken: f32 =
            sizes.iter().enumerate().filter(|(at, _)| *at != flexible).map(|(_, size)| size.1).sum();
        sizes[flexible].1 = (room - taken).max(1.0);
        (sizes, axis)
    }

    fn wished(&self, child: TileId, axis: usize) -> f32 {
        let [least, usual, most] = self.limits(child, axis);
        self.wish.get(&child.0).copied().filter(|size| size.is_finite()).unwrap_or(usual).clamp(least, most)
    }

    /// Limits of a tile: those of its largest pane.
    fn limits(&self, child: TileId, axis: usize) -> [f32; 3] {
        if axis == 1 {
            return HEIGHT;
        }
        let mut limits = [0.0f32; 3];
        let mut open = vec![child];
        while let Some(id) = open.pop() {
            match self.tree.tiles.get(id) {
                Some(Tile::Pane(pane)) if self.tree.tiles.is_visible(id) => {
                    limits = std::array::from_fn(|at| limits[at].max(pane.width()[at]));
                }
                Some(Tile::Container(container)) => open.extend(container.children()),
                _ => {}
            }
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(panes: &Panes, pane: Pane) -> f32 {
        let mut at = panes.find(pane);
        while let Some(id) = at {
            let parent = panes.tree.tiles.parent_of(id);
            if let Some(Container::Linear(row)) = parent.and_then(|id| panes.tree.tiles.get_container(id)) {
                return row.shares[id];
            }
            at = parent;
        }
        0.0
    }

    #[test]
    fn a_larger_window_is_a_larger_canvas_and_a_narrow_one_squeezes_its_neighbours() {
        let mut panes = Panes::default();
        for (window, rail, inspector) in
            [(1_600.0, 240.0, 384.0), (2_400.0, 240.0, 384.0), (700.0, 180.0, 300.0)]
        {
            panes.fit(egui::vec2(window, 900.0));
            let seen = (width(&panes, Pane::Rail).round(), width(&panes, Pane::Inspector).round());
            assert_eq!(seen, (rail, inspector), "{window}");
        }
    }

    #[test]
    fn what_is_remembered_is_read_back_and_anything_else_is_not() {
        let mut panes = Panes::default();
        panes.place(Pane::Dock(DockTab::Events), Side::Right);
        let text = serde_json::to_string(&panes).unwrap_or_default();
        assert!(Panes::read(&text).is_some_and(|read| read == panes));
        for bad in ["", "{}", "null", &text.replace("\"Rail\"", "\"Canvas\"")] {
            assert!(Panes::read(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_pane_goes_to_an_edge_and_back_among_the_tabs() {
        let mut panes = Panes::default();
        let events = panes.find(Pane::Dock(DockTab::Events)).expect("a tile");
        let before = panes.tree.tiles.parent_of(events);
        panes.place(Pane::Dock(DockTab::Events), Side::Left);
        assert_eq!(panes.tree.tiles.parent_of(events), panes.tree.root());
        panes.place(Pane::Dock(DockTab::Events), Side::Below);
        assert_eq!(panes.tree.tiles.parent_of(events), before);
    }
}
