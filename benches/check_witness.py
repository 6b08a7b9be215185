#!/usr/bin/env python3
"""Checks what `ramsey solve --export` writes of circuits, by the conditions of certifaiger.

usage: check_witness.py [--ramsey BINARY] [--certifaiger CHECK] CIRCUIT|DIR...

For each property that is safe there is a witness circuit. Its five conditions (reset, transition, property, base, step) are encoded as the
program certifaiger does (https://github.com/Froleyks/certifaiger), by the names in its symbol table, and asked of `ramsey solve`. With
--certifaiger, or CERTIFAIGER, the `check` script of that program is run as well. For each property that is violated the execution is
simulated. Prints how many properties were checked, and each condition that fails; exit code 1 if there is one.
"""
import os, subprocess, sys, tempfile
from pathlib import Path

from measured import arguments


class Circuit:
    """A circuit in the ASCII encoding, with inputs and latches numbered in their order."""

    def __init__(self, path):
        lines = path.read_text().splitlines()
        header = [int(word) for word in lines[0].split()[1:]] + [0, 0]
        self.size, inputs, latches, outputs, gates, bad, constraints = header[:7]
        rows = iter(lines[1:])
        take = lambda count: [[int(word) for word in next(rows).split()] for _ in range(count)]
        self.inputs = [row[0] for row in take(inputs)]
        self.latches = {row[0]: (row[1], row[2] if len(row) > 2 else 0) for row in take(latches)}
        outputs, bad = [row[0] for row in take(outputs)], [row[0] for row in take(bad)]
        self.bad = (bad or outputs)[0]
        self.constraints = [row[0] for row in take(constraints)]
        self.gates = take(gates)
        assert [*self.inputs, *self.latches] == [2 * it + 2 for it in range(inputs + latches)]
        self.symbols = dict(line.split(" ", 1) for line in rows if line[0] in "il")

    def shared(self):
        """The literals of the model that inputs and latches stand for."""
        places = [f"i{at}" for at in range(len(self.inputs))] + [f"l{at}" for at in range(len(self.latches))]
        names = zip([*self.inputs, *self.latches], places)
        return {own: int(self.symbols[place][2:]) for own, place in names if self.symbols.get(place, "").startswith("= ")}


class Formula:
    """Clauses over variables from 1; 1 is true."""

    def __init__(self):
        self.count, self.clauses = 1, [[1]]

    def new(self):
        self.count += 1
        return self.count

    def all(self, literals):
        made = self.new()
        self.clauses += [[-made, it] for it in literals] + [[made, *(-it for it in literals)]]
        return made

    def same(self, a, b):
        made = self.new()
        self.clauses += [[-made, -a, b], [-made, a, -b], [made, a, b], [made, -a, -b]]
        return made

    def state(self, circuit, known=()):
        """A function from the literals of a circuit to those of the formula, with new variables for what is not known."""
        values = {0: -1, **dict(known)}
        for literal in [*circuit.inputs, *circuit.latches]:
            if literal not in values:
                values[literal] = self.new()
        value = lambda literal: values[literal & ~1] * (-1 if literal & 1 else 1)
        for own, left, right in circuit.gates:
            values[own] = self.all([value(left), value(right)])
        return value

    def is_unsatisfiable(self, ramsey, literals):
        clauses = self.clauses + [[it] for it in literals]
        text = f"p cnf {self.count} {len(clauses)}\n" + "".join(" ".join(map(str, it)) + " 0\n" for it in clauses)
        run = subprocess.run([ramsey, "solve", "-q", "-", "--input", "dimacs"], input=text, capture_output=True, text=True)
        return run.returncode == 20


def conditions(model, witness):
    """Each condition with a formula, and literals that contradict each other if it holds."""
    shared = witness.shared()
    assert set(shared.values()) <= {*model.inputs, *model.latches}

    def pair(formula):
        of_model = formula.state(model)
        return of_model, formula.state(witness, {own: of_model(other) for own, other in shared.items()})

    def constrained(circuit, value):
        return [value(it) for it in circuit.constraints]

    def resets(formula, circuit, value, latches):
        return [formula.same(value(it), value(circuit.latches[it][1])) for it in latches if it in circuit.latches]

    def steps(formula, circuit, now, later, latches):
        return [formula.same(now(circuit.latches[it][0]), later(it)) for it in latches if it in circuit.latches]

    formula = Formula()
    m, w = pair(formula)
    goal = formula.all(resets(formula, witness, w, shared) + constrained(witness, w))
    yield "reset", formula, resets(formula, model, m, shared.values()) + constrained(model, m) + [-goal]

    formula = Formula()
    (m, w), (m_next, w_next) = pair(formula), pair(formula)
    goal = formula.all(steps(formula, witness, w, w_next, shared) + constrained(witness, w_next))
    known = steps(formula, model, m, m_next, shared.values()) + constrained(model, m) + constrained(model, m_next)
    yield "transition", formula, known + constrained(witness, w) + [-goal]

    formula = Formula()
    m, w = pair(formula)
    yield "property", formula, constrained(model, m) + constrained(witness, w) + [m(model.bad), -w(witness.bad)]

    formula = Formula()
    w = formula.state(witness)
    yield "base", formula, resets(formula, witness, w, witness.latches) + constrained(witness, w) + [w(witness.bad)]

    formula = Formula()
    w, w_next = formula.state(witness), formula.state(witness)
    known = steps(formula, witness, w, w_next, witness.latches) + constrained(witness, w) + constrained(witness, w_next)
    yield "step", formula, known + [-w(witness.bad), w_next(witness.bad)]


def is_execution(model, path):
    """Whether the lines of an execution lead from an initial state to a bad one."""
    lines = path.read_text().splitlines()
    if lines[:2] != ["1", "b0"] or lines[-1] != ".":
        return False
    state = dict(zip(model.latches, map(int, lines[2])))
    if any(reset != latch and state[latch] != reset for latch, (_, reset) in model.latches.items()):
        return False
    for line in lines[3:-1]:
        values = {0: 0, **state, **dict(zip(model.inputs, map(int, line)))}
        value = lambda literal: values[literal & ~1] ^ (literal & 1)
        for own, left, right in model.gates:
            values[own] = value(left) & value(right)
        if not all(map(value, model.constraints)):
            return False
        is_bad = value(model.bad)
        state = {latch: value(after) for latch, (after, _) in model.latches.items()}
    return is_bad == 1


def main():
    args = arguments(__doc__, timeout=60)
    args.add_argument("--certifaiger", default=os.environ.get("CERTIFAIGER"), metavar="CHECK")
    args.add_argument("paths", nargs="+", type=Path)
    options = args.parse_args()
    if not options.certifaiger:
        print("skipped: certifaiger itself (--certifaiger or CERTIFAIGER)")
    inputs = [file for path in options.paths for file in (sorted(path.rglob("*.a[ia]g")) if path.is_dir() else [path])]
    safe, violated, bad = 0, 0, 0
    for path in inputs:
        with tempfile.TemporaryDirectory() as folder:
            command = [options.ramsey, "solve", "-q", "--timeout", str(options.timeout), "--export", folder, str(path)]
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for witness in sorted(Path(folder).rglob("*.witness.aag")):
                model = witness.with_name(witness.name.replace(".witness", ""))
                safe += 1
                failed = [name for name, formula, literals in conditions(Circuit(model), Circuit(witness))
                          if not formula.is_unsatisfiable(options.ramsey, literals)]
                if options.certifaiger and subprocess.run([options.certifaiger, model, witness], capture_output=True).returncode:
                    failed.append("certifaiger")
                for name in failed:
                    print(f"{path}: {witness.name}: {name} FAILS")
                bad += len(failed)
            for execution in sorted(Path(folder).rglob("*.stim")):
                violated += 1
                if not is_execution(Circuit(execution.with_suffix(".aag")), execution):
                    print(f"{path}: {execution.name}: NO EXECUTION")
                    bad += 1
    print(f"{safe} witness circuits and {violated} executions, {bad} failures")
    return 1 if bad or safe + violated == 0 else 0


sys.exit(main())
