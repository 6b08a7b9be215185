//! Work of a run of `ramsey verify`: the groups of obligations of all models, on the threads of a pool or on the caller's.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use rayon::ThreadPool;

use super::model::Model;
use crate::args::VerifyArgs;
use crate::clock::clock;
use crate::opened::Opened;
use crate::progress::Progress;
use crate::select::{Selection, select};
use ramsey_engine::query::verify::{Limits, Options, Plan};
use ramsey_engine::query::{GroupResult, Verification};
use ramsey_kernel::obligations::Question;

fn options(
    (args, opened): (&VerifyArgs, Option<&Opened>),
    question: &Question,
    selection: Selection,
) -> Options {
    Options {
        question: question.clone(),
        transitions: selection.transitions,
        invariants: selection.invariants,
        // What a known failure keeps from being asked may be new.
        all: args.all || args.form.results.baseline.is_some(),
        safety_only: args.safety_only,
        minimize: !args.no_minimize,
        is_inside: false,
        cores: args.cores,
        certify: args.certify.is_some() || args.export.is_some() || args.rocq.is_some(),
        export: args.export.is_some(),
        cache: opened.map(|opened| Arc::clone(&opened.cache)),
        seed: args.seed,
        clock: (args.stats || args.form.results.wants_times()).then_some(clock as fn() -> u64),
    }
}

/// The answers of one group of one file.
struct News {
    file: usize,
    group: usize,
    results: GroupResult,
}

/// The work on one file.
struct Job {
    plan: Option<Arc<Plan>>,
    results: Vec<Option<GroupResult>>,
}

/// All work of the run: done by the threads of a pool, or by the caller when it waits for results.
pub(super) struct Jobs<'a> {
    limits: &'a Limits,
    jobs: Vec<Job>,
    news: Option<Receiver<News>>,
    done: usize,
    pub(super) progress: Progress,
}

impl<'a> Jobs<'a> {
    pub(super) fn new(
        models: &[Model],
        (args, opened): (&VerifyArgs, Option<&Opened>),
        question: &Question,
        limits: &'a Limits,
    ) -> Self {
        let jobs: Vec<Job> = models
            .iter()
            .map(|model| {
                let plan = model.system.as_ref().and_then(|system| {
                    let selection = select(system, &args.check_transition, &args.check_invariant)?;
                    // What is decided by executions is no obligation.
                    let question = if model.method().is_some() { &Question::Theorems } else { question };
                    let options = options((args, opened), question, selection);
                    let options = Options { is_inside: model.is_inside, ..options };
                    Some(Arc::new(Plan::new(Arc::clone(system), options)))
                });
                let groups = plan.as_ref().map_or(0, |plan| plan.groups());
                Job { plan, results: (0..groups).map(|_| None).collect() }
            })
            .collect();
        Jobs { limits, jobs, news: None, done: 0, progress: Progress::new(!args.quiet) }
    }

    /// Returns the number of groups.
    pub(super) fn total(&self) -> usize {
        self.jobs.iter().map(|job| job.results.len()).sum()
    }

    /// Determines which obligations lie outside the fragment, all groups in parallel.
    pub(super) fn analyse(&self, pool: Option<&ThreadPool>) {
        self.progress.say(|| "reading".to_owned());
        let groups: Vec<(&Plan, usize)> = self
            .jobs
            .iter()
            .filter_map(|job| job.plan.as_deref())
            .flat_map(|plan| (0..plan.groups()).map(move |group| (plan, group)))
            .collect();
        let analyse = |(plan, group): (&Plan, usize)| {
            plan.cycles(group, self.limits);
        };
        match pool {
            Some(pool) => {
                use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
                pool.install(|| groups.into_par_iter().for_each(analyse));
            }
            None => groups.into_iter().for_each(analyse),
        }
    }

    /// Starts the search, if there are threads for it.
    pub(super) fn start(&mut self, pool: Option<&ThreadPool>) {
        self.news = pool.map(|pool| {
            let (sender, receiver) = mpsc::channel();
            for (file, job) in self.jobs.iter().enumerate() {
                start(pool, file, job, self.limits, &sender);
            }
            receiver
        });
        self.report_progress();
    }

    /// Returns the plan of a file, or `None` if it has no obligations or is finished.
    pub(super) fn plan(&self, file: usize) -> Option<&Plan> {
        self.jobs[file].plan.as_deref()
    }

    /// Returns the number of groups of obligations of a file.
    pub(super) fn groups(&self, file: usize) -> usize {
        self.jobs[file].results.len()
    }

    /// Waits for the answers of a group and returns them.
    pub(super) fn wait_for(&mut self, file: usize, group: usize) -> Option<&GroupResult> {
        while self.jobs[file].results[group].is_none() {
            self.report_progress();
            let news = self.next(file, group)?;
            self.jobs[news.file].results[news.group] = Some(news.results);
            self.done += 1;
        }
        self.jobs[file].results[group].as_ref()
    }

    /// Returns the answers of a file, all of whose groups have been waited for.
    pub(super) fn finish(&mut self, file: usize) -> Option<Verification> {
        let job = &mut self.jobs[file];
        let plan = Arc::into_inner(job.plan.take()?)?;
        Some(plan.finish(job.results.drain(..).flatten().collect()))
    }

    fn next(&self, file: usize, group: usize) -> Option<News> {
        match &self.news {
            Some(receiver) => receiver.recv().ok(),
            None => {
                let plan = self.jobs[file].plan.as_ref()?;
                Some(News { file, group, results: plan.run_group(group, self.limits) })
            }
        }
    }

    fn report_progress(&self) {
        let waiting = self.jobs.iter().flat_map(|job| &job.results).filter(|result| result.is_none()).count();
        self.progress.say(|| format!("{}/{} groups", self.done, self.done + waiting));
    }
}

/// Submits the groups of a file to the pool.
fn start(pool: &ThreadPool, file: usize, job: &Job, limits: &Limits, sender: &Sender<News>) {
    let Some(plan) = &job.plan else { return };
    for group in 0..plan.groups() {
        let (plan, limits, sender) = (Arc::clone(plan), limits.clone(), sender.clone());
        pool.spawn_fifo(move || {
            let results = plan.run_group(group, &limits);
            // Dropped before sending: after the last result the receiver must be the sole owner of the plan.
            drop(plan);
            // The receiver is dropped if the output was closed; then the results are not needed.
            let _ = sender.send(News { file, group, results });
        });
    }
}
