//! `ramsey ui`: a server for one person, on the loopback address.
//!
//! `server` accepts connections and has the table of routes; `http` reads a request, `guard` judges who sent it,
//! `assets` has the files of the page, and `open` starts a browser. `desk` is the application: a session
//! ([`ramsey_app`]) with its files, and the threads that answer its questions.

mod assets;
mod bundle;
mod desk;
mod guard;
mod http;
mod open;
mod report;
mod run;
mod server;
#[cfg(test)]
mod tests;

pub(super) use report::{Subject, executions_of, told_of_obligations, with_report};
pub(super) use run::run;
