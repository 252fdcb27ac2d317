//! Compression while writing.
//!
//! The zstd encoder pulls its input and stops the program where reading or writing fails. So it runs in a thread of its
//! own between a bounded channel and a sink that keeps the first error for the end.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use ruzstd::encoding::{CompressionLevel, compress};

/// Bytes handed over at a time.
const CHUNK_BYTES: usize = 256 * 1024;
/// Chunks that may wait.
const CHUNKS_WAITING: usize = 8;

/// Everything that `write` writes, as one zstd frame on `out`.
pub(super) fn zstd<T>(
    out: &mut (dyn Write + Send),
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(CHUNKS_WAITING);
        let mut sink = Sink { out, failed: None };
        let encoder = scope.spawn(move || {
            compress(Chunks { receiver, chunk: Vec::new(), at: 0 }, &mut sink, CompressionLevel::Fastest);
            sink.failed.map_or(Ok(()), Err)
        });
        let mut feed = Feed { sender, chunk: Vec::with_capacity(CHUNK_BYTES) };
        let written = write(&mut feed).and_then(|written| feed.flush().map(|()| written));
        // The channel ends with its sender, the frame with the channel.
        drop(feed);
        let encoded = encoder.join().map_err(|_| io::Error::other("the zstd encoder failed"))?;
        encoded.and(written)
    })
}

struct Feed {
    sender: SyncSender<Vec<u8>>,
    chunk: Vec<u8>,
}

impl Write for Feed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.chunk.extend_from_slice(bytes);
        if self.chunk.len() >= CHUNK_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let chunk = std::mem::replace(&mut self.chunk, Vec::with_capacity(CHUNK_BYTES));
        self.sender.send(chunk).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}

struct Chunks {
    receiver: Receiver<Vec<u8>>,
    chunk: Vec<u8>,
    at: usize,
}

impl Read for Chunks {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at == self.chunk.len() {
            let Ok(next) = self.receiver.recv() else { return Ok(0) };
            (self.chunk, self.at) = (next, 0);
        }
        let len = into.len().min(self.chunk.len() - self.at);
        into[..len].copy_from_slice(&self.chunk[self.at..self.at + len]);
        self.at += len;
        Ok(len)
    }
}

/// Takes everything; what goes wrong is told at the end.
struct Sink<'w> {
    out: &'w mut (dyn Write + Send),
    failed: Option<io::Error>,
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
