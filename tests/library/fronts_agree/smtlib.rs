//! Random SMT-LIB scripts with every construct of the language.

use ramsey::base::rng::Rng;

/// The words and signs that may come into a changed script.
pub(super) const WORDS: &[&str] = &[
    "(",
    ")",
    "and",
    "or",
    "not",
    "=>",
    "=",
    "xor",
    "distinct",
    "ite",
    "true",
    "false",
    "let",
    "forall",
    "exists",
    "match",
    "!",
    ":named",
    "as",
    "_",
    "is",
    "is-red",
    "Bool",
    "S",
    "T",
    "Pair",
    "x",
    "y",
    "p",
    "q",
    "c",
    "f",
    "red",
    "|p|",
    "|q r|",
    "push",
    "pop",
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-fun",
    "declare-const",
    "declare-sort",
    "define-fun",
    "define-sort",
    "declare-datatype",
    "reset",
    "reset-assertions",
    "exit",
    "0",
    "1",
    "\"a\"",
    ";",
    "\n",
    "\r",
    "|",
    "\"",
    "é",
    "#b1",
    ":global-declarations",
    "(check-sat)",
    "(push 1)",
    "(pop 1)",
    "(reset)",
    "(declare-const c S)",
];

/// Names of variables. They are few, so that they shadow each other, and functions.
const VARIABLES: [&str; 6] = ["x", "y", "z", "c", "and", "|x y|"];

/// A function: its name, the sorts of its arguments, and that of its values.
#[derive(Clone)]
struct Function {
    name: String,
    args: Vec<String>,
    result: String,
}

/// What is declared.
#[derive(Clone, Default)]
struct Scope {
    sorts: Vec<String>,
    functions: Vec<Function>,
    /// Sorts with their constructors.
    enumerations: Vec<(String, Vec<String>)>,
    count: usize,
}

struct Script {
    rng: Rng,
    scope: Scope,
    outside: Vec<Scope>,
    text: String,
    is_global: bool,
}

/// Variables in scope with their sorts, the innermost one last.
type Vars = Vec<(String, String)>;

/// Returns a random script.
pub(super) fn script(mut rng: Rng) -> String {
    let is_global = rng.one_in(6);
    let mut script =
        Script { rng, scope: Scope::default(), outside: Vec::new(), text: String::new(), is_global };
    if is_global {
        script.line("(set-option :global-declarations true)");
    }
    script.start();
    for _ in 0..4 + script.rng.below(14) {
        script.command();
    }
    script.line("(check-sat)");
    script.text
}

impl Script {
    fn line(&mut self, command: &str) {
        self.text.push_str(command);
        self.text.push('\n');
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.rng.below(items.len())].clone()
    }

    /// Returns a sign at random.
    fn sign(&mut self, signs: &[&'static str]) -> &'static str {
        signs[self.rng.below(signs.len())]
    }

    /// Declares what all scripts have.
    fn start(&mut self) {
        self.line("(declare-sort S 0)");
        self.scope.sorts = vec!["Bool".into(), "S".into()];
        self.function("c", &[], "S");
        self.function("q", &[], "Bool");
        self.function("p", &["S"], "Bool");
        self.function("f", &["S"], "S");
        if self.rng.one_in(2) {
            self.function("le", &["S", "S"], "Bool");
        }
    }

    fn function(&mut self, name: &str, args: &[&str], result: &str) {
        let args: Vec<String> = args.iter().map(|&sort| sort.to_owned()).collect();
        self.line(&format!("(declare-fun {name} ({}) {result})", args.join(" ")));
        self.scope.functions.push(Function { name: name.into(), args, result: result.into() });
    }

    /// Returns a new name. Where declarations end, names come again.
    fn name(&mut self) -> String {
        self.scope.count += 1;
        let number = self.scope.count;
        self.pick(&["g", "h", "|a b|", "k.", "x"]).replace(['g', 'h', 'b', '.', 'x'], &format!("g{number}"))
    }

    fn sort(&mut self) -> String {
        let sorts = self.scope.sorts.clone();
        self.pick(&sorts)
    }

    fn command(&mut self) {
        match self.rng.below(26) {
            0 => {
                let (name, arity) = (self.name(), self.rng.below(3));
                self.line(&format!("(declare-sort {name} {arity})"));
                let args: Vec<String> = (0..arity).map(|_| self.sort()).collect();
                let args = args.join(" ");
                self.scope.sorts.push(if arity == 0 { name } else { format!("({name} {args})") });
            }
            1 => {
                let (name, body) = (self.name(), self.sort());
                let params = self.sign(&["()", "(X Y)"]);
                let body = if params != "()" && self.rng.one_in(2) { "X".to_owned() } else { body };
                self.line(&format!("(define-sort {name} {params} {body})"));
                if params == "()" {
                    self.scope.sorts.push(name);
                }
            }
            2..=4 => {
                let (name, result) = (self.name(), self.sort());
                let args: Vec<String> = (0..self.rng.below(3)).map(|_| self.sort()).collect();
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                self.function(&name, &args, &result);
            }
            5 => {
                let (name, sort) = (self.name(), self.sort());
                self.line(&format!("(declare-const {name} {sort})"));
                self.scope.functions.push(Function { name, args: Vec::new(), result: sort });
            }
            6 => self.enumeration(),
            7..=9 => self.definition(),
            10..=16 => {
                let mut formula = self.term("Bool", 4, &Vec::new());
                if self.rng.one_in(4) {
                    formula = self.conditions(formula);
                }
                self.line(&format!("(assert {formula})"));
            }
            17 => {
                let (name, formula) = (self.name(), self.term("Bool", 2, &Vec::new()));
                self.line(&format!("(assert (! {formula} :foo (a \"b\" 1) :named {name}))"));
                self.scope.functions.push(Function { name, args: Vec::new(), result: "Bool".into() });
            }
            18 => {
                let levels = 1 + self.rng.below(2);
                self.line(&if levels == 1 { "(push)".into() } else { format!("(push {levels})") });
                self.outside.extend(std::iter::repeat_n(self.scope.clone(), levels));
            }
            19 | 20 if !self.outside.is_empty() => {
                let levels = 1 + self.rng.below(self.outside.len().min(2));
                self.line(&format!("(pop {levels})"));
                for _ in 0..levels {
                    let outside = self.outside.pop().unwrap_or_default();
                    if !self.is_global {
                        self.scope = outside;
                    }
                }
            }
            21 => {
                let formulas: Vec<String> =
                    (0..self.rng.below(3)).map(|_| self.term("Bool", 2, &Vec::new())).collect();
                self.line(&format!("(check-sat-assuming ({}))", formulas.join("\n")));
            }
            22 if self.rng.one_in(3) => {
                self.outside.clear();
                self.line("(reset-assertions)");
                if !self.is_global {
                    self.scope = Scope::default();
                    self.start();
                }
            }
            23 if self.rng.one_in(4) => {
                self.line("(reset)");
                (self.outside, self.scope, self.is_global) = (Vec::new(), Scope::default(), false);
                self.start();
            }
            24 => {
                let term = self.term("S", 2, &Vec::new());
                self.line(&format!("(get-value ({term}))"));
            }
            _ => {
                let other = [
                    "(check-sat)",
                    "(check-sat) ; again",
                    "(get-model)",
                    "(set-logic UF)",
                    "(echo \"a \"\" (b\")",
                    "(set-info :status sat)",
                    "(frobnicate (1 #b1) |x|)",
                    "(check-sat-using (then a b))",
                ];
                let other = self.pick(&other);
                if other != "(set-logic UF)" || !self.text.contains(other) {
                    self.line(other);
                }
            }
        }
    }

    /// Puts a formula into the condition of a choice, that into the one of another, and so on.
    fn conditions(&mut self, mut formula: String) -> String {
        for _ in 0..2 + self.rng.below(6) {
            formula = match self.rng.below(5) {
                0 => format!("(p (ite {formula} c (f c)))"),
                1 => format!("(ite {formula} q (p c))"),
                2 => format!("(let ((x1 {formula})) (p (ite (or x1 q) c (f (ite x1 c (f c))))))"),
                3 => format!("(forall ((x1 S)) (p (ite (=> {formula} (p x1)) x1 (f c))))"),
                _ => format!("(not {formula})"),
            };
        }
        formula
    }

    fn enumeration(&mut self) {
        let name = self.name();
        let number = self.scope.count;
        let constructors = [format!("red{number}"), format!("|blue {number}|"), format!("o{number}")];
        let constructors = &constructors[..1 + self.rng.below(3)];
        let in_parentheses = constructors.iter().map(|it| format!("({it})")).collect::<Vec<_>>().join(" ");
        let bare = constructors.join(" ");
        let command = match self.rng.below(4) {
            0 => format!("(declare-datatypes (({name} 0)) (({in_parentheses})))"),
            1 => format!("(declare-datatypes () (({name} {bare})))"),
            2 => format!("(declare-datatype {name} ({bare}))"),
            _ => format!("(declare-datatype {name} ({in_parentheses}))"),
        };
        self.line(&command);
        self.scope.sorts.push(name.clone());
        for constructor in constructors {
            let (name, result) = (constructor.clone(), name.clone());
            self.scope.functions.push(Function { name, args: Vec::new(), result });
        }
        self.scope.enumerations.push((name, constructors.to_vec()));
    }

    fn definition(&mut self) {
        let (name, result) = (self.name(), self.sort());
        let args: Vec<String> = (0..self.rng.below(3)).map(|_| self.sort()).collect();
        let vars: Vars =
            args.iter().zip(["x", "c", "z"]).map(|(sort, name)| (name.into(), sort.clone())).collect();
        let body = self.term(&result, 3, &vars);
        let params: Vec<String> = vars.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
        let params = params.join(" ");
        let command = match self.rng.below(5) {
            0 => format!("(define-fun-rec {name} ({params}) {result} {body})"),
            1 => format!("(define-funs-rec (({name} ({params}) {result})) ({body}))"),
            2 if args.is_empty() => format!("(define-const {name} {result} {body})"),
            _ => format!("(define-fun {name} ({params}) {result} {body})"),
        };
        self.line(&command);
        self.scope.functions.push(Function { name, args, result });
    }

    fn terms(&mut self, sort: &str, least: usize, depth: usize, vars: &Vars) -> String {
        let count = least + self.rng.below(3);
        (0..count).map(|_| self.term(sort, depth, vars)).collect::<Vec<_>>().join(" ")
    }

    /// Returns a term of a sort.
    fn term(&mut self, sort: &str, depth: usize, vars: &Vars) -> String {
        let is_bool = sort == "Bool";
        let leaf = depth == 0 || self.rng.one_in(6);
        let inner = depth.saturating_sub(1);
        match self.rng.below(if is_bool { 22 } else { 10 }) {
            0..=4 => self.application(sort, if leaf { 0 } else { inner }, vars),
            5 if !leaf => {
                let condition = self.term("Bool", inner, vars);
                let (a, b) = (self.term(sort, inner, vars), self.term(sort, inner, vars));
                format!("(ite {condition} {a} {b})")
            }
            6 if !leaf => self.binding(sort, inner, vars),
            7 if !leaf && !self.scope.enumerations.is_empty() => self.cases(sort, inner, vars),
            8 if !leaf => format!("(! {} :pattern (a b))", self.term(sort, inner, vars)),
            10 | 11 if !leaf => {
                let sign = self.sign(&["and", "or", "and", "or", "distinct"]);
                let sign = if vars.iter().any(|(name, _)| name == sign) { "or" } else { sign };
                format!("({sign} {})", self.terms("Bool", 1, inner, vars))
            }
            12 if !leaf => {
                format!("({} {})", self.pick(&["=>", "xor", "="]), self.terms("Bool", 2, inner, vars))
            }
            13 | 14 if !leaf => {
                let sort = self.sort();
                let sign = self.pick(&["=", "distinct"]);
                format!("({sign} {})", self.terms(&sort, 2, inner, vars))
            }
            15 if !leaf => format!("(not {})", self.term("Bool", inner, vars)),
            16..=19 if !leaf => {
                let (sign, mut below) = (self.pick(&["forall", "exists"]), vars.clone());
                let mut names = VARIABLES.to_vec();
                let mut bound = Vec::new();
                for _ in 0..1 + self.rng.below(2) {
                    let name = names.remove(self.rng.below(names.len())).to_owned();
                    let sort = if self.rng.one_in(5) { "Bool".to_owned() } else { self.sort() };
                    bound.push(format!("({name} {sort})"));
                    below.push((name, sort));
                }
                format!("({sign} ({}) {})", bound.join(" "), self.term("Bool", inner, &below))
            }
            20 if !self.scope.enumerations.is_empty() => {
                let enumerations = self.scope.enumerations.clone();
                let (sort, constructors) = self.pick(&enumerations);
                let constructor = self.pick(&constructors);
                let value = self.term(&sort, inner, vars);
                if self.rng.one_in(2) {
                    format!("((_ is {constructor}) {value})")
                } else {
                    {
                        let tester = format!("is-{}", constructor.replace('|', ""));
                        let tester = if tester.contains(' ') { format!("|{tester}|") } else { tester };
                        format!("({tester} {value})")
                    }
                }
            }
            _ if is_bool => self.pick(&["true", "false"]).into(),
            _ => self.application(sort, 0, vars),
        }
    }

    /// Returns a variable, or a function with arguments.
    fn application(&mut self, sort: &str, depth: usize, vars: &Vars) -> String {
        let visible: Vec<&str> = vars
            .iter()
            .enumerate()
            .filter(|(at, (name, of))| of == sort && vars[at + 1..].iter().all(|(other, _)| other != name))
            .map(|(_, (name, _))| name.as_str())
            .collect();
        if !visible.is_empty() && !self.rng.one_in(3) {
            return visible[self.rng.below(visible.len())].to_owned();
        }
        let is_there = |it: &&Function| {
            it.result == sort
                && (depth > 0 || it.args.is_empty())
                && vars.iter().all(|(name, _)| *name != it.name)
        };
        let functions: Vec<Function> = self.scope.functions.iter().filter(is_there).cloned().collect();
        if functions.is_empty() {
            return match sort {
                "Bool" => "true".into(),
                // An element that there is.
                _ if depth == 0 => self.some(sort),
                _ => self.application(sort, 0, vars),
            };
        }
        let function = self.pick(&functions);
        let args: Vec<String> = function.args.iter().map(|sort| self.term(sort, depth - 1, vars)).collect();
        match (args.is_empty(), self.rng.one_in(8)) {
            (true, false) => function.name,
            (true, true) => format!("(as {} {sort})", function.name),
            (false, false) => format!("({} {})", function.name, args.join(" ")),
            (false, true) => format!("((as {} {sort}) {})", function.name, args.join(" ")),
        }
    }

    /// Returns a constant of a sort that has none so far.
    fn some(&mut self, sort: &str) -> String {
        let name = self.name();
        self.line(&format!("(declare-fun {name} () {sort})"));
        self.scope.functions.push(Function { name: name.clone(), args: Vec::new(), result: sort.into() });
        name
    }

    fn binding(&mut self, sort: &str, depth: usize, vars: &Vars) -> String {
        let mut below = vars.clone();
        let mut names = VARIABLES.to_vec();
        let mut values = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            let name = names.remove(self.rng.below(names.len())).to_owned();
            let of = self.sort();
            values.push(format!("({name} {})", self.term(&of, depth, vars)));
            below.push((name, of));
        }
        format!("(let ({}) {})", values.join(" "), self.term(sort, depth, &below))
    }

    fn cases(&mut self, sort: &str, depth: usize, vars: &Vars) -> String {
        let enumerations = self.scope.enumerations.clone();
        let (of, constructors) = self.pick(&enumerations);
        let value = self.term(&of, depth, vars);
        let mut cases = Vec::new();
        for constructor in &constructors {
            if !self.rng.one_in(4) {
                cases.push(format!("({constructor} {})", self.term(sort, depth, vars)));
            }
        }
        if cases.len() < constructors.len() {
            let name = self.pick(&["_", "x", "w"]);
            let mut below = vars.clone();
            below.push((name.to_owned(), of));
            let term = self.term(sort, depth, if name == "_" { vars } else { &below });
            cases.push(format!("({name} {term})"));
        }
        format!("(match {value} ({}))", cases.join(" "))
    }
}
