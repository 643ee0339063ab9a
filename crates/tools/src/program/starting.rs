//! Starts a command in the background: what ends at once is told like any other, of what goes on its number.

use super::background::{BackgroundStart, Starting};
use super::telling::{self, detail, shorter, shown};
use super::{REST, Run};
use crate::{cap, words};
use agent_policy::Permit;
use agent_protocol::Outcome;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Starts `run`. Dropping the future ends the command, as long as nobody knows that it goes on.
pub(super) async fn start(run: Run, permit: Permit, room: usize) -> Outcome {
    let (report, mut ended) = oneshot::channel();
    let wire = run.watch.arm(permit.sandbox()).await;
    if let Err(failure) = run.still(permit.leave()).await {
        return failure.into();
    }
    let started = run.background.start(BackgroundStart {
        shell: run.shell(&permit),
        fence: permit.sandbox().clone(),
        command: run.command(),
        description: run.wanted.description.clone(),
        // Where nobody waits any more, what it did to protected files is told with what happens next.
        at_end: Box::new(move |result, went| drop(report.send((result, went, wire)))),
    });
    let starting = match started {
        Ok(starting) => starting,
        Err(failure) => return failure.into(),
    };
    if let Ok(Ok((result, went, wire))) = timeout(run.background.at_once(), &mut ended).await {
        return match result {
            Ok(ended) => run.ended(permit, (ended, went), (wire, Vec::new()), room).await,
            Err(error) => telling::not_started(&error).into(),
        };
    }
    ended.close();
    goes_on(&run, starting, room).await
}

/// It outlived its beginning.
async fn goes_on(run: &Run, starting: Starting, room: usize) -> Outcome {
    let (id, so_far) = starting.announce().await;
    let mut told = telling::changed(run);
    told.push_str(&format!("it runs in the background as number {}; jobs shows what it says and stops it", id.0));
    let said = shown(&so_far);
    if said.head.trim().is_empty() && said.tail.is_empty() {
        told.push_str("\nit said nothing so far");
    } else {
        told.push_str("\nso far it said:\n");
        let used = told.len();
        told.push_str(&cap::kept(&shorter(said, run.folds), room.saturating_sub(used), REST));
    }
    let outcome = words::done(told, format!("in the background as number {}", id.0), detail(&so_far));
    Outcome { job: Some(id), ..outcome }
}
