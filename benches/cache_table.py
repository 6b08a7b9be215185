#!/usr/bin/env python3
"""CPU time of `verify` and `infer` with an empty and with a full cache, and what becomes of poisoned entries.

usage: cache_table.py [--ramsey BINARY] [--corpus DIR] [--models N] [--timeout S] [--poison N] [--seed N]

Models are those of `examples/` and of the corpus ($RAMSEY_CORPUS) that have an answer to everything within the timeout; of these the N that take
longest. A row has the CPU time of a process for one model: without a cache; with an empty one (`cold`), and with what that has kept (`warm`), whose output has to be the same;
and of `typecheck`, which is what a run takes that asks nothing. A row is one process for all of them. The last rows are `infer` of the examples
whose safety properties it decides within the timeout, one process each. Then entries are damaged at random in all ways,
and the answers have to be the same again. Exits with 1 if an answer differs.
"""
import gzip, random, re, shutil, subprocess, sys, tempfile
from pathlib import Path

from measured import ROOT, arguments, run

SUFFIXES = (".pyv", ".rml", ".ivy")


def models(corpus):
    """The paths of all models."""
    folders = [ROOT / "examples", *([Path(corpus)] if Path(corpus).is_dir() else [])]
    return [path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES]


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


def main():
    parser = arguments(__doc__, timeout=10, corpus=ROOT.parent / "shared/corpus")
    parser.add_argument("--models", type=int, default=100, metavar="N")
    parser.add_argument("--poison", type=int, default=1000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    rng, differing = random.Random(options.seed), []
    verify = [options.ramsey, "verify", "-j", "1", "--timeout", str(options.timeout)]

    answered = []
    for path in models(options.corpus):
        code, _, cpu, _ = run([*verify, str(path)])
        if code in (0, 1):
            answered.append((cpu, path))
    chosen = [str(path) for _, path in sorted(answered, reverse=True)[: options.models]]
    print(f"{'':44} {'without':>9} {'cold':>9} {'warm':>9} {'typecheck':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for path in chosen:
            cache = ["--cache", f"{folder}/one"]
            without = run([*verify, path])[2]
            cold = run([*verify, *cache, path])[2]
            first = told([*verify, *cache, path])
            warm = run([*verify, *cache, path])[2]
            shutil.rmtree(f"{folder}/one")
            if first != told([*verify, *cache, path]):
                differing.append(path)
            shutil.rmtree(f"{folder}/one")
            row(path, [without, cold, warm, run([options.ramsey, "typecheck", path])[2]])
        cache = ["--cache", f"{folder}/all"]
        without = run([*verify, "-q", *chosen])[2]
        cold = run([*verify, "-q", *cache, *chosen])[2]
        _, said, warm, _ = run([*verify, "-q", "--stats", *cache, *chosen])
        row(f"{len(chosen)} models in one process", [without, cold, warm, run([options.ramsey, "typecheck", *chosen])[2]])
        print(f"warm is {warm / cold:.3f} of cold, and {warm / without:.3f} of a run without a cache;", end=" ")
        print(re.search(r"answers +(.*)", said).group(1))

        infer = [options.ramsey, "infer", "-j", "1", "--timeout", str(options.timeout)]
        sums = [0.0, 0.0, 0.0, 0.0]
        for path in [str(path) for path in models(options.corpus) if ROOT / "examples" in path.parents]:
            code, _, without, _ = run([*infer, path])
            if code not in (0, 1):
                continue
            cache = ["--cache", f"{folder}/searches"]
            cold = run([*infer, *cache, path])[2]
            first = told([*infer, *cache, path])
            warm = run([*infer, *cache, path])[2]
            shutil.rmtree(f"{folder}/searches")
            if first != told([*infer, *cache, path]):
                differing.append(f"infer {path}")
            shutil.rmtree(f"{folder}/searches")
            times = [without, cold, warm, run([options.ramsey, "typecheck", path])[2]]
            row(f"infer {path}", times)
            sums = [total + time for total, time in zip(sums, times)]
        row("infer, all of these", sums)
        cache = ["--cache", f"{folder}/all"]

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
