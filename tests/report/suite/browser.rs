//! Chromium without a window, with one report open.

use std::env;
use std::fmt;
use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};
use std::thread::sleep;
use std::time::{Duration, Instant};

use chromiumoxide::Command;
use chromiumoxide::browser::{Browser, BrowserConfig};
use chromiumoxide::cdp::IntoEventKind;
use chromiumoxide::cdp::browser_protocol::emulation::{
    SetDeviceMetricsOverrideParams, SetEmulatedMediaParams, SetFocusEmulationEnabledParams,
};
use chromiumoxide::cdp::browser_protocol::input::{
    DispatchKeyEventParams, DispatchMouseEventParams,
};
use chromiumoxide::cdp::browser_protocol::log::{EnableParams, EventEntryAdded};
use chromiumoxide::cdp::browser_protocol::page::PrintToPdfParams;
use chromiumoxide::cdp::browser_protocol::target::CreateTargetParams;
use chromiumoxide::cdp::js_protocol::runtime::{
    EvaluateParams, EventConsoleApiCalled, EventExceptionThrown,
};
use chromiumoxide::keys::get_key_definition;
use chromiumoxide::page::ScreenshotParams;
use futures::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use kit::Scratch;

/// Nothing here takes a tenth of this, also on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Chromium, and what talks to it.
struct Running {
    runtime: Runtime,
    browser: Mutex<Browser>,
    /// Its settings.
    _folder: Scratch,
}

impl Running {
    /// The browser of all tests that run at this time, each of which has a tab
    /// of its own. It ends with the last of them.
    fn now() -> Arc<Self> {
        static NOW: Mutex<Weak<Running>> = Mutex::new(Weak::new());
        // A test that fails leaves the browser as it was.
        let mut now = NOW.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(running) = now.upgrade() {
            return running;
        }
        let started = Arc::new(Self::start());
        *now = Arc::downgrade(&started);
        started
    }

    fn start() -> Self {
        let folder = Scratch::new("chromium");
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a thread can be started");
        let config = BrowserConfig::builder()
            .chrome_executable(chromium())
            .user_data_dir(folder.path())
            // A container's root may not have a sandbox; the pages are our own.
            .no_sandbox()
            .arg("force-color-profile=srgb")
            .viewport(None)
            .launch_timeout(LIMIT)
            .request_timeout(LIMIT)
            .build()
            .expect("the options are complete");
        let (browser, mut handler) =
            runtime.block_on(Browser::launch(config)).expect("Chromium starts");
        runtime.spawn(async move { while handler.next().await.is_some() {} });
        Self { runtime, browser: Mutex::new(browser), _folder: folder }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let browser = self.browser.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.runtime.block_on(async {
            // It may have ended by itself, which a test has noticed then.
            let _ = browser.close().await;
            let _ = browser.wait().await;
        });
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

/// A report in a tab.
pub struct Page {
    running: Arc<Running>,
    tab: chromiumoxide::Page,
    complaints: Arc<Mutex<Vec<String>>>,
}

impl Page {
    /// Opens a report on a screen of 1280 by 800 pixels.
    pub fn open(report: &Path) -> Self {
        Self::open_at(report, "")
    }

    /// Opens a report at an address within it, such as `#/ring`.
    pub fn open_at(report: &Path, address: &str) -> Self {
        let running = Running::now();
        let tab = {
            let browser = running.browser.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            // Tabs behind others are not painted, so each is in a window of its own.
            let mut wanted = CreateTargetParams::new("about:blank");
            wanted.new_window = Some(true);
            running.runtime.block_on(browser.new_page(wanted)).expect("a tab opens")
        };
        let page = Self { running, tab, complaints: Arc::default() };
        page.hear(|called: &EventConsoleApiCalled| format!("console: {:?}", called.args));
        page.hear(|thrown: &EventExceptionThrown| format!("{:?}", thrown.exception_details));
        page.hear(|added: &EventEntryAdded| format!("log: {}", added.entry.text));
        page.done(page.tab.execute(EnableParams::default()));
        page.done(page.tab.execute(SetFocusEmulationEnabledParams::new(true)));
        page.size(1280, 800);
        page.media("screen", "light");
        page.done(page.tab.goto(format!("file://{}{address}", report.display())));
        page.wait_for("document.getElementById('report')?.dataset.ready === 'yes'");
        page
    }

    /// Waits for the browser.
    fn done<T>(&self, answer: impl Future<Output = chromiumoxide::Result<T>>) -> T {
        self.running.runtime.block_on(answer).expect("the browser obeys")
    }

    /// Keeps events of a kind as complaints.
    fn hear<E: IntoEventKind + Unpin>(&self, told: impl Fn(&E) -> String + Send + 'static) {
        let mut events = self.done(self.tab.event_listener::<E>());
        let complaints = Arc::clone(&self.complaints);
        self.running.runtime.spawn(async move {
            while let Some(event) = events.next().await {
                complaints.lock().expect("nobody panics with the lock").push(told(&event));
            }
        });
    }

    /// Calls a method of the DevTools protocol with these parameters.
    fn call<C: Command + DeserializeOwned>(&self, parameters: Value) {
        let method: C = serde_json::from_value(parameters).expect("the parameters fit the method");
        self.done(self.tab.execute(method));
    }

    /// The value of a JavaScript expression, which may be a promise.
    pub fn value(&self, expression: &str) -> Value {
        let guarded = format!(
            "(async () => {{ try {{ return JSON.stringify({{ value: await ({expression}) }}); }} \
             catch (error) {{ return JSON.stringify({{ error: String(error) }}); }} }})()"
        );
        let mut parameters = EvaluateParams::new(guarded);
        parameters.await_promise = Some(true);
        let told = self.done(self.tab.evaluate_expression(parameters));
        let text: String = told.into_value().expect("the answer is text");
        let mut answer: Value = serde_json::from_str(&text).expect("the answer is JSON");
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
        self.call::<SetDeviceMetricsOverrideParams>(
            json!({ "width": width, "height": height, "deviceScaleFactor": 1.0, "mobile": false }),
        );
    }

    /// Sets what style sheets ask for: a medium, a colour scheme.
    pub fn media(&self, medium: &str, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.call::<SetEmulatedMediaParams>(json!({ "media": medium, "features": features }));
    }

    /// Lets pictures fly, as they do for readers who did not ask for less motion.
    pub fn move_freely(&self) {
        self.call::<SetEmulatedMediaParams>(json!({ "media": "screen", "features": [] }));
    }

    /// Moves the pointer.
    pub fn point(&self, x: f64, y: f64) {
        self.call::<DispatchMouseEventParams>(json!({ "type": "mouseMoved", "x": x, "y": y }));
    }

    /// Clicks, `times` for a double click.
    pub fn click_at(&self, x: f64, y: f64, times: u32) {
        self.point(x, y);
        for count in 1..=times {
            for kind in ["mousePressed", "mouseReleased"] {
                self.call::<DispatchMouseEventParams>(json!({
                    "type": kind, "x": x, "y": y, "button": "left", "clickCount": count,
                }));
            }
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
            self.call::<DispatchMouseEventParams>(json!({
                "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1,
            }));
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
        self.click_at(at(0), at(1), 1);
    }

    /// Presses a key, told by its name.
    pub fn key(&self, key: &str) {
        let known = get_key_definition(key).unwrap_or_else(|| panic!("{key} is no key"));
        let text = known.text.or(Some(known.key).filter(|key| key.chars().count() == 1));
        for kind in [if text.is_some() { "keyDown" } else { "rawKeyDown" }, "keyUp"] {
            self.call::<DispatchKeyEventParams>(json!({
                "type": kind,
                "key": known.key,
                "code": known.code,
                "text": text.filter(|_| kind == "keyDown"),
                "windowsVirtualKeyCode": known.key_code,
            }));
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
        self.done(self.tab.pdf(PrintToPdfParams::default()))
    }

    /// A picture of the window.
    pub fn screenshot(&self, file: &Path) {
        let picture = self.done(self.tab.screenshot(ScreenshotParams::default()));
        fs::write(file, picture).expect("the picture can be written");
    }

    /// What the browser complained about since the page opened.
    pub fn complaints(&self) -> Vec<String> {
        self.complaints.lock().expect("nobody panics with the lock").clone()
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "page with {:?}", self.complaints())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // The browser goes on for other tests; a tab that stays is of no harm.
        let _ = self.running.runtime.block_on(self.tab.clone().close());
        if !std::thread::panicking() {
            assert_eq!(self.complaints(), Vec::<String>::new());
        }
    }
}
