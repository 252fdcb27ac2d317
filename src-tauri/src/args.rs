//! The command line of the window, and the two variables that stand in for it. Decides nothing else.

use std::ffi::OsString;
use std::path::PathBuf;

const HELP: &str = "\
holdpoint-app [OPTIONS] [FILE…]   opens the window, and these recordings in it

  --demo           start the demo agent as soon as the server listens
  --port N         port to listen on (HOLDPOINT_PORT; 4747 unless given, the next free one if it is taken)
  --data-dir DIR   where runs are kept (HOLDPOINT_DATA_DIR)
  --version        version
  --help           this text

WEBKIT_DISABLE_DMABUF_RENDERER=0 gives WebKitGTK its DMABUF renderer back, which Holdpoint switches off.";

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Start(Start),
    /// Print this and end.
    Say(String),
}

/// How to start.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) demo: bool,
    /// `None`: the variable or the default.
    pub(crate) port: Option<u16>,
    /// `None`: the variable or the system's place for a program's data.
    pub(crate) data_dir: Option<PathBuf>,
    pub(crate) files: Vec<PathBuf>,
}

/// Reads the arguments after the program's name.
///
/// # Errors
/// An option that does not exist or lacks its value, in words.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Asked, String> {
    let mut start = Start::default();
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--help" | "-h") => return Ok(Asked::Say(HELP.to_string())),
            Some("--version" | "-V") => {
                return Ok(Asked::Say(format!("holdpoint-app {}", env!("CARGO_PKG_VERSION"))));
            }
            Some("--demo") => start.demo = true,
            Some("--port") => start.port = Some(port(&args.next().ok_or("--port needs a number")?)?),
            Some("--data-dir") => {
                start.data_dir = Some(args.next().ok_or("--data-dir needs a folder")?.into())
            }
            Some(option) if option.starts_with('-') => {
                return Err(format!("there is no option {option}\n\n{HELP}"));
            }
            _ => start.files.push(arg.into()),
        }
    }
    Ok(Asked::Start(start))
}

/// The port to try first.
///
/// # Errors
/// A value of `HOLDPOINT_PORT` that is no port.
pub(crate) fn first_port(asked: Option<u16>, variable: Option<OsString>) -> Result<u16, String> {
    match (asked, variable) {
        (Some(asked), _) => Ok(asked),
        (None, Some(value)) if !value.is_empty() => {
            port(&value).map_err(|error| format!("HOLDPOINT_PORT: {error}"))
        }
        _ => Ok(ingest::limits::PORT_DEFAULT),
    }
}

fn port(value: &OsString) -> Result<u16, String> {
    let text = value.to_string_lossy();
    text.parse()
        .map_err(|_| format!("{text:?} is no port; a port is a number from 0 (any free one) to 65535"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Asked, String> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn options_and_files_are_told_apart() {
        let check = |line: &str, expect: Start| assert_eq!(parsed(line), Ok(Asked::Start(expect)), "{line}");
        check("", Start::default());
        check("--demo a.jsonl", Start { demo: true, files: vec!["a.jsonl".into()], ..Start::default() });
        check(
            "--port 0 --data-dir d",
            Start { port: Some(0), data_dir: Some("d".into()), ..Start::default() },
        );
    }

    #[test]
    fn a_wrong_command_line_is_answered_with_what_is_wrong() {
        for (line, part) in
            [("--port x", "\"x\""), ("--port", "number"), ("--quick", "--quick"), ("--port 70000", "65535")]
        {
            let error = parsed(line).expect_err(line);
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn the_option_wins_over_the_variable_and_the_variable_over_the_default() {
        assert_eq!(first_port(Some(5), Some("6".into())), Ok(5));
        assert_eq!(first_port(None, Some("6".into())), Ok(6));
        assert_eq!(first_port(None, Some("".into())), Ok(ingest::limits::PORT_DEFAULT));
        assert_eq!(first_port(None, None), Ok(ingest::limits::PORT_DEFAULT));
        assert!(first_port(None, Some("many".into())).is_err());
    }
}
