//! A server that manages its models itself: there is a reply to each wish all the same, and none of them is a surprise.
use crate::scripted::*;
use agent_protocol::*;

fn open_talking(replies: Vec<Reply>) -> Session {
    open_in(folder(), Opening { replies, only_talks: true, ..Opening::default() })
}

fn unsupported(what: Capability) -> ServerError {
    ServerError::Unsupported { what }
}

#[tokio::test]
async fn a_turn_goes_as_with_any_other_server_and_nothing_is_loaded_for_it() {
    let mut session = open_talking(vec![says("hello")]);
    let card = session
        .until(|event| match event {
            Event::Server(ServerEvent::Server { state: ServerState::Up(card) }) => Some(card.clone()),
            _ => None,
        })
        .await;
    assert!(Capability::ALL.iter().all(|what| !card.can(*what)));
    assert_eq!(turn(&mut session, "hi").await, TurnEndReason::Done);
    let backend = session.backend.clone();
    session.leave().await;
    assert!(backend.loads.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_download_or_a_removal_is_refused_by_its_name() {
    let mut session = open_talking(Vec::new());
    session.op(Op::Server(ServerOp::Pull { name: "big".into() }));
    let pulled = session.until(|event| match event {
        Event::Server(ServerEvent::Pulling { name, state }) => Some((name.clone(), state.clone())),
        _ => None,
    });
    assert_eq!(pulled.await, ("big".to_owned(), PullState::Failed { trouble: unsupported(Capability::Pull) }));
    session.op(Op::Server(ServerOp::StopPull));
    session.op(Op::Server(ServerOp::RemoveModel { name: "m".into() }));
    let removed = session.until(|event| match event {
        Event::Server(ServerEvent::ModelRemoved { trouble, .. }) => Some(trouble.clone()),
        _ => None,
    });
    assert_eq!(removed.await, Some(unsupported(Capability::Remove)));
}

#[tokio::test]
async fn of_the_prompt_only_the_request_is_known() {
    let mut session = open_talking(vec![says("hello")]);
    turn(&mut session, "hi").await;
    session.op(Op::List(ListOp::Prompt));
    let (request, rendered, trouble) = session
        .until(|event| match event {
            Event::List(ListEvent::Prompt { request, rendered, trouble }) => {
                Some((request.clone(), rendered.clone(), trouble.clone()))
            }
            _ => None,
        })
        .await;
    assert!(request.contains("\"hi\""), "{request}");
    assert_eq!((rendered, trouble), (None, None));
}

#[tokio::test]
async fn what_is_in_its_memory_is_not_known() {
    let mut session = open_talking(Vec::new());
    session.op(Op::Server(ServerOp::Loaded));
    let loaded = session.until(|event| match event {
        Event::Server(ServerEvent::Loaded { models, trouble }) => Some((models.len(), trouble.clone())),
        _ => None,
    });
    assert_eq!(loaded.await, (0, Some(unsupported(Capability::ListLoaded))));
}
