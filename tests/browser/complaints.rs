//! The driver sees what is wrong in a page, though the page looks right.

use std::time::Instant;

use crate::driver::Browser;
use crate::pipe::PATIENCE;
use crate::site::serve;

const PAGE: &str = "<!DOCTYPE html><title>Page</title><link rel=icon href='data:,'>";
const POLICY: &str = "Content-Security-Policy: default-src 'none'; img-src 'self' data:; connect-src *\r\n";

#[test]
fn each_fault_is_a_complaint_and_a_quiet_page_has_none() {
    let Some(browser) = Browser::start() else { return };
    let port = serve(&[("/", "", PAGE), ("/strict", POLICY, PAGE), ("/other", "", PAGE)]);
    let own = format!("http://127.0.0.1:{port}");
    let other = format!("http://localhost:{port}/other");
    for (path, act, expected) in [
        ("/", "console.error('bad', 1)", "console: bad 1"),
        ("/", "console.assert(false, 'odd')", "console: odd"),
        ("/", "setTimeout(() => nothing.at.all)", "nothing is not defined"),
        ("/", "setTimeout(() => { throw 'text' })", "uncaught: text"),
        ("/", "void Promise.reject(new Error('refused'))", "Error: refused"),
        ("/", "fetch('/missing').then(() => 1)", "404"),
        ("/", "fetch('http://127.0.0.1:1/').catch(() => 1)", "request failed: net::"),
        (
            "/",
            "fetch('OTHER', { mode: 'no-cors' }).then(() => 1)",
            "request to another origin: http://localhost:",
        ),
        ("/", "void new WebSocket('ws://127.0.0.1:1/')", "request to another origin: ws://"),
        ("/strict", "document.body.setAttribute('style', 'color: red')", "Content Security Policy"),
        ("/strict", "void (document.body.innerHTML = '<img src=x onerror=1>')", "Content Security Policy"),
    ] {
        let page = browser.page();
        page.open(&format!("{own}{path}"));
        assert_eq!(page.complaints(), [""; 0], "{act}");
        page.eval(&act.replace("OTHER", &other));
        let start = Instant::now();
        let mut complaints = Vec::new();
        while !complaints.iter().any(|it: &String| it.contains(expected)) {
            assert!(start.elapsed() < PATIENCE, "{act}: {complaints:?}");
            complaints.extend(page.complaints());
        }
    }
}

#[test]
fn what_is_right_is_no_complaint() {
    let Some(browser) = Browser::start() else { return };
    let port = serve(&[("/", "", PAGE), ("/other", "", PAGE)]);
    let page = browser.page();
    page.open(&format!("http://127.0.0.1:{port}/"));
    page.eval("fetch('/other').then(answer => answer.text())");
    page.eval("console.log('a word')");
    page.eval("console.error('told once')");
    assert_eq!(page.complaints(), ["console: told once"]);
    page.eval("new Promise(done => { const it = new Image(); it.onerror = it.onload = done; \
               it.src = 'data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\"/>'; document.body.append(it) })");
    // A page may give up its own requests.
    page.eval(
        "(() => { const it = new AbortController(); const got = fetch('/other', it); it.abort(); \
               return got.catch(() => 1) })()",
    );
    assert_eq!(page.complaints(), [""; 0]);
}
