#!/usr/bin/env python3
"""CPU time of `ramsey bmc`, and of Z3 on the same executions, side by side.

usage: bmc_peer.py [--ramsey BINARY] [--timeout S] [--depths 3,10] [--whole] MODEL|DIR...

Z3 (the Python module z3) reads the closed form of the model (`ramsey core`), and is asked for each length from 0 on whether
an execution of so many steps ends in a violation, as mypyvy asks it. Its time is that of its answers for all lengths; that of
Python is left out. The time of Ramsey is that of the whole process. Models are stripped of the invariants that are no safety
properties, as `bmc_table.py --bare` does it; not with --whole. A row has the CPU seconds of both for each depth, `-` where the
limit was reached; rows where both take less than 0.1 s at all depths are left out. Exit code 1 if a verdict differs, or Ramsey is
slower at a depth that both reach, by more than a twentieth of a second.
"""
import multiprocessing, resource, sys, tempfile
from pathlib import Path

from bmc_table import stripped
from measured import arguments, geometric_mean, run


class Closed:
    """A closed system (spec/core.md), as formulas of Z3 about the states of executions."""

    def __init__(self, text):
        import z3

        self.z3, self.sorts, self.functions, self.relations = z3, [], [], []
        self.rigid, self.state, self.initial, self.transitions, self.claims = [], [], [], [], []
        formulas = {"init": (self.initial, 2), "transition": (self.transitions, 2)}
        formulas |= {"invariant": (self.claims, 2), "assertion": (self.claims, 2)}
        for line in text.splitlines()[1:-1]:
            kind, *words = line.split(" ")
            if kind == "sort":
                self.sorts.append(z3.DeclareSort(words[1]))
            elif kind in ("function", "relation"):
                # The sorts of the arguments and, of a function, of the value.
                sorts = [self.sorts[int(it)] for it in words[4:]] + [z3.BoolSort()] * (kind == "relation")
                (self.functions if kind == "function" else self.relations).append((words[1], sorts))
            elif kind == "axiom":
                (self.rigid if words[0] == "rigid" else self.state).append(words[2:])
            elif kind in formulas:
                to, start = formulas[kind]
                to.append(words[start - 1:])
            elif kind == "initial":
                raise ValueError("claims before the first state")

    def at(self, words, state):
        """The formula, with the first of its states at this place of an execution."""
        position, depth = 0, 0

        def term(bound):
            nonlocal position, depth
            z3, word = self.z3, words[position]
            position += 1

            def number():
                nonlocal position
                position += 1
                return int(words[position - 1])

            if word == "V":
                return bound[-1 - number()]
            if word in "AR":
                step, (name, sorts), count = number(), (self.functions if word == "A" else self.relations)[number()], number()
                place = "" if step == 0 else f"@{state + step - 1}"
                return z3.Function(name + place, *sorts)(*[term(bound) for _ in range(count)])
            if word == "E":
                position += 1
                return term(bound) == term(bound)
            if word == "~":
                return z3.Not(term(bound))
            if word in "&|":
                parts = [term(bound) for _ in range(number())]
                return (z3.And if word == "&" else z3.Or)(parts) if parts else z3.BoolVal(word == "&")
            if word in ">=":
                left, right = term(bound), term(bound)
                return z3.Implies(left, right) if word == ">" else left == right
            depth += 1
            variable = z3.Const(f"V{depth}", self.sorts[number()])
            body = term([*bound, variable])
            return (z3.ForAll if word == "!" else z3.Exists)([variable], body)

        return term([])

    def questions(self, depth):
        """What each length up to the depth has to be searched for: formulas that only a violation satisfies."""
        z3 = self.z3
        execution = [self.at(it, 0) for it in self.rigid + self.state + self.initial]
        for length in range(depth + 1):
            yield [*execution, z3.Not(z3.And([self.at(it, length) for it in self.claims]))]
            execution.append(z3.Or([self.at(it, length) for it in self.transitions]))
            execution.extend(self.at(it, length + 1) for it in self.state)


def by_z3(text, depths, limit, answers):
    """Sends an answer and CPU time for each depth that is reached within the limit."""
    import z3

    sys.setrecursionlimit(100_000)
    resource.setrlimit(resource.RLIMIT_CPU, (int(10 * limit), int(10 * limit)))
    spent = 0.0
    for length, question in enumerate(Closed(text).questions(max(depths))):
        solver = z3.Solver()
        solver.set("timeout", max(1, int(3000 * (limit - spent))))
        solver.add(question)
        begin = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        answer = str(solver.check())
        spent += resource.getrusage(resource.RUSAGE_SELF).ru_utime - begin
        if answer == "unknown" or spent > limit:
            return
        if length in depths or answer == "sat":
            for depth in depths if answer == "sat" else [length]:
                if depth >= length:
                    answers.put((depth, answer == "sat", spent))
        if answer == "sat":
            return


def peer(text, depths, limit):
    """For each depth that Z3 reaches: whether there is a violation, and CPU seconds."""
    answers = multiprocessing.Queue()
    child = multiprocessing.Process(target=by_z3, args=(text, depths, limit, answers))
    child.start()
    child.join(20 * limit)
    child.kill()
    child.join()
    found = {}
    while not answers.empty():
        depth, violated, cpu = answers.get()
        found[depth] = (violated, cpu)
    return found


def main():
    args = arguments(__doc__, timeout=10.0)
    args.add_argument("--depths", default="3,10")
    args.add_argument("--whole", action="store_true")
    args.add_argument("models", nargs="+")
    options = args.parse_args()
    depths = [int(depth) for depth in options.depths.split(",")]
    models = []
    for given in map(Path, options.models):
        found = [it for it in sorted(given.rglob("*")) if it.suffix in (".pyv", ".rml", ".ivy")]
        models += found if given.is_dir() else [given]
    ratios, slower, wrong, reached = [], [], 0, {depth: [0, 0] for depth in depths}
    print("| model |", " | ".join(f"{depth}: Ramsey | Z3" for depth in depths), "|")
    print("|---|" + "---:|---:|" * len(depths))
    with tempfile.TemporaryDirectory() as folder:
        for path in models:
            model = Path(folder) / path.name
            model.write_text(path.read_text() if options.whole else stripped(path.read_text(), path.suffix))
            code, text, _, _ = run([options.ramsey, "core", str(model)], options.timeout)
            if code != 0:
                continue
            theirs, row, is_shown = peer(text, depths, options.timeout), [], False
            for depth in depths:
                code, _, ours, _ = run([options.ramsey, "bmc", "--depth", str(depth), str(model)], options.timeout)
                verdict = {0: False, 1: True}.get(code)
                other, cpu = theirs.get(depth, (None, options.timeout))
                reached[depth][0] += verdict is not None
                reached[depth][1] += other is not None
                if None not in (verdict, other):
                    ratios.append(cpu / max(ours, 1e-3))
                    if verdict != other:
                        wrong += 1
                        row.append("WRONG")
                if other is not None and (verdict is None or ours > cpu + 0.05):
                    slower.append(f"{path.name} at {depth}")
                is_shown |= max(ours, cpu) >= 0.1
                row += [f"{ours:.2f}" if verdict is not None else "-", f"{cpu:.2f}" if other is not None else "-"]
            if is_shown:
                print(f"| {path.name} |", " | ".join(row), "|", flush=True)
    for depth, (ours, theirs) in reached.items():
        print(f"\ndepth {depth}: {ours} answers of Ramsey, {theirs} of Z3, of {len(models)} models", end="")
    print(f"\ngeometric mean: {geometric_mean(ratios):.1f}x less CPU than Z3; {wrong} verdicts differ")
    if slower:
        print("slower than Z3:", ", ".join(slower))
    return 1 if wrong or slower else 0


if __name__ == "__main__":
    sys.exit(main())
