//! Output of answers: lines in the problem's format, or one JSON document at the end.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use crate::args::{PlainFormat, SolveArgs};
use crate::output::{Output, print_diagnostics, stderr_palette, stdout};
use crate::progress::Progress;
use crate::signals;
use crate::sources::display;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Diagnostic;
use ramsey_report::Verdict;
use ramsey_report::json::diagnostics::to_dto;
use ramsey_report::json::solve::{Answer, Language, SolveContent};
use ramsey_report::json::{Document, Head};

/// Destination of all output of a run.
pub(super) struct Sink<'a> {
    args: &'a SolveArgs,
    start: Instant,
    out: BufWriter<Output>,
    /// Head and content of the document, present with `--format json`.
    document: Option<Box<(Head, SolveContent)>>,
    pub(super) progress: Progress,
}

impl<'a> Sink<'a> {
    pub(super) fn new(args: &'a SolveArgs) -> Sink<'a> {
        let path = args.path.as_deref().unwrap_or(Path::new("-"));
        let content = || SolveContent { path: display(path), ..SolveContent::default() };
        let document =
            (args.format == PlainFormat::Json).then(|| Box::new((Head::from(Verdict::Ok), content())));
        let progress = Progress::new(!args.quiet && !args.interactive);
        Sink { args, start: Instant::now(), out: stdout(), document, progress }
    }

    /// Sets the format of the problem.
    pub(super) fn set_language(&mut self, language: Language) {
        if let Some(document) = &mut self.document {
            document.1.language = Some(language);
        }
    }

    /// Writes an answer at once, as lines or into the document.
    pub(super) fn say(
        &mut self,
        lines: impl FnOnce(&mut BufWriter<Output>) -> io::Result<()>,
        answer: impl FnOnce() -> Option<Answer>,
    ) -> io::Result<()> {
        self.progress.clear();
        match &mut self.document {
            Some(document) => {
                document.1.answers.extend(answer());
                Ok(())
            }
            None => {
                lines(&mut self.out)?;
                // The process at the other end of a pipe may wait for the answer.
                self.out.flush()
            }
        }
    }

    /// Reports diagnostics.
    pub(super) fn complain(&mut self, found: &[Diagnostic], sources: &Sources) {
        self.progress.clear();
        match &mut self.document {
            Some(document) => {
                document.0.diagnostics.extend(found.iter().map(|it| to_dto(it, sources)));
            }
            None => print_diagnostics(found, sources, stderr_palette(self.args.color)),
        }
    }

    /// Reports the certificate, in a comment.
    pub(super) fn certified(&mut self, comment: &str, line: String) -> io::Result<()> {
        match &mut self.document {
            Some(document) => document.1.certified = Some(line),
            None => writeln!(self.out, "{comment} {line}")?,
        }
        Ok(())
    }

    /// Reports statistics, if requested or if a signal ended the search. Lines are comments.
    pub(super) fn stats(&mut self, comment: &str, rows: &[(&'static str, u64)]) -> io::Result<()> {
        self.progress.clear();
        let seconds = self.start.elapsed().as_secs_f64();
        if let Some(document) = &mut self.document {
            if self.args.stats {
                document.1.stats = Some(rows.iter().map(|&(name, count)| (name.to_owned(), count)).collect());
                document.0.seconds = Some(seconds);
            }
            return Ok(());
        }
        if signals::is_interrupted() {
            let counts: Vec<String> =
                rows.iter().filter(|row| row.1 > 0).map(|(name, count)| format!("{count} {name}")).collect();
            let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
            writeln!(self.out, "{comment} interrupted after {seconds:.1} s{counts}")?;
        } else if self.args.stats {
            for (name, value) in rows {
                writeln!(self.out, "{comment} {name:<12} {value}")?;
            }
            writeln!(self.out, "{comment} {:<12} {seconds:.6}", "seconds")?;
        }
        Ok(())
    }

    /// Ends the run.
    pub(super) fn end(mut self, verdict: Verdict) -> io::Result<u8> {
        let code = verdict.code();
        self.end_with(verdict, code)
    }

    /// Ends the run with an exit code of the format.
    pub(super) fn end_with(&mut self, verdict: Verdict, code: u8) -> io::Result<u8> {
        self.progress.clear();
        if let Some((head, mut content)) = self.document.take().map(|document| *document) {
            let head = Head { verdict, exit_code: code, ..head };
            content.interrupted = signals::is_interrupted();
            self.out.write_all(Document::new(head, content).text()?.as_bytes())?;
        }
        self.out.flush()?;
        Ok(code)
    }
}
