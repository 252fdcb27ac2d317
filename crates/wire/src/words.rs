//! The contract's word lists. A closed list refuses what it does not know; an open one keeps it under its own name.

/// A closed list: an unknown word makes the message invalid.
macro_rules! closed {
    ($(
        $(#[doc = $doc:literal])+
        pub enum $name:ident: $expected:literal { $( $(#[doc = $about:literal])+ $variant:ident = $wire:literal, )+ }
    )+) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $( $(#[doc = $about])+ #[serde(rename = $wire)] $variant, )+ }

        impl $name {
            /// Every word of the list.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $wire, )+ }
            }

            /// The meaning of a word, `None` for one that is not in the list.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $( $wire => Some(Self::$variant), )+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(word: &str) -> Result<Self, String> {
                Self::parse(word).ok_or_else(|| format!("expected {}, seen {word:?}", $expected))
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::ALL[0]
            }
        }

        impl<'a> $crate::field::Field<'a> for $name {
            const EXPECTED: &'static str = $expected;

            fn read(scanner: &mut $crate::json::Scanner<'a>, issues: &mut $crate::error::Issues) -> Option<Self> {
                let mut ahead = scanner.clone();
                let word = ahead.string().ok().map(|(raw, escaped)| $crate::json::unescape(raw, escaped));
                match word.and_then(|word| Self::parse(&word)) {
                    Some(value) => { *scanner = ahead; Some(value) }
                    None => issues.mismatch(scanner, Self::EXPECTED),
                }
            }

            fn write(&self, out: &mut String) {
                $crate::json::write_string(self.as_str(), out);
            }

            fn schema(defs: &mut $crate::schema::Defs) -> serde_json::Value {
                defs.words(stringify!($name), concat!($($doc),+), &[$($wire),+], true)
            }
        }
    )+ };
}

/// An open list: an unknown word is kept in `Other`.
macro_rules! open {
    ($(
        $(#[doc = $doc:literal])+
        pub enum $name:ident { $( $(#[doc = $about:literal])+ $variant:ident = $wire:literal, )+ }
    )+) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name<'a> {
            $( $(#[doc = $about])+ $variant, )+
            /// A word this version does not know.
            Other(std::borrow::Cow<'a, str>),
        }

        impl<'a> $name<'a> {
            /// Every word this version knows.
            pub const KNOWN: &'static [&'static str] = &[$($wire),+];

            /// The word on the wire.
            pub fn as_str(&self) -> &str {
                match self { $( Self::$variant => $wire, )+ Self::Other(word) => word }
            }

            /// The meaning of a word.
            pub fn new(word: std::borrow::Cow<'a, str>) -> Self {
                match word.as_ref() { $( $wire => Self::$variant, )+ _ => Self::Other(word) }
            }

            /// The same word without a borrow.
            pub fn into_owned(self) -> $name<'static> {
                match self {
                    $( Self::$variant => $name::$variant, )+
                    Self::Other(word) => $name::Other(std::borrow::Cow::Owned(word.into_owned())),
                }
            }
        }

        impl<'a> From<&'a str> for $name<'a> {
            fn from(word: &'a str) -> Self {
                Self::new(std::borrow::Cow::Borrowed(word))
            }
        }

        impl Default for $name<'_> {
            fn default() -> Self {
                Self::from("")
            }
        }

        impl std::fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name<'_> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <String as serde::Deserialize>::deserialize(deserializer)?;
                Ok(Self::new(std::borrow::Cow::Owned(word)))
            }
        }

        impl<'a> $crate::field::Field<'a> for $name<'a> {
            const EXPECTED: &'static str = "a string";

            fn read(scanner: &mut $crate::json::Scanner<'a>, issues: &mut $crate::error::Issues) -> Option<Self> {
                std::borrow::Cow::read(scanner, issues).map(Self::new)
            }

            fn write(&self, out: &mut String) {
                $crate::json::write_string(self.as_str(), out);
            }

            fn schema(defs: &mut $crate::schema::Defs) -> serde_json::Value {
                defs.words(stringify!($name), concat!($($doc),+), &[$($wire),+], false)
            }
        }
    )+ };
}

closed! {
    /// Where in a node's life a gate stands.
    pub enum Point: "\"before\", \"after\" or \"error\"" {
        /// Before the node runs.
        Before = "before",
        /// After it has run.
        After = "after",
        /// After it has failed.
        Error = "error",
    }
    /// How a held gate is released.
    pub enum Action: "\"continue\", \"retry\", \"inject\" or \"abort\"" {
        /// Go on.
        Continue = "continue",
        /// Run the node again.
        Retry = "retry",
        /// Go on with a given output.
        Inject = "inject",
        /// End the run.
        Abort = "abort",
    }
    /// Whether the program runs freely or holds at every gate.
    pub enum Mode: "\"run\" or \"step\"" {
        /// Freely.
        Run = "run",
        /// Gate by gate.
        Step = "step",
    }
    /// How a run or a node ended.
    pub enum RunOutcome: "\"ok\", \"error\" or \"aborted\"" {
        /// As it should.
        Ok = "ok",
        /// It failed.
        Error = "error",
        /// It was ended from outside.
        Aborted = "aborted",
    }
}

open! {
    /// What a node is.
    pub enum Kind {
        /// An agent.
        Agent = "agent",
        /// A model call.
        Llm = "llm",
        /// A tool call.
        Tool = "tool",
        /// A chain of steps.
        Chain = "chain",
        /// A retrieval.
        Retriever = "retriever",
        /// A server session.
        Server = "server",
        /// A resource read.
        Resource = "resource",
        /// A prompt fetched.
        Prompt = "prompt",
        /// Anything else.
        Custom = "custom",
    }
    /// Which text a delta belongs to.
    pub enum Channel {
        /// The answer.
        Text = "text",
        /// The model's reasoning.
        Reasoning = "reasoning",
        /// Arguments of a tool call.
        ToolArgs = "tool-args",
    }
    /// Why a gate holds.
    pub enum Reason {
        /// A breakpoint matched.
        Breakpoint = "breakpoint",
        /// An error occurred.
        Error = "error",
        /// The program is stepping.
        Step = "step",
        /// The same call was made over and over.
        Loop = "loop",
    }
    /// Why an answer to a hold was refused.
    pub enum RefusalCode {
        /// The value does not fit the declared schema.
        Schema = "schema",
        /// The value has the wrong shape.
        Shape = "shape",
        /// The value still holds a redaction placeholder.
        Placeholder = "placeholder",
        /// The value was cut.
        Truncated = "truncated",
        /// Editing is switched off.
        Disabled = "disabled",
        /// This gate cannot do that.
        Unsupported = "unsupported",
    }
}
