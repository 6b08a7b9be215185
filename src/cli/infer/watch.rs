//! Observation of an inference: progress on a terminal, and the log of lemmas.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use super::checkpoint::Keeper;
use crate::files::Target;
use crate::progress::Progress;
use ramsey_core::base::ids::Id as _;
use ramsey_core::diag::Diagnostic;
use ramsey_core::logic::{SortId, Syntax, TermId};
use ramsey_core::system::System;
use ramsey_engine::infer::{Counts, Event, InstanceAnswer, Method, Observer};
use ramsey_report::infer::progress_text;
use ramsey_report::json::infer::{InstanceWord, LogEvent, LogLine, MethodName};
use ramsey_solver::formulas::Pretty;

/// The log of an inference. It is written while the search goes on, and not under a temporary name.
pub(super) struct Log {
    target: Target,
    file: File,
    error: Option<io::Error>,
}

impl Log {
    /// Creates the file.
    pub(super) fn create(path: &Path) -> Result<Log, Diagnostic> {
        let target = Target::new(path)?;
        match File::create(path) {
            Ok(file) => Ok(Log { target, file, error: None }),
            Err(error) => Err(target.unwritable(&error)),
        }
    }

    /// Writes a line, unless writing has failed before.
    fn write(&mut self, line: &LogLine) {
        let write = |file: &mut File| {
            let mut text = serde_json::to_string(line)?;
            text.push('\n');
            // One call per line, so that a reader of the file never sees a part of one.
            file.write_all(text.as_bytes())
        };
        if self.error.is_none() {
            self.error = write(&mut self.file).err();
        }
    }

    /// Returns the error that ended writing, if there is one.
    pub(super) fn failure(&self) -> Option<Diagnostic> {
        self.error.as_ref().map(|error| self.target.unwritable(error))
    }
}

/// Tells the progress of an inference.
pub(super) struct Watch<'a> {
    system: &'a System,
    progress: &'a Progress,
    log: Option<&'a mut Log>,
    keeper: Option<&'a mut Keeper>,
    method: Method,
    start: Instant,
}

impl<'a> Watch<'a> {
    /// Creates the observer of a search in `system` that begins now.
    pub(super) fn new(
        system: &'a System,
        method: Method,
        progress: &'a Progress,
        log: Option<&'a mut Log>,
        keeper: Option<&'a mut Keeper>,
    ) -> Watch<'a> {
        Watch { system, progress, log, keeper, method, start: Instant::now() }
    }

    /// Returns the event of the log; `None` for one that is not logged.
    fn logged(&self, syntax: Syntax<'_>, event: &Event) -> Option<LogEvent> {
        let formula = |formula: TermId| Pretty::new(syntax, formula).to_string();
        let transition = |index: usize| self.system.transitions.get(index).map(|it| it.name.clone());
        Some(match event {
            Event::Stopped => return None,
            Event::Started(method) => LogEvent::Started { method: MethodName(*method) },
            &Event::Proposed { lemma, formula: proposed, goal, transition: of } => LogEvent::Proposed {
                lemma,
                formula: formula(proposed),
                goal,
                transition: of.and_then(transition),
            },
            Event::Widened { variables, literals } => LogEvent::Widened {
                variables: variables.as_ref().map(|variables| {
                    let sorts = self.system.sig.uninterpreted_sorts();
                    let limit = |sort: SortId| {
                        let name = self.system.sig.sorts[sort].name.clone();
                        (name, variables.get(sort.index()).copied().unwrap_or_default())
                    };
                    sorts.map(limit).collect()
                }),
                literals: *literals,
            },
            Event::Instance { sizes, class, answer } => {
                let (answer, clauses, candidates) = match *answer {
                    InstanceAnswer::Safe { clauses, candidates } => {
                        (InstanceWord::Safe, Some(clauses), Some(candidates))
                    }
                    InstanceAnswer::Unsafe => (InstanceWord::Unsafe, None, None),
                    InstanceAnswer::Empty => (InstanceWord::Empty, None, None),
                    InstanceAnswer::Open => (InstanceWord::Open, None, None),
                };
                let size = |sort: SortId| {
                    let size = sizes.get(sort).copied().unwrap_or_default();
                    (self.system.sig.sorts[sort].name.clone(), size)
                };
                LogEvent::Instance {
                    sizes: self.system.sig.uninterpreted_sorts().map(size).collect(),
                    class: *class,
                    answer,
                    clauses,
                    candidates,
                }
            }
            &Event::Outgrown { kept, goal, transition: index } => {
                LogEvent::Outgrown { kept, goal, transition: transition(index).unwrap_or_default() }
            }
            &Event::Refuted { lemma, is_reachable } => LogEvent::Refuted { lemma, reachable: is_reachable },
            Event::Preserved { lemma, transition: index, core } => LogEvent::Preserved {
                lemma: *lemma,
                transition: transition(*index).unwrap_or_default(),
                core: core.clone(),
            },
        })
    }
}

impl Observer for Watch<'_> {
    fn event(&mut self, syntax: Syntax<'_>, event: &Event, counts: &Counts) {
        if let Event::Started(method) = *event {
            self.method = method;
        }
        self.progress.say(|| progress_text(self.method, counts, self.start.elapsed().as_secs_f64()));
        if let Some(keeper) = &mut self.keeper {
            keeper.event(syntax, event, counts);
        }
        if self.log.is_some()
            && let Some(event) = self.logged(syntax, event)
            && let Some(log) = &mut self.log
        {
            log.write(&LogLine { questions: counts.questions, event });
        }
    }
}
