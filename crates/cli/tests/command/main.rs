//! The command as a person or a script starts it: real processes, real sockets, real files.

mod answers;
mod debug_state;
mod exports;
mod program;
mod recordings;
mod served;
mod streams;
mod survives;
