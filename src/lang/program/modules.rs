//! Expansion of includes and modules into a single list of declarations and commands.

use std::cell::OnceCell;
use std::sync::Arc;

use super::actions::parts;
use super::ast::{
    Expr, ExprKind, Ident, Item, ItemKind, Module, Place, Program, Proof, ProofStep, SortName, SortRef,
    SortedVar,
};
use super::{Dialect, errors};
use crate::fol::proof::outermost;
use crate::shared::Includes;
use crate::shared::report::{Report, suggest};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::diag::{Code, Diagnostic};

/// Maximum number of declarations created by all uses of modules.
const MAX_ITEMS: usize = 100_000;

/// Returns the declarations and commands of the first program and of the files that it includes, with every `use`
/// replaced by the declarations of the module.
pub(super) fn expand(
    programs: &[Program],
    sources: &Sources,
    includes: &Includes,
    dialect: Dialect,
    report: &mut Report,
) -> Vec<Item> {
    let items = joined(programs, sources, includes, dialect, report);
    let mut modules =
        Modules { modules: Map::default(), taken: Names::default(), open: Vec::new(), count: 0 };
    for item in &items {
        let within = if let ItemKind::Module(module) = &item.kind { &module.items[..] } else { &[] };
        for item in std::iter::once(item).chain(within) {
            declared(item, &mut |kind, name| _ = modules.taken.of(kind).insert(name.name.clone()));
        }
    }
    let actions = parts(&items, &mut Report::default()).actions;
    modules.taken.symbols.extend(actions.into_iter().map(|action| action.name.name));
    let mut rest = Vec::new();
    for item in items {
        match item.kind {
            ItemKind::Module(module) => modules.add(module, report),
            _ => rest.push(item),
        }
    }
    let mut expanded = Vec::new();
    for item in rest {
        match Usage::of(&item) {
            Some(usage) => modules.instantiate(usage, &mut expanded, report),
            None => expanded.push(item),
        }
    }
    expanded
}

/// Returns the items of the first program. The items of an included file come before those of the including one. Each
/// file is included once.
fn joined(
    programs: &[Program],
    sources: &Sources,
    includes: &Includes,
    dialect: Dialect,
    report: &mut Report,
) -> Vec<Item> {
    let items_of = |file| programs.iter().find(|it| it.file == file).map_or(&[][..], |it| &it.items[..]);
    let Some(main) = programs.first() else { return Vec::new() };
    let mut items = Vec::new();
    let mut seen = Set::from_iter([main.file]);
    // Files being processed, each with its remaining items.
    let mut open = vec![(main.file, main.items.iter())];
    while let Some((file, rest)) = open.last_mut() {
        let Some(item) = rest.next() else {
            open.pop();
            continue;
        };
        let file = *file;
        let ItemKind::Include { path, place } = &item.kind else {
            items.push(item.clone());
            continue;
        };
        match includes.resolve(file, path) {
            Ok(included) if open.iter().any(|(file, _)| *file == included) => {
                let cycle = open.iter().map(|(file, _)| *file).skip_while(|file| *file != included);
                let names: Vec<String> =
                    cycle.chain([included]).map(|file| format!("`{}`", sources[file].name)).collect();
                report.push(
                    Diagnostic::error(Code::Module, place.0, "the files include each other")
                        .label("included here, while it is being read")
                        .note(format!("the cycle is {}", names.join(" -> ")))
                        .help("what both files need belongs in a third one that both include"),
                );
                items.push(Item { kind: ItemKind::Broken(Vec::new()), place: item.place });
            }
            Ok(included) => {
                if seen.insert(included) {
                    open.push((included, items_of(included).iter()));
                }
            }
            Err(reason) => {
                let shown: String = path.chars().take(100).collect();
                let error = Diagnostic::error(
                    Code::Module,
                    place.0,
                    format!("the file `{shown}` cannot be included: {reason}"),
                )
                .label("included here");
                report.push(match suggest(path, dialect.prelude.iter().copied()) {
                    Some(near) => error.help(format!("did you mean the library's `{near}`?")),
                    None => error,
                });
                // Its declarations are unknown.
                let kind = ItemKind::Broken(Vec::new());
                items.push(Item { kind, place: item.place });
            }
        }
    }
    items
}

/// What a name stands for. A sort and a symbol may have the same one.
#[derive(Clone, Copy)]
enum Kind {
    Sort,
    Symbol,
}

/// Something for each kind of names.
#[derive(Default)]
struct Names<T> {
    sorts: T,
    symbols: T,
}

impl<T> Names<T> {
    fn of(&mut self, kind: Kind) -> &mut T {
        match kind {
            Kind::Sort => &mut self.sorts,
            Kind::Symbol => &mut self.symbols,
        }
    }
}

/// Calls `visit` with each name that an item declares, except names of modules.
fn declared<'a>(item: &'a Item, visit: &mut dyn FnMut(Kind, &'a Ident)) {
    match &item.kind {
        ItemKind::Sort { name, .. } => visit(Kind::Sort, name),
        ItemKind::Macro { name, .. } | ItemKind::Formula { name: Some(name), .. } => {
            visit(Kind::Symbol, name)
        }
        ItemKind::Symbol(symbol) => symbol.names.iter().for_each(|name| visit(Kind::Symbol, name)),
        _ => {}
    }
}

/// Returns the names that occur in the formulas of a module, and those that its formulas bind.
fn mentioned(module: &Module) -> Set<Arc<str>> {
    fn of_formula(formula: &Expr, names: &mut Set<Arc<str>>) {
        for expr in formula.nodes() {
            match &expr.kind {
                ExprKind::Ref { name, .. } => _ = names.insert(name.name.clone()),
                ExprKind::Quantifier { vars, .. } => names.extend(vars.iter().map(|it| it.name.name.clone())),
                ExprKind::Let { var, .. } => _ = names.insert(var.name.name.clone()),
                _ => {}
            }
        }
    }
    fn of_steps(steps: &[ProofStep], names: &mut Set<Arc<str>>) {
        for step in steps {
            match step {
                ProofStep::Let { var, term } => {
                    names.insert(var.name.name.clone());
                    of_formula(term, names);
                }
                ProofStep::If { condition, then, otherwise } => {
                    of_formula(condition, names);
                    of_steps(then, names);
                    of_steps(otherwise, names);
                }
            }
        }
    }
    let mut names = Set::default();
    for item in &module.items {
        match &item.kind {
            ItemKind::Formula { formula, proof, .. } => {
                of_formula(formula, &mut names);
                proof.iter().for_each(|proof| of_steps(&proof.steps, &mut names));
            }
            ItemKind::Macro { params, body, .. } => {
                names.extend(params.iter().map(|it| it.name.name.clone()));
                of_formula(body, &mut names);
            }
            _ => {}
        }
    }
    names
}

/// A `use` of a module.
#[derive(Clone, Copy)]
struct Usage<'a> {
    module: &'a Ident,
    args: &'a [Ident],
    prefix: Option<&'a Ident>,
    span: Span,
}

impl<'a> Usage<'a> {
    fn of(item: &'a Item) -> Option<Self> {
        let ItemKind::Use { module, args, prefix } = &item.kind else { return None };
        Some(Usage { module, args, prefix: prefix.as_ref(), span: item.span() })
    }
}

struct Modules {
    modules: Map<Arc<str>, Arc<Module>>,
    /// Names declared anywhere. Variables in modules are renamed to avoid them.
    taken: Names<Set<Arc<str>>>,
    /// The modules being expanded.
    open: Vec<Arc<str>>,
    /// The number of declarations created by uses.
    count: usize,
}

impl Modules {
    fn add(&mut self, module: Module, report: &mut Report) {
        let name = &module.name;
        if let Some(other) = self.modules.get(&name.name) {
            report.push(errors::duplicate("module", name, &other.name));
            return;
        }
        for (at, param) in module.params.iter().enumerate() {
            if let Some(first) = module.params[..at].iter().find(|first| first.name == param.name) {
                report.push(
                    Diagnostic::error(
                        Code::Duplicate,
                        param.span(),
                        format!("the parameter `{}` is declared twice", param.name),
                    )
                    .label("again here")
                    .also(first.span(), "first here"),
                );
            }
        }
        for item in &module.items {
            if let ItemKind::Include { .. } = item.kind {
                report.push(
                    Diagnostic::error(Code::Module, item.span(), "a file is included inside of a module")
                        .label("not possible in a module")
                        .help("include it before the module"),
                );
            }
            if matches!(item.kind, ItemKind::Command(_) | ItemKind::While(_) | ItemKind::Trace { .. }) {
                report.push(
                    Diagnostic::error(Code::Program, item.span(), "a module holds declarations only")
                        .label("not possible in a module")
                        .help("commands belong to the program that uses the module"),
                );
            }
        }
        self.modules.insert(name.name.clone(), Arc::new(module));
    }

    /// Appends the declarations that replace a `use` of a module.
    fn instantiate(&mut self, usage: Usage<'_>, items: &mut Vec<Item>, report: &mut Report) {
        let Some(module) = self.modules.get(&usage.module.name).cloned() else {
            self.report_unknown(usage.module, report);
            items.push(Item { kind: ItemKind::Broken(Vec::new()), place: Place(usage.span) });
            return;
        };
        if !self.fits(usage, &module, report) {
            return;
        }
        let map = names_in_instance(usage, &module);
        self.taken.sorts.extend(map.sorts.values().map(|name| name.name.clone()));
        self.taken.symbols.extend(map.symbols.values().map(|name| name.name.clone()));
        self.open.push(usage.module.name.clone());
        for item in self.instance(&module, &map, report) {
            if self.count > MAX_ITEMS || !report.spend(1) {
                break;
            }
            match Usage::of(&item) {
                Some(inner) => self.instantiate(inner, items, report),
                None => items.push(item),
            }
        }
        self.open.pop();
        if self.count > MAX_ITEMS && self.open.is_empty() {
            report.push(errors::too_many_declarations(usage.span, MAX_ITEMS));
        }
    }

    fn report_unknown(&self, name: &Ident, report: &mut Report) {
        let help = "modules come from this file, or from one that is included: `include \"order\"` has orders, `include \"ring\"` has rings";
        report.push(errors::unknown_module(name, self.modules.keys().map(|name| &**name), help));
    }

    /// Checks that a `use` gives one argument per parameter of its module, and that the module is not being expanded.
    fn fits(&self, usage: Usage<'_>, module: &Module, report: &mut Report) -> bool {
        let name = usage.module;
        if usage.args.len() != module.params.len() {
            report.push(crate::fol::statics::names::wrong_count(
                name,
                usage.span,
                usage.args.len(),
                module.params.len(),
                module.name.span(),
            ));
            return false;
        }
        if self.open.contains(&name.name) {
            report.push(errors::recursive_module(name, &module.name, "uses itself"));
            return false;
        }
        true
    }

    /// Copies the items of a module under other names, as far as the limits allow. A `use` among them stays a `use`.
    fn instance(
        &mut self,
        module: &Module,
        map: &Names<Map<Arc<str>, Ident>>,
        report: &mut Report,
    ) -> Vec<Item> {
        let mentioned = OnceCell::new();
        let (taken, bound, ambiguous) = (&self.taken, Vec::new(), Vec::new());
        let mut renamer = Renamer { module, map, taken, mentioned, bound, ambiguous, copied: 0 };
        let mut instance = Vec::new();
        for item in &module.items {
            self.count += 1;
            if self.count > MAX_ITEMS {
                break;
            }
            instance.push(Item { kind: renamer.item(&item.kind), place: item.place });
            if !report.spend(1 + std::mem::take(&mut renamer.copied)) {
                break;
            }
        }
        renamer.ambiguous.iter().for_each(|name| report.push(ambiguous_argument(name)));
        instance
    }
}

/// Returns the new names of the declarations and parameters of a module where it is used.
fn names_in_instance(usage: Usage<'_>, module: &Module) -> Names<Map<Arc<str>, Ident>> {
    let mut map: Names<Map<Arc<str>, Ident>> = Names::default();
    if let Some(prefix) = usage.prefix {
        for item in &module.items {
            declared(item, &mut |kind, name| {
                let prefixed = Arc::from(format!("{}_{}", prefix.name, name.name));
                map.of(kind).insert(name.name.clone(), Ident { name: prefixed, place: name.place });
            });
        }
    }
    for (param, arg) in module.params.iter().zip(usage.args) {
        for kind in [Kind::Sort, Kind::Symbol] {
            map.of(kind).insert(param.name.clone(), arg.clone());
        }
    }
    map
}

/// Returns the error about an argument in a module of which it is not known what it is.
fn ambiguous_argument(name: &Ident) -> Diagnostic {
    let what =
        format!("`{}` is a name of the module and another one outside, a sort and a symbol", name.name);
    Diagnostic::error(Code::Module, name.span(), what)
        .label("which one is meant?")
        .help("give one of them another name")
}

/// Returns a name, or the one that it has become.
fn renamed(name: &Ident, map: &Map<Arc<str>, Ident>) -> Ident {
    match map.get(&name.name) {
        Some(other) => Ident { name: other.name.clone(), place: name.place },
        None => name.clone(),
    }
}

/// Copies the declarations of a module under other names.
struct Renamer<'a> {
    module: &'a Module,
    /// The arguments of the parameters, and the new names of declarations.
    map: &'a Names<Map<Arc<str>, Ident>>,
    /// Names that variables must not have.
    taken: &'a Names<Set<Arc<str>>>,
    /// Names that occur in formulas of the module, which new names of variables must not be.
    mentioned: OnceCell<Set<Arc<str>>>,
    /// Arguments of which it is not known what they are.
    ambiguous: Vec<Ident>,
    /// The variables in scope with their new names.
    bound: Vec<(Arc<str>, Arc<str>)>,
    /// The number of formula nodes copied.
    copied: u64,
}

impl Renamer<'_> {
    fn item(&mut self, kind: &ItemKind) -> ItemKind {
        match kind {
            ItemKind::Sort { name, annotations } => {
                ItemKind::Sort { name: renamed(name, &self.map.sorts), annotations: annotations.clone() }
            }
            ItemKind::Symbol(symbol) => {
                let mut symbol = symbol.clone();
                symbol.names.iter_mut().for_each(|name| *name = self.global(name));
                symbol.args.iter_mut().for_each(|sort| self.sort(sort));
                symbol.result.iter_mut().for_each(|sort| self.sort(sort));
                ItemKind::Symbol(symbol)
            }
            ItemKind::Formula { role, name, formula, proof } => ItemKind::Formula {
                role: *role,
                name: name.as_ref().map(|name| self.global(name)),
                formula: self.expr(formula),
                proof: proof.as_ref().map(|proof| self.proof(formula, proof)),
            },
            ItemKind::Macro { name, params, body } => {
                let outside = self.bound.len();
                let params = self.binders(params);
                let body = self.expr(body);
                self.bound.truncate(outside);
                ItemKind::Macro { name: self.global(name), params, body }
            }
            ItemKind::Use { module, args, prefix } => ItemKind::Use {
                module: module.clone(),
                args: args.iter().map(|arg| self.argument(arg)).collect(),
                prefix: prefix.clone(),
            },
            // Reported at the declaration of the module.
            ItemKind::Include { .. }
            | ItemKind::Module(_)
            | ItemKind::Trace { .. }
            | ItemKind::Interpreted(_)
            | ItemKind::Unused(_)
            | ItemKind::Command(_)
            | ItemKind::While(_) => ItemKind::Broken(Vec::new()),
            ItemKind::Broken(names) => ItemKind::Broken(names.clone()),
        }
    }

    fn global(&self, name: &Ident) -> Ident {
        renamed(name, &self.map.symbols)
    }

    /// Returns the new name of an argument, which is that of a sort or of a symbol.
    fn argument(&mut self, name: &Ident) -> Ident {
        let [sort, symbol] = [&self.map.sorts, &self.map.symbols].map(|map| renamed(name, map));
        if sort.name == symbol.name {
            return sort;
        }
        let (is_sort, outside) =
            if sort.name == name.name { (false, &self.taken.sorts) } else { (true, &self.taken.symbols) };
        if symbol.name != name.name && is_sort || outside.contains(&name.name) {
            self.ambiguous.push(name.clone());
        }
        if is_sort { sort } else { symbol }
    }

    fn sort(&self, sort: &mut SortRef) {
        if let SortName::Named(name) = &mut sort.name
            && let Some(other) = self.map.sorts.get(name)
        {
            *name = other.name.clone();
        }
    }

    fn binders(&mut self, vars: &[SortedVar]) -> Vec<SortedVar> {
        let mut renamed = Vec::new();
        for var in vars {
            let name = self.free_name(&var.name.name);
            let mut sort = var.sort.clone();
            sort.iter_mut().for_each(|sort| self.sort(sort));
            self.bound.push((var.name.name.clone(), name.clone()));
            renamed.push(SortedVar { name: Ident { name, place: var.name.place }, sort });
        }
        renamed
    }

    /// Returns the name of a variable, or another one where it is that of a declaration.
    fn free_name(&self, name: &Arc<str>) -> Arc<str> {
        let is_taken = |name: &Arc<str>| self.taken.sorts.contains(name) || self.taken.symbols.contains(name);
        let mut free = name.clone();
        while is_taken(&free)
            || free != *name && self.mentioned.get_or_init(|| mentioned(self.module)).contains(&free)
        {
            free = Arc::from(format!("{free}_"));
        }
        free
    }

    fn proof(&mut self, claim: &Expr, proof: &Proof) -> Proof {
        let outside = self.bound.len();
        for vars in outermost(claim).0 {
            self.binders(vars);
        }
        let steps = self.proof_steps(&proof.steps);
        self.bound.truncate(outside);
        Proof { steps, place: proof.place }
    }

    fn proof_steps(&mut self, steps: &[ProofStep]) -> Vec<ProofStep> {
        let mut renamed = Vec::new();
        for step in steps {
            renamed.push(match step {
                ProofStep::Let { var, term } => {
                    let term = self.expr(term);
                    let var = self.binders(std::slice::from_ref(var)).remove(0);
                    ProofStep::Let { var, term }
                }
                ProofStep::If { condition, then, otherwise } => {
                    let condition = self.expr(condition);
                    let outside = self.bound.len();
                    let [then, otherwise] = [then, otherwise].map(|branch| {
                        let branch = self.proof_steps(branch);
                        self.bound.truncate(outside);
                        branch
                    });
                    ProofStep::If { condition, then, otherwise }
                }
            });
        }
        renamed
    }

    fn list(&mut self, items: &[Expr]) -> Vec<Expr> {
        items.iter().map(|item| self.expr(item)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        self.copied += 1;
        let kind = match &expr.kind {
            ExprKind::Ref { name, primes, args } => {
                let bound = self.bound.iter().rev().find(|(from, _)| *from == name.name);
                let name = match bound {
                    Some((_, to)) => Ident { name: to.clone(), place: name.place },
                    None => self.global(name),
                };
                let args = args.as_ref().map(|args| self.list(args));
                ExprKind::Ref { name, primes: *primes, args }
            }
            ExprKind::Quantifier { universal, vars, body } => {
                let outside = self.bound.len();
                let vars = self.binders(vars);
                let body = Box::new(self.expr(body));
                self.bound.truncate(outside);
                ExprKind::Quantifier { universal: *universal, vars, body }
            }
            ExprKind::Let { var, parts } => {
                let outside = self.bound.len();
                let value = self.expr(&parts[0]);
                let var = self.binders(std::slice::from_ref(var)).remove(0);
                let body = self.expr(&parts[1]);
                self.bound.truncate(outside);
                ExprKind::Let { var: Box::new(var), parts: Box::new([value, body]) }
            }
            _ => expr.map_children(|child| self.expr(child)),
        };
        Expr { kind, place: expr.place, height: expr.height }
    }
}
