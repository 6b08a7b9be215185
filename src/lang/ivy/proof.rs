//! The syntax tree of proofs: steps that change what remains to be shown.

use super::ast::{Expr, Ident, Place, Skipped, SortRef, SortedVar, Theorem};
use ramsey_core::base::span::Span;
use std::sync::Arc;

/// `proof { .. }` after a claim, or `proof [name] { .. }` by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The name in brackets.
    pub label: Option<Ident>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The text.
    pub text: Skipped,
    /// The text of the claim, if it stands before it in statements.
    pub claim: Arc<str>,
}

/// A step of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The kind of step, with its parts.
    pub kind: StepKind,
    /// The position, from the first token to the last.
    pub place: Place,
}

/// The kinds of steps. Most of them change the first goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// `apply rule with ..`: what the rule assumes is to be shown in the place of what it claims.
    Apply(Use),
    /// `instantiate [name] rule with ..` or `assume rule with ..`: an instance of the rule is assumed.
    Instantiate {
        /// Whether the rule is one of the program, whatever the goal assumes under its name: `assume`.
        is_global: bool,
        /// The name of what is assumed, in brackets.
        label: Option<Ident>,
        /// The rule.
        rule: Use,
    },
    /// `instantiate with X = t`: values for what the goal claims to exist.
    Witness(Vec<Given>),
    /// `property [name] φ named f(X) proof { .. }`: shown, and then assumed.
    Property {
        /// The name in brackets.
        label: Option<Ident>,
        /// The formula.
        formula: Expr,
        /// The function whose values are those that exist, with its arguments.
        named: Option<(Ident, Vec<SortedVar>)>,
        /// Its own proof.
        proof: Vec<Step>,
    },
    /// `theorem [name] { .. } proof { .. }`: a rule that is shown, and then assumed.
    Theorem(Box<Theorem>),
    /// `function f(X:t) : u = value`: an abbreviation.
    Function(Vec<Given>),
    /// `let X = t`: a variable for the value of a term.
    Let(Vec<Given>),
    /// `if φ { .. } else { .. }`.
    If {
        /// The condition.
        condition: Expr,
        /// The steps where it holds.
        then: Vec<Step>,
        /// The steps where it does not.
        otherwise: Vec<Step>,
    },
    /// `unfold premise with f, g`: definitions in the place of what they define.
    Unfold {
        /// The premise; `None` for what is claimed.
        premise: Option<Ident>,
        /// The definitions.
        definitions: Vec<Unfolded>,
    },
    /// `forget a, b`: premises that are not needed.
    Forget(Vec<Ident>),
    /// `showgoals`, which only prints.
    ShowGoals,
    /// `defergoal`: the first goal becomes the last one.
    DeferGoal,
    /// `proof [goal] { .. }`: steps for the goal of this name.
    Goal {
        /// The goal.
        name: Ident,
        /// The steps.
        steps: Vec<Step>,
    },
    /// `tactic name with ..`.
    Tactic(Ident),
    /// `{ .. }`.
    Block(Vec<Step>),
}

/// `d<new/old><new/old>`: a definition that is unfolded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfolded {
    /// The definition.
    pub name: Ident,
    /// New names of what it binds, each with the old one: for the first place where it is unfolded, the second one, and so on.
    pub renaming: Vec<Vec<(Ident, Ident)>>,
}

/// The use of a rule: a schema, a theorem, or a formula with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// The rule.
    pub name: Ident,
    /// New names of what the rule binds, each with the old one: `<new/old>`.
    pub renaming: Vec<(Ident, Ident)>,
    /// What its types, symbols, variables and premises stand for.
    pub with: Vec<Given>,
}

/// `name(params) = value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// The name.
    pub name: Ident,
    /// Variables.
    pub params: Vec<SortedVar>,
    /// The type, if it is given.
    pub result: Option<SortRef>,
    /// The value.
    pub value: Expr,
}

impl Proof {
    /// Returns the position.
    pub fn span(&self) -> Span {
        self.text.place.0
    }

    /// Returns whether what remains to be shown is the claim itself: the steps only name values, for [`crate::prophecy`], or
    /// print.
    pub fn is_plain(&self) -> bool {
        are_plain(&self.steps)
    }

    /// Returns whether its steps are this tactic, if there is one, and such as print or are about the goals that it leaves.
    pub fn is_by(&self, tactic: Option<&str>) -> bool {
        are_by(&self.steps, tactic)
    }

    /// Returns the first tactic that is not read, if there is one.
    pub fn unread(&self) -> Option<&Ident> {
        unread(&self.steps)
    }

    /// Returns whether a step admits what it should show: `tactic sorry`.
    pub fn admits(&self) -> bool {
        has(&self.steps, &|step| matches!(step, StepKind::Tactic(name) if *name.name == *"sorry"))
    }

    /// Returns whether the claim may be shown without following from the axioms: by rules that proofs alone assume, or because
    /// it is admitted.
    pub fn uses_rules(&self) -> bool {
        let is_rule = |step: &StepKind| {
            matches!(step, StepKind::Apply(_) | StepKind::Instantiate { .. } | StepKind::Unfold { .. })
        };
        self.admits() || has(&self.steps, &is_rule)
    }
}

/// Returns whether there is such a step, at any depth.
fn has(steps: &[Step], is_such: &dyn Fn(&StepKind) -> bool) -> bool {
    steps.iter().any(|step| {
        is_such(&step.kind)
            || match &step.kind {
                StepKind::If { then, otherwise, .. } => has(then, is_such) || has(otherwise, is_such),
                StepKind::Property { proof: steps, .. }
                | StepKind::Goal { steps, .. }
                | StepKind::Block(steps) => has(steps, is_such),
                StepKind::Theorem(theorem) => {
                    theorem.proof.as_ref().is_some_and(|proof| has(&proof.steps, is_such))
                }
                _ => false,
            }
    })
}

/// The tactics that are read in proofs of claims.
const TACTICS: &[&str] = &["skolemize", "skolemizenp", "sorry"];

fn unread(steps: &[Step]) -> Option<&Ident> {
    steps.iter().find_map(|step| match &step.kind {
        StepKind::Tactic(name) => Some(name).filter(|name| !TACTICS.contains(&&*name.name)),
        StepKind::If { then, otherwise, .. } => unread(then).or_else(|| unread(otherwise)),
        StepKind::Property { proof: steps, .. } | StepKind::Goal { steps, .. } | StepKind::Block(steps) => {
            unread(steps)
        }
        StepKind::Theorem(theorem) => theorem.proof.as_ref().and_then(|proof| proof.unread()),
        _ => None,
    })
}

fn are_by(steps: &[Step], tactic: Option<&str>) -> bool {
    let is_tactic = |step: &Step| matches!(&step.kind, StepKind::Tactic(name) if tactic == Some(&*name.name));
    let mut others = steps.iter().filter(|step| !matches!(step.kind, StepKind::ShowGoals));
    match (others.next(), others.next()) {
        (Some(Step { kind: StepKind::Block(steps), .. }), None) => are_by(steps, tactic),
        (Some(step), None) => is_tactic(step),
        // What is shown of the goals makes no difference where the claims themselves are shown.
        (Some(step), Some(next)) => {
            let is_of_goal = |step: &Step| matches!(step.kind, StepKind::Goal { .. } | StepKind::DeferGoal);
            is_tactic(step) && is_of_goal(next) && others.all(is_of_goal)
        }
        (None, _) => tactic.is_none(),
    }
}

fn are_plain(steps: &[Step]) -> bool {
    steps.iter().all(|step| match &step.kind {
        StepKind::Let(_) | StepKind::ShowGoals => true,
        StepKind::If { then, otherwise, .. } => are_plain(then) && are_plain(otherwise),
        StepKind::Block(steps) => are_plain(steps),
        _ => false,
    })
}
