//! `ramsey task export`: the tasks of the first round.

use std::env;
use std::io;

use super::model::model_of;
use super::parts::{MAX_TASKS, parts};
use super::round::{Round, Written};
use crate::args::{ExportArgs, How, PlainFormat, Purpose};
use crate::instance::sizes;
use crate::limits::reading;
use crate::output::{print_diagnostics, print_part, stderr_palette};
use crate::shared::Model;
use crate::sources::display;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::system::System;
use ramsey_engine::infer::Method;
use ramsey_lang::Language;
use ramsey_report::Verdict;
use ramsey_report::json::infer::MethodName;
use ramsey_report::json::task::{BmcPlan, InferPlan, InstancePlan, Plan};

/// Writes the tasks of the first round.
pub(super) fn run(args: &ExportArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let how = How::plain(PlainFormat::Text, args.color);
    let mut model = Model::read(&args.path, (&args.language, args.strictness), how, &mut sources, reading());
    let written = match export(args, &mut model, &mut sources) {
        Ok(round) => match model_of(model.input(), !args.strictness.no_strict, &sources) {
            Some(data) => round.write(&args.folder, &data, &[])?.map_err(|error| vec![error]),
            None => Err(Vec::new()),
        },
        Err(errors) => Err(errors),
    };
    print_diagnostics(&model.diagnostics, &sources, stderr_palette(args.color));
    match written {
        Ok(Written { tasks, bytes }) => {
            let plural = if tasks == 1 { "" } else { "s" };
            print_part(&format!("{tasks} task{plural} in {}, {bytes} bytes\n", display(&args.folder)))?;
            Ok(Verdict::Ok)
        }
        Err(errors) => {
            print_diagnostics(&errors, &sources, stderr_palette(args.color));
            Ok(Verdict::BadInput)
        }
    }
}

/// Returns the round. Errors of the model are among its diagnostics.
fn export(args: &ExportArgs, model: &mut Model, sources: &mut Sources) -> Result<Round, Vec<Diagnostic>> {
    let mut errors = misused(args);
    if model.diagnostics.iter().any(|it| it.severity == Severity::Error) {
        return Err(errors);
    }
    let Some(system) = model.system.clone() else { return Err(errors) };
    if args.purpose == Purpose::Infer && model.language() == Language::Core {
        let what = "lemmas are written as claims of a model, and a closed form has no place for them";
        errors.push(Diagnostic::error_nowhere(Code::Usage, what));
    }
    let plan = plan(args, &system, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let parts = parts(&plan, model, sources).map_err(|error| vec![error])?;
    let parts = parts.into_iter().map(|question| (question, args.work)).collect();
    let command = env::args_os().map(|it| it.to_string_lossy().into_owned()).collect();
    Ok(Round { number: 1, command, plan, parts })
}

/// Returns the errors about options that are for something else.
fn misused(args: &ExportArgs) -> Vec<Diagnostic> {
    let (infer, bmc, instance) = (Purpose::Infer, Purpose::Bmc, Purpose::Instance);
    let options: [(&str, bool, &[Purpose]); 8] = [
        ("SORT=N..M", !args.sizes.is_empty(), &[instance]),
        ("--method", !args.methods.is_empty(), &[infer]),
        ("--prefix", !args.prefixes.is_empty(), &[infer]),
        ("--use-invariants", args.use_invariants, &[infer]),
        ("--split", args.split > 0, &[bmc]),
        ("--lengths", args.lengths > 1, &[bmc]),
        ("--property", !args.properties.is_empty(), &[bmc, instance]),
        ("--per-claim", args.per_claim, &[bmc, instance]),
    ];
    let misused = options.iter().filter(|(_, is_set, of)| *is_set && !of.contains(&args.purpose));
    let error = |(option, ..): &(&str, bool, &[Purpose])| {
        let what = format!("{option}: tasks of this kind have no use for it");
        Diagnostic::error_nowhere(Code::Usage, what)
            .help("`ramsey task help export` lists the options by kind")
    };
    misused.map(error).collect()
}

fn plan(args: &ExportArgs, system: &System, errors: &mut Vec<Diagnostic>) -> Plan {
    let (properties, per_claim) = (args.properties.clone(), args.per_claim);
    match args.purpose {
        Purpose::Infer => {
            let default = [Method::SEPARATION, Method::UPDR, Method::FINITE, Method::EXISTS];
            let methods = if args.methods.is_empty() { &default[..] } else { &args.methods };
            if !args.prefixes.is_empty() && !methods.iter().any(|method| method.takes_prefixes()) {
                let error = Diagnostic::error_nowhere(Code::Usage, "--prefix: no method has a use for it");
                errors.push(error.help("`--method exists` finds lemmas with existential quantifiers"));
            }
            for text in &args.prefixes {
                errors.extend(crate::infer::prefix(system, text).err());
            }
            Plan::Infer(InferPlan {
                methods: methods.iter().copied().map(MethodName).collect(),
                prefixes: args.prefixes.clone(),
                first_seed: args.seed,
                seeds: args.seeds,
                use_invariants: args.use_invariants,
                lemmas: Vec::new(),
            })
        }
        Purpose::Bmc => Plan::Bmc(BmcPlan {
            properties,
            per_claim,
            depth: args.depth,
            lengths: args.lengths,
            split: args.split,
            seed: args.seed,
        }),
        Purpose::Instance => {
            let sizes = all_sizes(&args.sizes).unwrap_or_else(|error| {
                errors.push(error);
                Vec::new()
            });
            if let Some(first) = sizes.first() {
                errors.extend(self::sizes(system, first).err().into_iter().flatten());
            }
            Plan::Instance(InstancePlan { properties, per_claim, sizes, seed: args.seed })
        }
    }
}

/// Returns the sizes of each instance: all combinations of the ranges, the last one changing first.
fn all_sizes(texts: &[String]) -> Result<Vec<Vec<String>>, Diagnostic> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for text in texts {
        let choices: Vec<String> = match text.split_once('=') {
            Some((sort, range)) if range.contains("..") => {
                let (from, to) = range.split_once("..").unwrap_or_default();
                match (from.trim().parse::<u32>(), to.trim().parse::<u32>()) {
                    (Ok(from), Ok(to)) if from <= to && to <= 1_000 => {
                        (from..=to).map(|size| format!("{sort}={size}")).collect()
                    }
                    _ => {
                        let what = format!("{text}: `{range}` is no range of sizes");
                        let error = Diagnostic::error_nowhere(Code::Usage, what);
                        return Err(error.help("write a number, or the smallest and the largest one: `2..4`"));
                    }
                }
            }
            // What is wrong with another text is told by whoever reads the sizes.
            _ => vec![text.clone()],
        };
        if all.len().saturating_mul(choices.len()) > MAX_TASKS {
            let what = format!("these are more than {MAX_TASKS} instances");
            return Err(Diagnostic::error_nowhere(Code::Usage, what));
        }
        let longer = |sizes: &Vec<String>| {
            let with = |choice: &String| sizes.iter().chain([choice]).cloned().collect::<Vec<String>>();
            choices.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Ok(all)
}
