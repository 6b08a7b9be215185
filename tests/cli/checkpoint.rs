//! `ramsey infer --checkpoint` through the binary.

use serde_json::Value;

use crate::common::binary::Dir;

const LOCK_SERVER: &str = include_str!("../../examples/lock_server.pyv");

#[test]
fn a_search_goes_on_from_its_checkpoint() {
    let dir = Dir::new();
    dir.file("ring.pyv", include_str!("../../examples/ring_leader.pyv"));
    let kept = || -> Value { serde_json::from_str(&dir.read("ring.json")).expect("a document") };
    let infer = ["infer", "ring.pyv", "--checkpoint", "ring.json"];
    dir.run(&[&infer[..], &["--work", "100000"]].concat()).ends_with(3);
    let first = kept();
    assert_eq!((&first["schema"], &first["runs"]), (&"ramsey/checkpoint/1".into(), &1.into()));
    dir.run(&infer).ends_with(0);
    let second = kept();
    assert_eq!((&second["model"], &second["runs"]), (&first["model"], &2.into()));
    assert!(second["questions"].as_u64() > first["questions"].as_u64(), "{second}");
    assert!(second["lemmas"].as_array().is_some_and(|it| !it.is_empty()), "{second}");
    // What is in the file is tried: by itself this search has no lemmas.
    dir.file("lock.pyv", LOCK_SERVER);
    let infer = ["infer", "lock.pyv", "--method", "houdini", "--template", "client=0:1"];
    let infer = [&infer[..], &["--checkpoint", "lock.json"]].concat();
    dir.run(&infer).ends_with(3);
    let mut document: Value = serde_json::from_str(&dir.read("lock.json")).expect("a document");
    document["lemmas"] = serde_json::json!([
        "owns(C) & owns(D) -> C = D",
        "owns(C) -> !free",
        "!(granted(C) & holds(C)) & !(granted(C) & returned(C)) & !(holds(C) & returned(C))",
    ]);
    let text = document.to_string();
    dir.file("lock.json", &text);
    dir.run(&infer).ends_with(0);
    // Another search, and damage.
    let refused = |args: &[&str], what: &str| {
        dir.run(args).ends_with(2).complains(what);
    };
    refused(
        &["infer", "lock.pyv", "--checkpoint", "lock.json"],
        "`lock.json` is of another search: it has `--method houdini`",
    );
    dir.file("ring.pyv", LOCK_SERVER);
    refused(
        &["infer", "ring.pyv", "--checkpoint", "ring.json"],
        "`ring.json` is of another search: the text of the model is a different one",
    );
    for (damaged, what) in [
        (text[..text.len() / 2].to_owned(), "this is no JSON document"),
        ("{}".to_owned(), "the document is no checkpoint of `infer`"),
        (text.replace("\"runs\":1", "\"runs\":-1"), "at `/runs` of the document"),
        (text.replace("owns(C) -> !free", "owns(C) -> "), "at `/lemmas/1` of the document"),
        (text.replace("owns(C) -> !free", "true\\naxiom false"), "at `/lemmas/1` of the document"),
    ] {
        dir.file("lock.json", &damaged);
        refused(&infer, what);
        assert_eq!(dir.read("lock.json"), damaged);
    }
}

#[test]
fn counts_of_checkpoints_do_not_overflow() {
    let dir = Dir::new();
    let infer = ["infer", "lock.pyv", "--method", "separation", "--checkpoint", "lock.json"];
    dir.file("lock.pyv", LOCK_SERVER).run(&[&infer[..], &["--work", "1"]].concat()).ends_with(3);
    let mut kept: Value = serde_json::from_str(&dir.read("lock.json")).expect("a document");
    (kept["runs"], kept["questions"]) = (u64::MAX.into(), u64::MAX.into());
    dir.file("lock.json", kept.to_string()).run(&infer).ends_with(0);
    assert!(dir.read("lock.json").contains("\"runs\": 18446744073709551615"));
}
