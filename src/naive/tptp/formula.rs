//! Formulas and terms.

use super::lexer::{Kind, Token};
use super::statement::Parser;
use crate::closed::{Closed, equality, formula, joined, quantified, truth, variable};
use crate::refusal::{Result, refuse};

impl<'t> Parser<'_, '_, 't> {
    /// Reads a clause, below quantifiers over the variables that it does not bind, in the order of their occurrence.
    pub(super) fn clause(&mut self) -> Result<Closed> {
        // The first reading finds these variables, the second one has them in scope.
        let start = self.next;
        (self.front, self.implicit) = (start, 0);
        self.formula()?;
        self.next = start;
        self.front = start;
        let closed = self.formula()?;
        let sorts: Vec<usize> = self.scope.drain(..).map(|(_, sort)| sort).collect();
        Ok(quantified("!", &sorts, closed))
    }

    pub(super) fn formula(&mut self) -> Result<Closed> {
        self.deeper()?;
        let first = self.unit()?;
        let Token { text, at, .. } = self.peek();
        if text != "|" && self.is_clause() && "& => <= <=> <~> ~| ~&".split(' ').any(|sign| sign == text) {
            return refuse(at, "this is no clause");
        }
        let closed = match text {
            "&" | "|" => {
                let mut parts = vec![first];
                while self.eat(text) {
                    parts.push(self.unit()?);
                }
                joined(text, parts)
            }
            "=>" | "<=" | "<=>" | "<~>" | "~|" | "~&" => {
                self.next += 1;
                let second = self.unit()?;
                match text {
                    "=>" => formula(">", vec![first, second]),
                    "<=" => formula(">", vec![second, first]),
                    "<=>" => equality(first, second),
                    "<~>" => formula("~", vec![equality(first, second)]),
                    _ => formula("~", vec![joined(&text[1..], vec![first, second])]),
                }
            }
            _ => first,
        };
        self.nesting -= 1;
        Ok(closed)
    }

    fn is_clause(&self) -> bool {
        matches!(self.language, "cnf" | "tcf")
    }

    fn unit(&mut self) -> Result<Closed> {
        let Token { kind, text, at } = self.peek();
        let is_front = self.front == self.next;
        self.deeper()?;
        self.budget.spend(1)?;
        let closed = match text {
            "~" => {
                self.next += 1;
                formula("~", vec![self.unit()?])
            }
            "(" => {
                self.next += 1;
                self.front += usize::from(is_front);
                let closed = self.formula()?;
                self.expect(")").map(|()| closed)?
            }
            "!" | "?" if !self.is_clause() => self.quantifier()?,
            "!" if self.language == "tcf" && is_front => self.quantifier()?,
            "$true" | "$false" => {
                self.next += 1;
                truth(text == "$true")
            }
            "$distinct" => {
                self.next += 1;
                let terms = self.group(Self::term)?;
                if terms.iter().any(|term| term.sort != terms[0].sort) {
                    return refuse(at, "these are not of one type");
                }
                self.budget.distinct(&terms)?
            }
            "$ite" if !self.is_equated() => self.choice(Self::formula)?,
            _ if kind == Kind::Sign => return refuse(at, "expected a formula"),
            _ => self.atom()?,
        };
        self.nesting -= 1;
        Ok(closed)
    }

    /// Reads a relation or an equation.
    fn atom(&mut self) -> Result<Closed> {
        let Token { kind, at, .. } = self.peek();
        let left = if matches!(kind, Kind::Word | Kind::Quoted) {
            let (name, args) = self.application()?;
            if !self.is("=") && !self.is("!=") {
                let atom = self.symbol(at, name, args, false)?;
                return self.budget.lifted(atom);
            }
            self.symbol(at, name, args, true)?
        } else {
            self.term()?
        };
        let is_equal = self.eat("=");
        if !is_equal {
            self.expect("!=")?;
        }
        let right = self.term()?;
        if left.sort != right.sort {
            return refuse(at, "the sides of the equation are of different types");
        }
        let equation = self.budget.lifted(equality(left, right))?;
        Ok(if is_equal { equation } else { formula("~", vec![equation]) })
    }

    /// Returns whether an equation sign follows the parentheses behind the next token.
    fn is_equated(&self) -> bool {
        let mut open = 0;
        for (at, token) in self.tokens.iter().enumerate().skip(self.next + 1) {
            match token.text {
                "(" => open += 1,
                ")" => open -= 1,
                _ => {}
            }
            if open == 0 {
                return self.tokens.get(at + 1).is_some_and(|next| matches!(next.text, "=" | "!="));
            }
        }
        false
    }

    fn quantifier(&mut self) -> Result<Closed> {
        let sign = self.take().text;
        let mut count = 0;
        self.expect("[")?;
        loop {
            count += 1;
            let Token { kind, text, at } = self.take();
            if kind != Kind::Variable {
                return refuse(at, "expected a variable");
            }
            let is_typed = matches!(self.language, "tff" | "tcf") && self.eat(":");
            let sort = if is_typed { self.sort()? } else { self.reader.individuals() };
            self.scope.push((text, sort));
            if !self.eat(",") {
                break;
            }
        }
        self.expect("]")?;
        self.expect(":")?;
        self.front = self.next;
        let body = self.unit()?;
        let sorts: Vec<usize> = self.scope.drain(self.scope.len() - count..).map(|(_, sort)| sort).collect();
        Ok(quantified(sign, &sorts, body))
    }

    /// Reads a choice between what `item` reads.
    fn choice(&mut self, item: fn(&mut Self) -> Result<Closed>) -> Result<Closed> {
        let at = self.take().at;
        if !matches!(self.language, "tff" | "tcf") {
            return refuse(at, "`$ite` is for `tff` and `tcf`");
        }
        self.expect("(")?;
        let mut parts = vec![self.formula()?];
        for _ in 0..2 {
            self.expect(",")?;
            parts.push(item(self)?);
        }
        self.expect(")")?;
        if parts[1].sort != parts[2].sort {
            return refuse(at, "the values of this choice are of different types");
        }
        self.budget.choice(parts)
    }

    fn term(&mut self) -> Result<Closed> {
        let Token { kind, text, at } = self.peek();
        self.deeper()?;
        self.budget.spend(1)?;
        let closed = match kind {
            Kind::Variable => {
                self.next += 1;
                self.variable(text, at)?
            }
            Kind::Object => {
                self.next += 1;
                let sort = self.reader.individuals();
                let reader = &mut *self.reader;
                let known = reader.objects.get(text).copied();
                let symbol = known.unwrap_or_else(|| reader.problem.symbol(text, Vec::new(), Some(sort)));
                reader.objects.insert(text.to_owned(), symbol);
                reader.problem.applied(symbol, Vec::new())
            }
            Kind::Dollar if text == "$ite" => self.choice(Self::term)?,
            Kind::Word | Kind::Quoted => {
                let (name, args) = self.application()?;
                self.symbol(at, name, args, true)?
            }
            _ => return refuse(at, "expected a term"),
        };
        self.nesting -= 1;
        Ok(closed)
    }

    fn variable(&mut self, name: &'t str, at: usize) -> Result<Closed> {
        let found = self.scope.iter().rposition(|(bound, _)| *bound == name);
        let place = match found {
            Some(place) => place,
            None if self.is_clause() => {
                let sort = self.reader.individuals();
                self.scope.insert(self.implicit, (name, sort));
                self.implicit += 1;
                0
            }
            None => return refuse(at, format!("the variable `{name}` is not bound")),
        };
        Ok(variable(self.scope.len() - 1 - place, self.scope[place].1))
    }

    /// Reads a name with its arguments.
    fn application(&mut self) -> Result<(String, Vec<Closed>)> {
        let name = self.name(false)?;
        let args = if self.is("(") { self.group(Self::term)? } else { Vec::new() };
        Ok((name, args))
    }

    /// Returns a symbol with arguments. One that is not declared is about elements of `$i`.
    fn symbol(&mut self, at: usize, name: String, args: Vec<Closed>, is_function: bool) -> Result<Closed> {
        let reader = &mut *self.reader;
        let place = match reader.declared.get(&name) {
            Some(place) => *place,
            None if reader.types.contains_key(&name) => return refuse(at, format!("`{name}` is a type")),
            None => {
                let key = (name, args.len(), is_function);
                match reader.used.get(&key) {
                    Some(place) => *place,
                    None => {
                        let is_about = is_function || !args.is_empty();
                        let sort = is_about.then(|| reader.individuals());
                        let sorts = args.iter().filter_map(|_| sort).collect();
                        let place = reader.problem.symbol(&key.0, sorts, sort.filter(|_| is_function));
                        reader.used.insert(key, place);
                        place
                    }
                }
            }
        };
        let symbol = &reader.problem.symbols[place];
        let is_alike = args.iter().map(|arg| arg.sort).eq(symbol.args.iter().map(|sort| Some(*sort)));
        if symbol.result.is_some() != is_function || !is_alike {
            return refuse(at, "this is declared for other arguments, or for another place");
        }
        Ok(reader.problem.applied(place, args))
    }
}
