//! R045: variables that are unused or probably misspelt.

use super::formulas::{Formula, mentions, never_mentioned, never_used};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::diag::{Code, Diagnostic, nearest};
use ramsey_lang::fol::ast::{Expr, ExprKind, Ident, SortedVar};

pub(super) fn check(formula: &Formula<'_>, declared: &Set<&str>, found: &mut Vec<Diagnostic>) {
    for expr in formula.expr.nodes() {
        match &expr.kind {
            ExprKind::Quantifier { vars, body, .. } => {
                vars.iter().for_each(|var| unused(var, body, formula.has_capitals, found));
            }
            ExprKind::Let { var, parts } => unused(var, &parts[1], false, found),
            _ => {}
        }
    }
    if formula.closed {
        misspelt(formula, declared, found);
    }
}

fn unused(var: &SortedVar, body: &Expr, has_capitals: bool, found: &mut Vec<Diagnostic>) {
    let name = &var.name.name;
    if !name.starts_with('_') && !mentions(body, name) {
        let span = var.name.span();
        found.push(match has_capitals {
            true => never_mentioned(span, name).help("remove it, or use it"),
            false => never_used(span, name),
        });
    }
}

/// Reports implicitly bound variables where another name was probably intended.
fn misspelt(formula: &Formula<'_>, declared: &Set<&str>, found: &mut Vec<Diagnostic>) {
    let mut names = Names {
        is_variable: formula.is_variable,
        free: Vec::new(),
        negated: Set::default(),
        negations: 0,
        bound: Vec::new(),
        scope: Vec::new(),
    };
    names.expr(&formula.expr);
    let mut counts: Map<&str, usize> = Map::default();
    for name in &names.free {
        *counts.entry(&name.name).or_insert(0) += 1;
    }
    let others: Vec<&str> = counts.keys().copied().chain(names.bound.iter().copied()).collect();
    let mut seen: Set<&str> = Set::default();
    for name in &names.free {
        let text = &*name.name;
        if declared.contains(text) || !seen.insert(text) {
            continue;
        }
        let warning = |message: String| Diagnostic::warning(Code::Variable, name.span(), message);
        if matches!(text, "TRUE" | "FALSE") {
            found.push(
                warning(format!("`{text}` is a variable here: a capital letter that is bound implicitly"))
                    .label("not the constant")
                    .help(format!("write `{}`", text.to_lowercase())),
            );
            continue;
        }
        if counts[text] != 1 {
            continue;
        }
        let lower = text.to_lowercase();
        let param = formula.scope.iter().find(|param| *param.name == *lower);
        // `!held(N)` is the usual way to state that no element is held.
        if let Some(param) = param.filter(|_| !names.negated.contains(text)) {
            found.push(
                warning(format!("`{text}` stands for every element here, and `{lower}` is a parameter"))
                    .label("a variable that is bound implicitly, used once")
                    .also(param.span(), "the parameter")
                    .help(format!(
                        "write `{lower}` for the parameter; if every element is meant, write `forall {text}. ..`"
                    )),
            );
            continue;
        }
        let candidates = others.iter().copied().filter(|other| differs_by_a_letter(text, other));
        if let Some(near) = nearest(text, candidates) {
            found.push(
                warning(format!("the variable `{text}` is used once, and `{near}` is another variable"))
                    .label("bound implicitly, by itself")
                    .help(format!("did you mean `{near}`? if not, bind it explicitly: `forall {text}. ..`")),
            );
        }
    }
}

/// Returns whether two names are long enough for a spelling mistake to be likely and differ in more than a number at
/// the end.
fn differs_by_a_letter(a: &str, b: &str) -> bool {
    let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_').to_lowercase();
    let (stem_a, stem_b) = (stem(a), stem(b));
    // A different first letter is a prefix, as in `RMAX` and `VMAX`.
    a.len() >= 3 && b.len() >= 3 && stem_a != stem_b && stem_a.bytes().next() == stem_b.bytes().next()
}

/// The variable names of a formula.
struct Names<'a> {
    /// Whether a free name is a variable.
    is_variable: fn(&str) -> bool,
    /// Occurrences of free capital letters.
    free: Vec<&'a Ident>,
    /// Names in `free` with an occurrence under a negation.
    negated: Set<&'a str>,
    /// The number of negations around the current position.
    negations: u32,
    bound: Vec<&'a str>,
    scope: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Ref { name, args: None, .. } => {
                if (self.is_variable)(&name.name) && !self.scope.contains(&&*name.name) {
                    self.free.push(name);
                    if self.negations > 0 {
                        self.negated.insert(&name.name);
                    }
                }
            }
            ExprKind::Not(inner) => {
                self.negations += 1;
                self.expr(inner);
                self.negations -= 1;
            }
            ExprKind::Quantifier { vars, body, .. } => {
                let outside = self.scope.len();
                self.scope.extend(vars.iter().map(|var| &*var.name.name));
                self.bound.extend(vars.iter().map(|var| &*var.name.name));
                self.expr(body);
                self.scope.truncate(outside);
            }
            ExprKind::Let { var, parts } => {
                self.expr(&parts[0]);
                self.scope.push(&var.name.name);
                self.bound.push(&var.name.name);
                self.expr(&parts[1]);
                self.scope.pop();
            }
            _ => expr.for_each_child(|child| self.expr(child)),
        }
    }
}
