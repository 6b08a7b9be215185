//! Answers of `ramsey verify` about claims that are decided by executions, as the model wants.

use super::bmc::{Scene, internal_error_text, property_dto, violation_dto, violation_text};
use super::finding::{Claim, Finding, Numbers, Status, of_target, of_violation};
use super::json::mc::{Checked as CheckedDto, McAnswer};
use super::mc::{self, Found};
use super::outcome::McOutcome;
use super::render::{Render as _, Shown};
use super::results::{Context, Entry};
use super::trace::TraceStyle;
use super::{Palette, Tally};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::Sources;
use ramsey_core::system::System;
use ramsey_engine::query::bmc::{Depth, Outcome, Target};
use ramsey_engine::query::mc as engine;
use ramsey_kernel::obligations::Property;

/// The answers about the claims of a model that tells how they are decided.
#[derive(Debug)]
pub enum Checked<'a> {
    /// About executions of any length.
    Unbounded(Found<'a>),
    /// About executions up to a length.
    Bounded(Bounded<'a>),
}

/// The answers about executions up to a length.
#[derive(Debug)]
pub struct Bounded<'a> {
    /// The model.
    pub system: &'a System,
    /// Number of steps of the longest executions.
    pub steps: u16,
    /// The claims, each with the answer for the last length that was searched.
    pub answers: Vec<(Property, Depth)>,
}

/// Where answers are shown.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The model's path as given.
    pub path: &'a str,
    /// The isolate of it, if it is not the whole program.
    pub isolate: Option<&'a str>,
    /// Its source texts.
    pub sources: &'a Sources,
}

impl Checked<'_> {
    /// Returns the number of answers of each kind.
    pub fn tally(&self) -> Tally {
        match self {
            Checked::Unbounded(found) => {
                Tally::of_statuses(found.answers.iter().map(|it| found.outcome(it).status()))
            }
            Checked::Bounded(found) => {
                Tally::of_statuses(found.answers.iter().map(|(_, last)| outcome(last).status()))
            }
        }
    }

    /// Returns the limits that questions have reached.
    pub fn exhausted(&self) -> Vec<Exhausted> {
        match self {
            Checked::Unbounded(found) => {
                let outcomes = found.answers.iter().map(|it| &it.answer.outcome);
                outcomes
                    .filter_map(|it| match it {
                        engine::Outcome::Unknown(exhausted) => Some(*exhausted),
                        _ => None,
                    })
                    .collect()
            }
            Checked::Bounded(found) => {
                let outcomes = found.answers.iter().map(|(_, last)| &last.outcome);
                outcomes
                    .filter_map(|it| match it {
                        Outcome::Unknown(exhausted) => Some(*exhausted),
                        _ => None,
                    })
                    .collect()
            }
        }
    }

    /// Returns the lines of the claims, with the executions that violate them.
    pub fn text(&self, place: Place<'_>, shown: Shown) -> String {
        match self {
            Checked::Unbounded(found) => report(place).claims_text(found, shown),
            Checked::Bounded(found) => {
                let lines = found.answers.iter().map(|it| found.text(it, place.sources, shown));
                lines.collect()
            }
        }
    }

    /// Returns the answers one by one.
    pub fn entries(self, place: Place<'_>, shown: Shown) -> Vec<Entry> {
        match self {
            Checked::Unbounded(found) => mc::Report { found: Some(found), ..report(place) }.entries(shown),
            Checked::Bounded(found) => {
                let Place { path, isolate, sources } = place;
                let (system, negative) = (found.system, shown.negative);
                let numbers = &Numbers::new(system);
                let context = Context { path, isolate, system, numbers, sources, negative };
                found.answers.iter().map(|it| Entry::of_claim(&found.finding(it), context)).collect()
            }
        }
    }

    /// Returns the data of the document.
    pub fn content(&self, place: Place<'_>, shown: Shown) -> CheckedDto {
        match self {
            Checked::Unbounded(found) => {
                CheckedDto { steps: None, answers: report(place).answer_dtos(found, shown.stats) }
            }
            Checked::Bounded(found) => {
                CheckedDto { steps: Some(found.steps), answers: found.contents(place.sources, shown) }
            }
        }
    }
}

/// Returns what shows answers about executions of any length.
fn report(Place { path, isolate, sources }: Place<'_>) -> mc::Report<'_> {
    mc::Report { path, isolate, sources, is_full: false, found: None }
}

fn outcome(last: &Depth) -> McOutcome {
    match last.outcome {
        Outcome::Holds => McOutcome::Bounded,
        Outcome::Violated(_) => McOutcome::Violated,
        Outcome::Unknown(_) | Outcome::Undecided(_) => McOutcome::Unknown,
        Outcome::InternalError(_) => McOutcome::InternalError,
    }
}

/// Why there is no answer, if there is none.
fn reason(last: &Depth) -> Option<String> {
    match &last.outcome {
        Outcome::Holds => Some("bounded".to_owned()),
        Outcome::Unknown(exhausted) => Some(exhausted.to_string()),
        Outcome::InternalError(what) => Some(what.clone()),
        Outcome::Undecided(_) => Some("a transition may lead on".to_owned()),
        Outcome::Violated(_) => None,
    }
}

impl Bounded<'_> {
    /// Returns the executions that were searched without a violation, as words, if there are some.
    fn searched(&self, last: &Depth) -> Option<String> {
        let steps = match last.outcome {
            Outcome::Holds => last.steps,
            _ => last.steps.and_then(|steps| steps.checked_sub(1)),
        };
        steps.map(|steps| match steps {
            0 => "initial state".to_owned(),
            1 => "execution of at most 1 step".to_owned(),
            steps => format!("execution of at most {steps} steps"),
        })
    }

    fn text(&self, answered: &(Property, Depth), sources: &Sources, shown: Shown) -> String {
        let (property, last) = answered;
        let palette = shown.palette;
        let claim = Claim::of_target(self.system, Target::Model(*property), None);
        let name = claim.name.unwrap_or(&claim.label);
        let what = match &last.outcome {
            Outcome::Holds => {
                let searched = self.searched(last);
                let searched = searched.as_deref().unwrap_or("execution before the initial states");
                format!("{}: no {searched} violates it", palette.caution("unknown (bounded)"))
            }
            Outcome::Violated(_) => {
                let place = match last.steps {
                    None => "before the initial states".to_owned(),
                    Some(1) => "after 1 step".to_owned(),
                    Some(steps) => format!("after {steps} steps"),
                };
                format!("{} {place}", palette.bad("VIOLATED"))
            }
            Outcome::Unknown(_) | Outcome::Undecided(_) => {
                palette.caution(&format!("unknown ({})", reason(last).unwrap_or_default()))
            }
            Outcome::InternalError(_) => palette.bad("INTERNAL ERROR"),
        };
        let mut text = format!("  {} {name}  {what}\n", claim.subject.noun());
        match &last.outcome {
            Outcome::Violated(violation) => {
                text.push_str(&violation_text(self.scene(sources, shown), last.steps, violation));
            }
            Outcome::InternalError(what) => text.push_str(&internal_error_text(what, sources, palette)),
            _ => {}
        }
        text
    }

    fn finding<'f>(&'f self, (property, last): &'f (Property, Depth)) -> Finding<'f> {
        let target = Target::Model(*property);
        if let Outcome::Violated(violation) = &last.outcome {
            return of_violation(self.system, None, last.steps, violation);
        }
        let status = outcome(last).status();
        debug_assert_ne!(status, Status::Holds, "what is bounded shows nothing of longer executions");
        let claim = Claim::of_target(self.system, target, None);
        let searched = self.searched(last);
        of_target(claim, status, ("execution", searched.as_deref()), reason(last))
    }

    fn contents(&self, sources: &Sources, shown: Shown) -> Vec<McAnswer> {
        let numbers = Numbers::new(self.system);
        self.answers.iter().map(|it| self.content(it, &numbers, sources, shown)).collect()
    }

    fn content(
        &self,
        (property, last): &(Property, Depth),
        numbers: &Numbers,
        sources: &Sources,
        shown: Shown,
    ) -> McAnswer {
        let plain = Shown { palette: Palette::PLAIN, ..shown };
        McAnswer {
            property: property_dto((self.system, numbers), Target::Model(*property), sources, None),
            circuit: None,
            outcome: outcome(last),
            reason: reason(last),
            clauses: None,
            execution: None,
            violation: match &last.outcome {
                Outcome::Violated(violation) => {
                    violation_dto(self.scene(sources, plain), last.steps, violation)
                }
                _ => None,
            },
            suggestions: Vec::new(),
            stats: None,
        }
    }

    fn scene<'s>(&'s self, sources: &'s Sources, shown: Shown) -> Scene<'s> {
        let style = TraceStyle { sources: Some(sources), ..shown.into() };
        Scene { system: self.system, sources, formula: None, style }
    }
}
