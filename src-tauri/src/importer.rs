//! Recordings for the server: the trace crate behind the server's own trait. It decides nothing about formats.

use std::ops::ControlFlow;

use ingest::{ImportError, ImportFile, ImportProgress, ImportSource, Imported, Importer};
use trace::{Failure, Progress, Report, Source};

/// Every format that the trace crate knows.
pub(crate) struct Recordings;

impl Importer for Recordings {
    fn import(
        &self,
        files: Vec<ImportFile>,
        sink: &mut dyn FnMut(&str) -> ControlFlow<()>,
        watch: &mut dyn FnMut(ImportProgress) -> ControlFlow<()>,
    ) -> Result<Imported, ImportError> {
        let sources: Vec<Source> = files.into_iter().map(source).collect();
        let mut watched =
            |Progress { read_bytes, total_bytes }| watch(ImportProgress { read_bytes, total_bytes });
        match trace::import_watched(&sources, sink, &mut watched) {
            Ok(report) => Ok(Imported { source: report.format.clone(), report: told(&report) }),
            Err(Failure { message, report, .. }) => {
                Err(ImportError { message, report: report.map(|report| told(&report)) })
            }
        }
    }
}

fn source(file: ImportFile) -> Source {
    match file.source {
        ImportSource::Bytes(bytes) => Source::Bytes { name: file.name, bytes },
        ImportSource::Path(path) => Source::Path(path),
    }
}

fn told(report: &Report) -> String {
    report.to_json().to_string()
}
