//! Puts one new item into a box that already holds others, and moves none of them.
//!
//! Policy, first that fits: a free place in the row below what leads to it (or in one of the next three); a new row at
//! the bottom; any row, whatever its width. If the box can grow nowhere, `parts` continues it elsewhere.

use crate::geometry::Size;
use crate::grow::Touched;
use crate::layout::Layout;
use crate::model::{Band, CANVAS, Col, NONE, Row};

/// Rows looked at below the wished one before a new row is made.
const NEAR: usize = 4;
/// Rows looked at when a box cannot get taller.
const LAST_RESORT: usize = 16;

/// How a new item is tied to one that is already placed in the same box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tie {
    pub(crate) item: u32,
    pub(crate) other: u32,
    /// The edge leads from `other` to `item`.
    pub(crate) inward: bool,
    pub(crate) ranks: bool,
}

/// Where a new item would like to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    pub(crate) band: usize,
    /// Left edge; `None`: wherever there is room.
    pub(crate) left: Option<f32>,
}

/// A place found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot {
    /// A new column of a band with one row.
    Column { band: usize, at: usize, x: f32 },
    /// A free cell of a grid.
    Cell { band: usize, row: usize, col: usize },
    /// A new column at the right of a grid; the item stands in `row`.
    GridColumn { band: usize, row: usize, x: f32 },
    /// A new row of the last band.
    GridRow { band: usize, col: usize },
    /// A new band at the bottom.
    Band { x: f32 },
}

/// What is to be placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guest {
    pub(crate) size: Size,
    pub(crate) slack: Size,
    pub(crate) firm: bool,
}

impl Layout {
    pub(crate) fn guest(&self, ix: u32) -> Guest {
        let node = self.node(ix);
        let size = Size::new(node.rect.w, node.rect.h);
        Guest { size, slack: self.slack(ix), firm: node.firm() }
    }

    pub(crate) fn wish(&self, host: u32, kid: u32, ties: &[Tie]) -> Wish {
        let width = self.node(kid).rect.w;
        let bands = self.bands_of(host).len();
        let (mut above, mut below, mut beside) = (None::<usize>, None::<usize>, None::<usize>);
        let (mut sum, mut count, mut right) = (0.0, 0.0, None);
        for tie in ties.iter().filter(|tie| tie.other != tie.item) {
            let other = self.node(tie.other);
            if !other.placed {
                continue;
            }
            let band = other.band as usize;
            match (tie.ranks, tie.inward) {
                (true, true) => above = Some(above.map_or(band, |b| b.max(band))),
                (true, false) => below = Some(below.map_or(band, |b| b.min(band))),
                _ => {
                    beside = Some(band);
                    right = Some(other.rect.right() + self.request.metrics.column_gap);
                    continue;
                }
            }
            sum += other.rect.center().x;
            count += 1.0;
        }
        let left = if count > 0.0 { Some(sum / count - width / 2.0) } else { right };
        let band = match (above, below, beside) {
            (Some(band), _, _) => band + 1,
            (_, Some(band), _) => band.saturating_sub(1),
            (_, _, Some(band)) => band,
            _ => bands.saturating_sub(1) + usize::from(self.begins_phase(host, kid)),
        };
        Wish { band, left }
    }

    /// Whether an item without edges stands below the last band: there are cards and it is a box, or the other way
    /// round. The rule of `arrange::rank`, so that what grows looks like what was laid out at once.
    fn begins_phase(&self, host: u32, kid: u32) -> bool {
        let last = self.bands_of(host).last().and_then(|band| self.cols.get(band.cols).last());
        last.is_some_and(|col| col.node != NONE && self.node(col.node).container != self.node(kid).container)
    }

    pub(crate) fn find(&self, host: u32, guest: &Guest, wish: Wish) -> Option<Spot> {
        let count = self.bands_of(host).len();
        let near = wish.band..count.min(wish.band + NEAR);
        near.clone()
            .find_map(|band| self.find_in(host, band, guest, wish.left, true))
            .or_else(|| self.find_below(host, guest, wish.left))
            .or_else(|| {
                let rest = count.saturating_sub(LAST_RESORT)..count;
                near.chain(rest.rev()).find_map(|band| self.find_in(host, band, guest, wish.left, false))
            })
    }

    fn content_left(&self, host: u32) -> f32 {
        self.node(host).rect.x + self.inset(host).left
    }

    /// Where rows of this box wrap.
    fn wrap_at(&self, host: u32, height: f32) -> f32 {
        let (inset, rect) = (self.inset(host), self.node(host).rect);
        let inner = rect.w - inset.left - inset.end;
        self.content_left(host) + self.request.metrics.wrap_width.max(inner).max(1.6 * height)
    }

    fn find_in(&self, host: u32, band: usize, guest: &Guest, left: Option<f32>, wrap: bool) -> Option<Spot> {
        let bands = self.bands_of(host);
        let (rows, cols) = (self.rows.get(bands[band].rows), self.cols.get(bands[band].cols));
        let last = band + 1 == bands.len();
        if rows.len() > 1 {
            return self.find_cell(host, band, guest, wrap);
        }
        let row = rows.first()?;
        if guest.size.h > row.h && !last {
            return None;
        }
        let bottom = row.y + guest.size.h;
        let edge = if wrap { self.wrap_at(host, 0.0) } else { f32::INFINITY };
        let best = self.best_gap(host, row, cols, guest, left, edge);
        if let Some((at, x)) = best
            && self.has_room(host, x + guest.size.w, bottom)
        {
            return Some(Spot::Column { band, at, x });
        }
        (last && wrap && !cols.is_empty()).then(|| self.find_grid_row(host, band, guest)).flatten()
    }

    /// The gap of a row that lies nearest to the wish: its index and the left edge.
    fn best_gap(
        &self,
        host: u32,
        row: &Row,
        cols: &[Col],
        guest: &Guest,
        left: Option<f32>,
        edge: f32,
    ) -> Option<(usize, f32)> {
        let gap = self.request.metrics.column_gap;
        let start = self.content_left(host);
        let want = left.map_or(start, f32::round);
        let mut best: Option<(f32, usize, f32)> = None;
        for at in 0..=cols.len() {
            let (low, open) = match at.checked_sub(1).map(|i| cols[i]) {
                None => (start, !row.left_lock),
                Some(col) => (col.right + gap, !col.lock || at == cols.len()),
            };
            let high = match cols.get(at) {
                Some(next) => next.x - gap - guest.size.w - guest.slack.w,
                None => edge - guest.size.w,
            };
            if !open || low > high {
                continue;
            }
            let x = want.clamp(low, high);
            let off = (x - want).abs();
            if best.is_none_or(|(least, ..)| off < least) {
                best = Some((off, at, x));
            }
        }
        best.map(|(_, at, x)| (at, x))
    }

    fn find_cell(&self, host: u32, band: usize, guest: &Guest, wrap: bool) -> Option<Spot> {
        let bands = self.bands_of(host);
        let (rows, cols) = (self.rows.get(bands[band].rows), self.cols.get(bands[band].cols));
        let last_band = band + 1 == bands.len();
        let wide = guest.size.w + guest.slack.w;
        let fits = |row: usize| guest.size.h <= rows[row].h || (last_band && row + 1 == rows.len());
        for (r, row) in rows.iter().enumerate().filter(|(r, _)| fits(*r)) {
            for (c, col) in cols.iter().enumerate().skip(row.used as usize) {
                let right = col.x + guest.size.w;
                if wide <= col.right - col.x && self.has_room(host, right, row.y + guest.size.h) {
                    return Some(Spot::Cell { band, row: r, col: c });
                }
            }
        }
        let (top, bottom) = (rows.first()?.y, rows.last()?.bottom());
        let x = cols.last()?.right + self.request.metrics.column_gap;
        let row = (0..rows.len()).find(|&r| fits(r))?;
        let within = !wrap || x + guest.size.w <= self.wrap_at(host, bottom - top);
        if within && self.has_room(host, x + guest.size.w, rows[row].y + guest.size.h) {
            return Some(Spot::GridColumn { band, row, x });
        }
        last_band.then(|| self.find_grid_row(host, band, guest)).flatten()
    }

    fn find_grid_row(&self, host: u32, band: usize, guest: &Guest) -> Option<Spot> {
        let band_at = &self.bands_of(host)[band];
        let row = self.rows.get(band_at.rows).last()?;
        let bottom = row.reserve + self.request.metrics.row_gap + guest.size.h;
        let wide = guest.size.w + guest.slack.w;
        let cols = self.cols.get(band_at.cols);
        let col = cols.iter().position(|col| wide <= col.right - col.x)?;
        self.has_room(host, cols[col].x + guest.size.w, bottom).then_some(Spot::GridRow { band, col })
    }

    fn find_below(&self, host: u32, guest: &Guest, left: Option<f32>) -> Option<Spot> {
        let bottom = self.next_top(host) + guest.size.h;
        let start = self.content_left(host);
        let inner = self.node(host).rect.right() - self.inset(host).end - guest.size.w;
        let wished = left.map_or(start, f32::round).max(start);
        [wished, wished.min(inner).max(start)]
            .into_iter()
            .find(|x| self.has_room(host, x + guest.size.w, bottom))
            .map(|x| Spot::Band { x })
    }

    /// The top of the next band of a box.
    fn next_top(&self, host: u32) -> f32 {
        let last = self.bands_of(host).last().and_then(|band| self.rows.get(band.rows).last());
        match last {
            Some(row) => row.reserve + self.request.metrics.row_gap,
            None => self.node(host).rect.y + self.inset(host).top,
        }
    }

    /// Takes a place that `find` found.
    pub(crate) fn take(&mut self, host: u32, ix: u32, spot: Spot, touched: &mut Touched) {
        let guest = self.guest(ix);
        let (band, row, x) = match spot {
            Spot::Column { band, at, x } => {
                self.add_column(host, band, at, x, ix, &guest);
                (band, 0, x)
            }
            Spot::Cell { band, row, col } => (band, row, self.use_cell(host, band, row, col, &guest)),
            Spot::GridColumn { band, row, x } => {
                let at = self.cols.get(self.bands_of(host)[band].cols).len();
                self.add_column(host, band, at, x, ix, &guest);
                self.use_cell(host, band, row, at, &guest);
                (band, row, x)
            }
            Spot::GridRow { band, col } => {
                let row = self.add_row(host, band, touched);
                (band, row, self.use_cell(host, band, row, col, &guest))
            }
            Spot::Band { x } => {
                let band = self.add_band(host, touched);
                self.add_column(host, band, 0, x, ix, &guest);
                (band, 0, x)
            }
        };
        self.stand(host, ix, (band, row), x, touched);
    }

    fn stand(&mut self, host: u32, ix: u32, cell: (usize, usize), x: f32, touched: &mut Touched) {
        let slack = self.slack(ix);
        let node = self.node_mut(ix);
        (node.parent, node.band, node.row) = (host, cell.0 as u32, cell.1 as u32);
        (node.placed, node.relative, node.rect.x) = (true, false, x);
        let last = self.in_last_row(ix);
        let row = self.row_of_mut(ix);
        let y = row.y;
        let node = self.node_mut(ix);
        node.rect.y = y;
        let rect = node.rect;
        let row = self.row_of_mut(ix);
        if last {
            if rect.h > row.h {
                row.h = rect.h;
                touched.0.push(host);
            }
            row.reserve = row.reserve.max(rect.bottom() + slack.h);
        }
        self.make_room(host, rect.right(), rect.bottom(), touched);
    }

    fn add_column(&mut self, host: u32, band: usize, at: usize, x: f32, ix: u32, guest: &Guest) {
        let bands = self.node(host).bands;
        let mut cols = self.bands.get(bands)[band].cols;
        let next = self.cols.get(cols).get(at).map_or(f32::INFINITY, |next| next.x);
        let gap = self.request.metrics.column_gap;
        let right = (x + guest.size.w + guest.slack.w).min(next - gap).max(x + guest.size.w);
        self.cols.insert(&mut cols, at, Col { x, right, node: ix, firm: guest.firm, lock: false });
        self.bands.get_mut(bands)[band].cols = cols;
    }

    fn use_cell(&mut self, host: u32, band: usize, row: usize, col: usize, guest: &Guest) -> f32 {
        let band = self.bands_of(host)[band];
        self.rows.get_mut(band.rows)[row].used = col as u32 + 1;
        let col = &mut self.cols.get_mut(band.cols)[col];
        col.firm &= guest.firm;
        col.x
    }

    fn add_row(&mut self, host: u32, band: usize, touched: &mut Touched) -> usize {
        let y = self.next_top(host);
        let bands = self.node(host).bands;
        let Band { mut rows, cols } = self.bands.get(bands)[band];
        let columns = cols.len() as u32;
        let single = rows.len() == 1;
        if let Some(row) = self.rows.last_mut(rows) {
            row.h = row.reserve - row.y;
            row.used = if single { columns } else { row.used };
        }
        self.rows.push(&mut rows, Row { y, reserve: y, ..Row::default() });
        self.bands.get_mut(bands)[band].rows = rows;
        touched.0.push(host);
        rows.len() - 1
    }

    fn add_band(&mut self, host: u32, touched: &mut Touched) -> usize {
        let y = self.next_top(host);
        let mut bands = self.node(host).bands;
        if let Some(&band) = self.bands.get(bands).last()
            && let Some(row) = self.rows.last_mut(band.rows)
        {
            row.h = row.reserve - row.y;
        }
        let rows = self.rows.list(&[Row { y, reserve: y, ..Row::default() }]);
        self.bands.push(&mut bands, Band { rows, ..Band::default() });
        self.node_mut(host).bands = bands;
        touched.0.push(host);
        bands.len() - 1
    }

    /// The first row of a new part, with one item in it.
    pub(crate) fn seed(&mut self, host: u32, ix: u32, touched: &mut Touched) {
        let x = self.content_left(host);
        self.take(host, ix, Spot::Band { x }, touched);
        debug_assert!(host != CANVAS && self.node(ix).parent != NONE);
    }
}
