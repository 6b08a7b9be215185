//! Definitions of functions and their expansion.

use super::failure::Result;
use super::lexer::{Place, Token};
use super::names::{Function, Name, quote};
use super::script::Script;
use super::state::{BodyInfo, Declared, Macro};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::diag::Code;
use ramsey_core::logic::{Node, SortId, TermId, Terms, VarId};

/// A function of `define-funs-rec`.
struct Definition {
    name: Name,
    at: Place,
    /// Offset of its parameters.
    params: u32,
    /// Offset of its body.
    body: u32,
    progress: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Waiting,
    /// Waiting for another definition.
    Open,
    Done,
}

impl Script<'_> {
    /// Reads the arguments of `define-fun` or `define-fun-rec`.
    pub(super) fn define_fun(&mut self, is_recursive: bool) -> Result<()> {
        let (name, place) = self.symbol("the name of the function")?;
        self.check_new_function(name, place)?;
        if is_recursive {
            self.pending.insert(name, 0);
        }
        self.parameters()?;
        let sort = self.sort()?;
        let body = self.body(sort)?;
        self.end()?;
        self.bind_macro(name, body);
        Ok(())
    }

    /// Reads the arguments of `define-const`.
    pub(super) fn define_const(&mut self) -> Result<()> {
        let (name, place) = self.symbol("the name of the constant")?;
        self.check_new_function(name, place)?;
        let sort = self.sort()?;
        let body = self.body(sort)?;
        self.end()?;
        self.bind_macro(name, body);
        Ok(())
    }

    /// Reads the arguments of `define-funs-rec`. Functions may refer to each other in any order, but not cyclically.
    pub(super) fn define_funs(&mut self) -> Result<()> {
        let mut definitions: Vec<Definition> = Vec::new();
        self.open("the functions in parentheses")?;
        loop {
            match self.lexer.next()? {
                Token::Close => break,
                Token::Open => {}
                _ => return Err(self.expected("a function or `)`", "it looks like `(f ((x s)) t)`")),
            }
            let (name, at) = self.symbol("the name of the function")?;
            self.check_new_function(name, at)?;
            if self.pending.insert(name, definitions.len()).is_some() {
                return Err(self.bound_twice(name, at));
            }
            let params = self.skip_tree("the parameters in parentheses")?.start;
            self.skip_tree("the sort of the function")?;
            self.close()?;
            definitions.push(Definition { name, at, params, body: 0, progress: Progress::Waiting });
        }
        self.open("the bodies in parentheses")?;
        for definition in &mut definitions {
            definition.body = self.skip_tree("a body for each function")?.start;
        }
        self.close()?;
        self.end()?;
        let mut open: Vec<usize> = (0..definitions.len()).rev().collect();
        while let Some(&index) = open.last() {
            if definitions[index].progress == Progress::Done {
                open.pop();
                continue;
            }
            definitions[index].progress = Progress::Open;
            let declared = self.front.declared.len();
            match self.define(&definitions[index]) {
                Ok(()) => {
                    definitions[index].progress = Progress::Done;
                    open.pop();
                }
                Err(error) => {
                    let needed = self.needed.take();
                    let read = self.lexer.place().end.saturating_sub(definitions[index].body);
                    let Some(other) =
                        needed.filter(|&other| definitions[other].progress == Progress::Waiting)
                    else {
                        return Err(error);
                    };
                    self.stack.unwind(&mut self.front.names, &mut self.front.variables);
                    self.front.variables.reset();
                    self.front.truncate_declarations(declared);
                    open.push(other);
                    // The text already read is read again.
                    self.work(read as usize, definitions[index].at)?;
                }
            }
        }
        Ok(())
    }

    fn define(&mut self, definition: &Definition) -> Result<()> {
        self.lexer.go_to(definition.params);
        self.parameters()?;
        let sort = self.sort()?;
        self.lexer.go_to(definition.body);
        let body = self.body(sort)?;
        self.pending.remove(&definition.name);
        self.bind_macro(definition.name, body);
        Ok(())
    }

    fn parameters(&mut self) -> Result<()> {
        self.open("the parameters in parentheses")?;
        self.variables(0)
    }

    /// Reads the body of a definition of this sort.
    fn body(&mut self, sort: SortId) -> Result<TermId> {
        let body = self.term()?;
        self.check_sort(body.term, sort, body.place)?;
        Ok(body.term)
    }

    /// Brings a definition into scope, whose parameters are the bound variables.
    fn bind_macro(&mut self, name: Name, body: TermId) {
        let params = self.stack.bound.clone();
        self.stack.unwind(&mut self.front.names, &mut self.front.variables);
        let function = self.add_macro(params, body);
        self.bind_function(name, function);
    }

    /// Adds a definition.
    pub(super) fn add_macro(&mut self, params: Vec<VarId>, body: TermId) -> Function {
        self.front.macros.push(Macro { params, body, body_info: None });
        Function::Macro(self.front.macros.len() - 1)
    }

    /// Brings a function into scope.
    pub(super) fn bind_function(&mut self, name: Name, function: Function) {
        self.front.names.entries[name].function = function;
        self.front.declared.push(Declared::Function(name));
    }

    /// Checks that no function of this name is in scope.
    pub(super) fn check_new_function(&self, name: Name, place: Place) -> Result<()> {
        let shown = quote(self.front.names.text(name));
        let (message, hint) = match self.front.names.entries[name].function {
            Function::None => return Ok(()),
            Function::Builtin(_) => {
                (format!("`{shown}` is a function of the core theory"), "choose another name")
            }
            Function::Symbol(_) | Function::Constructor(_) | Function::Macro(_) => (
                format!("`{shown}` is declared already"),
                "choose another name, or declare it between `(push)` and `(pop)`",
            ),
        };
        Err(place.error(Code::Duplicate, message, hint))
    }

    /// Expands a definition for the arguments on the stack of values from `first` on.
    ///
    /// No variable may be bound twice on a path, so variables bound in the body are renamed if they are bound around
    /// this position or in an argument.
    pub(super) fn expand(&mut self, index: usize, name: Name, first: usize, place: Place) -> Result<TermId> {
        let given = self.stack.values.len() - first;
        let arity = self.front.macros[index].params.len();
        if arity != given {
            return Err(self.wrong_arity(self.front.names.text(name), arity, given, place));
        }
        let mut map = Map::default();
        for at in 0..arity {
            let param = self.front.macros[index].params[at];
            let value = self.stack.values[first + at];
            self.check_sort(value, self.terms.var_info(param).sort, self.stack.places[first + at])?;
            map.insert(param, value);
        }
        let body = self.front.macros[index].body;
        let (bound, size) = self.body_info(index, place)?;
        let is_renamed = bound > 0
            && self.front.macros[index].body_info.as_ref().is_some_and(|body_info| {
                body_info.bound.iter().any(|&var| !self.front.variables.is_available(var))
            });
        let copied = if arity > 0 || is_renamed { size } else { 0 };
        self.work(bound + copied, place)?;
        let body = if is_renamed { self.rename(index, body) } else { body };
        if !is_renamed && let Some(body_info) = &self.front.macros[index].body_info {
            for &var in &body_info.bound {
                self.front.variables.note(var);
            }
        }
        Ok(self.terms.substitute(body, &map))
    }

    /// Returns the number of variables bound in a body and its number of distinct terms. Computed on first use.
    fn body_info(&mut self, index: usize, place: Place) -> Result<(usize, usize)> {
        if self.front.macros[index].body_info.is_none() {
            let body_info = body_info(self.terms, self.front.macros[index].body);
            self.work(body_info.size, place)?;
            self.front.macros[index].body_info = Some(body_info);
        }
        Ok(self.front.macros[index]
            .body_info
            .as_ref()
            .map_or((0, 0), |body_info| (body_info.bound.len(), body_info.size)))
    }

    /// Returns a body with the unavailable bound variables renamed.
    fn rename(&mut self, index: usize, body: TermId) -> TermId {
        let Macro { params, body_info, .. } = &self.front.macros[index];
        let bound = body_info.as_ref().map_or(&[][..], |body_info| &body_info.bound);
        let variables = &mut self.front.variables;
        let taken: Vec<bool> = bound.iter().map(|&var| !variables.is_available(var)).collect();
        for &var in bound.iter().chain(params) {
            variables.reserve(var);
        }
        let mut map = Map::default();
        let mut made = Vec::new();
        for (&var, is_taken) in bound.iter().zip(taken) {
            if is_taken {
                let other = variables.rename(self.terms, var);
                made.push(other);
                map.insert(var, self.terms.var(other));
                variables.note(other);
            } else {
                variables.note(var);
            }
        }
        for &var in made.iter().chain(bound).chain(params) {
            variables.release(var);
        }
        replace(self.terms, body, &map, &mut Map::default())
    }
}

fn body_info(terms: &Terms, body: TermId) -> BodyInfo {
    let mut body_info = BodyInfo { bound: Vec::new(), size: 0 };
    let (mut seen, mut bound) = (Set::default(), Set::default());
    let mut stack = vec![body];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        body_info.size += 1;
        if let Node::Forall(vars, _) | Node::Exists(vars, _) = terms.node(term) {
            body_info.bound.extend(terms.bound_vars(vars).filter(|&var| bound.insert(var)));
        }
        if terms.has_vars(term) {
            stack.extend(terms.children(term));
        }
    }
    body_info.bound.sort_unstable();
    body_info
}

/// Replaces variables in `term`, including bound ones.
fn replace(
    terms: &mut Terms,
    term: TermId,
    map: &Map<VarId, TermId>,
    memo: &mut Map<TermId, TermId>,
) -> TermId {
    if !terms.has_vars(term) {
        return term;
    }
    if let Node::Var(var) = terms.node(term) {
        return map.get(&var).copied().unwrap_or(term);
    }
    if let Some(&done) = memo.get(&term) {
        return done;
    }
    let mut children: Vec<TermId> = terms.children(term).collect();
    for child in &mut children {
        *child = replace(terms, *child, map, memo);
    }
    let result = terms.rebuild(term, &children);
    memo.insert(term, result);
    result
}
