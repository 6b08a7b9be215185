//! The parts of a program: the commands before the loop, its actions, and the commands after it.

use std::sync::Arc;

use super::ast::{Branch, Command, CommandKind, Ident, Item, ItemKind, Place, SortedVar};
use crate::shared::report::Report;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// The commands of a program.
pub(crate) struct Parts<'a> {
    /// Commands before the loop.
    pub(crate) init: Vec<&'a Command>,
    /// The alternatives of the loop.
    pub(crate) actions: Vec<Action<'a>>,
    /// Commands after the loop.
    pub(crate) last: Vec<&'a Command>,
}

/// An alternative of the loop.
pub(crate) struct Action<'a> {
    /// Its name, given or generated.
    pub(crate) name: Ident,
    /// Whether the source gives the name.
    pub(crate) is_named: bool,
    /// The declared parameters.
    pub(crate) params: &'a [SortedVar],
    /// The commands with which all actions of the loop begin.
    pub(crate) before: &'a [Command],
    /// The commands of this action only.
    pub(crate) body: &'a [Command],
    /// The commands with which all actions of the loop end.
    pub(crate) after: &'a [Command],
    /// The position.
    pub(crate) span: Span,
}

/// Splits a program into its parts. Its modules must be expanded.
pub(crate) fn parts<'a>(items: &'a [Item], report: &mut Report) -> Parts<'a> {
    let mut parts = Parts { init: Vec::new(), actions: Vec::new(), last: Vec::new() };
    let mut found: Option<Span> = None;
    for item in items {
        match &item.kind {
            ItemKind::Command(command) if found.is_none() => parts.init.push(command),
            ItemKind::Command(command) => parts.last.push(command),
            ItemKind::While(body) => match found {
                None => {
                    found = Some(item.span());
                    parts.actions = actions(body, item.span(), report);
                }
                Some(first) => report.push(
                    Diagnostic::error(Code::Program, item.span(), "the program has two loops")
                        .label("a second loop")
                        .also(first, "the first loop")
                        .help("make both one: a choice between their bodies, `{ .. } | { .. }`"),
                ),
            },
            _ => {}
        }
    }
    for command in parts.init.iter().chain(&parts.last) {
        refuse_actions(std::slice::from_ref(*command), report);
    }
    let claims = items.iter().find(|item| {
        matches!(&item.kind, ItemKind::Formula { role, .. } if matches!(role, super::ast::Role::Conjecture | super::ast::Role::Safety))
    });
    let first = parts.init.first().map(|command| command.span()).or(claims.map(Item::span));
    let is_broken = items.iter().any(|item| matches!(item.kind, ItemKind::Broken(_)));
    if let (None, Some(first), false) = (found, first, is_broken) {
        report.push(
            Diagnostic::error(Code::Program, first, "the program has no loop")
                .label("this belongs to a program")
                .help(
                    "write what the system does as `while * { .. }`; without any action, `while * { skip }`",
                ),
        );
    }
    parts
}

/// Returns the actions of the loop: the branches of the only choice at the top level of its body, with the commands
/// before and after it, or the whole body as one action.
fn actions<'a>(body: &'a [Command], span: Span, report: &mut Report) -> Vec<Action<'a>> {
    let choices: Vec<(usize, &Vec<Branch>)> = body
        .iter()
        .enumerate()
        .filter_map(|(at, command)| match &command.kind {
            CommandKind::Choice(branches) => Some((at, branches)),
            _ => None,
        })
        .collect();
    let is_named = |branches: &[Branch]| branches.iter().any(|branch| branch.name.is_some());
    let named: Vec<_> = choices.iter().filter(|(_, branches)| is_named(branches)).collect();
    if let [(first, _), rest @ ..] = named.as_slice() {
        for (second, _) in rest {
            report.push(
                Diagnostic::error(Code::Program, body[*second].span(), "actions stand one after the other")
                    .label("more actions")
                    .also(body[*first].span(), "the loop chooses one of these actions")
                    .help("separate the actions of a loop by `|`"),
            );
        }
    }
    let several: Vec<_> = choices.iter().filter(|(_, branches)| branches.len() > 1).collect();
    let chosen = match (named.as_slice(), several.as_slice()) {
        ([chosen, ..], _) | ([], [chosen]) => Some(**chosen),
        _ => None,
    };
    let chosen_at = chosen.map(|(at, _)| at);
    for (at, command) in body.iter().enumerate() {
        match &command.kind {
            CommandKind::Choice(branches) if chosen_at == Some(at) || is_named(branches) => {
                branches.iter().for_each(|branch| refuse_actions(&branch.body, report));
            }
            _ => refuse_actions(std::slice::from_ref(command), report),
        }
    }
    let Some((at, branches)) = chosen else {
        let name = Ident { name: Arc::from("body"), place: Place(span) };
        let (before, after) = (&body[..0], &body[..0]);
        return vec![Action { name, is_named: false, params: &[], before, body, after, span }];
    };
    branches
        .iter()
        .enumerate()
        .map(|(index, branch)| Action {
            name: branch.name.clone().unwrap_or_else(|| Ident {
                name: Arc::from(format!("branch{}", index + 1)),
                place: branch.place,
            }),
            is_named: branch.name.is_some(),
            params: &branch.params,
            before: &body[..at],
            body: &branch.body,
            after: &body[at + 1..],
            span: branch.place.0,
        })
        .collect()
}

/// Reports named actions among commands: only alternatives of the loop can have names.
fn refuse_actions(commands: &[Command], report: &mut Report) {
    let mut open: Vec<&Command> = commands.iter().collect();
    while let Some(command) = open.pop() {
        match &command.kind {
            CommandKind::If { then, otherwise, .. } => open.extend(then.iter().chain(otherwise)),
            CommandKind::Choice(branches) => {
                for branch in branches {
                    if let Some(name) = &branch.name {
                        report.push(
                            Diagnostic::error(
                                Code::Program,
                                name.span(),
                                format!("the action `{}` is not an alternative of the loop", name.name),
                            )
                            .label("not possible here")
                            .help("actions stand directly in the body of the loop; elsewhere write `{ .. } | { .. }`"),
                        );
                    }
                    open.extend(&branch.body);
                }
            }
            _ => {}
        }
    }
}
