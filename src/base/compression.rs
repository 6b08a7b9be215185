//! Compressed text, as certificates may be. Nothing here is trusted: who reads it judges the text, wherever it comes from.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write as _};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;
use flate2::{Compression, GzBuilder};

/// The first bytes of a gzip member (RFC 1952, section 2.3.1). No certificate begins like this.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// What a compressed certificate may expand to, in bytes: this, ..
const ALLOWANCE: u64 = 64 << 20;

/// .. and this many times what has been read of it. Deflate can reach 1,032, certificates do not come near; without
/// a bound a small file could make the kernel remember a long proof.
const RATIO: u64 = 200;

/// A certificate's text, compressed or not; its first bytes tell. It is expanded as it is read.
pub fn open<'a>(mut input: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut start = Vec::with_capacity(MAGIC.len());
    input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start)?;
    let is_compressed = start == MAGIC;
    let input = Cursor::new(start).chain(input);
    if !is_compressed {
        return Ok(Box::new(input));
    }
    let consumed = Rc::new(Cell::new(0));
    let decoder = MultiGzDecoder::new(Metered { input, consumed: Rc::clone(&consumed) });
    Ok(Box::new(BufReader::new(Bounded { decoder, consumed, produced: 0 })))
}

/// Compresses a certificate's text. The same text gives the same bytes.
pub fn compress(text: &str) -> Vec<u8> {
    // Neither a time nor the system it was made on.
    let mut encoder = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    // A vector takes everything.
    written.unwrap_or_default()
}

/// Counts the bytes that have been taken.
struct Metered<R> {
    input: R,
    consumed: Rc<Cell<u64>>,
}

impl<R: BufRead> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.consumed.set(self.consumed.get() + count as u64);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Metered<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.consumed.set(self.consumed.get() + count as u64);
        self.input.consume(count);
    }
}

/// Expanded text, as long as there is not too much of it.
struct Bounded<R> {
    decoder: MultiGzDecoder<Metered<R>>,
    consumed: Rc<Cell<u64>>,
    produced: u64,
}

impl<R: BufRead> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            _ if error.raw_os_error().is_some() => error,
            io::ErrorKind::UnexpectedEof => io::Error::other("the compressed data end too early"),
            kind => io::Error::new(kind, format!("the compressed data are damaged ({error})")),
        })?;
        self.produced += count as u64;
        if self.produced > ALLOWANCE.saturating_add(RATIO.saturating_mul(self.consumed.get())) {
            return Err(io::Error::other("the compressed data expand to far more than a certificate would"));
        }
        Ok(count)
    }
}
