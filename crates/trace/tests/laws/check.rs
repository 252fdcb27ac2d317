//! What must hold of any bytes. Shared by the tests and the fuzz targets.

use std::ops::ControlFlow;

use trace::{Failure, Report, Source, formats, import, import_as};

/// Any bytes as a file: nothing panics, everything handed out is an envelope on one line, every record is either
/// used or named, and the same bytes give the same again.
pub(crate) fn file(bytes: &[u8]) {
    let open = || run(|sources, sink| import(sources, sink), bytes);
    assert_eq!(open(), open(), "the same bytes, opened twice");
}

/// Any text as a file of the format that the first byte chooses.
pub(crate) fn adapter(bytes: &[u8]) {
    let Some((first, text)) = bytes.split_first() else { return };
    let names: Vec<&str> = formats().collect();
    let name = names[usize::from(*first) % names.len()];
    run(|sources, sink| import_as(name, sources, sink), text);
}

type Sink<'s> = dyn FnMut(&str) -> ControlFlow<()> + 's;

fn run(
    open: impl Fn(&[Source], &mut Sink<'_>) -> Result<Report, Failure>,
    bytes: &[u8],
) -> (String, Vec<String>) {
    let mut lines = Vec::new();
    let source = Source::Bytes { name: "file".to_owned(), bytes: bytes.to_vec() };
    let result = open(&[source], &mut |line| {
        assert!(!line.contains(['\n', '\r']), "an envelope is one line: {line:?}");
        let decoded = wire::decode(line);
        assert!(
            matches!(decoded, wire::Decoded::Ok(_) | wire::Decoded::UnknownType(_)),
            "{decoded:?} of {line}"
        );
        lines.push(line.to_owned());
        ControlFlow::Continue(())
    });
    let (words, report) = match result {
        Ok(report) => (String::new(), Some(report)),
        Err(failure) => {
            assert!(!failure.message.is_empty(), "a failure says why");
            (failure.message.clone(), failure.report.map(|report| *report))
        }
    };
    if let Some(report) = report {
        assert_eq!(report.records, report.imported + report.skipped_total, "{report:?}");
        assert_eq!(report.events, lines.len() as u64, "{report:?}");
    }
    (words, lines)
}
