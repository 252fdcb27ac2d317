//! The one error this crate gives to its host: a person pressed Abort.

use std::fmt;

/// The debugger aborted the run at a gate.
///
/// The error type of a wrapped function takes it through `From`. `anyhow::Error`, `Box<dyn Error>`, [`std::io::Error`]
/// and [`String`] already do; for an enum of your own one variant is enough:
///
/// ```
/// #[derive(Debug)]
/// enum ToolError {
///     Aborted,
///     BadAmount(String),
/// }
///
/// impl From<client::Aborted> for ToolError {
///     fn from(_: client::Aborted) -> Self {
///         Self::Aborted
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aborted;

impl fmt::Display for Aborted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("aborted from the debugger")
    }
}

impl std::error::Error for Aborted {}

impl From<Aborted> for String {
    fn from(aborted: Aborted) -> Self {
        aborted.to_string()
    }
}

impl From<Aborted> for std::io::Error {
    fn from(aborted: Aborted) -> Self {
        Self::new(std::io::ErrorKind::Interrupted, aborted)
    }
}

/// The last part of a type's path, without its parameters: what a viewer shows as the error's name.
pub(crate) fn type_label<E: ?Sized>() -> &'static str {
    let path = std::any::type_name::<E>();
    let path = path.split('<').next().unwrap_or(path);
    match path.rsplit("::").next().unwrap_or(path) {
        "Box" | "String" | "str" | "&str" => "Error",
        label => label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_errors_name_is_the_last_part_of_its_type() {
        assert_eq!(type_label::<Aborted>(), "Aborted");
        assert_eq!(type_label::<std::num::ParseIntError>(), "ParseIntError");
        assert_eq!(type_label::<Box<dyn std::error::Error>>(), "Error");
        assert_eq!(type_label::<String>(), "Error");
    }
}
