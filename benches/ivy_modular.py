#!/usr/bin/env python3
"""What isolates prove one by one holds of the whole program: random programs, whose claims that fail are taken out until every
isolate is verified, have valid properties and no execution of a few steps that violates a claim.

usage: ivy_modular.py [--count N] [--seed N] [--depth N] [--ramsey FILE] [--out FOLDER]
"""
import argparse, collections, json, os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ivy_programs import program

HERE = Path(__file__).resolve().parent


def ramsey(options, command, text, *more):
    """The exit code and the document of a command about a program; None if there is no answer in time."""
    with tempfile.NamedTemporaryFile("w", suffix=".ivy") as file:
        file.write(text)
        file.flush()
        try:
            run = subprocess.run([options.ramsey, command, "--format", "json", "--timeout", "2", *more, file.name],
                                 capture_output=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return None, {}
    return run.returncode, json.loads(run.stdout or b"{}")


def claims_that_fail(document):
    """The lines of claims that are not proved."""
    lines = set()
    for model in document["files"]:
        for obligation in model["obligations"]:
            if obligation["outcome"] != "ok":
                lines.add((obligation["invariant"] or obligation["theorem"])["line"])
    return lines


def without(text, lines):
    """The program without the claims in these lines: an assertion is assumed to hold nowhere, others are left out."""
    kept = []
    for number, line in enumerate(text.splitlines(), 1):
        if number in lines:
            if re.match(r"\s*(invariant|conjecture|property|theorem)", line):
                line = ""
            else:
                line = re.sub(r"\b(assert|require|ensure)\b.*?;?$", lambda it: ";" if it[0].endswith(";") else "", line)
        kept.append(line)
    return "\n".join(kept) + "\n"


def judged(options, seed):
    text = program(seed, 1.0).replace("trusted isolate", "isolate")
    if "isolate" not in text:
        return "nothing to show", text
    # All claims are what is to be shown, whether they have names or not.
    text = re.sub(r"\b(invariant|conjecture) \[\w+\] ", r"\1 ", text)
    for _ in range(12):
        code, document = ramsey(options, "verify", text, "--all")
        if code == 0:
            break
        lines = claims_that_fail(document) if code in (1, 3) else set()
        if not lines:
            return "refused" if code == 2 else "no answer", text
        smaller = without(text, lines)
        if smaller == text:
            return "no answer", text
        text = smaller
    else:
        return "no answer", text
    if not any(model.get("isolate") for model in document["files"]):
        return "nothing to show", text
    code, document = ramsey(options, "verify", text, "--whole", "--all")
    for obligation in document["files"][0]["obligations"]:
        if obligation["kind"] == "theorem" and obligation["outcome"] == "failed":
            return "VIOLATED", text
    code, document = ramsey(options, "bmc", text, "--depth", str(options.depth))
    return {0: "holds", 1: "VIOLATED", 2: "nothing to show"}.get(code, "no answer"), text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ramsey", default=str(HERE.parent / "target/release/ramsey"))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--out", default=str(HERE.parent / "target/ivy-modular"))
    options = parser.parse_args()
    seeds = range(options.seed * 1_000_000, options.seed * 1_000_000 + options.count)
    kinds = collections.Counter()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for seed, (kind, text) in zip(seeds, pool.map(lambda it: judged(options, it), seeds)):
            kinds[kind] += 1
            if kind == "VIOLATED":
                out = Path(options.out)
                out.mkdir(parents=True, exist_ok=True)
                (out / f"{seed}.ivy").write_text(text, encoding="utf-8")
                print(f"violated: {out / f'{seed}.ivy'}", flush=True)
    for kind, count in kinds.most_common():
        print(f"{kind:<16} {count:>6}")
    return 1 if kinds["VIOLATED"] else 0


if __name__ == "__main__":
    sys.exit(main())
