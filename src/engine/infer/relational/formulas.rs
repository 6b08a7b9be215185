//! Formulas of a system in its relational form.

use super::cut::Table;
use crate::infer::choices::replace;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, Signature, SortId, SymId, SyntaxMut, TermId, Terms};

/// Maximum number of terms of all translations. Conditions of terms are copied to both sides of what they decide.
const MOST: usize = 200_000;

/// Where a formula stands in one that is asserted.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    /// Whether it is asserted, and not its negation.
    is_positive: bool,
    /// Whether it is below a quantifier that is universal there.
    is_below_universal: bool,
}

impl Place {
    fn negated(self) -> Place {
        Place { is_positive: !self.is_positive, ..self }
    }

    /// Returns the place of the body of a quantifier.
    fn below(self, is_forall: bool) -> Place {
        let is_universal = is_forall == self.is_positive;
        Place { is_below_universal: self.is_below_universal || is_universal, ..self }
    }
}

/// Translates formulas to those that are true in the relational forms of the same structures.
///
/// The value of a function that is no side of a comparison gets a variable of its own: there is such a value, or all such
/// values, which is the same in relational forms of structures. It is universal below universal quantifiers, so that the
/// translation has no more edges between sorts.
pub(super) struct Encoder<'a> {
    tables: &'a Map<SymId, Table>,
    /// Whether a term mentions one of the functions.
    mentions: Map<TermId, bool>,
    /// The number of terms beyond which nothing is translated any more.
    limit: usize,
}

impl Encoder<'_> {
    /// Creates a translator of formulas among these terms.
    pub(super) fn new<'a>(tables: &'a Map<SymId, Table>, terms: &Terms) -> Encoder<'a> {
        Encoder { tables, mentions: Map::default(), limit: terms.len() + MOST }
    }

    /// Checks whether formulas have become too large, so that some were not translated.
    pub(super) fn is_exhausted(&self, terms: &Terms) -> bool {
        terms.len() > self.limit
    }

    /// Translates a formula that is asserted, or claimed.
    pub(super) fn asserted(&mut self, syntax: SyntaxMut<'_>, formula: TermId) -> TermId {
        let place = Place { is_positive: true, is_below_universal: false };
        self.formula(syntax, formula, place)
    }

    /// Translates a formula with free variables for all values of these.
    pub(super) fn for_all(&mut self, syntax: SyntaxMut<'_>, formula: TermId) -> TermId {
        let place = Place { is_positive: true, is_below_universal: true };
        self.formula(syntax, formula, place)
    }

    /// Checks whether a term mentions one of the functions.
    pub(super) fn is_concerned(&mut self, terms: &Terms, term: TermId) -> bool {
        if let Some(&known) = self.mentions.get(&term) {
            return known;
        }
        let is_function = |sym: SymId| self.tables.contains_key(&sym);
        let is_own = matches!(terms.node(term), Node::App { sym, .. } if is_function(sym));
        let children: Vec<TermId> = terms.children(term).collect();
        let is_concerned = is_own || children.into_iter().any(|child| self.is_concerned(terms, child));
        self.mentions.insert(term, is_concerned);
        is_concerned
    }

    fn formula(&mut self, syntax: SyntaxMut<'_>, formula: TermId, place: Place) -> TermId {
        let SyntaxMut { sig, terms } = syntax;
        if !self.is_concerned(terms, formula) || self.is_exhausted(terms) {
            return formula;
        }
        let part = |it: &mut Self, terms: &mut Terms, part: TermId, place: Place| {
            it.formula(terms.over_mut(sig), part, place)
        };
        match terms.node(formula) {
            Node::Not(a) => {
                let a = part(self, terms, a, place.negated());
                terms.not(a)
            }
            Node::And(_) | Node::Or(_) => {
                let parts: Vec<TermId> = terms.children(formula).collect();
                let parts: Vec<TermId> = parts.into_iter().map(|it| part(self, terms, it, place)).collect();
                terms.rebuild(formula, &parts)
            }
            Node::Implies(a, b) => {
                let (a, b) = (part(self, terms, a, place.negated()), part(self, terms, b, place));
                terms.implies(a, b)
            }
            Node::Iff(a, b) => {
                let [(a, not_a), (b, not_b)] =
                    [a, b].map(|it| (part(self, terms, it, place), part(self, terms, it, place.negated())));
                if (a, b) == (not_a, not_b) {
                    return terms.iff(a, b);
                }
                let (forth, back) = (terms.implies(not_a, b), terms.implies(not_b, a));
                terms.and(&[forth, back])
            }
            Node::Ite(condition, a, b) => {
                let holds = part(self, terms, condition, place);
                let assumed = part(self, terms, condition, place.negated());
                let (a, b) = (part(self, terms, a, place), part(self, terms, b, place));
                if holds == assumed {
                    return terms.ite(holds, a, b);
                }
                let (then, otherwise) = (terms.implies(assumed, a), terms.or(&[holds, b]));
                terms.and(&[then, otherwise])
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let is_forall = matches!(terms.node(formula), Node::Forall(..));
                let mut children: Vec<TermId> = terms
                    .bound_vars(vars)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .map(|var| terms.var(var))
                    .collect();
                children.push(part(self, terms, body, place.below(is_forall)));
                terms.rebuild(formula, &children)
            }
            Node::Distinct(args) => {
                let args = terms.args(args).to_vec();
                let mut pairs = Vec::new();
                for (at, &a) in args.iter().enumerate() {
                    for &b in &args[at + 1..] {
                        let same = terms.eq(a, b);
                        pairs.push(terms.not(same));
                    }
                }
                let all = terms.and(&pairs);
                part(self, terms, all, place)
            }
            Node::App { .. } | Node::Eq(..) | Node::True | Node::False | Node::Var(_) => {
                self.atom(terms.over_mut(sig), formula, place)
            }
        }
    }

    /// Translates an atom that mentions a function.
    fn atom(&mut self, syntax: SyntaxMut<'_>, atom: TermId, place: Place) -> TermId {
        let SyntaxMut { sig, terms } = syntax;
        if let Some(choice) = choice(terms, atom)
            && let Node::Ite(condition, a, b) = terms.node(choice)
        {
            let [a, b] = [a, b].map(|value| replace(terms, atom, choice, value, &mut Map::default()));
            let either = terms.ite(condition, a, b);
            return self.formula(terms.over_mut(sig), either, place);
        }
        if let Some(compared) = self.comparison(sig, terms, atom) {
            return compared;
        }
        let Some((application, table)) = self.innermost(terms, atom) else { return atom };
        let Node::App { step, args, .. } = terms.node(application) else { return atom };
        let value = terms.new_var("X", terms.sort(application));
        let value_term = terms.var(value);
        let mut places = terms.args(args).to_vec();
        places.push(value_term);
        let has_value = table.has_value(terms.over_mut(sig), step, &places);
        let said = replace(terms, atom, application, value_term, &mut Map::default());
        let said = self.formula(terms.over_mut(sig), said, place);
        if place.is_positive == place.is_below_universal {
            let said = terms.implies(has_value, said);
            terms.forall(&[value], said)
        } else {
            let said = terms.and(&[has_value, said]);
            terms.exists(&[value], said)
        }
    }

    /// Translates an atom that compares a value of a function with a term without functions.
    fn comparison(&mut self, sig: &Signature, terms: &mut Terms, atom: TermId) -> Option<TermId> {
        let (compared, [a, b]) = match terms.node(atom) {
            Node::Eq(a, b) => (None, [a, b]),
            Node::App { sym, args, .. } => match *terms.args(args) {
                [a, b] => (Some(sym), [a, b]),
                _ => return None,
            },
            _ => return None,
        };
        for (side, other, is_left) in [(a, b, true), (b, a, false)] {
            let Some((function, step, mut places)) = self.application(terms, side) else { continue };
            let table = self.tables[&function];
            if self.is_concerned(terms, other) {
                continue;
            }
            places.push(other);
            let Some(compared) = compared else {
                return Some(table.has_value(terms.over_mut(sig), step, &places));
            };
            let Table::Cut { order, reaches, exceeds, .. } = table else { continue };
            if order.sym != compared {
                continue;
            }
            return Some(match (order.is_strict, is_left) {
                (false, false) => terms.app(sig, reaches, step, &places),
                (true, false) => terms.app(sig, exceeds, step, &places),
                (false, true) => {
                    let exceeded = terms.app(sig, exceeds, step, &places);
                    terms.not(exceeded)
                }
                (true, true) => {
                    let reached = terms.app(sig, reaches, step, &places);
                    terms.not(reached)
                }
            });
        }
        None
    }

    /// Returns the function, the step and the arguments of a term that is the value of a function for terms without
    /// functions.
    fn application(&mut self, terms: &Terms, term: TermId) -> Option<(SymId, u16, Vec<TermId>)> {
        let Node::App { sym, step, args } = terms.node(term) else { return None };
        let args = terms.args(args).to_vec();
        let is_plain =
            self.tables.contains_key(&sym) && !args.iter().any(|&arg| self.is_concerned(terms, arg));
        is_plain.then_some((sym, step, args))
    }

    /// Returns a value of a function for terms without functions that occurs in an atom.
    fn innermost(&mut self, terms: &Terms, term: TermId) -> Option<(TermId, Table)> {
        if let Some((function, ..)) = self.application(terms, term) {
            return Some((term, self.tables[&function]));
        }
        let children: Vec<TermId> = terms.children(term).collect();
        children.into_iter().find_map(|child| self.innermost(terms, child))
    }
}

/// Returns a term with a condition that occurs in an atom.
fn choice(terms: &Terms, term: TermId) -> Option<TermId> {
    let is_choice = matches!(terms.node(term), Node::Ite(..)) && terms.sort(term) != SortId::BOOL;
    if is_choice {
        return Some(term);
    }
    terms.children(term).find_map(|child| choice(terms, child))
}
