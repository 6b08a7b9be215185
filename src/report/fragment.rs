//! Text and diagnostics of the fragment analysis.

use super::finding::{Claim, Hypothesis, Question};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic, Severity, advice};
use ramsey_core::logic::{Signature, SortId, SymId};
use ramsey_core::system::System;
use ramsey_engine::query::{Cycle, CycleEdge, EdgeCause, EdgeOrigin, describe};
use ramsey_kernel::obligations::Origin;

/// Returns one diagnostic for each cycle outside the fragment, with the number of obligations it affects.
pub fn diagnostics<'a>(
    system: &System,
    outside: impl IntoIterator<Item = (Origin, &'a [CycleEdge])>,
    severity: Severity,
) -> Vec<Diagnostic> {
    let mut cycles: Vec<(&[CycleEdge], Origin, usize)> = Vec::new();
    for (origin, cycle) in outside {
        match cycles.iter_mut().find(|(known, ..)| same_cause(known, cycle)) {
            Some((_, _, count)) => *count += 1,
            None => cycles.push((cycle, origin, 1)),
        }
    }
    cycles
        .into_iter()
        .map(|(cycle, first, count)| diagnostic(system, cycle, first, count, severity))
        .collect()
}

fn same_cause(a: &[CycleEdge], b: &[CycleEdge]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.cause == b.cause && a.from == b.from)
}

fn diagnostic(
    system: &System,
    cycle: &[CycleEdge],
    origin: Origin,
    count: usize,
    severity: Severity,
) -> Diagnostic {
    let what = match count {
        1 => "an obligation is".to_owned(),
        count => format!("{count} obligations are"),
    };
    let concerned = format!("the first one concerned is {}", describe(system, origin));
    let mut diagnostic = of_cycle(system, cycle, Claim::of_origin(system, origin).span, &what, concerned);
    diagnostic.severity = severity;
    diagnostic
}

/// Returns a warning that queries about executions lie outside the fragment. `what` names the queries, `concerned`
/// is an additional note, and `claim` is the place of the property claimed of the states.
pub fn executions_warning(
    system: &System,
    cycle: &[CycleEdge],
    claim: Option<Span>,
    what: &str,
    concerned: String,
) -> Diagnostic {
    let mut diagnostic = of_cycle(system, cycle, claim, what, concerned);
    diagnostic.severity = Severity::Warning;
    diagnostic
}

fn of_cycle(
    system: &System,
    cycle: &[CycleEdge],
    claim: Option<Span>,
    what: &str,
    concerned: String,
) -> Diagnostic {
    let sorts: Vec<&str> = cycle
        .iter()
        .map(|edge| edge.from)
        .chain(cycle.first().map(|edge| edge.from))
        .map(|sort| name(&system.sig, sort))
        .collect();
    let message = format!("{what} outside stratified EPR: the sorts form a cycle {}", sorts.join(" -> "));
    let mut places = cycle.iter().map(|edge| (place(system, edge, claim), text(system, edge)));
    let Some((first, label)) = places.next() else {
        return Diagnostic::error_nowhere(Code::Fragment, message);
    };
    let mut diagnostic = match first {
        Some(span) => Diagnostic::error(Code::Fragment, span, message).label(label),
        None => Diagnostic::error_nowhere(Code::Fragment, message).note(label),
    };
    for (span, label) in places {
        diagnostic = match span {
            Some(span) => diagnostic.also(span, label),
            None => diagnostic.note(label),
        };
    }
    diagnostic
        .note(concerned)
        .note(
            "there may be infinitely many ground terms: the answer is still right when one comes, but it may not come",
        )
        .help(help(&system.sig, cycle))
}

/// Returns a suggestion for breaking a cycle.
fn help(sig: &Signature, cycle: &[CycleEdge]) -> String {
    let arity = |sym: SymId| sig.symbols[sym].args.len();
    let function = |edge: &CycleEdge| match edge.cause {
        EdgeCause::Function(sym) => Some(sym),
        EdgeCause::Alternation { .. } => None,
    };
    let functions: Vec<SymId> = cycle.iter().filter_map(function).collect();
    let name_of = |sym: SymId| &sig.symbols[sym].name;
    match *functions.as_slice() {
        [a, b] if cycle.len() == 2 && arity(a) == 1 && arity(b) == 1 => {
            return advice::keep_one(name_of(a), name_of(b));
        }
        // The cycle has functions alone, or a function that is easier to remove than a quantifier.
        [first, ..] => return advice::relation_for(name_of(first), arity(first)),
        [] => {}
    }
    // The edge comes from the negated claim: its universal variable is existential in the claim, which has to name
    // the witness.
    let in_claim = cycle.iter().find(|edge| edge.origin == EdgeOrigin::Claim);
    let Some(edge) = in_claim.or(cycle.first()) else { return String::new() };
    let EdgeCause::Alternation { universal, existential, .. } = &edge.cause else { return String::new() };
    let [from, to] = [edge.from, edge.to].map(|sort| name(sig, sort));
    if edge.origin == EdgeOrigin::Claim {
        return format!(
            "the claim says that there is a `{universal}:{from}`: hold that element in a mutable constant or a ghost relation, \
             which transitions set when it comes up, and claim it of that one"
        );
    }
    let ghost = format!(
        "record for which `{universal}` and `{existential}` it is so in a ghost relation (a mutable relation of `{from}` and \
         `{to}` that transitions fill in and no guard reads), and say that instead of `exists {existential}`"
    );
    if cycle.len() > 1 {
        format!(
            "order the sorts so that each `exists` is of a later sort than its `forall`; to break the cycle here, {ghost}"
        )
    } else {
        ghost
    }
}

/// Returns the name of a sort in the source.
fn name(sig: &Signature, sort: SortId) -> &str {
    &sig.sorts[sort].name
}

fn text(system: &System, edge: &CycleEdge) -> String {
    let sig = &system.sig;
    match &edge.cause {
        EdgeCause::Function(sym) => format!(
            "`{}` makes terms of sort `{}` from terms of sort `{}`",
            sig.symbols[*sym].name,
            name(sig, edge.to),
            name(sig, edge.from)
        ),
        EdgeCause::Alternation { universal, existential, .. } => format!(
            "for every `{universal}:{}` some `{existential}:{}`{}",
            name(sig, edge.from),
            name(sig, edge.to),
            if edge.origin == EdgeOrigin::Claim { " (in the negated claim)" } else { "" }
        ),
    }
}

/// Returns the place of the existential variable or function, or else that of the enclosing formula.
fn place(system: &System, edge: &CycleEdge, claim: Option<Span>) -> Option<Span> {
    let exact = match &edge.cause {
        EdgeCause::Function(sym) => system.sig.symbols[*sym].span,
        EdgeCause::Alternation { span, .. } => *span,
    };
    exact.or_else(|| match edge.origin {
        EdgeOrigin::Hypothesis(origin) => Hypothesis::of_origin(system, origin).span,
        EdgeOrigin::Claim => claim,
    })
}

/// Returns one line per group of obligations: how many lie in the fragment, and which do not.
pub fn summary(system: &System, memberships: &[(Origin, Option<Cycle>)]) -> String {
    let mut groups: Vec<(String, usize, Vec<String>)> = Vec::new();
    for (origin, cycle) in memberships {
        let claim = Claim::of_origin(system, *origin);
        let heading = match (claim.question, claim.transition) {
            (Question::Initiation, _) => "init".to_owned(),
            (Question::Consecution, Some(transition)) => format!("transition {transition}"),
            (Question::Assertion, _) => "assertions".to_owned(),
            (Question::Theorem, _) => "theorems".to_owned(),
            (Question::Proof, _) => {
                let (proof, step) = claim.proof.map_or((0, None), |it| (it.proof, it.part.step()));
                proof_title(system, proof, step)
            }
            // Not an obligation of a model.
            _ => "executions".to_owned(),
        };
        if groups.last().is_none_or(|(known, ..)| *known != heading) {
            groups.push((heading, 0, Vec::new()));
        }
        if let Some((_, inside, outside)) = groups.last_mut() {
            match cycle {
                None => *inside += 1,
                Some(_) => outside.push(claim.label.into_owned()),
            }
        }
    }
    let width = groups.iter().map(|(heading, ..)| heading.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (heading, inside, outside) in groups {
        let rest = match outside.len() {
            0 => String::new(),
            count => format!(", {count} outside: {}", outside.join(", ")),
        };
        text.push_str(&format!("  {heading:width$}  {inside} in stratified EPR{rest}\n"));
    }
    text
}

/// Returns the heading of a step of a proof, or of its end: `fbii forward first_step`.
pub(super) fn proof_title(system: &System, proof: usize, step: Option<usize>) -> String {
    let number = if system.proofs.list.len() > 1 { format!(" {}", proof + 1) } else { String::new() };
    let step = step.and_then(|step| system.proofs.list.get(proof)?.steps.get(step));
    match step {
        Some(step) => {
            let direction = if step.forward { "forward" } else { "backward" };
            format!("fbii{number} {direction} {}", step.label)
        }
        None => format!("fbii{number} safety"),
    }
}
