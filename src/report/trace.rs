//! Structures as lists of facts per state, and as text in the form of the mypyvy paper (CAV 2024).

use std::fmt::Write as _;

use super::enabling::needs;
use super::finding::{Known, Refutation};
use super::replay;
use super::{Names, Palette};
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::Sources;
use ramsey_core::logic::{Elem, Signature, SortId, Structure, SymId, SymbolKind, Syntax, Terms, VarId};
use ramsey_core::system::{Site, System};
use ramsey_engine::query::{Call, Counterexample};
use ramsey_solver::ask::Falsification;
use ramsey_solver::formulas::{Pretty, applied, negated};

/// Maximum number of argument tuples of a symbol for which default values are listed too.
pub(super) const MAX_LISTED_TUPLES: u64 = 200_000;
/// Maximum number of printed lines per symbol and state.
const MAX_LINES: usize = 100;

/// Minimum number of values for which a constant function is abbreviated to one line.
const MIN_ABBREVIATED: usize = 4;

/// Value of a symbol at one tuple of arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The symbol.
    pub sym: SymId,
    /// Arguments.
    pub args: Vec<Elem>,
    /// Value at the arguments.
    pub value: Elem,
    /// Value at the arguments in the previous state, if any.
    pub before: Option<Elem>,
}

impl Fact {
    /// Checks whether the value differs from that in the previous state.
    pub fn changed(&self) -> bool {
        self.before.is_some_and(|before| before != self.value)
    }
}

/// Part of a structure to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Interpretations of immutable symbols.
    Immutable,
    /// Interpretations of mutable and derived symbols in the state of this step.
    State(usize),
}

/// Returns the facts of one part, by symbol in the order of declaration: true tuples of relations (false ones too if
/// `negative`, or if they were true in the previous state), and all values of functions, constants and relations
/// without arguments.
pub fn facts(
    sig: &Signature,
    structure: &Structure,
    names: &Names,
    part: Part,
    negative: bool,
) -> Vec<(SymId, Vec<Fact>)> {
    let wanted = |kind: SymbolKind| match part {
        Part::Immutable => kind == SymbolKind::Immutable,
        Part::State(_) => matches!(kind, SymbolKind::Mutable | SymbolKind::Derived),
    };
    sig.symbols
        .iter_enumerated()
        .filter(|(_, symbol)| wanted(symbol.kind))
        .map(|(sym, _)| (sym, symbol_facts(sig, structure, names, part, negative, sym)))
        .collect()
}

/// Checks whether a symbol of obligations is one of the system, and not of its proofs.
pub(super) fn is_of_system(system: &System, sym: SymId) -> bool {
    sym.index() < system.sig.symbols.len()
}

/// Returns the facts about these symbols of proofs, like [`facts`].
pub(super) fn facts_of(
    symbols: &[SymId],
    sig: &Signature,
    structure: &Structure,
    names: &Names,
    part: Part,
    negative: bool,
) -> Vec<(SymId, Vec<Fact>)> {
    let has_state = matches!(part, Part::State(_));
    let wanted = symbols.iter().filter(|&&sym| sig.symbols[sym].kind.is_mutable() == has_state);
    wanted.map(|&sym| (sym, symbol_facts(sig, structure, names, part, negative, sym))).collect()
}

fn symbol_facts(
    sig: &Signature,
    structure: &Structure,
    names: &Names,
    part: Part,
    negative: bool,
    sym: SymId,
) -> Vec<Fact> {
    let symbol = &sig.symbols[sym];
    let step = if let Part::State(step) = part { step } else { 0 };
    let now = structure.interpretation(sig, sym, step);
    let before = (part != Part::Immutable && step > 0).then(|| structure.interpretation(sig, sym, step - 1));
    let every = negative || !symbol.is_relation() || symbol.args.is_empty();
    let default_is_listed = every || now.default != 0 || before.is_some_and(|before| before.default != 0);
    let count = symbol.args.iter().fold(1_u64, |n, &sort| n.saturating_mul(structure.sizes[sort].into()));

    let mut tuples: Vec<Vec<Elem>> = if default_is_listed && count <= MAX_LISTED_TUPLES {
        structure.tuples(&symbol.args).collect()
    } else {
        let entries = now.entries.keys().chain(before.iter().flat_map(|before| before.entries.keys()));
        let mut tuples: Vec<Vec<Elem>> = entries.map(|args| args.to_vec()).collect();
        tuples.sort_unstable();
        tuples.dedup();
        tuples
    };
    tuples.sort_by_cached_key(|args| -> Vec<u32> {
        args.iter().zip(&symbol.args).map(|(&arg, &sort)| names.rank(sort, arg)).collect()
    });
    tuples
        .into_iter()
        .map(|args| {
            let (value, before) = (now.get(&args), before.map(|before| before.get(&args)));
            Fact { sym, args, value, before }
        })
        .filter(|fact| every || fact.value != 0 || fact.changed())
        .collect()
}

/// Returns a fact as text: `vote(node0,value1)`, `!b`, `owner(key0) = node1`.
pub fn fact_text(sig: &Signature, names: &Names, fact: &Fact) -> String {
    let symbol = &sig.symbols[fact.sym];
    let args: Vec<&str> =
        fact.args.iter().zip(&symbol.args).map(|(&arg, &sort)| names.name(sort, arg)).collect();
    let text = applied(symbol, &args);
    if !symbol.is_relation() {
        format!("{text} = {}", names.name(symbol.result, fact.value))
    } else if fact.value == 0 {
        negated(symbol, &text)
    } else {
        text
    }
}

/// Style in which counterexamples are printed.
#[derive(Clone, Copy, Debug)]
pub struct TraceStyle<'a> {
    /// Colours.
    pub palette: Palette,
    /// Whether tuples at which a relation is false are printed.
    pub negative: bool,
    /// Sources from which statements are quoted, if any.
    pub sources: Option<&'a Sources>,
}

/// Returns a counterexample over the symbols of the system as text, each line indented by two spaces.
pub fn counterexample_text(
    system: &System,
    counterexample: &Counterexample,
    style: TraceStyle<'_>,
) -> String {
    let (syntax, known) = (system.syntax(), Known::default());
    refutation_text(Refutation { system, syntax, found: counterexample, known }, style)
}

/// Returns a counterexample to a claim as text, each line indented by two spaces.
pub fn refutation_text(refutation: Refutation<'_>, style: TraceStyle<'_>) -> String {
    let Refutation { system, syntax, found: counterexample, known } = refutation;
    let sig = syntax.sig;
    let structure = &counterexample.structure;
    let prophecy = known.symbols(system);
    let mut printer = Printer { sig, structure, prophecy, style, out: String::new() };
    let whole = Stretch { first: 0, printed: 0, calls: &counterexample.calls };
    let names = printer.execution(system, whole, known.is_initial, |_, _| String::new());
    let last = &names[names.len() - 1];
    let statements = known
        .assertion
        .and_then(|assertion| violating_text(system, sig, counterexample, assertion, last, style));
    match statements {
        Some(text) => printer.out.push_str(&text),
        None => {
            let state = known.violated_state(system, counterexample.calls.len());
            printer.violated(names.get(state).unwrap_or(last), syntax, counterexample, state);
        }
    }
    printer.out
}

/// Returns the execution from the last state of a counterexample that violates an assertion (an index into
/// [`System::assertions`]), statement by statement; `None` if it cannot be reconstructed.
pub fn violating_text(
    system: &System,
    sig: &Signature,
    counterexample: &Counterexample,
    assertion: usize,
    names: &Names,
    style: TraceStyle<'_>,
) -> Option<String> {
    let execution = replay::of_assertion(system, sig, counterexample, assertion)?;
    let (title, text) = match system.assertions.get(assertion)?.site {
        Site::Init => ("initial part".to_owned(), replay::init_text(system, sig, names, &execution, style)),
        Site::Transition(index) => {
            let params = &system.transitions[index].params;
            let args = params.iter().map(|param| execution.env.get(param).copied().unwrap_or(0)).collect();
            let command = system.transitions[index].command.as_deref();
            let omitted =
                command.map(|command| replay::not_executed(command, &execution)).unwrap_or_default();
            let call = call_text(system, names, &Call { transition: index, args }, &omitted);
            (format!("transition {call}"), replay::execution_text(sig, names, &execution, &[], style))
        }
        Site::Final => ("final part".to_owned(), replay::execution_text(sig, names, &execution, &[], style)),
    };
    Some(format!("  {}\n{text}", style.palette.bold(&title)))
}

/// Returns states with the transitions between them as text, each line indented by two spaces.
pub fn execution_text(
    system: &System,
    sig: &Signature,
    structure: &Structure,
    calls: &[Call],
    style: TraceStyle<'_>,
) -> String {
    let mut printer = Printer { sig, structure, prophecy: Vec::new(), style, out: String::new() };
    printer.execution(system, Stretch { first: 0, printed: 0, calls }, false, |_, _| String::new());
    printer.out
}

/// Part of an execution from an initial state: number of the first state of a structure, number of its states
/// already printed, and the transitions between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch<'a> {
    pub(super) first: usize,
    pub(super) printed: usize,
    pub(super) calls: &'a [Call],
}

/// Returns a part of an execution from an initial state as text, with a remark after each state.
#[cfg(feature = "json")]
pub(super) fn stretch_text(
    system: &System,
    sig: &Signature,
    structure: &Structure,
    stretch: Stretch<'_>,
    style: TraceStyle<'_>,
    remark: impl Fn(usize, &Names) -> String,
) -> String {
    let mut printer = Printer { sig, structure, prophecy: Vec::new(), style, out: String::new() };
    printer.execution(system, stretch, true, remark);
    printer.out
}

/// Returns a false formula and the values of its variables as indented lines.
pub fn violated_text(
    what: &str,
    state: Option<usize>,
    formula: &str,
    bindings: &[(String, String)],
    palette: Palette,
) -> String {
    let place = state.map_or(String::new(), |state| format!(" in state {state}"));
    let mut out = format!("  {}\n    {}\n", palette.bold(&format!("{what}{place}:")), palette.bad(formula));
    if !bindings.is_empty() {
        let values: Vec<String> = bindings.iter().map(|(var, value)| format!("{var} = {value}")).collect();
        let _ = writeln!(out, "    for {}", values.join(", "));
    }
    out
}

/// Returns a transition with the values of its parameters but those in `omitted`: `send(n = node0, m = msg1)`.
pub fn call_text(system: &System, names: &Names, call: &Call, omitted: &[VarId]) -> String {
    let (name, values) = call_values(system, names, call, omitted);
    let values: Vec<String> = values.into_iter().map(|(param, value)| format!("{param} = {value}")).collect();
    format!("{name}({})", values.join(", "))
}

/// Returns the name of a transition, and the names of its parameters but those in `omitted`, with their values.
pub fn call_values(
    system: &System,
    names: &Names,
    call: &Call,
    omitted: &[VarId],
) -> (String, Vec<(String, String)>) {
    let transition = &system.transitions[call.transition];
    let values = transition
        .params
        .iter()
        .zip(&call.args)
        .filter(|(var, _)| !omitted.contains(var))
        .map(|(&var, &value)| {
            let var = system.terms.var_info(var);
            (var.name.to_string(), names.name(var.sort, value).to_owned())
        })
        .collect();
    (transition.name.clone(), values)
}

/// Returns the formula that is false in a counterexample, and the values of its variables: `V1 = value0`. A formula
/// over the post-state of a transition is printed as a formula over that state, without primes.
pub fn falsification_text(
    syntax: Syntax<'_>,
    names: &Names,
    counterexample: &Counterexample,
) -> (String, Vec<(String, String)>) {
    let (text, bindings) = falsification_parts(syntax, names, &counterexample.falsification);
    (if counterexample.calls.is_empty() { text } else { text.replace('\'', "") }, bindings)
}

/// Returns a false formula as written, and the values of its variables.
pub fn falsification_parts(
    syntax: Syntax<'_>,
    names: &Names,
    falsification: &Falsification,
) -> (String, Vec<(String, String)>) {
    let terms = syntax.terms;
    let formula = if terms.tree_size(falsification.formula) > 20_000 {
        "(a formula too large to print)".to_owned()
    } else {
        let part = Pretty::new(syntax, falsification.formula).opened(&falsification.opened);
        if falsification.is_negated { part.negated() } else { part }.to_string()
    };
    let bindings = falsification
        .bindings
        .iter()
        .map(|&(var, value)| {
            let var = terms.var_info(var);
            (var.name.to_string(), names.name(var.sort, value).to_owned())
        })
        .collect();
    (formula, bindings)
}

/// Returns the variables of a false formula with their values.
pub fn witnesses(terms: &Terms, falsification: &Falsification) -> Vec<(String, SortId, Elem)> {
    let value = |&(var, value): &(VarId, Elem)| {
        let var = terms.var_info(var);
        (var.name.to_string(), var.sort, value)
    };
    falsification.bindings.iter().map(value).collect()
}

struct Printer<'a> {
    sig: &'a Signature,
    structure: &'a Structure,
    /// The symbols of proofs that are printed.
    prophecy: Vec<SymId>,
    style: TraceStyle<'a>,
    out: String,
}

impl Printer<'_> {
    /// Prints the states that were not yet printed, and returns the names of elements in each state.
    fn execution(
        &mut self,
        system: &System,
        Stretch { first, printed, calls }: Stretch<'_>,
        is_initial: bool,
        remark: impl Fn(usize, &Names) -> String,
    ) -> Vec<Names> {
        let (sig, structure) = (self.sig, self.structure);
        let names: Vec<Names> =
            (0..structure.states().max(1)).map(|step| Names::new(system, sig, structure, step)).collect();
        // Over immutable symbols alone, a structure has a state without content.
        let has_state = sig.symbols.iter().any(|symbol| symbol.kind.is_mutable());
        if printed == 0 {
            self.universes(&names[0]);
            self.part(system, &names[0], Part::Immutable, "immutable:");
            if is_initial && let Some(execution) = replay::of_init(system, sig, structure) {
                let text = replay::init_text(system, sig, &names[0], &execution, self.style);
                self.statements("initial part", &text);
            }
        }
        for (step, names_here) in names.iter().enumerate().skip(printed).filter(|_| has_state) {
            if let Some((before, call)) = step.checked_sub(1).and_then(|at| Some((at, calls.get(at)?))) {
                let omitted = replay::unchosen(system, sig, structure, before, call);
                let heading = format!("transition {}", call_text(system, &names[before], call, &omitted));
                let _ = writeln!(self.out, "  {}", self.style.palette.bold(&heading));
                for formula in needs(system, sig, structure, before, call, &names[before]) {
                    let _ = writeln!(self.out, "    {} {formula}", self.style.palette.dim("needs"));
                }
                if let Some(execution) = replay::of_call(system, sig, structure, before, call) {
                    let text = replay::execution_text(sig, &names[before], &execution, &[], self.style);
                    self.out.push_str(&text);
                }
            }
            self.part(system, names_here, Part::State(step), &format!("state {}:", first + step));
            self.out.push_str(&remark(first + step, names_here));
        }
        names
    }

    fn universes(&mut self, names: &Names) {
        let heading = self.style.palette.bold("universes:");
        let _ = writeln!(self.out, "  {heading}");
        for sort in self.sig.uninterpreted_sorts() {
            if self.sig.sorts[sort].annotation("no_print").is_none() {
                let _ =
                    writeln!(self.out, "    {}: {}", self.sig.sorts[sort].name, self.universe(names, sort));
            }
        }
    }

    fn universe(&self, names: &Names, sort: SortId) -> String {
        let elements = names.elements(sort);
        let mut shown: Vec<&str> =
            elements.iter().take(MAX_LINES).map(|&elem| names.name(sort, elem)).collect();
        let more = format!("and {} more", elements.len() - shown.len());
        if elements.len() > shown.len() {
            shown.push(&more);
        }
        shown.join(if names.is_ordered(sort) { " < " } else { ", " })
    }

    fn part(&mut self, system: &System, names: &Names, part: Part, heading: &str) {
        let palette = self.style.palette;
        let mut parts = facts(self.sig, self.structure, names, part, self.style.negative);
        parts.retain(|(sym, _)| is_of_system(system, *sym));
        parts.extend(facts_of(&self.prophecy, self.sig, self.structure, names, part, self.style.negative));
        let mut lines = Vec::new();
        for (sym, facts) in parts {
            if self.sig.symbols[sym].has_annotation("no_print") {
                continue;
            }
            if let Some(line) = self.constant_function(names, &facts) {
                lines.push(line);
                continue;
            }
            let shown: Vec<&Fact> = facts.iter().filter(|fact| !self.is_tautology(names, fact)).collect();
            lines.extend(shown.iter().take(MAX_LINES).map(|fact| self.fact(names, part, fact)));
            if shown.len() > MAX_LINES {
                let more = shown.len() - MAX_LINES;
                lines.push(format!("    ... and {more} more of `{}`", self.sig.symbols[sym].name));
            }
        }
        if lines.is_empty() && part == Part::Immutable {
            return;
        }
        let _ = writeln!(self.out, "  {}", palette.bold(heading));
        if lines.is_empty() {
            let _ = writeln!(self.out, "    {}", palette.dim("(every relation is empty)"));
        }
        for line in lines {
            let _ = writeln!(self.out, "{line}");
        }
    }

    /// Returns the text of a function with the same value everywhere, unchanged since the previous state:
    /// `owner(*,*) = node0`.
    fn constant_function(&self, names: &Names, facts: &[Fact]) -> Option<String> {
        let (first, rest) = facts.split_first()?;
        let symbol = &self.sig.symbols[first.sym];
        let is_constant = rest.iter().all(|fact| fact.value == first.value && !fact.changed());
        if facts.len() < MIN_ABBREVIATED || symbol.is_relation() || first.changed() || !is_constant {
            return None;
        }
        let args = vec!["*"; symbol.args.len()].join(",");
        Some(format!("    {}({args}) = {}", symbol.name, names.name(symbol.result, first.value)))
    }

    /// Checks whether a fact only equates a constant with the element named after it.
    fn is_tautology(&self, names: &Names, fact: &Fact) -> bool {
        let symbol = &self.sig.symbols[fact.sym];
        !symbol.is_relation()
            && symbol.args.is_empty()
            && !fact.changed()
            && names.name(symbol.result, fact.value) == symbol.name
    }

    fn fact(&self, names: &Names, part: Part, fact: &Fact) -> String {
        let palette = self.style.palette;
        let text = fact_text(self.sig, names, fact);
        if !fact.changed() {
            let is_later = matches!(part, Part::State(step) if step > 0);
            return format!("    {}", if is_later { palette.dim(&text) } else { text });
        }
        let symbol = &self.sig.symbols[fact.sym];
        if !symbol.is_relation() || symbol.args.is_empty() {
            return palette.caution(&format!("  ~ {text}"));
        }
        if fact.value != 0 {
            palette.good(&format!("  + {text}"))
        } else {
            palette.bad(&format!("  - {}", text.trim_start_matches('!')))
        }
    }

    /// Prints the statements of a command under a heading; nothing if there are none.
    fn statements(&mut self, heading: &str, text: &str) {
        if !text.is_empty() {
            let _ = writeln!(self.out, "  {}", self.style.palette.bold(heading));
            self.out.push_str(text);
        }
    }

    fn violated(&mut self, names: &Names, syntax: Syntax<'_>, counterexample: &Counterexample, state: usize) {
        let (formula, bindings) = falsification_text(syntax, names, counterexample);
        let place = (state > 0 || !counterexample.calls.is_empty()).then_some(state);
        let text = violated_text("violated", place, &formula, &bindings, self.style.palette);
        self.out.push_str(&text);
    }
}
