//! A checker of proofs in the Alethe format, for the rules that certificates are written with. It shares no code with what writes them,
//! and is as strict as the format: terms have to be the same, not equal up to names or sides of equations.

use ramsey::base::hash::{Map, Set};

type Checked<T = ()> = Result<T, String>;
type Id = usize;

/// An expression of SMT-LIB.
#[derive(Clone, Debug, PartialEq)]
enum Expr {
    Word(String),
    List(Vec<Expr>),
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Term {
    Var(String, String),
    App(String, Vec<Id>),
    /// `forall`, `exists` or `choice`, the variable, its sort, and the body.
    Binder(String, String, String, Id),
}

#[derive(Default)]
struct Checker {
    terms: Vec<(Term, String)>,
    ids: Map<Term, Id>,
    sorts: Set<String>,
    functions: Map<String, (Vec<String>, String)>,
    defined: Map<String, Id>,
    asserted: Set<Id>,
    /// By name, the clause of a step.
    steps: Map<String, Vec<Id>>,
    /// How many steps there are of each rule.
    rules: Map<String, usize>,
}

/// Checks that a proof refutes a problem. Returns how many steps it has of each rule.
pub fn check(problem: &str, proof: &str) -> Checked<Map<String, usize>> {
    let mut checker = Checker::default();
    for command in expressions(problem)? {
        checker.declare(&command).map_err(|error| format!("{command:?}: {error}"))?;
    }
    let mut commands = expressions(proof)?.into_iter();
    let mut is_refuted = false;
    while let Some(command) = commands.next() {
        let mut take = || commands.next().ok_or_else(|| "the proof ends in an anchor".to_owned());
        let checked =
            checker.command(&command, &mut take).map_err(|error| format!("{command:?}: {error}"))?;
        is_refuted |= checked;
    }
    if is_refuted { Ok(checker.rules) } else { Err("the proof has no empty clause".into()) }
}

fn expressions(text: &str) -> Checked<Vec<Expr>> {
    let mut stack = vec![Vec::new()];
    for line in text.lines().filter(|line| !line.starts_with(';')) {
        let line = line.replace('(', " ( ").replace(')', " ) ");
        for word in line.split_whitespace() {
            match word {
                "(" => stack.push(Vec::new()),
                ")" => {
                    let list = stack.pop().ok_or("a parenthesis too much")?;
                    stack.last_mut().ok_or("a parenthesis too much")?.push(Expr::List(list));
                }
                word => stack.last_mut().ok_or("a parenthesis too much")?.push(Expr::Word(word.into())),
            }
        }
    }
    match (stack.pop(), stack.is_empty()) {
        (Some(all), true) => Ok(all),
        _ => Err("a parenthesis is open".into()),
    }
}

impl Expr {
    fn word(&self) -> Checked<&str> {
        match self {
            Expr::Word(word) => Ok(word),
            Expr::List(_) => Err("a list where a word is expected".into()),
        }
    }

    fn list(&self) -> Checked<&[Expr]> {
        match self {
            Expr::List(list) => Ok(list),
            Expr::Word(word) => Err(format!("the word {word} where a list is expected")),
        }
    }

    /// Returns the variable and the sort of `(x s)`.
    fn binding(&self) -> Checked<(String, String)> {
        match self.list()? {
            [name, sort] => Ok((name.word()?.into(), sort.word()?.into())),
            _ => Err("not a variable with its sort".into()),
        }
    }
}

/// Returns an error if something is not so.
fn ensure(holds: bool, what: &str) -> Checked {
    if holds { Ok(()) } else { Err(what.into()) }
}

impl Checker {
    fn intern(&mut self, term: Term, sort: &str) -> Id {
        if let Some(&known) = self.ids.get(&term) {
            return known;
        }
        self.terms.push((term.clone(), sort.into()));
        self.ids.insert(term, self.terms.len() - 1);
        self.terms.len() - 1
    }

    fn app(&mut self, word: &str, args: &[Id]) -> Id {
        self.intern(Term::App(word.into(), args.into()), "Bool")
    }

    fn not(&mut self, formula: Id) -> Id {
        self.app("not", &[formula])
    }

    /// Returns the arguments of an operator.
    fn args(&self, word: &str, term: Id) -> Checked<Vec<Id>> {
        match &self.terms[term].0 {
            Term::App(head, args) if head == word => Ok(args.clone()),
            _ => Err(format!("no `{word}`")),
        }
    }

    fn pair(&self, word: &str, term: Id) -> Checked<(Id, Id)> {
        match *self.args(word, term)? {
            [a, b] => Ok((a, b)),
            _ => Err(format!("no `{word}` of two")),
        }
    }

    fn negated(&self, term: Id) -> Checked<Id> {
        Ok(self.args("not", term)?[0])
    }

    fn binder(&self, kind: &str, term: Id) -> Checked<(String, String, Id)> {
        match &self.terms[term].0 {
            Term::Binder(word, var, sort, body) if word == kind => Ok((var.clone(), sort.clone(), *body)),
            _ => Err(format!("no `{kind}`")),
        }
    }

    fn declare(&mut self, command: &Expr) -> Checked {
        let parts = command.list()?;
        match (parts[0].word()?, &parts[1..]) {
            ("set-logic" | "check-sat", _) => Ok(()),
            ("declare-sort", [name, _]) => {
                ensure(self.sorts.insert(name.word()?.into()), "a sort is declared again")
            }
            ("declare-fun", [name, args, result]) => {
                let args: Checked<Vec<String>> =
                    args.list()?.iter().map(|it| it.word().map(str::to_owned)).collect();
                let known = self.functions.insert(name.word()?.into(), (args?, result.word()?.into()));
                ensure(known.is_none(), "a symbol is declared again")
            }
            ("assert", [formula]) => {
                let formula = self.formula(formula, &mut Vec::new())?;
                self.asserted.insert(formula);
                Ok(())
            }
            (word, _) => Err(format!("unknown command {word}")),
        }
    }

    fn formula(&mut self, expr: &Expr, scope: &mut Vec<(String, String)>) -> Checked<Id> {
        let term = self.term(expr, scope)?;
        ensure(self.terms[term].1 == "Bool", "not a formula")?;
        Ok(term)
    }

    fn term(&mut self, expr: &Expr, scope: &mut Vec<(String, String)>) -> Checked<Id> {
        let (word, rest) = match expr {
            Expr::Word(word) => (word.as_str(), [].as_slice()),
            Expr::List(list) => (list.first().ok_or("an empty list")?.word()?, &list[1..]),
        };
        if rest.is_empty() {
            if let Some(&known) = self.defined.get(word) {
                return Ok(known);
            }
            if let Some((var, sort)) = scope.iter().rev().find(|(var, _)| var == word).cloned() {
                return Ok(self.intern(Term::Var(var, sort.clone()), &sort));
            }
            if word.bytes().all(|byte| byte.is_ascii_digit()) {
                return Ok(self.intern(Term::App(word.into(), Vec::new()), "Int"));
            }
        }
        if let ("forall" | "exists" | "choice", [bindings, body]) = (word, rest) {
            let [binding] = bindings.list()? else { return Err("not one variable".into()) };
            let (var, sort) = binding.binding()?;
            ensure(self.sorts.contains(&sort), "no such sort")?;
            scope.push((var.clone(), sort.clone()));
            let body = self.formula(body, scope)?;
            scope.pop();
            let result = if word == "choice" { sort.clone() } else { "Bool".to_owned() };
            return Ok(self.intern(Term::Binder(word.into(), var, sort, body), &result));
        }
        let args: Checked<Vec<Id>> = rest.iter().map(|arg| self.term(arg, scope)).collect();
        let args = args?;
        let sorts: Vec<String> = args.iter().map(|&arg| self.terms[arg].1.clone()).collect();
        let bools = sorts.iter().all(|sort| sort == "Bool");
        let result = match (word, args.len()) {
            ("true" | "false", 0) => "Bool".into(),
            ("not", 1) | ("=>", 2) if bools => "Bool".into(),
            ("and" | "or", 2..) if bools => "Bool".into(),
            ("=", 2) if sorts[0] == sorts[1] => "Bool".into(),
            (word, _) => {
                let (expected, result) =
                    self.functions.get(word).ok_or_else(|| format!("no symbol `{word}`"))?;
                ensure(*expected == sorts, "arguments of other sorts")?;
                result.clone()
            }
        };
        Ok(self.intern(Term::App(word.into(), args), &result))
    }

    /// Returns a term with a closed one for a variable.
    fn substituted(&mut self, term: Id, var: &str, value: Id, done: &mut Map<Id, Id>) -> Id {
        if let Some(&known) = done.get(&term) {
            return known;
        }
        let (node, sort) = self.terms[term].clone();
        let new = match node {
            Term::Var(name, _) => {
                if name == var {
                    value
                } else {
                    term
                }
            }
            Term::App(word, args) => {
                let args = args.into_iter().map(|arg| self.substituted(arg, var, value, done)).collect();
                self.intern(Term::App(word, args), &sort)
            }
            // The variable of the binder is another one.
            Term::Binder(_, ref name, ..) if name == var => term,
            Term::Binder(kind, name, of, body) => {
                let body = self.substituted(body, var, value, done);
                self.intern(Term::Binder(kind, name, of, body), &sort)
            }
        };
        done.insert(term, new);
        new
    }

    fn instance(&mut self, body: Id, var: &str, value: Id) -> Id {
        self.substituted(body, var, value, &mut Map::default())
    }

    /// Checks a command; `take` returns the next ones. Returns whether its clause is empty.
    fn command(&mut self, command: &Expr, take: &mut dyn FnMut() -> Checked<Expr>) -> Checked<bool> {
        let parts = command.list()?;
        match (parts[0].word()?, &parts[1..]) {
            ("define-fun", [name, args, sort, body]) => {
                ensure(args.list()?.is_empty(), "a definition with arguments")?;
                let body = self.term(body, &mut Vec::new())?;
                ensure(self.terms[body].1 == sort.word()?, "a definition of another sort")?;
                let name = name.word()?;
                let is_new = !self.functions.contains_key(name) && !self.defined.contains_key(name);
                ensure(is_new, "a name is defined again")?;
                self.defined.insert(name.into(), body);
                Ok(false)
            }
            ("assume", [name, formula]) => {
                let formula = self.formula(formula, &mut Vec::new())?;
                ensure(self.asserted.contains(&formula), "not asserted")?;
                self.named(name.word()?, vec![formula])?;
                Ok(false)
            }
            ("step", [name, clause, attributes @ ..]) => {
                let clause = self.clause(clause, &mut Vec::new())?;
                let (rule, premises, args) = self.attributes(attributes)?;
                self.rule(&rule, &clause, &premises, &args)?;
                let is_empty = clause.is_empty();
                self.named(name.word()?, clause)?;
                Ok(is_empty)
            }
            ("anchor", [step, name, args, list]) => {
                let is_anchor = (step.word()?, args.word()?) == (":step", ":args");
                ensure(is_anchor, "an anchor of another form")?;
                let inner = take()?;
                let outer = take()?;
                self.anchor(name.word()?, list.list()?, inner.list()?, outer.list()?)?;
                Ok(false)
            }
            (word, _) => Err(format!("unknown command {word}")),
        }
    }

    fn named(&mut self, name: &str, clause: Vec<Id>) -> Checked {
        ensure(self.steps.insert(name.into(), clause).is_none(), "a step with the name of another one")
    }

    fn clause(&mut self, expr: &Expr, scope: &mut Vec<(String, String)>) -> Checked<Vec<Id>> {
        let list = expr.list()?;
        ensure(list.first() == Some(&Expr::Word("cl".into())), "not a clause")?;
        list[1..].iter().map(|formula| self.formula(formula, scope)).collect()
    }

    fn attributes(&mut self, attributes: &[Expr]) -> Checked<(String, Vec<Vec<Id>>, Vec<Id>)> {
        let (mut rule, mut premises, mut args) = (String::new(), Vec::new(), Vec::new());
        for pair in attributes.chunks(2) {
            let [key, value] = pair else { return Err("an attribute without value".into()) };
            match key.word()? {
                ":rule" => rule = value.word()?.into(),
                ":premises" => {
                    for premise in value.list()? {
                        let step = self.steps.get(premise.word()?);
                        premises.push(step.cloned().ok_or_else(|| format!("no step {premise:?}"))?);
                    }
                }
                ":args" => {
                    for arg in value.list()? {
                        let arg = self.term(arg, &mut Vec::new())?;
                        args.push(arg);
                    }
                }
                key => return Err(format!("unknown attribute {key}")),
            }
        }
        Ok((rule, premises, args))
    }

    /// Checks a step about a quantified formula, by the step about its body before it.
    fn anchor(&mut self, name: &str, args: &[Expr], inner: &[Expr], outer: &[Expr]) -> Checked {
        let is_step = |command: &[Expr], name: &str| {
            command.len() == 5
                && command[0] == Expr::Word("step".into())
                && command[1] == Expr::Word(name.into())
        };
        ensure(is_step(inner, &format!("{name}.t1")) && is_step(outer, name), "not two steps")?;
        let (assign, bound) = match args {
            [assign] => (assign, None),
            [variable, assign] => (assign, Some(variable.binding()?)),
            _ => return Err("arguments of another form".into()),
        };
        let [sign, binding, value] = assign.list()? else { return Err("no assignment".into()) };
        ensure(sign.word()? == ":=", "no assignment")?;
        let (var, sort) = binding.binding()?;
        let mut scope = vec![(var.clone(), sort.clone())];
        let value = self.term(value, &mut bound.clone().into_iter().collect())?;
        let [body_clause, conclusion] =
            [self.clause(&inner[2], &mut scope)?, self.clause(&outer[2], &mut Vec::new())?];
        let ([same], [equal]) = (body_clause.as_slice(), conclusion.as_slice()) else {
            return Err("not one formula".into());
        };
        let ((a, b), (left, right)) = (self.pair("=", *same)?, self.pair("=", *equal)?);
        let (by, rule) = (inner[4].word()?, outer[4].word()?);
        for rule in [by, rule] {
            *self.rules.entry(rule.into()).or_default() += 1;
        }
        match (rule, by) {
            ("bind", "not_simplify") => {
                ensure(bound == Some((var.clone(), sort.clone())), "another variable")?;
                ensure(self.terms[value].0 == Term::Var(var.clone(), sort.clone()), "not the same variable")?;
                let twice = self.not(b);
                let twice = self.not(twice);
                ensure(a == twice, "not a double negation")?;
                let is_body = |(name, of, body): (String, String, Id), expected: Id| {
                    ensure((name, of, body) == (var.clone(), sort.clone(), expected), "not the bodies")
                };
                is_body(self.binder("exists", left)?, a)?;
                is_body(self.binder("exists", right)?, b)?;
            }
            ("sko_ex" | "sko_forall", "refl") => {
                let kind = if rule == "sko_ex" { "exists" } else { "forall" };
                let (name, of, body) = self.binder(kind, left)?;
                let expected = if rule == "sko_ex" { body } else { self.not(body) };
                let choice = (name.clone(), of, expected);
                ensure(self.binder("choice", value)? == choice, "not the choice")?;
                ensure((name, body, right) == (var.clone(), a, b) && bound.is_none(), "not the body")?;
                let instance = self.instance(a, &var, value);
                ensure(instance == b, "not the instance")?;
            }
            _ => return Err(format!("unknown rules {by} and {rule}")),
        }
        self.named(name, conclusion)
    }

    fn rule(&mut self, rule: &str, clause: &[Id], premises: &[Vec<Id>], args: &[Id]) -> Checked {
        *self.rules.entry(rule.into()).or_default() += 1;
        if rule == "resolution" {
            ensure(premises.len() >= 2 && args.is_empty(), "not two premises")?;
            return self.resolution(clause, premises);
        }
        let made = match (rule, clause, premises, args) {
            ("true", [formula], [], []) => self.args("true", *formula).map(|_| clause.to_vec())?,
            ("false", [formula], [], []) => {
                let formula = self.negated(*formula)?;
                self.args("false", formula).map(|_| clause.to_vec())?
            }
            ("not_not", [first, second], [], []) => {
                let twice = self.not(*second);
                let thrice = self.not(twice);
                let made = self.not(thrice);
                vec![if made == *first { made } else { return Err("not three negations".into()) }, *second]
            }
            ("and_pos", [first, _], [], [at]) => {
                let parts = self.args("and", self.negated(*first)?)?;
                vec![*first, *parts.get(self.numeral(*at)?).ok_or("no such part")?]
            }
            ("or_neg", [first, _], [], [at]) => {
                let parts = self.args("or", *first)?;
                let part = *parts.get(self.numeral(*at)?).ok_or("no such part")?;
                vec![*first, self.not(part)]
            }
            ("and_neg", [first, ..], [], []) => {
                let parts = self.args("and", *first)?;
                let negated: Vec<Id> = parts.into_iter().map(|part| self.not(part)).collect();
                [vec![*first], negated].concat()
            }
            ("or_pos", [first, ..], [], []) => {
                [vec![*first], self.args("or", self.negated(*first)?)?].concat()
            }
            ("or", _, [premise], []) if premise.len() == 1 => self.args("or", premise[0])?,
            ("implies_pos", [first, ..], [], []) => {
                let (a, b) = self.pair("=>", self.negated(*first)?)?;
                vec![*first, self.not(a), b]
            }
            ("implies_neg1", [first, ..], [], []) => vec![*first, self.pair("=>", *first)?.0],
            ("implies_neg2", [first, ..], [], []) => {
                let (_, b) = self.pair("=>", *first)?;
                vec![*first, self.not(b)]
            }
            ("equiv_pos1", [first, ..], [], []) => {
                let (a, b) = self.pair("=", self.negated(*first)?)?;
                vec![*first, a, self.not(b)]
            }
            ("equiv_pos2", [first, ..], [], []) => {
                let (a, b) = self.pair("=", self.negated(*first)?)?;
                vec![*first, self.not(a), b]
            }
            ("equiv_neg1", [first, ..], [], []) => {
                let (a, b) = self.pair("=", *first)?;
                vec![*first, self.not(a), self.not(b)]
            }
            ("equiv_neg2", [first, ..], [], []) => {
                let (a, b) = self.pair("=", *first)?;
                vec![*first, a, b]
            }
            ("equiv1", _, [premise], []) if premise.len() == 1 => {
                let (a, b) = self.pair("=", premise[0])?;
                vec![self.not(a), b]
            }
            ("equiv2", _, [premise], []) if premise.len() == 1 => {
                let (a, b) = self.pair("=", premise[0])?;
                vec![a, self.not(b)]
            }
            ("connective_def", [formula], [], []) => {
                let (forall, other) = self.pair("=", *formula)?;
                let (var, sort, body) = self.binder("forall", forall)?;
                let negated = self.not(body);
                let exists = self.intern(Term::Binder("exists".into(), var, sort, negated), "Bool");
                let other_way = self.not(exists);
                ensure(other_way == other, "not the definition")?;
                clause.to_vec()
            }
            ("forall_inst", [formula], [], [value]) => {
                let (first, instance) = self.pair("or", *formula)?;
                let (var, sort, body) = self.binder("forall", self.negated(first)?)?;
                ensure(self.terms[*value].1 == sort, "a term of another sort")?;
                let expected = self.instance(body, &var, *value);
                ensure(expected == instance, "not the instance")?;
                clause.to_vec()
            }
            ("eq_reflexive", [formula], [], []) => {
                let (a, b) = self.pair("=", *formula)?;
                ensure(a == b, "two terms")?;
                clause.to_vec()
            }
            ("eq_symmetric", [formula], [], []) => {
                let (one, other) = self.pair("=", *formula)?;
                let ((a, b), (c, d)) = (self.pair("=", one)?, self.pair("=", other)?);
                ensure((a, b) == (d, c), "not the mirror image")?;
                clause.to_vec()
            }
            ("eq_transitive", [first, second, last], [], []) => {
                let [one, two] = [self.negated(*first)?, self.negated(*second)?];
                let ((a, b), (c, d), (x, y)) =
                    (self.pair("=", one)?, self.pair("=", two)?, self.pair("=", *last)?);
                let is_chain = |x, y| {
                    [(a, b, c, d), (c, d, a, b)].into_iter().any(|(a, b, c, d)| {
                        [(a, b), (b, a)]
                            .into_iter()
                            .any(|(a, b)| a == x && ((b, y) == (c, d) || (b, y) == (d, c)))
                    })
                };
                ensure(is_chain(x, y), "not a chain")?;
                clause.to_vec()
            }
            ("eq_congruent", [equations @ .., last], [], []) => {
                let (left, right) = self.pair("=", *last)?;
                self.congruent(equations, left, right)?;
                clause.to_vec()
            }
            ("eq_congruent_pred", [equations @ .., left, right], [], []) => {
                self.congruent(equations, self.negated(*left)?, *right)?;
                clause.to_vec()
            }
            _ => return Err(format!("no step of the rule {rule}")),
        };
        ensure(made == clause, "the rule makes another clause")
    }

    fn numeral(&self, term: Id) -> Checked<usize> {
        match &self.terms[term].0 {
            Term::App(word, _) => word.parse().map_err(|_| "not a number".to_owned()),
            _ => Err("not a number".into()),
        }
    }

    fn congruent(&self, equations: &[Id], left: Id, right: Id) -> Checked {
        let (Term::App(f, xs), Term::App(g, ys)) = (&self.terms[left].0, &self.terms[right].0) else {
            return Err("no applications".into());
        };
        ensure(f == g && !xs.is_empty() && equations.len() == xs.len(), "not one function")?;
        for ((&x, &y), &equation) in xs.iter().zip(ys).zip(equations) {
            let sides = self.pair("=", self.negated(equation)?)?;
            ensure(sides == (x, y) || sides == (y, x), "an equation of other arguments")?;
        }
        Ok(())
    }

    /// Checks that unit propagation in the premises refutes a clause.
    fn resolution(&mut self, clause: &[Id], premises: &[Vec<Id>]) -> Checked {
        let mut is_false: Set<Id> = clause.iter().copied().collect();
        for &literal in clause {
            if let Ok(formula) = self.negated(literal) {
                // Its complement is true; a clause with both is not refuted.
                ensure(!is_false.contains(&formula), "a clause with both literals")?;
            }
        }
        // In this order, each premise but the first one is a unit at once.
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for premise in premises.iter().rev() {
                let mut open = premise.iter().filter(|it| !is_false.contains(it));
                let Some(&literal) = open.next() else { return Ok(()) };
                if open.all(|&it| it == literal) {
                    let complements = [self.negated(literal).ok(), Some(self.not(literal))];
                    for complement in complements.into_iter().flatten() {
                        is_changed |= is_false.insert(complement);
                    }
                }
            }
        }
        Err("the premises do not imply the clause".into())
    }
}
