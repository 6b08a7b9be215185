//! `ramsey diagram`

use std::path::PathBuf;

use clap::Args;

use ramsey_solver::formulas::split_at_commas;

use super::results::PlainFormat;
use super::shared::{ColorArgs, LanguageArgs};

/// A state of a document, and which of its facts count.
#[derive(Args, Debug)]
pub(crate) struct StateArgs {
    /// A document with a counterexample: the JSON of cti, verify, bmc, trace, simulate; `-` for standard input
    #[arg(value_name = "STATE.json")]
    pub(crate) document: PathBuf,

    /// The model that the state belongs to
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// Which state of the counterexample, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) state: usize,

    /// Which of several counterexamples, in the order of the document
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) number: usize,

    /// Leave out what this names (may be repeated): sort:S, an element, R, +R, -R, or a fact
    #[arg(
        long,
        value_name = "ITEM,..",
        value_parser = items,
        allow_hyphen_values = true,
        help_heading = "Upper bound"
    )]
    pub(crate) drop: Vec<ItemList>,

    /// Leave out all but this (may be repeated)
    #[arg(
        long,
        value_name = "ITEM,..",
        value_parser = items,
        allow_hyphen_values = true,
        help_heading = "Upper bound"
    )]
    pub(crate) keep_only: Vec<ItemList>,

    /// Keep this although another option, or generalization, leaves it out (may be repeated)
    #[arg(
        long,
        value_name = "ITEM,..",
        value_parser = items,
        allow_hyphen_values = true,
        help_heading = "Upper bound"
    )]
    pub(crate) keep: Vec<ItemList>,
}

/// `ramsey diagram`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey cti lock.pyv --output cti.json
  ramsey diagram cti.json --model lock.pyv
  ramsey diagram cti.json --model lock.pyv --drop sort:id,-held --drop node1

The diagram says that there are elements of which all facts are true; a state satisfies it if it
contains the given one, or what is left of it. sort:S and elements name all facts about them, R all
facts of a relation or function, +R those that hold, -R those that do not, and `held(node0)`,
`!held(node1)`, `f(node0) = id0`, `node0 != node1` one fact.")]
pub(crate) struct DiagramArgs {
    #[command(flatten)]
    pub(crate) state: StateArgs,

    /// The form of the answer; json: one document (spec/diagram.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t, help_heading = "Output")]
    pub(crate) format: PlainFormat,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}

/// One value of an option: items between commas.
#[derive(Clone, Debug)]
pub(crate) struct ItemList(pub(crate) Vec<String>);

/// The items of a value, of which there is one at least.
fn items(text: &str) -> Result<ItemList, String> {
    let items = split_at_commas(text).into_iter().filter(|item| !item.is_empty());
    let items: Vec<String> = items.map(str::to_owned).collect();
    if items.is_empty() { Err("names nothing".to_owned()) } else { Ok(ItemList(items)) }
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn items_end_at_commas_outside_parentheses() {
        let split = |text: &str| items(text).map(|items| items.0);
        assert_eq!(split("le(id0,id1),-pnd"), Ok(vec!["le(id0,id1)".to_owned(), "-pnd".to_owned()]));
        assert!(split(" , ").is_err());
    }
}
