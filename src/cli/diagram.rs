//! `ramsey diagram`, and the choice of facts that it shares with `ramsey generalize`

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;

use super::args::{ColorArgs, LanguageArgs, OutputFormat, StrictArgs};
use super::output::{Status, print_diagnostics, stderr_palette, stdout};
use super::shared::Model;
use super::sources::{display, in_document, read_bytes};
use crate::base::budget::Budget;
use crate::base::span::Sources;
use crate::diag::{Code, Diagnostic};
use crate::forms::Partial;
use crate::logic::Evaluator;
use crate::query::unread;
use crate::report::facts::{Restriction, Selector, split_at_commas};
use crate::report::generalize::{diagram_document, diagram_text};
use crate::report::json::{States, read_counterexample};
use crate::system::System;

/// A state of a document, and which of its facts count.
#[derive(Args, Debug)]
pub(super) struct StateArgs {
    /// A document with a counterexample: the JSON of cti, verify, bmc, trace, simulate; `-` for standard input
    #[arg(value_name = "STATE.json")]
    pub(super) document: PathBuf,

    /// The model that the state belongs to
    #[arg(short, long, value_name = "MODEL")]
    pub(super) model: PathBuf,

    /// Which state of the counterexample, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) state: usize,

    /// Leave out what this names (may be repeated): sort:S, an element, R, +R, -R, or a fact
    #[arg(
        long,
        value_name = "ITEM,..",
        value_parser = items,
        allow_hyphen_values = true,
        help_heading = "Upper bound"
    )]
    drop: Vec<Items>,

    /// Leave out all but this (may be repeated)
    #[arg(
        long,
        value_name = "ITEM,..",
        value_parser = items,
        allow_hyphen_values = true,
        help_heading = "Upper bound"
    )]
    keep_only: Vec<Items>,

    /// Keep this although another option, or generalization, leaves it out (may be repeated)
    #[arg(
        long,
        value_name = "ITEM,..",
        value_parser = items,
        allow_hyphen_values = true,
        help_heading = "Upper bound"
    )]
    keep: Vec<Items>,
}

/// One value of an option: items between commas.
#[derive(Clone, Debug)]
struct Items(Vec<String>);

/// The items of a value, of which there is one at least.
fn items(text: &str) -> Result<Items, String> {
    let items = split_at_commas(text).into_iter().filter(|item| !item.is_empty());
    let items: Vec<String> = items.map(str::to_owned).collect();
    if items.is_empty() { Err("names nothing".to_owned()) } else { Ok(Items(items)) }
}

/// A state that belongs to a model, and the facts of it that count.
pub(super) struct Scene {
    pub(super) state: States,
    pub(super) upper: Partial,
    /// The places of the facts that `--keep` names.
    pub(super) kept: Vec<usize>,
}

impl StateArgs {
    /// Reads the state.
    pub(super) fn read(&self, system: &System) -> Result<Scene, Vec<Diagnostic>> {
        let usage = |what: String| vec![Diagnostic::error_nowhere(Code::Usage, what)];
        let bytes = read_bytes(&self.document).map_err(|error| vec![error])?;
        let text = String::from_utf8(bytes).map_err(|_| {
            let what = format!("`{}` is not UTF-8 text", display(&self.document));
            vec![Diagnostic::error_nowhere(Code::Unreadable, what)]
        })?;
        let state =
            read_counterexample(system, &text).map_err(|error| vec![in_document(&self.document, error)])?;
        let count = state.structure.states();
        if self.state >= count {
            return Err(usage(format!("--state: there is no state {}, only 0 to {}", self.state, count - 1)));
        }
        let here = state.structure.state(&system.sig, self.state);
        let mut eval = Evaluator::new(&system.sig, &system.terms, &here);
        if let Some(axiom) = system.axioms.iter().find(|axiom| !eval.holds(axiom.formula)) {
            let what = "the state does not fit the model: it does not satisfy this axiom";
            return Err(vec![Diagnostic::error(Code::Usage, axiom.span, what).label("false in the state")]);
        }
        let all = Partial::of_state(&system.sig, &state.structure, self.state)
            .map_err(|count| usage(format!("the state has {count} facts, which is too many")))?;
        let mut errors = Vec::new();
        let mut read = |option: &str, lists: &[Items]| -> Vec<Selector> {
            let mut selectors = Vec::new();
            for item in lists.iter().flat_map(|list| &list.0) {
                match Selector::parse(item, &system.sig, &state.names, &all) {
                    Ok(selector) => selectors.push(selector),
                    Err(mut error) => {
                        error.message = format!("{option}: {}", error.message);
                        errors.push(*error);
                    }
                }
            }
            selectors
        };
        let mut restriction = Restriction {
            only: read("--keep-only", &self.keep_only),
            drop: read("--drop", &self.drop),
            keep: read("--keep", &self.keep),
        };
        if !errors.is_empty() {
            return Err(errors);
        }
        // What nothing reads is left out, unless it is asked for.
        let of_symbol = |selector: &Selector, sym| match selector {
            Selector::Symbol(named) | Selector::Polarity(named, _) => *named == sym,
            Selector::Fact(fact) => fact.symbol() == Some(sym),
            Selector::Sort(_) | Selector::Element(..) => false,
        };
        for sym in unread(system) {
            if !restriction.only.iter().any(|selector| of_symbol(selector, sym)) {
                restriction.drop.push(Selector::Symbol(sym));
            }
        }
        let upper = restriction.apply(&system.sig, &all);
        let kept = restriction.kept(&system.sig, &upper);
        Ok(Scene { state, upper, kept })
    }
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
pub(super) struct DiagramArgs {
    /// The state.
    #[command(flatten)]
    pub(super) state: StateArgs,

    /// The form of the answer; json: one document (spec/diagram.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t, help_heading = "Output")]
    pub(super) format: OutputFormat,

    /// The language of standard input.
    #[command(flatten)]
    pub(super) language: LanguageArgs,

    /// Colours.
    #[command(flatten)]
    pub(super) color: ColorArgs,
}

/// Prints the diagram of a state.
pub(super) fn run(args: &DiagramArgs) -> io::Result<Status> {
    let mut sources = Sources::new();
    let reading = Budget::unlimited();
    let mut model = Model::read(&args.state.model, args.language, StrictArgs::LENIENT, &mut sources, reading);
    let mut out = stdout();
    let mut text = String::new();
    if let Some(system) = &mut model.system {
        match args.state.read(system) {
            Ok(scene) if args.format == OutputFormat::Json => {
                let document =
                    diagram_document(&model.name, args.state.state, system, &scene.state.names, &scene.upper);
                text = format!("{}\n", serde_json::to_string_pretty(&document)?);
            }
            Ok(scene) => text = diagram_text(system, &scene.state.names, &scene.upper),
            Err(errors) => model.diagnostics.extend(errors),
        }
    }
    print_diagnostics(&model.diagnostics, &sources, stderr_palette(args.color));
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(model.status())
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
