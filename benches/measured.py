"""Runs of `ramsey` with their cost, for the scripts beside this file."""

import argparse
import json
import math
import os
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def arguments(description, **defaults):
    """A parser with the path of the binary, and with those of --runs, --timeout and --corpus that have a default."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ramsey", default=str(ROOT / "target/release/ramsey"), metavar="BINARY")
    if "runs" in defaults:
        parser.add_argument("--runs", type=int, default=defaults["runs"], metavar="N")
    if "timeout" in defaults:
        parser.add_argument("--timeout", type=type(defaults["timeout"]), default=defaults["timeout"], metavar="S")
    if "corpus" in defaults:
        parser.add_argument("--corpus", default=os.environ.get("RAMSEY_CORPUS", str(defaults["corpus"])), metavar="DIR")
    return parser


def run(command, timeout=math.inf):
    """Exit code, output, CPU seconds, peak memory in MB of one child."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + timeout
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                child.kill()
                os.wait4(child.pid, 0)
                return None, "", timeout, 0.0
            time.sleep(0.0005)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    return child.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def fastest(command, runs, timeout):
    """Exit code, CPU seconds and peak memory of the fastest of so many runs."""
    code, _, cpu, memory = min((run(command, timeout) for _ in range(runs)), key=lambda it: it[2])
    return code, cpu, memory


def answer(command):
    """The document that a command prints, and its CPU time."""
    _, text, cpu, _ = run([*command, "--format", "json"])
    return json.loads(text), cpu


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / max(len(values), 1))
