//! `ramsey instance`: finite instances of a model.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::{FunctionEncoding, InstanceArgs};
use super::bmc::{formula_place, named_targets};
use super::certify::names_gzip;
use super::files::{check_parents, write_whole};
use super::output::stdout_palette;
use super::progress::Progress;
use super::select::not_declared;
use super::shared::Model;
use super::signals;
use ramsey_circuit::finite::{
    Atom, Break, Encoding, Enumeration, Instance, Refusal, Sizes, enumerations, write_vmt,
};
use ramsey_circuit::mc::{self, Circuit, NoCertificate};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{SortId, SymId};
use ramsey_core::system::System;
use ramsey_engine::query::bmc::{Target, Violation};
use ramsey_engine::query::instance::{
    Check, Graph, Instances, Limit, Options, Outcome, has_initial_state, states,
};
use ramsey_kernel::check::circuit;
use ramsey_kernel::check::compress;
use ramsey_lang::aiger::{self, write_ascii, write_binary};
use ramsey_report::Verdict;
use ramsey_report::bmc::{
    Scene, heading_text, internal_error_text, property_dto, violation_dto, violation_text,
};
use ramsey_report::instance::{clause_text, graph_dot, outcome_text, states_text};
use ramsey_report::json::instance::{
    CircuitSize, FactValue, Fixed, FixedBy, InstanceContent, InvariantSize, Size, States,
};
use ramsey_report::outcome::{InstanceOutcome, Vacuous};
use ramsey_report::trace::TraceStyle;

/// Maximum size of a sort.
const LARGEST_SIZE: u32 = 1000;

/// Decides an instance of a model.
pub(super) fn run(args: &InstanceArgs) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = Budget::new(None, Some(args.limits.clocks(start).probe()));
    let mut model = Model::read(&args.path, args.language, args.strictness, &mut sources, reading);
    let targets = named_targets(&args.property, false, &mut model, &mut sources);
    let mut sizes = Sizes::new();
    if let Some(system) = &model.system {
        match self::sizes(system, &args.sizes) {
            Ok(found) => sizes = found,
            Err(errors) => model.diagnostics.extend(errors),
        }
    }
    if let Some(system) = &model.system
        && let Err(errors) = args.pictures.gallery(system, &args.path)
    {
        model.diagnostics.extend(errors);
    }
    model.diagnostics.extend(out_error(args));
    model.diagnostics.extend(check_parents([&args.out, &args.certify, &args.graph]));
    model.print_new((args.format, args.color), &sources);
    let formula = formula_place(&sources);
    let mut run = Run {
        args,
        sources: &sources,
        formula,
        start,
        content: InstanceContent { path: model.name.clone(), ..InstanceContent::default() },
        errors: Vec::new(),
        verdict: Verdict::without_answer(&model.diagnostics),
        out: Vec::new(),
    };
    if model.verdict() == Verdict::Ok
        && let Some(system) = model.system.take()
    {
        run.verdict = Verdict::Ok;
        run.answer(&model.name, system, &targets, sizes)?;
    }
    run.end(&model)
}

/// Returns the error about the circuit's file, if its name has no known extension.
fn out_error(args: &InstanceArgs) -> Option<Diagnostic> {
    let path = args.out.as_deref()?;
    let kind = kind(path);
    let what = match kind {
        None => format!("--out: `{}` does not tell the format", path.display()),
        Some(Kind::Vmt) if args.certify.is_some() => {
            "--certify: certificates are about AIGER files".to_owned()
        }
        Some(Kind::Vmt) if args.plain => "--plain: this is a form of AIGER files".to_owned(),
        Some(_) => return None,
    };
    let help = "a name that ends in `.aig` or `.aag` is for AIGER, one in `.vmt` for VMT";
    Some(Diagnostic::error_nowhere(Code::Usage, what).help(help))
}

/// A format of circuits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Binary,
    Ascii,
    Vmt,
}

/// Returns the format that the extension of a file stands for.
pub(super) fn kind(path: &Path) -> Option<Kind> {
    match path.extension()?.to_str()? {
        "aig" => Some(Kind::Binary),
        "aag" => Some(Kind::Ascii),
        "vmt" => Some(Kind::Vmt),
        _ => None,
    }
}

/// Reads the sizes of all sorts.
fn sizes(system: &System, texts: &[String]) -> Result<Sizes, Vec<Diagnostic>> {
    let usage = |what: String| Diagnostic::error_nowhere(Code::Usage, what);
    let sig = &system.sig;
    let sorts: Vec<SortId> = sig.uninterpreted_sorts().collect();
    let names: Vec<&str> = sorts.iter().map(|&sort| sig.sorts[sort].name.as_str()).collect();
    let mut sizes: IdVec<SortId, u32> = IdVec::filled(sig.sorts.len(), 0);
    sizes[SortId::BOOL] = 2;
    let enumerations = enumerations(system);
    for Enumeration { sort, constants } in &enumerations {
        sizes[*sort] = u32::try_from(constants.len()).unwrap_or(u32::MAX);
    }
    let mut errors = Vec::new();
    for text in texts {
        let Some((name, number)) = text.split_once('=') else {
            errors.push(usage(format!("`{text}` is not of the form SORT=N")));
            continue;
        };
        let Some(at) = names.iter().position(|it| *it == name.trim()) else {
            errors.push(not_declared(text, "sort", name.trim(), &names));
            continue;
        };
        match number.trim().parse() {
            Ok(size) if (1..=LARGEST_SIZE).contains(&size) => {
                let before = std::mem::replace(&mut sizes[sorts[at]], size);
                if before != size
                    && let Some(known) = enumerations.iter().find(|it| it.sort == sorts[at])
                {
                    errors.push(other_size(system, text, known));
                } else if before != 0 && before != size {
                    let error = usage(format!("{text}: sort `{}` has the size {before} already", names[at]));
                    errors.push(error.help("give each sort one size"));
                }
            }
            _ => {
                let what = format!("{text}: `{}` is no number from 1 to {LARGEST_SIZE}", number.trim());
                errors.push(usage(what));
            }
        }
    }
    let missing: Vec<&str> =
        sorts.iter().zip(&names).filter(|(sort, _)| sizes[**sort] == 0).map(|(_, name)| *name).collect();
    if errors.is_empty() && !missing.is_empty() {
        let example: Vec<String> = missing.iter().map(|name| format!("{name}=2")).collect();
        let noun = if missing.len() == 1 { "a sort has no size" } else { "some sorts have no size" };
        let error = usage(format!("{noun}: {}", missing.join(", ")));
        errors.push(error.help(format!("say how many elements each has: `{}`", example.join(" "))));
    }
    if errors.is_empty() { Ok(sizes) } else { Err(errors) }
}

/// Returns the error about the size of a sort whose elements the axioms name.
fn other_size(system: &System, text: &str, known: &Enumeration) -> Diagnostic {
    let name = |&sym: &SymId| system.sig.symbols[sym].name.clone();
    let names: Vec<String> = known.constants.iter().map(name).collect();
    let sort = &system.sig.sorts[known.sort].name;
    let count = names.len();
    let what =
        format!("{text}: the axioms say that sort `{sort}` has {count} elements: {}", names.join(", "));
    Diagnostic::error_nowhere(Code::Usage, what)
        .help(format!("leave `{sort}` out, or write `{sort}={count}`"))
}

/// State of a run.
struct Run<'a> {
    args: &'a InstanceArgs,
    sources: &'a Sources,
    formula: Option<Span>,
    start: Instant,
    content: InstanceContent,
    /// Errors beside those of the model.
    errors: Vec<Diagnostic>,
    verdict: Verdict,
    /// The text of the answer.
    out: Vec<u8>,
}

impl Run<'_> {
    fn budget(&self) -> Budget {
        Budget::new(self.args.limits.work, Some(self.args.limits.clocks(self.start).probe()))
    }

    /// Writes text unless only what is wrong is told.
    fn say(&mut self, text: &str) {
        if !self.args.quiet {
            self.out.extend_from_slice(text.as_bytes());
        }
    }

    fn fail(&mut self, error: Diagnostic, verdict: Verdict) {
        self.errors.push(error);
        self.verdict = self.verdict.max(verdict);
    }

    fn answer(
        &mut self,
        name: &str,
        system: Arc<System>,
        targets: &[Target],
        sizes: Sizes,
    ) -> io::Result<()> {
        let palette = stdout_palette(self.args.color);
        self.say(&heading_text(name, &system, targets, palette));
        let of_sort = |sort: SortId| Size { sort: system.sig.sorts[sort].name.clone(), size: sizes[sort] };
        self.content.sizes = system.sig.uninterpreted_sorts().map(of_sort).collect();
        let property = |&target| property_dto(&system, target, self.sources, self.formula);
        self.content.properties = targets.iter().map(property).collect();
        signals::end_with_summary();
        let progress = Progress::new(!self.args.quiet);
        progress.say(|| "making the circuit".to_owned());
        let options = Options {
            sizes,
            targets: targets.to_vec(),
            encoding: match self.args.functions {
                FunctionEncoding::OneHot => Encoding::OneHot,
                FunctionEncoding::Binary => Encoding::Binary,
            },
            break_symmetry: !self.args.keep_symmetry,
            max_nodes: self.args.max_nodes,
            seed: self.args.seed,
        };
        let made = Instances::new(&system, &options, &mut self.budget());
        progress.clear();
        let instances = match made {
            Ok(instances) => instances,
            Err(refusal) => {
                self.refuse(&refusal);
                return Ok(());
            }
        };
        self.describe(instances.main());
        if instances.main().contradicts_axioms() {
            // Every claim is true of no structure at all, which would be no answer about the model.
            self.content.vacuous = Some(Vacuous::Axioms);
            let what =
                "no structure of these sizes satisfies the axioms, so this is no instance of the model";
            let error = Diagnostic::error_nowhere(Code::Usage, what);
            let help =
                "choose other sizes; `ramsey verify` tells if the axioms contradict each other at any size";
            self.fail(error.help(help), Verdict::BadInput);
            return Ok(());
        }
        progress.say(|| "searching".to_owned());
        let mut budget = self.budget();
        let check = instances.check(&mut budget);
        progress.clear();
        self.tell(&system, instances.main(), &check, name);
        let written = self.write_circuit(instances.main())?;
        if let (Some(target), Some((file, bytes))) = (self.args.certify.as_deref(), written) {
            progress.say(|| "certifying".to_owned());
            self.certify(target, &file, &bytes, check.circuit.as_ref());
            progress.clear();
        }
        if self.args.states {
            progress.say(|| "counting states".to_owned());
            self.count(name, instances.main());
            progress.clear();
        }
        Ok(())
    }

    /// Tells that there is no circuit.
    fn refuse(&mut self, refusal: &Refusal) {
        let outcome = match refusal {
            Refusal::NoElement(_) => None,
            Refusal::TooLarge(_) | Refusal::Exhausted(..) => Some(InstanceOutcome::Unknown),
            Refusal::Unexpected(_) => Some(InstanceOutcome::InternalError),
        };
        let verdict = outcome.map_or(Verdict::BadInput, Verdict::from);
        self.content.outcome = outcome;
        self.content.reason = Some(refusal.to_string());
        self.out.extend_from_slice(format!("  no answer: {refusal}\n").as_bytes());
        self.verdict = self.verdict.max(verdict);
    }

    /// Tells what the circuit is.
    fn describe(&mut self, instance: &Instance) {
        let circuit = instance.circuit();
        let size = circuit_size(circuit);
        self.content.circuit = Some(size);
        let sig = &instance.system().sig;
        let names = |symbols: &[SymId]| symbols.iter().map(|&sym| sig.symbols[sym].name.clone()).collect();
        let fixed = instance.breaks().iter().map(|it| match it {
            Break::Order { sort, sym, .. } => (*sort, FixedBy::Order, names(&[*sym])),
            Break::Constants { sort, symbols } => (*sort, FixedBy::Constants, names(symbols)),
        });
        let fixed =
            fixed.map(|(sort, kind, symbols)| Fixed { sort: sig.sorts[sort].name.clone(), kind, symbols });
        self.content.symmetry = fixed.collect();
        let CircuitSize { latches, inputs, gates, .. } = size;
        let sizes: Vec<String> =
            self.content.sizes.iter().map(|it| format!("{}={}", it.sort, it.size)).collect();
        self.say(&format!("  {}: {latches} latches, {inputs} inputs, {gates} gates\n", sizes.join(" ")));
        if !self.args.show {
            return;
        }
        for fixed in self.content.symmetry.clone() {
            let what = if fixed.kind == FixedBy::Order { "ordered by" } else { "numbered by" };
            self.say(&format!("  {} {what} {}\n", fixed.sort, fixed.symbols.join(", ")));
        }
        let variables = (0..circuit.latches().len()).filter_map(|latch| instance.atom(latch));
        let variables: Vec<String> = variables.map(|atom| atom.display(sig).to_string()).collect();
        let facts =
            instance.facts().map(|(atom, value)| FactValue { fact: atom.display(sig).to_string(), value });
        let facts: Vec<FactValue> = facts.collect();
        for FactValue { fact, value } in &facts {
            self.say(&format!("  {fact} is {value}\n"));
        }
        for name in &variables {
            self.say(&format!("  variable {name}\n"));
        }
        (self.content.variables, self.content.facts) = (Some(variables), Some(facts));
    }

    /// Tells the answer.
    fn tell(&mut self, system: &System, instance: &Instance, check: &Check, name: &str) {
        let palette = stdout_palette(self.args.color);
        let invariant = match &check.circuit {
            Some(mc::Outcome::Safe(proof)) => Some((proof.invariant.len(), proof.induction)),
            _ => None,
        };
        self.say(&outcome_text(&check.outcome, invariant, palette));
        if matches!(check.outcome, Outcome::Safe) {
            self.tell_vacuity(instance);
        }
        if self.args.stats {
            for (label, value) in check.stats.printed() {
                self.say(&format!("  {label:<12} {value}\n"));
            }
            let rows = check.stats.printed().map(|(label, value)| (label.to_owned(), value));
            self.content.stats = Some(rows.collect());
        }
        match &check.outcome {
            Outcome::Safe => {
                let list =
                    self.args.invariant.then(|| self.tell_invariant(system, instance, check)).flatten();
                self.content.invariant =
                    invariant.map(|(clauses, induction)| InvariantSize { clauses, induction, list });
            }
            Outcome::Violated(violation, is_before) => {
                self.show_violation(system, violation, *is_before, name);
            }
            Outcome::Unknown { exhausted, bound } => {
                (self.content.reason, self.content.bound) = (Some(exhausted.to_string()), *bound);
            }
            Outcome::InternalError(what) => {
                self.content.reason = Some(what.clone());
                let text = internal_error_text(what, self.sources, palette);
                self.out.extend_from_slice(text.as_bytes());
            }
        }
        let outcome = InstanceOutcome::from(&check.outcome);
        self.content.outcome = Some(outcome);
        self.verdict = self.verdict.max(outcome.into());
    }

    /// Tells the clauses of the invariant that was found, as facts of the model.
    fn tell_invariant(
        &mut self,
        system: &System,
        instance: &Instance,
        check: &Check,
    ) -> Option<Vec<Vec<FactValue>>> {
        let Some(mc::Outcome::Safe(proof)) = &check.circuit else { return None };
        let fact =
            |(atom, value): (Atom, bool)| FactValue { fact: atom.display(&system.sig).to_string(), value };
        let clauses = proof.invariant.iter().filter_map(|clause| instance.clause(clause));
        let mut clauses: Vec<Vec<FactValue>> =
            clauses.map(|clause| clause.into_iter().map(fact).collect()).collect();
        clauses.sort_by_key(|clause| clause.iter().map(|it| (it.fact.clone(), it.value)).collect::<Vec<_>>());
        for clause in &clauses {
            self.say(&format!("    {}\n", clause_text(clause.iter().map(|it| (it.fact.as_str(), it.value)))));
        }
        Some(clauses)
    }

    /// Tells if the instance has no state at all.
    fn tell_vacuity(&mut self, instance: &Instance) {
        if instance.is_empty() || has_initial_state(instance, &mut self.budget()) == Ok(false) {
            self.content.vacuous = Some(Vacuous::InitialStates);
            self.out.extend_from_slice(b"  nothing is reachable: no state of these sizes is initial\n");
        }
    }

    fn show_violation(&mut self, system: &System, violation: &Violation, is_before: bool, name: &str) {
        let palette = stdout_palette(self.args.color);
        let negative = self.args.print_negative_tuples;
        let style = TraceStyle { palette, negative, sources: Some(self.sources) };
        let scene = Scene { system, sources: self.sources, formula: self.formula, style };
        let steps = u16::try_from(violation.counterexample.calls.len()).unwrap_or(u16::MAX);
        let steps = (!is_before).then_some(steps);
        self.out.push(b'\n');
        self.out.extend_from_slice(violation_text(scene, steps, violation).as_bytes());
        self.content.violation = violation_dto(scene, steps, violation);
        if let Ok(mut gallery) = self.args.pictures.gallery(system, &self.args.path)
            && let Err(error) =
                gallery.counterexample(name, system, system.syntax(), &violation.counterexample)
        {
            self.fail(error, Verdict::BadInput);
        }
    }

    /// Writes the circuit, if that is asked for, and returns it with the bytes of the file.
    fn write_circuit(&mut self, instance: &Instance) -> io::Result<Option<(aiger::Circuit, Vec<u8>)>> {
        let Some(path) = self.args.out.as_deref() else { return Ok(None) };
        let file = if self.args.plain { instance.plain_file() } else { instance.file() };
        let Some(file) = file else {
            self.fail(too_large(if self.args.plain { "--plain" } else { "--out" }), Verdict::BadInput);
            return Ok(None);
        };
        let mut bytes = Vec::new();
        match kind(path) {
            Some(Kind::Binary) => write_binary(&file, &mut bytes)?,
            Some(Kind::Ascii) => write_ascii(&file, &mut bytes)?,
            Some(Kind::Vmt) => write_vmt(instance, &mut bytes)?,
            None => return Ok(None),
        }
        if let Err(error) = write_whole(path, &bytes) {
            self.fail(error, Verdict::BadInput);
            return Ok(None);
        }
        self.say(&format!("  circuit {}: {} bytes\n", path.display(), bytes.len()));
        Ok(Some((file, bytes)))
    }

    /// Writes a certificate of the answer, after it was checked.
    fn certify(&mut self, target: &Path, file: &aiger::Circuit, bytes: &[u8], outcome: Option<&mc::Outcome>) {
        let Some(outcome @ (mc::Outcome::Safe(_) | mc::Outcome::Unsafe(_))) = outcome else {
            self.certified("no certificate: the circuit is not decided".to_owned());
            return;
        };
        let mut budget = Budget::new(None, Some(self.args.limits.clocks(self.start).probe()));
        let made = mc::certificate(file, bytes, std::slice::from_ref(outcome), &mut budget);
        let text = match made {
            Ok(text) => text,
            Err(reason) => {
                let is_limit = matches!(reason, NoCertificate::Exhausted(_));
                self.verdict =
                    self.verdict.max(if is_limit { Verdict::Unknown } else { Verdict::InternalError });
                self.certified(format!("no certificate: {reason}"));
                return;
            }
        };
        match circuit::check(file, bytes, text.as_slice()) {
            Err(rejection) => {
                self.verdict = Verdict::InternalError;
                self.certified(format!("internal error: the certificate is rejected: {rejection}"));
            }
            Ok(summary) => {
                let text = if names_gzip(target) { compress(&String::from_utf8_lossy(&text)) } else { text };
                match write_whole(target, &text) {
                    Ok(()) => {
                        let what = if summary.safe.is_empty() { "an execution" } else { "a proof" };
                        let steps = summary.steps;
                        self.certified(format!("certificate {}: {what}, {steps} steps", target.display()));
                    }
                    Err(error) => self.fail(error, Verdict::BadInput),
                }
            }
        }
    }

    fn certified(&mut self, line: String) {
        self.say(&format!("  {line}\n"));
        self.content.certificate = Some(line);
    }

    /// Counts and draws the reachable states.
    fn count(&mut self, title: &str, instance: &Instance) {
        let system = instance.system();
        let up_to_isomorphism = self.args.up_to_isomorphism;
        let limit = Limit { states: self.args.max_states, up_to_isomorphism };
        let found = states(instance, limit, &mut self.budget());
        let (graph, is_complete): (Graph, bool) = match found {
            Ok(found) => found,
            Err(exhausted) => {
                self.out.extend_from_slice(format!("  states not counted: {exhausted}\n").as_bytes());
                self.verdict = self.verdict.max(Verdict::Unknown);
                return;
            }
        };
        if !is_complete {
            self.verdict = self.verdict.max(Verdict::Unknown);
        }
        self.say(&states_text(&graph, is_complete, up_to_isomorphism));
        self.content.states = Some(States {
            complete: is_complete,
            up_to_isomorphism,
            states: graph.states.len(),
            initial: graph.initial(),
            violating: graph.bad(),
            stuck: graph.stuck(),
            steps: graph.steps.len(),
            depth: graph.diameter(),
        });
        if let Some(path) = &self.args.graph
            && let Err(error) = write_whole(path, graph_dot(title, system, &graph).as_bytes())
        {
            self.fail(error, Verdict::BadInput);
        }
    }

    /// Writes the answer.
    fn end(mut self, model: &Model) -> io::Result<Verdict> {
        let seconds = self.args.stats.then(|| self.start.elapsed().as_secs_f64());
        let content = std::mem::take(&mut self.content);
        let how = (self.args.format, self.args.color);
        model.write_answers(&self.out, &self.errors, how, self.sources, (self.verdict, seconds), content)?;
        Ok(self.verdict)
    }
}

/// Returns the error that a circuit is too large for a file.
pub(super) fn too_large(option: &str) -> Diagnostic {
    Diagnostic::error_nowhere(Code::Usage, format!("{option}: the circuit has too many variables"))
}

/// Returns the size of a circuit.
pub(super) fn circuit_size(circuit: &Circuit) -> CircuitSize {
    CircuitSize {
        latches: circuit.latches().len(),
        inputs: circuit.num_inputs(),
        gates: circuit.num_gates(),
        constraints: circuit.constraints().len(),
    }
}
