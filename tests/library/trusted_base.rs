//! The README has the figures that `scripts/trusted-base.sh` prints.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the output of the script.
fn script(argument: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("sh")
        .args([&root.join("scripts/trusted-base.sh").to_string_lossy(), argument])
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_readme_has_the_figures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("README.md");
    let readme: Vec<&str> = readme.lines().map(str::trim).collect();
    let (whole, totals) = (script(""), script("--total"));
    for line in whole.split("\n\n").next().expect("the kernel's table").lines() {
        assert!(readme.contains(&line), "the README has the row `{line}`");
    }
    for line in totals.lines().filter_map(|line| line.strip_prefix("trusted front of ")) {
        let (language, lines) = line.split_once(": ").expect("a sum");
        let row = format!("| {language} | {} |", lines.trim_end_matches(" lines"));
        assert!(readme.contains(&row.as_str()), "the README has the row `{row}`");
    }
    let number = |lines: &str| lines.trim_end_matches(" lines").parse::<usize>().expect("a number");
    let checker =
        totals.lines().find_map(|line| line.strip_prefix("checker: ")).map(number).expect("its lines");
    let text = readme.join(" ");
    for line in totals.lines().filter_map(|line| line.strip_prefix("second front of ")) {
        let (language, lines) = line.split_once(": ").expect("a sum");
        let row = format!("| {language}, by `ramsey-close` | {} |", number(lines));
        assert!(readme.contains(&row.as_str()), "the README has the row `{row}`");
        let both = (number(lines) + checker + 50) / 100 * 100;
        let told = [
            format!("{both} lines for {language}"),
            format!("{both} for {language}"),
            format!("{both} for `{language}`"),
        ];
        assert!(
            told.iter().any(|it| text.contains(it)),
            "the README tells that two programs have {both} lines for {language}"
        );
    }
    for line in totals.lines().filter_map(|line| line.strip_prefix("crate ")) {
        assert!(readme.iter().any(|text| text.contains(line)), "the README names {line}");
    }
}
