#!/usr/bin/env python3
"""`ramsey` against Z3 about types that are interpreted as numbers: random claims, and random programs with one action.

usage: numbers_peer.py [--count N] [--seed N] [--ramsey FILE] [--list]
needs: `pip install z3-solver`

Each claim is put to Z3 with the integers themselves, or those of a range or of so many bits, with sums, differences and products
where these are told. `verify` is asked about properties, `verify` and `bmc --depth 2` about an
invariant. What Ramsey proves has no counterexample in Z3, and what it refutes (exit code 1) is no theorem there. `unknown` counts as
no answer: the last lines tell how often each pair of answers came, and with `--list` which refutable claims got none. Exit code 1 if
two answers contradict each other.
"""
import argparse, collections, random, subprocess, sys, tempfile
from pathlib import Path

import z3

INT, BOOL = z3.IntSort(), z3.BoolSort()
P, F, C = z3.Function("p", INT, INT, BOOL), z3.Function("f", INT, INT), z3.Int("c")


# What the type is interpreted as, with its greatest number.
KINDS = [("int", None), ("nat", None), ("bv[2]", 3), ("{0..2}", 2), ("bv[5]", 31), ("{0..40}", 40)]


def value_of(kind, greatest, sign, x, y):
    """Returns what an operation gives."""
    if kind.startswith("bv"):
        return {"+": x + y, "-": x - y, "*": x * y}[sign] % (greatest + 1)
    sums = {"+": x + y, "-": z3.If(x < y, 0, x - y), "*": x * y}
    return z3.If(sums[sign] > greatest, greatest, sums[sign])


class Formulas:
    """Random formulas, as text and for Z3. `r` is the relation that the action changes."""

    def __init__(self, rng, kind):
        self.rng, self.count = rng, 0
        self.kind, self.greatest = kind
        self.has_operations = self.greatest is not None and self.greatest < 8

    def within(self, x):
        """Returns that a number is one of the type."""
        least = [] if self.kind == "int" else [x >= 0]
        return z3.And(least + ([] if self.greatest is None else [x <= self.greatest]))

    def term(self, variables):
        if self.has_operations and self.rng.random() < 0.3:
            (a, x), (b, y) = self.plain(variables), self.plain(variables)
            sign = self.rng.choice("+-*")
            return f"({a} {sign} {b})", value_of(self.kind, self.greatest, sign, x, y)
        return self.plain(variables)

    def plain(self, variables):
        kind = self.rng.random()
        if variables and kind < 0.75:
            name = self.rng.choice(variables)
            return name, z3.Int(name)
        if kind < 0.9:
            number = self.rng.randint(0, min(4, self.greatest or 4))
            return f"{number}:n", z3.IntVal(number)
        return "c", C

    def atom(self, variables, r):
        kind = self.rng.random()
        (a, x), (b, y) = self.term(variables), self.term(variables)
        if kind < 0.4:
            return f"{a} < {b}", x < y
        if kind < 0.6:
            return f"{a} = {b}", x == y
        if kind < 0.8:
            return f"r({a})", r(x)
        if kind < 0.9:
            return f"p({a},{b})", P(x, y)
        return f"f({a}) < {b}", F(x) < y

    def formula(self, depth, r, variables=()):
        kind = self.rng.random()
        if depth == 0 or kind < 0.15:
            return self.atom(variables, r)
        if kind < 0.3:
            text, value = self.formula(depth - 1, r, variables)
            return f"~({text})", z3.Not(value)
        if kind < 0.64:
            (a, x), (b, y) = (self.formula(depth - 1, r, variables) for _ in range(2))
            sign, join = self.rng.choice([("&", z3.And), ("|", z3.Or), ("->", z3.Implies)])
            return f"({a} {sign} {b})", join(x, y)
        names = []
        for _ in range(self.rng.choice([1, 1, 2])):
            self.count += 1
            names.append(f"V{self.count}")
        text, value = self.formula(depth - 1, r, (*variables, *names))
        bound = [z3.Int(name) for name in names]
        guard = z3.And([self.within(it) for it in bound])
        if self.rng.random() < 0.5:
            word, value = "forall", z3.ForAll(bound, z3.Implies(guard, value))
        else:
            word, value = "exists", z3.Exists(bound, z3.And(guard, value))
        return f"({word} {', '.join(f'{name}:n' for name in names)}. {text})", value

    def assumed(self):
        x = z3.Int("x_")
        return [self.within(C), z3.ForAll([x], z3.Implies(self.within(x), self.within(F(x))))]


def judged(assumed, *formulas):
    """Returns `valid`, `invalid` or `unknown`: whether one of these conjunctions has a model."""
    answers = []
    for formula in formulas:
        solver = z3.Solver()
        solver.set("timeout", 2000)
        solver.add(*assumed, *formula)
        answers.append(str(solver.check()))
    if "sat" in answers:
        return "invalid"
    return "valid" if set(answers) == {"unsat"} else "unknown"


def header(kind):
    return (f"#lang ivy1.8\ntype n\ninterpret n -> {kind}\nindividual c:n\nrelation r(X:n)\n"
            "relation p(X:n,Y:n)\nfunction f(X:n):n\n")


def of_property(rng):
    formulas = Formulas(rng, rng.choice(KINDS))
    text, value = formulas.formula(rng.choice([2, 3, 4]), z3.Function("r0", INT, BOOL))
    program = header(formulas.kind) + f"property {text}\n"
    return program, [(["verify"], judged(formulas.assumed(), [z3.Not(value)]))]


def of_invariant(rng):
    formulas = Formulas(rng, rng.choice(KINDS))
    states = [z3.Function(f"r{at}", INT, BOOL) for at in range(3)]
    seed, guard_depth = rng.random(), rng.choice([0, 1, 1, 2])

    def drawn(depth, state, variables, salt):
        part = Formulas(random.Random(f"{seed} {salt}"), (formulas.kind, formulas.greatest))
        return part.formula(depth, states[state], variables)

    depth, is_added = rng.choice([1, 2, 3]), rng.random() < 0.6
    claim = [drawn(depth, at, (), "claim") for at in range(3)]
    guards = [drawn(guard_depth, at, ("x",), "guard") for at in range(2)]
    y, x = z3.Int("y_"), z3.Int("x")
    starts = z3.ForAll([y], z3.Not(states[0](y)))

    def step(at):
        own = z3.Int(f"x{at}")
        fit = [z3.substitute(guards[at][1], (x, own)), formulas.within(own)]
        changed = z3.If(y == own, z3.BoolVal(is_added), states[at](y))
        return [*fit, z3.ForAll([y], states[at + 1](y) == changed)]

    program = header(formulas.kind) + (
        "after init { r(X) := false }\n"
        f"action go(x:n) = {{ assume {guards[0][0]}; r(x) := {'true' if is_added else 'false'} }}\nexport go\n"
        f"invariant [claim] {claim[0][0]}\n")
    false = [z3.Not(value) for _, value in claim]
    assumed = formulas.assumed()
    inductive = judged(assumed, [starts, false[0]], [claim[0][1], *step(0), false[1]])
    bounded = judged(assumed, [starts, false[0]], [starts, *step(0), false[1]], [starts, *step(0), *step(1), false[2]])
    return program, [(["verify"], inductive), (["bmc", "--depth", "2"], bounded)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ramsey", default="target/release/ramsey")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    table, contradictions = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.ivy"
        for _ in range(args.count):
            program, questions = rng.choice([of_property, of_invariant])(rng)
            model.write_text(program)
            for command, wanted in questions:
                run = [args.ramsey, command[0], "--timeout", "5", *command[1:], str(model)]
                answer = subprocess.run(run, capture_output=True, text=True)
                verdict = {0: "proved", 1: "refuted", 3: "unknown"}.get(answer.returncode, "broken")
                table[command[0], verdict, wanted] += 1
                is_wrong = (verdict, wanted) in [("proved", "invalid"), ("refuted", "valid")] or verdict == "broken"
                contradictions += is_wrong
                if is_wrong or args.list and (verdict, wanted) == ("unknown", "invalid"):
                    print(f"{' '.join(command)}: {verdict}, Z3: {wanted}\n{program}{answer.stderr}")
    for (command, verdict, wanted), count in sorted(table.items()):
        print(f"{command:8} ramsey {verdict:8} z3 {wanted:8} {count}")
    print(f"{contradictions} contradictions")
    return 1 if contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
