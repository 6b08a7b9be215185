#!/usr/bin/env python3
"""Prints tables 1 and 4 of the I4 paper (Ma et al., SOSP 2019) from runs of `ramsey infer --method finite`, beside the
figures of the paper.

    benches/i4_table.py [--ramsey target/release/ramsey] [--timeout 60] PROTOCOL=MODEL..

PROTOCOL is one of: lock-server, leader-election, distributed-lock, chord, learning-switch, chain, two-phase-commit.

The first table has the largest instance that was decided, the questions asked of the unbounded system, the clauses of
the invariant of that instance, the universal clauses made of all instances, those of them that were refuted, and the
lemmas of the minimized invariant. The second one has CPU seconds: F for that instance alone, measured by a run of
`ramsey instance`, and G for all the rest, which includes smaller instances, generalization, the questions of the
unbounded system, minimization and the final verification.
"""

import json
import os
import tempfile

from measured import answer, arguments

# By protocol: instance, questions, clauses, minimized clauses, prunings (table 1); seconds F, M, G (table 4).
PAPER = {
    "lock-server": ("client=2 server=1", 40, 3, 2, 0, 0.02, 0.0, 0.8),
    "leader-election": ("id=3 node=3", 10527, 61, 19, 0, 4.0, 0.1, 2.0),
    "distributed-lock": ("epoch=4 node=2", 94713, 629, 241, 2, 30.6, 53.3, 75.5),
    "chord": ("node=4", 286818, 1141, 94, 2, 386.1, 218.5, 24.3),
    "learning-switch": ("node=3 packet=1", 4986, 105, 53, 2, 2.9, 0.8, 6.9),
    "chain": ("key=1 node=2 operation=3 transaction=3", 6552, 154, 31, 2, 4.2, 2.3, 6.2),
    "two-phase-commit": ("node=6", 9619, 88, 46, 0, 2.6, 0.1, 1.6),
}


def measure(binary, model, timeout):
    """Returns the cells of a model in both tables."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "events.jsonl")
        command = [binary, "infer", model, "--method", "finite", "--timeout", str(timeout), "--log-file", log]
        document, total = answer(command)
        with open(log, encoding="utf-8") as lines:
            events = [json.loads(line) for line in lines]
    decided = [event for event in events if event["event"] == "instance" and event["answer"] == "safe"]
    last = max(decided, key=lambda event: sum(event["sizes"].values()), default=None)
    if document.get("answer") != "invariant" or last is None:
        return None
    sizes = [f"{sort}={size}" for sort, size in sorted(last["sizes"].items())]
    _, finite = answer([binary, "instance", model, *sizes])
    counts = document["counts"]
    complexity = (" ".join(sizes), counts["questions"], last["clauses"], counts["lemmas"], counts["refuted"])
    return complexity + (len(document["lemmas"]),), (finite, max(total - finite, 0.0), total)


def main():
    parser = arguments(__doc__, timeout=60)
    parser.add_argument("models", nargs="+", metavar="PROTOCOL=MODEL")
    args = parser.parse_args()
    rows = []
    for text in args.models:
        protocol, _, model = text.partition("=")
        if protocol not in PAPER:
            parser.error(f"{protocol} is none of {', '.join(PAPER)}")
        rows.append((protocol, PAPER[protocol], measure(args.ramsey, model, args.timeout)))
    print("| protocol | instance | questions | clauses | universal | refuted | lemmas | paper: instance | "
          "SMT calls | clauses | minimized | prunings |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for protocol, paper, measured in rows:
        own = measured[0] if measured else ("not proved", "", "", "", "", "")
        print("| " + " | ".join(str(cell) for cell in (protocol, *own, *paper[:5])) + " |")
    print()
    print("| protocol | F | G | total | paper: F | M | G | total |")
    print("|---|---|---|---|---|---|---|---|")
    for protocol, paper, measured in rows:
        own = [f"{time:.3f}" for time in measured[1]] if measured else ["not proved", "", ""]
        times = [str(time) for time in (*paper[5:], round(sum(paper[5:]), 1))]
        print("| " + " | ".join((protocol, *own, *times)) + " |")


if __name__ == "__main__":
    main()
