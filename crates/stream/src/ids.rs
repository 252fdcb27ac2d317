//! Ids of a graph runtime. Run and node ids are the wire's: one run is one graph, whoever tells about it.
wire::id_types! {
    /// Names a compiled graph.
    GraphId,
    /// Names one task: a node's execution in a superstep. Changes when a run is replayed or forked.
    TaskId,
    /// Names a saved state.
    CheckpointId,
    /// Names a component of a program, for example the agent a sub-agent node runs.
    ComponentId,
    /// Names a conversation; runs of one thread continue each other.
    ThreadId,
}
