//! Ids as types, so that a pause id cannot stand where a node id should. Opaque text, cheap to clone, compared byte by
//! byte. Which ids exist is not known here.
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt, sync::Arc};

macro_rules! ids {
    ($( $(#[doc = $doc:literal])+ $name:ident, )+) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(from = "String", into = "String")]
        pub struct $name(Arc<str>);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl From<&Cow<'_, str>> for $name {
            fn from(text: &Cow<'_, str>) -> Self {
                Self(text.as_ref().into())
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.as_str().to_owned()
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )+ };
}

ids! {
    /// Names one run as its sender does; a restarted program may use it again.
    RunId,
    /// Names a place in the code, for example `tool:search`.
    NodeId,
    /// Names one execution of a node.
    InstanceId,
    /// Names one hold at a gate.
    PauseId,
    /// Opaque identity of a connection, echoed to claim its runs again.
    SessionToken,
}
