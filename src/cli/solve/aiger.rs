//! Circuits in AIGER format: output and exit codes of the hardware model checking competition.

use std::io::{self, Write};
use std::path::Path;

use super::certify::{is_asked, refusal};
use super::dimacs::diagnostic;
use super::input::{Input, read_within};
use super::setup::limits;
use super::sink::Sink;
use crate::args::SolveArgs;
use crate::certify::{export_folder, names_gzip};
use crate::files::{replace, write_whole};
use crate::signals;
use crate::sources::display;
use ramsey_circuit::hwmc::{
    self, Method, NoCertificate, Options, Outcome, Stats, Witness, certificate, check,
};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Diagnostic;
use ramsey_kernel::check::circuit::{Rejection, check as check_certificate};
use ramsey_kernel::check::compress;
use ramsey_lang::aiger::{Circuit, Error, parse_within, write_ascii};
use ramsey_report::Verdict;
use ramsey_report::json::solve::{Answer, Decision};

/// Decides all properties of the circuit and writes the answers.
pub(super) fn run(args: &SolveArgs, input: Input<'_>, mut sink: Sink<'_>) -> io::Result<u8> {
    let mut sources = Sources::new();
    let path = input.path();
    if is_asked(args)
        && let Some(error) = refusal(args, path)
    {
        sink.complain(&[error], &sources);
        return sink.end(Verdict::BadInput);
    }
    let probe = Some(limits(args).probe());
    sink.progress.say(|| "reading".to_owned());
    let mut reading = Budget::new(None, probe);
    let (circuit, bytes) = match read(path, input, &mut reading, &mut sources) {
        Ok(Ok(read)) => read,
        Ok(Err(exhausted)) => {
            sink.say(|out| writeln!(out, "c stopped: {exhausted}\n2"), || None)?;
            return sink.end_with(Verdict::Unknown, 0);
        }
        Err(error) => {
            sink.complain(&[error], &sources);
            return sink.end(Verdict::BadInput);
        }
    };
    let options = Options { method: Method::All, seed: args.seed };
    let mut stats = Stats::default();
    let mut outcomes = Vec::new();
    let graph = hwmc::Circuit::from(&circuit);
    for property in 0..graph.bad().len() {
        sink.progress.say(|| format!("searching property {property}"));
        let mut budget = Budget::new(args.limits.work, Some(limits(args).probe()));
        let Some((outcome, cost)) = check(&graph, property, &options, &mut budget) else { break };
        stats.add(&cost);
        let name = circuit.property_name(property);
        sink.say(
            |out| write(out, property, name, &outcome, !args.quiet),
            || Some(json(property, &outcome, !args.quiet)),
        )?;
        outcomes.push(outcome);
    }
    let rows: Vec<_> = stats.printed().collect();
    sink.stats("c", &rows)?;
    let (verdict, code) = verdict(&outcomes);
    if let Some(target) = args.certify.as_deref().filter(|_| !signals::is_interrupted()) {
        sink.progress.say(|| "certifying".to_owned());
        let mut budget = Budget::new(None, Some(limits(args).probe()));
        match certify(target, &circuit, &bytes, &outcomes, &mut budget) {
            Ok(line) => sink.certified("c", line)?,
            Err(Failure::NoCertificate(reason)) => {
                let is_defect = !matches!(reason, NoCertificate::Exhausted(_));
                sink.certified("c", format!("no certificate: {reason}"))?;
                let verdict = if is_defect { Verdict::InternalError } else { Verdict::Unknown };
                return sink.end_with(verdict, if is_defect { verdict.code() } else { 0 });
            }
            Err(Failure::Rejected(rejection)) => {
                sink.certified("c", format!("internal error: the certificate is rejected: {rejection}"))?;
                return sink.end(Verdict::InternalError);
            }
            Err(Failure::Unwritable(error)) => {
                sink.complain(&[error], &sources);
                return sink.end(Verdict::BadInput);
            }
        }
    }
    if let Some(folder) = args.export.as_deref().filter(|_| !signals::is_interrupted()) {
        match export(folder, path, &circuit, &outcomes) {
            Ok(line) => sink.certified("c", line)?,
            Err(error) => {
                sink.complain(&[error], &sources);
                return sink.end(Verdict::BadInput);
            }
        }
    }
    sink.end_with(verdict, code)
}

/// Writes, for each property that is decided, a circuit with that property alone, and its witness circuit or the execution that violates
/// it. Returns a line about them.
fn export(folder: &Path, path: &Path, circuit: &Circuit, outcomes: &[Outcome]) -> Result<String, Diagnostic> {
    let folder = export_folder(folder, &path.display().to_string())?;
    let put = |name: String, circuit: &Circuit| {
        let mut text = Vec::new();
        // Writing to a vector does not fail.
        let _ = write_ascii(circuit, &mut text);
        replace(&folder.join(name), &text)
    };
    let (mut witnesses, mut executions) = (0, 0);
    for (property, outcome) in outcomes.iter().enumerate() {
        let Some(alone) = hwmc::property_circuit(circuit, property) else { continue };
        match outcome {
            Outcome::Safe(proof) => {
                let Some(witness) = hwmc::witness_circuit(circuit, property, proof) else { continue };
                put(format!("b{property}.witness.aag"), &witness)?;
                witnesses += 1;
            }
            Outcome::Unsafe(witness) => {
                let text = format!("1\nb0\n{}\n.\n", lines(witness).join("\n"));
                replace(&folder.join(format!("b{property}.stim")), text.as_bytes())?;
                executions += 1;
            }
            Outcome::Unknown { .. } | Outcome::Defect => continue,
        }
        put(format!("b{property}.aag"), &alone)?;
    }
    Ok(format!("exports {}: {witnesses} witness circuits, {executions} executions", folder.display()))
}

/// The reason why no certificate was written.
enum Failure {
    NoCertificate(NoCertificate),
    Rejected(Rejection),
    Unwritable(Diagnostic),
}

/// Makes a certificate of the answers, has the kernel check it, and writes it. Returns a line about it.
fn certify(
    target: &Path,
    circuit: &Circuit,
    bytes: &[u8],
    outcomes: &[Outcome],
    budget: &mut Budget,
) -> Result<String, Failure> {
    let is_decided = |it: &&Outcome| matches!(it, Outcome::Safe(_) | Outcome::Unsafe(_));
    let decided = outcomes.iter().filter(is_decided).count();
    if decided == 0 {
        return Ok("no certificate: no property is decided".into());
    }
    let text = certificate(circuit, bytes, outcomes, budget).map_err(Failure::NoCertificate)?;
    let summary = check_certificate(circuit, bytes, text.as_slice()).map_err(Failure::Rejected)?;
    let text = if names_gzip(target) { compress(&String::from_utf8_lossy(&text)) } else { text };
    write_whole(target, &text).map_err(Failure::Unwritable)?;
    let without = match outcomes.len() - decided {
        0 => String::new(),
        count => format!(", {count} properties without an answer"),
    };
    let (safe, violated) = (summary.safe.len(), summary.violated.len());
    let target = target.display();
    Ok(format!(
        "certificate {target}: {safe} proofs in {} steps, {violated} executions{without}",
        summary.steps
    ))
}

/// Returns the verdict and the exit code of all answers.
fn verdict(outcomes: &[Outcome]) -> (Verdict, u8) {
    let has = |test: fn(&Outcome) -> bool| outcomes.iter().any(test);
    if has(|it| matches!(it, Outcome::Defect)) {
        (Verdict::InternalError, Verdict::InternalError.code())
    } else if has(|it| matches!(it, Outcome::Unsafe(_))) {
        (Verdict::Counterexample, 10)
    } else if has(|it| matches!(it, Outcome::Unknown { .. })) {
        (Verdict::Unknown, 0)
    } else {
        (Verdict::Ok, 20)
    }
}

/// Reads the circuit, and returns the bytes of the file with it.
fn read(
    path: &Path,
    input: Input<'_>,
    budget: &mut Budget,
    sources: &mut Sources,
) -> Result<Result<(Circuit, Vec<u8>), Exhausted>, Diagnostic> {
    let bytes = match read_within(path, input, budget)? {
        Ok(bytes) => bytes,
        Err(exhausted) => return Ok(Err(exhausted)),
    };
    parse(path, bytes, budget, sources)
}

/// Parses the circuit in the file at `path`, and returns the bytes of the file with it.
pub(crate) fn parse(
    path: &Path,
    bytes: Vec<u8>,
    budget: &mut Budget,
    sources: &mut Sources,
) -> Result<Result<(Circuit, Vec<u8>), Exhausted>, Diagnostic> {
    match parse_within(&bytes, budget) {
        Ok(Ok(circuit)) => Ok(Ok((circuit, bytes))),
        Ok(Err(error)) => Err(place(path, bytes, error, sources)),
        Err(exhausted) => Ok(Err(exhausted)),
    }
}

/// Returns the diagnostic for an error. Errors between the bytes of gates have the number of the byte in their message,
/// and lines to show only where the text before them is ASCII.
fn place(path: &Path, bytes: Vec<u8>, error: Error, sources: &mut Sources) -> Diagnostic {
    if bytes
        .get(..error.end)
        .is_some_and(|text| text.iter().all(|it| it.is_ascii_graphic() || it.is_ascii_whitespace()))
    {
        return diagnostic(path, bytes, error, sources);
    }
    let at =
        if error.message.starts_with("byte ") { String::new() } else { format!("byte {}: ", error.start) };
    let message = format!("`{}`: {at}{}", display(path), error.message);
    let found = Diagnostic::error_nowhere(error.code, message);
    if error.hint.is_empty() { found } else { found.help(error.hint) }
}

/// Writes the answer about a property: a line `0`, `1` or `2`, the property, a witness if there is one, and a point.
fn write(
    out: &mut impl Write,
    property: usize,
    name: Option<&str>,
    outcome: &Outcome,
    with_witness: bool,
) -> io::Result<()> {
    let name = name.map(|name| format!(" `{}`", name.escape_debug())).unwrap_or_default();
    match outcome {
        Outcome::Safe(proof) => {
            let clauses = proof.invariant.len();
            let depth = match proof.induction {
                0 => String::new(),
                depth => format!(", by induction over {depth} steps"),
            };
            writeln!(
                out,
                "c property {property}{name} is safe: an invariant of {clauses} clauses{depth}\n0"
            )?;
        }
        Outcome::Unsafe(witness) => {
            let steps = witness.inputs.len().saturating_sub(1);
            writeln!(out, "c property {property}{name} is violated after {steps} steps\n1")?;
        }
        Outcome::Unknown { exhausted, bound } => {
            let bound = bound.map(|bound| format!("; not violated in {bound} steps")).unwrap_or_default();
            writeln!(out, "c property {property}{name}: stopped: {exhausted}{bound}\n2")?;
        }
        Outcome::Defect => {
            writeln!(out, "c property {property}{name}: internal error: the execution found is none\n2")?;
        }
    }
    writeln!(out, "b{property}")?;
    if let (Outcome::Unsafe(witness), true) = (outcome, with_witness) {
        lines(witness).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    writeln!(out, ".")
}

/// Returns the lines of a witness: the initial state, and the inputs of each step.
fn lines(witness: &Witness) -> Vec<String> {
    let line = |values: &Vec<bool>| values.iter().map(|&value| if value { '1' } else { '0' }).collect();
    std::iter::once(&witness.state).chain(&witness.inputs).map(line).collect()
}

/// Returns the answer for JSON.
fn json(property: usize, outcome: &Outcome, with_witness: bool) -> Answer {
    let answer = match outcome {
        Outcome::Safe(_) => Answer::check(Decision::Safe),
        Outcome::Unsafe(witness) => {
            Answer { items: with_witness.then(|| lines(witness)), ..Answer::check(Decision::Unsafe) }
        }
        Outcome::Unknown { exhausted, .. } => {
            Answer { reason: Some(exhausted.to_string()), ..Answer::check(Decision::Unknown) }
        }
        Outcome::Defect => {
            let reason = Some("internal error: the execution found is none".to_owned());
            Answer { reason, ..Answer::check(Decision::Unknown) }
        }
    };
    Answer { property: Some(property), ..answer }
}
