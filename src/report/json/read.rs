//! Reads a structure back from a document of `cti`, `verify`, `bmc` or any other with a counterexample in it.

use serde_json::{Map, Value};

use crate::base::ids::IdVec;
use crate::diag::{Code, Diagnostic, nearest};
use crate::logic::{Elem, Signature, SortId, Structure, SymId, SymbolKind};

/// Functions over more tuples than this are not listed in full in documents.
const MANY_TUPLES: u64 = 200_000;

/// A structure with the names that its elements have in the document.
#[derive(Clone, Debug)]
pub struct ReadStructure {
    /// Over the signature of the model; symbols made by the tool have default values.
    pub structure: Structure,
    /// What the elements are called, by sort and number: as `shown`, where the document has that.
    pub names: IdVec<SortId, Vec<String>>,
}

/// Reads the first counterexample of a document; symbols, sorts and arities have to be those of `sig`.
///
/// # Errors
/// Why the text is no such document, or where it does not fit.
pub fn first_counterexample(sig: &Signature, text: &str) -> Result<ReadStructure, Box<Diagnostic>> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| unfit(format!("the state is no JSON document: {error}")))?;
    let Some((path, found)) = find(&value) else {
        let error = unfit("there is no counterexample in the document");
        return Err(Box::new(error.help("`ramsey cti MODEL --output FILE` writes one if there is one")));
    };
    Reader { sig, path }.structure(found).map_err(Box::new)
}

fn unfit(what: impl Into<String>) -> Diagnostic {
    Diagnostic::error_nowhere(Code::Usage, what)
}

/// The first object that is called `counterexample` (or `execution`, in documents of traces), with its path.
fn find(value: &Value) -> Option<(String, &Map<String, Value>)> {
    let mut stack: Vec<(String, &Value)> = vec![(String::new(), value)];
    while let Some((path, next)) = stack.pop() {
        match next {
            Value::Object(fields) => {
                for name in ["counterexample", "execution"] {
                    if let Some(Value::Object(found)) = fields.get(name) {
                        return Some((format!("{path}{name}"), found));
                    }
                }
                stack.extend(fields.iter().rev().map(|(name, value)| (format!("{path}{name}."), value)));
            }
            Value::Array(items) => {
                let item = |(index, value)| (format!("{}[{index}].", path.trim_end_matches('.')), value);
                stack.extend(items.iter().enumerate().map(item).rev());
            }
            _ => {}
        }
    }
    None
}

struct Reader<'a> {
    sig: &'a Signature,
    /// Where the counterexample stands in the document.
    path: String,
}

impl Reader<'_> {
    fn error(&self, place: &str, what: impl AsRef<str>) -> Diagnostic {
        unfit(format!("the state does not fit the model: {}", what.as_ref()))
            .note(format!("at `{}.{place}` of the document", self.path))
    }

    fn structure(&self, found: &Map<String, Value>) -> Result<ReadStructure, Diagnostic> {
        let states = self.list(found, "", "states")?;
        let mut structure = Structure::new(self.sig, states.len().max(1));
        let names = self.universes(found, &mut structure)?;
        let immutable = self.list(found, "", "immutable")?;
        for (index, fact) in immutable.iter().enumerate() {
            self.fact(fact, &format!("immutable[{index}]"), None, &names, &mut structure)?;
        }
        for (step, state) in states.iter().enumerate() {
            let place = format!("states[{step}]");
            let fields = state.as_object().ok_or_else(|| self.error(&place, "a state is an object"))?;
            for (index, fact) in self.list(fields, &format!("{place}."), "facts")?.iter().enumerate() {
                let place = format!("{place}.facts[{index}]");
                self.fact(fact, &place, Some(step), &names, &mut structure)?;
            }
        }
        self.check_functions(&structure)?;
        let names = self.shown(found, names);
        Ok(ReadStructure { structure, names })
    }

    fn list<'v>(
        &self,
        fields: &'v Map<String, Value>,
        place: &str,
        name: &str,
    ) -> Result<&'v Vec<Value>, Diagnostic> {
        let missing = || self.error(&format!("{place}{name}"), format!("there is no list `{name}`"));
        fields.get(name).and_then(Value::as_array).ok_or_else(missing)
    }

    fn text<'v>(&self, value: &'v Value, place: &str, name: &str) -> Result<&'v str, Diagnostic> {
        let missing = || self.error(&format!("{place}.{name}"), format!("there is no text `{name}`"));
        value.get(name).and_then(Value::as_str).ok_or_else(missing)
    }

    fn universes(
        &self,
        found: &Map<String, Value>,
        structure: &mut Structure,
    ) -> Result<IdVec<SortId, Vec<String>>, Diagnostic> {
        let mut names: IdVec<SortId, Vec<String>> = IdVec::filled(self.sig.sorts.len(), Vec::new());
        for (index, universe) in self.list(found, "", "universes")?.iter().enumerate() {
            let place = format!("universes[{index}]");
            let name = self.text(universe, &place, "sort")?;
            let sorts = || self.sig.uninterpreted_sorts();
            let Some(sort) = sorts().find(|&sort| self.sig.sorts[sort].name == name) else {
                let known = sorts().map(|sort| self.sig.sorts[sort].name.as_str());
                return Err(self.unknown(&place, "sort", name, known));
            };
            for element in universe.get("elements").and_then(Value::as_array).into_iter().flatten() {
                let Some(element) = element.as_str() else {
                    return Err(self.error(&place, "elements are texts"));
                };
                if names.iter().flatten().any(|other| other == element) {
                    return Err(self.error(&place, format!("there are two elements `{element}`")));
                }
                names[sort].push(element.to_owned());
            }
            structure.sizes[sort] = names[sort].len() as u32;
        }
        for sort in self.sig.uninterpreted_sorts() {
            if names[sort].is_empty() {
                let name = &self.sig.sorts[sort].name;
                return Err(self.error("universes", format!("the sort `{name}` has no elements")));
            }
        }
        Ok(names)
    }

    /// The names that people see in the text form of the same structure.
    fn shown(
        &self,
        found: &Map<String, Value>,
        mut names: IdVec<SortId, Vec<String>>,
    ) -> IdVec<SortId, Vec<String>> {
        for universe in found.get("universes").and_then(Value::as_array).into_iter().flatten() {
            let Some(shown) = universe.get("shown").and_then(Value::as_array) else { continue };
            let shown: Vec<String> = shown.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            let sorts = self.sig.sorts.iter_enumerated();
            let name = universe.get("sort").and_then(Value::as_str);
            for (sort, _) in sorts.filter(|(_, sort)| Some(sort.name.as_str()) == name) {
                if shown.len() == names[sort].len() {
                    names[sort].clone_from(&shown);
                }
            }
        }
        names
    }

    fn unknown<'n>(
        &self,
        place: &str,
        kind: &str,
        name: &str,
        known: impl Iterator<Item = &'n str>,
    ) -> Diagnostic {
        let error = self.error(place, format!("the model has no {kind} `{name}`"));
        match nearest(name, known) {
            Some(near) => error.help(format!("the nearest name is `{near}`")),
            None => error.help("the state is that of another model, or of an older text of this one"),
        }
    }

    /// Adds a fact: of a state, or of all states.
    fn fact(
        &self,
        fact: &Value,
        place: &str,
        step: Option<usize>,
        names: &IdVec<SortId, Vec<String>>,
        structure: &mut Structure,
    ) -> Result<(), Diagnostic> {
        let name = self.text(fact, place, "symbol")?;
        let declared =
            |sym: &SymId| !matches!(self.sig.symbols[*sym].kind, SymbolKind::Parameter | SymbolKind::Choice);
        let symbols = || self.sig.symbols.ids().filter(declared);
        let Some(sym) = symbols().find(|&sym| self.sig.symbols[sym].name == name) else {
            let known = symbols().map(|sym| self.sig.symbols[sym].name.as_str());
            return Err(self.unknown(place, "symbol", name, known));
        };
        let symbol = &self.sig.symbols[sym];
        if symbol.kind.is_mutable() != step.is_some() {
            let kind = if symbol.kind.is_mutable() { "mutable" } else { "immutable" };
            return Err(self.error(place, format!("`{name}` is {kind} in the model")));
        }
        let args = fact.get("args").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        if args.len() != symbol.args.len() {
            let (takes, has) = (symbol.args.len(), args.len());
            return Err(self.error(place, format!("`{name}` takes {takes} arguments, not {has}")));
        }
        let element = |value: &Value, sort: SortId| -> Result<Elem, Diagnostic> {
            let text = value.as_str().unwrap_or_default();
            let found = names[sort].iter().position(|other| other == text);
            let sort = &self.sig.sorts[sort].name;
            let what = || self.error(place, format!("`{value}` is no element of the sort `{sort}`"));
            found.map(|at| at as Elem).ok_or_else(what)
        };
        let mut tuple = Vec::new();
        for (arg, &sort) in args.iter().zip(&symbol.args) {
            tuple.push(element(arg, sort)?);
        }
        let value = match fact.get("value") {
            Some(Value::Bool(value)) if symbol.is_relation() => u32::from(*value),
            Some(value) if !symbol.is_relation() => element(value, symbol.result)?,
            _ => return Err(self.error(place, format!("this is no value for `{name}`"))),
        };
        let interpretation = structure.interpretation_mut(self.sig, sym, step.unwrap_or(0));
        if interpretation.entries.get(&tuple[..]).is_some_and(|&other| other != value) {
            return Err(self.error(place, format!("`{name}` has two values at the same arguments")));
        }
        interpretation.set(&tuple, value);
        Ok(())
    }

    /// Every function has a value everywhere.
    fn check_functions(&self, structure: &Structure) -> Result<(), Diagnostic> {
        for (sym, symbol) in self.sig.symbols.iter_enumerated() {
            let is_declared = !matches!(symbol.kind, SymbolKind::Parameter | SymbolKind::Choice);
            if symbol.is_relation() || !is_declared {
                continue;
            }
            let sizes = symbol.args.iter().map(|&sort| u64::from(structure.sizes[sort]));
            let count = sizes.fold(1_u64, u64::saturating_mul);
            let states = if symbol.kind.is_mutable() { structure.states() } else { 1 };
            for step in 0..states {
                let listed = structure.interpretation(self.sig, sym, step).entries.len() as u64;
                if listed < count && count <= MANY_TUPLES {
                    let place =
                        if symbol.kind.is_mutable() { format!("states[{step}]") } else { "immutable".into() };
                    let what = format!("`{}` has a value at {listed} of {count} places", symbol.name);
                    return Err(self.error(&place, what));
                }
            }
        }
        Ok(())
    }
}
