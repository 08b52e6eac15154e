//! A browser that a test drives, by the DevTools protocol.
//!
//! Chromium takes commands from its file descriptor 3 and answers to 4
//! (`--remote-debugging-pipe`): JSON that ends with a zero byte. No port is opened, and
//! nothing but `serde_json` is needed; the crates for the protocol bring a hundred others.

use serde_json::{Value, json};
use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

/// How long a browser may take for a command.
const PATIENCE: Duration = Duration::from_secs(60);

/// The browser that tests use: that of `HALO_BROWSER`, or one in `PATH`.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = env::var_os("HALO_BROWSER").filter(|named| !named.is_empty()) {
        return Some(named.into());
    }
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}

/// A browser with one page.
pub struct Browser {
    process: Child,
    commands: Option<ChildStdin>,
    messages: Receiver<Value>,
    session: String,
    next: u64,
    /// Errors and warnings of the page, and what it asked of the network.
    pub complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    pub fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        // The shell gives the browser the pipes under the numbers that it wants.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 >/dev/null"])
            .arg(program)
            .args([
                "--headless",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let answers = process.stdout.take().unwrap();
        let (sender, messages) = channel();
        thread::spawn(move || {
            for message in BufReader::new(answers).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else {
                    continue;
                };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            commands: process.stdin.take(),
            process,
            messages,
            session: String::new(),
            next: 1,
            complaints: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = target["targetId"].clone();
        let attached = json!({"targetId": target, "flatten": true});
        let session = browser.call("Target.attachToTarget", attached);
        browser.session = session["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Sends a command and waits for its answer.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.next;
        self.next += 1;
        let mut command = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            command["sessionId"] = json!(self.session);
        }
        let mut text = serde_json::to_vec(&command).unwrap();
        text.push(0);
        self.commands.as_mut().unwrap().write_all(&text).unwrap();
        let end = Instant::now() + PATIENCE;
        loop {
            let message = match self.messages.recv_timeout(end - Instant::now()) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => panic!("{method} takes too long"),
                Err(RecvTimeoutError::Disconnected) => panic!("the browser ended at {method}"),
            };
            if message["id"] == json!(id) {
                assert!(
                    message.get("error").is_none(),
                    "{method}: {}",
                    message["error"]
                );
                return message["result"].clone();
            }
            self.note(&message);
        }
    }

    /// Waits for an event of the page.
    fn event(&mut self, method: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            let message = self.messages.recv_timeout(end - Instant::now());
            let message = message.unwrap_or_else(|_| panic!("{method} does not come"));
            if message["method"] == json!(method) {
                return;
            }
            self.note(&message);
        }
    }

    /// Goes to a file, and waits until it is loaded.
    pub fn load(&mut self, report: &Path) {
        self.call(
            "Page.navigate",
            json!({"url": format!("file://{}", report.display())}),
        );
        self.event("Page.loadEventFired");
    }

    /// Keeps what a page should not do.
    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                self.complaints
                    .push(format!("error: {}", parameters["exceptionDetails"]));
            }
            Some("Runtime.consoleAPICalled") => {
                self.complaints
                    .push(format!("console: {}", parameters["args"]));
            }
            Some("Log.entryAdded") => self
                .complaints
                .push(format!("log: {}", parameters["entry"])),
            Some("Network.requestWillBeSent") => {
                let url = parameters["request"]["url"].as_str().unwrap_or_default();
                if !url.starts_with("file:") && !url.starts_with("data:") && url != "about:blank" {
                    self.complaints.push(format!("request: {url}"));
                }
            }
            _ => {}
        }
    }

    /// The value of an expression of JavaScript in the page; promises are waited for.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({
            "expression": expression,
            "awaitPromise": true,
            "returnByValue": true,
        });
        let result = self.call("Runtime.evaluate", parameters);
        assert!(
            result.get("exceptionDetails").is_none(),
            "{expression}: {}",
            result["exceptionDetails"]
        );
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let end = Instant::now() + PATIENCE;
        while self.evaluate(expression) != json!(true) {
            assert!(
                Instant::now() < end,
                "it does not become true: {expression}"
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Opens a report, and waits until it is ready.
    pub fn open(&mut self, report: &Path) -> Duration {
        let start = Instant::now();
        self.load(report);
        self.wait("'ready' in document.documentElement.dataset");
        start.elapsed()
    }

    /// Shows a place of the report, and waits until it is drawn.
    pub fn go(&mut self, hash: &str) {
        self.evaluate(&format!(
            "document.documentElement.dataset.drawn = ''; \
             if (location.hash === {0}) dispatchEvent(new Event('hashchange')); \
             else location.hash = {0}; 0",
            json!(hash)
        ));
        self.wait(&format!(
            "document.documentElement.dataset.drawn === {}",
            json!(hash)
        ));
        // What is drawn with the next frame is there, too.
        self.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
    }

    /// The number of elements that a selector finds.
    pub fn count(&mut self, selector: &str) -> u64 {
        let count = self.evaluate(&format!(
            "document.querySelectorAll({}).length",
            json!(selector)
        ));
        count.as_u64().unwrap()
    }

    /// The text that is seen of the first element that a selector finds.
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.evaluate(&format!(
            "document.querySelector({}).innerText",
            json!(selector)
        ));
        text.as_str().unwrap_or_default().to_owned()
    }

    pub fn click(&mut self, selector: &str) {
        let event = "new MouseEvent('click', {bubbles: true, cancelable: true})";
        self.evaluate(&format!(
            "document.querySelector({}).dispatchEvent({event})",
            json!(selector)
        ));
    }

    /// Writes into an input, as keys do.
    pub fn fill(&mut self, selector: &str, text: &str) {
        self.evaluate(&format!(
            "(() => {{ const input = document.querySelector({}); input.value = {}; \
             input.dispatchEvent(new Event('input', {{bubbles: true}})); }})()",
            json!(selector),
            json!(text)
        ));
    }

    /// The elements because of which the page is wider than the window, and those that scroll
    /// sideways in it, but for code; empty if there are none.
    pub fn too_wide(&mut self) -> String {
        let names = self.evaluate(
            "(() => { const { scrollWidth, clientWidth } = document.documentElement; \
             const shown = [...document.querySelectorAll('main > section:not([hidden]) *, header *')]; \
             const wide = shown.filter((it) => scrollWidth > clientWidth \
               ? it.getBoundingClientRect().right > clientWidth \
               : it.scrollWidth > it.clientWidth && !it.closest('.code, .difference, svg') \
                 && ['auto', 'scroll'].includes(getComputedStyle(it).overflowX)); \
             return wide.map((it) => `${it.tagName}.${it.getAttribute('class')}`).slice(0, 12).join(' '); })()",
        );
        names.as_str().unwrap_or_default().to_owned()
    }

    /// The size of the window in pixels, and whether the reader likes it dark.
    pub fn resize(&mut self, width: u32, height: u32, is_dark: bool) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}),
        );
        let scheme = if is_dark { "dark" } else { "light" };
        let feature = json!({"name": "prefers-color-scheme", "value": scheme});
        self.call("Emulation.setEmulatedMedia", json!({"features": [feature]}));
    }

    /// Writes a picture of the window.
    pub fn picture(&mut self, path: &Path) {
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        fs::write(path, base64_bytes(&picture["data"])).unwrap();
    }

    /// Writes the page as it is printed.
    pub fn print(&mut self, path: &Path) -> usize {
        let parameters = json!({"printBackground": true, "preferCSSPageSize": true, "paperWidth": 8.27, "paperHeight": 11.69});
        let printed = self.call("Page.printToPDF", parameters);
        let bytes = base64_bytes(&printed["data"]);
        fs::write(path, &bytes).unwrap();
        bytes.len()
    }
}

fn base64_bytes(text: &Value) -> Vec<u8> {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    STANDARD.decode(text.as_str().unwrap()).unwrap()
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Without commands it ends by itself, soon.
        self.commands = None;
        let end = Instant::now() + Duration::from_secs(5);
        while Instant::now() < end {
            if matches!(self.process.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
