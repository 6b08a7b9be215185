//! Pairs of elements of a sort that guards relate.
//!
//! A guard may ask for another element of the sort of a parameter: a letter is sent late only if a marker has been sent on the
//! same link. A lemma that says so of all letters has a witness of the sort that it is about, and a variable for each value
//! of a function that the guard compares. Properties need not mention these sorts, so that levels of the schedule have too
//! few variables for it, or too many others.

use super::blocks::Blocks;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Node, SortId, TermId, VarId};
use ramsey_core::system::System;

/// Maximum number of variables before a witness. With more of them, as for records of many fields, there are too many formulas.
const MAX_OUTER: u32 = 6;

/// Returns the variables of formulas about such pairs, one for each sort: an element, a witness, a value for each function
/// of the element, and one variable of each sort that relations have beside the sort.
pub(super) fn asked(system: &System) -> Vec<Blocks> {
    let mut reader = Reader { system, sorts: Set::default(), seen: Set::default(), free: Map::default() };
    system.transitions.iter().for_each(|transition| reader.read(transition.body, true));
    let mut sorts: Vec<SortId> = reader.sorts.into_iter().collect();
    sorts.sort_unstable();
    let none = || vec![0; system.sig.sorts.len()];
    let blocks = sorts.into_iter().map(|sort| {
        let (mut outer, mut witnesses) = (none(), none());
        for symbol in system.sig.symbols.iter().filter(|symbol| symbol.args.contains(&sort)) {
            if !symbol.is_relation() && symbol.args == [sort] {
                outer[symbol.result.index()] += 1;
            } else if symbol.is_relation() {
                symbol.args.iter().for_each(|arg| outer[arg.index()] = outer[arg.index()].max(1));
            }
        }
        outer[sort.index()] = 1;
        witnesses[sort.index()] = 1;
        Blocks { outer, local: none(), witnesses, inner: none() }
    });
    blocks.filter(|it| it.outer.iter().sum::<u32>() <= MAX_OUTER).collect()
}

struct Reader<'a> {
    system: &'a System,
    /// The sorts of which another element is asked for.
    sorts: Set<SortId>,
    /// The formulas that have been read, with their polarity.
    seen: Set<(TermId, bool)>,
    free: Map<TermId, Vec<VarId>>,
}

impl Reader<'_> {
    fn read(&mut self, formula: TermId, is_positive: bool) {
        if !self.seen.insert((formula, is_positive)) {
            return;
        }
        let terms = &self.system.terms;
        match terms.node(formula) {
            Node::Not(inner) => self.read(inner, !is_positive),
            Node::And(args) | Node::Or(args) => {
                terms.args(args).iter().for_each(|&part| self.read(part, is_positive));
            }
            Node::Implies(premise, conclusion) => {
                self.read(premise, !is_positive);
                self.read(conclusion, is_positive);
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                if matches!(terms.node(formula), Node::Exists(..)) == is_positive {
                    let sort = |var: VarId| terms.var_info(var).sort;
                    let free = terms.free_vars_shared(formula, &mut self.free);
                    let free: Vec<SortId> = free.into_iter().map(sort).collect();
                    self.sorts.extend(terms.bound_vars(vars).map(sort).filter(|it| free.contains(it)));
                }
                self.read(body, is_positive);
            }
            // Updates are equivalences: what they say of the next state is no guard.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::base::span::{Source, Sources};
    use ramsey_lang::{Includes, Language, load};

    /// Returns the variables that are asked for where a guard compares letters with so many fields.
    fn of_fields(count: usize, guard: &str) -> Vec<Blocks> {
        let fields: String =
            (0..count).map(|at| format!("immutable function field{at}(letter): value\n")).collect();
        let text = format!(
            "sort letter\nsort value\n{fields}mutable relation sent(letter)\n\
             transition send(l: letter) modifies sent & ({guard}) & forall X. sent'(X) <-> sent(X) | X = l\n"
        );
        let mut sources = Sources::new();
        let file = sources.push(Source::new("model.pyv".to_owned(), text));
        let (system, diagnostics) = load(Language::Pyv, file, &sources, &Includes::new());
        asked(&system.unwrap_or_else(|| panic!("{diagnostics:?}")))
    }

    #[test]
    fn guards_ask_for_another_element_of_few_fields() {
        let another = "exists Y:letter. sent(Y) & field0(Y) = field0(l)";
        let blocks = of_fields(3, another);
        let [blocks] = &*blocks else { panic!("{blocks:?}") };
        assert_eq!((&*blocks.outer, &*blocks.witnesses), (&[0, 1, 3][..], &[0, 1, 0][..]));
        assert!(of_fields(3, "sent(l)").is_empty(), "nothing is asked for");
        assert!(of_fields(3, "forall Y:letter. sent(Y) -> field0(Y) = field0(l)").is_empty());
        assert_eq!(of_fields(5, another).len(), 1);
        assert!(of_fields(6, another).is_empty(), "there are too many formulas");
    }
}
