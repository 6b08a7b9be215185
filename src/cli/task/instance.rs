//! Finite instances: by workers, and the check of what they find.

use std::ffi::OsString;
use std::io;

use super::failure::{Failure, reason};
use super::parts::targets;
use super::results::{Found, Given};
use crate::args::{Command, ImportArgs, InstanceArgs};
use crate::command;
use crate::instance::{run_by, sizes};
use crate::limits::reading;
use crate::shared::Model;
use ramsey_circuit::finite::{Encoding, Instance, MAX_NODES, Refusal};
use ramsey_circuit::hwmc::{self, NoCertificate, answer_of};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::Sources;
use ramsey_engine::query::bmc::Target;
use ramsey_engine::query::instance::{Instances, Options, Outcome};
use ramsey_kernel::check::circuit;
use ramsey_lang::aiger::{Circuit, write_binary};
use ramsey_report::Verdict;
use ramsey_report::json::task::{Answer, InstanceQuestion, Question};

/// Makes the circuits of a task.
fn instances(
    question: &InstanceQuestion,
    model: &mut Model,
    sources: &mut Sources,
    budget: &mut Budget,
) -> Result<Result<Instances, Refusal>, Failure> {
    let targets: Vec<Target> = targets(&question.properties, model, sources)?;
    let system = model.system.take().ok_or_else(|| Failure::Internal("the model has no system".into()))?;
    let options = Options {
        sizes: sizes(&system, &question.sizes).map_err(Failure::Bad)?,
        targets,
        encoding: Encoding::OneHot,
        break_symmetry: true,
        inductive: false,
        max_nodes: MAX_NODES,
        seed: question.seed,
    };
    Ok(Instances::new(&system, &options, budget))
}

/// Returns the circuit of an instance as a file.
fn file_of(instance: &Instance) -> Option<(Circuit, Vec<u8>)> {
    let file = instance.file()?;
    let mut bytes = Vec::new();
    write_binary(&file, &mut bytes).ok()?;
    Some((file, bytes))
}

/// Carries out a task.
pub(super) fn answer(
    question: &InstanceQuestion,
    model: &mut Model,
    sources: &mut Sources,
    budget: &mut Budget,
) -> Result<Answer, Failure> {
    let mut certificates = Vec::new();
    let open = |certificates, why: String| Ok(Answer::Instance { certificates, reason: Some(why) });
    let instances = match instances(question, model, sources, budget)? {
        Ok(instances) => instances,
        Err(Refusal::Exhausted(exhausted, _)) => return open(certificates, reason(exhausted)?),
        Err(refusal) => return open(certificates, refusal.to_string()),
    };
    for part in instances.parts() {
        let (outcome, _) = instances.search(part, budget);
        match &outcome {
            hwmc::Outcome::Safe(_) | hwmc::Outcome::Unsafe(_) => {}
            hwmc::Outcome::Unknown { exhausted, .. } => return open(certificates, reason(*exhausted)?),
            hwmc::Outcome::Defect => {
                return Err(Failure::Internal("the execution of the circuit is none".into()));
            }
        }
        let Some((file, bytes)) = file_of(part) else {
            return open(certificates, "the circuit has too many variables".to_owned());
        };
        match hwmc::certificate(&file, &bytes, std::slice::from_ref(&outcome), budget) {
            Ok(text) => certificates.push(String::from_utf8_lossy(&text).into_owned()),
            Err(NoCertificate::Exhausted(exhausted)) => return open(certificates, reason(exhausted)?),
            Err(defect @ NoCertificate::Defect(_)) => return Err(Failure::Internal(defect.to_string())),
        }
        if matches!(outcome, hwmc::Outcome::Unsafe(_)) {
            break;
        }
    }
    Ok(Answer::Instance { certificates, reason: None })
}

/// Tells the answers that the results give, one after the other.
pub(super) fn import(args: &ImportArgs, parts: &[Question], given: &mut Given) -> io::Result<Verdict> {
    let mut known = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let Question::Instance(question) = part else { continue };
        let found = given.first(at, |answer| checked(args, question, answer));
        known.push((question, found.map_or(Vec::new(), |it| it.content)));
    }
    given.tell(args);
    let mut verdict = Verdict::Ok;
    for (question, outcomes) in known {
        let line: [OsString; 4] =
            ["ramsey".into(), "instance".into(), "--".into(), args.path.clone().into_os_string()];
        let Some(Command::Instance(instance)) = command::parse(&line).ok().map(|it| it.command) else {
            return Ok(Verdict::InternalError);
        };
        let instance = InstanceArgs {
            sizes: question.sizes.clone(),
            property: question.properties.clone(),
            limits: args.limits.limits,
            form: args.form.clone(),
            ..instance
        };
        let mut outcomes = outcomes.into_iter();
        let told = run_by(&instance, &mut |instances, budget| {
            let missing = hwmc::Outcome::Unknown { exhausted: Exhausted::Work, bound: None };
            let mut next = |_: usize, _: &Instance, _: &mut Budget| {
                (outcomes.next().unwrap_or(missing.clone()), hwmc::Stats::default())
            };
            instances.check_by(&mut next, budget)
        })?;
        verdict = verdict.max(told);
    }
    Ok(verdict)
}

/// Checks what a worker says of a task. Returns the answers about the circuits.
fn checked(
    args: &ImportArgs,
    question: &InstanceQuestion,
    answer: &Answer,
) -> Result<Found<Vec<hwmc::Outcome>>, String> {
    let Answer::Instance { certificates, .. } = answer else {
        return Err("it is no answer about an instance".to_owned());
    };
    let mut sources = Sources::new();
    let mut model = Model::read(&args.path, args.form.rules(), args.form.how(), &mut sources, reading());
    let instances = match instances(question, &mut model, &mut sources, &mut reading()) {
        Ok(Ok(instances)) => instances,
        // The instance has no circuit, which is an answer that needs no worker.
        Ok(Err(_)) => return Ok(Found { is_whole: true, content: Vec::new() }),
        Err(_) => return Err("the model could not be read".to_owned()),
    };
    if instances.main().contradicts_axioms() {
        return Ok(Found { is_whole: true, content: Vec::new() });
    }
    let parts: Vec<&Instance> = instances.parts().collect();
    if certificates.len() > parts.len() {
        return Err("it has more certificates than there are circuits".to_owned());
    }
    let mut outcomes = Vec::new();
    for (certificate, part) in certificates.iter().zip(&parts) {
        let (file, bytes) = file_of(part).ok_or("the circuit has too many variables")?;
        let summary = circuit::check(&file, &bytes, certificate.as_bytes())
            .map_err(|rejection| format!("the certificate is rejected: {rejection}"))?;
        let outcome = answer_of(&file, certificate).ok_or("the certificate says nothing")?;
        let fits = match outcome {
            hwmc::Outcome::Safe(_) => summary.safe == [0] && summary.violated.is_empty(),
            _ => summary.safe.is_empty() && summary.violated.len() == 1,
        };
        if !fits || !outcomes.iter().all(|it| matches!(it, hwmc::Outcome::Safe(_))) {
            return Err("the certificates claim something else".to_owned());
        }
        outcomes.push(outcome);
    }
    let is_violated = matches!(outcomes.last(), Some(hwmc::Outcome::Unsafe(_)));
    if is_violated {
        // The execution is one of the model, too.
        let mut given = outcomes.clone().into_iter();
        let mut next = |_: usize, _: &Instance, _: &mut Budget| {
            (given.next().unwrap_or(hwmc::Outcome::Defect), hwmc::Stats::default())
        };
        match instances.check_by(&mut next, &mut reading()).outcome {
            Outcome::Violated(..) => {}
            _ => return Err("the execution of the circuit is none of the model".to_owned()),
        }
    }
    Ok(Found { is_whole: is_violated || outcomes.len() == parts.len(), content: outcomes })
}
