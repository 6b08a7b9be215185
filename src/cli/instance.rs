//! `ramsey instance`: finite instances of a model.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::{FunctionEncoding, InstanceArgs};
use super::bmc::{formula_place, named_targets, with_targets};
use super::certify::names_gzip;
use super::files::{check_parents, write_whole};
use super::progress::Progress;
use super::rocq::write_instance;
use super::select::not_declared;
use super::shared::Model;
use super::signals;
use ramsey_circuit::finite::{Encoding, Enumeration, Instance, Refusal, Sizes, enumerations, write_vmt};
use ramsey_circuit::hwmc::{self, NoCertificate};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{SortId, SymId};
use ramsey_core::system::System;
use ramsey_engine::query::Limits;
use ramsey_engine::query::bmc::{Target, Violation};
use ramsey_engine::query::instance::{
    Check, Graph, Instances, Limit, Options, Outcome, has_initial_state, states,
};
use ramsey_kernel::check::circuit;
use ramsey_kernel::check::compress;
use ramsey_lang::aiger::{self, write_ascii, write_binary};
use ramsey_report::Verdict;
use ramsey_report::instance::{Certified, Found, Report, Told, graph_dot};
use ramsey_report::render::Shown;

/// Maximum size of a sort.
const LARGEST_SIZE: u32 = 1000;

/// Decides an instance of a model.
pub(super) fn run(args: &InstanceArgs) -> io::Result<Verdict> {
    run_by(args, &mut |instances, budget| instances.check(budget))
}

/// How the answer about an instance comes about.
pub(super) type Search<'a> = &'a mut dyn FnMut(&Instances, &mut Budget) -> Check;

/// Tells the answer about an instance of a model.
pub(super) fn run_by(args: &InstanceArgs, by: Search<'_>) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = Budget::new(None, Some(args.limits.clocks(start).probe()));
    let mut model = Model::read(&args.path, args.form.rules(), args.form.how(), &mut sources, reading);
    let targets = named_targets(&args.property, &mut model, &mut sources);
    if args.rocq.is_some() {
        model.system = model.system.take().map(|system| with_targets(system, &targets, &sources));
    }
    let mut sizes = Sizes::new();
    if let Some(system) = &model.system {
        match self::sizes(system, &args.sizes) {
            Ok(found) => sizes = found,
            Err(errors) => model.diagnostics.extend(errors),
        }
    }
    model.check_pictures(&args.pictures, &args.path);
    model.diagnostics.extend(out_error(args));
    model.diagnostics.extend(check_parents([&args.out, &args.certify, &args.graph, &args.rocq]));
    model.print_new(&sources);
    let formula = formula_place(&sources);
    let system = model.system.take().filter(|_| model.verdict() == Verdict::Ok);
    let mut run = system.as_ref().map(|system| Run {
        args,
        name: &model.name,
        system,
        sources: &sources,
        start,
        errors: Vec::new(),
    });
    let instances = run.as_mut().map(|run| run.instances(sizes.clone(), targets.clone()));
    let mut found = system.as_deref().zip(instances.as_ref()).map(|(system, instances)| Found {
        told: Told {
            variables: args.show,
            invariant: args.invariant,
            up_to_isomorphism: args.up_to_isomorphism,
        },
        system,
        sources: &sources,
        formula,
        targets: &targets,
        sizes: &sizes,
        instance: instances.as_ref().map(Instances::main).map_err(Clone::clone),
        check: None,
        is_unreachable: false,
        circuit: None,
        certificate: None,
        states: None,
    });
    let mut errors = Vec::new();
    if let (Some(mut run), Some(Ok(instances)), Some(found)) = (run, &instances, &mut found) {
        run.answer(instances, by, found)?;
        errors = run.errors;
    }
    model.diagnostics.extend(errors);
    let seconds = args.stats.then(|| start.elapsed().as_secs_f64());
    let negative = args.print_negative_tuples;
    let shown = Shown { quiet: args.quiet, stats: args.stats, negative, seconds, ..Shown::default() };
    let report = Report { path: &model.name.clone(), found };
    model.answer(&report, (shown, Vec::new(), None), &sources)
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
pub(super) fn sizes(system: &System, texts: &[String]) -> Result<Sizes, Vec<Diagnostic>> {
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

/// A run about a model that could be read.
struct Run<'a> {
    args: &'a InstanceArgs,
    name: &'a str,
    system: &'a Arc<System>,
    sources: &'a Sources,
    start: Instant,
    /// Errors beside those of the model.
    errors: Vec<Diagnostic>,
}

impl Run<'_> {
    fn budget(&self) -> Budget {
        Budget::new(self.args.limits.work, Some(self.args.limits.clocks(self.start).probe()))
    }

    /// Makes the circuits.
    fn instances(&self, sizes: Sizes, targets: Vec<Target>) -> Result<Instances, Refusal> {
        signals::end_with_summary();
        let progress = Progress::new(!self.args.quiet);
        progress.say(|| "making the circuit".to_owned());
        let options = Options {
            sizes,
            targets,
            encoding: match self.args.functions {
                FunctionEncoding::OneHot => Encoding::OneHot,
                FunctionEncoding::Binary => Encoding::Binary,
            },
            // A theorem is about all structures of these sizes.
            break_symmetry: !self.args.keep_symmetry && self.args.rocq.is_none(),
            inductive: self.args.rocq.is_some(),
            max_nodes: self.args.max_nodes,
            seed: self.args.seed,
        };
        let made = Instances::new(self.system, &options, &mut self.budget());
        progress.clear();
        made
    }

    /// Asks about the instance, and writes the files that are asked for.
    fn answer(&mut self, instances: &Instances, by: Search<'_>, found: &mut Found<'_>) -> io::Result<()> {
        let instance = instances.main();
        if instance.contradicts_axioms() {
            // Every claim is true of no structure at all, which would be no answer about the model.
            let what =
                "no structure of these sizes satisfies the axioms, so this is no instance of the model";
            let help =
                "choose other sizes; `ramsey verify` tells if the axioms contradict each other at any size";
            self.errors.push(Diagnostic::error_nowhere(Code::Usage, what).help(help));
            return Ok(());
        }
        let progress = Progress::new(!self.args.quiet);
        progress.say(|| "searching".to_owned());
        let check = by(instances, &mut self.budget());
        progress.clear();
        match &check.outcome {
            Outcome::Safe => {
                found.is_unreachable =
                    instance.is_empty() || has_initial_state(instance, &mut self.budget()) == Ok(false);
            }
            Outcome::Violated(violation, _) => self.draw(violation),
            Outcome::Unknown { .. } | Outcome::InternalError(_) => {}
        }
        if let Some(path) = self.args.out.as_deref() {
            let written = self.write_circuit(path, instance)?;
            found.circuit = written.as_ref().map(|(_, bytes)| (path.display().to_string(), bytes.len()));
            if let (Some(target), Some((file, bytes))) = (self.args.certify.as_deref(), &written) {
                progress.say(|| "certifying".to_owned());
                found.certificate = self.certify(target, file, bytes, check.circuit.as_ref());
                progress.clear();
            }
        }
        if let Some(folder) = &self.args.rocq {
            progress.say(|| "proving".to_owned());
            let clocks = self.args.limits.clocks(self.start);
            let limits = Limits { work: self.args.limits.work, outside: None, probe: Some(clocks.factory()) };
            let place = (folder.as_path(), self.name, self.sources);
            let written = write_instance(place, self.system, instances, (&check, found.targets), &limits);
            self.errors.extend(written.err());
            progress.clear();
        }
        found.check = Some(check);
        if self.args.states {
            progress.say(|| "counting states".to_owned());
            found.states = Some(self.count(instance));
            progress.clear();
        }
        Ok(())
    }

    fn draw(&mut self, violation: &Violation) {
        let system = self.system;
        if let Ok(mut gallery) = self.args.pictures.gallery(system, &self.args.path) {
            let found = &violation.counterexample;
            self.errors.extend(gallery.counterexample(self.name, system, system.syntax(), found).err());
        }
    }

    /// Writes the circuit, and returns it with the bytes of the file.
    fn write_circuit(
        &mut self,
        path: &Path,
        instance: &Instance,
    ) -> io::Result<Option<(aiger::Circuit, Vec<u8>)>> {
        let file = if self.args.plain { instance.plain_file() } else { instance.file() };
        let Some(file) = file else {
            self.errors.push(too_large(if self.args.plain { "--plain" } else { "--out" }));
            return Ok(None);
        };
        let mut bytes = Vec::new();
        match kind(path) {
            Some(Kind::Binary) => write_binary(&file, &mut bytes)?,
            Some(Kind::Ascii) => write_ascii(&file, &mut bytes)?,
            Some(Kind::Vmt) => write_vmt(instance, &mut bytes)?,
            None => return Ok(None),
        }
        let written = write_whole(path, &bytes).map_err(|error| self.errors.push(error));
        Ok(written.ok().map(|()| (file, bytes)))
    }

    /// Writes a certificate of the answer, after it was checked; `None` if the file cannot be written.
    fn certify(
        &mut self,
        target: &Path,
        file: &aiger::Circuit,
        bytes: &[u8],
        outcome: Option<&hwmc::Outcome>,
    ) -> Option<Certified> {
        let certified = |line: String, verdict| Some(Certified { line, verdict });
        let Some(outcome @ (hwmc::Outcome::Safe(_) | hwmc::Outcome::Unsafe(_))) = outcome else {
            return certified("no certificate: the circuit is not decided".to_owned(), Verdict::Ok);
        };
        let mut budget = Budget::new(None, Some(self.args.limits.clocks(self.start).probe()));
        let text = match hwmc::certificate(file, bytes, std::slice::from_ref(outcome), &mut budget) {
            Ok(text) => text,
            Err(reason) => {
                let is_limit = matches!(reason, NoCertificate::Exhausted(_));
                let verdict = if is_limit { Verdict::Unknown } else { Verdict::InternalError };
                return certified(format!("no certificate: {reason}"), verdict);
            }
        };
        let summary = match circuit::check(file, bytes, text.as_slice()) {
            Ok(summary) => summary,
            Err(rejection) => {
                let line = format!("internal error: the certificate is rejected: {rejection}");
                return certified(line, Verdict::InternalError);
            }
        };
        let text = if names_gzip(target) { compress(&String::from_utf8_lossy(&text)) } else { text };
        if let Err(error) = write_whole(target, &text) {
            self.errors.push(error);
            return None;
        }
        let what = if summary.safe.is_empty() { "an execution" } else { "a proof" };
        let line = format!("certificate {}: {what}, {} steps", target.display(), summary.steps);
        certified(line, Verdict::Ok)
    }

    /// Counts and draws the reachable states.
    fn count(&mut self, instance: &Instance) -> Result<(Graph, bool), Exhausted> {
        let limit = Limit { states: self.args.max_states, up_to_isomorphism: self.args.up_to_isomorphism };
        let found = states(instance, limit, &mut self.budget())?;
        if let Some(path) = &self.args.graph {
            let graph = graph_dot(self.name, instance.system(), &found.0);
            self.errors.extend(write_whole(path, graph.as_bytes()).err());
        }
        Ok(found)
    }
}

/// Returns the error that a circuit is too large for a file.
pub(super) fn too_large(option: &str) -> Diagnostic {
    Diagnostic::error_nowhere(Code::Usage, format!("{option}: the circuit has too many variables"))
}
