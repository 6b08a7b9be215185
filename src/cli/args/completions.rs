//! `ramsey completions`

use clap::Args;
use clap_complete::Shell;

/// `ramsey completions`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey completions bash > ~/.local/share/bash-completion/completions/ramsey
  ramsey completions zsh > ~/.zfunc/_ramsey
  ramsey completions fish > ~/.config/fish/completions/ramsey.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}
