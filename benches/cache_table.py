#!/usr/bin/env python3
"""CPU time of `verify` and `infer` with an empty and with a full cache, and what becomes of poisoned entries.

usage: cache_table.py [--ramsey BINARY] [--corpus DIR] [--models N] [--timeout S] [--poison N] [--seed N]
                      [--part PART]... [--searches PATH]...

Parts, all of which there are without `--part`:

  models    `verify` of each model by itself
  together  `verify` of all of them in one process
  small     `verify` of a model of a few obligations, the fastest of 100 runs
  searches  `infer` of each model
  poison    `verify` of all of them with entries that are damaged at random in all ways

`verify` asks whether claims are inductive, which is what the cache keeps, also where a model wants executions.

Models of `verify` are those of `examples/` and of the corpus ($RAMSEY_CORPUS) that have an answer to everything within the timeout; of these the N that take
longest. Those of `infer` are the examples, or those of the paths of `--searches`, whose properties it decides within the timeout. A row has the CPU time of a
process: without a cache; with an empty one (`cold`), and with what that has kept (`warm`), whose output has to be the same;
and of `typecheck`, which is what a run takes that asks nothing. Exits with 1 if an answer differs. `cache_poison.py` has entries of searches that lie.
"""
import gzip, random, re, shutil, subprocess, sys, tempfile
from pathlib import Path

from measured import ROOT, arguments, fastest, run

SUFFIXES = (".pyv", ".rml", ".ivy")


def models(place):
    """The paths of the models that are, or are in, this file or folder."""
    place = Path(place)
    found = sorted(place.rglob("*")) if place.is_dir() else [place]
    return [path for path in found if path.suffix in SUFFIXES]


def told(command):
    """Exit code, output and messages."""
    ended = subprocess.run(command, capture_output=True)
    return ended.returncode, ended.stdout, ended.stderr


def outcomes(document):
    """The answers in a document, without counterexamples."""
    return re.findall(r'"outcome": "(\w+)"', document)


def text(entry):
    """The text of an entry, of which large ones are compressed."""
    return gzip.decompress(entry) if entry[:2] == b"\x1f\x8b" else entry


def entries(folder):
    """The files of the entries of a cache."""
    return sorted(path for path in Path(folder).rglob("*") if path.is_file() and len(path.parent.name) == 2)


def poisoned(entry, valid, rng):
    """An entry, damaged in one of many ways."""
    way, lines = rng.randrange(10), text(entry).split(b"\n")
    if way == 0:
        return entry[: rng.randrange(len(entry))]
    if way == 1:
        at = rng.randrange(len(entry))
        return entry[:at] + bytes([entry[at] ^ 1 << rng.randrange(8)]) + entry[at + 1 :]
    if way == 2:
        return b""
    if way == 3:
        return rng.choice(valid)
    if way == 4:
        return rng.randbytes(1000)
    if way == 5:  # the answer to another obligation, which claims to be one to this
        return b"\n".join(lines[:2] + text(rng.choice(valid)).split(b"\n")[2:])
    if way == 6:
        del lines[rng.randrange(len(lines))]
    elif way == 7:
        lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    else:  # another number or word
        at = rng.randrange(2, len(lines))
        words = lines[at].split(b" ")
        words[rng.randrange(len(words))] = rng.choice([b"0", b"1", b"7", b"-3", b"99999999", b"A", b"q"])
        lines[at] = b" ".join(words)
    return b"\n".join(lines)


def row(name, times):
    print(f"{name[-44:]:44} " + " ".join(f"{time:9.3f}" for time in times), flush=True)


def measured(command, path, ramsey, folder):
    """The four times of a command about a model, and whether the run that reads the entries says what the one says that has kept them."""
    place = Path(folder) / "one"
    cache = ["--cache", str(place)]
    without = run([*command, path])[2]
    cold = run([*command, *cache, path])[2]
    first = told([*command, *cache, path])
    warm = run([*command, *cache, path])[2]
    shutil.rmtree(place)
    is_same = first == told([*command, *cache, path])
    shutil.rmtree(place)
    return [without, cold, warm, run([ramsey, "typecheck", path])[2]], is_same


def together(verify, chosen, ramsey, cache):
    """Prints the times of all models in one process."""
    without = run([*verify, "-q", *chosen])[2]
    cold = run([*verify, "-q", *cache, *chosen])[2]
    _, said, warm, _ = run([*verify, "-q", "--stats", *cache, *chosen])
    row(f"{len(chosen)} models in one process", [without, cold, warm, run([ramsey, "typecheck", *chosen])[2]])
    print(f"{len(chosen)} models: {without:.1f} s without a cache, {cold:.1f} s with an empty one, {warm:.1f} s with a full one, with", end=" ")
    print(re.search(r"answers +(.*)", said).group(1), flush=True)


def small(verify, ramsey, folder):
    """Prints the times of a model of a few obligations, and of a command that reads nothing."""
    path = str(ROOT / "examples/lock_server.pyv")
    cache = ["--cache", f"{folder}/small"]
    run([*verify, *cache, path])
    times = [fastest(command, 100, 60)[1] for command in ([*verify, path], [*verify, *cache, path], [ramsey, "--version"])]
    print("lock_server.pyv: {:.1f} ms without a cache, {:.1f} ms with a full one; --version {:.1f} ms".format(*(1000 * it for it in times)))


def searches(infer, paths, ramsey, folder):
    """Prints the times of searches. Returns the models of which the answers differ."""
    sums, differing, slower = [0.0] * 4, [], []
    for path in map(str, paths):
        if run([*infer, path])[0] not in (0, 1):
            continue
        times, is_same = measured(infer, path, ramsey, folder)
        row(f"infer {path}", times)
        sums = [total + time for total, time in zip(sums, times)]
        differing += [] if is_same else [f"infer {path}"]
        slower += [f"infer {path}"] if times[2] > times[0] + 0.005 else []
    row("infer, all of these", sums)
    print(f"{len(slower)} take longer with a full cache than without: {' '.join(slower)}")
    return differing


def main():
    parser = arguments(__doc__, timeout=10, corpus=ROOT.parent / "shared/corpus")
    parser.add_argument("--models", type=int, default=100, metavar="N")
    parser.add_argument("--poison", type=int, default=1000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parts = ["models", "together", "small", "searches", "poison"]
    parser.add_argument("--part", action="append", choices=parts, metavar="PART")
    parser.add_argument("--searches", action="append", metavar="PATH")
    options = parser.parse_args()
    parts = options.part or parts
    rng, differing = random.Random(options.seed), []
    verify = [options.ramsey, "verify", "--inductive", "-j", "1", "--timeout", str(options.timeout)]
    chosen = []
    if {"models", "together", "poison"} & set(parts):
        answered = []
        for path in [*models(ROOT / "examples"), *models(options.corpus)]:
            code, _, cpu, _ = run([*verify, str(path)])
            if code in (0, 1):
                answered.append((cpu, path))
        chosen = [str(path) for _, path in sorted(answered, reverse=True)[: options.models]]
    print(f"{'':44} {'without':>9} {'cold':>9} {'warm':>9} {'typecheck':>9}")
    with tempfile.TemporaryDirectory() as folder:
        if "models" in parts:
            for path in chosen:
                times, is_same = measured(verify, path, options.ramsey, folder)
                row(path, times)
                differing += [] if is_same else [path]
        cache = ["--cache", f"{folder}/all"]
        if "together" in parts:
            together(verify, chosen, options.ramsey, cache)
        if "small" in parts:
            small(verify, options.ramsey, folder)
        if "searches" in parts:
            infer = [options.ramsey, "infer", "-j", "1", "--timeout", str(options.timeout)]
            paths = [path for place in options.searches or [ROOT / "examples"] for path in models(place)]
            differing += searches(infer, paths, options.ramsey, folder)
        if "poison" in parts:
            document = [*verify, "--format", "json", "--stats", *cache, *chosen]
            before, count, rejected = outcomes(run(document)[1]), 0, 0
            valid = [path.read_bytes() for path in entries(f"{folder}/all")]
            while count < options.poison:
                files = entries(f"{folder}/all")
                some = rng.sample(files, min(len(files), 250))
                for path in some:
                    path.write_bytes(poisoned(path.read_bytes() or rng.choice(valid), valid, rng))
                _, after, _, _ = run(document)
                count, rejected = count + len(some), rejected + int(re.search(r'"rejected": (\d+)', after).group(1))
                if outcomes(after) != before:
                    differing.append(f"all, after {count} poisoned entries")
            print(f"{count} entries poisoned, {rejected} of them not valid")
    for what in differing:
        print(f"another answer: {what}")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
