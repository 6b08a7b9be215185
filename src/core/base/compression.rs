//! Compressed certificates. This module is not trusted: the reader checks the text, whatever its source.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write as _};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;
use flate2::{Compression, GzBuilder};

/// Magic number of a gzip member (RFC 1952, section 2.3.1). No certificate begins with it.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Constant part of the bound on the expanded size of a certificate, in bytes.
const ALLOWANCE: u64 = 64 << 20;

/// Part of that bound per byte of compressed input read. Deflate can reach a ratio of 1,032; certificates stay far
/// below. Without the bound, a small file could make the kernel store a long proof.
const RATIO: u64 = 200;

/// Opens the text of a certificate, compressed or not (decided by its first bytes). It is expanded while it is read.
pub fn open<'a>(mut input: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut start = Vec::with_capacity(MAGIC.len());
    input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start)?;
    let is_compressed = start == MAGIC;
    let input = Cursor::new(start).chain(input);
    if !is_compressed {
        return Ok(Box::new(input));
    }
    let consumed = Rc::new(Cell::new(0));
    let decoder = MultiGzDecoder::new(CountingReader { input, consumed: Rc::clone(&consumed) });
    Ok(Box::new(BufReader::new(LimitedReader { decoder, consumed, produced: 0 })))
}

/// Compresses the text of a certificate. The output is a function of the text.
pub fn compress(text: &str) -> Vec<u8> {
    // Neither the time nor the operating system is recorded.
    let mut encoder = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    // Writing to a vector does not fail.
    written.unwrap_or_default()
}

/// Reader that counts the bytes consumed.
struct CountingReader<R> {
    input: R,
    consumed: Rc<Cell<u64>>,
}

impl<R: BufRead> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.consumed.set(self.consumed.get() + count as u64);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for CountingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.consumed.set(self.consumed.get() + count as u64);
        self.input.consume(count);
    }
}

/// Reader of expanded text that fails once the text exceeds the bound.
struct LimitedReader<R> {
    decoder: MultiGzDecoder<CountingReader<R>>,
    consumed: Rc<Cell<u64>>,
    produced: u64,
}

impl<R: BufRead> Read for LimitedReader<R> {
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
