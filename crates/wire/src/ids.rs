//! Ids as types, so that a pause id cannot stand where a node id should. Opaque text, cheap to clone, compared byte by
//! byte. Which ids exist is not known here.

/// Declares id types: opaque text behind a shared pointer, with the usual conversions. The caller's crate needs `serde`.
#[macro_export]
macro_rules! id_types {
    ($( $(#[doc = $doc:literal])+ $name:ident, )+) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(from = "String", into = "String")]
        pub struct $name(std::sync::Arc<str>);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Whether there is no text: an id that a sender left out.
            pub fn is_empty(&self) -> bool {
                self.0.is_empty()
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

        impl From<&std::borrow::Cow<'_, str>> for $name {
            fn from(text: &std::borrow::Cow<'_, str>) -> Self {
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

        impl Default for $name {
            fn default() -> Self {
                Self::from("")
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )+ };
}

id_types! {
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
