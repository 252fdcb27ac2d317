//! The laws themselves, and requests written as short text.

use std::collections::{HashMap, HashSet};

use layout::{Edge, Item, Key, Layout, Plan, Point, Rect, Request, Size, plan, solve};

pub(crate) const CARD: Size = Size::new(184.0, 56.0);

/// What `request` looks like from nothing.
pub(crate) fn fresh(request: &Request) -> Layout {
    solve(Plan::Full, None, request)
}

/// What `request` looks like after `before`.
pub(crate) fn next(before: Layout, request: &Request) -> Layout {
    solve(plan(Some(&before), request), Some(before), request)
}

/// Items as `1 2 [10 in 1] ...` would be tedious: `boxes` open, cards in boxes, edges.
pub(crate) fn request(boxes: &[(u64, u64)], cards: &[(u64, u64)], edges: &[(u64, u64)]) -> Request {
    let parent = |p: u64| (p > 0).then_some(Key(p));
    let mut request = Request::default();
    request.items.extend(boxes.iter().map(|&(key, p)| Item::open_box(key, parent(p))));
    request.items.extend(cards.iter().map(|&(key, p)| Item::card(key, parent(p), CARD)));
    request.edges.extend(edges.iter().map(|&(from, to)| Edge::down(from, to)));
    request
}

/// The box each item is drawn in, by the rules of `Item::parent`.
struct Homes {
    home: HashMap<Key, Option<Key>>,
    open: HashMap<Key, bool>,
    /// Items whose parents lead in a circle: it is cut somewhere, so who holds whom is not checked.
    circular: HashSet<Key>,
}

impl Homes {
    fn of(request: &Request) -> Self {
        let mut named = HashMap::new();
        let mut open = HashMap::new();
        for item in &request.items {
            named.entry(item.key).or_insert(item.parent);
            open.entry(item.key).or_insert(item.container);
        }
        let mut home = HashMap::new();
        for &key in named.keys() {
            home.insert(key, Self::climb(key, &named, &open));
        }
        let circular = named.keys().copied().filter(|&key| Self::circles(key, &named)).collect();
        Self { home, open, circular }
    }

    fn circles(key: Key, named: &HashMap<Key, Option<Key>>) -> bool {
        let mut at = key;
        for _ in 0..=named.len() {
            match named.get(&at).copied().flatten() {
                Some(up) => at = up,
                None => return false,
            }
        }
        true
    }

    /// `None` on the canvas.
    fn climb(key: Key, named: &HashMap<Key, Option<Key>>, open: &HashMap<Key, bool>) -> Option<Key> {
        let mut at = key;
        for _ in 0..=named.len() {
            at = (*named.get(&at)?)?;
            if *open.get(&at)? {
                return Some(at);
            }
        }
        None
    }

    fn holds(&self, outer: Key, inner: Key) -> bool {
        if self.circular.contains(&outer) || self.circular.contains(&inner) {
            return true;
        }
        let mut at = inner;
        for _ in 0..=self.home.len() {
            match self.home.get(&at).copied().flatten() {
                Some(up) if up == outer => return true,
                Some(up) => at = up,
                None => return false,
            }
        }
        false
    }
}

/// Every law a layout of `request` has to obey; the message names the first that is broken.
pub(crate) fn lawful(request: &Request, layout: &Layout) -> Result<(), String> {
    let homes = Homes::of(request);
    apart(&homes, layout)?;
    inside(&homes, layout)?;
    routed(request, &homes, layout)?;
    let bounds = layout.bounds();
    match layout.placed().find(|p| !bounds.contains(&p.rect)) {
        Some(out) => Err(format!("{out:?} outside {bounds:?}")),
        None => Ok(()),
    }
}

fn apart(homes: &Homes, layout: &Layout) -> Result<(), String> {
    let mut all: Vec<_> = layout.placed().collect();
    let distinct = all.iter().filter(|p| p.part == 0).count();
    if distinct != homes.home.len() {
        return Err(format!("{distinct} of {} items placed", homes.home.len()));
    }
    all.sort_by(|a, b| a.rect.y.total_cmp(&b.rect.y));
    for (i, a) in all.iter().enumerate() {
        for b in all[i + 1..].iter().take_while(|b| b.rect.y < a.rect.bottom()) {
            let nested = homes.holds(a.key, b.key) || homes.holds(b.key, a.key);
            if !nested && a.rect.overlaps(&b.rect) {
                return Err(format!("{a:?} overlaps {b:?}"));
            }
        }
    }
    Ok(())
}

fn inside(homes: &Homes, layout: &Layout) -> Result<(), String> {
    let mut rects: HashMap<Key, Vec<Rect>> = HashMap::new();
    for placed in layout.placed() {
        rects.entry(placed.key).or_default().push(placed.rect);
    }
    for placed in layout.placed() {
        if let Some(home) = homes.home[&placed.key]
            && !homes.circular.contains(&placed.key)
            && !rects[&home].iter().any(|rect| rect.contains(&placed.rect))
        {
            return Err(format!("{placed:?} outside its box {:?}", rects[&home]));
        }
    }
    Ok(())
}

fn routed(request: &Request, homes: &Homes, layout: &Layout) -> Result<(), String> {
    let mut cards: Vec<_> = layout.placed().filter(|p| !p.container).collect();
    cards.sort_by(|a, b| a.rect.y.total_cmp(&b.rect.y));
    let tallest = cards.iter().map(|c| c.rect.h).fold(0.0, f32::max);
    for edge in &request.edges {
        let known = homes.open.contains_key(&edge.from) && homes.open.contains_key(&edge.to);
        let nested = homes.holds(edge.from, edge.to) || homes.holds(edge.to, edge.from);
        let Some(route) = layout.route(edge.from, edge.to) else {
            if known && !nested {
                return Err(format!("no route for {edge:?}"));
            }
            continue;
        };
        let points = flat(route.start, route.segments);
        let ends = (points[0], points[points.len() - 1]);
        let rects = (layout.rect(edge.from).unwrap(), layout.rect(edge.to).unwrap());
        if !on_border(&rects.0, ends.0) || !on_border(&rects.1, ends.1) {
            return Err(format!("{edge:?} hangs loose: {ends:?} for {rects:?}"));
        }
        for pair in points.windows(2) {
            let (top, bottom) = (pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y));
            let first = cards.partition_point(|card| card.rect.y < top - tallest);
            for card in cards[first..].iter().take_while(|card| card.rect.y < bottom) {
                if crosses(&card.rect, pair[0], pair[1]) {
                    return Err(format!("{edge:?} {:?} crosses {card:?}: {points:?}", route.shape));
                }
            }
        }
    }
    Ok(())
}

fn flat(start: Point, segments: &[layout::Segment]) -> Vec<Point> {
    let mut points = vec![start];
    let mut from = start;
    for segment in segments {
        let steps = if matches!(segment, layout::Segment::Line { .. }) { 1 } else { 16 };
        points.extend((1..=steps).map(|i| segment.at(from, i as f32 / steps as f32)));
        from = segment.to();
    }
    points
}

fn on_border(rect: &Rect, p: Point) -> bool {
    let near = |a: f32, b: f32| (a - b).abs() < 0.51;
    let across = p.x >= rect.x - 0.51 && p.x <= rect.right() + 0.51;
    let along = p.y >= rect.y - 0.51 && p.y <= rect.bottom() + 0.51;
    (near(p.y, rect.y) || near(p.y, rect.bottom())) && across
        || (near(p.x, rect.x) || near(p.x, rect.right())) && along
}

/// Whether a straight piece enters a card by more than half a point.
fn crosses(rect: &Rect, a: Point, b: Point) -> bool {
    let inner = Rect::new(rect.x + 0.5, rect.y + 0.5, rect.w - 1.0, rect.h - 1.0);
    let (mut low, mut high) = (0.0_f32, 1.0_f32);
    for (from, to, least, most) in [(a.x, b.x, inner.x, inner.right()), (a.y, b.y, inner.y, inner.bottom())] {
        let span = to - from;
        if span.abs() < 1e-6 {
            if from <= least || from >= most {
                return false;
            }
            continue;
        }
        let (p, q) = ((least - from) / span, (most - from) / span);
        low = low.max(p.min(q));
        high = high.min(p.max(q));
    }
    low < high
}
