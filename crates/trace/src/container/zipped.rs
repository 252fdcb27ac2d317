//! Zip archives: every member that is a text, in the order of their names.
//!
//! Invariant: members are read one by one, never all at once; folders and empty members are passed over. A member
//! that is damaged, refused or no text costs itself and is named.

use std::io::{BufRead, BufReader, Cursor, Read, SeekFrom};

use zip::ZipArchive;

use super::expand::{EXPAND_BYTES_FREE, EXPAND_RATIO_MAX};
use super::{Each, ReadSeek, Text, plain};
use crate::error::Failure;

/// Members of one archive that are opened.
const MEMBERS_MAX: usize = 100_000;
/// Bytes of a zip inside another container, which must lie in memory.
const INNER_BYTES_MAX: u64 = 256 * 1024 * 1024;

pub(crate) fn each_member(name: &str, file: Box<dyn ReadSeek>, each: &mut Each<'_>) -> Result<(), Failure> {
    let mut file = file;
    let mut budget = Budget::of(name, &mut file)?;
    let mut archive = open(name, file)?;
    let mut members: Vec<(String, usize)> = (0..archive.len())
        .filter_map(|index| Some((archive.name_for_index(index)?.ok()?.into_owned(), index)))
        .collect();
    members.retain(|(member, _)| !member.ends_with('/'));
    members.sort();
    for (member, index) in members {
        let bytes = read_member(name, &mut archive, index, &mut budget);
        if matches!(&bytes, Ok(bytes) if bytes.is_empty()) {
            continue;
        }
        let reader = bytes.and_then(|bytes| plain(&member, Box::new(Cursor::new(bytes)), 0));
        each(reader.map(|reader| Text { name: member, reader }))?;
    }
    Ok(())
}

/// The one member of a zip inside another container.
pub(crate) fn only_member(
    name: &str,
    reader: Box<dyn BufRead + Send>,
) -> Result<Box<dyn BufRead + Send>, Failure> {
    let mut bytes = Vec::new();
    let read = reader.take(INNER_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::read(name, &error))?;
    if bytes.len() as u64 > INNER_BYTES_MAX {
        return Err(Failure::refused(format!(
            "{name}: a zip of more than {INNER_BYTES_MAX} bytes inside another archive: unpack it first"
        )));
    }
    let mut file: Box<dyn ReadSeek> = Box::new(Cursor::new(bytes));
    let mut budget = Budget::of(name, &mut file)?;
    let mut archive = open(name, file)?;
    if archive.len() != 1 {
        return Err(Failure::new(format!(
            "{name}: a zip of {} files inside another archive: unpack it first",
            archive.len()
        )));
    }
    let bytes = read_member(name, &mut archive, 0, &mut budget)?;
    Ok(Box::new(BufReader::new(Cursor::new(bytes))))
}

fn open(name: &str, file: Box<dyn ReadSeek>) -> Result<ZipArchive<Box<dyn ReadSeek>>, Failure> {
    let archive =
        ZipArchive::new(file).map_err(|error| Failure::new(format!("{name}: damaged zip ({error})")))?;
    if archive.len() > MEMBERS_MAX {
        return Err(Failure::new(format!(
            "{name}: a zip of {} files; at most {MEMBERS_MAX} are read",
            archive.len()
        )));
    }
    Ok(archive)
}

/// What may still come out of an archive: its members together are held to the same bound as one compressed text,
/// by the size of the archive itself. What its directory claims counts for nothing, and members may overlap.
struct Budget {
    left_bytes: u64,
}

impl Budget {
    fn of(name: &str, file: &mut dyn ReadSeek) -> Result<Self, Failure> {
        let len = file.seek(SeekFrom::End(0)).and_then(|len| file.rewind().map(|()| len));
        let len = len.map_err(|error| Failure::read(name, &error))?;
        Ok(Self { left_bytes: EXPAND_BYTES_FREE.max(len.saturating_mul(EXPAND_RATIO_MAX)) })
    }
}

fn read_member(
    name: &str,
    archive: &mut ZipArchive<Box<dyn ReadSeek>>,
    index: usize,
    budget: &mut Budget,
) -> Result<Vec<u8>, Failure> {
    let member =
        archive.by_index(index).map_err(|error| Failure::new(format!("{name}: damaged zip ({error})")))?;
    let title = format!("{name}/{}", member.name().unwrap_or_default());
    let mut bytes = Vec::new();
    let read = member.take(budget.left_bytes + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::read(&title, &error))?;
    match budget.left_bytes.checked_sub(bytes.len() as u64) {
        Some(left) => budget.left_bytes = left,
        None => {
            let what = format!("{title}: the archive expands more than {EXPAND_RATIO_MAX} times");
            return Err(Failure::refused(format!("{what}, refused as a decompression bomb")));
        }
    }
    Ok(bytes)
}
