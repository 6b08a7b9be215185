#!/usr/bin/env python3
"""`ramsey verify` by executions against Ivy's bounded check: random programs in Ivy's language with `attribute method`.

usage: ivy_executions.py [--count N] [--seed N] [--isolates P] [--features A,B] [--steps K] [--ramsey FILE] --ivy COMMAND [--out FOLDER]
needs: what `ivy_peer.py` needs.

Each program is asked three times: Ivy with `bmc[K]`, and Ramsey with `bmc[K]` and with `mc`, for each of its isolates. Kinds of results:

- `equal`: both find a violation, or both find none, or both refuse the program.
- `unjudged`: Ivy crashed or was too slow; or Ramsey has no answer that counts (a limit, an isolate that is called back).
- `stricter`: Ramsey refuses the program.
- `FALSE`: Ivy finds a violation, and Ramsey proves all claims by `mc`, or finds none in as many steps.
- `REFUTES`: Ramsey finds a violation in so many steps, and Ivy does not.
- `LAX`: Ivy refuses the program, and Ramsey does not.
- `DISAGREE`: `mc` proves all claims, and `bmc` finds a violation; or `verify` proves what `ramsey mc` does not.
- `BROKEN`: Ramsey ended in another way than with an answer.

Programs with a difference are written to the folder; exit code 1 if there is one but `LAX`.
"""
import argparse, collections, json, os, re, subprocess, sys, tempfile
from pathlib import Path

from ivy_peer import UNJUDGED, Ivy
from ivy_programs import program

HERE = Path(__file__).resolve().parent


def isolates(text):
    """The names of the isolates of a program, as they are declared."""
    names, path = [], []
    for line in text.splitlines():
        if start := re.match(r"\s*(?:trusted )?(isolate|object|module|class|process)\s+([\w.]+).*\{\s*$", line):
            path.append(start[2])
            if start[1] == "isolate":
                names.append(".".join(path))
            continue
        if plain := re.match(r"\s*(?:trusted )?isolate ([\w.]+)(?:\([^)]*\))? *=(?!.*\{)", line):
            names.append(".".join([*path, plain[1]]))
        path += [""] * (line.count("{") - line.count("}"))
        for _ in range(line.count("}") - line.count("{")):
            if path:
                path.pop()
    return names


def without_properties(text):
    """The program without its properties and their proofs, beside which Ivy checks no executions."""
    lines, depth, is_left, rule = [], 0, False, 0
    for line in text.splitlines():
        change = line.count("{") - line.count("}")
        if rule or re.match(r"\s*(theorem|schema|axiom)\b.*\{\s*$", line):
            rule += change
            lines.append(line)
            continue
        if depth == 0:
            is_property = re.match(r"\s*((explicit|unprovable|temporal) )*property\b", line)
            is_left = bool(is_property or is_left and re.match(r"\s*proof\b", line))
        if is_left:
            depth += change
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def with_method(text, method):
    """The program in which each isolate has a method; None where Ivy has none for it."""
    minor = int(re.match(r"#lang ivy1\.(\d)", text)[1])
    names = [f"{it}.method" for it in isolates(text)] + ["method"] * (minor >= 7)
    return text + "".join(f"attribute {it} = {method}\n" for it in names) if names else None


def ask_ramsey(binary, command, text, seconds):
    """The document, or what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.ivy")
        Path(path).write_text(text, encoding="utf-8")
        limits = ["--timeout", str(seconds)]
        try:
            run = subprocess.run([binary, *command, path, "--format", "json", *limits], capture_output=True, timeout=20 * seconds, check=False)
        except subprocess.TimeoutExpired:
            return None
        try:
            return json.loads(run.stdout)
        except ValueError:
            return f"exit code {run.returncode}: {run.stderr.decode(errors='replace')[:300]}"


def steps(answer):
    execution = answer["violation"]["counterexample"]
    return len(execution["transitions"])


def judge(ivy, options, text):
    """The kind of a result, and what differs."""
    bounded, unbounded = (with_method(text, it) for it in (f"bmc[{options.steps}]", "mc"))
    if bounded is None:
        return "other", "no method"
    answers = {}
    for name, asked in (("bmc", bounded), ("mc", unbounded)):
        document = ask_ramsey(options.ramsey, ["verify", "--all", "-j1"], asked, options.timeout)
        if document is None:
            return "unjudged", "Ramsey is too slow"
        if isinstance(document, str):
            return "BROKEN", document
        answers[name] = document
    code, output, _ = ivy.ask(bounded)
    if code is None:
        return "unjudged", "Ivy is too slow"
    error = next((line for line in output.splitlines() if re.search(r"\berror: ", line)), None)
    refused = [it["code"] + " " + it["message"] for document in answers.values() for model in document["files"]
               for it in model["diagnostics"] + document["diagnostics"] if it["severity"] == "error"]
    if any(it.startswith("R013") for it in refused):
        return "unjudged", refused[0]
    if error and "failed checks" in error:
        return "unjudged", "an isolate has no method"
    if error or code != 0:
        if code != 0 and not error or re.search(UNJUDGED, output) or "not supported for property" in output:
            return "unjudged", error or "Ivy crashed"
        if refused:
            return "equal", "both refuse"
        return "LAX", error
    if refused:
        return "stricter", refused[0]
    claims = {name: [it for model in document["files"] for it in model.get("checked", {}).get("answers", [])] for name, document in answers.items()}
    violated = "found a counter-example" in output
    found = [it for it in claims["bmc"] if it["outcome"] == "violated"]
    proved = answers["mc"]["verdict"] == "ok"
    if proved and found:
        return "DISAGREE", "mc proves what bmc refutes"
    if violated and proved:
        return "FALSE", "Ivy finds a violation, and mc none"
    if any(it["outcome"] not in ("bounded", "violated") for it in claims["bmc"]):
        return "unjudged", "Ramsey: " + str({it.get("reason") for it in claims["bmc"]})
    if violated and not found:
        return "FALSE", "Ivy finds a violation, and bmc none"
    if found and not violated and all(it["property"]["kind"] == "assertion" and steps(it) == 0 for it in found):
        return "equal", "violated by an initializer, which Ivy does not ask about"
    if found and not violated:
        # One more step than Ivy looks at the invariants after.
        if all(it["property"]["kind"] == "invariant" and steps(it) > options.steps for it in found):
            return "equal", "later than Ivy looks"
        return "REFUTES", "Ramsey finds a violation, and Ivy none"
    return "equal", "violated" if violated else "proved" if proved else "not proved"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ramsey", default=str(HERE.parent / "target/release/ramsey"))
    parser.add_argument("--ivy", default=os.environ.get("RAMSEY_IVY"), required="RAMSEY_IVY" not in os.environ)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--isolates", type=float, default=0.4)
    parser.add_argument("--features", type=lambda it: it.split(","), default=())
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=5, help="seconds for Ramsey, per claim")
    parser.add_argument("--ivy-timeout", type=int, default=8, help="CPU seconds for Ivy, per program")
    parser.add_argument("--out", default=str(HERE.parent / "target/ivy-executions"))
    parser.add_argument("files", nargs="*", help="compare these programs instead")
    options = parser.parse_args()
    ivy = Ivy(options.ivy, options.ivy_timeout)
    numbers = range(options.seed * 1_000_000, options.seed * 1_000_000 + options.count)
    texts = ((Path(it).stem, Path(it).read_text(encoding="utf-8")) for it in options.files) if options.files else (
        (number, without_properties(program(number, options.isolates, options.features))) for number in numbers)
    kinds, is_wrong = collections.Counter(), False
    for name, text in texts:
        kind, what = judge(ivy, options, text)
        kinds[kind, re.sub(r"\S*\d\S*", "_", what)[:70]] += 1
        if kind.isupper():
            is_wrong |= kind != "LAX"
            out = Path(options.out)
            out.mkdir(parents=True, exist_ok=True)
            (out / f"{kind}-{name}.ivy").write_text(with_method(text, f"bmc[{options.steps}]"), encoding="utf-8")
            print(f"{kind} {name}: {what}", flush=True)
        elif options.files:
            print(f"{name}: {kind} {what}")
    ivy.close()
    for (kind, what), count in sorted(kinds.items()):
        print(f"{count:>7} {kind} {what}")
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
