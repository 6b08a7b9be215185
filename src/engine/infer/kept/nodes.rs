//! Formulas as numbered lines, one for each node, so that what occurs often stands there once.

use std::fmt::Write as _;

use crate::cache::structures::numbers;
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Node, Signature, SortId, TermId, Terms, VarId};
use ramsey_solver::formulas::variable_name;

/// Maximum size of a formula that is read, as a tree.
const MAX_SIZE: u32 = 20_000;
/// Maximum number of variables of a formula that is read. Searches number them in a byte.
const MAX_VARIABLES: usize = 256;
/// Maximum depth of a formula that is read.
const MAX_DEPTH: usize = 200;

/// Lines of nodes. Whatever a node refers to has a line before it.
pub(super) struct Nodes<'a> {
    terms: &'a Terms,
    pub(super) text: String,
    numbers: Map<TermId, u32>,
    vars: Map<VarId, u32>,
    pub(super) count: u32,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(terms: &'a Terms) -> Nodes<'a> {
        Nodes { terms, text: String::new(), numbers: Map::default(), vars: Map::default(), count: 0 }
    }

    fn line(&mut self, word: &str, numbers: impl IntoIterator<Item = u32>) -> u32 {
        self.text.push_str(word);
        numbers.into_iter().for_each(|number| {
            let _ = write!(self.text, " {number}");
        });
        self.text.push('\n');
        self.count += 1;
        self.count - 1
    }

    /// Returns the number of a variable, which gets a line if it has none.
    pub(super) fn var(&mut self, var: VarId) -> u32 {
        if let Some(&number) = self.vars.get(&var) {
            return number;
        }
        let number = self.line("var", [self.terms.var_info(var).sort.index() as u32]);
        self.vars.insert(var, number);
        number
    }

    /// Returns the number of a term, which gets a line if it has none.
    pub(super) fn term(&mut self, term: TermId) -> u32 {
        if let Some(&number) = self.numbers.get(&term) {
            return number;
        }
        let terms = self.terms;
        let number = match terms.node(term) {
            Node::Var(var) => self.var(var),
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let mut parts: Vec<u32> = terms.bound_vars(vars).map(|var| self.var(var)).collect();
                parts.push(self.term(body));
                let is_forall = matches!(terms.node(term), Node::Forall(..));
                self.line(if is_forall { "forall" } else { "exists" }, parts)
            }
            node => {
                let parts: Vec<u32> = terms.children(term).map(|part| self.term(part)).collect();
                let (word, head) = match node {
                    Node::True => ("constant", vec![1]),
                    Node::False => ("constant", vec![0]),
                    Node::App { sym, step, .. } => ("apply", vec![sym.index() as u32, u32::from(step)]),
                    Node::Eq(..) => ("equal", vec![]),
                    Node::Distinct(_) => ("distinct", vec![]),
                    Node::Not(_) => ("not", vec![]),
                    Node::And(_) => ("and", vec![]),
                    Node::Or(_) => ("or", vec![]),
                    Node::Implies(..) => ("implies", vec![]),
                    Node::Iff(..) => ("iff", vec![]),
                    Node::Ite(..) | Node::Var(_) | Node::Forall(..) | Node::Exists(..) => ("if", vec![]),
                };
                self.line(word, head.into_iter().chain(parts))
            }
        };
        self.numbers.insert(term, number);
        number
    }
}

/// Reads a closed formula over step 0, which is the last of these nodes.
///
/// # Errors
/// The lines are none, or it is too large.
pub(super) fn formula<'l>(
    sig: &Signature,
    terms: &mut Terms,
    lines: impl Iterator<Item = (usize, &'l str)>,
) -> Result<TermId, String> {
    let mut reader = Reader { sig, terms, nodes: Vec::new(), sorts: Vec::new() };
    for (at, line) in lines {
        let read = numbers(line).and_then(|(word, numbers)| reader.node(word, &numbers));
        let term = read.map_err(|what| format!("line {at}: {what}"))?;
        reader.nodes.push(term);
    }
    let last = reader.nodes.last().copied().ok_or("a formula has no nodes")?;
    if terms.sort(last) != SortId::BOOL {
        return Err("a term stands for a formula".to_owned());
    }
    if !terms.free_vars(last).is_empty() {
        return Err("a formula has free variables".to_owned());
    }
    Ok(last)
}

struct Reader<'a> {
    sig: &'a Signature,
    terms: &'a mut Terms,
    nodes: Vec<TermId>,
    /// The sorts of the variables so far.
    sorts: Vec<SortId>,
}

impl Reader<'_> {
    /// Returns the node with this number, which has this sort.
    fn part(&self, number: u32, sort: SortId) -> Result<TermId, String> {
        let term = self.nodes.get(number as usize).copied().ok_or("no such node")?;
        if self.terms.sort(term) == sort { Ok(term) } else { Err("a term of another sort".to_owned()) }
    }

    fn formulas(&self, numbers: &[u32], least: usize) -> Result<Vec<TermId>, String> {
        if numbers.len() < least {
            return Err("too few parts".to_owned());
        }
        numbers.iter().map(|&number| self.part(number, SortId::BOOL)).collect()
    }

    /// Returns terms of one uninterpreted sort.
    fn equals(&self, numbers: &[u32]) -> Result<Vec<TermId>, String> {
        let first = self.nodes.get(numbers[0] as usize).copied().ok_or("no such node")?;
        let sort = self.terms.sort(first);
        if sort == SortId::BOOL {
            return Err("formulas where terms are expected".to_owned());
        }
        numbers.iter().map(|&number| self.part(number, sort)).collect()
    }

    fn node(&mut self, word: &str, numbers: &[u32]) -> Result<TermId, String> {
        let term = match (word, numbers) {
            ("var", _) if self.sorts.len() == MAX_VARIABLES => return Err("too many variables".to_owned()),
            ("var", &[sort]) => {
                let sort = self.sig.sorts.ids().nth(sort as usize);
                self.sorts.push(sort.ok_or("no such sort")?);
                // Searches name variables in the same way.
                let name = variable_name(self.sig, &self.sorts, self.sorts.len() - 1);
                let var = self.terms.new_var(name, self.sorts[self.sorts.len() - 1]);
                self.terms.var(var)
            }
            ("constant", [0]) => self.terms.fals(),
            ("constant", [1]) => self.terms.tru(),
            ("apply", [sym, 0, args @ ..]) => {
                let sym = self.sig.symbols.ids().nth(*sym as usize).ok_or("no such symbol")?;
                let symbol = &self.sig.symbols[sym];
                if symbol.args.len() != args.len() {
                    return Err("another number of arguments".to_owned());
                }
                let sorts = args.iter().zip(&symbol.args);
                let args: Result<Vec<TermId>, String> =
                    sorts.map(|(&arg, &sort)| self.part(arg, sort)).collect();
                self.terms.app(self.sig, sym, 0, &args?)
            }
            ("equal", [_, _]) => {
                let parts = self.equals(numbers)?;
                self.terms.eq(parts[0], parts[1])
            }
            ("distinct", [_, _, ..]) => {
                let parts = self.equals(numbers)?;
                self.terms.distinct(&parts)
            }
            ("not", [_]) => {
                let parts = self.formulas(numbers, 1)?;
                self.terms.not(parts[0])
            }
            ("and", _) => {
                let parts = self.formulas(numbers, 2)?;
                self.terms.and(&parts)
            }
            ("or", _) => {
                let parts = self.formulas(numbers, 2)?;
                self.terms.or(&parts)
            }
            ("implies", [_, _]) => {
                let parts = self.formulas(numbers, 2)?;
                self.terms.implies(parts[0], parts[1])
            }
            ("iff", [_, _]) => {
                let parts = self.formulas(numbers, 2)?;
                self.terms.iff(parts[0], parts[1])
            }
            ("if", &[condition, a, b]) => {
                let condition = self.part(condition, SortId::BOOL)?;
                let first = self.nodes.get(a as usize).copied().ok_or("no such node")?;
                let second = self.part(b, self.terms.sort(first))?;
                self.terms.ite(condition, first, second)
            }
            ("forall" | "exists", [vars @ .., body]) if !vars.is_empty() => {
                self.quantified(word, vars, *body)?
            }
            _ => return Err("an unknown kind of node".to_owned()),
        };
        if self.terms.tree_size(term) > MAX_SIZE || self.terms.depth(term) > MAX_DEPTH {
            return Err("a formula is too large".to_owned());
        }
        Ok(term)
    }

    fn quantified(&mut self, word: &str, vars: &[u32], body: u32) -> Result<TermId, String> {
        let body = self.part(body, SortId::BOOL)?;
        let inner = self.terms.bound_below(body);
        let mut bound: Vec<VarId> = Vec::new();
        for &number in vars {
            let term = self.nodes.get(number as usize).copied().ok_or("no such node")?;
            let var = self.terms.as_var(term).ok_or("a quantifier binds what is no variable")?;
            if bound.contains(&var) || inner.contains(&var) {
                return Err("a variable is bound twice".to_owned());
            }
            bound.push(var);
        }
        Ok(if word == "forall" { self.terms.forall(&bound, body) } else { self.terms.exists(&bound, body) })
    }
}
