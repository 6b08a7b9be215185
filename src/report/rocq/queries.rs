//! Pages about queries: what each assumes, and that it implies what is asked for, or a structure in which it does not.

use std::ops::Range;

use super::RELAXED;
use super::page::{Definition, Page, READ, comment, member, numbered, one_by_one};
use super::words::{Applied, Words};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::logic::{Node, Structure, TermId, Terms};
use ramsey_core::system::System;
use ramsey_kernel::check::{Closed, format};
use ramsey_kernel::core::{self as closed_forms, Lowering, NodeId, Pool, Unsupported};
use ramsey_kernel::obligations::{Goal, Group, Obligations, Origin, Question, Relaxed, Subject};

/// A page about queries as far as it is written.
pub(super) struct Queries<'a> {
    pub(super) page: Page<'a>,
    lowering: Lowering,
    /// The structure of which it is, if it is not about all of them.
    structure: Option<&'a Structure>,
    /// The definitions that closed formulas have.
    defined: Map<NodeId, Applied>,
    /// Names of the states of longer executions.
    states: Vec<String>,
    /// Whether the page has states: if a symbol changes, and where transitions are on the page.
    has_states: bool,
    /// The number of definitions of hypotheses.
    assumed: usize,
}

/// A query in words.
pub(super) struct Query {
    /// The name of the definition, without what it begins with.
    pub(super) name: String,
    /// Where it is asked for, if no definition says it.
    pub(super) place: Option<String>,
    /// Its states, as arguments.
    pub(super) states: String,
    /// What it assumes.
    pub(super) hypotheses: Vec<String>,
    /// What follows.
    goal: String,
    /// That it does not; none if it never does.
    pub(super) negated: Option<String>,
}

/// Writes the file about a question whose closed form is a list of queries. `shown` tells of each whether it is proved; the others are on the page
/// if there is a structure in which they fail. Returns the numbers of these as well.
///
/// # Errors
/// A part of the question has no closed form.
pub(super) fn text(
    subject: Subject<'_>,
    (question, closed): (&Question, &Closed),
    (sources, model): (&Sources, &str),
    (shown, structures): (&[bool], &[(Origin, &Structure)]),
) -> Result<(String, Vec<usize>), Unsupported> {
    let theory = if structures.is_empty() { "" } else { " Finite" };
    let mut text = format!(
        "(* {} in ordinary words: what there is to read, with what is proved at its end. *)\n{}\
         Require List Core Check Sound{theory} Proof.\n\n",
        comment(model),
        remark(subject, question),
    );
    let (mut proofs, mut refuted) = (String::new(), Vec::new());
    let goals = || {
        closed.obligations.groups.iter().flat_map(|group| group.goals.iter().map(move |goal| (group, goal)))
    };
    for (at, (group, goal)) in goals().enumerate() {
        let Some(&(_, structure)) = structures.iter().find(|(origin, _)| *origin == goal.origin) else {
            continue;
        };
        let mut queries = Queries::new(subject, closed, sources, Some(structure));
        queries.vocabulary(subject, question)?;
        let found = queries.query(subject, group, goal)?;
        let (statement, proof) = queries.refuted((&found, goal.origin), structure, at);
        text.push_str(&statement);
        proofs.push_str(&proof);
        refuted.push(at);
    }
    if shown.contains(&true) {
        let mut queries = Queries::new(subject, closed, sources, None);
        queries.page.line("Section Protocol.");
        queries.vocabulary(subject, question)?;
        let mut proved = Vec::new();
        for ((group, goal), _) in goals().zip(shown).filter(|(_, is_shown)| **is_shown) {
            proved.push(queries.query(subject, group, goal)?);
        }
        queries.claims(&proved);
        text.push_str(&queries.page.text);
    } else {
        text.push_str(READ);
    }
    Ok((text + &proofs, refuted))
}

/// Returns what has to be said of all queries of a question.
fn remark(subject: Subject<'_>, question: &Question) -> &'static str {
    match (subject, question) {
        (Subject::System(system), Question::Verify) if !system.proofs.list.is_empty() => {
            "(* These are the obligations of proofs by forward and backward induction. That the claims of the model follow from them is no part of it. *)\n"
        }
        (Subject::System(_), Question::Verify) => {
            "(* These are the obligations of a proof by induction, each as far as it was answered. That something fails in a state says nothing about whether an\n   execution reaches it. *)\n"
        }
        (_, Question::Bounded { relaxed: true, .. }) => RELAXED,
        _ => "",
    }
}

impl<'a> Queries<'a> {
    fn new(
        subject: Subject<'_>,
        closed: &Closed,
        sources: &'a Sources,
        structure: Option<&'a Structure>,
    ) -> Queries<'a> {
        let Obligations { sig, terms, groups, .. } = &closed.obligations;
        // Names of problems are written otherwise in closed forms.
        let sig = match subject {
            Subject::System(_) => sig.clone(),
            Subject::Problem(problem) => problem.sig.clone(),
        };
        let mut words = Words::new(&sig);
        let states = groups.iter().map(|group| group.states).max().unwrap_or(0);
        let states = (0..states).map(|at| words.fresh(&format!("s{at}"))).collect();
        let page = Page { text: String::new(), words, sig, terms: terms.clone(), sources };
        let lowering = closed.lowering.clone();
        let has_states = !page.symbols(true).is_empty();
        Queries { page, lowering, structure, defined: Map::default(), states, has_states, assumed: 0 }
    }

    /// Writes the vocabulary, and what all queries have in common.
    fn vocabulary(&mut self, subject: Subject<'_>, question: &Question) -> Result<(), Unsupported> {
        match self.structure {
            Some(structure) => self.page.interpretation(structure),
            None => self.page.vocabulary(),
        }
        let system = match subject {
            Subject::System(system) => Some(concerned(system, question)),
            Subject::Problem(_) => None,
        };
        self.has_states |= system.as_ref().is_some_and(|it| !it.transitions.is_empty());
        if self.has_states {
            let record = self.page.record();
            self.page.line(&record);
        }
        let Some(system) = system else { return Ok(()) };
        let definitions = self.page.definitions(&system);
        for it in definitions.all() {
            let count = it.states.split_whitespace().count() as u16;
            self.register(&Applied { name: it.name.clone(), first: 0, count }, it.formula)?;
        }
        Ok(())
    }

    /// Notes the definition of a formula, for these states and all later ones.
    fn register(&mut self, it: &Applied, formula: TermId) -> Result<(), Unsupported> {
        let states = self.states.len() as u16;
        let last = if it.count == 0 { it.first } else { states.saturating_sub(it.count) };
        for first in it.first..=last {
            let Page { sig, terms, .. } = &mut self.page;
            let formula = terms.shift(sig, formula, first - it.first);
            let node = self.lowering.formula(terms, formula)?;
            self.defined.entry(node).or_insert_with(|| Applied { first, ..it.clone() });
        }
        Ok(())
    }

    /// Names a number of states from the first one on, and returns the names.
    fn name_states(&mut self, first: u16, count: u16) -> String {
        self.page.words.first = first;
        self.page.words.states = match count {
            0..=2 => ["s", "s'"][..usize::from(count)].iter().map(|&name| name.to_owned()).collect(),
            _ => self.states[..usize::from(count)].to_vec(),
        };
        self.page.words.states.join(" ")
    }

    /// Writes the formula as a definition, unless it has one. Returns whether it does.
    fn define(
        &mut self,
        name: &str,
        formula: TermId,
        span: Option<Span>,
        subject: Subject<'_>,
    ) -> Result<bool, Unsupported> {
        let node = self.lowering.formula(&mut self.page.terms, formula)?;
        let is_constant = matches!(self.page.terms.node(formula), Node::True | Node::False);
        let is_new = !is_constant && !self.defined.contains_key(&node);
        if is_new {
            let Range { start, end } = states(&self.lowering.core.pool, node);
            let (first, count) = (start, end - start);
            self.recognize(formula, subject)?;
            let names = self.name_states(first, count);
            let Definition { name, .. } = self.page.define(name, &names, formula, span);
            self.register(&Applied { name, first, count }, formula)?;
        }
        self.recognize(formula, subject)?;
        Ok(is_new)
    }

    /// Looks up which parts of a formula have definitions.
    fn recognize(&mut self, formula: TermId, subject: Subject<'_>) -> Result<(), Unsupported> {
        let parts = match subject {
            Subject::System(_) => closed_parts(&self.page.terms, formula),
            Subject::Problem(_) => vec![formula],
        };
        for part in parts {
            let node = self.lowering.formula(&mut self.page.terms, part)?;
            if let Some(applied) = self.defined.get(&node) {
                self.page.words.known.insert(part, applied.clone());
            }
        }
        Ok(())
    }

    /// Writes what a query assumes and asks for, and returns what is proved of it.
    fn query(&mut self, subject: Subject<'_>, group: &Group, goal: &Goal) -> Result<Query, Unsupported> {
        for hypothesis in &group.hypotheses {
            let name = format!("assumed_{}", self.assumed + 1);
            self.assumed += usize::from(self.define(&name, hypothesis.formula, None, subject)?);
        }
        let (name, span, place) = self.title(subject, goal.origin);
        // That an execution has a shape is what is defined, also where it is claimed that none has.
        let defined = match (goal.origin, self.page.terms.node(goal.formula)) {
            (Origin::Trace { .. }, Node::Not(shape)) => shape,
            _ => goal.formula,
        };
        self.define(&name, defined, span, subject)?;
        self.recognize(goal.formula, subject)?;
        let count = if self.has_states { group.states } else { 0 };
        let states = self.name_states(0, count);
        let Page { words, sig, terms, .. } = &mut self.page;
        let mut write = |it: TermId| match words.definition(it) {
            Some(known) => words.applied(known),
            None => words.part(sig, terms, it),
        };
        let hypotheses = group.hypotheses.iter().map(|it| write(it.formula)).collect();
        let written = write(goal.formula);
        let negated = match terms.node(goal.formula) {
            Node::False => None,
            Node::Not(inner) => Some(words.part(sig, terms, inner)),
            _ => Some(format!("~ ({written})")),
        };
        Ok(Query { name, place, states, hypotheses, goal: written, negated })
    }

    /// Returns the name of what a query asks for, its declaration, and where it is asked for if that is no declaration.
    fn title(&self, subject: Subject<'_>, origin: Origin) -> (String, Option<Span>, Option<String>) {
        match (subject, origin) {
            (Subject::System(system), Origin::Theorem { theorem }) => {
                // It has its definition already.
                (format!("theorem_{}", system.theorems[theorem].label), None, None)
            }
            (Subject::System(system), Origin::Trace { trace }) => {
                let span = system.traces[trace].span;
                let line = self.page.sources.get(span.file).map_or(0, |it| it.line_column(span.start).0);
                (format!("trace_L{line}"), Some(span), None)
            }
            (_, Origin::Query { query, line }) => {
                (format!("query_{}", query + 1), None, Some(format!("Query {}, of line {line}.", query + 1)))
            }
            (Subject::System(system), Origin::Bounded { steps, property }) => {
                let label = property.label(system);
                let place = format!("An execution of {steps} steps that ends in a violation of {label}.");
                (format!("property_{label}"), None, Some(place))
            }
            (Subject::System(system), Origin::Initiation { invariant }) => {
                let label = &system.invariants[invariant].label;
                (format!("init_{label}"), None, Some(format!("Whether the initial states satisfy {label}.")))
            }
            (Subject::System(system), Origin::Consecution { transition, invariant }) => {
                let (name, label) =
                    (&system.transitions[transition].name, &system.invariants[invariant].label);
                (format!("{name}_{label}"), None, Some(format!("Whether {name} preserves {label}.")))
            }
            _ => {
                let words = format::obligation(subject, origin);
                (words.replace(' ', "_"), None, Some(words))
            }
        }
    }

    /// Writes what is proved, as definitions, and the theorems.
    fn claims(&mut self, proved: &[Query]) {
        let has_states = self.has_states;
        let page = &mut self.page;
        let premises = page.premises();
        page.line("\n(* What is proved, where propositions are true or false and no sort is empty. *)");
        let mut titles = Vec::new();
        for it @ Query { name, place, states, .. } in proved {
            if let Some(place) = place {
                page.line(&format!("(* {} *)", comment(place)));
            }
            let binders =
                if states.is_empty() { String::new() } else { format!("forall {states} : state, ") };
            let defined = page.words.fresh(&format!("claim_{name}"));
            let given = format!("{premises}{binders}");
            page.line(&format!(
                "Definition {defined} : Prop := {}\n  {claim}.",
                given.trim_end(),
                claim = it.claim()
            ));
            titles.push((page.words.fresh(&format!("{name}_holds")), defined));
        }
        let record = if has_states { String::new() } else { page.record() };
        page.encoding(&record);
        for (at, it @ Query { states, hypotheses, .. }) in proved.iter().enumerate() {
            let names: Vec<&str> = states.split_whitespace().collect();
            let binders = if names.is_empty() { String::new() } else { format!(" ({states} : state)") };
            let read = match names.as_slice() {
                [] => "fun _ => enc some_state".to_owned(),
                [before @ .., last] => {
                    let cases: String = before
                        .iter()
                        .enumerate()
                        .map(|(at, name)| format!("{at} => enc {name} | "))
                        .collect();
                    format!("fun k => match k with {cases}_ => enc {last} end")
                }
            };
            let names = numbered("pf_A", hypotheses.len());
            let intro = if names.is_empty() { String::new() } else { format!(" {}", names.join(" ")) };
            page.line(&format!(
                "Lemma pf_holds_{at}{binders} : Core.excluded_middle ->\n  {claim}.\nProof.\n  intros pf_EM{intro}.\n  \
                 refine (Proof.queries_hold pf_EM (List.nth {at} Proof.Q ([], Core.And [])) {} D rr ({read}) _).\n  {}.\nQed.",
                member("Proof.Q", "([], Core.And [])", at),
                one_by_one(&names),
                claim = it.claim(),
            ));
        }
        page.line("End Protocol_means.\n");
        let (elements, patterns) = page.elements();
        for (at, (Query { states, .. }, (title, claim))) in proved.iter().zip(&titles).enumerate() {
            let states = if states.is_empty() { String::new() } else { format!(" {states}") };
            page.line(&format!(
                "Theorem {title} : {claim}.\n\
                 Proof. intros pf_EM{patterns}{states}. exact (pf_holds_{at}{elements}{states} pf_EM). Qed."
            ));
        }
        page.line("End Protocol.");
        for (title, _) in &titles {
            page.line(&format!("Print Assumptions {title}."));
        }
    }
}

impl Query {
    /// Returns that the hypotheses imply the goal.
    fn claim(&self) -> String {
        let given: String = self.hypotheses.iter().map(|it| format!("{it} ->\n  ")).collect();
        given + &self.goal
    }
}

/// Returns a system without what a question is not about; the relaxed one if that is what a question is about.
fn concerned(system: &System, question: &Question) -> System {
    let mut system = match question {
        Question::Bounded { relaxed: true, .. } => Relaxed::new(system).system,
        _ => system.clone(),
    };
    match question {
        Question::Theorems => {
            system.inits.clear();
            system.transitions.clear();
            system.invariants.clear();
            system.assertions.clear();
        }
        Question::Traces(_) => {
            system.invariants.clear();
            system.assertions.clear();
            system.theorems.clear();
        }
        Question::Bounded { .. } => system.theorems.clear(),
        Question::Verify | Question::Queries(_) => {}
    }
    system
}

/// Returns the formula and the closed formulas that it is made of by connectives.
fn closed_parts(terms: &Terms, formula: TermId) -> Vec<TermId> {
    let (mut open, mut found, mut seen) = (vec![formula], Vec::new(), Set::default());
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        found.push(next);
        if let Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Implies(..) | Node::Iff(..) =
            terms.node(next)
        {
            open.extend(terms.children(next));
        }
    }
    found
}

/// Returns the numbers of the states that a formula speaks of, and of those between them.
fn states(pool: &Pool, formula: NodeId) -> Range<u16> {
    let (mut open, mut seen, mut found) = (vec![formula], Set::default(), None);
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        let node = pool.node(next);
        if let closed_forms::Node::App(Some(state), ..) | closed_forms::Node::Rel(Some(state), ..) = node {
            let Range { start, end } = found.unwrap_or(*state..*state);
            found = Some(start.min(*state)..end.max(state + 1));
        }
        open.extend(node.children());
    }
    found.unwrap_or(0..0)
}
