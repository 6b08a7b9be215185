//! Goals without their outermost quantifiers.

use super::vocabulary::Vocabulary;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, TermId, VarId};

impl Vocabulary {
    /// Replaces the universal variables of a goal by constants: parameters by `arguments`, which each step chooses,
    /// and all others by tracked ones, which no step changes. If the goal is false in some state, it is false there
    /// for some values of the constants. Returns the goal and the tracked constants.
    pub(super) fn instance_of_goal(
        &mut self,
        goal: TermId,
        arguments: &Map<VarId, TermId>,
    ) -> (TermId, Vec<TermId>) {
        let mut tracked = Vec::new();
        let goal = self.skolemize(goal, arguments, &mut tracked);
        (goal, tracked)
    }

    fn skolemize(
        &mut self,
        goal: TermId,
        arguments: &Map<VarId, TermId>,
        tracked: &mut Vec<TermId>,
    ) -> TermId {
        match self.terms.node(goal) {
            Node::Forall(vars, body) => {
                let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
                let named = self.names_of_constants(body);
                let mut map = Map::default();
                for var in vars {
                    let value = match arguments.get(&var).or(named.get(&var)) {
                        Some(&value) => value,
                        None => {
                            let constant = self.track(var);
                            tracked.push(constant);
                            constant
                        }
                    };
                    map.insert(var, value);
                }
                let body = self.terms.substitute(body, &map);
                self.skolemize(body, arguments, tracked)
            }
            Node::And(args) | Node::Or(args) => {
                let is_and = matches!(self.terms.node(goal), Node::And(_));
                let parts = self.terms.args(args).to_vec();
                let parts: Vec<TermId> =
                    parts.into_iter().map(|part| self.skolemize(part, arguments, tracked)).collect();
                if is_and { self.terms.and(&parts) } else { self.terms.or(&parts) }
            }
            Node::Implies(condition, body) => {
                let body = self.skolemize(body, arguments, tracked);
                self.terms.implies(condition, body)
            }
            _ => goal,
        }
    }

    /// Returns the variables that a formula is only about where they have the value of a constant that no step
    /// changes. The constant is tracked in any case, so a second one would be of no use.
    fn names_of_constants(&self, formula: TermId) -> Map<VarId, TermId> {
        let Node::Implies(condition, _) = self.terms.node(formula) else { return Map::default() };
        let equations =
            self.terms.conjuncts(condition).into_iter().filter_map(|it| match self.terms.node(it) {
                Node::Eq(a, b) => Some((self.terms.as_var(a)?, b)),
                _ => None,
            });
        let is_constant = |term: TermId| match self.terms.node(term) {
            Node::App { sym, args, .. } => {
                args.is_empty() && self.sig.symbols[sym].is_declared() && self.is_immutable(term)
            }
            _ => false,
        };
        equations.filter(|&(_, term)| is_constant(term)).collect()
    }
}
