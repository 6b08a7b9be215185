//! A driver for pages in headless Chromium.
//!
//! What goes wrong is a panic that says what was waited for: the driver is for tests. It is written here because the published
//! clients of the DevTools protocol bring an asynchronous runtime or types for the whole protocol, a minute of a processor to
//! compile and more, and talk over a socket that other programs can open.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::common::skip::skipped;
use crate::keyboard::{self, Modifier};
use crate::pipe::{PATIENCE, Pipe, program};

/// Interval of looking at a condition.
const POLL: Duration = Duration::from_millis(20);

/// The running browser, as long as a test uses it.
static RUNNING: Mutex<Weak<Pipe>> = Mutex::new(Weak::new());

/// A browser that tests share: each page has storage of its own. It ends when the last one is dropped.
pub struct Browser(Arc<Pipe>);

impl Browser {
    /// Starts a browser, or says that the test is skipped if none is installed.
    pub fn start() -> Option<Browser> {
        let Some(program) = program() else {
            static TOLD: Once = Once::new();
            TOLD.call_once(|| skipped("pages, as there is no Chromium (nor does RAMSEY_CHROMIUM name one)"));
            return None;
        };
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let pipe = running.upgrade().unwrap_or_else(|| Arc::new(Pipe::start(&program)));
        *running = Arc::downgrade(&pipe);
        Some(Browser(pipe))
    }

    /// Opens an empty page of 1280 x 800 pixels with little motion, which shares no storage with the others.
    pub fn page(&self) -> Page<'_> {
        let call =
            |method, params| self.0.call(None, method, params).unwrap_or_else(|error| panic!("{error}"));
        let context = call("Target.createBrowserContext", json!({}));
        let target = json!({ "url": "about:blank", "browserContextId": context["browserContextId"] });
        let target = call("Target.createTarget", target);
        let attached =
            call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        let session = attached["sessionId"].as_str().expect("a session").to_owned();
        let context = context["browserContextId"].as_str().expect("a context").to_owned();
        let (media, origin) = (RefCell::default(), RefCell::default());
        let page = Page { pipe: &self.0, context, session, media, origin };
        for domain in ["Page", "Runtime", "Log", "Network", "Inspector"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.call("Page.setLifecycleEventsEnabled", json!({ "enabled": true }));
        page.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        page.size(1280, 800);
        // What moves while a page waits is drawn sixty times a second, by this processor.
        page.reduced_motion(true);
        page
    }
}

/// A page of a browser.
pub struct Page<'a> {
    pipe: &'a Pipe,
    context: String,
    session: String,
    media: RefCell<Media>,
    /// Origin of the address that was opened last.
    origin: RefCell<String>,
}

/// Preferences of the user that a page can ask for.
#[derive(Clone, Default)]
struct Media {
    scheme: String,
    is_motion_reduced: bool,
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        self.pipe.dispose(&self.context, &self.session);
    }
}

impl Page<'_> {
    #[track_caller]
    fn call(&self, method: &str, params: Value) -> Value {
        self.pipe.call(Some(&self.session), method, params).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Opens an address, and waits until the document and its scripts are loaded.
    #[track_caller]
    pub fn open(&self, url: &str) {
        *self.origin.borrow_mut() = origin(url).to_owned();
        let answer = self.call("Page.navigate", json!({ "url": url }));
        assert!(answer["errorText"].is_null(), "{url}: {}", answer["errorText"]);
        // Without a loader only the fragment has changed.
        if answer["loaderId"].is_null() {
            return;
        }
        let is_loaded = |event: &Value| {
            let params = &event["params"];
            event["method"] == "Page.lifecycleEvent"
                && params["name"] == "load"
                && params["loaderId"] == answer["loaderId"]
        };
        let until = Instant::now() + PATIENCE;
        while self.pipe.take_events(&self.session, is_loaded).is_empty() {
            assert!(Instant::now() < until, "{url} is not loaded");
            thread::sleep(POLL);
        }
    }

    /// Evaluates an expression, waits for its promise if it is one, and returns what becomes of it in JSON.
    #[track_caller]
    pub fn eval(&self, js: &str) -> Value {
        self.try_eval(js).unwrap_or_else(|error| panic!("{js}: {error}"))
    }

    fn try_eval(&self, js: &str) -> Result<Value, String> {
        let params =
            json!({ "expression": js, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let mut answer = self.pipe.call(Some(&self.session), "Runtime.evaluate", params)?;
        match &answer["exceptionDetails"] {
            Value::Null => Ok(answer["result"]["value"].take()),
            details => Err(exception(details)),
        }
    }

    /// Waits until an expression is true. While it throws it is not.
    #[track_caller]
    pub fn wait(&self, js: &str, seconds: u64) {
        let until = Instant::now() + Duration::from_secs(seconds);
        let condition = format!("Boolean({js})");
        loop {
            let answer = self.try_eval(&condition);
            if answer == Ok(Value::Bool(true)) {
                return;
            }
            if Instant::now() >= until {
                let title = self.try_eval("document.title").unwrap_or_default();
                let why = answer.err().map(|error| format!(": {error}")).unwrap_or_default();
                panic!("in {seconds} s, `{js}` did not become true on the page {title}{why}");
            }
            thread::sleep(POLL);
        }
    }

    /// Clicks on the centre of the first element for a selector, with the mouse.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        self.click_with(&[], selector);
    }

    /// Clicks while keys are held.
    #[track_caller]
    pub fn click_with(&self, modifiers: &[Modifier], selector: &str) {
        let place = self.centre(selector);
        for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
            self.mouse(kind, buttons, place, modifiers);
        }
    }

    /// Presses the mouse on the centre of the first element for a selector, moves it in three steps by so many pixels to
    /// the right and down, and releases it.
    #[track_caller]
    pub fn drag(&self, selector: &str, right: f64, down: f64) {
        let (x, y) = self.centre(selector);
        self.mouse("mouseMoved", 0, (x, y), &[]);
        self.mouse("mousePressed", 1, (x, y), &[]);
        for part in [0.2, 0.6, 1.0] {
            self.mouse("mouseMoved", 1, (x + part * right, y + part * down), &[]);
        }
        self.mouse("mouseReleased", 0, (x + right, y + down), &[]);
    }

    /// Sends an event of the mouse, after which `buttons` are pressed.
    #[track_caller]
    fn mouse(&self, kind: &str, buttons: u8, (x, y): (f64, f64), modifiers: &[Modifier]) {
        let button = if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" };
        let event = json!({
            "type": kind, "x": x, "y": y, "button": button, "buttons": buttons,
            "clickCount": 1, "modifiers": keyboard::bits(modifiers),
        });
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Scrolls to the first element for a selector, and returns its centre when nothing lies upon it.
    #[track_caller]
    fn centre(&self, selector: &str) -> (f64, f64) {
        let find = format!(
            "(() => {{
                const element = document.querySelector({});
                if (!element) return null;
                element.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
                const box = element.getBoundingClientRect();
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                const top = document.elementFromPoint(x, y);
                return top && (element.contains(top) || top.contains(element)) ? [x, y] : null;
            }})()",
            json!(selector)
        );
        let until = Instant::now() + PATIENCE;
        loop {
            let place = self.eval(&find);
            if let (Some(x), Some(y)) = (place[0].as_f64(), place[1].as_f64()) {
                return (x, y);
            }
            assert!(Instant::now() < until, "`{selector}` is not there, or something lies upon it");
            thread::sleep(POLL);
        }
    }

    /// Presses a key: a character, or a name such as `Enter` or `ArrowLeft`.
    #[track_caller]
    pub fn key(&self, name: &str) {
        self.keys(&[], name);
    }

    /// Presses a key while others are held.
    #[track_caller]
    pub fn keys(&self, modifiers: &[Modifier], name: &str) {
        let mut event = keyboard::key(name, modifiers);
        for kind in ["keyDown", "keyUp"] {
            event["type"] = kind.into();
            self.call("Input.dispatchKeyEvent", event.clone());
            event["text"] = "".into();
        }
    }

    /// Returns the visible text of the first element for a selector, for which it waits.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        let selector = json!(selector);
        self.wait(&format!("document.querySelector({selector})"), PATIENCE.as_secs());
        let text = self.eval(&format!("document.querySelector({selector}).innerText"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Writes a picture of what is visible, in PNG.
    #[track_caller]
    pub fn screenshot(&self, path: &Path) {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let data = answer["data"].as_str().expect("a picture");
        let bytes = BASE64.decode(data.as_bytes()).expect("a picture in Base64");
        fs::write(path, bytes).expect("a file for the picture");
    }

    /// Sets the size of what is visible, in pixels.
    #[track_caller]
    pub fn size(&self, width: u32, height: u32) {
        self.scaled_size(width, height, 1);
    }

    /// Sets the size of what is visible, in pixels of CSS, and how many pixels of the device each has. So a window looks
    /// that is zoomed.
    #[track_caller]
    pub fn scaled_size(&self, width: u32, height: u32, scale: u32) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Prefers a colour scheme: `dark` or `light`.
    #[track_caller]
    pub fn scheme(&self, scheme: &str) {
        scheme.clone_into(&mut self.media.borrow_mut().scheme);
        self.emulate_media();
    }

    /// Prefers reduced motion, or not.
    #[track_caller]
    pub fn reduced_motion(&self, is_reduced: bool) {
        self.media.borrow_mut().is_motion_reduced = is_reduced;
        self.emulate_media();
    }

    #[track_caller]
    fn emulate_media(&self) {
        let Media { scheme, is_motion_reduced } = self.media.borrow().clone();
        let motion = if is_motion_reduced { "reduce" } else { "no-preference" };
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Returns what was wrong since the last call: errors on the console, uncaught exceptions, what the
    /// Content-Security-Policy blocked, failed requests, and requests to other origins.
    #[track_caller]
    pub fn complaints(&self) -> Vec<String> {
        // What is on its way has arrived when a later task of the page has.
        self.eval("new Promise(done => setTimeout(done, 50))");
        let own = self.origin.borrow();
        let complaint = |event: &Value| complaint(event, &own);
        let events = self.pipe.take_events(&self.session, |event| complaint(event).is_some());
        events.iter().filter_map(complaint).collect()
    }
}

/// Returns the complaint that an event is, if it is one. `own` is the origin of the page.
fn complaint(event: &Value, own: &str) -> Option<String> {
    let params = &event["params"];
    let url = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => Some(format!("uncaught: {}", exception(&params["exceptionDetails"]))),
        "Runtime.consoleAPICalled" if params["type"] == "error" || params["type"] == "assert" => {
            let words = params["args"].as_array()?.iter().map(|it| match &it["value"] {
                Value::String(text) => text.clone(),
                Value::Null => url(&it["description"]),
                value => value.to_string(),
            });
            Some(format!("console: {}", words.collect::<Vec<_>>().join(" ")))
        }
        "Log.entryAdded" if params["entry"]["level"] == "error" => {
            let entry = &params["entry"];
            Some(format!("{}: {} {}", url(&entry["source"]), url(&entry["text"]), url(&entry["url"])))
        }
        // A request that the page itself gives up has not failed.
        "Network.loadingFailed" if params["canceled"] != true => {
            Some(format!("request failed: {}", url(&params["errorText"])))
        }
        "Network.requestWillBeSent" => other_origin(&url(&params["request"]["url"]), own),
        "Network.webSocketCreated" => other_origin(&url(&params["url"]), own),
        "Inspector.targetCrashed" => Some("the page has crashed".into()),
        _ => None,
    }
}

/// Returns a complaint about a request to another origin. Data in an address are no request.
fn other_origin(url: &str, own: &str) -> Option<String> {
    let is_local = url.starts_with("data:") || url.starts_with("blob:") || origin(url) == own;
    (!is_local).then(|| format!("request to another origin: {url}"))
}

/// Returns scheme, host and port of an address.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(url.len(), |at| at + "://".len());
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    &url[..end]
}

/// Returns what was thrown, and where.
fn exception(details: &Value) -> String {
    let thrown = &details["exception"];
    let text =
        [&thrown["description"], &thrown["value"], &details["text"]].into_iter().find(|it| !it.is_null());
    let text = text.map_or_else(String::new, |it| it.as_str().map_or_else(|| it.to_string(), str::to_owned));
    format!("{text} ({}:{})", details["url"].as_str().unwrap_or_default(), details["lineNumber"])
}
