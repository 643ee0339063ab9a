//! What a running call puts out, for a program that wants to know: the last line of it, and not more often than anybody
//! can read.

use agent_protocol::sanitize::clean_line;
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

const PAUSE: Duration = Duration::from_millis(200);

/// Letters of a line.
const LONGEST: usize = 300;

/// Tells of one call, where that is wanted.
pub(super) struct Progress(Option<Telling>);

struct Telling {
    latest: watch::Sender<(u64, String)>,
    task: JoinHandle<()>,
}

impl Progress {
    /// Only whoever gave a token wants to know.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        Progress(context.meta.get_progress_token().map(|token| {
            let (latest, told) = watch::channel((0, String::new()));
            let task = tokio::spawn(tell(context.peer.clone(), token, told));
            Telling { latest, task }
        }))
    }

    pub(super) fn says(&self, text: &str) {
        let Some(Telling { latest, .. }) = &self.0 else { return };
        let Some(line) = text.lines().rev().find(|line| !line.trim().is_empty()) else { return };
        let line: String = clean_line(line.trim_end()).chars().take(LONGEST).collect();
        latest.send_modify(|(count, said)| (*count, *said) = (*count + 1, line));
    }

    /// Nothing is told of a call that has ended.
    pub(super) fn end(&self) {
        if let Some(Telling { task, .. }) = &self.0 {
            task.abort();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

async fn tell(peer: Peer<RoleServer>, token: ProgressToken, mut told: watch::Receiver<(u64, String)>) {
    while told.changed().await.is_ok() {
        let (count, line) = told.borrow_and_update().clone();
        let note = ProgressNotificationParam::new(token.clone(), count as f64).with_message(line);
        if peer.notify_progress(note).await.is_err() {
            return;
        }
        sleep(PAUSE).await;
    }
}
