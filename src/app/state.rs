//! The state of a session: what a log of commands leads to.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::command::{Call, Command};
use super::definition;
use super::models::{Database, Meaning, Model};
use ramsey_core::logic::TermId;
use ramsey_core::system::{Invariant, System};
use ramsey_lang::FormulaKind;
use ramsey_report::picture::Theme;
use ramsey_services::workbench::{Changes, Replacement, replace_claim, revise};

/// Default number of steps within which generalizations hold.
const BOUND: u16 = 3;
/// Maximum number of steps within which generalizations hold.
const MAX_BOUND: u16 = 20;

/// What is known of a claim beside its formula.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Origin {
    /// The claim.
    pub claim: String,
    /// Where it comes from: `suggestion`, `own`, `inference`, `edit`.
    pub from: String,
    /// Why it was edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A counterexample that is shown, with what was said of its facts.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Selected {
    /// The claim.
    pub claim: String,
    /// The transition, or `init`.
    pub action: String,
    /// The number of the counterexample, from 1.
    pub number: usize,
    /// What is left out of the generalization.
    pub dropped: Vec<String>,
    /// What stays in the generalization.
    pub kept: Vec<String>,
}

/// A walk through states of the model.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Walk {
    /// Numbers of elements of sorts.
    #[serde(default)]
    pub sizes: BTreeMap<String, u32>,
    /// The transitions taken.
    #[serde(default)]
    pub calls: Vec<Call>,
}

/// What pictures show beside the symbols of the model, and what they leave out.
#[derive(Serialize, Clone, Default, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Drawing {
    /// Projections.
    pub projections: Vec<String>,
    /// Relations that are defined.
    pub definitions: Vec<String>,
    /// Symbols that are not drawn.
    pub hidden: Vec<String>,
}

/// State of a session.
#[derive(Clone, Debug)]
pub struct State {
    /// The model with all changes.
    pub model: Arc<Model>,
    /// Claims that were not in the model at first.
    pub origins: Vec<Origin>,
    /// The counterexample that is shown.
    pub selected: Option<Selected>,
    /// The number of steps within which generalizations hold.
    pub bound: u16,
    /// The walk.
    pub walk: Option<Walk>,
    /// Formulas whose values are shown.
    pub watches: Vec<String>,
    /// What pictures show.
    pub drawing: Drawing,
    /// Remarks.
    pub notes: Vec<String>,
}

impl State {
    /// Returns the state in which nothing was said about a model.
    pub(super) fn new(model: Arc<Model>) -> State {
        State {
            model,
            origins: Vec::new(),
            selected: None,
            bound: BOUND,
            walk: None,
            watches: Vec::new(),
            drawing: Drawing::default(),
            notes: Vec::new(),
        }
    }

    /// Returns the state after a command.
    ///
    /// # Errors
    /// Returns the reason why the command does not fit the state.
    pub(super) fn after(&self, command: &Command, models: &Database) -> Result<State, String> {
        let mut next = self.clone();
        match command {
            Command::Add { formula, name, from } => {
                next.add(formula, name.as_deref(), from.as_deref(), models)?
            }
            Command::Remove { claim, .. } => next.remove(claim, models)?,
            Command::Edit { claim, formula, why } => {
                next.replace(claim, None, Some(formula), models)?;
                next.origins.retain(|it| it.claim != *claim);
                let from = "edit".to_owned();
                next.origins.push(Origin { claim: claim.clone(), from, why: why.clone() });
            }
            Command::Rename { claim, name } => {
                next.replace(claim, Some(name), None, models)?;
                next.origins
                    .iter_mut()
                    .filter(|it| it.claim == *claim)
                    .for_each(|it| it.claim.clone_from(name));
            }
            Command::Select { claim, action, number } => {
                let (claim, action) = (claim.clone(), action.clone());
                let number = (*number).max(1);
                next.selected =
                    Some(Selected { claim, action, number, dropped: Vec::new(), kept: Vec::new() });
            }
            Command::Drop { fact } => next.say_of(fact, Some(false))?,
            Command::Keep { fact } => next.say_of(fact, Some(true))?,
            Command::Release { fact } => next.say_of(fact, None)?,
            Command::Bound { steps } if *steps > MAX_BOUND => {
                return Err(format!("generalizations hold within at most {MAX_BOUND} steps"));
            }
            Command::Bound { steps } => next.bound = *steps,
            Command::Start { sizes } => {
                next.walk = Some(Walk { sizes: sizes.clone(), calls: Vec::new() });
            }
            Command::Take { call } => {
                let walk = next.walk.as_mut().ok_or("the walk has not begun")?;
                walk.calls.push(call.clone());
            }
            Command::Back { steps } => {
                let walk = next.walk.as_mut().ok_or("the walk has not begun")?;
                walk.calls.truncate(*steps);
            }
            Command::Watch { formula } => {
                next.formula(formula)?;
                insert(&mut next.watches, formula);
            }
            Command::Unwatch { formula } => next.watches.retain(|it| it != formula),
            Command::Project { projection } => {
                next.is_drawn(std::slice::from_ref(projection), &[])?;
                insert(&mut next.drawing.projections, projection);
            }
            Command::Unproject { projection } => next.drawing.projections.retain(|it| it != projection),
            Command::Define { definition } => {
                definition::check(definition, &self.model, self.system()?)?;
                insert(&mut next.drawing.definitions, definition);
            }
            Command::Undefine { definition } => next.drawing.definitions.retain(|it| it != definition),
            Command::Hide { symbol } => {
                next.is_drawn(&[], std::slice::from_ref(symbol))?;
                insert(&mut next.drawing.hidden, symbol);
            }
            Command::Show { symbol } => next.drawing.hidden.retain(|it| it != symbol),
            Command::Note { text } => next.notes.push(text.clone()),
        }
        Ok(next)
    }

    /// Returns whether a claim is this formula, up to the names of bound variables.
    ///
    /// # Errors
    /// Returns what is wrong with the formula.
    pub(super) fn says(&self, formula: &str) -> Result<bool, String> {
        let loaded = self.model.with_formula(formula, FormulaKind::Claim);
        let (system, formula) = loaded.map_err(|error| error.text())?;
        Ok(declared(&system, formula).is_some())
    }

    fn system(&self) -> Result<&Arc<System>, String> {
        self.model.system.as_ref().ok_or_else(|| "the model has an error".to_owned())
    }

    /// Checks a formula about a state in which watch expressions are evaluated.
    fn formula(&self, formula: &str) -> Result<(), String> {
        let kind = FormulaKind::Question { states: 1, constants: &[] };
        let loaded = self.model.with_formula(formula, kind);
        loaded.map(|_| ()).map_err(|error| error.text())
    }

    /// Checks what pictures are to show and to leave out.
    fn is_drawn(&self, projections: &[String], hidden: &[String]) -> Result<(), String> {
        let theme = Theme::new(self.system()?, projections, &[], hidden);
        theme
            .map(|_| ())
            .map_err(|errors| errors.into_iter().map(|error| error.message).next().unwrap_or_default())
    }

    /// Puts the claims of another text in place of those of the model. What was said of a counterexample is no longer
    /// about the same one.
    fn become_text(&mut self, text: &str, models: &Database) {
        let model = models.load(text);
        // Claims make no difference to what is reachable.
        if let Some(explored) = self.model.exploration.get(&()) {
            model.exploration.insert((), explored);
        }
        self.model = model;
        self.selected = None;
    }

    fn add(
        &mut self,
        formula: &str,
        name: Option<&str>,
        from: Option<&str>,
        models: &Database,
    ) -> Result<(), String> {
        let system = Arc::clone(self.system()?);
        let text = self.model.text();
        let formula = formula.trim();
        let loaded = self.model.with_formula(formula, FormulaKind::Claim);
        let (with_formula, claim) = loaded.map_err(|error| error.text())?;
        if let Some(known) = declared(&with_formula, claim) {
            return Err(format!("`{}` says this already", known.label));
        }
        if let Some(name) = name
            && system.invariants.iter().any(|it| it.label == name)
        {
            return Err(format!("there is a claim `{name}` already"));
        }
        let name = name.map_or_else(|| next_name(&system, text), str::to_owned);
        let added = [(Some(name.clone()), formula.to_owned())];
        let changes = Changes { removed: &[], added: &added };
        let revised = revise(text, self.model.language(), &system, changes, &mut loading(models))?;
        if revised.names != [name.clone()] {
            return Err(format!("`{name}` is used for something else in the model"));
        }
        let from = from.unwrap_or("own").to_owned();
        self.origins.push(Origin { claim: name, from, why: None });
        self.become_text(&revised.text, models);
        Ok(())
    }

    /// Returns the index of the claim of this name. An error says so if there is none, or more than one.
    fn invariant(&self, claim: &str) -> Result<usize, String> {
        let invariants = self.system()?.invariants.iter();
        let mut found = invariants.enumerate().filter(|(_, it)| it.label == claim).map(|(index, _)| index);
        match (found.next(), found.next()) {
            (Some(index), None) => Ok(index),
            (Some(_), Some(_)) => Err(format!("several claims are called `{claim}`")),
            (None, _) => Err(format!("there is no claim `{claim}`")),
        }
    }

    fn remove(&mut self, claim: &str, models: &Database) -> Result<(), String> {
        let removed = [self.invariant(claim)?];
        let changes = Changes { removed: &removed, added: &[] };
        let mut load = loading(models);
        let revised = revise(self.model.text(), self.model.language(), self.system()?, changes, &mut load)?;
        self.origins.retain(|it| it.claim != claim);
        self.become_text(&revised.text, models);
        Ok(())
    }

    fn replace(
        &mut self,
        claim: &str,
        name: Option<&str>,
        formula: Option<&str>,
        models: &Database,
    ) -> Result<(), String> {
        let replacement = Replacement { invariant: self.invariant(claim)?, name, formula };
        if let Some(formula) = formula {
            let loaded = self.model.with_formula(formula, FormulaKind::Claim);
            loaded.map_err(|error| error.text())?;
        }
        let mut load = loading(models);
        let text =
            replace_claim(self.model.text(), self.model.file(), self.system()?, replacement, &mut load)?;
        self.become_text(&text, models);
        Ok(())
    }

    /// Notes whether facts are left out or kept; with `None`, that neither was said.
    fn say_of(&mut self, fact: &str, kept: Option<bool>) -> Result<(), String> {
        let selected = self.selected.as_mut().ok_or("no counterexample is shown")?;
        selected.dropped.retain(|it| it != fact);
        selected.kept.retain(|it| it != fact);
        match kept {
            Some(true) => selected.kept.push(fact.to_owned()),
            Some(false) => selected.dropped.push(fact.to_owned()),
            None => {}
        }
        Ok(())
    }
}

/// Returns the claim of a system that a formula is, up to the names of bound variables.
fn declared(system: &System, formula: TermId) -> Option<&Invariant> {
    system.invariants.iter().find(|it| system.terms.alpha_equal(it.formula, formula))
}

fn insert(list: &mut Vec<String>, item: &str) {
    if !list.iter().any(|it| it == item) {
        list.push(item.to_owned());
    }
}

/// Returns the function that reads a text for changes of claims.
fn loading(models: &Database) -> impl FnMut(&str) -> Meaning + '_ {
    |text| models.load(text).meaning()
}

/// Returns a name for a new claim that does not occur in the text: that of the last numbered claim with the next free
/// number, such as `C1` after `C0`.
fn next_name(system: &System, text: &str) -> String {
    let names = || system.invariants.iter().filter_map(|it| it.name.as_deref());
    let numbered = |name: &str| {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: u32 = name[stem.len()..].parse().ok()?;
        (!stem.is_empty()).then(|| (stem.to_owned(), number))
    };
    let stem =
        names().filter_map(numbered).next_back().map_or_else(|| "conjecture_".to_owned(), |(stem, _)| stem);
    let of_stem = names().filter_map(numbered).filter(|(other, _)| *other == stem);
    let next = of_stem.map(|(_, number)| number.saturating_add(1)).max().unwrap_or(1);
    let words =
        |name: &String| !text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|it| it == name);
    (next..u32::MAX).map(|number| format!("{stem}{number}")).find(words).unwrap_or(stem)
}
