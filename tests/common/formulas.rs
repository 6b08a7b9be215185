//! Random signatures and formulas, and enumeration of small structures over them.

use ramsey::base::rng::Rng;
use ramsey::logic::{
    Signature, Sort, SortId, Structure, SymId, Symbol, SymbolKind, TermId, Terms, Tuples, VarId,
};

/// Two sorts with relations, constants, and a function from the first to the second.
#[derive(Clone)]
pub struct Vocabulary {
    pub sig: Signature,
    pub sorts: [SortId; 2],
}

pub fn symbol(name: &str, args: &[SortId], result: SortId) -> Symbol {
    Symbol::new(name, args.to_vec(), result, SymbolKind::Immutable)
}

impl Vocabulary {
    /// Returns a random selection of symbols.
    pub fn random(rng: &mut Rng) -> Vocabulary {
        let mut sig = Signature::new();
        let mut sort = |name: &str| sig.sorts.push(Sort::new(name));
        let (a, b) = (sort("a"), sort("b"));
        let all = [
            symbol("p", &[a], SortId::BOOL),
            symbol("q", &[a, b], SortId::BOOL),
            symbol("r", &[b, b], SortId::BOOL),
            symbol("z", &[], SortId::BOOL),
            symbol("c", &[], a),
            symbol("d", &[], b),
            symbol("f", &[a], b),
            symbol("g", &[a, a], b),
        ];
        for symbol in all {
            if !rng.one_in(3) {
                sig.symbols.push(symbol);
            }
        }
        sig.symbols.push(symbol("s", &[a], SortId::BOOL));
        Vocabulary { sig, sorts: [a, b] }
    }

    /// Returns a random selection of symbols, some of them mutable; the relation `w` is derived.
    pub fn of_states(rng: &mut Rng) -> Vocabulary {
        let mut sig = Signature::new();
        let mut sort = |name: &str| sig.sorts.push(Sort::new(name));
        let (a, b) = (sort("a"), sort("b"));
        let all = [
            (SymbolKind::Mutable, symbol("p", &[a], SortId::BOOL)),
            (SymbolKind::Mutable, symbol("q", &[a, b], SortId::BOOL)),
            (SymbolKind::Mutable, symbol("z", &[], SortId::BOOL)),
            (SymbolKind::Mutable, symbol("d", &[], b)),
            (SymbolKind::Mutable, symbol("f", &[a], b)),
            (SymbolKind::Immutable, symbol("c", &[], a)),
            (SymbolKind::Immutable, symbol("s", &[a], SortId::BOOL)),
            (SymbolKind::Derived, symbol("w", &[a], SortId::BOOL)),
        ];
        for (kind, symbol) in all {
            if rng.one_in(2) || symbol.name == "p" {
                sig.symbols.push(Symbol { kind, ..symbol });
            }
        }
        Vocabulary { sig, sorts: [a, b] }
    }

    /// Returns the symbols of this kind.
    pub fn of_kind(&self, kind: SymbolKind) -> Vec<SymId> {
        self.sig.symbols.ids().filter(|&sym| self.sig.symbols[sym].kind == kind).collect()
    }
}

/// Generator of random closed formulas.
pub struct Generator<'a> {
    pub vocabulary: &'a Vocabulary,
    pub terms: &'a mut Terms,
    pub rng: &'a mut Rng,
    /// Number of states in which mutable symbols are read.
    steps: u16,
    /// Variables in scope.
    scope: Vec<VarId>,
}

impl<'a> Generator<'a> {
    pub fn new(vocabulary: &'a Vocabulary, terms: &'a mut Terms, rng: &'a mut Rng) -> Self {
        Generator { vocabulary, terms, rng, steps: 1, scope: Vec::new() }
    }

    /// Reads mutable symbols in any of the first `steps` states.
    pub fn over_steps(mut self, steps: u16) -> Self {
        self.steps = steps;
        self
    }

    /// Allows these variables to occur free.
    pub fn in_scope(mut self, vars: &[VarId]) -> Self {
        self.scope.extend_from_slice(vars);
        self
    }

    /// Returns a random formula or term of this sort, if there is one.
    pub fn value(&mut self, sort: SortId, depth: usize) -> Option<TermId> {
        if sort == SortId::BOOL { Some(self.formula(depth)) } else { self.term(sort, depth) }
    }

    fn step(&mut self) -> u16 {
        if self.steps > 1 { self.rng.below(self.steps.into()) as u16 } else { 0 }
    }

    pub fn formula(&mut self, depth: usize) -> TermId {
        if depth == 0 {
            return self.atom();
        }
        match self.rng.below(12) {
            0 | 1 => self.quantifier(depth, true),
            2 | 3 => self.quantifier(depth, false),
            4 | 5 => {
                let items = self.some(depth);
                self.terms.and(&items)
            }
            6 | 7 => {
                let items = self.some(depth);
                self.terms.or(&items)
            }
            8 => {
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                self.terms.implies(a, b)
            }
            9 => {
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                self.terms.iff(a, b)
            }
            10 => {
                let c = self.formula(depth - 1);
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                self.terms.ite(c, a, b)
            }
            _ => {
                let a = self.formula(depth - 1);
                self.terms.not(a)
            }
        }
    }

    fn some(&mut self, depth: usize) -> Vec<TermId> {
        (0..2 + self.rng.below(2)).map(|_| self.formula(depth - 1)).collect()
    }

    fn quantifier(&mut self, depth: usize, universal: bool) -> TermId {
        let vars: Vec<VarId> = (0..1 + self.rng.below(2))
            .map(|_| {
                // Occasionally a variable of sort bool, which has to be expanded.
                let sort = match self.rng.below(9) {
                    0 => SortId::BOOL,
                    n => self.vocabulary.sorts[n % 2],
                };
                let name = format!("x{}", self.scope.len());
                self.terms.new_var(name, sort)
            })
            .collect();
        let before = self.scope.len();
        self.scope.extend(&vars);
        let body = self.formula(depth - 1);
        self.scope.truncate(before);
        if universal { self.terms.forall(&vars, body) } else { self.terms.exists(&vars, body) }
    }

    fn atom(&mut self) -> TermId {
        let vocabulary = self.vocabulary;
        let relations: Vec<SymId> =
            vocabulary.sig.symbols.ids().filter(|&s| vocabulary.sig.symbols[s].is_relation()).collect();
        let bools: Vec<VarId> =
            self.scope.iter().copied().filter(|&v| self.terms.var_info(v).sort == SortId::BOOL).collect();
        match self.rng.below(6) {
            0 | 1 => {
                let sort = vocabulary.sorts[self.rng.below(2)];
                let (a, b) = (self.term(sort, 2), self.term(sort, 2));
                match (a, b) {
                    (Some(a), Some(b)) => self.terms.eq(a, b),
                    _ => self.terms.tru(),
                }
            }
            2 if !bools.is_empty() => self.terms.var(bools[self.rng.below(bools.len())]),
            3 => {
                let sort = vocabulary.sorts[self.rng.below(2)];
                let items: Option<Vec<TermId>> = (0..3).map(|_| self.term(sort, 1)).collect();
                match items {
                    Some(items) => self.terms.distinct(&items),
                    None => self.terms.fals(),
                }
            }
            _ => {
                let sym = relations[self.rng.below(relations.len())];
                let sorts = vocabulary.sig.symbols[sym].args.clone();
                let args: Option<Vec<TermId>> = sorts.into_iter().map(|sort| self.term(sort, 2)).collect();
                let step = self.step();
                match args {
                    Some(args) => self.terms.app(&vocabulary.sig, sym, step, &args),
                    None => self.terms.fals(),
                }
            }
        }
    }

    /// Returns a random term, if there is one.
    fn term(&mut self, sort: SortId, depth: usize) -> Option<TermId> {
        let vocabulary = self.vocabulary;
        if depth > 0 && self.rng.one_in(12) {
            let condition = self.atom_without_terms();
            let (a, b) = (self.term(sort, depth - 1)?, self.term(sort, depth - 1)?);
            return Some(self.terms.ite(condition, a, b));
        }
        let vars: Vec<VarId> =
            self.scope.iter().copied().filter(|&v| self.terms.var_info(v).sort == sort).collect();
        if !vars.is_empty() && !self.rng.one_in(3) {
            return Some(self.terms.var(vars[self.rng.below(vars.len())]));
        }
        let functions: Vec<SymId> = vocabulary
            .sig
            .symbols
            .iter_enumerated()
            .filter(|(_, s)| s.result == sort && (depth > 0 || s.args.is_empty()))
            .map(|(id, _)| id)
            .collect();
        if functions.is_empty() {
            return vars.last().map(|&var| self.terms.var(var));
        }
        let sym = functions[self.rng.below(functions.len())];
        let sorts = vocabulary.sig.symbols[sym].args.clone();
        let args: Option<Vec<TermId>> = sorts.into_iter().map(|sort| self.term(sort, depth - 1)).collect();
        let step = self.step();
        Some(self.terms.app(&vocabulary.sig, sym, step, &args?))
    }

    fn atom_without_terms(&mut self) -> TermId {
        let var = self.scope.iter().copied().find(|&v| self.terms.var_info(v).sort == SortId::BOOL);
        match var {
            Some(var) => self.terms.var(var),
            None => self.formula_over_constants(),
        }
    }

    fn formula_over_constants(&mut self) -> TermId {
        let vocabulary = self.vocabulary;
        let nullary = vocabulary
            .sig
            .symbols
            .iter_enumerated()
            .find(|(_, s)| s.is_relation() && s.args.is_empty())
            .map(|(id, _)| id);
        match nullary {
            Some(sym) => {
                let step = self.step();
                self.terms.app(&vocabulary.sig, sym, step, &[])
            }
            None => self.terms.tru(),
        }
    }
}

/// All structures over universes of the given sizes.
pub struct Structures<'a> {
    sig: &'a Signature,
    /// One digit per symbol, state and argument tuple.
    digits: Tuples,
    layout: Vec<(SymId, usize, Vec<u32>)>,
    template: Structure,
}

impl<'a> Structures<'a> {
    /// Enumerates all structures with one state.
    pub fn new(sig: &'a Signature, sizes: &[(SortId, u32)]) -> Self {
        Structures::with_states(sig, sizes, 1)
    }

    pub fn with_states(sig: &'a Signature, sizes: &[(SortId, u32)], states: usize) -> Self {
        let mut template = Structure::new(sig, states);
        for &(sort, size) in sizes {
            template.sizes[sort] = size;
        }
        let mut layout = Vec::new();
        let mut radices = Vec::new();
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            for step in 0..if symbol.kind.is_mutable() { states } else { 1 } {
                for tuple in template.tuples(&symbol.args) {
                    layout.push((sym, step, tuple));
                    radices.push(template.sizes[symbol.result]);
                }
            }
        }
        Structures { sig, digits: Tuples::new(radices), layout, template }
    }

    /// Returns the number of structures.
    pub fn count_all(&self) -> u128 {
        self.layout
            .iter()
            .map(|(sym, ..)| u128::from(self.template.sizes[self.sig.symbols[*sym].result]))
            .product()
    }

    /// Returns a random structure.
    pub fn random(&self, rng: &mut Rng) -> Structure {
        let mut structure = self.template.clone();
        for index in 0..self.layout.len() {
            self.randomize(&mut structure, index, rng);
        }
        structure
    }

    /// Changes the value of a symbol for one argument tuple, possibly to the same value.
    pub fn disturb(&self, structure: &mut Structure, rng: &mut Rng) {
        if !self.layout.is_empty() {
            self.randomize(structure, rng.below(self.layout.len()), rng);
        }
    }

    fn randomize(&self, structure: &mut Structure, index: usize, rng: &mut Rng) {
        let (sym, step, tuple) = &self.layout[index];
        let size = self.template.sizes[self.sig.symbols[*sym].result];
        structure.interpretation_mut(self.sig, *sym, *step).set(tuple, rng.below(size as usize) as u32);
    }
}

impl Iterator for Structures<'_> {
    type Item = Structure;

    fn next(&mut self) -> Option<Structure> {
        let digits = self.digits.next()?;
        let mut structure = self.template.clone();
        for ((sym, step, tuple), digit) in self.layout.iter().zip(digits) {
            structure.interpretation_mut(self.sig, *sym, *step).set(tuple, digit);
        }
        Some(structure)
    }
}
