//! The session in README.md is what the binary prints.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The commands of the README's indented blocks (`$ ramsey ..`), each with the output shown below it.
fn sessions(readme: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        if let Some(command) = line.strip_prefix("    $ ramsey ") {
            found.push((command.to_owned(), String::new()));
            inside = true;
        } else if inside && (line.is_empty() || line.starts_with("    ")) {
            let (_, output) = found.last_mut().expect("a command before its output");
            output.push_str(line.strip_prefix("    ").unwrap_or(line));
            output.push('\n');
        } else {
            inside = false;
        }
    }
    found
}

#[test]
fn the_session_in_the_readme_is_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // What the session writes does not go into the source tree.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    fs::create_dir_all(folder.join("examples")).expect("a folder");
    for example in fs::read_dir(root.join("examples")).expect("examples") {
        let path = example.expect("an example").path();
        let name = path.file_name().expect("a name");
        fs::copy(&path, folder.join("examples").join(name)).expect("a copy");
    }
    let readme = fs::read_to_string(root.join("README.md")).expect("README.md");
    let sessions = sessions(&readme);
    assert!(sessions.len() >= 3, "the README shows a session");
    for (command, shown) in sessions {
        let run = Command::new(env!("CARGO_BIN_EXE_ramsey"))
            .args(command.split(' '))
            .current_dir(&folder)
            .output()
            .expect("the binary runs");
        let printed = String::from_utf8(run.stdout).expect("UTF-8");
        assert_eq!(printed.trim_end(), shown.trim_end(), "ramsey {command}");
    }
}
