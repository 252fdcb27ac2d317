//! A place that nodes can be hung under: the run itself or one of its nodes.
//!
//! Parents are explicit handles, not task-local state, so nesting is right in threads, spawned tasks and joins alike.

use crate::{
    call::Call,
    error::Aborted,
    node::Node,
    place::{Place, RunCore},
};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::{Debug, Display};
use std::future::Future;
use std::sync::Arc;
use wire::Kind;

/// A place that nodes can be hung under. [`Run`](crate::Run) and [`Node`] both are one; cloning is cheap.
#[derive(Clone)]
pub struct Scope {
    pub(crate) run: Arc<RunCore>,
    pub(crate) place: Option<Arc<Place>>,
    /// Context of the graph task that everything under it runs in.
    pub(crate) graph: Option<Arc<stream::Json>>,
}

impl Scope {
    /// Begins the description of a node of any kind; see [`Call`].
    ///
    /// ```
    /// # let session = client::Session::disabled();
    /// let run = session.run("triage").start();
    /// let span = run.node("custom", "load settings").start(&"settings.toml");
    /// span.finish(&42);
    /// ```
    pub fn node(&self, kind: impl Into<Kind<'static>>, name: impl Into<String>) -> Call {
        Call::new(self.clone(), kind.into(), name.into())
    }

    /// Runs a plain async function as a tool: input and output are seen, every gate works.
    ///
    /// The function is called again with a clone of the input when a person asks for a retry, and with the edited one
    /// when they edit it.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// async fn parse(text: String) -> Result<i64, String> {
    ///     text.parse().map_err(|e: std::num::ParseIntError| e.to_string())
    /// }
    ///
    /// # let session = client::Session::disabled();
    /// let run = session.run("invoices").start();
    /// let amount = run.tool("parse", "42".to_owned(), parse).await?;
    /// assert_eq!(amount, 42);
    /// # Ok::<_, String>(()) }).unwrap();
    /// ```
    pub async fn tool<I, O, E, F, Fut>(&self, name: &str, input: I, mut function: F) -> Result<O, E>
    where
        I: Serialize + DeserializeOwned + Clone,
        O: Serialize + DeserializeOwned,
        E: From<Aborted> + Display + Debug,
        F: FnMut(I) -> Fut,
        Fut: Future<Output = Result<O, E>>,
    {
        self.node(Kind::Tool, name).call(input, |_, input| function(input)).await
    }

    /// Runs a plain function as a tool on this thread; a hold blocks the thread.
    ///
    /// ```
    /// # let session = client::Session::disabled();
    /// let run = session.run("invoices").start();
    /// let twice = run.tool_blocking("twice", 21, |n: i32| Ok::<_, String>(n * 2))?;
    /// assert_eq!(twice, 42);
    /// # Ok::<_, String>(())
    /// ```
    pub fn tool_blocking<I, O, E>(
        &self,
        name: &str,
        input: I,
        mut function: impl FnMut(I) -> Result<O, E>,
    ) -> Result<O, E>
    where
        I: Serialize + DeserializeOwned + Clone,
        O: Serialize + DeserializeOwned,
        E: From<Aborted> + Display + Debug,
    {
        self.node(Kind::Tool, name).call_blocking(input, |_, input| function(input))
    }

    /// A model call; see [`Call::call`].
    pub fn llm(&self, name: impl Into<String>) -> Call {
        self.node(Kind::Llm, name)
    }

    /// An agent under this one.
    pub fn agent(&self, name: impl Into<String>) -> Call {
        self.node(Kind::Agent, name)
    }

    /// A step made of other steps, a loop for instance.
    pub fn chain(&self, name: impl Into<String>) -> Call {
        self.node(Kind::Chain, name)
    }

    /// Whether a person aborted the run.
    pub fn is_aborted(&self) -> bool {
        self.run.is_aborted()
    }

    /// The run's id on the wire.
    pub fn run_id(&self) -> &str {
        self.run.id.as_str()
    }

    /// The node this scope is, or `None` for a run without a root node.
    pub fn as_node(&self) -> Option<Node> {
        self.place.clone().map(Node::new)
    }
}

impl Debug for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let node = self.place.as_ref().map(|place| place.node_id.as_str());
        f.debug_struct("Scope").field("run", &self.run.id.as_str()).field("node", &node).finish()
    }
}
