//! The text of a model, with what follows from it.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::memo::derive;
use super::policy::Policy;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::{FileId, Sources};
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_lang::prophecy::{Prophecies, prophecies};
use ramsey_lang::{self as lang, FormulaKind, Includes, Language, Trees};
use ramsey_services::lint;

/// What a text means, if it has no error, with its errors and warnings.
pub type Meaning = (Option<Arc<System>>, Vec<Diagnostic>);

/// The text of a model, with what follows from it: each is derived once, when it is first asked for. It is a source among
/// others, which may become more meanwhile but have to stay the same. What a limit has ended is derived again.
#[derive(Debug)]
pub struct ModelText {
    language: Language,
    file: FileId,
    includes: Includes,
    /// The isolate that is meant, if it is not the whole program.
    isolate: Option<Arc<str>>,
    trees: OnceLock<(Trees, Vec<Diagnostic>)>,
    /// What the text means, whatever is asked of it.
    meaning: OnceLock<Meaning>,
    lints: OnceLock<Vec<Diagnostic>>,
}

impl ModelText {
    /// Creates the text that is this source, with the files that it includes.
    pub fn new(language: Language, file: FileId, includes: Includes) -> ModelText {
        let (trees, meaning, lints) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        ModelText { language, file, includes, isolate: None, trees, meaning, lints }
    }

    /// Restricts the text to the isolate of this name, if there is one.
    pub fn in_isolate(self, isolate: Option<Arc<str>>) -> ModelText {
        ModelText { isolate, ..ModelText::new(self.language, self.file, self.includes) }
    }

    /// Returns the isolate that is meant, if it is not the whole program.
    pub fn isolate(&self) -> Option<&Arc<str>> {
        self.isolate.as_ref()
    }

    /// Returns the texts of the isolates that are verified one by one; `None` if the program is verified as a whole. Claims that
    /// none of them shows are errors. A program with errors has no isolates.
    pub fn isolates(
        &self,
        sources: &Sources,
        budget: &mut Budget,
    ) -> (Option<Vec<ModelText>>, Vec<Diagnostic>) {
        let read = self.isolates_within(sources, budget);
        self.unless_exhausted(read, sources)
    }

    fn isolates_within(
        &self,
        sources: &Sources,
        budget: &mut Budget,
    ) -> Result<(Option<Vec<ModelText>>, Vec<Diagnostic>), Exhausted> {
        let (trees, found) = self.trees(sources, budget)?;
        if self.isolate.is_some() || has_errors(found) {
            return Ok((None, Vec::new()));
        }
        let (names, uncovered) = trees.isolates(&self.includes, budget)?;
        let Some(names) = names else { return Ok((None, uncovered)) };
        let mut texts = Vec::new();
        for name in names {
            let (trees, mut more) = trees.in_isolate(&name, &self.includes, budget)?;
            more.retain(|it| !found.contains(it));
            let text = ModelText::new(self.language, self.file, self.includes.clone());
            let trees = OnceLock::from((trees, more));
            texts.push(ModelText { isolate: Some(name), trees, ..text });
        }
        Ok((Some(texts), uncovered))
    }

    /// Returns the language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns the source.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// Returns the files that it includes.
    pub fn includes(&self) -> &Includes {
        &self.includes
    }

    /// Returns the text from which a certificate's digest is computed.
    pub fn source_text<'s>(&self, sources: &'s Sources) -> Cow<'s, str> {
        self.language.format().source_text(self.file, sources, &self.includes)
    }

    /// Returns the syntax trees, with the errors and warnings of parsing.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub fn trees(
        &self,
        sources: &Sources,
        budget: &mut Budget,
    ) -> Result<&(Trees, Vec<Diagnostic>), Exhausted> {
        let parse = || {
            let (trees, found) =
                lang::parse_within(self.language, self.file, sources, &self.includes, budget)?;
            let Some(name) = &self.isolate else { return Ok((trees, found)) };
            // What an isolate does not see has a meaning as well.
            let (_, mut found) = lang::lower_within(&trees, found, sources, &self.includes, budget)?;
            found.retain(|it| it.severity == Severity::Error || !it.code.concerns_decidability());
            if has_errors(&found) {
                return Ok((trees, found));
            }
            let (trees, more) = trees.in_isolate(name, &self.includes, budget)?;
            let more: Vec<Diagnostic> = more.into_iter().filter(|it| !found.contains(it)).collect();
            found.extend(more);
            Ok((trees, found))
        };
        derive(&self.trees, parse)
    }

    fn meaning(&self, sources: &Sources, budget: &mut Budget) -> Result<&Meaning, Exhausted> {
        derive(&self.meaning, || {
            let (trees, found) = self.trees(sources, budget)?;
            self.lowered(trees, found.clone(), sources, budget)
        })
    }

    fn lowered(
        &self,
        trees: &Trees,
        found: Vec<Diagnostic>,
        sources: &Sources,
        budget: &mut Budget,
    ) -> Result<Meaning, Exhausted> {
        let (system, mut found) = lang::lower_within(trees, found, sources, &self.includes, budget)?;
        add_quantifiers(system.as_ref(), &mut found, budget)?;
        Ok((system.map(Arc::new), found))
    }

    fn lints(&self, sources: &Sources, budget: &mut Budget) -> Result<&Vec<Diagnostic>, Exhausted> {
        derive(&self.lints, || lint::lint(&self.trees(sources, budget)?.0, sources, budget))
    }

    /// Reads the text as a model that keeps the rules of a policy.
    pub fn read(&self, policy: &Policy, sources: &Sources, budget: &mut Budget) -> Meaning {
        let mut read = || {
            let (system, found) = self.meaning(sources, budget)?.clone();
            let (mut system, mut found) = policy.enforce(self.language, system, found);
            if policy.has_lints && system.is_some() {
                found.extend(self.lints(sources, budget)?.iter().cloned());
            }
            if let Some(read) = &system {
                let breaches = policy.breaches(self.language, read);
                system.take_if(|_| !breaches.is_empty());
                found.extend(breaches);
                found.extend(system.as_ref().and_then(|system| policy.remark(system)));
            }
            Ok((system, found))
        };
        self.unless_exhausted(read(), sources)
    }

    /// Reads the text together with formulas in its language, each of which is a source. The claims of the system are
    /// those of the text.
    pub fn with_formulas(
        &self,
        (formulas, kind): (&[FileId], FormulaKind<'_>),
        policy: &Policy,
        sources: &Sources,
        budget: &mut Budget,
    ) -> (Option<(System, Vec<TermId>)>, Vec<Diagnostic>) {
        let mut read = || {
            let (trees, found) = self.trees(sources, budget)?;
            let (found, asked) = (found.clone(), (formulas, kind));
            let (loaded, mut found) =
                lang::lower_with_formulas(trees, found, asked, sources, &self.includes, budget)?;
            add_quantifiers(loaded.as_ref().map(|(system, _)| system), &mut found, budget)?;
            Ok(policy.enforce(self.language, loaded, found))
        };
        let (loaded, found) = self.unless_exhausted(read(), sources);
        let is_of_formula =
            |it: &Diagnostic| it.primary.as_ref().is_some_and(|label| formulas.contains(&label.span.file));
        let adapted = found.into_iter().map(|it| if is_of_formula(&it) { of_formula(it) } else { it });
        (loaded, adapted.collect())
    }

    /// Returns, for each of these sources, the first error of its formula as a claim of the model, if it has one.
    pub fn refusals(
        &self,
        formulas: &[FileId],
        policy: &Policy,
        sources: &Sources,
        budget: &mut Budget,
    ) -> Vec<Option<String>> {
        if formulas.is_empty() {
            return Vec::new();
        }
        let (_, found) = self.with_formulas((formulas, FormulaKind::Claim), policy, sources, budget);
        let Some(error) = found.into_iter().find(|it| it.severity == Severity::Error) else {
            return vec![None; formulas.len()];
        };
        if formulas.len() == 1 {
            return vec![Some(error.message)];
        }
        // Most formulas have no error, and then few halves have.
        let (first, second) = formulas.split_at(formulas.len() / 2);
        let mut refusals = self.refusals(first, policy, sources, budget);
        refusals.extend(self.refusals(second, policy, sources, budget));
        refusals
    }

    /// Reads the text together with sources that declare further claims. These are the last claims of the system.
    pub fn with_claims(
        &self,
        claims: &[FileId],
        policy: &Policy,
        sources: &Sources,
        budget: &mut Budget,
    ) -> Meaning {
        let mut read = || {
            let (mut trees, mut found) = self.trees(sources, budget)?.clone();
            for &claim in claims {
                let (more, errors) =
                    lang::parse_within(self.language, claim, sources, &Includes::new(), budget)?;
                found.extend(errors);
                append(&mut trees, more);
            }
            let (system, found) = self.lowered(&trees, found, sources, budget)?;
            Ok(policy.enforce(self.language, system, found))
        };
        self.unless_exhausted(read(), sources)
    }

    /// Reads the text with the goals of its claims. Diagnostics are those of the goals, and of what comes after parsing.
    pub fn prophecies(
        &self,
        sources: &Sources,
        budget: &mut Budget,
    ) -> (Option<Prophecies>, Vec<Diagnostic>) {
        let mut read = || {
            let (trees, _) = self.trees(sources, budget)?;
            prophecies(trees, sources, &self.includes, budget)
        };
        self.unless_exhausted(read(), sources)
    }

    /// Returns what was read, or the error for a limit that was reached.
    fn unless_exhausted<T>(
        &self,
        read: Result<(Option<T>, Vec<Diagnostic>), Exhausted>,
        sources: &Sources,
    ) -> (Option<T>, Vec<Diagnostic>) {
        read.unwrap_or_else(|exhausted| {
            let what = format!("`{}` was not read to its end: {exhausted}", sources[self.file].name);
            (None, vec![Diagnostic::error_nowhere(Code::Limit, what)])
        })
    }
}

fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|it| it.severity == Severity::Error)
}

/// Adds the warnings about quantifiers to the other diagnostics, in the order of positions.
fn add_quantifiers(
    system: Option<&System>,
    found: &mut Vec<Diagnostic>,
    budget: &mut Budget,
) -> Result<(), Exhausted> {
    let Some(system) = system else { return Ok(()) };
    let more = lint::quantifiers(system, budget)?;
    if !more.is_empty() {
        found.extend(more);
        found.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
    }
    Ok(())
}

/// Appends the declarations of a file to those of the model itself.
fn append(trees: &mut Trees, more: Trees) {
    match (trees, more) {
        (Trees::Pyv(model), Trees::Pyv(more)) => model.decls.extend(more.decls),
        (Trees::Program(model), Trees::Program(more)) => {
            if let Some(model) = model.first_mut() {
                model.items.extend(more.into_iter().flat_map(|it| it.items));
            }
        }
        (Trees::Ivy(model), Trees::Ivy(more)) => model.program.items.extend(more.program.items),
        // All files are read in the language of the model.
        (Trees::Pyv(_) | Trees::Program(_) | Trees::Ivy(_) | Trees::Core(_), _) => {}
    }
}

/// Adapts a diagnostic to a formula beside the model, to which advice about declarations does not apply.
fn of_formula(mut diagnostic: Diagnostic) -> Diagnostic {
    match diagnostic.code {
        Code::State if diagnostic.severity == Severity::Error => {
            diagnostic.help =
                Some("a formula about states mentions a relation or constant that changes".to_owned());
        }
        Code::TooDeep => diagnostic.help = None,
        Code::SortMismatch => {
            for note in &mut diagnostic.notes {
                if note.ends_with(" is a formula, of sort `bool`") {
                    "what is asked is a formula, of sort `bool`".clone_into(note);
                }
            }
        }
        _ => {}
    }
    diagnostic
}
