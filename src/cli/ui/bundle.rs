//! The modules of the page as one script, for a page without a server.
//!
//! A browser loads no modules from a file, and the crates that bundle them are compilers of JavaScript with more than a hundred
//! dependencies. The modules of the page import and export in few forms, and no others are understood here.

use std::fmt::Write as _;

use super::assets::asset;

/// The modules, each after those that it imports.
const MODULES: &[&str] = &[
    "dom",
    "drag",
    "formula",
    "engine",
    "canned",
    "parts",
    "dialog",
    "store",
    "keys",
    "dialogs",
    "completion",
    "acts",
    "claims",
    "conjectures",
    "executions",
    "proof",
    "induction",
    "simulate",
    "model",
    "app",
];

/// Returns all modules as one script in which each is a function of its own.
///
/// # Errors
/// Returns the first line that is neither an import nor an export in the form that is expected.
pub(super) fn script() -> Result<String, String> {
    let mut script = String::from("\"use strict\";\n");
    for name in MODULES {
        let text = asset(&format!("/{name}.js")).map_or("", |asset| (asset.text)());
        let (body, exports) = module(text)?;
        let _ = write!(
            script,
            "const $${name} = (() => {{\n{body}return {{ {} }};\n}})();\n",
            exports.join(", ")
        );
    }
    Ok(script)
}

/// Returns the body of a module as that of a function, and the names that it exports.
fn module(text: &str) -> Result<(String, Vec<String>), String> {
    let mut body = String::new();
    let mut exports = Vec::new();
    for line in text.lines() {
        if line.starts_with("import ") {
            let _ = writeln!(body, "{}", import(line).ok_or_else(|| line.to_owned())?);
        } else if let Some(rest) = line.strip_prefix("export {") {
            let names = rest.strip_suffix("};").ok_or_else(|| line.to_owned())?;
            exports.extend(names.split(',').map(|name| name.trim().to_owned()));
        } else if let Some(rest) = line.strip_prefix("export ") {
            exports.push(declared(rest).ok_or_else(|| line.to_owned())?);
            let _ = writeln!(body, "{rest}");
        } else {
            let _ = writeln!(body, "{line}");
        }
    }
    exports.dedup();
    Ok((body, exports))
}

/// Returns the declaration in place of an import: `import { a } from "./b.js";` or `import * as b from "./b.js";`.
fn import(line: &str) -> Option<String> {
    let (names, from) = line.strip_prefix("import ")?.strip_suffix(".js\";")?.split_once(" from \"./")?;
    let names = names.strip_prefix("* as ").unwrap_or(names);
    Some(format!("const {names} = $${from};"))
}

/// Returns the name that a declaration declares.
fn declared(declaration: &str) -> Option<String> {
    let rest = declaration.strip_prefix("async ").unwrap_or(declaration);
    let rest = ["function ", "class ", "const "].iter().find_map(|keyword| rest.strip_prefix(keyword))?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))?;
    Some(rest[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::assets::ASSETS;

    #[test]
    fn all_modules_are_in_the_script() {
        let script = script().expect("modules in the form that is expected");
        assert!(!script.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
        for asset in ASSETS.iter().filter(|asset| asset.path.ends_with(".js")) {
            let name = asset.path.trim_start_matches('/').trim_end_matches(".js");
            assert!(MODULES.contains(&name), "{name}");
        }
    }

    #[test]
    fn exports_are_returned() {
        let text = "import { a, b } from \"./c.js\";\nexport function f() {\n}\nexport { g };\n";
        let (body, exports) = module(text).expect("a module");
        assert_eq!(exports, ["f", "g"]);
        assert_eq!(body, "const { a, b } = $$c;\nfunction f() {\n}\n");
        assert!(module("import a from \"elsewhere\";\n").is_err());
        assert!(module("export default 3;\n").is_err());
    }
}
