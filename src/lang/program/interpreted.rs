//! Sorts whose elements are numbers, or texts: what is assumed of their order and of the numerals or texts that a program
//! mentions. It holds of the numbers, and is not all that does: that there is a next number is not said.

use std::sync::Arc;

use super::ast::{
    BinaryOp, Elements, End, Expr, ExprKind, Ident, Interpreted, Item, ItemKind, Place, Role, SortName,
    SortedVar,
};
use crate::fol::names::Globals;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::logic::Universe;

/// Maximum number of elements of a sort for which all of them are listed, and of numbers from the first to the last numeral for
/// which those between are.
const MAX_LISTED: u64 = 8;

/// Returns the declarations with axioms in place of interpretations. `used` returns the symbols of a sort that the program
/// mentions: `<`, and numerals.
pub(crate) fn with_axioms(items: &[Item], used: impl Fn(&str) -> Vec<Arc<str>>) -> Vec<Item> {
    let mut all = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::Interpreted(interpreted) => {
                let SortName::Named(sort) = &interpreted.sort.name else { continue };
                let axioms = Axioms { interpreted, place: item.place, found: Vec::new() };
                let formulas = axioms.of(&used(sort));
                let of = |formula| ItemKind::Formula { role: Role::Axiom, name: None, formula, proof: None };
                all.extend(formulas.into_iter().map(|formula| Item { kind: of(formula), place: item.place }));
            }
            _ => all.push(item.clone()),
        }
    }
    all
}

/// Returns whether there is a sort whose elements are numbers.
pub(crate) fn has_interpreted(items: &[Item]) -> bool {
    items.iter().any(|item| matches!(item.kind, ItemKind::Interpreted(_)))
}

/// What the elements of the sorts of a program are.
#[derive(Default)]
pub(super) struct Interpretations {
    /// The sorts whose elements are numbers, with the least and the greatest one, where these are known.
    pub(super) numbers: Map<Arc<str>, [Option<u64>; 2]>,
    /// The sorts whose sums, differences and products are all told.
    pub(super) computed: Set<Arc<str>>,
    /// The sets that sorts are, if these have more elements than are listed.
    pub(super) universes: Map<Arc<str>, Universe>,
}

/// Returns what the elements of the sorts are.
pub(super) fn sorts(items: &[Item]) -> Interpretations {
    let number = |end: &Option<End>| match end {
        Some(End::Number(number)) => Some(*number),
        _ => None,
    };
    let mut found = Interpretations::default();
    for item in items {
        let ItemKind::Interpreted(interpreted) = &item.kind else { continue };
        let Interpreted { sort, elements, least, greatest } = interpreted;
        let SortName::Named(sort) = &sort.name else { continue };
        let universe = match (elements, least, greatest) {
            (Elements::Texts, ..) => Some(Universe::Texts),
            (_, None, None) => Some(Universe::Integers),
            (_, Some(_), None) => Some(Universe::Naturals),
            (_, Some(End::Number(least)), Some(End::Number(greatest)))
                if greatest.saturating_sub(*least) >= MAX_LISTED =>
            {
                Some(Universe::Range(*least, *greatest))
            }
            // The elements are listed, or a constant is an end.
            (_, _, Some(_)) => None,
        };
        found.universes.extend(universe.map(|universe| (sort.clone(), universe)));
        if *elements != Elements::Texts {
            found.numbers.insert(sort.clone(), [number(least), number(greatest)]);
        }
        if interpreted.computed_to().is_some() {
            found.computed.insert(sort.clone());
        }
    }
    found
}

/// Returns the symbols of a sort that a checked program mentions: `<`, and numerals.
pub(super) fn used(globals: &Globals<'_>, sort: &str) -> Vec<Arc<str>> {
    let sort = globals.sort_id(sort);
    let of_sort = globals.overloaded.iter().filter(|(_, of)| Some(*of) == sort);
    let mut found: Vec<Arc<str>> = of_sort.map(|(symbol, _)| symbol.clone()).collect();
    found.sort_unstable();
    found
}

impl Interpreted {
    /// Returns the greatest number if it is told what every sum, difference and product is: of few numbers from 0 on.
    fn computed_to(&self) -> Option<u64> {
        match (&self.least, &self.greatest) {
            (Some(End::Number(0)), Some(End::Number(greatest))) if *greatest < MAX_LISTED => Some(*greatest),
            _ => None,
        }
    }
}

struct Axioms<'a> {
    interpreted: &'a Interpreted,
    place: Place,
    found: Vec<Expr>,
}

impl Axioms<'_> {
    fn of(mut self, used: &[Arc<str>]) -> Vec<Expr> {
        let has_order = used.iter().any(|symbol| &**symbol == "<");
        if self.interpreted.elements == Elements::Texts {
            return self.of_texts(used, has_order);
        }
        let number = |end: &Option<End>| match end {
            Some(End::Number(number)) => Some(*number),
            _ => None,
        };
        let (least, greatest) = (number(&self.interpreted.least), number(&self.interpreted.greatest));
        // Where an end is a constant, other numerals than an end may be any of the elements.
        let is_open = |end: &Option<End>| matches!(end, Some(End::Constant(_)));
        let is_open = is_open(&self.interpreted.least) || is_open(&self.interpreted.greatest);
        let is_in = |number: u64| {
            let is_end = least == Some(number) || greatest == Some(number);
            let is_between = least.is_none_or(|it| it <= number) && greatest.is_none_or(|it| number <= it);
            if is_open { is_end } else { is_between }
        };
        let mut numerals: Vec<(u64, Arc<str>)> = Vec::new();
        for symbol in used {
            if let Ok(number) = symbol.parse::<u64>()
                && is_in(number)
            {
                numerals.push((number, symbol.clone()));
            }
        }
        let is_few = |from: u64, to: u64| to.saturating_sub(from) < MAX_LISTED;
        let is_listed = least.zip(greatest).is_some_and(|(least, greatest)| is_few(least, greatest));
        let mentioned = numerals.iter().map(|(number, _)| *number);
        let between = match (mentioned.clone().min(), mentioned.max()) {
            // Those from the least number on, or else those between the numerals.
            (Some(_), Some(to)) if has_order && least.is_some_and(|least| is_few(least, to)) => {
                least.zip(Some(to))
            }
            (Some(from), Some(to)) if has_order && is_few(from, to) => Some((from, to)),
            _ => None,
        };
        let all = if is_listed { least.zip(greatest) } else { between.filter(|_| !is_open) };
        for number in all.into_iter().flat_map(|(from, to)| from..=to) {
            if !numerals.iter().any(|(known, _)| *known == number) {
                numerals.push((number, number.to_string().into()));
            }
        }
        numerals.sort_unstable();
        if has_order {
            self.order();
            self.ends(&numerals);
        }
        let mut different: Vec<Expr> = Vec::new();
        for (at, (number, text)) in numerals.iter().enumerate() {
            let value = self.numeral(text);
            match at.checked_sub(1).map(|before| &numerals[before]) {
                Some((same, before)) if same == number => {
                    let before = self.numeral(before);
                    self.push(BinaryOp::Equal, before, value);
                    continue;
                }
                Some((number_before, before)) if has_order => {
                    let before = self.numeral(before);
                    self.push(BinaryOp::Less, before.clone(), value.clone());
                    if number - number_before == 1 && !is_listed {
                        self.nothing_between(before, value.clone());
                    }
                }
                _ => {}
            }
            different.push(value);
        }
        if !has_order && different.len() > 1 {
            self.found.push(Expr::new(ExprKind::Distinct(different.clone()), self.span()));
        }
        if is_listed {
            let cases: Vec<Expr> = different
                .into_iter()
                .map(|value| self.binary(BinaryOp::Equal, var("X", self.place), value))
                .collect();
            let body = if let [only] = cases.as_slice() {
                only.clone()
            } else {
                Expr::new(ExprKind::Or(cases), self.span())
            };
            self.for_all(&["X"], body);
        }
        if let Some(greatest) = self.interpreted.computed_to() {
            self.operations(used, greatest);
        }
        self.found
    }

    /// Adds what the operations give that are used, for all pairs of numbers up to the greatest one.
    fn operations(&mut self, used: &[Arc<str>], greatest: u64) {
        for (text, op) in [("+", BinaryOp::Plus), ("-", BinaryOp::Minus), ("*", BinaryOp::Times)] {
            if used.iter().all(|symbol| &**symbol != text) {
                continue;
            }
            for left in 0..=greatest {
                for right in 0..=greatest {
                    let value = match (self.interpreted.elements, op) {
                        // At the end of the bits, numbers begin anew.
                        (Elements::Bits, BinaryOp::Plus) => (left + right) % (greatest + 1),
                        (Elements::Bits, BinaryOp::Minus) => (left + greatest + 1 - right) % (greatest + 1),
                        (Elements::Bits, _) => (left * right) % (greatest + 1),
                        (_, BinaryOp::Plus) => (left + right).min(greatest),
                        (_, BinaryOp::Minus) => left.saturating_sub(right),
                        (_, _) => (left * right).min(greatest),
                    };
                    let [left, right, value] =
                        [left, right, value].map(|number| self.numeral(&number.to_string()));
                    let found = self.binary(op, left, right);
                    self.push(BinaryOp::Equal, found, value);
                }
            }
        }
    }

    /// Returns what is assumed of texts. What those with `\` stand for is not known.
    fn of_texts(mut self, used: &[Arc<str>], has_order: bool) -> Vec<Expr> {
        let is_plain = |text: &&Arc<str>| text.starts_with('"') && text.is_ascii() && !text.contains('\\');
        let mut texts: Vec<&Arc<str>> = used.iter().filter(is_plain).collect();
        // Without the quotes, since a blank and `!` come before them.
        texts.sort_unstable_by_key(|text| text.trim_matches('"'));
        let texts: Vec<Expr> = texts.into_iter().map(|text| self.numeral(text)).collect();
        if has_order {
            self.order();
            for sides in texts.windows(2) {
                if let [before, after] = sides {
                    self.push(BinaryOp::Less, before.clone(), after.clone());
                }
            }
            if used.iter().any(|text| &**text == "\"\"") {
                let (empty, x) = (self.numeral("\"\""), var("X", self.place));
                let body = self.binary(BinaryOp::LessEqual, empty, x);
                self.for_all(&["X"], body);
            }
        } else if texts.len() > 1 {
            self.found.push(Expr::new(ExprKind::Distinct(texts), self.span()));
        }
        self.found
    }

    /// Adds that the order is a strict total order.
    fn order(&mut self) {
        let [x, y, z] = ["X", "Y", "Z"].map(|name| var(name, self.place));
        let span = self.span();
        let less = |a: &Expr, b: &Expr| self.binary(BinaryOp::Less, a.clone(), b.clone());
        let both = Expr::new(ExprKind::And(vec![less(&x, &y), less(&y, &z)]), span);
        let transitive = self.binary(BinaryOp::Implies, both, less(&x, &z));
        let irreflexive = Expr::new(ExprKind::Not(Box::new(less(&x, &x))), span);
        let equal = self.binary(BinaryOp::Equal, x.clone(), y.clone());
        let total = Expr::new(ExprKind::Or(vec![less(&x, &y), equal, less(&y, &x)]), span);
        self.for_all(&["X", "Y", "Z"], transitive);
        self.for_all(&["X"], irreflexive);
        self.for_all(&["X", "Y"], total);
    }

    /// Adds that nothing is below the least and above the greatest element.
    fn ends(&mut self, numerals: &[(u64, Arc<str>)]) {
        let Interpreted { least, greatest, .. } = self.interpreted;
        for (end, is_least) in [(least, true), (greatest, false)] {
            let value = match end {
                Some(End::Number(number)) => {
                    let Some((_, text)) = numerals.iter().find(|(known, _)| known == number) else {
                        continue;
                    };
                    self.numeral(text)
                }
                Some(End::Constant(name)) => reference(name.name.clone(), self.place),
                None => continue,
            };
            let x = var("X", self.place);
            let (low, high) = if is_least { (value, x) } else { (x, value) };
            let body = self.binary(BinaryOp::LessEqual, low, high);
            self.for_all(&["X"], body);
        }
    }

    /// Adds that there is no number between two.
    fn nothing_between(&mut self, low: Expr, high: Expr) {
        let x = var("X", self.place);
        let is_below = self.binary(BinaryOp::LessEqual, x.clone(), low);
        let is_above = self.binary(BinaryOp::LessEqual, high, x);
        let body = Expr::new(ExprKind::Or(vec![is_below, is_above]), self.span());
        self.for_all(&["X"], body);
    }

    fn span(&self) -> Span {
        self.place.0
    }

    fn numeral(&self, text: &str) -> Expr {
        match &self.interpreted.sort.name {
            SortName::Named(sort) => reference(format!("{text}:{sort}").into(), self.place),
            _ => reference(text.into(), self.place),
        }
    }

    fn binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let sides = Box::new([left, right]);
        Expr::new(ExprKind::Binary { op, op_place: self.place, sides }, self.span())
    }

    fn push(&mut self, op: BinaryOp, left: Expr, right: Expr) {
        let formula = self.binary(op, left, right);
        self.found.push(formula);
    }

    fn for_all(&mut self, names: &[&str], body: Expr) {
        let bind = |name: &&str| SortedVar {
            name: Ident { name: Arc::from(*name), place: self.place },
            sort: Some(self.interpreted.sort.clone()),
        };
        let vars = names.iter().map(bind).collect();
        let kind = ExprKind::Quantifier { universal: true, vars, body: Box::new(body) };
        self.found.push(Expr::new(kind, self.span()));
    }
}

fn reference(name: Arc<str>, place: Place) -> Expr {
    Expr::new(ExprKind::Ref { name: Ident { name, place }, primes: 0, args: None }, place.0)
}

fn var(name: &str, place: Place) -> Expr {
    reference(name.into(), place)
}
