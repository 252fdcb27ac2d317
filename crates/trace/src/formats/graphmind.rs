//! GraphMind envelopes: our own journals, other debuggers' recordings, captured frames.
//!
//! An envelope passes through as it is, byte for byte; what the contract refuses is listed with its reason. Unknown
//! message types are kept: the reducer decides what they mean.

use wire::{Decoded, JsonKind};

use crate::adapter::{Adapter, Item, Out};
use crate::detect::Format;
use crate::read::has_break;

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "GraphMind recording",
    recognises: |look| look.kind("gm") == Some(JsonKind::Number) && look.has(&["type", "payload"]),
    adapter: || Box::new(Envelopes),
}];

struct Envelopes;

impl Adapter for Envelopes {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let text = item.raw.get();
        match wire::decode(text) {
            Decoded::Ok(_) | Decoded::UnknownType(_) => {
                if has_break(text) {
                    out.envelope(&text.replace(['\n', '\r'], " "));
                } else {
                    out.envelope(text);
                }
                out.report.used();
                Ok(())
            }
            Decoded::VersionMismatch { received } => {
                Err(format!("protocol major {received}; accepted is {}", wire::GM))
            }
            Decoded::Invalid(invalid) => Err(describe(&invalid)),
        }
    }

    fn finish(&mut self, _out: &mut Out<'_>) {}
}

fn describe(invalid: &wire::Invalid) -> String {
    let mut text = invalid.reason.clone();
    for issue in invalid.issues.iter().take(3) {
        text.push_str(&format!("; {}: expected {}, seen {}", issue.path, issue.expected, issue.seen));
    }
    text
}
