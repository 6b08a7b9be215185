//! The schemas in `spec/` are those of the types that write the documents.

use std::fs;
use std::path::Path;

use ramsey::report::json::{schemas, task};
use ramsey::ui::config;

/// With `UPDATE=1` the files are written.
#[test]
fn schemas_are_those_of_the_types() {
    for (name, schema) in schemas().into_iter().chain(task::schemas()).chain([("config", config::schema())]) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("spec/{name}.schema.json"));
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &text).expect("spec/ can be written");
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "{} is out of date: run this test with UPDATE=1", path.display());
    }
}
