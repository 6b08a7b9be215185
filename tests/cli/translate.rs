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
    waits.remove(X, U | X = c)
    if le(t, now) { holds.insert(c) } else { now := t }
    assert holds(c) | now = t
  }
| action drop {
    if * { holds(X) := false }
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
    expect(
        "lock.pyv",
        PYV,
        "rml",
        "# A lock that clients take.
sort client

relation requested(client)
relation owns(client)
variable last: client

sort owns_choice

relation owns_chosen(owns_choice, client)

assume !requested(X)
assume forall X. !owns(X)

macro free = forall C. !owns(C)

while * {
  action request(c: client) {
    # Anybody may ask.
    requested.insert(c)
  } | action grant(c: client) {
    assume requested(c)
    assume free
    owns(X) := X = last
    last := c
    requested.remove(c)
  } | action release {
    local new_owns: owns_choice
    assume forall X. owns_chosen(new_owns, X) -> owns(X)
    assume exists X. owns(X) & !owns_chosen(new_owns, X)
    owns(C) := owns_chosen(new_owns, C)
  }
}

safety [one_owner] owns(X) & owns(Y) -> X = Y

sat trace {
  request
}
",
    );
}

#[test]
fn formulas_are_statements_in_ivy() {
    expect(
        "lock.pyv",
        PYV,
        "ivy",
        "#lang ivy1.7

# A lock that clients take.
type client
type owns_choice

relation requested(C:client)
relation owns(C:client)
individual last : client
relation owns_chosen(O:owns_choice, C:client)
relation free = forall C. ~owns(C)

after init {
    requested(X) := false;
    owns(X) := false;
}

# Anybody may ask.
action request(c:client) = {
    requested(c) := true;
}

action grant(c:client) = {
    require requested(c);
    require free;
    owns(X) := X = last;
    last := c;
    requested(c) := false;
}

action release = {
    var new_owns:owns_choice;
    require owns_chosen(new_owns, X) -> owns(X);
    require exists X. owns(X) & ~owns_chosen(new_owns, X);
    owns(C) := owns_chosen(new_owns, C);
}

export request
export grant
export release

invariant [one_owner] owns(X) & owns(Y) -> X = Y
",
    );
}

#[test]
fn commands_are_formulas_in_pyv() {
    expect(
        "lock.rml",
        RML,
        "pyv",
        "# A lock with time.
sort client
sort time

immutable relation le(time, time)
mutable relation holds(client)
mutable relation waits(client, time)
mutable constant now: time

definition idle() = !holds(C)

init !holds(X)

transition ask(c: client, later: time)
  modifies waits, now
  le(now, later) & (forall C, T. waits'(C, T) <-> waits(C, T) | C = c & T = later) & now' = later

safety [assertion]
  forall c: client, t: time.
    idle & waits(c, t) -> holds(c) | le(t, now) | (if le(t, now) then now else t) = t

transition take(c: client, t: time)
  modifies holds, waits, now
  & idle
  & waits(c, t)
  & (holds(c) | le(t, now) | (if le(t, now) then now else t) = t)
  & (forall C. holds'(C) <-> holds(C) | le(t, now) & C = c)
  & (forall X, U. waits'(X, U) <-> waits(X, U) & X != c)
  & now' = (if le(t, now) then now else t)

transition drop(choice: bool)
  modifies holds
  forall X. holds'(X) <-> holds(X) & !choice

safety [one] holds(X) & holds(Y) -> X = Y
zerostate theorem le(T, T) -> le(T, T)
",
    );
}

#[test]
fn commands_are_statements_in_ivy() {
    expect(
        "lock.rml",
        RML,
        "ivy",
        "#lang ivy1.7

# A lock with time.
type client
type time

relation le(T:time, T2:time)
relation holds(C:client)
relation waits(C:client, T:time)
individual now : time
relation idle = forall C. ~holds(C)

after init {
    holds(X) := false;
}

action ask(c:client) = {
    var later:time;
    require le(now, later);
    now := later;
    waits(c, now) := true;
}

action take(c:client, t:time) = {
    require idle;
    require waits(c, t);
    waits(X, U) := waits(X, U) & X ~= c;
    if le(t, now) {
        holds(c) := true;
    } else {
        now := t;
    };
    assert holds(c) | now = t;
}

action drop = {
    if * {
        holds(X) := false;
    } else {
    };
}

export ask
export take
export drop

invariant [one] holds(X) & holds(Y) -> X = Y
property le(T, T) -> le(T, T)
",
    );
}

#[test]
fn calls_are_formulas_in_pyv() {
    expect(
        "lock.ivy",
        IVY,
        "pyv",
        "# Tickets in order.

sort client
sort ticket

immutable relation lt(ticket, ticket)
immutable constant zero: ticket
mutable constant next: ticket
mutable relation holds(client, ticket)
mutable relation door_open

safety [safety_] holds(X, T) & holds(Y, T) -> X = Y
invariant holds(X, T) -> lt(T, next) | T = next

init next = zero
init !holds(X, T)
init !door_open

# Opens the door.
transition take(c: client, new_next: ticket)
  modifies next, holds, door_open
  & (!door_open -> lt(next, new_next))
  & next' = (if door_open then next else new_next)
  & (forall C, T. holds'(C, T) <-> holds(C, T) | !door_open & C = c & T = next)
  & (door_open' <-> door_open | !door_open)

transition leave(c: client, t: ticket)
  modifies holds
  holds(c, t) & (forall C, T. holds'(C, T) <-> holds(C, T) & !(C = c & T = t))
",
    );
}

#[test]
fn calls_are_commands_in_rml() {
    expect(
        "lock.ivy",
        IVY,
        "rml",
        "# Tickets in order.

sort client
sort ticket

relation lt(ticket, ticket)
variable zero: ticket
variable next: ticket
relation holds(client, ticket)
relation door_open

safety [safety_] holds(X, T) & holds(Y, T) -> X = Y
conjecture holds(X, T) -> lt(T, next) | T = next

holds(X, T) := false
next := zero
door_open := false

while * {
  action take(c: client) {
    # Opens the door.
    if !door_open {
      local t: ticket
      assert !door_open
      t := next
      door_open := true
      local t_1: ticket
      t_1 := t
      holds(c, t_1) := true
      next := *
      assume lt(t_1, next)
    }
  } | action leave(c: client, t: ticket) {
    assume holds(c, t)
    holds(c, t) := false
  }
}
",
    );
}

#[test]
fn what_is_left_out_is_told() {
    let dir = Dir::new();
    let two = "twostate theorem [kept] forall X. owns(X) -> owns(X) | !new(owns(X))\n";
    dir.file("lock.pyv", format!("{PYV}{two}fbii {{\n}}\n"));
    let run = dir.run(&["print", "--to", "ivy", "lock.pyv"]).ends_with(0);
    let run = run.complains("Ivy has no traces").complains("lock.pyv:33:1").complains("sat trace {");
    run.complains("programs have no theorems about two states").complains("lock.pyv:36:1");
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
mutable constant Next: local
transition action(Xy: type, m: local)
  modifies while, Next
  & Loud(Xy, m) & Next != m
  & (forall X. while'(X) <-> (exists local. while(local) & local = X))
  & Next' = m
init !while(L) & (forall Xx, xX. Loud(Xx, xX))
invariant [object] while(L) -> L != Next
";
    let summary = |name: &str| {
        let out = dir.run(&["verify", "--all", "--no-strict", name]).ends_with(1).out;
        out.lines().filter(|line| line.contains("obligations:")).collect::<String>()
    };
    dir.file("names.pyv", text);
    let expected = summary("names.pyv");
    assert_ne!(expected, "");
    for to in ["rml", "ivy"] {
        let name = format!("translation.{to}");
        let printed = dir.run(&["print", "--to", to, "names.pyv"]).ends_with(0).out;
        dir.file(&name, printed).run(&["typecheck", "--no-strict", &name]).ends_with(0);
        assert_eq!(summary(&name), expected);
    }
}

/// The name of a formula about initial states is none in other languages. In Ivy's it would be a variable.
#[test]
fn transitions_that_name_initial_conditions_keep_their_meaning() {
    let dir = Dir::new();
    let model = "mutable relation p\nmutable relation q\ninit [Start] !p & !q\n\
                 transition t()\n  modifies p\n  Start & new(p)\nsafety !p\n";
    dir.file("m.pyv", model);
    for language in ["rml", "ivy"] {
        let text = dir.run(&["print", "--to", language, "m.pyv"]).ends_with(0).out;
        let name = format!("m.{language}");
        dir.file(&name, text);
        dir.run(&["bmc", &name]).ends_with(1).prints("depth 1  VIOLATED");
    }
}

/// What is said of a derived relation may constrain other symbols.
#[test]
fn theorems_about_states_keep_what_is_said_of_derived_relations() {
    let dir = Dir::new();
    dir.file(
        "m.pyv",
        "mutable relation p\nmutable relation q\nderived relation d: p\ninit !q\n\
         transition t()\n  modifies q\n  new(q)\ntheorem p\nsafety p | !q\n",
    );
    for language in ["rml", "ivy"] {
        let text = dir.run(&["print", "--to", language, "m.pyv"]).ends_with(0).out;
        let name = format!("m.{language}");
        dir.file(&name, text);
        dir.run(&["verify", "--no-strict", &name]).ends_with(0);
    }
}
