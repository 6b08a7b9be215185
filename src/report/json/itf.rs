//! Executions in the Informal Trace Format of Apalache (ADR 015): written, and read as the executions of documents.
//!
//! Relations are sets, functions are maps, elements are strings. What no step changes stands in the first state, as a parameter;
//! so do the elements of each sort, under `sort::` and its name. Transitions are told as Quint tells them: `mbt::actionTaken`
//! leads to the state that it stands in, with the arguments in `mbt::nondetPicks`.

use serde_json::{Map, Value, json};

use super::dto::{self, Binding, Execution, Fact, State, Step, Universe};
use ramsey_core::logic::SymbolKind;
use ramsey_core::system::System;

/// Symbol of a system, for formats that have values of symbols as a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// Number of its arguments.
    pub arity: usize,
    /// Whether it is a relation.
    pub is_relation: bool,
    /// Whether states differ in its value.
    pub is_mutable: bool,
}

/// Returns the symbols whose values facts of documents tell.
pub fn declared(system: &System) -> Vec<Declared> {
    let has_facts = |kind| matches!(kind, SymbolKind::Immutable | SymbolKind::Mutable | SymbolKind::Derived);
    let symbols = system.sig.symbols.iter().filter(|symbol| has_facts(symbol.kind));
    let declared = symbols.map(|symbol| Declared {
        name: symbol.name.clone(),
        arity: symbol.args.len(),
        is_relation: symbol.is_relation(),
        is_mutable: symbol.kind.is_mutable(),
    });
    declared.collect()
}

/// Prefix of the parameters that have the elements of a sort.
const SORT: &str = "sort::";
/// Variable with the transition that led to a state.
const ACTION: &str = "mbt::actionTaken";
/// Variable with the arguments of that transition.
const PICKS: &str = "mbt::nondetPicks";
/// What the first state has in place of a transition.
const INIT: &str = "init";

/// Returns an execution as the text of a trace. `about` tells what it shows.
///
/// # Errors
/// Returns an error if the writer of JSON refuses the data, which it never does.
pub fn text(
    execution: &Execution,
    symbols: &[Declared],
    source: &str,
    about: &str,
) -> serde_json::Result<String> {
    let has_calls = !execution.transitions.is_empty();
    let names =
        |is_mutable| symbols.iter().filter(move |it| it.is_mutable == is_mutable).map(|it| it.name.clone());
    let params: Vec<String> =
        execution.universes.iter().map(|it| format!("{SORT}{}", it.sort)).chain(names(false)).collect();
    let of_calls = [ACTION, PICKS].into_iter().filter(|_| has_calls).map(str::to_owned);
    let vars: Vec<String> = names(true).chain(of_calls).collect();
    let mut states = Vec::new();
    for (number, state) in execution.states.iter().enumerate() {
        let mut fields = Map::new();
        fields.insert("#meta".to_owned(), json!({ "index": number }));
        if number == 0 {
            for Universe { sort, elements, .. } in &execution.universes {
                fields.insert(format!("{SORT}{sort}"), set(elements.iter().map(|it| it.as_str().into())));
            }
            fields.extend(values(symbols, false, &execution.immutable));
        }
        fields.extend(values(symbols, true, &state.facts));
        if has_calls {
            let step = number.checked_sub(1).and_then(|at| execution.transitions.get(at));
            fields.insert(ACTION.to_owned(), step.map_or(INIT, |step| step.name.as_str()).into());
            let picks = step.iter().flat_map(|step| &step.params);
            let picks: Map<String, Value> =
                picks.map(|it| (it.name.clone(), json!({ "tag": "Some", "value": it.value }))).collect();
            fields.insert(PICKS.to_owned(), picks.into());
        }
        states.push(Value::from(fields));
    }
    let trace = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "description": about,
            "source": source,
        },
        "params": params,
        "vars": vars,
        "states": states,
    });
    let mut text = serde_json::to_string_pretty(&trace)?;
    text.push('\n');
    Ok(text)
}

/// Returns the values of all symbols of one kind.
fn values<'a>(
    symbols: &'a [Declared],
    is_mutable: bool,
    facts: &'a [Fact],
) -> impl Iterator<Item = (String, Value)> + 'a {
    symbols.iter().filter(move |it| it.is_mutable == is_mutable).map(move |symbol| {
        let own = facts.iter().filter(|fact| fact.symbol == symbol.name);
        (symbol.name.clone(), value(symbol, own))
    })
}

fn value<'a>(symbol: &Declared, mut facts: impl Iterator<Item = &'a Fact>) -> Value {
    let plain = |value: &dto::Value| match value {
        dto::Value::Bool(value) => Value::from(*value),
        dto::Value::Element(name) => name.as_str().into(),
    };
    match (symbol.arity, symbol.is_relation) {
        // A fact that is not listed is false.
        (0, _) => facts.next().map_or(false.into(), |fact| plain(&fact.value)),
        (_, true) => {
            let tuples = facts.filter(|fact| matches!(fact.value, dto::Value::Bool(true)));
            set(tuples.map(|fact| tuple(&fact.args)))
        }
        (_, false) => {
            let pairs: Vec<Value> =
                facts.map(|fact| json!([tuple(&fact.args), plain(&fact.value)])).collect();
            json!({ "#map": pairs })
        }
    }
}

fn set(items: impl Iterator<Item = Value>) -> Value {
    json!({ "#set": items.collect::<Vec<Value>>() })
}

/// Returns arguments as a value: several are a tuple.
fn tuple(args: &[String]) -> Value {
    match args {
        [only] => only.as_str().into(),
        all => json!({ "#tup": all }),
    }
}

/// Returns whether a document is a trace.
pub fn is_trace(document: &Value) -> bool {
    ["vars", "states"].iter().all(|field| document.get(field).is_some_and(Value::is_array))
}

/// Reads a trace as the execution of a document.
///
/// # Errors
/// Returns the place, as a JSON pointer without the slash before it, and what is expected there.
pub fn execution(document: &Value) -> Result<Execution, (String, String)> {
    let list = |field: &str| document.get(field).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let names = |field: &str| -> Result<Vec<String>, (String, String)> {
        let name = |(at, it): (usize, &Value)| {
            it.as_str()
                .map(str::to_owned)
                .ok_or_else(|| (format!("{field}/{at}"), "a name is expected here".to_owned()))
        };
        list(field).iter().enumerate().map(name).collect()
    };
    if let Some(at) = document.get("loop").filter(|it| !it.is_null()) {
        return Err(("loop".to_owned(), format!("the trace goes back to state {at}; finite ones are read")));
    }
    let (params, vars) = (names("params")?, names("vars")?);
    let mut execution = Execution {
        universes: Vec::new(),
        immutable: Vec::new(),
        prophecy: Vec::new(),
        states: Vec::new(),
        initial: Vec::new(),
        transitions: Vec::new(),
    };
    for (number, state) in list("states").iter().enumerate() {
        let place = format!("states/{number}");
        let Some(fields) = state.as_object() else {
            return Err((place, "a state is expected here".to_owned()));
        };
        let mut facts = Vec::new();
        for (name, value) in fields.iter().filter(|(name, _)| !name.starts_with('#')) {
            let place = format!("{place}/{name}");
            let is_param = params.contains(name);
            if !is_param && !vars.contains(name) {
                return Err((place, format!("`{name}` is neither in `vars` nor in `params`")));
            }
            match name.strip_prefix(SORT) {
                Some(sort) if number == 0 => {
                    let elements = elements(value, &place)?;
                    execution.universes.push(Universe { sort: sort.to_owned(), elements, shown: None });
                }
                Some(_) => {}
                None if name == ACTION || name == PICKS => {}
                None if is_param && number > 0 => {}
                None if is_param => execution.immutable.extend(facts_of(name, value, &place)?),
                None => facts.extend(facts_of(name, value, &place)?),
            }
        }
        if let Some(missing) = vars.iter().find(|it| !fields.contains_key(*it)) {
            return Err((place, format!("`{missing}` has no value in this state")));
        }
        execution.states.push(State { facts, prophecy: Vec::new() });
        if number > 0 && fields.contains_key(ACTION) {
            execution.transitions.push(step(fields, &place)?);
        }
    }
    Ok(execution)
}

fn step(fields: &Map<String, Value>, place: &str) -> Result<Step, (String, String)> {
    let expected = |field: &str, what: &str| (format!("{place}/{field}"), format!("{what} is expected here"));
    let name = fields.get(ACTION).and_then(Value::as_str).ok_or_else(|| expected(ACTION, "a name"))?;
    let mut params = Vec::new();
    let picks = fields.get(PICKS).map(|it| it.as_object().ok_or_else(|| expected(PICKS, "a record")));
    for (param, pick) in picks.transpose()?.into_iter().flatten() {
        match pick.get("tag").and_then(Value::as_str) {
            Some("None") => {}
            Some("Some") => {
                let value = pick.get("value").and_then(Value::as_str);
                let place = format!("{PICKS}/{param}/value");
                let value = value.ok_or_else(|| expected(&place, "an element"))?.to_owned();
                params.push(Binding { name: param.clone(), value });
            }
            _ => return Err(expected(&format!("{PICKS}/{param}"), "`None` or `Some` as `tag`")),
        }
    }
    Ok(Step { name: name.to_owned(), params, needs: Vec::new(), statements: Vec::new() })
}

fn elements(value: &Value, place: &str) -> Result<Vec<String>, (String, String)> {
    let items = value.get("#set").and_then(Value::as_array);
    let items = items.ok_or_else(|| (place.to_owned(), "a set is expected here".to_owned()))?;
    let name = |(at, it): (usize, &Value)| {
        let place = format!("{place}/#set/{at}");
        it.as_str().map(str::to_owned).ok_or((place, "an element is expected here".to_owned()))
    };
    items.iter().enumerate().map(name).collect()
}

/// Returns the facts that the value of a symbol stands for.
fn facts_of(name: &str, value: &Value, place: &str) -> Result<Vec<Fact>, (String, String)> {
    let fact = |args, value| Fact { symbol: name.to_owned(), args, value };
    let field = |field: &str| value.get(field).and_then(Value::as_array);
    if let Some(scalar) = scalar(value) {
        return Ok(vec![fact(Vec::new(), scalar)]);
    }
    if let Some(items) = field("#set") {
        let item = |(at, it): (usize, &Value)| {
            Ok(fact(arguments(it, &format!("{place}/#set/{at}"))?, dto::Value::Bool(true)))
        };
        return items.iter().enumerate().map(item).collect();
    }
    if let Some(pairs) = field("#map") {
        let pair = |(at, it): (usize, &Value)| {
            let place = format!("{place}/#map/{at}");
            match it.as_array().map(Vec::as_slice) {
                Some([key, value]) => match scalar(value) {
                    Some(value) => Ok(fact(arguments(key, &place)?, value)),
                    None => Err((place, "an element is expected as value".to_owned())),
                },
                _ => Err((place, "a key with its value is expected here".to_owned())),
            }
        };
        return pairs.iter().enumerate().map(pair).collect();
    }
    Err((place.to_owned(), "a truth value, an element, a set or a map is expected here".to_owned()))
}

fn scalar(value: &Value) -> Option<dto::Value> {
    match value {
        Value::Bool(value) => Some(dto::Value::Bool(*value)),
        Value::String(name) => Some(dto::Value::Element(name.clone())),
        _ => None,
    }
}

fn arguments(value: &Value, place: &str) -> Result<Vec<String>, (String, String)> {
    let expected = || (place.to_owned(), "an element or a tuple of elements is expected here".to_owned());
    match value {
        Value::String(name) => Ok(vec![name.clone()]),
        _ => {
            let items = value.get("#tup").and_then(Value::as_array).ok_or_else(expected)?;
            items.iter().map(|it| it.as_str().map(str::to_owned).ok_or_else(expected)).collect()
        }
    }
}
