#!/usr/bin/env python3
"""Measures `ramsey infer` on models, for several seeds, and prints a Markdown table.

    benches/infer_table.py [--ramsey target/release/ramsey] [--seeds 10] [--timeout 60] [--method auto] MODEL..

A row has the answer, the median and the largest CPU time in seconds, the median number of questions, and the number of
lemmas. Only the safety properties and assertions of the models are used. CPU time includes the verification of what
was found.
"""

import os
import statistics

from measured import answer, arguments


def infer(binary, model, method, seed, timeout):
    """Returns the document of an inference and its CPU time."""
    command = [binary, "infer", model, "--method", method, "--seed", str(seed), "-j", "1"]
    return answer(command + ["--timeout", str(timeout)])


def main():
    parser = arguments(__doc__, timeout=60)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--method", default="auto")
    parser.add_argument("models", nargs="+")
    args = parser.parse_args()
    print("| model | answer | CPU s, median | CPU s, worst | questions | lemmas |")
    print("|---|---|---|---|---|---|")
    for model in args.models:
        runs = [infer(args.ramsey, model, args.method, seed, args.timeout) for seed in range(args.seeds)]
        answers = [document.get("answer", document["verdict"]) for document, _ in runs]
        words = ", ".join(f"{word} {answers.count(word)}" for word in sorted(set(answers)))
        times = [time for _, time in runs]
        questions = statistics.median(document.get("counts", {}).get("questions", 0) for document, _ in runs)
        lemmas = statistics.median(len(document.get("lemmas") or []) for document, _ in runs)
        name = os.path.basename(model)
        print(
            f"| `{name}` | {words} | {statistics.median(times):.3f} | {max(times):.3f} "
            f"| {questions:.0f} | {lemmas:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
