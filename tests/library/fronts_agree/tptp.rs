//! Random TPTP problems with every construct of the language.

use ramsey::base::rng::Rng;

/// The words and signs that may come into a changed problem.
pub(super) const WORDS: &[&str] = &[
    "fof",
    "cnf",
    "tff",
    "tcf",
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    ":",
    "&",
    "|",
    "=>",
    "<=",
    "<=>",
    "<~>",
    "~|",
    "~&",
    "~",
    "=",
    "!=",
    "!",
    "?",
    "! [X] :",
    "? [Y: s] :",
    "$true",
    "$false",
    "$distinct",
    "$ite",
    "$i",
    "$o",
    "$tType",
    "axiom",
    "conjecture",
    "negated_conjecture",
    "type",
    "p",
    "q",
    "r",
    "c",
    "f",
    "s",
    "X",
    "Y",
    "'p'",
    "'a b'",
    "\"o\"",
    "1",
    "-1",
    ">",
    "*",
    "%",
    "/*",
    "*/",
    "\n",
    "\r",
    "é",
    "include('a.ax').",
    "unknown",
    "file('a',b)",
];

const VARIABLES: [&str; 4] = ["X", "Y", "Z", "X1"];

struct Problem {
    rng: Rng,
    language: &'static str,
    has_types: bool,
}

/// Variables in scope, with whether they are of type `s`.
type Vars = Vec<(String, bool)>;

/// Returns a random problem.
pub(super) fn problem(mut rng: Rng) -> String {
    let has_types = rng.one_in(2);
    let mut problem = Problem { rng, language: "fof", has_types };
    let mut text = String::new();
    if has_types {
        text.push_str(
            "tff(s, type, s: $tType).\ntff(c, type, (c: s)).\ntff(g, type, g: (s * $i) > s).\n\
             tff(r, type, r: (s) > $o, introduced(x, [a: 1.5])).\ntcf(h, type, h: s > $i).\ntff(q, type, 'q': $o).\n",
        );
    }
    for number in 0..1 + problem.rng.below(8) {
        let languages: &[&str] =
            if has_types { &["fof", "tff", "tff", "cnf", "tcf"] } else { &["fof", "fof", "cnf", "tff"] };
        problem.language = languages[problem.rng.below(languages.len())];
        let roles = ["axiom", "hypothesis", "negated_conjecture", "plain", "conjecture", "lemma"];
        let mut role = roles[problem.rng.below(roles.len())];
        let is_clause = matches!(problem.language, "cnf" | "tcf");
        if is_clause && role == "conjecture" {
            role = "axiom";
        }
        let formula = if is_clause { problem.clause() } else { problem.formula(4, &Vec::new()) };
        let annotations =
            ["", "", "", ", file('a.p', b)", ", [], [x, Y: 'z', \"o\", -1, 2/3]"][problem.rng.below(5)];
        text.push_str(&format!("{}(n{number}, {role}, {formula}{annotations}).\n", problem.language));
    }
    text
}

impl Problem {
    fn pick(&mut self, items: &[&str]) -> String {
        items[self.rng.below(items.len())].to_owned()
    }

    fn clause(&mut self) -> String {
        let is_typed = self.language == "tcf";
        // Variables without a quantifier are of type `$i`.
        let mut vars: Vars = VARIABLES[..2].iter().map(|name| (name.to_string(), false)).collect();
        let mut front = String::new();
        if is_typed && self.rng.one_in(2) {
            vars.push(("Y".into(), true));
            front = "! [Y: s] : ".into();
        }
        let literals: Vec<String> = (0..1 + self.rng.below(4))
            .map(|_| {
                let atom = self.atom(2, &vars);
                match self.rng.below(5) {
                    0 => format!("~ {atom}"),
                    1 => format!("({atom} | $false)"),
                    _ => atom,
                }
            })
            .collect();
        format!("{front}({})", literals.join(" | "))
    }

    fn formula(&mut self, depth: usize, vars: &Vars) -> String {
        if depth == 0 {
            return self.atom(1, vars);
        }
        match self.rng.below(8) {
            0 | 1 => {
                let sign = self.pick(&[" & ", " | "]);
                let count = 2 + self.rng.below(2);
                (0..count).map(|_| self.unit(depth - 1, vars)).collect::<Vec<_>>().join(&sign)
            }
            2 | 3 => {
                let sign = self.pick(&["=>", "<=", "<=>", "<~>", "~|", "~&"]);
                format!("{} {sign} {}", self.unit(depth - 1, vars), self.unit(depth - 1, vars))
            }
            _ => self.unit(depth - 1, vars),
        }
    }

    fn unit(&mut self, depth: usize, vars: &Vars) -> String {
        if depth == 0 {
            return self.atom(1, vars);
        }
        match self.rng.below(9) {
            0 => format!("~ {}", self.unit(depth - 1, vars)),
            1..=3 => {
                let (sign, mut below) = (self.pick(&["!", "?"]), vars.clone());
                let mut names = Vec::new();
                for _ in 0..1 + self.rng.below(2) {
                    let name = self.pick(&VARIABLES);
                    let is_typed = self.language == "tff" && self.has_types && self.rng.one_in(2);
                    names.push(match (is_typed, self.language == "tff" && self.rng.one_in(3)) {
                        (true, _) => format!("{name}: s"),
                        (false, true) => format!("{name}: ($i)"),
                        (false, false) => name.clone(),
                    });
                    below.push((name, is_typed));
                }
                format!("{sign} [{}] : {}", names.join(", "), self.unit(depth - 1, &below))
            }
            4 | 5 => format!("({})", self.formula(depth, vars)),
            6 if self.language == "tff" => {
                let parts: Vec<String> = (0..3).map(|_| self.formula(depth - 1, vars)).collect();
                format!("$ite({})", parts.join(", "))
            }
            _ => self.atom(2, vars),
        }
    }

    fn atom(&mut self, depth: usize, vars: &Vars) -> String {
        match self.rng.below(12) {
            0 => self.pick(&["$true", "$false"]),
            1..=3 => {
                let is_typed = self.has_types && self.rng.one_in(2);
                let sign = self.pick(&["=", "!="]);
                format!("{} {sign} {}", self.term(is_typed, depth, vars), self.term(is_typed, depth, vars))
            }
            4 => {
                let is_typed = self.has_types && self.rng.one_in(2);
                let terms: Vec<String> =
                    (0..1 + self.rng.below(3)).map(|_| self.term(is_typed, depth, vars)).collect();
                format!("$distinct({})", terms.join(", "))
            }
            5 | 6 if self.has_types => format!("r({})", self.term(true, depth, vars)),
            7 => self.pick(&["q", "'q'", "'a b'"]),
            8 => format!("p({}, {})", self.term(false, depth, vars), self.term(false, depth, vars)),
            _ => format!("p({})", self.term(false, depth, vars)),
        }
    }

    /// Returns a term of type `s`, or one of type `$i`.
    fn term(&mut self, is_typed: bool, depth: usize, vars: &Vars) -> String {
        let visible = vars.iter().enumerate().filter(|(at, (name, of))| {
            *of == is_typed && vars[at + 1..].iter().all(|(other, _)| other != name)
        });
        let visible: Vec<&str> = visible.map(|(_, (name, _))| name.as_str()).collect();
        if !visible.is_empty() && self.rng.one_in(2) {
            return visible[self.rng.below(visible.len())].to_owned();
        }
        if depth == 0 {
            return if is_typed {
                "c".into()
            } else {
                self.pick(&["a", "b", "p", "'B'", "\"o\"", "\"o 2\""])
            };
        }
        match (is_typed, self.rng.below(5)) {
            (_, 0) if matches!(self.language, "tff") => {
                let condition = self.formula(depth - 1, vars);
                let (a, b) = (self.term(is_typed, depth - 1, vars), self.term(is_typed, depth - 1, vars));
                format!("$ite({condition}, {a}, {b})")
            }
            (true, 1 | 2) => {
                format!("g({}, {})", self.term(true, depth - 1, vars), self.term(false, depth - 1, vars))
            }
            (false, 1) if self.has_types => format!("h({})", self.term(true, depth - 1, vars)),
            (false, 1 | 2) => format!("p({})", self.term(false, depth - 1, vars)),
            _ => self.term(is_typed, 0, vars),
        }
    }
}
