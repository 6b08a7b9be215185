//! Programs (`.rml`) on the command line.

mod common;

use std::process::Command;

use common::binary::{Dir, LOCK};

/// A lock in RML, with its declarations in a file of their own.
const LOCK_PROGRAM: &str = "\
include \"parts/nodes.rml\"
relation held: node

assume !held(N)
while * {
  action acquire(n: node) {
    assume !held(N)
    held.insert(n)
  } | action release {
    local n: node
    held.remove(n)
  }
}

safety [mutex] held(N1) & held(N2) -> N1 = N2
";

fn lock_program(dir: &Dir) {
    dir.file("lock.rml", LOCK_PROGRAM).file(
        "parts/nodes.rml",
        "include \"order\"\nsort node\nrelation le(node, node)\nuse total_order(node, le)\n",
    );
}

#[test]
fn programs_are_verified_beside_models() {
    let dir = Dir::new();
    lock_program(&dir);
    let run = dir.run(&["verify", "lock.rml"]).ends_with(0).silent_on_stderr();
    assert!(run.out.contains("transition acquire\n    mutex  ok\n"), "{}", run.out);
    let broken = LOCK_PROGRAM.replace("    assume !held(N)\n    held", "    held");
    let run = dir.file("broken.rml", broken).run(&["verify", "broken.rml"]).ends_with(1);
    run.prints("error: transition `acquire`").prints("acquire(n = node1)");
    dir.file("m/a.pyv", LOCK).file("m/b.rml", LOCK_PROGRAM.replace("include", "sort node #"));
    let run = dir.run(&["verify", "m"]).ends_with(0);
    run.prints("m/a.pyv: 3 ok").prints("m/b.rml: 3 ok");
    dir.run(&["fragment", "lock.rml"]).ends_with(0);
    dir.run(&["typecheck", "lock.rml"]).ends_with(0).silent_on_stderr();
}

#[test]
fn certificates_of_programs_are_checked_by_both_binaries() {
    let dir = Dir::new();
    lock_program(&dir);
    dir.run(&["verify", "lock.rml", "--certify", "lock.cert"]).ends_with(0);
    dir.run(&["check", "lock.rml", "lock.cert"]).ends_with(0).prints("accepted");
    let output = Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
        .args(["lock.rml", "lock.cert"])
        .current_dir(&dir.0)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    dir.file("parts/nodes.rml", "sort nodes\n");
    let output = Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
        .args(["lock.rml", "lock.cert"])
        .current_dir(&dir.0)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("lock.rml:2:16: "), "{output:?}");
}

#[test]
fn mistakes_in_included_files_are_shown_there() {
    let dir = Dir::new();
    dir.file("lock.rml", LOCK_PROGRAM).file("parts/nodes.rml", "sort node\naxiom missing\n");
    dir.run(&["verify", "lock.rml"]).ends_with(2).complains("--> parts/nodes.rml:2:7");
    dir.file("lock.rml", LOCK_PROGRAM.replace("nodes.rml", "node.rml"));
    dir.run(&["typecheck", "lock.rml"])
        .ends_with(2)
        .complains("--> lock.rml:1:9")
        .complains("there is no file `parts/node.rml`");
}

#[test]
fn a_program_outside_of_the_fragment_is_refused() {
    let dir = Dir::new();
    let text = "sort node relation link(node, node) relation up(node)\nassume link(X, Y)\nassume up(X)\n\
                while * { { link(X, Y) := up(X) } | { up(X) := link(X, X) } }\n\
                conjecture [onward] forall X. exists Y: node. link(X, Y)\n";
    dir.file("m.rml", text);
    dir.run(&["typecheck", "m.rml"]).ends_with(0);
    dir.run(&["verify", "m.rml"]).ends_with(2).complains("error[R015]");
}

#[test]
fn programs_are_printed_in_canonical_form() {
    let dir = Dir::new();
    lock_program(&dir);
    let printed = dir.run(&["print", "lock.rml"]).ends_with(0).out;
    assert!(printed.contains("relation held(node)\n"), "{printed}");
    let again = dir.file("again.rml", &printed).run(&["print", "again.rml"]).ends_with(0).out;
    assert_eq!(printed, again);
}
