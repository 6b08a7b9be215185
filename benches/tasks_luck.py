#!/usr/bin/env python3
"""Measures how long the tasks of a round of inference take, and simulates rounds on many machines from that.

    benches/tasks_luck.py measure [--ramsey target/release/ramsey] [--timeout 120] MODEL [options of task export] > times.csv
    benches/tasks_luck.py simulate [--machines 1,2,16,250,1000] [--growth 2] [--first 10] [--start 1] [--check 1] times.csv..

`measure` writes a line per task: method, seed, CPU seconds, whether it has an answer, bytes of the task and of the result. A task
that takes longer than the time has no answer.

`simulate` draws tasks with replacement. Machines take the tasks of a round in turn, each for as long as the round's limit allows; a
round without an answer is followed by one with GROWTH times the limit, beginning with FIRST seconds. START is what it costs to begin a
task, CHECK what an import takes. A row has the median and the 90th percentile of the time to an answer, rounds, the work that was
done per answer, and the speedup over one machine. Knowledge that passes from round to round is left out: only luck helps.
"""

import csv
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measured import arguments, run

RUNS = 2000


def measure(options, rest):
    with tempfile.TemporaryDirectory() as folder:
        tasks = Path(folder) / "round"
        export = [options.ramsey, "task", "export", *rest, "--for", "infer", "--to", str(tasks), "--work", str(10**15)]
        subprocess.run(export, check=True, stdout=sys.stderr)
        writer = csv.writer(sys.stdout)
        writer.writerow(["method", "seed", "seconds", "answer", "task_bytes", "result_bytes"])
        for task in sorted((tasks / "tasks").iterdir()):
            code, text, seconds, _ = run([options.ramsey, "task", "run", str(task)], options.timeout)
            question = json.loads(task.read_text())["question"]["infer"]
            sizes = [task.stat().st_size, len(text)]
            writer.writerow([question["method"], question["seed"], f"{seconds:.2f}", int(code == 0), *sizes])
            sys.stdout.flush()


def one_run(tasks, machines, options, rng):
    """Returns the time to an answer, the rounds, and the work of all machines, in seconds."""
    limit, now, work = options.first, 0.0, 0.0
    for number in range(1, 100):
        # A round has a task per machine: more of them would only delay what is learned from it.
        drawn = [rng.choice(tasks) for _ in range(machines)]
        found = min((seconds for seconds, answered in drawn if answered and seconds <= limit), default=None)
        length = options.start + (limit if found is None else found)
        now += length + options.check
        work += sum(options.start + min(seconds, length) for seconds, _ in drawn)
        if found is not None:
            return now, number, work
        limit *= options.growth
    return now, number, work


def simulate(options, rest):
    for path in rest:
        with open(path) as file:
            rows = [(float(row["seconds"]), row["answer"] == "1") for row in csv.DictReader(file)]
        answered = [seconds for seconds, is_answered in rows if is_answered]
        print(f"\n{Path(path).stem}: {len(answered)} of {len(rows)} tasks answered", end="")
        if not answered:
            print()
            continue
        print(f"; seconds: least {min(answered):.1f}, median {statistics.median(answered):.1f}, most {max(answered):.1f}\n")
        print("| machines | median s | 90 % s | rounds | machine seconds per answer | speedup |\n|---|---|---|---|---|---|")
        base = None
        for machines in options.machines:
            rng = random.Random(7)
            runs = [one_run(rows, machines, options, rng) for _ in range(RUNS)]
            times = sorted(run[0] for run in runs)
            base = base or statistics.mean(times)
            median, late = times[RUNS // 2], times[RUNS * 9 // 10]
            rounds = statistics.mean(run[1] for run in runs)
            work = statistics.mean(run[2] for run in runs)
            print(f"| {machines} | {median:.1f} | {late:.1f} | {rounds:.1f} | {work:.0f} | {base / statistics.mean(times):.1f} |")


def main():
    parser = arguments(__doc__, timeout=120)
    parser.add_argument("action", choices=["measure", "simulate"])
    parser.add_argument("--machines", default="1,2,4,16,64,250,1000")
    parser.add_argument("--growth", type=float, default=2)
    parser.add_argument("--first", type=float, default=10)
    parser.add_argument("--start", type=float, default=1)
    parser.add_argument("--check", type=float, default=1)
    options, rest = parser.parse_known_args()
    options.machines = [int(text) for text in options.machines.split(",")]
    (measure if options.action == "measure" else simulate)(options, rest)


if __name__ == "__main__":
    main()
