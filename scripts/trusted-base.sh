#!/bin/sh
# Prints what has to be trusted of an accepted certificate, by language: files with their line counts, as Markdown tables,
# and the crates that these files use, with the versions of Cargo.lock.
#
# Tests and blank lines do not count, comments do. With `--total` only sums and crates are printed, with `--files` only the
# names of all files.
set -eu
cd "$(dirname "$0")/.."

# What lies in these files judges.
kernel='src/check'
# What lies in these tells the kernel what the obligations are, and what formulas mean. Of the other files of
# `logic` and of `lang` (fragments, printing, search's normal form, DIMACS) the kernel calls nothing; the normal form
# can make the front refuse a program, but not read it in another way. Nothing depends on digests, and the kernel judges
# what comes out of compressed files, whatever that is.
common='src/base/ids.rs src/base/hash.rs src/base/span.rs src/base/budget.rs src/diag
    src/logic/sig.rs src/logic/term.rs src/logic/subst.rs src/logic/structure.rs src/logic/eval.rs
    src/vc/mod.rs src/vc/plain.rs
    src/lang/mod.rs src/lang/error.rs src/lang/files.rs src/lang/loaded.rs src/bin/ramsey-check.rs'
# Of models, and of problems.
models='src/system/model.rs src/vc/executions.rs'
problems='src/logic/problem.rs src/vc/problem.rs'
# By language, on top of these. Both languages of models share formulas.
pyv="$models src/lang/pyv"
rml="$pyv src/system/command.rs src/system/compose.rs src/system/program.rs src/lang/rml"
smtlib="$problems src/lang/smtlib"
tptp="$problems src/lang/tptp"

# The crates that these files use, and what those use in turn. `logos` writes the lexer of `.pyv`, whose tokens `.rml` has
# too, when the program is built; `flate2` expands compressed certificates.
crates='hashbrown rustc-hash smallvec logos logos-derive logos-codegen flate2 miniz_oxide crc32fast'

# Lines of a file that are not blank and not in its module of tests, which is the last of a file.
lines() {
    awk '/^#\[cfg\(test\)\]$/ { held = 1; next }
         held && /^mod .*\{$/ { exit }
         { held = 0 }
         NF { count++ }
         END { print count + 0 }' "$1"
}

# The files of these folders and names.
files() {
    find "$@" -name '*.rs' ! -path '*/tests/*' ! -name 'tests.rs' ! -name 'printer.rs' | LC_ALL=C sort
}

table() {
    name=$1
    shift
    sum=0
    rows=''
    for file in $(files "$@"); do
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
case "${1:-}" in
    --total) mode=total ;;
    --files)
        # The lists are words on purpose, here and below.
        # shellcheck disable=SC2086
        files $kernel $common $rml $smtlib $tptp
        exit
        ;;
esac
# shellcheck disable=SC2086
table kernel $kernel
# shellcheck disable=SC2086
table 'trusted front of .pyv' $common $pyv
# shellcheck disable=SC2086
table 'trusted front of .rml' $common $rml
# shellcheck disable=SC2086
table 'trusted front of SMT-LIB' $common $smtlib
# shellcheck disable=SC2086
table 'trusted front of TPTP' $common $tptp
for crate in $crates; do
    awk -v name="\"$crate\"" '$1 == "name" { found = $3 == name }
        found && $1 == "version" { gsub(/"/, "", $3); gsub(/"/, "", name); print "crate " name " " $3 }' Cargo.lock
done
