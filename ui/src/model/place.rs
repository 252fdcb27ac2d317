//! Where the window looks, as the part of an address behind `#`: a run, a node, one of its calls, a moment. A link to it
//! holds no token and no values.

use std::sync::Arc;

use super::{Selection, TimePosition};

/// A place in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Key of the run.
    pub run: String,
    /// The selected node.
    pub node: Option<String>,
    /// The selected call.
    pub instance: Option<String>,
    /// The moment that is looked at; none is the end.
    pub seq: Option<u64>,
}

impl Place {
    /// Where a window looks.
    pub fn of(run: &str, selection: &Selection, time: TimePosition) -> Self {
        let text = |id: &Option<Arc<str>>| id.as_deref().map(str::to_owned);
        let seq = match time {
            TimePosition::At(seq) => Some(seq),
            TimePosition::Live => None,
        };
        Self { run: run.to_owned(), node: text(&selection.node), instance: text(&selection.instance), seq }
    }

    /// Reads a fragment; none where it names no run. What it does not know is passed over.
    pub fn read(fragment: &str) -> Option<Self> {
        let mut place = Self::default();
        for pair in fragment.trim_start_matches('#').split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decode(value);
            match name {
                "run" => place.run = value?,
                "node" => place.node = value,
                "instance" => place.instance = value,
                "seq" => place.seq = value.and_then(|value| value.parse().ok()),
                _ => {}
            }
        }
        (!place.run.is_empty()).then_some(place)
    }

    /// As a fragment, without the `#`.
    pub fn fragment(&self) -> String {
        let seq = self.seq.map(|seq| seq.to_string());
        let more = [("node", &self.node), ("instance", &self.instance), ("seq", &seq)];
        let more = more.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let all = std::iter::once(("run", &self.run)).chain(more);
        all.map(|(name, value)| format!("{name}={}", encode(value))).collect::<Vec<_>>().join("&")
    }
}

fn encode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~:".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Undoes it; none where an escape is broken or the bytes are no UTF-8.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        for (run, node, instance, seq) in [
            ("r1", None, None, None),
            ("r1 (2)", Some("tool:a&b=c#d"), Some("漢%20"), Some(12)),
            ("r", Some(""), None, Some(0)),
        ] {
            let own = |text: Option<&str>| text.map(str::to_owned);
            let place = Place { run: run.to_owned(), node: own(node), instance: own(instance), seq };
            assert_eq!(Place::read(&place.fragment()), Some(place));
        }
    }

    #[test]
    fn what_names_no_run_is_no_place() {
        for text in ["", "#", "run=", "node=a", "run=%zz", "run=%C3", "token=abc", "%%&&=="] {
            assert_eq!(Place::read(text), None, "{text}");
        }
        let place = Place::read("#token=x&run=r%31&seq=many").unwrap();
        assert_eq!((place.run.as_str(), place.seq), ("r1", None));
    }
}
