//! Imports that take long: how far each is, as the server tells.

use super::format;

/// One import under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// Its number, to stop it by.
    pub id: u64,
    /// Name of the file.
    pub name: String,
    /// Events so far.
    pub events: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// All bytes; 0 where that is not known.
    pub total_bytes: u64,
    /// It was asked to stop.
    pub stopping: bool,
}

impl Import {
    /// Which part of it is read, from 0 to 1; none where that is not known.
    pub fn share(&self) -> Option<f32> {
        (self.total_bytes > 0).then(|| (self.read_bytes as f64 / self.total_bytes as f64).min(1.0) as f32)
    }

    /// How far it is, in words.
    pub fn words(&self) -> String {
        let events = format::plural(self.events, "event");
        match self.share() {
            _ if self.stopping => "Stopping\u{2026}".to_owned(),
            Some(_) => {
                let (read, total) = (format::bytes(self.read_bytes), format::bytes(self.total_bytes));
                format!("{read} of {total}, {events}")
            }
            None => events,
        }
    }
}

/// Takes what the server says of one.
pub fn told(imports: &mut Vec<Import>, import: Import, over: bool) {
    let known = imports.iter().position(|known| known.id == import.id);
    match known {
        Some(at) if over => drop(imports.remove(at)),
        Some(at) => imports[at] = Import { stopping: imports[at].stopping, ..import },
        None if !over => imports.push(import),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_is_shown_from_its_first_word_to_its_last_and_stays_stopped() {
        let at = |read_bytes, events| Import {
            id: 4,
            name: "big.json".to_owned(),
            events,
            read_bytes,
            total_bytes: 4_000_000,
            stopping: false,
        };
        let mut imports = Vec::new();
        told(&mut imports, at(1_000_000, 12), false);
        assert_eq!((imports.len(), imports[0].share()), (1, Some(0.25)));
        assert!(imports[0].words().ends_with("12 events"), "{}", imports[0].words());
        imports[0].stopping = true;
        told(&mut imports, at(9_000_000, 20), false);
        assert!(imports[0].stopping && imports[0].share() == Some(1.0));
        told(&mut imports, at(9_000_000, 20), true);
        told(&mut imports, at(9_000_000, 20), true);
        assert!(imports.is_empty());
    }
}
