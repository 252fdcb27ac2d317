//! What the graph is narrowed to beside words: errors, slow calls, holds, kinds, namespaces. Everything else is dimmed,
//! never removed; the matching itself is `graph::project::filter`.

use graph::project::Filter;

/// Milliseconds from which a call counts as slow.
pub const SLOW_MS: f64 = 5_000.0;

/// One thing to narrow to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Narrow {
    /// Nodes with a failed call.
    Errors,
    /// The way to a failed call.
    ErrorPath,
    /// Nodes with a call of [`SLOW_MS`] or more.
    Slow,
    /// Nodes that are held.
    Held,
    /// Nodes that run.
    Running,
    /// Nodes of which nobody knows whether they happened.
    Uncertain,
    /// Nodes of a kind.
    Kind(String),
    /// Nodes of a namespace, and of those in it.
    Namespace(Vec<String>),
}

impl Narrow {
    /// Those that need nothing of the run.
    pub const PLAIN: [Self; 6] =
        [Self::Errors, Self::ErrorPath, Self::Slow, Self::Held, Self::Running, Self::Uncertain];

    /// Its words in the menu.
    pub fn words(&self) -> String {
        match self {
            Self::Errors => "Failed".to_owned(),
            Self::ErrorPath => "Way to a failure".to_owned(),
            Self::Slow => "Slow, 5 s or more".to_owned(),
            Self::Held => "Held".to_owned(),
            Self::Running => "Running".to_owned(),
            Self::Uncertain => "Uncertain".to_owned(),
            Self::Kind(kind) => format!("Kind {kind}"),
            Self::Namespace(path) => format!("In {}", path.join(" / ")),
        }
    }

    /// Whether a filter narrows to this.
    pub fn is_in(&self, filter: &Filter) -> bool {
        match self {
            Self::Errors => filter.errors,
            Self::ErrorPath => filter.error_path,
            Self::Slow => filter.slow_ms.is_some(),
            Self::Held => filter.held,
            Self::Running => filter.running,
            Self::Uncertain => filter.uncertain,
            Self::Kind(kind) => filter.kind.as_ref() == Some(kind),
            Self::Namespace(path) => filter.namespace.as_ref() == Some(path),
        }
    }

    /// Narrows to this, or no longer.
    pub fn toggle(self, filter: &mut Filter) {
        let on = !self.is_in(filter);
        match self {
            Self::Errors => filter.errors = on,
            Self::ErrorPath => filter.error_path = on,
            Self::Slow => filter.slow_ms = on.then_some(SLOW_MS),
            Self::Held => filter.held = on,
            Self::Running => filter.running = on,
            Self::Uncertain => filter.uncertain = on,
            Self::Kind(kind) => filter.kind = on.then_some(kind),
            Self::Namespace(path) => filter.namespace = on.then_some(path),
        }
    }
}

/// How many things a filter narrows to, words aside.
pub fn count(filter: &Filter) -> usize {
    let plain = Narrow::PLAIN.iter().filter(|narrow| narrow.is_in(filter)).count();
    plain + usize::from(filter.kind.is_some()) + usize::from(filter.namespace.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_switched_on_and_off_and_counted() {
        let mut all: Vec<Narrow> = Narrow::PLAIN.to_vec();
        all.extend([Narrow::Kind("tool".to_owned()), Narrow::Namespace(vec!["a".to_owned()])]);
        let mut filter = Filter::default();
        for (at, narrow) in all.iter().enumerate() {
            narrow.clone().toggle(&mut filter);
            assert!(narrow.is_in(&filter), "{narrow:?}");
            assert_eq!(count(&filter), at + 1);
        }
        for narrow in all {
            narrow.toggle(&mut filter);
        }
        assert_eq!(filter, Filter::default());
    }
}
