//! Syntax trees as text, in one canonical format. What is printed parses to the same tree.

use super::ast::{
    Annotation, Decl, DeclKind, DefinitionKind, Expr, ExprKind, FbiiInvariant, FbiiItem, FbiiStep, Ident,
    Level, Program, SortName, SortRef, SortedVar, TraceStep,
};

/// Formulas are broken into lines where they would reach beyond this column.
const WIDTH: usize = 100;

/// Prints a program. Broken declarations are left out.
pub(in crate::lang) fn print(program: &Program) -> String {
    let mut printer = Printer::new();
    let mut last = None;
    for decl in &program.decls {
        if matches!(decl.kind, DeclKind::Broken(_)) {
            continue;
        }
        let group = group(decl);
        if last.is_some_and(|last| last != group) || (last.is_some() && group >= 4) {
            printer.word("\n");
        }
        last = Some(group);
        printer.decl(decl);
        printer.word("\n");
    }
    printer.out
}

/// Declarations of one group below 4 stand together without empty lines between them.
fn group(decl: &Decl) -> u8 {
    match &decl.kind {
        DeclKind::Sort { .. } => 0,
        DeclKind::Symbol(symbol) if symbol.axiom.is_none() => 1,
        DeclKind::Formula { role, .. } if *role as u8 <= 1 => 2,
        DeclKind::Formula { .. } | DeclKind::Theorem { .. } => 3,
        _ => 4,
    }
}

/// A text that is being written.
pub(in crate::lang) struct Printer {
    pub(in crate::lang) out: String,
    /// Where `out` is long enough to know that a line overflows.
    limit: usize,
}

impl Printer {
    /// The empty text.
    pub(in crate::lang) fn new() -> Printer {
        Printer { out: String::new(), limit: usize::MAX }
    }

    pub(in crate::lang) fn word(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(in crate::lang) fn newline(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// How far the current line reaches.
    fn column(&self) -> usize {
        self.out.len() - self.out.rfind('\n').map_or(0, |at| at + 1)
    }

    /// Prints `items` with commas between them.
    pub(in crate::lang) fn separated<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.word(", ");
            }
            each(self, item);
        }
    }

    fn decl(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Sort { name, annotations } => {
                self.word("sort ");
                self.word(&name.name);
                self.annotations(annotations);
            }
            DeclKind::Symbol(symbol) => {
                self.word(symbol.mutability.keyword());
                self.word(" ");
                self.word(symbol.form.keyword());
                self.word(" ");
                self.word(&symbol.name.name);
                if !symbol.args.is_empty() {
                    self.word("(");
                    self.separated(&symbol.args, Self::sort);
                    self.word(")");
                }
                if let Some(result) = &symbol.result {
                    self.word(": ");
                    self.sort(result);
                }
                self.annotations(&symbol.annotations);
                if let Some(axiom) = &symbol.axiom {
                    self.word(":");
                    self.hanging(axiom, 2);
                }
            }
            DeclKind::Formula { role, name, formula } => self.named(role.keyword(), name, formula, 0),
            DeclKind::Theorem { states, name, formula } => {
                if let Some(states) = states {
                    self.word(states.keyword());
                    self.word(" ");
                }
                self.named("theorem", name, formula, 0);
            }
            DeclKind::Definition(definition) => {
                match definition.kind {
                    DefinitionKind::Transition => self.word("transition "),
                    DefinitionKind::Definition(states) => {
                        if let Some(states) = states {
                            self.word(states.keyword());
                            self.word(" ");
                        }
                        self.word("definition ");
                    }
                }
                self.word(&definition.name.name);
                self.word("(");
                self.separated(&definition.params, Self::sorted_var);
                self.word(")");
                if let Some(modifies) = &definition.modifies {
                    self.newline(2);
                    self.word("modifies ");
                    self.separated(modifies, |printer, name: &Ident| printer.word(&name.name));
                    self.newline(2);
                    self.block(&definition.body, 2, Level::Open);
                } else {
                    self.word(" =");
                    self.hanging(&definition.body, 2);
                }
            }
            DeclKind::Trace { expect_sat, steps } => self.trace(*expect_sat, steps),
            DeclKind::Fbii(steps) => {
                self.word("fbii {");
                for step in steps {
                    self.fbii_step(step);
                }
                self.newline(0);
                self.word("}");
            }
            DeclKind::Broken(_) => {}
        }
    }

    pub(in crate::lang) fn annotations(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            self.word(" @");
            self.word(&annotation.name);
            if !annotation.args.is_empty() {
                self.word("(");
                self.separated(&annotation.args, |printer, arg: &Ident| printer.word(&arg.name));
                self.word(")");
            }
        }
    }

    pub(in crate::lang) fn sort(&mut self, sort: &SortRef) {
        self.word(match &sort.name {
            SortName::Bool => "bool",
            SortName::Int => "int",
            SortName::Named(name) => name,
        });
    }

    pub(in crate::lang) fn sorted_var(&mut self, var: &SortedVar) {
        self.word(&var.name.name);
        if let Some(sort) = &var.sort {
            self.word(": ");
            self.sort(sort);
        }
    }

    fn opt_name(&mut self, name: &Option<Ident>) {
        if let Some(name) = name {
            self.word(" [");
            self.word(&name.name);
            self.word("]");
        }
    }

    /// A keyword, a name in brackets, and a formula.
    pub(in crate::lang) fn named(
        &mut self,
        keyword: &str,
        name: &Option<Ident>,
        formula: &Expr,
        indent: usize,
    ) {
        self.word(keyword);
        self.opt_name(name);
        self.hanging(formula, indent + 2);
    }

    /// A formula on the same line if it fits there, on lines of its own otherwise.
    pub(in crate::lang) fn hanging(&mut self, formula: &Expr, indent: usize) {
        if self.fits(formula, Level::Open, 1) {
            self.word(" ");
            self.flat(formula, Level::Open);
        } else {
            self.newline(indent);
            self.block(formula, indent, Level::Open);
        }
    }

    pub(in crate::lang) fn trace(&mut self, expect_sat: bool, steps: &[TraceStep]) {
        self.word(if expect_sat { "sat trace {" } else { "unsat trace {" });
        for step in steps {
            self.newline(2);
            self.trace_step(step);
        }
        self.newline(0);
        self.word("}");
    }

    fn trace_step(&mut self, step: &TraceStep) {
        match step {
            TraceStep::AssertInit => self.word("assert init"),
            TraceStep::AnyTransition(_) => self.word("any transition"),
            TraceStep::Assert(formula) => {
                self.word("assert");
                self.hanging(formula, 4);
            }
            TraceStep::Calls(calls) => {
                for (index, call) in calls.iter().enumerate() {
                    if index > 0 {
                        self.word(" | ");
                    }
                    self.word(&call.name.name);
                    if let Some(args) = &call.args {
                        self.word("(");
                        self.separated(args, |printer, arg: &Option<Expr>| match arg {
                            Some(arg) => printer.flat(arg, Level::Open),
                            None => printer.word("*"),
                        });
                        self.word(")");
                    }
                }
            }
        }
    }

    fn fbii_step(&mut self, step: &FbiiStep) {
        self.newline(2);
        self.word(if step.forward { "forward" } else { "backward" });
        self.opt_name(&step.name);
        if let Some(vars) = &step.prophecy {
            self.word(" prophecy");
            if !vars.is_empty() {
                self.word(" ");
                self.separated(vars, Self::sorted_var);
            }
        }
        self.word(" {");
        for invariant in &step.invariants {
            self.fbii_invariant(invariant);
        }
        self.newline(2);
        self.word("}");
        let Some(items) = &step.by else { return };
        self.word(" by {");
        for item in items {
            match item {
                FbiiItem::Invariant(invariant) => self.fbii_invariant(invariant),
                FbiiItem::Select(formula) => {
                    self.newline(4);
                    self.word("proph_select");
                    self.hanging(formula, 6);
                }
                FbiiItem::Default => {
                    self.newline(4);
                    self.word("proph_default");
                }
            }
        }
        self.newline(2);
        self.word("}");
    }

    fn fbii_invariant(&mut self, invariant: &FbiiInvariant) {
        self.newline(4);
        let keyword = if invariant.is_safety { "safety" } else { "invariant" };
        self.named(keyword, &invariant.name, &invariant.formula, 4);
    }

    /// Whether `expr` fits into the current line after `more` characters.
    fn fits(&mut self, expr: &Expr, needed: Level, more: usize) -> bool {
        let start = self.out.len();
        let room = WIDTH.saturating_sub(self.column() + more);
        self.limit = start + room;
        self.flat(expr, needed);
        self.limit = usize::MAX;
        let fits = self.out.len() - start <= room;
        self.out.truncate(start);
        fits
    }

    /// An expression over as many lines as it takes; further lines start at `indent`.
    fn block(&mut self, expr: &Expr, indent: usize, needed: Level) {
        if self.fits(expr, needed, 0) {
            return self.flat(expr, needed);
        }
        if level(expr) < needed {
            self.word("(");
            self.block(expr, indent + 1, Level::Open);
            return self.word(")");
        }
        match &expr.kind {
            ExprKind::And(items) => self.bullets(items, "& ", indent, Level::And),
            ExprKind::Or(items) => self.bullets(items, "| ", indent, Level::Or),
            ExprKind::Not(inner) => {
                self.word("!");
                self.block(inner, indent + 1, Level::Unary);
            }
            ExprKind::Binary { op, sides, .. } if op.level() < Level::Sum => {
                let (left, right) = operand_levels(op.level());
                self.block(&sides[0], indent, left);
                self.word(" ");
                self.word(op.text());
                self.newline(indent);
                self.block(&sides[1], indent, right);
            }
            ExprKind::Quantifier { universal, vars, body } => {
                self.quantifier(*universal, vars);
                self.newline(indent + 2);
                self.block(body, indent + 2, Level::Open);
            }
            ExprKind::Ite(parts) => {
                self.word("if ");
                self.block(&parts[0], indent + 3, Level::Open);
                self.word(" then");
                self.newline(indent + 2);
                self.block(&parts[1], indent + 2, Level::Open);
                self.newline(indent);
                self.word("else");
                self.newline(indent + 2);
                self.block(&parts[2], indent + 2, Level::Open);
            }
            ExprKind::Let { var, parts } => {
                self.word("let ");
                self.sorted_var(var);
                self.word(" = ");
                self.block(&parts[0], indent + 2, Level::Open);
                self.word(" in");
                self.newline(indent);
                self.block(&parts[1], indent, Level::Open);
            }
            _ => self.flat(expr, needed),
        }
    }

    fn bullets(&mut self, items: &[Expr], bullet: &str, indent: usize, level: Level) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.newline(indent);
            }
            self.word(bullet);
            self.block(item, indent + 2, level.tighter());
        }
    }

    fn quantifier(&mut self, universal: bool, vars: &[SortedVar]) {
        self.word(if universal { "forall " } else { "exists " });
        self.separated(vars, Self::sorted_var);
        self.word(".");
    }

    fn infix(&mut self, items: &[Expr], operator: &str, level: Level) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.word(operator);
            }
            self.flat(item, level.tighter());
        }
    }

    /// An expression on one line.
    pub(in crate::lang) fn flat(&mut self, expr: &Expr, needed: Level) {
        if self.out.len() > self.limit {
            return;
        }
        if level(expr) < needed {
            self.word("(");
            self.flat(expr, Level::Open);
            return self.word(")");
        }
        match &expr.kind {
            ExprKind::Bool(value) => self.word(if *value { "true" } else { "false" }),
            ExprKind::Int(text) => self.word(text),
            ExprKind::Ref { name, primes, args } => {
                self.word(&name.name);
                self.primes(*primes);
                if let Some(args) = args {
                    self.list(args);
                }
            }
            ExprKind::Safety { primes } => {
                self.word("safety");
                self.primes(*primes);
            }
            ExprKind::New(inner) => {
                self.word("new(");
                self.flat(inner, Level::Open);
                self.word(")");
            }
            ExprKind::Not(inner) => {
                self.word("!");
                self.flat(inner, Level::Unary);
            }
            ExprKind::Distinct(items) => {
                self.word("distinct");
                self.list(items);
            }
            ExprKind::And(items) => self.infix(items, " & ", Level::And),
            ExprKind::Or(items) => self.infix(items, " | ", Level::Or),
            ExprKind::Binary { op, sides, .. } => {
                let (left, right) = operand_levels(op.level());
                self.flat(&sides[0], left);
                self.word(" ");
                self.word(op.text());
                self.word(" ");
                self.flat(&sides[1], right);
            }
            ExprKind::Quantifier { universal, vars, body } => {
                self.quantifier(*universal, vars);
                self.word(" ");
                self.flat(body, Level::Open);
            }
            ExprKind::Ite(parts) => {
                self.word("if ");
                self.flat(&parts[0], Level::Open);
                self.word(" then ");
                self.flat(&parts[1], Level::Open);
                self.word(" else ");
                self.flat(&parts[2], Level::Open);
            }
            ExprKind::Let { var, parts } => {
                self.word("let ");
                self.sorted_var(var);
                self.word(" = ");
                self.flat(&parts[0], Level::Open);
                self.word(" in ");
                self.flat(&parts[1], Level::Open);
            }
        }
    }

    fn primes(&mut self, primes: u32) {
        self.out.extend(std::iter::repeat_n('\'', primes as usize));
    }

    pub(in crate::lang) fn list(&mut self, items: &[Expr]) {
        self.word("(");
        self.separated(items, |printer, item: &Expr| printer.flat(item, Level::Open));
        self.word(")");
    }
}

/// How strongly the outermost operator of `expr` binds.
fn level(expr: &Expr) -> Level {
    match &expr.kind {
        ExprKind::And(_) => Level::And,
        ExprKind::Or(_) => Level::Or,
        ExprKind::Binary { op, .. } => op.level(),
        ExprKind::Quantifier { .. } | ExprKind::Ite(_) | ExprKind::Let { .. } => Level::Open,
        _ => Level::Unary,
    }
}

/// How strongly the operands of an infix operator must bind to need no parentheses.
fn operand_levels(level: Level) -> (Level, Level) {
    match level {
        Level::Implies => (level.tighter(), level),
        Level::Sum | Level::Product => (level, level.tighter()),
        _ => (level.tighter(), level.tighter()),
    }
}
