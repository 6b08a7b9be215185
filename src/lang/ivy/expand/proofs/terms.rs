//! Terms and formulas of proofs, with their sorts: substitution without capture, and equality up to the names of bound variables.

use std::sync::Arc;

use crate::ivy::ast::Expr;
use crate::program::ast::BinaryOp;
use ramsey_core::base::hash::{Map, Set};

/// The name of a sort.
pub(super) type Sort = Arc<str>;

/// Maximum number of nodes of a term.
const MAX_NODES: usize = 1_000_000;

/// Maximum height of a term.
const MAX_HEIGHT: u32 = 500;

/// The sort of formulas.
pub(super) const BOOL: &str = "bool";

/// An operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    True,
    False,
    Not,
    And,
    Or,
    Implies,
    Iff,
    Equal,
    /// `if` with a condition and two values.
    If,
    /// A relation of each sort, as `<`.
    Order(BinaryOp),
    /// A function of each sort, as `+`.
    Number(BinaryOp),
}

/// A term or formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Term {
    /// A variable, free or bound.
    Var(Arc<str>, Sort),
    /// A symbol or numeral with its arguments and the sort of its value.
    App(Arc<str>, Vec<Term>, Sort),
    /// An operator with two operands at most, but for [`Op::If`].
    Op(Op, Vec<Term>),
    /// A quantifier with one variable.
    Bind { universal: bool, var: Arc<str>, sort: Sort, body: Box<Term> },
}

/// What a symbol stands for: a term with variables for the arguments.
#[derive(Clone, Debug)]
pub(super) struct Lambda {
    pub(super) params: Vec<(Arc<str>, Sort)>,
    pub(super) body: Term,
}

/// What sorts, symbols and free variables stand for, at the same time.
#[derive(Clone, Default, Debug)]
pub(super) struct Subst {
    pub(super) sorts: Map<Sort, Sort>,
    pub(super) symbols: Map<Arc<str>, Lambda>,
    pub(super) vars: Map<Arc<str>, Term>,
}

impl Term {
    /// Returns a formula with one or two operands.
    pub(super) fn op(op: Op, args: impl Into<Vec<Term>>) -> Term {
        Term::Op(op, args.into())
    }

    /// Returns the sort.
    pub(super) fn sort(&self) -> Sort {
        match self {
            Term::Var(_, sort) | Term::App(_, _, sort) => sort.clone(),
            Term::Op(Op::Number(_), args) => args.first().map_or_else(|| BOOL.into(), Term::sort),
            Term::Op(Op::If, args) => args.get(1).map_or_else(|| BOOL.into(), Term::sort),
            Term::Op(..) | Term::Bind { .. } => BOOL.into(),
        }
    }

    /// Calls `visit` with the parts of which the term consists.
    pub(super) fn for_each_child<'t>(&'t self, mut visit: impl FnMut(&'t Term)) {
        match self {
            Term::Var(..) => {}
            Term::App(_, args, _) | Term::Op(_, args) => args.iter().for_each(visit),
            Term::Bind { body, .. } => visit(body),
        }
    }

    /// Returns the number of nodes, and the height.
    pub(super) fn size(&self) -> (usize, u32) {
        let (mut nodes, mut height) = (1, 0);
        self.for_each_child(|child| {
            let (more, below) = child.size();
            nodes += more;
            height = height.max(below);
        });
        (nodes, height + 1)
    }

    /// Adds the free variables in the order of their first occurrences.
    pub(super) fn add_free(&self, found: &mut Vec<(Arc<str>, Sort)>) {
        self.free_outside(&mut Vec::new(), found);
    }

    /// Returns the free variables.
    pub(super) fn free(&self) -> Vec<(Arc<str>, Sort)> {
        let mut found = Vec::new();
        self.add_free(&mut found);
        found
    }

    fn free_outside<'t>(&'t self, bound: &mut Vec<&'t Arc<str>>, found: &mut Vec<(Arc<str>, Sort)>) {
        match self {
            Term::Var(name, sort) => {
                if !bound.contains(&name) && !found.iter().any(|(known, _)| known == name) {
                    found.push((name.clone(), sort.clone()));
                }
            }
            Term::Bind { var, body, .. } => {
                bound.push(var);
                body.free_outside(bound, found);
                bound.pop();
            }
            _ => self.for_each_child(|child| child.free_outside(bound, found)),
        }
    }

    /// Adds the symbols.
    pub(super) fn add_symbols(&self, found: &mut Set<Arc<str>>) {
        match self {
            Term::App(name, ..) => _ = found.insert(name.clone()),
            Term::Op(Op::Order(_), _) => _ = found.insert(BinaryOp::Less.text().into()),
            _ => {}
        }
        self.for_each_child(|child| child.add_symbols(found));
    }

    /// Adds the equality and the order of each type whose variables are sides of these.
    pub(super) fn add_equated(&self, found: &mut Set<Arc<str>>) {
        if let Term::Op(op @ (Op::Equal | Op::Order(_)), sides) = self {
            // What is not greater may be equal.
            let is_strict = matches!(op, Op::Order(BinaryOp::Less | BinaryOp::Greater));
            for side in sides {
                if let Term::Var(_, sort) = side {
                    found.extend((!is_strict).then(|| BinaryOp::Equal.on(sort)));
                    found.extend((*op != Op::Equal).then(|| BinaryOp::Less.on(sort)));
                }
            }
        }
        self.for_each_child(|child| child.add_equated(found));
    }

    /// Returns whether two terms are equal up to the names of bound variables.
    pub(super) fn is_same(&self, other: &Term) -> bool {
        same(self, other, &mut Vec::new())
    }

    /// Returns the formula with a quantifier for each of these variables.
    pub(super) fn closed(self, universal: bool, vars: impl IntoIterator<Item = (Arc<str>, Sort)>) -> Term {
        let vars: Vec<(Arc<str>, Sort)> = vars.into_iter().collect();
        vars.into_iter().rev().fold(self, |body, (var, sort)| Term::Bind {
            universal,
            var,
            sort,
            body: Box::new(body),
        })
    }
}

fn same<'t>(left: &'t Term, right: &'t Term, bound: &mut Vec<(&'t Arc<str>, &'t Arc<str>)>) -> bool {
    match (left, right) {
        (Term::Var(a, of_a), Term::Var(b, of_b)) => {
            let at_a = bound.iter().rposition(|(known, _)| *known == a);
            let at_b = bound.iter().rposition(|(_, known)| *known == b);
            of_a == of_b
                && match (at_a, at_b) {
                    (None, None) => a == b,
                    (at_a, at_b) => at_a == at_b,
                }
        }
        (Term::App(a, left, of_a), Term::App(b, right, of_b)) => {
            a == b
                && of_a == of_b
                && left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| same(left, right, bound))
        }
        (Term::Op(a, left), Term::Op(b, right)) => {
            a == b
                && left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| same(left, right, bound))
        }
        (
            Term::Bind { universal: a, var: x, sort: of_x, body: left },
            Term::Bind { universal: b, var: y, sort: of_y, body: right },
        ) => {
            if a != b || of_x != of_y {
                return false;
            }
            bound.push((x, y));
            let is_same = same(left, right, bound);
            bound.pop();
            is_same
        }
        _ => false,
    }
}

/// Returns a variant of a name that is not taken.
pub(super) fn fresh(name: &str, is_taken: impl Fn(&str) -> bool) -> Arc<str> {
    let mut new = name.to_owned();
    while is_taken(&new) {
        new.push('_');
    }
    new.into()
}

impl Subst {
    /// Returns that one variable stands for a term.
    pub(super) fn of_var(name: Arc<str>, term: Term) -> Subst {
        let mut subst = Subst::default();
        subst.vars.insert(name, term);
        subst
    }

    /// Returns whether a symbol occurs in what symbols and variables stand for.
    pub(super) fn mentions(&self, symbol: &str) -> bool {
        let mut found = Set::default();
        self.symbols.values().for_each(|lambda| lambda.body.add_symbols(&mut found));
        self.vars.values().for_each(|term| term.add_symbols(&mut found));
        found.contains(symbol)
    }

    /// Returns the sort that a sort stands for.
    pub(super) fn sort(&self, sort: &Sort) -> Sort {
        self.sorts.get(sort).cloned().unwrap_or_else(|| sort.clone())
    }

    /// Returns the names of the variables that occur in what symbols and variables stand for.
    pub(super) fn avoided(&self) -> Set<Arc<str>> {
        let mut found: Vec<(Arc<str>, Sort)> = Vec::new();
        for lambda in self.symbols.values() {
            let free = lambda.body.free();
            found.extend(free.into_iter().filter(|(name, _)| !lambda.params.iter().any(|it| it.0 == *name)));
        }
        self.vars.values().for_each(|term| term.add_free(&mut found));
        found.into_iter().map(|(name, _)| name).collect()
    }

    /// Returns whether a term with what is substituted is not too large.
    pub(super) fn fits(&self, term: &Term) -> bool {
        let (nodes, height) = self.measure(term, &Map::default());
        nodes < MAX_NODES && height <= MAX_HEIGHT
    }

    /// Returns the number of nodes and the height of a term with what is substituted, and with terms of known sizes for variables.
    fn measure(&self, term: &Term, sizes: &Map<&str, (usize, u32)>) -> (usize, u32) {
        match term {
            Term::Var(name, _) => {
                let known = sizes.get(&**name).copied();
                known.or_else(|| self.vars.get(name).map(Term::size)).unwrap_or((1, 1))
            }
            Term::App(name, args, _) if self.symbols.contains_key(name) => {
                let args: Vec<(usize, u32)> = args.iter().map(|arg| self.measure(arg, sizes)).collect();
                let Some(lambda) = self.symbols.get(name) else { return (1, 1) };
                let sizes = lambda.params.iter().map(|(param, _)| &**param).zip(args).collect();
                Subst::default().measure(&lambda.body, &sizes)
            }
            _ => {
                let (mut nodes, mut height) = (1_usize, 0);
                term.for_each_child(|child| {
                    let (more, below) = self.measure(child, sizes);
                    nodes = nodes.saturating_add(more);
                    height = height.max(below);
                });
                (nodes, height.saturating_add(1))
            }
        }
    }

    /// Returns the term with what is substituted. Bound variables that would capture others get new names.
    pub(super) fn apply(&self, term: &Term) -> Term {
        self.within(term, &self.avoided(), &mut Vec::new())
    }

    fn within(&self, term: &Term, avoided: &Set<Arc<str>>, bound: &mut Vec<(Arc<str>, Arc<str>)>) -> Term {
        match term {
            Term::Var(name, sort) => {
                let here = bound.iter().rev().find(|(old, _)| old == name);
                match (here, self.vars.get(name)) {
                    (Some((_, new)), _) => Term::Var(new.clone(), self.sort(sort)),
                    (None, Some(term)) => term.clone(),
                    (None, None) => Term::Var(name.clone(), self.sort(sort)),
                }
            }
            Term::App(name, args, sort) => {
                let args: Vec<Term> = args.iter().map(|arg| self.within(arg, avoided, bound)).collect();
                match self.symbols.get(name) {
                    Some(lambda) if lambda.params.len() == args.len() => lambda.applied(args),
                    _ => Term::App(name.clone(), args, self.sort(sort)),
                }
            }
            Term::Op(op, args) => {
                Term::Op(*op, args.iter().map(|arg| self.within(arg, avoided, bound)).collect())
            }
            Term::Bind { universal, var, sort, body } => {
                let in_body: Vec<(Arc<str>, Sort)> = body.free();
                let is_taken = |name: &str| {
                    avoided.contains(name)
                        || self.vars.contains_key(name)
                        || bound.iter().any(|(_, new)| **new == *name)
                        || *name != **var && in_body.iter().any(|(known, _)| **known == *name)
                };
                let new = fresh(var, is_taken);
                bound.push((var.clone(), new.clone()));
                let body = Box::new(self.within(body, avoided, bound));
                bound.pop();
                Term::Bind { universal: *universal, var: new, sort: self.sort(sort), body }
            }
        }
    }
}

impl Lambda {
    /// Returns the term for these arguments.
    pub(super) fn applied(&self, args: Vec<Term>) -> Term {
        let mut subst = Subst::default();
        for ((param, _), arg) in self.params.iter().zip(args) {
            subst.vars.insert(param.clone(), arg);
        }
        subst.apply(&self.body)
    }
}

/// An expression of the flat program that could not be read as a term, which has been reported.
pub(super) struct Failed;

/// What reading an expression gives.
pub(super) type Read<T> = Result<T, Failed>;

/// Returns the operator of a formula or term with two operands.
pub(super) fn operator(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Iff => Op::Iff,
        BinaryOp::Implies => Op::Implies,
        BinaryOp::Equal | BinaryOp::NotEqual => Op::Equal,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => Op::Order(op),
        BinaryOp::Plus | BinaryOp::Minus | BinaryOp::Times | BinaryOp::Divide => Op::Number(op),
        // It relates values of different sorts, which is refused where sides of operators are read.
        BinaryOp::PointsTo => Op::Order(op),
    }
}

/// Returns whether an expression is the name of something, without arguments.
pub(super) fn as_name(expr: &Expr) -> Option<&crate::ivy::ast::Ident> {
    match &expr.kind {
        crate::ivy::ast::ExprKind::Ref { name, args: None, .. } => Some(name),
        _ => None,
    }
}
