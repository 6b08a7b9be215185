//! Interpreter of commands on finite structures, statement by statement.
//!
//! A second implementation of the semantics of commands, independent of [`ramsey_core::system::program::compose`]. It
//! computes the execution of a counterexample and the possible steps of a simulation.

use std::ops::ControlFlow;

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::logic::{
    Elem, Evaluator, Interpretation, Signature, Structure, SymId, Syntax, TermId, VarId,
};
use ramsey_core::system::command::{Choice, ChoiceForm, Command, CommandKind, Havoc};

/// Source of decisions for nondeterministic commands.
pub trait Oracle {
    /// Returns the index of the branch to take.
    fn branch(&mut self, choice: &Choice) -> usize;
    /// Returns an element below `size`.
    fn value(&mut self, havoc: &Havoc, size: u32) -> Elem;
}

/// Decisions recorded in a structure: choices by their symbols, values of `havoc` by their variables.
#[derive(Clone, Copy, Debug)]
pub struct RecordedDecisions<'a> {
    /// The signature.
    pub sig: &'a Signature,
    /// The structure.
    pub structure: &'a Structure,
    /// The state in which the choices are read.
    pub step: usize,
    /// The values of the variables.
    pub env: &'a Map<VarId, Elem>,
}

impl Oracle for RecordedDecisions<'_> {
    fn branch(&mut self, choice: &Choice) -> usize {
        let taken = |&bit: &SymId| self.structure.interpretation(self.sig, bit, self.step).get(&[]) != 0;
        choice.bits.iter().position(taken).unwrap_or(choice.bits.len())
    }

    fn value(&mut self, havoc: &Havoc, _: u32) -> Elem {
        self.env.get(&havoc.value).copied().unwrap_or(0)
    }
}

/// Enumeration of all decision sequences in lexicographic order, one per execution.
#[derive(Clone, Debug, Default)]
pub struct DecisionEnumerator {
    /// Each decision with its number of possibilities.
    decisions: Vec<(u32, u32)>,
    /// Number of decisions used by the current execution.
    used: usize,
}

impl DecisionEnumerator {
    /// Advances to the next sequence. Returns `false` after the last one. Must be called between executions.
    pub fn advance(&mut self) -> bool {
        self.decisions.truncate(self.used);
        self.used = 0;
        while let Some((decision, count)) = self.decisions.pop() {
            if decision + 1 < count {
                self.decisions.push((decision + 1, count));
                return true;
            }
        }
        false
    }

    fn decide(&mut self, count: u32) -> u32 {
        if self.used == self.decisions.len() {
            self.decisions.push((0, count));
        }
        self.used += 1;
        self.decisions[self.used - 1].0
    }
}

impl Oracle for DecisionEnumerator {
    fn branch(&mut self, choice: &Choice) -> usize {
        self.decide(choice.branches.len() as u32) as usize
    }

    fn value(&mut self, _: &Havoc, size: u32) -> Elem {
        self.decide(size)
    }
}

/// A changed value of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The symbol.
    pub sym: SymId,
    /// The arguments.
    pub args: Vec<Elem>,
    /// Its value before.
    pub old: Elem,
    /// Its value after.
    pub new: Elem,
}

/// An event of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The statement.
    pub span: Span,
    /// The kind of event.
    pub kind: EventKind,
}

/// Effect of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// The value of the condition of an `if`.
    Condition(bool),
    /// A branch was chosen.
    Chosen {
        /// Its index.
        branch: usize,
        /// The syntax of the choice.
        form: ChoiceForm,
        /// Its name, if it has one.
        name: Option<String>,
    },
    /// The value of an assumption.
    Assumed(bool),
    /// The value of an assertion.
    Asserted(bool),
    /// A symbol was assigned. The changes are empty if all values stay the same.
    Assigned {
        /// The symbol.
        sym: SymId,
        /// The new value, if the symbol has no arguments.
        value: Option<Elem>,
        /// In lexicographic order of the arguments.
        changes: Vec<Change>,
    },
    /// The axiom with this index in the given list is false after the change.
    AxiomViolated(usize),
}

/// Result of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The execution reached the end of the command.
    Completed,
    /// An assumption or an axiom was false: there is no such execution.
    Blocked,
    /// An assertion was false.
    Aborted,
}

/// An execution.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The result.
    pub end: End,
    /// The final state.
    pub state: Structure,
    /// The values of the given variables, and of the executed `havoc`s.
    pub env: Map<VarId, Elem>,
    /// The variables of the executed `havoc`s, in order.
    pub chosen: Vec<VarId>,
    /// The symbols of the choices made with their values, in order. Other choices may have any value.
    pub bits: Vec<(SymId, Elem)>,
}

/// Context of the execution of commands.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The terms of the commands, with their signature.
    pub syntax: Syntax<'a>,
    /// The axioms of [`ramsey_core::system::System::axioms_of_changes`].
    pub axioms: &'a [TermId],
}

impl Context<'_> {
    /// Executes `command` from the only state of `state`. The recursion depth is the nesting depth of the command.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted.
    pub fn run(
        &self,
        command: &Command,
        state: Structure,
        env: Map<VarId, Elem>,
        oracle: &mut dyn Oracle,
        budget: &mut Budget,
    ) -> Result<Execution, Exhausted> {
        let axioms = self.axioms.iter().map(|&axiom| (axiom, self.syntax.terms.symbols(axiom))).collect();
        let (events, chosen, bits) = (Vec::new(), Vec::new(), Vec::new());
        let execution = Execution { events, end: End::Completed, state, env, chosen, bits };
        let mut interpreter = Interpreter { context: *self, axioms, oracle, budget, execution };
        match interpreter.command(command) {
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(Ok(end)) => interpreter.execution.end = end,
            ControlFlow::Break(Err(exhausted)) => return Err(exhausted),
        }
        Ok(interpreter.execution)
    }
}

/// Control flow of an execution; `Break` ends it.
type Flow<T> = ControlFlow<Result<End, Exhausted>, T>;

struct Interpreter<'a> {
    context: Context<'a>,
    axioms: Vec<(TermId, Set<SymId>)>,
    oracle: &'a mut dyn Oracle,
    budget: &'a mut Budget,
    execution: Execution,
}

impl Interpreter<'_> {
    fn command(&mut self, command: &Command) -> Flow<()> {
        match &command.kind {
            CommandKind::Skip => {}
            CommandKind::Assume(formula) => {
                let holds = self.holds(*formula)?;
                self.emit(command.span, EventKind::Assumed(holds));
                if !holds {
                    return ControlFlow::Break(Ok(End::Blocked));
                }
            }
            CommandKind::Assert(formula) => {
                let holds = self.holds(*formula)?;
                self.emit(command.span, EventKind::Asserted(holds));
                if !holds {
                    return ControlFlow::Break(Ok(End::Aborted));
                }
            }
            CommandKind::Assign(assignment) => {
                let next = self.evaluate(assignment.sym, &assignment.vars, assignment.value)?;
                self.set(command.span, assignment.sym, next)?;
            }
            CommandKind::Havoc(havoc) => {
                let sort = self.context.syntax.sig.symbols[havoc.sym].result;
                let value = self.oracle.value(havoc, self.execution.state.sizes[sort]);
                self.execution.env.insert(havoc.value, value);
                self.execution.chosen.push(havoc.value);
                let next = Interpretation { default: value, ..Interpretation::default() };
                self.set(command.span, havoc.sym, next)?;
            }
            CommandKind::Seq(commands) => {
                for command in commands {
                    self.command(command)?;
                }
            }
            CommandKind::If(condition, a, b) => {
                let holds = self.holds(*condition)?;
                self.emit(command.span, EventKind::Condition(holds));
                self.command(if holds { a } else { b })?;
            }
            CommandKind::Choice(choice) => {
                let taken = self.oracle.branch(choice).min(choice.branches.len().saturating_sub(1));
                for (index, &bit) in choice.bits.iter().enumerate().take(taken + 1) {
                    self.execution.bits.push((bit, (index == taken).into()));
                }
                let Some(branch) = choice.branches.get(taken) else { return ControlFlow::Continue(()) };
                let name = branch.name.clone();
                self.emit(command.span, EventKind::Chosen { branch: taken, form: choice.form, name });
                self.command(&branch.command)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn emit(&mut self, span: Span, kind: EventKind) {
        self.execution.events.push(Event { span, kind });
    }

    /// Evaluates in the current state.
    fn with_evaluator<T>(
        &mut self,
        evaluate: impl FnOnce(&mut Evaluator<'_>) -> Result<T, Exhausted>,
    ) -> Flow<T> {
        let Execution { state, env, .. } = &mut self.execution;
        let mut evaluator = Evaluator::new(self.context.syntax, state);
        std::mem::swap(&mut evaluator.budget, self.budget);
        std::mem::swap(&mut evaluator.env, env);
        let result = evaluate(&mut evaluator);
        std::mem::swap(&mut evaluator.budget, self.budget);
        std::mem::swap(&mut evaluator.env, env);
        match (result, evaluator.exhausted) {
            (Ok(value), None) => ControlFlow::Continue(value),
            (Err(exhausted), _) | (_, Some(exhausted)) => ControlFlow::Break(Err(exhausted)),
        }
    }

    fn holds(&mut self, formula: TermId) -> Flow<bool> {
        self.with_evaluator(|evaluator| {
            evaluator.budget.spend(1)?;
            Ok(evaluator.holds(formula))
        })
    }

    /// Evaluates the interpretation of a symbol with this value for all `vars`.
    fn evaluate(&mut self, sym: SymId, vars: &[VarId], value: TermId) -> Flow<Interpretation> {
        let sorts = &self.context.syntax.sig.symbols[sym].args;
        let tuples = self.execution.state.tuples(sorts);
        self.with_evaluator(|evaluator| {
            let mut next = Interpretation::default();
            for args in tuples {
                evaluator.budget.spend(1)?;
                evaluator.env.extend(vars.iter().copied().zip(args.iter().copied()));
                let value = evaluator.eval(value);
                if let Some(exhausted) = evaluator.exhausted {
                    return Err(exhausted);
                }
                if value != next.default {
                    next.set(&args, value);
                }
            }
            for var in vars {
                evaluator.env.remove(var);
            }
            Ok(next)
        })
    }

    /// Changes the interpretation of a symbol if the axioms allow it.
    fn set(&mut self, span: Span, sym: SymId, next: Interpretation) -> Flow<()> {
        let sig = self.context.syntax.sig;
        let state = &mut self.execution.state;
        let before = state.interpretation(sig, sym, 0);
        let mut changes = Vec::new();
        for args in state.tuples(&sig.symbols[sym].args) {
            if let Err(exhausted) = self.budget.spend(1) {
                return ControlFlow::Break(Err(exhausted));
            }
            let (old, new) = (before.get(&args), next.get(&args));
            if old != new {
                changes.push(Change { sym, args, old, new });
            }
        }
        let value = sig.symbols[sym].args.is_empty().then(|| next.get(&[]));
        *state.interpretation_mut(sig, sym, 0) = next;
        self.emit(span, EventKind::Assigned { sym, value, changes });
        for index in 0..self.axioms.len() {
            let (axiom, symbols) = &self.axioms[index];
            if symbols.contains(&sym) {
                let axiom = *axiom;
                if !self.holds(axiom)? {
                    self.emit(span, EventKind::AxiomViolated(index));
                    return ControlFlow::Break(Ok(End::Blocked));
                }
            }
        }
        ControlFlow::Continue(())
    }
}
