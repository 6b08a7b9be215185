//! What the declarations of a program call, change and mention.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Isolate;
use super::view::{View, names_of, parent, roots_of};
use super::{FIRST_WITH_THIS, Presence, Privacy, SPECIFICATION, THIS};
use crate::ivy::ast::{DeclKind, Expr, ExprKind, Role, SortedVar, Stmt};
use crate::ivy::expand::declarations::EXPLICIT;
use crate::ivy::expand::flat::Flat;
use crate::ivy::expand::scopes::{Scopes, join};
use crate::ivy::expand::state::{ActionInfo, Call, Expander, Part, Probe};
use crate::ivy::expand::statements::{Caller, Frame};
use crate::ivy::expand::turns::Turns;
use crate::program::ast::{Command, commands_of, for_each_command};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// What a declaration does.
#[derive(Default)]
pub(super) struct Uses {
    /// The actions that its statements call.
    pub(super) calls: BTreeSet<Arc<str>>,
    /// The symbols that its statements change, with a place where they do.
    pub(super) changes: BTreeMap<Arc<str>, Span>,
    /// The symbols whose values it reads.
    pub(super) mentions: BTreeSet<Arc<str>>,
    /// A claim that whoever calls the action owes, if there is one.
    pub(super) required: Option<Span>,
    /// A claim that the action owes, if there is one.
    pub(super) ensured: Option<Span>,
}

/// An action by the positions of its parts among the declarations.
pub(super) struct Parts {
    /// The declaration that decides where the action belongs: its statements, or else what declares it.
    pub(super) role: usize,
    /// All that is executed.
    pub(super) executed: Vec<usize>,
}

/// What the declarations of a program do, and where they stand.
pub(in crate::ivy::expand) struct Analysis<'a> {
    pub(super) minor: u32,
    pub(super) isolates: Vec<Isolate<'a>>,
    pub(super) flat: Vec<Flat<'a>>,
    /// By declaration.
    pub(super) uses: Vec<Uses>,
    pub(super) actions: BTreeMap<Arc<str>, Parts>,
    /// The actions that the environment calls.
    pub(super) exported: Vec<Arc<str>>,
    /// The declarations that are initializers.
    pub(super) initializers: Vec<usize>,
    /// The symbols with definitions, each with the position of the definition.
    pub(super) definitions: BTreeMap<Arc<str>, usize>,
    /// By declaration: the names by which it can be listed, and the object in which it stands.
    names: Vec<(Vec<Arc<str>>, Arc<str>)>,
    objects: Map<Arc<str>, Privacy>,
    /// The objects that every isolate sees.
    globals: Vec<Arc<str>>,
    pub(super) turns: Turns,
    /// What the isolates verify.
    roots: Set<Arc<str>>,
    /// By isolate, the positions of explicit axioms that it names after `with`.
    named: Vec<Vec<usize>>,
    /// By isolate, and for [`super::THIS`], what each declaration is there.
    presences: Vec<Vec<Presence>>,
}

impl<'a> Analysis<'a> {
    /// Analyses a program, whose declarations have been registered. All isolates see the objects of `globals`.
    pub(in crate::ivy::expand) fn new(
        flattened: (Vec<Flat<'a>>, Vec<Isolate<'a>>, Map<Arc<str>, Privacy>),
        globals: Vec<Arc<str>>,
        expander: &mut Expander<'a, '_>,
    ) -> Analysis<'a> {
        let (flat, isolates, objects) = flattened;
        let scopes = &expander.scopes;
        let names: Vec<_> = flat.iter().map(|it| place_of(it, scopes)).collect();
        let roots: Set<Arc<str>> = isolates.iter().flat_map(|it| roots_of(it, scopes)).collect();
        let minor = expander.version.minor;
        let twice = isolates.iter().filter(|it| {
            let mut own = roots_of(it, scopes).into_iter();
            minor < FIRST_WITH_THIS && own.any(|root| is_shown_around(&root, &roots))
        });
        twice.for_each(|isolate| expander.report.push(shown_twice(isolate)));
        let listed = |it: &Isolate<'_>| named_by(it, &flat, &names, scopes);
        let named = isolates.iter().map(listed).collect();
        let mut analysis = Analysis {
            minor,
            uses: flat.iter().map(|_| Uses::default()).collect(),
            actions: BTreeMap::new(),
            exported: expander.exported.iter().map(|(name, _)| name.clone()).collect(),
            initializers: Vec::new(),
            definitions: BTreeMap::new(),
            isolates,
            flat,
            names,
            objects,
            globals,
            roots,
            turns: expander.turns.clone(),
            named,
            presences: Vec::new(),
        };
        expander.probe = Some(Probe::default());
        analysis.declarations(expander);
        analysis.statements(expander);
        expander.probe = None;
        // An order may be one that a definition gives.
        for uses in analysis.uses.iter_mut().filter(|uses| uses.mentions.contains("<")) {
            uses.mentions.extend(expander.operators.keys().cloned());
        }
        analysis.presences =
            (0..=analysis.isolates.len()).map(|at| analysis.presence(at, expander)).collect();
        analysis
    }

    /// Returns whether declarations that no isolate verifies are verified together.
    pub(super) fn has_this(&self) -> bool {
        self.minor >= FIRST_WITH_THIS
    }

    /// Returns whether the program is verified in parts: it has isolates, or something in it is seen nowhere else.
    pub(super) fn is_split(&self) -> bool {
        !self.isolates.is_empty() || self.has_this() && self.in_isolate(0).contains(&Presence::Absent)
    }

    /// Returns what each declaration is in an isolate: the one at this position, or the rest of the program.
    pub(super) fn in_isolate(&self, isolate: usize) -> &[Presence] {
        &self.presences[isolate]
    }

    /// Returns the positions of explicit axioms and definitions that an isolate names after `with`.
    pub(super) fn named(&self, isolate: usize) -> &[usize] {
        self.named.get(isolate).map_or(&[], |named| named)
    }

    /// Returns the positions of all isolates, the rest of the program included.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.isolates.len() + usize::from(self.has_this())
    }

    /// Returns whether nothing of an isolate is verified.
    pub(super) fn is_trusted(&self, isolate: usize) -> bool {
        self.isolates.get(isolate).is_some_and(|it| it.is_trusted)
    }

    fn presence(&self, isolate: usize, expander: &Expander<'_, '_>) -> Vec<Presence> {
        let is_trusted = self.is_trusted(isolate);
        let isolate = self.isolates.get(isolate);
        let view = |minor| {
            let objects = (&self.objects, &*self.globals);
            View::new(isolate, &expander.scopes, objects, &self.roots, minor)
        };
        // A property is that of the innermost isolate in all versions.
        let (view, of_properties) = (view(self.minor), view(FIRST_WITH_THIS));
        let each = self.flat.iter().zip(&self.names).map(|(flat, (names, object))| {
            let is_property = matches!(flat.decl.kind, DeclKind::Formula { role: Role::Property, .. });
            let view = if is_property { &of_properties } else { &view };
            let found = match flat.is_of_impl {
                true => Presence::of(false, view.lists(object)),
                false => view.of(names, object, flat.is_private),
            };
            let found = if flat.is_global { found.max(Presence::Assumed) } else { found };
            let is_of_program = **object == *THIS;
            // Before all claims had names, those of the whole program were everybody's, and each isolate showed all that it saw.
            match &flat.decl.kind {
                DeclKind::Formula { role, label, .. } if !self.has_this() => {
                    let is_seen = found != Presence::Absent || label.is_none() && is_of_program;
                    match role {
                        Role::Invariant | Role::Explicit | Role::Safety | Role::Goal
                            if is_seen && !is_trusted =>
                        {
                            Presence::Verified
                        }
                        _ if is_seen => found.max(Presence::Assumed),
                        _ => Presence::Absent,
                    }
                }
                // So were its definitions.
                DeclKind::Definition { label: None, .. } | DeclKind::Symbols { .. } | DeclKind::Choice(_)
                    if !self.has_this() && is_of_program =>
                {
                    found.max(Presence::Assumed)
                }
                _ => found,
            }
        });
        each.collect()
    }

    /// Finds what formulas and definitions mention.
    fn declarations(&mut self, expander: &mut Expander<'a, '_>) {
        for (at, flat) in self.flat.iter().enumerate() {
            let mut add = |own: &[SortedVar], formula: &Expr| {
                let mut context = expander.in_definition(flat.scope, own);
                expander.scope_vars(formula, &mut context);
                let (formula, _) = expander.open(formula, &context);
                let mentions = &mut self.uses[at].mentions;
                mention(&formula, mentions);
                mentions.extend(expander.probe.as_mut().map(std::mem::take).unwrap_or_default().expanded);
            };
            match &flat.decl.kind {
                DeclKind::Formula { formula, .. } => {
                    add(&[], formula);
                    for goal in expander.mentioned_in_proof(*flat) {
                        mention(&goal, &mut self.uses[at].mentions);
                    }
                    expander.probe = Some(Probe::default());
                }
                DeclKind::Scheme(scheme) => add(&[], &scheme.formula),
                DeclKind::Unchecked { formula, named: Some(_), .. } => add(&[], formula),
                DeclKind::Theorem(theorem) => {
                    theorem.formulas().into_iter().for_each(|formula| add(&[], formula));
                }
                DeclKind::Definition { name, params, body, .. } => {
                    add(params, body);
                    let name = expander.definition_name(flat.scope, name, params, body);
                    self.definitions.insert(name, at);
                }
                DeclKind::Symbols { symbols, .. } => {
                    for symbol in symbols {
                        let Some(body) = &symbol.definition else { continue };
                        add(&symbol.params, body);
                    }
                    for symbol in symbols.iter().filter(|it| it.definition.is_some()) {
                        self.definitions.insert(expander.scopes.full(flat.scope, &symbol.name.name), at);
                    }
                }
                DeclKind::Choice(choice) => {
                    let mut own = choice.params.clone();
                    own.push(choice.chosen.0.clone());
                    add(&own, &choice.chosen.1);
                    for value in choice.value.iter().flat_map(|(value, other)| [value, other]) {
                        add(&own, value);
                    }
                    self.definitions.insert(expander.scopes.resolve(flat.scope, &choice.name.name).name, at);
                }
                DeclKind::Init { .. } => self.initializers.push(at),
                _ => {}
            }
        }
    }

    /// Finds what statements do.
    fn statements(&mut self, expander: &mut Expander<'a, '_>) {
        for (full, info) in expander.actions.clone() {
            let role = info.implemented.unwrap_or(info.declared).at;
            let mut executed = Vec::new();
            let is_delegated = expander.delegated.contains(&full);
            let own = info.implemented.map(|part| {
                let body = part.action.body.as_deref().unwrap_or_default();
                (part, body, is_delegated)
            });
            let before = info.before.iter().map(|&(part, stmts)| (part, stmts, true));
            let after = info.after.iter().map(|&(part, stmts)| (part, stmts, false));
            let parts: Vec<_> = before.chain(own).chain(after).collect();
            for (part, stmts, is_before) in parts {
                if !executed.contains(&part.at) {
                    executed.push(part.at);
                }
                let commands = expander.probe(&full, &info, part, stmts, is_before);
                let uses = &mut self.uses[part.at];
                uses.add(&commands, expander);
                uses.mentions.extend(expander.old.get(&full).into_iter().flatten().cloned());
            }
            self.actions.insert(full, Parts { role, executed });
        }
        for &at in &self.initializers {
            let mut items = Vec::new();
            expander.init(&self.flat[at..=at], &mut items);
            let commands: Vec<Command> = commands_of(&items).cloned().collect();
            self.uses[at].add(&commands, expander);
        }
    }

    /// Returns the symbols that are mentioned, with those that their definitions mention, as far as these are followed.
    pub(super) fn with_definitions(
        &self,
        mentions: &BTreeSet<Arc<str>>,
        follows: impl Fn(&Arc<str>) -> bool,
    ) -> BTreeSet<Arc<str>> {
        let mut open: Vec<Arc<str>> = mentions.iter().cloned().collect();
        let mut found = mentions.clone();
        while let Some(name) = open.pop() {
            let Some(&at) = self.definitions.get(&name).filter(|_| follows(&name)) else { continue };
            for name in &self.uses[at].mentions {
                if found.insert(name.clone()) {
                    open.push(name.clone());
                }
            }
        }
        found
    }

    /// Returns the actions that are executed where these are: those that their parts call, as far as `through` follows them.
    pub(super) fn reached(
        &self,
        from: impl IntoIterator<Item = Arc<str>>,
        through: impl Fn(usize) -> bool,
    ) -> BTreeSet<Arc<str>> {
        let mut found: BTreeSet<Arc<str>> = from.into_iter().collect();
        let mut open: Vec<Arc<str>> = found.iter().cloned().collect();
        while let Some(action) = open.pop() {
            let Some(parts) = self.actions.get(&action) else { continue };
            for &part in parts.executed.iter().filter(|&&part| through(part)) {
                for callee in &self.uses[part].calls {
                    if found.insert(callee.clone()) {
                        open.push(callee.clone());
                    }
                }
            }
        }
        found
    }
}

/// Returns the names by which a declaration can be listed, and the object in which it stands. A monitor of a parameter of the module around
/// it belongs to the object of the action that the parameter is.
fn place_of(flat: &Flat<'_>, scopes: &Scopes<'_>) -> (Vec<Arc<str>>, Arc<str>) {
    match &flat.decl.kind {
        DeclKind::Monitor { action, .. } if scopes.is_argument(flat.scope, &action.name.name) => {
            (Vec::new(), parent(&scopes.resolve(flat.scope, &action.name.name).name).into())
        }
        _ => (names_of(flat, scopes), scopes.full(flat.scope, "this")),
    }
}

/// Returns the positions of explicit axioms that an isolate names after `with`.
fn named_by(
    isolate: &Isolate<'_>,
    flat: &[Flat<'_>],
    names: &[(Vec<Arc<str>>, Arc<str>)],
    scopes: &Scopes<'_>,
) -> Vec<usize> {
    let with = isolate.seen.with.iter().map(|name| scopes.resolve(isolate.seen.scope, &name.name).name);
    let with: Vec<Arc<str>> = with.collect();
    let is_explicit = |kind: &DeclKind| match kind {
        DeclKind::Formula { role: Role::Axiom, keyword, .. } => keyword.starts_with(EXPLICIT),
        DeclKind::Definition { is_explicit, .. } => *is_explicit,
        _ => false,
    };
    let is_named = |at: usize| names[at].0.iter().any(|name| with.contains(name));
    flat.iter().filter(|it| is_explicit(&it.decl.kind) && is_named(it.at)).map(|it| it.at).collect()
}

impl Uses {
    /// Returns whether it changes something, or owes something itself.
    pub(super) fn counts(&self) -> bool {
        !self.changes.is_empty() || self.ensured.is_some()
    }

    fn add(&mut self, commands: &[Command], expander: &mut Expander<'_, '_>) {
        let found = expander.probe.as_mut().map(std::mem::take).unwrap_or_default();
        self.calls.extend(found.calls);
        self.mentions.extend(found.expanded);
        self.required = self.required.or(found.required);
        self.ensured = self.ensured.or(found.ensured);
        for_each_command(commands, |command| {
            if let Some(target) = command.target()
                && expander.symbols.contains_key(&target.name)
            {
                self.changes.entry(target.name.clone()).or_insert_with(|| command.span());
            }
            command.for_each_expr(|expr| mention(expr, &mut self.mentions));
        });
    }
}

/// Adds the names in a formula.
fn mention(formula: &Expr, found: &mut BTreeSet<Arc<str>>) {
    for expr in formula.nodes() {
        match &expr.kind {
            ExprKind::Ref { name, .. } => _ = found.insert(name.name.clone()),
            ExprKind::Binary { op, .. } if op.is_order() => _ = found.insert("<".into()),
            _ => {}
        }
    }
}

impl<'a> Expander<'a, '_> {
    /// Translates a part of an action without what it calls.
    fn probe(
        &mut self,
        full: &Arc<str>,
        info: &ActionInfo<'a>,
        part: Part<'a>,
        stmts: &'a [Stmt],
        is_before: bool,
    ) -> Vec<Command> {
        let mut out = Vec::new();
        let (params, results) = self.signature(info, &mut out);
        out.clear();
        let params: Vec<Arc<str>> = params.iter().map(|param| param.name.name.clone()).collect();
        let own = params.iter().chain(&results).cloned().collect();
        self.calling.push(Call { action: full.clone(), params: own, old: Vec::new() });
        let mut frame: Frame = self.frame(full, info, part, &params, &results, Caller::Program);
        frame.is_before = is_before;
        self.stmts(stmts, &mut frame, &mut out);
        self.calling.pop();
        out
    }
}

/// Returns whether an isolate around what another one verifies shows its properties too, by its name.
fn is_shown_around(root: &str, roots: &Set<Arc<str>>) -> bool {
    let around = parent(root);
    roots.contains(around) && *join(around, SPECIFICATION) == *root
}

/// Returns the error about an isolate whose properties the isolate around it shows as well.
fn shown_twice(isolate: &Isolate<'_>) -> Diagnostic {
    let message =
        format!("the isolate `{}` has a name that an isolate around it takes for its own part", isolate.name);
    Diagnostic::error(Code::Program, isolate.span, message)
        .label("Ivy shows its properties in both")
        .help(format!("give what it verifies another name than `{SPECIFICATION}`"))
}
