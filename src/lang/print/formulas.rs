//! Printer of formulas, names, sorts and traces.

use super::comments::Comments;
use crate::fol::ast::{
    Annotation, BinaryOp, Expr, ExprKind, Ident, Level, Place, Proof, ProofStep, SortName, SortRef,
    SortedVar, TraceStep,
};

/// Column beyond which formulas are broken into lines.
const WIDTH: usize = 100;

/// Output buffer of the printers.
pub(super) struct Printer {
    pub(super) out: String,
    /// Length of `out` above which the current line is known to overflow.
    limit: usize,
    /// Whether formulas are those of `.ivy`.
    pub(super) is_ivy: bool,
    /// Whether `:` joins the parts of names, and not `.`.
    pub(super) has_colons: bool,
    /// Comments to print with what they are about.
    pub(super) comments: Option<Comments>,
}

impl Printer {
    /// Creates an empty buffer.
    pub(super) fn new() -> Printer {
        Printer { out: String::new(), limit: usize::MAX, is_ivy: false, has_colons: false, comments: None }
    }

    pub(super) fn word(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints the comment about the whole file, if there is one.
    pub(super) fn header(&mut self) {
        let lines = self.comments.as_mut().map(Comments::header).unwrap_or_default();
        for line in &lines {
            self.word(line);
            self.newline(0);
        }
        if !lines.is_empty() {
            self.newline(0);
        }
    }

    /// Prints the comment above a position, if there is one, each line at this indentation and with its end.
    pub(super) fn comment(&mut self, place: Place, indent: usize) {
        let lines = self.comments.as_mut().map(|it| it.above(place.0)).unwrap_or_default();
        if !lines.is_empty() && indent == 0 && !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.newline(0);
        }
        for line in lines {
            self.out.extend(std::iter::repeat_n(' ', indent));
            self.word(&line);
            self.newline(0);
        }
    }

    pub(super) fn newline(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// Returns the width of the current line.
    fn column(&self) -> usize {
        self.out.len() - self.out.rfind('\n').map_or(0, |at| at + 1)
    }

    /// Prints `items` separated by commas.
    pub(super) fn separated<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.word(", ");
            }
            each(self, item);
        }
    }

    pub(super) fn annotations(&mut self, annotations: &[Annotation]) {
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

    pub(super) fn sort(&mut self, sort: &SortRef) {
        self.word(match &sort.name {
            SortName::Bool => "bool",
            SortName::Int => "int",
            SortName::Named(name) => name,
        });
    }

    pub(super) fn sorted_var(&mut self, var: &SortedVar) {
        self.word(&var.name.name);
        if let Some(sort) = &var.sort {
            self.word(if self.is_ivy { ":" } else { ": " });
            self.sort(sort);
        }
    }

    pub(super) fn opt_name(&mut self, name: &Option<Ident>) {
        if let Some(name) = name {
            self.word(" [");
            self.word(&name.name);
            self.word("]");
        }
    }

    /// Prints a keyword, a name in brackets, and a formula.
    pub(super) fn named(&mut self, keyword: &str, name: &Option<Ident>, formula: &Expr, indent: usize) {
        self.word(keyword);
        self.opt_name(name);
        self.hanging(formula, indent + 2);
    }

    /// Prints a proof on lines of its own.
    pub(super) fn opt_proof(&mut self, proof: Option<&Proof>, indent: usize) {
        let Some(proof) = proof else { return };
        self.newline(indent);
        self.word("proof ");
        match proof.steps.as_slice() {
            [step @ ProofStep::If { .. }] => self.proof_step(step, indent),
            steps if !steps.is_empty() && steps.iter().all(|step| matches!(step, ProofStep::Let { .. })) => {
                self.word("let ");
                self.separated(steps, |printer, step| printer.naming(step, indent));
            }
            steps => self.proof_block(steps, indent),
        }
    }

    fn proof_block(&mut self, steps: &[ProofStep], indent: usize) {
        self.word("{");
        for step in steps {
            self.newline(indent + 2);
            self.proof_step(step, indent + 2);
        }
        self.newline(indent);
        self.word("}");
    }

    fn proof_step(&mut self, step: &ProofStep, indent: usize) {
        let ProofStep::If { condition, then, otherwise } = step else {
            self.word("let ");
            return self.naming(step, indent);
        };
        self.word("if ");
        self.flat(condition, Level::Open);
        self.word(" ");
        self.proof_block(then, indent);
        if !otherwise.is_empty() {
            self.word(" else ");
            self.proof_block(otherwise, indent);
        }
    }

    /// Prints `v = term`.
    fn naming(&mut self, step: &ProofStep, indent: usize) {
        if let ProofStep::Let { var, term } = step {
            self.sorted_var(var);
            self.word(" =");
            self.hanging(term, indent + 2);
        }
    }

    /// Prints a formula on the same line if it fits, otherwise on lines of its own.
    pub(super) fn hanging(&mut self, formula: &Expr, indent: usize) {
        if self.fits(formula, Level::Open, 1) {
            self.word(" ");
            self.flat(formula, Level::Open);
        } else {
            self.newline(indent);
            self.block(formula, indent, Level::Open);
        }
    }

    pub(super) fn trace(&mut self, expect_sat: bool, steps: &[TraceStep]) {
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

    /// Returns whether `expr` fits on the current line after `more` characters.
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

    /// Prints an expression on as many lines as necessary. Further lines are indented by `indent`.
    pub(super) fn block(&mut self, expr: &Expr, indent: usize, needed: Level) {
        if self.fits(expr, needed, 0) {
            return self.flat(expr, needed);
        }
        if self.level(expr) < needed {
            self.word("(");
            self.block(expr, indent + 1, Level::Open);
            return self.word(")");
        }
        match &expr.kind {
            ExprKind::And(items) => self.bullets(items, "& ", indent, Level::And),
            ExprKind::Or(items) => self.bullets(items, "| ", indent, Level::Or),
            ExprKind::Not(inner) => {
                self.word(if self.is_ivy { "~" } else { "!" });
                self.block(inner, indent + 1, Level::Unary);
            }
            // Parts of formulas over two states: as long as formulas are, and unlike arguments of symbols.
            ExprKind::Ref { name, primes: 0, args: Some(args) }
                if &*name.name == "old" && args.len() == 1 =>
            {
                self.word("old(");
                self.block(&args[0], indent + 4, Level::Open);
                self.word(")");
            }
            ExprKind::Binary { op, sides, .. } if op.level() < Level::Sum => {
                let (left, right) = self.operand_levels(op.level());
                self.block(&sides[0], indent, left);
                self.word(" ");
                self.operator(*op);
                self.newline(indent);
                self.block(&sides[1], indent, right);
            }
            ExprKind::Quantifier { universal, vars, body } => {
                self.quantifier(*universal, vars);
                self.newline(indent + 2);
                self.block(body, indent + 2, Level::Open);
            }
            ExprKind::Ite(parts) if !self.is_ivy => {
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
            // The notation of Ivy has no operator before the first item.
            self.word(if self.is_ivy && index == 0 { "  " } else { bullet });
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

    /// Prints an expression on one line.
    pub(super) fn flat(&mut self, expr: &Expr, needed: Level) {
        if self.out.len() > self.limit {
            return;
        }
        if self.level(expr) < needed {
            self.word("(");
            self.flat(expr, Level::Open);
            return self.word(")");
        }
        match &expr.kind {
            ExprKind::Bool(value) => self.word(if *value { "true" } else { "false" }),
            ExprKind::Int(text) => self.word(text),
            ExprKind::Ref { name, primes, args } => {
                self.composed_name(&name.name);
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
                self.word(if self.is_ivy { "~" } else { "!" });
                self.flat(inner, Level::Unary);
            }
            ExprKind::Distinct(items) => {
                self.word("distinct");
                self.list(items);
            }
            ExprKind::And(items) => self.infix(items, " & ", Level::And),
            ExprKind::Or(items) => self.infix(items, " | ", Level::Or),
            ExprKind::Binary { op, sides, .. } => {
                let (left, right) = self.operand_levels(op.level());
                self.flat(&sides[0], left);
                self.word(" ");
                self.operator(*op);
                self.word(" ");
                self.flat(&sides[1], right);
            }
            ExprKind::Quantifier { universal, vars, body } => {
                self.quantifier(*universal, vars);
                self.word(" ");
                self.flat(body, Level::Open);
            }
            ExprKind::Ite(parts) if self.is_ivy => {
                self.flat(&parts[1], Level::Unary);
                self.word(" if ");
                self.flat(&parts[0], Level::Open);
                self.word(" else ");
                self.flat(&parts[2], Level::Unary);
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

    fn composed_name(&mut self, name: &str) {
        let mut open = 0_usize;
        for c in name.chars() {
            open = if c == '[' { open + 1 } else { open.saturating_sub(usize::from(c == ']')) };
            self.out.push(if self.has_colons && open == 0 && c == '.' { ':' } else { c });
        }
    }

    fn primes(&mut self, primes: u32) {
        self.out.extend(std::iter::repeat_n('\'', primes as usize));
    }

    pub(super) fn list(&mut self, items: &[Expr]) {
        self.word("(");
        self.separated(items, |printer, item: &Expr| printer.flat(item, Level::Open));
        self.word(")");
    }

    fn operator(&mut self, op: BinaryOp) {
        self.word(if self.is_ivy && op == BinaryOp::NotEqual { "~=" } else { op.text() });
    }

    /// Returns the binding strength of the outermost operator of `expr`.
    fn level(&self, expr: &Expr) -> Level {
        match &expr.kind {
            ExprKind::And(_) => Level::And,
            ExprKind::Or(_) => Level::Or,
            ExprKind::Not(_) if self.is_ivy => Level::Equality,
            ExprKind::Binary { op, .. } if self.is_ivy && op.level() == Level::Iff => Level::Implies,
            ExprKind::Binary { op, .. } => op.level(),
            ExprKind::Quantifier { .. } | ExprKind::Ite(_) | ExprKind::Let { .. } => Level::Open,
            // Temporal operators reach as far to the right as they can, whatever stands in parentheses behind them.
            ExprKind::Ref { name, args: Some(_), .. }
                if self.is_ivy && matches!(&*name.name, "globally" | "eventually") =>
            {
                Level::Open
            }
            _ => Level::Unary,
        }
    }

    /// Returns the binding strengths required of the left and right operand to need no parentheses.
    fn operand_levels(&self, level: Level) -> (Level, Level) {
        match level {
            Level::Implies | Level::Iff if self.is_ivy => (Level::Or, Level::Or),
            Level::Implies => (level.tighter(), level),
            Level::Sum | Level::Product => (level, level.tighter()),
            _ => (level.tighter(), level.tighter()),
        }
    }
}
