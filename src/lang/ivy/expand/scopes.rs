//! Scopes: the names that files, objects and instances of modules declare, and what names mean in them.

use std::sync::Arc;

use crate::ivy::ast::{Decl, Ident, Module, Scheme, SortName, SortRef, SortedVar};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::Span;
use ramsey_core::typed_id;

typed_id! {
    /// A scope.
    pub(super) struct ScopeId;
}

/// Maximum number of steps from an alias to its type, and from a parameter of a module to its argument.
const MAX_STEPS: usize = 100;

/// Meaning of the first part of a name in a scope.
#[derive(Clone)]
enum Meaning {
    /// The scope declares it.
    Declared,
    /// It is a parameter of a module, with an argument in the scope of the instance.
    Argument(Arc<str>, ScopeId),
}

/// The names of a block of an object, of an instance of a module, or of the whole program.
struct Scope<'a> {
    parent: Option<ScopeId>,
    /// The scope of the first block of the object, which has the names of all blocks.
    first: ScopeId,
    /// The position of the block among those of the object. What a later block declares, it does not see.
    block: u32,
    /// The name of the object; empty for the program.
    path: Arc<str>,
    /// The parameters of all enclosing objects, outermost first.
    params: Vec<Param>,
    /// Whether it is that of what an object declares once, without parameters.
    is_common: bool,
    /// Whether it is that of what a theorem declares.
    is_theorem: bool,
    /// Whether it is that of an instance of a module.
    is_instance: bool,
    /// The names of all blocks, each with the block that declares it first.
    names: Map<Arc<str>, (Meaning, u32)>,
    /// The modules of all blocks, each with the block that declares it.
    modules: Map<Arc<str>, (&'a Module, u32)>,
    schemes: Map<Arc<str>, SchemeIn<'a>>,
    /// In an instance of a module, what names mean in the modules that it declares, wherever these have instances: the
    /// parameters, and the name of the module, which is that of the instance.
    replaced: Vec<(Arc<str>, Meaning)>,
}

/// A scheme in its scope.
#[derive(Clone, Copy)]
pub(super) struct SchemeIn<'a> {
    pub(super) scheme: &'a Scheme,
    pub(super) decl: &'a Decl,
    pub(super) scope: ScopeId,
}

/// A parameter of an object.
#[derive(Clone)]
pub(super) struct Param {
    pub(super) var: SortedVar,
    /// The scope in which the sort is to be resolved.
    scope: ScopeId,
}

/// A name in the flat program.
pub(super) struct Resolved {
    pub(super) name: Arc<str>,
    /// The number of parameters of the objects that declare it. Inside of them, these are its first arguments.
    pub(super) params: usize,
}

/// The last block of an object, or an instance.
#[derive(Clone, Copy)]
struct Block {
    scope: ScopeId,
    /// The place of the name of the first one.
    name: Span,
    is_instance: bool,
    /// The section that the first one stands in.
    section: u32,
}

/// What gives an object declarations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// Its first block.
    First,
    /// A block that begins with `...`.
    Continued,
    /// A module.
    Instance,
}

/// All scopes.
pub(super) struct Scopes<'a> {
    scopes: IdVec<ScopeId, Scope<'a>>,
    /// The objects with their last blocks.
    by_path: Map<Arc<str>, Block>,
    aliases: Map<Arc<str>, (SortName, ScopeId)>,
    /// What objects declare without parameters.
    common: Set<Arc<str>>,
    /// The section that is being read, and how many there have been; 0 is what stands in none.
    section: u32,
    sections: u32,
    /// Names that have been declared, and are those of parameters of the module as well.
    pub(super) redeclared: Vec<Arc<str>>,
}

/// Joins the name of an object with that of a declaration in it.
pub(super) fn join(path: &str, name: &str) -> Arc<str> {
    match (path, name) {
        ("", _) => name.into(),
        (_, "this") => path.into(),
        _ => format!("{path}.{name}").into(),
    }
}

/// Splits a name after its first part, which may have subscripts with several parts.
fn split_first(name: &str) -> (&str, &str) {
    let mut open = 0_usize;
    let dot = name.bytes().position(|byte| {
        match byte {
            b'[' => open += 1,
            b']' => open = open.saturating_sub(1),
            _ => {}
        }
        byte == b'.' && open == 0
    });
    match dot {
        Some(at) => (&name[..at], &name[at + 1..]),
        None => (name, ""),
    }
}

/// Returns the words of which the subscripts of a name consist, without the parts of each after its first one.
pub(super) fn subscripts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['[', ']']).skip(1).filter_map(|word| word.split('.').next()).filter(|word| !word.is_empty())
}

impl<'a> Scopes<'a> {
    /// Creates the scope of the program.
    pub(super) fn new() -> (Scopes<'a>, ScopeId) {
        let mut scopes = IdVec::new();
        let root = scopes.push(Scope {
            parent: None,
            first: ramsey_core::base::ids::Id::new(0),
            block: 0,
            path: "".into(),
            params: Vec::new(),
            is_common: false,
            is_theorem: false,
            is_instance: false,
            names: Map::default(),
            modules: Map::default(),
            schemes: Map::default(),
            replaced: Vec::new(),
        });
        (
            Scopes {
                scopes,
                by_path: Map::default(),
                aliases: Map::default(),
                common: Set::default(),
                section: 0,
                sections: 0,
                redeclared: Vec::new(),
            },
            root,
        )
    }

    /// Returns the scope of the program.
    pub(super) fn root(&self) -> ScopeId {
        ramsey_core::base::ids::Id::new(0)
    }

    /// Returns the scope of a block of an object, which may have been declared in part before. What continues an object sees
    /// what the blocks before declare, and they do not see what it declares: there, such a name is that of something outside.
    /// So is, in what continues an instance, a name that the module declares, and what a block in another section declares. Each
    /// block has the parameters that it names.
    pub(super) fn object(
        &mut self,
        outer: ScopeId,
        name: &Ident,
        params: &[SortedVar],
        opening: Opening,
    ) -> ScopeId {
        if &*name.name == "this" {
            return outer;
        }
        let path = join(&self.scopes[outer].path, &name.name);
        let mut all = self.scopes[outer].params.clone();
        all.extend(params.iter().map(|var| Param { var: var.clone(), scope: outer }));
        let scope = self.inner(outer, path.clone(), all);
        let Some(&last) = self.by_path.get(&path) else {
            let is_instance = opening == Opening::Instance;
            self.by_path.insert(path, Block { scope, name: name.span(), is_instance, section: self.section });
            return scope;
        };
        let Scope { parent, first, block, .. } = self.scopes[last.scope];
        // What is around may be a block that continues an instance, or an instance without a name that is a part of it.
        let around = parent.map_or_else(Vec::new, |at| self.same_object(at));
        let is_around = around.iter().any(|&at| self.scopes[at].first == self.scopes[outer].first);
        if is_around && !last.is_instance && last.section == self.section {
            self.by_path.insert(path, Block { scope, ..last });
            (self.scopes[scope].first, self.scopes[scope].block) = (first, block + 1);
        }
        scope
    }

    /// Begins a section. Returns the one around it, for [`Scopes::leave_section`].
    pub(super) fn enter_section(&mut self) -> u32 {
        self.sections += 1;
        std::mem::replace(&mut self.section, self.sections)
    }

    /// Ends a section.
    pub(super) fn leave_section(&mut self, around: u32) {
        self.section = around;
    }

    /// Returns the place of the name of an object that has been declared before.
    pub(super) fn known_object(&self, outer: ScopeId, name: &Ident) -> Option<Span> {
        self.by_path.get(&join(&self.scopes[outer].path, &name.name)).map(|block| block.name)
    }

    /// Returns whether a block knows a name of its object.
    pub(super) fn knows(&self, scope: ScopeId, name: &str) -> bool {
        self.same_object(scope).into_iter().any(|at| self.meaning_in(at, name).is_some())
    }

    /// Returns whether an object has this name.
    pub(super) fn is_object(&self, path: &str) -> bool {
        self.by_path.contains_key(path)
    }

    /// Returns the place of the name of an object.
    pub(super) fn place_of(&self, path: &str) -> Option<Span> {
        self.by_path.get(path).map(|block| block.name)
    }

    /// Returns the names of all objects.
    pub(super) fn objects(&self) -> impl Iterator<Item = &str> {
        self.by_path.keys().map(|path| &**path)
    }

    /// Creates the scope of what a theorem declares, whose names nothing outside of it has.
    pub(super) fn theorem(&mut self, outer: ScopeId, name: &Ident) -> ScopeId {
        let path = join(&self.scopes[outer].path, &format!("{}@", name.name));
        let params = self.scopes[outer].params.clone();
        let scope = self.inner(outer, path, params);
        self.scopes[scope].is_theorem = true;
        scope
    }

    /// Returns whether a scope is that of what a theorem declares.
    pub(super) fn is_theorem(&self, scope: ScopeId) -> bool {
        self.scopes[scope].is_theorem
    }

    /// Returns the scope around a scope: itself for that of the program.
    pub(super) fn around(&self, scope: ScopeId) -> ScopeId {
        self.scopes[scope].parent.unwrap_or(scope)
    }

    /// Creates the scope of what an object declares without the parameters of all objects around.
    pub(super) fn common(&mut self, object: ScopeId) -> ScopeId {
        let path = self.scopes[object].path.clone();
        let scope = self.inner(object, path, Vec::new());
        self.scopes[scope].is_common = true;
        scope
    }

    /// Returns the scope of what an object says of a type: its elements and fields are those of all copies of the object, and
    /// have no parameters.
    pub(super) fn with_elements(&mut self, object: ScopeId) -> ScopeId {
        if self.scopes[object].params.is_empty() { object } else { self.common(object) }
    }

    /// Returns the number of parameters of what has this name in an object.
    fn params_of(&self, object: ScopeId, name: &str) -> usize {
        let Scope { path, params, .. } = &self.scopes[object];
        let dots = name.match_indices('.').map(|(at, _)| at);
        let is_common = dots.chain([name.len()]).any(|end| self.common.contains(&join(path, &name[..end])));
        if is_common { 0 } else { params.len() }
    }

    /// Creates the scope of an instance without a name, whose declarations are those of the scope around it.
    pub(super) fn anonymous(&mut self, outer: ScopeId) -> ScopeId {
        let Scope { path, params, .. } = &self.scopes[outer];
        let (path, params) = (path.clone(), params.clone());
        self.inner(outer, path, params)
    }

    fn inner(&mut self, outer: ScopeId, path: Arc<str>, params: Vec<Param>) -> ScopeId {
        self.scopes.push(Scope {
            parent: Some(outer),
            first: self.scopes.next_id(),
            block: 0,
            params,
            is_common: self.scopes[outer].is_common && self.scopes[outer].path == path,
            is_theorem: self.scopes[outer].is_theorem,
            is_instance: false,
            path,
            names: Map::default(),
            modules: Map::default(),
            schemes: Map::default(),
            replaced: Vec::new(),
        })
    }

    /// Declares a name, also in the scopes around instances without a name.
    pub(super) fn declare(&mut self, scope: ScopeId, name: &Arc<str>) {
        let name = self.spelled(scope, name);
        if self.scopes[scope].is_common {
            self.common.insert(join(&self.scopes[scope].path, &name));
        }
        for (at, scope) in self.same_object(scope).into_iter().enumerate() {
            let Scope { first, block, .. } = self.scopes[scope];
            let known = self.scopes[first].names.entry(name.clone()).or_insert((Meaning::Declared, block));
            if at == 0 && matches!(known.0, Meaning::Argument(..)) {
                self.redeclared.push(name.clone());
            }
        }
    }

    /// Declares the label of a claim or an end of a range, which may have the name of a parameter of the module around it.
    pub(super) fn declare_beside(&mut self, scope: ScopeId, name: &Arc<str>) {
        let known = self.redeclared.len();
        self.declare(scope, name);
        self.redeclared.truncate(known);
    }

    /// Returns what a word means in a scope itself.
    fn meaning_in(&self, scope: ScopeId, word: &str) -> Option<&Meaning> {
        let Scope { first, block, .. } = &self.scopes[scope];
        let (meaning, declared) = self.scopes[*first].names.get(word)?;
        (declared <= block).then_some(meaning)
    }

    /// Returns a scope and those around it up to that of the object, which instances without a name are part of.
    fn same_object(&self, scope: ScopeId) -> Vec<ScopeId> {
        let around = |&at: &ScopeId| {
            let parent = self.scopes[at].parent?;
            (self.scopes[parent].path == self.scopes[at].path).then_some(parent)
        };
        std::iter::successors(Some(scope), around).collect()
    }

    /// Returns whether a name is that of a parameter of the module that a block is an instance of. What is said of such an action
    /// belongs to the object of the action.
    pub(super) fn is_argument(&self, scope: ScopeId, name: &str) -> bool {
        let meaning = self.same_object(scope).into_iter().find_map(|at| self.meaning_in(at, name));
        matches!(meaning, Some(Meaning::Argument(..)))
    }

    /// Declares a scheme, also in the scopes around instances without a name. Returns the one that has the name already.
    pub(super) fn add_scheme(&mut self, new: SchemeIn<'a>) -> Option<SchemeIn<'a>> {
        let name = self.spelled(new.scope, &new.scheme.name.name);
        let mut known = None;
        for scope in self.same_object(new.scope) {
            let first = self.scopes[scope].first;
            known = self.scopes[first].schemes.insert(name.clone(), new).or(known);
        }
        known
    }

    /// Returns the scheme of this name.
    pub(super) fn scheme(&self, scope: ScopeId, name: &str) -> Option<SchemeIn<'a>> {
        let name = self.spelled(scope, name);
        let mut around = std::iter::successors(Some(scope), |&at| self.scopes[at].parent);
        around.find_map(|scope| self.scopes[self.scopes[scope].first].schemes.get(&name).copied())
    }

    /// Returns a name with the arguments of the modules around it in place of their parameters, if it has subscripts. In
    /// other names, parameters are resolved with the name.
    pub(super) fn spelled(&self, scope: ScopeId, name: &str) -> Arc<str> {
        if !name.contains('[') {
            return name.into();
        }
        let mut spelled = String::new();
        let mut rest = name;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(['[', ']', '.']).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            match word {
                "" => {
                    spelled.push(first);
                    rest = rest.get(first.len_utf8()..).unwrap_or_default();
                }
                "this" if !spelled.is_empty() => {
                    spelled.push_str(&self.resolve(scope, word).name);
                    rest = after;
                }
                // Parts after the first are names in what it is.
                _ if spelled.ends_with('.') => {
                    spelled.push_str(word);
                    rest = after;
                }
                _ => {
                    match self.meaning(scope, word) {
                        Some((_, Meaning::Argument(arg, outer))) => {
                            spelled.push_str(&self.resolve(*outer, arg).name);
                        }
                        // The name itself is resolved as others are.
                        Some((here, Meaning::Declared)) if !spelled.is_empty() => {
                            spelled.push_str(&join(&self.scopes[here].path, word));
                        }
                        _ => spelled.push_str(word),
                    }
                    rest = after;
                }
            }
        }
        spelled.into()
    }

    /// Returns what a word means in a scope, with the scope that gives it the meaning.
    fn meaning(&self, scope: ScopeId, word: &str) -> Option<(ScopeId, &Meaning)> {
        let mut around = std::iter::successors(Some(scope), |&at| self.scopes[at].parent);
        around.find_map(|here| Some((here, self.meaning_in(here, word)?)))
    }

    /// Gives a parameter of a module its argument.
    pub(super) fn argument(&mut self, scope: ScopeId, param: &Ident, arg: &Ident, outer: ScopeId) {
        let Scope { first, block, .. } = self.scopes[scope];
        let meaning = Meaning::Argument(arg.name.clone(), outer);
        self.scopes[first].names.insert(param.name.clone(), (meaning, block));
    }

    /// Declares a module. Returns the one that has the name already.
    pub(super) fn add_module(&mut self, scope: ScopeId, module: &'a Module) -> Option<&'a Module> {
        let Scope { first, block, .. } = self.scopes[scope];
        if let Some((Meaning::Argument(..), _)) = self.scopes[first].names.get(&module.name.name) {
            self.redeclared.push(module.name.name.clone());
        }
        let known = self.scopes[first].modules.insert(module.name.name.clone(), (module, block));
        known.map(|(module, _)| module)
    }

    /// Gives the names in an instance of a module that another instance declares their meanings. `home` is what declares the
    /// module, and `inner` the scope of the instance, which has a name unless it is a part of the object around it.
    pub(super) fn replace(
        &mut self,
        (inner, outer): (ScopeId, ScopeId),
        (module, home): (&Module, ScopeId),
        args: &[Ident],
    ) {
        let mut replaced = self.scopes[self.scopes[home].first].replaced.clone();
        let Scope { first, block, .. } = self.scopes[inner];
        for (name, meaning) in &replaced {
            let names = &mut self.scopes[first].names;
            names.entry(name.clone()).or_insert_with(|| (meaning.clone(), block));
        }
        for (param, arg) in module.params.iter().zip(args) {
            replaced.push((param.name.clone(), Meaning::Argument(arg.name.clone(), outer)));
        }
        if self.scopes[inner].path != self.scopes[outer].path {
            replaced.push((module.name.name.clone(), Meaning::Argument("this".into(), inner)));
        }
        self.scopes[first].replaced = replaced;
        self.scopes[inner].is_instance = true;
    }

    /// Returns whether a monitor in a scope takes over the parameters of the action that its name means: those of an action of
    /// this name that the same block declares, or one around it, up to the module. What is in a block has its name there once
    /// the block has ended. If the monitor has all parameters, `is_for_results`, it takes over the results alone.
    pub(super) fn gives_params(
        &self,
        scope: ScopeId,
        name: &str,
        (full, declared_in): (&str, ScopeId),
        is_for_results: bool,
    ) -> bool {
        let (word, _) = split_first(name);
        if word == "this" || name.contains('[') {
            return true;
        }
        let around = || std::iter::successors(Some(scope), |&at| self.scopes[at].parent);
        let is_open = around().any(|at| at == declared_in);
        for at in around() {
            let Scope { first, block, path, is_instance, .. } = &self.scopes[at];
            match self.scopes[*first].names.get(word) {
                Some((Meaning::Declared, declared)) if declared == block => {
                    let is_known = !is_open || *path == self.scopes[declared_in].path;
                    // The parameters of objects around the action alone are in no list.
                    let has_all = is_for_results || self.params(at).len() == self.params(declared_in).len();
                    return is_known && has_all && *join(path, name) == *full;
                }
                _ if *is_instance => return false,
                _ => {}
            }
        }
        false
    }

    /// Returns the module of this name.
    pub(super) fn module(&self, scope: ScopeId, name: &str) -> Option<&'a Module> {
        self.module_at(scope, name).map(|(module, _)| module)
    }

    /// Returns the module of this name, with the scope that declares it. Those of blocks before in an object come after those
    /// of what is around.
    pub(super) fn module_at(&self, scope: ScopeId, name: &str) -> Option<(&'a Module, ScopeId)> {
        let Some((object, last)) = name.rsplit_once('.') else {
            let found = |is_before: bool| {
                let mut around = std::iter::successors(Some(scope), |&at| self.scopes[at].parent);
                around.find_map(|at| {
                    let Scope { first, block, .. } = self.scopes[at];
                    let (module, declared) = self.scopes[first].modules.get(name)?;
                    (is_before || *declared == block).then_some((*module, at))
                })
            };
            return found(false).or_else(|| found(true));
        };
        let scope = self.by_path.get(&self.resolve(scope, object).name)?.scope;
        let (module, _) = self.scopes[self.scopes[scope].first].modules.get(last)?;
        Some((module, scope))
    }

    /// Returns whether an object, or the program, declares a module of this name itself.
    pub(super) fn declares_module(&self, scope: ScopeId, name: &str) -> bool {
        self.scopes[self.scopes[scope].first].modules.contains_key(name)
    }

    /// Returns the full names of all modules, each with its place.
    pub(super) fn all_modules(&self) -> impl Iterator<Item = (Arc<str>, Span)> {
        let of = |scope: &Scope<'a>| -> Vec<(Arc<str>, Span)> {
            scope.modules.iter().map(|(name, it)| (join(&scope.path, name), it.0.name.span())).collect()
        };
        self.scopes.iter().flat_map(of)
    }

    /// Returns the names of all modules that can be used in a scope.
    pub(super) fn modules(&self, scope: ScopeId) -> Vec<&str> {
        let mut names = Vec::new();
        let mut at = Some(scope);
        while let Some(scope) = at {
            names.extend(self.scopes[self.scopes[scope].first].modules.keys().map(|name| &**name));
            at = self.scopes[scope].parent;
        }
        names.sort_unstable();
        names
    }

    /// Declares another name of a sort.
    pub(super) fn alias(&mut self, scope: ScopeId, name: &Ident, sort: &SortRef) {
        let full = join(&self.scopes[scope].path, &name.name);
        self.aliases.insert(full, (sort.name.clone(), scope));
    }

    /// Returns the name that a declaration in a scope has in the flat program.
    pub(super) fn full(&self, scope: ScopeId, name: &str) -> Arc<str> {
        join(&self.scopes[scope].path, &self.spelled(scope, name))
    }

    /// Returns the parameters of a scope, with their sorts resolved.
    pub(super) fn params(&self, scope: ScopeId) -> Vec<SortedVar> {
        let resolve = |param: &Param| {
            let sort = param.var.sort.as_ref().map(|sort| self.sort(param.scope, sort));
            SortedVar { name: param.var.name.clone(), sort }
        };
        self.scopes[scope].params.iter().map(resolve).collect()
    }

    /// Returns what a name means in a scope. A name that nothing declares stays as it is.
    pub(super) fn resolve(&self, scope: ScopeId, name: &str) -> Resolved {
        let (mut scope, mut name) = (scope, self.spelled(scope, name).to_string());
        for _ in 0..MAX_STEPS {
            let (first, rest) = split_first(&name);
            if first == "this" {
                // A theorem is no object.
                while let Scope { is_theorem: true, parent: Some(parent), .. } = &self.scopes[scope] {
                    scope = *parent;
                }
                let path = &self.scopes[scope].path;
                let name = if rest.is_empty() { path.clone() } else { join(path, rest) };
                return Resolved { name, params: self.params_of(scope, rest) };
            }
            match self.meaning(scope, first) {
                None => break,
                Some((here, Meaning::Declared)) => {
                    let params = self.params_of(here, &name);
                    return Resolved { name: join(&self.scopes[here].path, &name), params };
                }
                Some((_, Meaning::Argument(arg, outer))) => {
                    scope = *outer;
                    let arg = self.spelled(scope, arg);
                    name = if rest.is_empty() { arg.to_string() } else { format!("{arg}.{rest}") };
                }
            }
        }
        Resolved { name: name.into(), params: 0 }
    }

    /// Returns a sort of the flat program.
    pub(super) fn sort(&self, scope: ScopeId, sort: &SortRef) -> SortRef {
        let (mut scope, mut name) = (scope, sort.name.clone());
        for _ in 0..MAX_STEPS {
            let SortName::Named(named) = &name else { break };
            let resolved = self.resolve(scope, named).name;
            match self.aliases.get(&resolved) {
                Some((next, at)) => (name, scope) = (next.clone(), *at),
                // The argument of a module may be this one.
                None if &*resolved == "bool" => {
                    name = SortName::Bool;
                    break;
                }
                None => {
                    name = SortName::Named(resolved);
                    break;
                }
            }
        }
        SortRef { name, place: sort.place }
    }
}
