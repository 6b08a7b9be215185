"""Runs of `ramsey` with their CPU time, for the scripts beside this file."""

import json
import resource
import subprocess


def run(command):
    """Returns the document that a command prints, and its CPU time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.run(command + ["--format", "json"], capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    time = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(process.stdout), time
