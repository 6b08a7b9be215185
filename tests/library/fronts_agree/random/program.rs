//! Random programs in `.rml`, with every construct of the language.

use super::{BOOL, Callable, Generator, Place, SORTS, SYMBOLS, Symbol};
use ramsey::base::rng::Rng;

/// Returns a random program. Most are accepted.
pub(in super::super) fn program(rng: Rng) -> String {
    let mut generator = Generator {
        rng,
        is_older: false,
        omits_sorts: false,
        callables: Vec::new(),
        has_safety: false,
        decls: Vec::new(),
    };
    let mut program = Program { locals: 0, names: Vec::new() };
    generator.program(&mut program)
}

/// What a program has so far.
struct Program {
    /// The number of local variables and parameters.
    locals: usize,
    /// The actions with the sorts of their parameters.
    names: Vec<Callable>,
}

/// The symbols that commands change, and sometimes those that they do not.
fn changing() -> Vec<&'static Symbol> {
    SYMBOLS.iter().filter(|symbol| symbol.kind == "mutable" && symbol.changes).collect()
}

impl Generator {
    fn program(&mut self, program: &mut Program) -> String {
        self.omits_sorts = self.rng.one_in(8);
        for sort in &SORTS[1..] {
            let note = self.pick(&["", " @no_print", " @printed_by(const_printer) @x"]);
            self.decls.push(format!("sort {sort}{note}"));
        }
        for symbol in SYMBOLS {
            self.symbol(symbol);
        }
        self.modules();
        for number in 0..3 {
            self.macro_(&format!("d{number}"));
        }
        for keyword in ["safety", "axiom", "axiom", "conjecture", "invariant", "theorem"] {
            for _ in 0..self.rng.below(3) {
                self.formula_of(keyword);
            }
            self.has_safety |= keyword == "safety" && self.decls.iter().any(|it| it.starts_with(keyword));
        }
        for number in 0..2 {
            self.macro_(&format!("e{number}"));
        }
        let mut commands = Vec::new();
        let mut scope = Place::of(1, false);
        for _ in 0..self.rng.below(6) {
            commands.push(self.command(program, &mut scope, 3));
        }
        commands.push(self.the_loop(program));
        let mut scope = Place::of(1, false);
        for _ in 0..self.rng.below(3) {
            commands.push(self.command(program, &mut scope, 2));
        }
        self.steps(program);
        for at in (1..self.decls.len()).rev() {
            // Declarations may be used before they are made.
            if self.rng.one_in(2) {
                let other = self.rng.below(at + 1);
                self.decls.swap(at, other);
            }
        }
        // Commands stand among declarations, in their order.
        let mut at = self.rng.below(self.decls.len());
        for command in commands {
            self.decls.insert(at, command);
            at += 1 + self.rng.below(self.decls.len() - at);
        }
        let ends = self.pick(&["\n", "\r\n", "\n\n", " # a comment\n", "\r", " // another\n", ";\n", " ; ;"]);
        self.decls.iter().flat_map(|decl| [decl.as_str(), ends]).collect()
    }

    fn symbol(&mut self, symbol: &Symbol) {
        let args: Vec<&str> = symbol.args.iter().map(|sort| SORTS[*sort]).collect();
        let (args, result) = (args.join(", "), SORTS[symbol.result]);
        let name = symbol.name;
        let has_colon = self.rng.one_in(2);
        let note = self.pick(&["", "", " @no_print", " @no_minimize"]);
        let parentheses = self.pick(&["", "()"]);
        self.decls.push(match (symbol.result == BOOL, args.is_empty(), has_colon) {
            (true, true, true) => format!("variable {name}: bool"),
            (true, true, false) => format!("relation {name}{parentheses}"),
            (true, false, true) => format!("relation {name}: {args}{note}"),
            (true, false, false) => format!("relation {name}({args}){note}"),
            (false, true, true) => format!("variable {name}: {result}"),
            (false, true, false) => format!("variable {name}, {name}_too: {result}{note}"),
            (false, false, true) => format!("function {name}: {args} -> {result}{note}"),
            (false, false, false) => format!("function {name}({args}): {result}{note}"),
        });
    }

    /// Declares modules, and uses them.
    fn modules(&mut self) {
        let uses = [
            "include \"order\" use total_order(s, le)",
            "include \"order\" include \"order\" use partial_order(s, le) use partial_order(s, x_le)",
            "include \"ring\" relation round: s, s, s use ring(s, round) conjecture next(S1, S1) -> a = a",
            "include \"ring\" use ring(s, round_r) as r relation round_r: s, s, s axiom [of_ring] r_next(a, S1) | true",
            "module twin(m, q) { relation other(m) axiom forall x: m, y. q(x) & q(y) -> other(x) | other(y) }\n\
                use twin(s, p) as one use twin(t, odd) as two theorem one_other(X) | !one_other(X)",
            "module named(q, x) { axiom [holds] q(x) | exists Z, y: s. q(Z) & y = x macro use_it(y: s) = holds & q(y)\n\
                conjecture let z = x in use_it(z) | true safety q(X) | !q(X) }\nuse named(p, a) as first use named(p, c)",
            "module outer(m) { use inner(m, of_outer) as in_it relation of_outer(m) axiom in_it_all }\n\
                module inner(m, q) { macro all() = forall x: m. q(x) | !q(x) }\nuse outer(t)",
            "module never(m) { axiom nothing_of_it(m) }",
        ];
        for (at, text) in uses.iter().enumerate() {
            if self.rng.one_in(3) && at != 1 {
                self.decls.push((*text).to_owned());
            }
        }
    }

    fn macro_(&mut self, name: &str) {
        let params = self.params();
        let binders = self.binders(&params);
        let body = self.closed(&Place { vars: params.clone(), ..Place::of(1, true) });
        let keyword = self.pick(&["macro", "definition"]);
        let binders = match params.is_empty() && self.rng.one_in(2) {
            true => String::new(),
            false => format!("({binders})"),
        };
        self.decls.push(format!("{keyword} {name}{binders} = {body}"));
        let params = params.into_iter().map(|(_, sort)| sort).collect();
        self.callables.push(Callable { name: name.to_owned(), states: 1, params });
    }

    fn formula_of(&mut self, keyword: &str) {
        let formula = self.closed(&Place::of(1, true));
        let mut name = String::new();
        if self.rng.one_in(2) {
            name = format!("n{}", self.decls.len());
            self.callables.push(Callable { name: name.clone(), states: 1, params: Vec::new() });
            name = format!("[{name}] ");
        }
        let mut proof = "";
        if matches!(keyword, "invariant" | "conjecture" | "safety") {
            proof = self.proof();
        }
        self.decls.push(format!("{keyword} {name}({formula}){proof}"));
    }

    fn proof(&mut self) -> &'static str {
        self.pick(&[
            "",
            "",
            " proof let V = a",
            " proof { let V: s = a; if base { let W = b } else if on { } else { let W = 3 } }",
            " proof if f() * 2 = g { let V = a }",
        ])
    }

    /// Returns the loop.
    fn the_loop(&mut self, program: &mut Program) -> String {
        let mut text = self.pick(&["while * do {", "while * {"]).to_owned();
        let mut scope = Place::of(1, false);
        if self.rng.one_in(4) {
            for _ in 0..1 + self.rng.below(3) {
                text += &format!("\n  {}", self.command(program, &mut scope, 3));
            }
            program.names.push(Callable { name: "body".into(), states: 1, params: Vec::new() });
            return text + "\n}";
        }
        for _ in 0..self.rng.below(3) {
            text += &format!("\n  {}", self.simple(program, &mut scope));
        }
        let count = 1 + self.rng.below(3);
        for number in 1..=count {
            let is_named = !self.rng.one_in(4) || count == 1;
            let mut inner = scope.clone();
            let (mut header, mut name, mut params) = (String::new(), format!("branch{number}"), Vec::new());
            if is_named {
                name = format!("step{number}");
                for _ in 0..self.rng.below(3) {
                    params.push((self.local(program), self.rng.below(3)));
                }
                inner.vars.extend(params.iter().cloned());
                let sorted: Vec<String> =
                    params.iter().map(|(name, sort)| format!("{name}: {}", SORTS[*sort])).collect();
                header = format!("action {name}({}) ", sorted.join(", "));
                if params.is_empty() && self.rng.one_in(2) {
                    header = format!("action {name} ");
                }
            }
            let body = self.block(program, &inner, 3);
            text += &format!("\n  {header}{body}");
            if number < count {
                text += self.pick(&[" |", " ||", "\n|"]);
            }
            let params = params.into_iter().map(|(_, sort)| sort).collect();
            program.names.push(Callable { name, states: 1, params });
        }
        for _ in 0..self.rng.below(3) {
            text += &format!("\n  {}", self.simple(program, &mut scope));
        }
        text + "\n}"
    }

    /// Returns a new name of a local variable.
    fn local(&mut self, program: &mut Program) -> String {
        program.locals += 1;
        let word = self.pick(&["v", "w", "V"]);
        format!("{word}{}", program.locals)
    }

    /// Returns a command that is no choice of several blocks.
    fn simple(&mut self, program: &mut Program, scope: &mut Place) -> String {
        loop {
            let text = self.command(program, scope, 2);
            if !text.starts_with('{') {
                return text;
            }
        }
    }

    fn block(&mut self, program: &mut Program, scope: &Place, depth: usize) -> String {
        let mut inner = scope.clone();
        let mut text = "{".to_owned();
        for _ in 0..self.rng.below(4) {
            text += &format!(" {}", self.command(program, &mut inner, depth - 1));
            text += self.pick(&["", ";", "\n   "]);
        }
        text + " }"
    }

    fn command(&mut self, program: &mut Program, scope: &mut Place, depth: usize) -> String {
        let place = Place { depth: 1 + self.rng.below(4), capitals: false, ..scope.clone() };
        match self.rng.below(if depth == 0 { 14 } else { 20 }) {
            0 => self.pick(&["skip", "skip", "abort"]).to_owned(),
            1 => format!("assume {}", self.closed(&place)),
            2 | 3 => format!("assert {}{}", self.closed(&place), self.proof()),
            4 | 5 => {
                let vars: Vec<(String, usize)> =
                    (0..1 + self.rng.below(2)).map(|_| (self.local(program), self.rng.below(3))).collect();
                let sorted: Vec<String> =
                    vars.iter().map(|(name, sort)| format!("{name}: {}", SORTS[*sort])).collect();
                let text = match vars.as_slice() {
                    [(a, first), (b, second)] if first == second && self.rng.one_in(2) => {
                        format!("local {a}, {b}: {}", SORTS[*first])
                    }
                    _ => format!("local {}", sorted.join(", ")),
                };
                scope.vars.extend(vars.iter().cloned());
                let (name, sort) = self.pick(&vars);
                match self.rng.below(3) {
                    0 => text,
                    1 => format!("{text} {name} := {}", self.expr(sort, &place)),
                    _ => {
                        let place = Place { capitals: false, ..scope.below() };
                        format!("{text}; {name} := {}", self.expr(sort, &place))
                    }
                }
            }
            6 => match self.slot(&place) {
                Some((name, _)) => format!("{name} := *"),
                None => format!("{} := *", self.pick(&["c", "on", "c"])),
            },
            7 => match self.slot(&place) {
                Some((name, sort)) => format!("{name} := {}", self.expr(sort, &place)),
                None => format!("c := {}", self.expr(1, &place)),
            },
            8..11 => self.assignment(&place),
            11..14 => self.update(&place),
            14..16 => {
                let condition = match self.rng.below(4) {
                    0 => "*".to_owned(),
                    _ => self.formula(&place),
                };
                let then = self.pick(&["", " then"]);
                let mut text = format!("if {condition}{then} {}", self.block(program, scope, depth));
                if self.rng.one_in(2) {
                    if self.rng.one_in(3) {
                        let condition = self.formula(&place);
                        text += &format!(" else if {condition} {}", self.block(program, scope, depth));
                    }
                    text += &format!(" else {}", self.block(program, scope, depth));
                }
                text
            }
            _ => {
                let blocks: Vec<String> =
                    (0..1 + self.rng.below(3)).map(|_| self.block(program, scope, depth)).collect();
                blocks.join(" | ")
            }
        }
    }

    /// Returns a local variable or parameter in scope.
    fn slot(&mut self, place: &Place) -> Option<(String, usize)> {
        if place.vars.is_empty() { None } else { Some(self.pick(&place.vars)) }
    }

    /// Returns arguments of a symbol that changes, and the place of the value.
    fn arguments(&mut self, symbol: &Symbol, place: &Place, may_be_logical: bool) -> (Vec<String>, Place) {
        let mut inner = place.clone();
        let mut args = Vec::new();
        for (at, sort) in symbol.args.iter().enumerate() {
            if may_be_logical && !self.rng.one_in(3) {
                let name = format!("{}{at}", self.pick(&["X", "LONG_", "Y"]));
                inner.vars.push((name.clone(), *sort));
                args.push(name);
            } else {
                args.push(format!("({})", self.term(*sort, place)));
            }
        }
        (args, inner)
    }

    fn assignment(&mut self, place: &Place) -> String {
        let symbol = self.pick(&changing());
        let (args, inner) = self.arguments(symbol, place, true);
        let value = self.expr(symbol.result, &inner);
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        format!("{}{args} {} {value}", symbol.name, self.pick(&[":=", "≔", "←"]))
    }

    fn update(&mut self, place: &Place) -> String {
        let relations: Vec<&Symbol> = changing().into_iter().filter(|symbol| symbol.result == BOOL).collect();
        let symbol = self.pick(&relations);
        let has_condition = self.rng.one_in(3);
        let (args, inner) = self.arguments(symbol, place, has_condition);
        let condition = match has_condition {
            true => format!(" | {}", self.formula(&inner)),
            false => String::new(),
        };
        format!("{}.{}({}{condition})", symbol.name, self.pick(&["insert", "remove"]), args.join(", "))
    }

    fn steps(&mut self, program: &Program) {
        let mut text = self.pick(&["sat trace {", "unsat trace {"]).to_owned();
        for _ in 0..self.rng.below(4) {
            let place = Place { depth: 2, ..Place::of(1, false) };
            match self.rng.below(3) {
                0 => text += "\n any transition",
                1 => text += &format!("\n assert ({})", self.closed(&place)),
                _ => {
                    let calls: Vec<String> =
                        (0..1 + self.rng.below(2)).map(|_| self.step(program, &place)).collect();
                    text += &format!("\n {}", calls.join(" | "));
                }
            }
        }
        self.decls.push(text + " }");
    }

    fn step(&mut self, program: &Program, place: &Place) -> String {
        let step = self.pick(&program.names);
        let place = Place { capitals: false, ..place.clone() };
        let arg = |sort: &usize| {
            if self.rng.one_in(2) { "*".to_owned() } else { self.expr(*sort, &place) }
        };
        let args: Vec<String> = step.params.iter().map(arg).collect();
        let args = if self.rng.one_in(3) { String::new() } else { format!("({})", args.join(", ")) };
        format!("{}{args}", step.name)
    }
}

/// Words and signs that may come into a changed program.
pub(in super::super) const WORDS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "&",
    "|",
    "||",
    "/\\",
    "∨",
    "¬",
    "->",
    "<->",
    "=",
    "!=",
    "≠",
    "!",
    ",",
    ".",
    ":",
    ";",
    "*",
    "@a",
    "2",
    "\"order\"",
    "forall",
    "exists",
    "x",
    "X",
    "true",
    "false",
    "bool",
    "if",
    "then",
    "else",
    "ite(",
    "let",
    "in",
    "distinct(",
    "safety",
    "abort",
    "action",
    "assert",
    "assume",
    "axiom",
    "conjecture",
    "do",
    "function",
    "include",
    "init",
    "local",
    "macro",
    "module",
    "relation",
    "sat trace {",
    "skip",
    "sort",
    "theorem",
    "use",
    "as",
    "variable",
    "while * {",
    "proof",
    ":=",
    ":= *",
    ".insert(",
    ".remove(",
    "| {",
    "} else {",
    "if * {",
    "as p",
    "body",
    "branch1",
];
