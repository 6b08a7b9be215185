//! Answers as lines of an entry.

use std::fmt::Write as _;
use std::sync::Arc;

use super::admission::{Admission, ends_with_universal, has_executions};
use super::nodes::{Nodes, formula};
use crate::cache::structures::{Table, numbers};
use crate::infer::canonical::Canonical;
use crate::infer::outcome::{Answer, Counts, Inference, Lemma, Method, Options, RelaxedExecution};
use crate::infer::plan::shortest;
use crate::query::bmc::Target;
use crate::query::{Call, Counterexample, confirm};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Elem, Signature, SortId, Structure, TermId};
use ramsey_core::system::System;
use ramsey_kernel::obligations::{Property, Relaxed};
use ramsey_solver::ask::{Failure, Falsification, Statistics, evaluation_budget};
use ramsey_solver::formulas::{Fact, Partial};

/// Maximum number of lemmas.
const MAX_LEMMAS: usize = 2_000;
/// Maximum number of facts that a lemma excludes.
const MAX_FACTS: usize = 1_000;
/// Maximum number of nodes of all lemmas together, as trees: so much is written into the model and read again.
const MAX_NODES: u32 = 100_000;
/// Maximum number of lines of all lemmas.
const MAX_LINES: usize = 20_000;
/// Maximum number of steps of an execution.
const MAX_STEPS: usize = 1_000;

/// The lines of an entry, with their numbers.
type Lines<'l> = std::iter::Peekable<std::vec::IntoIter<(usize, &'l str)>>;

/// Returns the kind and the lines of an entry for what was found of the canonical form; `None` for what is not kept.
pub(super) fn written(canonical: &Canonical, found: &Inference) -> Option<(&'static str, String)> {
    let found_by = found.method;
    let mut text = format!("method {}\n", found_by.name());
    let kind = match &found.answer {
        Answer::Invariant(lemmas) => {
            for lemma in lemmas {
                write_lemma(canonical, &found.system, lemma, &mut text)?;
            }
            "lemmas"
        }
        Answer::Unsafe(property, found) if has_executions(canonical.options.method) => {
            let system = &canonical.system;
            write_execution(system, *property, found, &mut text)?;
            "execution"
        }
        Answer::NoUniversal(found) if ends_with_universal(&canonical.options, found_by) => {
            write_execution(&found.relaxed.system, found.property, &found.counterexample, &mut text)?;
            "relaxed"
        }
        Answer::Unsafe(..) | Answer::NoUniversal(_) | Answer::Unknown { .. } | Answer::InternalError(_) => {
            return None;
        }
    };
    Some((kind, text))
}

fn write_line(text: &mut String, head: &str, numbers: impl IntoIterator<Item = u32>) {
    text.push_str(head);
    numbers.into_iter().for_each(|number| {
        let _ = write!(text, " {number}");
    });
    text.push('\n');
}

/// Writes a lemma: the number of the candidate whose name it has, from 1, and what it says.
fn write_lemma(canonical: &Canonical, system: &System, lemma: &Lemma, text: &mut String) -> Option<()> {
    let candidates = &canonical.options.candidates;
    let name = match &lemma.name {
        Some(_) => candidates.iter().position(|it| it.name == lemma.name)? as u32 + 1,
        None => 0,
    };
    write_line(text, "lemma", [name]);
    if let Some(at) = candidates.iter().position(|it| it.formula == lemma.formula) {
        write_line(text, "candidate", [at as u32]);
        return Some(());
    }
    if let Some(at) = claims(&canonical.system).iter().position(|&it| it == lemma.formula) {
        write_line(text, "property", [at as u32]);
        return Some(());
    }
    if let Some(partial) = &lemma.excluded {
        write_line(text, "excludes", [partial.facts.len() as u32]);
        for fact in &partial.facts {
            match fact {
                Fact::Relation { sym, args, positive } => {
                    let head = [sym.index() as u32, u32::from(*positive)];
                    write_line(text, "relation", head.into_iter().chain(args.iter().copied()));
                }
                Fact::Value { sym, args, value, positive } => {
                    let head = [sym.index() as u32, u32::from(*positive)];
                    let all = head.into_iter().chain(args.iter().copied()).chain([*value]);
                    write_line(text, "value", all);
                }
                Fact::Distinct { sort, pair: [a, b] } => {
                    write_line(text, "distinct", [sort.index() as u32, *a, *b]);
                }
            }
        }
        return Some(());
    }
    let mut nodes = Nodes::new(&system.terms);
    nodes.term(lemma.formula);
    write_line(text, "formula", [nodes.count]);
    text.push_str(&nodes.text);
    Some(())
}

/// Returns the formulas of the properties. An assertion may have to be claimed as a lemma.
fn claims(system: &System) -> Vec<TermId> {
    Property::safety(system).into_iter().map(|property| property.formula(system)).collect()
}

fn write_execution(
    system: &System,
    property: Property,
    it: &Counterexample,
    text: &mut String,
) -> Option<()> {
    let at = Property::safety(system).iter().position(|it| *it == property)?;
    write_line(text, "property", [at as u32]);
    for call in &it.calls {
        write_line(text, "call", [call.transition as u32].into_iter().chain(call.args.iter().copied()));
    }
    let structure = it.structure.reduct(&system.sig);
    Table::of_signature(&system.sig).write(&structure, text)
}

/// Reads an answer about the canonical form, as one about the system as it was given. Executions are evaluated.
pub(super) fn read(canonical: &Canonical, kind: &str, lines: &str) -> Result<Inference, String> {
    let lines: Vec<(usize, &str)> = (4..).zip(lines.split_terminator('\n')).collect();
    let mut lines = lines.into_iter().peekable();
    let method = lines.next().and_then(|(_, line)| line.strip_prefix("method "));
    let method = method.and_then(|name| Method::all().find(|method| method.name() == name));
    let method = method.ok_or("it names no method")?;
    let Options { method: asked, seed, .. } = canonical.options;
    if !asked.answers_by(method) {
        return Err(format!("`{}` is no method of this search", method.name()));
    }
    let (system, answer) = match kind {
        "lemmas" => {
            let mut system = (*canonical.system).clone();
            let lemmas = read_lemmas(canonical, &mut system, &mut lines)?;
            let admission = Admission::new(canonical, method);
            if let Some(at) = lemmas.iter().position(|lemma| !admission.admits(&system, lemma)) {
                return Err(format!("lemma {} is none that this search can find", at + 1));
            }
            (Arc::new(system), Answer::Invariant(lemmas))
        }
        "execution" if !has_executions(asked) => {
            return Err("an execution is no answer of this search".to_owned());
        }
        "execution" => {
            let (property, found) = read_execution(&canonical.system, &mut lines)?;
            (Arc::clone(&canonical.system), Answer::Unsafe(property, Box::new(found)))
        }
        "relaxed" if !ends_with_universal(&canonical.options, method) => {
            return Err("a relaxed execution is no answer where other invariants are looked for".to_owned());
        }
        "relaxed" => {
            let relaxed = Box::new(Relaxed::new(&canonical.system));
            let (property, counterexample) = read_execution(&relaxed.system, &mut lines)?;
            // It is not told where an execution of the model is as short.
            let steps = counterexample.calls.len() as u16;
            if shortest(&canonical.system, &Property::safety(&canonical.system), steps, seed).is_some() {
                return Err("a search finds an execution in which no element disappears".to_owned());
            }
            let execution = RelaxedExecution { relaxed, property, counterexample };
            (Arc::clone(&canonical.system), Answer::NoUniversal(Box::new(execution)))
        }
        _ => return Err("it has neither lemmas nor an execution".to_owned()),
    };
    let (counts, statistics) = (Counts::default(), Statistics::default());
    let (no_universal, languages) = (None, Vec::new());
    let found = Inference { answer, no_universal, languages, system, method, counts, statistics };
    let found = canonical.inference(found);
    // The translation has evaluated it by itself; this is the judgement of all executions that come from elsewhere.
    match &found.answer {
        Answer::Invariant(_) => {}
        Answer::Unsafe(property, it) => evaluate(&found.system, *property, it)?,
        Answer::NoUniversal(it) => evaluate(&it.relaxed.system, it.property, &it.counterexample)?,
        Answer::InternalError(what) => return Err(what.clone()),
        Answer::Unknown { .. } => return Err("it has no answer".to_owned()),
    }
    Ok(found)
}

fn evaluate(system: &System, property: Property, it: &Counterexample) -> Result<(), String> {
    let mut budget = evaluation_budget(&Budget::unlimited());
    let (structure, calls) = (it.structure.clone(), it.calls.clone());
    match confirm(system, structure, calls, &[Target::Model(property)], &mut budget) {
        Ok(_) => Ok(()),
        Err(Failure::Exhausted(exhausted)) => Err(format!("it takes too long to evaluate ({exhausted})")),
        Err(Failure::Internal(what) | Failure::Misuse(what)) => Err(what),
    }
}

fn read_lemmas(
    canonical: &Canonical,
    system: &mut System,
    lines: &mut Lines<'_>,
) -> Result<Vec<Lemma>, String> {
    if lines.len() > MAX_LINES {
        return Err(format!("it has more than {MAX_LINES} lines"));
    }
    let candidates = &canonical.options.candidates;
    let (mut lemmas, mut nodes) = (Vec::new(), 0_u32);
    while let Some((at, line)) = lines.next() {
        let wrong = |what: String| format!("line {at}: {what}");
        let name = match numbers(line).map_err(wrong)? {
            ("lemma", number) if number == [0] => None,
            ("lemma", number) if number.len() == 1 => {
                let candidate = candidates.get(number[0] as usize - 1);
                candidate.ok_or_else(|| wrong("no such candidate".into()))?.name.clone()
            }
            _ => return Err(wrong("no lemma".into())),
        };
        if lemmas.len() == MAX_LEMMAS {
            return Err(format!("it has more than {MAX_LEMMAS} lemmas"));
        }
        let (at, line) = lines.next().ok_or("it ends in a lemma")?;
        let wrong = |what: String| format!("line {at}: {what}");
        let (word, count) = numbers(line).map_err(wrong)?;
        let &[count] = count.as_slice() else { return Err(wrong("a number is expected".into())) };
        let count = count as usize;
        let (formula, excluded) = match word {
            "candidate" => {
                let candidate = candidates.get(count).filter(|it| name.is_none() || it.name == name);
                let candidate = candidate.ok_or_else(|| wrong("no such candidate".into()))?;
                (candidate.formula, None)
            }
            "property" => {
                let property = Property::safety(&canonical.system).get(count).copied();
                let assertion = property.filter(|it| matches!(it, Property::Assertion(_)));
                let assertion = assertion.ok_or_else(|| wrong("no such assertion".into()))?;
                (assertion.formula(&canonical.system), None)
            }
            "excludes" if count > MAX_FACTS => return Err(wrong("too many facts".into())),
            "excludes" => read_excluded(system, lines, count)?,
            "formula" => {
                let System { sig, terms, .. } = &mut *system;
                (formula(sig, terms, lines.by_ref().take(count))?, None)
            }
            _ => return Err(wrong("an unknown kind of lemma".into())),
        };
        nodes = nodes.saturating_add(system.terms.tree_size(formula));
        if nodes > MAX_NODES {
            return Err("its lemmas are too large".to_owned());
        }
        lemmas.push(Lemma { name, formula, excluded });
    }
    Ok(lemmas)
}

/// Reads the facts that a lemma excludes.
fn read_excluded(
    system: &mut System,
    lines: &mut Lines<'_>,
    count: usize,
) -> Result<(TermId, Option<Partial>), String> {
    let mut facts = Vec::new();
    for (at, line) in lines.by_ref().take(count) {
        let read = numbers(line).and_then(|(word, numbers)| read_fact(&system.sig, word, &numbers));
        facts.push(read.map_err(|what| format!("line {at}: {what}"))?);
    }
    let partial = Partial { facts };
    let formula = partial.conjecture(system.syntax_mut());
    Ok((formula, Some(partial)))
}

fn read_fact(sig: &Signature, word: &str, numbers: &[u32]) -> Result<Fact, String> {
    let wrong = || "no fact of the model".to_owned();
    match (word, numbers) {
        ("distinct", &[sort, a, b]) if a < b => {
            let sort = sig.sorts.ids().nth(sort as usize).filter(|&sort| sort != SortId::BOOL);
            Ok(Fact::Distinct { sort: sort.ok_or_else(wrong)?, pair: [a, b] })
        }
        ("relation" | "value", [sym, positive @ (0 | 1), elems @ ..]) => {
            let sym = sig.symbols.ids().nth(*sym as usize).ok_or_else(wrong)?;
            let symbol = &sig.symbols[sym];
            let is_relation = word == "relation";
            let count = symbol.args.len() + usize::from(!is_relation);
            if symbol.is_relation() != is_relation || elems.len() != count {
                return Err(wrong());
            }
            let positive = *positive == 1;
            Ok(match elems.split_last() {
                Some((&value, args)) if !is_relation => {
                    Fact::Value { sym, args: args.to_vec(), value, positive }
                }
                _ => Fact::Relation { sym, args: elems.to_vec(), positive },
            })
        }
        _ => Err(wrong()),
    }
}

/// Reads an execution of a system whose values are values of its symbols and parameters. Nothing else is known of it.
fn read_execution(system: &System, lines: &mut Lines<'_>) -> Result<(Property, Counterexample), String> {
    let (_, line) = lines.next().ok_or("it has no property")?;
    let property = match numbers(line)? {
        ("property", number) if number.len() == 1 => {
            Property::safety(system).get(number[0] as usize).copied()
        }
        _ => None,
    };
    let property = property.ok_or("it has no property of the model")?;
    let mut calls: Vec<Call> = Vec::new();
    while let Some((at, line)) = lines.next_if(|(_, line)| line.starts_with("call ")) {
        let (_, numbers) = numbers(line).map_err(|what| format!("line {at}: {what}"))?;
        let (&transition, args) = numbers.split_first().ok_or("a call of nothing")?;
        calls.push(Call { transition: transition as usize, args: args.to_vec() });
        if calls.len() > MAX_STEPS {
            return Err(format!("it has more than {MAX_STEPS} steps"));
        }
    }
    let structure = Table::of_signature(&system.sig).read(calls.len() as u16 + 1, lines)?;
    if !calls.iter().all(|call| fits(system, &structure, call)) {
        return Err("a call has no values for the parameters of a transition".to_owned());
    }
    // What is false, and for which values, is found by evaluation.
    let formula = property.formula(system);
    let falsification =
        Falsification { formula, is_negated: false, bindings: Vec::new(), opened: Vec::new() };
    Ok((property, Counterexample { structure, calls, falsification }))
}

fn fits(system: &System, structure: &Structure, call: &Call) -> bool {
    let Some(transition) = system.transitions.get(call.transition) else { return false };
    let is_value = |(&param, &value): (_, &Elem)| value < structure.sizes[system.terms.var_info(param).sort];
    transition.params.len() == call.args.len() && transition.params.iter().zip(&call.args).all(is_value)
}
