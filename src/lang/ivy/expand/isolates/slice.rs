//! Cutting a program down to an isolate.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::analysis::{Parts, Uses};
use super::{Analysis, Assumption, Cut, Presence, THIS, unknown_isolate};
use crate::ivy::ast::{DeclKind, Role};
use crate::ivy::expand::flat::Flat;
use crate::shared::report::Report;
use ramsey_core::base::hash::Set;
use ramsey_core::diag::Diagnostic;

fn is_invariant(kind: &DeclKind) -> bool {
    matches!(kind, DeclKind::Formula { role: Role::Invariant | Role::Safety, .. })
}

impl Analysis<'_> {
    /// Returns the position of the isolate of this name, if there is one.
    pub(in crate::ivy::expand) fn position(&self, name: &str) -> Option<usize> {
        let this = (self.has_this() && name == THIS).then_some(self.isolates.len());
        self.isolates.iter().position(|it| *it.name == *name).or(this)
    }

    /// Returns the name of an isolate.
    pub(super) fn name(&self, isolate: usize) -> Arc<str> {
        self.isolates.get(isolate).map_or_else(|| THIS.into(), |it| it.name.clone())
    }

    /// Returns the names of the isolates that are verified, in alphabetical order; `None` if the program is verified at once.
    pub(in crate::ivy::expand) fn verified(&self) -> Option<Vec<Arc<str>>> {
        if !self.is_split() {
            return None;
        }
        let all = self.all().filter(|&it| !self.is_trusted(it));
        let names: BTreeSet<Arc<str>> = all.map(|it| self.name(it)).collect();
        Some(names.into_iter().collect())
    }

    /// Returns the error for an isolate that is not there.
    pub(in crate::ivy::expand) fn unknown(&self, name: &str) -> Diagnostic {
        let known: Vec<Arc<str>> =
            if !self.is_split() { Vec::new() } else { self.all().map(|it| self.name(it)).collect() };
        unknown_isolate(name, &known)
    }

    /// Returns whether a definition is a macro, which is no fact that others may not know.
    fn is_abbreviation(&self, definition: usize) -> bool {
        match &self.flat[definition].decl.kind {
            DeclKind::Definition { keyword, .. } => **keyword == *"macro",
            _ => false,
        }
    }

    /// Returns whether an isolate sees the statements of an action, or of one of its monitors.
    fn sees(&self, presence: &[Presence], action: &str) -> bool {
        let Some(parts) = self.actions.get(action) else { return false };
        let is_present = |at: usize| presence[at] != Presence::Absent;
        is_present(parts.role) || parts.executed.iter().any(|&at| is_present(at))
    }

    /// Returns the actions of an isolate that others call: the environment, and what the isolate does not see.
    fn exports(&self, presence: &[Presence]) -> Vec<Arc<str>> {
        let exported = self.exported.iter().filter(|name| self.sees(presence, name));
        let mut found: Vec<Arc<str>> = Vec::new();
        let parts = self.actions.values().flat_map(|it| &it.executed);
        let absent = parts.chain(&self.initializers).filter(|&&at| presence[at] == Presence::Absent);
        let called = absent.flat_map(|&at| &self.uses[at].calls);
        for name in exported.chain(called.filter(|name| self.sees(presence, name))) {
            if !found.contains(name) {
                found.push(name.clone());
            }
        }
        found
    }

    /// Returns whether an action that others call is a transition of an isolate: the environment calls its statements, which the
    /// isolate sees, or what it sees of the action changes or shows something. What others ensure is assumed.
    fn is_transition(&self, presence: &[Presence], action: &Arc<str>) -> bool {
        let Some(Parts { role, executed }) = self.actions.get(action) else { return false };
        let is_present = |at: usize| presence[at] != Presence::Absent;
        let is_own = |at: usize| presence[at] == Presence::Verified;
        if is_present(*role) && self.exported.contains(action) {
            return true;
        }
        let acts = |uses: &Uses| !uses.changes.is_empty() || uses.required.is_some();
        let mut seen = executed.iter().copied().filter(|&at| is_present(at));
        let calls = seen.clone().flat_map(|at| self.uses[at].calls.iter().cloned());
        let called = self.reached(calls, is_present);
        let parts = called.iter().filter_map(|name| self.actions.get(name)).flat_map(|it| &it.executed);
        let mut parts = parts.filter(|&&at| is_present(at)).map(|&at| &self.uses[at]);
        seen.any(|at| {
            acts(&self.uses[at]) || self.uses[at].ensured.is_some() && (is_own(at) || is_own(*role))
        }) || parts.any(|uses| acts(uses) || uses.ensured.is_some())
    }

    /// Returns the parts of a program that an isolate executes.
    fn executed(&self, presence: &[Presence], transitions: &[Arc<str>]) -> BTreeSet<usize> {
        let is_present = |at: usize| presence[at] != Presence::Absent;
        let initializers = self.initializers.iter().copied().filter(|&at| is_present(at));
        let initializers: Vec<usize> = initializers.collect();
        let begun = initializers.iter().flat_map(|&at| self.uses[at].calls.iter().cloned());
        let actions = self.reached(begun.chain(transitions.iter().cloned()), is_present);
        let parts = actions.iter().filter_map(|name| self.actions.get(name)).flat_map(|it| &it.executed);
        parts.copied().filter(|&at| is_present(at)).chain(initializers).collect()
    }

    /// Returns whether an isolate shows something: a claim, or what its statements owe.
    fn claims_something(&self, presence: &[Presence], executed: &BTreeSet<usize>) -> bool {
        let is_claim = |kind: &DeclKind| match kind {
            DeclKind::Formula { role, .. } => !matches!(role, Role::Axiom | Role::Init),
            DeclKind::Theorem(_) => true,
            _ => false,
        };
        let is_own = |at: usize| presence[at] == Presence::Verified;
        let owes = |&at: &usize| self.uses[at].required.or(self.uses[at].ensured).is_some();
        self.flat.iter().any(|flat| is_own(flat.at) && is_claim(&flat.decl.kind)) || executed.iter().any(owes)
    }

    /// Cuts the program down to an isolate, and reports what it depends on without seeing how that changes.
    pub(in crate::ivy::expand) fn cut(&self, isolate: usize, report: &mut Report) -> Cut {
        let presence = self.in_isolate(isolate).to_vec();
        let exports = self.exports(&presence);
        let is_absent = |at: usize| presence[at] == Presence::Absent;
        let definitions = self.definitions.iter();
        let hidden: Set<Arc<str>> = definitions
            .filter(|&(_, &at)| is_absent(at) && !self.is_abbreviation(at))
            .map(|(name, _)| name.clone())
            .collect();
        let transitions: Vec<Arc<str>> =
            exports.iter().filter(|it| self.is_transition(&presence, it)).cloned().collect();
        let executed = self.executed(&presence, &transitions);
        // Where nothing is shown, nothing can be shown that is false.
        if self.claims_something(&presence, &executed) {
            self.interference(isolate, &hidden, &executed, report);
            self.changed_definitions(isolate, &hidden, &executed, report);
            self.initial_calls(isolate, report);
            self.changing_axioms(isolate, report);
        }
        let of_kind = |wanted: Presence| {
            let all = self.flat.iter().zip(&presence).enumerate();
            all.filter_map(move |(at, (flat, &it))| {
                (it == wanted && is_invariant(&flat.decl.kind)).then_some(at)
            })
        };
        let shown: Vec<usize> = of_kind(Presence::Verified).collect();
        let first = shown.first().copied();
        let assumptions = of_kind(Presence::Assumed).filter_map(|at| {
            let owner = self.all().find(|&it| self.in_isolate(it)[at] == Presence::Verified)?;
            let there = self.in_isolate(owner);
            let kept_by = self.exports(there).into_iter().collect();
            let seen: BTreeSet<Arc<str>> =
                self.actions.keys().filter(|name| self.sees(there, name)).cloned().collect();
            let called_inside = self.called_inside(&presence, &seen);
            let is_first = first.is_none_or(|first| at < first);
            Some(Assumption { at, kept_by, seen, called_inside, is_first })
        });
        let assumptions = assumptions.collect();
        let called_back = self.called_back(&presence);
        let shows = |flat: &Flat<'_>, is: Presence| {
            let is_property = match &flat.decl.kind {
                DeclKind::Formula { role, .. } => *role == Role::Property,
                DeclKind::Theorem(_) => is == Presence::Verified,
                _ => false,
            };
            is_property && presence[flat.at] == is
        };
        let of_properties = |is: Presence| -> Vec<usize> {
            self.flat.iter().filter(|flat| shows(flat, is)).map(|flat| flat.at).collect()
        };
        let shown_properties = of_properties(Presence::Verified);
        let late = of_properties(Presence::Assumed).into_iter();
        let late =
            late.filter(|&at| shown_properties.iter().any(|&shown| self.turns.before(shown, at))).collect();
        let changing = self.changed().chain(&hidden).cloned().collect();
        let named = self.named(isolate).to_vec();
        Cut { changing, late, named, exports, transitions, assumptions, shown, called_back, hidden, presence }
    }

    /// Returns the actions that parts call which are absent here, where these are executed in the middle of actions of another
    /// isolate, which are `seen` there, or initialize.
    fn called_inside(&self, presence: &[Presence], seen: &BTreeSet<Arc<str>>) -> BTreeSet<Arc<str>> {
        let parts_of = |name: &Arc<str>| self.actions.get(name).into_iter().flat_map(|it| &it.executed);
        let initial = self.initializers.iter().flat_map(|&at| self.uses[at].calls.iter().cloned());
        let initial = self.reached(initial, |_| true);
        // What is never executed calls nothing.
        let mut executed = self.reached(self.exported.iter().cloned(), |_| true);
        executed.extend(initial.iter().cloned());
        let seen = || seen.intersection(&executed);
        let direct = seen().flat_map(parts_of).flat_map(|&at| self.uses[at].calls.iter().cloned());
        let mut inside = self.reached(direct, |_| true);
        inside.extend(seen().cloned());
        inside.extend(initial);
        let parts = inside.iter().flat_map(parts_of).chain(&self.initializers);
        let absent = parts.filter(|&&at| presence[at] == Presence::Absent);
        absent.flat_map(|&at| self.uses[at].calls.iter().cloned()).collect()
    }

    /// Returns, for parts that an isolate does not see, what it changes where they call it back.
    fn called_back(&self, presence: &[Presence]) -> BTreeMap<usize, BTreeSet<Arc<str>>> {
        let is_absent = |at: usize| presence[at] == Presence::Absent;
        let mut found = BTreeMap::new();
        for &part in self.actions.values().flat_map(|it| &it.executed).filter(|&&at| is_absent(at)) {
            let actions = self.reached(self.uses[part].calls.iter().cloned(), |_| true);
            let parts = actions.iter().filter_map(|name| self.actions.get(name)).flat_map(|it| &it.executed);
            let present: Vec<&Uses> = parts.filter(|&&at| !is_absent(at)).map(|&at| &self.uses[at]).collect();
            let changed: BTreeSet<Arc<str>> =
                present.iter().flat_map(|uses| uses.changes.keys().cloned()).collect();
            let claims = |uses: &&Uses| uses.required.or(uses.ensured).is_some();
            // What neither changes nor claims anything may be executed at any time.
            if !changed.is_empty() || present.iter().any(claims) {
                found.insert(part, changed);
            }
        }
        found
    }
}
