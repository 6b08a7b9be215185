//! Architectural constraints of ARCHITECTURE.md: a file uses only rooms that the table allows, trusted code uses only
//! trusted code, and imports have no cycles.

mod graph;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use graph::{Graph, sources};

/// A row of the table of rooms in ARCHITECTURE.md.
struct Room {
    /// A folder below `src/`, or a file. A file belongs to the room with the longest matching path.
    name: String,
    /// Whether it belongs to the trusted base of certificates. Such rooms contain nothing else, and use only each other.
    is_trusted: bool,
    /// The rooms that it may use besides itself.
    allowed: Vec<String>,
}

/// The table of rooms, in the order of the document.
static TABLE: LazyLock<Vec<Room>> = LazyLock::new(|| {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md");
    let text = fs::read_to_string(page).expect("ARCHITECTURE.md");
    let (_, rows) =
        text.split_once("| room | what lives there | may use |\n|---|---|---|\n").expect("a table");
    rows.lines().take_while(|line| line.starts_with('|')).map(Room::read).collect()
});

impl Room {
    fn read(row: &str) -> Room {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, uses] = cells[..] else { panic!("three cells: {row}") };
        let (plain, is_trusted) = name.strip_suffix(" T").map_or((name, false), |name| (name, true));
        let name = plain.strip_prefix('`').and_then(|name| name.strip_suffix("/`"));
        let uses = if uses == "std" { "" } else { uses };
        let allowed = uses.split(", ").filter(|room| !room.is_empty()).map(str::to_owned).collect();
        let name = name.unwrap_or_else(|| panic!("a folder: {row}")).to_owned();
        Room { name, is_trusted, allowed }
    }

    fn may_use(&self, other: &Room) -> bool {
        self.allowed.contains(&other.name)
    }
}

/// Returns the room of a file.
fn room(file: &str) -> &'static Room {
    let is_in = |room: &&Room| {
        file.strip_prefix(&room.name).is_some_and(|rest| rest.starts_with('/') || rest.starts_with(".rs"))
    };
    let rooms = TABLE.iter().filter(is_in);
    rooms.max_by_key(|room| room.name.len()).unwrap_or_else(|| panic!("{file} is in no room of the table"))
}

static GRAPH: LazyLock<Graph> =
    LazyLock::new(|| Graph::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")));

/// Checks whether a file only declares modules, or is an entry point.
fn is_root(file: &str) -> bool {
    let folders = ["", "core/", "kernel/", "solver/", "circuit/", "engine/", "services/"];
    file == "main.rs" || folders.iter().any(|folder| file.strip_prefix(folder) == Some("lib.rs"))
}

#[test]
fn rooms_use_only_what_the_table_allows() {
    let graph = &*GRAPH;
    let mut seen = 0;
    let mut wrong = Vec::new();
    for (file, uses) in graph.uses.iter().filter(|(file, _)| !is_root(file)) {
        let here = room(file);
        for used in uses.iter().filter(|used| !is_root(used)) {
            let there = room(used);
            seen += 1;
            if here.name != there.name && !here.may_use(there) {
                wrong.push(format!("{file} uses {used}, and {} must not use {}", here.name, there.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 1_000, "the test reads the imports: {seen}");
}

#[test]
fn the_table_has_nothing_that_nobody_uses() {
    let graph = &*GRAPH;
    let mut used = BTreeSet::new();
    for (file, uses) in graph.uses.iter().filter(|(file, _)| !is_root(file)) {
        let here = &room(file).name;
        used.extend(uses.iter().filter(|used| !is_root(used)).map(|other| (here, &room(other).name)));
    }
    let unused: Vec<String> = TABLE
        .iter()
        .flat_map(|room| room.allowed.iter().map(move |there| (&room.name, there)))
        .filter(|pair| !used.contains(pair))
        .map(|(here, there)| format!("{here} uses nothing of {there}"))
        .collect();
    assert!(unused.is_empty(), "{}", unused.join("\n"));
}

#[test]
fn trusted_rooms_use_trusted_rooms_alone() {
    for here in TABLE.iter().filter(|room| room.is_trusted) {
        for there in TABLE.iter().filter(|there| here.may_use(there)) {
            assert!(there.is_trusted, "{} is trusted and uses {}, which is not", here.name, there.name);
        }
    }
}

#[test]
fn the_script_counts_the_trusted_rooms() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/trusted-base.sh");
    let output = Command::new("sh").arg(script).arg("--files").output().expect("a shell");
    let listed = String::from_utf8(output.stdout).expect("text");
    // Files that are built in are counted too.
    let listed = listed.lines().filter(|line| line.ends_with(".rs"));
    let listed: BTreeSet<&str> = listed.filter_map(|line| line.strip_prefix("src/")).collect();
    let graph = &*GRAPH;
    let trusted = graph.uses.keys().filter(|file| !is_root(file) && room(file).is_trusted);
    let trusted: BTreeSet<&str> = trusted.map(String::as_str).collect();
    assert_eq!(listed, trusted);
}

/// The files of a cycle cannot be understood, tested or moved separately. Small cycles inside of one folder are
/// accepted as the price of methods spread over several files.
#[test]
fn imports_go_round_in_no_large_circles() {
    let graph = &*GRAPH;
    let folder = |file: &str| file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let mut wrong = Vec::new();
    for circle in graph.circles().into_iter() {
        let folders: BTreeSet<String> = circle.iter().map(|file| folder(file)).collect();
        if circle.len() > 3 || folders.len() > 1 {
            let is_in = |used: &&String| circle.contains(&used.as_str());
            let arrows = |file: &&str| {
                let used: Vec<&str> = graph.uses[*file].iter().filter(is_in).map(String::as_str).collect();
                format!("    {file} uses {}", used.join(", "))
            };
            wrong.push(circle.iter().map(arrows).collect::<Vec<_>>().join("\n"));
        }
    }
    assert!(wrong.is_empty(), "{} circles:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// What is derived from a text is derived in one place, so that everybody is told the same.
#[test]
fn models_are_parsed_in_one_place() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let parses = |file: &&String| {
        let text = fs::read_to_string(src.join(file)).expect("a source file");
        ["parse_within", "lower_within", "lower_with_formulas", "load"]
            .iter()
            .any(|name| text.contains(&format!("lang::{name}(")))
    };
    let files = files.iter().filter_map(|file| file.strip_prefix(&src).ok()?.to_str().map(str::to_owned));
    let files: Vec<String> = files.filter(|file| !file.starts_with("lang/")).collect();
    let found: Vec<&String> = files.iter().filter(parses).collect();
    assert_eq!(found, ["app/models/text.rs"]);
}

/// Where symbols and claims come from is in fields. Their names are for readers and certificates; nothing reads the origin
/// from them.
#[test]
fn origins_are_not_read_from_names() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let reads = ["contains", "find", "split", "split_once", "rsplit_once", "strip_prefix", "strip_suffix"];
    let reads = [&reads[..], &["starts_with", "ends_with", "replace", "replacen"]].concat();
    let marks = ["'@'", "\"@", "&\"@", "['@'", "\"<:", "\"active_"];
    for file in files.iter().filter(|file| !file.components().any(|part| part.as_os_str() == "tests")) {
        // It says which names a certificate can hold.
        if file.ends_with("kernel/obligations/problem.rs") {
            continue;
        }
        let text = fs::read_to_string(file).expect("a source file");
        for (read, mark) in reads.iter().flat_map(|read| marks.map(|mark| (read, mark))) {
            let wrong = format!(".{read}({mark}");
            assert!(!text.contains(&wrong), "{} has `{wrong}..`", file.display());
        }
    }
}

#[test]
fn every_source_file_says_what_it_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files);
    sources(&root.join("tests"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).expect("a source file");
        assert!(text.starts_with("//!"), "{} begins with a `//!` line", file.display());
    }
}

#[test]
fn the_table_in_the_architecture_document_is_of_rooms() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    assert!(
        TABLE.len() > 40 && TABLE.iter().filter(|room| room.is_trusted).count() > 15,
        "the table is read"
    );
    for room in TABLE.iter() {
        let (folder, file) = (root.join(&room.name), root.join(format!("{}.rs", room.name)));
        assert!(folder.is_dir() || file.is_file(), "{} is no room", room.name);
        for used in &room.allowed {
            assert!(TABLE.iter().any(|other| other.name == *used), "{} uses `{used}`, no room", room.name);
        }
        assert_eq!(TABLE.iter().filter(|other| other.name == room.name).count(), 1, "{}", room.name);
    }
}

#[test]
fn diagnostic_codes_are_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("spec/diagnostics.md")).expect("spec/diagnostics.md");
    for (_, code, summary) in ramsey::diag::CODES {
        assert!(text.contains(&format!("| {code} | {summary} |")), "spec/diagnostics.md lists {code}");
    }
}
