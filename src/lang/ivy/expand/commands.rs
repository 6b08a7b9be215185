//! Makers of commands.

use crate::ivy::ast::Place;
use crate::program::ast::{Branch, Command, CommandKind};
use ramsey_core::base::span::Span;

/// Creates a command.
pub(super) fn command(kind: CommandKind, span: Span) -> Command {
    Command { kind, place: Place(span) }
}

/// Creates commands in a block of their own.
pub(super) fn block(body: Vec<Command>, span: Span) -> Command {
    let branch = Branch { name: None, params: Vec::new(), body, place: Place(span) };
    command(CommandKind::Choice(vec![branch]), span)
}
