#!/usr/bin/env python3
"""Compares two checkers of certificates on certificates, closed forms, and changed ones.

    make -C spec/rocq/program ramsey-check-proved
    cargo build --release
    benches/checkers_agree.py --count 20000 --seed 1 examples/*.pyv examples/*.ivy

`ramsey-check-core` and the program extracted from `spec/rocq/Check.v` have to accept the same texts. What is changed is a byte, a word or a
line, of the certificate or of the closed form. Refuted claims are left out: the second program does not check them.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile


def run(*command):
    """Returns the exit code of a command that has a minute."""
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False).returncode


def changed(text, rng):
    """Returns the text with one change."""
    kind = rng.randrange(7)
    if kind == 0:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice("0123456789-. \nacdiopquwxyAEORTV~&|>=!?") + text[at + rng.randrange(2):]
    lines = text.split("\n")
    at = rng.randrange(len(lines) - 1)
    other = rng.randrange(len(lines) - 1)
    if kind == 1:
        del lines[at]
    elif kind == 2:
        lines.insert(at, lines[other])
    elif kind == 3:
        lines[at], lines[other] = lines[other], lines[at]
    else:
        words = lines[at].split(" ")
        place = rng.randrange(len(words))
        if kind == 4 and words[place].isdigit():
            words[place] = str(max(0, int(words[place]) + rng.choice([-2, -1, 1, 2])))
        elif kind == 5:
            words[place] = rng.choice(rng.choice(lines).split(" "))
        elif len(words) > 1:
            del words[place]
        lines[at] = " ".join(words)
    return "\n".join(lines)


def isolates(ramsey, model):
    """Returns the isolates of a program, each of which has a closed form of its own; `None` stands for a model as a whole."""
    if not model.endswith(".ivy"):
        return [None]
    told = subprocess.run([ramsey, "verify", model], capture_output=True, text=True, check=False).stdout
    return re.findall(r"^.*, isolate (\S+):", told, re.MULTILINE) or [None]


def evidence(ramsey, model, isolate, certificate):
    """Returns the closed form of a model and its certificate; `None` for what there is not."""
    command = "solve" if model.endswith((".smt2", ".p")) else "verify"
    part = [] if isolate is None else ["--isolate", isolate]
    certificate.unlink(missing_ok=True)
    run(ramsey, command, model, *part, "--certify", str(certificate))
    form = subprocess.run([ramsey, "core", model, *part], capture_output=True, text=True, check=False).stdout
    return form, certificate.read_text() if certificate.exists() and form else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", help="models and problems in SMT-LIB or TPTP")
    parser.add_argument("--bin", default="target/release", help="folder of ramsey and ramsey-check-core")
    parser.add_argument("--proved", default="spec/rocq/program/ramsey-check-proved", help="the extracted program")
    parser.add_argument("--count", type=int, default=1000, help="changed texts in all")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="checkers"))
    core, certificate = folder / "core", folder / "certificate"
    checker = f"{args.bin}/ramsey-check-core"
    texts = []
    for model in args.models:
        for isolate in isolates(f"{args.bin}/ramsey", model):
            form, text = evidence(f"{args.bin}/ramsey", model, isolate, certificate)
            if text is None:
                continue
            core.write_text(form)
            if run(args.proved, str(core), str(certificate)) != 3:
                texts.append((model if isolate is None else f"{model} ({isolate})", form, text))
    counts = {"accepted": 0, "rejected": 0}
    differences = 0
    rng = random.Random(args.seed)
    cases = [(model, form, text) for model, form, text in texts]
    for number in range(args.count):
        model, form, text = texts[number % len(texts)]
        if rng.randrange(4) == 0:
            cases.append((model, changed(form, rng), text))
        else:
            cases.append((model, form, changed(text, rng)))
    for model, form, text in cases:
        core.write_text(form)
        certificate.write_text(text)
        first, second = run(checker, str(core), str(certificate)), run(args.proved, str(core), str(certificate))
        if second == 3:
            continue
        if (first == 0) != (second == 0) or first not in (0, 1, 2) or second not in (0, 1, 2):
            differences += 1
            kept = pathlib.Path(tempfile.mkdtemp(prefix="differ"))
            (kept / "core").write_text(form)
            (kept / "certificate").write_text(text)
            print(f"{model}: {first} and {second}, {kept}")
        counts["accepted" if first == 0 else "rejected"] += 1
    print(f"{len(texts)} models, {counts['accepted']} accepted, {counts['rejected']} rejected, {differences} differences")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
