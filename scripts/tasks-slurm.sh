#!/bin/sh
# Runs `ramsey task` with Slurm, one array of jobs per round, in a folder that all nodes have in common.
#
#   scripts/tasks-slurm.sh WORK MODEL --for infer --seeds 250
#
# SBATCH has further options of sbatch, such as `--partition=..`; ARRAY is the largest number of jobs in an array [1000].
# tasks-common.sh describes the other environment variables. It has not been tried: no Slurm was at hand.
. "$(dirname "$0")/tasks-common.sh"

command -v sbatch >/dev/null || { echo "Slurm is not installed: there is no \`sbatch\`" >&2; exit 2; }
ARRAY=${ARRAY:-1000}

run_tasks() {
    cat >"$1/pending"
    count=$(wc -l <"$1/pending")
    jobs=$((count < ARRAY ? count : ARRAY))
    minutes=$(((count + jobs - 1) / jobs * (TIMEOUT / 60 + 1)))
    # Job number N takes the lines N, N + JOBS, .. of the list.
    # shellcheck disable=SC2086 # SBATCH has several words
    sbatch --wait --array="1-$jobs" --time="$minutes" --cpus-per-task=1 --output=/dev/null ${SBATCH:-} <<END
#!/bin/sh
line=\$SLURM_ARRAY_TASK_ID
while [ "\$line" -le $count ]; do
    "$one" "\$(sed -n "\${line}p" "$1/pending")" "$RAMSEY" "$TIMEOUT" "$FIRST_ONLY"
    line=\$((line + $jobs))
done
END
}

run_rounds "$@"
