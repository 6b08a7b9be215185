#!/usr/bin/env python3
"""All tables of what questions cost, one after the other in one run: growth with size, bounded checking with and without
the invariants that help, verification, standalone queries, SAT problems, circuits, certificates, inference on one and two threads.

usage: performance.py [--ramsey BINARY] [--corpus DIR] [--timeout S] [TABLE...]

TABLE is a part of the title of those wanted. Without the corpus the tables that need it are left out. Peers are asked where they
are installed: Z3 and cvc5 as packages of Python, minisat, cadical, kissat and berkeley-abc as commands. All tables together take
one to two hours. Exit code 1 if an answer of a table is missing, wrong, or slower than a peer's.
"""
import importlib.util, lzma, os, shutil, subprocess, sys, tempfile, time
from pathlib import Path

from measured import ROOT, arguments, run

BENCHES = ROOT / "benches"


def main():
    options = arguments(__doc__, corpus=ROOT / "../shared/corpus", timeout=10.0)
    options.add_argument("tables", nargs="*")
    options = options.parse_args()
    corpus, limit = Path(options.corpus), f"--timeout={options.timeout:g}"
    has_z3 = importlib.util.find_spec("z3") is not None
    script = lambda name, *args: lambda: [sys.executable, BENCHES / name, f"--ramsey={options.ramsey}", *args]
    tables = {"growth with size": script("families.py", limit, *["--z3"] * has_z3)}
    if corpus.is_dir():
        given = f"--corpus={corpus}"
        tables |= {
            "bounded checking": script("bmc_table.py", given, limit),
            "bounded checking without help": script("bmc_table.py", given, limit, "--runs=1", "--bare=3,5,8,10"),
            "verification": script("pyv_table.py", given, limit),
            "certificates": script("certify_table.py", ROOT / "examples", corpus / "pyv"),
            "SAT problems": lambda: [BENCHES / "sat_peers.sh", options.ramsey, *sorted((corpus / "cnf").glob("*.cnf.xz"))],
            "circuits": lambda: circuits(options, corpus / "aig"),
            "inference": lambda: inference(options, corpus / "pyv"),
        }
        if has_z3:
            tables["standalone queries"] = lambda: [sys.executable, BENCHES / "smt_table.py", limit, corpus / "smt2"]
    else:
        print(f"skipped: what needs a corpus, as there is none at {corpus}")
    failed = []
    for title, table in tables.items():
        if options.tables and not any(wanted in title for wanted in options.tables):
            continue
        print(f"\n## {title}\n", flush=True)
        command = table()
        if isinstance(command, list):
            environment = os.environ | {"LIMIT": f"{options.timeout:g}"}
            command = subprocess.run(list(map(str, command)), env=environment).returncode == 0
        if not command:
            failed.append(title)
    if failed:
        print("\nmissing, wrong or slower than a peer somewhere in:", ", ".join(failed))
    return 1 if failed else 0


def circuits(options, folder):
    """Property-directed reachability beside that of ABC, in CPU seconds."""
    abc = shutil.which("berkeley-abc") or shutil.which("abc")
    is_fast = True
    print(f"{'circuit':32} {'ramsey':>8} {'abc':>8}")
    with tempfile.TemporaryDirectory() as work:
        for packed in sorted(folder.glob("*.aig.xz")):
            file = Path(work) / packed.name.removesuffix(".xz")
            file.write_bytes(lzma.decompress(packed.read_bytes()))
            code, _, cpu, _ = run([options.ramsey, "solve", str(file)], options.timeout)
            peer = run([abc, "-c", f"read {file}; pdr"], options.timeout)[2] if abc else None
            is_fast &= code in (0, 1, 10, 20) and (peer is None or cpu <= max(peer, 0.02))
            print(f"{file.name:32} {cpu:8.3f} {'' if peer is None else f'{peer:8.3f}'}", flush=True)
    return is_fast


def inference(options, folder):
    """CPU and wall seconds of `infer` on one and on two threads, without the invariants of the models."""
    print(f"{'model':44} {'-j1 CPU':>8} {'wall':>7} {'-j2 CPU':>8} {'wall':>7}")
    sums, answered = [0.0] * 4, True
    for model in sorted(folder.glob("*.pyv")):
        row = []
        for threads in (1, 2):
            start = time.monotonic()
            code, _, cpu, _ = run([options.ramsey, "infer", f"-j{threads}", str(model)], options.timeout)
            # Both "found" and "there is none" are answers; at the limit there is none.
            answered &= code in (0, 1, None)
            row += [cpu, time.monotonic() - start]
        sums = [total + it for total, it in zip(sums, row)]
        print(f"{model.name:44} {row[0]:8.2f} {row[1]:7.2f} {row[2]:8.2f} {row[3]:7.2f}", flush=True)
    print(f"{'together':44} {sums[0]:8.2f} {sums[1]:7.2f} {sums[2]:8.2f} {sums[3]:7.2f}")
    return answered


if __name__ == "__main__":
    sys.exit(main())
