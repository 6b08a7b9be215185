//! Which quantifiers the formulas of a program have, once negations are inside and quantifiers as far inside as they go
//! (R020; Ivy, PLDI 2016, Figure 11).

use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::{Map, Set};
use crate::base::span::Span;
use crate::diag::{Code, Diagnostic};
use crate::forms::Normalizer;
use crate::logic::{Node, Signature, TermId, Terms, VarId};
use crate::system::{Placed, Role, System};

/// Formulas with more nodes may share so many parts that they can be walked as graphs only.
const LARGE: u32 = 10_000;

/// The quantifiers that a place allows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Allowed {
    /// None.
    None,
    /// No alternation.
    AlternationFree,
    /// `exists .. forall ..`.
    ExistsForall,
    /// `forall .. exists ..`.
    ForallExists,
}

/// What the place of a formula allows, and what the formula is, for messages.
fn rule(role: Role) -> (Allowed, &'static str) {
    match role {
        Role::Axiom => (Allowed::ExistsForall, "an axiom"),
        Role::Safety => (Allowed::ForallExists, "a safety property"),
        Role::Invariant => (Allowed::ForallExists, "a conjecture"),
        Role::Theorem => (Allowed::ForallExists, "a theorem"),
        Role::Assumption => (Allowed::ExistsForall, "an assumption"),
        Role::Assertion => (Allowed::ForallExists, "an assertion"),
        Role::Condition => (Allowed::AlternationFree, "the condition of an `if`"),
        Role::Update => (Allowed::None, "an update"),
    }
}

/// Warns where a formula of a program has other quantifiers than its place allows; see [`System::placed`]. In the order of
/// the places. A node of a normal form takes a unit of the budget.
///
/// # Errors
/// The budget that ran out.
pub fn quantifiers(system: &System, budget: &mut Budget) -> Result<Vec<Diagnostic>, Exhausted> {
    let mut found = Vec::new();
    if system.placed.is_empty() {
        return Ok(found);
    }
    // Normal forms are terms that nobody else has a use for.
    let mut terms = system.terms.clone();
    let mut checker = Checker::default();
    for placed in &system.placed {
        found.extend(checker.check(&system.sig, &mut terms, placed, budget)?);
    }
    found.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
    found.truncate(super::MOST);
    Ok(found)
}

/// Checks formulas of one arena.
#[derive(Default)]
struct Checker {
    normalizer: Normalizer,
}

impl Checker {
    /// The warning that a formula has other quantifiers than its place allows, if it has.
    fn check(
        &mut self,
        sig: &Signature,
        terms: &mut Terms,
        &Placed { formula, role, span }: &Placed,
        budget: &mut Budget,
    ) -> Result<Option<Diagnostic>, Exhausted> {
        let (allowed, what) = rule(role);
        let signs: &[bool] = match allowed {
            Allowed::None => return Ok(any_quantifier(terms, formula, what, span)),
            Allowed::AlternationFree => &[true, false],
            Allowed::ExistsForall => &[true],
            Allowed::ForallExists => &[false],
        };
        for &positive in signs {
            let normal = match self.normalizer.within(terms, formula, positive, budget) {
                Ok(normal) => normal,
                // Of a formula that is too large for a normal form nothing can be said; search will refuse it too.
                Err(Exhausted::FormulaSize) => return Ok(None),
                Err(exhausted) => return Err(exhausted),
            };
            if let Some((outers, inner)) = Search::new(terms).find(normal) {
                return Ok(alternation(sig, terms, allowed, (what, span), &outers, inner, positive));
            }
        }
        Ok(None)
    }
}

/// The warning that a formula has quantifiers, if it has.
fn any_quantifier(terms: &Terms, formula: TermId, what: &str, span: Span) -> Option<Diagnostic> {
    let var = first_quantifier(terms, formula)?;
    let name = &terms.var_info(var).name;
    Some(
        Diagnostic::warning(
            Code::Quantifiers,
            terms.var_info(var).span.unwrap_or(span),
            format!("{what} cannot have quantifiers, but `{name}` is quantified"),
        )
        .label("bound by a quantifier")
        .also(span, "only formulas without quantifiers here")
        .help(
            "keep the quantified formula in a relation that the actions update (a ghost relation), or ask before: \
             `if` takes quantifiers, and `v := *` with `assume` chooses an element",
        ),
    )
}

/// The warning that the variable `inner` depends on the variables `outers`. `what` the formula is, and where, is for the
/// message.
fn alternation(
    sig: &Signature,
    terms: &Terms,
    allowed: Allowed,
    (what, span): (&str, Span),
    outers: &[VarId],
    inner: VarId,
    positive: bool,
) -> Option<Diagnostic> {
    let place = |var: VarId| terms.var_info(var).span.unwrap_or(span);
    let name = |var: VarId| terms.var_info(var).name.as_str();
    let outer = *outers.first()?;
    let form = match allowed {
        Allowed::AlternationFree => "without alternation of quantifiers",
        Allowed::ExistsForall => "of the form `exists .. forall ..`",
        _ => "of the form `forall .. exists ..`",
    };
    let (outer_name, inner_name) = (name(outer), name(inner));
    let depends = if positive {
        format!("for each `{outer_name}` there is a `{inner_name}`")
    } else {
        format!("there is a `{outer_name}` for which all `{inner_name}` are meant")
    };
    let warning =
        Diagnostic::warning(Code::Quantifiers, place(inner), format!("{what} must be {form}, but {depends}"))
            .label(format!("`{inner_name}` is bound here, inside of `{outer_name}`"))
            .also(place(outer), format!("`{outer_name}` is bound here"))
            .note("negations and the condition of an `if` or `<->` turn quantifiers around");
    let sort_of = |var: VarId| sig.sorts[terms.var_info(var).sort].name.as_str();
    let list =
        |of: &dyn Fn(VarId) -> String| outers.iter().map(|&var| of(var)).collect::<Vec<_>>().join(", ");
    let outer_sorts = list(&|var| sort_of(var).to_owned());
    let inner_sort = sort_of(inner);
    Some(warning.help(match allowed {
            Allowed::AlternationFree => "take the condition apart: an `if` inside of another".to_owned(),
            Allowed::ExistsForall if outers.iter().any(|&outer| sort_of(outer) == inner_sort) => format!(
                "assume it of single elements, where they come up (variables, parameters): within one sort no function can \
                 give the `{inner_name}`"
            ),
            Allowed::ExistsForall => format!(
                "`function f: {outer_sorts} -> {inner_sort}` names the element: write `f({})` for `{inner_name}`",
                list(&|var| name(var).to_owned())
            ),
            _ => format!(
                "keep the `{outer_name}` in a ghost relation, which actions fill in where it comes up, and claim the rest of \
                 all that are in it; or in a `variable` of sort `{}`, if there is only one",
                sort_of(outer)
            ),
        }))
}

/// A variable that is bound in `formula`.
fn first_quantifier(terms: &Terms, formula: TermId) -> Option<VarId> {
    let mut seen: Set<TermId> = Set::default();
    let mut open = vec![formula];
    while let Some(term) = open.pop() {
        if !terms.has_vars(term) || !seen.insert(term) {
            continue;
        }
        if let Node::Forall(vars, _) | Node::Exists(vars, _) = terms.node(term) {
            return terms.bound_vars(vars).next();
        }
        let first = open.len();
        open.extend(terms.children(term));
        open[first..].reverse();
    }
    None
}

/// Looks for an existential variable that depends on a universal one.
struct Search<'a> {
    terms: &'a Terms,
    /// A universal variable that each variable in scope depends on, if there is one; for a universal one, itself.
    scope: Map<VarId, Option<VarId>>,
    /// Large subformulas that are done, each with what its free variables depend on.
    seen: Set<(TermId, Vec<Option<VarId>>)>,
}

impl<'a> Search<'a> {
    fn new(terms: &'a Terms) -> Search<'a> {
        Search { terms, scope: Map::default(), seen: Set::default() }
    }

    /// The existential variable, and before it those that it depends on, of which there is at least one.
    fn find(&mut self, formula: TermId) -> Option<(Vec<VarId>, VarId)> {
        let terms = self.terms;
        let depends = |scope: &Map<VarId, Option<VarId>>| -> Vec<Option<VarId>> {
            let free = terms.free_vars(formula);
            free.into_iter().map(|var| scope.get(&var).copied().flatten()).collect()
        };
        if terms.tree_size(formula) > LARGE && !self.seen.insert((formula, depends(&self.scope))) {
            return None;
        }
        let (vars, body) = match terms.node(formula) {
            Node::And(args) | Node::Or(args) => {
                return terms.args(args).iter().find_map(|&arg| self.find(arg));
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => (vars, body),
            _ => return None,
        };
        let mut universals: Vec<VarId> = depends(&self.scope).into_iter().flatten().collect();
        universals.sort_unstable();
        universals.dedup();
        let is_universal = matches!(terms.node(formula), Node::Forall(..));
        for var in terms.bound_vars(vars) {
            if !is_universal && !universals.is_empty() {
                return Some((universals, var));
            }
            self.scope.insert(var, is_universal.then_some(var));
        }
        self.find(body)
    }
}
