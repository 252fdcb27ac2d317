//! How one member of an event is read and written. Reading is generous in form (a single item for a list, `null` for
//! nothing) and exact in kind: a number is never taken for text.
use crate::{Interrupt, Json, RouteTarget};
use wire::{JsonKind, Raw, json::write_string};

/// A type that can stand as a member's value. `Default` is what an absent member means.
pub(crate) trait Member: Sized + Default {
    /// What a reader accepts, for messages.
    const EXPECTED: &'static str;

    /// Reads a value that is not `null`.
    fn read(raw: Raw<'_>) -> Option<Self>;

    /// Appends the value as JSON.
    fn write(&self, out: &mut String);

    /// Whether the member is left out when written.
    fn is_absent(&self) -> bool {
        false
    }
}

impl Member for String {
    const EXPECTED: &'static str = "a string";

    fn read(raw: Raw<'_>) -> Option<Self> {
        text(raw)
    }

    fn write(&self, out: &mut String) {
        write_string(self, out);
    }
}

/// Text, or the beginning of one that a slim envelope only refers to.
fn text(raw: Raw<'_>) -> Option<String> {
    if raw.kind() == JsonKind::Object {
        return raw.member(wire::STUB_KEY)?.member("preview")?.as_str().map(String::from);
    }
    raw.as_str().map(String::from)
}

impl Member for usize {
    const EXPECTED: &'static str = "an integer, zero or more";

    fn read(raw: Raw<'_>) -> Option<Self> {
        usize::try_from(raw.as_u64()?).ok()
    }

    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl Member for Json {
    const EXPECTED: &'static str = "a JSON value";

    fn read(raw: Raw<'_>) -> Option<Self> {
        Some(Self::from(raw))
    }

    fn write(&self, out: &mut String) {
        out.push_str(self.get());
    }
}

impl<T: Member> Member for Vec<T> {
    const EXPECTED: &'static str = "a list";

    fn read(raw: Raw<'_>) -> Option<Self> {
        if raw.kind() == JsonKind::Array {
            raw.items().map(T::read).collect()
        } else {
            Some(vec![T::read(raw)?])
        }
    }

    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }
}

macro_rules! member_ids {
    ($($name:ty),+) => { $(
        impl Member for $name {
            const EXPECTED: &'static str = "a string";

            fn read(raw: Raw<'_>) -> Option<Self> {
                raw.as_str().map(|text| Self::from(&text))
            }

            fn write(&self, out: &mut String) {
                write_string(self.as_str(), out);
            }

            /// An empty id is one that its producer left out.
            fn is_absent(&self) -> bool {
                self.is_empty()
            }
        }
    )+ };
}

member_ids!(
    wire::RunId,
    wire::NodeId,
    crate::GraphId,
    crate::TaskId,
    crate::CheckpointId,
    crate::ComponentId,
    crate::ThreadId
);

macro_rules! member_by_serde {
    ($($name:ty = $expected:literal),+) => { $(
        impl Member for $name {
            const EXPECTED: &'static str = $expected;

            fn read(raw: Raw<'_>) -> Option<Self> {
                <$name>::from_raw(raw)
            }

            fn write(&self, out: &mut String) {
                // Plain values with string keys serialise without fail.
                out.push_str(&serde_json::to_string(self).unwrap_or_default());
            }
        }
    )+ };
}

member_by_serde!(Interrupt = "an interrupt", RouteTarget = "a route target");
