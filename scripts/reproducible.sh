#!/bin/sh
# Builds the static binaries of the current commit twice, in two folders that have nothing in common, and compares them byte by byte.
# Prints their checksums. Exits with 1 if they differ. Wants what `build-static.sh` wants, git, and the time of two builds.
#
#   scripts/reproducible.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
source=$PWD
if [ $# -gt 0 ]; then
    work=$1
    mkdir -p "$work"
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
work=$(cd "$work" && pwd)

# The second folder has a longer name, and its own place for what is compiled.
build() {
    git clone --quiet "$source" "$1"
    (cd "$1" && CARGO_TARGET_DIR=$1-target ./scripts/build-static.sh | tail -n 2)
}
first=$(build "$work/a")
second=$(build "$work/another")

status=0
for at in 1 2; do
    one=$(echo "$first" | sed -n "${at}p")
    other=$(echo "$second" | sed -n "${at}p")
    sha256sum "$one" "$other"
    cmp "$one" "$other" || status=1
done
exit $status
