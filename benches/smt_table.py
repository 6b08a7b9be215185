#!/usr/bin/env python3
"""Standalone SMT-LIB queries and incremental scripts: ramsey beside Z3 and cvc5, all in process, one after the other for each
file, in CPU seconds (reading and solving).

usage: smt_table.py [--incremental] [--timeout SECONDS] [--memory] FILE_OR_FOLDER...
needs: pip install z3-solver cvc5 (without cvc5 its column is left out); `cargo` builds what is measured

Standalone files are timed with Z3's `Solver` and its `SimpleSolver`, whichever is faster, each the better of two runs. With
--incremental, whole scripts with push and pop run through Z3's own interpreter. Every answer is compared with the other
solvers' and with `expected.tsv` beside the files, or the comments `; expected: ..` in a script.
Exit code 1 if there is a disagreement, or something that ramsey does not answer.
"""
import argparse, json, math, os, re, resource, subprocess, sys, time

import z3

try:
    import cvc5
except ImportError:
    cvc5 = None


def ramsey_bench():
    """The path of the built benchmark program."""
    command = ["cargo", "bench", "--bench", "smt", "--no-run", "--message-format", "json"]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    messages = [json.loads(line) for line in lines if line.startswith("{")]
    return next(m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == "smt")


def z3_once(path, make, timeout):
    start = time.process_time()
    assertions = z3.parse_smt2_file(path)
    solver = make()
    solver.set("timeout", timeout)
    solver.add(assertions)
    answer = solver.check()
    return str(answer), time.process_time() - start


def z3_standalone(path, timeout):
    results = [z3_once(path, make, timeout) for make in (z3.Solver, z3.SimpleSolver) for _ in range(2)]
    decided = [result for result in results if result[0] != "unknown"]
    return min(decided or results, key=lambda result: result[1])


def z3_script(path, timeout):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    z3.set_param("timeout", timeout)
    context = z3.Context()
    start = time.process_time()
    output = z3.Z3_eval_smtlib2_string(context.ref(), text)
    return " ".join(re.findall(r"^(?:sat|unsat|unknown)$", output, re.M)), time.process_time() - start


def cvc5_script(path, timeout):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    start = time.process_time()
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(timeout))
    if "(push" in text:
        solver.setOption("incremental", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, path)
    symbols, output = parser.getSymbolManager(), []
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        output.append(command.invoke(solver, symbols))
    return " ".join(" ".join(output).split()), time.process_time() - start


def expected_answers(path, incremental):
    if incremental:
        with open(path, encoding="utf-8") as file:
            return re.findall(r"^; *expected:? *(sat|unsat)\b", file.read(), re.M)
    table = os.path.join(os.path.dirname(path), "expected.tsv")
    if not os.path.exists(table):
        return []
    with open(table, encoding="utf-8") as file:
        rows = dict(line.rstrip("\n").split("\t")[:2] for line in file)
    return re.findall(r"^(?:sat|unsat)", rows.get(os.path.basename(path), ""))


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def agree(ours, theirs):
    """Whether no answer contradicts another; `unknown` contradicts nothing."""
    ours, theirs = ours.split(), theirs.split()
    return all(a == b or "unknown" in (a, b) for a, b in zip(ours, theirs))


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--incremental", action="store_true")
    args.add_argument("--timeout", type=float, default=30.0, metavar="SECONDS")
    args.add_argument("--bench", help="the benchmark program, if it is built already")
    args.add_argument("--no-cvc5", action="store_true")
    args.add_argument("paths", nargs="+")
    options = args.parse_args()
    files = []
    for path in options.paths:
        if os.path.isdir(path):
            files += sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(".smt2"))
        else:
            files.append(path)
    timeout = int(options.timeout * 1000)
    bench = subprocess.Popen([options.bench or ramsey_bench()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with_cvc5 = cvc5 is not None and not options.no_cvc5
    print("file", "answer", "ramsey_s", "z3_s", "cvc5_s", "z3/ramsey", sep="\t")
    against_z3, against_cvc5, slower, wrong = [], [], [], []
    for path in files:
        bench.stdin.write(os.path.abspath(path) + "\n")
        bench.stdin.flush()
        ours, seconds = bench.stdout.readline().rstrip("\n").split("\t")
        seconds = max(float(seconds), 1e-6)
        theirs, z3_seconds = (z3_script if options.incremental else z3_standalone)(path, timeout)
        known = [theirs] + [" ".join(expected_answers(path, options.incremental))]
        cvc5_text = "-"
        if with_cvc5:
            other, cvc5_seconds = cvc5_script(path, timeout)
            known.append(other)
            cvc5_text = f"{cvc5_seconds:.5f}"
            against_cvc5.append(cvc5_seconds / seconds)
        if "unknown" in ours or "error" in ours or not all(agree(ours, other) for other in known):
            wrong.append((path, ours, known))
        ratio = z3_seconds / seconds
        against_z3.append(ratio)
        if ratio < 1:
            slower.append((path, ratio))
        shown = ours if len(ours) < 10 else f"{len(ours.split())} answers"
        print(os.path.basename(path), shown, f"{seconds:.6f}", f"{z3_seconds:.5f}", cvc5_text, f"{ratio:.1f}", sep="\t", flush=True)
    bench.stdin.close()
    bench.wait()
    print(f"# {len(files)} files; z3 / ramsey in the geometric mean: {geometric_mean(against_z3):.1f}")
    if with_cvc5:
        print(f"# cvc5 / ramsey in the geometric mean: {geometric_mean(against_cvc5):.1f}")
    print(f"# slower than z3 on {len(slower)}:", *(f"{os.path.basename(path)} ({ratio:.2f})" for path, ratio in sorted(slower, key=lambda it: it[1])[:20]))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"# largest memory: ramsey {memory // 1024} MB, this process with the other solvers {own // 1024} MB")
    for path, ours, known in wrong:
        print(f"# not as it should be: {path}: {ours[:200]} | {' | '.join(text[:200] for text in known)}")
    return 1 if wrong else 0


sys.exit(main())
