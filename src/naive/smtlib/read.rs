//! The state of a script, and terms.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::lexer::Token;
use super::sort;
use super::term::{Closing, Head, Term};
use crate::closed::Budget;
use crate::problem::{Problem, deeper};
use crate::refusal::{Reason, Result, refuse};

/// How many levels a part of a formula has that gets a name, or how many `if`s in conditions of others, how many free variables it may
/// have, and how many levels one without a name may have.
const NAMED_DEPTH: usize = 1_000;
const NAMED_CHOICES: usize = 4;
const MAX_FREE: usize = 32;
const MAX_DEPTH: usize = 2_000;

/// What the name of a function means.
#[derive(Clone)]
pub(super) enum Meaning {
    /// A symbol by its place.
    Symbol(usize),
    /// Parameters by their numbers, and what is defined.
    Defined(Vec<usize>, Rc<Term>),
}

/// A definition: its parameters with their sorts, the sort of its values, and where its term begins.
pub(super) struct Definition<'t> {
    pub(super) params: Vec<(&'t str, Option<usize>)>,
    pub(super) sort: Option<usize>,
    pub(super) start: usize,
}

/// A level of the script: assertions, with whether they stay when assertions are reset, and what was declared.
#[derive(Default)]
pub(super) struct Level<'t> {
    pub(super) assertions: Vec<(usize, bool)>,
    pub(super) functions: Vec<&'t str>,
    pub(super) sorts: Vec<&'t str>,
}

/// What the script declared since it began or was reset. What is declared again in the same way is the same.
#[derive(Default)]
pub(super) struct Known<'t> {
    pub(super) sorts: BTreeMap<(&'t str, Vec<Option<usize>>), usize>,
    pub(super) symbols: BTreeMap<(&'t str, Vec<usize>, Option<usize>), usize>,
    /// The constructors of each sort that is an enumeration.
    pub(super) enumerations: BTreeMap<usize, Vec<usize>>,
    /// The sort of truth values among arguments, with its constants for `true` and `false`.
    pub(super) truths: Option<[usize; 3]>,
    /// Names of parts of formulas that are deep.
    pub(super) parts: BTreeMap<String, usize>,
}

/// A script, and the next token of the command that is read.
#[derive(Default)]
pub(super) struct Reader<'t> {
    pub(super) problem: Problem,
    pub(super) tokens: Vec<Token<'t>>,
    pub(super) next: usize,
    pub(super) nesting: usize,
    pub(super) budget: Budget,
    pub(super) sorts: BTreeMap<&'t str, sort::Meaning<'t>>,
    pub(super) functions: BTreeMap<&'t str, Meaning>,
    pub(super) levels: Vec<Level<'t>>,
    pub(super) is_global: bool,
    pub(super) known: Known<'t>,
    /// The sorts of variables, and the variables by their names, sorts, and numbers among those in scope that have the same.
    pub(super) vars: Vec<Option<usize>>,
    pub(super) numbers: BTreeMap<(&'t str, Option<usize>, usize), usize>,
    /// What names in scope stand for, and how many variables with a name and sort are in scope.
    pub(super) scope: BTreeMap<&'t str, Vec<Rc<Term>>>,
    pub(super) bound: BTreeMap<(&'t str, Option<usize>), usize>,
    /// Definitions that use each other, as far as they have not been read.
    pub(super) definitions: BTreeMap<&'t str, Definition<'t>>,
    /// Whether deep parts get names, and what defines those that the command has made.
    pub(super) is_naming: bool,
    pub(super) implicit: Vec<usize>,
}

impl<'t> Reader<'t> {
    pub(super) fn peek(&self) -> Token<'t> {
        self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    pub(super) fn take(&mut self) -> Token<'t> {
        let token = self.peek();
        self.next += 1;
        token
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.peek().text == text;
        self.next += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { refuse(self.peek().at, format!("expected `{text}`")) }
    }

    pub(super) fn symbol(&mut self) -> Result<&'t str> {
        let token = self.take();
        token.symbol().ok_or_else(|| Reason::new(token.at, "expected a symbol"))
    }

    /// Counts a level of nesting.
    pub(super) fn deeper(&mut self) -> Result<()> {
        let at = self.peek().at;
        deeper(&mut self.nesting, at)
    }

    /// Reads items up to a closing parenthesis.
    pub(super) fn items<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(")") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Reads names in parentheses with what `item` reads behind each. The names differ.
    pub(super) fn pairs<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<(&'t str, T)>> {
        self.expect("(")?;
        let mut pairs: Vec<(&str, T)> = Vec::new();
        while !self.eat(")") {
            self.expect("(")?;
            let at = self.peek().at;
            let name = self.symbol()?;
            if pairs.iter().any(|(other, _)| *other == name) {
                return refuse(at, format!("`{name}` is there twice"));
            }
            pairs.push((name, item(self)?));
            self.expect(")")?;
        }
        Ok(pairs)
    }

    /// Reads over a token, or a list.
    pub(super) fn over(&mut self) {
        let mut open = 0;
        loop {
            match self.take().text {
                "(" => open += 1,
                ")" => open -= 1,
                _ => {}
            }
            if open <= 0 {
                return;
            }
        }
    }

    /// Reads a formula.
    pub(super) fn formula(&mut self) -> Result<Rc<Term>> {
        let at = self.peek().at;
        let term = self.term()?;
        if term.sort.is_some() { refuse(at, "expected a formula") } else { Ok(term) }
    }

    pub(super) fn term(&mut self) -> Result<Rc<Term>> {
        self.deeper()?;
        let token = self.take();
        let term = match token.symbol() {
            None if token.text == "(" => self.list()?,
            None => return refuse(token.at, "expected a term"),
            Some(name) => match self.scope.get(name).and_then(|values| values.last()) {
                Some(value) => Rc::clone(value),
                None => self.applied(name, Vec::new(), token.at)?,
            },
        };
        self.nesting -= 1;
        self.named(term)
    }

    /// Reads a term behind its opening parenthesis.
    fn list(&mut self) -> Result<Rc<Term>> {
        let token = self.take();
        match token.text {
            "let" => {
                let values = self.pairs(Self::term)?;
                let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
                values.into_iter().for_each(|(name, value)| self.scope.entry(name).or_default().push(value));
                let term = self.term()?;
                self.leave(&names);
                self.expect(")").map(|()| term)
            }
            "forall" | "exists" => {
                let vars = self.pairs(Self::sort)?;
                if vars.is_empty() {
                    return refuse(token.at, "a quantifier binds variables");
                }
                let numbers: Vec<usize> = vars.iter().map(|(name, sort)| self.bind(name, *sort)).collect();
                let body = self.formula()?;
                self.leave(&vars.iter().map(|(name, _)| *name).collect::<Vec<_>>());
                vars.iter().for_each(|var| *self.bound.entry(*var).or_insert(1) -= 1);
                self.expect(")")?;
                let sign = if token.text == "forall" { "!" } else { "?" };
                self.made(Head::Quantifier(sign, numbers), vec![body], None)
            }
            "match" => self.cases(token.at),
            "!" => self.annotated(),
            "as" => {
                let (name, sort) = (self.symbol()?, self.sort()?);
                self.expect(")")?;
                let term = self.applied(name, Vec::new(), token.at)?;
                if term.sort == sort { Ok(term) } else { refuse(token.at, "this has another sort") }
            }
            "(" => self.qualified(token.at),
            _ => {
                let Some(name) = token.symbol().filter(|name| self.scope.get(name).is_none_or(Vec::is_empty))
                else {
                    return refuse(token.at, "expected a function");
                };
                let args = self.items(Self::term)?;
                if args.is_empty() {
                    return refuse(token.at, "a function in parentheses has arguments");
                }
                self.applied(name, args, token.at)
            }
        }
    }

    /// Reads a function with its sort or its index, and its arguments.
    fn qualified(&mut self, at: usize) -> Result<Rc<Term>> {
        if self.eat("_") {
            self.expect("is")?;
            let name = self.symbol()?;
            self.expect(")")?;
            let args = self.items(Self::term)?;
            return self.tester(name, args, at);
        }
        self.expect("as")?;
        let (name, sort) = (self.symbol()?, self.sort()?);
        self.expect(")")?;
        let args = self.items(Self::term)?;
        let is_applied = !args.is_empty();
        let term = self.applied(name, args, at)?;
        if is_applied && term.sort == sort {
            Ok(term)
        } else {
            refuse(at, "this has another sort, or no arguments")
        }
    }

    /// Brings a variable into scope, and returns its number.
    pub(super) fn bind(&mut self, name: &'t str, sort: Option<usize>) -> usize {
        let next = self.vars.len();
        let bound = self.bound.entry((name, sort)).or_insert(0);
        let place = *bound;
        *bound += 1;
        let number = *self.numbers.entry((name, sort, place)).or_insert(next);
        if number == next {
            self.vars.push(sort);
        }
        let variable = Term::new(Head::Variable(number), Vec::new(), sort);
        self.scope.entry(name).or_default().push(variable);
        number
    }

    /// Ends the scope of names.
    fn leave(&mut self, names: &[&'t str]) {
        for name in names {
            self.scope.get_mut(name).map(Vec::pop);
        }
    }

    /// Reads the cases of a `match`.
    fn cases(&mut self, at: usize) -> Result<Rc<Term>> {
        let value = self.term()?;
        let Some(constructors) = value.sort.and_then(|sort| self.known.enumerations.get(&sort)).cloned()
        else {
            return refuse(at, "the sort of this term is no enumeration");
        };
        self.expect("(")?;
        let cases = self.items(|reader| {
            reader.expect("(")?;
            let at = reader.peek().at;
            let name = if reader.eat("_") { None } else { Some(reader.symbol()?) };
            let constructor = name.and_then(|name| reader.constructor(name));
            if constructor.is_some_and(|it| !constructors.contains(&it)) {
                return refuse(at, "this is a constructor of another sort");
            }
            let variable = name.filter(|_| constructor.is_none());
            variable.iter().for_each(|name| reader.scope.entry(name).or_default().push(Rc::clone(&value)));
            let term = reader.term()?;
            reader.leave(variable.as_slice());
            reader.expect(")").map(|()| (constructor, term))
        })?;
        self.expect(")")?;
        let is_last = |(constructor, _): &(Option<usize>, Rc<Term>)| constructor.is_none();
        let count = cases.iter().position(is_last).map_or(cases.len(), |last| last + 1);
        let is_covered =
            |it: &usize| cases[..count].iter().any(|(case, _)| case.is_none_or(|case| case == *it));
        let terms: Vec<Rc<Term>> = cases.iter().map(|(_, term)| Rc::clone(term)).collect();
        if !constructors.iter().all(is_covered) || !is_alike(&terms) {
            return refuse(at, "a constructor has no case, or the cases are of different sorts");
        }
        let mut result = Rc::clone(&cases[count - 1].1);
        for (constructor, term) in cases[..count - 1].iter().rev() {
            let Some(constructor) = constructor else { continue };
            let constant = self.made(Head::Symbol(*constructor), Vec::new(), value.sort)?;
            let is_it = self.made(Head::Equal, vec![Rc::clone(&value), constant], None)?;
            result = self.made(Head::If, vec![is_it, Rc::clone(term), result], term.sort)?;
        }
        Ok(result)
    }

    /// Reads a term with attributes.
    fn annotated(&mut self) -> Result<Rc<Term>> {
        let term = self.term()?;
        loop {
            let attribute = self.take();
            if !attribute.text.starts_with(':') {
                return refuse(attribute.at, "expected an attribute");
            }
            if attribute.text == ":named" {
                if !term.free.is_empty() {
                    return refuse(attribute.at, "a term with a name has no free variables");
                }
                let name = self.new_function()?;
                self.declare(name, Meaning::Defined(Vec::new(), Rc::clone(&term)));
            } else if !self.peek().text.starts_with([':', ')']) {
                self.over();
            }
            if self.eat(")") {
                return Ok(term);
            }
        }
    }

    /// Returns the constructor with a name.
    fn constructor(&self, name: &str) -> Option<usize> {
        let Some(Meaning::Symbol(place)) = self.functions.get(name) else { return None };
        let sort = self.problem.symbols[*place].result?;
        self.known.enumerations.get(&sort)?.contains(place).then_some(*place)
    }

    /// Returns whether a term is a constructor.
    fn tester(&mut self, name: &str, args: Vec<Rc<Term>>, at: usize) -> Result<Rc<Term>> {
        let Some(place) = self.constructor(name) else {
            return refuse(at, format!("`{name}` is no constructor and not declared"));
        };
        let sort = self.problem.symbols[place].result;
        if args.len() != 1 || args[0].sort != sort {
            return refuse(at, "this is for one element of the sort of the constructor");
        }
        let constant = self.made(Head::Symbol(place), Vec::new(), sort)?;
        self.made(Head::Equal, vec![Rc::clone(&args[0]), constant], None)
    }

    /// Returns a function with arguments.
    fn applied(&mut self, name: &'t str, mut args: Vec<Rc<Term>>, at: usize) -> Result<Rc<Term>> {
        let is_about_formulas = args.iter().all(|arg| arg.sort.is_none());
        let is_understood = match name {
            "true" | "false" => args.is_empty(),
            "not" => args.len() == 1 && is_about_formulas,
            "and" | "or" => !args.is_empty() && is_about_formulas,
            "=>" | "xor" => args.len() > 1 && is_about_formulas,
            "=" => args.len() > 1 && is_alike(&args),
            "distinct" => !args.is_empty() && is_alike(&args),
            "ite" => args.len() == 3 && args[0].sort.is_none() && is_alike(&args[1..]),
            _ => return self.declared(name, args, at),
        };
        if !is_understood {
            return refuse(at, format!("`{name}` has other arguments"));
        }
        match name {
            "true" | "false" => self.made(Head::Truth(name == "true"), args, None),
            "not" => self.made(Head::Not, args, None),
            "and" | "or" => self.joined(if name == "and" { "&" } else { "|" }, args),
            "=>" => {
                let last = args.split_off(args.len() - 1);
                let first = self.joined("&", args)?;
                self.made(Head::Implies, [vec![first], last].concat(), None)
            }
            "xor" => {
                let mut result = args.remove(0);
                for arg in args {
                    result = self.made(Head::Equal, vec![result, arg], None)?;
                    result = self.made(Head::Not, vec![result], None)?;
                }
                Ok(result)
            }
            "=" => {
                let pairs = args.windows(2).map(|two| self.made(Head::Equal, two.to_vec(), None));
                let pairs = pairs.collect::<Result<_>>()?;
                self.joined("&", pairs)
            }
            "distinct" if args.len() == 2 => {
                let equal = self.made(Head::Equal, args, None)?;
                self.made(Head::Not, vec![equal], None)
            }
            "distinct" if args.len() == 1 => self.made(Head::Truth(true), Vec::new(), None),
            // There are no three truth values.
            "distinct" if is_about_formulas => self.made(Head::Truth(false), Vec::new(), None),
            "distinct" => self.made(Head::Distinct, args, None),
            _ => {
                let sort = args[1].sort;
                self.made(Head::If, args, sort)
            }
        }
    }

    /// Returns the conjunction or disjunction of formulas.
    fn joined(&mut self, sign: &'static str, mut parts: Vec<Rc<Term>>) -> Result<Rc<Term>> {
        if parts.len() == 1 { Ok(parts.remove(0)) } else { self.made(Head::Joined(sign), parts, None) }
    }

    /// Returns what is declared or defined with arguments.
    fn declared(&mut self, name: &'t str, args: Vec<Rc<Term>>, at: usize) -> Result<Rc<Term>> {
        if let Some(definition) = self.definitions.remove(name) {
            self.define(name, definition)?;
        }
        let sorts: Vec<Option<usize>> = args.iter().map(|arg| arg.sort).collect();
        match self.functions.get(name).cloned() {
            Some(Meaning::Symbol(place)) => {
                let symbol = &self.problem.symbols[place];
                let (sort, truths) = (symbol.result, self.known.truths);
                let wanted = symbol
                    .args
                    .iter()
                    .map(|arg| Some(*arg).filter(|arg| truths.is_none_or(|it| it[0] != *arg)));
                if !wanted.eq(sorts.iter().copied()) {
                    return refuse(at, format!("`{name}` has other arguments"));
                }
                let args = args.into_iter().map(|arg| self.argument(arg)).collect::<Result<_>>()?;
                self.made(Head::Symbol(place), args, sort)
            }
            Some(Meaning::Defined(params, body)) => {
                if !params.iter().map(|param| self.vars[*param]).eq(sorts.iter().copied()) {
                    return refuse(at, format!("`{name}` has other arguments"));
                }
                let args = params.into_iter().zip(args).collect();
                body.with(&args, &mut BTreeMap::new(), &mut self.vars, &mut self.budget)
            }
            None => match name.strip_prefix("is-") {
                Some(name) if !args.is_empty() => self.tester(name, args, at),
                _ => refuse(at, format!("`{name}` is not declared")),
            },
        }
    }

    /// Returns a term as an argument: a formula becomes a choice between the constants for truth values.
    fn argument(&mut self, term: Rc<Term>) -> Result<Rc<Term>> {
        let (None, Some([sort, yes, no])) = (term.sort, self.known.truths) else { return Ok(term) };
        let [yes, no] = [yes, no].map(|place| Term::new(Head::Symbol(place), Vec::new(), Some(sort)));
        self.made(Head::If, vec![term, yes, no], Some(sort))
    }

    /// Reads the term of a definition, and declares it.
    pub(super) fn define(&mut self, name: &'t str, definition: Definition<'t>) -> Result<()> {
        let Definition { params, sort, start } = definition;
        let here = std::mem::replace(&mut self.next, start);
        let outside = (std::mem::take(&mut self.scope), std::mem::take(&mut self.bound));
        let params = params.into_iter().map(|(name, sort)| self.bind(name, sort)).collect();
        let at = self.peek().at;
        let term = self.term()?;
        if term.sort != sort {
            return refuse(at, "this has another sort than is told");
        }
        (self.scope, self.bound) = outside;
        self.next = here;
        self.declare(name, Meaning::Defined(params, term));
        Ok(())
    }

    fn made(&mut self, head: Head, parts: Vec<Rc<Term>>, sort: Option<usize>) -> Result<Rc<Term>> {
        let term = Term::new(head, parts, sort);
        self.budget.spend(1 + term.free.len() / 8).map(|()| term)
    }

    /// Returns a term, or its name if it is deep, or a formula with `if`s in conditions of `if`s.
    fn named(&mut self, term: Rc<Term>) -> Result<Rc<Term>> {
        if term.depth > MAX_DEPTH {
            return refuse(self.peek().at, "a formula is too deep");
        }
        let sorts: Option<Vec<usize>> = term.free.iter().map(|var| self.vars[*var]).collect();
        let is_named = term.depth >= NAMED_DEPTH
            || term.sort.is_none()
                && term.free.is_empty()
                && term.choices.is_some_and(|choices| choices >= NAMED_CHOICES);
        let (Some(sorts), true) = (sorts, self.is_naming && is_named && term.free.len() <= MAX_FREE) else {
            return Ok(term);
        };
        let mut key = String::new();
        term.write(&mut key, &mut self.budget)?;
        let vars = term
            .free
            .iter()
            .map(|var| Term::new(Head::Variable(*var), Vec::new(), self.vars[*var]))
            .collect();
        if let Some(place) = self.known.parts.get(&key) {
            return Ok(Term::new(Head::Symbol(*place), vars, term.sort));
        }
        let place = self.problem.symbol("@", sorts, term.sort);
        self.known.parts.insert(key, place);
        let name = Term::new(Head::Symbol(place), vars, term.sort);
        let mut definition = Term::new(Head::Equal, vec![Rc::clone(&name), Rc::clone(&term)], None);
        if !term.free.is_empty() {
            definition = Term::new(Head::Quantifier("!", term.free.clone()), vec![definition], None);
        }
        let definition = self.closed(&definition)?;
        self.implicit.push(definition);
        Ok(name)
    }

    /// Returns the number of a hypothesis.
    pub(super) fn closed(&mut self, formula: &Term) -> Result<usize> {
        let closed = Closing::new(&self.problem, &self.vars, self.budget.at).closed(formula)?;
        Ok(self.problem.hypothesis(&closed))
    }
}

/// Returns whether terms are of one sort.
fn is_alike(terms: &[Rc<Term>]) -> bool {
    terms.iter().all(|term| term.sort == terms[0].sort)
}
