//! The numbers of variables and literals of a formula, where values of functions have variables of their own.

use crate::infer::exists::Profile;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Args, Node, SortId, SymId, SymbolOrigin, TermId, Terms, VarId};
use ramsey_core::system::System;

/// The block of a variable in the prefix forall-exists-forall.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Block {
    Outer,
    Witness,
    Inner,
}

/// Returns the numbers of a formula `forall .. C | exists .. forall .. D`, where C is a clause, and D a clause or, without inner variables,
/// a cube; `None` for any other one. `is_replaced` tells for which functions relations stand: a value of one of these is part of a
/// literal.
pub(super) fn profile(
    system: &System,
    formula: TermId,
    is_replaced: &dyn Fn(SymId) -> bool,
) -> Option<Profile> {
    let of = |has_free_terms: bool| {
        let mut reader = Reader {
            system,
            terms: &system.terms,
            is_replaced,
            has_free_terms,
            blocks: Map::default(),
            used: Set::default(),
            bound: Set::default(),
            values: Vec::new(),
            profile: Profile::universal(vec![0; system.sig.sorts.len()], 0),
        };
        reader.clause(formula, true)?;
        let Reader { terms, blocks, used, bound, mut profile, .. } = reader;
        for var in used {
            let Profile { outer, witnesses, inner, .. } = &mut profile;
            let counts = match blocks.get(&var)? {
                Block::Outer => outer,
                Block::Witness => witnesses,
                Block::Inner => inner,
            };
            counts[terms.var_info(var).sort.index()] += 1;
        }
        bound.into_iter().for_each(|var| profile.bound[terms.var_info(var).sort.index()] += 1);
        Some(profile)
    };
    // Only beside witnesses are these terms free of charge.
    of(true).filter(|profile| !profile.is_universal()).or_else(|| of(false))
}

struct Reader<'a> {
    system: &'a System,
    terms: &'a Terms,
    is_replaced: &'a dyn Fn(SymId) -> bool,
    /// Whether constants for what axioms say exists, and values of functions of them, stand like variables that nothing depends on.
    has_free_terms: bool,
    /// The blocks of the variables that are bound so far.
    blocks: Map<VarId, Block>,
    /// The variables that literals mention.
    used: Set<VarId>,
    /// The outer variables that literals with others mention.
    bound: Set<VarId>,
    /// The terms that take a variable and a literal.
    values: Vec<TermId>,
    profile: Profile,
}

impl Reader<'_> {
    /// Notes the block of variables, none of which is bound elsewhere.
    fn bind(&mut self, vars: Args, block: Block) -> Option<()> {
        let mut vars = self.terms.bound_vars(vars);
        vars.try_for_each(|var| self.blocks.insert(var, block).is_none().then_some(()))
    }

    /// Reads a formula, or its negation, as part of the outermost clause.
    fn clause(&mut self, formula: TermId, is_positive: bool) -> Option<()> {
        match (self.terms.node(formula), is_positive) {
            (Node::Not(part), _) => self.clause(part, !is_positive),
            (Node::Or(_), true) | (Node::And(_), false) => {
                let parts: Vec<TermId> = self.terms.children(formula).collect();
                parts.into_iter().try_for_each(|part| self.clause(part, is_positive))
            }
            (Node::Implies(a, b), true) => {
                self.clause(a, false)?;
                self.clause(b, true)
            }
            (Node::Forall(vars, body), true) | (Node::Exists(vars, body), false) => {
                self.bind(vars, Block::Outer)?;
                self.clause(body, is_positive)
            }
            (Node::Exists(vars, body), true) | (Node::Forall(vars, body), false) => {
                if self.blocks.values().any(|&block| block != Block::Outer) {
                    return None;
                }
                self.bind(vars, Block::Witness)?;
                self.matrix(body, is_positive)
            }
            _ => self.literal(formula),
        }
    }

    /// Reads what is said of witnesses.
    fn matrix(&mut self, formula: TermId, is_positive: bool) -> Option<()> {
        match (self.terms.node(formula), is_positive) {
            (Node::Not(part), _) => self.matrix(part, !is_positive),
            (Node::Forall(vars, body), true) | (Node::Exists(vars, body), false) => {
                self.bind(vars, Block::Inner)?;
                self.within(body, is_positive, false)
            }
            (Node::And(_), true) | (Node::Or(_), false) => {
                self.profile.is_cube = true;
                self.within(formula, is_positive, true)
            }
            _ => self.within(formula, is_positive, false),
        }
    }

    /// Reads the cube, or the clause, about witnesses.
    fn within(&mut self, formula: TermId, is_positive: bool, is_cube: bool) -> Option<()> {
        match (self.terms.node(formula), is_positive != is_cube) {
            (Node::Not(part), _) => self.within(part, !is_positive, is_cube),
            (Node::Or(_), true) | (Node::And(_), false) => {
                let parts: Vec<TermId> = self.terms.children(formula).collect();
                parts.into_iter().try_for_each(|part| self.within(part, is_positive, is_cube))
            }
            (Node::Implies(a, b), true) => {
                self.within(a, !is_positive, is_cube)?;
                self.within(b, is_positive, is_cube)
            }
            _ => self.literal(formula),
        }
    }

    fn literal(&mut self, atom: TermId) -> Option<()> {
        let terms = self.terms;
        let (parts, is_equation): (Vec<TermId>, bool) = match terms.node(atom) {
            Node::App { args, .. } => (terms.args(args).to_vec(), false),
            Node::Eq(a, b) => (vec![a, b], true),
            Node::Distinct(args) if args.len() == 2 => (terms.args(args).to_vec(), true),
            _ => return None,
        };
        let vars = self.variables(atom);
        let blocks: Option<Vec<Block>> = vars.iter().map(|var| self.blocks.get(var).copied()).collect();
        let is_inside = blocks?.into_iter().any(|block| block != Block::Outer);
        // An equation has a variable on one side, and so has what is said of a cut.
        let is_part = |&part: &TermId| match terms.node(part) {
            Node::App { sym, .. } => is_equation || (self.is_replaced)(sym),
            _ => false,
        };
        let own = parts.iter().copied().find(is_part);
        for part in parts {
            match terms.node(part) {
                Node::Var(_) => {}
                Node::App { args, .. } if own == Some(part) => {
                    let args = terms.args(args).to_vec();
                    args.into_iter().try_for_each(|arg| self.value(arg, is_inside))?;
                }
                _ => self.value(part, is_inside)?,
            }
        }
        if is_inside {
            self.profile.inside += 1;
            let outer = vars.iter().copied().filter(|var| self.blocks.get(var) == Some(&Block::Outer));
            self.bound.extend(outer);
        } else {
            self.profile.outside += 1;
        }
        self.used.extend(vars);
        Some(())
    }

    /// Counts a term that is no variable as one, with the literal that says which.
    fn value(&mut self, term: TermId, is_inside: bool) -> Option<()> {
        let Node::App { args, .. } = self.terms.node(term) else {
            return self.terms.as_var(term).map(drop);
        };
        if self.variables(term).iter().any(|var| self.blocks.get(var) != Some(&Block::Outer)) {
            return None;
        }
        if self.has_free_terms && self.is_free(term) {
            return Some(());
        }
        let sort: SortId = self.terms.sort(term);
        if is_inside {
            self.profile.bound[sort.index()] = self.profile.bound[sort.index()].max(1);
        }
        if self.values.contains(&term) {
            return Some(());
        }
        self.values.push(term);
        self.profile.outer[sort.index()] += 1;
        self.profile.outside += 1;
        let args = self.terms.args(args).to_vec();
        args.into_iter().try_for_each(|arg| self.value(arg, false))
    }

    /// Checks whether a term is a constant for what an axiom says exists, or the value of a function of one.
    fn is_free(&self, term: TermId) -> bool {
        let is_constant = |term: TermId| match self.terms.node(term) {
            Node::App { sym, args, .. } => {
                args.is_empty() && self.system.sig.symbols[sym].origin == SymbolOrigin::Witness
            }
            _ => false,
        };
        match self.terms.node(term) {
            Node::App { args, .. } => match *self.terms.args(args) {
                [] => is_constant(term),
                [argument] => is_constant(argument),
                _ => false,
            },
            _ => false,
        }
    }

    fn variables(&self, term: TermId) -> Set<VarId> {
        let (mut found, mut open) = (Set::default(), vec![term]);
        while let Some(next) = open.pop() {
            match self.terms.as_var(next) {
                Some(var) => drop(found.insert(var)),
                None => open.extend(self.terms.children(next).filter(|&it| self.terms.has_vars(it))),
            }
        }
        found
    }
}
