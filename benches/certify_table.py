#!/usr/bin/env python3
"""What certificates cost: CPU time of `ramsey verify`, of `verify --certify`, and of `ramsey-check`, per model, and
the sizes of the certificates.

usage: certify_table.py [--ramsey BINARY] [--checker BINARY] [--runs N] MODEL|DIR...

Whole processes on one thread, the fastest of N runs. Every certificate has to be accepted; exit code 1 if not.
"""
import statistics, sys, tempfile
from pathlib import Path

from measured import ROOT, arguments, fastest, geometric_mean


def main():
    args = arguments(__doc__, runs=3)
    args.add_argument("--checker", default=str(ROOT / "target/release/ramsey-check"))
    args.add_argument("models", nargs="+")
    options = args.parse_args()
    models = []
    for path in map(Path, options.models):
        models += sorted(path.rglob("*.pyv")) if path.is_dir() else [path]
    measure = lambda command: fastest(command, options.runs, 120)
    print(f"{'model':44} {'verify ms':>10} {'certify ms':>10} {'ratio':>6} {'check ms':>9} {'bytes':>9}")
    ratios, checks, sizes, rejected = [], [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        certificate = Path(folder) / "certificate"
        for model in models:
            verify = [options.ramsey, "verify", "--all", "-q", "-j1", str(model)]
            code, plain, _ = measure(verify)
            if code not in (0, 1):
                continue
            _, certified, _ = measure(verify + ["--certify", str(certificate)])
            code, check, _ = measure([options.checker, str(model), str(certificate)])
            rejected += code != 0
            text = certificate.read_text()
            sizes.append(len(text) / sum(line.startswith(("q ", "s ")) for line in text.splitlines()))
            ratios.append(certified / plain)
            checks.append(check / plain)
            print(f"{model.name:44} {plain * 1e3:10.1f} {certified * 1e3:10.1f} {certified / plain:6.2f} "
                  f"{check * 1e3:9.1f} {len(text):9}", flush=True)
            certificate.unlink()
    print(f"\ngeometric mean: certifying takes {geometric_mean(ratios):.2f} times verifying, checking {geometric_mean(checks):.2f} times; "
          f"median certificate {statistics.median(sizes):.0f} bytes an obligation, largest {max(sizes):.0f}; "
          f"{rejected} rejected")
    return 1 if rejected else 0


sys.exit(main())
