//! `ramsey simulate`: random and guided execution of models.

use super::args::SimulateArgs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::PlainFormat;
use super::files::{check_parents, write_whole};
use super::output::{print_part, stdout_palette};
use super::picture::{Gallery, violated_text};
use super::progress::Progress;
use super::select::not_declared;
use super::shared::Model;
use super::signals;
use super::sources::{in_document, read_text};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{Elem, SortId};
use ramsey_core::system::{System, Transition};
use ramsey_engine::query::simulate::{End, Simulator, StepRequest};
use ramsey_report::Names;
use ramsey_report::Verdict;
use ramsey_report::json::{is_relaxed, itf, read_counterexample};
use ramsey_report::picture::{Picture, Theme};
use ramsey_report::render::{Render as _, Shown};
use ramsey_report::simulate::{Report, WalkPrinter, Walked};
use ramsey_report::trace::{TraceStyle, falsification_parts, witnesses};
use ramsey_solver::ask::Failure;
use ramsey_solver::formulas::split_at_commas;

/// Maximum size of a universe.
const LARGEST_SIZE: u32 = 1000;
/// Maximum number of elements listed in the error about an unknown one.
const MAX_NAMES: usize = 12;

/// Walks through a model.
pub(super) fn run(args: &SimulateArgs) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = args.limits.reading(start);
    let mut model = Model::read(&args.path, args.form.rules(), args.form.how(), &mut sources, reading);
    model.diagnostics.extend(check_parents([&args.itf]));
    model.print_new(&sources);
    let shown = Shown { negative: args.print_negative_tuples, ..Shown::default() };
    let system = model.system.take().filter(|_| model.verdict() == Verdict::Ok);
    let walked = match &system {
        Some(system) => walk(args, &mut model, system, shown, &sources, start)?,
        None => None,
    };
    let report = Report { path: &model.name.clone(), sources: &sources, walked };
    if let (Some(path), Some(system)) = (&args.itf, &system) {
        model.diagnostics.extend(write_trace(path, &model.name, system, &report)?.err());
    }
    model.answer(&report, (shown, Vec::new(), None), &sources)
}

/// Walks, prints the states and draws them. Returns `None` if an argument is wrong.
fn walk(
    args: &SimulateArgs,
    model: &mut Model,
    system: &Arc<System>,
    shown: Shown,
    sources: &Sources,
    start: Instant,
) -> io::Result<Option<Walked>> {
    signals::end_with_summary();
    let progress = Progress::new(true);
    progress.say(|| "looking for an initial state".to_owned());
    let begun = args.pictures.gallery(system, &args.path);
    let begun = begun.and_then(|gallery| Ok((gallery, Walk::begin(args, system, start)?)));
    let (gallery, mut walk) = match begun {
        Ok(begun) => begun,
        Err(errors) => {
            model.diagnostics.extend(errors);
            return Ok(None);
        }
    };
    let palette = stdout_palette(args.form.color);
    let style = TraceStyle { palette, sources: Some(sources), ..shown.into() };
    let mut printer = WalkPrinter::new(system, style);
    let mut print = |simulator: &Simulator| {
        progress.clear();
        if args.form.format == PlainFormat::Text { print_part(&printer.advance(simulator)) } else { Ok(()) }
    };
    progress.clear();
    if args.form.format == PlainFormat::Text {
        print_part(&format!("{}\n", palette.bold(&model.name)))?;
    }
    while walk.end.is_none() {
        print(&walk.simulator)?;
        let next = walk.simulator.calls().len() + 1;
        progress.say(|| format!("step {next} of {}", walk.steps));
        walk.advance();
    }
    let Walk { simulator, end, .. } = walk;
    print(&simulator)?;
    model.diagnostics.extend(draw(gallery, &model.name, system, &simulator).err());
    Ok(Some(Walked { system: Arc::clone(system), simulator, end: end.unwrap_or(Ok(End::Steps)) }))
}

/// Writes the walk as a trace, if it has a state.
fn write_trace(
    path: &Path,
    name: &str,
    system: &System,
    report: &Report<'_>,
) -> io::Result<Result<(), Diagnostic>> {
    let Some(execution) = report.content(Shown::default()).execution else { return Ok(Ok(())) };
    let text = itf::text(&execution, &itf::declared(system), name, "a walk through the model")?;
    Ok(write_whole(path, text.as_bytes()))
}

/// Reads an execution and follows it.
fn retrace(
    path: &Path,
    system: &System,
    simulator: &mut Simulator,
) -> Result<Result<End, Failure>, Diagnostic> {
    let text = read_text(path)?;
    let read = if is_relaxed(&text) {
        let what = "the executions of this document lose elements, and are none of the model";
        Err(Diagnostic::error_nowhere(Code::Document, what))
    } else {
        read_counterexample(system, &text)
    };
    let states = read.map_err(|error| in_document(path, error))?;
    Ok(simulator.retrace(&states.structure, &states.calls))
}

/// Draws the walk with the first violated claim.
fn draw(mut gallery: Gallery, title: &str, system: &System, simulator: &Simulator) -> Result<(), Diagnostic> {
    let Some(structure) = simulator.structure() else { return Ok(()) };
    let (sig, calls) = (simulator.sig(), simulator.calls());
    let violated = simulator.violations().first().map(|violation| {
        let names = Names::new(system, sig, &structure, violation.state);
        let (formula, bindings) =
            falsification_parts(simulator.syntax(), &names, &violation.counterexample.falsification);
        format!("{} (state {})", violated_text(&formula, &bindings), violation.state)
    });
    let first = simulator.violations().first();
    let witnesses = first.map(|it| witnesses(simulator.syntax().terms, &it.counterexample.falsification));
    gallery.draw(&Picture {
        system,
        sig,
        structure: &structure,
        calls,
        title,
        violated: violated.as_deref().unwrap_or_default(),
        witnesses: witnesses.as_deref().unwrap_or_default(),
        theme: &Theme::PLAIN,
    })
}

/// A walk in progress.
struct Walk {
    simulator: Simulator,
    /// Transition to stop after.
    until: Option<usize>,
    /// Number of steps to take.
    steps: usize,
    /// Result, once the walk has ended.
    end: Option<Result<End, Failure>>,
}

impl Walk {
    /// Starts a walk, and takes the transitions given by the user.
    ///
    /// # Errors
    /// Returns an error for each invalid argument.
    fn begin(args: &SimulateArgs, system: &Arc<System>, start: Instant) -> Result<Walk, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let sizes = args.size.iter().map(|text| size(system, text));
        let sizes = collect(sizes, &mut errors);
        let calls = args.actions.iter().flat_map(|text| split_at_commas(text)).map(|text| call(system, text));
        let calls = collect(calls, &mut errors);
        let until = args.until.iter().map(|name| transition(system, "--until", name));
        let until = collect(until, &mut errors);
        if !errors.is_empty() {
            return Err(errors);
        }
        let simulator = Simulator::new(Arc::clone(system), args.seed, args.limits.limits(start));
        let steps = if args.actions.is_some() && !args.random { 0 } else { args.steps as usize };
        if let Some(path) = &args.replay {
            let mut simulator = simulator;
            let end = retrace(path, system, &mut simulator).map_err(|error| vec![error])?;
            return Ok(Walk { simulator, until: None, steps: 0, end: Some(end) });
        }
        let mut walk = Walk { simulator, until: until.first().copied(), steps, end: None };
        walk.end = walk.simulator.start(&sizes).err().map(Err);
        for call in calls {
            // Annotations can make the names of elements differ between states.
            let Some(state) = walk.simulator.state().filter(|_| walk.end.is_none()) else { break };
            let shown = Names::new(system, walk.simulator.sig(), state, 0);
            let plain = Names::plain(walk.simulator.sig(), state);
            let request = call.resolve(system, &shown, &plain).map_err(|error| vec![error])?;
            walk.end = match walk.simulator.walk(&[request], 0, walk.until) {
                Ok(End::Steps) => None,
                end => Some(end),
            };
        }
        if walk.end.is_none() {
            walk.take(steps.min(walk.simulator.calls().len()));
        }
        Ok(walk)
    }

    /// Takes one more step at random.
    fn advance(&mut self) {
        self.take(self.simulator.calls().len() + 1);
    }

    /// Continues the walk until it has this number of steps.
    fn take(&mut self, steps: usize) {
        let end = self.simulator.walk(&[], steps, self.until);
        let goes_on = matches!(end, Ok(End::Steps)) && self.simulator.calls().len() < self.steps;
        self.end = (!goes_on).then_some(end);
    }
}

fn collect<T>(items: impl Iterator<Item = Result<T, Diagnostic>>, errors: &mut Vec<Diagnostic>) -> Vec<T> {
    items.filter_map(|item| item.map_err(|error| errors.push(error)).ok()).collect()
}

fn usage(what: String) -> Diagnostic {
    Diagnostic::error_nowhere(Code::Usage, what)
}

/// Reads a universe size: `node=3`.
fn size(system: &System, text: &str) -> Result<(SortId, u32), Diagnostic> {
    let (name, number) =
        text.split_once('=').ok_or_else(|| usage(format!("--size: `{text}` is not of the form SORT=N")))?;
    let sorts: Vec<SortId> = system.sig.uninterpreted_sorts().collect();
    let sort =
        sorts.iter().copied().find(|&sort| system.sig.sorts[sort].name == name.trim()).ok_or_else(|| {
            let names: Vec<&str> = sorts.iter().map(|&sort| system.sig.sorts[sort].name.as_str()).collect();
            not_declared("--size", "sort", name.trim(), &names)
        })?;
    match number.trim().parse() {
        Ok(size) if (1..=LARGEST_SIZE).contains(&size) => Ok((sort, size)),
        _ => Err(usage(format!("--size: `{}` is no number from 1 to {LARGEST_SIZE}", number.trim()))),
    }
}

/// Returns the transition of this name.
fn transition(system: &System, option: &str, name: &str) -> Result<usize, Diagnostic> {
    system.transitions.iter().position(|it| it.name == name).ok_or_else(|| {
        let names: Vec<&str> = system.transitions.iter().map(|it| it.name.as_str()).collect();
        not_declared(option, "transition", name, &names)
    })
}

/// A transition given by the user, with elements not resolved yet.
struct ToldCall<'a> {
    transition: usize,
    args: Option<Vec<&'a str>>,
}

/// Reads a call: `send`, or `send(node0,_)`.
fn call<'a>(system: &System, text: &'a str) -> Result<ToldCall<'a>, Diagnostic> {
    let (name, args) = match text.split_once('(') {
        None => (text, None),
        Some((name, rest)) => {
            let inner = rest.trim_end().strip_suffix(')').ok_or_else(|| {
                usage(format!("--actions: `{text}` has no closing parenthesis"))
                    .help("write NAME or NAME(ELEMENT,..)")
            })?;
            let args: Vec<&str> = if inner.trim().is_empty() { Vec::new() } else { split_at_commas(inner) };
            (name.trim_end(), Some(args))
        }
    };
    let transition = transition(system, "--actions", name)?;
    let Transition { params, command, .. } = &system.transitions[transition];
    let wanted = params.len();
    match &args {
        // The parameters of an action come before its local variables, which may be omitted.
        Some(args) if args.len() > wanted || args.len() < wanted && command.is_none() => {
            let what = format!("--actions: transition `{name}` has {wanted} parameters, not {}", args.len());
            Err(usage(what).help("`_` stands for any value"))
        }
        _ => Ok(ToldCall { transition, args }),
    }
}

impl ToldCall<'_> {
    /// Resolves the elements by their displayed names, or else by sort name and number.
    fn resolve(self, system: &System, shown: &Names, plain: &Names) -> Result<StepRequest, Diagnostic> {
        let Some(texts) = self.args else {
            return Ok(StepRequest { transition: self.transition, args: None });
        };
        let mut texts = texts.into_iter();
        let mut args = Vec::new();
        for &param in &system.transitions[self.transition].params {
            let text = texts.next().unwrap_or("_");
            if text == "_" {
                args.push(None);
                continue;
            }
            let sort = system.terms.var_info(param).sort;
            let elements = shown.elements(sort);
            let is_it =
                |names: &Names, elem: &Elem| without_blanks(names.name(sort, *elem)) == without_blanks(text);
            let found = elements.iter().find(|elem| is_it(shown, elem));
            let found = found.or_else(|| elements.iter().find(|elem| is_it(plain, elem)));
            args.push(Some(*found.ok_or_else(|| {
                let sort_name = &system.sig.sorts[sort].name;
                let known: Vec<&str> =
                    elements.iter().take(MAX_NAMES).map(|&elem| shown.name(sort, elem)).collect();
                usage(format!("--actions: there is no element `{text}` of sort `{sort_name}`"))
                    .help(format!("its elements are: {}", known.join(", ")))
            })?));
        }
        Ok(StepRequest { transition: self.transition, args: Some(args) })
    }
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}
