//! Reader of counterexamples from documents, by the names of a model.

use serde::Deserialize as _;
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::{dto, itf};
use crate::trace::MAX_LISTED_TUPLES;
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::BYTE_ORDER_MARK;
use ramsey_core::diag::{Code, Diagnostic, nearest};
use ramsey_core::logic::{Elem, Interpretation, Signature, SortId, Structure, SymId, SymbolKind};
use ramsey_core::system::System;
use ramsey_engine::query::Call;

/// States of a document, over the signature of the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct States {
    /// All states. An element's number is its position in the document's universe.
    pub structure: Structure,
    /// Signature of the structure.
    sig: Signature,
    /// Display names of the elements by sort and number: as in `shown` of the document, or else their names in it.
    pub names: IdVec<SortId, Vec<String>>,
    /// Transitions from each state to the next: one less than the number of states, or none.
    pub calls: Vec<Call>,
    /// The false formula, if the document contains it.
    pub violated: Option<Violated>,
    /// Name of the violated claim, if the document contains it.
    pub claim: Option<String>,
    /// Position in the document, as a JSON pointer (RFC 6901).
    pub pointer: String,
}

impl States {
    /// Returns the interpretation of the symbol of this name in a state.
    pub fn interpretation(&self, name: &str, step: usize) -> Option<&Interpretation> {
        let sym = self.sig.symbols.ids().find(|&sym| self.sig.symbols[sym].name == name)?;
        Some(self.structure.interpretation(&self.sig, sym, step))
    }
}

/// Formula that is false in one of the states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violated {
    /// The formula as text.
    pub formula: String,
    /// State in which the formula is evaluated.
    pub state: usize,
    /// Values of its variables.
    pub bindings: Vec<(String, SortId, Elem)>,
}

/// Reads the first counterexample of a document: an object with `universes`, `immutable`, `states` and `transitions`
/// (see `spec/verify.schema.json`), at any position.
///
/// # Errors
/// Returns an error if the text is not JSON, has no counterexample, or has one that does not fit the system.
pub fn read_counterexample(system: &System, json: &str) -> Result<States, Diagnostic> {
    read_nth_counterexample(system, json, 1)
}

/// Reads the counterexample with this number in the order of the document, from 1.
///
/// # Errors
/// Returns an error as [`read_counterexample`] does, or if there are fewer counterexamples.
pub fn read_nth_counterexample(system: &System, json: &str, number: usize) -> Result<States, Diagnostic> {
    let document = parse(json)?;
    let found = candidates(&document);
    let Some(candidate) = number.checked_sub(1).and_then(|at| found.get(at)) else {
        return Err(no_such(number, found.len()));
    };
    Reader { system, pointer: candidate.pointer.clone() }.states(candidate)
}

/// Reads all counterexamples of a document, of which there is at least one, without the executions that a triage found:
/// these begin in initial states.
///
/// # Errors
/// Returns an error as [`read_counterexample`] does.
pub fn read_counterexamples(system: &System, json: &str) -> Result<Vec<States>, Diagnostic> {
    let document = parse(json)?;
    let mut found = candidates(&document);
    found.retain(|candidate| !candidate.pointer.starts_with("/triage/"));
    if found.is_empty() {
        return Err(no_such(1, 0));
    }
    let read =
        |candidate: &Candidate| Reader { system, pointer: candidate.pointer.clone() }.states(candidate);
    found.iter().map(read).collect()
}

fn parse(json: &str) -> Result<Value, Diagnostic> {
    let document: Value = serde_json::from_str(plain(json)).map_err(|error| {
        Diagnostic::error_nowhere(Code::Document, format!("this is no JSON document: {error}"))
            .help("`ramsey verify --format json` writes documents with counterexamples")
    })?;
    if !itf::is_trace(&document) {
        return Ok(document);
    }
    let read = itf::execution(&document).map_err(|(place, what)| {
        Diagnostic::error_nowhere(Code::Document, what).note(format!("at `/{place}` of the trace"))
    })?;
    let refused =
        |error| Diagnostic::error_nowhere(Code::Document, format!("the trace is not read: {error}"));
    serde_json::to_value(read).map_err(refused)
}

/// Checks whether the executions of the document are those of the relaxed form of the model
/// ([`ramsey_kernel::obligations::Relaxed`]), as written by `ramsey bmc --relax`.
pub fn is_relaxed(json: &str) -> bool {
    let document: Value = serde_json::from_str(plain(json)).unwrap_or_default();
    document.get("relaxed").and_then(Value::as_bool).unwrap_or_default()
}

/// Returns a document without the byte order mark that some tools write.
pub(super) fn plain(json: &str) -> &str {
    json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json)
}

fn no_such(number: usize, there: usize) -> Diagnostic {
    let count = match there {
        0 => "no counterexample".to_owned(),
        1 => "one counterexample only".to_owned(),
        more => format!("{more} counterexamples only"),
    };
    let what = format!("the document has {count}");
    let error = Diagnostic::error_nowhere(Code::Document, what);
    match there {
        0 => error.note("a counterexample is an object with `universes` and `states`"),
        _ if number == 0 => error.note("number 0 was asked for, and numbers start at 1"),
        _ => error.note(format!("number {number} was asked for")),
    }
}

/// Object with the fields of a counterexample.
struct Candidate<'a> {
    value: &'a Value,
    parent: Option<&'a Value>,
    pointer: String,
}

/// Returns all candidates in the order of the document (of keys within an object).
fn candidates(document: &Value) -> Vec<Candidate<'_>> {
    let mut found = Vec::new();
    let mut open = vec![Candidate { value: document, parent: None, pointer: String::new() }];
    while let Some(next) = open.pop() {
        let Candidate { value, pointer, .. } = &next;
        let below = |key: String, child| Candidate {
            value: child,
            parent: Some(value),
            pointer: format!("{pointer}/{}", escaped(&key)),
        };
        match value {
            Value::Object(fields) if fields.contains_key("universes") && fields.contains_key("states") => {
                found.push(next);
            }
            Value::Object(fields) => {
                let children: Vec<Candidate> =
                    fields.iter().map(|(key, child)| below(key.clone(), child)).collect();
                open.extend(children.into_iter().rev());
            }
            Value::Array(items) => {
                let children: Vec<Candidate> =
                    items.iter().enumerate().map(|(at, child)| below(at.to_string(), child)).collect();
                open.extend(children.into_iter().rev());
            }
            _ => {}
        }
    }
    found
}

/// Elements of each sort by name.
type Universes = IdVec<SortId, Map<String, Elem>>;

struct Reader<'a> {
    system: &'a System,
    pointer: String,
}

impl Reader<'_> {
    fn states(&self, candidate: &Candidate) -> Result<States, Diagnostic> {
        let sig = &self.system.sig;
        if let Some(place) = list_for_object(candidate.value) {
            return Err(self.error(&place, "an object is expected here"));
        }
        let execution: dto::Execution = serde_path_to_error::deserialize(candidate.value)
            .map_err(|error| self.error(&pointer(error.path()), error.inner().to_string()))?;
        let (universes, sizes) = self.universes(&execution.universes)?;
        let count = execution.states.len();
        if count == 0 {
            return Err(self.error("states", "there is no state"));
        }
        let mut structure = Structure::new(sig, count);
        structure.sizes = sizes;
        self.facts(&mut structure, &universes, &execution.immutable, None, "immutable")?;
        for (step, state) in execution.states.iter().enumerate() {
            let place = format!("states/{step}/facts");
            self.facts(&mut structure, &universes, &state.facts, Some(step), &place)?;
        }
        self.check_total(&structure, count)?;
        let calls = self.calls(&universes, &execution.transitions, count)?;
        let label = |kind: &str| candidate.parent?.get(kind)?.get("label")?.as_str().map(str::to_owned);
        Ok(States {
            structure,
            sig: sig.clone(),
            names: self.names(execution.universes),
            calls,
            violated: self.violated(&universes, candidate.value, count),
            claim: label("invariant").or_else(|| label("theorem")),
            pointer: self.pointer.clone(),
        })
    }

    fn error(&self, place: &str, what: impl Into<String>) -> Diagnostic {
        Diagnostic::error_nowhere(Code::Document, what)
            .note(format!("at `{}/{place}` of the document", self.pointer))
    }

    fn unknown<'n>(
        &self,
        place: &str,
        kind: &str,
        name: &str,
        known: impl Iterator<Item = &'n str>,
    ) -> Diagnostic {
        let error = self.error(place, format!("there is no {kind} `{name}`"));
        match nearest(name, known) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("is this the model that the document was made with?"),
        }
    }

    /// Returns the sort of a universe, if it is declared.
    fn sort(&self, universe: &dto::Universe) -> Option<SortId> {
        let sig = &self.system.sig;
        sig.uninterpreted_sorts().find(|&sort| sig.sorts[sort].name == universe.sort)
    }

    fn universes(&self, list: &[dto::Universe]) -> Result<(Universes, IdVec<SortId, u32>), Diagnostic> {
        let sig = &self.system.sig;
        let mut found: IdVec<SortId, Option<Map<String, Elem>>> = IdVec::filled(sig.sorts.len(), None);
        let values = ["false", "true"].into_iter().zip([0, 1]);
        found[SortId::BOOL] = Some(values.map(|(name, value)| (name.to_owned(), value)).collect());
        let mut sizes = IdVec::filled(sig.sorts.len(), 1);
        sizes[SortId::BOOL] = 2;
        for (at, universe) in list.iter().enumerate() {
            let place = format!("universes/{at}");
            let name = &universe.sort;
            let Some(sort) = self.sort(universe) else {
                let known = sig.uninterpreted_sorts().map(|sort| sig.sorts[sort].name.as_str());
                return Err(self.unknown(&place, "sort", name, known));
            };
            if found[sort].is_some() {
                return Err(self.error(&place, format!("the sort `{name}` has two universes")));
            }
            let place = format!("{place}/elements");
            let mut by_name = Map::default();
            for element in &universe.elements {
                if by_name.insert(element.clone(), by_name.len() as Elem).is_some() {
                    return Err(self.error(&place, format!("the element `{element}` is listed twice")));
                }
            }
            if by_name.is_empty() {
                return Err(self.error(&place, format!("the sort `{name}` has no element")));
            }
            sizes[sort] = by_name.len() as u32;
            found[sort] = Some(by_name);
        }
        let mut universes = IdVec::new();
        for (sort, elements) in sig.sorts.ids().zip(found.iter()) {
            let Some(elements) = elements else {
                let what = format!("the sort `{}` has no universe", sig.sorts[sort].name);
                return Err(self
                    .error("universes", what)
                    .help("is this the model that the document was made with?"));
            };
            universes.push(elements.clone());
        }
        Ok((universes, sizes))
    }

    /// Returns the display names of elements; `list` has been read as universes before.
    fn names(&self, list: Vec<dto::Universe>) -> IdVec<SortId, Vec<String>> {
        let mut names = IdVec::filled(self.system.sig.sorts.len(), Vec::new());
        for universe in list {
            if let Some(sort) = self.sort(&universe) {
                let shown = universe.shown.filter(|shown| shown.len() == universe.elements.len());
                names[sort] = shown.unwrap_or(universe.elements);
            }
        }
        names
    }

    fn element(
        &self,
        universes: &Universes,
        sort: SortId,
        name: &str,
        place: &str,
    ) -> Result<Elem, Diagnostic> {
        universes[sort].get(name).copied().ok_or_else(|| {
            self.error(
                place,
                format!("the sort `{}` has no element `{name}`", self.system.sig.sorts[sort].name),
            )
        })
    }

    fn facts(
        &self,
        structure: &mut Structure,
        universes: &Universes,
        facts: &[dto::Fact],
        step: Option<usize>,
        place: &str,
    ) -> Result<(), Diagnostic> {
        let sig = &self.system.sig;
        let declared = || sig.symbols.ids().filter(|&sym| sig.symbols[sym].kind != SymbolKind::Parameter);
        let by_name: Map<&str, SymId> = declared().map(|sym| (sig.symbols[sym].name.as_str(), sym)).collect();
        for (at, fact) in facts.iter().enumerate() {
            let place = format!("{place}/{at}");
            let dto::Fact { symbol: name, args, value } = fact;
            let Some(&sym) = by_name.get(name.as_str()) else {
                let known = declared().map(|sym| sig.symbols[sym].name.as_str());
                return Err(self.unknown(&place, "symbol", name, known));
            };
            let symbol = &sig.symbols[sym];
            if symbol.kind.is_mutable() != step.is_some() {
                let kind = if symbol.kind.is_mutable() { "mutable" } else { "immutable" };
                return Err(self.error(&place, format!("`{name}` is {kind} in the model")));
            }
            if args.len() != symbol.args.len() {
                let what =
                    format!("`{name}` takes {} arguments, and there are {}", symbol.args.len(), args.len());
                return Err(self.error(&place, what));
            }
            let mut elements = Vec::with_capacity(args.len());
            for (arg, &sort) in args.iter().zip(&symbol.args) {
                elements.push(self.element(universes, sort, arg, &place)?);
            }
            let value = match value {
                &dto::Value::Bool(value) if symbol.is_relation() => value.into(),
                dto::Value::Element(value) if !symbol.is_relation() => {
                    self.element(universes, symbol.result, value, &place)?
                }
                dto::Value::Element(_) => {
                    return Err(self.error(&place, format!("the value of `{name}` is `true` or `false`")));
                }
                dto::Value::Bool(_) => {
                    return Err(self.error(&place, format!("the value of `{name}` is an element")));
                }
            };
            structure.interpretation_mut(sig, sym, step.unwrap_or(0)).set(&elements, value);
        }
        Ok(())
    }

    /// Checks that functions and constants have a value everywhere. If there are too many tuples to be listed in a
    /// document, missing tuples have the first element as value. Choices are not told.
    fn check_total(&self, structure: &Structure, states: usize) -> Result<(), Diagnostic> {
        let sig = &self.system.sig;
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            let steps = if symbol.kind.is_mutable() { states } else { 1 };
            let is_told = !matches!(symbol.kind, SymbolKind::Parameter | SymbolKind::Choice);
            for step in (0..steps).filter(|_| !symbol.is_relation() && is_told) {
                let entries = &structure.interpretation(sig, sym, step).entries;
                let count =
                    symbol.args.iter().fold(1_u64, |n, &s| n.saturating_mul(structure.sizes[s].into()));
                if count <= MAX_LISTED_TUPLES && (entries.len() as u64) < count {
                    let missing =
                        structure.tuples(&symbol.args).find(|args| !entries.contains_key(&args[..]));
                    return Err(self.missing(sig, structure, sym, step, &missing.unwrap_or_default()));
                }
            }
        }
        Ok(())
    }

    fn missing(
        &self,
        sig: &Signature,
        structure: &Structure,
        sym: SymId,
        step: usize,
        args: &[Elem],
    ) -> Diagnostic {
        let symbol = &sig.symbols[sym];
        let names = crate::Names::plain(sig, structure);
        let args: Vec<&str> =
            args.iter().zip(&symbol.args).map(|(&arg, &sort)| names.name(sort, arg)).collect();
        let at = if args.is_empty() { String::new() } else { format!("({})", args.join(",")) };
        let place =
            if symbol.kind.is_mutable() { format!("states/{step}/facts") } else { "immutable".to_owned() };
        self.error(&place, format!("`{}{at}` has no value", symbol.name))
            .note("elements are called by their places in the universes here")
    }

    fn calls(
        &self,
        universes: &Universes,
        list: &[dto::Step],
        states: usize,
    ) -> Result<Vec<Call>, Diagnostic> {
        let transitions = &self.system.transitions;
        if !list.is_empty() && list.len() + 1 != states {
            let what = format!("{} transitions do not lead through {states} states", list.len());
            return Err(self.error("transitions", what));
        }
        let mut calls = Vec::new();
        for (at, dto::Step { name, params: values, .. }) in list.iter().enumerate() {
            let place = format!("transitions/{at}");
            let Some(transition) = transitions.iter().position(|it| it.name == *name) else {
                let known = transitions.iter().map(|it| it.name.as_str());
                return Err(self.unknown(&place, "transition", name, known));
            };
            let params = &transitions[transition].params;
            let place = format!("{place}/params");
            // Values that no executed statement chose are not written.
            let is_program = transitions[transition].command.is_some();
            if values.len() > params.len() || (values.len() < params.len() && !is_program) {
                let what =
                    format!("`{name}` has {} parameters, and there are {}", params.len(), values.len());
                return Err(self.error(&place, what));
            }
            let values = self.ordered(values, transition);
            let (mut args, mut given) = (Vec::new(), values.iter().copied().peekable());
            for &param in params {
                let var = self.system.terms.var_info(param);
                let is_given = values.len() == params.len();
                match given.next_if(|binding| is_given || *binding.name == *var.name) {
                    Some(binding) => args.push(self.element(universes, var.sort, &binding.value, &place)?),
                    None => args.push(0),
                }
            }
            if let Some(binding) = given.next() {
                let what = format!("`{name}` has no parameter `{}` there", binding.name);
                return Err(self.error(&place, what));
            }
            calls.push(Call { transition, args });
        }
        Ok(calls)
    }

    /// Returns values of parameters in the order of the parameters, if their names tell it: the fields of a record have no order.
    fn ordered<'b>(&self, values: &'b [dto::Binding], transition: usize) -> Vec<&'b dto::Binding> {
        let params = &self.system.transitions[transition].params;
        let names: Vec<&str> = params.iter().map(|&it| &*self.system.terms.var_info(it).name).collect();
        let mut values: Vec<&dto::Binding> = values.iter().collect();
        let place = |name: &str| names.iter().position(|it| *it == name);
        let is_distinct = (1..names.len()).all(|at| !names[..at].contains(&names[at]));
        if is_distinct && values.iter().all(|it| place(&it.name).is_some()) {
            values.sort_by_key(|it| place(&it.name));
        }
        values
    }

    /// Reads the false formula. It is only informative, so a malformed one is omitted.
    fn violated(&self, universes: &Universes, value: &Value, states: usize) -> Option<Violated> {
        let violated = dto::Violated::deserialize(value.get("violated")?).ok()?;
        let binding = |dto::Binding { name, value }: dto::Binding| {
            let sort = self.system.sig.sorts.ids().find(|&sort| universes[sort].contains_key(&value))?;
            Some((name, sort, *universes[sort].get(&value)?))
        };
        Some(Violated {
            formula: violated.formula,
            state: violated.state.min(states - 1),
            bindings: violated.bindings.into_iter().filter_map(binding).collect(),
        })
    }
}

/// Returns the place of a list where an execution has an object. Deserialization takes a list for the fields of an object
/// in their order.
fn list_for_object(execution: &Value) -> Option<String> {
    let within = |value: &Value, field: &str| {
        let items = value.get(field)?.as_array()?;
        Some(format!("{field}/{}", items.iter().position(Value::is_array)?))
    };
    let of_facts = || {
        let states = execution.get("states")?.as_array()?;
        let mut places = states.iter().enumerate();
        places.find_map(|(at, state)| Some(format!("states/{at}/{}", within(state, "facts")?)))
    };
    let lists = ["universes", "immutable", "states", "transitions"];
    lists.iter().find_map(|field| within(execution, field)).or_else(of_facts)
}

/// Returns a place as a JSON pointer without the slash before it.
pub(super) fn pointer(path: &Path) -> String {
    let segments = path.iter().map(|segment| match segment {
        Segment::Seq { index } => index.to_string(),
        Segment::Map { key } => escaped(key),
        Segment::Enum { variant } => escaped(variant),
        Segment::Unknown => "?".to_owned(),
    });
    segments.collect::<Vec<String>>().join("/")
}

/// Returns a key as a part of a JSON pointer.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
