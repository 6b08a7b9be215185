//! A session: a log with the state that it leads to.

use std::sync::Arc;

use serde::Serialize;

use super::command::Command;
use super::log::{Entry, Log, Move};
use super::models::{Database, Model};
use super::state::State;

/// A command of a log that does not fit the model.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Misfit {
    /// The command.
    pub command: Command,
    /// The reason.
    pub why: String,
}

/// A session in progress.
#[derive(Debug)]
pub struct Session {
    models: Arc<Database>,
    log: Log,
    /// The states after the commands in effect: the first without any, the last the present one.
    states: Vec<State>,
    /// The commands that were taken back, with the states after them; the next to be carried out again is last.
    undone: Vec<State>,
    /// All commands that are to be in effect, if some are not since the model has errors. They are tried again with the next text.
    waiting: Vec<Command>,
    /// The number of commands of the log that are among those which wait.
    waiting_in_log: usize,
    /// Claims that do not fit this text, though it has no errors. They are tried again with the next one.
    left_out: Vec<Command>,
    /// Number of changes so far.
    revision: u64,
}

impl Session {
    /// Begins a session about a text.
    pub fn new(models: Arc<Database>, text: &str) -> Session {
        let model = models.load(text);
        Session::of_model(models, model)
    }

    /// Begins a session about a model.
    pub fn of_model(models: Arc<Database>, model: Arc<Model>) -> Session {
        let log = Log::new(models.name(), model.text());
        let states = vec![State::new(model)];
        Session {
            models,
            log,
            states,
            undone: Vec::new(),
            waiting: Vec::new(),
            waiting_in_log: 0,
            left_out: Vec::new(),
            revision: 0,
        }
    }

    /// Carries out the commands of a log. Those that do not fit are left out of the state, and returned.
    pub fn resume(models: Arc<Database>, log: Log) -> (Session, Vec<Misfit>) {
        let mut session = Session::new(models, &log.opening.text);
        let mut misfits = Vec::new();
        let all = log.in_effect();
        for entry in log.entries {
            let what = match &entry {
                Entry::Command(command) => Some(command.clone()),
                Entry::Move(_) => None,
            };
            if let (Err(why), Some(command)) = (session.enter(entry), what) {
                misfits.push(Misfit { command, why });
            }
        }
        session.keep(all, &misfits);
        (session, misfits)
    }

    /// Begins a session about another text with the commands of this one that are in effect. Those that do not fit are
    /// returned. If the text has errors, they are tried again with the next one.
    pub fn rebase(self, text: &str) -> (Session, Vec<Misfit>) {
        let mut all = self.waiting;
        all.extend(self.log.in_effect().into_iter().skip(self.waiting_in_log));
        all.extend(self.left_out);
        let mut session = Session::new(self.models, text);
        session.revision = self.revision + 1;
        let mut misfits = Vec::new();
        for command in &all {
            if let Err(why) = session.enter(Entry::Command(command.clone())) {
                misfits.push(Misfit { command: command.clone(), why });
            }
        }
        session.keep(all, &misfits);
        (session, misfits)
    }

    /// Keeps all commands if some do not fit a model with errors, and otherwise the claims that do not fit.
    fn keep(&mut self, all: Vec<Command>, misfits: &[Misfit]) {
        if self.state().model.system.is_none() && !misfits.is_empty() {
            self.waiting = all;
            self.waiting_in_log = self.log.in_effect().len();
            return;
        }
        let is_lost = |command: &Command| match command {
            Command::Add { formula, .. } => self.state().says(formula) != Ok(true),
            _ => false,
        };
        let left_out = misfits.iter().map(|it| &it.command).filter(|it| is_lost(it)).cloned().collect();
        self.left_out = left_out;
    }

    /// Returns whether commands wait for a model without errors, which the log does not have.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Carries out an entry of a log, and appends it.
    ///
    /// # Errors
    /// Returns the reason why it does not fit; the session stays as it is.
    pub fn enter(&mut self, entry: Entry) -> Result<(), String> {
        match &entry {
            Entry::Command(command) => {
                let next = self.state().after(command, &self.models)?;
                self.states.push(next);
                self.undone.clear();
            }
            Entry::Move(Move::Undo) => {
                if self.states.len() < 2 {
                    return Err("there is nothing to take back".to_owned());
                }
                self.undone.extend(self.states.pop());
            }
            Entry::Move(Move::Redo) => {
                let next = self.undone.pop().ok_or("nothing was taken back")?;
                self.states.push(next);
            }
        }
        self.log.entries.push(entry);
        self.revision += 1;
        Ok(())
    }

    /// Returns the present state.
    pub fn state(&self) -> &State {
        // The first state is never taken back.
        &self.states[self.states.len() - 1]
    }

    /// Returns the log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Returns what loads the texts of the model.
    pub fn models(&self) -> &Arc<Database> {
        &self.models
    }

    /// Returns whether a command can be taken back, and whether one can be carried out again.
    pub fn can_move(&self) -> (bool, bool) {
        (self.states.len() > 1, !self.undone.is_empty())
    }

    /// Returns the number of changes so far, by which clients know whether they have seen the last one. It never
    /// decreases.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}
