//! Nothing overlaps, leaves its place or moves between states, whatever the size of the window.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::app::{App, press, settle, strike, with};
use crate::driver::{Browser, Page};

const START: &str = "leader_election_start.rml";
/// Sizes of windows.
const SIZES: [(u32, u32); 2] = [(1400, 900), (800, 600)];

/// Finds boxes that are at different places in two pictures, overlap, or leave their picture.
const BOXES: &str = "(() => {
    const wrong = [];
    const pictures = [...document.querySelectorAll('.state svg')];
    const boxes = pictures.map(svg => {
        const frame = svg.getBoundingClientRect();
        const panel = svg.closest('.state').getBoundingClientRect();
        // What is too wide to be read in its place is scrolled to.
        const isWide = svg.parentElement.scrollWidth > svg.parentElement.clientWidth;
        if (frame.width < 20 || frame.height < 20) wrong.push(`a picture of ${frame.width} x ${frame.height}`);
        const all = new Map();
        for (const it of svg.querySelectorAll('.box')) {
            const { left, right, top, bottom } = it.querySelector('.frame').getBoundingClientRect();
            const name = `${it.dataset.sort} ${it.dataset.element}`;
            const place = [left - frame.left, top - frame.top, right - frame.left, bottom - frame.top];
            if (!isWide && (left < panel.left || right > panel.right)) wrong.push(`${name} leaves its panel`);
            if (place[0] < 0 || place[1] < 0 || right > frame.right || bottom > frame.bottom) wrong.push(`${name} is cut off`);
            for (const [other, at] of all) {
                const [x1, y1, x2, y2] = at;
                if (place[0] < x2 && x1 < place[2] && place[1] < y2 && y1 < place[3]) wrong.push(`${name} upon ${other}`);
            }
            all.set(name, place);
        }
        return all;
    });
    const [before, after] = boxes;
    if (after) {
        for (const [name, place] of before) {
            const moved = after.get(name)?.some((it, at) => Math.abs(it - place[at]) > 0.5) ?? true;
            if (moved) wrong.push(`${name} moves from ${place} to ${after.get(name)}`);
        }
    }
    return pictures.length ? wrong : ['there is no picture'];
})()";

/// Finds parts of the page that are wider than their place.
const WIDE: &str = "(() => {
    const wrong = [];
    const root = document.scrollingElement;
    if (root.scrollWidth > innerWidth) wrong.push(`the page: ${root.scrollWidth}`);
    for (const it of document.querySelectorAll('#main, #main .column, #top, #status')) {
        if (it.scrollWidth > it.clientWidth + 1) wrong.push(`${it.id} ${it.className}: ${it.scrollWidth} in ${it.clientWidth}`);
    }
    return wrong;
})()";

#[track_caller]
fn no_scrolling(page: &Page<'_>, what: &str) {
    assert_eq!(page.eval(WIDE), json!([]), "{what}");
}

#[test]
fn elements_keep_their_places_in_the_counterexamples_of_all_examples() {
    let Some(browser) = Browser::start() else { return };
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut names: Vec<String> = fs::read_dir(examples)
        .expect("the examples")
        .map(|it| it.expect("an entry").file_name().into_string().expect("a name"))
        .filter(|it| it == START || it.contains("_bug.") || it.contains("_broken.") || it.contains("_mc."))
        .collect();
    names.sort();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        let app = App::example(&name, &[]);
        let page = browser.page();
        page.open(&app.url);
        page.wait("document.querySelector('.state svg')", 60);
        for (width, height) in SIZES {
            page.size(width, height);
            assert_eq!(page.eval(BOXES), json!([]), "{name} at {width} x {height}");
            no_scrolling(&page, &format!("{name} at {width} x {height}"));
        }
        assert_eq!(page.complaints(), [""; 0]);
    }
}

/// Names ascend along the order, from the bottom to the top, and clockwise around the ring.
#[test]
fn names_follow_order_and_ring() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    strike(&page, "4");
    for sort in ["node", "id"] {
        page.click(&with(".start input", "name", sort));
        page.key("5");
    }
    press(&page, ".start [type=submit]");
    let centres = |sort: &str| {
        let found = page.eval(&format!(
            "[...document.querySelectorAll('.state svg .box[data-sort={sort}]')]
                .map(it => [it.dataset.element, it.querySelector('.frame').getBoundingClientRect()])
                .sort(([a], [b]) => a < b ? -1 : 1)
                .map(([_, it]) => [(it.left + it.right) / 2, (it.top + it.bottom) / 2])"
        ));
        serde_json::from_value::<Vec<(f64, f64)>>(found).expect("places")
    };
    let ladder = centres("id");
    assert_eq!(ladder.len(), 5);
    assert!(ladder.is_sorted_by(|(_, a), (_, b)| a > b), "{ladder:?}");
    let ring = centres("node");
    assert_eq!(ring.len(), 5);
    let sum = ring.iter().fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let (x, y) = (sum.0 / 5.0, sum.1 / 5.0);
    // On the screen, where y grows downwards, clockwise is a positive turn.
    for at in 0..5 {
        let [a, b] = [ring[at], ring[(at + 1) % 5]];
        assert!((a.0 - x) * (b.1 - y) - (a.1 - y) * (b.0 - x) > 0.0, "{ring:?}");
    }
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn the_page_never_scrolls_sideways() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    // A walk, so that there is something to see.
    strike(&page, "4");
    press(&page, ".start [type=submit]");
    for view in ["induction", "proof", "executions", "simulate", "model"] {
        page.size(1400, 900);
        press(&page, &with("#top [data-act=view]", "data-view", view));
        // The last size is that of 1400 pixels at a zoom of 200 %.
        for (width, height, scale) in
            [(1920, 1080, 1), (1400, 900, 1), (1180, 800, 1), (980, 700, 1), (800, 600, 1), (700, 450, 2)]
        {
            page.scaled_size(width, height, scale);
            settle(&page);
            no_scrolling(&page, &format!("{view} at {width}"));
            if view == "induction" && width < 980 {
                for tab in ["conjectures", "claims", "counterexample"] {
                    press(&page, &with("[data-act=tab]", "data-tab", tab));
                    no_scrolling(&page, &format!("{view}, {tab} at {width}"));
                }
            }
        }
    }
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn in_a_narrow_window_the_first_conjecture_can_be_added() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = app.open(&browser);
    page.size(800, 600);
    press(&page, "[data-act=tab][data-tab=conjectures]");
    press(&page, ".suggestion.first [data-act=add]");
    press(&page, "[data-act=tab][data-tab=claims]");
    assert!(page.text(".left .log").contains("Added"));
    assert_eq!(page.complaints(), [""; 0]);
}
