#!/bin/sh
# Runs `ramsey task` with HyperQueue, one job of many tasks per round.
#
#   scripts/tasks-hyperqueue.sh WORK MODEL --for infer --seeds 8
#
# With the program `hq`, a server has to be running; its workers may be anywhere with a common folder, and
# `hq alloc add slurm --time-limit 1h -- --partition ..` (or `pbs`) has it start them as jobs of a cluster. Without it, the Python
# package (`pip install hyperqueue`) starts a server and a worker on this machine; this is what is tested. tasks-common.sh
# describes the environment variables.
. "$(dirname "$0")/tasks-common.sh"

# A task whose worker is lost (`crash_limit`) goes to another one.
if command -v hq >/dev/null; then
    run_tasks() {
        cat >"$1/pending"
        hq submit --wait --each-line "$1/pending" --stdout=none --stderr=none --cpus 1 --crash-limit "$RETRIES" -- \
            sh -c "'$one' \"\$HQ_ENTRY\" '$RAMSEY' '$TIMEOUT' '$FIRST_ONLY' || [ \$? -eq 3 ]"
    }
elif python3 -c 'import hyperqueue' 2>/dev/null; then
    run_tasks() {
        cat >"$1/pending"
        python3 - "$1/pending" "$JOBS" "$RETRIES" "$one" "$RAMSEY" "$TIMEOUT" "$FIRST_ONLY" \
            >"$1/hyperqueue.log" <<'END'
import pathlib
import sys

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

pending, jobs, retries, one, *options = sys.argv[1:]
with LocalCluster() as cluster:
    cluster.start_worker(WorkerConfig(cores=int(jobs)))
    client = cluster.client()
    job = Job(max_fails=None)
    for task in pathlib.Path(pending).read_text().splitlines():
        line = ["sh", "-c", '"$@" || [ $? -eq 3 ]', "sh", one, task, *options]
        job.program(line, stdout=None, stderr=None, crash_limit=int(retries))
    client.wait_for_jobs([client.submit(job)], raise_on_error=False)
END
    }
else
    echo "HyperQueue is not installed: there is neither \`hq\` nor the Python package" >&2
    exit 2
fi

run_rounds "$@"
