//! Golden folders: the files of one gesture, and the story that they become.
//!
//! Each folder below `tests/cases` is a case: `story.txt` is what is expected, every other file is opened. With
//! `UPDATE_GOLDEN=1` the stories are written instead of compared; read the difference before you keep it.

mod support {
    pub(crate) mod story;
}

use std::fs;
use std::path::{Path, PathBuf};

use support::story::tell;
use trace::Source;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a folder can be listed").path()).collect();
    paths.sort();
    paths
}

/// The files of a case, those in folders below it too.
fn files(folder: &Path) -> Vec<PathBuf> {
    let below =
        sorted(folder).into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    below.filter(|path| path.file_name().is_some_and(|name| name != "story.txt")).collect()
}

fn check(folder: &Path, sources: &[Source], failures: &mut Vec<String>) {
    let seen = tell(sources);
    let expected = folder.join("story.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&expected, &seen).expect("a story can be written");
        return;
    }
    let known = fs::read_to_string(&expected).unwrap_or_default();
    if known != seen {
        failures.push(format!("{}\n--- expected\n{known}--- seen\n{seen}", folder.display()));
    }
}

#[test]
fn every_folder_becomes_its_story() {
    let mut failures = Vec::new();
    for folder in sorted(&golden()) {
        let sources: Vec<Source> = files(&folder).into_iter().map(Source::Path).collect();
        check(&folder, &sources, &mut failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn an_archive_of_a_folder_is_the_same_story() {
    use std::io::Write;
    let folder = golden().join("inspect-archive");
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for path in files(&folder) {
        let name = path.strip_prefix(&folder).expect("it lies below").to_string_lossy().replace('\\', "/");
        zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("memory can be written");
        zip.write_all(&fs::read(&path).expect("a file can be read")).expect("memory can be written");
    }
    let bytes = zip.finish().expect("memory can be written").into_inner();
    let mut failures = Vec::new();
    check(&folder, &[Source::Bytes { name: "log.eval".into(), bytes }], &mut failures);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
