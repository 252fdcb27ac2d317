//! The eight stream modes. Source: graph streaming and events, "Core stream modes".
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What a subscriber wants to see of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StreamMode {
    /// Full state values after each step.
    Values,
    /// State updates by node.
    Updates,
    /// Messages and token deltas of model nodes.
    Messages,
    /// What a program writes into the stream itself.
    Custom,
    /// Saved states.
    Checkpoints,
    /// Starts and results of tasks.
    Tasks,
    /// Checkpoints and tasks together.
    Debug,
    /// All graph lifecycle events.
    Events,
}

impl StreamMode {
    /// All modes.
    pub const ALL: [Self; 8] = [
        Self::Values,
        Self::Updates,
        Self::Messages,
        Self::Custom,
        Self::Checkpoints,
        Self::Tasks,
        Self::Debug,
        Self::Events,
    ];

    /// The mode's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Values => "values",
            Self::Updates => "updates",
            Self::Messages => "messages",
            Self::Custom => "custom",
            Self::Checkpoints => "checkpoints",
            Self::Tasks => "tasks",
            Self::Debug => "debug",
            Self::Events => "events",
        }
    }
}

impl fmt::Display for StreamMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for StreamMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|mode| mode.as_str()).collect();
            format!("unknown stream mode {name:?}; there are {}", names.join(", "))
        })
    }
}
