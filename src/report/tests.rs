//! Counterexamples as text, on handwritten structures.

use super::trace::{Part, TraceStyle, counterexample_text, fact_text, facts};
use super::{Names, Palette};
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::{Annotation, Signature, Sort, SortId, Structure, SymId, Symbol, SymbolKind, Terms};
use ramsey_core::system::{System, Transition};
use ramsey_engine::query::{Call, Counterexample};
use ramsey_solver::ask::Falsification;

use SymbolKind::{Immutable, Mutable};

fn annotation(text: &str) -> Annotation {
    let mut words = text.split([' ', ',', '(', ')']).filter(|word| !word.is_empty()).map(str::to_owned);
    Annotation { name: words.next().unwrap_or_default(), args: words.collect(), span: nowhere() }
}

fn nowhere() -> Span {
    Span { file: FileId::new(0), start: 0, end: 0 }
}

struct Model {
    sig: Signature,
}

impl Model {
    fn new() -> Self {
        Model { sig: Signature::new() }
    }

    fn sort(&mut self, name: &str, annotations: &[&str]) -> SortId {
        let annotations = annotations.iter().map(|text| annotation(text)).collect();
        self.sig.sorts.push(Sort { annotations, ..Sort::new(name) })
    }

    fn symbol(&mut self, name: &str, args: &[SortId], result: SortId, kind: SymbolKind) -> SymId {
        self.sig.symbols.push(Symbol::new(name, args.to_vec(), result, kind))
    }

    fn relation(&mut self, name: &str, args: &[SortId], kind: SymbolKind) -> SymId {
        self.symbol(name, args, SortId::BOOL, kind)
    }

    fn structure(&self, states: usize, sizes: &[(SortId, u32)]) -> Structure {
        let mut structure = Structure::new(&self.sig, states);
        for &(sort, size) in sizes {
            structure.sizes[sort] = size;
        }
        structure
    }

    fn names(&self, structure: &Structure, sort: SortId, step: usize) -> String {
        let names = Names::new(&System::new(), &self.sig, structure, step);
        let list: Vec<String> =
            names.elements(sort).into_iter().map(|elem| names.name(sort, elem).to_owned()).collect();
        list.join(" ")
    }
}

/// Puts tuples into relations.
trait Put {
    fn put(&mut self, sig: &Signature, sym: SymId, step: usize, tuples: &[&[u32]]);
}

impl Put for Structure {
    fn put(&mut self, sig: &Signature, sym: SymId, step: usize, tuples: &[&[u32]]) {
        for tuple in tuples {
            self.interpretation_mut(sig, sym, step).set(tuple, 1);
        }
    }
}

#[test]
fn ordered_by_names_elements_by_their_place() {
    let mut model = Model::new();
    let id = model.sort("id", &["printed_by(ordered_by_printer, le)"]);
    let le = model.relation("le", &[id, id], Immutable);
    let at = model.symbol("at", &[], id, Immutable);
    let mut structure = model.structure(1, &[(id, 3)]);
    structure.put(&model.sig, le, 0, &[&[0, 0], &[1, 1], &[2, 2], &[2, 0], &[2, 1], &[0, 1]]);
    structure.interpretation_mut(&model.sig, at, 0).set(&[], 2);
    let names = Names::new(&System::new(), &model.sig, &structure, 0);
    assert_eq!([0, 1, 2].map(|elem| names.name(id, elem)), ["id1", "id2", "id0"]);
    assert_eq!(names.elements(id), [2, 0, 1], "listed in their order");
    let all = facts(&model.sig, &structure, &names, Part::Immutable, false);
    let text: Vec<String> = all[0].1.iter().map(|fact| fact_text(&model.sig, &names, fact)).collect();
    assert_eq!(text.join(" "), "le(id0,id0) le(id0,id1) le(id0,id2) le(id1,id1) le(id1,id2) le(id2,id2)");

    structure.put(&model.sig, le, 0, &[&[0, 2]]);
    assert_eq!(model.names(&structure, id, 0), "id0 id1 id2", "not an order: plain names");
    let names = Names::new(&System::new(), &model.sig, &structure, 0);
    assert_eq!(names.name(id, 2), "id2");
}

#[test]
fn a_cycle_is_not_an_order() {
    let mut model = Model::new();
    let id = model.sort("id", &["printed_by(ordered_by_printer, lt)"]);
    let lt = model.relation("lt", &[id, id], Mutable);
    let mut structure = model.structure(2, &[(id, 3)]);
    structure.put(&model.sig, lt, 0, &[&[0, 1], &[1, 2], &[2, 0]]);
    structure.put(&model.sig, lt, 1, &[&[2, 1], &[1, 0], &[2, 0]]);
    let by_step =
        [0, 1].map(|step| Names::new(&System::new(), &model.sig, &structure, step).name(id, 0).to_owned());
    assert_eq!(by_step, ["id0", "id2"], "names are those of the state");
    assert_eq!(Names::new(&System::new(), &model.sig, &structure, 0).elements(id), [0, 1, 2]);
}

#[test]
fn sets_are_their_members() {
    let mut model = Model::new();
    let node = model.sort("node", &[]);
    let quorum = model.sort("quorum", &["printed_by(set_printer, member)"]);
    let member = model.relation("member", &[node, quorum], Immutable);
    let mut structure = model.structure(1, &[(node, 2), (quorum, 4)]);
    structure.put(&model.sig, member, 0, &[&[0, 0], &[1, 0], &[1, 2], &[1, 3]]);
    let text = model.names(&structure, quorum, 0);
    assert_eq!(text, "{node0, node1} {} quorum2 quorum3", "equal sets keep their plain names");
}

#[test]
fn constants_name_their_elements() {
    let mut model = Model::new();
    let loc = model.sort("loc", &["printed_by(const_printer)"]);
    let now = model.symbol("now", &[], loc, Mutable);
    let idle = model.symbol("idle", &[], loc, Immutable);
    let mut structure = model.structure(2, &[(loc, 3)]);
    structure.interpretation_mut(&model.sig, idle, 0).set(&[], 1);
    structure.interpretation_mut(&model.sig, now, 0).set(&[], 1);
    structure.interpretation_mut(&model.sig, now, 1).set(&[], 2);
    assert_eq!(model.names(&structure, loc, 0), "loc0 idle loc2");
    assert_eq!(model.names(&structure, loc, 1), "loc0 idle now");
}

#[test]
fn options_are_none_or_some() {
    let mut model = Model::new();
    let value = model.sort("value", &[]);
    let option = model.sort("option", &["printed_by(option_printer, is_none, get)"]);
    let is_none = model.relation("is_none", &[option], Immutable);
    let get = model.symbol("get", &[option], value, Immutable);
    let mut structure = model.structure(1, &[(value, 2), (option, 3)]);
    structure.put(&model.sig, is_none, 0, &[&[1]]);
    structure.interpretation_mut(&model.sig, get, 0).set(&[2], 1);
    assert_eq!(model.names(&structure, option, 0), "Some(value0) None Some(value1)");
    structure.put(&model.sig, is_none, 0, &[&[2]]);
    assert_eq!(model.names(&structure, option, 0), "Some(value0) option1 option2");
}

#[test]
fn logs_are_sequences() {
    let mut model = Model::new();
    let index = model.sort("index", &["printed_by(ordered_by_printer, le)"]);
    let value = model.sort("value", &[]);
    let log = model.sort("log", &["printed_by(log_printer, le, used, holds, owner)"]);
    let le = model.relation("le", &[index, index], Immutable);
    let used = model.relation("used", &[log, index], Mutable);
    let holds = model.relation("holds", &[log, index, value], Mutable);
    let owner = model.symbol("owner", &[log, index], value, Immutable);
    let mut structure = model.structure(1, &[(index, 2), (value, 2), (log, 3)]);
    structure.put(&model.sig, le, 0, &[&[0, 0], &[1, 1], &[1, 0]]);
    structure.put(&model.sig, used, 0, &[&[0, 0], &[0, 1], &[1, 0]]);
    structure.put(&model.sig, holds, 0, &[&[0, 1, 1], &[0, 0, 0], &[1, 0, 0], &[1, 0, 1]]);
    structure.interpretation_mut(&model.sig, owner, 0).set(&[0, 0], 1);
    let names = Names::new(&System::new(), &model.sig, &structure, 0);
    assert_eq!(
        names.name(log, 0),
        "<<[value |-> value1, value |-> value0], [value |-> value0, value |-> value1]>>"
    );
    assert_eq!(names.name(log, 1), "<<[index |-> index1, value |-> [value0, value1], value |-> value0]>>");
    assert_eq!(names.name(log, 2), "<<>>");
}

#[test]
fn printers_that_do_not_fit_are_ignored() {
    for annotation in [
        "printed_by",
        "printed_by(set_printer)",
        "printed_by(set_printer, nothing)",
        "printed_by(set_printer, bare)",
        "printed_by(ordered_by_printer, other)",
        "printed_by(option_printer, bare, bare)",
        "printed_by(log_printer, other, other)",
        "printed_by(log_printer, bare)",
        "printed_by(no_such_printer, other)",
        "printed_by(set_printer, loop)",
    ] {
        let mut model = Model::new();
        let node = model.sort("node", &[]);
        let thing = model.sort("thing2", &[annotation]);
        model.relation("bare", &[], Immutable);
        model.relation("other", &[node, node], Immutable);
        model.relation("loop", &[thing, thing], Immutable);
        let structure = model.structure(1, &[(node, 1), (thing, 2)]);
        assert_eq!(model.names(&structure, thing, 0), "thing2_0 thing2_1", "{annotation}");
    }
}

#[test]
fn a_constant_function_takes_one_line() {
    let mut model = Model::new();
    let node = model.sort("node", &[]);
    let to = model.symbol("to", &[node, node], node, Mutable);
    let mut structure = model.structure(2, &[(node, 2)]);
    structure.interpretation_mut(&model.sig, to, 1).set(&[0, 1], 1);
    let mut system = System::new();
    let formula = system.terms.fals();
    system.sig = model.sig;
    let falsification = Falsification { formula, is_negated: false, bindings: vec![], opened: vec![] };
    let text =
        show(&system, &Counterexample { structure, calls: Vec::new(), falsification }, Palette::PLAIN, false);
    assert!(text.contains("state 0:\n    to(*,*) = node0\n"), "{text}");
    assert!(text.contains("state 1:\n    to(node0,node0) = node0\n  ~ to(node0,node1) = node1\n"), "{text}");
}

/// Returns a lock service, with a state in which `grant` violates the invariant.
fn lock_service() -> (System, Counterexample) {
    let mut model = Model::new();
    let node = model.sort("node", &[]);
    let epoch = model.sort("epoch", &["printed_by(ordered_by_printer, le)"]);
    let le = model.relation("le", &[epoch, epoch], Immutable);
    let held = model.relation("held", &[node], Mutable);
    let busy = model.relation("busy", &[], Mutable);
    let now = model.symbol("now", &[node], epoch, Mutable);
    let leader = model.symbol("leader", &[], node, Mutable);
    let hidden = model.relation("hidden", &[node], Mutable);
    model.sig.symbols[le].annotations.push(annotation("no_print"));
    model.sig.symbols[hidden].annotations.push(annotation("no_print"));

    let sig = &model.sig;
    let mut structure = model.structure(2, &[(node, 2), (epoch, 2)]);
    structure.put(sig, le, 0, &[&[0, 0], &[1, 1], &[1, 0]]);
    structure.put(sig, held, 0, &[&[0]]);
    structure.put(sig, held, 1, &[&[1]]);
    structure.put(sig, busy, 1, &[&[]]);
    structure.interpretation_mut(sig, now, 0).default = 1;
    structure.interpretation_mut(sig, now, 1).set(&[1], 1);

    let mut terms = Terms::new();
    let (var, n) = (terms.new_var("N", node), terms.new_var("n", node));
    let at = terms.var(var);
    let held_now = terms.app(sig, held, 1, &[at]);
    let leader_now = terms.app(sig, leader, 1, &[]);
    let is_leader = terms.eq(at, leader_now);
    let formula = terms.implies(held_now, is_leader);
    let body = terms.tru();
    let mut system = System::new();
    system.transitions.push(Transition {
        name: "grant".into(),
        params: vec![n],
        modifies: vec![],
        body,
        command: None,
        effect: None,
        span: nowhere(),
    });
    system.sig = model.sig;
    system.terms = terms;
    let falsification =
        Falsification { formula, is_negated: false, bindings: vec![(var, 1)], opened: vec![] };
    (system, Counterexample { structure, calls: vec![Call { transition: 0, args: vec![1] }], falsification })
}

fn show(system: &System, counterexample: &Counterexample, palette: Palette, negative: bool) -> String {
    let style = TraceStyle { palette, negative, sources: None };
    counterexample_text(system, counterexample, style)
}

#[test]
fn a_step_shows_what_changed() {
    let (system, counterexample) = lock_service();
    insta::assert_snapshot!(show(&system, &counterexample, Palette::PLAIN, false), @r"
        universes:
          node: node0, node1
          epoch: epoch0 < epoch1
        state 0:
          held(node0)
          !busy
          now(node0) = epoch0
          now(node1) = epoch0
          leader = node0
        transition grant(n = node1)
        state 1:
        - held(node0)
        + held(node1)
        ~ busy
        ~ now(node0) = epoch1
          now(node1) = epoch0
          leader = node0
        violated in state 1:
          held(N) -> N = leader
          for N = node1
        ");
}

#[test]
fn negative_tuples_on_request() {
    let (system, counterexample) = lock_service();
    let text = show(&system, &counterexample, Palette::PLAIN, true);
    assert!(text.contains("\n    !held(node1)\n"), "{text}");
    assert!(text.contains("\n  + held(node1)\n") && text.contains("\n  - held(node0)\n"), "{text}");
}

#[test]
fn colours_change_no_letter() {
    let (system, counterexample) = lock_service();
    let mut text = show(&system, &counterexample, Palette::new(true), false);
    for code in ["0", "1", "2", "32", "33", "1;31"] {
        text = text.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(text, show(&system, &counterexample, Palette::PLAIN, false));
}

#[test]
fn long_lists_are_cut() {
    let mut model = Model::new();
    let node = model.sort("node", &[]);
    let edge = model.relation("edge", &[node, node], Mutable);
    let mut structure = model.structure(1, &[(node, 300)]);
    structure.interpretation_mut(&model.sig, edge, 0).default = 1;
    let mut system = System::new();
    let formula = system.terms.fals();
    system.sig = model.sig;
    let falsification = Falsification { formula, is_negated: false, bindings: vec![], opened: vec![] };
    let text =
        show(&system, &Counterexample { structure, calls: Vec::new(), falsification }, Palette::PLAIN, false);
    assert!(text.contains(", node99, and 200 more\n"), "{text}");
    assert!(text.contains("... and 89900 more of `edge`"), "{text}");
}
