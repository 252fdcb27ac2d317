//! What went wrong, in words for standard error, and the exit code that goes with it.

use std::fmt::Display;
use std::process::ExitCode;

/// Exit code of everything that failed.
const FAILED: u8 = 1;
/// Exit code of an answer that was delivered and not yet carried out.
const NOT_YET: u8 = 3;

/// Exit code of two runs that differ, as `diff` has it.
const DIFFERENT: u8 = 1;
/// Exit code of a comparison that could not be made.
const TROUBLE: u8 = 2;

/// An error a person can act on. Exit code 2 is clap's, for a wrong command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fail {
    pub(crate) message: String,
    code: u8,
}

pub(crate) type Done<T = ()> = Result<T, Fail>;

impl Fail {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: FAILED }
    }

    /// Asked and delivered, but not seen done.
    pub(crate) fn not_yet(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: NOT_YET }
    }

    /// Two runs differ: everything was said already.
    pub(crate) fn different() -> Self {
        Self { message: String::new(), code: DIFFERENT }
    }

    /// The same failure of a comparison, where 1 means that something differs.
    pub(crate) fn into_trouble(self) -> Self {
        Self { code: TROUBLE, ..self }
    }

    /// Says what it is and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        if !self.message.is_empty() {
            eprintln!("holdpoint: {}", self.message);
        }
        ExitCode::from(self.code)
    }
}

/// `.context("reading x")?` for any error.
pub(crate) trait Context<T> {
    fn context(self, what: impl Display) -> Done<T>;
}

impl<T, E: Display> Context<T> for Result<T, E> {
    fn context(self, what: impl Display) -> Done<T> {
        self.map_err(|error| Fail::new(format!("{what}: {error}")))
    }
}
