//! Actions: their monitors, and the transitions of the program.

use std::sync::Arc;

use super::before::copy_name;
use super::commands::command;
use super::declarations::renamed;
use super::exprs::reference;
use super::flat::Flat;
use super::formulas::{Context, Found, is_variable, parameter};
use super::isolates::Presence;
use super::others::Moment;
use super::state::{ActionInfo, Call, Expander, Local, Part, UNKNOWN};
use super::statements::{Caller, Frame};
use crate::ivy::ast::{DeclKind, END_OF_LOOP, File, Ident, SortName, SortRef, SortedVar, StmtKind};
use crate::program::ast::{Branch, Command, CommandKind, Item, ItemKind};
use ramsey_core::base::hash::Set;
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Expander<'a, '_> {
    /// Adds a declared action to the table, after all names are known.
    pub(super) fn declare_action(&mut self, flat: Flat<'a>) {
        let scope = flat.scope;
        match &flat.decl.kind {
            DeclKind::Broken(names) => self.broken.extend(names.iter().cloned()),
            DeclKind::Action(action) => {
                let full = self.scopes.resolve(scope, &action.name.name).name;
                let part = flat.part(action);
                if let Some(known) = self.actions.get(&full) {
                    let first = known.declared.action.name.span();
                    let name = &action.name;
                    self.report.push(
                        Diagnostic::error(
                            Code::Duplicate,
                            name.span(),
                            format!("the action `{}` is declared twice", name.name),
                        )
                        .label("declared again here")
                        .also(first, "first declared here"),
                    );
                    return;
                }
                self.globals.insert(full.clone());
                self.order.push(full.clone());
                let implemented = action.body.is_some().then_some(part);
                let (before, after) = (Vec::new(), Vec::new());
                let info = ActionInfo { declared: part, implemented, before, after };
                self.actions.insert(full, info);
            }
            _ => {}
        }
    }

    /// Adds the loop, whose branches are the exported actions.
    ///
    /// Up to version 1.6 all actions are if none is exported. As in Ivy this is so in programs that have neither isolates
    /// nor `after init`, which `is_closed` tells.
    pub(super) fn transitions(&mut self, main: &File, is_closed: bool, items: &mut Vec<Item>) {
        let mut exported: Vec<Arc<str>> = Vec::new();
        for (name, span) in std::mem::take(&mut self.exported) {
            if exported.contains(&name) {
                self.report.push(
                    Diagnostic::warning(Code::Unchecked, span, format!("`{name}` is exported twice"))
                        .label("again here"),
                );
            } else {
                exported.push(name);
            }
        }
        let mut caller = Caller::Environment;
        if exported.is_empty() && main.version.minor < 7 && !is_closed {
            exported = self.order.clone();
            // Nothing says that it is the environment which calls them, so nobody is assumed to keep to what they require.
            caller = Caller::Program;
        }
        let is_whole = self.cut.is_none();
        if let Some(cut) = &self.cut {
            exported.clone_from(&cut.transitions);
        }
        for name in &exported {
            if let Some(info) = self.actions.get(name).cloned() {
                self.executed_of_library(name, &info, info.declared.action.name.span());
            }
        }
        let branches: Vec<Branch> =
            exported.iter().filter_map(|name| self.transition(name, caller)).collect();
        for name in self.order.clone() {
            if is_whole && !exported.contains(&name) && !self.called.contains(&name) {
                self.unused(&name, items);
            }
        }
        let Some(place) = branches.first().map(|branch| branch.place) else {
            if let Some(first) = self.order.first().and_then(|name| self.actions.get(name))
                && is_whole
            {
                self.report.push(
                    Diagnostic::warning(
                        Code::Unchecked,
                        first.declared.action.name.span(),
                        "no action is exported, so nothing ever changes",
                    )
                    .label("for example this one")
                    .help(format!("write `export {}`", first.declared.action.name.name)),
                );
            }
            return;
        };
        let body = vec![command(CommandKind::Choice(branches), place.0)];
        items.push(Item { kind: ItemKind::While(body), place });
    }

    /// Returns the transition that is an exported action.
    fn transition(&mut self, full: &Arc<str>, caller: Caller) -> Option<Branch> {
        let info = self.actions.get(full).cloned()?;
        let decl = info.declared;
        let span = decl.action.name.span();
        let mut declared = Vec::new();
        let (params, results) = self.signature(&info, &mut declared);
        let names: Vec<Arc<str>> = params.iter().map(|param| param.name.name.clone()).collect();
        self.transition = Some(full.clone());
        let mut body = Vec::new();
        for (scope, formula) in self.trusted.clone() {
            let (formula, _) = self.of_state(|it| it.closed(formula, &Context::of(scope)));
            body.push(command(CommandKind::Assume(formula), span));
        }
        self.assume_holding(span, &mut body);
        self.assume_others(Moment::Start, span, &mut body);
        body.append(&mut declared);
        self.parts(full, &info, &names, &results, caller, &mut body);
        self.assume_others(Moment::End, span, &mut body);
        self.explicit_invariants(&mut body);
        self.transition = None;
        let name = Ident { name: full.clone(), place: decl.action.name.place };
        Some(Branch { name: Some(name), params, body, place: decl.action.name.place })
    }

    /// Declares the parameters and results of an action that no other one calls. Returns the parameters, and the names of the
    /// results.
    pub(super) fn signature(
        &mut self,
        info: &ActionInfo<'a>,
        out: &mut Vec<Command>,
    ) -> (Vec<SortedVar>, Vec<Arc<str>>) {
        self.locals.clear();
        let changed = self.changed_in(info);
        let mut params = Vec::new();
        for param in self.formals(info.declared) {
            params.push(self.new_local(&param, changed.contains(&param.name.name)));
        }
        let names: Vec<Arc<str>> = params.iter().map(|param| param.name.name.clone()).collect();
        let results = self.results(info.declared, &names, &changed, out);
        (params, results)
    }

    /// Adds an action that nothing executes. Its statements are checked, and mean nothing.
    fn unused(&mut self, full: &Arc<str>, items: &mut Vec<Item>) {
        let (errors, unread) = (self.report.errors(), self.unread.len());
        self.is_unused = true;
        let branch = self.transition(full, Caller::Environment);
        self.is_unused = false;
        self.unread.truncate(unread);
        if let Some(branch) = branch
            && self.report.errors() == errors
        {
            let place = branch.place;
            let command = command(CommandKind::Choice(vec![Branch { name: None, ..branch }]), place.0);
            items.push(Item { kind: ItemKind::Unused(command), place });
        }
    }

    /// Returns the parameters of an action, after those of the objects around it.
    pub(super) fn formals(&self, decl: Part<'a>) -> Vec<SortedVar> {
        let mut formals = self.scopes.params(decl.scope);
        for param in decl.action.params.iter().flatten() {
            let sort = param.sort.as_ref().map(|sort| self.scopes.sort(decl.scope, sort));
            formals.push(SortedVar { name: param.name.clone(), sort });
        }
        // A sort is that of the variables before it which have none.
        let mut sort = None;
        for formal in formals.iter_mut().rev() {
            match (&formal.sort, &sort) {
                (Some(known), _) => sort = Some(known.clone()),
                (None, known) => formal.sort = known.clone(),
            }
        }
        formals
    }

    /// Returns the parameters of an action as a part of it calls them: those of the objects around the part come first. A part
    /// without parameters of its own has the names of the declaration for the others.
    pub(super) fn names_in(&self, part: Part<'a>, formals: &[SortedVar]) -> Vec<SortedVar> {
        let mut own = self.scopes.params(part.scope);
        match &part.action.params {
            Some(params) => own.extend(params.iter().map(|param| {
                let sort = param.sort.as_ref().map(|sort| self.scopes.sort(part.scope, sort));
                SortedVar { name: param.name.clone(), sort }
            })),
            None => own.extend(formals.iter().skip(own.len()).cloned()),
        }
        own
    }

    /// Declares the results of an action, with any values. One with the name of a parameter has the value of that.
    /// `params` are the names of the parameters. Returns those of the results.
    pub(super) fn results(
        &mut self,
        decl: Part<'a>,
        params: &[Arc<str>],
        changed: &Set<Arc<str>>,
        body: &mut Vec<Command>,
    ) -> Vec<Arc<str>> {
        let formals = self.formals(decl);
        let mut names = Vec::new();
        for result in &decl.action.returns {
            let span = result.name.span();
            let sort = result.sort.as_ref().map(|sort| self.scopes.sort(decl.scope, sort));
            let same = formals.iter().position(|formal| formal.name.name == result.name.name);
            let result = SortedVar { name: result.name.clone(), sort };
            let var = self.new_local(&result, same.is_some() || changed.contains(&result.name.name));
            let target = var.name.clone();
            names.push(target.name.clone());
            body.push(command(CommandKind::Local(vec![var]), span));
            if let Some(param) = same.and_then(|at| params.get(at)) {
                let value = reference(param.clone(), Vec::new(), span);
                body.push(command(CommandKind::Assign { target, args: None, value }, span));
            }
        }
        names
    }

    /// Brings a variable of a command into scope, under a name that nothing else has.
    pub(super) fn new_local(&mut self, var: &SortedVar, is_assigned: bool) -> SortedVar {
        let source = &var.name.name;
        // A parameter of an object may have the name of a variable of a formula, which is another one.
        let plain: Arc<str> = source.to_ascii_lowercase().into();
        let plain = if is_variable(source) { &plain } else { source };
        let plain: Arc<str> = plain.replace(END_OF_LOOP, "_end").into();
        let mut name = plain.clone();
        let mut count = 0;
        while self.globals.contains(&name)
            || self.undeclared.contains(&name)
            || self.locals.iter().any(|local| local.name == name)
        {
            count += 1;
            name = format!("{plain}_{count}").into();
        }
        if var.sort.is_none() {
            self.report.push(
                Diagnostic::error(
                    Code::SortUnknown,
                    var.name.span(),
                    format!("the type of `{source}` is not given"),
                )
                .label("expected `:` and the type")
                .help(format!("write `{source}:t`")),
            );
        }
        let place = var.name.place;
        let sort = var.sort.clone().or(Some(SortRef { name: SortName::Named(UNKNOWN.into()), place }));
        let source = source.clone();
        self.locals.push(Local { name: name.clone(), source, sort: sort.clone(), is_assigned });
        SortedVar { name: renamed(name, place.0), sort }
    }

    /// Translates all parts of an action, in the order of their execution, in which it is being inlined.
    pub(super) fn parts(
        &mut self,
        full: &Arc<str>,
        info: &ActionInfo<'a>,
        params: &[Arc<str>],
        results: &[Arc<str>],
        caller: Caller,
        out: &mut Vec<Command>,
    ) {
        let start = out.len();
        let own = params.iter().chain(results).cloned().collect();
        self.calling.push(Call { action: full.clone(), params: own, old: Vec::new() });
        let own = info.implemented.map(|part| (part, part.action.body.as_deref().unwrap_or_default()));
        let before = info.before.iter().map(|&(part, stmts)| (part, stmts, true));
        let others = own.iter().chain(&info.after).map(|&(part, stmts)| (part, stmts, false));
        for (part, stmts, is_before) in before.chain(others) {
            let is_native = stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Native(_)));
            if part.presence == Presence::Absent || is_native && self.is_taken_on_trust(part, info) {
                self.absent(part, stmts, info, (params, results), out);
                continue;
            }
            let mut frame = self.frame(full, info, part, params, results, caller);
            let is_body = info.implemented.is_some_and(|body| body.at == part.at);
            frame.is_before = is_before || is_body && self.delegated.contains(full);
            self.stmts(stmts, &mut frame, out);
        }
        let span = info.declared.action.name.span();
        let copies: Vec<Arc<str>> = self.old.get(full).into_iter().flatten().cloned().collect();
        for symbol in copies {
            let Some(count) = self.symbols.get(&symbol).map(|symbol| symbol.args.len()) else { continue };
            let vars = |_: ()| (1..=count).map(|at| reference(format!("X{at}").into(), Vec::new(), span));
            let args = (count > 0).then(|| vars(()).collect());
            let args_of_value = vars(()).collect();
            let value = if self.functions.contains_key(&symbol) {
                let mut context = Context::of(self.scopes.root());
                self.defined_function(&symbol, args_of_value, span, &mut context, &mut Found::default())
            } else {
                reference(symbol.clone(), args_of_value, span)
            };
            let target = renamed(copy_name(&symbol, full), span);
            out.insert(start, command(CommandKind::Assign { target, args, value }, span));
        }
        let values = self.calling.pop().map(|call| call.old).unwrap_or_default();
        for (param, copy) in values {
            let sort =
                self.locals.iter().find(|local| local.name == param).and_then(|local| local.sort.clone());
            let var = SortedVar { name: renamed(copy, span), sort };
            let (target, value) = (var.name.clone(), reference(param, Vec::new(), span));
            out.insert(start, command(CommandKind::Assign { target, args: None, value }, span));
            out.insert(start, command(CommandKind::Local(vec![var]), span));
        }
    }

    /// Returns whether statements in another language are not verified: in a trusted isolate. An isolate that sees them takes them
    /// for those of the action where `implement` says so, or beside monitors.
    fn is_taken_on_trust(&self, part: Part<'a>, info: &ActionInfo<'a>) -> bool {
        let mut monitors = info.before.iter().chain(&info.after);
        let is_beside = monitors.any(|(it, _)| it.presence != Presence::Absent);
        part.is_trusted && (self.cut.is_none() || part.at != info.declared.at || is_beside)
    }

    /// Returns the place of the statements of a part of an action.
    pub(super) fn frame(
        &mut self,
        full: &Arc<str>,
        info: &ActionInfo<'a>,
        part: Part<'a>,
        params: &[Arc<str>],
        results: &[Arc<str>],
        caller: Caller,
    ) -> Frame {
        let mut context = Context::of(part.scope);
        context.action = Some(full.clone());
        context.calls = true;
        context.is_trusted = part.presence != Presence::Verified;
        let declared = info.declared;
        let formals = self.formals(declared);
        let (own, outer) = (self.names_in(part, &formals), self.scopes.params(part.scope).len());
        let is_monitor = !std::ptr::eq(part.action, declared.action);
        let results_of_part = if is_monitor && part.action.returns.is_empty() {
            &declared.action.returns
        } else {
            &part.action.returns
        };
        if own.len() != formals.len() || results_of_part.len() != results.len() {
            let outer = outer.min(formals.len());
            self.report.push(crate::fol::statics::names::wrong_count(
                &part.action.name,
                part.action.name.span(),
                own.len() - outer + results_of_part.len(),
                formals.len() - outer + results.len(),
                declared.action.name.span(),
            ));
        }
        // A monitor may leave sorts out, but not have others.
        let is_named = |vars: &[SortedVar], name: &str| vars.iter().any(|var| *var.name.name == *name);
        let of_results = part.action.returns.iter().zip(&declared.action.returns);
        for (own, known) in own.iter().zip(&formals).skip(outer).chain(of_results.clone()) {
            let name = &known.name.name;
            let is_both = is_named(&formals, name) && is_named(&declared.action.returns, name);
            if own.name.name != *name && is_both {
                self.report.push(
                    Diagnostic::error(
                        Code::Program,
                        own.name.span(),
                        format!("`{name}` is a parameter and a result, which has no other name here"),
                    )
                    .label("another name")
                    .also(known.name.span(), "declared here"),
                );
            }
        }
        for (own, known) in own.iter().zip(&formals) {
            if let (Some(given), Some(sort)) = (&own.sort, &known.sort) {
                self.same_sort(&own.name.name, Some(sort.clone()), given);
            }
        }
        for (own, known) in of_results {
            if let (Some(given), Some(sort)) = (&own.sort, &known.sort) {
                let [given, sort] = [(part.scope, given), (declared.scope, sort)]
                    .map(|(scope, sort)| self.scopes.sort(scope, sort));
                self.same_sort(&own.name.name, Some(sort), &given);
            }
        }
        // Variables that are parameters of objects are known by their positions alone.
        let around = match part.action.params {
            Some(_) => outer,
            None => outer.max(self.scopes.params(declared.scope).len()),
        };
        for (at, (param, name)) in own.iter().zip(params).enumerate() {
            if at < outer {
                context.locals.push((parameter(at), name.clone()));
            }
            if at >= around || !is_variable(&param.name.name) {
                context.locals.push((param.name.name.clone(), name.clone()));
            }
        }
        for (result, name) in results_of_part.iter().zip(results) {
            context.locals.push((result.name.name.clone(), name.clone()));
        }
        let hidden = |it: &&Ident| context.local(&it.name).is_some();
        if let Some(place) = part.action.places.iter().find(hidden) {
            let message =
                format!("a parameter or result of `{full}` has the name of the place `{}`", place.name);
            self.report.push(
                Diagnostic::error(Code::Program, place.span(), message)
                    .label("which one is meant?")
                    .also(part.action.name.span(), "the action of this transition")
                    .help("give the place another name"),
            );
        }
        // In an isolate it counts where the statements of the action are verified, and where the program calls the action, also
        // where the monitor is verified that claims it.
        let owner = if self.cut.is_some() { info.implemented.unwrap_or(declared) } else { part };
        let is_called = caller == Caller::Program && part.presence == Presence::Verified;
        let is_shown = owner.presence == Presence::Verified || is_called;
        Frame { context, caller, is_before: false, is_shown }
    }
}
