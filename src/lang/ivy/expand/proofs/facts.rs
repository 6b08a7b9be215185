//! What proofs may use by its name: axioms, properties, theorems, schemata and definitions.

use std::sync::Arc;

use super::goal::{Place, Prover};
use super::rules::Rule;
use super::table::{Fact, FactKind};
use super::terms::{BOOL, Failed, Op, Read, Sort, Term};
use super::typed::sort_name;
use crate::ivy::ast::{DeclKind, Expr, Ident, Proof, Role, SortedVar};
use crate::ivy::expand::flat::Flat;
use crate::ivy::expand::formulas::Context;
use crate::ivy::expand::isolates::Presence;
use crate::ivy::expand::scopes::ScopeId;
use crate::ivy::expand::state::Expander;
use crate::shared::report::suggest;
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Expander<'a, '_> {
    /// Adds the names of declarations that proofs use, and the proofs that stand by themselves.
    pub(in crate::ivy::expand) fn facts_of(&mut self, flat: &[Flat<'a>]) {
        let mut proofs: Vec<(Arc<str>, &'a Proof)> = Vec::new();
        for &Flat { decl, scope, at, presence, .. } in flat {
            let mut add = |name: Arc<str>, kind, scope| {
                self.facts.entry(name).or_insert(Fact { kind, scope, at, presence, decl });
            };
            match &decl.kind {
                DeclKind::Formula { role, label: Some(label), formula, .. } => {
                    let kind = match role {
                        Role::Axiom | Role::Property => FactKind::Formula(*role, formula),
                        _ => FactKind::Claim,
                    };
                    add(self.scopes.full(scope, &label.name), kind, scope);
                }
                DeclKind::Unchecked { label: Some(label), .. } => {
                    add(self.scopes.full(scope, &label.name), FactKind::Unchecked, scope);
                }
                DeclKind::Theorem(theorem) => {
                    let outer = self.scopes.around(scope);
                    add(self.scopes.full(outer, &theorem.name.name), FactKind::Theorem(theorem), outer);
                }
                DeclKind::Rule(rule) => {
                    add(self.scopes.full(scope, &rule.name.name), FactKind::Rule(rule), scope);
                }
                DeclKind::Schema(schema) => {
                    if let Some(name) = &schema.name {
                        add(self.scopes.full(scope, &name.name), FactKind::Schema(schema), scope);
                    }
                }
                DeclKind::Definition { label, name, params, body, .. } => {
                    let kind = FactKind::Definition(name, params, body);
                    let symbol = self.scopes.resolve(scope, &name.name).name;
                    if let Some(label) = label {
                        add(self.scopes.full(scope, &label.name), kind, scope);
                    }
                    add(symbol, kind, scope);
                }
                DeclKind::Symbols { symbols, .. } => {
                    for symbol in symbols {
                        if let Some(body) = &symbol.definition {
                            let kind = FactKind::Definition(&symbol.name, &symbol.params, body);
                            add(self.scopes.full(scope, &symbol.name.name), kind, scope);
                        }
                    }
                }
                DeclKind::Proof(proof) if self.proved_isolate(scope, proof).is_some() => {
                    self.proof_of_isolate(proof);
                }
                DeclKind::Proof(proof) => {
                    if let Some(label) = &proof.label {
                        proofs.push((self.scopes.full(scope, &label.name), proof));
                    }
                }
                _ => {}
            }
        }
        for fact in self.facts.values_mut() {
            if let FactKind::Theorem(theorem) = fact.kind
                && theorem.proof.as_ref().is_some_and(|proof| proof.unread().is_some())
            {
                fact.kind = FactKind::Unchecked;
            }
        }
        for (name, proof) in proofs {
            let has_own = match self.facts.get(&name).map(|fact| &fact.decl.kind) {
                Some(DeclKind::Formula { role, proof, .. }) => {
                    if *role == Role::Axiom {
                        None
                    } else {
                        Some(proof.is_some())
                    }
                }
                Some(DeclKind::Theorem(theorem)) => Some(theorem.proof.is_some()),
                _ => None,
            };
            let problem = match has_own {
                None => Some("is no claim that has a proof"),
                Some(true) => Some("has another proof"),
                Some(false) if self.proofs.contains_key(&name) => Some("has another proof"),
                Some(false) => None,
            };
            if let Some(problem) = problem {
                self.report.push(
                    Diagnostic::error(Code::Program, proof.span(), format!("`{name}` {problem}"))
                        .label("proof of what?")
                        .help("a proof is that of a property, theorem or invariant with this name"),
                );
            } else {
                if let Some(fact) = self.facts.get_mut(&name).filter(|_| proof.unread().is_some()) {
                    fact.kind = FactKind::Unchecked;
                }
                self.proofs.insert(name, proof);
            }
        }
    }

    /// Returns the fact that a name means in a scope.
    fn fact(&self, scope: ScopeId, name: &str) -> Option<(Arc<str>, Fact<'a>)> {
        let full = self.scopes.resolve(scope, name).name;
        let fact = *self.facts.get(&full)?;
        Some((full, fact))
    }
}

impl Prover<'_, '_, '_> {
    /// Returns the rule of the program that a name means, with all of its variables bound; `None` if there is none of this name.
    pub(super) fn global_rule(&mut self, name: &Ident, scope: ScopeId) -> Read<Option<Rule>> {
        if let Some((schema, of)) = name.name.strip_suffix(']').and_then(|it| it.split_once('[')) {
            return self.rule_of_numbers(schema, of, name, scope).map(Some);
        }
        let Some((full, fact)) = self.expander.fact(scope, &name.name) else { return Ok(None) };
        self.check_fact(name, &full, &fact)?;
        // Where it is used in statements, it is about their states all the same.
        let transition = self.expander.transition.take();
        let rule = self.rule_of_fact(name, &fact);
        self.expander.transition = transition;
        Ok(Some(Rule { label: name.name.clone(), holds: true, ..rule?.generalized() }))
    }

    /// Returns the rule that a fact is, whose free variables are not bound yet.
    fn rule_of_fact(&mut self, name: &Ident, fact: &Fact<'_>) -> Read<Rule> {
        let label: Arc<str> = name.name.clone();
        Ok(match fact.kind {
            FactKind::Formula(role, formula) => {
                let context = Context::of(fact.scope);
                let rule = self.expander.rule_of_formula(label, formula, &context)?;
                if role == Role::Axiom {
                    self.expander.keep_rigid(&rule, fact.decl.span());
                }
                rule
            }
            FactKind::Theorem(theorem) => self.expander.rule_of(theorem, &Context::of(fact.scope), &[])?,
            FactKind::Rule(rule) => {
                let rule = self.expander.rule_of(rule, &Context::of(fact.scope), &[])?;
                self.expander.keep_rigid(&rule, fact.decl.span());
                rule
            }
            FactKind::Schema(schema) => {
                let rule = self.expander.rule_of_schema(schema, fact.scope, name.span())?;
                self.expander.keep_rigid(&rule, fact.decl.span());
                rule
            }
            FactKind::Definition(symbol, params, body) => {
                let mut rule = self.expander.equation(label, symbol, params, body, fact.scope)?;
                rule.is_definition = true;
                if matches!(fact.decl.kind, DeclKind::Definition { recursion: Some(_), .. }) {
                    self.expander.keep_rigid(&rule, fact.decl.span());
                }
                rule
            }
            // It has been reported.
            FactKind::Claim | FactKind::Unchecked => return Err(Failed),
        })
    }

    /// Reports a fact that must not be used here.
    fn check_fact(&mut self, name: &Ident, full: &Arc<str>, fact: &Fact<'_>) -> Read<()> {
        let is_shown = matches!(fact.kind, FactKind::Formula(Role::Property, _) | FactKind::Theorem(_));
        let error = |message: String| Diagnostic::error(Code::Program, name.span(), message);
        let error = if matches!(fact.kind, FactKind::Claim) {
            error(format!("`{full}` is a claim about states, which no other proof assumes"))
                .label("no property, theorem, axiom or schema")
                .help("invariants are assumed where an action begins, without a proof")
        } else if matches!(fact.kind, FactKind::Unchecked) {
            error(format!("`{full}` is not checked, so no proof assumes it"))
                .label("a temporal property, or a claim with a proof by a tactic that is not read")
                .help("state what is needed as a claim of its own, which is shown")
        } else if fact.presence == Presence::Absent && matches!(fact.kind, FactKind::Definition(..)) {
            // What is true of the program may be used everywhere; what its symbols are is hidden.
            error(format!("the isolate does not see `{full}`"))
                .label("unknown here")
                .help("name it, or the object around it, after `with` at the isolate")
        } else if is_shown
            && matches!(self.claim.place, Place::Property(at) if !self.expander.turns.before(fact.at, at))
        {
            error(format!("`{full}` is not shown before this claim"))
                .label("the claim would be assumed in its own proof")
                .help("properties and theorems are used by what stands after them")
        } else if self.claim.place == Place::Statement
            && self.expander.version.minor < 7
            && is_rigid_or_shown(fact)
        {
            error("up to version 1.6 proofs in actions use no axioms and properties".to_owned())
                .label("it may not hold in the middle of an action")
                .help("give version 1.7 or a later one in the first line")
        } else {
            return Ok(());
        };
        self.expander.report.push(error.also(fact.decl.span(), "declared here"));
        Err(Failed)
    }

    /// Returns the error for a name that no rule has.
    pub(super) fn unknown_rule(&mut self, name: &Ident, local: &[Arc<str>]) -> Failed {
        let known = self.expander.facts.keys().chain(local).map(|known| &**known);
        let error =
            Diagnostic::error(Code::Undeclared, name.span(), format!("no rule has the name `{}`", name.name))
                .label("no axiom, property, theorem, schema, definition or premise");
        let error = match suggest(&name.name, known) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        };
        self.expander.report.push(error);
        Failed
    }

    /// Returns a schema of a type that is interpreted as numbers.
    fn rule_of_numbers(&mut self, schema: &str, of: &str, name: &Ident, scope: ScopeId) -> Read<Rule> {
        let sort = self.expander.scopes.resolve(scope, of).name;
        let meaning = self.expander.numbers.get(&sort).cloned();
        match super::uses::of_numbers(schema, &sort, meaning.as_ref(), name.span(), self.expander) {
            Some(rule) => Ok(Rule { label: name.name.clone(), holds: true, ..rule }),
            None => {
                let error = Diagnostic::error(
                    Code::Program,
                    name.span(),
                    format!("there is no schema `{}` here", name.name),
                )
                .label("not known")
                .help(
                    "`ind[t]` and `lep[t]` are schemata of a type `t` that is interpreted as `int` or `nat`",
                );
                self.expander.report.push(error);
                Err(Failed)
            }
        }
    }
}

/// Returns whether what a fact says may hold before and after actions only.
fn is_rigid_or_shown(fact: &Fact<'_>) -> bool {
    !matches!(fact.kind, FactKind::Definition(..))
}

impl Expander<'_, '_> {
    /// Returns the equation that a definition is.
    pub(super) fn equation(
        &mut self,
        label: Arc<str>,
        symbol: &Ident,
        params: &[SortedVar],
        body: &Expr,
        scope: ScopeId,
    ) -> Read<Rule> {
        let name = self.scopes.resolve(scope, &symbol.name).name;
        let mut context = Context::of(scope);
        let own = params.iter().map(|param| (param.name.name.clone(), param.name.name.clone()));
        context.locals.extend(own);
        let outer = self.scope_vars(body, &mut context);
        let declared: Vec<_> = self.symbols.get(&name).map(|it| it.args.clone()).unwrap_or_default();
        let vars: Vec<&SortedVar> = outer.iter().chain(params).collect();
        let given = |at: usize, var: &SortedVar| {
            let given = var.sort.as_ref().map(|sort| self.scopes.sort(scope, sort));
            given.or_else(|| declared.get(at).cloned()).map(|sort| sort_name(&sort))
        };
        let sorts: Vec<Option<Sort>> = vars.iter().enumerate().map(|(at, var)| given(at, var)).collect();
        let named = vars.iter().zip(&sorts);
        let known: Vec<(Arc<str>, Sort)> =
            named.filter_map(|(var, sort)| Some((var.name.name.clone(), sort.clone()?))).collect();
        let body = self.read(&[(body, &context, None)], &known)?.remove(0);
        // What is not given follows from the value.
        let free = body.free();
        let mut all = Vec::new();
        for (var, sort) in vars.into_iter().zip(sorts) {
            let found = || free.iter().find(|(name, _)| *name == var.name.name).map(|(_, sort)| sort.clone());
            let Some(sort) = sort.or_else(found) else {
                self.report.push(crate::ivy::expand::declarations::untyped(var));
                return Err(Failed);
            };
            all.push((var.name.name.clone(), sort));
        }
        let args = all.iter().map(|(name, sort)| Term::Var(name.clone(), sort.clone())).collect();
        // A function is expanded wherever it is mentioned, and so is no symbol of what is to be shown.
        let is_expanded = self.functions.contains_key(&name);
        let defined = if is_expanded { body.clone() } else { Term::App(name, args, body.sort()) };
        let op = if *body.sort() == *BOOL { Op::Iff } else { Op::Equal };
        Ok(Rule { vars: all, ..Rule::fact(label, Term::op(op, [defined, body])) })
    }

    /// Returns the types of the arguments of a symbol that is defined, where they follow from its definition.
    pub(super) fn arguments_of(&mut self, symbol: &Arc<str>) -> Option<Vec<Sort>> {
        let Fact { kind: FactKind::Definition(name, params, body), scope, .. } = *self.facts.get(symbol)?
        else {
            return None;
        };
        if self.inferring.contains(symbol) {
            return None;
        }
        self.inferring.push(symbol.clone());
        let rule = self.equation(name.name.clone(), name, params, body, scope);
        self.inferring.pop();
        Some(rule.ok()?.vars.into_iter().map(|(_, sort)| sort).collect())
    }

    /// Keeps the symbols of what is assumed by proofs, of which no action must change any.
    pub(super) fn keep_rigid(&mut self, rule: &Rule, span: Span) {
        let mut names: Set<Arc<str>> = Set::default();
        rule.add_symbols(&mut names);
        let mut assumed = names.clone();
        rule.add_equated(&mut assumed);
        self.keep_assumed(span, assumed);
        self.rigid.push((span, names));
    }
}
