//! Counterexamples: structures read from a certificate and checked by [`ramsey_core::logic::eval`].

use super::format::{Value, excerpt};
use super::kernel::Names;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Evaluator, Node, Signature, SortId, Structure, TermId, Terms};

/// Maximum number of elements of a sort. Structures of practical use are far smaller.
const MAX_ELEMENTS: u32 = 1 << 16;

/// Maximum number of steps that evaluation may take in the worst case.
const MAX_STEPS: u64 = 1 << 40;

/// A structure under construction.
#[derive(Debug)]
pub(super) struct Candidate<'a> {
    names: &'a Names,
    sig: &'a Signature,
    states: u16,
    structure: Structure,
    sized: Set<SortId>,
    /// Whether a value has been given. Sizes are fixed afterwards.
    has_values: bool,
}

impl<'a> Candidate<'a> {
    /// Creates a structure over `sig` with this number of states and no known size.
    pub(super) fn new(names: &'a Names, sig: &'a Signature, states: u16) -> Self {
        let structure = Structure::new(sig, states.max(1).into());
        Candidate { names, sig, states, structure, sized: Set::default(), has_values: false }
    }

    /// Processes one line.
    pub(super) fn line(&mut self, line: &str) -> Result<(), String> {
        match Value::parse(line)? {
            Value::Size { sort, size } => self.size(sort, size),
            Value::Entry { symbol, args, value } => self.value(symbol, &args, value),
        }
    }

    fn size(&mut self, name: &str, size: u32) -> Result<(), String> {
        let sort = *self.names.sorts.get(name).ok_or_else(|| format!("no sort `{}`", excerpt(name)))?;
        if self.has_values {
            return Err("sizes come before values".into());
        }
        if size == 0 {
            return Err("a sort is not empty".into());
        }
        if size > MAX_ELEMENTS {
            return Err("a sort is too large to be evaluated".into());
        }
        if !self.sized.insert(sort) {
            return Err(format!("the size of `{name}` is given twice"));
        }
        self.structure.sizes[sort] = size;
        Ok(())
    }

    fn value(&mut self, name: &str, args: &[u32], value: u32) -> Result<(), String> {
        self.all_sized()?;
        self.has_values = true;
        let (sym, step) = self.names.symbol(self.sig, name, self.states)?;
        let symbol = &self.sig.symbols[sym];
        if symbol.args.len() != args.len() {
            return Err(format!("`{name}` takes {} argument(s)", symbol.args.len()));
        }
        let mut tuple = Vec::with_capacity(args.len());
        for (&arg, &sort) in args.iter().zip(&symbol.args) {
            tuple.push(self.element(arg, sort)?);
        }
        let value = self.element(value, symbol.result)?;
        let meaning = self.structure.interpretation_mut(self.sig, sym, step.into());
        if meaning.entries.contains_key(tuple.as_slice()) {
            return Err("a value is given twice".into());
        }
        meaning.set(&tuple, value);
        Ok(())
    }

    fn element(&self, element: u32, sort: SortId) -> Result<u32, String> {
        if element < self.structure.sizes[sort] {
            Ok(element)
        } else {
            Err(format!("`{}` has no element {element}", self.sig.sorts[sort].name))
        }
    }

    fn all_sized(&self) -> Result<(), String> {
        match self.sig.uninterpreted_sorts().find(|sort| !self.sized.contains(sort)) {
            None => Ok(()),
            Some(sort) => Err(format!("the size of `{}` is not given", self.sig.sorts[sort].name)),
        }
    }

    /// Returns an error unless the structure satisfies all hypotheses and not the goal.
    pub(super) fn judge(&self, terms: &Terms, hypotheses: &[TermId], goal: TermId) -> Result<(), String> {
        self.all_sized()?;
        if !can_be_judged(&self.structure, terms, hypotheses, goal) {
            return Err("the structure is too large to be evaluated".into());
        }
        self.judge_within(terms, hypotheses, goal, Budget::unlimited())
    }

    /// Like [`Self::judge`], if the budget suffices; results of an evaluation beyond its budget are meaningless.
    fn judge_within(
        &self,
        terms: &Terms,
        hypotheses: &[TermId],
        goal: TermId,
        budget: Budget,
    ) -> Result<(), String> {
        let mut evaluator = Evaluator::new(terms.over(self.sig), &self.structure);
        evaluator.budget = budget;
        let mut holds = |formula| {
            let value = evaluator.holds(formula);
            match evaluator.exhausted {
                None => Ok(value),
                Some(exhausted) => Err(format!("the structure could not be evaluated: {exhausted}")),
            }
        };
        for (index, &hypothesis) in hypotheses.iter().enumerate() {
            if !holds(hypothesis)? {
                return Err(format!("the structure violates hypothesis {index}"));
            }
        }
        if holds(goal)? {
            return Err("the structure satisfies the goal".into());
        }
        Ok(())
    }
}

/// Checks whether a structure is small enough to be evaluated against these formulas in the worst case.
pub fn can_be_judged(structure: &Structure, terms: &Terms, hypotheses: &[TermId], goal: TermId) -> bool {
    let mut known = Map::default();
    let work = hypotheses.iter().chain([&goal]).map(|&formula| work(structure, terms, formula, &mut known));
    work.fold(0, u64::saturating_add) <= MAX_STEPS
}

/// Returns the maximum number of steps of an evaluation.
fn work(structure: &Structure, terms: &Terms, term: TermId, known: &mut Map<TermId, u64>) -> u64 {
    if let Some(&work) = known.get(&term) {
        return work;
    }
    let below = terms.children(term).map(|child| work(structure, terms, child, known));
    let mut steps = below.fold(1, u64::saturating_add);
    if let Node::Forall(vars, _) | Node::Exists(vars, _) = terms.node(term) {
        for var in terms.bound_vars(vars) {
            steps = steps.saturating_mul(structure.sizes[terms.var_info(var).sort].into());
        }
    }
    known.insert(term, steps);
    steps
}

#[cfg(test)]
mod tests {
    use super::{Candidate, Names};
    use ramsey_core::base::budget::Budget;
    use ramsey_core::logic::{Signature, Sort, Terms};

    #[test]
    fn what_is_not_evaluated_to_its_end_is_not_accepted() {
        let mut sig = Signature::new();
        let sort = sig.sorts.push(Sort { name: "s".into(), annotations: vec![], span: None });
        let names = Names::new(&sig);
        let mut candidate = Candidate::new(&names, &sig, 1);
        candidate.line("size s 3").expect("a size");
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.new_var(name, sort));
        let [tx, ty] = [x, y].map(|var| terms.var(var));
        let same = terms.eq(tx, tx);
        let valid = terms.forall(&[x], same);
        let equal = terms.eq(tx, ty);
        let one = terms.forall(&[x, y], equal);
        let judge = |hypothesis, goal, work| {
            candidate.judge_within(&terms, &[hypothesis], goal, Budget::new(Some(work), None))
        };
        assert_eq!(judge(valid, one, 100), Ok(()));
        assert!(judge(valid, valid, 100).is_err());
        assert!(judge(one, one, 100).is_err());
        // An interrupted evaluation yields `false` for every `forall`, in hypotheses and goals alike.
        for work in 0..6 {
            let reason = judge(valid, valid, work).expect_err("the goal is valid");
            assert!(reason.contains("could not be evaluated: work budget"), "{work}: {reason}");
        }
    }
}
