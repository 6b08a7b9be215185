#!/bin/sh
# Runs `ramsey task` with GNU parallel, on this machine or, with SSH=host1,host2 and a folder that they have in common, on several.
#
#   scripts/tasks-parallel.sh WORK MODEL --for infer --seeds 8
#
# WORK has the rounds, and each round has a log of jobs. The same command goes on after an interruption. tasks-common.sh describes
# the environment variables.
. "$(dirname "$0")/tasks-common.sh"

command -v parallel >/dev/null || { echo "GNU parallel is not installed" >&2; exit 2; }

run_tasks() {
    # The first answer ends the tasks that are running, where one is enough.
    if [ "$FIRST_ONLY" = yes ]; then halt=now,success=1; else halt=never; fi
    # A task that has ended without an answer is not tried again: tasks-one.sh sees its result.
    parallel -q --will-cite --jobs "$JOBS" ${SSH:+--sshlogin "$SSH" --workdir .} \
        --joblog "$1/joblog" --timeout "$((TIMEOUT + 60))" --retries "$RETRIES" --halt "$halt" \
        "$one" {} "$RAMSEY" "$TIMEOUT" "$FIRST_ONLY"
}

run_rounds "$@"
