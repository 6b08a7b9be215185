#!/usr/bin/env python3
"""Lets independent checkers read what `ramsey verify --export` writes.

usage: check_exports.py [--ramsey BINARY] MODEL|DIR...

For each proved obligation: Z3 and cvc5 (Python modules z3 and cvc5, where installed) have to find the ground
instances (QF_UF) unsatisfiable, and each of cake_lpr and lrat-check that is on the PATH has to accept the LRAT
proof of the clauses. Prints how many files each has read, and every disagreement; exit code 1 if there is one.
"""
import importlib.util, shutil, subprocess, sys, tempfile
from pathlib import Path

from measured import arguments


def by_z3(path):
    import z3

    solver = z3.SimpleSolver()
    solver.from_file(str(path))
    return str(solver.check()) == "unsat"


def by_cvc5(path):
    import cvc5

    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, str(path))
    symbols, answer = parser.getSymbolManager(), ""
    while not (command := parser.nextCommand()).isNull():
        answer += str(command.invoke(solver, symbols))
    return answer.strip() == "unsat"


def by_lrat(program, path):
    command = [program, str(path), str(path.with_suffix(".lrat"))]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    # lrat-check says `c NOT VERIFIED` of a bad step and goes on, perhaps to `c VERIFIED`.
    accepted = any(line.startswith(("c VERIFIED", "s VERIFIED")) for line in output.splitlines())
    return accepted and "NOT VERIFIED" not in output


def main():
    args = arguments(__doc__)
    args.add_argument("models", nargs="+")
    options = args.parse_args()
    checkers = []
    for module, check in (("z3", by_z3), ("cvc5", by_cvc5)):
        if importlib.util.find_spec(module):
            checkers.append((module, "*.smt2", check))
        else:
            print(f"skipped: no Python module {module}")
    for program in ("cake_lpr", "lrat-check"):
        if found := shutil.which(program):
            checkers.append((program, "*.cnf", lambda path, found=found: by_lrat(found, path)))
        else:
            print(f"skipped: no {program} on the PATH")
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([options.ramsey, "verify", "-q", "--all", "--export", folder, *options.models],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for name, pattern, check in checkers:
            files = sorted(Path(folder).rglob(pattern))
            wrong = [path for path in files if not check(path)]
            print(f"{name}: {len(files) - len(wrong)} of {len(files)} agree")
            for path in wrong:
                print("   DISAGREES", path.relative_to(folder))
            bad += len(wrong)
    return 1 if bad or not checkers else 0


sys.exit(main())
