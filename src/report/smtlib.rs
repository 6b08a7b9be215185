//! SMT-LIB output of session responses; models are in Z3's form.

use std::fmt::Write as _;

use ramsey_services::script::{Definition, Model, Response, Universe};

/// Returns the text of a response with its line end; empty for a silent response.
pub fn text(response: &Response) -> String {
    let line = match response {
        Response::Silent | Response::Exit => return String::new(),
        Response::Success => "success".to_owned(),
        Response::Unsupported(what) => format!("unsupported\n; {}", what.replace('\n', " ")),
        Response::Error(message) => format!("(error {})", string(message)),
        Response::Sat => "sat".to_owned(),
        Response::Unsat => "unsat".to_owned(),
        Response::Unknown => "unknown".to_owned(),
        Response::Echo(text) => text.clone(),
        Response::Model(model) => model_text(model),
        Response::Value(value) => value.clone(),
        Response::Values(values) => {
            list(values.iter().map(|(term, value)| format!("({term} {value})")), "\n ")
        }
        Response::Names(names) => list(names.iter().cloned(), " "),
        Response::Formulas(formulas) => list(formulas.iter().cloned(), "\n "),
        Response::Assignment(values) => {
            list(values.iter().map(|(name, value)| format!("({name} {value})")), " ")
        }
        Response::Info(rows) => list(rows.iter().map(|(keyword, value)| format!("{keyword} {value}")), "\n "),
        Response::Setting(value) => value.clone(),
    };
    line + "\n"
}

/// Returns a string literal: quotation marks are doubled.
fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn list(items: impl Iterator<Item = String>, gap: &str) -> String {
    format!("({})", items.collect::<Vec<_>>().join(gap))
}

/// Returns a model: universes as comments, declarations of their elements, the formula that there are no other
/// elements, and one definition per symbol.
fn model_text(model: &Model) -> String {
    let mut text = "(\n".to_owned();
    for universe in &model.universes {
        universe_text(&mut text, universe);
    }
    for definition in &model.definitions {
        definition_text(&mut text, definition);
    }
    text + ")"
}

fn universe_text(text: &mut String, universe: &Universe) {
    let Universe { sort, elements } = universe;
    let _ = writeln!(text, "  ;; universe for {sort}:\n  ;;   {}", elements.join(" "));
    let _ = writeln!(text, "  ;; -----------\n  ;; definitions for universe elements:");
    for element in elements {
        let _ = writeln!(text, "  (declare-fun {element} () {sort})");
    }
    let equations: Vec<String> = elements.iter().map(|element| format!("(= x {element})")).collect();
    let among = match &equations[..] {
        [only] => only.clone(),
        several => format!("(or {})", several.join(" ")),
    };
    let _ = writeln!(text, "  ;; cardinality constraint:\n  (forall ((x {sort})) {among})\n  ;; -----------");
}

fn definition_text(text: &mut String, definition: &Definition) {
    let Definition { name, args, result, default, cases } = definition;
    // Elements may have names of any form.
    let mut stem = "x".to_owned();
    let is_element = |stem: &str| {
        cases
            .iter()
            .flat_map(|(args, value)| args.iter().chain([value]))
            .chain([default])
            .any(|it| it.strip_prefix(stem).is_some_and(|rest| rest.starts_with('!')))
    };
    while is_element(&stem) {
        stem.push('x');
    }
    let params: Vec<String> =
        args.iter().enumerate().map(|(at, sort)| format!("({stem}!{at} {sort})")).collect();
    let _ = writeln!(text, "  (define-fun {name} ({}) {result}", params.join(" "));
    let is_case = |values: &[String]| {
        let equation = |(at, value): (usize, &String)| match value.as_str() {
            "true" if args[at] == "Bool" => format!("{stem}!{at}"),
            "false" if args[at] == "Bool" => format!("(not {stem}!{at})"),
            value => format!("(= {stem}!{at} {value})"),
        };
        let equations: Vec<String> = values.iter().enumerate().map(equation).collect();
        match &equations[..] {
            [only] => only.clone(),
            several => format!("(and {})", several.join(" ")),
        }
    };
    let mut body = String::new();
    if result == "Bool" && !cases.is_empty() {
        let listed: Vec<String> = cases.iter().map(|(values, _)| is_case(values)).collect();
        let any = match &listed[..] {
            [only] => only.clone(),
            several => format!("(or {})", several.join("\n        ")),
        };
        body += &if default == "true" { format!("(not {any})") } else { any };
    } else {
        for (values, value) in cases {
            let _ = write!(body, "(ite {} {value}\n    ", is_case(values));
        }
        body += default;
        body.extend(std::iter::repeat_n(')', cases.len()));
    }
    let _ = writeln!(text, "    {body})");
}
