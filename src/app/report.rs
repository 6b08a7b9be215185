//! All that the page shows of a model, for a page without a session behind it.

use serde::Serialize;

use super::answer::{Failed, Question, answer, known};
use super::findings::{Executions, Findings};
use super::message::{self, SessionState};
use super::reply::Answer;
use super::session::Session;
use ramsey_engine::query::{Limits, Outcome};
use ramsey_report::Verdict;

/// Maximum number of failing obligations with counterexamples.
const MAX_FAILING: usize = 40;

/// What a page without a session shows.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    /// The state.
    state: ReportState,
    /// The questions that the page asks, with their answers.
    answers: Vec<Answered>,
}

/// The state of a session, with what a command says of its model.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct ReportState {
    #[serde(flatten)]
    session: SessionState,
    /// The executions that were looked for.
    executions: Option<Executions>,
    verdict: ReportVerdict,
}

/// The answer of a command.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct ReportVerdict {
    text: String,
    kind: Tone,
}

/// How an answer is shown.
#[derive(Serialize, Clone, Copy, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum Tone {
    Good,
    Warn,
    Bad,
}

/// A question with its answer.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Answered {
    question: Question,
    value: Option<Answer>,
    /// Why there is no answer.
    why: Option<String>,
}

impl Answered {
    fn new(question: Question, found: Result<Answer, Failed>) -> Answered {
        match found {
            Ok(value) => Answered { question, value: Some(value), why: None },
            Err(failed) => Answered { question, value: None, why: Some(failed.why()) },
        }
    }
}

/// Returns the state of a session with the answers that a command has found. Nothing is asked of the decision procedure.
pub fn report(session: &Session, findings: &Findings<'_>, limits: &Limits) -> Report {
    let state = session.state();
    let mut answers: Vec<Answered> = Vec::new();
    let ask = |question: &Question| answer(session.models(), state, question, limits, &mut |_| ());
    answers.push(Answered::new(Question::Source, ask(&Question::Source)));
    if state.model.system.is_some() {
        let known = |question: &Question| known(session.models(), state, question, findings, limits);
        answers.push(Answered::new(Question::Check, known(&Question::Check)));
        answers.push(Answered::new(Question::Proof, known(&Question::Proof)));
        answers.push(Answered::new(Question::Names, ask(&Question::Names)));
        let results = findings.verification.map_or(&[][..], |it| it.results.as_slice());
        let mut shown: Vec<(String, String)> = Vec::new();
        for result in results.iter().filter(|it| matches!(it.outcome, Outcome::Fails(_))) {
            let place =
                state.model.system.as_ref().and_then(|system| super::answer::place(system, result.origin));
            let Some((claim, action)) = place.map(|(claim, action)| (claim.to_owned(), action.to_owned()))
            else {
                continue;
            };
            if shown.len() == MAX_FAILING || shown.contains(&(claim.clone(), action.clone())) {
                continue;
            }
            let question = Question::Counterexamples { claim: claim.clone(), action: action.clone() };
            let found = known(&question);
            answers.push(Answered::new(question, found));
            shown.push((claim, action));
        }
        if let Some((Executions { depth, claims, formula }, ..)) = findings.executions.clone() {
            let question = Question::Bounded { formula, claims, from: 0, depth };
            let found = known(&question);
            answers.push(Answered::new(question, found));
        }
    }
    let kind = match findings.verdict {
        Verdict::Ok if findings.is_part => Tone::Warn,
        Verdict::Ok => Tone::Good,
        Verdict::Unknown => Tone::Warn,
        Verdict::Counterexample | Verdict::BadInput | Verdict::InternalError => Tone::Bad,
    };
    let state = ReportState {
        session: message::state(session),
        executions: findings.executions.as_ref().map(|(asked, ..)| asked.clone()),
        verdict: ReportVerdict { text: findings.told.clone(), kind },
    };
    Report { schema: "ramsey/report/1", state, answers }
}
