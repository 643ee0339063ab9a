//! llama.cpp's server as a process of its own, and the pages on which it tells what it does.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A test that waits longer than this has failed; machines are shared and slow at times.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server; it ends with the test.
pub(super) struct Llama {
    child: Child,
    address: String,
    context: u64,
    slots: u64,
}

impl Llama {
    /// A server whose slots have so many tokens together.
    pub(super) fn start(context: u64, slots: u64) -> Self {
        Llama::at("0", context, slots)
    }

    fn at(port: &str, context: u64, slots: u64) -> Self {
        let python = std::env::var("AGENT_LLAMA_PYTHON")
            .expect("AGENT_LLAMA_PYTHON names a Python with the package xllamacpp; .ci/run makes one");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/house/real/model/serve.py");
        let mut child = Command::new(python)
            .arg(script)
            .args(["--port", port, "--ctx", &context.to_string(), "--slots", &slots.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let found = lines.find_map(|line| Some(line.ok()?.strip_prefix("listening http://")?.to_owned()));
        let address = found.expect("the server says where it listens");
        std::thread::spawn(move || lines.for_each(drop));
        Llama { child, address, context, slots }
    }

    /// Where the binary finds it.
    pub(super) fn host(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// It is killed, as by a machine that is short of memory.
    pub(super) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The same again, at the same address.
    pub(super) fn again(mut self) -> Self {
        self.kill();
        let port = self.address.rsplit(':').next().unwrap().to_owned();
        Llama::at(&port, self.context, self.slots)
    }

    /// Which of its slots are at work.
    pub(super) fn at_work(&self) -> Vec<bool> {
        let slots = self.page("slots").as_array().cloned().unwrap();
        slots.iter().map(|slot| slot["is_processing"] == true).collect()
    }

    /// The window of each of its slots.
    pub(super) fn windows(&self) -> Vec<u64> {
        self.page("slots").as_array().unwrap().iter().filter_map(|slot| slot["n_ctx"].as_u64()).collect()
    }

    /// Waits until so many slots are at work.
    pub(super) fn wait_at_work(&self, count: usize) {
        let begun = Instant::now();
        while self.at_work().iter().filter(|works| **works).count() != count {
            assert!(begun.elapsed() < PATIENCE, "{:?}, not {count} at work", self.at_work());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until it has counted more than so many, for what may be over before anybody looks.
    pub(super) fn wait_counted(&self, name: &str, more_than: u64) {
        let begun = Instant::now();
        while self.counted(name) <= more_than {
            assert!(begun.elapsed() < PATIENCE, "{name}: {}, not more than {more_than}", self.counted(name));
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// One of the figures that it counts from its start on, like `tokens_predicted_total`.
    pub(super) fn counted(&self, name: &str) -> u64 {
        let page = self.get("metrics");
        let of = |line: &str| line.strip_prefix("llamacpp:")?.strip_prefix(name)?.trim().parse::<f64>().ok();
        page.lines().find_map(of).expect("it counts that") as u64
    }

    fn page(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path)).unwrap()
    }

    fn get(&self, path: &str) -> String {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        let request = format!("GET /{path} HTTP/1.0\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        socket.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap()
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        // It may be gone already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
