//! The client against a debugger on a real socket.

mod attach;
mod debugger;
mod gates;
mod limits;
#[cfg(feature = "tracing")]
mod spans;
mod stream;
