#!/usr/bin/env python3
"""CPU time of `ramsey bmc` on a corpus of .pyv models, against recorded times of mypyvy.

usage: bmc_table.py [--ramsey BINARY] [--corpus DIR] [--runs N] [--timeout S] [--all DEPTH | --bare DEPTH,.. [--goal DEPTH:S,..] [MODEL..]]

The corpus directory holds the models and mypyvy_bmc.tsv (command, verdict, CPU seconds of the mypyvy process, CPU seconds
inside Z3, ...). Each recorded command is run as a whole process; the CPU time is user + system of the fastest of N
runs. A verdict that differs from the recorded one is shown; for --relax it is no error, since the recorded ones are not
reliable there. With --all, every model of the corpus is run to that depth instead, without comparison. With --bare, the
models (those of the corpus in .pyv if none is given) are stripped of the invariants that are no safety properties, and run to each of these depths; of a
.ivy model, which tells no safety properties apart, the first invariant is kept. With --goal, the models are listed that have an
answer for the first depth, and none within these CPU seconds for another one.
"""
import csv, re, sys, tempfile
from pathlib import Path

from measured import ROOT, arguments, fastest, geometric_mean

VERDICTS = {0: "no violation", 1: "violation", 2: "not read", 3: "unknown", None: "timeout"}


def main():
    args = arguments(__doc__, corpus=ROOT / "../shared/corpus", runs=3, timeout=60.0)
    args.add_argument("--all", type=int, metavar="DEPTH")
    args.add_argument("--bare", metavar="DEPTH,..")
    args.add_argument("--goal", metavar="DEPTH:S,..", default="")
    args.add_argument("models", nargs="*")
    options = args.parse_args()
    corpus = Path(options.corpus) / "pyv"
    if options.all is not None:
        return every_model(options, corpus)
    if options.bare is not None:
        return bare(options, [Path(model) for model in options.models] or sorted(corpus.glob("*.pyv")))
    with open(corpus / "mypyvy_bmc.tsv") as file:
        peers = list(csv.DictReader(file, delimiter="\t"))
    ratios, slower, errors = [], [], 0
    print(f"{'command':52} {'verdict':13} {'CPU ms':>8} {'z3 ms':>8} {'mypyvy ms':>10} {'/mypyvy':>8}")
    for peer in peers:
        words = peer["command"].split()
        command = [options.ramsey, "bmc", *words[1:-1], str(corpus / words[-1])]
        code, cpu, _ = fastest(command, options.runs, options.timeout)
        cpu, mypyvy = max(cpu, 1e-4), float(peer["cpu_s"])
        verdict = VERDICTS.get(code, f"code {code}")
        ratios.append(mypyvy / cpu)
        if cpu > mypyvy:
            slower.append(peer["command"])
        print(f"{peer['command']:52} {verdict:13} {cpu * 1e3:8.1f} {float(peer['z3_cpu_s']) * 1e3:8.1f} "
              f"{mypyvy * 1e3:10.1f} {mypyvy / cpu:8.1f}", flush=True)
        if verdict != peer["verdict"]:
            is_error = "--relax" not in words
            errors += is_error
            print(f"   {'WRONG' if is_error else 'other'}: recorded is {peer['verdict']}")
    print(f"\ngeometric mean: {geometric_mean(ratios):.1f}x less CPU than mypyvy; {errors} wrong verdicts")
    if slower:
        print("slower than mypyvy:", ", ".join(slower))
    return 1 if errors or slower else 0


def every_model(options, corpus):
    for model in sorted(corpus.glob("*.pyv")):
        command = [options.ramsey, "bmc", f"--depth={options.all}", str(model)]
        code, cpu, memory = fastest(command, options.runs, options.timeout)
        print(f"{model.name:44} {VERDICTS.get(code, f'code {code}'):13} {cpu * 1e3:9.1f} ms {memory:6.1f} MB", flush=True)
    return 0


# What begins a line that belongs to no invariant above it, by language.
NEXT = {
    ".pyv": r"[a-z@#}]",
    ".rml": r"[a-z#{}]",
    ".ivy": r"\S",
}


def stripped(text, language):
    """The model without the invariants that are no safety properties."""
    lines, is_dropped, is_first = [], False, True
    for line in text.split("\n"):
        if re.match(NEXT[language], line):
            is_claim = re.match(r"(invariant|conjecture)\b", line)
            is_dropped = bool(is_claim) and not (language == ".ivy" and is_first)
            is_first = is_first and not is_claim
        if not is_dropped:
            lines.append(line)
    return "\n".join(lines)


def bare(options, models):
    depths = options.bare.split(",")
    goal = [(depth, float(seconds)) for depth, _, seconds in (it.partition(":") for it in options.goal.split(",") if it)]
    missed = {depth: [] for depth, _ in goal}
    print(f"{'model':50} " + " ".join(f"{'depth ' + depth:>16}" for depth in depths))
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            path = Path(folder) / model.name
            path.write_text(stripped(model.read_text(), model.suffix))
            cells, answers = [], {}
            for depth in depths:
                code, cpu, _ = fastest([options.ramsey, "bmc", f"--depth={depth}", str(path)], options.runs, options.timeout)
                answers[depth] = (code, cpu)
                word = {0: "", 1: " violated", 3: " unknown", None: " timeout"}.get(code, f" code {code}")
                cells.append(f"{cpu:.2f} s{word}")
                if code not in (0, 3):
                    break
            print(f"{model.name:50} " + " ".join(f"{cell:>16}" for cell in cells), flush=True)
            # A violation is the answer for longer executions as well.
            is_violated = any(code == 1 for code, _ in answers.values())
            is_asked = answers[depths[0]][0] in (0, 1)
            for depth, seconds in goal:
                code, cpu = answers.get(depth, (1, 0.0) if is_violated else (None, 0.0))
                if is_asked and (code not in (0, 1) or cpu > seconds):
                    missed[depth].append(model.name)
    for depth, seconds in goal:
        print(f"\nno answer within {seconds:g} s for depth {depth}: {len(missed[depth])}: {', '.join(missed[depth])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
