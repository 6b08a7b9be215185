#!/bin/sh
# CPU seconds of `ramsey solve` and of the SAT solvers that are installed, on the same CNF files, one after the other
# on one core.  usage: benches/sat_peers.sh RAMSEY_BINARY FILE.cnf[.xz]...
#
# RAMSEY_ARGS (default: solve) goes between the binary and the file; LIMIT is the limit in seconds (default 60).
# A line ends with the verdict and whether all solvers agree on it.
set -eu
ramsey=$1
shift
limit=${LIMIT:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

solvers=ramsey
for peer in minisat cadical kissat; do
    if command -v "$peer" >/dev/null; then solvers="$solvers $peer"; fi
done

pin=
if command -v taskset >/dev/null; then pin="taskset -c 0"; fi

run() {
    case $1 in
        # shellcheck disable=SC2086
        ramsey) set -- $pin "$ramsey" ${RAMSEY_ARGS-solve} "$2" ;;
        *) set -- $pin "$1" "$2" ;;
    esac
    status=0
    ( ulimit -t "$limit"; exec "$@" ) >"$work/out" 2>&1 || status=$?
    case $status in
        10) echo SAT ;;
        20) echo UNSAT ;;
        *)
            if grep -q '^s SATISFIABLE' "$work/out"; then echo SAT
            elif grep -q '^s UNSATISFIABLE' "$work/out"; then echo UNSAT
            else echo '?'; fi ;;
    esac
}

# The CPU seconds of all children, from what `times` wrote. (In a pipe `times` would speak of another shell.)
used() {
    awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } print sum }' "$1"
}

printf '%-20s' file
for solver in $solvers; do printf '%10s' "$solver"; done
printf '  verdict\n'
for file in "$@"; do
    name=$(basename "$file" .xz)
    name=${name%.cnf}
    cnf=$work/input.cnf
    case $file in
        *.xz) xz -dc "$file" >"$cnf" ;;
        *) cp "$file" "$cnf" ;;
    esac
    printf '%-20s' "$name"
    verdict=
    agree=agreed
    for solver in $solvers; do
        times >"$work/before"
        run "$solver" "$cnf" >"$work/verdict"
        times >"$work/after"
        found=$(cat "$work/verdict")
        if [ "$found" = '?' ]; then
            printf '%10s' "-"
        else
            printf '%10.2f' "$(echo "$(used "$work/after") $(used "$work/before")" | awk '{ print $1 - $2 }')"
            if [ -n "$verdict" ] && [ "$verdict" != "$found" ]; then agree=DISAGREE; fi
            verdict=$found
        fi
    done
    printf '  %s %s\n' "${verdict:-unknown}" "$agree"
done
