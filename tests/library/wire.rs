//! The declarations of the page are those of the types that it exchanges with the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ramsey::ui::message::{Numbered, Outcome, Request};
use ramsey::ui::reply::Answer;
use ramsey::ui::{Command, Question, Report};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

/// With `UPDATE=1` the file is written.
#[test]
fn declarations_of_the_page_are_those_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/ui/page/wire.d.ts");
    let text = declarations();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &text).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{} is out of date: run this test with UPDATE=1", path.display());
}

fn declarations() -> String {
    let mut types: BTreeMap<String, Value> = BTreeMap::new();
    // Of what clients say, they may leave out what has a default.
    let mut heard = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    add::<Request>(&mut types, &mut heard);
    add::<Question>(&mut types, &mut heard);
    add::<Command>(&mut types, &mut heard);
    let mut said = SchemaSettings::draft2020_12().for_serialize().into_generator();
    // These have the names, where others are called the same.
    said.subschema_for::<Answer>();
    said.subschema_for::<Outcome>();
    said.subschema_for::<Report>();
    add::<Numbered<'_>>(&mut types, &mut said);
    for mut generator in [said, heard] {
        for (name, schema) in generator.take_definitions(true) {
            types.entry(name).or_insert(schema);
        }
    }
    let mut text = "// What the page and the program say to each other. Made from the types of the program by the test `wire`.\n"
        .to_owned();
    for (name, schema) in &types {
        let _ = write!(text, "\n{}export type {name} = {};\n", comment(schema, ""), of(schema, ""));
    }
    text
}

fn add<T: JsonSchema>(types: &mut BTreeMap<String, Value>, generator: &mut SchemaGenerator) {
    types.insert(T::schema_name().into_owned(), T::json_schema(generator).into());
}

/// Returns the comment of a declaration, with the space in front of its lines.
fn comment(schema: &Value, indent: &str) -> String {
    let Some(text) = schema["description"].as_str() else { return String::new() };
    let mut comment = format!("{indent}/** ");
    for (at, line) in text.lines().enumerate() {
        let _ = write!(comment, "{}{line}", if at > 0 { " " } else { "" });
    }
    comment + " */\n"
}

/// Returns the type of the values that a schema describes.
fn of(schema: &Value, indent: &str) -> String {
    // What fits everything.
    let Some(schema) = schema.as_object() else { return "unknown".to_owned() };
    let mut parts = Vec::new();
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        parts.push(reference.rsplit('/').next().unwrap_or_default().to_owned());
    } else if let Some(value) = schema.get("const") {
        parts.push(value.to_string());
    } else if let Some(Value::Array(values)) = schema.get("enum") {
        parts.push(union(values.iter().map(Value::to_string)));
    } else if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        parts.push(fields(schema, properties, &[], indent));
    } else if let Some(kind) = schema.get("type") {
        let one = |name: &Value| primitive(name.as_str().unwrap_or_default(), schema, indent);
        parts.push(kind.as_array().map_or_else(|| one(kind), |kinds| union(kinds.iter().map(one))));
    }
    for keyword in ["oneOf", "anyOf"] {
        if let Some(options) = schema.get(keyword).and_then(Value::as_array) {
            parts.push(alternatives(options, indent));
        }
    }
    match &parts[..] {
        [] => "unknown".to_owned(),
        [only] => only.clone(),
        all => all.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(" & "),
    }
}

fn union(options: impl Iterator<Item = String>) -> String {
    options.collect::<Vec<_>>().join(" | ")
}

/// Returns the type of what is one of several. Where no field tells which, those that only others have are absent, so that
/// they can be asked for.
fn alternatives(options: &[Value], indent: &str) -> String {
    let properties = |option: &Value| option["properties"].as_object().cloned().unwrap_or_default();
    let is_tagged = |option: &Value| properties(option).values().any(|it| it.get("const").is_some());
    let all: BTreeSet<String> =
        options.iter().flat_map(|option| properties(option).into_iter().map(|(name, _)| name)).collect();
    union(options.iter().map(|option| match option.as_object() {
        Some(schema) if schema.contains_key("properties") && !is_tagged(option) => {
            let own = properties(option);
            let absent: Vec<&String> = all.iter().filter(|name| !own.contains_key(*name)).collect();
            fields(schema, &own, &absent, indent)
        }
        _ => of(option, indent),
    }))
}

/// Returns the type of an object with fields, and without others.
fn fields(
    schema: &Map<String, Value>,
    properties: &Map<String, Value>,
    absent: &[&String],
    indent: &str,
) -> String {
    let inner = format!("{indent}  ");
    let required = schema.get("required").and_then(Value::as_array);
    let mut text = "{\n".to_owned();
    for (name, property) in properties {
        let is_required = required.is_some_and(|names| names.iter().any(|it| it == name));
        let mark = if is_required { "" } else { "?" };
        let _ = writeln!(text, "{}{inner}{name}{mark}: {};", comment(property, &inner), of(property, &inner));
    }
    for name in absent {
        let _ = writeln!(text, "{inner}{name}?: undefined;");
    }
    text + indent + "}"
}

/// Returns the type of values of a kind.
fn primitive(kind: &str, schema: &Map<String, Value>, indent: &str) -> String {
    match kind {
        "integer" | "number" => "number".to_owned(),
        "array" => match schema.get("prefixItems").and_then(Value::as_array) {
            Some(items) => {
                format!("[{}]", items.iter().map(|item| of(item, indent)).collect::<Vec<_>>().join(", "))
            }
            None => format!("Array<{}>", of(&schema["items"], indent)),
        },
        "object" => match schema.get("additionalProperties") {
            Some(values) => format!("Record<string, {}>", of(values, indent)),
            None => "{}".to_owned(),
        },
        other => other.to_owned(),
    }
}
