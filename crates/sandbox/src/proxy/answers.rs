//! What the gate said of each host. One question at a time for a host: whoever comes later waits for the same answer,
//! and an answer counts as long as the proxy lives.

use crate::proxy::Gate;
use agent_protocol::Host;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Of so many hosts answers are kept; to a command that wants more nothing new is opened.
const MOST: usize = 1_024;

type Question = Shared<BoxFuture<'static, bool>>;

pub(crate) struct Answers {
    gate: Arc<dyn Gate>,
    known: Mutex<HashMap<Host, KnownAnswer>>,
}

enum KnownAnswer {
    Yes,
    No,
    /// Somebody waits for it, as long as the question can be had.
    Asked(WeakShared<BoxFuture<'static, bool>>),
}

impl Answers {
    pub(crate) fn new(gate: Arc<dyn Gate>) -> Self {
        Answers { gate, known: Mutex::default() }
    }

    /// May it be reached? Dropping the last future that waits for a host drops the gate's.
    pub(crate) async fn may(&self, host: &Host) -> bool {
        let question = match self.question(host) {
            Ok(question) => question,
            Err(known) => return known,
        };
        let yes = question.await;
        self.known().insert(host.clone(), if yes { KnownAnswer::Yes } else { KnownAnswer::No });
        yes
    }

    /// The question to wait for, or what is known.
    fn question(&self, host: &Host) -> Result<Question, bool> {
        let mut known = self.known();
        match known.get(host) {
            Some(KnownAnswer::Yes) => return Err(true),
            Some(KnownAnswer::No) => return Err(false),
            Some(KnownAnswer::Asked(asked)) => {
                if let Some(question) = asked.upgrade() {
                    return Ok(question);
                }
            }
            None if known.len() >= MOST => return Err(false),
            None => {}
        }
        let question = self.gate.may(host.clone()).shared();
        if let Some(asked) = question.downgrade() {
            known.insert(host.clone(), KnownAnswer::Asked(asked));
        }
        Ok(question)
    }

    /// Does anybody wait for an answer? The command may be held meanwhile, so that none of its clocks counts.
    pub(crate) fn is_asking(&self) -> bool {
        self.known().values().any(|answer| match answer {
            KnownAnswer::Yes | KnownAnswer::No => false,
            KnownAnswer::Asked(asked) => asked.upgrade().is_some(),
        })
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Host, KnownAnswer>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
