//! JSON schemas of documents, made from the types that write them.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::document::{Content, Document};

/// Returns the name and the schema of a document.
pub(super) fn of<C: Content>() -> (&'static str, Value) {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let about = C::json_schema(&mut generator).get("description").cloned();
    let mut schema = Value::from(generator.into_root_schema_for::<Document<C>>());
    schema["$id"] = C::SCHEMA.into();
    schema["description"] = about.unwrap_or_default();
    tighten(&mut schema);
    schema["properties"]["schema"] = json!({ "const": C::SCHEMA });
    schema["properties"]["exit_code"] = json!({ "enum": C::EXIT_CODES });
    (C::command(), schema)
}

/// Returns the name and the schema of a file that is no answer of a command.
#[cfg(feature = "cli")]
pub(super) fn of_file<K: super::file::Kind>() -> (&'static str, Value) {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let about = K::json_schema(&mut generator).get("description").cloned();
    let mut schema = Value::from(generator.into_root_schema_for::<K>());
    schema["$id"] = K::SCHEMA.into();
    schema["description"] = about.unwrap_or_default();
    tighten(&mut schema);
    schema["properties"]["schema"] = json!({ "const": K::SCHEMA });
    (K::SCHEMA.split('/').nth(1).unwrap_or_default(), schema)
}

/// Makes a schema as strict as what is written: objects have no other fields, and fields that may be left out are never
/// `null`. Titles, formats and default values, which are those of Rust, are dropped.
fn tighten(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    object.remove("default");
    object.remove("format");
    object.remove("title");
    close(object);
    for (key, value) in object {
        match (key.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => named.values_mut().for_each(tighten),
            ("anyOf" | "oneOf", Value::Array(options)) => options.iter_mut().for_each(tighten),
            ("items" | "additionalProperties", items) => tighten(items),
            _ => {}
        }
    }
}

/// Closes the schema of an object with fields.
fn close(object: &mut Map<String, Value>) {
    let required = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in properties {
        if required.iter().any(|it| it == name) {
            continue;
        }
        if let Some(types) = property.get_mut("type").and_then(Value::as_array_mut) {
            types.retain(|it| it != "null");
            if let [only] = &types[..] {
                property["type"] = only.clone();
            }
        }
        if let Some(options) = property.get_mut("anyOf").and_then(Value::as_array_mut) {
            options.retain(|it| it["type"] != "null");
            if let [only] = &options[..] {
                let mut only = only.clone();
                only["description"] = property["description"].take();
                *property = only;
            }
        }
    }
    object.insert("additionalProperties".to_owned(), false.into());
}
