#!/bin/sh
# Carries out one task: `tasks-one.sh ROUND/tasks/NAME RAMSEY TIMEOUT FIRST_ONLY` leaves its result in ROUND/results/NAME.
#
# Exit code 0: an answer was found; 3: none, or none is needed; others: worth another try, since the result is missing.
round=${1%/tasks/*}
result=$round/results/${1##*/}
# A result is there as a whole or not at all. Where one answer is enough, the first one ends the round.
if [ -s "$result" ] || [ -e "$round/found" ]; then exit 3; fi
[ "$4" = yes ] || exec timeout "$3" "$2" task run "$1" --out "$result"

timeout "$3" "$2" task run "$1" --out "$result" &
task=$!
# No driver has to know that an answer was found elsewhere.
(while [ ! -e "$round/found" ]; do sleep 2; done; kill $task) >/dev/null 2>&1 &
watch=$!
trap 'kill $task $watch 2>/dev/null' TERM INT HUP
code=0
wait $task || code=$?
kill $watch 2>/dev/null
if [ "$code" -eq 0 ]; then : >"$round/found"; fi
[ ! -e "$round/found" ] || [ "$code" -eq 0 ] || code=3
exit "$code"
