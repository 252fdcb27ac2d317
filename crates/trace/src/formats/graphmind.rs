//! GraphMind envelopes: our own journals, other debuggers' recordings, captured frames.
//!
//! An envelope passes through as it is, byte for byte; what the contract refuses is listed with its reason. Unknown
//! message types are kept: the reducer decides what they mean.

mod numbers;

use wire::{Decoded, JsonKind};

use crate::adapter::{Adapter, Item, Out};
use crate::detect::Format;
use crate::read::has_break;
use numbers::Numbers;

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "GraphMind recording",
    recognises: |look| look.kind("gm") == Some(JsonKind::Number) && look.has(&["type", "payload"]),
    adapter: || Box::<Envelopes>::default(),
}];

#[derive(Default)]
struct Envelopes {
    numbers: Numbers,
    /// Lines whose number their run had used before.
    repeated: u64,
}

impl Adapter for Envelopes {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let text = item.raw.get();
        let decoded = wire::decode(text);
        match &decoded {
            Decoded::Ok(wire::Envelope { header, .. })
            | Decoded::UnknownType(wire::Opaque { header, .. }) => {
                if has_break(text) {
                    out.envelope(&text.replace(['\n', '\r'], " "));
                } else {
                    out.envelope(text);
                }
                self.repeated += u64::from(!self.numbers.take(&header.run_id, header.seq));
                out.report.used();
                Ok(())
            }
            Decoded::VersionMismatch { received } => {
                Err(format!("protocol major {received}; accepted is {}", wire::GM))
            }
            Decoded::Invalid(invalid) => Err(describe(invalid)),
        }
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        let text = "a line repeats a sequence number of its run: the first line with the number counts";
        out.report.note_times(text, self.repeated);
    }
}

fn describe(invalid: &wire::Invalid) -> String {
    let mut text = invalid.reason.clone();
    for issue in invalid.issues.iter().take(3) {
        text.push_str(&format!("; {}: expected {}, seen {}", issue.path, issue.expected, issue.seen));
    }
    text
}
