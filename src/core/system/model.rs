//! Data model of transition systems.

use std::sync::Arc;

use super::command::{Assignment, Command};
use super::proof::Proofs;
use crate::base::span::Span;
use crate::logic::{
    Signature, Structure, SymId, Symbol, SymbolKind, Syntax, SyntaxMut, TermId, Terms, VarId,
};

/// Maximum number of steps of an execution in a trace or a question. Front ends reject longer traces: steps are counted
/// in 16 bits, and a longer trace would be unreadable.
pub const MAX_STEPS: u16 = 1_000;

/// A formula assumed about the immutable symbols.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The formula, closed and over immutable symbols.
    pub formula: TermId,
    /// The declaration.
    pub span: Span,
}

/// A formula assumed in every state: the axiom of a derived relation, or an axiom about mutable symbols.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The derived relation, mutable and determined in each state by the axiom. `None` if the axiom only restricts the
    /// states.
    pub sym: Option<SymId>,
    /// The name of the relation or axiom, or `L` and the line.
    pub label: String,
    /// The axiom: closed, over step 0, assumed in every state.
    pub axiom: TermId,
    /// The declaration.
    pub span: Span,
}

/// An initial condition: a formula that holds in every initial state.
#[derive(Clone, Debug)]
pub struct Init {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The formula: closed, over step 0.
    pub formula: TermId,
    /// The declaration.
    pub span: Span,
}

/// A formula claimed to hold in every reachable state.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name in the source, if it has one.
    pub name: Option<String>,
    /// The name, or `L` and the line of its declaration. Obligations and commands refer to it by this label.
    pub label: String,
    /// The formula: closed, over step 0.
    pub formula: TermId,
    /// Whether it is (part of) the safety property.
    pub is_safety: bool,
    /// The declaration.
    pub span: Span,
}

/// A parameterized relation between a state and its successor.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Its name.
    pub name: String,
    /// The parameters; free in `body`.
    pub params: Vec<VarId>,
    /// The mutable symbols that the transition may change, none derived. All others are preserved.
    pub modifies: Vec<SymId>,
    /// The relation over steps 0 and 1, without frame conditions. Its free variables are `params`. Symbols of kind
    /// [`crate::logic::SymbolKind::Choice`] may occur at step 0.
    pub body: TermId,
    /// The command from which `body` was derived, if the source has commands. In `body` assertions are treated as
    /// assumptions; [`System::assertions`] contains them.
    pub command: Option<Arc<Command>>,
    /// The parts of `body`, if it was made from them. `body` is the conjunction of the assumptions and of each update as
    /// the definition of its symbol at step 1.
    pub effect: Option<Effect>,
    /// The declaration.
    pub span: Span,
}

/// What is claimed of states beside the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beside {
    /// A formula in the language of the source, by its text.
    Formula(Arc<str>),
    /// That some transition can be taken.
    Progress,
}

/// Assumptions over the state before, and the new values of the changed symbols.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The assumptions, in order.
    pub assumptions: Vec<TermId>,
    /// The new values of the changed symbols, sorted by symbol.
    pub updates: Vec<Assignment>,
}

/// The part of a program that contains an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// The initial part.
    Init,
    /// The transition with this index.
    Transition(usize),
    /// The final part, after the loop.
    Final,
}

/// An `assert` (or `abort`) of a program, with the claim that no execution fails there.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// `L` and the line, with a distinguishing suffix if a line has several.
    pub label: String,
    /// The part of the program that contains it.
    pub site: Site,
    /// Closed formula over the state in which the part begins: for all values of parameters and choices, if the
    /// execution reaches the assertion then the asserted formula holds there. Over step 0; for [`Site::Init`] over
    /// immutable symbols (see [`System::init_command`]), and over step 0 of those that the initial part does not change.
    pub formula: TermId,
    /// The position of the assertion.
    pub span: Span,
}

/// A formula claimed for all sequences of `states` states (not connected by transitions).
#[derive(Clone, Debug)]
pub struct Theorem {
    /// Its name in the source, if it has one.
    pub name: Option<String>,
    /// The name, or `L` and the line of its declaration.
    pub label: String,
    /// The number of states in the formula: 0 (immutable symbols only), 1 or 2.
    pub states: u16,
    /// The formula, closed.
    pub formula: TermId,
    /// The declaration.
    pub span: Span,
}

/// An instance of a schema: neither a claim nor an assumption, but of use where it is implied.
#[derive(Clone, Debug)]
pub struct Instance {
    /// `forall constants, variables, values. conditions -> .. -> body`, closed.
    pub formula: TermId,
    /// What its parts are.
    pub parts: InstanceParts,
    /// The schema.
    pub span: Span,
}

/// Numbers of parts of an instance of a schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InstanceParts {
    /// Variables, the first ones, that stand for constants.
    pub constants: usize,
    /// Variables, the last ones, that terms of a trigger are equated with.
    pub values: usize,
    /// Conditions, the first ones, that are the parts of a trigger.
    pub conditions: usize,
}

/// A named formula with parameters: a macro, or a definition over one state. All formulas have it expanded; it is kept
/// so that users can ask where it holds.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The parameters; free in `body`.
    pub params: Vec<VarId>,
    /// The formula, over step 0.
    pub body: TermId,
}

/// A query about executions of a given shape.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Whether the source claims that such an execution exists.
    pub expect_sat: bool,
    /// The components, in order. At most [`MAX_STEPS`] of them are transitions.
    pub steps: Vec<TraceStep>,
    /// The declaration.
    pub span: Span,
}

impl Trace {
    /// Returns the number of transitions.
    pub fn transitions(&self) -> usize {
        let is_transition =
            |step: &&TraceStep| matches!(step, TraceStep::AnyTransition | TraceStep::Transitions(_));
        self.steps.iter().filter(is_transition).count()
    }
}

/// A component of a [`Trace`].
#[derive(Clone, Debug)]
pub enum TraceStep {
    /// The current state is initial.
    AssertInit,
    /// The formula (over step 0) holds in the current state.
    Assert(TermId),
    /// Any transition leads to the next state.
    AnyTransition,
    /// One of these transitions leads to the next state.
    Transitions(Vec<TraceCall>),
}

/// A transition in a [`Trace`], with constraints on its parameters.
#[derive(Clone, Debug)]
pub struct TraceCall {
    /// Index into [`System::transitions`].
    pub transition: usize,
    /// The value of each parameter (over step 0, without free variables); `None` for any value.
    pub args: Vec<Option<TermId>>,
}

/// Role of a formula in a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// An axiom.
    Axiom,
    /// A safety property.
    Safety,
    /// Another claim about all reachable states.
    Invariant,
    /// A theorem.
    Theorem,
    /// The formula of an `assume` command.
    Assumption,
    /// The formula of an `assert` command.
    Assertion,
    /// The condition of an `if`.
    Condition,
    /// A value or an argument of an update.
    Update,
}

/// A formula or term of a program with its position, definitions expanded.
#[derive(Clone, Copy, Debug)]
pub struct PlacedFormula {
    /// The formula. Variables of the program may be free in it.
    pub formula: TermId,
    /// Its role.
    pub role: Role,
    /// Its position.
    pub span: Span,
}

/// How claims about states are decided, where it is not asked whether they are inductive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Whether they hold in all executions.
    Unbounded,
    /// Whether they hold in all executions of at most so many steps.
    Bounded(u16),
}

/// A transition system with its claims. Formulas are in `terms`, over `sig`.
#[derive(Clone, Debug)]
pub struct System {
    /// Sorts and symbols.
    pub sig: Signature,
    /// The arena of all formulas of the system.
    pub terms: Terms,
    /// Axioms. Like all following lists, in source order.
    pub axioms: Vec<Axiom>,
    /// Derived relations.
    pub derived: Vec<Derived>,
    /// Whether executions of commands go on only where the axioms about mutable symbols hold after each change of one of
    /// their symbols. Otherwise they hold before and after a transition, and need not in between.
    pub axioms_after_changes: bool,
    /// Macros and definitions.
    pub definitions: Vec<Definition>,
    /// Initial conditions; an initial state satisfies all of them.
    pub inits: Vec<Init>,
    /// Invariants and safety properties.
    pub invariants: Vec<Invariant>,
    /// What is to be shown in the place of invariants, each with the index of the one that it is equivalent to. Only a
    /// lowering for prophecies has it.
    pub goals: Vec<(usize, TermId)>,
    /// What is claimed beside the source, which is the last invariant then: see [`System::with_claim`] and
    /// [`System::with_progress`].
    pub beside: Option<Beside>,
    /// Assertions of commands, by site: initial part, transitions, final part.
    pub assertions: Vec<Assertion>,
    /// The places of invariants, assertions and theorems that the source admits without showing them. They are assumed as
    /// others are, and `verify` counts none as proved.
    pub admitted: Vec<Span>,
    /// The places of theorems that are assumed of all states, since their proofs use more than the axioms. Executions are such in
    /// which they hold.
    pub lemmas: Vec<Span>,
    /// A place in a part of a program where what the part does not have may execute transitions in the middle of another one. They
    /// then begin in states that no execution of the system reaches: what is inductive holds, and what holds of the executions
    /// need not.
    pub called_back: Option<Span>,
    /// How the source wants its invariants and assertions to be decided, unless it wants them to be shown to be inductive, with the place
    /// where it says so. Only `verify` does it.
    pub method: Option<(Method, Span)>,
    /// The command of the initial part, if the source has commands. `inits` contains its meaning, in which immutable
    /// symbols stand for the values before it.
    pub init_command: Option<Arc<Command>>,
    /// The variables of `init_command`, each with the immutable constant that stands for it in `inits`.
    pub init_params: Vec<(VarId, SymId)>,
    /// Symbols changed by `init_command`, each with the immutable symbol that stands for its value before. Contains
    /// only those mentioned by `inits` or by an assertion of [`Site::Init`].
    pub init_before: Vec<(SymId, SymId)>,
    /// The command after the loop, if the source has one.
    pub final_command: Option<Arc<Command>>,
    /// Transitions.
    pub transitions: Vec<Transition>,
    /// Theorems.
    pub theorems: Vec<Theorem>,
    /// Instances of schemata. Only a lowering for prophecies has them.
    pub instances: Vec<Instance>,
    /// Trace queries.
    pub traces: Vec<Trace>,
    /// Proofs of the safety property, over a copy of `sig` and `terms` that has more symbols and terms.
    pub proofs: Proofs,
    /// The formulas of a program, claims first, because a language may restrict quantifiers by the role of a formula.
    /// Empty if the source has no commands. Nothing else in the system depends on it.
    pub placed: Vec<PlacedFormula>,
}

impl System {
    /// Creates a system without declarations.
    pub fn new() -> Self {
        System {
            sig: Signature::new(),
            terms: Terms::new(),
            axioms: Vec::new(),
            derived: Vec::new(),
            axioms_after_changes: false,
            definitions: Vec::new(),
            inits: Vec::new(),
            invariants: Vec::new(),
            goals: Vec::new(),
            beside: None,
            assertions: Vec::new(),
            admitted: Vec::new(),
            lemmas: Vec::new(),
            called_back: None,
            method: None,
            init_command: None,
            init_params: Vec::new(),
            init_before: Vec::new(),
            final_command: None,
            transitions: Vec::new(),
            theorems: Vec::new(),
            instances: Vec::new(),
            traces: Vec::new(),
            proofs: Proofs::default(),
            placed: Vec::new(),
        }
    }

    /// Returns the axioms about mutable symbols.
    pub fn axioms_of_states(&self) -> Vec<TermId> {
        let axioms = self.derived.iter().filter(|derived| derived.sym.is_none());
        axioms.map(|derived| derived.axiom).collect()
    }

    /// Returns the axioms that commands assume after each change of one of their symbols.
    pub fn axioms_of_changes(&self) -> Vec<TermId> {
        if self.axioms_after_changes { self.axioms_of_states() } else { Vec::new() }
    }

    /// Returns the signature and the terms of the system.
    pub fn syntax(&self) -> Syntax<'_> {
        self.terms.over(&self.sig)
    }

    /// Returns the mutable symbols that the model does not declare: variables of commands, and what others were before an
    /// action. A command assigns them before it reads them, so that their values in a state mean nothing.
    pub fn auxiliary(&self) -> impl Iterator<Item = SymId> + '_ {
        let symbols = self.sig.symbols.iter_enumerated();
        let is_auxiliary = |symbol: &Symbol| symbol.kind == SymbolKind::Mutable && !symbol.is_declared();
        symbols.filter(move |(_, symbol)| is_auxiliary(symbol)).map(|(sym, _)| sym)
    }

    /// Returns the system with one more invariant, which is no safety property: a closed formula over step 0 that was read
    /// from a text beside the source.
    pub fn with_claim(mut self, text: &str, formula: TermId, span: Span) -> System {
        let label = text.to_owned();
        self.invariants.push(Invariant { name: None, label, formula, is_safety: false, span });
        self.beside = Some(Beside::Formula(text.into()));
        self
    }

    /// Returns the system with one more invariant, which is no safety property: a closed formula over step 0 that implies that
    /// some transition can be taken.
    pub fn with_progress(mut self, formula: TermId, span: Span) -> System {
        let label = "deadlock".to_owned();
        self.invariants.push(Invariant { name: None, label, formula, is_safety: false, span });
        self.beside = Some(Beside::Progress);
        self
    }

    /// Returns a copy without proofs. Terms may be added to it, which the vocabulary of the proofs would not have.
    pub fn without_proofs(&self) -> System {
        System { proofs: Proofs::default(), ..self.clone() }
    }

    /// Returns the system without proofs: itself if it has none. Questions that no proof is about are asked of this one, so
    /// that nothing of the vocabulary of proofs is in their answers.
    pub fn sharing_without_proofs(system: &Arc<System>) -> Arc<System> {
        if system.proofs.list.is_empty() { Arc::clone(system) } else { Arc::new(system.without_proofs()) }
    }

    /// Returns the signature and the terms of the proofs if there are any, and those of the system otherwise. All formulas
    /// of the system are formulas over it.
    pub fn widest_syntax(&self) -> Syntax<'_> {
        if self.proofs.list.is_empty() { self.syntax() } else { self.proofs.terms.over(&self.proofs.sig) }
    }

    /// Returns the signature and the terms of the system, to create further terms. Removes the proofs, whose vocabulary
    /// would not have these terms.
    pub fn syntax_mut(&mut self) -> SyntaxMut<'_> {
        self.proofs = Proofs::default();
        self.terms.over_mut(&self.sig)
    }

    /// Turns the state of step 0, after the initial part, into the state in which that part began.
    pub fn rewind(&self, sig: &Signature, structure: &mut Structure) {
        for &(sym, before) in &self.init_before {
            let value = structure.interpretation(sig, before, 0).clone();
            *structure.interpretation_mut(sig, sym, 0) = value;
        }
    }
}

impl Default for System {
    fn default() -> Self {
        Self::new()
    }
}
