//! Formulas as claims that searches evaluate fast.

use super::reduce::Reduce;
use crate::infer::claim::Claim;
use crate::infer::exists::Alternation;
use crate::infer::state::{Atom, Literal, Pattern, Vocabulary};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Args, Node, TermId, Terms, VarId};

/// Maximum number of variables of a claim.
const MAX_VARIABLES: usize = 12;
/// Maximum number of literals.
const MAX_LITERALS: usize = 12;

/// Returns a formula as claims about relations alone: one for each conjunct that is of the form `forall .. C | exists .. forall .. D`, where C
/// is a clause, and D a clause or, without inner variables, a cube. Others are left out.
pub(in crate::infer) fn claims(vocabulary: &Vocabulary, formula: TermId, terms: &mut Terms) -> Vec<Claim> {
    let normal = Reduce::new(terms, &|_| None).of(formula, true);
    let parts = terms.conjuncts(normal);
    parts.into_iter().filter_map(|part| Reader::new(vocabulary, terms).claim(part)).collect()
}

struct Reader<'a> {
    vocabulary: &'a Vocabulary,
    terms: &'a Terms,
    /// By block: outer variables, witnesses, inner ones.
    blocks: [Vec<VarId>; 3],
    clause: Vec<TermId>,
    cube: Vec<TermId>,
}

impl<'a> Reader<'a> {
    fn new(vocabulary: &'a Vocabulary, terms: &'a Terms) -> Reader<'a> {
        Reader { vocabulary, terms, blocks: Default::default(), clause: Vec::new(), cube: Vec::new() }
    }

    fn claim(mut self, formula: TermId) -> Option<Claim> {
        self.read(formula, 0)?;
        let Reader { terms, blocks, clause, cube, .. } = &self;
        let vars: Vec<VarId> = blocks.concat();
        if vars.len() > MAX_VARIABLES || clause.len() + cube.len() > MAX_LITERALS {
            return None;
        }
        let places: Map<VarId, u8> = vars.iter().enumerate().map(|(at, &var)| (var, at as u8)).collect();
        if places.len() < vars.len() {
            return None;
        }
        let sorts = vars.iter().map(|&var| terms.var_info(var).sort).collect();
        let literals = |of: &[TermId]| -> Option<Vec<Literal>> {
            of.iter().map(|&it| self.literal(it, &places)).collect()
        };
        let (clause, cube) = (literals(clause)?, literals(cube)?);
        if blocks[1].is_empty() && cube.is_empty() {
            let negated = |it: Literal| Literal { positive: !it.positive, ..it };
            let literals = clause.into_iter().map(negated).collect();
            return Some(Claim::Excludes(Pattern { sorts, literals }.normalized()));
        }
        let (outer, witnesses) = (blocks[0].len(), blocks[1].len());
        let alternation = Alternation { sorts, outer, witnesses, clause, cube }.normalized();
        (alternation.witnesses > 0).then_some(Claim::Alternates(alternation))
    }

    fn bind(&mut self, vars: Args, block: usize) {
        let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
        self.blocks[block].extend(vars);
    }

    /// Reads a part of the matrix, whose variables are of a block.
    fn read(&mut self, formula: TermId, block: usize) -> Option<()> {
        match self.terms.node(formula) {
            Node::Or(args) => {
                let args: Vec<TermId> = self.terms.args(args).to_vec();
                args.into_iter().try_for_each(|it| self.read(it, block))
            }
            Node::Forall(vars, body) if block == 0 => {
                self.bind(vars, 0);
                self.read(body, 0)
            }
            Node::Exists(vars, body) if block == 0 && self.blocks[1].is_empty() => {
                self.bind(vars, 1);
                self.read(body, 1)
            }
            Node::Forall(vars, body) if block == 1 && self.cube.is_empty() && self.blocks[2].is_empty() => {
                self.bind(vars, 2);
                self.read(body, 2)
            }
            Node::And(args) if block > 0 && self.blocks[2].is_empty() && self.cube.is_empty() => {
                self.cube = self.terms.args(args).to_vec();
                Some(())
            }
            Node::Not(_) | Node::App { .. } | Node::Eq(..) => {
                self.clause.push(formula);
                Some(())
            }
            _ => None,
        }
    }

    fn literal(&self, literal: TermId, places: &Map<VarId, u8>) -> Option<Literal> {
        let (atom, positive) = match self.terms.node(literal) {
            Node::Not(atom) => (atom, false),
            _ => (literal, true),
        };
        let place = |term: TermId| places.get(&self.terms.as_var(term)?).copied();
        let atom = match self.terms.node(atom) {
            Node::App { sym, args, .. } => {
                let symbol = self.vocabulary.symbols.iter().position(|it| it.sym == sym)?;
                if self.vocabulary.symbols[symbol].result.is_some() {
                    return None;
                }
                let args: Option<Vec<u8>> = self.terms.args(args).iter().map(|&arg| place(arg)).collect();
                Atom::Relation(symbol, args?)
            }
            Node::Eq(a, b) => {
                let (a, b) = (place(a)?, place(b)?);
                Atom::Equal(a.min(b), a.max(b))
            }
            _ => return None,
        };
        Some(Literal { atom, positive })
    }
}
