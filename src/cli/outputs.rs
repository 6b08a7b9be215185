//! Check that the outputs of a run do not collide with each other, with its inputs or with files of other kinds. It comes
//! before anything is read, since replacing a file loses it and a search without a destination for its answer is wasted.

use std::path::{Path, PathBuf};

use super::args::{ColorArgs, Command, PictureArgs, ResultArgs, TaskArgs, TaskCommand};
use super::files::{is_input, kept};
use super::kinds::{Kind, is_other};
use super::sources::{display, identity};
use ramsey_core::diag::{Code, Diagnostic};

/// The files that a command line names.
struct Named<'a> {
    inputs: Vec<&'a Path>,
    /// Output files, each with the option that names it and the kind of what goes there.
    outputs: Vec<(&'static str, &'a Path, Option<Kind>)>,
    color: ColorArgs,
}

impl<'a> Named<'a> {
    fn new<P: AsRef<Path> + 'a>(inputs: impl IntoIterator<Item = &'a P>, color: ColorArgs) -> Self {
        Named { inputs: inputs.into_iter().map(AsRef::as_ref).collect(), outputs: Vec::new(), color }
    }

    fn output(mut self, option: &'static str, kind: Kind, path: &'a Option<PathBuf>) -> Self {
        self.outputs.extend(path.as_deref().map(|path| (option, path, Some(kind))));
        self
    }

    /// Adds an output whose writer knows what it replaces.
    fn careful(mut self, option: &'static str, path: &'a Option<PathBuf>) -> Self {
        self.outputs.extend(path.as_deref().map(|path| (option, path, None)));
        self
    }

    fn results(mut self, results: &'a ResultArgs) -> Self {
        self.outputs.extend(results.outputs());
        self
    }

    fn pictures(self, pictures: &'a PictureArgs) -> Self {
        self.output("--svg", Kind::Svg, &pictures.svg).output("--dot", Kind::Dot, &pictures.dot)
    }
}

/// Returns the errors about a command's output paths, and the colour options to print them with.
///
/// With `force`, files of other kinds may be replaced.
pub(super) fn misplaced(command: &Command, force: bool) -> Option<(Vec<Diagnostic>, ColorArgs)> {
    let named = named(command)?;
    let errors: Vec<Diagnostic> = named
        .outputs
        .iter()
        .enumerate()
        .filter_map(|(at, &output)| {
            let refused = refusal(&named, &named.outputs[..at], output);
            refused.or_else(|| if force { None } else { replacement(output) })
        })
        .collect();
    (!errors.is_empty()).then_some((errors, named.color))
}

/// Returns the files that a command names, or `None` if it writes none or checks them itself.
fn named(command: &Command) -> Option<Named<'_>> {
    Some(match command {
        Command::Verify(args) => Named::new(&args.paths, args.form.color)
            .results(&args.form.results)
            .output("--certify", Kind::Certificate, &args.certify)
            .careful("--export", &args.export)
            .careful("--rocq", &args.rocq)
            .output("--html", Kind::Html, &args.report.html)
            .pictures(&args.pictures),
        Command::Check(args) => {
            let named = Named::new([&args.model, &args.certificate], args.color);
            named.careful("--alethe", &args.alethe).results(&args.results)
        }
        Command::Theorem(args) => Named::new(&args.paths, args.answer.form.color)
            .results(&args.answer.form.results)
            .output("--certify", Kind::Certificate, &args.answer.certify)
            .careful("--rocq", &args.answer.rocq)
            .pictures(&args.pictures),
        Command::Bmc(args) => Named::new([&args.path], args.answer.form.color)
            .results(&args.answer.form.results)
            .output("--certify", Kind::Certificate, &args.answer.certify)
            .careful("--rocq", &args.answer.rocq)
            .output("--html", Kind::Html, &args.report.html)
            .pictures(&args.pictures),
        Command::Instance(args) => Named::new([&args.path], args.form.color)
            .results(&args.form.results)
            .careful("--rocq", &args.rocq)
            .output("--out", Kind::Circuit, &args.out)
            .output("--certify", Kind::Certificate, &args.certify)
            .output("--graph", Kind::Dot, &args.graph)
            .pictures(&args.pictures),
        Command::Mc(args) => Named::new([&args.path], args.form.color)
            .results(&args.form.results)
            .output("--out", Kind::Circuit, &args.out)
            .output("--lemmas", Kind::Model, &args.lemmas)
            .output("--certify", Kind::Certificate, &args.certify),
        Command::Core(args) => Named::new([&args.path], args.color)
            .output("--certify", Kind::Certificate, &args.certify)
            .careful("--rocq", &args.rocq),
        Command::Trace(args) => Named::new([&args.path], args.answer.form.color)
            .results(&args.answer.form.results)
            .output("--certify", Kind::Certificate, &args.answer.certify)
            .careful("--rocq", &args.answer.rocq)
            .pictures(&args.pictures),
        Command::Cti(args) => Named::new([&args.model].into_iter().chain(&args.another), args.form.color)
            .output("--output", Kind::Json, &args.output)
            .output("--html", Kind::Html, &args.report.html)
            .pictures(&args.pictures),
        Command::Explain(args) => Named::new([&args.model], args.form.color)
            .output("--output", Kind::Json, &args.output)
            .output("--graph", Kind::Dot, &args.graph)
            .pictures(&args.pictures),
        Command::Generalize(args) => {
            let read = [&args.state.document, &args.state.model].into_iter().chain(&args.reached);
            Named::new(read, args.form.color)
                .output("--output", Kind::Json, &args.output)
                .output("--certify", Kind::Certificate, &args.certify)
                .pictures(&args.pictures)
        }
        Command::Infer(args) => {
            Named::new([&args.path].into_iter().chain(&args.hints).chain(&args.from), args.form.color)
                .results(&args.form.results)
                .output("--out", Kind::Model, &args.out)
                .output("--certify", Kind::Certificate, &args.certify)
                .output("--output", Kind::Json, &args.output)
                .output("--log-file", Kind::Log, &args.log_file)
                .careful("--checkpoint", &args.checkpoint)
                .output("--html", Kind::Html, &args.report.html)
                .pictures(&args.pictures)
        }
        Command::Show(args) => Named::new([&args.document, &args.model], args.color)
            .output("--itf", Kind::Itf, &args.itf)
            .pictures(&args.pictures),
        Command::Typecheck(args) => Named::new(&args.paths, args.form.color).results(&args.form.results),
        Command::Simulate(args) => Named::new([&args.path].into_iter().chain(&args.replay), args.form.color)
            .output("--itf", Kind::Itf, &args.itf)
            .pictures(&args.pictures),
        Command::Solve(args) => Named::new(&args.path, args.color)
            .output("--proof", Kind::Proof, &args.proof)
            .output("--certify", Kind::Certificate, &args.certify)
            .careful("--rocq", &args.rocq)
            .careful("--export", &args.export),
        Command::Task(TaskArgs { command: TaskCommand::Run(args) }) => {
            Named::new([&args.task], args.color).careful("--out", &args.out)
        }
        Command::Task(TaskArgs { command: TaskCommand::Import(args) }) => {
            Named::new([&args.path], args.form.color)
                .results(&args.form.results)
                .output("--out", Kind::Model, &args.out)
                .output("--certify", Kind::Certificate, &args.certify)
        }
        _ => return None,
    })
}

/// Returns the reason why the output of `option` cannot go to `path`. `others` are the outputs named before.
fn refusal(
    named: &Named<'_>,
    others: &[(&'static str, &Path, Option<Kind>)],
    (option, path, kind): (&'static str, &Path, Option<Kind>),
) -> Option<Diagnostic> {
    let usage = |what: String| Diagnostic::error_nowhere(Code::Usage, format!("{option}: {what}"));
    if path.as_os_str() == "-" {
        let error = usage("the output cannot go to standard output, where the answer is".to_owned());
        return Some(error.help(match option {
            "--output" => "`--format json` without `--output` writes the document there",
            _ => "name a file; one that is called `-` is `./-`",
        }));
    }
    let is_folder = path.is_dir();
    let wants_folder = ["--alethe", "--export", "--rocq"].contains(&option);
    if wants_folder && path.exists() && !is_folder {
        let error = usage(format!("`{}` is a file, and the proofs need a folder", path.display()));
        return Some(error.help("name a folder; it is made if it is not there"));
    }
    if is_folder && !wants_folder && option != "--certify" {
        return Some(usage(format!("`{}` is a folder", path.display())).help("name a file in it"));
    }
    if path.exists() && !is_folder && !path.is_file() {
        // A pipe or a device accepts any number of outputs.
        return None;
    }
    let place = place(path);
    if !is_folder && named.inputs.iter().any(|input| self::place(input) == place) {
        return Some(kept(path, "this run reads it"));
    }
    // An inferred model may replace one.
    if kind != Some(Kind::Model) && is_input(path) {
        return Some(kept(path, "it is a model or a problem"));
    }
    let same = others.iter().find(|(_, other, _)| self::place(other) == place)?;
    let what = format!("`{}` is where the output of `{}` goes", display(path), same.0);
    Some(usage(what).help("name another file"))
}

/// Returns the reason why the output of `option` must not replace what is at `path`, which is of another kind.
fn replacement((option, path, kind): (&'static str, &Path, Option<Kind>)) -> Option<Diagnostic> {
    let kind = kind.filter(|&kind| path.is_file() && is_other(kind, path))?;
    let what = format!("{option}: `{}` stays as it is: it is {}", display(path), kind.word());
    let error = Diagnostic::error_nowhere(Code::Usage, what);
    Some(error.help("name another file, or replace it with `--force`"))
}

/// Returns a path that identifies the file at `path`, also if it does not exist yet.
fn place(path: &Path) -> PathBuf {
    if path.exists() {
        return identity(path);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    path.file_name().map_or_else(|| path.to_owned(), |name| identity(folder).join(name))
}
