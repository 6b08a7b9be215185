//! Random models in `.pyv`, in either dialect, with every construct of the language; and changed texts.

use ramsey::base::rng::Rng;

pub(super) mod program;

/// The sort of formulas; 1 and 2 are `s` and `t`.
const BOOL: usize = 0;

const SORTS: [&str; 3] = ["bool", "s", "t"];

/// Names of variables. They are few, so that they shadow each other.
const VARIABLES: [&str; 4] = ["x", "y", "z", "Z"];

struct Symbol {
    name: &'static str,
    args: &'static [usize],
    result: usize,
    kind: &'static str,
    /// Whether every transition modifies it.
    changes: bool,
}

const fn symbol(name: &'static str, args: &'static [usize], result: usize, kind: &'static str) -> Symbol {
    Symbol { name, args, result, kind, changes: true }
}

const SYMBOLS: &[Symbol] = &[
    symbol("le", &[1, 1], BOOL, "immutable"),
    symbol("base", &[], BOOL, "immutable"),
    symbol("a", &[], 1, "immutable"),
    symbol("b", &[], 2, "immutable"),
    symbol("home", &[1], 2, "immutable"),
    symbol("back", &[2, 1], 1, "immutable"),
    symbol("odd", &[2], BOOL, "immutable"),
    symbol("on", &[], BOOL, "mutable"),
    symbol("p", &[1], BOOL, "mutable"),
    symbol("q", &[1, 2], BOOL, "mutable"),
    symbol("c", &[], 1, "mutable"),
    symbol("at", &[1], 2, "mutable"),
    symbol("full", &[2], BOOL, "mutable"),
    Symbol { changes: false, ..symbol("r", &[2], BOOL, "mutable") },
    Symbol { changes: false, ..symbol("d", &[], 2, "mutable") },
    Symbol { changes: false, ..symbol("near", &[1, 1], 1, "mutable") },
    symbol("some", &[1], BOOL, "derived"),
    symbol("none", &[], BOOL, "derived"),
];

/// Something with a formula that others may use.
#[derive(Clone)]
struct Callable {
    name: String,
    states: usize,
    params: Vec<usize>,
}

/// Where a part of a formula stands.
#[derive(Clone)]
struct Place {
    /// The variables in scope with their sorts.
    vars: Vec<(String, usize)>,
    states: usize,
    state: usize,
    in_old: bool,
    /// Whether it may be read in a later state, so that it must not read there what does not change.
    shifts: bool,
    /// Whether names in capital letters are variables.
    capitals: bool,
    depth: usize,
}

impl Place {
    fn of(states: usize, shifts: bool) -> Place {
        Place { vars: Vec::new(), states, state: 0, in_old: false, shifts, capitals: true, depth: 4 }
    }

    fn below(&self) -> Place {
        Place { depth: self.depth.saturating_sub(1), ..self.clone() }
    }

    fn with(&self, name: &str, sort: usize) -> Place {
        let mut inner = self.below();
        inner.vars.push((name.to_owned(), sort));
        inner
    }
}

/// A generator of one model.
struct Generator {
    rng: Rng,
    is_older: bool,
    omits_sorts: bool,
    callables: Vec<Callable>,
    has_safety: bool,
    decls: Vec<String>,
}

/// Returns a random model. Most are accepted.
pub(crate) fn model(rng: Rng) -> String {
    let mut generator = Generator {
        rng,
        is_older: false,
        omits_sorts: false,
        callables: Vec::new(),
        has_safety: false,
        decls: Vec::new(),
    };
    generator.model()
}

impl Generator {
    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.rng.below(items.len())].clone()
    }

    fn model(&mut self) -> String {
        self.is_older = self.rng.one_in(3);
        self.omits_sorts = self.rng.one_in(4);
        for sort in &SORTS[1..] {
            let note = self.pick(&["", " @no_print", " @printed_by(const_printer) @x"]);
            self.decls.push(format!("sort {sort}{note}"));
        }
        for symbol in SYMBOLS.iter().filter(|symbol| symbol.kind != "derived") {
            let args: Vec<&str> = symbol.args.iter().map(|sort| SORTS[*sort]).collect();
            let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
            let result = SORTS[symbol.result];
            let as_function = symbol.result != BOOL || self.rng.one_in(4);
            self.decls.push(match (as_function, args.is_empty()) {
                (false, _) => format!("{} relation {}{args}", symbol.kind, symbol.name),
                (true, true) => format!("{} constant {}: {result}", symbol.kind, symbol.name),
                (true, false) => format!("{} function {}{args}: {result}", symbol.kind, symbol.name),
            });
        }
        for (name, args, meaning) in [("some", "(s)", "some(X) <-> "), ("none", "()", "none <-> ")] {
            let formula = self.closed(&Place::of(1, false));
            self.decls.push(format!("derived relation {name}{args}: {meaning}({formula})"));
        }
        for number in 0..3 {
            let states = self.rng.below(3);
            self.definition(&format!("d{number}"), states);
        }
        for _ in 0..self.rng.below(3) {
            self.claim("safety", 1);
            self.has_safety = true;
        }
        for number in 0..4 {
            let states = self.rng.below(3);
            self.definition(&format!("e{number}"), states);
        }
        for keyword in ["axiom", "axiom", "init", "init", "invariant", "invariant"] {
            self.claim(keyword, usize::from(keyword != "axiom"));
        }
        for number in 0..2 {
            self.transition(&format!("step{number}"));
        }
        for word in ["zerostate theorem", "theorem", "onestate theorem", "twostate theorem"] {
            let states =
                ["zerostate theorem", "", "twostate theorem"].iter().position(|other| *other == word);
            self.claim(word, states.unwrap_or(1));
        }
        self.trace();
        for at in (1..self.decls.len()).rev() {
            // Declarations may be used before they are made.
            if self.rng.one_in(2) {
                let other = self.rng.below(at + 1);
                self.decls.swap(at, other);
            }
        }
        let ends = self.pick(&["\n", "\r\n", "\n\n", " # a comment\n", "\r"]);
        self.decls.iter().flat_map(|decl| [decl.as_str(), ends]).collect()
    }

    /// Parameters with their text.
    fn params(&mut self) -> Vec<(String, usize)> {
        (0..self.rng.below(4)).map(|at| (VARIABLES[at].to_owned(), self.rng.below(3))).collect()
    }

    fn binders(&mut self, vars: &[(String, usize)]) -> String {
        let all: Vec<String> = vars
            .iter()
            .map(|(name, sort)| match self.omits_sorts && self.rng.one_in(20) {
                true => name.clone(),
                false => format!("{name}: {}", SORTS[*sort]),
            })
            .collect();
        all.join(", ")
    }

    fn definition(&mut self, name: &str, states: usize) {
        let params = self.params();
        let binders = self.binders(&params);
        let body = self.closed(&Place { vars: params.clone(), ..Place::of(states, true) });
        let keyword = match states {
            0 => "zerostate ",
            1 => self.pick(&["", "onestate "]),
            _ => "twostate ",
        };
        let modifies = if states == 2 && self.rng.one_in(3) { "modifies p, c" } else { "=" };
        self.decls.push(format!("{keyword}definition {name}({binders}) {modifies} {body}"));
        let params = params.into_iter().map(|(_, sort)| sort).collect();
        self.callables.push(Callable { name: name.to_owned(), states, params });
    }

    fn claim(&mut self, keyword: &str, states: usize) {
        let formula = self.closed(&Place::of(states, true));
        let depends = if matches!(keyword, "invariant" | "safety") { "(on | !on) & " } else { "" };
        let mut name = String::new();
        if self.rng.one_in(2) {
            name = format!("n{}", self.decls.len());
            self.callables.push(Callable { name: name.clone(), states, params: Vec::new() });
            name = format!("[{name}] ");
        }
        let mut proof = "";
        if matches!(keyword, "invariant" | "safety") {
            proof = self.pick(&[
                "",
                "",
                " proof let V = a",
                " proof { let V: s = a if base { let W = b } else { } }",
            ]);
        }
        self.decls.push(format!("{keyword} {name}{depends}({formula}){proof}"));
    }

    fn transition(&mut self, name: &str) {
        let params = self.params();
        let binders = self.binders(&params);
        let body = self.closed(&Place { vars: params.clone(), ..Place::of(2, false) });
        let (mut modifies, mut mentions) = (Vec::new(), String::new());
        for symbol in SYMBOLS.iter().filter(|symbol| symbol.kind == "mutable" && symbol.changes) {
            modifies.insert(self.rng.below(modifies.len() + 1), symbol.name);
            let args: Vec<String> = (0..symbol.args.len()).map(|at| format!("M{at}")).collect();
            let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
            let prime = if self.is_older { "" } else { "'" };
            let equal = self.pick(&["=", "!="]);
            let all = if args.is_empty() {
                String::new()
            } else {
                format!("forall {}. ", &args[1..args.len() - 1])
            };
            mentions.push_str(&format!("\n & ({all}{}{prime}{args} {equal} {0}{prime}{args})", symbol.name));
        }
        self.decls.push(format!(
            "transition {name}({binders})\n modifies {}\n & ({body}){mentions}",
            modifies.join(", ")
        ));
        let params = params.into_iter().map(|(_, sort)| sort).collect();
        self.callables.push(Callable { name: name.to_owned(), states: 2, params });
    }

    fn trace(&mut self) {
        let steps = self.callables.iter().filter(|callable| callable.name.starts_with("step"));
        let steps: Vec<Callable> = steps.cloned().collect();
        let mut text = self.pick(&["sat trace {", "unsat trace {"]).to_owned();
        for _ in 0..self.rng.below(4) {
            let place = Place { depth: 2, ..Place::of(1, false) };
            match self.rng.below(4) {
                0 => text.push_str("\n assert init"),
                1 => text.push_str("\n any transition"),
                2 => text.push_str(&format!("\n assert {}", self.closed(&place))),
                _ => {
                    let step = self.pick(&steps);
                    let place = Place { capitals: false, ..place };
                    let arg = |sort: &usize| {
                        if self.rng.one_in(2) { "*".to_owned() } else { self.expr(*sort, &place) }
                    };
                    let args: Vec<String> = step.params.iter().map(arg).collect();
                    let args =
                        if self.rng.one_in(3) { String::new() } else { format!("({})", args.join(", ")) };
                    text.push_str(&format!("\n {}{args}", step.name));
                }
            }
        }
        self.decls.push(text + " }");
    }

    fn expr(&mut self, sort: usize, place: &Place) -> String {
        if sort == BOOL { self.formula(place) } else { self.term(sort, place) }
    }

    /// Returns a variable of a sort that is not shadowed.
    fn variable(&mut self, sort: usize, place: &Place) -> Option<String> {
        let is_visible = |at: usize| place.vars[at + 1..].iter().all(|later| later.0 != place.vars[at].0);
        let fitting = (0..place.vars.len()).filter(|at| place.vars[*at].1 == sort && is_visible(*at));
        let mut names: Vec<String> = fitting.map(|at| place.vars[at].0.clone()).collect();
        if place.capitals && sort != BOOL {
            names.extend([1, 2].map(|number| format!("{}{number}", SORTS[sort].to_uppercase())));
        }
        if names.is_empty() { None } else { Some(self.pick(&names)) }
    }

    /// Returns a symbol with arguments.
    fn apply(&mut self, result: usize, place: &Place) -> String {
        let reads_new = !self.is_older || place.in_old || place.states < 2;
        let fits = |symbol: &&Symbol| {
            let is_rigid = symbol.kind == "immutable";
            let is_there = is_rigid || place.states > 0;
            let may_shift = is_rigid || symbol.changes || !place.shifts && place.state == 0;
            // In definitions of the older dialect, what is not marked is read in the new state.
            symbol.result == result
                && is_there
                && may_shift
                && (reads_new || is_rigid || symbol.changes || !place.shifts)
        };
        let fitting: Vec<usize> = (0..SYMBOLS.len()).filter(|at| fits(&&SYMBOLS[*at])).collect();
        let symbol = &SYMBOLS[self.pick(&fitting)];
        let may_prime = !self.is_older && symbol.changes && symbol.kind != "immutable";
        let primes = if may_prime && self.rng.one_in(2) { place.states - 1 - place.state } else { 0 };
        let args: Vec<String> = symbol.args.iter().map(|sort| self.expr(*sort, &place.below())).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        format!("{}{}{args}", symbol.name, "'".repeat(primes))
    }

    fn term(&mut self, sort: usize, place: &Place) -> String {
        let inner = place.below();
        match self.rng.below(if place.depth == 0 { 3 } else { 12 }) {
            0..2 => self.variable(sort, place).unwrap_or_else(|| ["", "a", "b"][sort].to_owned()),
            2 => ["", "a", "b"][sort].to_owned(),
            3..8 => self.apply(sort, place),
            8 => {
                let condition = self.formula(&inner);
                let [then, otherwise] = [0; 2].map(|_| self.term(sort, &inner));
                format!("(if {condition} then {then} else {otherwise})")
            }
            9 => self.let_in(sort, place),
            _ => self.marked(sort, place),
        }
    }

    fn let_in(&mut self, sort: usize, place: &Place) -> String {
        let (name, of) = (self.pick(&VARIABLES), self.rng.below(3));
        let value = self.expr(of, &place.below());
        let body = self.expr(sort, &place.with(name, of));
        let binder = self.binders(&[(name.to_owned(), of)]);
        format!("(let {binder} = {value} in {body})")
    }

    /// Returns an expression read in another state, where there is one.
    fn marked(&mut self, sort: usize, place: &Place) -> String {
        let inner = place.below();
        if self.is_older && place.states == 2 && !place.in_old {
            return format!("old({})", self.expr(sort, &Place { in_old: true, ..inner }));
        }
        if !self.is_older && place.state + 1 < place.states {
            let state = place.state + 1;
            return format!("new({})", self.expr(sort, &Place { state, ..inner }));
        }
        self.expr(sort, &inner)
    }

    fn formula(&mut self, place: &Place) -> String {
        let inner = place.below();
        let two = |generator: &mut Generator| [0; 2].map(|_| generator.formula(&inner));
        let kind = self.rng.below(if place.depth == 0 { 4 } else { 24 });
        let text = match kind {
            0 => return self.pick(&["true", "false"]).to_owned(),
            1 => match self.variable(BOOL, place) {
                Some(name) => return name,
                None => return self.apply(BOOL, place),
            },
            2..6 => return self.apply(BOOL, place),
            6 | 7 => {
                let sort = 1 + self.rng.below(2);
                let sign = self.pick(&["=", "!=", "~="]);
                let [a, b] = [0; 2].map(|_| self.term(sort, &inner));
                format!("{a} {sign} {b}")
            }
            8 | 9 => format!("{}{}", self.pick(&["!", "~"]), self.formula(&inner)),
            10 | 11 => {
                let sign = self.pick(&["&", "|"]);
                let bullet = if self.rng.one_in(4) { sign } else { "" };
                let items: Vec<String> = (0..2 + self.rng.below(2)).map(|_| self.formula(&inner)).collect();
                format!("{bullet} {}", items.join(&format!(" {sign} ")))
            }
            12 => two(self).join(" -> "),
            13 => two(self).join(" <-> "),
            14 => two(self).join(self.pick(&[" = ", " != "])),
            15..18 => {
                let (word, count) = (self.pick(&["forall", "exists"]), 1 + self.rng.below(3));
                let first = self.rng.below(VARIABLES.len());
                let names = (0..count).map(|at| VARIABLES[(first + at) % VARIABLES.len()].to_owned());
                let vars: Vec<(String, usize)> = names.map(|name| (name, self.rng.below(3))).collect();
                let mut inner = inner;
                inner.vars.extend(vars.iter().cloned());
                format!("{word} {}. {}", self.binders(&vars), self.formula(&inner))
            }
            18 => {
                let parts = [0; 3].map(|_| self.formula(&inner));
                format!("if {} then {} else {}", parts[0], parts[1], parts[2])
            }
            19 => return self.let_in(BOOL, place),
            20 => {
                let sort = self.rng.below(3);
                let items: Vec<String> =
                    (0..1 + self.rng.below(3)).map(|_| self.expr(sort, &inner)).collect();
                return format!("distinct({})", items.join(", "));
            }
            21 => return self.marked(BOOL, place),
            _ => return self.call(place),
        };
        // Equations and equivalences cannot be chained.
        let needs_parentheses = matches!(kind, 6..8 | 13 | 14) || !self.rng.one_in(6);
        if needs_parentheses { format!("({text})") } else { text }
    }

    /// Returns a formula that may have variables in capital letters, whose sorts are told.
    fn closed(&mut self, place: &Place) -> String {
        let capitals = self.rng.one_in(2);
        let formula = self.formula(&Place { capitals, ..place.clone() });
        if capitals { format!("({formula}) & (le(S2, S1) | odd(T1) & odd(T2) | true)") } else { formula }
    }

    /// Returns a use of something with a formula.
    fn call(&mut self, place: &Place) -> String {
        if self.has_safety && place.state < place.states && self.rng.one_in(6) {
            return "safety".to_owned();
        }
        let fits = |callable: &&Callable| {
            place.state + callable.states <= place.states && !(callable.states == 2 && place.in_old)
        };
        let fitting: Vec<Callable> = self.callables.iter().filter(fits).cloned().collect();
        if fitting.is_empty() {
            return self.apply(BOOL, place);
        }
        let callable = self.pick(&fitting);
        let rest = place.states - place.state - callable.states;
        let primes =
            if self.is_older || rest == 0 || callable.states == 0 { 0 } else { self.rng.below(rest + 1) };
        let args: Vec<String> = callable.params.iter().map(|sort| self.expr(*sort, &place.below())).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        format!("{}{}{args}", callable.name, "'".repeat(primes))
    }
}

/// Returns the words, signs and blanks of a text.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for c in text.chars() {
        match pieces.last_mut() {
            Some(last) if is_word(c) && last.ends_with(is_word) => last.push(c),
            Some(last) if c == ' ' && last.ends_with(' ') => last.push(c),
            _ => pieces.push(c.to_string()),
        }
    }
    pieces
}

/// Words and signs that may come in.
pub(super) const WORDS: &[&str] = &[
    "'",
    "(",
    ")",
    "&",
    "|",
    "->",
    "<->",
    "=",
    "!=",
    "!",
    ",",
    ".",
    ":",
    "forall",
    "exists",
    "new",
    "old(",
    "X",
    "x",
    "true",
    "bool",
    "if",
    "then",
    "else",
    "let",
    "in",
    "distinct(",
    "safety",
    "zerostate",
    "onestate",
    "twostate",
    "theorem",
    "definition",
    "mutable",
    "immutable",
    "derived",
    "init",
    "invariant",
    "axiom",
    "modifies",
    "[",
    "]",
    "proof",
    "sort",
    "int",
    "1",
    "#",
    "@a",
    "{",
    "}",
    "assert",
    "\n",
    "\r",
    "\u{feff}",
    "+",
    "<",
    "é",
];

/// Returns the text with one to three changes of words and signs. These `words` may come in.
pub(super) fn mutant(text: &str, words: &[&str], rng: &mut Rng) -> String {
    let mut pieces = pieces(text);
    for _ in 0..[1, 1, 1, 2, 3][rng.below(5)] {
        let inked: Vec<usize> = (0..pieces.len()).filter(|at| !pieces[*at].trim().is_empty()).collect();
        if inked.len() < 2 {
            break;
        }
        let at = inked[rng.below(inked.len())];
        // Mostly names come for names and signs for signs.
        let is_word = |at: usize| pieces[at].starts_with(|c: char| c.is_ascii_alphanumeric());
        let alike: Vec<usize> =
            inked.iter().copied().filter(|other| is_word(*other) == is_word(at)).collect();
        let others = if rng.one_in(8) { &inked } else { &alike };
        let other = others[rng.below(others.len())];
        match rng.below(8) {
            0 => pieces[at].clear(),
            1 => pieces.swap(at, other),
            2 | 3 => pieces[at] = pieces[other].clone(),
            4 => {
                let (from, to) = (pieces[at].clone(), pieces[other].clone());
                pieces.iter_mut().filter(|piece| **piece == from).for_each(|piece| piece.clone_from(&to));
            }
            5 => pieces[at] = words[rng.below(words.len())].to_owned(),
            6 => pieces[at].push_str(&format!(" {}", words[rng.below(words.len())])),
            _ => {
                let start = at.min(other);
                let copied = pieces[start..(start + 6).min(pieces.len())].concat();
                pieces[at].push_str(&format!(" {copied}"));
            }
        }
    }
    pieces.concat()
}
