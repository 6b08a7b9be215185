#!/bin/sh
# Puts what is released into a folder: the static binaries, pages of the manual, completions, what the program is made of (CycloneDX), and
# the checksums of all that. Wants python3, beside what `build-static.sh` wants.
#
#   scripts/release.sh FOLDER
set -eu
out=${1:?scripts/release.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/.."
if [ -n "$(ls -A "$out")" ]; then
    echo "release: $out is not empty" >&2
    exit 2
fi

# The last line names the checker, the one before it the program.
built=$(./scripts/build-static.sh | tail -n 2)
ramsey=$(echo "$built" | head -n 1)
checker=$(echo "$built" | tail -n 1)
target=$(basename "$(dirname "$(dirname "$ramsey")")")

cp "$ramsey" "$out/ramsey-$target"
cp "$checker" "$out/ramsey-check-$target"
mkdir "$out/completions"
"$ramsey" man "$out/man" > /dev/null
for shell in bash elvish fish powershell zsh; do
    "$ramsey" completions "$shell" > "$out/completions/ramsey.$shell"
done
python3 scripts/sbom.py "$target" > "$out/ramsey.cdx.json"
cp LICENSE-APACHE LICENSE-MIT "$out"
(cd "$out" && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | sed 's|^\./||' | xargs sha256sum > SHA256SUMS)
"$ramsey" --version
echo "$out"
