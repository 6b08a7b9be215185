//! Counterexamples of programs: the effect of each statement, as text.

use std::sync::Arc;

use ramsey::base::span::{Source, Sources};
use ramsey::lang::{self, Includes, Language};
use ramsey::query::{Limits, Options, Outcome, Plan, Verification};
use ramsey::report::Palette;
use ramsey::report::replay;
use ramsey::report::verify::{TextStyle, file_text};
use ramsey::system::System;
use ramsey::transition::interpret::End;

const PROGRAM: &str = "\
sort node
relation r: node
relation q: node
variable n: node
assume ∀ x. ¬r(x)
q.insert(n)
while * do {
  {
    n := *
    if q(n) then {
      r.insert(n)
    } else {
      q.insert(n)
      assert r(n)
    }
  } | {
    n := *
    { q.remove(n) } | { skip }
    r.remove(n)
  }
}
assert ∀ x. r(x) → q(x)
conjecture [none] ∀ x. ¬r(x)
conjecture [empty] ∀ x. ¬q(x)
";

/// Text style with counterexamples only.
const STYLE: TextStyle = TextStyle {
    palette: Palette::PLAIN,
    verbose: false,
    quiet: true,
    brief: false,
    negative: false,
    stats: false,
    cores: false,
};

/// Returns the model without the second invariant.
fn without_empty() -> String {
    let lines: Vec<&str> = PROGRAM.lines().filter(|line| !line.contains("[empty]")).collect();
    lines.join("\n")
}

fn verify(text: &str) -> (Arc<System>, Verification, Sources) {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("model.rml".into(), text.into()));
    let (system, diagnostics) = lang::load(Language::Rml, file, &sources, &Includes::default());
    let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:?}")));
    let plan = Plan::new(Arc::clone(&system), Options { all: true, ..Options::default() });
    let verification = plan.run(&Limits::default());
    (system, verification, sources)
}

#[test]
fn counterexamples_tell_what_each_statement_did() {
    let (system, verification, sources) = verify(PROGRAM);
    let text = file_text("model.rml", &system, &verification, &sources, STYLE);
    let expected = [
        "  initial part\n    6 | q.insert(n)  + q(node0)\n  state 0:\n",
        // The invariants hold in the state before, so the first side is never taken there.
        "    10 | if q(n) then {  false\n    13 | q.insert(n)     + q(node0)\n    14 | assert r(n)     violated\n",
    ];
    for part in expected {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }

    let (system, verification, sources) = verify(&without_empty());
    let text = file_text("model.rml", &system, &verification, &sources, STYLE);
    let expected = "    10 | if q(n) then {  true\n    11 | r.insert(n)     + r(node0)\n  state 1:\n";
    assert!(text.contains(expected), "{expected}\nis not in\n{text}");
}

#[test]
fn arbitrary_ifs_tell_what_was_taken() {
    for (otherwise, expected) in [
        ("", "if * { m.remove(x) }  not taken\n"),
        (" else { skip }", "if * { m.remove(x) } else { skip }  else\n"),
    ] {
        let program = format!(
            "sort c\nrelation m: c\nrelation w: c\nassume !w(X)\nwhile * {{\n  action store(x: c) {{\n    \
             if * {{ m.remove(x) }}{otherwise}\n    w.insert(x)\n  }}\n}}\nsafety [s] w(X) -> !m(X)\n"
        );
        let (system, verification, sources) = verify(&program);
        let text = file_text("model.rml", &system, &verification, &sources, STYLE);
        assert!(text.contains(expected), "{expected}\nis not in\n{text}");
    }
}

#[test]
fn every_counterexample_is_replayed() {
    let (system, verification, _) = verify(&without_empty().replace("assume ∀ x. ¬r(x)", "assert ∀ x. r(x)"));
    let sig = &verification.obligations.sig;
    let mut replayed = [0; 3];
    for result in &verification.results {
        let Outcome::Fails(found) = &result.outcome else { continue };
        for (step, call) in found.calls.iter().enumerate() {
            let execution = replay::of_call(&system, sig, &found.structure, step, call).expect("a command");
            let next = found.structure.state(sig, step + 1);
            for (sym, symbol) in sig.symbols.iter_enumerated() {
                let [after, there] = [&execution.state, &next].map(|state| state.interpretation(sig, sym, 0));
                let same = next.tuples(&symbol.args).all(|args| after.get(&args) == there.get(&args));
                assert!(same || symbol.kind != ramsey::logic::SymbolKind::Mutable, "{}", symbol.name);
            }
            replayed[0] += 1;
        }
        match result.origin {
            ramsey::obligations::Origin::Initiation { .. } => {
                let execution = replay::of_init(&system, sig, &found.structure).expect("a command");
                assert_eq!(execution.end, End::Completed);
                replayed[1] += 1;
            }
            ramsey::obligations::Origin::Assertion { assertion } => {
                let execution = replay::of_assertion(&system, sig, found, assertion).expect("it goes wrong");
                assert_eq!(execution.end, End::Aborted);
                replayed[2] += 1;
            }
            _ => {}
        }
    }
    assert!(replayed[0] >= 1 && replayed[1] >= 1 && replayed[2] >= 2, "{replayed:?}");
}
