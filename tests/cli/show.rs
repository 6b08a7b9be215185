//! Pictures through the binary: `ramsey show`, and `--svg` and `--dot` of the commands that find states.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::common::binary::ramsey_binary;
use crate::common::svg::check_svg;

const LOCK: &str = "\
sort node
mutable relation held(node)
init forall N. !held(N)
transition acquire(n: node)
    modifies held
    (forall N. new(held(N)) <-> held(N) | N = n)
safety [mutex] held(N1) & held(N2) -> N1 = N2
sat trace {
  acquire
  acquire
}
sat trace {
  acquire
}
";

/// Relations of two and three arguments, an order, sets, and symbols that are not printed.
const TOWN: &str = "\
sort node
sort place
sort quorum
sort secret @no_print
immutable relation above(place, place)
immutable relation member(node, quorum)
immutable relation between(place, place, place)
immutable relation code(secret)
immutable relation tells(node, secret)
mutable relation at(node, place)
mutable relation likes(node, node)
mutable constant head: node
definition together(a: node, b: node) = exists P. at(a, P) & at(b, P)
definition here(p: place) = at(head, p)
derived relation alone(node, place): alone(N, P) <-> at(N, P) & !(exists M. M != N & at(M, P))
axiom above(X, X)
axiom above(X, Y) & above(Y, X) -> X = Y
axiom above(X, Y) & above(Y, Z) -> above(X, Z)
axiom exists A, B, C. above(A, B) & above(A, C) & !above(B, C) & !above(C, B)
axiom exists A, B, C. between(A, B, C) & A != B & B != C & A != C
axiom exists N, Q. member(N, Q)
axiom code(X) & tells(N, X)
init !likes(N, M)
init exists N, M, P, R. N != M & P != R & at(N, P) & at(M, R)
init at(N, P) & at(M, P) -> N = M
transition move(n: node, p: place)
    modifies at, head
    (forall N, P. new(at(N, P)) <-> at(N, P) & N != n | N = n & P = p) & new(head) = n & head != n
safety [still] at(N, P) & at(M, P) -> N = M
";

/// A directory that is removed with the test.
struct Dir(PathBuf);

impl Dir {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("show-{}-{count}", std::process::id()));
        fs::create_dir_all(&path).expect("a directory for the test");
        Dir(path)
    }

    fn file(&self, name: &str, text: &str) -> &Self {
        fs::write(self.0.join(name), text).expect("a file for the test");
        self
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Reads a picture that was written, and checks that it is well-formed.
    fn svg(&self, name: &str) -> String {
        let text = self.read(name);
        check_svg(&text);
        text
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// Runs `ramsey` with arguments separated by blanks.
    #[track_caller]
    fn run(&self, args: &str, code: i32) -> Run {
        let output = Command::new(ramsey_binary())
            .args(args.split_whitespace())
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .output()
            .expect("the binary runs");
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        let run = Run { out: text(output.stdout), err: text(output.stderr) };
        assert_eq!(output.status.code(), Some(code), "{args}\n{}\n{}", run.out, run.err);
        run
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Run {
    out: String,
    err: String,
}

impl Run {
    #[track_caller]
    fn prints(self, text: &str) -> Self {
        assert!(self.out.contains(text), "no {text:?} in:\n{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn prints_not(self, text: &str) -> Self {
        assert!(!self.out.contains(text), "{text:?} in:\n{}", self.out);
        self
    }

    #[track_caller]
    fn complains(self, text: &str) -> Self {
        assert!(self.err.contains(text), "no {text:?} in:\n{}", self.err);
        self
    }
}

#[test]
fn every_command_draws_what_it_finds() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK);
    for (at, command) in
        ["verify lock.pyv", "bmc lock.pyv", "bmc --relax lock.pyv", "cti lock.pyv"].iter().enumerate()
    {
        dir.run(&format!("{command} --svg {at}.svg --dot {at}.dot"), 1);
        let text = dir.svg(&format!("{at}.svg"));
        assert!(text.contains(">+ held<") && text.contains("violated: "), "{command}\n{text}");
        assert!(text.contains("state 1, after acquire(n = node"), "{command}\n{text}");
        assert!(dir.read(&format!("{at}.dot")).starts_with("digraph"), "{command}");
    }
    dir.run("trace lock.pyv --svg trace.svg", 0);
    assert!(dir.svg("trace.svg").contains("trace L8<"));
    let second = dir.svg("trace-2.svg");
    assert!(second.contains("trace L12<") && !second.contains("violated"), "{second}");
    assert!(!dir.has("trace-3.svg"));
    dir.run("simulate lock.pyv --steps 3 --svg walk.svg", 1);
    let walk = dir.svg("walk.svg");
    assert!(walk.contains("state 3, after acquire") && walk.contains("(state "), "{walk}");
}

#[test]
fn nothing_is_drawn_where_nothing_is_found() {
    let dir = Dir::new();
    dir.file("lock.pyv", &LOCK.replace("(forall N. new", "(forall N. !held(N)) & (forall N. new"));
    for command in ["verify", "bmc", "cti"] {
        dir.run(&format!("{command} lock.pyv --svg out.svg"), 0);
        assert!(!dir.has("out.svg"), "{command}");
    }
}

#[test]
fn a_state_that_is_reached_is_drawn() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).run("cti lock.pyv --output cti.json", 1);
    dir.run("generalize cti.json --model lock.pyv --bound 2 --svg way.svg --dot way.dot", 1);
    assert!(dir.svg("way.svg").contains("state 1, after acquire"));
}

#[test]
fn documents_of_all_commands_are_shown() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK);
    for (command, code) in
        [("verify", 1), ("bmc", 1), ("bmc --relax", 1), ("cti", 1), ("trace", 0), ("simulate", 1)]
    {
        let document = dir.run(&format!("{command} --format json lock.pyv"), code).out;
        dir.file("found.json", &document);
        dir.run("show found.json --model lock.pyv --svg out.svg --text", 0).prints("+ held");
        assert!(dir.svg("out.svg").contains(">+ held<"), "{command}");
        fs::remove_file(dir.0.join("out.svg")).expect("it was written");
    }
    dir.run("show found.json --model lock.pyv", 0).prints("state 1, after acquire(n = ");
}

/// Elements are removed in a separate step, and the picture labels it.
#[test]
fn relaxed_executions_are_shown() {
    let dir = Dir::new();
    let model = "\
sort node
mutable relation there(node)
mutable relation gone
init there(N)
init !gone
transition look()
    modifies gone
    (exists N. !there(N)) & new(gone)
transition leave(n: node)
    modifies there
    (forall N. new(there(N)) <-> there(N) & N != n) & (exists N:node. N != n)
safety [alone] there(X) | (exists N:node. N != X)
";
    dir.file("town.pyv", model);
    let document = dir.run("bmc --relax town.pyv --format json --svg direct.svg", 1).out;
    assert!(document.contains("\"relaxed\": true"));
    dir.file("town.json", &document);
    dir.run("show town.json --model town.pyv --svg out.svg --text", 0)
        .prints("after relax without node")
        .prints(" (gone)\n")
        .prints_not("- active_node");
    assert_eq!(dir.svg("out.svg").lines().count(), dir.svg("direct.svg").lines().count());
    let plain = document.replace("\"relaxed\": true", "\"relaxed\": false");
    dir.file("plain.json", &plain).run("show plain.json --model town.pyv", 2).complains("active_node");
}

/// Documents of `diagram` and `generalize`: some facts are known to be true, some to be false.
#[test]
fn partial_structures_are_shown() {
    let dir = Dir::new();
    dir.file("leader.pyv", include_str!("../models/leader_election.pyv"));
    dir.run("cti leader.pyv --output cti.json", 1);
    let document = dir.run("diagram cti.json --model leader.pyv --drop -btw --format json", 0).out;
    dir.file("diagram.json", &document);
    dir.run("show diagram.json --model leader.pyv --svg diagram.svg --dot diagram.dot --text", 0)
        .prints("what is known")
        .prints("      !leader\n")
        .prints("    !le: id1 -> id0\n")
        .prints("    idn: node0 -> id")
        .prints("(dashed, and with !: false)")
        .prints("(nothing is said of what is not shown)")
        .prints("excluded by: forall");
    assert!(dir.svg("diagram.svg").contains("mark-false"));
    assert!(dir.read("diagram.dot").contains("style=dotted"));
    let args =
        "generalize cti.json --model leader.pyv --bound 3 --drop btw,leader --svg made.svg --output gen.json";
    dir.run(args, 0);
    dir.run("show gen.json --model leader.pyv --svg shown.svg", 0);
    let (made, shown) = (dir.svg("made.svg"), dir.svg("shown.svg"));
    assert_eq!(made, shown);
    // Elements that are not known to be distinct.
    let document = dir.run("diagram cti.json --model leader.pyv --keep-only +le --format json", 0).out;
    dir.file("order.json", &document.replace("\"id0 != id1\"", "\"le(id0,id0)\""));
    dir.run("show order.json --model leader.pyv", 0).prints("(may be one element: id0 and id1)");
    dir.file("other.json", &document.replace("le(", "less("));
    dir.run("show other.json --model leader.pyv", 2).complains("there is no relation or function `less`");
}

#[test]
fn documents_that_do_not_fit_are_refused() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("town.pyv", TOWN).file("text.json", "no JSON").file("empty.json", "{}");
    dir.run("show text.json --model lock.pyv", 2).complains("R030").complains("no JSON document");
    dir.run("show empty.json --model lock.pyv", 2).complains("no counterexample");
    let document = dir.run("verify --format json lock.pyv", 1).out;
    dir.file("found.json", &document);
    dir.run("show found.json --model town.pyv", 2).complains("R030");
    dir.run("show found.json --model lock.pyv --number 7", 2).complains("number 7");
    dir.run("show found.json --model lock.pyv --svg lock.pyv/out.svg", 2).complains("lock.pyv/out.svg");
}

fn town() -> Dir {
    let dir = Dir::new();
    let document = dir.file("town.pyv", TOWN).run("bmc --depth 1 --format json town.pyv", 1).out;
    dir.file("town.json", &document);
    dir
}

#[test]
fn relations_are_projected() {
    let dir = town();
    let all = dir.run("show town.json --model town.pyv", 0).prints("  between(place").out;
    let tuple = all.lines().find(|line| line.trim().starts_with("between(")).expect("a tuple").trim();
    let args: Vec<&str> = tuple["between(".len()..tuple.len() - 1].split(',').collect();
    let (a, b, c) = (args[0], args[1], args[2]);
    dir.run(&format!("show town.json --model town.pyv --project between({a},_,_)"), 0)
        .prints(&format!("between({a},_,_): {b} -> {c}"))
        .prints_not(&format!("    {tuple}\n"));
    dir.run(&format!("show town.json --model town.pyv --project between({a},_,{c}) --svg out.svg --text"), 0)
        .prints(&format!("      between({a},_,{c})"));
    assert!(dir.svg("out.svg").contains(&format!(">between({a},_,{c})<")));
    // Commands that search cannot check the names of elements in advance.
    dir.run("bmc --depth 1 town.pyv --project between(place99,_,_) --svg bmc.svg", 1);
    assert!(dir.svg("bmc.svg").contains("there is no element place99"));
}

#[test]
fn relations_are_chosen() {
    let dir = town();
    dir.run("show town.json --model town.pyv", 0).prints("      at: node").prints_not("at: node0 ->");
    dir.run("show town.json --model town.pyv --edges at,alone --hide above", 0)
        .prints("at: node0 -> place")
        .prints_not("above: ");
    dir.run("show town.json --model town.pyv --edges member", 0).prints("member: node");
    // Relations of three arguments, and derived relations.
    dir.run("show town.json --model town.pyv --edges between", 0)
        .prints("    between: place")
        .prints(" -> place");
    dir.run("show town.json --model town.pyv --edges together", 0).prints("    together: node0 -> node0\n");
    dir.run("bmc --depth 1 town.pyv --edges together --svg bmc.svg", 1);
    assert!(dir.svg("bmc.svg").contains(">together<"));
    dir.run("show town.json --model town.pyv --hide at --hide head", 0)
        .prints_not("at: node")
        .prints_not("= head");
}

#[test]
fn choices_that_make_no_sense_are_refused() {
    let dir = town();
    for (option, complaint) in [
        ("--project betwen(place0,_,_)", "did you mean `between`"),
        ("--project between(place0,_)", "takes 3 arguments"),
        ("--project between(_,_,_)", "3 places"),
        ("--project between", "NAME(ELEMENT,_,_)"),
        ("--project likes(_,_)", "--edges NAME"),
        ("--project at(node0,place0)", "no place"),
        ("--project head(_)", "is a function"),
        ("--project between(place9,_,_)", "its elements are: place0, "),
        ("--edges head", "neither a relation of two or three elements nor"),
        ("--edges here", "has 1 parameters"),
        ("--edges togethr", "did you mean `together`"),
        ("--edges lkes", "did you mean `likes`"),
        ("--hide nothing_of_this_name", "no relation or function"),
    ] {
        dir.run(&format!("show town.json --model town.pyv {option} --svg out.svg"), 2).complains(complaint);
        assert!(!dir.has("out.svg"), "{option}");
    }
    for command in ["verify", "bmc", "trace", "cti", "simulate"] {
        dir.run(&format!("{command} town.pyv --edges lkes --svg out.svg"), 2);
        dir.run(&format!("{command} town.pyv --hide likes"), 2).complains("no picture is asked for");
        assert!(!dir.has("out.svg"), "{command}");
    }
}

#[test]
fn orders_sets_and_what_is_not_printed() {
    let dir = town();
    let text = dir.run("show town.json --model town.pyv --svg out.svg --text", 0).out;
    let svg = dir.svg("out.svg");
    // The order has a least element and two others: two edges of the six pairs.
    assert!(text.contains("ranks of above, greatest on top"), "{text}");
    assert!(!text.contains("above: place0 -> place0"), "{text}");
    assert!(
        svg.contains("<circle class=\"dot\"") && svg.contains("a dot below each node of which member holds")
    );
    assert!(!text.contains("secret") && !text.contains("tells") && !text.contains("code"), "{text}");
    assert!(text.contains("~ = head") && text.contains("~ was head"), "{text}");
}
