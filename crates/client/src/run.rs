//! Runs: one job of the program, from its start to its end.

use crate::{
    call::Call,
    error::{Aborted, type_label},
    hint::Hint,
    node::{Node, NodeGuard},
    place::RunCore,
    scope::Scope,
    session::Session,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use std::fmt::{Debug, Display};
use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wire::{InstanceId, Kind, NodeId, RunId, RunOutcome};

/// A run about to start: [`call`](Self::call) runs a function as its root, [`start`](Self::start) hands out a [`Run`].
#[derive(Debug)]
#[must_use = "a run does nothing until it is started"]
pub struct RunBuilder {
    session: Session,
    name: String,
    id: Option<RunId>,
    meta: Option<Box<RawValue>>,
    root: bool,
    hints: Vec<Hint>,
}

impl RunBuilder {
    pub(crate) fn new(session: Session, name: String) -> Self {
        Self { session, name, id: None, meta: None, root: true, hints: Vec::new() }
    }

    /// Gives the run an id of the program's own.
    pub fn id(mut self, id: impl Into<RunId>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Anything else to tell about the run; an object.
    pub fn meta<T: Serialize + ?Sized>(mut self, meta: &T) -> Self {
        self.meta = serde_json::value::to_raw_value(meta).ok();
        self
    }

    /// Starts without a root node: nodes stand side by side.
    pub fn without_root(mut self) -> Self {
        self.root = false;
        self
    }

    /// Announces nodes that may run, so that a viewer shows them grey until they do.
    pub fn hint(mut self, hints: impl IntoIterator<Item = Hint>) -> Self {
        self.hints.extend(hints);
        self
    }

    /// Starts the run. It ends with [`Run::finish`] or when the handle is dropped.
    pub fn start(self) -> Run {
        let name = self.name.clone();
        let (core, scope, root) = self.open();
        let root = root.map(|call| call.start(&serde_json::json!({ "run": name })));
        let scope = root.as_ref().map_or(scope, |guard| (***guard).clone());
        Run { ending: Ending::new(core, RunOutcome::Ok), scope, root }
    }

    /// Runs `function` as the run's root node: started, gated and ended with it.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// # let session = client::Session::disabled();
    /// let total = session
    ///     .run("sum")
    ///     .call(vec![1, 2, 3], |agent, numbers: Vec<i64>| async move {
    ///         agent.tool("add", numbers, |n: Vec<i64>| async move { Ok::<i64, String>(n.iter().sum()) }).await
    ///     })
    ///     .await?;
    /// assert_eq!(total, 6);
    /// # Ok::<_, String>(()) }).unwrap();
    /// ```
    pub async fn call<I, O, E, F, Fut>(self, input: I, function: F) -> Result<O, E>
    where
        I: Serialize + DeserializeOwned + Clone,
        O: Serialize + DeserializeOwned,
        E: From<Aborted> + Display + Debug,
        F: FnMut(Node, I) -> Fut,
        Fut: Future<Output = Result<O, E>>,
    {
        let (core, scope, root) = self.open();
        let ending = Ending::new(core, RunOutcome::Aborted);
        let call = root.unwrap_or_else(|| scope.agent("run"));
        let result = call.call(input, function).await;
        ending.end(&result);
        result
    }

    /// [`call`](Self::call) on this thread, without a runtime.
    pub fn call_blocking<I, O, E>(
        self,
        input: I,
        mut function: impl FnMut(&Node, I) -> Result<O, E>,
    ) -> Result<O, E>
    where
        I: Serialize + DeserializeOwned + Clone,
        O: Serialize + DeserializeOwned,
        E: From<Aborted> + Display + Debug,
    {
        crate::block::block_on(self.call(input, |node, input| std::future::ready(function(&node, input))))
    }

    fn open(self) -> (Arc<RunCore>, Scope, Option<Call>) {
        let id = self.id.unwrap_or_else(|| self.session.shared().run_id());
        let core = Arc::new(RunCore::new(self.session, id));
        core.emit_run_started(self.meta.as_deref());
        let scope = Scope { run: Arc::clone(&core), place: None, graph: None };
        let root_id = NodeId::from(format!("agent:{}", self.name));
        core.emit_hint(&self.hints, self.root.then_some(&root_id));
        let root = self.root.then(|| {
            let instance = InstanceId::from(core.id.as_str());
            scope.node(Kind::Agent, self.name).id(root_id).instance(instance)
        });
        (core, scope, root)
    }
}

/// A run of the program; a [`Scope`] that nodes are hung under.
///
/// Dropped without [`finish`](Self::finish) it ends well, or as aborted after an abort, or as failed while its thread
/// panics.
#[derive(Debug)]
pub struct Run {
    scope: Scope,
    root: Option<NodeGuard>,
    ending: Ending,
}

impl Deref for Run {
    type Target = Scope;

    fn deref(&self) -> &Scope {
        &self.scope
    }
}

impl Run {
    /// Ends the run with what the program made of it, and hands that back.
    pub fn finish<T: Serialize, E: Display + Debug>(mut self, result: Result<T, E>) -> Result<T, E> {
        match (self.root.take(), &result) {
            (Some(root), Ok(output)) => root.finish(output),
            (Some(root), Err(error)) if !self.is_aborted() => root.fail(error),
            (root, _) => drop(root),
        }
        self.ending.end(&result);
        result
    }

    /// Announces nodes that may run.
    pub fn hint(&self, hints: impl IntoIterator<Item = Hint>) {
        let hints: Vec<Hint> = hints.into_iter().collect();
        let root = self.scope.place.as_ref().map(|place| &place.node_id);
        self.scope.run.emit_hint(&hints, root);
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(root) = self.root.take() {
            if self.is_aborted() || std::thread::panicking() {
                drop(root);
            } else {
                root.finish(&());
            }
        }
    }
}

/// Sends the run's end once, whatever happens to its handle.
struct Ending {
    core: Arc<RunCore>,
    done: AtomicBool,
    /// How a run ends whose handle is just dropped.
    dropped: RunOutcome,
}

impl Ending {
    fn new(core: Arc<RunCore>, dropped: RunOutcome) -> Self {
        Self { core, done: AtomicBool::new(false), dropped }
    }

    fn end<T, E: Display>(&self, result: &Result<T, E>) {
        if self.done.swap(true, Ordering::AcqRel) {
            return;
        }
        match result {
            _ if self.core.is_aborted() => self.core.emit_run_finished(RunOutcome::Aborted, None),
            Ok(_) => self.core.emit_run_finished(RunOutcome::Ok, None),
            Err(error) => {
                let message = error.to_string();
                self.core.emit_run_finished(RunOutcome::Error, Some((type_label::<E>(), &message)));
            }
        }
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.end::<(), _>(&Err(String::from("the run's thread panicked")));
        } else if !self.done.swap(true, Ordering::AcqRel) {
            let status = if self.core.is_aborted() { RunOutcome::Aborted } else { self.dropped };
            self.core.emit_run_finished(status, None);
        }
    }
}

impl Debug for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ending").field("run", &self.core.id.as_str()).finish()
    }
}
