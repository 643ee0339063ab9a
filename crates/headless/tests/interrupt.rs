//! A download that is interrupted. A program of its own: the signal goes to all of it.

mod printing;

use agent_headless::{End, Form, Subcommand, models};
use agent_protocol::{Event, Op, PullState, ServerEvent, ServerOp};
use printing::{streams, up};
use rustix::process::{Signal, getpid, kill_process};
use tokio::sync::mpsc::unbounded_channel;

#[tokio::test]
async fn an_interrupted_download_is_stopped_and_says_how_it_goes_on() {
    let (ops, mut wishes) = unbounded_channel();
    let (facts, events) = unbounded_channel();
    let pulling = |state| Event::Server(ServerEvent::Pulling { name: "m".into(), state });
    facts.send(up()).unwrap();
    facts.send(pulling(PullState::Progress { status: "pulling".into(), done: 1, total: 5 })).unwrap();
    let (mut out, mut progress) = (Vec::new(), Vec::new());
    let mut streams = streams(&mut out, &mut progress, false);
    let end = {
        let pulled = models(ops, events, Subcommand::Pull { name: "m".into() }, Form::Text, &mut streams);
        tokio::pin!(pulled);
        let answering = async {
            assert_eq!(wishes.recv().await, Some(Op::Server(ServerOp::Pull { name: "m".into() })));
            // The wish is there, so signals are heard by now.
            kill_process(getpid(), Signal::INT).unwrap();
            assert_eq!(wishes.recv().await, Some(Op::Server(ServerOp::StopPull)));
            facts.send(pulling(PullState::Stopped)).unwrap();
        };
        tokio::join!(pulled, answering).0.unwrap()
    };
    assert_eq!((end, end.code()), (End::Interrupted, 130));
    let told = "m: 20 % · 1 B of 5 B\n\
        stopped; what has arrived stays, and `agent models pull m` goes on from there\n";
    assert_eq!(String::from_utf8(progress).unwrap(), told);
}
