//! The driver does what a person at the browser does.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::json;

use crate::common::binary::Dir;
use crate::driver::Browser;
use crate::keyboard::Modifier;
use crate::site::serve;

const PAGE: &str = r#"<!DOCTYPE html>
<title>Counter</title>
<link rel="icon" href="data:,">
<style>
  body { margin: 0; height: 5000px; background: white }
  @media (prefers-color-scheme: dark) { body { background: black } }
  button { position: absolute; left: 3000px; top: 4000px }
  #late { visibility: hidden; position: fixed; left: 0; top: 0 }
</style>
<p id="keys"></p>
<input>
<button>Count</button>
<p id="count">0</p>
<p id="late">late</p>
<script>
  const button = document.querySelector("button");
  button.addEventListener("click", event => {
    const count = document.getElementById("count");
    count.textContent = Number(count.textContent) + (event.shiftKey ? 10 : 1);
    count.dataset.trusted = event.isTrusted;
    setTimeout(() => document.getElementById("late").style.visibility = "visible", 200);
  });
  document.addEventListener("keydown", event => {
    const held = ["alt", "ctrl", "meta", "shift"].filter(name => event[name + "Key"]);
    document.getElementById("keys").textContent += [...held, event.key].join("-") + " ";
  });
</script>
"#;

#[test]
fn clicks_and_keys_are_those_of_a_person() {
    let Some(browser) = Browser::start() else { return };
    let page = browser.page();
    let port = serve(&[("/", "", PAGE)]);
    page.open(&format!("http://127.0.0.1:{port}/"));
    assert_eq!(page.eval("document.title"), json!("Counter"));

    page.click("button");
    assert_eq!(page.text("#count"), "1");
    assert_eq!(page.eval("document.getElementById('count').dataset.trusted"), json!("true"));
    page.click_with(&[Modifier::Shift], "button");
    assert_eq!(page.text("#count"), "11");
    page.wait("document.getElementById('late').checkVisibility({ visibilityProperty: true })", 30);

    for key in ["a", "A", "7", "?", "]", "é", "Escape", "ArrowLeft"] {
        page.key(key);
    }
    page.keys(&[Modifier::Shift], "ArrowRight");
    page.keys(&[Modifier::Control, Modifier::Shift], "z");
    page.keys(&[Modifier::Alt], "q");
    page.keys(&[Modifier::Meta], "i");
    assert_eq!(
        page.text("#keys"),
        "a shift-A 7 shift-? ] é Escape ArrowLeft shift-ArrowRight ctrl-shift-z alt-q meta-i"
    );

    // Keys have the effects that the browser gives them.
    page.click("input");
    for key in ["x", "y", "Space", "Z", "Backspace", "ArrowLeft", "-"] {
        page.key(key);
    }
    assert_eq!(page.eval("document.querySelector('input').value"), json!("xy- "));
    page.key("Tab");
    page.wait("document.activeElement === document.querySelector('button')", 30);
    page.key("Enter");
    assert_eq!(page.text("#count"), "12");
    page.key("Space");
    assert_eq!(page.text("#count"), "13");
    assert_eq!(page.complaints(), [""; 0]);
}

#[test]
fn pages_see_the_size_and_preferences_of_the_user() {
    let Some(browser) = Browser::start() else { return };
    let page = browser.page();
    let port = serve(&[("/", "", PAGE)]);
    page.open(&format!("http://localhost:{port}/"));
    page.size(640, 480);
    assert_eq!(page.eval("[innerWidth, innerHeight]"), json!([640, 480]));
    let asks = |feature: &str| page.eval(&format!("matchMedia('({feature})').matches"));
    page.scheme("dark");
    page.reduced_motion(true);
    assert_eq!(asks("prefers-color-scheme: dark"), json!(true));
    assert_eq!(asks("prefers-reduced-motion: reduce"), json!(true));
    let dir = Dir::new();
    let picture = |name: &str| {
        page.screenshot(&dir.0.join(name));
        fs::read(dir.0.join(name)).expect("a picture")
    };
    let dark = picture("dark.png");
    page.scheme("light");
    page.reduced_motion(false);
    assert_eq!(asks("prefers-color-scheme: dark"), json!(false));
    assert_eq!(asks("prefers-reduced-motion: reduce"), json!(false));
    let light = picture("light.png");
    for bytes in [&dark, &light] {
        // Signature, head, width and height.
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(&bytes[12..24], b"IHDR\0\0\x02\x80\0\0\x01\xe0");
        assert_eq!(&bytes[bytes.len() - 8..][..4], b"IEND");
    }
    assert_ne!(dark, light);
}

#[test]
fn expressions_are_evaluated_in_the_page() {
    let Some(browser) = Browser::start() else { return };
    let page = browser.page();
    assert_eq!(page.eval("({ a: [1, 'b', null] })"), json!({ "a": [1, "b", null] }));
    assert_eq!(page.eval("undefined"), json!(null));
    assert_eq!(page.eval("new Promise(done => setTimeout(() => done(7), 100))"), json!(7));
    let fails = |act: &dyn Fn()| {
        let panic = catch_unwind(AssertUnwindSafe(act)).expect_err("a failure");
        panic.downcast_ref::<String>().expect("a text").clone()
    };
    let error = fails(&|| drop(page.eval("nothing.at.all")));
    assert!(error.contains("nothing is not defined"), "{error}");
    page.eval("document.title = 'Waiting'");
    let error = fails(&|| page.wait("1 === 2", 1));
    assert!(error.contains("`1 === 2`") && error.contains("\"Waiting\""), "{error}");
    let error = fails(&|| page.wait("document.querySelector('p').id", 1));
    assert!(error.contains("null"), "{error}");
    let error = fails(&|| page.open("http://127.0.0.1:1/"));
    assert!(error.contains("net::"), "{error}");
}

#[test]
fn pages_share_nothing() {
    let Some(browser) = Browser::start() else { return };
    let port = serve(&[("/", "", PAGE)]);
    let pages = [browser.page(), browser.page()];
    for (page, value) in pages.iter().zip(["1", "2"]) {
        page.open(&format!("http://127.0.0.1:{port}/"));
        page.eval(&format!("localStorage.setItem('value', {value})"));
    }
    for (page, value) in pages.iter().zip(["1", "2"]) {
        assert_eq!(page.eval("localStorage.getItem('value')"), json!(value));
        page.click("button");
        assert_eq!(page.text("#count"), "1");
    }
    // A change of the fragment alone loads nothing.
    pages[0].open(&format!("http://127.0.0.1:{port}/#part"));
    assert_eq!(pages[0].eval("location.hash"), json!("#part"));
    assert_eq!(pages[0].text("#count"), "1");
}
