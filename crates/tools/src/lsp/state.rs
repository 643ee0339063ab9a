//! What a server told by itself: what is wrong with files, whether it is still at work, whether it is there at all.

use serde_json::Value;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of a server's complaints that are kept: the last ones.
const COMPLAINTS: usize = 2_000;
/// Files whose faults are kept.
const FILES: usize = 2_000;
/// How often somebody who waits looks whether they still should.
const BETWEEN: Duration = Duration::from_millis(50);

/// Shared by whoever talks with the server and whoever asks.
#[derive(Debug, Default)]
pub(super) struct State {
    known: Mutex<Known>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Known {
    /// By address: the version it is about, as far as that was said, and what is wrong.
    faults: HashMap<String, (Option<i64>, Vec<Value>)>,
    busy: HashSet<String>,
    /// It said that it has not seen all there is.
    unready: bool,
    gone: bool,
    complaints: VecDeque<u8>,
}

impl State {
    /// One that will say when it is ready, if `announces`.
    pub(super) fn new(announces: bool) -> Self {
        let state = State::default();
        state.known().unready = announces;
        state
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Every change is one step: it is whole whatever happened to another thread.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Known)) {
        change(&mut self.known());
        self.changed.notify_all();
    }

    /// A server said this, and wants no answer.
    pub(super) fn told(&self, method: &str, params: &Value) {
        match method {
            "textDocument/publishDiagnostics" => self.change(|known| {
                let Some(address) = params["uri"].as_str() else { return };
                let faults = params["diagnostics"].as_array().cloned().unwrap_or_default();
                if known.faults.len() < FILES || known.faults.contains_key(address) {
                    known.faults.insert(address.into(), (params["version"].as_i64(), faults));
                }
            }),
            "$/progress" => self.change(|known| {
                let token = params["token"].to_string();
                match params["value"]["kind"].as_str() {
                    Some("begin") => drop(known.busy.insert(token)),
                    Some("end") => drop(known.busy.remove(&token)),
                    Some(_) | None => {}
                }
            }),
            "experimental/serverStatus" => self.change(|known| known.unready = params["quiescent"] == false),
            // Logs, telemetry.
            _ => {}
        }
    }

    pub(super) fn complained(&self, bytes: &[u8]) {
        self.change(|known| {
            known.complaints.extend(bytes);
            let more = known.complaints.len().saturating_sub(COMPLAINTS);
            known.complaints.drain(..more);
        });
    }

    /// The last that it complained of.
    pub(super) fn complaints(&self) -> String {
        let bytes: Vec<u8> = self.known().complaints.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(super) fn ended(&self) {
        self.change(|known| known.gone = true);
    }

    pub(super) fn is_gone(&self) -> bool {
        self.known().gone
    }

    pub(super) fn is_busy(&self) -> bool {
        let known = self.known();
        known.unready || !known.busy.is_empty()
    }

    /// What was said of the file at `address` is about another text.
    pub(super) fn forget(&self, address: &str) {
        self.change(|known| drop(known.faults.remove(address)));
    }

    /// What is wrong with the file at `address`, if it was said of this `version` or of none.
    pub(super) fn faults(&self, address: &str, version: i64) -> Option<Vec<Value>> {
        let known = self.known();
        let (about, faults) = known.faults.get(address)?;
        about.is_none_or(|about| about >= version).then(|| faults.clone())
    }

    /// Waits until `there` or until `until`, or until nobody waits any more. Was it there?
    pub(super) fn wait(&self, until: Instant, go_on: impl Fn() -> bool, there: impl Fn() -> bool) -> bool {
        loop {
            if there() {
                return true;
            }
            if Instant::now() >= until || !go_on() || self.is_gone() {
                return false;
            }
            let known = self.known();
            // Woken early or late, it looks again.
            drop(self.changed.wait_timeout(known, BETWEEN).unwrap_or_else(PoisonError::into_inner));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(30)
    }

    #[test]
    fn it_is_busy_until_all_it_began_has_ended() {
        let state = State::new(false);
        let progress = |token: Value, kind: &str| {
            state.told("$/progress", &json!({ "token": token, "value": { "kind": kind } }));
        };
        assert!(!state.is_busy());
        progress(1.into(), "begin");
        progress("index".into(), "begin");
        progress(1.into(), "end");
        progress("index".into(), "report");
        assert!(state.is_busy());
        progress("index".into(), "end");
        assert!(!state.is_busy());
    }

    #[test]
    fn one_that_announces_is_ready_when_it_says_so() {
        let state = State::new(true);
        assert!(state.is_busy());
        state.told("experimental/serverStatus", &json!({ "quiescent": true }));
        assert!(state.wait(soon(), || true, || !state.is_busy()));
    }

    #[test]
    fn faults_of_an_older_text_do_not_count() {
        let state = State::new(false);
        let said = |version: Value| {
            let params = json!({ "uri": "file:///a", "version": version, "diagnostics": [1] });
            state.told("textDocument/publishDiagnostics", &params);
        };
        said(1.into());
        assert_eq!((state.faults("file:///a", 2), state.faults("file:///b", 1)), (None, None));
        said(2.into());
        assert_eq!(state.faults("file:///a", 2), Some(vec![json!(1)]));
        said(Value::Null);
        assert_eq!(state.faults("file:///a", 2), Some(vec![json!(1)]));
        state.forget("file:///a");
        assert_eq!(state.faults("file:///a", 2), None);
    }

    #[test]
    fn only_the_last_complaints_are_kept_and_nobody_waits_for_one_that_ended() {
        let state = State::new(false);
        state.complained(&b"x".repeat(5_000));
        state.complained(b"oh");
        assert_eq!((state.complaints().len(), state.complaints().ends_with("xoh")), (COMPLAINTS, true));
        state.ended();
        assert!(!state.wait(soon(), || true, || false));
        assert!(!State::new(false).wait(soon(), || false, || false), "nobody waits");
    }
}
