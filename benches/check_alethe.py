#!/usr/bin/env python3
"""Lets Carcara check what `ramsey check --alethe` writes.

usage: check_alethe.py [--ramsey BINARY] [--carcara BINARY] FILE|DIR...

Each model (.pyv, .rml, .ivy) is verified and each problem (.smt2, .p) solved, with a certificate, whose proofs are written in the Alethe
format. Carcara (https://github.com/ufmg-smite/carcara) has to call each of them valid: a proof with a hole is not. Its binary is that of
--carcara, of RAMSEY_CARCARA, or on the PATH. Prints how many proofs it has read, and each that it does not accept; exit code 1 if there is one.
"""
import os, shutil, subprocess, sys, tempfile
from pathlib import Path

from measured import arguments

COMMANDS = {
    ".pyv": ["verify", "--all", "--no-strict"],
    ".rml": ["verify", "--all", "--no-strict"],
    ".ivy": ["verify", "--all", "--no-strict"],
    ".smt2": ["solve"],
    ".p": ["solve"],
}


def main():
    args = arguments(__doc__, timeout=60)
    args.add_argument("--carcara", default=os.environ.get("RAMSEY_CARCARA") or shutil.which("carcara"), metavar="BINARY")
    args.add_argument("paths", nargs="+", type=Path)
    options = args.parse_args()
    if not options.carcara:
        print("skipped: no carcara (--carcara, RAMSEY_CARCARA or the PATH)")
        return 0
    inputs = [file for path in options.paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    read, bad = 0, 0
    for path in inputs:
        command = COMMANDS.get(path.suffix)
        if not command:
            continue
        with tempfile.TemporaryDirectory() as folder:
            certificate, proofs = Path(folder) / "cert", Path(folder) / "proofs"
            limit = ["--timeout", str(options.timeout)]
            silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            subprocess.run([options.ramsey, *command, str(path), *limit, "--certify", str(certificate)], **silent)
            if not certificate.exists():
                print(f"{path}: no certificate")
                continue
            checked = [options.ramsey, "check", str(path), str(certificate), "--alethe", str(proofs)]
            if subprocess.run(checked, **silent).returncode != 0:
                print(f"{path}: NO PROOFS")
                bad += 1
                continue
            for proof in sorted(proofs.glob("*.alethe")):
                problem = proof.with_suffix(".smt2")
                run = subprocess.run([options.carcara, "check", str(proof), str(problem)], capture_output=True, text=True)
                read += 1
                if run.stdout.strip() != "valid":
                    print(f"{path}: {proof.stem}: {(run.stdout + run.stderr).strip()}")
                    bad += 1
    print(f"{read - bad if read else 0} of {read} proofs are valid")
    return 1 if bad or not read else 0


sys.exit(main())
