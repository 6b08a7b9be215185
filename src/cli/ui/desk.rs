//! What the page talks to: a session, the threads that answer its questions, and its files.

use std::collections::VecDeque;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::run::read_log;
use super::server::{Application, Reply};
use crate::files::write_whole;
use crate::shared::{OUTSIDE, replace_unchanged};
use crate::signals;
use crate::sources::read_source;
use ramsey_app::message::{self, Disk, Event, Numbered, Outcome, Request, Response, StoredState};
use ramsey_app::models::{Database, Model};
use ramsey_app::reply::Answer;
use ramsey_app::{Entry, Failed, Misfit, Move, Question, Session, State, answer, line};
use ramsey_core::base::budget::{Cancel, Exhausted};
use ramsey_core::base::digest::sha256;
use ramsey_core::base::hash::Map;
use ramsey_core::diag::Diagnostic;
use ramsey_engine::query::Limits;

/// Stack size of a thread that answers questions: some code recurses over formulas, which are trees.
const STACK: usize = 64 << 20;
/// Maximum number of events that are kept for a client that asks again.
const MAX_EVENTS: usize = 4_096;
/// Maximum number of answers that are kept.
const MAX_ANSWERS: usize = 2_000;
/// Maximum number of questions that wait.
const MAX_WAITING: usize = 1_000;

/// Files of a session.
#[derive(Debug)]
pub(super) struct Place {
    /// The model.
    pub(super) model: PathBuf,
    /// The log.
    pub(super) session: PathBuf,
    /// Whether the model may be written.
    pub(super) may_write: bool,
}

/// A question with the state that it is about.
struct Job {
    number: u64,
    /// Its identity: the question and all of the state that it depends on.
    key: String,
    /// The numbers under which it was asked.
    ids: Vec<u64>,
    question: Question,
    state: State,
    cancel: Cancel,
    background: bool,
}

/// A question that a thread works on.
struct Running {
    /// That of the job.
    number: u64,
    key: String,
    ids: Vec<u64>,
    cancel: Cancel,
    /// Whether it was cancelled, so that nothing comes of it.
    is_cancelled: bool,
}

#[derive(Default)]
struct Jobs {
    /// Number of questions so far.
    count: u64,
    waiting: VecDeque<Job>,
    running: Vec<Running>,
    /// Number of threads that work on background questions.
    background: usize,
}

#[derive(Default)]
struct Events {
    /// Number of the first event in the list, from 1.
    first: u64,
    list: VecDeque<String>,
}

impl Events {
    /// Returns the number of the event that comes next.
    fn next(&self) -> u64 {
        self.first + self.list.len() as u64
    }

    /// Appends an event, and forgets the oldest one if there are too many.
    fn push(&mut self, text: String) {
        self.list.push_back(text);
        if self.list.len() > MAX_EVENTS {
            self.list.pop_front();
            self.first += 1;
        }
    }

    /// Returns the events after a number, behind the number of the last one of them.
    fn after(&self, since: u64) -> (u64, Vec<String>) {
        let next = since.saturating_add(1).max(self.first);
        let new: Vec<String> = self.list.iter().skip((next - self.first) as usize).cloned().collect();
        (next - 1 + new.len() as u64, new)
    }
}

/// A session with its files.
struct Desktop {
    session: Option<Session>,
    /// The text of the model's file as it was read or written last.
    on_disk: String,
    /// Commands that no longer fit, for a message.
    misfits: Vec<Misfit>,
    /// The reason why the log is not written.
    unsaved: Option<String>,
    /// Whether the file of the log has all entries.
    is_begun: bool,
}

fn refusal(status: u16, error: String) -> Reply {
    // A text is JSON.
    let body = serde_json::to_string(&Outcome::Error(error)).unwrap_or_default();
    Reply { status, body }
}

/// State shared by the threads.
struct Shared {
    place: Place,
    desktop: Mutex<Desktop>,
    jobs: Mutex<Jobs>,
    wakeup: Condvar,
    events: Mutex<Events>,
    told: Condvar,
    answers: Mutex<Map<String, Arc<Answer>>>,
    models: Arc<Database>,
}

/// A session that a page can be served of.
pub(super) struct Desk(Arc<Shared>);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    /// Begins a session about a text, or resumes the one in its file.
    pub(super) fn open(models: Database, text: String, place: Place) -> Result<Desk, Diagnostic> {
        let models = Arc::new(models);
        let mut is_begun = false;
        let (session, misfits) = if place.session.exists() {
            let log = read_log(&place.session)?;
            let (session, misfits) = Session::resume(Arc::clone(&models), log);
            let is_same = text == session.log().opening.text || text == session.state().model.text();
            if is_same {
                is_begun = misfits.is_empty();
                (session, misfits)
            } else {
                session.rebase(&text)
            }
        } else {
            (Session::new(Arc::clone(&models), &text), Vec::new())
        };
        let desktop = Desktop { session: Some(session), on_disk: text, misfits, unsaved: None, is_begun };
        let shared = Arc::new(Shared {
            place,
            desktop: Mutex::new(desktop),
            jobs: Mutex::default(),
            wakeup: Condvar::new(),
            events: Mutex::new(Events { first: 1, list: VecDeque::new() }),
            told: Condvar::new(),
            answers: Mutex::default(),
            models,
        });
        // One more than processors, so that short questions do not wait for those in the background.
        let threads = thread::available_parallelism().map_or(3, |it| it.get() + 1).clamp(3, 8);
        for _ in 0..threads {
            let shared = Arc::clone(&shared);
            let work = move || {
                loop {
                    shared.work(threads - 1);
                }
            };
            let started = thread::Builder::new().name("answers".into()).stack_size(STACK).spawn(work);
            started.map_err(|error| {
                Diagnostic::error_nowhere(
                    ramsey_core::diag::Code::Limit,
                    format!("cannot start a thread: {error}"),
                )
            })?;
        }
        Ok(Desk(shared))
    }
}

impl Shared {
    /// Waits for a question and answers it. At most `most` threads work on background questions.
    fn work(&self, most: usize) {
        let mut jobs = locked(&self.jobs);
        let job = loop {
            let is_next = |job: &Job| !job.background || jobs.background < most;
            let urgent = jobs.waiting.iter().position(|job| !job.background);
            let next = urgent.or_else(|| jobs.waiting.iter().position(is_next));
            match next.and_then(|at| jobs.waiting.remove(at)) {
                Some(job) => break job,
                None => jobs = self.wakeup.wait(jobs).unwrap_or_else(PoisonError::into_inner),
            }
        };
        jobs.background += usize::from(job.background);
        jobs.running.push(Running {
            number: job.number,
            key: job.key.clone(),
            ids: job.ids.clone(),
            cancel: job.cancel.clone(),
            is_cancelled: false,
        });
        drop(jobs);
        let probe = job.cancel.probe();
        let probe = move || {
            if signals::is_interrupted() { Some(Exhausted::Cancelled) } else { probe() }
        };
        let probe: ramsey_core::base::budget::Probe = Arc::new(probe);
        let limits =
            Limits { work: None, outside: Some(OUTSIDE), probe: Some(Arc::new(move || Arc::clone(&probe))) };
        let mut progress = |value: Answer| {
            let value = Arc::new(value);
            for id in self.ids(job.number) {
                self.tell(&Event::Partial { id, value: Arc::clone(&value) });
            }
        };
        let found = answer(&self.models, &job.state, &job.question, &limits, &mut progress).map(Arc::new);
        if let Ok(value) = &found {
            let mut answers = locked(&self.answers);
            if answers.len() >= MAX_ANSWERS {
                answers.clear();
            }
            answers.insert(job.key.clone(), Arc::clone(value));
        }
        let mut jobs = locked(&self.jobs);
        jobs.background -= usize::from(job.background);
        let at = jobs.running.iter().position(|it| it.number == job.number);
        let ids = at.map_or(Vec::new(), |at| jobs.running.swap_remove(at).ids);
        drop(jobs);
        self.wakeup.notify_all();
        for id in ids {
            self.tell(&Event::of(id, found.clone()));
        }
    }

    /// Returns the numbers under which a running question was asked.
    fn ids(&self, number: u64) -> Vec<u64> {
        let jobs = locked(&self.jobs);
        let running = jobs.running.iter().find(|it| it.number == number);
        running.map_or(Vec::new(), |it| it.ids.clone())
    }

    /// Appends an event for the client.
    fn tell(&self, event: &Event) {
        let mut events = locked(&self.events);
        let number = events.next();
        let Ok(text) = serde_json::to_string(&Numbered { event, n: number }) else { return };
        events.push(text);
        self.told.notify_all();
    }

    /// Begins to answer a question.
    fn ask(&self, id: u64, question: Question, background: bool) -> Result<Response, String> {
        let state = match &locked(&self.desktop).session {
            Some(session) => session.state().clone(),
            None => return Err("there is no session".to_owned()),
        };
        let about = serde_json::to_string(&(&question, &state.drawing, &state.origins));
        let about = about.map_err(|error| error.to_string())?;
        let key = format!("{} {about}", state.model.digest());
        if let Some(done) = locked(&self.answers).get(&key) {
            return Ok(Response::Answered { done: Arc::clone(done) });
        }
        let mut jobs = locked(&self.jobs);
        if let Some(same) = jobs.running.iter_mut().find(|it| it.key == key && !it.is_cancelled) {
            same.ids.push(id);
        } else if let Some(job) = jobs.waiting.iter_mut().find(|job| job.key == key) {
            job.ids.push(id);
            job.background &= background;
        } else if jobs.waiting.len() >= MAX_WAITING {
            return Err("too many questions wait for an answer".to_owned());
        } else {
            let (number, cancel) = (jobs.count, Cancel::new());
            jobs.count += 1;
            jobs.waiting.push_back(Job { number, key, ids: vec![id], question, state, cancel, background });
        }
        drop(jobs);
        self.wakeup.notify_all();
        Ok(Response::Asked { asked: id })
    }

    /// Cancels a question, unless it was asked under another number as well.
    fn cancel(&self, id: u64) {
        let mut jobs = locked(&self.jobs);
        let mut is_over = false;
        for job in &mut jobs.waiting {
            is_over |= job.ids.contains(&id);
            job.ids.retain(|&other| other != id);
        }
        jobs.waiting.retain(|job| !job.ids.is_empty());
        for job in &mut jobs.running {
            if job.ids.as_slice() == [id] {
                // The thread that works on it tells of its end.
                job.cancel.cancel();
                job.is_cancelled = true;
            } else {
                is_over |= job.ids.contains(&id);
                job.ids.retain(|&other| other != id);
            }
        }
        drop(jobs);
        if is_over {
            self.tell(&Event::of(id, Err(Failed::Exhausted(Exhausted::Cancelled))));
        }
    }

    /// Carries out an entry of the log.
    fn enter(&self, entry: Entry) -> Result<Response, String> {
        let mut desktop = locked(&self.desktop);
        let session = desktop.session.as_mut().ok_or("there is no session")?;
        session.enter(entry.clone())?;
        self.save(&mut desktop, Some(&entry));
        Ok(self.changed(&mut desktop))
    }

    /// Returns the state of the session after a change, and tells all clients that there was one.
    fn changed(&self, desktop: &mut Desktop) -> Response {
        let revision = desktop.session.as_ref().map_or(0, Session::revision);
        self.tell(&Event::Changed { revision });
        self.state(desktop)
    }

    /// Writes the log, or the last entry of it. While commands wait for a model without errors, the file stays as it is: it
    /// has them.
    fn save(&self, desktop: &mut Desktop, entry: Option<&Entry>) {
        let Some(session) = &desktop.session else { return };
        if session.is_waiting() {
            desktop.is_begun = false;
            desktop.unsaved =
                Some("the model has errors, and its commands wait for a text without".to_owned());
            return;
        }
        let path = &self.place.session;
        let written = match entry.filter(|_| desktop.is_begun) {
            Some(entry) => line(entry).map_err(|error| error.to_string()).and_then(|line| {
                let file = OpenOptions::new().append(true).open(path);
                file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|error| error.to_string())
            }),
            None => session
                .log()
                .text()
                .map_err(|error| error.to_string())
                .and_then(|text| write_whole(path, text.as_bytes()).map_err(|error| error.message)),
        };
        desktop.is_begun = written.is_ok();
        desktop.unsaved = written.err();
    }

    /// Returns whether files that the model includes have changed since it was read.
    fn includes_others(&self, model: &Model) -> bool {
        self.models.load(model.text()).digest() != model.digest()
    }

    /// Returns the state of the session, with what is known of its files.
    fn state(&self, desktop: &mut Desktop) -> Response {
        let Some(session) = &desktop.session else { return Response::Nothing };
        let disk = match read_source(&self.place.model).ok() {
            Some(text) if text == desktop.on_disk && !self.includes_others(&session.state().model) => {
                Disk::Same
            }
            Some(_) => Disk::Changed,
            None => Disk::Gone,
        };
        Response::State(Box::new(StoredState {
            state: message::state(session),
            may_write: self.place.may_write,
            written: session.state().model.text() == desktop.on_disk,
            misfits: desktop.misfits.clone(),
            unsaved: desktop.unsaved.clone(),
            session: self.place.session.display().to_string(),
            version: env!("CARGO_PKG_VERSION"),
            disk,
        }))
    }

    fn preview(&self) -> Result<Response, String> {
        let desktop = locked(&self.desktop);
        let session = desktop.session.as_ref().ok_or("there is no session")?;
        let text = session.state().model.text();
        Ok(Response::Preview {
            path: self.place.model.display().to_string(),
            diff: message::diff(&desktop.on_disk, text),
            digest: sha256(text),
            may_write: self.place.may_write,
        })
    }

    fn write(&self, digest: &str) -> Result<Response, String> {
        if !self.place.may_write {
            return Err("the model is not to be written: start with `ramsey ui --write`".to_owned());
        }
        let mut desktop = locked(&self.desktop);
        let session = desktop.session.as_ref().ok_or("there is no session")?;
        let text = session.state().model.text().to_owned();
        if sha256(&text) != digest {
            return Err("the session has changed since the preview".to_owned());
        }
        replace_unchanged("write", &self.place.model, &desktop.on_disk, &text)
            .map_err(|error| error.message)?;
        desktop.on_disk = text;
        Ok(self.changed(&mut desktop))
    }

    fn reload(&self) -> Result<Response, String> {
        let text = read_source(&self.place.model).map_err(|error| error.message)?;
        let mut desktop = locked(&self.desktop);
        let session = desktop.session.take().ok_or("there is no session")?;
        let (session, misfits) = session.rebase(&text);
        desktop.session = Some(session);
        desktop.misfits = misfits;
        desktop.on_disk = text;
        self.save(&mut desktop, None);
        Ok(self.changed(&mut desktop))
    }

    fn reply(&self, request: Request) -> Result<Response, String> {
        match request {
            Request::State => Ok(self.state(&mut locked(&self.desktop))),
            Request::Command { command } => self.enter(Entry::Command(command)),
            Request::Undo => self.enter(Entry::Move(Move::Undo)),
            Request::Redo => self.enter(Entry::Move(Move::Redo)),
            Request::Ask { id, question, background } => self.ask(id, question, background),
            Request::Cancel { id } => {
                self.cancel(id);
                Ok(Response::Nothing)
            }
            Request::Preview => self.preview(),
            Request::Write { digest } => self.write(&digest),
            Request::Reload => self.reload(),
            Request::Log => {
                let desktop = locked(&self.desktop);
                let session = desktop.session.as_ref().ok_or("there is no session")?;
                Ok(Response::Log { log: session.log().text().map_err(|error| error.to_string())? })
            }
        }
    }
}

impl Application for Desk {
    fn message(&self, body: &str) -> Reply {
        let request: Request = match serde_json::from_str(body) {
            Ok(request) => request,
            Err(error) => {
                return refusal(400, format!("this is no message of a session: {error}"));
            }
        };
        match self.0.reply(request) {
            Ok(ok) => match serde_json::to_string(&Outcome::Ok(ok)) {
                Ok(body) => Reply { status: 200, body },
                Err(error) => refusal(409, error.to_string()),
            },
            Err(why) => refusal(409, why),
        }
    }

    fn events(&self, since: u64, patience: Duration) -> (u64, Vec<String>) {
        let is_new = |events: &Events| events.next() > since.saturating_add(1);
        let events = locked(&self.0.events);
        let (events, _) = self
            .0
            .told
            .wait_timeout_while(events, patience, |events| !is_new(events))
            .unwrap_or_else(PoisonError::into_inner);
        events.after(since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_once_though_old_ones_are_forgotten() {
        let mut events = Events { first: 1, list: VecDeque::new() };
        assert_eq!(events.after(0), (0, Vec::new()));
        for number in 1..=MAX_EVENTS as u64 + 3 {
            events.push(number.to_string());
        }
        let (last, list) = events.after(0);
        assert_eq!((last, list.len(), list[0].as_str()), (4_099, MAX_EVENTS, "4"));
        assert_eq!(events.after(last), (last, Vec::new()));
        events.push("last".to_owned());
        assert_eq!(events.after(last), (last + 1, vec!["last".to_owned()]));
        assert_eq!(events.after(u64::MAX).1, Vec::<String>::new());
    }
}
