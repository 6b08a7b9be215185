//! The binary `ramsey`; all it does is in [`ramsey::cli`].

use std::process::ExitCode;

// musl's own allocator would cost more than everything else that changes with the target.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ramsey::cli::main(std::env::args_os())
}
