//! Zip archives: every member that is a text, in the order of their names.
//!
//! Invariant: members are read one by one, never all at once; folders and empty members are passed over.

use std::io::{BufRead, BufReader, Cursor, Read};

use zip::ZipArchive;

use super::expand::{EXPAND_BYTES_FREE, EXPAND_RATIO_MAX};
use super::{ReadSeek, Text, plain};
use crate::error::Failure;

/// Members of one archive that are opened.
const MEMBERS_MAX: usize = 100_000;

pub(crate) fn each_member(
    name: &str,
    file: Box<dyn ReadSeek>,
    each: &mut dyn FnMut(Text) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut archive = open(name, file)?;
    let mut members: Vec<(String, usize)> = (0..archive.len())
        .filter_map(|index| Some((archive.name_for_index(index)?.ok()?.into_owned(), index)))
        .collect();
    members.retain(|(member, _)| !member.ends_with('/'));
    members.sort();
    for (member, index) in members {
        let bytes = read_member(name, &mut archive, index)?;
        if !bytes.is_empty() {
            let reader = plain(&member, Box::new(Cursor::new(bytes)), 0)?;
            each(Text { name: member, reader })?;
        }
    }
    Ok(())
}

/// The one member of a zip inside another container.
pub(crate) fn only_member(name: &str, file: Box<dyn ReadSeek>) -> Result<Box<dyn BufRead + Send>, Failure> {
    let mut archive = open(name, file)?;
    if archive.len() != 1 {
        return Err(Failure::new(format!(
            "{name}: a zip of {} files inside another archive: unpack it first",
            archive.len()
        )));
    }
    let bytes = read_member(name, &mut archive, 0)?;
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

fn read_member(
    name: &str,
    archive: &mut ZipArchive<Box<dyn ReadSeek>>,
    index: usize,
) -> Result<Vec<u8>, Failure> {
    let member =
        archive.by_index(index).map_err(|error| Failure::new(format!("{name}: damaged zip ({error})")))?;
    let allowed = EXPAND_BYTES_FREE.max(member.compressed_size().saturating_mul(EXPAND_RATIO_MAX));
    let title = format!("{name}/{}", member.name().unwrap_or_default());
    let mut bytes = Vec::new();
    member.take(allowed + 1).read_to_end(&mut bytes).map_err(|error| Failure::read(&title, &error))?;
    if bytes.len() as u64 > allowed {
        let text =
            format!("{title}: expands more than {EXPAND_RATIO_MAX} times, refused as a decompression bomb");
        return Err(Failure::new(text));
    }
    Ok(bytes)
}
