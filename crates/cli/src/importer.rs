//! Lets the server open recordings: `trace` behind the server's interface.

use ingest::{ImportError, ImportFile, ImportProgress, ImportSource, Imported};
use std::ops::ControlFlow;
use trace::{Progress, Source};

/// See the module's documentation.
pub(crate) struct Recordings;

impl ingest::Importer for Recordings {
    fn import(
        &self,
        files: Vec<ImportFile>,
        sink: &mut dyn FnMut(&str) -> ControlFlow<()>,
        watch: &mut dyn FnMut(ImportProgress) -> ControlFlow<()>,
    ) -> Result<Imported, ImportError> {
        let sources: Vec<Source> = files.into_iter().map(source).collect();
        let mut told =
            |Progress { read_bytes, total_bytes }| watch(ImportProgress { read_bytes, total_bytes });
        match trace::import_watched(&sources, sink, &mut told) {
            Ok(report) => {
                Ok(Imported { source: report.format.clone(), report: report.to_json().to_string() })
            }
            Err(failure) => Err(ImportError {
                message: failure.message,
                report: failure.report.map(|report| report.to_json().to_string()),
            }),
        }
    }
}

fn source(file: ImportFile) -> Source {
    match file.source {
        ImportSource::Bytes(bytes) => Source::Bytes { name: file.name, bytes },
        ImportSource::Path(path) => Source::Path(path),
    }
}
