#!/usr/bin/env python3
"""CPU time and peak memory of `ramsey verify` on a corpus of .pyv models, against recorded times of mypyvy and Z3,
with every verdict compared to the expected one.

usage: pyv_table.py [--ramsey BINARY] [--corpus DIR] [--runs N] [--timeout S] [MODEL...]

The corpus directory holds the models, expected.tsv (model, action, invariant, expected, ...) and models.tsv (model,
verdict, CPU seconds of the mypyvy process, CPU seconds inside Z3, ...). Each model is run on one thread, as a
whole process; the CPU time is user + system of the fastest of N runs. `/z3` is how many times less CPU than Z3 alone
(where Z3 needed under 5 ms, 5 ms is taken), `/mypyvy` the same for the whole process.
"""
import csv, json, sys
from pathlib import Path

from measured import ROOT, arguments, fastest, geometric_mean, run


def wrong_verdicts(document, expected):
    """Obligations that were answered otherwise than expected; and how many were compared."""
    answers = {}
    for file in document["files"]:
        for obligation in file["obligations"]:
            if obligation["kind"] == "theorem":
                continue
            action = obligation["transition"] if obligation["kind"] == "consecution" else "init"
            answers[action, obligation["invariant"]["label"]] = obligation["outcome"]
    words = {"holds": "ok", "fails": "failed"}
    wrong = []
    for (action, invariant), want in expected.items():
        got = answers.get((action, invariant))
        if words.get(want) is not None and got != words[want]:
            wrong.append(f"{action}/{invariant}: expected {want}, got {got}")
    return wrong, len(answers)


def main():
    args = arguments(__doc__, corpus=ROOT / "../shared/corpus", runs=3, timeout=120.0)
    args.add_argument("models", nargs="*")
    options = args.parse_args()
    corpus = Path(options.corpus) / "pyv"
    expected = {}
    with open(corpus / "expected.tsv") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            expected.setdefault(row["model"], {})[row["action"], row["invariant"]] = row["expected"]
    with open(corpus / "models.tsv") as file:
        peers = list(csv.DictReader(file, delimiter="\t"))
    ratios, ratios_z3, total, slower, errors = [], [], 0.0, [], 0
    print(f"{'model':44} {'exit':>4} {'obl':>4} {'CPU ms':>9} {'MB':>6} {'z3 ms':>9} {'/z3':>7} {'/mypyvy':>8}")
    for peer in peers:
        model = peer["model"]
        if options.models and not any(name in model for name in options.models):
            continue
        command = [options.ramsey, "verify", "--all", "-j1", str(corpus / model)]
        code, cpu, memory = fastest(command, options.runs, options.timeout)
        _, text, _, _ = run(command + ["--format", "json"], options.timeout)
        try:
            wrong, count = wrong_verdicts(json.loads(text), expected.get(model, {}))
        except ValueError:
            wrong, count = ["no answer"], 0
        if set(expected.get(model, {}).values()) == {"outside (arithmetic)"}:
            wrong = [] if code == 2 else [f"expected to be refused, got exit code {code}"]
        total += cpu
        z3, mypyvy = max(float(peer["z3_cpu_s"]), 0.005), float(peer["mypyvy_cpu_s"])
        cpu = max(cpu, 1e-4)
        ratios.append(mypyvy / cpu)
        ratios_z3.append(z3 / cpu)
        if cpu > z3:
            slower.append(model)
        print(f"{model:44} {code!s:>4} {count:4} {cpu * 1e3:9.1f} {memory:6.1f} {z3 * 1e3:9.1f} "
              f"{z3 / cpu:7.1f} {mypyvy / cpu:8.0f}", flush=True)
        for line in wrong:
            print("   WRONG", line)
        errors += len(wrong)
    print(f"\n{total:.2f} s CPU in all; geometric mean: {geometric_mean(ratios_z3):.1f}x less CPU than Z3 alone, "
          f"{geometric_mean(ratios):.0f}x less than mypyvy; {errors} wrong verdicts")
    if slower:
        print("slower than Z3 alone:", ", ".join(slower))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
