//! Tables: what particular shapes look like.

use layout::{Edge, Item, Key, Layout, Plan, Request, Shape, Size, plan};

use crate::check::{CARD, fresh, lawful, next, request};

/// Key, left, top.
type Places<'a> = &'a [(u64, f32, f32)];

fn check(request: &Request, expect: Places<'_>) -> Layout {
    let layout = fresh(request);
    assert_eq!(lawful(request, &layout), Ok(()));
    for &(key, x, y) in expect {
        let rect = layout.rect(Key(key)).unwrap();
        assert_eq!((rect.x, rect.y), (x, y), "item {key}");
    }
    layout
}

#[test]
fn a_chain_runs_straight_down() {
    let chain = request(&[], &[(1, 0), (2, 0), (3, 0)], &[(1, 2), (2, 3)]);
    check(&chain, &[(1, 0.0, 0.0), (2, 0.0, 92.0), (3, 0.0, 184.0)]);
}

#[test]
fn a_parent_stands_over_the_middle_of_its_children() {
    let fan = request(&[], &[(1, 0), (2, 0), (3, 0), (4, 0)], &[(1, 2), (1, 3), (1, 4)]);
    check(&fan, &[(1, 200.0, 0.0), (2, 0.0, 92.0), (3, 200.0, 92.0), (4, 400.0, 92.0)]);
}

#[test]
fn a_box_is_as_large_as_what_is_in_it() {
    let boxed = request(&[(1, 0)], &[(2, 1), (3, 1)], &[(2, 3)]);
    let layout = check(&boxed, &[(1, 0.0, 0.0), (2, 16.0, 48.0), (3, 16.0, 140.0)]);
    let rect = layout.rect(Key(1)).unwrap();
    assert_eq!((rect.w, rect.h), (216.0, 212.0));
}

#[test]
fn a_loop_bends_out_through_a_lane_kept_for_it() {
    let looped = request(&[(1, 0)], &[(2, 1), (3, 1)], &[(2, 3), (3, 2)]);
    let layout = check(&looped, &[(2, 72.0, 48.0), (3, 72.0, 140.0)]);
    let back = layout.route(Key(3), Key(2)).unwrap();
    assert_eq!(back.shape, Shape::Loop);
    assert!(back.bounds.x < 64.0 && back.bounds.x > 0.0);
}

/// Without edges the order of the items is all there is: what is named before a box stands above it, the rest below.
#[test]
fn a_box_among_cards_is_a_phase_of_its_own() {
    let mut phases = request(&[], &[(1, 0), (2, 0)], &[]);
    phases.items.push(Item::open_box(3, None));
    phases.items.extend([4, 5].map(|key| Item::card(key, None, CARD)));
    let layout = check(&phases, &[]);
    let top = |key| layout.rect(Key(key)).unwrap().y;
    assert!(top(1) == top(2) && top(2) < top(3) && top(3) < top(4) && top(4) == top(5));
    // The same, one item at a time.
    let mut grown = fresh(&Request { items: phases.items[..1].to_vec(), ..Request::default() });
    for count in 2..=phases.items.len() {
        grown = next(grown, &Request { items: phases.items[..count].to_vec(), ..Request::default() });
    }
    let top = |key| grown.rect(Key(key)).unwrap().y;
    assert!(top(1) == top(2) && top(2) < top(3) && top(3) < top(4) && top(4) == top(5));
}

#[test]
fn a_wide_row_becomes_a_grid() {
    let cards: Vec<(u64, u64)> = (1..=20).map(|k| (k, 0)).collect();
    let layout = check(&request(&[], &cards, &[]), &[(1, 0.0, 0.0)]);
    let bounds = layout.bounds();
    assert!(bounds.w <= 1600.0 && bounds.h < 300.0, "{bounds:?}");
}

#[test]
fn a_hand_off_stands_beside_what_hands_off() {
    let mut asked = request(&[], &[(1, 0), (2, 0), (3, 0)], &[(1, 2)]);
    asked.edges.push(Edge::aside(2, 3));
    let layout = check(&asked, &[(3, 200.0, 92.0)]);
    assert_eq!(layout.route(Key(2), Key(3)).unwrap().shape, Shape::Beside);
}

#[test]
fn an_edge_into_a_box_ends_at_the_card_itself() {
    let into = request(&[(1, 0), (2, 0)], &[(3, 1), (4, 2), (5, 0)], &[(3, 4), (5, 1)]);
    let layout = check(&into, &[]);
    let (route, card) = (layout.route(Key(3), Key(4)).unwrap(), layout.rect(Key(4)).unwrap());
    assert_eq!(route.segments.last().unwrap().to().y, card.y);
    assert!(layout.rect(Key(2)).unwrap().y > layout.rect(Key(1)).unwrap().bottom());
}

#[test]
fn edges_with_the_same_ends_share_one_route() {
    let twice = request(&[], &[(1, 0), (2, 0)], &[(1, 2), (1, 2), (2, 1)]);
    assert_eq!(fresh(&twice).routes().count(), 2);
}

#[test]
fn sizes_that_are_no_numbers_and_circles_of_parents_do_no_harm() {
    let mut odd = request(&[(1, 2), (2, 1)], &[(3, 3), (4, 9)], &[(3, 4), (7, 1), (3, 3)]);
    odd.items.push(Item::card(5, None, Size::new(f32::NAN, f32::INFINITY)));
    odd.items.push(Item::card(5, None, CARD));
    let layout = fresh(&odd);
    assert_eq!(layout.placed().count(), 5);
    assert!(layout.placed().all(|p| p.rect.w.is_finite() && p.rect.h.is_finite()));
}

#[test]
fn nothing_gives_nothing() {
    let layout = fresh(&Request::default());
    assert_eq!((layout.placed().count(), layout.continued()), (0, 0));
    assert_eq!(plan(Some(&layout), &request(&[], &[(1, 0)], &[])), Plan::Full);
}

fn big(items: impl Iterator<Item = Item>, edges: impl Iterator<Item = Edge>) -> Request {
    Request { items: items.collect(), edges: edges.collect(), ..Request::default() }
}

#[test]
fn chains_of_50_000_and_stars_of_10_000_need_no_stack() {
    let chain = big(
        (0..50_000).map(|k| Item::card(k, None, CARD)),
        (1..50_000).map(|k| Edge::down(k - 1, k)).chain([Edge::down(0, 49_999), Edge::down(49_999, 0)]),
    );
    let nested = big(
        (0..50_000_u64).map(|k| Item::open_box(k, k.checked_sub(1).map(Key))),
        (0..50_000_u64).step_by(1000).map(|k| Edge::down(k, 49_999 - k)),
    );
    let circle = big((0..50_000).map(|k| Item::open_box(k, Some(Key((k + 1) % 50_000)))), std::iter::empty());
    let star = big((0..10_000).map(|k| Item::card(k, None, CARD)), (1..10_000).map(|k| Edge::down(0, k)));
    for (request, name) in [(&chain, "chain"), (&nested, "nested"), (&circle, "circle"), (&star, "star")] {
        let layout = fresh(request);
        assert_eq!(layout.placed().count(), request.items.len(), "{name}");
        assert!(layout.bounds().w.is_finite() && layout.bounds().h.is_finite(), "{name}");
    }
    assert_eq!(lawful(&star, &fresh(&star)), Ok(()));
    assert_eq!(lawful(&chain, &fresh(&chain)), Ok(()));
}
