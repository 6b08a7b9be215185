//! Printing of terms and formulas in the notation of their signature, with as few parentheses as possible.

use std::fmt::{self, Write as _};

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Args, Node, Notation, Syntax, TermId, VarId};

/// Binding strengths, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// Quantifiers and `if`, which extend as far right as possible.
    Open,
    Iff,
    Implies,
    Or,
    And,
    Equality,
    Sum,
    Unary,
}

/// Displays a term or formula.
#[derive(Debug, Clone, Copy)]
pub struct Pretty<'a> {
    syntax: Syntax<'a>,
    term: TermId,
    is_negated: bool,
    opened: &'a [TermId],
}

impl<'a> Pretty<'a> {
    /// Creates a display of `term`.
    pub fn new(syntax: Syntax<'a>, term: TermId) -> Self {
        Pretty { syntax, term, is_negated: false, opened: &[] }
    }

    /// Displays the negation instead.
    #[must_use]
    pub fn negated(self) -> Self {
        Pretty { is_negated: true, ..self }
    }

    /// Omits the outermost quantifiers of these formulas, so that their variables are free.
    #[must_use]
    pub fn opened(self, opened: &'a [TermId]) -> Self {
        Pretty { opened, ..self }
    }
}

impl fmt::Display for Pretty<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pretty { syntax, term, is_negated, opened } = *self;
        let mut printer =
            Printer { syntax, opened, names: Map::default(), untold: Set::default(), out: String::new() };
        if is_negated {
            printer.negation(term, Level::Open);
        } else {
            printer.print(term, Level::Open);
        }
        f.write_str(&printer.out)
    }
}

struct Printer<'a> {
    syntax: Syntax<'a>,
    /// Formulas printed without their outermost quantifier.
    opened: &'a [TermId],
    /// Names of the variables in scope. They are distinct even if the names in the source are not.
    names: Map<VarId, String>,
    /// Of these, the variables whose sorts are to be printed where they occur first.
    untold: Set<VarId>,
    out: String,
}

impl<'a> Printer<'a> {
    fn word(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints `inside`, in parentheses if its level is looser than `needed`.
    fn wrap(&mut self, level: Level, needed: Level, inside: impl FnOnce(&mut Self)) {
        let parens = level < needed;
        if parens {
            self.word("(");
        }
        inside(self);
        if parens {
            self.word(")");
        }
    }

    fn infix(&mut self, items: &[TermId], operator: &str, level: Level, each: Level, needed: Level) {
        self.wrap(level, needed, |printer| {
            for (index, &item) in items.iter().enumerate() {
                if index > 0 {
                    printer.word(operator);
                }
                printer.print(item, each);
            }
        });
    }

    fn list(&mut self, args: Args) {
        let items = self.syntax.terms.args(args).to_vec();
        self.word("(");
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.word(", ");
            }
            self.print(item, Level::Open);
        }
        self.word(")");
    }

    fn quantifier(&mut self, word: &str, vars: Args, body: TermId, needed: Level) {
        let mut vars: Vec<VarId> = self.syntax.terms.bound_vars(vars).collect();
        // In the notation of Ivy, the first `.` ends the variables: `forall X:a.t. p(X)` is `forall X:a. (t.p(X))`. A variable with
        // such a sort that never occurs is left out, which makes no difference, because sorts have elements.
        let dotted: Vec<VarId> =
            vars.iter().copied().filter(|&var| self.is_ivy() && self.sort_name(var).contains('.')).collect();
        if !dotted.is_empty() {
            let free = self.syntax.terms.free_vars(body);
            vars.retain(|var| !dotted.contains(var) || free.contains(var));
            if vars.is_empty() {
                return self.print(body, needed);
            }
            self.untold.extend(dotted.iter().copied());
        }
        self.wrap(Level::Open, needed, |printer| {
            printer.word(word);
            for (index, &var) in vars.iter().enumerate() {
                printer.word(if index > 0 { ", " } else { " " });
                let name = printer.fresh_name(var);
                printer.word(&name);
                if !printer.untold.contains(&var) {
                    let sort = printer.sort_name(var);
                    let _ = write!(printer.out, ":{sort}");
                }
                printer.names.insert(var, name);
            }
            printer.word(". ");
            printer.print(body, Level::Open);
            for var in &vars {
                printer.names.remove(var);
            }
        });
    }

    fn sort_name(&self, var: VarId) -> &'a str {
        &self.syntax.sig.sorts[self.syntax.terms.var_info(var).sort].name
    }

    fn negation(&mut self, inside: TermId, needed: Level) {
        match self.syntax.terms.node(inside) {
            Node::Eq(x, y) => {
                let sign = if self.is_ivy() { " ~= " } else { " != " };
                self.infix(&[x, y], sign, Level::Equality, Level::Unary, needed);
            }
            _ => self.wrap(Level::Unary, needed, |printer| {
                printer.word(if printer.is_ivy() { "~" } else { "!" });
                printer.print(inside, Level::Unary);
            }),
        }
    }

    fn is_ivy(&self) -> bool {
        self.syntax.sig.notation == Notation::Ivy
    }

    /// Returns the name of a variable as in the source, or in the notation of Ivy with a capital letter.
    fn base_name(&self, var: VarId) -> String {
        let name = &self.syntax.terms.var_info(var).name;
        let first = name.chars().next().filter(|_| self.is_ivy());
        match first {
            Some(first) if first.is_ascii_lowercase() => {
                format!("{}{}", first.to_ascii_uppercase(), &name[1..])
            }
            _ => name.to_string(),
        }
    }

    /// Prints an application of an order or an operator between other formulas, in the notation of Ivy. Returns whether
    /// it is one.
    fn ivy(&mut self, term: TermId, needed: Level) -> bool {
        let terms = self.syntax.terms;
        match terms.node(term) {
            Node::App { sym, args, .. }
                if terms.args(args).len() == 2
                    && let Some(op) = self.syntax.sig.symbols[sym].operator() =>
            {
                let sides = terms.args(args).to_vec();
                let is_relation = self.syntax.sig.symbols[sym].is_relation();
                let level = if is_relation { Level::Equality } else { Level::Sum };
                self.infix(&sides, &format!(" {op} "), level, Level::Unary, needed);
            }
            Node::Distinct(args) => {
                let items = terms.args(args).to_vec();
                let count = items.len() * items.len().saturating_sub(1) / 2;
                if count == 0 {
                    self.word("true");
                    return true;
                }
                let level = if count == 1 { Level::Equality } else { Level::And };
                self.wrap(level, needed, |printer| {
                    for (at, &left) in items.iter().enumerate() {
                        for (then, &right) in items[at + 1..].iter().enumerate() {
                            if at + then > 0 {
                                printer.word(" & ");
                            }
                            printer.infix(
                                &[left, right],
                                " ~= ",
                                Level::Equality,
                                Level::Unary,
                                Level::Equality,
                            );
                        }
                    }
                });
            }
            Node::Iff(a, b) => self.infix(&[a, b], " <-> ", Level::Implies, Level::Or, needed),
            Node::Implies(a, b) => self.infix(&[a, b], " -> ", Level::Implies, Level::Or, needed),
            Node::Ite(condition, a, b) => self.wrap(Level::Open, needed, |printer| {
                printer.print(a, Level::Unary);
                printer.word(" if ");
                printer.print(condition, Level::Open);
                printer.word(" else ");
                printer.print(b, Level::Unary);
            }),
            _ => return false,
        }
        true
    }

    /// Returns the name that a quantifier binds: one that can be read back, and that nothing else has.
    fn fresh_name(&self, var: VarId) -> String {
        // Variables of commands that share a name are told apart by signs that no identifier has.
        let base = &self.base_name(var).replace(|it: char| !it.is_ascii_alphanumeric() && it != '_', "_");
        let taken = |name: &str| {
            self.names.values().any(|other| other == name)
                || self.syntax.sig.symbols.iter().any(|symbol| symbol.name == name)
        };
        let mut name = base.clone();
        let mut count = 0;
        while taken(&name) {
            count += 1;
            name = format!("{base}_{count}");
        }
        name
    }

    fn print(&mut self, term: TermId, needed: Level) {
        if self.is_ivy() && self.ivy(term, needed) {
            return;
        }
        let terms = self.syntax.terms;
        match terms.node(term) {
            Node::True => self.word("true"),
            Node::False => self.word("false"),
            Node::Var(var) => {
                let name = self.names.get(&var).cloned().unwrap_or_else(|| self.base_name(var));
                self.word(&name);
                if self.untold.remove(&var) {
                    let _ = write!(self.out, ":{}", self.sort_name(var));
                }
            }
            Node::App { sym, step, args } => {
                let name = &self.syntax.sig.symbols[sym].name;
                self.word(name);
                for _ in 0..step {
                    self.word("'");
                }
                if !args.is_empty() {
                    self.list(args);
                }
            }
            Node::Eq(a, b) => self.infix(&[a, b], " = ", Level::Equality, Level::Unary, needed),
            Node::Iff(a, b) => self.infix(&[a, b], " <-> ", Level::Iff, Level::Implies, needed),
            Node::Distinct(args) => {
                self.word("distinct");
                self.list(args);
            }
            Node::Not(a) => self.negation(a, needed),
            Node::And(args) => {
                let items = terms.args(args).to_vec();
                self.infix(&items, " & ", Level::And, Level::Equality, needed);
            }
            Node::Or(args) => {
                let items = terms.args(args).to_vec();
                self.infix(&items, " | ", Level::Or, Level::And, needed);
            }
            Node::Implies(a, b) => self.wrap(Level::Implies, needed, |printer| {
                printer.print(a, Level::Or);
                printer.word(" -> ");
                printer.print(b, Level::Implies);
            }),
            Node::Ite(condition, a, b) => self.wrap(Level::Open, needed, |printer| {
                printer.word("if ");
                printer.print(condition, Level::Open);
                printer.word(" then ");
                printer.print(a, Level::Open);
                printer.word(" else ");
                printer.print(b, Level::Open);
            }),
            Node::Forall(_, body) | Node::Exists(_, body) if self.opened.contains(&term) => {
                self.print(body, needed);
            }
            Node::Forall(vars, body) => self.quantifier("forall", vars, body, needed),
            Node::Exists(vars, body) => self.quantifier("exists", vars, body, needed),
        }
    }
}
