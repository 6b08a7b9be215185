#!/bin/sh
# Prints what has to be trusted of an accepted certificate, by file and line count, as a Markdown table.
#
# Tests and blank lines do not count, comments do. With `--total` only the two sums are printed.
set -eu
cd "$(dirname "$0")/.."

# What lies in these files judges.
kernel='src/check'
# What lies in these tells the kernel what the obligations are, and what formulas mean. Of the other files of
# `logic` and of `lang` (fragments, printing, search's normal form, DIMACS) the kernel calls nothing; the normal form
# can make the front refuse a program, but not read it in another way.
front='src/base/ids.rs src/base/hash.rs src/base/span.rs src/diag
    src/logic/sig.rs src/logic/term.rs src/logic/subst.rs src/logic/structure.rs src/logic/eval.rs src/logic/problem.rs
    src/system/model.rs src/system/command.rs src/system/compose.rs src/system/program.rs
    src/vc/mod.rs src/vc/executions.rs src/vc/plain.rs src/vc/problem.rs
    src/lang/mod.rs src/lang/error.rs src/lang/files.rs src/lang/loaded.rs src/lang/pyv src/lang/rml src/lang/smtlib
    src/lang/tptp src/bin/ramsey-check.rs'

# Lines of a file that are not blank and not in its module of tests, which is the last of a file.
lines() {
    awk '/^#\[cfg\(test\)\]$/ { held = 1; next }
         held && /^mod .*\{$/ { exit }
         { held = 0 }
         NF { count++ }
         END { print count + 0 }' "$1"
}

table() {
    name=$1
    shift
    sum=0
    rows=''
    for file in $(find "$@" -name '*.rs' ! -path '*/tests/*' ! -name 'tests.rs' ! -name 'printer.rs' | LC_ALL=C sort); do
        count=$(lines "$file")
        sum=$((sum + count))
        rows="$rows| \`$file\` | $count |
"
    done
    if [ "$mode" = all ]; then
        printf '| %s | lines |\n|---|---:|\n%s| **together** | **%s** |\n\n' "$name" "$rows" "$sum"
    else
        printf '%s: %s lines\n' "$name" "$sum"
    fi
}

mode=all
if [ "${1:-}" = --total ]; then
    mode=total
fi
# The lists are words on purpose.
# shellcheck disable=SC2086
table kernel $kernel
# shellcheck disable=SC2086
table 'trusted front' $front
