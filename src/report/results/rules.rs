//! What rules are about, for readers who meet one for the first time.

use crate::finding::{Question, Rule};
use ramsey_core::diag::CODES;

/// A rule in words.
#[derive(Clone, Copy, Debug)]
pub(super) struct About {
    /// What it is, in a few words.
    pub(super) title: &'static str,
    /// What a result says.
    pub(super) text: &'static str,
    /// What to do about it.
    pub(super) advice: &'static str,
    /// The page with more.
    pub(super) page: &'static str,
}

/// Returns what is said of a rule.
pub(super) fn about(rule: Rule) -> About {
    let of = |title, text, advice, page| About { title, text, advice, page };
    match rule {
        Rule::Code(code) => {
            let title = CODES.iter().find(|(known, ..)| *known == code).map_or("", |&(.., summary)| summary);
            of(title, title, "Change the model as the message says.", "spec/diagnostics.md")
        }
        Rule::Consistency => of(
            "Internal error",
            "Two parts of the tool contradict each other, so there is no answer.",
            "This is a bug in ramsey. Please report it with the model.",
            "README.md",
        ),
        Rule::Certificate => of(
            "The certificate proves what it claims",
            "The checker goes through the certificate step by step, with the text of the model.",
            "Make the certificate again with `--certify`, and check it with the model that it was made of.",
            "spec/certificate.md",
        ),
        Rule::Question(question) => match question {
            Question::Initiation => of(
                "The claim holds in every initial state",
                "An initial state was found, or looked for, in which the claim is false.",
                "Strengthen the conditions on initial states, or weaken the claim.",
                "spec/cli.md",
            ),
            Question::Consecution => of(
                "The transition preserves the claim",
                "A state was found, or looked for, in which all claims are true, and a transition from it after which the claim is false. \
                 The state need not be reachable.",
                "If the state cannot be reached, a further invariant has to exclude it: `ramsey infer` looks for it, `ramsey generalize` \
                 makes one of the counterexample. If it can be reached (`ramsey bmc`), the model or the claim is wrong.",
                "spec/cli.md",
            ),
            Question::Assertion => of(
                "The assertion holds",
                "An execution of this part of the program was found, or looked for, that violates the assertion.",
                "Strengthen what is assumed or the invariants, or correct the program.",
                "spec/cli.md",
            ),
            Question::Theorem => of(
                "The theorem is valid",
                "A structure was found, or looked for, that satisfies the axioms and in which the theorem is false.",
                "Add the axiom that excludes the structure, or weaken the theorem.",
                "spec/cli.md",
            ),
            Question::Proof => of(
                "The step of the proof is right",
                "A structure was found, or looked for, that refutes a part of an `fbii` proof.",
                "Strengthen the invariants of the step.",
                "spec/pyv.md",
            ),
            Question::Bounded => of(
                "No execution violates the claim",
                "An execution from an initial state was found, or looked for, that violates the claim.",
                "The execution is one of the model: correct the model or the claim.",
                "spec/cli.md",
            ),
            Question::Trace => of(
                "The trace block is as declared",
                "An execution of the declared shape was found, or looked for.",
                "Correct the model, or what the trace block expects.",
                "spec/pyv.md",
            ),
            Question::Query => of(
                "The hypotheses imply the goal",
                "A structure was found, or looked for, that satisfies the hypotheses and in which the goal is false.",
                "Add the hypothesis that excludes the structure.",
                "spec/cli.md",
            ),
        },
    }
}
