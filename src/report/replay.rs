//! Re-execution of the commands of a program in a counterexample, statement by statement.

use std::fmt::Write as _;

use super::Names;
use super::trace::{Fact, TraceStyle, fact_text};
use ramsey_circuit::transition::interpret::{
    Change, Context, End, Event, EventKind, Execution, RecordedDecisions,
};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::base::span::LINE_ENDS;
use ramsey_core::logic::{Elem, Signature, Structure, SymId, SymbolOrigin, VarId};
use ramsey_core::system::{ChoiceForm, Command, CommandKind, Site, System};
use ramsey_engine::query::{Call, Counterexample};

/// Work units for re-executing a command.
const BUDGET: u64 = 10_000_000;
/// Maximum number of printed statements of one execution.
const MAX_STATEMENTS: usize = 100;
/// Maximum number of printed changes of one statement.
const MAX_CHANGES: usize = 6;
/// Maximum width of a statement's text, in columns.
const COLUMNS: usize = 48;

/// Returns the execution of the call from state `step` to the next; `None` if the transition has no command.
pub fn of_call(
    system: &System,
    sig: &Signature,
    structure: &Structure,
    step: usize,
    call: &Call,
) -> Option<Execution> {
    let transition = system.transitions.get(call.transition)?;
    let env = transition.params.iter().copied().zip(call.args.iter().copied()).collect();
    let state = structure.state(sig, step);
    let execution = run(system, sig, transition.command.as_deref()?, (structure, step), state, &env)?;
    (execution.end == End::Completed).then_some(execution)
}

/// Returns the parameters of a call from state `step` that no executed statement chose: their values mean nothing.
pub fn unchosen(
    system: &System,
    sig: &Signature,
    structure: &Structure,
    step: usize,
    call: &Call,
) -> Vec<VarId> {
    let command = system.transitions.get(call.transition).and_then(|it| it.command.as_deref());
    let (Some(command), Some(execution)) = (command, of_call(system, sig, structure, step, call)) else {
        return Vec::new();
    };
    not_executed(command, &execution)
}

/// Returns the variables for the values of those choices of a command that the execution did not come to.
pub(super) fn not_executed(command: &Command, execution: &Execution) -> Vec<VarId> {
    let mut open = Vec::new();
    chosen_values(command, &mut open);
    open.retain(|var| !execution.chosen.contains(var));
    open
}

/// Collects the variables that stand for the values of the choices in a command.
fn chosen_values(command: &Command, out: &mut Vec<VarId>) {
    match &command.kind {
        CommandKind::Havoc(havoc) => out.push(havoc.value),
        CommandKind::Seq(commands) => commands.iter().for_each(|it| chosen_values(it, out)),
        CommandKind::If(_, a, b) => [a, b].into_iter().for_each(|it| chosen_values(it, out)),
        CommandKind::Choice(choice) => choice.branches.iter().for_each(|it| chosen_values(&it.command, out)),
        CommandKind::Skip | CommandKind::Assume(_) | CommandKind::Assert(_) | CommandKind::Assign(_) => {}
    }
}

/// Returns the execution of the initial part that leads to state 0.
pub fn of_init(system: &System, sig: &Signature, structure: &Structure) -> Option<Execution> {
    let execution = run_init(system, sig, structure)?;
    (execution.end == End::Completed).then_some(execution)
}

/// Returns the execution that violates an assertion, from the last state of a counterexample.
pub fn of_assertion(
    system: &System,
    sig: &Signature,
    counterexample: &Counterexample,
    assertion: usize,
) -> Option<Execution> {
    let assertion = system.assertions.get(assertion)?;
    let structure = &counterexample.structure;
    let last = structure.states().saturating_sub(1);
    let command = match assertion.site {
        Site::Init => None,
        Site::Transition(index) => Some(system.transitions.get(index)?.command.as_deref()?),
        Site::Final => Some(system.final_command.as_deref()?),
    };
    let execution = match command {
        None => run_init(system, sig, structure)?,
        Some(command) => {
            let env = counterexample.falsification.bindings.iter().copied().collect();
            run(system, sig, command, (structure, last), structure.state(sig, last), &env)?
        }
    };
    let is_it = execution.events.last().is_some_and(|event| event.span == assertion.span);
    (execution.end == End::Aborted && is_it).then_some(execution)
}

fn run_init(system: &System, sig: &Signature, structure: &Structure) -> Option<Execution> {
    let value =
        |&(param, constant): &(VarId, SymId)| (param, structure.interpretation(sig, constant, 0).get(&[]));
    let env: Map<VarId, Elem> = system.init_params.iter().map(value).collect();
    let mut state = structure.state(sig, 0);
    system.rewind(sig, &mut state);
    run(system, sig, system.init_command.as_deref()?, (structure, 0), state, &env)
}

fn run(
    system: &System,
    sig: &Signature,
    command: &Command,
    (structure, step): (&Structure, usize),
    state: Structure,
    env: &Map<VarId, Elem>,
) -> Option<Execution> {
    let axioms = system.axioms_of_changes();
    let context = Context { syntax: system.terms.over(sig), axioms: &axioms };
    let mut oracle = RecordedDecisions { sig, structure, step, env };
    context.run(command, state, env.clone(), &mut oracle, &mut Budget::new(Some(BUDGET), None)).ok()
}

/// Checks whether the event is printed: assumptions and assertions that hold carry no information.
fn is_shown(event: &Event) -> bool {
    !matches!(event.kind, EventKind::Assumed(true) | EventKind::Asserted(true))
}

/// Like [`execution_text`], for the initial part. The prior values of most symbols are unknown.
pub fn init_text(
    system: &System,
    sig: &Signature,
    names: &Names,
    execution: &Execution,
    style: TraceStyle<'_>,
) -> String {
    let is_known = |sym: SymId| system.init_before.iter().any(|&(known, _)| known == sym);
    let unknown: Vec<SymId> = sig.symbols.ids().filter(|&sym| !is_known(sym)).collect();
    execution_text(sig, names, execution, &unknown, style)
}

/// Returns an execution as lines indented by four spaces: line number, statement, effect. For a symbol in `unknown`,
/// which has no known prior value, the first assignment is not printed as a change.
pub fn execution_text(
    sig: &Signature,
    names: &Names,
    execution: &Execution,
    unknown: &[SymId],
    style: TraceStyle<'_>,
) -> String {
    let mut unknown = unknown.to_vec();
    let shown: Vec<&Event> = execution.events.iter().filter(|event| is_shown(event)).collect();
    let mut rows: Vec<(String, String, String)> = Vec::new();
    for event in shown.iter().take(MAX_STATEMENTS) {
        if let EventKind::Assigned { sym, .. } = &event.kind
            && let Some(at) = unknown.iter().position(|other| other == sym)
        {
            unknown.swap_remove(at);
            continue;
        }
        let Some(effect) = effect(sig, names, event, style) else { continue };
        let (line, text) = statement(event, style);
        rows.push((line, text, effect));
    }
    let line_width = rows.iter().map(|(line, ..)| line.len()).max().unwrap_or(0);
    let width = rows.iter().map(|(_, text, _)| text.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (line, text, effect) in rows {
        let row =
            format!("    {} {text:<width$}  {effect}", style.palette.dim(&format!("{line:>line_width$} |")));
        let _ = writeln!(out, "{}", row.trim_end());
    }
    if shown.len() > MAX_STATEMENTS {
        let _ = writeln!(out, "    ... and {} more statements", shown.len() - MAX_STATEMENTS);
    }
    out
}

/// Returns the line number of a statement and the beginning of its text, if the source is available.
fn statement(event: &Event, style: TraceStyle<'_>) -> (String, String) {
    let Some(source) = style.sources.and_then(|sources| sources.get(event.span.file)) else {
        return (String::new(), String::new());
    };
    let (line, _) = source.line_column(event.span.start);
    let text = source.text.get(event.span.start as usize..event.span.end as usize).unwrap_or("");
    let first = text.split(LINE_ENDS).next().unwrap_or("").trim_end();
    let text = match first.char_indices().nth(COLUMNS) {
        None => first.to_owned(),
        Some((end, _)) => format!("{}...", first[..end].trim_end()),
    };
    (line.to_string(), text)
}

/// Returns the effect of a statement; `None` if it needs no line.
fn effect(sig: &Signature, names: &Names, event: &Event, style: TraceStyle<'_>) -> Option<String> {
    let palette = style.palette;
    match &event.kind {
        EventKind::Condition(value) => Some(palette.caution(if *value { "true" } else { "false" })),
        EventKind::Chosen { branch, form, name } => Some(palette.caution(&match (form, branch, name) {
            (ChoiceForm::If | ChoiceForm::IfElse, 0, _) => "taken".to_owned(),
            (ChoiceForm::If, ..) => "not taken".to_owned(),
            (ChoiceForm::IfElse, ..) => "else".to_owned(),
            (ChoiceForm::Branches, _, Some(name)) => format!("branch {} ({name})", branch + 1),
            (ChoiceForm::Branches, ..) => format!("branch {}", branch + 1),
        })),
        EventKind::Assumed(_) | EventKind::AxiomViolated(_) => Some(palette.bad("blocks")),
        EventKind::Asserted(_) => Some(palette.bad("violated")),
        EventKind::Assigned { sym, .. } if is_hidden(sig, *sym) => None,
        EventKind::Assigned { sym, value: Some(value), changes } if changes.is_empty() => {
            let same = Fact { sym: *sym, args: Vec::new(), value: *value, before: None };
            Some(palette.dim(&format!("  {}", plain_text(sig, names, &same))))
        }
        EventKind::Assigned { changes, .. } if changes.is_empty() => Some(palette.dim("  (no change)")),
        EventKind::Assigned { changes, .. } => {
            let mut parts: Vec<String> = changes
                .iter()
                .take(MAX_CHANGES)
                .map(|change| change_text(sig, names, change, style))
                .collect();
            if changes.len() > MAX_CHANGES {
                parts.push(format!("and {} more", changes.len() - MAX_CHANGES));
            }
            Some(parts.join(", "))
        }
    }
}

/// Checks whether changes of a symbol are omitted. Those of local variables are kept.
fn is_hidden(sig: &Signature, sym: SymId) -> bool {
    sig.symbols[sym].has_annotation("no_print") && sig.symbols[sym].is_declared()
}

/// Returns a fact as text, in which a local variable has its name in the source.
fn plain_text(sig: &Signature, names: &Names, fact: &Fact) -> String {
    let text = fact_text(sig, names, fact);
    let symbol = &sig.symbols[fact.sym];
    match &symbol.origin {
        SymbolOrigin::Local(source) => text.replacen(symbol.name.as_str(), source, 1),
        _ => text,
    }
}

/// Converts a change to a fact.
pub fn fact(change: &Change) -> Fact {
    Fact { sym: change.sym, args: change.args.clone(), value: change.new, before: Some(change.old) }
}

fn change_text(sig: &Signature, names: &Names, change: &Change, style: TraceStyle<'_>) -> String {
    let symbol = &sig.symbols[change.sym];
    let text = plain_text(sig, names, &fact(change));
    if !symbol.is_relation() || symbol.args.is_empty() {
        style.palette.caution(&format!("~ {text}"))
    } else if change.new != 0 {
        style.palette.good(&format!("+ {text}"))
    } else {
        style.palette.bad(&format!("- {}", text.trim_start_matches('!')))
    }
}
