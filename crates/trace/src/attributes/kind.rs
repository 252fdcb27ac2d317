//! What a span is, what it is called, and which node it belongs to.

use super::Attributes;

/// Kind of the node: one of the contract's words, or the dialect's own where none fits.
pub(crate) fn kind(attributes: &Attributes, name: &str) -> &'static str {
    own(attributes)
        .or_else(|| open_inference(attributes))
        .or_else(|| gen_ai(attributes))
        .or_else(|| stated(attributes))
        .or_else(|| vercel(attributes, name))
        .or_else(|| {
            (attributes.any("gen_ai.request.model") || attributes.any("llm.model_name")).then_some("llm")
        })
        .unwrap_or("custom")
}

/// Our own exports name the kind in the contract's words.
fn own(attributes: &Attributes) -> Option<&'static str> {
    let word = attributes.text("holdpoint.node.kind")?;
    wire::Kind::KNOWN.iter().find(|known| **known == word).copied()
}

fn open_inference(attributes: &Attributes) -> Option<&'static str> {
    Some(match attributes.text("openinference.span.kind")?.to_ascii_uppercase().as_str() {
        "LLM" => "llm",
        "EMBEDDING" => "embedding",
        "CHAIN" => "chain",
        "RETRIEVER" => "retriever",
        "RERANKER" => "reranker",
        "TOOL" => "tool",
        "AGENT" => "agent",
        "GUARDRAIL" => "guardrail",
        "EVALUATOR" => "evaluator",
        "PROMPT" => "prompt",
        _ => return None,
    })
}

fn gen_ai(attributes: &Attributes) -> Option<&'static str> {
    Some(match attributes.text("gen_ai.operation.name")?.as_str() {
        "chat" | "generate_content" | "text_completion" => "llm",
        "embeddings" => "embedding",
        "execute_tool" => "tool",
        "invoke_agent" | "create_agent" => "agent",
        "invoke_workflow" => "chain",
        "retrieval" => "retriever",
        _ => return None,
    })
}

/// Dialects that name the kind in a word of their own.
fn stated(attributes: &Attributes) -> Option<&'static str> {
    let word = attributes.first_text(&[
        "langfuse.observation.type",
        "traceloop.span.kind",
        "langsmith.span.kind",
    ])?;
    Some(match word.to_ascii_lowercase().as_str() {
        "generation" | "llm" => "llm",
        "embedding" => "embedding",
        "agent" => "agent",
        "tool" => "tool",
        "retriever" => "retriever",
        "prompt" => "prompt",
        "workflow" | "task" | "chain" => "chain",
        "guardrail" => "guardrail",
        "evaluator" => "evaluator",
        _ => return None,
    })
}

fn vercel(attributes: &Attributes, name: &str) -> Option<&'static str> {
    let operation = attributes.text("ai.operationId").unwrap_or_else(|| name.to_owned());
    let operation = operation.strip_prefix("ai.")?;
    Some(match operation.split(['.', ' ']).collect::<Vec<_>>().as_slice() {
        ["toolCall", ..] => "tool",
        ["embed" | "embedMany", ..] => "embedding",
        [_, inner, ..] if inner.starts_with("do") => "llm",
        ["generateText" | "streamText" | "generateObject" | "streamObject", ..] => "agent",
        _ => return None,
    })
}

/// Name of the node: without the model or the id that differs from call to call.
pub(crate) fn name(attributes: &Attributes, kind: &str, name: &str) -> String {
    if let Some(own) = attributes.text("holdpoint.node.name") {
        return own;
    }
    let own = match kind {
        "tool" => attributes.first_text(&[
            "gen_ai.tool.name",
            "tool.name",
            "ai.toolCall.name",
            "traceloop.entity.name",
        ]),
        "agent" => attributes.first_text(&[
            "gen_ai.agent.name",
            "graph.node.name",
            "agent.name",
            "ai.telemetry.functionId",
        ]),
        "chain" => attributes.first_text(&["graph.node.name"]),
        _ => None,
    };
    if let Some(own) = own {
        return own;
    }
    let models = ["gen_ai.request.model", "gen_ai.response.model", "llm.model_name"];
    let model = models
        .iter()
        .filter_map(|attribute| attributes.text(attribute))
        .find(|model| name.ends_with(model.as_str()));
    let stem = model.map_or(name, |model| name[..name.len() - model.len()].trim_end());
    if stem.is_empty() { name.to_owned() } else { stem.to_owned() }
}

/// Id of the node in the agent's own graph, where the dialect names it.
pub(crate) fn node(attributes: &Attributes, kind: &str) -> Option<String> {
    let own = attributes.text("holdpoint.node.id");
    own.or_else(|| matches!(kind, "agent" | "chain").then(|| attributes.text("graph.node.id")).flatten())
}

/// Plumbing: HTTP calls and database internals, which are opened folded.
pub(crate) fn is_noise(attributes: &Attributes, kind: &str) -> bool {
    kind == "custom" && (attributes.any("http.") || attributes.any("db.") || attributes.any("url.full"))
}
