//! Scopes: the names that files, objects and instances of modules declare, and what names mean in them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::tokens::is_number;
use super::tree::{Binder, Decl, DeclKind, Meaning, Module, Name, Object, TypeBody};
use crate::refusal::{Result, refuse, uncovered};

/// How many declarations a program may have, with those of all instances, and how deep objects may be in each other.
const MAX_DECLS: usize = 100_000;
const MAX_OPEN: usize = 100;

/// What declares an object: its first block, one that begins with three dots, or a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opening {
    First,
    Continued,
    Instance,
}

/// What the first part of a name means: something that the scope declares, or an argument of a module in another scope.
enum First {
    Declared,
    Argument(Rc<str>, usize),
}

/// The names of a block of an object, of an instance of a module, or of the whole program.
struct Scope<'d> {
    parent: Option<usize>,
    /// The scope of the object's first block, which keeps the names and modules of all of them.
    first: usize,
    /// How many blocks of the object are before this one. It sees the names of those, and not of blocks that follow.
    block: usize,
    /// The name of the object, which is empty for the program.
    path: Rc<str>,
    /// The parameters of all objects around, outermost first, each with the scope that its type is to be found in.
    params: Vec<(&'d Binder, usize)>,
    /// Each name with the first block that has it.
    names: BTreeMap<Rc<str>, (First, usize)>,
    /// Each module with its block.
    modules: BTreeMap<Rc<str>, (&'d Module, usize)>,
    /// Whether it is that of an instance of a module.
    is_instance: bool,
}

/// What blocks that begin with three dots continue: the last block of an object, and the section of the first one.
#[derive(Clone, Copy)]
struct Known {
    scope: usize,
    section: usize,
    is_instance: bool,
}

/// A declaration in its scope.
#[derive(Clone, Copy)]
pub(super) struct Flat<'d> {
    pub(super) decl: &'d Decl,
    pub(super) scope: usize,
    /// Whether it stands in a trusted isolate: what is claimed there is assumed.
    pub(super) is_trusted: bool,
}

/// The scopes of a program, and all of its declarations in their order. Those of an included file stand where it is first
/// included.
pub(super) struct Scopes<'d> {
    scopes: Vec<Scope<'d>>,
    objects: BTreeMap<Rc<str>, Known>,
    aliases: BTreeMap<Rc<str>, (Rc<str>, usize)>,
    pub(super) flat: Vec<Flat<'d>>,
    files: &'d [Vec<Decl>],
    included: Vec<usize>,
    /// The modules whose instances this is in, and how many objects.
    open: Vec<&'d str>,
    nesting: usize,
    /// The section that this is in, and how many there have been; 0 is none.
    section: usize,
    sections: usize,
    is_trusted: bool,
    /// The names that isolates list, each with its scope.
    pub(super) listed: Vec<(&'d Name, usize)>,
    /// Whether there is an isolate.
    pub(super) has_isolates: bool,
    /// Whether a name has been declared that is a parameter of the module as well.
    is_redeclared: bool,
    /// Elements and fields of types, which have no parameters, whatever object declares them.
    single: BTreeSet<Rc<str>>,
}

/// Returns the name of a declaration in an object.
pub(super) fn join(path: &str, name: &str) -> Rc<str> {
    match (path, name) {
        ("", _) => name.into(),
        (_, "this") => path.into(),
        _ => format!("{path}.{name}").into(),
    }
}

impl<'d> Scopes<'d> {
    pub(super) fn new(files: &'d [Vec<Decl>]) -> Result<Scopes<'d>> {
        let mut scopes = Scopes {
            scopes: Vec::new(),
            objects: BTreeMap::new(),
            aliases: BTreeMap::new(),
            flat: Vec::new(),
            files,
            included: vec![0],
            open: Vec::new(),
            nesting: 0,
            section: 0,
            sections: 0,
            is_trusted: false,
            listed: Vec::new(),
            has_isolates: false,
            is_redeclared: false,
            single: BTreeSet::new(),
        };
        scopes.push(None, "".into(), Vec::new());
        scopes.decls(&files[0], 0)?;
        Ok(scopes)
    }

    fn push(&mut self, parent: Option<usize>, path: Rc<str>, params: Vec<(&'d Binder, usize)>) -> usize {
        let (names, modules) = (BTreeMap::new(), BTreeMap::new());
        let first = self.scopes.len();
        self.scopes.push(Scope { parent, first, block: 0, path, params, names, modules, is_instance: false });
        first
    }

    fn decls(&mut self, decls: &'d [Decl], scope: usize) -> Result<()> {
        self.nesting += 1;
        for decl in decls {
            if self.flat.len() >= MAX_DECLS || self.nesting > MAX_OPEN {
                return refuse(decl.at, "the program is too large, or nested too deep");
            }
            self.decl(decl, scope)?;
            if std::mem::take(&mut self.is_redeclared) {
                return refuse(decl.at, "this declares a parameter of the module");
            }
        }
        self.nesting -= 1;
        Ok(())
    }

    fn decl(&mut self, decl: &'d Decl, mut scope: usize) -> Result<()> {
        match &decl.kind {
            DeclKind::Include(file) => {
                if self.included.contains(file) {
                    return Ok(());
                }
                self.included.push(*file);
                let files = self.files;
                return self.decls(&files[*file], scope);
            }
            DeclKind::Module(module) => {
                let Scope { first, block, .. } = self.scopes[scope];
                return match self.scopes[first].modules.insert(module.name.text.clone(), (module, block)) {
                    Some(_) => refuse(module.name.at, "a module is declared twice"),
                    None => Ok(()),
                };
            }
            DeclKind::Section(decls) => {
                self.sections += 1;
                let around = std::mem::replace(&mut self.section, self.sections);
                self.decls(decls, scope)?;
                self.section = around;
                return Ok(());
            }
            DeclKind::Isolate(names) => self.list(names, scope),
            DeclKind::Object(it) => {
                let Object { name, params, is_continued, decls, is_trusted, with, .. } = it;
                self.has_isolates |= it.is_isolate;
                self.listed.extend(with.iter().map(|name| (name, scope)));
                let opening = if *is_continued { Opening::Continued } else { Opening::First };
                let inner = self.object(scope, name, params, opening)?;
                let outside = self.is_trusted;
                self.is_trusted = *is_trusted || self.is_trusted && !it.is_isolate;
                self.decls(decls, inner)?;
                self.is_trusted = outside;
            }
            DeclKind::Theorem(name, decls, _) => {
                let Scope { path, params, .. } = &self.scopes[scope];
                let (path, params) = (join(path, &format!("{}@", name.text)), params.clone());
                let inner = self.push(Some(scope), path, params);
                self.decls(decls, inner)?;
                self.flat.push(Flat { decl, scope: inner, is_trusted: self.is_trusted });
                return Ok(());
            }
            DeclKind::Instance { name, params, module, args } => {
                let inner = match name {
                    Some(name) => self.object(scope, name, params, Opening::Instance)?,
                    None => {
                        let Scope { path, params, .. } = &self.scopes[scope];
                        self.push(Some(scope), path.clone(), params.clone())
                    }
                };
                if name.is_some()
                    && let Some(known) = self.module(scope, &module.text).filter(|it| it.is_isolate)
                {
                    self.list(&known.with, inner);
                    let outside = std::mem::take(&mut self.is_trusted);
                    self.instance(module, args, scope, inner)?;
                    self.is_trusted = outside;
                    return Ok(());
                }
                return self.instance(module, args, scope, inner);
            }
            DeclKind::Type(name, body) => {
                if &*name.text != "this" {
                    self.declare(scope, &name.text);
                }
                match body {
                    TypeBody::Nothing => {}
                    TypeBody::Enumeration(values) => {
                        scope = self.singles(scope, values.iter().map(|value| &value.text));
                    }
                    TypeBody::Range(ends) => self.ends(scope, ends),
                    TypeBody::Structure(fields) => {
                        scope = self.singles(scope, fields.iter().map(|field| &field.name.text));
                    }
                }
            }
            DeclKind::Interpret(_, Meaning::Enumeration(values)) => {
                scope = self.singles(scope, values.iter().map(|value| &value.text));
            }
            DeclKind::Interpret(_, Meaning::Numbers(ends)) => self.ends(scope, ends.iter().flatten()),
            DeclKind::Symbols(symbols, true) => {
                scope = self.singles(scope, symbols.iter().map(|symbol| &symbol.name.text));
            }
            DeclKind::Symbols(symbols, false) => {
                symbols.iter().for_each(|symbol| self.declare(scope, &symbol.name.text));
            }
            DeclKind::Definition { is_of_declared: false, symbol } if !symbol.name.text.contains('.') => {
                self.declare(scope, &symbol.name.text);
            }
            DeclKind::Macro(it) => self.declare(scope, &it.name.text),
            DeclKind::Action(action) if !action.name.text.contains('.') => {
                self.declare(scope, &action.name.text);
            }
            DeclKind::Alias(name, sort) => {
                self.declare(scope, &name.text);
                let full = join(&self.scopes[scope].path, &name.text);
                self.aliases.insert(full, (sort.clone(), scope));
            }
            _ => {}
        }
        self.flat.push(Flat { decl, scope, is_trusted: self.is_trusted });
        Ok(())
    }

    /// Adds what an isolate lists.
    fn list(&mut self, names: &'d [Name], scope: usize) {
        self.has_isolates = true;
        self.listed.extend(names.iter().map(|name| (name, scope)));
    }

    /// Returns whether an object has this name, or it is that of the program.
    pub(super) fn is_object(&self, path: &str) -> bool {
        path.is_empty() || self.objects.contains_key(path)
    }

    /// Returns the full names of all objects.
    pub(super) fn all_objects(&self) -> impl Iterator<Item = &Rc<str>> {
        self.objects.keys()
    }

    /// Returns the full names of all modules, each with its place.
    pub(super) fn all_modules(&self) -> Vec<(Rc<str>, usize)> {
        let mut found = Vec::new();
        for scope in &self.scopes {
            found.extend(
                scope.modules.iter().map(|(name, (module, _))| (join(&scope.path, name), module.name.at)),
            );
        }
        found
    }

    /// Declares the ends of a range that are names.
    fn ends<'n>(&mut self, scope: usize, ends: impl IntoIterator<Item = &'n Name>) {
        for end in ends {
            if !is_number(&end.text) {
                // It may be a parameter of the module.
                self.declare(scope, &end.text);
                self.is_redeclared = false;
            }
        }
    }

    /// Declares elements or fields. Returns the scope that their types are looked up in, which has no parameters.
    fn singles<'n>(&mut self, scope: usize, names: impl Iterator<Item = &'n Rc<str>>) -> usize {
        let path = self.scopes[scope].path.clone();
        for name in names {
            self.declare(scope, name);
            self.single.insert(join(&path, name));
        }
        if self.scopes[scope].params.is_empty() { scope } else { self.push(Some(scope), path, Vec::new()) }
    }

    /// Declares a name in a scope, and in those around instances without a name.
    fn declare(&mut self, mut scope: usize, name: &Rc<str>) {
        let innermost = scope;
        loop {
            let Scope { first, block, .. } = self.scopes[scope];
            let known = self.scopes[first].names.entry(name.clone()).or_insert((First::Declared, block));
            self.is_redeclared |= scope == innermost && matches!(known.0, First::Argument(..));
            match self.scopes[scope].parent {
                Some(parent) if self.scopes[parent].path == self.scopes[scope].path => scope = parent,
                _ => return,
            }
        }
    }

    /// Returns the scope of an object, which only a block with three dots continues. That sees the names of the blocks before if
    /// they are no instance and stand in the same section of the same block, or in none.
    fn object(
        &mut self,
        scope: usize,
        name: &'d Name,
        params: &'d [Binder],
        opening: Opening,
    ) -> Result<usize> {
        self.declare(scope, &name.text);
        let path = join(&self.scopes[scope].path, &name.text);
        let known = self.objects.get(&path).copied();
        if known.is_some() != (opening == Opening::Continued) {
            return refuse(name.at, "the object is declared twice, or is not there to be continued");
        }
        if &*name.text == "this" {
            return Ok(scope);
        }
        let mut all = self.scopes[scope].params.clone();
        all.extend(params.iter().map(|param| (param, scope)));
        let inner = self.push(Some(scope), path.clone(), all);
        let is_instance = opening == Opening::Instance;
        let mut now = Known { scope: inner, section: self.section, is_instance };
        if let Some(known) = known {
            let Scope { parent, first, block, .. } = self.scopes[known.scope];
            // Instances without a name are part of what is around.
            let at = |it: &usize| self.scopes[*it].parent;
            let is_part = |it: &usize| self.scopes[*it].path == self.scopes[scope].path;
            let mut around = std::iter::successors(parent, at).take_while(is_part);
            let is_same = around.any(|it| self.scopes[it].first == self.scopes[scope].first);
            if is_same && !known.is_instance && known.section == self.section {
                (self.scopes[inner].first, self.scopes[inner].block) = (first, block + 1);
            } else {
                now = known;
            }
        }
        self.objects.insert(path, now);
        Ok(inner)
    }

    fn instance(&mut self, name: &Name, args: &'d [Name], outer: usize, inner: usize) -> Result<()> {
        if name.text.contains('.') {
            return uncovered(name.at, "modules of instances");
        }
        let Some(module) = self.module(outer, &name.text).filter(|it| it.params.len() == args.len()) else {
            return refuse(name.at, "there is no such module with so many parameters");
        };
        if self.open.contains(&&*module.name.text) {
            return refuse(name.at, "a module has an instance of itself");
        }
        for (param, arg) in module.params.iter().zip(args) {
            let meaning = First::Argument(arg.text.clone(), outer);
            self.scopes[inner].names.insert(param.text.clone(), (meaning, 0));
        }
        self.scopes[inner].is_instance = true;
        self.open.push(&module.name.text);
        self.decls(&module.decls, inner)?;
        self.open.pop();
        Ok(())
    }

    /// Returns the module of this name. Those of earlier blocks of objects come last.
    fn module(&self, scope: usize, name: &str) -> Option<&'d Module> {
        if let Some((object, last)) = name.rsplit_once('.') {
            let scope = self.objects.get(&self.resolve(scope, object).0)?.scope;
            return self.scopes[self.scopes[scope].first].modules.get(last).map(|it| it.0);
        }
        let around: Vec<usize> = std::iter::successors(Some(scope), |at| self.scopes[*at].parent).collect();
        [false, true].into_iter().find_map(|is_earlier| {
            around.iter().find_map(|&at| {
                let Scope { first, block, .. } = self.scopes[at];
                let (module, declared) = self.scopes[first].modules.get(name)?;
                (is_earlier || *declared == block).then_some(*module)
            })
        })
    }

    /// Returns whether the name of an action is one that the same block declares, or one around it, up to the module: its
    /// monitors have its parameters there, but for those of objects around the action alone, in `declared_in`. If the monitor has
    /// all parameters, `is_for_results`, it takes over the results alone.
    pub(super) fn gives_params(
        &self,
        scope: usize,
        name: &str,
        (full, declared_in): (&str, usize),
        is_for_results: bool,
    ) -> bool {
        let (word, _) = name.split_once('.').unwrap_or((name, ""));
        let mut at = Some(scope);
        while let Some(here) = at {
            let Scope { parent, first, block, path, is_instance, .. } = &self.scopes[here];
            match self.scopes[*first].names.get(word) {
                Some((First::Declared, declared)) if declared == block => {
                    let count = |at: usize| self.scopes[at].params.len();
                    return (is_for_results || count(here) == count(declared_in))
                        && *join(path, name) == *full;
                }
                _ if *is_instance => return false,
                _ => at = *parent,
            }
        }
        word == "this"
    }

    /// Returns whether a name is just that of a parameter of the module that a scope is an instance of. What is said of such an action
    /// belongs to the object of the action.
    pub(super) fn is_argument(&self, scope: usize, name: &str) -> bool {
        let mut at = Some(scope);
        while let Some(here) = at.filter(|&here| self.scopes[here].path == self.scopes[scope].path) {
            let Scope { parent, first, block, .. } = &self.scopes[here];
            match self.scopes[*first].names.get(name) {
                Some((meaning, declared)) if declared <= block => {
                    return matches!(meaning, First::Argument(..));
                }
                _ => at = *parent,
            }
        }
        false
    }

    /// Returns the name that a declaration in a scope has in the program.
    pub(super) fn full(&self, scope: usize, name: &str) -> Rc<str> {
        join(&self.scopes[scope].path, name)
    }

    /// Returns the scope around a scope.
    pub(super) fn around(&self, scope: usize) -> usize {
        self.scopes[scope].parent.unwrap_or(scope)
    }

    /// Returns the parameters of the objects around, with their types.
    pub(super) fn params(&self, scope: usize) -> Vec<Binder> {
        let params = self.scopes[scope].params.iter();
        params.map(|(param, scope)| self.typed(*scope, param)).collect()
    }

    /// Returns a variable with its type as the program has it.
    pub(super) fn typed(&self, scope: usize, Binder { name, sort }: &Binder) -> Binder {
        Binder { name: name.clone(), sort: sort.as_ref().map(|sort| self.sort(scope, sort)) }
    }

    /// Returns what a name means in a scope: its name in the program, and how many parameters the objects have that
    /// declare it.
    pub(super) fn resolve(&self, mut scope: usize, name: &str) -> (Rc<str>, usize) {
        let mut name = name.to_owned();
        for _ in 0..MAX_OPEN {
            let (first, rest) = name.split_once('.').unwrap_or((&name, ""));
            if first == "this" {
                let Scope { path, params, .. } = &self.scopes[scope];
                return if rest.is_empty() {
                    (path.clone(), params.len())
                } else {
                    self.counted(scope, rest)
                };
            }
            let mut around = std::iter::successors(Some(scope), |at| self.scopes[*at].parent);
            let found = around.find_map(|here| {
                let Scope { first: kept, block, .. } = self.scopes[here];
                let (meaning, declared) = self.scopes[kept].names.get(first)?;
                (*declared <= block).then_some((here, meaning))
            });
            match found {
                None => break,
                Some((here, First::Declared)) => {
                    return self.counted(here, &name);
                }
                Some((_, First::Argument(arg, outer))) => {
                    name = if rest.is_empty() { arg.to_string() } else { format!("{arg}.{rest}") };
                    scope = *outer;
                }
            }
        }
        (name.into(), 0)
    }

    /// Returns the name of what an object declares, with the number of its parameters.
    fn counted(&self, object: usize, name: &str) -> (Rc<str>, usize) {
        let Scope { path, params, .. } = &self.scopes[object];
        let name = join(path, name);
        let count = if self.single.contains(&name) { 0 } else { params.len() };
        (name, count)
    }

    /// Returns a type of the program.
    pub(super) fn sort(&self, mut scope: usize, sort: &Rc<str>) -> Rc<str> {
        let mut sort = sort.clone();
        for _ in 0..MAX_OPEN {
            if &*sort == "bool" {
                break;
            }
            let full = self.resolve(scope, &sort).0;
            match self.aliases.get(&full) {
                Some((next, at)) => (sort, scope) = (next.clone(), *at),
                None => return full,
            }
        }
        sort
    }
}
