//! What all connections of a proxy share: who may reach what, and what came of it.

use crate::proxy::answers::Answers;
use crate::proxy::outside::{Refusal, Rules};
use crate::proxy::wire::Wire;
use agent_protocol::Host;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

/// How long a client may take to say what it wants.
const HEADER: Duration = Duration::from_secs(30);

/// Time between two looks at a client that said something early and may have left.
const LOOK: Duration = Duration::from_millis(100);

/// So many refusals are remembered.
const MOST_REFUSALS: usize = 32;

/// What came of it so far.
#[derive(Debug, Default)]
pub(crate) struct ReachReport {
    pub(crate) reached: Mutex<Vec<Host>>,
    pub(crate) refused: Mutex<Vec<(Host, Refusal)>>,
}

pub(crate) struct ProxyState {
    pub(crate) answers: Answers,
    pub(crate) rules: Rules,
    pub(crate) told: Arc<ReachReport>,
}

impl ProxyState {
    /// Waits for what a client says, but not for ever. While somebody is asked the command is held and its clients stand
    /// still, so that no time counts.
    pub(crate) async fn in_time<T>(&self, work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        let mut work = pin!(work);
        loop {
            match timeout(HEADER, &mut work).await {
                Ok(done) => return done,
                Err(_elapsed) if self.answers.is_asking() => {}
                Err(_elapsed) => return Err(io::ErrorKind::TimedOut.into()),
            }
        }
    }

    /// A connection to `host`, once it is allowed. The error is what the client is told.
    pub(crate) async fn reach(&self, host: &Host) -> Result<Wire, Refusal> {
        let reached = self.try_reach(host).await;
        match &reached {
            Ok(_) => note(&mut lock(&self.told.reached), host.clone(), usize::MAX),
            Err(refusal) => note(&mut lock(&self.told.refused), (host.clone(), refusal.clone()), MOST_REFUSALS),
        }
        reached
    }

    async fn try_reach(&self, host: &Host) -> Result<Wire, Refusal> {
        self.rules.before(host)?;
        if !self.answers.may(host).await {
            return Err(Refusal::NotAllowed);
        }
        self.rules.connect(host).await
    }

    /// The same for a client that says nothing meanwhile; `None`: it left, and nobody is asked on its account any more.
    pub(crate) async fn reach_for(&self, client: &Wire, host: &Host) -> Option<Result<Wire, Refusal>> {
        tokio::select! {
            reached = self.reach(host) => Some(reached),
            () = gone(&client.stream) => None,
        }
    }
}

/// Resolves when the client has closed its end.
async fn gone(stream: &TcpStream) {
    let mut byte = [0];
    while let Ok(1..) = stream.peek(&mut byte).await {
        // It said something before it was answered, which hides from reading whether more will come.
        if stream.ready(Interest::READABLE).await.is_ok_and(|ready| ready.is_read_closed()) {
            return;
        }
        sleep(LOOK).await;
    }
}

fn note<T: PartialEq>(list: &mut Vec<T>, one: T, most: usize) {
    if list.len() < most && !list.contains(&one) {
        list.push(one);
    }
}

pub(crate) fn lock<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
