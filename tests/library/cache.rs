//! The cache of answers: what is found of which obligations, and what becomes of entries that lie.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::common::effort::is_long;
use crate::common::models;
use ramsey::base::compression;
use ramsey::base::rng::Rng;
use ramsey::cache::{Cache, Fetched, GroupCache, Prepared, Store, Tally};
use ramsey::check::{Closed, compress};
use ramsey::core::document;
use ramsey::logic::{SymId, SymbolKind};
use ramsey::obligations::{Group, Obligations, Origin, Subject};
use ramsey::query::{Limits, Options, Outcome, Plan, Verification};
use ramsey::system::System;

/// Entries in memory.
#[derive(Debug, Default)]
pub(crate) struct Memory(Mutex<BTreeMap<String, Vec<u8>>>);

impl Store for Memory {
    fn get(&self, name: &str) -> Fetched {
        self.0.lock().expect("no panic").get(name).map_or(Fetched::Absent, |it| Fetched::Entry(it.clone()))
    }

    fn put(&self, name: &str, entry: &[u8]) -> bool {
        self.0.lock().expect("no panic").insert(name.to_owned(), entry.to_vec());
        true
    }

    fn place(&self, name: &str) -> String {
        format!("memory:{name}")
    }
}

impl Memory {
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.lock().expect("no panic").keys().cloned().collect()
    }

    fn entry(&self, name: &str) -> Vec<u8> {
        self.0.lock().expect("no panic")[name].clone()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        let mut text = String::new();
        let entry = self.entry(name);
        compression::open(entry.as_slice()).and_then(|mut it| it.read_to_string(&mut text)).expect("a text");
        text
    }
}

/// Verifies with the entries of a store, and without if there is none.
fn verify(system: &Arc<System>, store: Option<&Arc<Memory>>) -> (Verification, Tally) {
    let cache = store.map(|store| Arc::new(Cache::new(Arc::clone(store) as Arc<dyn Store>, None)));
    let options = Options { all: true, cache: cache.clone(), ..Options::default() };
    let verification = Plan::new(Arc::clone(system), options).run(&Limits::default());
    (verification, cache.map_or_else(Tally::default, |cache| cache.tally()))
}

/// Returns all that is told of a verification but its cost.
fn told(verification: &Verification) -> String {
    let results = verification.results.iter().map(|it| format!("{:?}: {:?}\n", it.origin, it.outcome));
    let vacuities = verification.vacuities.iter().map(|it| format!("{it:?}\n"));
    results.chain(vacuities).collect()
}

/// Returns the answers, without counterexamples.
fn verdicts(verification: &Verification) -> Vec<(Origin, String)> {
    verification.results.iter().map(|it| (it.origin, it.outcome.to_string())).collect()
}

fn examples() -> impl Iterator<Item = (String, Arc<System>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut paths: Vec<_> = folder.read_dir().expect("examples").flatten().map(|it| it.path()).collect();
    paths.sort();
    paths.into_iter().filter_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).ok()?;
        let system = models::load(&name, &text).0.filter(|system| !system.invariants.is_empty())?;
        Some((name, Arc::new(system)))
    })
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    std::fs::read_to_string(path).expect("an example")
}

#[test]
fn answers_are_the_same_the_second_time() {
    let store = Arc::new(Memory::default());
    let mut count = 0;
    for (name, system) in examples() {
        let (without, _) = verify(&system, None);
        let (cold, _) = verify(&system, Some(&store));
        let (warm, tally) = verify(&system, Some(&store));
        assert_eq!(verdicts(&without), verdicts(&cold), "{name}");
        assert_eq!(told(&cold), told(&warm), "{name}");
        assert_eq!((tally.rejected, tally.kept), (0, 0), "{name}");
        assert_eq!((tally.misses, warm.statistics.queries), (0, 0), "{name}");
        count += tally.hits;
    }
    assert!(count > 500, "{count}");
}

/// An invariant about nothing that a transition changes needs no entry, and neither proof nor search.
#[test]
fn what_nothing_changes_is_not_looked_up() {
    let text = "sort s\nmutable relation p(s)\nmutable relation q(s)\nmutable relation r(s)\n\
                derived relation both(s): both(X) <-> p(X) & q(X)\ninit !p(X) & !r(X) & q(X)\n\
                transition t(x: s)\n  modifies p\n  & (new(p(X)) <-> p(X) | X = x & q(x))\n\
                invariant p(X) -> q(X)\ninvariant r(X) -> exists X. q(X)\ninvariant [third] both(X) -> q(X)\n";
    let system = Arc::new(models::system("m.pyv", text));
    let store = Arc::new(Memory::default());
    let (_, cold) = verify(&system, Some(&store));
    let (found, warm) = verify(&system, Some(&store));
    assert!(found.results.iter().all(|it| matches!(it.outcome, Outcome::Holds { .. })), "{}", told(&found));
    // Three in initial states, two after the transition; and that there are initial states, and states to begin with.
    assert_eq!((cold.misses, cold.kept, warm.hits, warm.misses), (7, 7, 7, 0));
    // What is changed is looked up.
    let broken = text.replace("modifies p\n", "modifies p, r\n  & (new(r(X)) <-> r(X) | X = x)\n");
    let (found, asked) = verify(&Arc::new(models::system("m.pyv", &broken)), Some(&store));
    assert_eq!(asked.misses, 3);
    assert_eq!(verdicts(&found), verdicts(&verify(&Arc::new(models::system("m.pyv", &broken)), None).0));
}

#[test]
fn what_is_left_out_of_the_cache() {
    let system = Arc::new(models::system("lock.pyv", &example("lock_server.pyv")));
    let store = Arc::new(Memory::default());
    let (_, kept) = verify(&system, Some(&store));
    let cache = || Some(Arc::new(Cache::new(Arc::clone(&store) as Arc<dyn Store>, None)));
    let run = |options: Options| {
        let cache = cache();
        let options = Options { cache: cache.clone(), ..options };
        let found = Plan::new(Arc::clone(&system), options).run(&Limits::default());
        (found, cache.map(|it| it.tally()).unwrap_or_default())
    };
    // Hypotheses that suffice are named by a search.
    let (found, tally) = run(Options { cores: true, ..Options::default() });
    assert_eq!(tally, Tally::default());
    assert!(
        found.results.iter().any(|it| matches!(&it.outcome, Outcome::Holds { core } if !core.is_empty()))
    );
    // Certificates are made of proofs that are found, and these are kept.
    let (found, tally) = run(Options { certify: true, ..Options::default() });
    assert_eq!((tally.hits, tally.kept), (0, kept.kept));
    assert!(found.results.iter().all(|it| it.certificate.is_some()));
    // Which counterexample is shown depends on these.
    for options in
        [Options { seed: 1, ..Options::default() }, Options { minimize: false, ..Options::default() }]
    {
        assert_eq!(run(options).1.hits, 0);
    }
    assert_eq!(run(Options::default()).1.hits, kept.kept);
}

/// Returns the digests of all obligations of a system, in their order, and those of contradictions of hypotheses.
fn digests(system: &Arc<System>) -> Vec<String> {
    let cache = Cache::new(Arc::new(Memory::default()), None);
    let obligations = Obligations::new(system);
    let groups = obligations.groups.len();
    let prepared = Prepared::new(system, obligations, String::new()).expect("a closed form");
    let mut digests = Vec::new();
    for group in 0..groups {
        let group = GroupCache::new(&cache, &prepared, group).expect("a group");
        digests.extend((0..=group.contradiction()).map(|goal| group.digest(goal).to_owned()));
    }
    digests
}

#[test]
fn names_places_and_orders_do_not_count() {
    let text = example("paxos.pyv");
    let of = |text: &str| {
        let mut digests = digests(&Arc::new(models::system("model.pyv", text)));
        digests.sort();
        digests
    };
    let digests = of(&text);
    let renamed =
        text.replace("voted", "elected").replace("node", "machine").replace("[agreement]", "[one_value]");
    assert_ne!(renamed, text);
    assert_eq!(of(&renamed), digests);
    assert_eq!(of(&format!("# A comment.\n\n\n{text}")), digests);
    // What nothing mentions is no part of any obligation.
    assert_eq!(of(&format!("sort other\nimmutable relation lonely(other)\n{text}")), digests);
    let lines: Vec<&str> = text.lines().collect();
    let swapped = |first: &str, second: &str| {
        let at = |start: &str| lines.iter().position(|line| line.starts_with(start)).expect("such a line");
        let mut lines = lines.clone();
        lines.swap(at(first), at(second));
        of(&lines.join("\n"))
    };
    // Declarations of rigid symbols and sorts, axioms, initial conditions.
    assert_eq!(swapped("sort node", "sort value"), digests);
    assert_eq!(swapped("axiom [le_reflexive]", "axiom [le_total]"), digests);
    assert_eq!(swapped("init !proposed", "init !decided"), digests);
}

/// Returns what each obligation of a system says, in the order of [`digests`], by the names of its symbols: the text of its closed form.
fn said(system: &System, names: &dyn Fn(&str) -> String) -> Vec<(BTreeSet<String>, String)> {
    let obligations = Obligations::new(system);
    let mut said = Vec::new();
    for group in &obligations.groups {
        let Obligations { sig, terms, params, .. } = &obligations;
        let mut terms = terms.clone();
        let mut goals = group.goals.clone();
        let mut contradiction = goals[0];
        contradiction.formula = terms.fals();
        goals.push(contradiction);
        let group = Group { goals, ..group.clone() };
        let alone =
            Obligations { sig: sig.clone(), terms, params: params.clone(), groups: vec![group.clone()] };
        let closed = Closed::of_obligations(Subject::System(system), alone).expect("a closed form");
        let text = document(&closed.lowering.core);
        let (mut sorts, mut symbols) = (Vec::new(), [Vec::new(), Vec::new()]);
        let mut hypotheses = BTreeSet::new();
        for line in text.lines().skip(1) {
            let words: Vec<&str> = line.split(' ').collect();
            match words[0] {
                "sort" => sorts.push(names(words[2])),
                "function" => symbols[0].push(names(words[2])),
                "relation" => symbols[1].push(names(words[2])),
                "hypothesis" => {
                    hypotheses.insert(named(&words[3..], &sorts, &symbols));
                }
                "query" => {
                    let count: usize = words[4].parse().expect("a number");
                    let goal = format!("{} {}", words[1], named(&words[5 + count..], &sorts, &symbols));
                    said.push((hypotheses.clone(), goal));
                }
                _ => {}
            }
        }
    }
    said
}

/// Returns a formula with names for the numbers of its sorts and symbols.
fn named(words: &[&str], sorts: &[String], symbols: &[Vec<String>; 2]) -> String {
    let mut text = String::new();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let number = |word: &str| word.parse::<usize>().expect("a number");
        text.push_str(word);
        match word {
            "A" | "R" => {
                let state = words.next().expect("a state");
                let at = number(words.next().expect("a symbol"));
                let name = &symbols[usize::from(word == "R")][at];
                text.push_str(&format!(" {state} {name}"));
            }
            "E" | "!" | "?" => text.push_str(&format!(" {}", sorts[number(words.next().expect("a sort"))])),
            _ => {}
        }
        text.push(' ');
    }
    text
}

/// Changes a text in `.pyv` at random. Returns it with the new name of a name, if one has changed; what it returns need not be a model.
fn edited(text: &str, rng: &mut Rng) -> (String, Option<(String, String)>) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let starts = |words: &[&str]| -> Vec<usize> {
        let is = |line: &String| words.iter().any(|word| line.starts_with(word));
        (0..lines.len()).filter(|&at| is(&lines[at])).collect()
    };
    let claims = starts(&["invariant", "safety", "axiom", "init"]);
    let claim = claims[rng.below(claims.len())];
    match rng.below(10) {
        0 => {
            let words = ["relation ", "constant ", "function ", "sort "];
            let declared: Vec<String> = lines
                .iter()
                .filter_map(|line| words.iter().find_map(|word| Some(line.split_once(word)?.1)))
                .map(|rest| {
                    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_owned()
                })
                .filter(|name| !name.is_empty())
                .collect();
            let old = declared[rng.below(declared.len())].clone();
            let new = format!("{old}_renamed");
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let mut renamed = String::new();
            for part in text.split_inclusive(|c: char| !is_word(c)) {
                let word = part.trim_end_matches(|c: char| !is_word(c));
                renamed.push_str(if word == old { &new } else { word });
                renamed.push_str(&part[word.len()..]);
            }
            return (renamed, Some((old, new)));
        }
        1 => lines.insert(0, "# moved\n".to_owned()),
        2 => {
            lines.remove(claim);
        }
        3 => {
            let line = lines[claim].clone();
            if let Some(at) = line.find("->") {
                lines[claim] = format!("{}<->{}", &line[..at], &line[at + 2..]);
            }
        }
        4 => {
            let other = claims[rng.below(claims.len())];
            lines.swap(claim, other);
        }
        5 => lines.push("sort unrelated\nimmutable relation alone(unrelated)".to_owned()),
        6 => lines.push("transition stay() = true".to_owned()),
        7 => {
            let sort = text.lines().find_map(|line| line.strip_prefix("sort ")).expect("a sort");
            let sort = sort.split(' ').next().expect("a name");
            lines.push(format!("invariant [extra] forall X:{sort}, Y:{sort}. X = Y -> Y = X"));
        }
        8 => {
            let guards: Vec<usize> =
                (0..lines.len()).filter(|&at| lines[at].trim_start().starts_with('&')).collect();
            if !guards.is_empty() {
                lines.remove(guards[rng.below(guards.len())]);
            }
        }
        _ => {
            let line = lines[claim].clone();
            let swapped = line.replacen(" & ", " | ", 1);
            lines[claim] = if swapped == line { line.replacen(" | ", " & ", 1) } else { swapped };
        }
    }
    (lines.join("\n") + "\n", None)
}

/// 100 random edits: what is missed is what says something else than before.
#[test]
fn edits_touch_what_they_change() {
    let mut rng = Rng::new(1);
    let (mut edits, mut touched, mut kept) = (0, 0, 0);
    let names =
        ["lock_server.pyv", "paxos.pyv", "ring_leader.pyv", "toy_consensus.pyv", "two_phase_commit.pyv"];
    while edits < 100 {
        let text = example(names[edits % names.len()]);
        let old = Arc::new(models::system("model.pyv", &text));
        let before: BTreeSet<String> = digests(&old).into_iter().collect();
        let (text, renamed) = edited(&text, &mut rng);
        let Some(new) = models::load("model.pyv", &text).0.map(Arc::new) else { continue };
        edits += 1;
        let known: BTreeSet<_> = said(&old, &str::to_owned).into_iter().collect();
        let back = |name: &str| match &renamed {
            Some((old, new)) if name == new => old.clone(),
            _ => name.to_owned(),
        };
        let after = digests(&new);
        let now = said(&new, &back);
        assert_eq!(after.len(), now.len());
        for (digest, said) in after.iter().zip(&now) {
            assert_eq!(before.contains(digest), known.contains(said), "edit {edits}: {said:?}\n{text}");
            if known.contains(said) { kept += 1 } else { touched += 1 }
        }
    }
    assert!(touched > 300 && kept > 1_000, "{touched} {kept}");
}

/// What searches ask of the store is by these digests: after an edit, the others are hits.
#[test]
fn an_edit_costs_what_it_touches() {
    let text = example("lock_server.pyv");
    let store = Arc::new(Memory::default());
    let old = Arc::new(models::system("model.pyv", &text));
    let (_, cold) = verify(&old, Some(&store));
    let edited = format!("{text}\ntransition stay() = true\n");
    let new = Arc::new(models::system("model.pyv", &edited));
    let (found, warm) = verify(&new, Some(&store));
    // One more transition, which changes nothing: the invariants about derived relations after it, and whether it is possible.
    let is_derived = |sym: &SymId| new.sig.symbols[*sym].kind == SymbolKind::Derived;
    let asked =
        new.invariants.iter().filter(|it| new.terms.symbols(it.formula).iter().any(is_derived)).count();
    assert!(asked > 0);
    assert_eq!((warm.hits, warm.misses, warm.rejected), (cold.misses, asked as u64 + 1, 0));
    assert_eq!(verdicts(&found), verdicts(&verify(&new, None).0));
}

/// Damages an entry, given with all entries, in one of many ways.
fn poisoned(store: &Memory, name: &str, rng: &mut Rng) -> Vec<u8> {
    let names = store.names();
    let mut bytes = store.entry(name);
    let text = store.text(name);
    let lines: Vec<&str> = text.lines().collect();
    let other = &names[rng.below(names.len())];
    match rng.below(12) {
        0 => bytes.truncate(rng.below(bytes.len())),
        1 => {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
        2 => bytes.clear(),
        3 => bytes = store.entry(other),
        // A valid answer to another obligation that claims to be one to this.
        4 => {
            let other = store.text(other);
            let (head, rest) = (lines[..2].join("\n"), other.splitn(3, '\n').nth(2).expect("a kind"));
            bytes = compress(&format!("{head}\n{rest}"));
        }
        5 if rng.one_in(20) => bytes = compress(&"x".repeat(70 << 20)),
        6 if rng.one_in(20) => bytes = vec![0; 17 << 20],
        5..=7 => bytes = (0..1_000).map(|_| rng.next_u64() as u8).collect(),
        // A line less, or twice, or another number in it.
        8 => {
            let at = rng.below(lines.len());
            bytes = compress(
                &[&lines[..at], &lines[at + 1..]]
                    .concat()
                    .iter()
                    .map(|it| format!("{it}\n"))
                    .collect::<String>(),
            );
        }
        9 => {
            let at = rng.below(lines.len());
            bytes = compress(&[&lines[..at], &lines[at..=at], &lines[at..]].concat().join("\n"));
        }
        10 => {
            let kind = if lines[2] == "proof" { "structure" } else { "proof" };
            bytes = compress(&text.replacen(&format!("\n{}\n", lines[2]), &format!("\n{kind}\n"), 1));
        }
        _ => {
            let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let at = rng.below(words.len());
            words[at] = match rng.below(4) {
                0 => "4000000000".to_owned(),
                1 => format!("-{}", words[at]),
                2 => rng.below(9).to_string(),
                _ => "A".to_owned(),
            };
            bytes = compress(&words.join(" "));
        }
    }
    bytes
}

/// Hundreds of mutated entries change no verdict. What is not valid is told and replaced.
#[test]
fn poisoned_entries_change_nothing() {
    let mut rng = Rng::new(7);
    let (mut count, mut rejected) = (0, 0);
    let models: Vec<(String, Arc<System>)> =
        examples().filter(|(_, system)| system.transitions.len() * system.invariants.len() < 60).collect();
    let mut round = 0;
    while count < if is_long() { 3_000 } else { 300 } {
        let (name, system) = &models[round % models.len()];
        round += 1;
        let store = Arc::new(Memory::default());
        let (cold, _) = verify(system, Some(&store));
        let mut poison = BTreeMap::new();
        for entry in store.names() {
            poison.insert(entry.clone(), poisoned(&store, &entry, &mut rng));
            count += 1;
        }
        *store.0.lock().expect("no panic") = poison;
        let (warm, tally) = verify(system, Some(&store));
        assert_eq!(verdicts(&cold), verdicts(&warm), "{name}");
        assert_eq!(tally.rejected, warm.rejected.len() as u64, "{name}");
        assert!(warm.rejected.iter().all(|it| it.place.starts_with("memory:") && !it.reason.is_empty()));
        rejected += tally.rejected;
        let (again, tally) = verify(system, Some(&store));
        assert_eq!((tally.rejected, told(&again)), (0, told(&warm)), "{name}");
    }
    // Some changes leave a proof a proof.
    assert!(rejected * 10 > count * 8, "{rejected} of {count}");
}

/// A proof that is valid for the obligation without the guard's removal, under the digest of the other one: nothing but the check tells.
#[test]
fn proofs_of_something_else_are_refused() {
    let good = example("lock_server.pyv");
    let bad = example("lock_server_broken.pyv");
    let (good, bad) = (models::system("m.pyv", &good), models::system("m.pyv", &bad));
    let (good, bad) = (Arc::new(good), Arc::new(bad));
    let store = Arc::new(Memory::default());
    verify(&good, Some(&store));
    let proofs: Vec<String> =
        store.names().iter().map(|name| store.text(name)).filter(|text| text.contains("\nproof\n")).collect();
    let honest = verdicts(&verify(&bad, None).0);
    assert!(honest.iter().any(|(_, verdict)| verdict == "failed"));
    for proof in proofs {
        let rest = proof.splitn(3, '\n').nth(2).expect("a kind");
        let lies = Memory::default();
        for digest in digests_as_asked(&bad) {
            lies.put(&digest, &compress(&format!("ramsey-cache 1\nobligation {digest}\n{rest}")));
        }
        let (found, _) = verify(&bad, Some(&Arc::new(lies)));
        assert_eq!(verdicts(&found), honest);
    }
}

/// Returns the names that a run asks for.
fn digests_as_asked(system: &Arc<System>) -> Vec<String> {
    let store = Arc::new(Memory::default());
    verify(system, Some(&store));
    store.names()
}
