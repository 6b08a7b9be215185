//! The parts of a program.

use super::tree::{Branch, Command, Item, Name};
use crate::refusal::{Result, refuse};

/// An action of the loop: its name, whether the program gives it, its parameters, and its own commands.
pub(crate) struct Action<'i> {
    pub(crate) name: Name,
    pub(crate) is_named: bool,
    pub(crate) params: &'i [usize],
    pub(crate) body: &'i [Command],
}

/// What stands before the loop, its actions, what all of them begin and end with, and what stands after the loop.
#[derive(Default)]
pub(crate) struct Parts<'i> {
    pub(crate) init: Vec<&'i Command>,
    pub(crate) before: &'i [Command],
    pub(crate) actions: Vec<Action<'i>>,
    pub(crate) after: &'i [Command],
    pub(crate) last: Vec<&'i Command>,
}

impl<'i> Parts<'i> {
    pub(crate) fn new(items: &'i [Item]) -> Result<Parts<'i>> {
        let mut parts = Parts::default();
        let mut needs_loop = None;
        for item in items {
            match item {
                Item::Command(command) => {
                    no_actions(std::slice::from_ref(command))?;
                    let is_last = !parts.actions.is_empty();
                    if is_last { parts.last.push(command) } else { parts.init.push(command) }
                }
                Item::While(_, at) if !parts.actions.is_empty() => return refuse(*at, "a second loop"),
                Item::While(body, at) => parts.body(body, *at)?,
                Item::Formula(it) if matches!(&*it.word.text, "conjecture" | "safety") => {
                    needs_loop = Some(it.word.at);
                }
                _ => {}
            }
        }
        if parts.actions.is_empty() && (needs_loop.is_some() || !parts.init.is_empty()) {
            return refuse(needs_loop.unwrap_or_default(), "the program has no loop");
        }
        Ok(parts)
    }

    /// Divides the body of the loop, which is at a place.
    fn body(&mut self, body: &'i [Command], at: usize) -> Result<()> {
        let choices = body.iter().enumerate().filter_map(|(index, command)| match command {
            Command::Choice(branches) => Some((index, &branches[..])),
            _ => None,
        });
        let choices: Vec<(usize, &[Branch])> = choices.collect();
        let named = choices.iter().filter(|(_, it)| it.iter().any(|branch| branch.name.is_some()));
        let several = choices.iter().filter(|(_, branches)| branches.len() > 1);
        let (index, branches) = match (&named.collect::<Vec<_>>()[..], &several.collect::<Vec<_>>()[..]) {
            ([chosen], _) | ([], [chosen]) => **chosen,
            ([], _) => {
                let name = Name { text: "body".into(), at };
                self.actions.push(Action { name, is_named: false, params: &[], body });
                return no_actions(body);
            }
            _ => return refuse(at, "actions stand one after the other"),
        };
        (self.before, self.after) = (&body[..index], &body[index + 1..]);
        no_actions(self.before)?;
        no_actions(self.after)?;
        for (number, Branch { name, params, body }) in (1..).zip(branches) {
            no_actions(body)?;
            let own = || Name { text: format!("branch{number}").into(), at };
            let (is_named, name) = (name.is_some(), name.clone().unwrap_or_else(own));
            self.actions.push(Action { name, is_named, params, body });
        }
        Ok(())
    }
}

/// Refuses names of branches in these commands.
fn no_actions(commands: &[Command]) -> Result<()> {
    for command in commands {
        match command {
            Command::If(_, a, b) => no_actions(a).and_then(|()| no_actions(b))?,
            Command::Choice(branches) => {
                for Branch { name, body, .. } in branches {
                    if let Some(name) = name {
                        return refuse(name.at, "an action that is no branch of the loop");
                    }
                    no_actions(body)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}
