//! Sorts whose elements are numbers: what is assumed of their order and of the numerals that a program mentions.

use std::rc::Rc;

use super::term::{Term, What, applied_name, block, joined, node, not, operator, variable};
use super::tree::{End, Formula, Item, Name, Role, Variable};

/// How many elements a sort may have of which all are listed.
const MAX_LISTED: u64 = 8;

/// The axioms of a sort of numbers.
struct Numbers<'v> {
    sort: Name,
    variables: &'v mut Vec<Variable>,
    axioms: Vec<Term>,
}

/// Returns the axioms about the numbers of a sort, from one to another as far as there are ends. `used` are the symbols of
/// the sort that the program mentions: `<` and numerals.
pub(crate) fn axioms(
    sort: &Name,
    ends: &[Option<End>; 2],
    used: &[Rc<str>],
    variables: &mut Vec<Variable>,
) -> Vec<Item> {
    let mut numbers = Numbers { sort: sort.clone(), variables, axioms: Vec::new() };
    numbers.of(ends, used);
    let axiom = |body| {
        let word = Name { text: "axiom".into(), at: sort.at };
        Item::Formula(Formula { word, name: None, params: Vec::new(), body })
    };
    numbers.axioms.into_iter().map(axiom).collect()
}

impl Numbers<'_> {
    fn of(&mut self, ends: &[Option<End>; 2], used: &[Rc<str>]) {
        let number =
            |end: &Option<End>| if let Some(End::Number(number)) = end { Some(*number) } else { None };
        let [least, greatest] = [&ends[0], &ends[1]].map(number);
        let is_open = ends.iter().any(|end| matches!(end, Some(End::Constant(_))));
        let is_end = |it: u64| least == Some(it) || greatest == Some(it);
        let is_between =
            |it: u64| least.is_none_or(|least| least <= it) && greatest.is_none_or(|end| it <= end);
        let is_in = |it: u64| if is_open { is_end(it) } else { is_between(it) };
        let known = used.iter().filter_map(|text| Some((text.parse().ok()?, text.clone())));
        let mut numerals: Vec<(u64, Rc<str>)> = known.filter(|(number, _)| is_in(*number)).collect();
        let has_order = used.iter().any(|text| **text == *"<");
        let is_few = |from: u64, to: u64| to.saturating_sub(from) < MAX_LISTED;
        let first = numerals.iter().map(|(number, _)| *number).min();
        let last = numerals.iter().map(|(number, _)| *number).max();
        let mut added: Option<(u64, u64)> = None;
        let mut is_listed = false;
        match (least, greatest, first, last) {
            (Some(least), Some(end), ..) if is_few(least, end) => {
                added = Some((least, end));
                is_listed = true;
            }
            _ if is_open || !has_order => {}
            (Some(least), _, _, Some(last)) if is_few(least, last) => added = Some((least, last)),
            (_, _, Some(first), Some(last)) if is_few(first, last) => added = Some((first, last)),
            _ => {}
        }
        if let Some((from, to)) = added {
            for number in from..=to {
                if numerals.iter().all(|(known, _)| *known != number) {
                    numerals.push((number, number.to_string().into()));
                }
            }
        }
        numerals.sort();
        if has_order {
            self.order();
            for (end, is_least) in [(&ends[0], true), (&ends[1], false)] {
                self.end(end.as_ref(), is_least, &numerals);
            }
        }
        let mut different = Vec::new();
        for (at, (number, text)) in numerals.iter().enumerate() {
            let value = self.numeral(text);
            let before = at.checked_sub(1).map(|before| &numerals[before]);
            if let Some((same, text)) = before
                && same == number
            {
                let before = self.numeral(text);
                self.axioms.push(operator("=", vec![before, value]));
                continue;
            }
            if let (Some((smaller, text)), true) = (before, has_order) {
                let before = self.numeral(text);
                let less = self.less(Rc::clone(&before), Rc::clone(&value));
                self.axioms.push(less);
                if !is_listed && smaller + 1 == *number {
                    let x = self.variable("X");
                    let below = self.at_most(variable(x), before);
                    let above = self.at_most(Rc::clone(&value), variable(x));
                    self.axioms.push(block("!", vec![x], operator("|", vec![below, above])));
                }
            }
            different.push(value);
        }
        if !has_order && different.len() > 1 {
            self.axioms.push(operator("distinct", different.clone()));
        }
        if is_listed {
            let x = self.variable("X");
            let cases = different.into_iter().map(|value| operator("=", vec![variable(x), value]));
            let cases = joined("|", cases.collect());
            self.axioms.push(block("!", vec![x], cases));
        }
    }

    /// Adds that the order is a strict total order.
    fn order(&mut self) {
        let [x, y, z] = ["X", "Y", "Z"].map(|name| self.variable(name));
        let mut less = |a, b| self.less(variable(a), variable(b));
        let both = operator("&", vec![less(x, y), less(y, z)]);
        let transitive = operator(">", vec![both, less(x, z)]);
        self.axioms.push(block("!", vec![x, y, z], transitive));
        let x = self.variable("X");
        let same = self.less(variable(x), variable(x));
        self.axioms.push(block("!", vec![x], not(&same)));
        let [x, y] = ["X", "Y"].map(|name| self.variable(name));
        let less = self.less(variable(x), variable(y));
        let more = self.less(variable(y), variable(x));
        let total = operator("|", vec![less, operator("=", vec![variable(x), variable(y)]), more]);
        self.axioms.push(block("!", vec![x, y], total));
    }

    /// Adds that nothing is below the least, or above the greatest element.
    fn end(&mut self, end: Option<&End>, is_least: bool, numerals: &[(u64, Rc<str>)]) {
        let value = match end {
            Some(End::Number(number)) => match numerals.iter().find(|(known, _)| known == number) {
                Some((_, text)) => self.numeral(text),
                None => return,
            },
            Some(End::Constant(name)) => applied_name(name.clone(), Vec::new()),
            None => return,
        };
        let x = self.variable("X");
        let (low, high) = if is_least { (value, variable(x)) } else { (variable(x), value) };
        let least = self.at_most(low, high);
        self.axioms.push(block("!", vec![x], least));
    }

    fn at_most(&mut self, low: Term, high: Term) -> Term {
        let less = self.less(Rc::clone(&low), Rc::clone(&high));
        operator("|", vec![less, operator("=", vec![low, high])])
    }

    fn variable(&mut self, name: &str) -> usize {
        let name = Name { text: name.into(), at: self.sort.at };
        self.variables.push(Variable { name, sort: Some(self.sort.clone()), role: Role::Hidden });
        self.variables.len() - 1
    }

    fn numeral(&mut self, text: &str) -> Term {
        node(What::Overload(self.variable(text)), Vec::new())
    }

    fn less(&mut self, a: Term, b: Term) -> Term {
        node(What::Overload(self.variable("<")), vec![a, b])
    }
}
