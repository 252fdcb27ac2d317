//! Runs by hand: the invoice agent held at its bug, and a legend of every state.

use egui::{Rect, pos2, vec2};
use std::sync::Arc;
use ui::glyph::BreakpointMark;
use ui::scene::{CanvasModel, CardModel, DiffMark, EdgeLook, EdgeSegment};
use ui::theme::{NodeKind, Status};

use crate::stage::{boxed, card, edge, hold, model, route, tally};

fn rect(x: f32, y: f32, w: f32, h: f32) -> Rect {
    Rect::from_min_size(pos2(x, y), vec2(w, h))
}

/// Every state of a card, in four columns.
pub(crate) fn states() -> CanvasModel {
    let columns = [0.0, 208.0, 416.0, 624.0];
    let mut cards = Vec::new();
    let mut put = |column: usize, y: f32, name: &str, kind, status, change: &dyn Fn(&mut CardModel)| {
        let mut card = card(name, kind, status, columns[column], y);
        card.key += cards.len() as u64 * 1000;
        card.depth = 0;
        change(&mut card);
        cards.push(card);
    };
    use NodeKind::{Agent, Chain, Custom, Llm, Resource, Retriever, Server, Tool};
    let terms = "net amounts are due 30 days net, or 2 % off if paid in";
    put(0, 0.0, "post_entries", Tool, Status::NotReached, &|_| {});
    put(1, 0.0, "span 4c1e", Agent, Status::Ghost, &|c| c.detail = "parent not seen".into());
    put(2, 0.0, "read_terms", Llm, Status::Running, &|c| {
        (c.detail, c.stream) = ("184 tok".into(), Some(terms.into()));
    });
    put(3, 0.0, "parse_amount", Tool, Status::Running, &|c| {
        (c.hold, c.breakpoint) = (Some(hold("p1")), Some(BreakpointMark::Condition));
    });
    put(0, 128.0, "load_ledger", Retriever, Status::Ok, &|c| c.detail = "412 ms".into());
    put(1, 128.0, "fx_rate", Server, Status::Failed, &|c| (c.count, c.detail) = (6, "2.04 s · 1/6".into()));
    put(2, 128.0, "read_terms", Llm, Status::Running, &|c| {
        (c.detail, c.stream, c.target) = ("184 tok".into(), Some(terms.into()), "selected".into());
    });
    put(3, 128.0, "parse_amount", Tool, Status::Running, &|c| {
        (c.hold, c.breakpoint, c.target) = (Some(hold("p2")), Some(BreakpointMark::Bound), "selected".into());
    });
    put(0, 256.0, "send_mail", Tool, Status::Aborted, &|c| c.detail = "after 1.90 s".into());
    put(1, 256.0, "sub_review", Agent, Status::Abandoned, &|c| c.detail = "no end".into());
    put(2, 256.0, "read_inbox", Resource, Status::Cached, &|c| c.detail = "0 ms · 38 files".into());
    put(3, 256.0, "parse_amount", Tool, Status::Injected, &|c| c.detail = "by hand".into());
    put(0, 352.0, "fx_rate", Server, Status::Retried, &|c| c.detail = "3rd try · 1.1 s".into());
    put(1, 352.0, "check_totals", Chain, Status::Ok, &|c| {
        (c.count, c.detail, c.target) = (2, "18 ms".into(), "selected".into());
    });
    put(2, 352.0, "fetch_order", Tool, Status::Ok, &|c| {
        (c.stack, c.count) = (true, 214);
        (c.word, c.failed) = (Some("211 ok".into()), Some("3 failed".into()));
    });
    put(3, 352.0, "a_name_much_too_long_for_its_card", Custom, Status::Ok, &|c| {
        (c.count, c.detail) = (1_234, "3 h 05 min · 1.2M".into());
    });
    put(0, 448.0, "changed", Tool, Status::Ok, &|c| {
        (c.diff, c.detail) = (Some(DiffMark::Changed), "4 ms".into())
    });
    put(1, 448.0, "added", Custom, Status::Ok, &|c| {
        (c.diff, c.detail) = (Some(DiffMark::Added), "12.6 s".into())
    });
    put(2, 448.0, "removed", Server, Status::Ok, &|c| {
        (c.diff, c.detail) = (Some(DiffMark::Removed), "318 ms".into())
    });
    put(3, 448.0, "missing", Tool, Status::NotReached, &|c| {
        (c.diff, c.detail) = (Some(DiffMark::Missing), "Only in A".into());
    });
    put(0, 544.0, "settle_payment", Tool, Status::Uncertain, &|c| c.detail = "happened?".into());
    put(1, 544.0, "approve", Agent, Status::Later, &|_| {});
    model(vec![], cards, vec![])
}

/// The invoice agent, held at its bug.
pub(crate) fn held() -> CanvasModel {
    use NodeKind::{Agent, Chain, Custom, Llm, Prompt, Resource, Retriever, Server, Tool};
    let detailed = |mut c: CardModel, detail: &str, count: u64, depth: u32| {
        (c.detail, c.count, c.depth) = (detail.into(), count, depth);
        c
    };
    let inbox = detailed(card("read_inbox", Resource, Status::Cached, 103.0, 39.0), "0 ms · 38 files", 1, 1);
    let ledger = detailed(card("load_ledger", Retriever, Status::Ok, 303.0, 39.0), "412 ms", 1, 1);
    let policy = detailed(card("match_policy", Prompt, Status::Ok, 503.0, 39.0), "3 ms · v14", 1, 1);
    let mut bank = detailed(card("bank_feed", Server, Status::Ok, 703.0, 39.0), "1.18 s", 1, 1);
    bank.breakpoint = Some(BreakpointMark::LogPoint);
    let mut propose = detailed(card("propose", Llm, Status::Ok, 403.0, 171.0), "4.61 s · 2,318 tok", 3, 2);
    propose.stream = Some("and so I think that the order PO-2291 fits line 3, amount still to parse".into());
    let fetch = detailed(card("fetch_order", Tool, Status::Ok, 103.0, 335.0), "236 ms", 12, 3);
    let mut parse = detailed(card("parse_amount", Tool, Status::Running, 303.0, 335.0), "", 12, 3);
    (parse.hold, parse.breakpoint) = (Some(hold("pause-1")), Some(BreakpointMark::Condition));
    let rate = detailed(card("fx_rate", Server, Status::Failed, 503.0, 335.0), "2.04 s · 1/6", 6, 3);
    let mut terms = detailed(card("read_terms", Llm, Status::Running, 703.0, 335.0), "184 tok", 3, 3);
    terms.stream = Some("the invoice is due 30 days net, or 2 % off if paid in".into());
    let totals = detailed(card("check_totals", Chain, Status::Ok, 403.0, 475.0), "18 ms · loops back", 2, 2);
    let mut owner = detailed(card("ask_owner", Custom, Status::NotReached, 703.0, 475.0), "", 1, 2);
    owner.breakpoint = Some(BreakpointMark::Bound);
    let mut review = detailed(card("review_variance", Agent, Status::NotReached, 203.0, 583.0), "", 1, 1);
    review.breakpoint = Some(BreakpointMark::Error);
    let post = detailed(card("post_entries", Tool, Status::NotReached, 403.0, 583.0), "", 1, 1);
    let report = detailed(card("write_report", Chain, Status::NotReached, 603.0, 583.0), "", 1, 1);
    let taken = EdgeLook::Taken;
    let mut edges = vec![
        edge(&totals, &review, EdgeLook::Possible, 0, 531.0),
        edge(&totals, &post, EdgeLook::Possible, 0, 531.0),
        edge(&totals, &report, EdgeLook::Possible, 0, 531.0),
        edge(&inbox, &propose, taken, 1, 95.0),
        edge(&ledger, &propose, taken, 1, 95.0),
        edge(&policy, &propose, taken, 1, 95.0),
        edge(&bank, &propose, taken, 1, 95.0),
        edge(&propose, &fetch, taken, 12, 259.0),
        edge(&propose, &parse, taken, 12, 259.0),
        edge(&propose, &rate, taken, 6, 259.0),
        edge(&fetch, &totals, taken, 1, 423.0),
        edge(&parse, &totals, taken, 1, 423.0),
        edge(&rate, &totals, taken, 1, 423.0),
        edge(&terms, &totals, taken, 1, 423.0),
    ];
    edges.push(edge(&propose, &terms, EdgeLook::Active, 3, 259.0));
    let start = totals.rect.left_center();
    let (lane, end) = (51.0, propose.rect.left_center());
    let curve = |c: egui::Pos2, to| EdgeSegment::Cubic(c, c, to);
    let back: Arc<[EdgeSegment]> = Arc::new([
        EdgeSegment::Line(pos2(lane + 16.0, start.y)),
        curve(pos2(lane, start.y), pos2(lane, start.y - 16.0)),
        EdgeSegment::Line(pos2(lane, end.y + 16.0)),
        curve(pos2(lane, end.y), pos2(lane + 16.0, end.y)),
        EdgeSegment::Line(end),
    ]);
    let bounds = Rect::from_two_pos(pos2(lane, end.y), start).expand(4.0);
    edges.push(route(&totals, &propose, taken, 2, start, back, pos2(lane, 359.0), bounds));
    let aside: Arc<[EdgeSegment]> = Arc::new([EdgeSegment::Line(owner.rect.left_center())]);
    let bounds = Rect::from_two_pos(totals.rect.right_center(), owner.rect.left_center()).expand(4.0);
    let pill = bounds.center();
    let begin = totals.rect.right_center();
    edges.push(route(&totals, &owner, EdgeLook::HandoffPossible, 0, begin, aside, pill, bounds));
    let mut outer = boxed("reconcile", 1, rect(0.0, 0.0, 936.0, 655.0), tally(1, 1, 1));
    let mut middle = boxed("match", 2, rect(16.0, 131.0, 904.0, 416.0), tally(1, 1, 1));
    let mut inner = boxed("lookup", 3, rect(88.0, 295.0, 816.0, 144.0), tally(1, 1, 1));
    (outer.kind, middle.caption) = (Agent, "iteration 3".into());
    (middle.parent, inner.parent) = (Some(outer.key), Some(middle.key));
    let mut cards = vec![
        inbox, ledger, policy, bank, propose, fetch, parse, rate, terms, totals, owner, review, post, report,
    ];
    for card in &mut cards {
        card.parent = Some([outer.key, middle.key, inner.key][card.depth as usize - 1]);
    }
    model(vec![outer, middle, inner], cards, edges)
}

/// Folded boxes among cards, wider than a small window.
pub(crate) fn folded() -> CanvasModel {
    let fold = |name: &str, kind, at: egui::Pos2, tally, status| {
        let mut b = boxed(name, 2, Rect::from_min_size(at, vec2(192.0, 72.0)), tally);
        (b.folded, b.kind, b.status) = (true, kind, status);
        b
    };
    let mut explorer = fold("explorer", NodeKind::Agent, pos2(40.0, 120.0), tally(0, 0, 0), Status::Ok);
    explorer.tally.nodes = 38;
    explorer.tally.calls = 1_204;
    let held = fold("lookup", NodeKind::Chain, pos2(264.0, 120.0), tally(0, 1, 1), Status::Running);
    let running = fold("reconcile", NodeKind::Agent, pos2(488.0, 120.0), tally(2, 0, 0), Status::Running);
    let none = tally(0, 0, 0);
    let mut reviewer = fold("reviewer", NodeKind::Agent, pos2(712.0, 120.0), none, Status::NotReached);
    (reviewer.tally.calls, reviewer.tally.ok) = (0, 0);
    let mut outer = boxed("fix_flaky_test", 1, rect(0.0, 0.0, 960.0, 500.0), tally(1, 1, 1));
    (outer.caption, outer.kind) = ("agent".into(), NodeKind::Agent);
    let mut card = card("coordinator", NodeKind::Agent, Status::Running, 264.0, 40.0);
    card.depth = 1;
    let mut below = crate::stage::card("run_tests", NodeKind::Server, Status::Failed, 264.0, 300.0);
    (below.depth, below.count, below.detail) = (1, 6, "48.1 s · 5/6".into());
    model(vec![outer, explorer, held, running, reviewer], vec![card, below], vec![])
}
