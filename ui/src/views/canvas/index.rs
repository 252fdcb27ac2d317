//! What of the canvas is in view, found without a look at what is not.
//!
//! Invariant: built once for each change of the model, in time proportional to it; a frame costs the cells it sees.
//! What is found is in the model's order, which is the order of painting. Things much larger than a cell (long edges,
//! outer boxes) are few or far-reaching: they are kept apart and tested one by one.

use egui::Rect;

use crate::scene::CanvasModel;

/// Cells an item may touch before it is kept apart.
const CELLS_MAX: usize = 12;
/// Items a cell should hold.
const CELL_ITEMS: usize = 8;

/// Where everything is.
#[derive(Debug, Default)]
pub(crate) struct Index {
    cards: Grid,
    boxes: Grid,
    edges: Grid,
    /// Held cards, by position in the model.
    held: Vec<u32>,
}

/// What is in view, by position in the model.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) cards: Vec<u32>,
    pub(crate) boxes: Vec<u32>,
    pub(crate) edges: Vec<u32>,
}

impl Index {
    pub(crate) fn build(&mut self, model: &CanvasModel) {
        let bounds = model.bounds.unwrap_or(Rect::ZERO);
        self.cards.build(bounds, model.cards.iter().map(|card| card.painted()));
        self.boxes.build(bounds, model.boxes.iter().map(|b| b.rect));
        self.edges.build(bounds, model.edges.iter().map(|edge| edge.bounds));
        let held = |(at, card): (usize, &crate::scene::CardModel)| card.hold.is_some().then_some(at as u32);
        self.held.clear();
        self.held.extend(model.cards.iter().enumerate().filter_map(held));
    }

    /// Finds what touches `area`.
    pub(crate) fn look(&self, area: Rect, seen: &mut Seen) {
        self.cards.look(area, &mut seen.cards);
        self.boxes.look(area, &mut seen.boxes);
        self.edges.look(area, &mut seen.edges);
    }

    /// Positions of held cards.
    pub(crate) fn held(&self) -> &[u32] {
        &self.held
    }
}

/// Rectangles by the cells they touch.
#[derive(Debug)]
struct Grid {
    rects: Vec<Rect>,
    bounds: Rect,
    columns: usize,
    rows: usize,
    /// Where each cell's items begin in `items`; one more entry than cells.
    starts: Vec<u32>,
    items: Vec<u32>,
    large: Vec<u32>,
}

impl Default for Grid {
    fn default() -> Self {
        let (rects, starts, items, large) = Default::default();
        Self { rects, bounds: Rect::ZERO, columns: 1, rows: 1, starts, items, large }
    }
}

impl Grid {
    fn build(&mut self, bounds: Rect, rects: impl Iterator<Item = Rect>) {
        self.rects.clear();
        self.rects.extend(rects);
        self.bounds = bounds;
        let cells = (self.rects.len() / CELL_ITEMS).clamp(1, 1 << 16) as f32;
        let (wide, high) = (bounds.width().max(1.0), bounds.height().max(1.0));
        self.columns = (cells * wide / high).sqrt().clamp(1.0, cells) as usize;
        self.rows = ((cells as usize) / self.columns).max(1);
        self.large.clear();
        self.starts.clear();
        self.starts.resize(self.columns * self.rows + 1, 0);
        for at in 0..self.rects.len() {
            let ((x0, x1), (y0, y1)) = self.cells(self.rects[at]);
            if (x1 - x0 + 1) * (y1 - y0 + 1) > CELLS_MAX {
                self.large.push(at as u32);
                continue;
            }
            for y in y0..=y1 {
                self.starts[y * self.columns + x0 + 1..=y * self.columns + x1 + 1]
                    .iter_mut()
                    .for_each(|count| *count += 1);
            }
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.fill();
    }

    fn fill(&mut self) {
        let mut next = self.starts.clone();
        self.items.clear();
        self.items.resize(self.starts.last().map_or(0, |end| *end as usize), 0);
        for at in 0..self.rects.len() {
            let ((x0, x1), (y0, y1)) = self.cells(self.rects[at]);
            if (x1 - x0 + 1) * (y1 - y0 + 1) > CELLS_MAX {
                continue;
            }
            for cell in (y0..=y1).flat_map(|y| (x0..=x1).map(move |x| (x, y))) {
                let free = &mut next[cell.1 * self.columns + cell.0];
                self.items[*free as usize] = at as u32;
                *free += 1;
            }
        }
    }

    /// The cells a rectangle touches: from and to, across and down.
    fn cells(&self, rect: Rect) -> ((usize, usize), (usize, usize)) {
        let cell = |at: f32, from: f32, length: f32, count: usize| {
            // A float that is out of range, or none, becomes the nearest cell.
            ((((at - from) / length.max(1.0)) * count as f32).max(0.0) as usize).min(count - 1)
        };
        let across = |at| cell(at, self.bounds.left(), self.bounds.width(), self.columns);
        let down = |at| cell(at, self.bounds.top(), self.bounds.height(), self.rows);
        let (x0, y0) = (across(rect.left()), down(rect.top()));
        ((x0, across(rect.right()).max(x0)), (y0, down(rect.bottom()).max(y0)))
    }

    fn look(&self, area: Rect, found: &mut Vec<u32>) {
        found.clear();
        if area.contains_rect(self.bounds) {
            return found.extend(0..self.rects.len() as u32);
        }
        let touches = |at: &u32| self.rects[*at as usize].intersects(area);
        found.extend(self.large.iter().filter(|at| touches(at)));
        let ((x0, x1), (y0, y1)) = self.cells(area);
        for y in y0..=y1 {
            let (from, to) =
                (self.starts.get(y * self.columns + x0), self.starts.get(y * self.columns + x1 + 1));
            let (Some(from), Some(to)) = (from, to) else { continue };
            found.extend(self.items[*from as usize..*to as usize].iter().filter(|at| touches(at)));
        }
        found.sort_unstable();
        found.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    /// Any rectangles, from a fixed mixer.
    fn rects(count: u32, seed: u32) -> Vec<Rect> {
        let mut state = seed;
        let mut next = |below: f32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 * below
        };
        (0..count)
            .map(|n| {
                let long = if n % 9 == 0 { 4_000.0 } else { 200.0 };
                Rect::from_min_size(pos2(next(9_000.0), next(30_000.0)), vec2(next(long), next(long)))
            })
            .collect()
    }

    #[test]
    fn what_is_found_is_what_a_look_at_everything_finds_in_the_same_order() {
        for (count, seed) in [(0, 1), (1, 2), (7, 3), (900, 4), (5_000, 5)] {
            let all = rects(count, seed);
            let bounds = all.iter().copied().reduce(|a, b| a.union(b)).unwrap_or(Rect::ZERO);
            let mut grid = Grid::default();
            grid.build(bounds, all.iter().copied());
            let mut found = Vec::new();
            for area in rects(40, seed + 77).into_iter().chain([bounds.expand(9.0), Rect::EVERYTHING]) {
                grid.look(area, &mut found);
                let expect: Vec<u32> = (0..count).filter(|at| all[*at as usize].intersects(area)).collect();
                assert_eq!(found, expect, "{area:?} of {count}");
            }
        }
    }

    /// A chain of 50,000 cards: what a screen shows of it is found in a few cells.
    #[test]
    fn a_long_chain_has_many_rows_of_cells() {
        let chain = (0..50_000).map(|n| Rect::from_min_size(pos2(0.0, n as f32 * 92.0), vec2(184.0, 56.0)));
        let mut grid = Grid::default();
        grid.build(Rect::from_min_size(pos2(0.0, 0.0), vec2(184.0, 50_000.0 * 92.0)), chain);
        let screen = Rect::from_min_size(pos2(-300.0, 2_000_000.0), vec2(1_280.0, 800.0));
        let ((x0, x1), (y0, y1)) = grid.cells(screen);
        assert!((x1 - x0 + 1) * (y1 - y0 + 1) <= 8, "{x0}..{x1} {y0}..{y1}");
    }
}
