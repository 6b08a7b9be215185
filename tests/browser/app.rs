//! The program with its page, as a person has it.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command};

use serde_json::{Value, json};

use crate::common::binary::{Dir, ramsey_binary};
use crate::driver::{Browser, Page};
use crate::keyboard::Modifier;

/// Seconds within which the page answers its questions, also where others keep the processors busy.
pub const PATIENCE: u64 = 240;

/// `ramsey ui` in a directory of its own. It ends when this is dropped.
pub struct App {
    pub dir: Dir,
    pub model: String,
    pub url: String,
    child: Child,
}

impl App {
    /// Serves a copy of an example.
    pub fn example(name: &str, args: &[&str]) -> App {
        let dir = Dir::new();
        dir.file(name, example(name));
        App::start(dir, name, args)
    }

    /// Serves a model in a directory.
    pub fn start(dir: Dir, model: &str, args: &[&str]) -> App {
        let mut command = Command::new(ramsey_binary());
        let mut child = dir.start(&mut command, &[&["ui", "--no-open"], args, &[model]].concat());
        let output = child.stdout.take().expect("a pipe");
        let mut url = String::new();
        BufReader::new(output).read_line(&mut url).expect("an address");
        assert!(url.starts_with("http://127.0.0.1:"), "{url:?}");
        App { dir, model: model.to_owned(), url: url.trim().to_owned(), child }
    }

    /// Ends the program, and starts it again.
    pub fn restarted(mut self, args: &[&str]) -> App {
        self.end();
        let dir = std::mem::replace(&mut self.dir, Dir::new());
        let model = self.model.clone();
        drop(self);
        App::start(dir, &model, args)
    }

    /// Opens the page, and waits until it has answered its first questions.
    pub fn open<'a>(&self, browser: &'a Browser) -> Page<'a> {
        let page = browser.page();
        page.size(1400, 900);
        page.open(&self.url);
        settle(&page);
        page
    }

    /// Returns the time that the program has worked, in ticks of the clock.
    pub fn worked(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        // User and system time come in places 14 and 15; the name before them may have spaces.
        let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
        fields.filter_map(|it| it.parse::<u64>().ok()).sum()
    }

    /// Sends the lines of a request, in which `HOST` is the authority, with a body, and returns the answer.
    pub fn request(&self, head: &str, body: &str) -> String {
        let authority = self.url["http://".len()..].split('/').next().expect("an authority");
        let mut stream = TcpStream::connect(authority).expect("a connection");
        let head = head.replace("HOST", authority);
        write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).expect("a request");
        let mut answer = Vec::new();
        // A refused connection may be reset behind the answer.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn end(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns the text of an example.
pub fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    fs::read_to_string(path).expect("an example")
}

/// Waits until all questions are answered that the page shows answers to.
#[track_caller]
pub fn settle(page: &Page<'_>) {
    page.wait("document.body.dataset.ready === 'true'", PATIENCE);
}

/// Clicks, and waits for what becomes of it.
#[track_caller]
pub fn press(page: &Page<'_>, selector: &str) {
    press_with(page, &[], selector);
}

/// Clicks while keys are held, and waits for what becomes of it.
#[track_caller]
pub fn press_with(page: &Page<'_>, modifiers: &[Modifier], selector: &str) {
    page.click_with(modifiers, selector);
    settle(page);
}

/// Presses a key, and waits for what becomes of it.
#[track_caller]
pub fn strike(page: &Page<'_>, key: &str) {
    page.key(key);
    settle(page);
}

/// Types a text into the field that has the focus.
#[track_caller]
pub fn enter(page: &Page<'_>, text: &str) {
    for character in text.chars() {
        match character {
            ' ' => page.key("Space"),
            _ => page.key(&character.to_string()),
        }
    }
}

/// Returns an attribute of all elements for a selector.
#[track_caller]
pub fn attributes(page: &Page<'_>, selector: &str, name: &str) -> Vec<String> {
    let list = format!(
        "[...document.querySelectorAll({})].map(it => it.getAttribute({}) ?? '')",
        json!(selector),
        json!(name)
    );
    strings(&page.eval(&list))
}

/// Returns the conjectures that are offered, without the quantifiers in front.
#[track_caller]
pub fn offered(page: &Page<'_>) -> Vec<String> {
    let formulas = attributes(page, ".suggestion .line [data-formula]", "data-formula");
    formulas.iter().map(|it| without_quantifiers(it).to_owned()).collect()
}

/// Returns what is quantified.
pub fn without_quantifiers(formula: &str) -> &str {
    match formula.split_once(". ") {
        Some((head, rest)) if head.starts_with("forall ") => rest,
        _ => formula,
    }
}

/// Returns a list of strings.
#[track_caller]
pub fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().unwrap_or_else(|| panic!("{value} is no list"));
    list.iter().map(|it| it.as_str().expect("a string").to_owned()).collect()
}

/// Returns the same without an order.
pub fn set(list: Vec<String>) -> BTreeSet<String> {
    list.into_iter().collect()
}

/// Returns the selector for an element whose attribute has a value.
pub fn with(selector: &str, name: &str, value: &str) -> String {
    format!("{selector}[{name}={}]", json!(value))
}
