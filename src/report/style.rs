//! Colours, or none.

/// Paints words with terminal colours where wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Palette {
    color: bool,
}

impl Palette {
    /// No colour at all.
    pub const PLAIN: Palette = Palette { color: false };

    /// Colours if `color`.
    pub fn new(color: bool) -> Self {
        Palette { color }
    }

    /// Whether it paints.
    pub fn is_colored(self) -> bool {
        self.color
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// What went well.
    pub fn good(self, text: &str) -> String {
        self.paint("32", text)
    }

    /// What failed.
    pub fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// What is open.
    pub fn open(self, text: &str) -> String {
        self.paint("33", text)
    }

    /// What matters less.
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// Headings.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }
}

#[cfg(test)]
mod tests {
    use super::Palette;

    #[test]
    fn plain_text_stays_as_it_is() {
        assert_eq!(Palette::PLAIN.bad("FAILED"), "FAILED");
        assert_eq!(Palette::new(true).good("ok"), "\u{1b}[32mok\u{1b}[0m");
    }
}
