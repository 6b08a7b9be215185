#!/usr/bin/env python3
"""Measures `ramsey infer` on variants of models that differ by what means nothing, and prints a Markdown table.

    benches/infer_luck.py [--ramsey target/release/ramsey] [--variants 10] [--seeds 1] [--limit 60] [--method auto] MODEL..

Variants have their declarations in another order, other names, symbols that nothing uses, or axioms about such symbols. A row
has the number of runs that found an invariant, and the median, the largest and the ratio of CPU times in seconds. A run
that takes longer than the limit counts as that long.
"""

import random
import re
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from measured import arguments

# What begins a declaration of a model, by its kind. Declarations of one kind may change places.
KINDS = {
    ".pyv": {
        "sort": "sort",
        "mutable": "symbol",
        "immutable": "symbol",
        "derived": None,
        "definition": None,
        "axiom": "axiom",
        "init": "init",
        "transition": "transition",
        "safety": "safety",
        "invariant": "invariant",
        "theorem": None,
        "sat": None,
        "unsat": None,
    },
    ".ivy": {
        "type": "sort",
        "relation": "symbol",
        "function": "symbol",
        "individual": "symbol",
        "axiom": "axiom",
        "definition": None,
        "derived": None,
        "module": None,
        "instantiate": "axiom",
        "init": None,
        "after": None,
        "action": "transition",
        "export": "export",
        "conjecture": "safety",
        "invariant": "safety",
        "property": None,
        "object": None,
        "isolate": None,
        "include": None,
        "interpret": None,
    },
}
# Words that are no names of the model.
RESERVED = set(
    """type relation function individual axiom definition derived module instantiate init after action export conjecture
    invariant property object isolate include interpret require ensure assume assert if else var call returns forall
    exists true false old new sort mutable immutable constant transition modifies safety theorem sat unsat trace any
    onestate twostate zerostate bool lang some local while in assumes distinct then private public with this import
    implementation specification ivy1 int nat""".split()
)


def blocks(text, suffix):
    """The declarations of a model with their kinds; what stands before the first one comes first."""
    parts, kind, lines = [], "head", []
    for line in text.splitlines():
        word = re.match(r"[a-z]+", line)
        if word and word.group() in KINDS[suffix]:
            parts.append((kind, lines))
            kind, lines = KINDS[suffix][word.group()], []
            if word.group() in ("relation", "function") and "=" in line:
                kind = None
        lines.append(line)
    parts.append((kind, lines))
    return parts


def joined(parts):
    return "\n".join(line for _, lines in parts for line in lines) + "\n"


def after_symbols(parts):
    """The declarations with all axioms after the last symbol, so that those of one kind may change places."""
    last = max((at for at, (kind, _) in enumerate(parts) if kind == "symbol"), default=-1)
    before, rest = parts[: last + 1], parts[last + 1 :]
    is_axiom = [kind == "axiom" for kind, _ in before]
    others = [part for part, moved in zip(before, is_axiom) if not moved]
    return others + [part for part, moved in zip(before, is_axiom) if moved] + rest


def shuffled(text, suffix, kinds, rng):
    """The text with the declarations of these kinds in another order. They take the places of each other."""
    parts = blocks(text, suffix)
    if suffix == ".ivy" and ("symbol" in kinds or "axiom" in kinds):
        parts = after_symbols(parts)
    for kind in kinds:
        places = [at for at, part in enumerate(parts) if part[0] == kind]
        order = places[:]
        rng.shuffle(order)
        moved = [parts[at] for at in order]
        for at, part in zip(places, moved):
            parts[at] = part
    return joined(parts)


def renamed(text, rng):
    """The text with other names of everything that is declared."""
    code = re.sub(r"#.*", "", text)
    declared = set(re.findall(r"^\s*(?:type|sort|relation|function|individual|action|transition)\s+([a-z]\w*)", code, re.M))
    declared |= set(re.findall(r"^\s*(?:im)?mutable (?:relation|function|constant)\s+([a-z]\w*)", code, re.M))
    declared -= RESERVED
    names = {name: f"{rng.choice('bcdfghjkmpqz')}{rng.randrange(10 ** 6)}{name[:1]}" for name in sorted(declared)}
    return re.sub(r"\b[a-z]\w*\b", lambda word: names.get(word.group(), word.group()), text)


def extended(text, suffix, rng, with_axiom):
    """The text with a symbol that nothing uses, and perhaps an axiom about it."""
    code = re.sub(r"#.*", "", text)
    sorts = re.findall(r"^(?:type|sort) (\w+)", code, re.M)
    if not sorts:
        return text
    sort, other = rng.choice(sorts), rng.choice(sorts)
    if suffix == ".pyv":
        added = [f"immutable relation unused_r({sort}, {other})", f"immutable constant unused_c: {sort}"]
        added += [f"axiom forall X:{other}. unused_r(unused_c, X)"] if with_axiom else []
    else:
        added = [f"relation unused_r(X:{sort}, Y:{other})", f"individual unused_c:{sort}"]
        added += ["axiom unused_r(unused_c, Y)"] if with_axiom else []
    parts = blocks(text, suffix)
    last = max(at for at, part in enumerate(parts) if part[0] == "sort")
    parts.insert(last + 1, ("symbol", added))
    return joined(parts)


def variants(text, suffix, count, rng):
    """The text itself and variants of it."""
    every = ["sort", "symbol", "axiom", "init", "transition", "safety"]
    # In .ivy what is assigned or instantiated has to be declared before; kinds stay in their places.
    makers = [
        lambda text: text,
        lambda text: shuffled(text, suffix, ["sort"], rng),
        lambda text: shuffled(text, suffix, every, rng),
        lambda text: renamed(text, rng),
        lambda text: extended(text, suffix, rng, False),
        lambda text: extended(text, suffix, rng, True),
        lambda text: shuffled(text, suffix, ["transition"], rng),
        lambda text: renamed(shuffled(text, suffix, every, rng), rng),
        lambda text: extended(shuffled(text, suffix, ["sort"], rng), suffix, rng, True),
        lambda text: shuffled(text, suffix, ["sort", "axiom"], rng),
    ]
    return [makers[at % len(makers)](text) for at in range(count)]


def infer(binary, model, method, seed, limit):
    """Whether an invariant is found, and the CPU time."""
    command = [binary, "infer", str(model), "--method", method, "--seed", str(seed), "-j", "1"]
    command += ["--run-timeout", str(20 * limit)]
    bound = (limit, limit + 1)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, bound),
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if "error" in done.stdout and done.returncode == 2:
        raise SystemExit(f"{model}: the variant is not read\n{done.stdout}")
    return done.returncode == 0, cpu if done.returncode == 0 else limit


def main():
    parser = arguments(__doc__)
    parser.add_argument("--variants", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=1, help="seeds of each variant")
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds of a run")
    parser.add_argument("--method", default="auto")
    parser.add_argument("models", nargs="+")
    args = parser.parse_args()
    for model in args.models:
        if Path(model).suffix not in KINDS:
            parser.error(f"{model}: variants are made of models in {' and '.join(KINDS)} (`ramsey print --to pyv` makes one)")
    began, solved, runs = time.monotonic(), 0, 0
    print("| model | found | CPU s, median | CPU s, worst | worst / median |")
    print("|---|---|---|---|---|")
    for model in map(Path, args.models):
        rng = random.Random(7)
        with tempfile.TemporaryDirectory() as folder:
            times, found = [], 0
            for at, text in enumerate(variants(model.read_text(), model.suffix, args.variants, rng)):
                file = Path(folder) / f"v{at}{model.suffix}"
                file.write_text(text)
                for seed in range(args.seeds):
                    is_found, cpu = infer(args.ramsey, file, args.method, seed, args.limit)
                    found += is_found
                    times.append(cpu)
        median, worst = statistics.median(times), max(times)
        solved, runs = solved + found, runs + len(times)
        print(
            f"| `{model.name}` | {found} of {len(times)} | {median:.2f} | {worst:.2f} | {worst / median:.1f} |",
            flush=True,
        )
    print(f"\n{solved} of {runs} runs found an invariant, in {time.monotonic() - began:.0f} s.")


if __name__ == "__main__":
    main()
