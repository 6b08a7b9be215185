//! Enums whose variants have words in text and JSON. Each word is stated once, beside its variant.

/// Defines an enum, the function `word`, and the enum's form in JSON: the words. What stands behind `=>` is the verdict.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$of:meta])* $variant:ident = $word:literal => $verdict:ident,)*
    }) => {
        words! { $(#[$meta])* pub enum $name { $($(#[$of])* $variant = $word,)* } }

        impl From<$name> for crate::Verdict {
            fn from(it: $name) -> Self {
                match it {
                    $($name::$variant => crate::Verdict::$verdict,)*
                }
            }
        }
    };
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$of:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
        pub enum $name {
            $($(#[$of])* #[cfg_attr(feature = "json", serde(rename = $word))] $variant,)*
        }

        impl $name {
            /// Returns the word in text and JSON.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }
    };
}

pub(crate) use words;
