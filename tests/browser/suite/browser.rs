//! Chromium without a window, with one report open.

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use support::Scratch;

use crate::devtools::{DevTools, LIMIT};

/// Chromium, and what talks to it.
struct Running {
    browser: DevTools,
    /// Its settings.
    _folder: Scratch,
}

impl Running {
    /// The browser of all tests that run at this time, each of which has a tab
    /// of its own. It ends with the last of them.
    fn now() -> Arc<Self> {
        static NOW: Mutex<Weak<Running>> = Mutex::new(Weak::new());
        // A test that fails leaves the browser as it was.
        let mut now = NOW.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = now.upgrade() {
            return running;
        }
        let folder = Scratch::new("chromium");
        let browser = DevTools::start(&chromium(), folder.path());
        let started = Arc::new(Self { browser, _folder: folder });
        *now = Arc::downgrade(&started);
        started
    }
}

/// Where Chromium is.
fn chromium() -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
    let usual = env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    env::var_os("SUBSUME_CHROMIUM")
        .map(PathBuf::from)
        .into_iter()
        .chain(usual)
        .find(|file| file.is_file())
        .expect("Chromium is on the path (package chromium), or SUBSUME_CHROMIUM says where it is")
}

/// Ctrl, as the DevTools protocol writes it.
const CONTROL: u32 = 2;

/// A report in a tab.
pub struct Page {
    running: Arc<Running>,
    target: String,
    session: String,
}

impl Page {
    /// Opens a report on a screen of 1280 by 800 pixels.
    pub fn open(report: &Path) -> Self {
        Self::open_at(report, "")
    }

    /// Opens a report at an address within it, such as `#/ring`.
    pub fn open_at(report: &Path, address: &str) -> Self {
        let running = Running::now();
        let call = |method, parameters| running.browser.call(None, method, parameters);
        // Tabs behind others are not painted, so each is in a window of its own.
        let wanted = json!({ "url": "about:blank", "newWindow": true });
        let target = name(&call("Target.createTarget", wanted)["targetId"]);
        let wanted = json!({ "targetId": target, "flatten": true });
        let session = name(&call("Target.attachToTarget", wanted)["sessionId"]);
        let page = Self { running, target, session };
        for domain in ["Page", "Runtime", "Log"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        page.size(1280, 800);
        page.media("screen", "light");
        let url = format!("file://{}{address}", report.display());
        page.call("Page.navigate", json!({ "url": url }));
        page.wait_for_load();
        page.wait_for("document.getElementById('report')?.dataset.ready === 'yes'");
        page
    }

    /// Waits until the page is there with all that belongs to it; before that, expressions
    /// are those of the empty one.
    fn wait_for_load(&self) {
        let begun = Instant::now();
        while !self.events().iter().any(|event| event["method"] == "Page.loadEventFired") {
            assert!(begun.elapsed() < LIMIT, "the page does not load; {self:?}");
            sleep(Duration::from_millis(5));
        }
    }

    /// Calls a method of the DevTools protocol with these parameters.
    fn call(&self, method: &str, parameters: Value) -> Value {
        self.running.browser.call(Some(&self.session), method, parameters)
    }

    fn events(&self) -> Vec<Value> {
        self.running.browser.events(&self.session)
    }

    /// The value of a JavaScript expression, which may be a promise.
    pub fn value(&self, expression: &str) -> Value {
        let guarded = format!(
            "(async () => {{ try {{ return JSON.stringify({{ value: await ({expression}) }}); }} \
             catch (error) {{ return JSON.stringify({{ error: String(error) }}); }} }})()"
        );
        let parameters = json!({ "expression": guarded, "awaitPromise": true });
        let told = self.call("Runtime.evaluate", parameters);
        let text = told["result"]["value"].as_str().expect("the answer is text");
        let mut answer: Value = serde_json::from_str(text).expect("the answer is JSON");
        assert!(answer.get("error").is_none(), "{expression}: {}", answer["error"]);
        answer["value"].take()
    }

    /// The value of an expression that is text.
    pub fn text(&self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}")).to_owned()
    }

    /// The value of an expression that is a number.
    pub fn number(&self, expression: &str) -> f64 {
        let value = self.value(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// Waits until an expression is true, and until the page has answered: an
    /// address is new before the page hears of it.
    pub fn wait_for(&self, expression: &str) {
        let begun = Instant::now();
        while self.value(&format!("Boolean({expression})")) != true {
            assert!(begun.elapsed() < LIMIT, "{expression} does not become true; {self:?}");
            sleep(Duration::from_millis(20));
        }
        self.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 20)))");
    }

    /// Waits until a picture has its last form; nothing flies here.
    pub fn settle(&self) {
        self.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 150)))");
    }

    /// The address within the report.
    pub fn address(&self) -> String {
        self.text("location.hash")
    }

    /// Goes to an address within the report.
    pub fn go(&self, address: &str) {
        self.value(&format!("void (location.hash = {})", json!(address)));
        self.wait_for(&format!(
            "document.getElementById('view').dataset.view !== undefined && location.hash === {}",
            json!(address)
        ));
        // The page hears of its address in a later turn.
        self.value("new Promise(done => setTimeout(done, 30))");
    }

    /// Makes the window so large.
    pub fn size(&self, width: u32, height: u32) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1.0, "mobile": false }),
        );
    }

    /// Sets what style sheets ask for: a medium, a colour scheme.
    pub fn media(&self, medium: &str, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.call("Emulation.setEmulatedMedia", json!({ "media": medium, "features": features }));
    }

    /// Lets pictures fly, as they do for readers who did not ask for less motion.
    pub fn move_freely(&self) {
        self.call("Emulation.setEmulatedMedia", json!({ "media": "screen", "features": [] }));
    }

    /// Moves the pointer.
    pub fn point(&self, x: f64, y: f64) {
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y }));
    }

    /// Clicks.
    pub fn click_at(&self, x: f64, y: f64) {
        self.click_with(0, x, y);
    }

    /// Clicks with Ctrl held down, which selects in a picture.
    pub fn select_at(&self, x: f64, y: f64) {
        self.click_with(CONTROL, x, y);
    }

    fn click_with(&self, modifiers: u32, x: f64, y: f64) {
        self.point(x, y);
        for kind in ["mousePressed", "mouseReleased"] {
            self.call(
                "Input.dispatchMouseEvent",
                json!({
                    "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1,
                    "modifiers": modifiers,
                }),
            );
        }
    }

    /// Presses, moves and releases the button.
    pub fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        self.point(from.0, from.1);
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let steps = [
            ("mousePressed", from),
            ("mouseMoved", middle),
            ("mouseMoved", to),
            ("mouseReleased", to),
        ];
        for (kind, (x, y)) in steps {
            self.call(
                "Input.dispatchMouseEvent",
                json!({
                    "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1,
                }),
            );
        }
    }

    /// Clicks into the middle of the element that a selector finds.
    pub fn click(&self, selector: &str) {
        let middle = self.value(&format!(
            "(() => {{ const found = document.querySelector({}); \
             found.scrollIntoView({{ block: 'center' }}); \
             const box = found.getClientRects()[0]; \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        ));
        let at = |axis: usize| middle[axis].as_f64().expect("a place is a number");
        self.click_at(at(0), at(1));
    }

    /// Presses a key, told by its name.
    pub fn key(&self, key: &str) {
        let (code, number) = code_of(key);
        let text = match key {
            "Enter" => Some("\r"),
            letter => Some(letter).filter(|letter| letter.chars().count() == 1),
        };
        for kind in [if text.is_some() { "keyDown" } else { "rawKeyDown" }, "keyUp"] {
            let mut event = json!({
                "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number,
            });
            if let Some(text) = text.filter(|_| kind == "keyDown") {
                event["text"] = text.into();
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Types text, key by key.
    pub fn write(&self, text: &str) {
        for letter in text.chars() {
            self.key(&letter.to_string());
        }
    }

    /// The report on paper.
    pub fn print(&self) -> Vec<u8> {
        bytes(&self.call("Page.printToPDF", json!({})))
    }

    /// A picture of the window.
    pub fn screenshot(&self, file: &Path) {
        let picture = bytes(&self.call("Page.captureScreenshot", json!({})));
        fs::write(file, picture).expect("the picture can be written");
    }

    /// What the browser complained about since the page opened.
    pub fn complaints(&self) -> Vec<String> {
        let complaint = |event: &Value| {
            let told = &event["params"];
            match event["method"].as_str()? {
                "Runtime.consoleAPICalled" => Some(format!("console: {}", told["args"])),
                "Runtime.exceptionThrown" => Some(told["exceptionDetails"].to_string()),
                "Log.entryAdded" => Some(format!("log: {}", told["entry"]["text"])),
                _ => None,
            }
        };
        self.events().iter().filter_map(complaint).collect()
    }
}

/// A name that the browser has given.
fn name(told: &Value) -> String {
    told.as_str().expect("the browser names what it opens").to_owned()
}

/// What the browser has made, from an answer.
fn bytes(answer: &Value) -> Vec<u8> {
    let text = answer["data"].as_str().expect("the browser sends what it made");
    STANDARD.decode(text).expect("it is base64")
}

/// The place of a key on the keyboard, and its number on Windows.
fn code_of(key: &str) -> (String, u32) {
    let named = match key {
        "Enter" => 13,
        "Escape" => 27,
        " " => return ("Space".to_owned(), 32),
        "End" => 35,
        "ArrowLeft" => 37,
        "ArrowUp" => 38,
        "ArrowRight" => 39,
        "ArrowDown" => 40,
        "/" | "?" => return ("Slash".to_owned(), 191),
        "." => return ("Period".to_owned(), 190),
        _ => {
            let upper = key.to_ascii_uppercase();
            let &[byte] = upper.as_bytes() else { panic!("{key} is not a key") };
            let row = if byte.is_ascii_digit() { "Digit" } else { "Key" };
            assert!(byte.is_ascii_alphanumeric(), "{key} is not a key");
            return (format!("{row}{upper}"), byte.into());
        }
    };
    (key.to_owned(), named)
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "page with {:?}", self.complaints())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // The browser goes on for other tests; a tab that stays is of no harm.
        let parameters = json!({ "targetId": self.target });
        let _ = self.running.browser.try_call(None, "Target.closeTarget", parameters);
        if !std::thread::panicking() {
            assert_eq!(self.complaints(), Vec::<String>::new());
        }
    }
}
