//! Questions in closed form.

use super::format;
use crate::core::{Core, Lowering, Named, Node, NodeId, Query, Unsupported, Wanted, is_small, spelled_out};
use crate::obligations::{Obligations, Origin, Question, Subject};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::TermId;
use ramsey_core::system::{Site, System};

/// A question about a model or a problem in closed form.
#[derive(Clone, Debug)]
pub struct Closed {
    /// The closed form, with the numbers of symbols.
    pub lowering: Lowering,
    /// What has to be shown. Its formulas have no quantifiers over `bool`.
    pub obligations: Obligations,
    /// What the obligations of the closed form are about, by their numbers.
    pub origins: Vec<Origin>,
    /// In a closed form with queries, the numbers of the hypotheses of each group of obligations.
    pub hypotheses: Vec<Vec<usize>>,
}

impl Closed {
    /// Returns the closed form of a question: a transition system with its claims if all of it is to be verified, and otherwise
    /// a query for each obligation.
    ///
    /// # Errors
    /// It has something that closed systems do not have.
    pub fn new<'a>(subject: impl Into<Subject<'a>>, question: &Question) -> Result<Closed, Unsupported> {
        let subject = subject.into();
        let mut obligations = Obligations::of_question(subject, question);
        spell_out(&mut obligations)?;
        let closed = match subject {
            Subject::System(system) if *question == Question::Verify && system.proofs.list.is_empty() => {
                let lowering = Lowering::new(system, obligations.syntax_mut())?;
                Closed { lowering, origins: origins(system), obligations, hypotheses: Vec::new() }
            }
            _ => Closed::queries(subject, obligations)?,
        };
        closed.if_small()
    }

    /// Returns the closed form of a question in which each obligation is a query, also where all of a transition system is to be verified.
    ///
    /// # Errors
    /// It has something that closed systems do not have.
    pub fn one_by_one<'a>(
        subject: impl Into<Subject<'a>>,
        question: &Question,
    ) -> Result<Closed, Unsupported> {
        let subject = subject.into();
        Closed::of_obligations(subject, Obligations::of_question(subject, question))
    }

    /// Returns the closed form of these obligations: a query for each.
    ///
    /// # Errors
    /// They have something that closed systems do not have.
    pub fn of_obligations(subject: Subject<'_>, mut obligations: Obligations) -> Result<Closed, Unsupported> {
        spell_out(&mut obligations)?;
        Closed::queries(subject, obligations)?.if_small()
    }

    fn if_small(self) -> Result<Closed, Unsupported> {
        if is_small(&self.lowering.core) { Ok(self) } else { Err(Unsupported::Size) }
    }

    fn queries(subject: Subject<'_>, mut obligations: Obligations) -> Result<Closed, Unsupported> {
        let Obligations { sig, terms, groups, .. } = &mut obligations;
        let mut lowering = Lowering::of_vocabulary(sig)?;
        let (mut origins, mut of_groups) = (Vec::new(), Vec::new());
        let mut places: Map<NodeId, usize> = Map::default();
        for group in groups {
            let mut hypotheses = Vec::with_capacity(group.hypotheses.len());
            for hypothesis in &group.hypotheses {
                let formula = lowering.formula(terms, hypothesis.formula)?;
                let core = &mut lowering.core;
                hypotheses.push(*places.entry(formula).or_insert_with(|| {
                    let name = format!("{}", core.hypotheses.len());
                    core.hypotheses.push((states(core, formula), Named { name, formula }));
                    core.hypotheses.len() - 1
                }));
            }
            for goal in &group.goals {
                let line = format::obligation(subject, goal.origin);
                let name = line.strip_prefix("obligation ").unwrap_or(&line).to_owned();
                let is = |is_structure| format::is_expected(subject, goal.origin, is_structure);
                let wanted = match (is(false), is(true)) {
                    (true, false) => Wanted::Holds,
                    (false, _) => Wanted::Fails,
                    (true, true) => Wanted::Open,
                };
                let goal_formula = lowering.formula(terms, goal.formula)?;
                lowering.core.queries.push(Query {
                    states: group.states,
                    wanted,
                    hypotheses: hypotheses.clone(),
                    goal: Named { name, formula: goal_formula },
                });
                origins.push(goal.origin);
            }
            of_groups.push(hypotheses);
        }
        Ok(Closed { lowering, obligations, origins, hypotheses: of_groups })
    }
}

/// Spells out quantifiers over `bool` in hypotheses and goals.
fn spell_out(obligations: &mut Obligations) -> Result<(), Unsupported> {
    let mut plain: Map<TermId, TermId> = Map::default();
    let terms = &mut obligations.terms;
    for group in &mut obligations.groups {
        let hypotheses = group.hypotheses.iter_mut().map(|it| &mut it.formula);
        for formula in hypotheses.chain(group.goals.iter_mut().map(|it| &mut it.formula)) {
            let spelled = match plain.get(formula) {
                Some(&known) => known,
                None => spelled_out(terms, *formula)?,
            };
            plain.insert(*formula, spelled);
            *formula = spelled;
        }
    }
    Ok(())
}

/// Returns what the obligations of a closed system are about, in the order of `spec/core.md`.
fn origins(system: &System) -> Vec<Origin> {
    let invariants = 0..system.invariants.len();
    let mut origins: Vec<Origin> =
        invariants.clone().map(|invariant| Origin::Initiation { invariant }).collect();
    for transition in 0..system.transitions.len() {
        origins.extend(invariants.clone().map(|invariant| Origin::Consecution { transition, invariant }));
    }
    let assertions = |is_initial: bool| {
        let of_site =
            move |assertion: &usize| (system.assertions[*assertion].site == Site::Init) == is_initial;
        (0..system.assertions.len()).filter(of_site).map(|assertion| Origin::Assertion { assertion })
    };
    origins.extend(assertions(false));
    origins.extend((0..system.theorems.len()).map(|theorem| Origin::Theorem { theorem }));
    origins.extend(assertions(true));
    origins
}

/// Returns the number of states that a formula speaks of.
fn states(core: &Core, formula: NodeId) -> u16 {
    let mut seen: Map<NodeId, ()> = Map::default();
    let (mut open, mut states) = (vec![formula], 0);
    while let Some(id) = open.pop() {
        if seen.insert(id, ()).is_some() {
            continue;
        }
        let node = core.pool.node(id);
        if let Node::App(Some(state), ..) | Node::Rel(Some(state), ..) = node {
            states = states.max(state + 1);
        }
        open.extend(node.children());
    }
    states
}
