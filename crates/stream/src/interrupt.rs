//! Interrupts and routes: where a graph stops for a person, and where it goes.
use crate::Json;
use serde::{Deserialize, Deserializer, Serialize};
use wire::{JsonKind, NodeId, Raw};

/// A graph that asks and waits. The same interrupt shows in several parts; its id makes it one.
///
/// ```
/// let interrupt: stream::Interrupt =
///     serde_json::from_str(r#"{"id":"i1","node":"review","payload":"go on?"}"#).unwrap();
/// assert_eq!(interrupt.payload.get(), r#""go on?""#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Interrupt {
    /// Names it.
    pub id: String,
    /// The node that asks; empty where the producer does not say.
    #[serde(skip_serializing_if = "NodeId::is_empty")]
    pub node: NodeId,
    /// What it asks.
    pub payload: Json,
}

impl Interrupt {
    /// Reads any known spelling: `payload` or `value`, `id` or `interrupt_id`. Any other value is what is asked itself.
    pub fn from_raw(raw: Raw<'_>) -> Option<Self> {
        if raw.kind() != JsonKind::Object
            || !["id", "interrupt_id", "payload", "value"].iter().any(|n| raw.member(n).is_some())
        {
            return Some(Self { payload: Json::from(raw), ..Self::default() });
        }
        let text = |names: &[&str]| names.iter().find_map(|name| raw.member(name)?.as_str());
        let payload = raw.member("payload").or_else(|| raw.member("value"));
        Some(Self {
            id: text(&["id", "interrupt_id"]).map(String::from).unwrap_or_default(),
            node: text(&["node"]).map(|node| NodeId::from(&node)).unwrap_or_default(),
            payload: payload.map(Json::from).unwrap_or_default(),
        })
    }
}

impl<'de> Deserialize<'de> for Interrupt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        Self::from_raw(json.raw()).ok_or_else(|| serde::de::Error::custom("expected an interrupt"))
    }
}

/// Where a route leads.
///
/// ```
/// use stream::RouteTarget;
/// let routes: Vec<RouteTarget> = serde_json::from_str(r#"[{"Node":"a"},"b","End"]"#).unwrap();
/// assert_eq!(routes, [RouteTarget::Node("a".into()), RouteTarget::Node("b".into()), RouteTarget::End]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub enum RouteTarget {
    /// A node.
    Node(NodeId),
    /// A node with an input of its own: fan-out.
    Send {
        /// The node.
        node: NodeId,
        /// Its input.
        input: Json,
    },
    /// The end of the graph.
    #[default]
    End,
}

impl RouteTarget {
    /// The node it leads to, none for the end.
    pub fn node(&self) -> Option<&NodeId> {
        match self {
            Self::Node(node) | Self::Send { node, .. } => Some(node),
            Self::End => None,
        }
    }

    /// Reads a name, `{"Node": name}`, `{"Send": {node, input}}`, `{node, input}`, or one of the words for the end.
    pub fn from_raw(raw: Raw<'_>) -> Option<Self> {
        if let Some(name) = raw.as_str() {
            let end = matches!(&*name, "End" | "END" | "__end__");
            return Some(if end { Self::End } else { Self::Node(NodeId::from(&name)) });
        }
        if let Some(name) = raw.member("Node") {
            return Some(Self::Node(NodeId::from(&name.as_str()?)));
        }
        let send = raw.member("Send").unwrap_or(raw);
        let node = NodeId::from(&send.member("node")?.as_str()?);
        let input = send.member("input").or_else(|| send.member("arg"));
        Some(input.map_or(Self::Node(node.clone()), |input| Self::Send { node, input: Json::from(input) }))
    }
}

impl<'de> Deserialize<'de> for RouteTarget {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        let fail = || serde::de::Error::custom(format!("expected a route target, seen {json}"));
        Self::from_raw(json.raw()).ok_or_else(fail)
    }
}
