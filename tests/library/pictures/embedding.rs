//! Pictures of single states for pages, canonical names, and scenes as documents.

use super::{Model, trace};
use crate::common::svg::{Contents, check_embedded, check_svg};
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::formulas::{ElementNames, Partial, fact_text};
use ramsey::logic::{Elem, Signature, SortId, Structure, element_name};
#[cfg(feature = "json")]
use ramsey::query::Call;
use ramsey::query::canonical::renamed;
#[cfg(feature = "json")]
use ramsey::report::json::scene::scene_dto;
#[cfg(feature = "json")]
use ramsey::report::picture::Picture;
use ramsey::report::picture::{Shape, scene, svg, svg_panel};
use ramsey::system::System;

/// All states of a picture have the same size and the same boxes, where they are embedded too. Facts are those of the
/// state, or those that ceased to be true.
#[test]
fn states_are_embedded() {
    let model = Model::new();
    let mut rng = Rng::new(3);
    let (mut facts, mut gone) = (0, 0);
    for _ in 0..60 {
        let structure = model.random(&mut rng);
        let scene = scene(&model.picture(&structure, ""));
        let panels: Vec<String> = (0..structure.states()).map(|at| svg_panel(&scene, at, "left")).collect();
        let contents: Vec<Contents> = panels.iter().map(|svg| check_embedded(svg, "left")).collect();
        let other = check_embedded(&svg_panel(&scene, 0, "right"), "right");
        assert!(contents[0].ids.iter().all(|id| !other.ids.contains(id)), "prefixes keep ids apart");
        let head = |svg: &str| svg.lines().next().map(|line| line.replace("left-", "")).expect("a line");
        for (step, here) in contents.iter().enumerate() {
            assert_eq!(head(&panels[step]), head(&panels[0]), "states have one size");
            assert_eq!(here.boxes, contents[0].boxes, "boxes move");
            let known = |step: usize| -> Vec<String> {
                let names = plain_names(&model.system.sig, &structure);
                let all = Partial::of_state(&model.system.sig, &structure, step).expect("a small state");
                all.facts.iter().map(|fact| fact_text(&model.system.sig, &names, fact)).collect()
            };
            let (now, before) = (known(step), step.checked_sub(1).map(known));
            for fact in &here.facts {
                let is_past = before.as_ref().is_some_and(|before| before.contains(fact));
                assert!(now.contains(fact) || is_past, "{fact}");
                gone += usize::from(!now.contains(fact));
            }
            facts += here.facts.len();
        }
    }
    assert!(facts > 1000 && gone > 100, "{facts} {gone}");
    assert_eq!(svg_panel(&scene(&model.picture(&trace(&model, 2), "")), 2, "left"), "");
}

fn plain_names(sig: &Signature, structure: &Structure) -> ElementNames {
    let names = |sort| (0..structure.sizes[sort]).map(|elem| element_name(sig, sort, elem)).collect();
    sig.sorts.ids().map(names).collect()
}

/// Elements get the same names whatever they were called before: along orders and rings, else by facts. The pictures of
/// a structure with any other names are the same.
#[test]
fn names_are_canonical() {
    let model = Model::new();
    let System { sig, .. } = &model.system;
    let canonical = |structure: &Structure| renamed(&model.system, sig, structure);
    let mut rng = Rng::new(9);
    let (mut rings, mut ladders) = (0, 0);
    for _ in 0..60 {
        let structure = model.random(&mut rng);
        let named = canonical(&structure);
        let scene = scene(&model.picture(&named, ""));
        for (sort, shape) in scene.shapes.iter_enumerated() {
            let (Shape::Ring(_, order) | Shape::Column(_, order)) = shape else { continue };
            assert_eq!(*order, (0..named.sizes[sort]).collect::<Vec<Elem>>(), "names ascend");
            rings += usize::from(matches!(shape, Shape::Ring(..)));
            ladders += usize::from(matches!(shape, Shape::Column(..)));
        }
        let drawn = svg(&model.picture(&named, "one"));
        for _ in 0..3 {
            let other = canonical(&permuted(sig, &structure, &mut rng));
            assert_eq!(svg(&model.picture(&other, "one")), drawn, "other names, the same picture");
        }
    }
    assert!(rings > 20 && ladders > 20, "{rings} {ladders}");
}

/// Returns the structure with random other names for its elements.
fn permuted(sig: &Signature, structure: &Structure, rng: &mut Rng) -> Structure {
    let mut names: Vec<Vec<Elem>> = Vec::new();
    for (sort, &size) in structure.sizes.iter_enumerated() {
        let mut of_sort: Vec<Elem> = (0..size).collect();
        if sort != SortId::BOOL {
            (1..of_sort.len()).rev().for_each(|at| of_sort.swap(at, rng.below(at + 1)));
        }
        names.push(of_sort);
    }
    let name = |sort: SortId, elem: Elem| names[sort.index()][elem as usize];
    let mut other = structure.clone();
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        for step in 0..if symbol.kind.is_mutable() { structure.states() } else { 1 } {
            for args in structure.tuples(&symbol.args) {
                let value = structure.interpretation(sig, sym, step).get(&args);
                let args: Vec<Elem> =
                    symbol.args.iter().zip(&args).map(|(&sort, &arg)| name(sort, arg)).collect();
                other.interpretation_mut(sig, sym, step).set(&args, name(symbol.result, value));
            }
        }
    }
    other
}

/// A picture in a file has ids of its own, unless it is the same picture.
#[test]
fn files_share_no_ids() {
    let model = Model::new();
    let [first, second] = [1, 2].map(|states| check_svg(&svg(&model.picture(&trace(&model, states), "one"))));
    assert!(first.ids.iter().all(|id| !second.ids.contains(id)), "{:?} {:?}", first.ids, second.ids);
}

/// Witnesses are marked, and documents tell the same as pictures.
#[cfg(feature = "json")]
#[test]
fn documents_have_what_pictures_have() {
    let model = Model::new();
    let structure = trace(&model, 2);
    let calls = [Call { transition: 0, args: vec![1] }];
    let witnesses = [("N".to_owned(), model.sort("node"), 1), ("M".to_owned(), model.sort("node"), 1)];
    let picture = Picture { calls: &calls, witnesses: &witnesses, ..model.picture(&structure, "") };
    let scene = scene(&picture);
    let drawn = svg_panel(&scene, 1, "p");
    assert!(drawn.contains(">N</text>") && drawn.contains(">M</text>"), "{drawn}");
    let document = serde_json::to_value(scene_dto(&scene)).expect("a document");
    let state = &document["states"][1];
    assert_eq!(state["action"]["name"], "step");
    assert_eq!(state["action"]["parameters"][0]["value"], "node1");
    let boxes = state["boxes"].as_array().expect("boxes");
    let tagged: Vec<&str> = boxes
        .iter()
        .filter(|it| it["witnesses"] == serde_json::json!(["N", "M"]))
        .filter_map(|it| it["element"].as_str())
        .collect();
    assert_eq!(tagged, ["node1"]);
    let mut facts: Vec<&str> = Vec::new();
    collect_facts(state, &mut facts);
    let mut shown = check_embedded(&drawn, "p").facts;
    shown.sort_unstable();
    facts.sort_unstable();
    assert_eq!(facts, shown);
    let leader = boxes.iter().flat_map(|it| it["lines"].as_array().expect("lines"));
    let leader = leader.filter(|it| it["symbol"] == "leader").collect::<Vec<_>>();
    let expected = serde_json::json!({
        "fact": "leader(node0)", "symbol": "leader", "text": "leader", "mark": "added"
    });
    assert_eq!(leader, [&expected]);
    let layouts: Vec<(&str, &str)> = document["sorts"]
        .as_array()
        .expect("sorts")
        .iter()
        .filter_map(|it| Some((it["name"].as_str()?, it["layout"].as_str()?)))
        .collect();
    assert_eq!(layouts, [("node", "ring"), ("id", "ladder"), ("quorum", "matrix")]);
}

#[cfg(feature = "json")]
fn collect_facts<'t>(value: &'t serde_json::Value, facts: &mut Vec<&'t str>) {
    match value {
        serde_json::Value::Object(fields) => {
            facts.extend(fields.get("fact").and_then(serde_json::Value::as_str));
            fields.values().for_each(|it| collect_facts(it, facts));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|it| collect_facts(it, facts)),
        _ => {}
    }
}
