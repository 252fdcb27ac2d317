//! Which layer each child of a box belongs to.
//!
//! Cycles are broken where a walk in reading order comes back to where it is; layers are longest paths; a source is
//! pulled down to what it feeds. What has no ranking edge stands beside what it is linked to, else in reading order: in
//! the layer of the item before it, or in the next one where cards and boxes alternate.

use super::Scratch;
use crate::model::NONE;

#[derive(Debug, Default)]
pub(super) struct Tmp {
    state: Vec<u8>,
    stack: Vec<(u32, u32)>,
    done: Vec<u32>,
    forward: Vec<(u32, u32)>,
    count: Vec<u32>,
    beside: Vec<u32>,
}

pub(super) fn rank(s: &mut Scratch) {
    let n = s.kids.len();
    s.rank.clear();
    s.rank.resize(n, 0);
    s.beside.clear();
    s.beside.resize(n, NONE);
    walk(s);
    if !s.ranked.is_empty() {
        longest_paths(s);
    }
    settle_unranked(s);
    fill_layers(s);
}

/// Visits everything from the sources on, then from where edges come in from outside; edges back into the current path are dropped.
fn walk(s: &mut Scratch) {
    let n = s.kids.len();
    s.out.build(n, &s.ranked, true);
    s.into.build(n, &s.ranked, false);
    s.back = 0;
    s.reading.clear();
    let t = &mut s.tmp;
    t.state.clear();
    t.state.resize(n, 0);
    t.done.clear();
    t.forward.clear();
    let sources = (0..n as u32).filter(|&v| s.into.of(v).is_empty());
    let entered = (0..n as u32).filter(|&v| s.entered[v as usize]);
    for root in sources.chain(entered).chain(0..n as u32) {
        if t.state[root as usize] != 0 {
            continue;
        }
        t.state[root as usize] = 1;
        s.reading.push(root);
        t.stack.push((root, 0));
        while let Some((v, next)) = t.stack.last_mut() {
            let v = *v;
            let Some(&w) = s.out.of(v).get(*next as usize) else {
                t.state[v as usize] = 2;
                t.done.push(v);
                t.stack.pop();
                continue;
            };
            *next += 1;
            match t.state[w as usize] {
                1 => {
                    s.back += 1;
                    continue;
                }
                0 => {
                    t.state[w as usize] = 1;
                    s.reading.push(w);
                    t.stack.push((w, 0));
                }
                _ => {}
            }
            t.forward.push((v, w));
        }
    }
    if s.back > 0 {
        s.out.build(n, &t.forward, true);
        s.into.build(n, &t.forward, false);
    }
}

fn longest_paths(s: &mut Scratch) {
    for &v in s.tmp.done.iter().rev() {
        let next = s.rank[v as usize] + 1;
        for &w in s.out.of(v) {
            s.rank[w as usize] = s.rank[w as usize].max(next);
        }
    }
    for v in 0..s.kids.len() as u32 {
        if s.into.of(v).is_empty()
            && let Some(first) = s.out.of(v).iter().map(|&w| s.rank[w as usize]).min()
        {
            s.rank[v as usize] = first - 1;
        }
    }
}

fn settle_unranked(s: &mut Scratch) {
    let ranked = |s: &Scratch, v: u32| !s.out.of(v).is_empty() || !s.into.of(v).is_empty();
    for i in 0..s.aside.len() {
        let (u, v) = s.aside[i];
        for (v, u) in [(v, u), (u, v)] {
            if !ranked(s, v) && ranked(s, u) && s.beside[v as usize] == NONE {
                s.beside[v as usize] = u;
                s.rank[v as usize] = s.rank[u as usize];
            }
        }
    }
    // Without edges the order is all there is. Programs name their parts in the order they use them, and a box among
    // cards is a phase of its own: what is named before it stands above, what is named after it below.
    for v in 1..s.kids.len() {
        if s.beside[v] == NONE && !ranked(s, v as u32) {
            s.rank[v] = s.rank[v - 1] + u32::from(s.open[v] != s.open[v - 1]);
        }
    }
}

/// Layers in reading order, without those that stand beside another; `order` adds them.
fn fill_layers(s: &mut Scratch) {
    let count = s.rank.iter().max().map_or(0, |&r| r as usize + 1);
    let t = &mut s.tmp;
    t.count.clear();
    t.count.resize(count + 1, 0);
    for &v in &s.reading {
        t.count[s.rank[v as usize] as usize + 1] += u32::from(s.beside[v as usize] == NONE);
    }
    for i in 1..=count {
        t.count[i] += t.count[i - 1];
    }
    s.starts.clear();
    s.starts.extend_from_slice(&t.count);
    s.layers.clear();
    s.layers.resize(t.count[count] as usize, 0);
    for &v in &s.reading {
        if s.beside[v as usize] == NONE {
            let at = &mut t.count[s.rank[v as usize] as usize];
            s.layers[*at as usize] = v;
            *at += 1;
        }
    }
}

/// Puts those that stand beside another right after it.
pub(super) fn add_beside(s: &mut Scratch) {
    let t = &mut s.tmp;
    t.beside.clear();
    t.beside.extend((0..s.kids.len() as u32).filter(|&v| s.beside[v as usize] != NONE));
    if t.beside.is_empty() {
        return;
    }
    // Grouped by what they stand beside, each group in item order.
    t.beside.sort_by_key(|&v| s.beside[v as usize]);
    let old = std::mem::take(&mut s.layers);
    let ends: Vec<u32> = s.starts[1..].to_vec();
    let mut layer = 0;
    for (i, &v) in old.iter().enumerate() {
        s.layers.push(v);
        let from = t.beside.partition_point(|&w| s.beside[w as usize] < v);
        s.layers.extend(t.beside[from..].iter().take_while(|&&w| s.beside[w as usize] == v));
        while layer < ends.len() && i + 1 == ends[layer] as usize {
            s.starts[layer + 1] = s.layers.len() as u32;
            layer += 1;
        }
    }
}
