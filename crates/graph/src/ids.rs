//! Handles: the key of a run in a store and dense indices into a run's arenas.
//!
//! Invariant: an index is never reused or moved while its run lives, so it may serve as a stable
//! key for placement and selection. Indices depend on arrival order and are therefore no part of
//! a digest. Does not know what the indices point at.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The key of a run inside a store: the sender's run id, or `r1 (2)` for a reused one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunKey(Arc<str>);

impl RunKey {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key of the n-th run under one id: `r1`, `r1 (2)`, `r1 (3)`, …
    pub fn numbered(run_id: &str, ordinal: u32) -> Self {
        match ordinal {
            0 | 1 => Self(run_id.into()),
            n => Self(format!("{run_id} ({n})").into()),
        }
    }
}

impl From<&str> for RunKey {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for RunKey {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl AsRef<str> for RunKey {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for RunKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for RunKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RunKey({:?})", &*self.0)
    }
}

impl fmt::Display for RunKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for RunKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for RunKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a position in its arena.
            pub fn at(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// Positions past `u32::MAX` cannot occur: an arena entry is larger than one byte.
            fn from(position: usize) -> Self {
                Self(u32::try_from(position).unwrap_or(u32::MAX))
            }
        }
    };
}

index!(
    /// A node of a run: a place in the code.
    NodeIx
);
index!(
    /// An instance of a node: one execution.
    InstanceIx
);
index!(
    /// A hold of a run: one pause of one gate.
    HoldIx
);
index!(
    /// A namespace of a run: a path of nested graphs. The root path has index 0.
    NamespaceIx
);
