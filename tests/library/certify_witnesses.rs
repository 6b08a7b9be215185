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
struct Maker<'a>(&'a mut Rng);

/// A variable with its sort.
type Scope = Vec<(String, &'static str)>;

impl Maker<'_> {
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.0.below(items.len())]
    }

    fn literal(&mut self, scope: &Scope) -> String {
        let (relation, sorts) = self.pick(&RELATIONS);
        let mut args = Vec::new();
        for &sort in sorts {
            let vars: Vec<&str> = scope.iter().filter(|it| it.1 == sort).map(|it| &*it.0).collect();
            let constants: Vec<&str> = CONSTANTS.iter().filter(|it| it.1 == sort).map(|it| it.0).collect();
            let is_variable = !vars.is_empty() && self.0.below(8) > 0;
            args.push(if is_variable { self.pick(&vars) } else { self.pick(&constants) });
        }
        let sign = if self.0.below(3) == 0 { "!" } else { "" };
        format!("{sign}{relation}({})", args.join(", "))
    }

    fn chain(&mut self, scope: &mut Scope, depth: usize) -> String {
        if depth == 0 {
            return self.literal(scope);
        }
        let (exists, sort) = (self.0.below(3) > 0, self.pick(&SORTS));
        scope.push((format!("X{}", scope.len()), sort));
        let mut parts: Vec<String> = (0..self.0.below(3)).map(|_| self.literal(scope)).collect();
        for _ in 0..1 + usize::from(self.0.below(4) == 0) {
            let place = self.0.below(parts.len() + 1);
            parts.insert(place, self.chain(scope, depth - 1));
        }
        let (var, _) = scope.pop().expect("it was pushed");
        let quantifier = if exists { "exists" } else { "forall" };
        let joined = parts.join(if exists == (self.0.below(5) > 0) { " & " } else { " | " });
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
        for _ in 0..1 + self.0.below(2) {
            let (sort, both) = self.pick(&[("quorum", ["q1", "q2"]), ("node", ["n1", "n2"])]);
            let depth = 2 + self.0.below(3);
            let body = self.chain(&mut vec![("X".to_owned(), sort)], depth);
            let _ = writeln!(text, "axiom forall X:{sort}. {body}");
            for element in both {
                // The variable stands alone between a bracket or a comma and another one.
                let own = body.replace("(X)", &format!("({element})"));
                let own =
                    own.replace("(X,", &format!("({element},")).replace(", X)", &format!(", {element})"));
                claims.push(format!("({own})"));
            }
        }
        let _ = writeln!(text, "theorem {}", claims.join(" & "));
        text
    }
}

/// Answers the theorems of a model, each with a certificate. Returns how many are proved.
fn certified(text: &str, limits: &Limits) -> usize {
    let system = Arc::new(models::load("witnesses.pyv", text).0.expect("the model loads"));
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

#[test]
fn random_theorems_with_chains_of_witnesses_are_certified() {
    let (mut rng, mut proved) = (Rng::new(23), 0);
    let limits = Limits { work: Some(3_000_000), ..Limits::default() };
    for _ in 0..600 {
        let text = Maker(&mut rng).model();
        proved += certified(&text, &limits);
    }
    assert!(proved > 300, "{proved}");
}
