//! Picture files, for all commands that find states.

use super::args::PictureArgs;
use std::path::{Path, PathBuf};

use super::files::{check_parents, write_whole};
use super::sources::{display, read_text};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::Syntax;
use ramsey_core::system::System;
use ramsey_engine::query::unroll::Execution;
use ramsey_engine::query::{Counterexample, Outcome, Verification};
use ramsey_report::Names;
use ramsey_report::picture::{Misfit, Picture, Scene, Theme, dot, dot_of, svg, svg_of};
use ramsey_report::trace::{falsification_text, witnesses};

impl PictureArgs {
    /// Checks whether a picture is requested.
    pub(super) fn is_some(&self) -> bool {
        self.svg.is_some() || self.dot.is_some()
    }

    /// Returns the theme: that of the file beside the model, if there is one, and the user's options.
    pub(super) fn theme(&self, system: &System, model: &Path) -> Result<Theme, Vec<Diagnostic>> {
        let mut theme = Theme::new(system, &self.project, &self.edges, &self.hide)?;
        read_theme(&mut theme, system, model)?;
        Ok(theme)
    }

    /// Returns the gallery of a run about this model.
    pub(super) fn gallery(
        &self,
        system: &System,
        model: impl AsRef<Path>,
    ) -> Result<Gallery<'_>, Vec<Diagnostic>> {
        let choices = [("--project", &self.project), ("--edges", &self.edges), ("--hide", &self.hide)];
        if !self.is_some()
            && let Some((option, _)) = choices.iter().find(|(_, names)| !names.is_empty())
        {
            let error = Diagnostic::error_nowhere(Code::Usage, format!("{option}: no picture is asked for"));
            return Err(vec![error.help("`--svg FILE` or `--dot FILE` draws one")]);
        }
        let misplaced = check_parents([&self.svg, &self.dot]);
        if !misplaced.is_empty() {
            return Err(misplaced);
        }
        let theme = if self.is_some() { self.theme(system, model.as_ref())? } else { Theme::PLAIN };
        Ok(Gallery { args: self, theme, count: 0 })
    }

    /// Writes the picture of a partial structure that a conjecture excludes.
    pub(super) fn write_partial(
        &self,
        title: &str,
        system: &System,
        scene: &Scene,
        conjecture: &str,
    ) -> Result<(), Diagnostic> {
        let remark = format!("excluded by: {conjecture}");
        if let Some(path) = &self.svg {
            write_whole(path, svg_of(scene, title, &remark).as_bytes())?;
        }
        if let Some(path) = &self.dot {
            write_whole(path, dot_of(&system.sig, scene, title, &remark).as_bytes())?;
        }
        Ok(())
    }

    /// Writes the picture with this number, from 1. The first is written to the given path itself.
    pub(super) fn write(&self, picture: &Picture, number: usize) -> Result<(), Diagnostic> {
        if let Some(path) = &self.svg {
            write_whole(&numbered(path, number), svg(picture).as_bytes())?;
        }
        if let Some(path) = &self.dot {
            write_whole(&numbered(path, number), dot(picture).as_bytes())?;
        }
        Ok(())
    }
}

/// Adds the theme file beside the model, if there is one, and returns its text.
pub(super) fn read_theme(
    theme: &mut Theme,
    system: &System,
    model: &Path,
) -> Result<Option<String>, Vec<Diagnostic>> {
    let path = model.with_extension("theme");
    if !path.is_file() {
        return Ok(None);
    }
    let text = read_text(&path).map_err(|error| vec![error])?;
    theme.add_file(system, &text).map_err(|misfits| -> Vec<Diagnostic> {
        let place = |it: &Misfit| format!("at {}:{}:{}", display(&path), it.line, it.column);
        misfits.into_iter().map(|it| it.error.clone().note(place(&it))).collect()
    })?;
    Ok(Some(text))
}

/// The numbered pictures of a run.
#[derive(Debug)]
pub(super) struct Gallery<'a> {
    args: &'a PictureArgs,
    theme: Theme,
    /// Number of pictures so far.
    pub(super) count: usize,
}

impl Gallery<'_> {
    /// Draws a picture, if pictures are requested.
    pub(super) fn draw(&mut self, picture: &Picture) -> Result<(), Diagnostic> {
        self.count += 1;
        self.args.write(&Picture { theme: &self.theme, ..*picture }, self.count)
    }

    /// Draws an execution without a violation.
    pub(super) fn execution(
        &mut self,
        title: &str,
        system: &System,
        execution: &Execution,
    ) -> Result<(), Diagnostic> {
        let Execution { structure, calls } = execution;
        let (sig, theme) = (&system.sig, &Theme::PLAIN);
        let witnesses = &[];
        self.draw(&Picture { system, sig, structure, calls, title, violated: "", witnesses, theme })
    }

    /// Draws a counterexample over a signature and terms that may have more symbols than the system.
    pub(super) fn counterexample(
        &mut self,
        title: &str,
        system: &System,
        syntax: Syntax<'_>,
        found: &Counterexample,
    ) -> Result<(), Diagnostic> {
        let Counterexample { structure, calls, .. } = found;
        let sig = syntax.sig;
        let names = Names::new(system, sig, structure, calls.len());
        let (formula, bindings) = falsification_text(syntax, &names, found);
        let violated = &violated_text(&formula, &bindings);
        let witnesses = &witnesses(syntax.terms, &found.falsification);
        let theme = &Theme::PLAIN;
        self.draw(&Picture { system, sig, structure, calls, title, violated, witnesses, theme })
    }
}

impl Gallery<'_> {
    /// Draws the counterexamples of a verification.
    pub(super) fn failures(
        &mut self,
        title: &str,
        system: &System,
        verification: &Verification,
    ) -> Result<(), Diagnostic> {
        let syntax = verification.obligations.syntax();
        for result in &verification.results {
            if let Outcome::Fails(found) = &result.outcome {
                self.counterexample(title, system, syntax, found)?;
            }
        }
        Ok(())
    }
}

/// Returns a violated formula as text, with the values of its variables.
pub(super) fn violated_text(formula: &str, bindings: &[(String, String)]) -> String {
    let values: Vec<String> = bindings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let values = if values.is_empty() { String::new() } else { format!(" for {}", values.join(", ")) };
    format!("{formula}{values}")
}

/// Returns the path with a number appended to the file stem: `a/b.svg` becomes `a/b-2.svg`.
pub(super) fn numbered(path: &Path, number: usize) -> PathBuf {
    if number <= 1 {
        return path.to_owned();
    }
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, extension) = (part(path.file_stem()), part(path.extension()));
    let dot = if extension.is_empty() { "" } else { "." };
    path.with_file_name(format!("{stem}-{number}{dot}{extension}"))
}
