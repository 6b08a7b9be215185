//! The program answers its own page alone, and no text becomes markup.

use serde_json::json;

use crate::app::{App, PATIENCE, attributes, enter, example, press, strike};
use crate::common::binary::Dir;
use crate::driver::Browser;
use crate::site::serve;

const START: &str = "leader_election_start.rml";
const MARKUP: &str = "<img src=x onerror=window.isRun=1>";

#[test]
fn requests_need_the_right_host_origin_and_token() {
    let Some(_) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let token = app.url.split("#k=").nth(1).expect("a token");
    let wrong = "0".repeat(token.len());
    let status = |host: &str, more: &str, token: &str| {
        let head = format!(
            "POST /api/v1/message HTTP/1.1\r\nHost: {host}\r\n{more}X-Ramsey-Token: {token}\r\n\
             Content-Type: application/json\r\n"
        );
        app.request(&head, r#"{"m":"state"}"#).split(' ').nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(status("HOST", "", token), "200");
    assert_eq!(status("HOST", "Origin: http://HOST\r\n", token), "200");
    assert_eq!(status("HOST", "", &wrong), "403");
    assert_eq!(status("HOST", "", ""), "403");
    assert_eq!(status("evil.example", "", token), "403");
    assert_eq!(status("HOST", "Origin: http://evil.example\r\n", token), "403");
    assert_eq!(status("HOST", "Origin: null\r\n", token), "403");
    assert_eq!(status("HOST", "Sec-Fetch-Site: cross-site\r\n", token), "403");
    let head = app.request("GET / HTTP/1.1\r\nHost: HOST\r\n", "");
    let policy = head.lines().find(|it| it.starts_with("Content-Security-Policy:")).expect("a policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(!head.to_ascii_lowercase().contains("access-control"), "{head}");
}

#[test]
fn a_page_without_the_key_tells_what_it_lacks() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let page = browser.page();
    page.open(app.url.split('#').next().expect("an address"));
    page.wait("document.querySelector('#main .problem')", PATIENCE);
    assert!(page.text("#main").contains("key"), "{}", page.text("#main"));
}

#[test]
fn other_pages_get_no_answer() {
    let Some(browser) = Browser::start() else { return };
    let app = App::example(START, &[]);
    let (own, token) = app.url.split_once("/#k=").expect("an address");
    let port = serve(&[("/", "", "<!DOCTYPE html><title>Other</title><link rel=icon href='data:,'>")]);
    let page = browser.page();
    page.open(&format!("http://localhost:{port}/"));
    let ask = |how: &str| {
        page.eval(&format!(
            "fetch('{own}/api/v1/message', {{ method: 'POST', body: '{{\"m\":\"undo\"}}', {how} }})
                .then(answer => answer.status, () => 'refused')"
        ))
    };
    let headers = format!("headers: {{ 'content-type': 'application/json', 'x-ramsey-token': '{token}' }}");
    assert_eq!(ask(&headers), json!("refused"));
    // Without a preflight the request arrives, and nothing can be done with the answer.
    assert_eq!(ask("mode: 'no-cors'"), json!("refused"));
    assert_eq!(page.eval(&format!("fetch('{own}/').then(() => 'read', () => 'refused')")), json!("refused"));
}

#[test]
fn texts_are_no_markup() {
    let Some(browser) = Browser::start() else { return };
    let model = format!("{MARKUP}.rml");
    let dir = Dir::new();
    dir.file(&model, example(START).replace("// send", "// <b>send</b>"));
    let app = App::start(dir, &model, &[]);
    let page = app.open(&browser);
    assert!(page.text(".file").contains(MARKUP));
    assert!(page.text(".matrix").contains("<b>send</b>"), "{}", page.text(".matrix"));
    // A conjecture.
    press(&page, ".left [data-act=own]");
    page.wait("document.activeElement.id === 'own'", PATIENCE);
    enter(&page, MARKUP);
    press(&page, ".own [type=submit]");
    page.wait("document.querySelector('#own-error')", PATIENCE);
    assert_eq!(page.eval("document.querySelector('#own').value"), json!(MARKUP));
    press(&page, ".own [data-act=own-close]");
    // A remark.
    press(&page, ".left [data-act=note]");
    page.wait("document.activeElement.name === 'text'", PATIENCE);
    enter(&page, MARKUP);
    press(&page, "dialog [type=submit]");
    assert!(page.text(".left .log").contains(MARKUP), "{}", page.text(".left .log"));
    for view in ["2", "3", "4", "5", "1"] {
        strike(&page, view);
        assert_eq!(page.eval("[document.images.length, window.isRun ?? 0]"), json!([0, 0]), "{view}");
    }
    // Pictures are visible though inline styles are forbidden.
    let fills = page
        .eval("[...document.querySelectorAll('.state .box .frame')].map(it => getComputedStyle(it).fill)");
    let fills = fills.as_array().expect("a list");
    assert!(!fills.is_empty() && fills.iter().all(|it| it != "rgb(0, 0, 0)"), "{fills:?}");
    assert_eq!(attributes(&page, "#main [style], #main style", "class"), [""; 0]);
    // The browser tells that the conjecture was refused, and nothing else.
    let complaints = page.complaints();
    assert!(complaints.len() == 1 && complaints[0].contains("409"), "{complaints:?}");
}
