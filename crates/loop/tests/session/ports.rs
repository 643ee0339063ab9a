//! The ports of the sandbox, as a front end asks for them.

use crate::scripted::*;
use agent_protocol::*;
use agent_protocol::{CallOp, ListEvent, ListOp};

/// The next list of ports.
async fn listed(session: &mut Session) -> Vec<PortCard> {
    session
        .until(|event| match event {
            Event::List(ListEvent::Ports { ports }) => Some(ports.clone()),
            _ => None,
        })
        .await
}

#[tokio::test]
async fn each_wish_about_ports_is_answered_with_their_list() {
    let mut session = open(Mode::Safe, Vec::new());
    for op in [Op::List(ListOp::Ports), Op::Call(CallOp::Forward { port: 1, open: false })] {
        session.op(op);
        // Nothing was started, so nothing listens.
        assert_eq!(listed(&mut session).await, []);
    }
    session.leave().await;
}
