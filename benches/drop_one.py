#!/usr/bin/env python3
"""Takes one invariant at a time out of models and measures how long `ramsey infer` takes to find another.

    benches/drop_one.py [--ramsey target/release/ramsey] [--timeout 10] [--seeds 1] MODEL..

A model is one with an inductive invariant. For each of its invariants that is no safety property and that the others
do not replace (`ramsey explain`), the others are the candidates (`--use-invariants`). Prints a row per model: how many
invariants were left out, how many times a proof was found again, and the CPU time of the runs in seconds, median and
largest.
"""

import os
import re
import statistics
import tempfile

from measured import answer, arguments

DECLARATION = re.compile(
    r"\s*(sort|mutable|immutable|constant|relation|function|individual|axiom|init|transition|action|invariant|safety|"
    r"conjecture|theorem|definition|derived|zerostate|onestate|twostate|trace|sat|unsat|export|after|module|object|"
    r"macro|program|fbii|isolate|include|type|#)"
)


def without(lines, line):
    """Returns the text without the declaration that begins in a line, from 1."""
    end = line
    while end < len(lines) and not DECLARATION.match(lines[end]):
        end += 1
    return "".join(lines[: line - 1] + lines[end:])


def main():
    parser = arguments(__doc__, timeout=10)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="print what is left out and was not found")
    parser.add_argument("models", nargs="+")
    args = parser.parse_args()
    print("| model | left out | found | CPU s, median | CPU s, worst |")
    print("|---|---|---|---|---|")
    for model in args.models:
        explained, _ = answer([args.ramsey, "explain", model])
        needed = [it for it in explained["claims"] if it["standing"] == "needed"]
        with open(model, encoding="utf-8") as file:
            lines = file.readlines()
        times, found, missed = [], 0, []
        for claim in needed:
            for seed in range(args.seeds):
                with tempfile.NamedTemporaryFile("w", suffix=os.path.splitext(model)[1]) as file:
                    file.write(without(lines, claim["claim"]["line"]))
                    file.flush()
                    command = [args.ramsey, "infer", file.name, "--use-invariants", "--seed", str(seed), "-j", "1"]
                    document, time = answer(command + ["--timeout", str(args.timeout)])
                times.append(time)
                if document.get("answer") == "invariant":
                    found += 1
                else:
                    missed.append((claim["formula"], document.get("answer"), document["diagnostics"][:1]))
        if times:
            name, total = os.path.basename(model), len(needed) * args.seeds
            print(f"| `{name}` | {total} | {found} | {statistics.median(times):.2f} | {max(times):.2f} |", flush=True)
        if args.verbose:
            for missing in missed:
                print(missing, flush=True)


if __name__ == "__main__":
    main()
