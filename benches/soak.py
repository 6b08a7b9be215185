#!/usr/bin/env python3
"""Memory of `ramsey solve` over many incremental checks in one process: the resident size is printed now and then.

usage: soak.py [--checks COUNT] [--ramsey FILE]

Each round pushes, declares symbols of new names, asserts formulas of their own about them and about what is permanent, checks, asks
for values and pops. The answer of each check is known. Exit code 1 if one is wrong; if memory grows, by more than half
and 8 MB from the first quarter to the end; or if the last tenth takes five times as much CPU time as the first.
"""
import random, subprocess, sys

from measured import arguments

PERMANENT = """(set-option :produce-unsat-cores true)
(declare-sort node 0)(declare-sort value 0)(declare-datatype color ((red) (green)))
(declare-fun le (node node) Bool)(declare-fun of (node) value)(declare-fun paint (value) color)(declare-const root node)
(assert (forall ((x node)) (le x x)))
(assert (forall ((x node) (y node)) (=> (and (le x y) (le y x)) (= x y))))
(assert (forall ((x node) (y node) (z node)) (=> (and (le x y) (le y z)) (le x z))))
(assert (forall ((x node)) (le root x)))
"""


def resident(process):
    """Megabytes."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))


def cpu_time(process):
    """Seconds."""
    with open(f"/proc/{process.pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0]) / 1e9


def round_of(number, rng):
    """Commands before the check, the answer, and a command after it."""
    a, b, r = f"a{number}", f"b{number}", f"r{number}"
    lines = [f"(declare-const {a} node)(declare-const {b} node)(declare-fun {r} (node value) Bool)",
             f"(assert (! (forall ((x node)) (exists ((v value)) (and ({r} x v) (= (paint v) {rng.choice(['red', 'green'])})))) :named n{number}))",
             f"(assert (! (and (not (le {a} {b})) (not (= {a} root))) :named m{number}))"]
    if rng.random() < 0.5:
        lines.append(f"(assert (! (forall ((x node)) (= x {b})) :named o{number}))")
        return lines, "unsat", "(get-unsat-core)"
    lines.append(f"(assert (=> (= (of {a}) (of {b})) (exists ((x node)) (and (le {b} x) (not ({r} x (of {a})))))))")
    return lines, "sat", f"(get-value ({a} (of {b}) ({r} {a} (of {b})) (paint (of {a}))))"


def main():
    options = arguments(__doc__)
    options.add_argument("--checks", type=int, default=100_000)
    args = options.parse_args()
    process = subprocess.Popen([args.ramsey, "solve", "--input", "smtlib", "-"], text=True, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    process.stdin.write(PERMANENT)
    rng, sizes, times = random.Random(1), [], [0.0]
    for number in range(1, args.checks + 1):
        lines, expected, question = round_of(number, rng)
        process.stdin.write("(push)\n" + "\n".join(lines) + f"\n(check-sat)\n{question}\n(pop)\n(echo \"done\")\n")
        process.stdin.flush()
        answers = []
        while (line := process.stdout.readline().strip()) != "done":
            if not line and process.poll() is not None:
                print(f"the process ended at check {number}")
                return 1
            answers.append(line)
        if answers[0] != expected or "error" in " ".join(answers):
            print(f"check {number}: {answers}, expected {expected}")
            return 1
        if number % max(1, args.checks // 10) == 0:
            sizes.append(resident(process))
            times.append(cpu_time(process))
            print(f"{number:>8} checks {sizes[-1]:>8.1f} MB {times[-1]:>8.1f} s of CPU time", flush=True)
    process.stdin.close()
    process.wait()
    early = max(sizes[: max(1, len(sizes) // 4)])
    if sizes[-1] > early * 1.5 and sizes[-1] > early + 8:
        print("memory grows")
        return 1
    if times[-1] - times[-2] > 5 * times[1]:
        print("checks become slower")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
