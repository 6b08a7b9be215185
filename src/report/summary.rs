//! Executions in few lines: what is true in the first state and matters, and what each step changes of it.

use std::fmt::Write as _;

use super::bmc::Scene;
use super::diagnostics::render_finding;
use super::finding::{of_violation, replay_text};
use super::mc::{fact_text, step_text};
use super::replay;
use super::trace::{self, Fact, Part, call_text, falsification_text, violating_text};
use super::{Names, Palette};
use ramsey_circuit::eager::{Abstraction, Known, Step};
use ramsey_core::base::hash::Set;
use ramsey_core::logic::{Node, SymId, SymbolKind, TermId};
use ramsey_core::system::{Site, System};
use ramsey_engine::query::Counterexample;
use ramsey_engine::query::bmc::{Target, Violation};
use ramsey_engine::query::mc::{Execution, Replay};
use ramsey_engine::query::orders::enumeration;
use ramsey_engine::query::relevant::{Point, relevant};
use ramsey_kernel::obligations::Property;

/// Maximum length of a line with facts.
const WIDTH: usize = 110;

/// Maximum number of lines of an execution.
const MAX_LINES: usize = 30;

/// Maximum number of lines of the statements that violate an assertion.
const MAX_STATEMENTS: usize = 8;

/// Returns a violation with what matters in it: the claim in its source, the first state, the changes of each step.
pub fn violation_text(scene: Scene<'_>, steps: Option<u16>, violation: &Violation) -> String {
    let Scene { system, sources, formula, style } = scene;
    let (sig, palette) = (&system.sig, style.palette);
    let mut out = render_finding(&of_violation(system, formula, steps, violation), sources, palette);
    out.push('\n');
    let Counterexample { structure, calls, .. } = &violation.counterexample;
    let matters = relevant(system, violation);
    let is_relevant = |points: Option<&Set<Point>>, fact: &Fact| {
        points.is_none_or(|points| points.contains(&(fact.sym, fact.args.clone())))
    };
    let names: Vec<Names> =
        (0..structure.states()).map(|step| Names::new(system, sig, structure, step)).collect();
    // Constants by which elements are called.
    let constants = sig.uninterpreted_sorts().filter_map(|sort| enumeration(sig, structure, sort)).flatten();
    let is_name = |sym: SymId| {
        let (sort, elem) = (sig.symbols[sym].result, structure.interpretation(sig, sym, 0).get(&[]));
        names.first().is_some_and(|names| names.name(sort, elem) == sig.symbols[sym].name)
    };
    let named: Vec<SymId> = constants.filter(|&sym| is_name(sym)).collect();
    let is_shown = |sym: SymId| !named.contains(&sym) && sig.symbols[sym].is_declared();
    let facts = |part: Part, names: &Names| -> Vec<Fact> {
        let all = trace::facts(sig, structure, names, part, false);
        all.into_iter().filter(|(sym, _)| is_shown(*sym)).flat_map(|(_, facts)| facts).collect()
    };
    let mut list = Lines::default();
    let texts = |facts: Vec<Fact>, names: &Names| -> Vec<String> {
        facts.iter().map(|fact| trace::fact_text(sig, names, fact)).collect()
    };
    for (state, names) in names.iter().enumerate() {
        let points = matters.as_ref().and_then(|it| it.states.get(state));
        let mut now = facts(Part::State(state), names);
        now.retain(|fact| is_relevant(points, fact));
        let Some((step, call)) = state.checked_sub(1).and_then(|it| Some((state, calls.get(it)?))) else {
            let mut always = facts(Part::Immutable, names);
            always.retain(|fact| is_relevant(matters.as_ref().map(|it| &it.immutable), fact));
            let is_false = |fact: &Fact| sig.symbols[fact.sym].is_relation() && fact.value == 0;
            always.extend(now);
            always.retain(|fact| !is_false(fact));
            list.add(&palette.bold("state 0:"), texts(always, names), "nothing that matters");
            continue;
        };
        now.retain(Fact::changed);
        let omitted = replay::unchosen(system, sig, structure, step - 1, call);
        let call = call_text(system, names, call, &omitted);
        let head = format!("{} {call}:", palette.bold(&format!("step {step}:")));
        list.add(&head, texts(now, names), "changes nothing that matters");
    }
    out.push_str(&list.text());
    let Some(last) = names.last() else { return out };
    let statements = match violation.target {
        Target::Model(Property::Assertion(assertion)) => {
            violating_text(system, sig, &violation.counterexample, assertion, last, style)
        }
        _ => None,
    };
    if let Some(text) = statements {
        let lines: Vec<&str> = text.lines().collect();
        let (title, statements) = lines.split_at(lines.len().min(1));
        let skipped = statements.len().saturating_sub(MAX_STATEMENTS);
        title.iter().chain(&statements[skipped..]).for_each(|line| {
            let _ = writeln!(out, "{line}");
        });
    } else {
        let (text, bindings) = falsification_text(system.syntax(), last, &violation.counterexample);
        let bindings: Vec<String> =
            bindings.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let place = match calls.last().and_then(|call| system.transitions.get(call.transition)) {
            Some(transition) => format!("violated after step {}, `{}`:", calls.len(), transition.name),
            None => "violated in state 0:".to_owned(),
        };
        let _ = writeln!(out, "  {}", palette.bad(&place));
        let _ = writeln!(out, "    {text}");
        if !bindings.is_empty() {
            let _ = writeln!(out, "    for {}", bindings.join(", "));
        }
    }
    if matters.is_some() {
        out.push_str("  (only what the violation depends on; --full tells all)\n");
    }
    out
}

/// Returns an execution of the abstraction: the first state, what each step changes, and what it takes for granted of
/// values that are not tracked; with `is_full` all of it, and otherwise what the violation depends on.
pub fn execution_text(
    system: &System,
    abstraction: &Abstraction,
    (property, execution): (Property, &Execution),
    is_full: bool,
    palette: Palette,
) -> String {
    let mut list = Lines { is_full, ..Lines::default() };
    let spurious = replay_text(system, execution);
    let blocked = match execution.replay {
        Replay::Blocked(step) => Some(step),
        _ => None,
    };
    let nothing = match is_full {
        true => ["nothing is true", "changes nothing"],
        false => ["nothing that matters", "changes nothing that matters"],
    };
    let mut before: Option<&Step> = None;
    let last = execution.steps.len().saturating_sub(1);
    for (index, (step, matters)) in execution.steps.iter().zip(&execution.relevant).enumerate() {
        let is_told = |&&(term, known): &&(TermId, Known)| match before {
            None => !matches!(known, Known::Truth(false) | Known::Other),
            Some(before) => !before.state.contains(&(term, known)),
        };
        let is_shown = |it: &&(TermId, Known)| is_full || matters.state.contains(&it.0);
        let facts = step.state.iter().filter(is_shown).filter(is_told);
        let facts: Vec<String> = facts.map(|&(term, known)| fact_text(abstraction, term, known)).collect();
        match before.and_then(|before| step_text(system, abstraction, before)) {
            None => list.add(&palette.bold("state 0:"), facts, nothing[0]),
            Some(call) => {
                let head = format!("{} {call}:", palette.bold(&format!("step {index}:")));
                let mut parts = facts;
                let assumed =
                    execution.relevant.get(index - 1).map(|it| it.assumed.as_slice()).unwrap_or_default();
                let transition = before.and_then(|it| it.transition);
                parts.extend(assumed_text(system, abstraction, transition, assumed));
                list.add(&head, parts, nothing[1]);
            }
        }
        if blocked == Some(index)
            && let Some(text) = &spurious
        {
            list.lines.push(format!("    {} {text}", palette.caution("^")));
        }
        before = Some(step);
        if index == last {
            let transition = match property {
                Property::Assertion(assertion) => match system.assertions.get(assertion).map(|it| it.site) {
                    Some(Site::Transition(transition)) => Some(transition),
                    _ => None,
                },
                Property::Invariant(_) => None,
            };
            let assumed = assumed_text(system, abstraction, transition, &matters.assumed);
            let place = transition
                .and_then(|it| system.transitions.get(it))
                .map(|it| format!("violated in `{}`:", it.name));
            if !assumed.is_empty() {
                list.add(&palette.bold(place.as_deref().unwrap_or("violated:")), assumed, "");
            }
        }
    }
    let mut out = list.text();
    if let Some(text) = spurious.filter(|_| blocked.is_none()) {
        let _ = writeln!(out, "  {text}");
    }
    let depends = if is_full { "" } else { "only what the violation depends on; " };
    let _ = writeln!(out, "  ({depends}`?`: not tracked, or taken for granted)");
    out
}

/// Returns what a step of a transition takes for granted, with the names of its parameters. What is chosen freely, and
/// instances for parameters of other transitions, say nothing of the model.
fn assumed_text(
    system: &System,
    abstraction: &Abstraction,
    transition: Option<usize>,
    assumed: &[(TermId, Known)],
) -> Vec<String> {
    let mut named = abstraction.clone();
    let params = transition.and_then(|it| system.transitions.get(it)).map(|it| it.params.as_slice());
    let constants = transition.and_then(|it| abstraction.arguments.get(it)).map(Vec::as_slice);
    let mut own: Set<SymId> = Set::default();
    for (&param, &constant) in params.unwrap_or_default().iter().zip(constants.unwrap_or_default()) {
        if let Node::App { sym, .. } = named.terms.node(constant) {
            named.sig.symbols[sym].name = system.terms.var_info(param).name.to_string();
            own.insert(sym);
        }
    }
    let is_own = |sym: &SymId| match named.sig.symbols[*sym].kind {
        SymbolKind::Parameter => own.contains(sym),
        SymbolKind::Choice => false,
        _ => true,
    };
    let assumed = assumed.iter().filter(|(term, _)| named.terms.symbols(*term).iter().all(is_own));
    assumed.map(|&(term, known)| format!("? {}", fact_text(&named, term, known))).collect()
}

/// Lines in the making.
#[derive(Default)]
struct Lines {
    lines: Vec<String>,
    /// Whether none is left out.
    is_full: bool,
}

impl Lines {
    /// Adds a list after a head, over as many lines as it needs.
    fn add(&mut self, head: &str, items: Vec<String>, none: &str) {
        let mut line = " ".to_owned();
        for (at, part) in head.split(", ").enumerate() {
            if at > 0 {
                line.push(',');
                if line.len() + part.len() > WIDTH {
                    self.lines.push(std::mem::replace(&mut line, "       ".to_owned()));
                }
            }
            let _ = write!(line, " {part}");
        }
        let count = items.len();
        for (at, item) in items.into_iter().enumerate() {
            if line.len() + item.len() + 2 > WIDTH && !line.trim().is_empty() {
                self.lines.push(std::mem::replace(&mut line, "       ".to_owned()));
            }
            let _ = write!(line, " {item}{}", if at + 1 < count { "," } else { "" });
        }
        if count == 0 {
            let _ = write!(line, " {none}");
        }
        self.lines.push(line);
    }

    fn text(mut self) -> String {
        if self.lines.len() > MAX_LINES && !self.is_full {
            // What comes first and what comes last tells most.
            let more = self.lines.len() - MAX_LINES + 1;
            let at = MAX_LINES / 2;
            self.lines.splice(at..at + more, [format!("  .. {more} more lines (--full has them)")]);
        }
        self.lines.into_iter().map(|line| line + "\n").collect()
    }
}
