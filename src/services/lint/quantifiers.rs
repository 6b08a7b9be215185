//! R020: quantifiers of the formulas of a program, in negation normal form and with quantifiers moved inwards as far as
//! possible (Ivy, PLDI 2016, Figure 11).

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{Node, Syntax, SyntaxMut, TermId, Terms, VarId};
use ramsey_core::system::{PlacedFormula, Role, System};
use ramsey_solver::formulas::Normalizer;

/// Tree size above which formulas may share so many subformulas that they must be traversed as graphs.
const LARGE_TREE: u32 = 10_000;

/// The quantifier prefixes allowed for a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Allowed {
    /// No quantifiers.
    None,
    /// No alternation.
    AlternationFree,
    /// `exists .. forall ..`.
    ExistsForall,
    /// `forall .. exists ..`.
    ForallExists,
}

/// Returns the quantifiers allowed for a role, and a noun for messages.
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

/// Returns a warning for each formula of a program with quantifiers that its role does not allow (see
/// [`System::placed`]), ordered by position. Each node of a normal form costs one unit of the budget.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn quantifiers(system: &System, budget: &mut Budget) -> Result<Vec<Diagnostic>, Exhausted> {
    let mut found = Vec::new();
    if system.placed.is_empty() {
        return Ok(found);
    }
    // Normal forms are created in a copy of the arena, because they are not used elsewhere.
    let mut terms = system.terms.clone();
    let mut checker = Checker::default();
    for placed in &system.placed {
        found.extend(checker.check(terms.over_mut(&system.sig), placed, budget)?);
    }
    found.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
    found.truncate(super::MAX_WARNINGS);
    Ok(found)
}

/// Checks formulas of one arena.
#[derive(Default)]
struct Checker {
    normalizer: Normalizer,
}

impl Checker {
    /// Returns a warning if a formula has quantifiers that its role does not allow.
    fn check(
        &mut self,
        syntax: SyntaxMut<'_>,
        &PlacedFormula { formula, role, span }: &PlacedFormula,
        budget: &mut Budget,
    ) -> Result<Option<Diagnostic>, Exhausted> {
        let SyntaxMut { sig, terms } = syntax;
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
                // The formula is too large for a normal form. Search will reject it too.
                Err(Exhausted::FormulaSize) => return Ok(None),
                Err(exhausted) => return Err(exhausted),
            };
            if let Some((outers, inner)) = Search::new(terms).find(normal) {
                return Ok(alternation(terms.over(sig), allowed, (what, span), &outers, inner, positive));
            }
        }
        Ok(None)
    }
}

/// Returns a warning if a formula has a quantifier.
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

/// Returns the warning that the variable `inner` depends on the variables `outers`. `what` and `span` describe the
/// formula in the message.
fn alternation(
    syntax: Syntax<'_>,
    allowed: Allowed,
    (what, span): (&str, Span),
    outers: &[VarId],
    inner: VarId,
    positive: bool,
) -> Option<Diagnostic> {
    let Syntax { sig, terms } = syntax;
    let place = |var: VarId| terms.var_info(var).span.unwrap_or(span);
    let name = |var: VarId| &*terms.var_info(var).name;
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

/// Returns a variable bound in `formula`, if there is one.
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

/// Searches for an existential variable that depends on a universal one.
struct Search<'a> {
    terms: &'a Terms,
    /// For each variable in scope, a universal variable that it depends on, if there is one. A universal variable
    /// depends on itself.
    scope: Map<VarId, Option<VarId>>,
    /// Large subformulas already searched, each with the dependencies of its free variables.
    seen: Set<(TermId, Vec<Option<VarId>>)>,
}

impl<'a> Search<'a> {
    fn new(terms: &'a Terms) -> Search<'a> {
        Search { terms, scope: Map::default(), seen: Set::default() }
    }

    /// Returns an existential variable, preceded by the non-empty list of variables that it depends on.
    fn find(&mut self, formula: TermId) -> Option<(Vec<VarId>, VarId)> {
        let terms = self.terms;
        let depends = |scope: &Map<VarId, Option<VarId>>| -> Vec<Option<VarId>> {
            let free = terms.free_vars(formula);
            free.into_iter().map(|var| scope.get(&var).copied().flatten()).collect()
        };
        if terms.tree_size(formula) > LARGE_TREE && !self.seen.insert((formula, depends(&self.scope))) {
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
