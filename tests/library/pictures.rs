//! Pictures of states: well-formed, without clipping or overlaps, and deterministic.

mod embedding;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::skip::skipped;
use crate::common::svg::check_svg;
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::base::span::FileId;
use ramsey::lang::pyv;
use ramsey::logic::{Elem, SortId, Structure, SymId};
use ramsey::query::Call;
use ramsey::report::picture::{
    Curve, Edge, Mark, Picture, Rect, Shape, Theme, dot, layout, routes, scene, svg,
};
use ramsey::system::System;

const MODEL: &str = "\
sort node
sort id
sort quorum
immutable relation le(id, id)
immutable relation btw(node, node, node)
immutable function idof(node): id
immutable relation member(node, quorum)
mutable relation pending(id, node)
mutable relation leader(node)
mutable relation knows(node, node)
mutable relation voted(node, id, quorum)
mutable relation free
mutable constant head: node
init !leader(N)
transition step(n: node)
  modifies leader
  new(leader(N)) <-> leader(N) | N = n
safety free -> leader(head)
";

static PLAIN: Theme = Theme::PLAIN;

struct Model {
    system: System,
}

impl Model {
    fn new() -> Self {
        Model { system: pyv::load(FileId::new(0), MODEL).0.expect("a model") }
    }

    fn sort(&self, name: &str) -> SortId {
        let sig = &self.system.sig;
        sig.sorts.ids().find(|&sort| sig.sorts[sort].name == name).expect("declared")
    }

    fn sym(&self, name: &str) -> SymId {
        let sig = &self.system.sig;
        sig.symbols.ids().find(|&sym| sig.symbols[sym].name == name).expect("declared")
    }

    fn set(&self, structure: &mut Structure, name: &str, step: usize, args: &[Elem], value: Elem) {
        structure.interpretation_mut(&self.system.sig, self.sym(name), step).set(args, value);
    }

    /// Returns a structure with nodes on a ring in the order `ring`, ids in the order `ids`.
    fn ordered(&self, states: usize, ring: &[Elem], ids: &[Elem]) -> Structure {
        let mut structure = Structure::new(&self.system.sig, states);
        structure.sizes[self.sort("node")] = ring.len() as u32;
        structure.sizes[self.sort("id")] = ids.len() as u32;
        for (i, &a) in ids.iter().enumerate() {
            ids[i..].iter().for_each(|&b| self.set(&mut structure, "le", 0, &[a, b], 1));
        }
        for (i, &a) in ring.iter().enumerate() {
            for (j, &b) in ring.iter().enumerate().skip(i + 1) {
                for &c in &ring[j + 1..] {
                    for tuple in [[a, b, c], [b, c, a], [c, a, b]] {
                        self.set(&mut structure, "btw", 0, &tuple, 1);
                    }
                }
            }
        }
        structure
    }

    /// Returns a structure with orders as in `ordered`, and all else random.
    fn random(&self, rng: &mut Rng) -> Structure {
        let mut shuffled = |most: usize| {
            let mut list: Vec<Elem> = (0..=rng.below(most) as Elem).collect();
            (1..list.len()).rev().for_each(|at| list.swap(at, rng.below(at + 1)));
            list
        };
        let (ring, ids) = (shuffled(7), shuffled(5));
        let states = 1 + rng.below(4);
        let mut structure = self.ordered(states, &ring, &ids);
        structure.sizes[self.sort("quorum")] = 1 + rng.below(3) as u32;
        let sig = &self.system.sig;
        let density = 2 + rng.below(6);
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            if ["le", "btw"].contains(&symbol.name.as_str()) {
                continue;
            }
            for step in 0..if symbol.kind.is_mutable() { states } else { 1 } {
                for tuple in structure.tuples(&symbol.args).collect::<Vec<_>>() {
                    let value = if symbol.is_relation() {
                        u32::from(rng.below(density) == 0)
                    } else {
                        rng.below(structure.sizes[symbol.result] as usize) as u32
                    };
                    structure.interpretation_mut(sig, sym, step).set(&tuple, value);
                }
            }
        }
        structure
    }

    fn picture<'a>(&'a self, structure: &'a Structure, title: &'a str) -> Picture<'a> {
        let Model { system } = self;
        Picture {
            system,
            sig: &system.sig,
            structure,
            calls: &[],
            title,
            violated: "leader(N) -> false",
            witnesses: &[],
            theme: &PLAIN,
        }
    }
}

fn check_layout(picture: &Picture) {
    let scene = scene(picture);
    let rects = layout(&scene);
    for (at, rect) in rects.iter().enumerate() {
        assert!(rects[..at].iter().all(|other| !other.meets(*rect)), "boxes overlap");
    }
    let Some(panel) = scene.panels.first() else { return };
    for (sort, shape) in scene.shapes.iter_enumerated() {
        let here: Vec<_> = (0..rects.len()).filter(|&at| panel.nodes[at].sort == sort).collect();
        let elems: Vec<Elem> = here.iter().map(|&at| panel.nodes[at].elem).collect();
        if here.is_empty() {
            assert!(scene.folded.contains(&sort) || matches!(shape, Shape::Plain), "{sort:?}");
            continue;
        }
        match shape {
            Shape::Column(_, order) => {
                assert_eq!(&elems, order);
                assert!(here.windows(2).all(|two| rects[two[0]].y > rects[two[1]].y), "greatest on top");
            }
            Shape::Ring(_, order) => {
                assert_eq!(&elems, order);
                let points: Vec<(i32, i32)> = here.iter().map(|&at| rects[at].center()).collect();
                let n = points.len();
                for at in 0..n {
                    let (a, b, c) = (points[at], points[(at + 1) % n], points[(at + 2) % n]);
                    let turn = (b.0 - a.0) * (c.1 - b.1) - (b.1 - a.1) * (c.0 - b.0);
                    assert!(n < 3 || turn > 0, "clockwise");
                }
            }
            Shape::Matrix(..) => assert!(here.windows(2).all(|two| rects[two[0]].y < rects[two[1]].y)),
            Shape::Ranks(..) | Shape::Plain => {}
        }
    }
}

#[test]
fn random_states_are_drawn_well() {
    let model = Model::new();
    let mut rng = Rng::new(7);
    let (mut rings, mut columns, mut edges, mut tables) = (0, 0, 0, 0);
    for _ in 0..150 {
        let structure = model.random(&mut rng);
        let picture = model.picture(&structure, "a <state> & \"more\"");
        let (first, second) = (svg(&picture), svg(&picture));
        assert_eq!(first, second, "the same bytes");
        check_svg(&first);
        check_layout(&picture);
        let scene = scene(&picture);
        rings += usize::from(matches!(scene.shapes[model.sort("node")], Shape::Ring(..)));
        columns += usize::from(matches!(scene.shapes[model.sort("id")], Shape::Column(..)));
        edges += scene.panels.iter().map(|panel| panel.edges.len()).sum::<usize>();
        tables += usize::from(scene.panels.iter().all(|panel| panel.nodes.is_empty()));
    }
    assert!(rings > 30 && columns > 30 && edges > 100 && tables < 100, "{rings} {columns} {edges} {tables}");
}

/// Labels of edges stand clear of boxes and of each other, and edges go around boxes, but for a few in crowded states.
#[test]
fn labels_and_edges_keep_clear_of_boxes() {
    let model = Model::new();
    let edges = ["knows", "pending"].map(|name| model.sym(name)).to_vec();
    let theme = Theme { edges, ..Theme::default() };
    let mut rng = Rng::new(11);
    let (mut all, mut covered, mut crossed) = (0, 0, 0);
    for _ in 0..150 {
        let structure = model.random(&mut rng);
        let scene = scene(&Picture { theme: &theme, ..model.picture(&structure, "") });
        let rects = layout(&scene);
        for panel in &scene.panels {
            let routes = routes(&scene, &rects, panel);
            assert_eq!(routes.len(), panel.edges.len());
            all += routes.len();
            for (at, (route, edge)) in routes.iter().zip(&panel.edges).enumerate() {
                let before = routes[..at].iter().map(|it| it.label);
                covered += usize::from(rects.iter().copied().chain(before).any(|it| it.meets(route.label)));
                crossed += usize::from(rects.iter().enumerate().any(|(box_at, rect)| {
                    box_at != edge.from && box_at != edge.to && goes_through(route.curve, *rect)
                }));
            }
        }
    }
    assert!(all > 1000, "{all}");
    assert!(covered * 150 <= all, "{covered} of {all} labels are covered");
    assert!(crossed * 20 <= all, "{crossed} of {all} edges cross boxes");
}

/// Where some relations are tables and others edges, what is written at the edges leaves the cells free.
#[test]
fn labels_keep_clear_of_cells() {
    let model = Model::new();
    let theme = Theme { edges: vec![model.sym("knows")], ..Theme::default() };
    let mut rng = Rng::new(12);
    let (mut all, mut covered) = (0, 0);
    for _ in 0..300 {
        let structure = model.random(&mut rng);
        let scene = scene(&Picture { theme: &theme, ..model.picture(&structure, "") });
        let rects = layout(&scene);
        for panel in scene.panels.iter().filter(|panel| !panel.cells.is_empty()) {
            let cells = || {
                panel.cells.iter().map(|cell| {
                    let (row, column) = (rects[cell.row], rects[cell.column]);
                    Rect { x: column.x, y: row.y, w: column.w, h: row.h }
                })
            };
            let routes = routes(&scene, &rects, panel);
            all += routes.len();
            covered += routes.iter().filter(|route| cells().any(|cell| cell.meets(route.label))).count();
        }
    }
    assert!(all > 100, "{all}");
    assert!(covered * 50 <= all, "{covered} of {all} labels lie upon cells");
}

/// Checks whether a curve has a point well inside a box.
fn goes_through([a, b, c]: Curve, rect: Rect) -> bool {
    (0..=100).any(|step| {
        let t = f64::from(step) / 100.0;
        let mix = |a: i32, b: i32, c: i32| {
            (1.0 - t) * (1.0 - t) * f64::from(a) + 2.0 * t * (1.0 - t) * f64::from(b) + t * t * f64::from(c)
        };
        let (x, y) = (mix(a.0, b.0, c.0), mix(a.1, b.1, c.1));
        let (left, top) = (f64::from(rect.x) + 2.0, f64::from(rect.y) + 2.0);
        let (right, bottom) = (f64::from(rect.x + rect.w) - 2.0, f64::from(rect.y + rect.h) - 2.0);
        left < x && x < right && top < y && y < bottom
    })
}

/// Random orders, made of random pairs that go up: elements stand below all that are less, exactly the pairs without an
/// element between them are edges, and they give the order back.
#[test]
fn partial_orders_have_ranks_and_no_edge_too_many() {
    let model = Model::new();
    let (sort, sym) = (model.sort("id"), model.sym("le"));
    let mut rng = Rng::new(5);
    let mut ranked = 0;
    for _ in 0..200 {
        let size = 2 + rng.below(6) as u32;
        let mut structure = model.ordered(1, &[0], &[0]);
        structure.sizes[sort] = size;
        let strict = rng.one_in(2);
        let mut less = vec![vec![false; size as usize]; size as usize];
        // Downwards, so that numbers and ranks do not go together.
        for a in (0..size as usize).rev() {
            for b in 0..a {
                less[a][b] = rng.one_in(3);
                for c in 0..b {
                    less[a][c] |= less[a][b] && less[b][c];
                }
            }
        }
        for k in 0..size as usize {
            for a in 0..size as usize {
                for c in 0..size as usize {
                    less[a][c] |= less[a][k] && less[k][c];
                }
            }
        }
        for a in 0..size {
            for b in 0..size {
                let value = less[a as usize][b as usize] || (a == b && !strict);
                model.set(&mut structure, "le", 0, &[a, b], value.into());
            }
        }
        let scene = scene(&model.picture(&structure, ""));
        let Shape::Ranks(by, rows) = &scene.shapes[sort] else { continue };
        assert_eq!(*by, sym);
        ranked += 1;
        let level = |elem: Elem| rows.iter().position(|row| row.contains(&elem)).expect("a rank");
        let panel = &scene.panels[0];
        let mut again = vec![vec![false; size as usize]; size as usize];
        for edge in &panel.edges {
            let (a, b) = (panel.nodes[edge.from].elem as usize, panel.nodes[edge.to].elem as usize);
            assert!((0..size as usize).all(|c| !(less[a][c] && less[c][b])), "an edge too many");
            again[a][b] = true;
        }
        for k in 0..size as usize {
            for a in 0..size as usize {
                for c in 0..size as usize {
                    again[a][c] |= again[a][k] && again[k][c];
                }
            }
        }
        assert_eq!(again, less, "the edges give the order back");
        for a in 0..size {
            for b in (0..size).filter(|&b| less[a as usize][b as usize]) {
                assert!(level(a) > level(b), "greatest on top");
            }
        }
    }
    assert!(ranked > 100, "{ranked}");
}

#[test]
fn sets_are_a_matrix() {
    let model = Model::new();
    let structure = trace(&model, 1);
    let scene = scene(&model.picture(&structure, ""));
    let (quorum, node) = (model.sort("quorum"), model.sort("node"));
    assert_eq!(scene.shapes[quorum], Shape::Matrix(model.sym("member"), node));
    let panel = &scene.panels[0];
    let row = panel.nodes.iter().find(|it| it.sort == quorum).expect("a set");
    assert_eq!(panel.members(row, node), ["node0", "node1"]);
    let dots: Vec<(bool, Option<&str>)> =
        row.dots.iter().map(|dot| (dot.is_member, dot.fact.fact.as_deref())).collect();
    let expected = [
        (true, Some("member(node0,quorum0)")),
        (false, Some("!member(node2,quorum0)")),
        (true, Some("member(node1,quorum0)")),
    ];
    assert_eq!(dots, expected, "in the order of the ring: 0, 2, 1");
    let theme = Theme { edges: vec![model.sym("member")], ..Theme::default() };
    let edges = scene_of(&Picture { theme: &theme, ..model.picture(&structure, "") });
    assert_eq!(edges.iter().filter(|label| *label == "member").count(), 2);
}

fn scene_of(picture: &Picture) -> Vec<String> {
    let edges = scene(picture).panels.remove(0).edges;
    edges.iter().map(Edge::shown).collect()
}

#[test]
fn orders_and_rings_are_recognized_by_evaluation() {
    let model = Model::new();
    let mut structure = model.ordered(1, &[0, 2, 1, 3], &[2, 0, 1]);
    let shapes = |structure: &Structure| scene(&model.picture(structure, "")).shapes;
    let (node, id) = (model.sort("node"), model.sort("id"));
    assert_eq!(shapes(&structure)[node], Shape::Ring(model.sym("btw"), vec![0, 2, 1, 3]));
    assert_eq!(shapes(&structure)[id], Shape::Column(model.sym("le"), vec![2, 0, 1]));
    model.set(&mut structure, "btw", 0, &[0, 1, 2], 1);
    model.set(&mut structure, "le", 0, &[0, 2], 1);
    assert_eq!(shapes(&structure)[node], Shape::Plain);
    assert_eq!(shapes(&structure)[id], Shape::Plain);
}

#[test]
fn large_states_are_listed() {
    let model = Model::new();
    let ring: Vec<Elem> = (0..9).collect();
    let mut structure = model.ordered(2, &ring, &[0, 1]);
    for pair in structure.tuples(&[model.sort("node"); 2]).collect::<Vec<_>>() {
        (0..2).for_each(|step| model.set(&mut structure, "knows", step, &pair, 1));
    }
    model.set(&mut structure, "leader", 1, &[4], 1);
    let picture = model.picture(&structure, "large");
    let scene = scene(&picture);
    assert!(scene.panels.iter().all(|panel| panel.nodes.is_empty()));
    assert!(scene.captions.iter().any(|caption| caption.starts_with("too large")));
    assert!(
        scene.panels[0].lines.len() > 80 && scene.panels[0].lines.iter().all(|it| it.text != "le(id0,id1)")
    );
    let changes: Vec<String> = scene.panels[1].lines.iter().map(|it| it.shown()).collect();
    assert_eq!(changes, ["+ leader(node4)"], "changes alone");
    check_svg(&svg(&picture));
}

/// Of many elements those are drawn that change or are witnesses.
#[test]
fn large_sorts_are_drawn_in_part() {
    let model = Model::new();
    for (size, drawn) in [(12, 12), (13, 3)] {
        let ring: Vec<Elem> = (0..size).collect();
        let mut structure = model.ordered(2, &ring, &[0, 1]);
        model.set(&mut structure, "leader", 1, &[4], 1);
        model.set(&mut structure, "pending", 0, &[1, 9], 1);
        let witnesses = [("N".to_owned(), model.sort("node"), 2)];
        let scene = scene(&Picture { witnesses: &witnesses, ..model.picture(&structure, "") });
        let nodes = scene.panels[1].nodes.iter().filter(|node| node.sort == model.sort("node"));
        let nodes: Vec<Elem> = nodes.map(|node| node.elem).collect();
        assert_eq!(nodes.len(), drawn, "{nodes:?}");
        assert!([2, 4, 9].iter().all(|elem| nodes.contains(elem)), "{nodes:?}");
        let has_caption = scene.captions.iter().any(|it| it.starts_with("node: \u{2026} 10 more"));
        assert_eq!(has_caption, drawn == 3, "{:?}", scene.captions);
    }
}

/// Returns an execution: a node becomes leader, a message passes around the ring, and the constant changes.
fn trace(model: &Model, states: usize) -> Structure {
    let mut structure = model.ordered(states, &[0, 2, 1], &[1, 0, 2]);
    for node in 0..3 {
        model.set(&mut structure, "idof", 0, &[node], node);
        model.set(&mut structure, "member", 0, &[node, 0], u32::from(node < 2));
    }
    for step in 0..states {
        model.set(&mut structure, "pending", step, &[2, (step % 3) as Elem], 1);
        model.set(&mut structure, "head", step, &[], (step % 2) as Elem);
        model.set(&mut structure, "knows", step, &[0, 1], 1);
        model.set(&mut structure, "knows", step, &[1, 2], u32::from(step > 0));
        model.set(&mut structure, "voted", step, &[0, 1, 0], 1);
        (0..step as Elem).for_each(|node| model.set(&mut structure, "leader", step, &[node % 3], 1));
    }
    structure
}

#[test]
fn changes_are_marked() {
    let model = Model::new();
    let structure = trace(&model, 2);
    let scene = scene(&model.picture(&structure, ""));
    let lines = |step: usize| -> Vec<(Mark, String)> {
        let nodes = scene.panels[step].nodes.iter().flat_map(|node| &node.lines);
        nodes.map(|line| (line.mark, line.shown())).collect()
    };
    for expected in
        [(Mark::Added, "+ leader"), (Mark::Removed, "- pending: id2"), (Mark::Added, "+ pending: id2")]
    {
        let expected = (expected.0, expected.1.to_owned());
        assert!(lines(1).contains(&expected), "{expected:?} in {:?}", lines(1));
    }
    assert!(lines(1).iter().any(|(mark, text)| *mark == Mark::Changed && text.starts_with("~ = head")));
    assert!(lines(1).contains(&(Mark::Changed, "~ was head".to_owned())), "{:?}", lines(1));
    assert!(lines(0).iter().all(|(mark, _)| *mark == Mark::Same));
    let edges: Vec<_> = scene.panels[1].edges.iter().map(Edge::shown).collect();
    assert_eq!(edges, ["knows", "+ knows", "voted: quorum0"]);
}

/// A few triples are edges that the third element labels, several between two elements are one; many are lines in the box
/// of the first element.
#[test]
fn triples_are_drawn() {
    let model = Model::new();
    let mut structure = model.ordered(2, &[0, 2, 1], &[1, 0, 2]);
    structure.sizes[model.sort("quorum")] = 4;
    for (step, quorum) in [(0, 0), (0, 1), (1, 1), (1, 2)] {
        model.set(&mut structure, "voted", step, &[0, 1, quorum], 1);
    }
    let labels = |scene: &[ramsey::report::picture::Panel], step: usize| -> Vec<String> {
        scene[step].edges.iter().map(Edge::shown).collect()
    };
    let panels = scene(&model.picture(&structure, "")).panels;
    assert_eq!(labels(&panels, 0), ["voted: quorum0, voted: quorum1"]);
    assert_eq!(labels(&panels, 1), ["- voted: quorum0", "voted: quorum1", "+ voted: quorum2"]);
    for tuple in structure.tuples(&[model.sort("node"), model.sort("id"), model.sort("quorum")]) {
        model.set(&mut structure, "voted", 0, &tuple, 1);
    }
    let panels = scene(&model.picture(&structure, "")).panels;
    assert!(labels(&panels, 0).is_empty());
    let lines: Vec<&str> =
        panels[0].nodes.iter().flat_map(|it| &it.lines).map(|it| it.text.as_str()).collect();
    assert!(lines.contains(&"voted: id0, quorum3"), "{lines:?}");
    assert!(panels[0].lines.iter().all(|line| !line.text.contains("voted")));
}

/// A pair of an element with itself says nothing where the axioms demand it, be it of a sort with one element.
#[test]
fn reflexive_orders_have_no_loops() {
    let drawn = |axiom: &str| {
        let text = format!("{MODEL}{axiom}");
        let system = pyv::load(FileId::new(0), &text).0.expect("a model");
        let model = Model { system };
        let structure = model.ordered(1, &[0], &[0]);
        let picture = model.picture(&structure, "");
        assert!(scene_of(&picture).is_empty(), "an element is an order without a line");
        let nodes = scene(&picture).panels.remove(0).nodes;
        let lines = nodes.iter().flat_map(|node| &node.lines).map(|line| line.shown());
        lines.filter(|line| line.starts_with("le")).collect::<Vec<String>>()
    };
    assert_eq!(drawn(""), ["le: id0"], "nobody knows that it is reflexive");
    assert!(drawn("axiom le(X, X)\naxiom le(X, Y) & le(Y, Z) -> le(X, Z)\n").is_empty());
}

#[test]
fn titles_break_between_parameters() {
    let model = Model::new();
    let structure = trace(&model, 2);
    let long = "a_sort_with_a_long_name";
    let text = MODEL.replace("step(n: node)", &format!("step(n: node, {long}: node, {long}_too: node)"));
    let system = pyv::load(FileId::new(0), &text).0.expect("a model");
    let calls = [Call { transition: 0, args: vec![0, 1, 2] }];
    let svg = svg(&Picture { system: &system, calls: &calls, ..model.picture(&structure, "") });
    for (name, value) in [(long.to_owned(), "node1,"), (format!("{long}_too"), "node2)")] {
        let title = format!("{name} = {value}");
        assert!(svg.lines().any(|line| line.contains("bold") && line.contains(&title)), "{title} in {svg}");
    }
}

#[test]
fn graphs_are_coloured() {
    let model = Model::new();
    let text = dot(&model.picture(&trace(&model, 2), ""));
    for part in [
        "<font color=\"#006b3c\"><b>+ leader</b></font>",
        "<font color=\"#b00020\"><s>- pending: id2</s></font>",
        "fontcolor=\"#006b3c\", label=\"+ knows\"",
        "fillcolor=",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn pictures_are_those_on_file() {
    let model = Model::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    for (name, states) in [("state", 1), ("transition", 2), ("trace", 5)] {
        let structure = trace(&model, states);
        let calls: Vec<Call> =
            (1..states).map(|n| Call { transition: 0, args: vec![n as u32 % 3] }).collect();
        let picture = Picture { calls: &calls, ..model.picture(&structure, name) };
        for (extension, made) in [("svg", svg(&picture)), ("dot", dot(&picture))] {
            let path = folder.join(format!("{name}.{extension}"));
            if std::env::var_os("UPDATE_PICTURES").is_some() {
                fs::create_dir_all(&folder).and_then(|()| fs::write(&path, &made)).expect("a file");
            }
            let kept = fs::read_to_string(&path).expect("a picture on file");
            assert!(kept == made, "{} differs: see spec/pictures.md", path.display());
        }
        check_svg(&svg(&picture));
    }
}

#[test]
fn graphviz_reads_what_is_written() {
    let parse = |text: &str| -> Option<bool> {
        let mut child = Command::new("dot")
            .arg("-Tcanon")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let _ = child.stdin.take()?.write_all(text.as_bytes());
        Some(child.wait().ok()?.success())
    };
    let Some(false) = parse("digraph {") else {
        skipped("Graphviz is not installed");
        return;
    };
    let model = Model::new();
    let mut rng = Rng::new(3);
    for _ in 0..20 {
        let structure = model.random(&mut rng);
        let text = dot(&model.picture(&structure, "quotes \" and \\ and \n lines"));
        assert_eq!(parse(&text), Some(true), "{text}");
    }
}
