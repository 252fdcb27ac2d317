//! Objects that occur inside payloads.
use crate::{Channel, Kind, Point, Raw, Text, loose::loose, matcher::Matcher};
use std::borrow::Cow;

loose! {
    /// The library that drives a run.
    pub struct Sdk {
        /// Its name.
        name: Cow<'a, str> = "name",
        /// Its version.
        version: Cow<'a, str> = "version",
    }
    /// An error as the program saw it.
    pub struct ErrorInfo {
        /// Class of the error.
        name: Cow<'a, str> = "name",
        /// What it says.
        message: Cow<'a, str> = "message",
        /// Where it came from.
        stack: Option<Text<'a>> = "stack",
    }
    /// Tokens used by a model call.
    pub struct Usage {
        /// Prompt tokens; with `inclusive` the cached ones are among them.
        input_tokens: u64 = "inputTokens",
        /// Answer tokens, reasoning included.
        output_tokens: u64 = "outputTokens",
        /// Whether `inputTokens` counts cached tokens too.
        inclusive: Option<bool> = "inclusive",
        /// Prompt tokens served from a cache.
        cache_read_tokens: Option<u64> = "cacheReadTokens",
        /// Prompt tokens written to a cache.
        cache_write_tokens: Option<u64> = "cacheWriteTokens",
        /// Answer tokens spent on reasoning.
        reasoning_tokens: Option<u64> = "reasoningTokens",
    }
    /// A node announced before it runs.
    pub struct HintNode {
        /// Which node.
        node_id: Cow<'a, str> = "nodeId",
        /// What it is.
        kind: Kind<'a> = "kind",
        /// Its name.
        name: Cow<'a, str> = "name",
        /// The node it belongs to.
        parent_id: Option<Cow<'a, str>> = "parentId",
    }
    /// A piece of streamed text.
    pub struct Delta {
        /// Which text it continues.
        t: Channel<'a> = "t",
        /// The piece.
        v: Cow<'a, str> = "v",
    }
    /// Which payload members the sender has replaced by the redaction placeholder.
    pub struct Redaction {
        /// How many values were replaced.
        count: u64 = "count",
        /// The members they stood in.
        keys: Vec<Cow<'a, str>> = "keys",
    }
    /// The repetition that made a gate hold.
    pub struct Loop {
        /// How often the call was made.
        repeats: u64 = "repeats",
        /// Sequence number of its first event.
        first_seq: u64 = "firstSeq",
        /// Sequence number of its last event.
        last_seq: u64 = "lastSeq",
        /// Digest of what was repeated.
        fingerprint: Cow<'a, str> = "fingerprint",
        /// What kind of repetition it is.
        kind: Option<Cow<'a, str>> = "kind",
        /// Calls in one lap.
        period: Option<u64> = "period",
        /// Equal laps so far.
        laps: Option<u64> = "laps",
    }
    /// The rule of the program that made a gate hold.
    pub struct Smart {
        /// Its name.
        rule: Cow<'a, str> = "rule",
        /// What it saw.
        detail: Option<Cow<'a, str>> = "detail",
    }
    /// What an edited call ran with.
    pub struct Edited {
        /// The input it really had.
        after: Option<Raw<'a>> = "after",
    }
    /// Versions of the program's side.
    pub struct ClientVersions {
        /// Protocol major, equal to the envelope's `gm`.
        protocol: u64 = "protocol",
        /// Version of the client library.
        client: Cow<'a, str> = "client",
    }
    /// Versions of the debugger's side.
    pub struct ViewerVersions {
        /// Protocol major, equal to the envelope's `gm`.
        protocol: u64 = "protocol",
        /// Version of the debugger.
        viewer: Cow<'a, str> = "viewer",
    }
    /// Which gates a breakpoint means: present members must match, absent ones match anything, `point` is `before` when absent.
    pub struct WireMatcher {
        /// Kind of node.
        kind: Option<Kind<'a>> = "kind",
        /// Name of node.
        name: Option<Cow<'a, str>> = "name",
        /// Gate of the node.
        point: Option<Point> = "point",
    }
}

impl WireMatcher<'_> {
    /// The matcher without a borrow.
    pub fn to_matcher(&self) -> Matcher {
        Matcher {
            kind: self.kind.as_ref().map(|kind| kind.as_str().to_owned()),
            name: self.name.as_ref().map(|name| name.as_ref().to_owned()),
            point: self.point,
        }
    }
}

impl<'a> From<&'a Matcher> for WireMatcher<'a> {
    fn from(matcher: &'a Matcher) -> Self {
        Self {
            kind: matcher.kind.as_deref().map(Kind::from),
            name: matcher.name.as_deref().map(Cow::Borrowed),
            point: matcher.point,
            extra: crate::Extra::default(),
        }
    }
}
