//! A transition system as data.

use std::sync::Arc;

use super::command::Command;
use crate::base::span::Span;
use crate::logic::{Signature, Structure, SymId, TermId, Terms, VarId};

/// How many steps an execution has at most that a trace or a question speaks of. Front ends refuse longer traces: steps
/// are counted in 16 bits, and nobody could read one.
pub const MAX_STEPS: u16 = 1_000;

/// A formula assumed of the immutable symbols.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Closed, over immutable symbols only.
    pub formula: TermId,
    /// The declaration.
    pub span: Span,
}

/// A formula assumed of every state: the axiom of a derived relation, or one that speaks of mutable symbols.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The derived relation: mutable, and fixed in each state by the axiom. `None` where the axiom only
    /// restricts the states.
    pub sym: Option<SymId>,
    /// The name of the relation or of the axiom, or `L` and the line.
    pub label: String,
    /// Closed, over step 0; assumed in every state.
    pub axiom: TermId,
    /// The declaration.
    pub span: Span,
}

/// A formula that holds in every initial state.
#[derive(Clone, Debug)]
pub struct Init {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Closed, over step 0.
    pub formula: TermId,
    /// The declaration.
    pub span: Span,
}

/// A formula claimed of every reachable state.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name in the source, if it has one.
    pub name: Option<String>,
    /// The name, or `L` and the line of its declaration: what obligations and commands call it.
    pub label: String,
    /// Closed, over step 0.
    pub formula: TermId,
    /// Whether it is (part of) the safety property.
    pub is_safety: bool,
    /// The declaration.
    pub span: Span,
}

/// A parameterized relation between a state and the next.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Its name.
    pub name: String,
    /// Its parameters; free in `body`.
    pub params: Vec<VarId>,
    /// The mutable symbols that it may change, none derived; all others keep their meaning.
    pub modifies: Vec<SymId>,
    /// Over steps 0 and 1, free in `params` only, without the frame conditions. Symbols of kind
    /// [`crate::logic::SymbolKind::Choice`] may occur at step 0.
    pub body: TermId,
    /// The command that `body` is the meaning of, where the source has commands. Assertions count as assumptions
    /// in `body`; [`System::assertions`] has them.
    pub command: Option<Arc<Command>>,
    /// The declaration.
    pub span: Span,
}

/// Which part of a program an assertion stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// The part that leads to the initial states.
    Init,
    /// The transition with this index.
    Transition(usize),
    /// The part after the loop.
    Final,
}

/// An `assert` (or `abort`) that executions reach: nothing goes wrong there.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// `L` and the line, with a distinguishing suffix where a line has several.
    pub label: String,
    /// Where it stands.
    pub site: Site,
    /// Closed: over the state in which its part begins, for all values of parameters and choices, if the
    /// execution reaches the assertion then its formula holds there. Over step 0; for [`Site::Init`] over immutable
    /// symbols alone (see [`System::init_command`]).
    pub formula: TermId,
    /// The assertion.
    pub span: Span,
}

/// A formula claimed of all sequences of `states` states (not connected by transitions).
#[derive(Clone, Debug)]
pub struct Theorem {
    /// Its name in the source, if it has one.
    pub name: Option<String>,
    /// The name, or `L` and the line of its declaration.
    pub label: String,
    /// How many states it speaks of: 0 (immutable symbols only), 1 or 2.
    pub states: u16,
    /// Closed.
    pub formula: TermId,
    /// The declaration.
    pub span: Span,
}

/// A formula with parameters that has a name of its own, a macro or a definition over one state. Formulas have it
/// expanded; here it is for readers, who may ask where it holds.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// Its parameters; free in `body`.
    pub params: Vec<VarId>,
    /// Over step 0.
    pub body: TermId,
}

/// A query about executions of a given shape.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Whether the source claims that such an execution exists.
    pub expect_sat: bool,
    /// What happens, in order; at most [`MAX_STEPS`] of these are transitions.
    pub steps: Vec<TraceStep>,
    /// The declaration.
    pub span: Span,
}

impl Trace {
    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        let is_transition =
            |step: &&TraceStep| matches!(step, TraceStep::AnyTransition | TraceStep::Transitions(_));
        self.steps.iter().filter(is_transition).count()
    }
}

/// One component of a [`Trace`].
#[derive(Clone, Debug)]
pub enum TraceStep {
    /// The state here is initial.
    AssertInit,
    /// This formula (over step 0) holds in the state here.
    Assert(TermId),
    /// Some transition leads to the next state.
    AnyTransition,
    /// One of these transitions leads to the next state.
    Transitions(Vec<TraceCall>),
}

/// A transition in a [`Trace`], with what is known of its parameters.
#[derive(Clone, Debug)]
pub struct TraceCall {
    /// Index into [`System::transitions`].
    pub transition: usize,
    /// A value per parameter (over step 0, no free variables), `None` for any.
    pub args: Vec<Option<TermId>>,
}

/// What the formula of a program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Of an axiom.
    Axiom,
    /// Of a safety property.
    Safety,
    /// Of another claim about all reachable states.
    Invariant,
    /// Of a theorem.
    Theorem,
    /// Of the command `assume`.
    Assumption,
    /// Of the command `assert`.
    Assertion,
    /// The condition of an `if`.
    Condition,
    /// A value or an argument of an update.
    Update,
}

/// A formula or term of a program where it stands, definitions expanded.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Free in variables of the program.
    pub formula: TermId,
    /// What it is.
    pub role: Role,
    /// Where it stands.
    pub span: Span,
}

/// A transition system with its claims. Formulas are in `terms`, over `sig`.
#[derive(Clone, Debug)]
pub struct System {
    /// Sorts and symbols.
    pub sig: Signature,
    /// The arena of all formulas here.
    pub terms: Terms,
    /// In source order, as all that follows.
    pub axioms: Vec<Axiom>,
    /// Derived relations.
    pub derived: Vec<Derived>,
    /// Macros and definitions.
    pub definitions: Vec<Definition>,
    /// Initial states satisfy all of these.
    pub inits: Vec<Init>,
    /// Invariants and safety properties.
    pub invariants: Vec<Invariant>,
    /// What the commands assert, by site: initial part, transitions, final part.
    pub assertions: Vec<Assertion>,
    /// The command that leads to the initial states, where the source has commands. `inits` has its meaning, in which
    /// the values that symbols have before it are immutable symbols of their own.
    pub init_command: Option<Arc<Command>>,
    /// The variables of `init_command`, each with the immutable constant that stands for it in `inits`.
    pub init_params: Vec<(VarId, SymId)>,
    /// Symbols that `init_command` changes, each with the immutable symbol that stands for its value before: those
    /// that `inits` or an assertion of [`Site::Init`] mentions.
    pub init_before: Vec<(SymId, SymId)>,
    /// The command after the loop, where the source has one.
    pub final_command: Option<Arc<Command>>,
    /// Transitions.
    pub transitions: Vec<Transition>,
    /// Theorems.
    pub theorems: Vec<Theorem>,
    /// Trace queries.
    pub traces: Vec<Trace>,
    /// The formulas of a program, whose language may restrict their quantifiers by their role; none where the source has no
    /// commands. Claims first. Nothing else here depends on it.
    pub placed: Vec<Placed>,
}

impl System {
    /// The system without any declaration.
    pub fn new() -> Self {
        System {
            sig: Signature::new(),
            terms: Terms::new(),
            axioms: Vec::new(),
            derived: Vec::new(),
            definitions: Vec::new(),
            inits: Vec::new(),
            invariants: Vec::new(),
            assertions: Vec::new(),
            init_command: None,
            init_params: Vec::new(),
            init_before: Vec::new(),
            final_command: None,
            transitions: Vec::new(),
            theorems: Vec::new(),
            traces: Vec::new(),
            placed: Vec::new(),
        }
    }

    /// Turns the state of step 0, behind the initial part, into the one in which that part began.
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
