//! Incremental listing of a file's obligations with their answers, group by group.

use std::fmt::Write as _;
use std::ops::Range;

use super::Tally;
use super::finding::{Claim, Hypothesis, ProofClaim};
use super::fragment::proof_title;
use super::verify::{TextStyle, brief_text, formula_excerpt, nothing_text, tally_text};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::Sources;
use ramsey_core::system::{Site, System};
use ramsey_engine::query::{ObligationResult, Outcome};
use ramsey_kernel::obligations::{HypothesisOrigin, Obligations, Origin, ProofPart};

/// Maximum number of obligations in a file that are listed individually; above it, sections are summarized on one
/// line.
const MAX_LISTED: usize = 24;
/// Maximum width of labels, in columns, to which answers are aligned.
const MAX_WIDTH: usize = 40;

/// Heading under which obligations are listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heading {
    Init,
    Transition(usize),
    Final,
    Theorems,
    /// A step of a proof, or its end.
    Proof(usize, Option<usize>),
    /// Queries about executions, not used by `verify`.
    Executions,
}

fn heading(system: &System, origin: Origin) -> Heading {
    match origin {
        Origin::Assertion { assertion } => match system.assertions[assertion].site {
            Site::Init => Heading::Init,
            Site::Transition(transition) => Heading::Transition(transition),
            Site::Final => Heading::Final,
        },
        Origin::Initiation { .. } => Heading::Init,
        Origin::Consecution { transition, .. } => Heading::Transition(transition),
        Origin::Theorem { .. } => Heading::Theorems,
        Origin::Proof { proof, part, .. } => Heading::Proof(proof, part.step()),
        Origin::Bounded { .. } | Origin::Trace { .. } | Origin::Query { .. } => Heading::Executions,
    }
}

/// Groups of obligations under one heading.
struct Section {
    heading: Heading,
    title: String,
    /// Range of group indices.
    groups: Range<usize>,
    /// Width of the labels, in columns.
    width: usize,
}

/// Line of an obligation, with the details below it.
struct Line {
    label: String,
    answer: String,
}

impl Line {
    fn text(&self, width: usize) -> String {
        format!("    {:<width$}  {}", self.label, self.answer)
    }
}

/// Incremental listing. The output for a group does not depend on later groups, except that a brief listing holds it
/// back while every answer is `ok`.
pub struct Listing<'a> {
    path: &'a str,
    system: &'a System,
    sources: &'a Sources,
    style: TextStyle,
    sections: Vec<Section>,
    /// Number of groups listed.
    listed: usize,
    /// Whether each obligation has its own line.
    is_short: bool,
    /// Counts of the incomplete section, if it is summarized on one line.
    counts: Tally,
    /// Lines of the incomplete section, if it is summarized on one line.
    lines: Vec<Line>,
    /// Output held back while every answer is `ok` and the listing is brief.
    held: String,
    /// Counts of all answers.
    tally: Tally,
}

impl<'a> Listing<'a> {
    /// Creates the listing of these obligations, without answers.
    pub fn new(
        path: &'a str,
        system: &'a System,
        obligations: &Obligations,
        sources: &'a Sources,
        style: TextStyle,
    ) -> Listing<'a> {
        let mut sections: Vec<Section> = Vec::new();
        let mut total = 0;
        for (index, group) in obligations.groups.iter().enumerate() {
            let Some(first) = group.goals.first() else { continue };
            total += group.goals.len();
            let here = heading(system, first.origin);
            let labels =
                group.goals.iter().map(|goal| label(&Claim::of_origin(system, goal.origin)).chars().count());
            let width = labels.max().unwrap_or(0).min(MAX_WIDTH);
            match sections.last_mut().filter(|section| section.heading == here) {
                Some(section) => {
                    section.groups.end = index + 1;
                    section.width = section.width.max(width);
                }
                None => {
                    let title = title(system, here);
                    sections.push(Section { heading: here, title, groups: index..index + 1, width });
                }
            }
        }
        Listing {
            path,
            system,
            sources,
            style,
            sections,
            listed: 0,
            is_short: style.verbose || style.cores || total <= MAX_LISTED,
            counts: Tally::default(),
            lines: Vec::new(),
            held: String::new(),
            tally: Tally::default(),
        }
    }

    /// Adds the answers of the next group and returns the new output, which may be empty.
    pub fn group(&mut self, results: &[ObligationResult]) -> String {
        let at = self.listed;
        self.listed += 1;
        let tally = Tally::of(results);
        let is_first = self.tally.total() == 0;
        self.tally.add(tally);
        let mut out = std::mem::take(&mut self.held);
        if is_first && !results.is_empty() {
            let _ = writeln!(out, "{}", self.style.palette.bold(self.path));
        }
        let section = self.sections.iter().position(|section| section.groups.contains(&at));
        if let Some(section) = section.filter(|_| !results.is_empty()) {
            out.push_str(&self.lines_of(section, at, tally, results));
        }
        if self.is_brief() {
            self.held = std::mem::take(&mut out);
        }
        out
    }

    /// Returns the remaining output after the last group.
    pub fn finish(self) -> String {
        let palette = self.style.palette;
        if self.tally.total() == 0 {
            return nothing_text(self.path, palette);
        }
        if self.is_brief() {
            return brief_text(self.path, self.tally, palette);
        }
        self.held
    }

    /// Checks whether all answers so far would be summarized on one line.
    fn is_brief(&self) -> bool {
        self.style.brief && self.tally.all_ok() && !self.style.verbose && !self.style.cores
    }

    fn lines_of(&mut self, section: usize, at: usize, tally: Tally, results: &[ObligationResult]) -> String {
        let Section { title, groups, width, .. } = &self.sections[section];
        if self.is_short {
            let mut out = if at == groups.start { format!("  {title}\n") } else { String::new() };
            results.iter().for_each(|result| out.push_str(&self.line(result).text(*width)));
            return out;
        }
        let is_listed = |result: &&ObligationResult| {
            // Obligations left unanswered by an interruption are counted only.
            let is_open = matches!(result.outcome, Outcome::Unknown(Exhausted::Cancelled));
            !is_open && !matches!(result.outcome, Outcome::Holds { .. } | Outcome::Skipped)
        };
        let listed: Vec<Line> = results.iter().filter(is_listed).map(|result| self.line(result)).collect();
        let is_last = at + 1 == groups.end;
        let widest = self.sections.iter().map(|it| it.title.chars().count()).max().unwrap_or(0);
        let heading = format!("  {title:<widest$}  ");
        self.counts.add(tally);
        self.lines.extend(listed);
        if !is_last {
            return String::new();
        }
        let lines = std::mem::take(&mut self.lines);
        let width = lines.iter().map(|line| line.label.chars().count()).max().unwrap_or(0).min(MAX_WIDTH);
        let counts = tally_text(std::mem::take(&mut self.counts), self.style.palette);
        let lines: String = lines.iter().map(|line| line.text(width)).collect();
        format!("{heading}{counts}\n{lines}")
    }

    fn line(&self, result: &ObligationResult) -> Line {
        let palette = self.style.palette;
        let claim = Claim::of_origin(self.system, result.origin);
        let mut answer = match &result.outcome {
            Outcome::Holds { .. } => palette.good("ok"),
            Outcome::Fails(_) => palette.bad("FAILED"),
            Outcome::Unknown(exhausted) => palette.caution(&format!("unknown ({exhausted})")),
            Outcome::Skipped => palette.dim("skipped"),
            Outcome::InternalError(_) => palette.bad("INTERNAL ERROR"),
        };
        if let (None, Some(formula)) = (claim.name, claim.formula) {
            let excerpt = formula_excerpt(claim.syntax(self.system), formula);
            let _ = write!(answer, "  {}", palette.dim(&excerpt));
        }
        answer.push('\n');
        if let (true, Outcome::Holds { core }) = (self.style.cores, &result.outcome) {
            self.core(&mut answer, core);
        }
        Line { label: label(&claim), answer }
    }

    fn core(&self, out: &mut String, core: &[HypothesisOrigin]) {
        let text = |&origin: &HypothesisOrigin| {
            let hypothesis = Hypothesis::of_origin(self.system, origin);
            let state = hypothesis.step.map_or(String::new(), |step| format!(" in state {step}"));
            format!("{} {}{state}", hypothesis.kind.word(), hypothesis.label(self.sources))
        };
        let texts: Vec<String> = core.iter().map(text).collect();
        let from = if texts.is_empty() { "nothing".to_owned() } else { texts.join(", ") };
        let _ = writeln!(out, "      {}", self.style.palette.dim(&format!("from {from}")));
    }
}

/// Returns the label of a line. Those of a step of a proof tell its parts apart.
fn label(claim: &Claim<'_>) -> String {
    let label = &claim.label;
    match claim.proof {
        Some(ProofClaim { part: ProofPart::Start { .. }, .. }) => format!("start {label}"),
        Some(ProofClaim { part: ProofPart::Transition { .. }, .. }) => {
            format!("{} {label}", claim.transition.unwrap_or_default())
        }
        Some(ProofClaim { part: ProofPart::Witness { .. }, .. }) => "prophecy".to_owned(),
        _ => label.clone().into_owned(),
    }
}

fn title(system: &System, heading: Heading) -> String {
    match heading {
        Heading::Init => "init".to_owned(),
        Heading::Transition(at) => format!("transition {}", system.transitions[at].name),
        Heading::Final => "final".to_owned(),
        Heading::Theorems => "theorems".to_owned(),
        Heading::Proof(proof, step) => proof_title(system, proof, step),
        Heading::Executions => "executions".to_owned(),
    }
}
