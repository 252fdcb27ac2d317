//! Tables: how a layout takes what comes later.

use layout::{Edge, Item, Key, Plan, Request, Size, plan, solve};

use crate::check::{CARD, fresh, lawful, next, request};

#[test]
fn what_comes_next_stands_below_what_led_to_it() {
    let mut run = request(&[(1, 0)], &[(2, 1)], &[]);
    let mut layout = fresh(&run);
    for key in 3..8 {
        run.items.push(Item::card(key, Some(Key(1)), CARD));
        run.edges.push(Edge::down(key - 1, key));
        layout = next(layout, &run);
        assert_eq!(lawful(&run, &layout), Ok(()));
        let (above, here) = (layout.rect(Key(key - 1)).unwrap(), layout.rect(Key(key)).unwrap());
        assert_eq!((here.x, here.y), (above.x, above.y + 92.0));
    }
    assert_eq!(layout, next(layout.clone(), &run));
}

#[test]
fn siblings_fill_the_row_then_wrap() {
    let mut run = request(&[(1, 0)], &[(2, 1)], &[]);
    let mut layout = fresh(&run);
    for key in 3..40 {
        run.items.push(Item::card(key, Some(Key(1)), CARD));
        run.edges.push(Edge::down(2, key));
        layout = next(layout, &run);
        assert_eq!(lawful(&run, &layout), Ok(()));
    }
    let rect = layout.rect(Key(1)).unwrap();
    assert!(rect.w < 1700.0 && rect.h < 700.0, "{rect:?}");
}

#[test]
fn growing_boxes_side_by_side_keep_room_for_each_other() {
    let mut run = Request::default();
    run.items.extend((1..=3).map(|k| Item::open_box(k, None).growing()));
    let mut layout = fresh(&run);
    for step in 0..4 {
        for parent in 1..=3 {
            let key = 10 * (step + 1) + parent;
            run.items.push(Item::card(key, Some(Key(parent)), CARD));
            if step > 0 {
                run.edges.push(Edge::down(key - 10, key));
            }
            layout = next(layout, &run);
        }
    }
    assert_eq!(lawful(&run, &layout), Ok(()));
    assert_eq!(layout.continued(), 0);
}

/// A box walled in on all sides: its new child comes in a further rectangle, and a tidy brings it home.
#[test]
fn a_walled_in_box_is_continued_and_a_tidy_joins_it_again() {
    let mut run = request(&[(1, 0), (2, 1), (3, 1)], &[(4, 2), (5, 3), (6, 1)], &[(2, 6), (3, 6)]);
    let before = fresh(&run);
    run.items.extend((10..13).map(|k| Item::card(k, Some(Key(2)), CARD)));
    let layout = next(before.clone(), &run);
    assert_eq!(lawful(&run, &layout), Ok(()));
    assert!(layout.continued() > 0);
    for key in [4, 5, 6] {
        assert_eq!(layout.rect(Key(key)), before.rect(Key(key)));
    }
    let tidy = solve(Plan::Full, Some(layout), &run);
    assert_eq!((lawful(&run, &tidy), tidy.continued()), (Ok(()), 0));
}

#[test]
fn a_late_edge_and_a_late_end_are_drawn_when_both_are_there() {
    let mut run = request(&[], &[(1, 0), (2, 0)], &[(1, 3)]);
    let layout = fresh(&run);
    assert!(layout.route(Key(1), Key(3)).is_none());
    run.items.push(Item::card(3, None, CARD));
    let layout = next(layout, &run);
    assert!(layout.route(Key(1), Key(3)).is_some());
    run.edges.push(Edge::down(3, 2));
    assert_eq!(plan(Some(&layout), &run), Plan::Resize);
    assert!(next(layout, &run).route(Key(3), Key(2)).is_some());
}

#[test]
fn a_late_parent_takes_its_children_in() {
    let mut run = request(&[], &[(1, 9), (2, 0)], &[]);
    let layout = fresh(&run);
    run.items.push(Item::open_box(9, None));
    let layout = next(layout, &run);
    assert_eq!(lawful(&run, &layout), Ok(()));
    assert!(layout.rect(Key(9)).unwrap().contains(&layout.rect(Key(1)).unwrap()));
}

#[test]
fn an_item_in_the_middle_of_the_list_is_an_append_too() {
    let run = request(&[], &[(1, 0), (2, 0), (3, 0)], &[(1, 2), (1, 3)]);
    let mut fewer = run.clone();
    fewer.items.remove(1);
    fewer.edges.remove(0);
    let before = fresh(&fewer);
    assert!(matches!(plan(Some(&before), &run), Plan::Append(_)));
    let after = next(before.clone(), &run);
    assert_eq!(lawful(&run, &after), Ok(()));
    assert_eq!((after.rect(Key(1)), after.rect(Key(3))), (before.rect(Key(1)), before.rect(Key(3))));
}

#[test]
fn a_card_that_becomes_a_box_opens_where_it_is_if_there_is_room() {
    let mut run = request(&[], &[(1, 0), (2, 0)], &[(1, 2)]);
    let before = fresh(&run);
    run.items[1].container = true;
    run.items.push(Item::card(3, Some(Key(2)), CARD));
    let after = next(before.clone(), &run);
    assert_eq!(lawful(&run, &after), Ok(()));
    assert_eq!(after.continued(), 0);
    let (old, new) = (before.rect(Key(2)).unwrap(), after.rect(Key(2)).unwrap());
    assert_eq!((old.x, old.y), (new.x, new.y));
}

#[test]
fn a_fold_gives_back_the_same_place() {
    let open = request(&[(1, 0)], &[(2, 1), (3, 1), (4, 0)], &[(2, 3), (1, 4)]);
    let mut folded = request(&[], &[(1, 0), (4, 0)], &[(1, 4)]);
    folded.items[0].size = Size::new(184.0, 72.0);
    let first = fresh(&open);
    let shut = next(first.clone(), &folded);
    assert_eq!(shut.rect(Key(4)), first.rect(Key(4)));
    let again = next(shut, &open);
    assert_eq!(again.rect(Key(1)), first.rect(Key(1)));
    assert_eq!(again.rect(Key(3)), first.rect(Key(3)));
}

/// Agents that run side by side are cards at first; the room kept beside a growing card lets each open in place.
#[test]
fn growing_cards_side_by_side_open_into_boxes_where_they_are() {
    let mut run = request(&[], &[(1, 0), (2, 0), (3, 0), (4, 0)], &[(1, 2), (1, 3), (1, 4)]);
    for item in &mut run.items[1..] {
        *item = item.growing();
    }
    let mut layout = fresh(&run);
    for parent in 2..=4_u64 {
        let before = layout.rect(Key(parent)).unwrap();
        run.items[parent as usize - 1] = Item::open_box(parent, None).growing();
        run.items.push(Item::card(10 + parent, Some(Key(parent)), CARD));
        layout = next(layout, &run);
        assert_eq!(lawful(&run, &layout), Ok(()));
        let after = layout.rect(Key(parent)).unwrap();
        assert_eq!((before.x, before.y), (after.x, after.y));
    }
    assert_eq!(layout.continued(), 0);
}

/// What was only announced keeps room for three boxes inside each other; the inner ones do without a lane for loops.
#[test]
fn announced_cards_side_by_side_open_three_deep_where_they_are() {
    let mut run = request(&[], &[(1, 0), (2, 0), (3, 0)], &[(1, 2), (1, 3)]);
    run.items[1..].iter_mut().for_each(|item| item.opens = true);
    let mut layout = fresh(&run);
    let (two, three) = (layout.rect(Key(2)).unwrap(), layout.rect(Key(3)).unwrap());
    for (parent, key) in [(2_u64, 4_u64), (4, 5), (5, 6)] {
        let at = run.items.iter().position(|item| item.key == Key(parent)).unwrap();
        run.items[at] = Item { opens: true, ..Item::open_box(parent, run.items[at].parent).growing() };
        run.items.push(Item::card(key, Some(Key(parent)), CARD).growing());
        layout = next(layout, &run);
        assert_eq!(lawful(&run, &layout), Ok(()));
    }
    let now = layout.rect(Key(2)).unwrap();
    assert_eq!((now.x, now.y, layout.rect(Key(3)).unwrap()), (two.x, two.y, three));
    assert_eq!(layout.continued(), 0);
}

/// A caller may sort its edges: one in the middle is no change to the others.
#[test]
fn an_edge_in_the_middle_of_the_list_moves_nothing() {
    let run = request(&[], &[(1, 0), (2, 0), (3, 0), (4, 0)], &[(1, 2), (1, 3), (2, 4)]);
    let mut fewer = run.clone();
    fewer.items.pop();
    fewer.edges = vec![run.edges[0], run.edges[2]];
    let before = fresh(&fewer);
    let after = next(before.clone(), &run);
    assert_eq!(lawful(&run, &after), Ok(()));
    for key in 1..=3 {
        assert_eq!(after.rect(Key(key)), before.rect(Key(key)));
    }
}

#[test]
fn a_box_that_is_only_a_loop_is_read_from_where_it_is_entered() {
    let run = request(&[(1, 0)], &[(4, 1), (2, 1), (3, 1), (5, 0)], &[(2, 3), (3, 4), (4, 2), (5, 2)]);
    let layout = fresh(&run);
    let top = |key| layout.rect(Key(key)).unwrap().y;
    assert!(top(2) < top(3) && top(3) < top(4));
}
