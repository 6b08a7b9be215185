//! Semantics of commands against the rules of the literature, and against execution.

mod meaning;
mod queries;

use crate::common::effort::Seen;
use crate::common::formulas::{Generator, Vocabulary};
use ramsey::base::budget::Budget;
use ramsey::base::hash::Map;
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::base::span::{FileId, Span};
use ramsey::logic::{
    Elem, Evaluator, Signature, SortId, Structure, SymId, Symbol, SymbolKind, TermId, Terms, VarId,
};
use ramsey::system::program::compose::{Composition, Names, compose};
use ramsey::system::program::{Part, choice_bit};
use ramsey::system::{Assignment, Branch, Choice, ChoiceForm, Command, CommandKind, Derived, Havoc, System};
use ramsey::transition::interpret::{Context, Execution, RecordedDecisions};

fn at(place: usize) -> Span {
    Span { file: FileId::new(0), start: place as u32, end: place as u32 + 1 }
}

/// A random command with its declarations. Each statement has a span of its own.
#[derive(Clone)]
struct Model {
    /// Vocabulary without symbols of choices.
    vocabulary: Vocabulary,
    sig: Signature,
    terms: Terms,
    axioms: Vec<TermId>,
    params: Vec<VarId>,
    bits: Vec<SymId>,
    command: Command,
}

struct Maker<'a> {
    vocabulary: &'a Vocabulary,
    rng: &'a mut Rng,
    terms: Terms,
    sig: Signature,
    params: Vec<VarId>,
    bits: Vec<SymId>,
    places: usize,
}

impl Maker<'_> {
    fn formula(&mut self, vars: &[VarId], depth: usize) -> TermId {
        let Maker { vocabulary, rng, terms, params, .. } = self;
        Generator::new(vocabulary, terms, rng).in_scope(params).in_scope(vars).formula(depth)
    }

    fn mutable(&mut self) -> SymId {
        let all = self.vocabulary.of_kind(SymbolKind::Mutable);
        all[self.rng.below(all.len())]
    }

    /// Returns `symbol(vars) := value`, often in the form of insertions and point updates.
    fn assignment(&mut self) -> CommandKind {
        let sym = self.mutable();
        let Symbol { args: sorts, result, .. } = self.vocabulary.sig.symbols[sym].clone();
        let vars: Vec<VarId> = sorts.iter().map(|&sort| self.terms.new_var("V", sort)).collect();
        let args: Vec<TermId> = vars.iter().map(|&var| self.terms.var(var)).collect();
        let old = self.terms.app(&self.vocabulary.sig, sym, 0, &args);
        let condition = self.formula(&vars, 1);
        let form = self.rng.below(4);
        let value = if result == SortId::BOOL {
            match form {
                0 => self.terms.or(&[old, condition]),
                1 => self.terms.and(&[old, condition]),
                2 => {
                    // Values with quantifiers of their own, around what is there already.
                    let var = self.terms.new_var("Z", self.vocabulary.sorts[0]);
                    let inner = self.formula(&[var], 1);
                    let both = self.terms.and(&[old, inner]);
                    let exists = self.terms.exists(&[var], both);
                    self.terms.or(&[condition, exists])
                }
                _ => self.formula(&vars, 2),
            }
        } else {
            let Maker { vocabulary, rng, terms, params, .. } = self;
            let mut generator = Generator::new(vocabulary, terms, rng).in_scope(params).in_scope(&vars);
            let new = generator.value(result, 2).unwrap_or(old);
            if form < 3 { self.terms.ite(condition, new, old) } else { new }
        };
        CommandKind::Assign(Assignment { sym, vars, value })
    }

    fn command(&mut self, depth: usize) -> Command {
        let leaf = depth == 0;
        let kind = match self.rng.below(if leaf { 11 } else { 20 }) {
            0 => CommandKind::Skip,
            1 | 2 => CommandKind::Assume(self.formula(&[], 1)),
            3 => CommandKind::Assert(self.formula(&[], 1)),
            4 => match self.havoc() {
                Some(havoc) => CommandKind::Havoc(havoc),
                None => self.assignment(),
            },
            5..=10 => self.assignment(),
            11..=15 => {
                CommandKind::Seq((0..2 + self.rng.below(2)).map(|_| self.command(depth - 1)).collect())
            }
            16 | 17 => {
                let condition = self.formula(&[], 1);
                let (a, b) = (self.command(depth - 1), self.command(depth - 1));
                CommandKind::If(condition, Box::new(a), Box::new(b))
            }
            _ => {
                let count = 1 + self.rng.below(3);
                let bits: Vec<SymId> = (1..count).map(|_| choice_bit(&mut self.sig, "choice")).collect();
                self.bits.extend(&bits);
                let branches =
                    (0..count).map(|_| Branch { name: None, command: self.command(depth - 1) }).collect();
                CommandKind::Choice(Choice { form: ChoiceForm::Branches, branches, bits })
            }
        };
        self.places += 1;
        Command { kind, span: at(self.places) }
    }

    fn havoc(&mut self) -> Option<Havoc> {
        let symbols = &self.vocabulary.sig.symbols;
        let constants = self.vocabulary.of_kind(SymbolKind::Mutable).into_iter();
        let sym = constants
            .into_iter()
            .find(|&sym| symbols[sym].args.is_empty() && symbols[sym].result != SortId::BOOL)?;
        let value = self.terms.new_var("h", symbols[sym].result);
        // Nothing else reads the variable, so it comes last, when all formulas are there.
        Some(Havoc { sym, value })
    }
}

fn havocs(command: &Command, found: &mut Vec<VarId>) {
    match &command.kind {
        CommandKind::Havoc(havoc) => found.push(havoc.value),
        CommandKind::Seq(commands) => commands.iter().for_each(|command| havocs(command, found)),
        CommandKind::If(_, a, b) => [a, b].into_iter().for_each(|command| havocs(command, found)),
        CommandKind::Choice(choice) => {
            choice.branches.iter().for_each(|branch| havocs(&branch.command, found));
        }
        _ => {}
    }
}

impl Model {
    fn random(rng: &mut Rng) -> Model {
        let mut vocabulary = Vocabulary::of_states(rng);
        for symbol in vocabulary.sig.symbols.iter_mut() {
            if symbol.kind == SymbolKind::Derived {
                symbol.kind = SymbolKind::Mutable;
            }
        }
        let mut terms = Terms::new();
        let params: Vec<VarId> =
            (0..rng.below(3)).map(|_| terms.new_var("n", vocabulary.sorts[rng.below(2)])).collect();
        let sig = vocabulary.sig.clone();
        let mut maker =
            Maker { vocabulary: &vocabulary, rng, terms, sig, params, bits: Vec::new(), places: 0 };
        let command = maker.command(3);
        let params = std::mem::take(&mut maker.params);
        let axioms = (0..maker.rng.below(3) / 2).map(|_| maker.formula(&[], 1)).collect();
        let Maker { terms, sig, bits, .. } = maker;
        let mut model = Model { vocabulary, sig, terms, axioms, params, bits, command };
        havocs(&model.command, &mut model.params);
        model
    }

    fn compose(&mut self) -> Composition {
        let Model { sig, terms, axioms, command, .. } = self;
        compose(sig, terms, &mut Names::default(), axioms, command).expect("a small command")
    }

    fn context(&self) -> Context<'_> {
        Context { syntax: self.terms.over(&self.sig), axioms: &self.axioms }
    }

    fn sizes(&self, rng: &mut Rng) -> Vec<(SortId, u32)> {
        self.vocabulary.sorts.iter().map(|&sort| (sort, 1 + u32::from(!rng.one_in(4)))).collect()
    }

    /// Returns random values for the parameters.
    fn env(&self, structure: &Structure, rng: &mut Rng) -> Map<VarId, Elem> {
        let value = |&var: &VarId| {
            let size = structure.sizes[self.terms.var_info(var).sort];
            (var, rng.below(size as usize) as Elem)
        };
        self.params.iter().map(value).collect()
    }

    fn holds(&self, structure: &Structure, env: &Map<VarId, Elem>, formula: TermId) -> bool {
        let mut eval = Evaluator::new(self.terms.over(&self.sig), structure);
        eval.env.clone_from(env);
        eval.holds(formula)
    }

    fn satisfies_axioms(&self, structure: &Structure) -> bool {
        self.axioms.iter().all(|&axiom| self.holds(structure, &Map::default(), axiom))
    }

    /// Runs the command with these parameters, and the choices of the structure's first state.
    fn run(&self, structure: &Structure, env: &Map<VarId, Elem>) -> Execution {
        let sig = &self.sig;
        let mut oracle = RecordedDecisions { sig, structure, step: 0, env };
        let state = structure.state(sig, 0);
        let run =
            self.context().run(&self.command, state, env.clone(), &mut oracle, &mut Budget::unlimited());
        run.expect("no limit")
    }

    /// Checks whether the states are equal up to choices.
    fn same(&self, a: (&Structure, usize), b: (&Structure, usize)) -> bool {
        let sig = &self.sig;
        sig.symbols.iter_enumerated().filter(|(_, symbol)| symbol.kind == SymbolKind::Mutable).all(
            |(sym, symbol)| {
                let [a_here, b_here] =
                    [a, b].map(|(structure, step)| structure.interpretation(sig, sym, step));
                a.0.tuples(&symbol.args).all(|args| a_here.get(&args) == b_here.get(&args))
            },
        )
    }

    /// Sets the second state of a structure with two.
    fn set_next(&self, structure: &mut Structure, next: &Structure) {
        let sig = &self.sig;
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            if symbol.kind.is_mutable() {
                *structure.interpretation_mut(sig, sym, 1) = next.interpretation(sig, sym, 0).clone();
            }
        }
    }
}

/// Returns the symbols of choices and conditions.
fn choices(sig: &Signature) -> Vec<SymId> {
    sig.symbols.ids().filter(|&sym| sig.symbols[sym].kind == SymbolKind::Choice).collect()
}

/// Returns the symbols of conditions, given those of choices.
fn conditions(sig: &Signature, bits: &[SymId]) -> Vec<SymId> {
    choices(sig).into_iter().filter(|sym| !bits.contains(sym)).collect()
}

/// Enumerates all values of the given symbols without arguments, in a structure with one state.
fn all_bits(sig: &Signature, structure: &Structure, bits: &[SymId]) -> Vec<Structure> {
    (0..1_u32 << bits.len())
        .map(|number| {
            let mut structure = structure.clone();
            for (index, &bit) in bits.iter().enumerate() {
                structure.interpretation_mut(sig, bit, 0).set(&[], number >> index & 1);
            }
            structure
        })
        .collect()
}

/// Returns a system with the model's signature, formulas and axioms.
fn system_of(model: &Model) -> System {
    let mut system = System::new();
    (system.sig, system.terms) = (model.sig.clone(), model.terms.clone());
    let axiom = |(index, &axiom)| Derived { sym: None, label: format!("{index}"), axiom, span: at(0) };
    system.derived = model.axioms.iter().enumerate().map(axiom).collect();
    system
}

fn part_of(model: &Model) -> Part {
    Part { name: "act".into(), params: model.params.clone(), command: model.command.clone(), span: at(0) }
}
