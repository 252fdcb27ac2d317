//! One module a command.

pub(crate) mod app;
pub(crate) mod breakpoints;
pub(crate) mod check;
pub(crate) mod control;
pub(crate) mod demo;
pub(crate) mod diff;
pub(crate) mod events;
pub(crate) mod export;
pub(crate) mod holds;
pub(crate) mod pick;
pub(crate) mod resume;
pub(crate) mod runs;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod stream;

use crate::place::Place;

/// What every command is told.
pub(crate) struct Context {
    pub(crate) place: Place,
    pub(crate) port: Option<u16>,
    pub(crate) url: Option<String>,
    pub(crate) json: bool,
}
