#!/bin/sh
# Has the proofs of `ramsey solve --proof` checked by the checkers that are installed (cake_lpr and lrat-check for LRAT,
# drat-trim for DRAT).  usage: benches/check_proofs.sh FILE.cnf[.xz]...
#
# RAMSEY (default: target/release/ramsey) is the binary; LIMIT is the limit of each search in seconds (default 60).
# Satisfiable and unsolved problems are skipped. Ends with 1 if a checker rejects a proof.
set -eu
ramsey=${RAMSEY:-target/release/ramsey}
limit=${LIMIT:-60}

checkers=
for checker in cake_lpr lrat-check drat-trim; do
    if command -v "$checker" >/dev/null; then checkers="$checkers $checker"; fi
done
if [ -z "$checkers" ]; then
    echo "skipped: none of cake_lpr, lrat-check and drat-trim is installed"
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
    for checker in $checkers; do
        format=lrat
        if [ "$checker" = drat-trim ]; then format=drat; fi
        status=0
        "$ramsey" solve --quiet --timeout "$limit" --proof "$work/proof" --proof-format "$format" "$cnf" \
            >"$work/answer" || status=$?
        case $status in
            20) ;;
            10) echo "$file: skipped: satisfiable"; break ;;
            0) echo "$file: skipped: unsolved"; break ;;
            *) echo "$file: FAILED: ramsey ends with $status"; failed=1; break ;;
        esac
        "$checker" "$cnf" "$work/proof" >"$work/verdict" 2>&1 || true
        # cake_lpr says `s VERIFIED UNSAT` (old versions `s UNSATISFIABLE`), drat-trim `s VERIFIED`, lrat-check
        # `c VERIFIED`; of a bad step it says `c NOT VERIFIED`, and goes on.
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
