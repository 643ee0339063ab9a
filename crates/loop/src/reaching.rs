//! Wishes of commands to reach hosts: each gets a number, and whoever waits for its answer gets that, or is no longer
//! waited for.

use crate::arrival::{Arrival, Inbox};
use agent_protocol::{ReachId, Reacher};
use agent_session::{CallInput, Input};
use agent_tools::Wish;
use std::collections::HashMap;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;

pub(crate) struct Reaching {
    last: u64,
    /// Those that were not answered.
    open: HashMap<ReachId, oneshot::Sender<bool>>,
    inbox: Inbox,
}

impl Reaching {
    pub(crate) fn new(inbox: Inbox) -> Self {
        Reaching { last: 0, open: HashMap::new(), inbox }
    }

    /// Takes it up, and says what the machine is asked.
    pub(crate) fn take(&mut self, by: Reacher, wish: Wish) -> Input {
        self.last += 1;
        let reach = ReachId(self.last);
        let (allow, allowed) = oneshot::channel();
        self.open.insert(reach, allow);
        let Wish { job: _, host, sees_secrets, mut answer } = wish;
        let inbox = self.inbox.clone();
        tokio::spawn(async move {
            tokio::select! {
                biased;
                allowed = allowed => {
                    // The session may be over, which is a no; who left meanwhile does not hear it.
                    let _ = answer.send(allowed.unwrap_or(false));
                }
                () = answer.closed() => {
                    inbox.put(Arrival::ReachOver(reach)).await;
                }
            }
        });
        Input::Call(CallInput::Reaches { reach, by, host, sees_secrets })
    }

    /// Answers it. One that is over is not.
    pub(crate) fn answer(&mut self, reach: ReachId, allowed: bool) {
        if let Some(allow) = self.open.remove(&reach) {
            // It may be over at this moment.
            let _ = allow.send(allowed);
        }
    }

    /// Nobody waits for its answer any more. `None`: it was answered.
    pub(crate) fn over(&mut self, reach: ReachId) -> Option<Input> {
        self.open.remove(&reach).map(|_| Input::Call(CallInput::ReachOver { reach }))
    }
}

/// Passes on what comes, as wishes of commands in the background, or else of this call.
pub(crate) async fn pass_on(mut wishes: UnboundedReceiver<Wish>, call: Option<Reacher>, inbox: Inbox) {
    while let Some(wish) = wishes.recv().await {
        let by = wish.job.map(|job| Reacher::Job { job }).or(call);
        let Some(by) = by else { continue };
        if !inbox.put(Arrival::Wish { by, wish: Box::new(wish) }).await {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{BackgroundId, CallId, Host};
    use tokio::sync::mpsc::{channel, unbounded_channel};

    fn wish(job: Option<BackgroundId>) -> (Wish, oneshot::Receiver<bool>) {
        let (answer, answered) = oneshot::channel();
        (Wish { job, host: Host { name: "example.org".into(), port: 443 }, sees_secrets: false, answer }, answered)
    }

    #[tokio::test]
    async fn each_wish_gets_its_own_answer_and_one_that_is_over_none() {
        let (inbox, mut arrivals) = channel(8);
        let mut reaching = Reaching::new(Inbox(inbox));
        let by = Reacher::Call { call: CallId(7) };
        let ((one, first), (two, second), (three, third)) = (wish(None), wish(None), wish(None));
        for (number, wish) in [(1, one), (2, two), (3, three)] {
            let asked = reaching.take(by, wish);
            assert!(
                matches!(asked, Input::Call(CallInput::Reaches { reach: ReachId(reach), by: asks, host, .. }) if reach == number && asks == by
                && host.to_string() == "example.org:443")
            );
        }
        reaching.answer(ReachId(2), true);
        reaching.answer(ReachId(1), false);
        assert_eq!((first.await, second.await), (Ok(false), Ok(true)));
        drop(third);
        let Some(Arrival::ReachOver(over)) = arrivals.recv().await else { panic!("it is over") };
        assert!(matches!(reaching.over(over), Some(Input::Call(CallInput::ReachOver { reach: ReachId(3) }))));
        // What is over or answered is neither once more.
        reaching.answer(ReachId(3), true);
        assert!(reaching.over(ReachId(1)).is_none());
    }

    #[tokio::test]
    async fn what_is_dropped_with_the_session_is_a_no() {
        let (inbox, _arrivals) = channel(8);
        let mut reaching = Reaching::new(Inbox(inbox));
        let (wish, answered) = wish(None);
        reaching.take(Reacher::Call { call: CallId(1) }, wish);
        drop(reaching);
        assert_eq!(answered.await, Ok(false));
    }

    #[tokio::test]
    async fn wishes_come_in_the_name_of_the_command_that_has_them() {
        let (inbox, mut arrivals) = channel(8);
        let (wishes, waiting) = unbounded_channel();
        wishes.send(wish(None).0).unwrap();
        wishes.send(wish(Some(BackgroundId(3))).0).unwrap();
        drop(wishes);
        let call = Reacher::Call { call: CallId(7) };
        pass_on(waiting, Some(call), Inbox(inbox)).await;
        let mut by = Vec::new();
        while let Some(arrival) = arrivals.recv().await {
            let Arrival::Wish { by: asks, .. } = arrival else { panic!("a wish") };
            by.push(asks);
        }
        assert_eq!(by, [call, Reacher::Job { job: BackgroundId(3) }]);
    }
}
