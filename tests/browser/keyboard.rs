//! Keys as the DevTools protocol names them.

use serde_json::{Value, json};

/// Keys that are held while another is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modifier {
    Alt = 1,
    Control = 2,
    Meta = 4,
    Shift = 8,
}

/// Returns the modifiers as the protocol has them: bits.
pub fn bits(modifiers: &[Modifier]) -> u8 {
    modifiers.iter().fold(0, |bits, &it| bits | it as u8)
}

/// Keys without a letter: name, code of Windows, text.
const NAMED: [(&str, u8, &str); 14] = [
    ("Backspace", 8, ""),
    ("Tab", 9, ""),
    ("Enter", 13, "\r"),
    ("Escape", 27, ""),
    ("Space", 32, " "),
    ("PageUp", 33, ""),
    ("PageDown", 34, ""),
    ("End", 35, ""),
    ("Home", 36, ""),
    ("ArrowLeft", 37, ""),
    ("ArrowUp", 38, ""),
    ("ArrowRight", 39, ""),
    ("ArrowDown", 40, ""),
    ("Delete", 46, ""),
];

/// Characters that need the shift key on an American keyboard.
const SHIFTED: &str = "~!@#$%^&*()_+{}|:\"<>?";

/// Returns the parameters of a key: a named one, or one character.
pub fn key(name: &str, modifiers: &[Modifier]) -> Value {
    let mut bits = bits(modifiers);
    let character = name.chars().next().expect("the name of a key");
    let (key, code, number, text) = if let Some(&(known, number, text)) = NAMED.iter().find(|it| it.0 == name)
    {
        (if known == "Space" { " " } else { known }, known.to_owned(), number, text)
    } else {
        assert_eq!(name.chars().count(), 1, "there is no key `{name}`");
        if character.is_uppercase() || SHIFTED.contains(character) {
            bits |= Modifier::Shift as u8;
        }
        let upper = character.to_ascii_uppercase();
        let (code, number) = match upper {
            'A'..='Z' => (format!("Key{upper}"), upper as u8),
            '0'..='9' => (format!("Digit{upper}"), upper as u8),
            _ => (String::new(), 0),
        };
        (name, code, number, name)
    };
    // A key that is held together with these is a command and no text.
    let is_command = bits & !(Modifier::Shift as u8) != 0;
    let text = if is_command { "" } else { text };
    json!({ "key": key, "code": code, "windowsVirtualKeyCode": number, "text": text, "modifiers": bits })
}
