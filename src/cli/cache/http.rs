//! Entries on a server that answers GET and PUT.

use std::io::Read as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ureq::http::Uri;
use ureq::{Agent, Error};

use crate::opened::Place;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_engine::cache::{Fetched, MAX_BYTES, Store};

/// Time for a connection, for the head of an answer, and for all of a request.
const TIMES: [Duration; 3] = [Duration::from_secs(3), Duration::from_secs(5), Duration::from_secs(20)];

/// A server with entries. After its first failure it is left alone, so that a run takes little longer for it.
#[derive(Debug)]
pub(super) struct Server {
    /// The address, to which names of entries are added.
    url: String,
    /// The same without a password.
    shown: String,
    agent: Agent,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    is_down: bool,
    cannot_write: bool,
    failure: Option<String>,
}

impl Server {
    /// Returns the server at this address. Nothing is asked of it.
    ///
    /// # Errors
    /// What is wrong with the address, with a hint.
    pub(super) fn new(url: &str) -> Result<Server, (String, &'static str)> {
        let read: Option<Uri> = url.parse().ok();
        let is_place = |it: &Uri| {
            it.host().is_some_and(|host| !host.is_empty()) && it.query().is_none() && !url.contains('#')
        };
        let read = read.filter(is_place);
        let read = read.ok_or_else(|| {
            let what = "the address of a server is `http://HOST/PATH`".to_owned();
            (what, "it has no `?` and no `#`: names of entries are added to it")
        })?;
        let port = read.port_u16().map_or(String::new(), |port| format!(":{port}"));
        let (scheme, host) = (read.scheme_str().unwrap_or_default(), read.host().unwrap_or_default());
        let shown = format!("{scheme}://{host}{port}{}", read.path());
        match read.scheme_str() {
            Some("http") => {}
            Some("https") if cfg!(feature = "https") => {}
            Some("https") => {
                let what = format!("this program was built without https, so `{shown}` is no cache");
                return Err((
                    what,
                    "use http on a trusted network, a folder, or build with `--features https`",
                ));
            }
            _ => {
                return Err((
                    format!("`{shown}` is neither a folder nor http"),
                    "write http://HOST/PATH, or a folder",
                ));
            }
        }
        let [connect, head, all] = TIMES;
        let config = Agent::config_builder()
            .timeout_connect(Some(connect))
            .timeout_resolve(Some(connect))
            .timeout_recv_response(Some(head))
            .timeout_global(Some(all))
            .http_status_as_error(false)
            .user_agent(concat!("ramsey/", env!("CARGO_PKG_VERSION")))
            .build();
        let url = url.trim_end_matches('/').to_owned();
        Ok(Server {
            url,
            shown: shown.trim_end_matches('/').to_owned(),
            agent: config.into(),
            state: Mutex::default(),
        })
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves the server alone from now on.
    fn fails(&self, what: &str) {
        let mut state = self.state();
        state.is_down = true;
        state.failure.get_or_insert_with(|| format!("the cache `{}` does not answer: {what}", self.shown));
    }

    /// Reads nothing but what counts of an answer, and at most so much.
    fn fetch(&self, name: &str) -> Result<Fetched, Error> {
        let mut answer = self.agent.get(format!("{}/{name}", self.url)).call()?;
        match answer.status().as_u16() {
            200 => {}
            404 | 410 => return Ok(Fetched::Absent),
            other => {
                self.fails(&format!("status {other}"));
                return Ok(Fetched::Absent);
            }
        }
        let mut entry = Vec::new();
        answer.body_mut().as_reader().take(MAX_BYTES as u64 + 1).read_to_end(&mut entry)?;
        if entry.len() > MAX_BYTES {
            return Ok(Fetched::Unusable("it is too large".to_owned()));
        }
        Ok(Fetched::Entry(entry))
    }
}

impl Store for Server {
    fn get(&self, name: &str) -> Fetched {
        if self.state().is_down {
            return Fetched::Absent;
        }
        self.fetch(name).unwrap_or_else(|error| {
            self.fails(&error.to_string());
            Fetched::Absent
        })
    }

    fn put(&self, name: &str, entry: &[u8]) -> bool {
        {
            let state = self.state();
            if state.is_down || state.cannot_write {
                return false;
            }
        }
        match self.agent.put(format!("{}/{name}", self.url)).send(entry) {
            Ok(answer) if answer.status().is_success() => true,
            Ok(answer) => {
                // It may be for reading alone.
                let mut state = self.state();
                state.cannot_write = true;
                let status = answer.status().as_u16();
                state.failure.get_or_insert_with(|| {
                    format!("an entry cannot be written to the cache `{}`: status {status}", self.shown)
                });
                false
            }
            Err(error) => {
                self.fails(&error.to_string());
                false
            }
        }
    }

    fn place(&self, name: &str) -> String {
        format!("{}/{name}", self.shown)
    }
}

impl Place for Server {
    fn close(&self) -> Option<Diagnostic> {
        let failure = self.state().failure.take();
        failure.map(|what| {
            let help = "answers are the same without it; the run has gone on";
            Diagnostic::warning_nowhere(Code::Cache, what).help(help)
        })
    }
}
