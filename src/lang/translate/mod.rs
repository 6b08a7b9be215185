//! Translation of models between their languages. Certificates do not depend on this module.
//!
//! All ways lead by the syntax tree of programs without modules: `.rml` and `.ivy` are expanded to it, a `.pyv` model is
//! read as one (`from_pyv`), and each target is made from it. Everything is done on syntax trees, so that names of
//! variables and definitions are those of the source.

mod actions_of;
mod apart;
mod claims;
mod execute;
mod exprs;
mod from_pyv;
mod infer;
mod items;
mod names;
mod orders;
mod points;
mod problems;
mod table;
mod tidy;
mod to_ivy;
mod to_pyv;
mod updates;

use std::slice;

use super::print;
use super::program::actions;
use super::program::ast::{CommandKind, Item, ItemKind, Program, Role, commands_of, for_each_command};
use super::shared::report::Report;
use super::shared::{Includes, Unread};
use super::{Language, Trees, load, pyv, rml};
use problems::Problems;
use ramsey_core::base::span::{Source, Sources};
use ramsey_core::diag::{Code, Diagnostic, Severity};
use table::Table;

/// Returns the languages that models can be translated to, and from.
pub fn languages() -> impl Iterator<Item = Language> {
    Language::all().filter(|&language| language != Language::Core)
}

/// Prints a model in another language. `trees` are those of a model without errors, with its files in `sources`.
/// Returns a text if and only if there is no error.
pub fn translate(
    trees: &Trees,
    to: Language,
    sources: &Sources,
    includes: &Includes,
) -> (Option<String>, Vec<Diagnostic>) {
    if matches!(trees, Trees::Core(_)) || to == Language::Core {
        let error = Diagnostic::error_nowhere(Code::Translation, "closed forms are not translated");
        return (None, vec![error.help("`ramsey core MODEL` prints the closed form of a model")]);
    }
    let mut problems = Problems::default();
    let text = text(trees, to, sources, includes, &mut problems);
    match text {
        Some(text) if !problems.has_errors() => {
            problems.found.extend(rejected(&text, to));
            let is_accepted = !problems.has_errors();
            (is_accepted.then_some(text), problems.found)
        }
        _ => (None, problems.found),
    }
}

/// Returns an error if the target does not accept a translation.
fn rejected(text: &str, to: Language) -> Option<Diagnostic> {
    let mut sources = Sources::new();
    let file = sources.push(Source::new(format!("translation.{}", to.extension()), text.to_owned()));
    let mut nothing = |_: &str, _: &str| Err(Unread::missing("files are not read here"));
    let includes = to.format().gather(file, &mut sources, &mut nothing);
    let (_, found) = load(to, file, &sources, &includes);
    let first = found.into_iter().find(|it| it.severity == Severity::Error)?;
    let at = first.primary.as_ref().map(|label| {
        let (line, _) = sources[file].line_column(label.span.start);
        sources[file].text.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim().to_owned()
    });
    let error = Diagnostic::error_nowhere(
        Code::Translation,
        format!("the model cannot be written in .{}: {}", to.extension(), first.message),
    );
    Some(match at {
        Some(line) if !line.is_empty() => error.note(format!("it would say `{line}`")),
        _ => error,
    })
}

/// Tells of the proofs of claims, whose terms are those of the source. No translation has them.
fn leave_out_proofs(items: &[Item], problems: &mut Problems) {
    for item in items {
        if let ItemKind::Formula { proof, .. } = &item.kind {
            problems.leave_out_proof(proof.as_ref());
        }
        for_each_command(commands_of(slice::from_ref(item)), |command| {
            if let CommandKind::Assert { proof, .. } = &command.kind {
                problems.leave_out_proof(proof.as_ref());
            }
        });
    }
}

/// Refuses axioms about what changes that need not hold between commands, as they do in RML.
fn refuse_axioms_of_states(items: &[Item], problems: &mut Problems) {
    let table = Table::of(items);
    for item in items {
        if let ItemKind::Formula { role: Role::Axiom, formula, .. } = &item.kind
            && table.changes(formula)
        {
            problems.refuse(
                item.span(),
                "an axiom about what changes cannot be translated to RML",
                "RML assumes it between the commands of an action as well",
                "make it an invariant, or change what it is about so that it need not be said",
            );
        }
    }
}

/// Refuses symbols that have any value in each state, for which no command of other languages has a word.
fn refuse_chosen(items: &[Item], problems: &mut Problems) {
    for item in items {
        if let ItemKind::Symbol(symbol) = &item.kind
            && symbol.is_chosen
        {
            problems.refuse(
                item.span(),
                "any values at many points cannot be translated",
                "they are chosen for this name",
                "give any value to one point after the other, or assign a formula",
            );
        }
    }
}

fn text(
    trees: &Trees,
    to: Language,
    sources: &Sources,
    includes: &Includes,
    problems: &mut Problems,
) -> Option<String> {
    let (mut items, file) = match trees {
        Trees::Pyv(program) => (from_pyv::from_pyv(&pyv::in_newer_dialect(program), problems), program.file),
        Trees::Program(programs) => (rml::expanded(programs, sources, includes), programs.first()?.file),
        Trees::Ivy(model) => (tidy::from_ivy(&model.program), model.program.file),
        Trees::Core(_) => return None,
    };
    if let Some(body) = table::Table::of(&items).too_high(std::iter::empty()) {
        problems.too_high(body.span());
    }
    if problems.has_errors() {
        return None;
    }
    refuse_chosen(&items, problems);
    let after_changes = !matches!(trees, Trees::Ivy(_));
    if to == Language::Rml && !after_changes {
        refuse_axioms_of_states(&items, problems);
    }
    let comments = Some(print::Comments::of(file, &sources[file].text));
    leave_out_proofs(&items, problems);
    if to != Language::Rml {
        claims::without_safety(&mut items);
        apart::variables_apart(&mut items, to);
    }
    names::accepted(&mut items, to);
    Some(match to {
        Language::Pyv => {
            let taken = names::all_names(&items);
            let parts = actions::parts(&items, &mut Report::default());
            print::pyv_with(&to_pyv::to_pyv(&items, &parts, &taken, file, after_changes, problems), comments)
        }
        Language::Rml => print::program_with(&Program { items, file }, comments),
        Language::Ivy => {
            print::ivy_with(&to_ivy::to_ivy(&tidy::declared_first(items), file, problems), comments)
        }
        Language::Core => return None,
    })
}
