# What the scripts for many machines have in common; they source it. Rounds of tasks are folders `round1`, `round2`, .. of WORK.
#
#   RAMSEY    the program; it has to be the same on all machines        [ramsey]
#   ROUNDS    number of rounds after which to give up                   [8]
#   TIMEOUT   seconds after which a task is ended                       [3600]
#   RETRIES   number of times that a task is tried                      [3]
#   IMPORT    options of `ramsey task import`, such as --out FILE; --isolate and --no-strict have to be those of the export
#   JOBS      number of tasks at the same time on this machine          [one per processor]

set -eu
RAMSEY=$(command -v "${RAMSEY:-ramsey}") || { echo "there is no program \`${RAMSEY:-ramsey}\`" >&2; exit 2; }
case $RAMSEY in /*) ;; *) RAMSEY=$PWD/$RAMSEY ;; esac
ROUNDS=${ROUNDS:-8}
TIMEOUT=${TIMEOUT:-3600}
RETRIES=${RETRIES:-3}
JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
one=$(cd "$(dirname "$0")" && pwd)/tasks-one.sh

if [ $# -lt 3 ]; then
    echo "usage: ${0##*/} WORK MODEL --for infer|bmc|instance [options of ramsey task export]" >&2
    exit 2
fi
mkdir -p "$1"
WORK=$(cd "$1" && pwd)
MODEL=$2
shift 2
# Searches for an invariant end with the first answer; what is bounded needs all of them.
case " $* " in
    *" infer "* | *"=infer "*) FIRST_ONLY=yes ;;
    *) FIRST_ONLY=no ;;
esac

# Lists the tasks of a round without a result.
pending() {
    [ ! -e "$1/found" ] || return 0
    for task in "$1"/tasks/*.json; do
        [ ! -e "$task" ] || [ -s "$1/results/${task##*/}" ] || echo "$task"
    done
}

# Goes through the rounds: tasks without a result are run RETRIES times at most, by `run_tasks ROUND` with their list on standard
# input. A run that was interrupted goes on where it was.
run_rounds() {
    number=1
    while [ -e "$WORK/round$((number + 1))/manifest.json" ]; do number=$((number + 1)); done
    if [ ! -e "$WORK/round$number/manifest.json" ]; then
        "$RAMSEY" task export "$MODEL" "$@" --to "$WORK/round$number"
    fi
    while :; do
        round=$WORK/round$number
        for _ in $(seq "$RETRIES"); do
            [ -n "$(pending "$round")" ] || break
            pending "$round" | run_tasks "$round" || true
        done
        number=$((number + 1))
        next=$WORK/round$number
        [ "$number" -le "$ROUNDS" ] || next=
        code=0
        # shellcheck disable=SC2086 # IMPORT has several words
        "$RAMSEY" task import "$MODEL" "$round" ${next:+--next "$next"} ${IMPORT:-} || code=$?
        if [ "$code" -ne 3 ] || [ ! -e "$next/manifest.json" ]; then return "$code"; fi
    done
}
