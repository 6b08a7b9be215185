#!/bin/sh
# Prints what has to be trusted of an accepted certificate, by language: files with their line counts, as Markdown tables,
# and the crates that these files use, with the versions of Cargo.lock. What is trusted are whole folders, which hold
# nothing else; tests/imports sees to it that they use each other alone.
#
# Tests and blank lines do not count; comments do, and so do files that are built in. With `--total` only sums and crates are printed, with `--files` only the
# names of all files.
set -eu
cd "$(dirname "$0")/.."

# What lies in this folder judges.
kernel='checker'
# What lies in these judges certificates about circuits.
circuits='kernel/check/circuit lang/aiger'
# What lies in these tells the kernel what the obligations are, and what formulas mean.
common='core/base core/diag core/logic core/system kernel/obligations kernel/core kernel/check lang lang/shared kernel/bin'
# By language, on top of these. Languages of models share formulas, and those of programs commands.
pyv="$common lang/fol lang/pyv"
rml="$common core/system/program lang/fol lang/program lang/rml"
ivy="$common core/system/program lang/fol lang/program lang/ivy"
smtlib="$common lang/smtlib"
tptp="$common lang/tptp"
core="$common lang/core"
# What reads a model a second time, on its own.
second_pyv='naive naive/pyv'
second_rml='naive naive/program naive/rml'
second_ivy='naive naive/problem naive/program naive/ivy'
second_smtlib='naive naive/problem naive/smtlib'
second_tptp='naive naive/problem naive/tptp'

# The crates that these files use, and what those use in turn. `logos` writes the lexers of models when the program is built; `flate2` expands compressed certificates.
crates='hashbrown rustc-hash smallvec logos logos-derive logos-codegen flate2 miniz_oxide crc32fast'

# Lines of a file that are not blank and not in its module of tests, which is the last of a file.
lines() {
    awk '/^#\[cfg\(test\)\]$/ { held = 1; next }
         held && /^mod .*\{$/ { exit }
         { held = 0 }
         NF { count++ }
         END { print count + 0 }' "$1"
}

# The files of these folders, without their folders of further rooms.
files() {
    for folder in "$@"; do
        case $folder in
            lang | core/system | kernel/check | naive) depth='-maxdepth 1' ;;
            *) depth= ;;
        esac
        # An option is no word.
        # shellcheck disable=SC2086
        find "src/$folder" $depth \( -name '*.rs' -o -name '*.ivy' -o -name '*.rml' \) ! -path '*/tests/*' ! -name 'tests.rs'
    done | LC_ALL=C sort -u
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
        files $kernel $circuits $pyv $rml $ivy $smtlib $tptp $core $second_pyv $second_rml $second_ivy $second_smtlib $second_tptp
        exit
        ;;
esac
# shellcheck disable=SC2086
table checker $kernel
# shellcheck disable=SC2086
table 'trusted front of .pyv' $pyv
# shellcheck disable=SC2086
table 'trusted front of .rml' $rml
# shellcheck disable=SC2086
table 'trusted front of .ivy' $ivy
# shellcheck disable=SC2086
table 'trusted front of SMT-LIB' $smtlib
# shellcheck disable=SC2086
table 'trusted front of TPTP' $tptp
# shellcheck disable=SC2086
table 'checker of circuits' $circuits
# shellcheck disable=SC2086
table 'second front of .pyv' $second_pyv
# shellcheck disable=SC2086
table 'second front of .rml' $second_rml
# shellcheck disable=SC2086
table 'second front of .ivy' $second_ivy
# shellcheck disable=SC2086
table 'second front of SMT-LIB' $second_smtlib
# shellcheck disable=SC2086
table 'second front of TPTP' $second_tptp
for crate in $crates; do
    awk -v name="\"$crate\"" '$1 == "name" { found = $3 == name }
        found && $1 == "version" { gsub(/"/, "", $3); gsub(/"/, "", name); print "crate " name " " $3 }' Cargo.lock
done
