//! Events of a journal in the order of their numbers, a page at a time.
//!
//! Invariant: pages joined by `next` give every event once, in ascending order, also where the file is not in
//! order; a page of a file that is in order reads the blocks it needs and no others.

use std::io;

use super::file::RunFile;
use super::scan::seq_of;

/// One page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    /// How many events the journal has.
    pub(crate) total: u64,
    /// Envelopes as received, ascending by `seq`.
    pub(crate) events: Vec<String>,
    /// The last number of this page if there may be more.
    pub(crate) next: Option<u64>,
}

impl RunFile {
    /// At most `limit` events with a number above `after` (`None`: from the first), at most about `bytes_max`.
    /// Blocks on the disk.
    pub(crate) fn page(&self, after: Option<u64>, limit: usize, bytes_max: usize) -> io::Result<Page> {
        let (index, len) = self.index();
        let mut found: Vec<(u64, String)> = Vec::new();
        let mut more = false;
        for (range, lowest_later) in index.after(after, len) {
            let bytes = self.read(range)?;
            for line in bytes.split(|byte| *byte == b'\n') {
                let Ok(line) = std::str::from_utf8(line) else { continue };
                if let Some(seq) = seq_of(line)
                    && after.is_none_or(|after| seq > after)
                {
                    found.push((seq, line.to_owned()));
                }
            }
            found.sort_by_key(|(seq, _)| *seq);
            more |= cut(&mut found, limit, bytes_max);
            if more && found.last().is_some_and(|(seq, _)| *seq < lowest_later) {
                break;
            }
        }
        let next = found.last().filter(|_| more).map(|(seq, _)| *seq);
        let events = found.into_iter().map(|(_, line)| line).collect();
        Ok(Page { total: index.lines(), events, next })
    }
}

/// Cuts to the page's bounds, keeping at least one; true if something was cut.
fn cut(found: &mut Vec<(u64, String)>, limit: usize, bytes_max: usize) -> bool {
    let mut bytes = 0;
    let within = found.iter().take(limit.max(1)).take_while(|(_, line)| {
        let first = bytes == 0;
        bytes += line.len();
        first || bytes <= bytes_max
    });
    let keep = within.count();
    let cut = keep < found.len();
    found.truncate(keep);
    cut
}
