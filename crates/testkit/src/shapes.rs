//! Runs of a given shape, for laws and measurements.
use crate::{Chance, Recording};

/// `depth` agents, each the parent of the next, all started and then finished from the inside out.
pub fn chain(depth: usize) -> Vec<String> {
    let name = |level: usize| format!("agent:n{level}");
    let mut recording = Recording::new("r1").run_started("chain");
    for level in 0..depth {
        let parent = level.checked_sub(1).map(name);
        recording = recording.node(&name(level), &format!("i{level}"), "agent", parent.as_deref());
    }
    for level in (0..depth).rev() {
        recording = recording.done(&name(level), &format!("i{level}"), "ok");
    }
    recording.run_finished("ok").frames()
}

/// One agent with `width` tool calls that all overlap.
pub fn fan_out(width: usize) -> Vec<String> {
    let mut recording = Recording::new("r1").run_started("fan").node("agent:a", "a1", "agent", None);
    for index in 0..width {
        recording = recording.node(&format!("tool:t{index}"), &format!("t{index}"), "tool", Some("agent:a"));
    }
    for index in 0..width {
        recording = recording.done(&format!("tool:t{index}"), &format!("t{index}"), "ok");
    }
    recording.done("agent:a", "a1", "ok").run_finished("ok").frames()
}

/// One model call that streams `count` pieces of text.
pub fn token_flood(count: usize) -> Vec<String> {
    let mut recording = Recording::new("r1").run_started("flood").node("llm:step", "s1", "llm", None);
    for index in 0..count {
        recording = recording.token("llm:step", &format!("word {index} "));
    }
    recording.done("llm:step", "s1", "ok").run_finished("ok").frames()
}

/// An agent that works as agents do: `steps` rounds of a streamed model call and one to three parallel tools, some of
/// which fail. Different seeds give different runs.
pub fn typical_run(run: &str, seed: u64, steps: usize) -> Vec<String> {
    let mut chance = Chance::new(seed);
    let agent = format!("agent:{run}");
    let mut recording = Recording::new(run).run_started("typical").node(&agent, run, "agent", None);
    for step in 0..steps {
        recording = model_call(recording, &mut chance, &agent, step);
        recording = tool_calls(recording, &mut chance, &agent, step);
    }
    recording.done(&agent, run, "ok").run_finished("ok").frames()
}

fn model_call(recording: Recording, chance: &mut Chance, agent: &str, step: usize) -> Recording {
    let instance = format!("llm-{step}");
    let mut recording = recording.node("llm:step", &instance, "llm", Some(agent));
    for _ in 0..chance.below(8) {
        recording = recording.token("llm:step", chance.pick(&["Let me ", "look at ", "the data. ", "So "]));
    }
    recording.done("llm:step", &instance, "ok")
}

fn tool_calls(mut recording: Recording, chance: &mut Chance, agent: &str, step: usize) -> Recording {
    let count = 1 + chance.below(3);
    let tools: Vec<_> = (0..count)
        .map(|index| {
            (format!("tool:{}", chance.pick(&["search", "fetch", "write"])), format!("t{step}-{index}"))
        })
        .collect();
    for (node, instance) in &tools {
        recording = recording.node(node, instance, "tool", Some(agent));
    }
    for (node, instance) in &tools {
        let failed = chance.one_in(6);
        if failed {
            recording = recording.error(node, instance, "no answer");
        }
        recording = recording.done(node, instance, if failed { "error" } else { "ok" });
    }
    recording
}
