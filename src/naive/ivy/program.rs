//! What the declarations of a program become.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::scopes::Flat;
use super::state::{Context, Field, Found, Function, Helper, Program, Sorts, no_bool, once};
use super::tokens::is_number;
use super::tree::{Binder, DeclKind, Expr, Kind, Meaning, Name, Symbol, TypeBody};
use crate::program::term::{Term, applied_name, block, joined, operator, variable};
use crate::program::tree::{Command, End, Formula, Item};
use crate::refusal::{Result, refuse, uncovered};

/// Returns an item about a symbol.
pub(super) fn symbol_item(name: Name, sorts: &Sorts, is_chosen: bool) -> Item {
    let at = name.at;
    let named = |sort: &Rc<str>| Name { text: sort.clone(), at };
    let args = sorts.args.iter().map(named).collect();
    let result = sorts.result.as_ref().map_or(Name { text: "bool".into(), at }, named);
    if is_chosen { Item::Chosen(vec![name], args, result) } else { Item::Symbol(vec![name], args, result) }
}

/// Returns a formula as an item, with this keyword.
fn formula_item(word: &str, at: usize, name: Option<Name>, params: Vec<usize>, body: Term) -> Item {
    Item::Formula(Formula { word: Name { text: word.into(), at }, name, params, body })
}

impl<'d> Program<'d> {
    /// Returns the declarations and commands that the program means.
    pub(super) fn items(&mut self) -> Result<Vec<Item>> {
        let flat = self.scopes.flat.clone();
        flat.iter().try_for_each(|flat| self.register(*flat))?;
        flat.iter().try_for_each(|flat| self.declare_action(*flat))?;
        flat.iter().try_for_each(|flat| self.attach(*flat))?;
        for (name, scope) in &self.scopes.listed {
            let full = self.scopes.resolve(*scope, &name.text).0;
            let is_known = self.globals.contains(&full) || self.sorts.contains(&full);
            if !is_known && !self.scopes.is_object(&full) {
                return refuse(name.at, "an isolate lists what is not declared");
            }
        }
        self.check_names(&flat)?;
        self.check_labels(&flat)?;
        self.check_elements(&flat)?;
        let checked = self.check_functions()?;
        let mut items = Vec::new();
        flat.iter().try_for_each(|flat| self.declaration(*flat, &mut items))?;
        self.initial(&flat, &mut items)?;
        let is_init = |flat: &Flat<'_>| matches!(flat.decl.kind, DeclKind::Init(_));
        let is_closed = self.scopes.has_isolates || flat.iter().any(is_init);
        self.transitions(is_closed, &mut items)?;
        items.push(Item::Unused(checked));
        let at = |name: &Rc<str>, at| Name { text: name.clone(), at };
        let helper = |it: &Helper| symbol_item(at(&it.name, 0), &it.sorts, it.is_chosen);
        let mut all: Vec<Item> = self.helpers.iter().map(helper).collect();
        for action in &self.order {
            for symbol in self.old.get(action).into_iter().flatten() {
                let sorts = &self.symbols[symbol];
                all.push(symbol_item(at(&format!("{symbol}@{action}").into(), 0), sorts, false));
            }
        }
        all.append(&mut items);
        let needs_loop = |item: &Item| match item {
            Item::Command(_) => true,
            Item::Formula(it) => matches!(&*it.word.text, "conjecture" | "safety"),
            _ => false,
        };
        if all.iter().all(|item| !matches!(item, Item::While(..))) && all.iter().any(needs_loop) {
            all.push(Item::While(vec![Command::Skip], 0));
        }
        Ok(all)
    }

    /// Makes sure that no two declarations have one name, but a type, or what belongs to one, and an object.
    fn check_names(&self, flat: &[Flat<'d>]) -> Result<()> {
        let objects = self.scopes.all_objects().cloned();
        let mut known: BTreeMap<Rc<str>, bool> = objects.map(|full| (full, true)).collect();
        let mut declare = |full: Rc<str>, at: usize, is_of_type: bool| {
            // What the name is known for is an object, or something else.
            match known.insert(full.clone(), false) {
                Some(is_object) if !(is_object && is_of_type) => {
                    refuse(at, format!("`{full}` is the name of something else"))
                }
                _ => Ok(()),
            }
        };
        let mut modules = self.scopes.all_modules().into_iter();
        modules.try_for_each(|(full, at)| declare(full, at, false))?;
        for flat in flat {
            let full = |name: &Name| self.scopes.full(flat.scope, &name.text);
            let mut of_type = Vec::new();
            let mut others = Vec::new();
            match &flat.decl.kind {
                DeclKind::Type(name, body) => {
                    of_type.push(name);
                    match body {
                        TypeBody::Enumeration(values) => of_type.extend(values),
                        TypeBody::Structure(fields) => of_type.extend(fields.iter().map(|it| &it.name)),
                        TypeBody::Nothing | TypeBody::Range(_) => {}
                    }
                }
                DeclKind::Symbols(symbols, _) => others.extend(symbols.iter().map(|it| &it.name)),
                DeclKind::Definition { is_of_declared: false, symbol } => others.push(&symbol.name),
                DeclKind::Macro(it) => others.push(&it.name),
                DeclKind::Action(action) => others.push(&action.name),
                _ => {}
            }
            of_type.into_iter().try_for_each(|name| declare(full(name), name.at, true))?;
            others.into_iter().try_for_each(|name| declare(full(name), name.at, false))?;
        }
        Ok(())
    }

    /// Makes sure that no type, object or action has the name of a claim, and no symbol of the program that of an element of an
    /// interpreted type in an object.
    fn check_labels(&self, flat: &[Flat<'d>]) -> Result<()> {
        for flat in flat {
            let DeclKind::Interpret(_, Meaning::Enumeration(values)) = &flat.decl.kind else { continue };
            for value in values {
                let is_taken =
                    self.symbols.contains_key(&value.text) || self.actions.contains_key(&value.text);
                if is_taken && self.scopes.full(flat.scope, &value.text) != value.text {
                    return refuse(value.at, format!("`{}` is the name of something else", value.text));
                }
            }
        }
        for flat in flat.iter().filter(|_| self.version >= 7) {
            let (label, scope) = match &flat.decl.kind {
                DeclKind::Formula(_, Some(label), _) => (label, flat.scope),
                DeclKind::Theorem(name, ..) => (name, self.scopes.around(flat.scope)),
                _ => continue,
            };
            let full = self.scopes.full(scope, &label.text);
            if self.sorts.contains(&full) || self.scopes.is_object(&full) || self.actions.contains_key(&full)
            {
                return refuse(label.at, format!("`{}` is the name of something else", label.text));
            }
        }
        Ok(())
    }

    /// Makes sure that functions have values, also those that nothing uses. Returns what has the sorts that these values have
    /// to have, but for those of the library.
    fn check_functions(&mut self) -> Result<Vec<Command>> {
        let mut checked = Vec::new();
        let mut functions: Vec<_> = self.functions.clone().into_iter().collect();
        functions.sort_by_key(|(_, function)| function.value.at);
        for (full, function) in functions {
            let (at, start) = (function.value.at, self.variables.len());
            let Sorts { args, result } = self.symbols[&full].clone();
            let count = self.scopes.params(function.scope).len() + function.params.len();
            let name = |text: &str| Name { text: text.into(), at };
            let mut vars: Vec<usize> = (0..count)
                .map(|at| self.bound(Binder { name: name("X"), sort: args.get(at).cloned() }))
                .collect();
            let args = vars.iter().copied().map(variable).collect();
            let context = Context::of(function.scope);
            let value = self.defined_function(&full, args, at, &context, &mut Found::default())?;
            if self.is_of_library(at) {
                self.forget(start);
            } else {
                vars.push(self.bound(Binder { name: name("value"), sort: result }));
                let is_value = operator("=", vec![variable(vars[count]), value]);
                checked.push(Command::Assume(block("!", vars, is_value)));
            }
        }
        Ok(checked)
    }

    /// Adds the names of a declaration to the tables.
    fn register(&mut self, Flat { decl, scope, .. }: Flat<'d>) -> Result<()> {
        match &decl.kind {
            DeclKind::Type(name, body) => {
                let sort = self.scopes.full(scope, &name.text);
                self.sorts.insert(sort.clone());
                match body {
                    TypeBody::Nothing => {}
                    TypeBody::Enumeration(values) => self.register_values(scope, &sort, values),
                    TypeBody::Range(ends) => self.register_ends(scope, &sort, ends),
                    TypeBody::Structure(fields) => {
                        for field in fields {
                            let params =
                                field.params.iter().map(|param| self.scopes.typed(scope, param).sort);
                            let args = std::iter::once(Some(sort.clone())).chain(params).flatten().collect();
                            let result = field.result.as_ref().map(|sort| self.scopes.sort(scope, sort));
                            let function = self.scopes.full(scope, &field.name.text);
                            self.globals.insert(function.clone());
                            self.symbols.insert(function.clone(), Sorts { args, result: no_bool(result) });
                            let field = Field { name: field.name.text.clone(), function };
                            self.fields.entry(sort.clone()).or_default().push(field);
                        }
                    }
                }
            }
            DeclKind::Symbols(symbols, is_field) => {
                for symbol in symbols {
                    let full = self.scopes.full(scope, &symbol.name.text);
                    let params = self.scopes.params(scope).into_iter();
                    let own = symbol.params.iter().map(|param| self.scopes.typed(scope, param));
                    let args = params.chain(own).filter_map(|param| param.sort).collect();
                    let given = symbol.result.as_ref().map(|sort| self.scopes.sort(scope, sort));
                    let of_value = || self.sort_of_value(scope, &symbol.params, symbol.value.as_ref()?);
                    let result = no_bool(given.or_else(of_value));
                    if let (Some(value), Some(_)) = (&symbol.value, &result) {
                        let function = Function { scope, params: &symbol.params, value };
                        self.functions.insert(full.clone(), function);
                    }
                    let sorts = Sorts { args, result };
                    if *is_field {
                        let Some(of) = sorts.args.first() else {
                            return refuse(symbol.name.at, "this is no field of a type");
                        };
                        let field = Field { name: symbol.name.text.clone(), function: full.clone() };
                        self.fields.entry(of.clone()).or_default().push(field);
                    }
                    self.globals.insert(full.clone());
                    self.symbols.insert(full, sorts);
                }
            }
            DeclKind::Definition {
                is_of_declared,
                symbol: Symbol { name, params, value: Some(value), .. },
            } => {
                let full = self.scopes.resolve(scope, &name.text).0;
                if !is_of_declared && !self.symbols.contains_key(&full) {
                    let around = self.scopes.params(scope).into_iter();
                    let own = params.iter().map(|param| self.scopes.typed(scope, param));
                    let args = around.chain(own).filter_map(|param| param.sort).collect();
                    self.symbols.insert(full.clone(), Sorts { args, result: None });
                }
                if self.symbols.get(&full).is_some_and(|it| it.result.is_some()) {
                    self.functions.insert(full.clone(), Function { scope, params, value });
                }
                self.defined.insert(full.clone());
                self.globals.insert(full);
            }
            DeclKind::Macro(it) => {
                self.macros.insert(self.scopes.full(scope, &it.name.text), (scope, it));
            }
            DeclKind::Formula(_, Some(label), _) => {
                self.globals.insert(self.scopes.full(scope, &label.text));
            }
            DeclKind::Interpret(name, Meaning::Enumeration(values)) => {
                let sort = self.scopes.sort(scope, &name.text);
                self.register_values(scope, &sort, values);
            }
            DeclKind::Interpret(name, Meaning::Numbers(ends)) => {
                let sort = self.scopes.sort(scope, &name.text);
                self.register_ends(scope, &sort, ends.iter().flatten());
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the type of the value of a definition, if a name on its outside tells it.
    fn sort_of_value(&self, scope: usize, params: &[Binder], value: &Expr) -> Option<Rc<str>> {
        let of = |part: &Expr| self.sort_of_value(scope, params, part);
        match &value.kind {
            Kind::Name { text, sort, .. } => {
                if let Some(param) = params.iter().find(|param| param.name.text == *text) {
                    return self.scopes.typed(scope, param).sort;
                }
                if let Some(sort) = sort {
                    return Some(self.scopes.sort(scope, sort));
                }
                self.symbols.get(&self.scopes.resolve(scope, text).0)?.result.clone()
            }
            Kind::Operator("if") => of(&value.parts[1]).or_else(|| of(&value.parts[2])),
            Kind::Operator("+" | "-" | "*") => value.parts.iter().find_map(of),
            _ => None,
        }
    }

    /// Adds the ends of a range that have names. Others may have declared them.
    fn register_ends<'n>(&mut self, scope: usize, sort: &Rc<str>, ends: impl IntoIterator<Item = &'n Name>) {
        for end in ends {
            let full = self.scopes.full(scope, &end.text);
            if !is_number(&end.text) && !self.symbols.contains_key(&full) {
                self.globals.insert(full.clone());
                self.symbols.insert(full, Sorts { args: Vec::new(), result: Some(sort.clone()) });
            }
        }
    }

    fn register_values(&mut self, scope: usize, sort: &Rc<str>, values: &[Name]) {
        for value in values {
            let full = self.scopes.full(scope, &value.text);
            self.values.insert(full.clone());
            self.globals.insert(full.clone());
            self.symbols.insert(full, Sorts { args: Vec::new(), result: Some(sort.clone()) });
        }
    }

    /// Adds what a declaration means.
    fn declaration(&mut self, flat: Flat<'d>, items: &mut Vec<Item>) -> Result<()> {
        let Flat { decl, scope, is_trusted } = flat;
        match &decl.kind {
            DeclKind::Type(name, body) => {
                let full = self.scopes.full(scope, &name.text);
                items.push(Item::Sort(Name { text: full.clone(), at: name.at }));
                match body {
                    TypeBody::Enumeration(values) => self.enumeration(scope, &full, name.at, values, items),
                    TypeBody::Range([low, high]) => {
                        let sort = Name { text: full, at: name.at };
                        self.numbers(scope, sort, &[Some(low.clone()), Some(high.clone())], items)?;
                    }
                    TypeBody::Structure(fields) => {
                        for field in fields {
                            let text = self.scopes.full(scope, &field.name.text);
                            let sorts = self.symbols[&text].clone();
                            if sorts.args.len() != field.params.len() + 1 || field.value.is_some() {
                                return refuse(field.name.at, "a parameter has no type, or a field a value");
                            }
                            items.push(symbol_item(Name { text, at: field.name.at }, &sorts, false));
                        }
                        let axiom = self.extensionality(&full, name.at);
                        items.extend(axiom.map(|it| formula_item("axiom", decl.at, None, Vec::new(), it)));
                    }
                    TypeBody::Nothing => {}
                }
            }
            DeclKind::Symbols(symbols, _) => {
                for symbol in symbols {
                    let text = self.scopes.full(scope, &symbol.name.text);
                    let full = Name { text, at: symbol.name.at };
                    let sorts = self.symbols[&full.text].clone();
                    match &symbol.value {
                        Some(_) if sorts.result.is_some() => {}
                        Some(value) => {
                            let item = self.definition(scope, full, decl.at, &symbol.params, value)?;
                            items.push(item);
                        }
                        None if self.defined.contains(&full.text) => {}
                        None => {
                            if sorts.args.len() != self.scopes.params(scope).len() + symbol.params.len() {
                                return refuse(full.at, "a parameter has no type");
                            }
                            items.push(symbol_item(full, &sorts, false));
                        }
                    }
                    // What holds of all fields of a type is said with the first one.
                    let function = self.scopes.full(scope, &symbol.name.text);
                    let is_it =
                        |fields: &Vec<Field>| fields.first().is_some_and(|it| it.function == function);
                    let of =
                        self.fields.iter().find(|(_, fields)| is_it(fields)).map(|(sort, _)| sort.clone());
                    let axiom = of.and_then(|sort| self.extensionality(&sort, symbol.name.at));
                    items.extend(axiom.map(|it| formula_item("axiom", decl.at, None, Vec::new(), it)));
                }
            }
            DeclKind::Definition { is_of_declared, symbol } => {
                let (full, params) = self.scopes.resolve(scope, &symbol.name.text);
                let is_elsewhere =
                    !symbol.name.text.contains('.') && params != self.scopes.params(scope).len();
                if *is_of_declared && (is_elsewhere || !self.symbols.contains_key(&full)) {
                    return refuse(symbol.name.at, "this is the definition of nothing that is declared here");
                }
                if *is_of_declared && let Some(sorts) = self.symbols.get(&full) {
                    let around = self.scopes.params(scope).len();
                    let own = symbol.params.iter().map(|param| self.scopes.typed(scope, param).sort);
                    let is_other =
                        |(own, declared): (Option<Rc<str>>, &Rc<str>)| own.is_some_and(|it| it != *declared);
                    if sorts.args.len() != around + symbol.params.len()
                        || own.zip(&sorts.args[around..]).any(is_other)
                    {
                        return refuse(
                            symbol.name.at,
                            "this is defined for other arguments than it is declared for",
                        );
                    }
                }
                if let (false, Some(value)) = (self.functions.contains_key(&full), &symbol.value) {
                    let name = Name { text: full, at: symbol.name.at };
                    let item = self.definition(scope, name, decl.at, &symbol.params, value)?;
                    items.push(item);
                }
            }
            DeclKind::Formula(word, _, formula)
                if is_trusted && matches!(&*word.text, "conjecture" | "safety") =>
            {
                self.trusted.push((scope, formula));
            }
            DeclKind::Formula(word, label, formula) if &*word.text != "init" => {
                let word = match &*word.text {
                    "property" if is_trusted => "axiom",
                    "property" => "theorem",
                    word => word,
                };
                let body = self.closed(formula, &Context::of(scope))?.0;
                let name = label
                    .as_ref()
                    .map(|label| Name { text: self.scopes.full(scope, &label.text), at: label.at });
                items.push(formula_item(word, decl.at, name, Vec::new(), body));
            }
            DeclKind::Theorem(name, _, formula) => {
                let word = if is_trusted { "axiom" } else { "theorem" };
                let body = self.closed(formula, &Context::of(scope))?.0;
                let text = self.scopes.full(self.scopes.around(scope), &name.text);
                let name = Name { text, at: name.at };
                items.push(formula_item(word, decl.at, Some(name), Vec::new(), body));
            }
            DeclKind::Interpret(name, _) if self.is_of_impl(scope, name.at) => return Ok(()),
            DeclKind::Interpret(name, meaning) => {
                let sort = self.scopes.sort(scope, &name.text);
                let is_name = name.text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
                match meaning {
                    _ if !self.sorts.contains(&sort) => {
                        if is_name && !self.globals.contains(&self.scopes.resolve(scope, &name.text).0) {
                            return refuse(name.at, "this is neither a type nor a symbol");
                        }
                    }
                    _ if self.interpreted.contains_key(&sort) => {
                        if self.interpreted[&sort].texts() != meaning.texts() {
                            return refuse(name.at, "the type has two interpretations");
                        }
                    }
                    Meaning::Enumeration(values) => self.enumeration(scope, &sort, name.at, values, items),
                    Meaning::Sized(bits) if is_number(&self.scopes.resolve(scope, &bits.text).0) => {
                        return uncovered(name.at, "sizes that are parameters");
                    }
                    Meaning::Numbers(ends) => {
                        self.numbers(scope, Name { text: sort.clone(), at: name.at }, ends, items)?;
                    }
                    Meaning::Sized(_) | Meaning::Anything => {}
                }
            }
            _ => {}
        }
        if let DeclKind::Interpret(name, meaning) = &decl.kind {
            self.interpreted.entry(self.scopes.sort(scope, &name.text)).or_insert(meaning);
        }
        Ok(())
    }

    /// Adds that the elements of a type are numbers, and the ends that are names.
    fn numbers(
        &mut self,
        scope: usize,
        sort: Name,
        ends: &[Option<Name>; 2],
        items: &mut Vec<Item>,
    ) -> Result<()> {
        let mut found = [None, None];
        for (end, found) in ends.iter().zip(&mut found) {
            let Some(end) = end else { continue };
            // The argument of an instance may be a numeral.
            let text = self.scopes.resolve(scope, &end.text).0;
            *found = Some(if is_number(&text) {
                match text.parse() {
                    Ok(number) => End::Number(number),
                    Err(_) => return refuse(end.at, "the number is too large"),
                }
            } else {
                let name = Name { text: self.scopes.full(scope, &end.text), at: end.at };
                if self.ends.insert(name.text.clone()) {
                    items.push(symbol_item(name.clone(), &self.symbols[&name.text], false));
                }
                End::Constant(name)
            });
        }
        if matches!(found, [Some(End::Number(low)), Some(End::Number(high))] if low > high) {
            return refuse(sort.at, "the range has no element");
        }
        items.push(Item::Numbers(sort, found));
        Ok(())
    }

    /// Returns the definition of a relation in a scope.
    fn definition(
        &mut self,
        scope: usize,
        name: Name,
        at: usize,
        own: &'d [Binder],
        value: &Expr,
    ) -> Result<Item> {
        let mut context = Context::of(scope);
        let mut params = self.scope_vars(&mut context);
        let declared = self.symbols.get(&name.text).map(|it| it.args.clone()).unwrap_or_default();
        once(own)?;
        for param in own {
            let mut param = self.scopes.typed(scope, param);
            param.sort = param.sort.or_else(|| declared.get(params.len()).cloned());
            let source = param.name.text.clone();
            let var = self.bound(param);
            context.bind(source, var);
            params.push(var);
        }
        let body = self.right_side(value, &mut context, &mut Found::default())?;
        Ok(formula_item("macro", at, Some(name), params, body))
    }

    /// Adds the values of an enumeration: they are different, and there are no others.
    fn enumeration(
        &mut self,
        scope: usize,
        sort: &Rc<str>,
        at: usize,
        values: &[Name],
        items: &mut Vec<Item>,
    ) {
        let mut names = Vec::new();
        for value in values {
            let name = Name { text: self.scopes.full(scope, &value.text), at: value.at };
            items.push(symbol_item(name.clone(), &self.symbols[&name.text], false));
            names.push(applied_name(name, Vec::new()));
        }
        if names.len() > 1 {
            let distinct = operator("distinct", names.clone());
            items.push(formula_item("axiom", at, None, Vec::new(), distinct));
        }
        let name = Name { text: "X".into(), at };
        let var = self.bound(Binder { name, sort: Some(sort.clone()) });
        let cases = names.into_iter().map(|name| operator("=", vec![variable(var), name])).collect();
        let all = block("!", vec![var], joined("|", cases));
        items.push(formula_item("axiom", at, None, Vec::new(), all));
    }
}
