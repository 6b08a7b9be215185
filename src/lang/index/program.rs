//! Declared names of programs.

use super::names::{Builder, EntryId, ModuleId, Scope, Space, Step};
use super::text::Text;
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::{Map, Set};
use crate::base::span::FileId;
use crate::lang::Includes;
use crate::lang::fol::is_capital;
use crate::lang::index::entry::{Entry, Kind};
use crate::lang::program::ast::{
    Branch, Command, CommandKind, Expr, ExprKind, Ident, Item, ItemKind, Program, Role, SymbolForm,
};

/// A use of a module.
struct Use<'a> {
    module: &'a Ident,
    args: &'a [Ident],
    /// The prefix with its entry.
    prefix: Option<(&'a Ident, EntryId)>,
    /// The module that it stands in.
    inside: Option<ModuleId>,
}

/// The modules of a program, and their uses.
#[derive(Default)]
struct Modules<'a> {
    by_name: Map<&'a str, ModuleId>,
    /// In the order of their text.
    uses: Vec<Use<'a>>,
}

/// Returns the entries of a program and of the files that it includes. The first one is the program.
pub(super) fn entries(
    programs: &[Program],
    includes: &Includes,
    budget: &mut Budget,
) -> Result<Vec<Entry>, Exhausted> {
    let items = in_order(programs, includes);
    let mut builder = Builder::new(budget);
    let mut modules = Modules::default();
    for &item in &items {
        match &item.kind {
            ItemKind::Module(module) => {
                let id = builder.modules.push(Scope::default());
                builder.spend(module.params.len())?;
                let text = Text::new("module ").word(&module.name.name).names(&module.params);
                let entry = builder.add(Kind::Module, &module.name, item.span(), text);
                modules.by_name.entry(&module.name.name).or_insert(id);
                builder.modules[id].entry = Some(entry);
                module.params.iter().for_each(|param| builder.declare_param(id, param));
                builder.module = Some(id);
                module.items.iter().try_for_each(|item| builder.declare_item(item, &mut modules))?;
                builder.module = None;
            }
            _ => builder.declare_item(item, &mut modules)?,
        }
    }
    builder.instantiate_all(&modules)?;
    let mut ids = builder.modules.ids();
    for &item in &items {
        match &item.kind {
            ItemKind::Module(module) => {
                builder.module = ids.next();
                module.items.iter().try_for_each(|item| builder.item(item))?;
                builder.module = None;
            }
            _ => builder.item(item)?,
        }
    }
    builder.arguments(&modules)?;
    // Variables of commands are known in commands alone, up to the loop, in it, or after it.
    for &item in &items {
        match &item.kind {
            ItemKind::Command(command) => builder.command(command)?,
            ItemKind::While(body) => {
                builder.leave(0);
                builder.commands(body)?;
                builder.leave(0);
            }
            _ => {}
        }
    }
    Ok(builder.finish())
}

/// Returns the items of the first program. The items of an included file come before those of the including one. Each
/// file is included once.
fn in_order<'a>(programs: &'a [Program], includes: &Includes) -> Vec<&'a Item> {
    let by_file: Map<FileId, &Program> = programs.iter().map(|program| (program.file, program)).collect();
    let Some(main) = programs.first() else { return Vec::new() };
    let mut items = Vec::new();
    let mut seen = Set::from_iter([main.file]);
    let mut open = vec![(main.file, main.items.iter())];
    while let Some((file, rest)) = open.last_mut() {
        let Some(item) = rest.next() else {
            open.pop();
            continue;
        };
        match &item.kind {
            ItemKind::Include { path, .. } => {
                if let Ok(included) = includes.resolve(*file, path)
                    && let Some(program) = by_file.get(&included)
                    && seen.insert(included)
                {
                    open.push((included, program.items.iter()));
                }
            }
            _ => items.push(item),
        }
    }
    items
}

impl<'a> Builder<'a, '_> {
    /// Adds the names that an item declares, to the module that is being read or to the program.
    fn declare_item(&mut self, item: &'a Item, modules: &mut Modules<'a>) -> Step {
        self.spend(1)?;
        let span = item.span();
        match &item.kind {
            ItemKind::Sort { name, .. } => {
                self.declare(Kind::Sort, name, span, Text::new("sort ").word(&name.name));
            }
            ItemKind::Symbol(symbol) => {
                for name in &symbol.names {
                    self.spend(1)?;
                    let text = Text::new(symbol.form.keyword()).word(" ").word(&name.name);
                    let (kind, text) = match symbol.form {
                        SymbolForm::Relation if symbol.args.is_empty() => (Kind::Relation, text),
                        SymbolForm::Relation => {
                            (Kind::Relation, text.word("(").sorts(&symbol.args).word(")"))
                        }
                        SymbolForm::Function => {
                            (Kind::Function, text.word(": ").sorts(&symbol.args).word(" -> "))
                        }
                        SymbolForm::Variable => (Kind::Variable, text.word(": ")),
                    };
                    let text = match &symbol.result {
                        Some(result) => text.sort(result),
                        None => text,
                    };
                    self.declare(kind, name, span, text);
                }
            }
            ItemKind::Formula { role, name: Some(name), formula, .. } => {
                let kind = match role {
                    Role::Axiom => Kind::Axiom,
                    Role::Conjecture => Kind::Conjecture,
                    Role::Safety => Kind::Safety,
                    Role::Theorem => Kind::Theorem,
                };
                let text = Text::new(role.keyword()).word(" [").word(&name.name).word("] ").formula(formula);
                self.declare(kind, name, span, text);
            }
            ItemKind::Macro { name, params, body } => {
                let mut text = Text::new("macro ").word(&name.name);
                if !params.is_empty() {
                    text = text.word("(").vars(params).word(")");
                }
                self.declare(Kind::Macro, name, span, text.word(" = ").formula(body));
            }
            ItemKind::Use { module, args, prefix } => {
                let text = |prefix: &Ident| {
                    Text::new("use ").word(&module.name).names(args).word(" as ").word(&prefix.name)
                };
                let prefix = prefix
                    .as_ref()
                    .map(|prefix| (prefix, self.add(Kind::Prefix, prefix, span, text(prefix))));
                modules.uses.push(Use { module, args, prefix, inside: self.module });
            }
            ItemKind::Command(command) => self.declare_actions(std::slice::from_ref(command))?,
            ItemKind::While(body) => self.declare_actions(body)?,
            ItemKind::Broken(names) => self.broken.extend(names.iter().map(|name| &**name)),
            ItemKind::Formula { name: None, .. }
            | ItemKind::Trace { .. }
            | ItemKind::Include { .. }
            | ItemKind::Interpreted(_)
            | ItemKind::Unused(_)
            | ItemKind::Module(_) => {}
        }
        Ok(())
    }

    /// Adds the named actions among commands, also those in places where a name is an error.
    fn declare_actions(&mut self, commands: &'a [Command]) -> Step {
        let mut open: Vec<&'a Command> = commands.iter().collect();
        while let Some(command) = open.pop() {
            self.spend(1)?;
            match &command.kind {
                CommandKind::If { then, otherwise, .. } => open.extend(then.iter().chain(otherwise)),
                CommandKind::Choice(branches) => {
                    for branch in branches {
                        self.declare_action(branch);
                        open.extend(&branch.body);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn declare_action(&mut self, branch: &'a Branch) {
        let Some(name) = &branch.name else { return };
        let mut text = Text::new("action ").word(&name.name);
        if !branch.params.is_empty() {
            text = text.word("(").vars(&branch.params).word(")");
        }
        self.declare(Kind::Action, name, branch.place.0, text);
    }

    /// Makes known what all uses of modules declare.
    fn instantiate_all(&mut self, modules: &Modules<'a>) -> Step {
        let mut inside: Map<Option<ModuleId>, Vec<&Use<'a>>> = Map::default();
        for used in &modules.uses {
            inside.entry(used.inside).or_default().push(used);
        }
        // Modules whose uses count, by way of the program or of modules that it uses.
        let mut open = vec![None];
        let mut entered = Set::default();
        let mut plain = Set::default();
        let mut prefixed = Set::default();
        let mut at = 0;
        while let Some(&place) = open.get(at) {
            at += 1;
            for used in inside.get(&place).into_iter().flatten() {
                self.spend(1)?;
                let Some(&module) = modules.by_name.get(&*used.module.name) else { continue };
                match used.prefix {
                    Some((prefix, entry)) => {
                        if prefixed.insert((&*prefix.name, module)) {
                            self.instantiate_as(module, &prefix.name, entry);
                        }
                    }
                    None => {
                        if plain.insert(module) {
                            self.instantiate(module);
                        }
                    }
                }
                if entered.insert(module) {
                    open.push(Some(module));
                }
            }
        }
        Ok(())
    }

    /// Reads the names of modules and their arguments, once it is known which parameters stand for sorts.
    fn arguments(&mut self, modules: &Modules<'a>) -> Step {
        let target = |used: &Use<'a>| modules.by_name.get(&*used.module.name).copied();
        // A parameter that is passed on for a sort stands for a sort.
        let mut passed: Map<EntryId, Vec<EntryId>> = Map::default();
        for used in &modules.uses {
            self.module = used.inside;
            let Some(module) = target(used) else { continue };
            for (index, arg) in used.args.iter().enumerate() {
                self.spend(1)?;
                if let Some(outer) = self.param(&arg.name)
                    && let Some(&inner) = self.modules[module].params.get(index)
                {
                    passed.entry(inner).or_default().push(outer);
                }
            }
        }
        let mut open: Vec<EntryId> = self.as_sorts.iter().copied().collect();
        while let Some(inner) = open.pop() {
            for outer in passed.remove(&inner).into_iter().flatten() {
                self.spend(1)?;
                if self.as_sorts.insert(outer) {
                    open.push(outer);
                }
            }
        }
        for used in &modules.uses {
            self.module = used.inside;
            let module = target(used);
            if let Some(entry) = module.and_then(|module| self.modules[module].entry) {
                self.used(entry, used.module.span());
            }
            for (index, arg) in used.args.iter().enumerate() {
                let param = module.and_then(|module| self.modules[module].params.get(index));
                let spaces = match param {
                    Some(param) if !self.as_sorts.contains(param) => [Space::Names, Space::Sorts],
                    _ => [Space::Sorts, Space::Names],
                };
                for space in spaces {
                    if self.refer(space, &arg.name, arg.span())? {
                        break;
                    }
                }
            }
        }
        self.module = None;
        Ok(())
    }

    /// Reads the names in a declaration.
    fn item(&mut self, item: &'a Item) -> Step {
        self.spend(1)?;
        match &item.kind {
            ItemKind::Sort { annotations, .. } => self.annotations(annotations),
            ItemKind::Symbol(symbol) => {
                symbol.args.iter().chain(&symbol.result).try_for_each(|sort| self.sort(sort))
            }
            ItemKind::Formula { formula, proof, .. } => self.claim(formula, proof.as_ref()),
            ItemKind::Macro { params, body, .. } => {
                let outside = self.enter();
                self.bind_all(Kind::Parameter, "", params)?;
                self.closed(body)?;
                self.leave(outside);
                Ok(())
            }
            ItemKind::Trace { steps, .. } => self.trace(steps),
            ItemKind::Use { .. }
            | ItemKind::Include { .. }
            | ItemKind::Module(_)
            | ItemKind::Interpreted(_)
            | ItemKind::Unused(_)
            | ItemKind::Command(_)
            | ItemKind::While(_)
            | ItemKind::Broken(_) => Ok(()),
        }
    }

    /// Reads the commands of a block.
    fn block(&mut self, commands: &'a [Command]) -> Step {
        let outside = self.enter();
        self.commands(commands)?;
        self.leave(outside);
        Ok(())
    }

    fn commands(&mut self, commands: &'a [Command]) -> Step {
        commands.iter().try_for_each(|command| self.command(command))
    }

    #[inline(never)]
    fn command(&mut self, command: &'a Command) -> Step {
        self.spend(1)?;
        match &command.kind {
            CommandKind::Skip | CommandKind::Abort | CommandKind::Broken => Ok(()),
            CommandKind::Assume(formula) => self.closed(formula),
            CommandKind::Assert { formula, proof } => self.claim(formula, proof.as_ref()),
            CommandKind::Local(vars) => self.bind_all(Kind::Local, "local ", vars),
            CommandKind::Havoc(target) => self.target(target),
            CommandKind::Assign { target, args, value } => {
                self.target(target)?;
                let outside = self.enter();
                args.iter().flatten().try_for_each(|arg| self.argument(arg))?;
                self.open(value)?;
                self.leave(outside);
                Ok(())
            }
            CommandKind::Update { target, args, condition, .. } => {
                self.target(target)?;
                let Some(condition) = condition else {
                    return args.iter().try_for_each(|arg| self.open(arg));
                };
                let outside = self.enter();
                args.iter().try_for_each(|arg| self.argument(arg))?;
                self.open(condition)?;
                self.leave(outside);
                Ok(())
            }
            CommandKind::If { condition, then, otherwise } => {
                condition.iter().try_for_each(|condition| self.open(condition))?;
                self.block(then)?;
                self.block(otherwise)
            }
            CommandKind::Choice(branches) => branches.iter().try_for_each(|branch| self.branch(branch)),
        }
    }

    #[inline(never)]
    fn branch(&mut self, branch: &'a Branch) -> Step {
        let outside = self.enter();
        self.bind_all(Kind::Parameter, "", &branch.params)?;
        self.commands(&branch.body)?;
        self.leave(outside);
        Ok(())
    }

    fn target(&mut self, name: &Ident) -> Step {
        self.refer(Space::Names, &name.name, name.span()).map(|_| ())
    }

    /// Reads an argument of an update: a logical variable if it is in capital letters and not declared, or a term.
    fn argument(&mut self, arg: &'a Expr) -> Step {
        if let ExprKind::Ref { name, primes: 0, args: None } = &arg.kind
            && is_capital(&name.name)
            && !self.is_known(&name.name)?
        {
            self.bind(Kind::Logical, name, name.span(), Text::new(&name.name));
            return Ok(());
        }
        self.open(arg)
    }
}
