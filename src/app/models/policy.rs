//! What is asked of a model beside that it can be read.

use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::logic::{Symbol, SymbolOrigin};
use ramsey_core::system::{System, Theorem};
use ramsey_engine::query::fragment;
use ramsey_kernel::obligations::{Obligations, Question};
use ramsey_lang::Language;
use ramsey_report::fragment::diagnostics;

/// Whose obligations have to lie in the decidable fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Insistence {
    /// No model's: what lies outside may have no answer.
    #[default]
    Nobody,
    /// Those of models in languages that promise it.
    Promised,
    /// Those of all models.
    Everybody,
}

/// What is done where a model tells how its claims are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Methods {
    /// Nothing: the question is about something else, or was asked for.
    #[default]
    Ignored,
    /// Claims are decided so.
    Followed,
    /// It is asked whether claims are inductive, and said that this is another question.
    Told,
}

/// What is asked of a model beside that it can be read, and what is said of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Policy {
    /// Whether the rules that keep a language decidable bind its models. Without it, their breaches are warnings.
    pub is_strict: bool,
    /// Whether there are lints.
    pub has_lints: bool,
    /// Whether what is found has to be right about executions. Of operations on numbers only a part is known, an isolate may be
    /// called in the middle of an action, from where no execution of it goes on, and where a property is admitted, executions are
    /// such in which it holds.
    pub is_exact: bool,
    /// Whether claims are decided as the model wants, which may be by its executions.
    pub methods: Methods,
    /// The question whose obligations have to lie in the fragment, and for whom.
    pub fragment: Option<(Question, Insistence)>,
}

impl Policy {
    /// A model that can be read is good enough.
    pub const LENIENT: Policy = Policy {
        is_strict: false,
        has_lints: false,
        is_exact: false,
        methods: Methods::Ignored,
        fragment: None,
    };

    /// Returns whether models in a language have to stay in the decidable fragment.
    pub fn binds(&self, language: Language) -> bool {
        self.is_strict && language.model().is_strict
    }

    /// Turns warnings about decidability into errors in languages that require it. What has errors is dropped.
    pub(super) fn enforce<T>(
        &self,
        language: Language,
        model: Option<T>,
        diagnostics: Vec<Diagnostic>,
    ) -> (Option<T>, Vec<Diagnostic>) {
        if !self.binds(language) {
            return (model, diagnostics);
        }
        let diagnostics: Vec<Diagnostic> = diagnostics.into_iter().map(enforced).collect();
        let has_errors = diagnostics.iter().any(|it| it.severity == Severity::Error);
        (model.filter(|_| !has_errors), diagnostics)
    }

    /// Returns the question whose obligations lie in the fragment, for all models in a language that keep these rules.
    pub fn inside(&self, language: Language) -> Option<&Question> {
        let (question, insistence) = self.fragment.as_ref()?;
        let is_asked = match insistence {
            Insistence::Everybody => true,
            Insistence::Promised => self.binds(language),
            Insistence::Nobody => false,
        };
        is_asked.then_some(question)
    }

    /// Returns what is to be said of a model: that executions are such in which its properties hold, or that another question is
    /// asked than it wants.
    pub(super) fn remark(&self, system: &System) -> Option<Diagnostic> {
        if let Some(&lemma) = system.lemmas.first().filter(|_| self.is_exact) {
            let what = "a property with a proof is assumed of all states, and not shown by this command";
            let warning = Diagnostic::warning(Code::Unchecked, lemma, what).label("assumed here");
            return Some(warning.help("`ramsey theorem` shows it"));
        }
        let (_, place) = system.method.filter(|_| self.methods == Methods::Told)?;
        let what = "the claims of the model are to be decided by executions, and it is asked whether they are inductive";
        let warning = Diagnostic::warning(Code::Method, place, what).label("told here");
        Some(
            warning
                .help("`ramsey verify` decides them by executions; with `--inductive` it asks this question"),
        )
    }

    /// Returns the errors about obligations that may not lie outside the fragment.
    pub(super) fn breaches(&self, language: Language, system: &System) -> Vec<Diagnostic> {
        let has_method = self.methods == Methods::Followed && system.method.is_some();
        let is_exact = self.is_exact || has_method;
        // Where executions are asked for by the model alone, there is another question.
        let adapt = |mut error: Diagnostic| {
            if !self.is_exact {
                error.help = Some("`--inductive` asks whether its claims are inductive".to_owned());
            }
            vec![error]
        };
        let numbers = system.sig.symbols.iter().filter(|_| is_exact);
        if let Some(symbol) = numbers.into_iter().find(|it| it.is_of_numbers()) {
            return adapt(inexact(symbol));
        }
        if let Some(place) = system.called_back.filter(|_| is_exact) {
            return adapt(called_back(place));
        }
        let is_admitted = |it: &&Theorem| is_exact && system.admitted.contains(&it.span);
        if let Some(theorem) = system.theorems.iter().find(is_admitted) {
            return adapt(admitted(theorem.span));
        }
        let Some(question) = self.inside(language) else { return Vec::new() };
        // What is decided by executions is no obligation.
        let question = if has_method { &Question::Theorems } else { question };
        let is_for_all = self.fragment.as_ref().is_some_and(|(_, it)| *it == Insistence::Everybody);
        let error = if is_for_all { Diagnostic::into_error } else { enforced };
        outside_fragment(system, question).into_iter().map(error).collect()
    }
}

/// Returns the error for an operation on numbers where executions are asked for.
fn inexact(symbol: &Symbol) -> Diagnostic {
    let what = match symbol.operator() {
        Some(op) => format!("of `{op}` on numbers too little is known for this question"),
        None if symbol.origin == SymbolOrigin::Beyond => {
            format!("which number `{}` stands for is not known", symbol.name)
        }
        None => format!("of `{}`, by recursion, too little is known for this question", symbol.name),
    };
    let error = match symbol.span {
        Some(span) => Diagnostic::error(Code::OutsideLogic, span, what).label("arithmetic"),
        None => Diagnostic::error_nowhere(Code::OutsideLogic, what),
    };
    error
        .help("`verify` and `theorem` tell what holds whatever it is; without `interpret` it is any function")
}

/// Returns the error for an isolate that is called in the middle of its own actions, where executions are asked for.
fn called_back(place: Span) -> Diagnostic {
    let what = "the isolate may be called in the middle of one of its own actions, from here";
    Diagnostic::error(Code::OutsideLogic, place, what)
        .label("what it does not see calls it back, and its own executions do not have such states")
        .help("`verify` shows what holds there as well; without `--isolate` the whole program is meant")
}

/// Returns the error for a property that nothing shows and that is assumed of all states, where executions are asked for.
fn admitted(place: Span) -> Diagnostic {
    let what = "a property is admitted here, so executions in which it is false are left out";
    Diagnostic::error(Code::OutsideLogic, place, what)
        .label("it is assumed of all states, and not shown")
        .help("`verify` tells what rests on it as unknown; without the proof this asks about all executions")
}

/// Makes an error of a warning about decidability.
fn enforced(diagnostic: Diagnostic) -> Diagnostic {
    if diagnostic.code.concerns_decidability() {
        diagnostic.into_error().note("with `--no-strict` this is a warning, and an answer may not come")
    } else {
        diagnostic
    }
}

/// Returns a warning for each cycle that takes obligations outside the fragment.
pub fn outside_fragment(system: &System, question: &Question) -> Vec<Diagnostic> {
    let memberships = fragment(system, &Obligations::of_question(system, question));
    let outside = memberships.iter().filter_map(|(origin, cycle)| Some((*origin, cycle.as_deref()?)));
    diagnostics(system, outside, Severity::Warning)
}
