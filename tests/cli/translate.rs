//! `ramsey print --to`: what the translations of small models look like, and what is said where something is left out.

use crate::common::binary::Dir;

const PYV: &str = "# A lock that clients take.
sort client

mutable relation requested(client)
mutable relation owns(client)
mutable constant last: client

init !requested(X)
init forall X. !owns(X)

definition free() = forall C. !owns(C)

# Anybody may ask.
transition request(c: client)
  modifies requested
  & (forall X. new(requested(X)) <-> requested(X) | X = c)

transition grant(c: client)
  modifies requested, owns, last
  & requested(c) & free
  & (forall X. X != c -> (new(requested(X)) <-> requested(X)))
  & !new(requested(c))
  & (forall X. new(owns(X)) <-> X = last)
  & new(last) = c

transition release()
  modifies owns
  & (forall X. new(owns(X)) -> owns(X))
  & (exists X. owns(X) & !new(owns(X)))

safety [one_owner] owns(X) & owns(Y) -> X = Y

sat trace {
  request
}
";

const RML: &str = "# A lock with time.
sort client
sort time

relation le: time, time
relation holds: client
relation waits: client, time
variable now: time

macro idle = !holds(C)

assume !holds(X)

while * {
  action ask(c: client) {
    local later: time
    assume le(now, later)
    now := later
    waits.insert(c, now)
  }
| action take(c: client, t: time) {
    # Only who waits.
    assume idle
    assume waits(c, t)
    waits.remove(x, u | x = c)
    if le(t, now) { holds.insert(c) } else { now := t }
    assert holds(c) | now = t
  }
| action drop {
    if * { holds(x) := false }
  }
}

safety [one] holds(X) & holds(Y) -> X = Y
theorem le(T, T) -> le(T, T)
";

const IVY: &str = "#lang ivy1.7
# Tickets in order.

type client
type ticket

individual next : ticket
relation holds(X:client, T:ticket)

after init {
    holds(X, T) := false;
    next := 0
}

object door = {
    relation open
    after init { open := false }
    action enter returns (t:ticket) = {
        require ~open;
        t := next;
        open := true
    }
}

# Opens the door.
action take(c:client) = {
    if ~door.open {
        var t := door.enter;
        holds(c, t) := true;
        next := *;
        assume t < next
    }
}

action leave(c:client, t:ticket) = {
    require holds(c, t);
    holds(c, t) := false
}

export take
export leave

invariant [safety] holds(X, T) & holds(Y, T) -> X = Y
invariant holds(X, T) -> T < next | T = next
";

/// Translates a model, and the translation once more to its own language.
#[track_caller]
fn expect(name: &str, text: &str, to: &str, expected: &str) {
    let dir = Dir::new();
    let printed = dir.file(name, text).run(&["print", "--to", to, name]).ends_with(0).out;
    assert_eq!(printed, expected, "\n{printed}");
    let target = format!("translation.{to}");
    let again = dir.file(&target, &printed).run(&["print", "--to", to, &target]).ends_with(0).out;
    let plain = dir.run(&["print", &target]).ends_with(0).out;
    assert_eq!(again, plain);
    dir.run(&["typecheck", "--no-strict", &target]).ends_with(0);
}

#[test]
fn formulas_are_commands_in_rml() {
    expect("lock.pyv", PYV, "rml", "");
}

#[test]
fn formulas_are_statements_in_ivy() {
    expect("lock.pyv", PYV, "ivy", "");
}

#[test]
fn commands_are_formulas_in_pyv() {
    expect("lock.rml", RML, "pyv", "");
}

#[test]
fn commands_are_statements_in_ivy() {
    expect("lock.rml", RML, "ivy", "");
}

#[test]
fn calls_are_formulas_in_pyv() {
    expect("lock.ivy", IVY, "pyv", "");
}

#[test]
fn calls_are_commands_in_rml() {
    expect("lock.ivy", IVY, "rml", "");
}

#[test]
fn what_is_left_out_is_told() {
    let dir = Dir::new();
    let two = "twostate theorem [kept] forall X. owns(X) -> owns(X) | !new(owns(X))\n";
    dir.file("lock.pyv", format!("{PYV}{two}fbii {{\n}}\n"));
    let run = dir.run(&["print", "--to", "ivy", "lock.pyv"]).ends_with(0);
    let run = run.complains("Ivy has no traces").complains("lock.pyv:36:1").complains("sat trace {");
    run.complains("programs have no theorems about two states").complains("lock.pyv:39:1");
    dir.run(&["--allow", "R033", "print", "--to", "rml", "lock.pyv"]).ends_with(0).silent_on_stderr();
}

#[test]
fn what_cannot_be_said_is_refused() {
    let dir = Dir::new();
    dir.file(
        "order.rml",
        "sort s\nrelation le: s, s\naxiom le(X, X)\nwhile * { skip }\nconjecture le(X, X)\n",
    );
    let run = dir.run(&["print", "--to", "pyv", "order.rml"]).ends_with(2);
    let run = run.complains("error[R033]").complains("order.rml:5:1").complains("conjecture le(X, X)");
    assert_eq!(run.complains("declare it as a `theorem`").out, "");
    dir.run(&["print", "--to", "ivy", "order.rml"]).ends_with(0);
    // Nor is a model with errors.
    dir.file("wrong.pyv", "sort s\ninit r(X)\n");
    let run = dir.run(&["print", "--to", "rml", "wrong.pyv"]).ends_with(2).complains("`r` is not declared");
    assert_eq!(run.out, "");
    let growing = "p := !(p & q) & !(q & p)\n".repeat(60);
    dir.file("large.rml", format!("variable p: bool\nvariable q: bool\nwhile * {{\n{growing}}}\n"));
    let run = dir.run(&["print", "--to", "pyv", "large.rml"]).ends_with(2);
    assert_eq!(run.complains("grow").out, "");
}

#[test]
fn rules_of_the_target_are_told() {
    let dir = Dir::new();
    let text =
        "sort s\nmutable relation r(s, s)\ninit forall X. exists Y. r(X, Y)\ninvariant exists Y. r(X, Y)\n";
    let run = dir.file("model.pyv", text).run(&["print", "--to", "rml", "model.pyv"]).ends_with(0);
    run.complains("note[R033]").complains("--no-strict");
    dir.run(&["print", "--to", "ivy", "model.pyv"]).ends_with(0).silent_on_stderr();
}

#[test]
fn names_are_those_that_the_target_accepts() {
    let dir = Dir::new();
    let text = "sort type
sort local
mutable relation while(local)
mutable relation Loud(type, local)
mutable constant N: local
transition action(X: type, m: local)
  modifies while, N
  & Loud(X, m) & N != m
  & (forall X. while'(X) <-> (exists local. while(local) & local = X))
  & N' = m
init !while(L) & (forall Xx, xX. Loud(Xx, xX))
invariant [object] while(L) -> L != N
";
    for to in ["rml", "ivy"] {
        let name = format!("translation.{to}");
        let printed = dir.file("names.pyv", text).run(&["print", "--to", to, "names.pyv"]).ends_with(0).out;
        dir.file(&name, printed).run(&["typecheck", &name]).ends_with(0);
        let verdict = dir.run(&["verify", "--all", "--no-strict", &name]).ends_with(1).out;
        assert!(verdict.contains("1 failed") || verdict.contains("1 fail"), "{verdict}");
    }
    dir.run(&["verify", "--all", "names.pyv"]).ends_with(1);
}
