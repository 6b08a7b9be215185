//! Bounded model checking of the part of a system that claims depend on: against that of the whole system.

use super::*;
use ramsey::base::budget::Budget;
use ramsey::query::unroll::{Start, Unrolling};
use ramsey::system::Derived;
use ramsey::transition::cone;

/// Returns the text of a random system in which some symbols may be of no importance to the claim.
fn random_system(rng: &mut Rng) -> String {
    let mut text = "sort s\nimmutable constant a: s\nmutable relation r(s)\nmutable relation t(s)\nmutable relation u(s)\n\
        mutable relation z()\nmutable function f(s): s\n"
        .to_owned();
    text += [
        "derived relation d(s): d(X) <-> r(X) & !u(X)\nderived relation e(s): e(X) <-> t(X) | d(X)\n",
        "derived relation e(s): e(X) <-> d(X) | t(X)\nderived relation d(s): d(X) <-> u(X) & r(X)\n",
        "derived relation d(s): d(X) -> r(X)\nderived relation e(s): e(X) <-> !d(X)\n",
    ][rng.below(3)];
    for name in ["r", "t", "u"] {
        text += ["", &format!("init !{name}(X)\n"), &format!("init {name}(X) <-> X = a\n")][rng.below(3)];
    }
    text += [
        "init !z\n",
        "init f(X) = a\n",
        "init z -> e(a)\n",
        "init d(a) & f(a) = a\n",
        "init u(X) <-> t(X)\n",
    ][rng.below(5)];
    let literal = |rng: &mut Rng, terms: &[&str], names: &[&str]| {
        let [one, other] = [0, 1].map(|_| terms[rng.below(terms.len())]);
        let atom = match names[rng.below(names.len())] {
            "z" => "z".to_owned(),
            "f" => format!("f({one}) = {other}"),
            "=" => format!("{one} = {other}"),
            name => format!("{name}({one})"),
        };
        if rng.one_in(2) { atom } else { format!("!({atom})") }
    };
    // Guards and the claim are about few symbols.
    let all = ["r", "t", "u", "z", "f", "d", "e"];
    let few = [0, 1].map(|_| all[rng.below(all.len())]);
    for number in 0..3 {
        let mut conjuncts: Vec<String> =
            (0..1 + rng.below(2)).map(|_| literal(rng, &["a", "p"], &[few[0], few[1], "="])).collect();
        let mut modified = Vec::new();
        for name in ["r", "t", "u", "z", "f"] {
            if !rng.one_in(3) {
                continue;
            }
            modified.push(name);
            let value = literal(rng, &["X", "p", "a"], &all);
            conjuncts.push(match (name, rng.below(5)) {
                ("z", 0) => "(z -> new(z))".to_owned(),
                ("z", _) => format!("(new(z) <-> {})", ["!z", "true", "r(p)", "e(p)"][rng.below(4)]),
                ("f", 0) => "(forall X. X != p -> new(f(X)) = f(X))".to_owned(),
                ("f", 1) => "(forall X. new(f(X)) = (if u(X) then p else f(X)))".to_owned(),
                ("f", _) => "(forall X. X != p -> new(f(X)) = f(X)) & new(f(p)) = a".to_owned(),
                (_, 0) => format!("(forall X. {name}(X) -> new({name}(X)))"),
                (_, 1) if modified.contains(&"r") => format!("(forall X. new({name}(X)) -> new(r(X)))"),
                _ => format!("(forall X. new({name}(X)) <-> {name}(X) & X != p | ({value}))"),
            });
        }
        if rng.one_in(5) && modified.contains(&"t") && !modified.contains(&"r") {
            modified.push("r");
            conjuncts.push("(forall X. new(t(X)) -> new(r(X)))".to_owned());
        }
        // What is said of a derived relation afterwards restricts the steps.
        if !modified.is_empty() && rng.one_in(3) {
            let said = [
                "new(d(p))",
                "!new(e(a))",
                "(forall X. new(d(X)) <-> d(X))",
                "(forall X. new(e(X)) <-> X = p)",
            ];
            conjuncts.push(said[rng.below(said.len())].to_owned());
        }
        let modifies =
            if modified.is_empty() { "=".to_owned() } else { format!("modifies {}\n ", modified.join(", ")) };
        text += &format!("transition t{number}(p: s)\n  {modifies} {}\n", conjuncts.join(" & "));
    }
    let mut literals = vec![literal(rng, &["X", "Y", "a"], &few)];
    literals.extend((0..rng.below(3)).map(|_| literal(rng, &["X", "Y", "a"], &[few[0], few[1], "="])));
    text + &format!("safety forall X:s, Y:s. X != Y -> !({})\n", literals.join(" & "))
}

/// Adds an assumption about two relations that change, one of which may be of no importance otherwise.
fn assume_in_every_state(system: &mut System, rng: &mut Rng) {
    let System { sig, terms, derived, invariants, .. } = system;
    let relation = |name: &str| sig.symbols.iter_enumerated().find(|it| it.1.name == name).map(|it| it.0);
    let names = [["r", "u"], ["t", "r"], ["u", "t"]][rng.below(3)];
    let [Some(one), Some(other)] = names.map(relation) else { panic!("relations of all systems") };
    let var = terms.new_var("X", sig.symbols[one].args[0]);
    let arg = terms.var(var);
    let [one, other] = [one, other].map(|sym| terms.app(sig, sym, 0, &[arg]));
    let implied = terms.implies(one, other);
    let axiom = terms.forall(&[var], implied);
    derived.push(Derived { sym: None, label: "L1".to_owned(), axiom, span: invariants[0].span });
}

/// Number of steps of the longest executions.
const DEPTH: u16 = 3;

/// Returns the number of steps of a shortest execution of the whole system that ends in a violation.
fn steps_to_violation(system: &Arc<System>, claims: &[TermId]) -> Option<u16> {
    let mut budget = Budget::unlimited();
    let mut unrolling = Unrolling::new(Arc::clone(system), Start::Initial, 0, None);
    (0..=DEPTH).find(|&steps| {
        if steps > 0 {
            unrolling.extend(&mut budget);
        }
        let claim = unrolling.context_mut().terms_mut().and(claims);
        let claim = unrolling.at(claim, steps);
        let negated = unrolling.context_mut().terms_mut().not(claim);
        unrolling.context_mut().pose(&[negated], &mut budget);
        unrolling.context_mut().search(&[], &mut budget).expect("no limit")
    })
}

#[test]
fn what_claims_do_not_depend_on_changes_no_answer() {
    let (mut late, mut safe, mut idle, mut defined) = (0, 0, 0, 0);
    for seed in 0..cases(3_000) {
        let text = random_system(&mut Rng::new(seed));
        let mut system = load(&text);
        if seed % 3 == 0 {
            assume_in_every_state(&mut system, &mut Rng::new(seed));
        }
        let system = Arc::new(system);
        let claims: Vec<TermId> = safety(&system).iter().map(|it| it.formula(&system)).collect();
        let Some(part) = cone(&system, &claims) else { continue };
        let options = bmc::Options { minimize: seed % 2 == 0, ..bmc::Options::new(safety(&system), DEPTH) };
        let found = violation(run(Bmc::new(Arc::clone(&system), options)));
        if let Some((_, found)) = &found {
            states(&system, &found.counterexample.structure, &found.counterexample.calls);
        }
        let found = found.map(|it| it.0);
        assert_eq!(found, steps_to_violation(&system, &claims), "seed {seed}\n{text}");
        late += usize::from(found.is_some_and(|steps| steps > 1));
        safe += usize::from(found.is_none());
        idle += usize::from(part.transitions.iter().any(|it| it.body == part.terms.clone().fals()));
        defined += usize::from(part.derived.iter().any(|it| it.sym.is_none()));
    }
    assert!(late >= 10 && safe >= 500 && idle >= 200 && defined >= 200, "{late} {safe} {idle} {defined}");
}
