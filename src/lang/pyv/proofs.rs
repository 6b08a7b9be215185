//! Static checks of `fbii` proofs, and their translation.

use super::ast::{self, DeclKind, FbiiItem};
use crate::fol::ast::{Expr, Ident};
use crate::fol::expand::{Lowerer, Template};
use crate::fol::names::SymbolSorts;
use crate::fol::sorts::Ty;
use crate::fol::statics::expr::Reason;
use crate::fol::statics::{Callee, Checker, Context, LocalName};
use crate::fol::typed::{Body, UnitId};
use crate::shared::report::Report;
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{SortId, SymId, Symbol, SymbolKind, SymbolOrigin, TermId, VarId};
use ramsey_core::system::{Proof, ProofInvariant, ProofStep, Proofs, Prophecy, System};

/// The name of the relation that holds for the viable values of prophecy variables, in a `by` block.
const VIABLE: &str = "__M_P";
/// The name of the conjunction of the invariants of the step, in a `by` block.
const INVARIANT: &str = "__INV_P";

/// Maximum number of steps of a proof. The hypotheses of a step include the invariants of all steps before it.
const MAX_STEPS: usize = 100;

/// The checked proofs of a file.
pub(super) struct CheckedProofs<'p> {
    proofs: Vec<CheckedProof<'p>>,
    /// The symbols of the proofs, whose ids follow those of the declared ones.
    symbols: Vec<Symbol>,
}

struct CheckedProof<'p> {
    /// The prophecy variables of all steps, in order.
    vars: Vec<Variable<'p>>,
    steps: Vec<CheckedStep<'p>>,
    span: Span,
}

/// A prophecy variable, with the constant that stands for it in later steps.
struct Variable<'p> {
    name: &'p Ident,
    ty: Ty,
    witness: SymId,
}

struct CheckedStep<'p> {
    step: &'p ast::FbiiStep,
    /// The number of variables of earlier steps.
    earlier: usize,
    /// The number of variables of earlier steps and this one.
    known: usize,
    /// The relation of viable values, if this is a prophecy step.
    viable: Option<SymId>,
    /// The invariants. All known variables are parameters.
    invariants: Vec<Body>,
    /// One entry per item of the `by` block. The variables of earlier steps are parameters.
    items: Vec<Option<Body>>,
}

impl<'p> CheckedProofs<'p> {
    /// Checks names and sorts of all proofs.
    pub(super) fn check(checker: &mut Checker<'_, '_>, program: &'p ast::Program) -> CheckedProofs<'p> {
        let declared = checker.globals.sig.symbols.len();
        let mut proofs: Vec<CheckedProof<'p>> = Vec::new();
        let mut templates = checker.globals.units.len();
        for decl in &program.decls {
            if let DeclKind::Fbii(steps) = &decl.kind {
                if checker.globals.safeties.is_empty() {
                    checker.report.push(
                        Diagnostic::warning(Code::Unchecked, decl.span(), "the `fbii` proof proves nothing")
                            .label("there is no safety property in the model")
                            .help("`safety` declares one; the proof is about all of them"),
                    );
                }
                let number = proofs.len();
                proofs.push(proof(checker, steps, decl.span(), number, &mut templates));
            }
        }
        let symbols = checker.globals.sig.symbols.as_slice()[declared..].to_vec();
        CheckedProofs { proofs, symbols }
    }

    /// Resolves the sorts of all variables, and reports those that could not be inferred. Removes the symbols of the
    /// proofs from the declared ones.
    pub(super) fn settle(&mut self, checker: &mut Checker<'_, '_>) {
        let declared = checker.globals.sig.symbols.len() - self.symbols.len();
        for proof in &mut self.proofs {
            let bodies = proof.steps.iter_mut().flat_map(|step| {
                step.invariants.iter_mut().chain(step.items.iter_mut().filter_map(Option::as_mut))
            });
            for body in bodies {
                checker.settle(body);
            }
            let mut sorts: Vec<SortId> = Vec::new();
            for var in &proof.vars {
                let problem = match checker.known_sort(var.ty) {
                    Ty::Sort(sort) => {
                        sorts.push(sort);
                        continue;
                    }
                    Ty::Var(_) => Some("its sort cannot be inferred"),
                    Ty::Bool | Ty::Int => Some("prophecy variables are of declared sorts"),
                    Ty::Unknown => None,
                };
                sorts.push(SortId::BOOL);
                if let Some(problem) = problem {
                    let what = format!("the prophecy variable `{}` has no sort", var.name.name);
                    checker
                        .report
                        .push(Diagnostic::error(Code::SortUnknown, var.name.span(), what).label(problem));
                }
            }
            let at = |sym: SymId| sym.index() - declared;
            for (var, &sort) in proof.vars.iter().zip(&sorts) {
                self.symbols[at(var.witness)].result = sort;
            }
            for step in &proof.steps {
                if let Some(viable) = step.viable {
                    self.symbols[at(viable)].args = sorts[step.earlier..step.known].to_vec();
                }
            }
        }
        checker.globals.sig.symbols.truncate(declared);
        checker.globals.symbols.truncate(declared);
    }

    /// Returns whether there is no proof.
    pub(super) fn is_empty(&self) -> bool {
        self.proofs.is_empty()
    }

    /// Completes `system`, whose other terms are those of `lowerer`. `line_of` returns the line of a position.
    pub(super) fn lower(
        &self,
        mut system: System,
        lowerer: Lowerer<'_>,
        line_of: impl Fn(Span) -> usize,
        report: &mut Report,
    ) -> Option<System> {
        if self.proofs.is_empty() {
            report.absorb(&lowerer.budget);
            system.terms = lowerer.terms;
            return Some(system);
        }
        system.terms = lowerer.terms.clone();
        let mut sig = system.sig.clone();
        for symbol in &self.symbols {
            sig.symbols.push(symbol.clone());
        }
        let mut lowerer = lowerer.over(&sig);
        let mut list = Vec::new();
        for proof in &self.proofs {
            let mut steps = Vec::new();
            for step in &proof.steps {
                steps.push(lower_step(&mut lowerer, proof, step, &line_of, report)?);
            }
            list.push(Proof { steps, span: proof.span });
        }
        report.absorb(&lowerer.budget);
        let terms = lowerer.terms;
        system.proofs = Proofs { sig, terms, list };
        Some(system)
    }
}

fn proof<'p>(
    checker: &mut Checker<'_, '_>,
    steps: &'p [ast::FbiiStep],
    span: Span,
    number: usize,
    templates: &mut usize,
) -> CheckedProof<'p> {
    let mut vars: Vec<Variable<'p>> = Vec::new();
    let mut checked = Vec::new();
    if let Some(beyond) = steps.get(MAX_STEPS) {
        let what = format!("the proof has {} steps", steps.len());
        checker.report.push(
            Diagnostic::error(Code::TraceLength, beyond.place.0, what)
                .label(format!("a proof has at most {MAX_STEPS} steps")),
        );
    }
    for (index, step) in steps.iter().enumerate().take(MAX_STEPS) {
        if checker.report.is_full() {
            break;
        }
        let earlier = vars.len();
        for var in step.prophecy.iter().flatten() {
            let ty = checker.declared_sort(var);
            let name = &var.name;
            declare(checker, name, &vars);
            let (shown, origin) = match number {
                0 => (name.name.to_string(), SymbolOrigin::Declared),
                _ => (format!("{}@{}", name.name, number + 1), SymbolOrigin::Local(name.name.clone())),
            };
            let shown = (shown, origin);
            let witness = symbol(checker, shown, Vec::new(), ty, SymbolKind::Immutable, name.span());
            vars.push(Variable { name, ty, witness });
        }
        let viable = step.prophecy.is_some().then(|| {
            let shown = match number {
                0 => format!("{VIABLE}@{}", index + 1),
                _ => format!("{VIABLE}@{}.{}", number + 1, index + 1),
            };
            let sorts: Vec<Ty> = vars[earlier..].iter().map(|var| var.ty).collect();
            let shown = (shown, SymbolOrigin::Internal);
            symbol(checker, shown, sorts, Ty::Bool, SymbolKind::Choice, step.place.0)
        });
        let invariants = step.invariants.iter().map(|it| formula(checker, &it.formula, &vars)).collect();
        if let Some(viable) = viable {
            let sorts: Vec<Ty> = vars[earlier..].iter().map(|var| var.ty).collect();
            let unit = UnitId::new(*templates);
            *templates += 1;
            let callee = Callee { unit, states: 1, sorts, decl: step.place.0 };
            checker.local_names =
                vec![(VIABLE, LocalName::Symbol(viable)), (INVARIANT, LocalName::Formula(callee))];
        }
        let item = |item: &'p FbiiItem| match item {
            FbiiItem::Invariant(invariant) => Some(formula(checker, &invariant.formula, &vars[..earlier])),
            FbiiItem::Select(condition) => Some(formula(checker, condition, &vars[..earlier])),
            FbiiItem::Default(_) => None,
        };
        let items = step.by.iter().flatten().map(item).collect();
        checker.local_names.clear();
        checked.push(CheckedStep { step, earlier, known: vars.len(), viable, invariants, items });
    }
    CheckedProof { vars, steps: checked, span }
}

/// Reports a prophecy variable with the name of a declaration or of another prophecy variable of the proof. Later steps
/// could not tell them apart.
fn declare(checker: &mut Checker<'_, '_>, name: &Ident, vars: &[Variable<'_>]) {
    let (what, label, other) = if let Some((global, span)) = checker.globals.get(&name.name) {
        let what =
            format!("the prophecy variable `{}` shadows {}", name.name, checker.globals.describe(global));
        (what, "declared here", span)
    } else if let Some(other) = vars.iter().find(|other| other.name.name == name.name) {
        let what = format!("the prophecy variable `{}` is declared twice", name.name);
        (what, "first declared here", other.name.span())
    } else {
        return;
    };
    checker.report.push(
        Diagnostic::error(Code::Duplicate, name.span(), what)
            .label("later steps mention it by its name")
            .also(other, label),
    );
}

/// Adds a symbol. Its sorts in the signature are set once they are inferred.
fn symbol(
    checker: &mut Checker<'_, '_>,
    (name, origin): (String, SymbolOrigin),
    args: Vec<Ty>,
    result: Ty,
    kind: SymbolKind,
    span: Span,
) -> SymId {
    checker.globals.symbols.push(SymbolSorts { args, result });
    let symbol = Symbol::new(name, Vec::new(), SortId::BOOL, kind);
    checker.globals.sig.symbols.push(Symbol { origin, span: Some(span), ..symbol })
}

/// Checks a formula with `vars` as parameters.
fn formula(checker: &mut Checker<'_, '_>, formula: &Expr, vars: &[Variable<'_>]) -> Body {
    checker.enter(Context::closed(1, "a formula of an `fbii` proof"));
    for var in vars {
        let local = checker.new_local(var.name, var.ty);
        checker.body.params.push(local);
    }
    checker.closed(formula, &[], Reason::Formula("an invariant"))
}

fn lower_step(
    lowerer: &mut Lowerer<'_>,
    proof: &CheckedProof<'_>,
    checked: &CheckedStep<'_>,
    line_of: &impl Fn(Span) -> usize,
    report: &mut Report,
) -> Option<ProofStep> {
    let CheckedStep { step, earlier, known, viable, .. } = *checked;
    let sig = lowerer.sig();
    let name_of = |name: &Option<Ident>| name.as_ref().map(|name| name.name.to_string());
    let labelled = |name: Option<String>, span: Span| {
        let label = name.clone().unwrap_or_else(|| format!("L{}", line_of(span)));
        (name, label)
    };
    // The values of the parameters of all formulas: constants for earlier variables, and the variables of this step.
    let mut vars: Vec<VarId> = Vec::new();
    let mut values: Vec<TermId> = Vec::new();
    for (index, var) in proof.vars[..known].iter().enumerate() {
        values.push(if index < earlier {
            lowerer.terms.app(sig, var.witness, 0, &[])
        } else {
            let fresh = lowerer.terms.new_var(&*var.name.name, sig.symbols[var.witness].result);
            lowerer.terms.locate_var(fresh, var.name.span());
            vars.push(fresh);
            lowerer.terms.var(fresh)
        });
    }
    let mut formula = |lowerer: &mut Lowerer<'_>, body: &Body, span: Span| {
        let Template { params, term } = lowerer.formula(body, span, report)?;
        let map: Map<VarId, TermId> = params.into_iter().zip(values.iter().copied()).collect();
        Some(lowerer.terms.substitute(term, &map))
    };
    let mut invariants = Vec::new();
    for (it, body) in step.invariants.iter().zip(&checked.invariants) {
        let span = it.place.0;
        let (name, label) = labelled(name_of(&it.name), span);
        invariants.push(ProofInvariant { name, label, formula: formula(lowerer, body, span)?, span });
    }
    let prophecy = match viable {
        None => None,
        Some(viable) => {
            let conjuncts: Vec<TermId> = invariants.iter().map(|it| it.formula).collect();
            let invariant = lowerer.terms.and(&conjuncts);
            lowerer.templates.push(Some(Template { params: vars.clone(), term: invariant }));
            let args: Vec<TermId> = vars.iter().map(|&var| lowerer.terms.var(var)).collect();
            let mut wanted = lowerer.terms.app(sig, viable, 0, &args);
            if !step.forward {
                wanted = lowerer.terms.not(wanted);
            }
            let both = lowerer.terms.and(&[invariant, wanted]);
            let default = lowerer.terms.exists(&vars, both);
            let all = lowerer.terms.forall(&vars, wanted);
            let mut shown = Vec::new();
            for (item, body) in step.by.iter().flatten().zip(&checked.items) {
                let (name, span, formula) = match (item, body) {
                    (FbiiItem::Invariant(it), Some(body)) => {
                        (name_of(&it.name), it.place.0, formula(lowerer, body, it.place.0)?)
                    }
                    (FbiiItem::Select(condition), Some(body)) => {
                        let span = condition.span();
                        let condition = formula(lowerer, body, span)?;
                        let not = lowerer.terms.not(condition);
                        let (otherwise, then) =
                            (lowerer.terms.implies(not, all), lowerer.terms.implies(condition, default));
                        (None, span, lowerer.terms.and(&[otherwise, then]))
                    }
                    (FbiiItem::Default(place), _) => (None, place.0, default),
                    (_, None) => unreachable!("every formula of a step is checked"),
                };
                let (name, label) = labelled(name, span);
                shown.push(ProofInvariant { name, label, formula, span });
            }
            if step.by.is_none() {
                let (name, label) = (None, format!("L{}", line_of(step.place.0)));
                shown.push(ProofInvariant { name, label, formula: default, span: step.place.0 });
            }
            let witnesses = proof.vars[earlier..known].iter().map(|var| var.witness).collect();
            Some(Prophecy { vars, witnesses, viable, invariants: shown })
        }
    };
    let span = step.place.0;
    let (name, label) = labelled(name_of(&step.name), span);
    Some(ProofStep { name, label, forward: step.forward, invariants, prophecy, span })
}
