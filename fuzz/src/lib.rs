//! Parts of fuzz targets: choices read off the fuzzer's bytes, and what has to hold of programs.

pub mod programs;

/// The rest of the input; at its end every choice is the first one.
#[derive(Clone, Copy, Debug)]
pub struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    /// Choices made by these bytes, one byte each.
    pub fn new(bytes: &'a [u8]) -> Self {
        Choices { bytes }
    }

    /// Whether there are any bytes left.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A number below `bound`, which is at least 1 and at most 256.
    pub fn below(&mut self, bound: usize) -> usize {
        let Some((&first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(first) % bound
    }

    /// True or false.
    pub fn flag(&mut self) -> bool {
        self.below(2) == 1
    }
}
