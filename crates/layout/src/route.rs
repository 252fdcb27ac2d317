//! Draws one edge so that it cannot cross a card.
//!
//! A route only uses ground that stays free: straight down below its own card to the bottom of the row, curves within
//! the channel between two rows, and straight down through a row in the strip beside a column or in the loop lane.
//! That this ground stays free is the invariant of `model`; so a route is only drawn anew when a box it leaves
//! through the bottom got taller.

mod pen;

pub(crate) use pen::Pen;

use crate::geometry::{Heading, Point, Segment, Shape};
use crate::layout::Layout;
use crate::model::{CANVAS, Drawn};

/// More rows than this are passed in the loop lane at once.
const ROWS_MAX: usize = 32;
/// Boxes entered or left one by one; beyond, the route ends at the outermost.
const LEVELS_MAX: u32 = 256;
/// A straight line beside is drawn over gaps up to this without keeping it free.
const STRAIGHT_MAX: f32 = 32.0;

/// The ends of a link and the box round both.
#[derive(Clone, Copy, Debug)]
struct Ends {
    from: u32,
    to: u32,
    a: u32,
    b: u32,
    host: u32,
}

impl Layout {
    pub(crate) fn draw(&mut self, ix: u32, pen: &mut Pen) {
        let link = self.links[ix as usize];
        if link.host == crate::model::NONE {
            return;
        }
        let ends = Ends { from: link.from, to: link.to, a: link.a, b: link.b, host: link.host };
        pen.reset();
        let (shape, heading) = self.trace(&ends, ix, pen);
        let mut segments = link.drawn.segments;
        if segments.len() == pen.segments.len() {
            self.segments.get_mut(segments).copy_from_slice(&pen.segments);
        } else {
            self.segments.release(&mut segments);
            segments = self.segments.list(&pen.segments);
        }
        let pill = pen.pill(shape);
        self.bounds = self.bounds.union(&pen.bounds);
        self.links[ix as usize].drawn =
            Drawn { shape, start: pen.start, heading, pill, bounds: pen.bounds, segments };
        self.note(ix, pen);
    }

    /// Remembers which boxes the route leaves, and what it keeps others from placing.
    fn note(&mut self, ix: u32, pen: &Pen) {
        for &host in &pen.left {
            let mut exits = self.node(host).exits;
            if self.exits.get(exits).last() == Some(&ix) {
                continue;
            }
            if exits.len() >= 32 && exits.len().is_power_of_two() {
                // Edges drawn anew are noted again in every box they leave.
                let list = self.exits.get_mut(exits);
                list.sort_unstable();
                let mut kept = 1;
                for i in 1..list.len() {
                    list[kept] = list[i];
                    kept += usize::from(list[i] != list[kept - 1]);
                }
                self.exits.truncate(&mut exits, kept);
            }
            self.exits.push(&mut exits, ix);
            self.node_mut(host).exits = exits;
        }
        for &side in &pen.left_locks {
            self.row_of_mut(side).left_lock = true;
        }
        if let Some(card) = pen.gap_lock {
            let (parent, band) = (self.node(card).parent, self.node(card).band as usize);
            let (cols, at) = (self.bands_of(parent)[band].cols, self.col_of(card));
            self.cols.get_mut(cols)[at].lock = true;
        }
    }

    fn trace(&self, e: &Ends, ix: u32, pen: &mut Pen) -> (Shape, Heading) {
        if e.from == e.to {
            return (Shape::Own, self.own(e, pen));
        }
        let (a, b) = (self.node(e.a), self.node(e.b));
        let place = |node: &crate::model::Node| (node.band, node.row);
        if place(b) > place(a) {
            return (Shape::Down, self.down(e, pen));
        }
        if place(b) == place(a) && e.from == e.a {
            return (Shape::Beside, self.beside(e, pen));
        }
        (Shape::Loop, self.back(e, ix, pen))
    }

    fn down(&self, e: &Ends, pen: &mut Pen) -> Heading {
        let aim = self.node(e.to).rect.center().x;
        self.leave(pen, e, aim);
        let (a, b) = (self.node(e.a), self.node(e.b));
        self.pass(pen, e.host, (a.band, a.row + 1), Some((b.band, b.row)), aim);
        self.enter(pen, e);
        Heading::Down
    }

    /// From the start down to the bottom of the row that holds it in `host`.
    fn leave(&self, pen: &mut Pen, e: &Ends, aim: f32) {
        let deep = self.node(e.from).depth - self.node(e.a).depth > LEVELS_MAX;
        let mut at = if deep { e.a } else { e.from };
        let rect = self.node(at).rect;
        pen.begin(Point::new(rect.center().x, rect.bottom()));
        loop {
            if self.node(at).container {
                pen.left.push(at);
            }
            let bottom = self.row_of(at).bottom();
            pen.line(Point::new(pen.at.x, bottom.max(pen.at.y)));
            let node = self.node(at);
            if at == e.a {
                return;
            }
            self.pass(pen, node.parent, (node.band, node.row + 1), None, aim);
            at = node.parent;
        }
    }

    /// From above the row that holds the end in `host` down to the end.
    fn enter(&self, pen: &mut Pen, e: &Ends) {
        let deep = self.node(e.to).depth - self.node(e.b).depth > LEVELS_MAX;
        pen.chain.clear();
        pen.chain.push(if deep { e.b } else { e.to });
        while pen.chain[pen.chain.len() - 1] != e.b {
            pen.chain.push(self.node(pen.chain[pen.chain.len() - 1]).parent);
        }
        let aim = self.node(pen.chain[0]).rect.center().x;
        for i in (0..pen.chain.len()).rev() {
            let node = self.node(pen.chain[i]);
            if i + 1 < pen.chain.len() {
                self.pass(pen, node.parent, (0, 0), Some((node.band, node.row)), aim);
            }
            pen.post(aim.clamp(node.rect.x, node.rect.right()), node.rect.y, node.rect.y);
        }
    }

    /// Down through the rows of a box from cell `(band, row)` on, to before `until` or the end.
    fn pass(&self, pen: &mut Pen, host: u32, from: (u32, u32), until: Option<(u32, u32)>, aim: f32) {
        let bands = self.bands_of(host);
        let until = until.unwrap_or((bands.len() as u32, 0));
        let rows = |band: u32| -> &[crate::model::Row] {
            let all = bands.get(band as usize).map_or(&[][..], |b| self.rows.get(b.rows));
            let low = if band == from.0 { (from.1 as usize).min(all.len()) } else { 0 };
            let high = if band == until.0 { until.1 as usize } else { all.len() };
            all.get(low..high).unwrap_or(&[])
        };
        if (until.0 - from.0) as usize > ROWS_MAX {
            let first = [from.0, from.0 + 1].into_iter().find_map(|band| rows(band).first());
            let last = [until.0, until.0 - 1].into_iter().find_map(|band| rows(band).last());
            if let (Some(first), Some(last)) = (first, last) {
                pen.post(self.lane(host, 1), first.y, last.bottom());
            }
            return;
        }
        for band in from.0..=until.0 {
            if let [first, ..] = rows(band)
                && let Some(last) = rows(band).last()
            {
                let left = (until.0 - band + 1) as f32;
                let x = self.strip(host, band as usize, pen.at.x + (aim - pen.at.x) / left);
                pen.post(x, first.y, last.bottom());
            }
        }
    }

    /// The free strip of a band nearest to `aim`.
    fn strip(&self, host: u32, band: usize, aim: f32) -> f32 {
        let half = self.request.metrics.column_gap / 2.0;
        let cols = self.cols.get(self.bands_of(host)[band].cols);
        let at = cols.partition_point(|col| col.x - half <= aim);
        let before = at.checked_sub(1).map(|i| &cols[i]);
        let strips = [
            before.map(|col| col.x - half),
            before.filter(|col| col.firm).map(|col| col.right + half),
            cols.get(at).map(|col| col.x - half),
        ];
        let nearest = strips.into_iter().flatten().min_by(|p, q| (p - aim).abs().total_cmp(&(q - aim).abs()));
        nearest.unwrap_or_else(|| self.lane(host, 0))
    }

    /// A way up or down beside everything in a box; `n` spreads neighbours.
    fn lane(&self, host: u32, n: u32) -> f32 {
        let (left, wide) = match host {
            CANVAS => (-self.request.metrics.loop_lane - 16.0, self.request.metrics.loop_lane + 16.0),
            _ => (self.node(host).rect.x, self.inset(host).left),
        };
        left + wide / 2.0 + wide / 8.0 * ((n % 5) as f32 - 2.0)
    }

    fn own(&self, e: &Ends, pen: &mut Pen) -> Heading {
        let rect = self.node(e.from).rect;
        let (high, reach) = (rect.h.min(56.0), self.request.metrics.column_gap * 0.8);
        let (from, to) = (rect.y + high * 0.7, rect.y + high * 0.3);
        pen.begin(Point::new(rect.right(), from));
        let bend = |y| Point::new(rect.right() + reach, y);
        pen.push(Segment::Cubic { c1: bend(from), c2: bend(to), to: Point::new(rect.right(), to) });
        if self.node(e.from).container {
            pen.left.push(e.from);
        }
        Heading::Left
    }

    fn beside(&self, e: &Ends, pen: &mut Pen) -> Heading {
        let (a, b) = (self.node(e.a).rect, self.node(e.b).rect);
        let (ca, cb) = (self.col_of(e.a), self.col_of(e.b));
        let right = ca < cb;
        let first = self.node(if right { e.a } else { e.b });
        if e.to == e.b && ca.abs_diff(cb) == 1 && first.firm() {
            let y = a.y + (a.h.min(b.h) / 2.0).min(28.0);
            let (from, to) = if right { (a.right(), b.x) } else { (a.x, b.right()) };
            if (to - from).abs() > STRAIGHT_MAX {
                pen.gap_lock = Some(if right { e.a } else { e.b });
            }
            pen.begin(Point::new(from, y));
            pen.line(Point::new(to, y));
            return if right { Heading::Right } else { Heading::Left };
        }
        let rise = (self.room_above(e.host, e.a) * 0.8).min(24.0);
        let x = self.node(e.to).rect.center().x.clamp(b.x, b.right());
        let (from, to) = (Point::new(a.center().x, a.y), Point::new(x, b.y));
        pen.begin(from);
        let up = |p: Point| Point::new(p.x, p.y - rise);
        pen.push(Segment::Cubic { c1: up(from), c2: up(to), to });
        self.enter(pen, e);
        Heading::Down
    }

    /// Free height above the row of a child of `host`.
    fn room_above(&self, host: u32, child: u32) -> f32 {
        let m = &self.request.metrics;
        let node = self.node(child);
        if node.band == 0 && node.row == 0 && host != CANVAS { m.padding } else { m.row_gap }
    }

    /// Out at the side, up the lane, in at the side.
    fn back(&self, e: &Ends, ix: u32, pen: &mut Pen) -> Heading {
        let lane = self.lane(e.host, ix);
        let (a, b) = (*self.node(e.a), *self.node(e.b));
        let side = |v: u32| self.col_of(v) == 0;
        let same_row = (a.band, a.row) == (b.band, b.row);
        let mut corners = [Point::default(); 4];
        let out = if e.from == e.a && side(e.a) && !same_row {
            let y = a.rect.y + (a.rect.h / 2.0).min(28.0);
            pen.left_locks.push(e.a);
            pen.begin(Point::new(a.rect.x, y));
            y
        } else {
            self.leave(pen, e, a.rect.x);
            let end =
                if e.host == CANVAS { self.request.metrics.row_gap } else { self.request.metrics.padding };
            let last = self.in_last_row(e.a);
            if last {
                pen.left.push(e.host);
            }
            let y = pen.at.y + if last { end } else { self.request.metrics.row_gap } / 2.0;
            pen.corners.push(Point::new(pen.at.x, y));
            y
        };
        corners[0] = Point::new(lane, out);
        pen.corners.push(corners[0]);
        if e.to == e.b && side(e.b) && !same_row {
            let y = b.rect.y + (b.rect.h / 2.0).min(28.0);
            pen.left_locks.push(e.b);
            pen.corners.extend([Point::new(lane, y), Point::new(b.rect.x, y)]);
            pen.bend();
            return Heading::Right;
        }
        let y = b.rect.y - self.room_above(e.host, e.b) / 2.0;
        let x = self.node(e.to).rect.center().x.clamp(b.rect.x, b.rect.right());
        pen.corners.extend([Point::new(lane, y), Point::new(x, y), Point::new(x, b.rect.y)]);
        pen.bend();
        self.enter(pen, e);
        Heading::Down
    }
}
