//! `holdpoint show`: a run as the reducer has it, from the server, a journal or recordings.

use super::{Context, pick};
use crate::{fail::Done, print};
use graph::{Run, project};
use serde_json::json;
use std::collections::HashMap;

/// Indentation beyond which a tree is shown flat: a chain of parents is as deep as a peer likes.
const DEPTH_MAX: usize = 12;

/// Prints it.
pub(crate) async fn run(context: &Context, wanted: &[String]) -> Done {
    let runs = pick::runs(context, pick::find(context, wanted).await?).await?;
    if context.json {
        let shown: Vec<project::Show> = runs.iter().map(project::show).collect();
        return print::json(&json!({"runs": shown}));
    }
    runs.iter().try_for_each(text)
}

fn text(run: &Run) -> Done {
    let shown = project::show(run);
    let usage = &shown.usage;
    print::line(&format!("{}  {}  {}  {} events", shown.run_id, shown.app, shown.status, shown.events))?;
    if usage.total > 0 {
        print::line(&format!(
            "{} tokens ({} fresh, {} from cache)",
            usage.total, usage.fresh, usage.cache_read
        ))?;
    }
    let mut depths: HashMap<&str, usize> = HashMap::new();
    let mut rows = Vec::new();
    for node in &shown.nodes {
        // Each node stands before its children, so the parent's depth is known.
        let above = node.parent_id.as_deref().and_then(|parent| depths.get(parent));
        let depth = above.map_or(0, |above| (above + 1).min(DEPTH_MAX));
        depths.insert(&node.node_id, depth);
        rows.push(row(node, depth));
    }
    print::table(&["NODE", "KIND", "STATUS", "RUN", "FAILED"], &rows)?;
    for hold in &shown.holds {
        let end = if hold.held { "held" } else { hold.action.unwrap_or("released") };
        print::line(&format!("hold {}  {} at {}: {end}", hold.pause_id, hold.node_id, hold.point))?;
    }
    shown.notes.iter().try_for_each(|note| print::line(&format!("note: {}", note.text)))
}

fn row(node: &project::ShowNode, depth: usize) -> Vec<String> {
    let counts = node.instances;
    let times = if counts.total == 0 { "-".to_owned() } else { format!("x{}", counts.total) };
    let failed = if counts.error > 0 { counts.error.to_string() } else { "-".to_owned() };
    let name = format!("{}{}", "  ".repeat(depth), node.name);
    vec![name, node.kind.clone(), node.status.to_owned(), times, failed]
}
