//! Executions that have begun and not ended, and which of them an event means.

use std::collections::{BTreeMap, HashMap};

use super::story::At;

/// Open executions with what a writer keeps of each.
#[derive(Debug)]
pub(super) struct Open<T> {
    all: HashMap<(String, String), (u64, T)>,
    /// Open ones of each node, by their order.
    of_node: HashMap<String, BTreeMap<u64, String>>,
    /// The node of each execution, for events that name the execution alone.
    node_of: HashMap<String, String>,
    begun: u64,
}

impl<T> Default for Open<T> {
    fn default() -> Self {
        Self { all: HashMap::new(), of_node: HashMap::new(), node_of: HashMap::new(), begun: 0 }
    }
}

impl<T> Open<T> {
    /// Begins an execution; one of that name that is open is begun again and stays.
    pub(super) fn begin(&mut self, at: &At<'_>, value: T) {
        self.begun += 1;
        let instance = at.instance.as_deref().map_or_else(|| format!("#{}", self.begun), str::to_owned);
        let key = (at.node.to_string(), instance);
        if self.all.contains_key(&key) {
            return;
        }
        self.node_of.insert(key.1.clone(), key.0.clone());
        self.of_node.entry(key.0.clone()).or_default().insert(self.begun, key.1.clone());
        self.all.insert(key, (self.begun, value));
    }

    /// Whether this very execution is open.
    pub(super) fn has(&self, node: &str, instance: &str) -> bool {
        self.all.contains_key(&(node.to_owned(), instance.to_owned()))
    }

    /// The execution an event means: the named one, else the newest of its node.
    pub(super) fn find(&mut self, at: &At<'_>) -> Option<&mut T> {
        let key = self.key(at)?;
        self.all.get_mut(&key).map(|(_, value)| value)
    }

    /// The same, which has ended.
    pub(super) fn end(&mut self, at: &At<'_>) -> Option<T> {
        let key = self.key(at)?;
        let (order, value) = self.all.remove(&key)?;
        if let Some(open) = self.of_node.get_mut(&key.0) {
            open.remove(&order);
        }
        self.node_of.remove(&key.1);
        Some(value)
    }

    /// Everything that is still open, in the order in which it began.
    pub(super) fn rest(self) -> impl Iterator<Item = T> {
        let mut all: Vec<(u64, T)> = self.all.into_values().collect();
        all.sort_by_key(|(order, _)| *order);
        all.into_iter().map(|(_, value)| value)
    }

    fn key(&self, at: &At<'_>) -> Option<(String, String)> {
        match at.instance.as_deref() {
            Some(instance) if at.node.is_empty() => {
                Some((self.node_of.get(instance)?.clone(), instance.to_owned()))
            }
            Some(instance) => Some((at.node.to_string(), instance.to_owned())),
            None => {
                let newest = self.of_node.get(&*at.node)?.last_key_value()?.1;
                Some((at.node.to_string(), newest.clone()))
            }
        }
    }
}
