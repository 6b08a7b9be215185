#!/bin/sh
# Builds the stripped static binaries `ramsey` and `ramsey-check` for Linux on x86-64 and prints where they are.
#
# Wants the musl target (rustup target add x86_64-unknown-linux-musl); without it the binary is linked
# statically with glibc. The allocator of the musl build is C: without musl-gcc, gcc does.
set -eu
cd "$(dirname "$0")/.."

has_target() {
    libdir=$(rustc --print target-libdir --target "$1" 2>/dev/null) && [ -d "$libdir" ]
}

# What reads models is as fast when it is built for size. The checker has no use for what the features bring, and is built for size as
# a whole.
build() {
    cargo build -p ramsey --release --locked --bin ramsey --target "$target" \
        --config 'profile.release.package.ramsey-lang.opt-level="s"' \
        --config 'profile.release.package.ramsey-naive.opt-level="s"' "$@" >&2
    cargo build -p ramsey --profile small --no-default-features --locked --bin ramsey-check --target "$target" "$@" >&2
}

musl=x86_64-unknown-linux-musl
gnu=x86_64-unknown-linux-gnu
if has_target "$musl"; then
    target=$musl
    if [ -z "${CC_x86_64_unknown_linux_musl:-}" ] && ! command -v musl-gcc >/dev/null 2>&1; then
        CC_x86_64_unknown_linux_musl=gcc
        export CC_x86_64_unknown_linux_musl
    fi
else
    target=$gnu
    echo "build-static: no target $musl here; linking statically with glibc" >&2
    RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+crt-static"
    export RUSTFLAGS
fi
# Panics name places of the sources, which are the same wherever they are built.
RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=${CARGO_TARGET_DIR:-$PWD/target}=/target"
RUSTFLAGS="$RUSTFLAGS --remap-path-prefix=$PWD=/ramsey --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
# Nothing unwinds, as panics abort, so tables of frames are of no use. Code at fixed addresses needs no relocation when it starts.
RUSTFLAGS="$RUSTFLAGS -C force-unwind-tables=no -C relocation-model=static"
export RUSTFLAGS
# The allocator has the time of its compilation in it.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
# `ramsey --version` tells the commit.
if commit=$(git rev-parse --short=12 HEAD 2>/dev/null); then
    [ -z "$(git status --porcelain --untracked-files=no)" ] || commit="$commit, changed"
    RAMSEY_COMMIT=$commit
    export RAMSEY_COMMIT
fi
export CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
build "$@"
echo "${CARGO_TARGET_DIR:-$PWD/target}/$target/release/ramsey"
echo "${CARGO_TARGET_DIR:-$PWD/target}/$target/small/ramsey-check"
