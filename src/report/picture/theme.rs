//! User options for the display of pictures.

use crate::Names;
use ramsey_core::diag::{Code, Diagnostic, nearest};
use ramsey_core::logic::{Elem, Signature, SortId, Structure, SymId, SymbolKind, element_name};
use ramsey_core::system::System;
use ramsey_solver::formulas::split_at_commas;

/// Display options for the symbols of a signature.
#[derive(Clone, Debug, Default)]
pub struct Theme {
    /// Binary relations, unary functions and ternary relations to draw as edges.
    pub edges: Vec<SymId>,
    /// Definitions with two parameters to draw as edges, by index in the system.
    pub definitions: Vec<usize>,
    /// Relations and functions to show in tables: the first argument tells the row.
    pub tables: Vec<SymId>,
    /// Symbols to hide.
    pub hidden: Vec<SymId>,
    /// Relations to show with some arguments fixed.
    pub projections: Vec<Projection>,
    /// Symbols of a picture's signature that the system does not have, and that are drawn all the same.
    pub added: Vec<SymId>,
    /// Names of elements in pictures.
    pub names: Vec<(SortId, Elem, String)>,
}

/// An error in a theme file.
#[derive(Clone, Debug)]
pub struct Misfit {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub error: Diagnostic,
}

/// A relation with fixed arguments: `btw(node0,_,_)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projection {
    /// The relation.
    pub sym: SymId,
    /// Per argument, the name of the fixed element, or `None` for an open argument; one or two arguments are open.
    pub places: Vec<Option<String>>,
}

impl Theme {
    /// The default display.
    pub const PLAIN: Theme = Theme {
        edges: Vec::new(),
        definitions: Vec::new(),
        tables: Vec::new(),
        hidden: Vec::new(),
        projections: Vec::new(),
        added: Vec::new(),
        names: Vec::new(),
    };

    /// Parses the values of the options `--project`, `--edges` and `--hide`.
    ///
    /// # Errors
    /// Returns errors for names that the system does not have, or that are not applicable.
    pub fn new(
        system: &System,
        project: &[String],
        edges: &[String],
        hide: &[String],
    ) -> Result<Theme, Vec<Diagnostic>> {
        let (mut theme, mut errors) = (Theme::PLAIN, Vec::new());
        let sig = &system.sig;
        for text in project {
            match Projection::parse(sig, "--project", text) {
                Ok(projection) if theme.projections.contains(&projection) => {}
                Ok(projection) => theme.projections.push(projection),
                Err(error) => errors.push(error),
            }
        }
        for name in edges {
            match edge(system, "--edges", name.trim()) {
                Ok(Drawn::Symbol(sym)) => theme.edges.push(sym),
                Ok(Drawn::Definition(at)) => theme.definitions.push(at),
                Err(error) => errors.push(error),
            }
        }
        for name in hide {
            match symbol(sig, "--hide", name.trim()) {
                Ok(sym) => theme.hidden.push(sym),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(theme) } else { Err(errors) }
    }

    /// Adds the contents of a theme file: a line for each wish (`hide`, `edges`, `table`, `project` or `name`), and
    /// comments after `#`.
    ///
    /// # Errors
    /// Returns the lines that say nothing, or something that is not applicable.
    pub fn add_file(&mut self, system: &System, text: &str) -> Result<(), Vec<Misfit>> {
        let mut misfits = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let content = line.split('#').next().unwrap_or_default();
            let Some(start) = content.find(|c: char| !c.is_whitespace()) else { continue };
            let (word, rest) =
                content[start..].split_once(char::is_whitespace).unwrap_or((&content[start..], ""));
            let argument = rest.trim();
            let at = if argument.is_empty() { start } else { content.len() - rest.trim_start().len() };
            if let Err(error) = self.add_line(system, word.trim(), argument) {
                let column = line[..at].chars().count() + 1;
                misfits.push(Misfit { line: number + 1, column, error });
            }
        }
        if misfits.is_empty() { Ok(()) } else { Err(misfits) }
    }

    fn add_line(&mut self, system: &System, word: &str, argument: &str) -> Result<(), Diagnostic> {
        let sig = &system.sig;
        let usage = |what: String| Diagnostic::error_nowhere(Code::Usage, what);
        match word {
            _ if argument.is_empty() => {
                return Err(usage(format!("nothing follows `{word}`")).help(THEME_HELP));
            }
            "hide" => self.hidden.push(symbol(sig, word, argument)?),
            "edges" => match edge(system, word, argument)? {
                Drawn::Symbol(sym) => self.edges.push(sym),
                Drawn::Definition(at) => self.definitions.push(at),
            },
            "table" => {
                let sym = symbol(sig, word, argument)?;
                let args = &sig.symbols[sym].args;
                let is_pair = matches!(args[..], [a, b] | [a, b, _] if a != b);
                if !is_pair || !(sig.symbols[sym].is_relation() || args.len() == 2) {
                    let what = format!("table: `{argument}` is not about elements of two sorts");
                    return Err(usage(what).help(
                        "a relation of two or three arguments, or a function of two, is shown in a table",
                    ));
                }
                self.tables.push(sym);
            }
            "project" => self.projections.push(Projection::parse(sig, word, argument)?),
            "name" => {
                let (element, name) = argument.split_once(char::is_whitespace).unwrap_or((argument, ""));
                let found =
                    sig.uninterpreted_sorts().find_map(|sort| Some((sort, number(sig, sort, element)?)));
                let Some((sort, elem)) = found else {
                    let what = format!("name: `{element}` is not the name of a sort with a number");
                    return Err(usage(what).help("write `name node0 Alice`"));
                };
                let name = name.trim();
                if name.is_empty() {
                    return Err(
                        usage(format!("name: no name for `{element}`")).help("write `name node0 Alice`")
                    );
                }
                self.names.push((sort, elem, name.to_owned()));
            }
            _ => return Err(usage(format!("`{word}` is no wish for pictures")).help(THEME_HELP)),
        }
        Ok(())
    }

    /// Returns the elements of projections that the structure does not have, with their sorts.
    pub fn missing(&self, system: &System, sig: &Signature, structure: &Structure) -> Vec<(SortId, &str)> {
        let mut missing = Vec::new();
        for projection in &self.projections {
            for (place, &sort) in projection.places.iter().zip(&sig.symbols[projection.sym].args) {
                if let Some(name) = place
                    && element(system, sig, structure, sort, name).is_none()
                    && !missing.contains(&(sort, name.as_str()))
                {
                    missing.push((sort, name));
                }
            }
        }
        missing
    }
}

impl Projection {
    /// Parses a projection such as `btw(node0,_,_)`.
    fn parse(sig: &Signature, option: &str, text: &str) -> Result<Projection, Diagnostic> {
        let usage = |what: String| Diagnostic::error_nowhere(Code::Usage, format!("{option}: {what}"));
        let parts = text.trim().strip_suffix(')').and_then(|text| text.split_once('('));
        let Some((name, args)) = parts else {
            let example = "write `NAME(ELEMENT,_,_)`, with `_` at the places that stay open";
            return Err(usage(format!("`{text}` is no relation with arguments")).help(example));
        };
        let sym = symbol(sig, option, name.trim())?;
        let declared = &sig.symbols[sym];
        if !declared.is_relation() {
            return Err(
                usage(format!("`{}` is a function", declared.name)).help("only relations can be projected")
            );
        }
        let places: Vec<Option<String>> =
            split_at_commas(args).into_iter().map(|arg| (arg != "_").then(|| arg.to_owned())).collect();
        if places.len() != declared.args.len() {
            let (wanted, given) = (declared.args.len(), places.len());
            return Err(usage(format!("`{}` takes {wanted} arguments, not {given}", declared.name)));
        }
        match places.iter().filter(|place| place.is_none()).count() {
            1 | 2 if places.iter().any(Option::is_some) => Ok(Projection { sym, places }),
            0 => Err(usage(format!("no place of `{text}` is open")).help("write `_` at one or two places")),
            1 | 2 => Err(usage(format!("no argument of `{text}` is fixed"))
                .help("`--edges NAME` draws a binary relation as edges")),
            open => Err(usage(format!("{open} places of `{text}` are open"))
                .help("fix elements at all places but one or two")),
        }
    }

    /// Returns the elements at the fixed arguments; `None` if the structure lacks one.
    pub(super) fn resolve(
        &self,
        system: &System,
        sig: &Signature,
        structure: &Structure,
    ) -> Option<Vec<Option<Elem>>> {
        let sorts = &sig.symbols[self.sym].args;
        let place = |(place, &sort): (&Option<String>, &SortId)| match place {
            None => Some(None),
            Some(name) => element(system, sig, structure, sort, name).map(Some),
        };
        self.places.iter().zip(sorts).map(place).collect()
    }

    /// Formats the projection, such as `btw(node0,_,_)`.
    pub(super) fn text(&self, sig: &Signature) -> String {
        let places: Vec<&str> = self.places.iter().map(|place| place.as_deref().unwrap_or("_")).collect();
        format!("{}({})", sig.symbols[self.sym].name, places.join(","))
    }
}

/// What a theme file can say.
const THEME_HELP: &str = "write `hide R`, `edges R`, `table R`, `project R(node0,_,_)` or `name node0 Alice`";

/// Returns the number of an element of a sort in its canonical name.
fn number(sig: &Signature, sort: SortId, name: &str) -> Option<Elem> {
    let digits = name.strip_prefix(sig.sorts[sort].name.as_str())?;
    let number = digits.trim_start_matches('_').parse().ok()?;
    (element_name(sig, sort, number) == name).then_some(number)
}

/// Finds the element with this name: as shown in state 0 of pictures, or the name of its sort followed by a number.
fn element(
    system: &System,
    sig: &Signature,
    structure: &Structure,
    sort: SortId,
    name: &str,
) -> Option<Elem> {
    let find = |names: Names| (0..structure.sizes[sort]).find(|&elem| names.name(sort, elem) == name);
    find(Names::new(system, sig, structure, 0)).or_else(|| find(Names::plain(sig, structure)))
}

fn symbol(sig: &Signature, option: &str, name: &str) -> Result<SymId, Diagnostic> {
    let known = || {
        let of_states =
            |kind| matches!(kind, SymbolKind::Immutable | SymbolKind::Mutable | SymbolKind::Derived);
        sig.symbols.iter_enumerated().filter(move |(_, symbol)| of_states(symbol.kind))
    };
    if let Some((sym, _)) = known().find(|(_, symbol)| symbol.name == name) {
        return Ok(sym);
    }
    let what = format!("{option}: there is no relation or function `{name}`");
    let error = Diagnostic::error_nowhere(Code::Usage, what);
    Err(match nearest(name, known().map(|(_, symbol)| symbol.name.as_str())) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error,
    })
}

/// A symbol or definition that can be drawn as edges.
enum Drawn {
    Symbol(SymId),
    Definition(usize),
}

fn edge(system: &System, option: &str, name: &str) -> Result<Drawn, Diagnostic> {
    let sig = &system.sig;
    if let Some(at) = system.definitions.iter().position(|it| it.name == name) {
        let count = system.definitions[at].params.len();
        let what =
            format!("{option}: the definition `{name}` has {count} parameters, and an edge has two ends");
        let error = Diagnostic::error_nowhere(Code::Usage, what);
        return if count == 2 { Ok(Drawn::Definition(at)) } else { Err(error) };
    }
    let sym = symbol(sig, option, name).map_err(|error| {
        let definitions = system.definitions.iter().filter(|it| it.params.len() == 2);
        match nearest(name, definitions.map(|it| it.name.as_str())) {
            Some(near) if error.help.is_none() => error.help(format!("did you mean `{near}`?")),
            _ => error,
        }
    })?;
    let symbol = &sig.symbols[sym];
    let ends = symbol.args.len() + usize::from(!symbol.is_relation());
    if (ends == 2 && !symbol.args.is_empty()) || (symbol.args.len() == 3 && symbol.is_relation()) {
        return Ok(Drawn::Symbol(sym));
    }
    let what =
        format!("{option}: `{name}` is neither a relation of two or three elements nor a unary function");
    let error = Diagnostic::error_nowhere(Code::Usage, what);
    Err(match symbol.args.len() {
        3.. if symbol.is_relation() => error.help("`--project` fixes arguments so that two places are left"),
        _ => error,
    })
}
