#!/usr/bin/env python3
"""How the cost of questions grows with their size: families of problems, sessions and models, with CPU seconds for each size and the
exponent that fits the last three.

usage: families.py [--ramsey BINARY] [--timeout SECONDS] [--z3] [FAMILY...]

--z3 asks Z3 for the same problems and sessions (needs `pip install z3-solver`): its `Solver` or `SimpleSolver`, whichever is
faster, and its interpreter of scripts. Exit code 1 where an answer is not that of the family, or is missing within the time.
"""
import math, subprocess, sys, tempfile
from pathlib import Path

from measured import arguments, run

Z3 = """
import sys, time, z3
path, is_session = sys.argv[1], sys.argv[2] == "session"
def timed(work):
    start = time.process_time()
    work()
    return time.process_time() - start
def problem(solver):
    solver.from_file(path)
    return solver.check()
if is_session:
    context = z3.Context()  # has to outlive the call
    print(timed(lambda: z3.Z3_eval_smtlib2_string(context.ref(), open(path).read())))
else:
    print(min(timed(lambda: problem(make())) for make in (z3.Solver, z3.SimpleSolver)))
"""


def script(lines):
    return "\n".join(["(set-logic UF)", "(declare-sort S 0)", *lines, ""])


def constants(name, count):
    return [f"(declare-const {name}{at} S)" for at in range(count)]


def detours(size):
    """A chain of equal elements, each equal to the next by one of two ways: 2^size ways to the end."""
    links = [f"(assert (or (and (= x{at} y{at}) (= y{at} x{at + 1})) (and (= x{at} z{at}) (= z{at} x{at + 1}))))"
             for at in range(size)]
    names = constants("x", size + 1) + constants("y", size) + constants("z", size)
    return script([*names, *links, f"(assert (not (= x0 x{size})))", "(check-sat)"])


def updates(size):
    """Two functions that are updated at the same places, in two orders."""
    def nested(places):
        term = "(f x)"
        for at in places:
            term = f"(ite (= x k{at}) v{at} {term})"
        return term
    places = range(size)
    return script([*constants("k", size), *constants("v", size),
                   *(f"(declare-fun {name} (S) S)" for name in "fgh"),
                   f"(assert (distinct {' '.join(f'k{at}' for at in places)}))",
                   f"(assert (forall ((x S)) (= (g x) {nested(places)})))",
                   f"(assert (forall ((x S)) (= (h x) {nested(reversed(places))})))",
                   "(assert (exists ((x S)) (not (= (g x) (h x)))))", "(check-sat)"])


def circle(size):
    """Elements of a total order in a circle: all of them are equal."""
    order = ["(forall ((x S)) (le x x))", "(forall ((x S) (y S)) (or (le x y) (le y x)))",
             "(forall ((x S) (y S) (z S)) (=> (and (le x y) (le y z)) (le x z)))",
             "(forall ((x S) (y S)) (=> (and (le x y) (le y x)) (= x y)))"]
    steps = [f"(le c{at} c{(at + 1) % size})" for at in range(size)]
    return script(["(declare-fun le (S S) Bool)", *constants("c", size),
                   *(f"(assert {it})" for it in order + steps),
                   f"(assert (not (= c0 c{size // 2})))", "(check-sat)"])


def transitions(size):
    """One step of a protocol with that many transitions, each with a relation of its own, and the claim that is preserved."""
    names = [f"(declare-fun {name}{at} (S) Bool)" for at in range(size) for name in ("p", "q", "pn", "qn")]
    def step(at):
        frames = " ".join(f"(forall ((y S)) (and (= (pn{it} y) (p{it} y)) (= (qn{it} y) (q{it} y))))"
                          for it in range(size) if it != at)
        return (f"(exists ((x S)) (and (not (p{at} x)) (forall ((y S)) (= (qn{at} y) (or (q{at} y) (= y x)))) "
                f"(forall ((y S)) (= (pn{at} y) (p{at} y))) {frames}))")
    steps = " ".join(step(at) for at in range(size))
    before = [f"(assert (forall ((x S)) (not (and (p{at} x) (q{at} x)))))" for at in range(size)]
    after = " ".join(f"(exists ((x S)) (and (pn{at} x) (qn{at} x)))" for at in range(size))
    return script([*names, *before, f"(assert (or {steps}))", f"(assert (or {after}))", "(check-sat)"])


def sorts(size):
    """A property that elements of one sort hand on to elements of the next, of which each has one."""
    names = [f"(declare-sort S{at} 0)(declare-fun p{at} (S{at}) Bool)" for at in range(size + 1)]
    links = [f"(declare-fun e{at} (S{at} S{at + 1}) Bool)"
             f"(assert (forall ((x S{at})) (exists ((y S{at + 1})) (e{at} x y))))"
             f"(assert (forall ((x S{at}) (y S{at + 1})) (=> (and (p{at} x) (e{at} x y)) (p{at + 1} y))))" for at in range(size)]
    return script([*names, *links, "(declare-const c S0)(assert (p0 c))",
                   f"(assert (forall ((x S{size})) (not (p{size} x))))", "(check-sat)"])


def arguments_of_one(size):
    """A relation of many arguments, closed under rotation, with one tuple that is true and one that is not."""
    names = [f"x{at}" for at in range(size)]
    bound = " ".join(f"({name} S)" for name in names)
    rotated = " ".join(names[1:] + names[:1])
    return script([f"(declare-fun r ({'S ' * size}) Bool)", *constants("c", 4), "(assert (distinct c0 c1 c2 c3))",
                   f"(assert (forall ({bound}) (=> (r {' '.join(names)}) (r {rotated}))))",
                   f"(assert (r {' '.join(f'c{at % 4}' for at in range(size))}))",
                   f"(assert (not (r {'c0 ' * size})))", "(check-sat)"])


def growing_relation(size):
    """A session in which a relation gets a tuple before each check."""
    steps = [f"(declare-const c{at} S)(assert (r c{at - 1} c{at}))(check-sat)" for at in range(1, size + 1)]
    return script(["(declare-fun r (S S) Bool)(declare-const c0 S)",
                   "(assert (forall ((x S) (y S)) (=> (r x y) (not (r y x)))))", *steps])


def growing_vocabulary(size):
    """A session with one more predicate, implied by the last, before each check."""
    steps = [f"(declare-fun p{at} (S) Bool)(assert (forall ((x S)) (=> (p{at - 1} x) (p{at} x))))(check-sat)"
             for at in range(1, size + 1)]
    return script(["(declare-fun p0 (S) Bool)(declare-const c S)(assert (p0 c))", *steps])


def path(size):
    """A transition that needs a path of that many nodes; its claim fails."""
    nodes = [f"N{at}" for at in range(size)]
    differ = [f"{a} != {b}" for at, a in enumerate(nodes) for b in nodes[at + 1:]]
    edges = [f"e({a}, {b})" for a, b in zip(nodes, nodes[1:])]
    return ("sort node\nimmutable relation e(node, node)\nmutable relation bad\ninit !bad\ntransition go()\n  modifies bad\n"
            f"  & (exists {', '.join(nodes)}. {' & '.join(differ + edges)})\n  & new(bad)\nsafety !bad\n")


def stages(size):
    """Elements go from stage to stage, and are in no two of them: an invariant for each pair of stages."""
    lines = ["sort s", *(f"mutable relation r{at}(s)" for at in range(size)), *(f"init !r{at}(X)" for at in range(size))]
    nowhere = " & ".join(f"!r{at}(x)" for at in range(size))
    lines.append(f"transition enter(x: s)\n  modifies r0\n  & {nowhere} & (new(r0(X)) <-> r0(X) | X = x)")
    lines += [f"transition t{at}(x: s)\n  modifies r{at - 1}, r{at}\n  & r{at - 1}(x) & (new(r{at - 1}(X)) <-> r{at - 1}(X) & X != x)"
              f" & (new(r{at}(X)) <-> r{at}(X) | X = x)" for at in range(1, size)]
    lines += [f"invariant !(r{a}(X) & r{b}(X))" for a in range(size) for b in range(a + 1, size)]
    return "\n".join(lines) + "\n"


def row(size):
    """Relations in a row, each with a transition that adds to it what the one before has, and the claim that it has no more."""
    lines = ["sort s", *(f"mutable relation r{at}(s)\ninit !r{at}(X)" for at in range(size))]
    for at in range(size):
        guard = f"r{at - 1}(x) & " if at else ""
        lines.append(f"transition t{at}(x: s)\n  modifies r{at}\n  {guard}(new(r{at}(X)) <-> r{at}(X) | X = x)")
    lines += [f"invariant r{at}(X) -> r{at - 1}(X)" for at in range(1, size)]
    return "\n".join(lines) + "\n"


# By family: what it is, how often each answer has to come, and sizes.
FAMILIES = {
    detours: ("problem", "unsat", [20, 80, 320, 1280]),
    updates: ("problem", "unsat", [20, 40, 80, 160]),
    circle: ("problem", "unsat", [20, 40, 80, 160]),
    transitions: ("problem", "unsat", [10, 20, 40, 80]),
    sorts: ("problem", "unsat", [100, 200, 400, 800]),
    arguments_of_one: ("problem", "sat", [4, 8, 12, 16]),
    growing_relation: ("session", "sat", [150, 300, 600, 1200]),
    growing_vocabulary: ("session", "sat", [300, 600, 1200, 2400]),
    path: ("model", 1, [4, 8, 10, 12]),
    stages: ("model", 0, [12, 24, 48, 96]),
    row: ("model", 0, [40, 80, 160, 320]),
}


def is_right(kind, expected, size, code, text):
    if kind == "model":
        return code == expected
    answers = [line for line in text.split() if line in ("sat", "unsat", "unknown")]
    return code == 0 and answers == [expected] * (size if kind == "session" else 1)


def exponent(points):
    """The slope through the last points in a plane of logarithms."""
    points = [(math.log(size), math.log(cpu)) for size, cpu in points if cpu > 0.02][-3:]
    if len(points) < 2:
        return "-"
    (x, y) = (sum(column) / len(points) for column in zip(*points))
    return f"{sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points):.1f}"


def z3(file, kind, timeout):
    try:
        done = subprocess.run([sys.executable, "-c", Z3, str(file), kind], capture_output=True, text=True, timeout=2 * timeout)
        return float(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return None


def main():
    parser = arguments(__doc__, timeout=20.0)
    parser.add_argument("--z3", action="store_true")
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    options = parser.parse_args()
    known = {family.__name__: family for family in FAMILIES}
    unknown = [name for name in options.families if name not in known]
    if unknown:
        parser.error(f"no family {unknown[0]}; there are {', '.join(known)}")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for family in [known[name] for name in options.families] or FAMILIES:
            kind, expected, sizes = FAMILIES[family]
            print(f"{family.__name__}: {family.__doc__}")
            ours, theirs = [], []
            for size in sizes:
                file = Path(folder) / ("m.pyv" if kind == "model" else "m.smt2")
                file.write_text(family(size))
                command = [options.ramsey, "verify" if kind == "model" else "solve", *(["-j1"] if kind == "model" else []), str(file)]
                code, text, cpu, memory = run(command, options.timeout)
                row = f"  {size:5} {cpu:8.3f} s {memory:5.0f} MB"
                if is_right(kind, expected, size, code, text):
                    ours.append((size, cpu))
                else:
                    wrong += 1
                    row += "  late" if code is None else f"  wrong: exit code {code}"
                if options.z3 and kind != "model" and (cpu := z3(file, kind, options.timeout)) is not None:
                    theirs.append((size, cpu))
                    row += f"   Z3 {cpu:8.3f} s"
                print(row, flush=True)
            print(f"  exponent {exponent(ours)}" + (f"   Z3 {exponent(theirs)}" if theirs else ""))
    return 1 if wrong else 0


sys.exit(main())
