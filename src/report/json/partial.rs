//! Reader of partial structures from the documents of `diagram` and `generalize`.

use serde::Deserialize;
use serde_json::Value;

use super::document::Content as _;
use super::generalize::{ConjectureContent, DiagramContent};
use super::read::{plain, pointer};
use ramsey_core::base::ids::IdVec;
use ramsey_core::diag::{Code, Diagnostic, nearest};
use ramsey_core::logic::{Elem, Signature, SortId, SymId, SymbolKind};
use ramsey_solver::formulas::{ElementNames, split_at_commas};
use ramsey_solver::formulas::{Fact, Partial};

/// Partial structure with the names of its elements, and the formula that excludes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The facts.
    pub partial: Partial,
    /// Names of the elements by sort and number.
    pub names: ElementNames,
    /// The conjecture as in the document.
    pub conjecture: String,
}

/// The part of [`DiagramContent`] that is read.
#[derive(Deserialize)]
struct Diagram {
    facts: Vec<String>,
    conjecture: Option<String>,
}

/// The part of [`ConjectureContent`] that is read.
#[derive(Deserialize)]
struct Conjecture {
    conjecture: Option<Excluding>,
}

#[derive(Deserialize)]
struct Excluding {
    facts: Vec<String>,
    formula: String,
}

/// Reads the partial structure from a document of `diagram`, or that of the conjecture from one of `generalize`.
/// Returns `None` if the document is neither.
///
/// # Errors
/// Returns an error if it does not fit the signature.
pub fn read_partial(sig: &Signature, json: &str) -> Option<Result<Known, Diagnostic>> {
    let document: Value = serde_json::from_str(plain(json)).ok()?;
    let wrong = |what: String, place: String| {
        Diagnostic::error_nowhere(Code::Document, what).note(format!("at `/{place}` of the document"))
    };
    let (facts, conjecture, place) = match document.get("schema")?.as_str()? {
        DiagramContent::SCHEMA => match serde_path_to_error::deserialize::<_, Diagram>(&document) {
            Ok(Diagram { facts, conjecture: Some(conjecture) }) => (facts, conjecture, "/facts"),
            Ok(_) => return Some(Err(wrong("the document has no diagram".into(), "conjecture".into()))),
            Err(error) => return Some(Err(wrong(error.inner().to_string(), pointer(error.path())))),
        },
        ConjectureContent::SCHEMA => match serde_path_to_error::deserialize::<_, Conjecture>(&document) {
            Ok(content) => {
                let found = content.conjecture?;
                (found.facts, found.formula, "/conjecture/facts")
            }
            Err(error) => return Some(Err(wrong(error.inner().to_string(), pointer(error.path())))),
        },
        _ => return None,
    };
    let texts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let known = Reader { sig, elements: Vec::new() }.read(&texts);
    Some(known.map(|(partial, names)| Known { partial, names, conjecture }).map_err(|what| {
        Diagnostic::error_nowhere(Code::Document, what)
            .note(format!("at `{place}` of the document"))
            .help("is this the model that the document was made with?")
    }))
}

struct Reader<'a> {
    sig: &'a Signature,
    /// Elements by sort and name.
    elements: Vec<(SortId, String)>,
}

/// Fact with element names instead of elements.
struct Parsed<'t> {
    left: &'t str,
    args: Vec<&'t str>,
    /// Right side of an equation.
    right: Option<&'t str>,
    positive: bool,
}

impl Reader<'_> {
    fn read(mut self, texts: &[&str]) -> Result<(Partial, ElementNames), String> {
        let parsed: Vec<Parsed<'_>> = texts.iter().map(|text| parse(text)).collect();
        for fact in &parsed {
            if let Some(sym) = self.symbol(fact)? {
                let symbol = &self.sig.symbols[sym];
                let sorts = symbol.args.iter().copied();
                let result = fact.right.map(|name| (symbol.result, name));
                for (sort, name) in sorts.zip(fact.args.iter().copied()).chain(result) {
                    self.add(sort, name);
                }
            }
        }
        // Elements are numbered as in their names.
        self.elements.sort_by(|(a, x), (b, y)| (*a, x.len(), x).cmp(&(*b, y.len(), y)));
        let mut facts = Vec::new();
        for fact in &parsed {
            facts.push(self.fact(fact)?);
        }
        let mut names: ElementNames = IdVec::filled(self.sig.sorts.len(), Vec::new());
        for (sort, name) in self.elements {
            names[sort].push(name);
        }
        Ok((Partial { facts }, names))
    }

    fn add(&mut self, sort: SortId, name: &str) {
        let element = (sort, name.to_owned());
        if !self.elements.contains(&element) {
            self.elements.push(element);
        }
    }

    /// Returns the symbol of a fact; `None` for the inequality of two elements.
    fn symbol(&self, fact: &Parsed<'_>) -> Result<Option<SymId>, String> {
        let declared =
            || self.sig.symbols.iter_enumerated().filter(|(_, symbol)| symbol.kind != SymbolKind::Parameter);
        let found = declared().find(|(_, symbol)| symbol.name == fact.left);
        match found {
            Some((sym, symbol))
                if symbol.args.len() == fact.args.len() && symbol.is_relation() == fact.right.is_none() =>
            {
                Ok(Some(sym))
            }
            None if fact.args.is_empty() && fact.right.is_some() => Ok(None),
            Some(_) => Err(format!("`{}` is something else in the model", fact.left)),
            None => {
                let near = nearest(fact.left, declared().map(|(_, symbol)| symbol.name.as_str()));
                let near = near.map_or(String::new(), |near| format!(" (there is `{near}`)"));
                Err(format!("there is no relation or function `{}`{near}", fact.left))
            }
        }
    }

    fn fact(&self, fact: &Parsed<'_>) -> Result<Fact, String> {
        let positive = fact.positive;
        let Some(sym) = self.symbol(fact)? else {
            let right = fact.right.unwrap_or_default();
            let sort =
                self.elements.iter().map(|(sort, _)| *sort).find(|&sort| {
                    self.element(sort, fact.left).is_some() && self.element(sort, right).is_some()
                });
            let sort = sort.ok_or_else(|| format!("nothing tells the sort of `{}`", fact.left))?;
            let ends = [fact.left, right].map(|name| self.element(sort, name).unwrap_or(0));
            return Ok(Fact::Distinct { sort, pair: [ends[0].min(ends[1]), ends[0].max(ends[1])] });
        };
        let symbol = &self.sig.symbols[sym];
        let element = |(&sort, name): (&SortId, &&str)| self.element(sort, name).unwrap_or(0);
        let args = symbol.args.iter().zip(&fact.args).map(element).collect();
        Ok(match fact.right {
            Some(name) => {
                Fact::Value { sym, args, value: self.element(symbol.result, name).unwrap_or(0), positive }
            }
            None => Fact::Relation { sym, args, positive },
        })
    }

    /// Returns the number of an element among those of its sort.
    fn element(&self, sort: SortId, name: &str) -> Option<Elem> {
        let mut of_sort = self.elements.iter().filter(|(other, _)| *other == sort);
        of_sort.position(|(_, other)| other == name).map(|at| at as Elem)
    }
}

/// Parses `r(a,b)`, `!r(a,b)`, `f(a) = b`, `f(a) != b` or `a != b`. Names of elements may contain brackets.
fn parse(text: &str) -> Parsed<'_> {
    let outside = |wanted: &str| {
        let mut depth = 0_i32;
        text.char_indices().map(|(at, _)| at).find(|&at| {
            match text.as_bytes()[at] {
                b'(' | b'{' | b'[' => depth += 1,
                b')' | b'}' | b']' => depth -= 1,
                _ => {}
            }
            depth == 0 && text[at..].starts_with(wanted)
        })
    };
    let (left, right, positive) = match (outside(" != "), outside(" = ")) {
        (Some(at), _) => (&text[..at], Some(text[at + 4..].trim()), false),
        (None, Some(at)) => (&text[..at], Some(text[at + 3..].trim()), true),
        (None, None) => (text.strip_prefix('!').unwrap_or(text), None, !text.starts_with('!')),
    };
    match left.strip_suffix(')').and_then(|left| left.split_once('(')) {
        Some((name, args)) => Parsed { left: name.trim(), args: split_at_commas(args), right, positive },
        None => Parsed { left: left.trim(), args: Vec::new(), right, positive },
    }
}
