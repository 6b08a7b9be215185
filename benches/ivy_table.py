#!/usr/bin/env python3
"""CPU time of `ramsey verify` beside that of Ivy, on the same `.ivy` programs, one after the other, as whole processes.

usage: ivy_table.py [--ramsey BINARY] [--ivy COMMAND] [--runs N] [--timeout S] [--every N] [FOLDER|FILE...]
needs: `--ivy` or $RAMSEY_IVY, a command that runs Ivy 1.8.26 on the file that it is given.

A program counts where both decide: each says that all holds, or that a claim fails. The CPU time of Ramsey is that of the fastest
of N runs on one thread; Ivy is run once. `times` is how many times less CPU Ramsey takes. At the end stand the geometric mean,
the least and the greatest of these, and what is decided otherwise. Exit code 1 if Ramsey proves what Ivy refutes, or takes more.
"""
import os, sys
from pathlib import Path

from measured import ROOT, arguments, fastest, geometric_mean, run


def of_ivy(code, text):
    """Whether Ivy says that all holds; None where it decides nothing."""
    if code == 0:
        return True
    return False if "failed checks" in text else None


def main():
    args = arguments(__doc__, runs=3, timeout=60.0)
    args.add_argument("--ivy", default=os.environ.get("RAMSEY_IVY"))
    args.add_argument("--every", type=int, default=1, help="of the programs, each N-th one alone")
    args.add_argument("paths", nargs="*", default=[str(ROOT / "../shared/corpus/ivy/tests")])
    options = args.parse_args()
    if not options.ivy:
        args.error("which Ivy? give --ivy or set RAMSEY_IVY")
    files = []
    for path in map(Path, options.paths):
        files += sorted(path.glob("*.ivy")) if path.is_dir() else [path]
    ratios, others, wrong = [], [], []
    print(f"{'program':40} {'verdict':8} {'ms':>8} {'Ivy ms':>9} {'times':>7}")
    for file in files[:: options.every]:
        os.chdir(file.resolve().parent)
        name = file.name
        code, cpu, _ = fastest([options.ramsey, "verify", "-j1", name], options.runs, options.timeout)
        if code not in (0, 1, 3):
            continue
        ivy_code, text, ivy_cpu, _ = run([options.ivy, name], options.timeout)
        decided = of_ivy(ivy_code, text)
        if decided is None:
            continue
        if code == 3 or decided != (code == 0):
            word = {0: "proved", 1: "refuted", 3: "unknown"}[code]
            others.append(f"{name}: {word}, by Ivy {'proved' if decided else 'refuted'}")
            wrong += [name] if code == 0 else []
            continue
        ratios.append(ivy_cpu / max(cpu, 1e-4))
        print(f"{name:40} {'holds' if decided else 'fails':8} {1000 * cpu:8.1f} {1000 * ivy_cpu:9.0f} {ratios[-1]:7.0f}", flush=True)
    if ratios:
        print(f"\n{len(ratios)} programs: {geometric_mean(ratios):.0f} times less CPU, at least {min(ratios):.1f}, at most {max(ratios):.0f}")
    for line in others:
        print(line)
    return int(bool(wrong) or any(ratio < 1 for ratio in ratios))


if __name__ == "__main__":
    sys.exit(main())
