#!/bin/sh
# Has the proofs of `ramsey solve --proof` checked by the LRAT checkers that are installed (cake_lpr; lrat-check of
# drat-trim).  usage: benches/check_lrat.sh FILE.cnf[.xz]...
#
# RAMSEY (default: target/release/ramsey) is the binary; LIMIT is the limit of each search in seconds (default 60).
# Satisfiable and unsolved problems are skipped. Ends with 1 if a checker rejects a proof.
set -eu
ramsey=${RAMSEY:-target/release/ramsey}
limit=${LIMIT:-60}

checkers=
for checker in cake_lpr lrat-check; do
    if command -v "$checker" >/dev/null; then checkers="$checkers $checker"; fi
done
if [ -z "$checkers" ]; then
    echo "skipped: neither cake_lpr nor lrat-check is installed"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed=0
for file in "$@"; do
    cnf=$work/input.cnf
    case $file in
        *.xz) xz -dc "$file" >"$cnf" ;;
        *) cp "$file" "$cnf" ;;
    esac
    status=0
    "$ramsey" solve --quiet --timeout "$limit" --proof "$work/proof" "$cnf" >"$work/answer" || status=$?
    case $status in
        20) ;;
        10) echo "$file: skipped: satisfiable"; continue ;;
        0) echo "$file: skipped: unsolved"; continue ;;
        *) echo "$file: FAILED: ramsey ends with $status"; failed=1; continue ;;
    esac
    for checker in $checkers; do
        "$checker" "$cnf" "$work/proof" >"$work/verdict" 2>&1 || true
        # cake_lpr says `s VERIFIED UNSAT` (old versions `s UNSATISFIABLE`), lrat-check `c VERIFIED`; of a bad step
        # it says `c NOT VERIFIED`, and goes on.
        if grep -q -e '^[cs] VERIFIED' -e '^s UNSATISFIABLE' "$work/verdict" &&
            ! grep -q 'NOT VERIFIED' "$work/verdict"; then
            echo "$file: $checker: verified, $(wc -c <"$work/proof") bytes"
        else
            echo "$file: $checker: REJECTED"
            failed=1
        fi
    done
done
exit "$failed"
