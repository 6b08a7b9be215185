//! Terminal colours.

/// Palette that paints words with terminal colours if enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Palette {
    color: bool,
}

impl Palette {
    /// Palette without colours.
    pub const PLAIN: Palette = Palette { color: false };

    /// Creates a palette that paints if `color` is true.
    pub fn new(color: bool) -> Self {
        Palette { color }
    }

    /// Checks whether the palette paints.
    pub fn is_colored(self) -> bool {
        self.color
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Paints a success.
    pub fn good(self, text: &str) -> String {
        self.paint("32", text)
    }

    /// Paints a failure.
    pub fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// Paints text that is neither a success nor a failure, such as an unknown answer.
    pub fn caution(self, text: &str) -> String {
        self.paint("33", text)
    }

    /// Paints text of minor importance.
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// Paints a heading.
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
