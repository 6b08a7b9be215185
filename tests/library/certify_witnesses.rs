//! Certificates of theorems whose witnesses depend on other witnesses: each answer comes with one, which the kernel accepts.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::common::models;
use ramsey::base::rng::Rng;
use ramsey::check;
use ramsey::obligations::Question;
use ramsey::query::certify::of_verification;
use ramsey::query::{Limits, Options, Outcome, Plan};

const SORTS: [&str; 3] = ["node", "quorum", "epoch"];
const RELATIONS: [(&str, &[&str]); 5] = [
    ("member", &["node", "quorum"]),
    ("joined", &["node", "epoch"]),
    ("open", &["epoch"]),
    ("hub", &["node"]),
    ("sent", &["node", "node"]),
];
const CONSTANTS: [(&str, &str); 5] =
    [("q1", "quorum"), ("q2", "quorum"), ("n1", "node"), ("n2", "node"), ("e1", "epoch")];

/// Makes formulas in which quantifiers follow each other, with literals between them.
struct Maker<'a> {
    rng: &'a mut Rng,
    /// Whether there are choices between terms, and variables of sort `bool`.
    has_choices: bool,
}

/// A variable with its sort.
type Scope = Vec<(String, &'static str)>;

impl Maker<'_> {
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.rng.below(items.len())]
    }

    fn literal(&mut self, scope: &Scope) -> String {
        let (relation, sorts) = self.pick(&RELATIONS);
        let mut args = Vec::new();
        for &sort in sorts {
            let vars: Vec<&str> = scope.iter().filter(|it| it.1 == sort).map(|it| &*it.0).collect();
            let constants: Vec<&str> = CONSTANTS.iter().filter(|it| it.1 == sort).map(|it| it.0).collect();
            let is_variable = !vars.is_empty() && self.rng.below(8) > 0;
            let arg = if is_variable { self.pick(&vars) } else { self.pick(&constants) };
            let is_choice = self.has_choices && scope.len() < 3 && self.rng.below(4) == 0;
            args.push(match is_choice {
                true => {
                    let other = self.pick(if vars.is_empty() { &constants } else { &vars });
                    // No choice within a choice: its condition is about constants.
                    let constants =
                        [("n1", "node"), ("q1", "quorum"), ("e1", "epoch")].map(|(a, b)| (a.to_owned(), b));
                    let condition = Maker { rng: self.rng, has_choices: false }
                        .literal(&[&scope[..], &constants].concat());
                    format!("(if {condition} then {arg} else {other})")
                }
                false => arg.to_owned(),
            });
        }
        if self.has_choices
            && self.rng.below(8) == 0
            && let Some((var, _)) = scope.iter().rev().find(|it| it.1 == "bool")
        {
            return var.clone();
        }
        let sign = if self.rng.below(3) == 0 { "!" } else { "" };
        format!("{sign}{relation}({})", args.join(", "))
    }

    fn chain(&mut self, scope: &mut Scope, depth: usize) -> String {
        if depth == 0 {
            return self.literal(scope);
        }
        let exists = self.rng.below(3) > 0;
        let is_bool = self.has_choices && self.rng.below(4) == 0;
        let sort = if is_bool { "bool" } else { self.pick(&SORTS) };
        scope.push((format!("X{}", scope.len()), sort));
        let mut parts: Vec<String> = (0..self.rng.below(3)).map(|_| self.literal(scope)).collect();
        for _ in 0..1 + usize::from(self.rng.below(4) == 0) {
            let place = self.rng.below(parts.len() + 1);
            parts.insert(place, self.chain(scope, depth - 1));
        }
        let (var, _) = scope.pop().expect("it was pushed");
        let quantifier = if exists { "exists" } else { "forall" };
        let joined = parts.join(if exists == (self.rng.below(5) > 0) { " & " } else { " | " });
        format!("({quantifier} {var}:{sort}. {joined})")
    }

    /// Returns axioms about all elements of sorts, and the theorem that they are so for two elements of each.
    fn model(&mut self) -> String {
        let mut text = String::new();
        SORTS.iter().for_each(|sort| _ = writeln!(text, "sort {sort}"));
        RELATIONS.iter().for_each(|(name, sorts)| {
            let _ = writeln!(text, "immutable relation {name}({})", sorts.join(", "));
        });
        CONSTANTS.iter().for_each(|(name, sort)| _ = writeln!(text, "immutable constant {name}: {sort}"));
        let mut claims = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            let (sort, both) = self.pick(&[("quorum", ["q1", "q2"]), ("node", ["n1", "n2"])]);
            let depth = 2 + self.rng.below(3);
            let body = self.chain(&mut vec![("X".to_owned(), sort)], depth);
            let _ = writeln!(text, "axiom forall X:{sort}. {body}");
            for element in both {
                let words = body.split_inclusive(|c: char| !c.is_alphanumeric());
                let own = words.map(|word| match word.strip_prefix('X') {
                    Some(rest) if !rest.starts_with(char::is_alphanumeric) => format!("{element}{rest}"),
                    _ => word.to_owned(),
                });
                let own: String = own.collect();
                claims.push(format!("({own})"));
            }
        }
        let _ = writeln!(text, "theorem {}", claims.join(" & "));
        text
    }
}

/// Answers the theorems of a model, each with a certificate. Returns how many are proved.
fn certified(text: &str, limits: &Limits) -> usize {
    let (system, diagnostics) = models::load("witnesses.pyv", text);
    let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}\n{text}")));
    let options = Options { all: true, certify: true, ..Options::default() };
    let mut verification = Plan::new(Arc::clone(&system), options).run(limits);
    for result in &verification.results {
        match result.outcome {
            Outcome::Holds { .. } | Outcome::Fails(_) => {
                assert!(result.certificate.is_some(), "{:?}\n{text}", result.origin);
            }
            Outcome::Unknown { .. } => return 0,
            ref outcome => panic!("{outcome:?}\n{text}"),
        }
    }
    let accepted = of_verification(&system, text, &Question::Verify, &mut verification, false);
    let bytes = accepted.expect("the kernel accepts it").expect("everything is answered").bytes;
    check::check(&*system, text, bytes.as_slice()).unwrap_or_else(|it| panic!("{it}\n{text}")).proofs
}

/// The epoch of a node depends on the node alone, and the node on a quorum: the same term for both quorums but for the node.
#[test]
fn a_witness_for_two_values_of_what_its_normal_form_leaves_out() {
    let text = "sort node\nsort quorum\nsort epoch\nimmutable relation member(node, quorum)\n\
        immutable relation joined(node, epoch)\nimmutable constant q1: quorum\nimmutable constant q2: quorum\n\
        axiom forall Q. exists N. member(N, Q) & (exists E. joined(N, E))\n\
        theorem (exists N, E. member(N, q1) & joined(N, E)) & (exists N, E. member(N, q2) & joined(N, E))\n";
    assert_eq!(certified(text, &Limits::default()), 1);
}

/// Certifies random theorems. Returns how many are proved.
fn proved(seed: u64, count: usize, has_choices: bool) -> usize {
    let mut rng = Rng::new(seed);
    let limits = Limits { work: Some(3_000_000), ..Limits::default() };
    (0..count).map(|_| certified(&Maker { rng: &mut rng, has_choices }.model(), &limits)).sum()
}

#[test]
fn random_theorems_with_chains_of_witnesses_are_certified() {
    let proved = proved(23, 600, false);
    assert!(proved > 300, "{proved}");
}

/// The closed form has a choice between formulas for each choice between terms, also where two of these are the same for some
/// values of variables, and a formula for each value of a variable of sort `bool`, which has witnesses of its own.
#[test]
fn random_theorems_with_choices_are_certified() {
    let proved = proved(29, 300, true);
    assert!(proved > 150, "{proved}");
}

#[test]
fn choices_that_become_the_same() {
    let text = "sort x\nimmutable relation r(x, x)\nimmutable constant a: x\naxiom r(Z, a)\n\
        theorem exists X. r(if r(X, a) then X else X, if r(a, X) then a else a)\n";
    assert_eq!(certified(text, &Limits::default()), 1);
}

/// Search has one witness where both values of the parameter leave the same formula.
#[test]
fn a_witness_for_both_values_of_a_parameter() {
    let text = "sort s\nmutable constant a: s\nimmutable relation m(s)\ninit !m(a)\n\
        transition t(c: s, y: bool) modifies a & (y -> true) & !m(c) & new(a) = c\nsafety !m(a)\n";
    assert_eq!(certified(text, &Limits::default()), 2);
}
