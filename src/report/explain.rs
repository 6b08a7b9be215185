//! Answers of `ramsey explain`: verdict, text and data of the document, and the graph of which claim needs which.

use std::fmt::Write as _;

use super::finding::{self, Claim, Hypothesis, Status};
use super::json::explain::{ClaimDto, ExcludedDto, ExplainContent, ObligationDto};
use super::json::{JsonStyle, claim_dto, dto, obligations};
use super::picture::{Edge, Line, Mark, Node, Panel, Scene, Shape};
use super::render::{Render, Shown};
use super::trace::{TraceStyle, refutation_text};
use super::verify::formula_excerpt;
use super::{Palette, Verdict};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::base::span::Sources;
use ramsey_core::logic::{SortId, SymId};
use ramsey_core::system::{Site, System};
use ramsey_engine::query::Needs;
use ramsey_engine::query::explain::{Answer, Entry, Excluded, Explanation, Proof, Standing};
use ramsey_kernel::obligations::{HypothesisOrigin, Origin, Property};
use ramsey_solver::formulas::Pretty;

/// Maximum number of places that are named before the rest is counted.
const MAX_PLACES: usize = 8;

/// Maximum number of claims in a row of the graph.
const MAX_ROW: usize = 6;

/// The answer of `ramsey explain`.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Path of the model as given.
    pub path: &'a str,
    /// Labels of the claims that the text is about, or none for all.
    pub only: &'a [String],
    /// The explanation; `None` if nothing was asked.
    pub found: Option<Found<'a>>,
}

impl Render for Report<'_> {
    type Content = ExplainContent;

    fn verdict(&self) -> Option<Verdict> {
        Some(self.found.map_or(Verdict::Ok, |found| found.verdict()))
    }

    fn exhausted(&self) -> Vec<Exhausted> {
        let Some(Found { explanation, .. }) = self.found else { return Vec::new() };
        let proofs = explanation.proofs.iter().filter_map(|proof| match proof.answer {
            Answer::Unknown(exhausted) => Some(exhausted),
            Answer::Proved(_) | Answer::Refuted => None,
        });
        let claims = explanation.claims.iter().filter_map(|entry| match entry.standing {
            Standing::Unknown(exhausted) => Some(exhausted),
            _ => None,
        });
        proofs.chain(claims).collect()
    }

    /// Returns the summary, which is about all claims, and what is told of those that are shown.
    fn text(&self, Shown { palette, negative, .. }: Shown) -> String {
        let Some(found) = self.found else { return String::new() };
        let mut out = found.summary(palette);
        for entry in &found.explanation.claims {
            let label = entry.property.label(found.system);
            if self.only.is_empty() || self.only.iter().any(|it| it == label) {
                out.push('\n');
                found.entry(entry, &mut out, palette, negative);
            }
        }
        out
    }

    fn content(&self, shown: Shown) -> ExplainContent {
        content(self.path, self.found.as_ref(), shown.negative)
    }
}

/// An explanation with what its text needs.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Path of the model as given.
    pub path: &'a str,
    /// The system.
    pub system: &'a System,
    /// Source texts.
    pub sources: &'a Sources,
    /// The explanation.
    pub explanation: &'a Explanation,
}

impl<'a> Found<'a> {
    fn verdict(&self) -> Verdict {
        let of_claim = |entry: &Entry| match (&entry.standing, &entry.excluded) {
            (_, Some(excluded)) if excluded.has_internal_error() => Verdict::InternalError,
            (Standing::Unknown(_), _) => Verdict::Unknown,
            _ => Verdict::Ok,
        };
        let proofs = self.explanation.proofs.iter().map(|proof| Status::from(&proof.answer).into());
        proofs.chain(self.explanation.claims.iter().map(of_claim)).max().unwrap_or_default()
    }

    fn summary(&self, palette: Palette) -> String {
        let mut out = format!("{}: ", palette.bold(self.path));
        let answers = || self.explanation.proofs.iter().map(|proof| &proof.answer);
        let refuted = answers().filter(|it| matches!(it, Answer::Refuted)).count();
        let unknown = answers().filter(|it| matches!(it, Answer::Unknown(_))).count();
        let total = answers().count();
        match (refuted, unknown) {
            (0, 0) => out.push_str(&palette.good("inductive")),
            (0, _) => out.push_str(&palette.caution(&format!("{unknown} of {total} obligations unknown"))),
            _ => {
                let _ = write!(
                    out,
                    "{}, {refuted} of {total} obligations without a proof",
                    palette.bad("not inductive")
                );
            }
        }
        let labels = |wanted: &dyn Fn(&Standing) -> bool| -> Vec<&'a str> {
            let claims = self.explanation.claims.iter().filter(|entry| wanted(&entry.standing));
            claims.map(|entry| entry.property.label(self.system)).collect()
        };
        let goals = labels(&|it| *it == Standing::Goal).len();
        let unneeded = labels(&|it| *it == Standing::Unneeded);
        let replaceable = labels(&|it| matches!(it, Standing::Replaceable { .. }));
        let others = self.explanation.claims.len() - goals;
        let noun = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let _ = write!(out, "; {}, {}", noun(goals, "goal"), noun(others, "other claim"));
        let is_needed = |it: &Standing| matches!(it, Standing::Needed | Standing::Replaceable { .. });
        match labels(&is_needed).len() {
            needed if needed + unneeded.len() < others => out.push('\n'),
            needed if needed == others => out.push_str(if others > 0 { ", needed\n" } else { "\n" }),
            needed => {
                let _ = writeln!(out, ", {needed} needed");
            }
        }
        if !unneeded.is_empty() {
            let _ = writeln!(out, "  not needed, all of them: {}", unneeded.join(", "));
        }
        if !replaceable.is_empty() {
            let _ = writeln!(out, "  not needed, each alone: {}", replaceable.join(", "));
        }
        if refuted > 0 {
            let _ = writeln!(out, "  `ramsey cti` shows why an obligation has no proof");
        }
        out
    }

    fn entry(&self, entry: &Entry, out: &mut String, palette: Palette, negative: bool) {
        let Found { system, .. } = *self;
        let claim = Claim::of_property(system, entry.property);
        let formula = formula_excerpt(system.syntax(), entry.property.formula(system));
        let label = palette.bold(&claim.label);
        let _ = writeln!(out, "{} {label}: {}", claim.subject.word(), palette.dim(&formula));
        for (places, what) in self.needs(entry.property, palette) {
            let _ = writeln!(out, "  {places}: {what}");
        }
        if let Property::Invariant(invariant) = entry.property {
            self.users(invariant, out);
        }
        match &entry.standing {
            Standing::Goal | Standing::Needed | Standing::Open => {}
            Standing::Unknown(exhausted) => {
                let reason = palette.caution(&format!("unknown ({exhausted})"));
                let _ = writeln!(out, "  {reason}: whether the goals have a proof without it");
            }
            Standing::Replaceable { by } => {
                let others: Vec<&str> = by.iter().map(|&it| self.label(it)).collect();
                let _ = writeln!(
                    out,
                    "  {}: the goals have a proof from {}",
                    palette.caution("not needed"),
                    others.join(", ")
                );
            }
            Standing::Unneeded => {
                let _ = writeln!(out, "  {}: the goals are proved without it", palette.caution("not needed"));
            }
        }
        if let Some(excluded) = &entry.excluded {
            self.excluded(excluded, out, palette, negative);
        }
    }

    /// Returns the places where a claim is to be proved, those with the same answer together.
    fn needs(&self, property: Property, palette: Palette) -> Vec<(String, String)> {
        let mut lines: Vec<(Vec<&'a str>, String)> = Vec::new();
        let mut unchanged: Vec<&'a str> = Vec::new();
        for proof in self.explanation.proofs.iter().filter(|it| it.property == property) {
            let place = self.place(proof);
            let text = match &proof.answer {
                Answer::Proved(_) if proof.is_unchanged => {
                    unchanged.push(place);
                    continue;
                }
                Answer::Proved(needs) => self.needs_text(needs, property),
                Answer::Refuted => palette.bad("no proof"),
                Answer::Unknown(exhausted) => palette.caution(&format!("unknown ({exhausted})")),
            };
            match lines.iter_mut().find(|(_, known)| *known == text) {
                Some((places, _)) => places.push(place),
                None => lines.push((vec![place], text)),
            }
        }
        if !unchanged.is_empty() {
            lines.push((unchanged, palette.dim("unchanged")));
        }
        lines.into_iter().map(|(places, text)| (listed(&places), text)).collect()
    }

    fn needs_text(&self, needs: &Needs, property: Property) -> String {
        let mut parts: Vec<String> = Vec::new();
        for &invariant in &needs.invariants {
            let is_itself = property == Property::Invariant(invariant);
            parts.push(if is_itself { "itself".to_owned() } else { self.label(invariant).to_owned() });
        }
        for &axiom in &needs.axioms {
            let hypothesis = Hypothesis::of_origin(self.system, HypothesisOrigin::Axiom(axiom));
            parts.push(format!("axiom {}", hypothesis.label(self.sources)));
        }
        if parts.is_empty() {
            parts.push("nothing else".to_owned());
        }
        let rest = if needs.is_minimal { "" } else { " (perhaps fewer)" };
        format!("{}{rest}", parts.join(", "))
    }

    /// Writes the claims that need an invariant, with the places.
    fn users(&self, invariant: usize, out: &mut String) {
        let mut users: Vec<(Property, Vec<&'a str>)> = Vec::new();
        for proof in self.explanation.needed_by(invariant) {
            let place = self.place(proof);
            match users.iter_mut().find(|(property, _)| *property == proof.property) {
                Some((_, places)) => places.push(place),
                None => users.push((proof.property, vec![place])),
            }
        }
        let text = |(property, places): &(Property, Vec<&str>)| {
            format!("{} ({})", property.label(self.system), listed(places))
        };
        let users: Vec<String> = users.iter().map(text).collect();
        if !users.is_empty() {
            let _ = writeln!(out, "  needed by {}", users.join(", "));
        }
    }

    fn excluded(&self, excluded: &Excluded, out: &mut String, palette: Palette, negative: bool) {
        let Excluded { origin, system, answer } = excluded;
        let claim = Claim::of_origin(self.system, *origin).label;
        let what = format!("`{}` breaks `{claim}`", place(self.system, *origin));
        let style = TraceStyle { palette, negative, sources: Some(self.sources) };
        for result in &answer.verification.results {
            let finding = finding::of_result(system, &answer.verification.obligations, self.sources, result);
            match finding.refutation() {
                Some(refutation) => {
                    let _ = writeln!(out, "  without it {what}, from state 0 here:");
                    for line in refutation_text(refutation, style).lines() {
                        let _ = writeln!(out, "  {line}");
                    }
                }
                None => {
                    let _ = writeln!(out, "  without it {what}: {}", result.outcome);
                }
            }
        }
        if excluded.has_internal_error() && answer.verification.results.is_empty() {
            let what = palette.bad("INTERNAL ERROR");
            let _ = writeln!(out, "  {what}: two searches disagree about a proof without it");
        }
        for (_, exhausted) in &answer.unknown {
            let _ = writeln!(out, "  without it {what}; no state was found ({exhausted})");
        }
    }

    fn label(&self, invariant: usize) -> &'a str {
        &self.system.invariants[invariant].label
    }

    /// Returns where an obligation is: `init`, `final`, or the name of the transition.
    fn place(&self, proof: &Proof) -> &'a str {
        place(self.system, proof.origin)
    }

    /// Returns the graph of the claims, goals on top; an edge leads to a claim that the proof needs.
    pub fn scene(&self) -> Scene {
        let Explanation { claims, proofs, .. } = self.explanation;
        // The layers are distances from the goals; claims that no goal needs come last.
        let mut layers: Vec<Vec<usize>> = Vec::new();
        let mut seen = vec![false; claims.len()];
        let mut layer: Vec<usize> =
            (0..claims.len()).filter(|&at| claims[at].standing == Standing::Goal).collect();
        loop {
            if layer.is_empty() {
                layer = (0..claims.len()).filter(|&at| !seen[at]).take(1).collect();
            }
            if layer.is_empty() {
                break;
            }
            layer.iter().for_each(|&at| seen[at] = true);
            let mut next: Vec<usize> = Vec::new();
            for &at in &layer {
                let of_claim = proofs.iter().filter(|proof| proof.property == claims[at].property);
                for other in of_claim.filter_map(Proof::needs).flat_map(|needs| &needs.invariants) {
                    if !seen[*other] && !next.contains(other) {
                        next.push(*other);
                    }
                }
            }
            layers.extend(layer.chunks(MAX_ROW).map(<[usize]>::to_vec));
            layer = next;
        }
        let order: Vec<usize> = layers.concat();
        let sort = SortId::new(0);
        let node = |&at: &usize| {
            let Entry { property, standing, .. } = &claims[at];
            let mark = match standing {
                Standing::Goal => Mark::Changed,
                Standing::Needed | Standing::Open | Standing::Unknown(_) => Mark::Same,
                Standing::Replaceable { .. } | Standing::Unneeded => Mark::False,
            };
            let word = match standing {
                Standing::Goal => Claim::of_property(self.system, *property).subject.word(),
                Standing::Needed | Standing::Open | Standing::Unknown(_) => "",
                Standing::Replaceable { .. } => "not needed alone",
                Standing::Unneeded => "not needed",
            };
            let lines = [Line::remark(mark, word)].into_iter().filter(|it| !it.text.is_empty());
            let name = property.label(self.system).to_owned();
            Node {
                sort,
                elem: at as u32,
                id: name.clone(),
                name,
                tags: Vec::new(),
                is_gone: false,
                lines: lines.collect(),
                dots: Vec::new(),
            }
        };
        let nodes = order.iter().map(node).collect();
        let mut edges = Vec::new();
        for (from, &at) in order.iter().enumerate() {
            for (to, &other) in order.iter().enumerate().filter(|&(to, _)| to != from) {
                let is_use = |proof: &&Proof| {
                    let needs = |needs: &Needs| {
                        needs.invariants.iter().any(|&it| Property::Invariant(it) == claims[other].property)
                    };
                    proof.property == claims[at].property && proof.needs().is_some_and(needs)
                };
                let places: Vec<&str> = proofs.iter().filter(is_use).map(|proof| self.place(proof)).collect();
                if !places.is_empty() {
                    edges.push(Edge::new(from, to, Line::remark(Mark::Same, places.join(", "))));
                }
            }
        }
        let rows: Vec<Vec<u32>> =
            layers.iter().map(|layer| layer.iter().map(|&at| at as u32).collect()).collect();
        let mut shapes = IdVec::default();
        shapes.push(Shape::Ranks(SymId::new(0), rows));
        let captions =
            vec!["an arrow leads to a claim that the proof needs; it names the transitions".to_owned()];
        let (mut sorts, mut symbols) = (IdVec::default(), IdVec::default());
        sorts.push("claim".to_owned());
        symbols.push("needs".to_owned());
        let panels = vec![Panel { nodes, edges, ..Panel::new("claims") }];
        Scene { sorts, symbols, shapes, folded: Vec::new(), tables: Vec::new(), panels, captions }
    }
}

/// Returns where an obligation is: `init`, `final`, or the name of the transition.
fn place(system: &System, origin: Origin) -> &str {
    let of_transition = |transition: usize| system.transitions[transition].name.as_str();
    match origin {
        Origin::Consecution { transition, .. } => of_transition(transition),
        Origin::Assertion { assertion } => match system.assertions[assertion].site {
            Site::Transition(transition) => of_transition(transition),
            Site::Init => "init",
            Site::Final => "final",
        },
        _ => "init",
    }
}

/// Returns the first places, and how many there are more.
fn listed(places: &[&str]) -> String {
    let first = &places[..places.len().min(MAX_PLACES)];
    match places.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// Returns the content for the model at `path`; `found` is the explanation, if the model could be read.
fn content(path: &str, found: Option<&Found<'_>>, negative: bool) -> ExplainContent {
    let mut content = ExplainContent { model: path.to_owned(), ..ExplainContent::default() };
    let Some(Found { system, sources, explanation, .. }) = found else { return content };
    content.inductive = Some(explanation.is_inductive());
    let claims = explanation.claims.iter();
    content.claims =
        claims.filter_map(|entry| claim(system, sources, explanation, entry, negative)).collect();
    content
}

fn claim(
    system: &System,
    sources: &Sources,
    explanation: &Explanation,
    entry: &Entry,
    negative: bool,
) -> Option<ClaimDto> {
    let claim = Claim::of_property(system, entry.property);
    let (replaced_by, reason) = match &entry.standing {
        Standing::Replaceable { by } => (&by[..], None),
        Standing::Unknown(exhausted) => (&[][..], Some(exhausted.to_string())),
        _ => (&[][..], None),
    };
    let proofs = explanation.proofs.iter().filter(|proof| proof.property == entry.property);
    Some(ClaimDto {
        kind: claim.subject,
        claim: claim_dto(&claim, sources)?,
        formula: Pretty::new(system.syntax(), entry.property.formula(system)).to_string(),
        standing: (&entry.standing).into(),
        reason,
        replaced_by: labels(system, replaced_by),
        obligations: proofs.map(|proof| obligation(system, sources, proof)).collect(),
        excludes: entry.excluded.as_ref().map(|it| excluded(system, sources, it, negative)),
    })
}

fn labels(system: &System, invariants: &[usize]) -> Vec<String> {
    invariants.iter().map(|&it| system.invariants[it].label.clone()).collect()
}

fn obligation(system: &System, sources: &Sources, proof: &Proof) -> ObligationDto {
    let reason = match &proof.answer {
        Answer::Unknown(exhausted) => Some(exhausted.to_string()),
        Answer::Proved(_) | Answer::Refuted => None,
    };
    let none = Needs::default();
    let needs = proof.needs().unwrap_or(&none);
    let axiom = |&axiom: &usize| {
        let hypothesis = Hypothesis::of_origin(system, HypothesisOrigin::Axiom(axiom));
        let (label, line) = (hypothesis.label(sources), hypothesis.line(sources));
        dto::Hypothesis { kind: hypothesis.kind, label, step: hypothesis.step, line }
    };
    ObligationDto {
        place: place(system, proof.origin).to_owned(),
        outcome: (&proof.answer).into(),
        reason,
        unchanged: proof.is_unchanged,
        invariants: labels(system, &needs.invariants),
        axioms: needs.axioms.iter().map(axiom).collect(),
        minimal: needs.is_minimal,
    }
}

fn excluded(system: &System, sources: &Sources, found: &Excluded, negative: bool) -> ExcludedDto {
    let Excluded { origin, system: rest, answer } = found;
    let style = JsonStyle { negative, stats: false, cores: false };
    let obligation = obligations(rest, &answer.verification, sources, style).into_iter().next();
    ExcludedDto {
        claim: Claim::of_origin(system, *origin).label.into_owned(),
        place: place(system, *origin).to_owned(),
        counterexample: obligation.and_then(|it| it.counterexample),
    }
}
