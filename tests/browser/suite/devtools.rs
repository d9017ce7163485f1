//! Chromium's DevTools protocol, over a pair of pipes: messages in JSON, each with a zero
//! byte behind it. No more of it is here than the tests use.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Nothing here takes a tenth of this, also on a busy machine.
pub const LIMIT: Duration = Duration::from_secs(60);

/// A browser that runs.
pub struct DevTools {
    child: Child,
    input: Mutex<ChildStdin>,
    told: Arc<Told>,
}

/// What the browser has told so far.
#[derive(Default)]
struct Told {
    news: Mutex<News>,
    /// There is more of it.
    more: Condvar,
}

#[derive(Default)]
struct News {
    last_call: u64,
    /// Answers that nobody has taken, by the numbers of their calls.
    answers: HashMap<u64, Value>,
    /// Events by session, oldest first.
    events: HashMap<String, Vec<Value>>,
    has_ended: bool,
}

impl Told {
    fn lock(&self) -> MutexGuard<'_, News> {
        // A test that fails leaves the news as they were.
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DevTools {
    /// Starts a browser without a window that keeps its settings in a folder.
    pub fn start(browser: &Path, settings: &Path) -> Self {
        let mut child = Command::new("sh")
            // The browser reads from descriptor 3 and writes to 4.
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh"])
            .arg(browser)
            .arg(format!("--user-data-dir={}", settings.display()))
            .args([
                "--remote-debugging-pipe",
                "--headless",
                // A container's root may not have a sandbox; the pages are our own.
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--force-color-profile=srgb",
                "--no-first-run",
                "--no-default-browser-check",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-background-timer-throttling",
                "--disable-backgrounding-occluded-windows",
                "--disable-renderer-backgrounding",
                "--metrics-recording-only",
                "--password-store=basic",
                "--use-mock-keychain",
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell can be started");
        let input = Mutex::new(child.stdin.take().expect("its input is piped"));
        let output = child.stdout.take().expect("its output is piped");
        let told = Arc::new(Told::default());
        let heard = Arc::clone(&told);
        thread::spawn(move || hear(output, &heard));
        Self { child, input, told }
    }

    /// Calls a method, of the browser or of one of its tabs; gives the result.
    ///
    /// # Errors
    /// What the browser says of it.
    pub fn try_call(
        &self,
        session: Option<&str>,
        method: &str,
        parameters: Value,
    ) -> Result<Value, String> {
        let mut news = self.told.lock();
        news.last_call += 1;
        let id = news.last_call;
        drop(news);
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = write!(input, "{message}\0").and_then(|()| input.flush());
        drop(input);
        sent.map_err(|error| format!("{method}: the browser has ended: {error}"))?;
        let is_open = |news: &mut News| !news.answers.contains_key(&id) && !news.has_ended;
        let waited = self.told.more.wait_timeout_while(self.told.lock(), LIMIT, is_open);
        let (mut news, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let mut answer = news
            .answers
            .remove(&id)
            .ok_or_else(|| format!("{method}: the browser does not answer"))?;
        match answer.get("error") {
            Some(error) => Err(format!("{method}: {error}")),
            None => Ok(answer["result"].take()),
        }
    }

    /// Calls a method that the browser has to obey.
    pub fn call(&self, session: Option<&str>, method: &str, parameters: Value) -> Value {
        self.try_call(session, method, parameters).expect("the browser obeys")
    }

    /// Events of a tab so far.
    pub fn events(&self, session: &str) -> Vec<Value> {
        self.told.lock().events.get(session).cloned().unwrap_or_default()
    }
}

impl Drop for DevTools {
    fn drop(&mut self) {
        // It may have ended by itself, which a test has noticed then.
        let _ = self.try_call(None, "Browser.close", json!({}));
        let _ = self.child.wait();
    }
}

/// Keeps all that the browser tells, until it ends.
fn hear(output: ChildStdout, told: &Told) {
    let messages = BufReader::new(output).split(0);
    for message in messages.map_while(Result::ok) {
        let message: Value = serde_json::from_slice(&message).expect("the browser tells JSON");
        let mut news = told.lock();
        if let Some(id) = message["id"].as_u64() {
            news.answers.insert(id, message);
        } else if let Some(session) = message["sessionId"].as_str() {
            let session = session.to_owned();
            news.events.entry(session).or_default().push(message);
        }
        told.more.notify_all();
    }
    told.lock().has_ended = true;
    told.more.notify_all();
}
