//! A checker for the part of JSON Schema that the schemas in `spec/` and that of SARIF use. It refuses a schema that uses more.
//!
//! The crates that check all of JSON Schema bring some sixty others, which take 35 seconds and more of a processor
//! to compile.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// A schema with its definitions.
struct Schema(Value);

/// Checks a document against the schema in `spec/` that it names, or returns where and why it does not conform.
pub fn check(document: &Value) -> Result<(), String> {
    let name = document["schema"].as_str().expect("every document names its schema");
    let file = name.split('/').nth(1).expect("ramsey/NAME/VERSION");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("spec/{file}.schema.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let schema = Schema(serde_json::from_str(&text).expect("the schema is JSON"));
    schema
        .fits(&schema.0, document)
        .map_err(|(path, why)| format!("at {}: {why}", if path.is_empty() { "/" } else { &path }))
}

/// Checks a log against the schema of SARIF 2.1.0, or returns where and why it does not conform.
pub fn check_sarif(log: &Value) -> Result<(), String> {
    let schema = serde_json::from_str(include_str!("sarif-schema-2.1.0.json")).expect("the schema is JSON");
    let schema = Schema(schema);
    schema.fits(&schema.0, log).map_err(|(path, why)| format!("at {path}: {why}"))
}

impl Schema {
    fn fits(&self, schema: &Value, value: &Value) -> Result<(), (String, String)> {
        let fail = |why: String| Err((String::new(), why));
        if schema == true {
            return Ok(());
        }
        for (keyword, wanted) in schema.as_object().expect("a schema is an object") {
            match keyword.as_str() {
                "$schema" | "$id" | "$defs" | "definitions" | "title" | "description" | "default" => {}
                "format" => {
                    let is_uri = |text: &str| !text.contains([' ', '\\', '<', '>']) && text.is_ascii();
                    let is_fit = match wanted.as_str() {
                        Some("uri") => value.as_str().is_some_and(|it| is_uri(it) && it.contains(':')),
                        Some("uri-reference") => value.as_str().is_some_and(is_uri),
                        _ => panic!("this checker does not know the format {wanted}"),
                    };
                    if !is_fit {
                        return fail(format!("{value} is no {wanted}"));
                    }
                }
                "minItems" => {
                    if value.as_array().is_some_and(|it| (it.len() as u64) < wanted.as_u64().unwrap_or(0)) {
                        return fail(format!("{value} is too short"));
                    }
                }
                "uniqueItems" => {
                    let items = value.as_array().map_or(&[][..], Vec::as_slice);
                    if let Some(at) = (1..items.len()).find(|&at| items[..at].contains(&items[at])) {
                        return fail(format!("{} is there twice", items[at]));
                    }
                }
                "$ref" => {
                    let path =
                        wanted.as_str().and_then(|path| path.strip_prefix('#')).expect("a local reference");
                    self.fits(self.0.pointer(path).expect("a definition"), value)?;
                }
                "const" if wanted != value => return fail(format!("{value} is not {wanted}")),
                "enum" if !wanted.as_array().expect("a list").contains(value) => {
                    return fail(format!("{value} is none of {wanted}"));
                }
                "const" | "enum" => {}
                "anyOf" | "oneOf" => {
                    let options = wanted.as_array().expect("a list").iter();
                    let fitting = options.filter(|option| self.fits(option, value).is_ok()).count();
                    if fitting == 0 || keyword == "oneOf" && fitting > 1 {
                        return fail(format!("{value} fits {fitting} options"));
                    }
                }
                "type" => {
                    let is = |name: &Value| match name.as_str() {
                        Some("object") => value.is_object(),
                        Some("array") => value.is_array(),
                        Some("string") => value.is_string(),
                        Some("boolean") => value.is_boolean(),
                        Some("null") => value.is_null(),
                        Some("number") => value.is_number(),
                        Some("integer") => value.is_i64() || value.is_u64(),
                        other => panic!("unknown type {other:?}"),
                    };
                    if !wanted.as_array().map_or_else(|| is(wanted), |names| names.iter().any(is)) {
                        return fail(format!("{value} is no {wanted}"));
                    }
                }
                "minimum" => {
                    // What is no number is not concerned.
                    if value.is_number() && value.as_f64() < wanted.as_f64() {
                        return fail(format!("{value} is less than {wanted}"));
                    }
                }
                "maximum" => {
                    if value.is_number() && value.as_f64() > wanted.as_f64() {
                        return fail(format!("{value} is more than {wanted}"));
                    }
                }
                "pattern" => {
                    let text = value.as_str().unwrap_or_default();
                    let digits = text.strip_prefix('R').unwrap_or_default();
                    let is_fit = match wanted.as_str() {
                        Some("^R[0-9]{3}$") => {
                            digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
                        }
                        Some("^[0-9a-f]{16}$") => {
                            let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
                            text.len() == 16 && text.bytes().all(is_digit)
                        }
                        Some("[^/]+/.+") => text
                            .split_once('/')
                            .is_some_and(|(before, after)| !before.is_empty() && !after.is_empty()),
                        _ => panic!("this checker does not know the pattern {wanted}"),
                    };
                    if !is_fit {
                        return fail(format!("{value} does not match {wanted}"));
                    }
                }
                "required" => {
                    for name in wanted.as_array().expect("a list") {
                        if value.get(name.as_str().expect("a name")).is_none() {
                            return fail(format!("no field {name}"));
                        }
                    }
                }
                "properties" => {
                    for (name, item) in value.as_object().into_iter().flatten() {
                        if let Some(schema) = wanted.get(name) {
                            self.fits(schema, item).map_err(|(path, why)| (format!("/{name}{path}"), why))?;
                        }
                    }
                }
                "additionalProperties" => {
                    let known = schema.get("properties").and_then(Value::as_object);
                    let is_new = |name: &String| !known.is_some_and(|known| known.contains_key(name));
                    for (name, item) in value.as_object().into_iter().flatten().filter(|it| is_new(it.0)) {
                        if wanted == false {
                            return fail(format!("unknown field {name:?}"));
                        }
                        self.fits(wanted, item).map_err(|(path, why)| (format!("/{name}{path}"), why))?;
                    }
                }
                "items" => {
                    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.fits(wanted, item).map_err(|(path, why)| (format!("/{at}{path}"), why))?;
                    }
                }
                other => panic!("the schema uses {other:?}, which this checker does not know"),
            }
        }
        Ok(())
    }
}
