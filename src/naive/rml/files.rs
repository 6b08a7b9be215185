//! The files of a program, and its modules.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::library::LIBRARY;
use super::parser::{Parser, Renamed};
use super::tokens::tokens;
use crate::program::grammar::{Grammar as _, Tokens};
use crate::program::tree::{Item, Module, Name, Use};
use crate::refusal::{Result, refuse};
use crate::text::{File, Files, Find};

/// How deep files, and modules, may be in each other.
const MAX_OPEN: usize = 200;

/// How many declarations uses of modules may make.
const MAX_ITEMS: usize = 100_000;

impl<'f> Parser<'f> {
    /// Reads a program, which is the first one of the files and may include others.
    pub(super) fn new(files: &'f mut Files, find: Find<'f>) -> Result<Parser<'f>> {
        let mut parser = Parser {
            files,
            find,
            open: Vec::new(),
            tokens: Tokens::default(),
            renamed: None,
            variables: Vec::new(),
            scope: Vec::new(),
            closure: None,
            slots: 0,
            items: Vec::new(),
        };
        parser.file(0)?;
        let mut modules = BTreeMap::new();
        for item in std::mem::take(&mut parser.items) {
            match item {
                Item::Module(module) => {
                    let (text, at) = (module.name.text.clone(), module.name.at);
                    if modules.insert(text, module).is_some() {
                        return refuse(at, "a module is declared twice");
                    }
                }
                item => parser.items.push(item),
            }
        }
        for item in std::mem::take(&mut parser.items) {
            match item {
                Item::Use(usage) => parser.expand(&modules, &usage, &mut Vec::new())?,
                item => parser.items.push(item),
            }
        }
        Ok(parser)
    }

    /// Reads a file.
    fn file(&mut self, file: usize) -> Result<()> {
        let File { text, base, .. } = &self.files.0[file];
        let outer = (std::mem::replace(&mut self.tokens.all, tokens(text, *base)?), self.tokens.next);
        self.tokens.next = 0;
        self.open.push(file);
        self.items("")?;
        self.open.pop();
        (self.tokens.all, self.tokens.next) = outer;
        Ok(())
    }

    /// Reads a file that is included, unless it was before.
    pub(super) fn include(&mut self, name: &Name) -> Result<()> {
        let Some(path) = name.text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else {
            return refuse(name.at, "expected a path in quotes");
        };
        let found = match LIBRARY.iter().find(|(known, _)| *known == path) {
            Some((_, text)) => Some((format!("<{path}.rml>").into(), (*text).to_owned())),
            None => self.open.last().and_then(|file| (self.find)(&self.files.0[*file].path, path)),
        };
        let Some((path, text)) = found else { return refuse(name.at, "there is no such file") };
        match self.files.0.iter().position(|other| other.path == path) {
            Some(known) if self.open.contains(&known) => refuse(name.at, "the files include each other"),
            None if self.open.len() == MAX_OPEN => refuse(name.at, "nested too deep"),
            Some(_) => Ok(()),
            None => {
                self.files.push(path, text);
                self.file(self.files.0.len() - 1)
            }
        }
    }

    /// Adds the declarations of a module where it is used; `open` are the modules that this is in.
    fn expand(
        &mut self,
        modules: &BTreeMap<Rc<str>, Module>,
        Use { module: Name { text, at }, args, prefix }: &Use,
        open: &mut Vec<Rc<str>>,
    ) -> Result<()> {
        let Some(module) = modules.get(text).filter(|module| module.params.len() == args.len()) else {
            return refuse(*at, "there is no such module with so many parameters");
        };
        if open.contains(text) || open.len() == MAX_OPEN || self.items.len() > MAX_ITEMS {
            return refuse(*at, "the module uses itself, or there is too much of it");
        }
        open.push(text.clone());
        let mut renamed = Renamed::default();
        for (names, map) in [(&module.sorts, &mut renamed.sorts), (&module.symbols, &mut renamed.symbols)] {
            if let Some(prefix) = prefix {
                let prefixed = |name: &Name| format!("{}_{}", prefix.text, name.text).into();
                map.extend(names.iter().map(|name| (name.text.clone(), prefixed(name))));
            }
            let params = module.params.iter().zip(args);
            map.extend(params.map(|(param, arg)| (param.text.clone(), arg.text.clone())));
        }
        for item in self.module(module, renamed)? {
            match item {
                Item::Use(inner) => self.expand(modules, &inner, open)?,
                item => self.items.push(item),
            }
        }
        open.pop();
        Ok(())
    }

    /// Reads a module with other names.
    fn module(&mut self, module: &Module, renamed: Renamed) -> Result<Vec<Item>> {
        let outside = std::mem::take(&mut self.items);
        (self.tokens.all, self.tokens.next, self.renamed) = (module.tokens.clone(), 0, Some(renamed));
        self.items("")?;
        self.renamed = None;
        Ok(std::mem::replace(&mut self.items, outside))
    }

    /// Reads a module, whose declarations are read again where it is used.
    pub(super) fn module_declaration(&mut self) -> Result<Module> {
        let name = self.word()?;
        let params = self.group(Self::word)?;
        for (at, param) in params.iter().enumerate() {
            if params[..at].iter().any(|other| other.text == param.text) {
                return refuse(param.at, "two parameters with one name");
            }
        }
        self.expect("{")?;
        let (start, variables, items) = (self.tokens.next, self.variables.len(), self.items.len());
        let (mut sorts, mut symbols) = (Vec::new(), Vec::new());
        self.enter()?;
        while !self.is("}") {
            let start = self.peek();
            if self.eat(";") {
                continue;
            }
            self.scope.clear();
            match self.declaration(&start)? {
                Some(Item::Sort(name)) => sorts.push(name),
                Some(Item::Symbol(names, ..)) => symbols.extend(names),
                Some(Item::Formula(formula)) => symbols.extend(formula.name),
                Some(Item::Use(_)) => {}
                _ => return refuse(start.at, "a module has declarations alone"),
            }
        }
        self.leave();
        self.variables.truncate(variables);
        self.items.truncate(items);
        let mut tokens = self.tokens.all[start..self.tokens.next].to_vec();
        tokens.push(Name { text: "".into(), at: self.take().at });
        Ok(Module { name, params, sorts, symbols, tokens })
    }
}
