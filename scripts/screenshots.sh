#!/bin/sh
# Makes the pictures of docs/page.md anew, in headless Chromium.
set -eu
cd "$(dirname "$0")/.."

shots=$(mktemp -d)
trap 'rm -rf "$shots"' EXIT
RAMSEY_SHOTS=$shots cargo test --locked --test browser shots::
sed -n 's/.*](page\/\([a-z0-9-]*\.png\)).*/\1/p' docs/page.md | while read -r name; do
    cp "$shots/$name" "docs/page/$name"
done
