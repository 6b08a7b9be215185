//! Random terms, compared with an independent evaluation. There are few names, so shadowing is frequent.

use super::Session;
use ramsey_core::base::hash::Set;
use ramsey_core::base::rng::Rng;
use ramsey_core::logic::{Evaluator, Node, Structure, TermId, Terms, VarId};

const NAMES: [&str; 2] = ["x", "y"];

/// A term of sort `Bool` or `S`.
#[derive(Clone, Debug)]
enum Tree {
    Name(usize),
    Constant(&'static str),
    Apply(&'static str, Vec<Tree>),
    Quantifier(bool, Vec<(usize, bool)>, Box<Tree>),
    Let(Vec<(usize, Tree)>, Box<Tree>),
    /// An application of a definition with parameters `x` (`Bool`) and `y` (`S`).
    Macro(usize, Vec<Tree>),
    /// The named term.
    Label(usize),
}

/// Interpretations of symbols over a universe of two elements.
struct Tables {
    bits: Vec<u32>,
}

impl Tables {
    fn value(&self, name: &str, args: &[u32]) -> u32 {
        let base = match name {
            "a" => 0,
            "q" => 1,
            "p" => 2,
            "f" => 4,
            "g" => 6,
            _ => 8,
        };
        self.bits[base + args.iter().fold(0, |index, &arg| 2 * index + arg as usize)]
    }

    /// Returns these interpretations for the signature of a session, in which names of formulas mean what is implicitly asserted.
    fn structure(&self, session: &Session) -> Structure {
        let sig = &session.sig;
        let mut structure = Structure::new(sig, 1);
        for sort in sig.uninterpreted_sorts() {
            structure.sizes[sort] = 2;
        }
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            for args in structure.tuples(&symbol.args) {
                let value = match symbol.name.as_str() {
                    "true@" => 1,
                    "false@" => 0,
                    name if name.starts_with('@') => 0,
                    name => self.value(name, &args),
                };
                structure.interpretation_mut(sig, sym, 0).set(&args, value);
            }
        }
        // A name comes behind those in its definition.
        for assertion in session.front.assertions().iter().filter(|it| it.implicit) {
            let definition = match session.terms.node(assertion.formula) {
                Node::Forall(_, body) => body,
                _ => assertion.formula,
            };
            let Node::Iff(name, part) = session.terms.node(definition) else { continue };
            let Node::App { sym, args, .. } = session.terms.node(name) else { continue };
            let vars: Vec<VarId> =
                session.terms.args(args).iter().flat_map(|&it| session.terms.free_vars(it)).collect();
            for args in structure.tuples(&sig.symbols[sym].args).collect::<Vec<_>>() {
                let mut eval = Evaluator::new(session.terms.over(sig), &structure);
                eval.env.extend(vars.iter().copied().zip(args.iter().copied()));
                let holds = eval.holds(part);
                structure.interpretation_mut(sig, sym, 0).set(&args, holds.into());
            }
        }
        structure
    }
}

struct Maker {
    rng: Rng,
    macros: Vec<Tree>,
    labels: Vec<Tree>,
    /// Names in scope, and whether they are of sort `Bool`.
    scope: Vec<(usize, bool)>,
}

impl Maker {
    fn names(&mut self, is_bool: bool) -> Vec<usize> {
        let sort_of = |name: usize| self.scope.iter().rev().find(|(known, _)| *known == name).map(|it| it.1);
        (0..NAMES.len()).filter(|&name| sort_of(name) == Some(is_bool)).collect()
    }

    fn list(&mut self, is_bool: bool, least: usize, depth: usize) -> Vec<Tree> {
        (0..least + self.rng.below(2)).map(|_| self.tree(is_bool, depth)).collect()
    }

    fn tree(&mut self, is_bool: bool, depth: usize) -> Tree {
        let names = self.names(is_bool);
        if depth == 0 || self.rng.one_in(8) {
            if !names.is_empty() && !self.rng.one_in(4) {
                return Tree::Name(names[self.rng.below(names.len())]);
            }
            return Tree::Constant(if is_bool { "q" } else { "a" });
        }
        let depth = depth - 1;
        if self.rng.one_in(5) {
            let condition = self.tree(true, depth);
            return Tree::Apply("ite", vec![condition, self.tree(is_bool, depth), self.tree(is_bool, depth)]);
        }
        if self.rng.one_in(4) {
            let mut bindings = Vec::new();
            for name in 0..NAMES.len() {
                if bindings.is_empty() || self.rng.one_in(2) {
                    let is_bool = self.rng.one_in(2);
                    bindings.push((name, self.tree(is_bool, depth), is_bool));
                }
            }
            let outside = self.scope.len();
            self.scope.extend(bindings.iter().map(|&(name, _, is_bool)| (name, is_bool)));
            let body = self.tree(is_bool, depth);
            self.scope.truncate(outside);
            return Tree::Let(
                bindings.into_iter().map(|(name, value, _)| (name, value)).collect(),
                Box::new(body),
            );
        }
        if !is_bool {
            return if self.rng.one_in(3) {
                Tree::Apply("g", vec![self.tree(true, depth)])
            } else {
                Tree::Apply("f", vec![self.tree(false, depth)])
            };
        }
        match self.rng.below(12) {
            0 => Tree::Apply("not", vec![self.tree(true, depth)]),
            1 => Tree::Apply("and", self.list(true, 2, depth)),
            2 => Tree::Apply("or", self.list(true, 2, depth)),
            3 => Tree::Apply("=>", self.list(true, 2, depth)),
            4 => Tree::Apply("xor", self.list(true, 2, depth)),
            5 => {
                let is_bool = self.rng.one_in(2);
                let name = if self.rng.one_in(2) { "=" } else { "distinct" };
                Tree::Apply(name, self.list(is_bool, 2, depth))
            }
            6 | 7 if !self.macros.is_empty() => {
                let index = self.rng.below(self.macros.len());
                Tree::Macro(index, vec![self.tree(true, depth), self.tree(false, depth)])
            }
            8 if !self.labels.is_empty() => Tree::Label(self.rng.below(self.labels.len())),
            9 | 10 => {
                let first = self.rng.below(2);
                let mut vars = vec![(first, self.rng.one_in(3))];
                if self.rng.one_in(3) {
                    vars.push((1 - first, self.rng.one_in(3)));
                }
                let outside = self.scope.len();
                self.scope.extend(&vars);
                let body = self.tree(true, depth);
                self.scope.truncate(outside);
                Tree::Quantifier(self.rng.one_in(2), vars, Box::new(body))
            }
            _ => Tree::Apply("p", vec![self.tree(false, depth)]),
        }
    }

    fn eval(&self, tables: &Tables, tree: &Tree, env: &mut Vec<(usize, u32)>) -> u32 {
        match tree {
            Tree::Name(name) => env.iter().rev().find(|(known, _)| known == name).map_or(0, |it| it.1),
            Tree::Constant(name) => tables.value(name, &[]),
            Tree::Label(index) => self.eval(tables, &self.labels[*index], &mut Vec::new()),
            Tree::Macro(index, args) => {
                let mut inner: Vec<(usize, u32)> =
                    args.iter().enumerate().map(|(name, arg)| (name, self.eval(tables, arg, env))).collect();
                self.eval(tables, &self.macros[*index], &mut inner)
            }
            Tree::Let(bindings, body) => {
                let values: Vec<(usize, u32)> =
                    bindings.iter().map(|(name, value)| (*name, self.eval(tables, value, env))).collect();
                let outside = env.len();
                env.extend(values);
                let value = self.eval(tables, body, env);
                env.truncate(outside);
                value
            }
            Tree::Quantifier(universal, vars, body) => {
                let mut values = (0..1u32 << vars.len()).map(|bits| {
                    let outside = env.len();
                    env.extend(vars.iter().enumerate().map(|(index, var)| (var.0, bits >> index & 1)));
                    let value = self.eval(tables, body, env);
                    env.truncate(outside);
                    value == 1
                });
                if *universal { values.all(|value| value) } else { values.any(|value| value) }.into()
            }
            Tree::Apply(name, args) => {
                let args: Vec<u32> = args.iter().map(|arg| self.eval(tables, arg, env)).collect();
                let different = |(index, a): (usize, &u32)| args[..index].iter().all(|b| a != b);
                let value = match *name {
                    "not" => args[0] == 0,
                    "and" => args.iter().all(|&arg| arg == 1),
                    "or" => args.contains(&1),
                    "=>" => {
                        args.iter().rev().skip(1).fold(args[args.len() - 1], |b, &a| u32::from(a <= b)) == 1
                    }
                    "xor" => args.iter().sum::<u32>() % 2 == 1,
                    "=" => args.windows(2).all(|pair| pair[0] == pair[1]),
                    "distinct" => args.iter().enumerate().all(different),
                    "ite" => return if args[0] == 1 { args[1] } else { args[2] },
                    _ => return tables.value(name, &args),
                };
                value.into()
            }
        }
    }
}

fn write(tree: &Tree, out: &mut String) {
    match tree {
        Tree::Name(name) => *out += NAMES[*name],
        Tree::Constant(name) => *out += name,
        Tree::Label(index) => *out += &format!("n{index}"),
        Tree::Apply(name, args) => write_all(name, args, out),
        Tree::Macro(index, args) => write_all(&format!("m{index}"), args, out),
        Tree::Let(bindings, body) => {
            *out += "(let (";
            for (name, value) in bindings {
                *out += &format!("({} ", NAMES[*name]);
                write(value, out);
                *out += ")";
            }
            *out += ") ";
            write(body, out);
            *out += ")";
        }
        Tree::Quantifier(universal, vars, body) => {
            *out += if *universal { "(forall (" } else { "(exists (" };
            for (name, is_bool) in vars {
                *out += &format!("({} {})", NAMES[*name], if *is_bool { "Bool" } else { "S" });
            }
            *out += ") ";
            write(body, out);
            *out += ")";
        }
    }
}

fn write_all(name: &str, args: &[Tree], out: &mut String) {
    *out += &format!("({name}");
    for arg in args {
        *out += " ";
        write(arg, out);
    }
    *out += ")";
}

fn text(tree: &Tree) -> String {
    let mut out = String::new();
    write(tree, &mut out);
    out
}

/// Checks that no variable is bound below a binder of the same variable.
fn check_binders(terms: &Terms, term: TermId, above: &mut Vec<VarId>, done: &mut Set<(TermId, Vec<VarId>)>) {
    if !done.insert((term, above.clone())) {
        return;
    }
    let outside = above.len();
    if let Node::Forall(vars, _) | Node::Exists(vars, _) = terms.node(term) {
        for var in terms.bound_vars(vars) {
            assert!(!above.contains(&var), "bound twice");
            above.push(var);
        }
    }
    for child in terms.children(term) {
        check_binders(terms, child, above, done);
    }
    above.truncate(outside);
}

#[test]
fn random_terms_evaluate_correctly() {
    let (mut held, mut failed) = (0, 0);
    for seed in 0..1_500 {
        let mut maker = Maker { rng: Rng::new(seed), macros: vec![], labels: vec![], scope: vec![] };
        let tables = Tables { bits: (0..8).map(|_| maker.rng.below(2) as u32).collect() };
        let mut session = Session::after(
            "(declare-sort S 0)(declare-const a S)(declare-const q Bool)(declare-fun p (S) Bool)
             (declare-fun f (S) S)(declare-fun g (Bool) S)",
        );
        let mut script = String::new();
        for index in 0..3 {
            maker.scope = vec![(0, true), (1, false)];
            let body = maker.tree(true, 3);
            script += &format!("(define-fun m{index} ((x Bool) (y S)) Bool {})", text(&body));
            maker.macros.push(body);
            maker.scope.clear();
            let label = maker.tree(true, 3);
            script += &format!("(assert (! {} :named n{index}))", text(&label));
            maker.labels.push(label);
        }
        let last: Vec<Tree> = (0..3).map(|_| maker.tree(true, 5)).collect();
        for tree in &last {
            script += &format!("(assert {})", text(tree));
        }
        session.run(&script);
        let formulas = session.asserted();
        let all: Vec<&Tree> = maker.labels.iter().chain(&last).collect();
        assert_eq!(formulas.len(), all.len());
        let expected: Vec<bool> =
            all.iter().map(|tree| maker.eval(&tables, tree, &mut Vec::new()) == 1).collect();
        let check = |session: &Session| {
            let structure = tables.structure(session);
            let mut eval = Evaluator::new(session.terms.over(&session.sig), &structure);
            for (formula, &expected) in session.asserted().into_iter().zip(&expected) {
                assert_eq!(eval.holds(formula), expected, "{script}\n{}", session.print(formula));
                check_binders(&session.terms, formula, &mut Vec::new(), &mut Set::default());
            }
        };
        check(&session);
        held += expected.iter().filter(|&&holds| holds).count();
        failed += expected.iter().filter(|&&holds| !holds).count();
        // Repetition creates no new terms.
        let size = format!("{:?}", session.terms.mark());
        for (tree, formula) in last.iter().zip(&formulas[3..]) {
            session.run(&format!("(assert {})", text(tree)));
            assert_eq!(session.asserted().last(), Some(formula), "{script}");
        }
        assert_eq!(size, format!("{:?}", session.terms.mark()), "{script}");
        session.front.compact(&mut session.sig, &mut session.terms);
        check(&session);
        session.run(&format!("(assert {})", text(&last[0])));
        let formulas = session.asserted();
        let structure = tables.structure(&session);
        let mut eval = Evaluator::new(session.terms.over(&session.sig), &structure);
        assert_eq!(eval.holds(formulas[formulas.len() - 1]), expected[3], "{script}");
    }
    assert!(held > 1_000 && failed > 1_000, "both values are common: {held}, {failed}");
}
