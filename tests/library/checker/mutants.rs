//! Changed certificates and changed closed forms: none makes the checker panic, and none that is accepted shows what is false.

use std::sync::Arc;

use super::{certificate, core};
use crate::closed::{EXAMPLES, proof};
use crate::common::effort::cases;
use crate::common::models;
use ramsey::base::hash::Map;
use ramsey::base::rng::Rng;
use ramsey::checker::{Core, Rejection, Summary, check};
use ramsey::core::document;

/// A closed form and a certificate that is accepted.
struct Pair {
    core: String,
    certificate: String,
}

fn pairs() -> Vec<Pair> {
    let mut pairs: Vec<Pair> = EXAMPLES
        .into_iter()
        .filter(|(name, _)| *name != "ring_leader.pyv")
        .map(|(name, text)| {
            let (core, certificate) = proof(&Arc::new(models::system(name, text))).expect("it is proved");
            Pair { core: document(&core), certificate }
        })
        .collect();
    // Queries with answers of both kinds, and a refutation.
    let queries = [
        "hypothesis 0 0 E 0 A 0 0 0 A 0 1 0",
        "hypothesis 1 1 ! 0 > R 1 2 1 V 0 ? 0 E 0 A 0 4 1 V 0 V 1",
        "query 0 holds images 1 0 E 0 A 0 4 1 A 0 0 0 A 0 4 1 A 0 1 0",
        "query 2 open step 1 1 ? 0 R 2 2 1 V 0",
        "query 1 fails some 2 0 1 ~ R 1 2 1 A 1 6 0",
    ];
    let answers = [
        "i 0 0",
        "i 0 1",
        "f 2 1",
        "q 0 1",
        "s 1",
        "size 0 1",
        "size 1 1",
        "true 1 2 0",
        "end",
        "s 2",
        "size 0 2",
        "size 1 1",
        "value 1 6 1",
        "value 0 4 0 1",
        "true 1 2 1",
        "end",
    ];
    pairs.push(Pair { core: core(&queries), certificate: certificate("queries 1 2 3 answered", &answers) });
    let model = ["axiom rigid x ? 0 R 0 0 1 V 0", "theorem 1 y ! 0 R 0 0 1 V 0", "theorem 0 z & 0"];
    let refuted = ["s 0", "size 0 2", "size 1 1", "true 0 0 1", "end", "i 1 1", "A 1", "q 1 1"];
    pairs.push(Pair { core: core(&model), certificate: certificate("refuted", &refuted) });
    pairs
}

fn run(core: &str, certificate: &[u8]) -> Option<Result<Summary, Rejection>> {
    Core::read(core).ok().map(|core| check(core, certificate))
}

/// Changes a text in one place: a byte, a word or a line.
fn mutate(text: &str, rng: &mut Rng) -> Vec<u8> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = rng.below(lines.len());
    let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    let other = lines[rng.below(lines.len())].clone();
    match rng.below(8) {
        0 => {
            let mut bytes = text.as_bytes().to_vec();
            let at = rng.below(bytes.len());
            bytes[at] = match rng.below(3) {
                0 => bytes[at] ^ (1 << rng.below(8)),
                1 => b"0123456789 -\n"[rng.below(13)],
                _ => rng.below(256) as u8,
            };
            return bytes;
        }
        1 => drop(lines.remove(at)),
        2 => lines.insert(at, other),
        3 => lines[at] = other,
        4 => {
            let with = rng.below(lines.len());
            lines.swap(at, with);
        }
        _ => {
            let mut words: Vec<String> =
                lines[at].trim_end_matches('\n').split(' ').map(str::to_owned).collect();
            let place = rng.below(words.len());
            match (rng.below(6), words[place].parse::<i64>()) {
                (0, _) => drop(words.remove(place)),
                (1, _) => words.insert(place, rng.below(9).to_string()),
                (2, Ok(number)) => words[place] = (number + 1).to_string(),
                (3, Ok(number)) => words[place] = (number - 1).to_string(),
                (4, Ok(number)) => words[place] = (-number).to_string(),
                _ => {
                    let from: Vec<&str> = other.split_whitespace().collect();
                    words[place] = from.get(rng.below(from.len() + 1)).copied().unwrap_or("0").to_owned();
                }
            }
            lines[at] = words.join(" ") + "\n";
        }
    }
    lines.concat().into_bytes()
}

#[test]
fn changed_certificates_show_nothing_else() {
    let (mut accepted, mut rejected) = (0, 0);
    // By the kind of the line that was changed, how many are accepted and rejected.
    let mut kinds: Map<String, [u32; 2]> = Map::default();
    for (seed, Pair { core, certificate }) in pairs().into_iter().enumerate() {
        let truth = run(&core, certificate.as_bytes()).expect("a closed form").expect("accepted");
        let mut rng = Rng::new(seed as u64);
        for _ in 0..cases(60) {
            let mutant = mutate(&certificate, &mut rng);
            let is_accepted = match run(&core, &mutant).expect("a closed form") {
                Ok(summary) => {
                    for (answer, known) in summary.answers.iter().zip(&truth.answers) {
                        assert!(answer.is_none() || known.is_none() || answer == known, "{answer:?}");
                    }
                    true
                }
                Err(_) => false,
            };
            accepted += u32::from(is_accepted);
            rejected += u32::from(!is_accepted);
            if let Some(line) = changed_line(&certificate, &mutant) {
                let kind = line.split(' ').next().unwrap_or_default().to_owned();
                kinds.entry(kind).or_default()[usize::from(!is_accepted)] += 1;
            }
        }
    }
    assert!(rejected > 4 * accepted, "{accepted} accepted, {rejected} rejected");
    // Of the lines that make clauses most changes are refused.
    for kind in ["a", "c", "u"] {
        let [accepted, rejected] = kinds[kind];
        assert!(accepted * 4 <= rejected, "{kind}: {accepted} accepted, {rejected} refused");
    }
}

/// Returns the first line that is not the same in both, as it was.
fn changed_line<'a>(before: &'a str, after: &[u8]) -> Option<&'a str> {
    let after = std::str::from_utf8(after).ok()?;
    before.lines().zip(after.lines()).find(|(old, new)| old != new).map(|(old, _)| old)
}

/// What is shown of a changed closed form is true of it: no structure that the checker evaluates refutes it.
#[test]
fn changed_closed_forms_are_shown_if_they_are_true() {
    let (mut accepted, mut rejected, mut judged) = (0, 0, 0);
    for (seed, Pair { core, certificate }) in pairs().into_iter().enumerate() {
        let mut rng = Rng::new(seed as u64 + 1_000);
        for _ in 0..cases(200) {
            let Ok(mutant) = String::from_utf8(mutate(&core, &mut rng)) else { continue };
            match run(&mutant, certificate.as_bytes()) {
                Some(Ok(summary)) => {
                    accepted += 1;
                    if meaning(&mutant) == meaning(&core) {
                        continue;
                    }
                    for (obligation, answer) in summary.answers.iter().enumerate() {
                        if *answer != Some(true) {
                            continue;
                        }
                        for _ in 0..20 {
                            let structure = random_structure(&mutant, obligation, &mut rng);
                            let refutes = run(&mutant, structure.as_bytes()).expect("a closed form");
                            let reason = refutes.expect_err(&format!("{mutant}\n{structure}")).reason;
                            judged += u32::from(reason.ends_with("in the structure"));
                        }
                    }
                }
                _ => rejected += 1,
            }
        }
    }
    assert!(
        accepted > 50 && rejected > 500 && judged > 100,
        "{accepted} accepted, {rejected} rejected, {judged} judged"
    );
}

/// Returns a closed form without names.
fn meaning(core: &str) -> Vec<Vec<&str>> {
    let place = |line: &str| -> usize {
        match line.split(' ').next().unwrap_or_default() {
            "sort" | "function" | "relation" | "axiom" | "theorem" | "initial" | "hypothesis" => 2,
            "query" => 3,
            _ => 1,
        }
    };
    let words = |line| {
        let name = place(line);
        line.split(' ').enumerate().filter(|(at, _)| *at != name).map(|(_, word)| word).collect()
    };
    core.lines().map(words).collect()
}

/// Returns a certificate that the obligation is refuted by a random structure of one or two elements for each sort.
fn random_structure(core: &str, obligation: usize, rng: &mut Rng) -> String {
    let mut lines = vec![format!("s {obligation}")];
    let mut sizes: Vec<usize> = Vec::new();
    for line in core.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "sort" => {
                sizes.push(1 + rng.below(2));
                lines.push(format!("size {} {}", words[1], sizes[sizes.len() - 1]));
            }
            "function" | "relation" => {
                let sorts: Vec<usize> = words[5..].iter().filter_map(|word| word.parse().ok()).collect();
                let is_function = words[0] == "function";
                let states = if words[3] == "mutable" { 1..=1 } else { 0..=0 };
                for state in states {
                    for _ in 0..rng.below(4) {
                        let elements: String =
                            sorts.iter().map(|&sort| format!(" {}", rng.below(sizes[sort]))).collect();
                        let word = if is_function { "value" } else { "true" };
                        let line = format!("{word} {state} {}{elements}", words[1]);
                        let arguments = sorts.len() - usize::from(is_function);
                        let key: Vec<&str> = line.split(' ').take(3 + arguments).collect();
                        let is_new =
                            |known: &String| known.split(' ').take(3 + arguments).collect::<Vec<_>>() != key;
                        if lines.iter().all(is_new) {
                            lines.push(line);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    lines.push("end".into());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    certificate("refuted", &lines)
}
