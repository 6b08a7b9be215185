//! Commands.

use super::lexer::command;
use super::read::{Definition, Level, Meaning, Reader};
use super::sort;
use crate::closed::{Budget, equality, joined, quantified, truth, variable};
use crate::refusal::{Reason, Result, line, refuse};

/// The functions of the core theory, which are not declared.
const CORE: &str = "true false not and or xor => = distinct ite";

/// How many levels there may be.
const MAX_LEVELS: usize = 1_000_000;

pub(super) fn core(text: &str) -> Result<String> {
    let mut reader = Reader { levels: vec![Level::default()], ..Reader::default() };
    // The lines up to a place.
    let (mut lines, mut counted, mut at) = (1, 0, 0);
    loop {
        let (tokens, end) = command(text, at)?;
        let Some(first) = tokens.first().copied() else { break };
        lines += line(&text[counted..], first.at - counted) - 1;
        counted = first.at;
        at = end;
        (reader.tokens, reader.next, reader.nesting, reader.budget) =
            (tokens, 1, 0, Budget::of_problem(first.at));
        let name = reader.symbol()?;
        if name == "exit" {
            reader.expect(")")?;
            break;
        }
        reader.is_naming = !matches!(name, "get-value" | "eval");
        reader.command(name, lines)?;
        if reader.next != reader.tokens.len() {
            return refuse(reader.peek().at, "expected the end of the command");
        }
        // Names of deep parts are defined below all levels.
        let is_global = reader.is_global;
        let implicit = std::mem::take(&mut reader.implicit);
        reader.levels[0].assertions.extend(implicit.into_iter().map(|formula| (formula, is_global)));
    }
    Ok(reader.problem.text())
}

impl<'t> Reader<'t> {
    /// Carries out a command behind its name.
    fn command(&mut self, name: &str, line: usize) -> Result<()> {
        let at = self.peek().at;
        match name {
            "declare-sort" => {
                let name = self.new_sort()?;
                let count = if self.eat(")") { 0 } else { self.numeral()? };
                if count == 0 {
                    let number = self.sort_number(name, Vec::new());
                    self.known.enumerations.remove(&number);
                }
                self.declare_sort(name, sort::Meaning::Declared(count));
                if self.next == self.tokens.len() { Ok(()) } else { self.expect(")") }
            }
            "define-sort" => {
                let name = self.new_sort()?;
                self.expect("(")?;
                let params = self.items(Self::symbol)?;
                if (1..params.len()).any(|index| params[..index].contains(&params[index])) {
                    return refuse(at, "a parameter is there twice");
                }
                let body = self.written(&params)?;
                self.declare_sort(name, sort::Meaning::Defined(params.len(), body));
                self.expect(")")
            }
            "declare-fun" | "declare-const" => {
                let function = self.new_function()?;
                let mut args = Vec::new();
                if name == "declare-fun" {
                    self.expect("(")?;
                    args = self.items(Self::sort)?;
                }
                let result = self.sort()?;
                self.function(function, &args, result)?;
                self.expect(")")
            }
            "declare-datatype" => {
                let name = self.new_sort()?;
                let number = self.enumerated(name);
                self.expect("(")?;
                self.constructors(number)?;
                self.expect(")")
            }
            "declare-datatypes" => self.datatypes(),
            "define-fun" | "define-fun-rec" | "define-const" => {
                let function = self.new_function()?;
                let params = if name == "define-const" { Vec::new() } else { self.pairs(Self::sort)? };
                let sort = self.sort()?;
                let start = self.next;
                self.define(function, Definition { params, sort, start })?;
                self.over();
                self.expect(")")
            }
            "define-funs-rec" => self.definitions(),
            "assert" => {
                let formula = self.formula()?;
                let hypothesis = self.closed(&formula)?;
                self.assert(hypothesis, false, false);
                self.expect(")")
            }
            "push" | "pop" => {
                let count = if self.peek().text == ")" { 1 } else { self.numeral()? };
                let levels = self.levels.len() - 1;
                if name == "push" && levels + count > MAX_LEVELS || name == "pop" && count > levels {
                    return refuse(at, "there are no such levels");
                }
                for _ in 0..count {
                    if name == "push" {
                        self.levels.push(Level::default());
                    } else if let Some(level) = self.levels.pop() {
                        level.functions.iter().for_each(|name| drop(self.functions.remove(name)));
                        level.sorts.iter().for_each(|name| drop(self.sorts.remove(name)));
                    }
                }
                self.expect(")")
            }
            "check-sat" | "check-sat-assuming" => {
                if name == "check-sat-assuming" {
                    self.expect("(")?;
                }
                let assumed =
                    self.items(|reader| reader.formula().and_then(|formula| reader.closed(&formula)))?;
                if name == "check-sat-assuming" {
                    self.expect(")")?;
                }
                self.check(line, &assumed);
                Ok(())
            }
            "check-sat-using" => {
                self.check(line, &[]);
                self.next = self.tokens.len();
                Ok(())
            }
            "get-value" => {
                self.expect("(")?;
                self.items(Self::term)?;
                self.expect(")")
            }
            "eval" => {
                self.term()?;
                self.next = self.tokens.len();
                Ok(())
            }
            "reset" => {
                let problem = std::mem::take(&mut self.problem);
                let tokens = std::mem::take(&mut self.tokens);
                let levels = vec![Level::default()];
                *self = Reader { problem, tokens, next: self.next, levels, ..Reader::default() };
                self.expect(")")
            }
            "reset-assertions" => {
                let mut level = std::mem::take(&mut self.levels[0]);
                level.assertions.retain(|(_, stays)| *stays);
                self.levels = vec![Level { assertions: level.assertions, ..Level::default() }];
                if !self.is_global {
                    self.functions.clear();
                    self.sorts.clear();
                    self.known.parts.clear();
                }
                self.expect(")")
            }
            "set-option" if self.eat(":global-declarations") => {
                let value = self.symbol()?;
                let is_new = self.levels.len() == 1 && self.levels[0].assertions.is_empty();
                let is_new = is_new && self.functions.is_empty() && self.sorts.is_empty();
                if !is_new || !matches!(value, "true" | "false") {
                    return refuse(at, "this option is `true` or `false`, and set before all declarations");
                }
                self.is_global = value == "true";
                self.expect(")")
            }
            name if name.starts_with("assert") && name != "assert-soft" => {
                refuse(at, "what is asserted is not understood")
            }
            // It has no effect on what is asked.
            _ => {
                self.next = self.tokens.len();
                Ok(())
            }
        }
    }

    fn numeral(&mut self) -> Result<usize> {
        let token = self.take();
        let is_numeral = token.text.starts_with(|c: char| c.is_ascii_digit());
        let number = if is_numeral { token.text.parse().ok() } else { None };
        number
            .filter(|number| *number <= MAX_LEVELS)
            .ok_or_else(|| Reason::new(token.at, "expected a small number"))
    }

    /// Reads the name of a sort that is to be declared.
    fn new_sort(&mut self) -> Result<&'t str> {
        let at = self.peek().at;
        let name = self.symbol()?;
        let is_there = name == "Bool" || self.sorts.contains_key(name);
        if is_there { refuse(at, format!("the sort `{name}` is declared already")) } else { Ok(name) }
    }

    /// Reads the name of a function that is to be declared.
    pub(super) fn new_function(&mut self) -> Result<&'t str> {
        let at = self.peek().at;
        let name = self.symbol()?;
        let is_there = CORE.split(' ').any(|core| core == name) || self.functions.contains_key(name);
        if is_there { refuse(at, format!("`{name}` is declared already")) } else { Ok(name) }
    }

    fn declare_sort(&mut self, name: &'t str, meaning: sort::Meaning<'t>) {
        self.sorts.insert(name, meaning);
        if let (false, Some(level)) = (self.is_global, self.levels.last_mut()) {
            level.sorts.push(name);
        }
    }

    pub(super) fn declare(&mut self, name: &'t str, meaning: Meaning) {
        self.functions.insert(name, meaning);
        if let (false, Some(level)) = (self.is_global, self.levels.last_mut()) {
            level.functions.push(name);
        }
    }

    /// Declares a function, and returns its place. For truth values among its arguments there is a sort.
    fn function(&mut self, name: &'t str, args: &[Option<usize>], result: Option<usize>) -> Result<usize> {
        if args.contains(&None) && self.known.truths.is_none() {
            let sort = self.problem.sort("Bool@");
            let [yes, no] = ["true@", "false@"].map(|name| self.problem.symbol(name, Vec::new(), Some(sort)));
            self.known.truths = Some([sort, yes, no]);
            self.enumeration(sort, &[yes, no], true)?;
        }
        let truths = self.known.truths.map_or(0, |truths| truths[0]);
        let args: Vec<usize> = args.iter().map(|arg| arg.unwrap_or(truths)).collect();
        let problem = &mut self.problem;
        let key = (name, args.clone(), result);
        let place = *self.known.symbols.entry(key).or_insert_with(|| problem.symbol(name, args, result));
        self.declare(name, Meaning::Symbol(place));
        Ok(place)
    }

    /// Asserts that constants are different, and all that is of a sort; below all levels if it stays.
    fn enumeration(&mut self, sort: usize, constants: &[usize], stays: bool) -> Result<()> {
        let constant = |place: &usize| self.problem.applied(*place, Vec::new());
        let distinct = Budget::of_problem(self.budget.at)
            .distinct(&constants.iter().map(constant).collect::<Vec<_>>())?;
        let one = constants.iter().map(|place| equality(variable(0, sort), constant(place)));
        let all = quantified("!", &[sort], joined("|", one.collect()));
        let formulas = if constants.len() > 1 { vec![distinct, all] } else { vec![all] };
        for formula in formulas {
            let hypothesis = self.problem.hypothesis(&formula);
            self.assert(hypothesis, stays || self.is_global, stays || self.is_global);
        }
        Ok(())
    }

    /// Asserts a hypothesis on the last level, or below all levels.
    fn assert(&mut self, hypothesis: usize, is_below: bool, stays: bool) {
        let level = if is_below { 0 } else { self.levels.len() - 1 };
        self.levels[level].assertions.push((hypothesis, stays));
    }

    /// Asks whether the assertions and these contradict each other.
    fn check(&mut self, line: usize, assumed: &[usize]) {
        // What names of deep parts mean is asserted already.
        let is_global = self.is_global;
        let implicit = std::mem::take(&mut self.implicit);
        self.levels[0].assertions.extend(implicit.into_iter().map(|formula| (formula, is_global)));
        let assertions = self.levels.iter().flat_map(|level| &level.assertions).map(|(formula, _)| *formula);
        let hypotheses: Vec<usize> = assertions.chain(assumed.iter().copied()).collect();
        self.problem.query(line, &hypotheses, &truth(false));
    }

    /// Declares the sort of an enumeration.
    fn enumerated(&mut self, name: &'t str) -> usize {
        self.declare_sort(name, sort::Meaning::Declared(0));
        self.sort_number(name, Vec::new())
    }

    /// Reads the constructors of an enumeration up to a closing parenthesis.
    fn constructors(&mut self, sort: usize) -> Result<()> {
        let at = self.peek().at;
        let constructors = self.items(|reader| {
            let is_in_parentheses = reader.eat("(");
            let name = reader.new_function()?;
            if is_in_parentheses {
                reader.expect(")")?;
            }
            reader.function(name, &[], Some(sort))
        })?;
        if constructors.is_empty() {
            return refuse(at, "an enumeration has a constructor");
        }
        self.enumeration(sort, &constructors, false)?;
        self.known.enumerations.insert(sort, constructors);
        Ok(())
    }

    fn datatypes(&mut self) -> Result<()> {
        self.expect("(")?;
        let sorts = self.items(|reader| {
            reader.expect("(")?;
            let at = reader.peek().at;
            let name = reader.new_sort()?;
            if reader.numeral()? != 0 {
                return refuse(at, "a datatype with parameters is no enumeration");
            }
            reader.expect(")").map(|()| reader.enumerated(name))
        })?;
        self.expect("(")?;
        if sorts.is_empty() {
            // As earlier versions of the language had it.
            self.items(|reader| {
                reader.expect("(")?;
                let name = reader.new_sort()?;
                let number = reader.enumerated(name);
                reader.constructors(number)
            })?;
        } else {
            for sort in sorts {
                self.expect("(")?;
                self.constructors(sort)?;
            }
            self.expect(")")?;
        }
        self.expect(")")
    }

    /// Reads definitions that may use each other, but not themselves.
    fn definitions(&mut self) -> Result<()> {
        self.expect("(")?;
        let mut heads: Vec<(&str, Definition<'_>)> = Vec::new();
        while !self.eat(")") {
            self.expect("(")?;
            let at = self.peek().at;
            let name = self.new_function()?;
            if heads.iter().any(|(other, _)| *other == name) {
                return refuse(at, format!("`{name}` is there twice"));
            }
            let (params, sort) = (self.pairs(Self::sort)?, self.sort()?);
            heads.push((name, Definition { params, sort, start: 0 }));
            self.expect(")")?;
        }
        self.expect("(")?;
        for (_, definition) in &mut heads {
            definition.start = self.next;
            self.over();
        }
        let names: Vec<&str> = heads.iter().map(|(name, _)| *name).collect();
        self.definitions.extend(heads);
        for name in names {
            if let Some(definition) = self.definitions.remove(name) {
                self.define(name, definition)?;
            }
        }
        self.expect(")").and_then(|()| self.expect(")"))
    }
}
