//! The grammar of declarations and commands.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::expr::is_capital;
use super::tokens::is_name;
use crate::program::grammar::{Grammar, Tokens};
use crate::program::term::{self, Term, What, operator};
use crate::program::tree::{
    Branch, Change, Command, Component, Formula, Item, Name, Role, Target, Use, Variable,
};
use crate::refusal::{Result, refuse};
use crate::text::{Files, Find};

/// What names become.
#[derive(Default)]
pub(super) struct Renamed {
    pub(super) sorts: BTreeMap<Rc<str>, Rc<str>>,
    pub(super) symbols: BTreeMap<Rc<str>, Rc<str>>,
}

/// What is known of a program while it is read.
pub(super) struct Parser<'f> {
    pub(super) files: &'f mut Files,
    pub(super) find: Find<'f>,
    /// The file that this is in, and those that include it.
    pub(super) open: Vec<usize>,
    pub(super) tokens: Tokens,
    /// What names of a module become where it is used, if this is one.
    pub(super) renamed: Option<Renamed>,
    pub(super) variables: Vec<Variable>,
    /// The variables in scope, innermost last.
    pub(super) scope: Vec<usize>,
    /// The variables in capital letters that are bound implicitly; `None` where there are none.
    pub(super) closure: Option<Vec<usize>>,
    pub(super) slots: usize,
    pub(super) items: Vec<Item>,
}

impl Grammar for Parser<'_> {
    fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    fn tokens_mut(&mut self) -> &mut Tokens {
        &mut self.tokens
    }
}

impl Parser<'_> {
    /// Reads a name as it is written.
    pub(super) fn word(&mut self) -> Result<Name> {
        let is_name = is_name(&self.peek().text);
        if is_name { Ok(self.take()) } else { refuse(self.peek().at, "expected a name") }
    }

    /// Reads a name of something that is declared, and no sort.
    fn name(&mut self) -> Result<Name> {
        self.word().map(|name| self.renamed(name))
    }

    pub(super) fn renamed(&self, Name { text, at }: Name) -> Name {
        let other = self.renamed.as_ref().and_then(|renamed| renamed.symbols.get(&text));
        Name { text: other.unwrap_or(&text).clone(), at }
    }

    fn name_of_sort(&mut self) -> Result<Name> {
        let Name { text, at } = self.word()?;
        let other = self.renamed.as_ref().and_then(|renamed| renamed.sorts.get(&text));
        Ok(Name { text: other.unwrap_or(&text).clone(), at })
    }

    pub(super) fn sort(&mut self) -> Result<Name> {
        if self.is("bool") { Ok(self.take()) } else { self.name_of_sort() }
    }

    /// Reads the name of a sort or of something else.
    fn argument(&mut self) -> Result<Name> {
        let Name { text, at } = self.word()?;
        let Some(Renamed { sorts, symbols }) = &self.renamed else { return Ok(Name { text, at }) };
        let other = sorts.get(&text).or(symbols.get(&text));
        Ok(Name { text: other.unwrap_or(&text).clone(), at })
    }

    /// Reads parameters of an action or local variables, and brings them into scope. All have a sort: that of the one
    /// after it, where it is not told.
    fn slots(&mut self) -> Result<Vec<usize>> {
        let vars = self.list(Self::binder)?;
        let mut sort = None;
        for var in vars.iter().rev() {
            let variable = &mut self.variables[*var];
            sort = variable.sort.clone().or(sort);
            variable.sort.clone_from(&sort);
            if sort.is_none() {
                return refuse(self.peek().at, "expected `:` and a sort");
            }
        }
        for var in &vars {
            let name = self.variables[*var].name.clone();
            if self.in_scope(&name.text).is_some() {
                return refuse(name.at, format!("`{}` is bound already", name.text));
            }
            self.variables[*var].role = Role::Slot(self.slots);
            self.slots += 1;
            self.scope.push(*var);
        }
        Ok(vars)
    }

    /// Reads declarations and commands up to this token.
    pub(super) fn items(&mut self, end: &str) -> Result<()> {
        while !self.is(end) {
            if self.eat(";") {
                continue;
            }
            let start = self.peek();
            if self.eat("include") {
                let name = self.take();
                self.include(&name)?;
                continue;
            }
            // Local variables of commands are not in scope of declarations, and end with the loop.
            let scope = std::mem::take(&mut self.scope);
            let item = match self.declaration(&start)? {
                Some(item) => item,
                None if self.eat("while") => {
                    self.expect("*")?;
                    self.eat("do");
                    let body = self.block()?;
                    self.items.push(Item::While(body, start.at));
                    continue;
                }
                None => {
                    self.scope = scope;
                    let command = self.command()?;
                    self.items.push(Item::Command(command));
                    continue;
                }
            };
            self.scope = scope;
            self.items.push(item);
        }
        Ok(())
    }

    pub(super) fn declaration(&mut self, start: &Name) -> Result<Option<Item>> {
        let mut word = start.clone();
        match &*start.text {
            "invariant" => word.text = "conjecture".into(),
            "definition" => word.text = "macro".into(),
            "sort" | "relation" | "function" | "variable" | "axiom" | "theorem" | "conjecture" | "safety"
            | "macro" | "sat" | "unsat" | "module" | "use" => {}
            _ => return Ok(None),
        }
        self.take();
        Ok(Some(match &*word.text {
            "sort" => {
                let name = self.name_of_sort()?;
                self.annotations()?;
                Item::Sort(name)
            }
            "axiom" | "theorem" | "conjecture" | "safety" => {
                let mut name = None;
                if self.eat("[") {
                    name = Some(self.name()?);
                    self.expect("]")?;
                }
                let body = self.closed()?;
                if matches!(&*word.text, "conjecture" | "safety") {
                    self.proof()?;
                }
                Item::Formula(Formula { word, name, params: Vec::new(), body })
            }
            "macro" => {
                let name = Some(self.name()?);
                let params = self.group(Self::binder)?;
                self.expect("=")?;
                self.bind(&params)?;
                Item::Formula(Formula { word, name, params, body: self.closed()? })
            }
            "sat" | "unsat" => {
                self.expect("trace")?;
                self.expect("{")?;
                let mut components = Vec::new();
                while !self.eat("}") {
                    self.component(&mut components)?;
                }
                Item::Trace(components)
            }
            "module" => {
                if self.tokens.nesting > 0 || self.renamed.is_some() {
                    return refuse(word.at, "a module in a module");
                }
                Item::Module(self.module_declaration()?)
            }
            "use" => {
                let module = self.word()?;
                let args = self.group(Self::argument)?;
                let has_prefix = self.is("as") && is_name(&self.ahead(1).text);
                self.tokens.next += usize::from(has_prefix);
                Item::Use(Use { module, args, prefix: if has_prefix { Some(self.word()?) } else { None } })
            }
            _ => self.symbol(&word)?,
        }))
    }

    fn annotations(&mut self) -> Result<()> {
        while self.peek().text.get(..1) == Some("@") {
            self.take();
            if self.eat("(") {
                self.list(Self::word)?;
                self.expect(")")?;
            }
        }
        Ok(())
    }

    fn symbol(&mut self, form: &Name) -> Result<Item> {
        let mut names = vec![self.name()?];
        let mut args = Vec::new();
        let mut result = Name { text: "bool".into(), at: form.at };
        match &*form.text {
            "variable" => {
                while self.eat(",") {
                    names.push(self.name()?);
                }
                self.expect(":")?;
                result = self.sort()?;
            }
            "relation" if self.eat(":") => args = self.list(Self::sort)?,
            "relation" => args = self.group(Self::sort)?,
            _ => {
                let is_group = self.is("(");
                if is_group {
                    args = self.group(Self::sort)?;
                    if args.is_empty() {
                        return refuse(form.at, "a function has arguments");
                    }
                }
                self.expect(":")?;
                if !is_group {
                    args = self.list(Self::sort)?;
                    self.expect("->")?;
                }
                result = self.sort()?;
            }
        }
        self.annotations()?;
        Ok(Item::Symbol(names, args, result))
    }

    /// Reads over a proof, if there is one: it gives terms names, from which nothing follows.
    fn proof(&mut self) -> Result<()> {
        let after = self.ahead(1).text;
        if !self.is("proof") || matches!(&*after, ":=" | "(" | ".") {
            return Ok(());
        }
        self.take();
        let variables = self.variables.len();
        // By open brace, whether an `else` may follow what is in it.
        let mut open = Vec::new();
        if self.eat("{") {
            open.push(false);
        }
        loop {
            if self.eat("let") {
                self.list(|parser| {
                    parser.binder()?;
                    parser.expect("=")?;
                    parser.expr()
                })?;
            } else if !open.is_empty() && self.eat(";") {
            } else if open.is_empty() || !self.is("}") {
                self.expect("if")?;
                self.expr()?;
                self.expect("{")?;
                open.push(true);
            } else if self.eat("}") && open.pop() == Some(true) && self.eat("else") {
                if !self.is("if") {
                    self.expect("{")?;
                    open.push(false);
                }
                continue;
            }
            if open.is_empty() {
                self.variables.truncate(variables);
                return Ok(());
            }
        }
    }

    /// Reads a component of a trace, or several actions of which one is to happen.
    fn component(&mut self, found: &mut Vec<Component>) -> Result<()> {
        let mut name = self.take();
        let arg = |parser: &mut Self| if parser.eat("*") { Ok(None) } else { parser.expr().map(Some) };
        let args = match &*name.text {
            "any" => {
                return self
                    .expect("transition")
                    .map(|()| found.push(Component { name, args: None, is_other: false }));
            }
            "assert" if self.eat("init") => None,
            "assert" => Some(vec![Some(self.closed()?)]),
            _ => {
                self.tokens.next -= 1;
                let mut is_other = false;
                loop {
                    name = self.word()?;
                    let args = if self.is("(") { Some(self.group(arg)?) } else { None };
                    found.push(Component { name, args, is_other });
                    is_other = true;
                    if !self.eat("|") {
                        return Ok(());
                    }
                }
            }
        };
        found.push(Component { name, args, is_other: false });
        Ok(())
    }

    /// Reads commands in braces, whose local variables end with them.
    fn block(&mut self) -> Result<Vec<Command>> {
        self.expect("{")?;
        self.enter()?;
        let outside = self.scope.len();
        let mut commands = Vec::new();
        while !self.eat("}") {
            if !self.eat(";") {
                commands.push(self.command()?);
            }
        }
        self.scope.truncate(outside);
        self.leave();
        Ok(commands)
    }

    fn command(&mut self) -> Result<Command> {
        let word = self.take();
        match &*word.text {
            "skip" => Ok(Command::Skip),
            "abort" => Ok(Command::Assert(operator("|", Vec::new()), word.at)),
            "assume" => self.closed().map(Command::Assume),
            "assert" => {
                let formula = self.closed()?;
                self.proof()?;
                Ok(Command::Assert(formula, word.at))
            }
            "local" => self.slots().map(Command::Local),
            "if" => {
                let condition = if self.eat("*") { None } else { Some(self.expr()?) };
                self.eat("then");
                let (then, mut otherwise) = (self.block()?, Vec::new());
                if self.eat("else") {
                    if self.is("if") {
                        self.enter()?;
                        otherwise.push(self.command()?);
                        self.leave();
                    } else {
                        otherwise = self.block()?;
                    }
                }
                Ok(Command::If(condition, then, otherwise))
            }
            "{" | "action" => {
                self.tokens.next -= 1;
                let mut branches = vec![self.branch()?];
                while self.eat("|") {
                    branches.push(self.branch()?);
                }
                Ok(Command::Choice(branches))
            }
            text if is_name(text) => self.update(word),
            _ => refuse(word.at, "expected a declaration or a command"),
        }
    }

    fn branch(&mut self) -> Result<Branch> {
        let (mut name, mut params, outside) = (None, Vec::new(), self.scope.len());
        if self.eat("action") {
            name = Some(self.word()?);
            if self.eat("(") && !self.eat(")") {
                params = self.slots()?;
                self.expect(")")?;
            }
        }
        let body = self.block()?;
        self.scope.truncate(outside);
        Ok(Branch { name, params, body })
    }

    /// Reads the rest of a command that begins with the name of what it changes.
    fn update(&mut self, name: Name) -> Result<Command> {
        let target = Target { slot: self.in_scope(&name.text), name };
        let (mut change, outside) = (Change::Assign, self.scope.len());
        let mut args = Vec::new();
        let mut value = None;
        let mut start = self.tokens.next;
        if self.eat(".") {
            let Name { text, at } = self.take();
            change = match &*text {
                "insert" => Change::Insert,
                "remove" => Change::Remove,
                _ => return refuse(at, "expected `insert` or `remove`"),
            };
            self.expect("(")?;
            if !self.is(")") && !self.is("|") {
                // A disjunction needs parentheses, because `|` begins the condition.
                args = self.list(|parser| parser.binding(4))?;
            }
            if self.eat("|") {
                self.logical(&mut args);
                value = Some(self.expr()?);
            }
            self.expect(")")?;
        } else {
            let is_applied = self.is("(");
            args = self.group(Self::expr)?;
            self.expect(":=")?;
            if !is_applied && self.eat("*") {
                return Ok(Command::Any(target));
            }
            self.logical(&mut args);
            start = self.tokens.next;
            value = Some(self.expr()?);
        }
        self.scope.truncate(outside);
        let has_name =
            self.tokens.all[start..self.tokens.next].iter().any(|token| token.text == target.name.text);
        Ok(Command::Change(change, target, args, value, has_name))
    }

    /// Makes names in capital letters among arguments logical variables, and brings them into scope.
    fn logical(&mut self, args: &mut [Term]) {
        for arg in args {
            if let What::Name(name) = &arg.what
                && arg.parts.is_empty()
                && is_capital(&name.text)
            {
                let var = self.variable(name.clone(), None, Role::Logical);
                self.scope.push(var);
                *arg = term::variable(var);
            }
        }
    }
}
