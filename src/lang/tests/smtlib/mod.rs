//! Tests of the whole front end, from scripts to commands, assertions and errors.

mod corpus;
mod errors;
mod random;
mod reading;
mod robustness;
mod scopes;
mod semantics;

use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::FileId;
use ramsey_core::logic::{Signature, TermId, Terms};
use ramsey_lang::smtlib::*;
use ramsey_solver::formulas::Pretty;

/// A front end with its signature and arena.
#[derive(Default)]
struct Session {
    sig: Signature,
    terms: Terms,
    front: Frontend,
}

impl Session {
    /// Creates a session after these commands, which must be correct.
    fn after(script: &str) -> Session {
        let mut session = Session::default();
        session.run(script);
        session
    }

    /// Reads commands, which must be correct.
    fn run(&mut self, script: &str) -> Vec<Command> {
        let mut reader = Reader::new();
        reader.feed(script.as_bytes());
        let mut commands = Vec::new();
        while let Some(form) = reader.next_form() {
            assert_eq!(form.error, None, "{script}");
            match self.command(&form.text) {
                Ok(command) => commands.push(command),
                Err(error) => panic!("{}: {error:?}", form.text),
            }
        }
        assert!(reader.finish().is_none(), "{script}");
        commands
    }

    fn command(&mut self, text: &str) -> std::result::Result<Command, Error> {
        self.front.command(&mut self.sig, &mut self.terms, text)
    }

    /// Returns the error of a command: text at its position, message, and hint.
    fn error(&mut self, text: &str) -> (String, String, String) {
        match self.command(text) {
            Ok(command) => panic!("{text}: {command:?}"),
            Err(error) => (text[error.start..error.end].to_owned(), error.message, error.hint),
        }
    }

    fn print(&self, term: TermId) -> String {
        Pretty::new(self.terms.over(&self.sig), term).to_string()
    }

    /// Returns the live assertions that are not implicit.
    fn asserted(&self) -> Vec<TermId> {
        let assertions = self.front.assertions().iter();
        assertions.filter(|assertion| !assertion.implicit).map(|assertion| assertion.formula).collect()
    }

    /// Like [`Self::asserted`], printed.
    fn printed(&self) -> Vec<String> {
        self.asserted().into_iter().map(|formula| self.print(formula)).collect()
    }
}

fn file() -> FileId {
    FileId::new(0)
}
