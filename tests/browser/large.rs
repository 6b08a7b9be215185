//! Many elements and many states.

use serde_json::{Value, json};

use crate::app::{App, attributes, enter, press, settle, strike, with};
use crate::common::binary::Dir;
use crate::driver::{Browser, Page};

const LAMPS: &str = "
sort lamp
relation on: lamp
assume !on(X)
while * do {
  action flip(l: lamp) {
    if on(l) { on.remove(l) } else { on.insert(l) }
  }
}
safety [fine] on(X) -> on(X)
";

/// Begins a walk with so many lamps.
fn start(page: &Page<'_>, lamps: &str) {
    page.eval("document.querySelector('.start input').select()");
    for digit in lamps.chars() {
        page.key(&digit.to_string());
    }
    press(page, ".start [type=submit]");
}

/// Returns the number of boxes in the picture, its height, and the size of the document.
fn drawn(page: &Page<'_>) -> [u64; 3] {
    let found = page.eval(
        "[document.querySelectorAll('.state svg .box').length,
          Math.ceil(document.querySelector('.state svg').getBoundingClientRect().height),
          document.querySelectorAll('*').length]",
    );
    [0, 1, 2].map(|at| found[at].as_u64().expect("a number"))
}

#[test]
fn a_thousand_elements_are_a_few_and_a_table_of_all() {
    let Some(browser) = Browser::start() else { return };
    let dir = Dir::new();
    dir.file("lamps.rml", LAMPS);
    let app = App::start(dir, "lamps.rml", &[]);
    let page = app.open(&browser);
    strike(&page, "4");
    start(&page, "12");
    assert_eq!(drawn(&page)[0], 12);
    assert!(!page.text(".captions").contains("more"), "{}", page.text(".captions"));
    start(&page, "13");
    assert_eq!(drawn(&page)[0], 12);
    assert!(page.text(".captions").contains("1 more"), "{}", page.text(".captions"));
    start(&page, "1000");
    let [boxes, height, size] = drawn(&page);
    assert_eq!(boxes, 12);
    assert!(height < 4_000 && size < 1_000, "{height} {size}");
    assert!(page.text(".captions").contains("988 more"), "{}", page.text(".captions"));
    // What a step changes is told, and an element of which something is true is drawn.
    let way = with(".way", "data-args", "[\"lamp17\"]");
    assert!(page.text(&way).contains("on(lamp17)"), "{}", page.text(&way));
    press(&page, &way);
    assert!(attributes(&page, ".state svg .box", "data-element").contains(&"lamp17".to_owned()));
    press(&page, "[data-act=as][data-as=table]");
    page.eval("document.querySelector('.facts [type=search]').focus()");
    enter(&page, "lamp77");
    settle(&page);
    let facts = attributes(&page, ".facts tr[data-key]", "data-key");
    assert_eq!(facts.len(), 11, "{facts:?}");
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn a_thousand_states_can_be_scrolled_through() {
    let Some(browser) = Browser::start() else { return };
    let dir = Dir::new();
    dir.file("lamps.rml", LAMPS);
    let mut log = vec![
        json!({ "ramsey_session": 1, "model": "lamps.rml", "text": LAMPS }),
        json!({ "do": "start", "sizes": { "lamp": 2 } }),
    ];
    log.extend(
        (0..1_000).map(|at| json!({ "do": "take", "action": "flip", "args": [format!("lamp{}", at % 2)] })),
    );
    let log: String = log.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
    dir.file("lamps.rml.session", log);
    let app = App::start(dir, "lamps.rml", &[]);
    let page = app.open(&browser);
    strike(&page, "4");
    assert_eq!(page.text(".time output"), "state 1000 of 1000");
    // The page stays small, wherever one is, and the step that is shown can be seen.
    let shown = || {
        let found = page.eval(
            "(() => {
                const step = document.querySelector('.steps [aria-pressed=true]');
                const place = step.getBoundingClientRect();
                const list = step.closest('.column').getBoundingClientRect();
                return [Number(step.dataset.step), place.top >= list.top - 1 && place.bottom <= list.bottom + 1,
                        document.querySelectorAll('*').length < 1000,
                        [...document.querySelectorAll('.state .box')].filter(it => it.querySelector('[data-symbol=on]:not(.mark-removed)')).length];
            })()",
        );
        assert_eq!([&found[1], &found[2]], [&Value::Bool(true); 2], "{found}");
        [0, 3].map(|at| found[at].as_u64().expect("a number"))
    };
    assert_eq!(shown(), [1_000, 0]);
    strike(&page, "ArrowLeft");
    assert_eq!(shown(), [999, 1]);
    page.eval("document.querySelector('.time [type=range]').focus()");
    strike(&page, "Home");
    assert_eq!(shown(), [0, 0]);
    strike(&page, "ArrowRight");
    strike(&page, "ArrowRight");
    assert_eq!(shown(), [2, 2]);
    assert_eq!(page.complaints(), [""; 0]);
}
