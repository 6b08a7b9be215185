//! Bounded model checking with steps in order: against that of executions in any order.

use super::*;

/// Returns the text of a random system whose transitions define the next state.
fn random_system(rng: &mut Rng) -> String {
    let mut text = "sort s\nimmutable constant a: s\nmutable constant c: s\nmutable relation r(s)\nmutable relation t(s)\n\
        mutable relation z()\ninit !r(X) & !t(X) & !z & c = a\n"
        .to_owned();
    let literal = |rng: &mut Rng, terms: &[&str]| {
        let [one, other] = [0, 1].map(|_| terms[rng.below(terms.len())]);
        let atom = match rng.below(7) {
            0 => "z".to_owned(),
            1 => format!("{one} = {other}"),
            2 | 3 => format!("r({one})"),
            4 | 5 => format!("t({one})"),
            _ => format!("(forall X. r(X) -> t(X) | X = {one})"),
        };
        if rng.one_in(2) { atom } else { format!("!({atom})") }
    };
    for number in 0..3 {
        let guards: Vec<String> = (0..1 + rng.below(2)).map(|_| literal(rng, &["a", "c", "p"])).collect();
        let mut modified = Vec::new();
        let mut updates = Vec::new();
        for name in ["r", "t"] {
            let other = if name == "r" { "t" } else { "r" };
            if rng.one_in(2) {
                modified.push(name);
                updates.push(match rng.below(5) {
                    0 => format!("(forall X. new({name}(X)) <-> {name}(X) & X != p)"),
                    1 => format!("(forall X. new({name}(X)) <-> {other}(X))"),
                    2 => format!("(forall X. new({name}(X)) <-> {name}(X) | {other}(X) & X != c)"),
                    _ => format!("(forall X. new({name}(X)) <-> {name}(X) | X = p)"),
                });
            }
        }
        if rng.one_in(3) {
            modified.push("c");
            updates.push("new(c) = p".to_owned());
        }
        if modified.is_empty() || rng.one_in(3) {
            modified.push("z");
            updates.push(format!("(new(z) <-> {})", ["!z", "true", "r(p)"][rng.below(3)]));
        }
        let body = [guards, updates].concat().join(" & ");
        text += &format!("transition t{number}(p: s)\n  modifies {}\n  {body}\n", modified.join(", "));
    }
    let literals: Vec<String> = (0..2 + rng.below(3)).map(|_| literal(rng, &["X", "Y", "c"])).collect();
    text + &format!("safety forall X:s, Y:s. X != Y & c = c -> !({})\n", literals.join(" & "))
}

#[test]
fn the_order_of_steps_hides_no_violation() {
    let (mut late, mut safe) = (0, 0);
    for seed in 0..cases(1_200) {
        let text = random_system(&mut Rng::new(seed));
        let system = Arc::new(load(&text));
        let [ordered, any] = [0, u64::MAX].map(|order_after| {
            let options =
                bmc::Options { order_after, minimize: false, ..bmc::Options::new(safety(&system), 5) };
            violation(run(Bmc::new(Arc::clone(&system), options))).map(|(steps, _)| steps)
        });
        assert_eq!(ordered, any, "seed {seed}\n{text}");
        late += usize::from(any.is_some_and(|steps| steps > 1));
        safe += usize::from(any.is_none());
    }
    assert!(late >= 30 && safe >= 300, "{late} {safe}");
}
