//! Laws on generated requests: any tree, any edges, sizes, repeats, circles, unknown keys.

use std::collections::HashMap;

use layout::{Edge, Item, Key, Metrics, Placed, Plan, Request, Size, plan};
use proptest::prelude::*;

use crate::check::{fresh, lawful, next};

const SIZES: [Size; 4] =
    [Size::new(184.0, 56.0), Size::new(184.0, 88.0), Size::new(184.0, 72.0), Size::new(90.5, 20.25)];

fn item(keys: u64) -> impl Strategy<Value = Item> {
    (0..keys, proptest::option::weighted(0.8, 0..keys), 0..4_usize, 0..3_u8, any::<bool>()).prop_map(
        |(key, parent, size, kind, grows)| Item {
            key: Key(key),
            parent: parent.map(Key),
            size: SIZES[size],
            container: kind == 0,
            grows: grows && kind == 0,
            opens: grows && kind == 1,
        },
    )
}

fn edge(keys: u64) -> impl Strategy<Value = Edge> {
    (0..keys, 0..keys, prop::bool::weighted(0.8)).prop_map(|(from, to, ranks)| Edge {
        from: Key(from),
        to: Key(to),
        ranks,
    })
}

fn any_request(keys: u64, items: usize, edges: usize) -> impl Strategy<Value = Request> {
    let narrow = prop_oneof![Just(1600.0), Just(500.0)];
    (prop::collection::vec(item(keys), 1..items), prop::collection::vec(edge(keys), 0..edges), narrow)
        .prop_map(|(items, edges, wrap_width)| Request {
            items,
            edges,
            metrics: Metrics { wrap_width, ..Metrics::default() },
        })
}

/// Well-formed growth: every parent comes before its children, keys are new.
fn growth(steps: usize) -> impl Strategy<Value = Request> {
    let step = (
        any::<u32>(),
        0..4_usize,
        0..4_u8,
        any::<bool>(),
        prop::collection::vec((any::<u32>(), any::<bool>()), 0..3),
    );
    (prop::collection::vec(step, 2..steps), prop_oneof![Just(1600.0), Just(500.0)]).prop_map(
        |(steps, wrap_width)| {
            let mut request =
                Request { metrics: Metrics { wrap_width, ..Metrics::default() }, ..Request::default() };
            let mut boxes: Vec<u64> = Vec::new();
            for (i, (parent, size, kind, grows, edges)) in steps.into_iter().enumerate() {
                let key = i as u64;
                let parent = boxes.get(parent as usize % (boxes.len() + 1)).map(|&k| Key(k));
                let container = kind == 0;
                request.items.push(Item {
                    key: Key(key),
                    parent,
                    size: SIZES[size],
                    container,
                    grows: grows && container,
                    opens: grows && kind == 1,
                });
                if container {
                    boxes.push(key);
                }
                for (other, forward) in edges {
                    let other = u64::from(other) % (key + 1);
                    let (from, to) = if forward { (other, key) } else { (key, other) };
                    request.edges.push(Edge { from: Key(from), to: Key(to), ranks: size != 3 });
                }
            }
            request
        },
    )
}

/// The part of a request that is there after the first `count` items.
fn prefix(request: &Request, count: usize) -> Request {
    let known = |key: &Key| key.0 < count as u64;
    Request {
        items: request.items[..count].to_vec(),
        edges: request.edges.iter().filter(|e| known(&e.from) && known(&e.to)).copied().collect(),
        metrics: request.metrics,
    }
}

fn cards(placed: impl Iterator<Item = Placed>) -> HashMap<Key, Placed> {
    placed.filter(|p| !p.container).map(|p| (p.key, p)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_full_layout_obeys_every_law(request in any_request(40, 60, 80)) {
        prop_assert_eq!(lawful(&request, &fresh(&request)), Ok(()));
    }

    #[test]
    fn the_same_request_gives_the_same_layout(request in any_request(30, 40, 50)) {
        let (one, two) = (fresh(&request), fresh(&request));
        prop_assert_eq!(plan(Some(&one), &request), Plan::Keep);
        prop_assert!(one == two);
        prop_assert!(next(one, &request) == two);
    }

    #[test]
    fn keys_are_opaque(request in any_request(30, 40, 50), factor in 1..1000_u64, offset in 0..1_000_000_u64) {
        let name = |key: Key| Key(key.0 * (2 * factor + 1) + offset);
        let mut other = request.clone();
        for item in &mut other.items {
            (item.key, item.parent) = (name(item.key), item.parent.map(name));
        }
        for edge in &mut other.edges {
            (edge.from, edge.to) = (name(edge.from), name(edge.to));
        }
        let (one, two) = (fresh(&request), fresh(&other));
        for placed in one.placed() {
            prop_assert_eq!(two.rect(name(placed.key)), one.rect(placed.key));
        }
    }

    #[test]
    fn an_append_moves_no_old_card_and_obeys_every_law(request in growth(60), start in 0..60_usize, batch in 1..5_usize) {
        let total = request.items.len();
        let mut count = start.clamp(1, total);
        let mut layout = fresh(&prefix(&request, count));
        while count < total {
            count = (count + batch).min(total);
            let now = prefix(&request, count);
            let before = cards(layout.placed());
            prop_assert!(matches!(plan(Some(&layout), &now), Plan::Append(_)));
            layout = next(layout, &now);
            for (key, old) in before {
                prop_assert_eq!(layout.rect(key), Some(old.rect));
            }
            prop_assert_eq!(lawful(&now, &layout), Ok(()), "at {} items", count);
        }
    }

    #[test]
    fn any_change_obeys_every_law(
        one in any_request(25, 40, 40), two in any_request(25, 40, 40), three in any_request(25, 40, 40),
    ) {
        let mut layout = fresh(&one);
        for mut request in [two, three, one.clone()] {
            request.metrics = one.metrics;
            layout = next(layout, &request);
            prop_assert_eq!(lawful(&request, &layout), Ok(()));
        }
    }

    #[test]
    fn folding_and_unfolding_keeps_every_other_card_still(request in growth(50), pick in any::<u32>(), from in 0..50_usize) {
        let from = from.clamp(1, request.items.len());
        let boxes: Vec<Key> = request.items.iter().filter(|i| i.container).map(|i| i.key).collect();
        prop_assume!(!boxes.is_empty());
        let folded_key = boxes[pick as usize % boxes.len()];
        let mut inside = std::collections::HashSet::from([folded_key]);
        for item in &request.items {
            if item.parent.is_some_and(|p| inside.contains(&p)) {
                inside.insert(item.key);
            }
        }
        let mut folded = request.clone();
        folded.items.retain(|i| i.key == folded_key || !inside.contains(&i.key));
        for item in folded.items.iter_mut().filter(|i| i.key == folded_key) {
            (item.container, item.size) = (false, Size::new(184.0, 72.0));
        }
        let mut layout = next(fresh(&prefix(&request, from)), &request);
        let before = cards(layout.placed());
        for step in [&folded, &request, &folded, &request] {
            layout = next(layout, step);
            prop_assert_eq!(lawful(step, &layout), Ok(()));
            for (key, old) in before.iter().filter(|(key, _)| !inside.contains(key)) {
                prop_assert_eq!(layout.rect(*key), Some(old.rect));
            }
        }
    }
}
