//! A bound on how far compressed data may expand.
//!
//! Invariant: past [`EXPAND_BYTES_FREE`] bytes the text is never more than [`EXPAND_RATIO_MAX`] times what was read.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that may always come out, in bytes of text.
pub const EXPAND_BYTES_FREE: u64 = 64 * 1024 * 1024;
/// How many bytes of text one compressed byte may give beyond that; traces reach about 60.
pub const EXPAND_RATIO_MAX: u64 = 400;

/// The kind of the error that refuses a bomb; nothing else in this crate uses it.
pub(crate) const REFUSED: io::ErrorKind = io::ErrorKind::QuotaExceeded;

/// A decoder that refuses to expand without end.
pub(crate) struct Limited<D> {
    decoder: D,
    bytes_in: Arc<AtomicU64>,
    bytes_out: u64,
}

/// Counts what a decoder takes.
pub(crate) struct Counted {
    inner: Box<dyn BufRead + Send>,
    bytes: Arc<AtomicU64>,
}

impl<D> Limited<D> {
    pub(crate) fn new(inner: Box<dyn BufRead + Send>, decoder: impl FnOnce(Counted) -> D) -> Self {
        let bytes_in = Arc::new(AtomicU64::new(0));
        let decoder = decoder(Counted { inner, bytes: Arc::clone(&bytes_in) });
        Self { decoder, bytes_in, bytes_out: 0 }
    }

    pub(crate) fn try_new<E>(
        inner: Box<dyn BufRead + Send>,
        decoder: impl FnOnce(Counted) -> Result<D, E>,
    ) -> Result<Self, E> {
        let bytes_in = Arc::new(AtomicU64::new(0));
        let decoder = decoder(Counted { inner, bytes: Arc::clone(&bytes_in) })?;
        Ok(Self { decoder, bytes_in, bytes_out: 0 })
    }
}

impl<D: Read> Read for Limited<D> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = self.decoder.read(into)?;
        self.bytes_out += len as u64;
        let allowed =
            EXPAND_BYTES_FREE.max(self.bytes_in.load(Ordering::Relaxed).saturating_mul(EXPAND_RATIO_MAX));
        if self.bytes_out > allowed {
            let text = format!(
                "{} bytes came out of {}: more than {EXPAND_RATIO_MAX} times, refused as a decompression bomb",
                self.bytes_out,
                self.bytes_in.load(Ordering::Relaxed)
            );
            return Err(io::Error::new(REFUSED, text));
        }
        Ok(len)
    }
}

impl Read for Counted {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(into)?;
        self.bytes.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.bytes.fetch_add(amount as u64, Ordering::Relaxed);
        self.inner.consume(amount);
    }
}
