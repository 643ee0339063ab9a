//! The prompt only grows, and the model is never loaded again on our account.

use super::session::Session;
use agent_mock_server::Recorded;
use agent_protocol::{ContextOp, Event, ListEvent, ListOp, Op, ServerOp, TurnEndReason};
use serde_json::{Value, json};

const CALLS: u64 = 50;

/// A server whose model reads fifty files one after the other, over five turns.
fn script() -> Value {
    let call = |number: u64| {
        let arguments = json!({"offset": 1, "file_path": format!("{number}.txt"), "limit": 40});
        json!({"times": 1, "say": [{"thinking": format!("file {number} is next")}, {"text": format!("Now {number}.")},
            {"call": {"name": "read_file", "arguments": arguments}}]})
    };
    let mut replies = Vec::new();
    for number in 0..CALLS {
        replies.push(call(number));
        if number % 10 == 9 {
            replies.push(json!({"times": 1, "say": [{"text": "That was ten."}]}));
        }
    }
    json!({
        "models": [{"name": "m", "context_length": 131_072, "capabilities": ["completion", "tools", "thinking"]}],
        "counts": "pieces",
        "pace": "immediate",
        "reading_per_second": 500,
        "replies": replies,
    })
}

async fn play() -> Session {
    let mut house = Session::open(script(), Some(65_536)).await;
    for number in 0..CALLS {
        house.write(&format!("{number}.txt"), &format!("the text of file {number}\n").repeat(30));
    }
    for turn in 0..5 {
        assert_eq!(house.turn(&format!("ten files, from {}", turn * 10)).await, TurnEndReason::Done);
        house.context().await;
        house.wish(Op::List(ListOp::Prompt));
        house.wait(|event| matches!(event, Event::List(ListEvent::Prompt { .. }))).await;
    }
    house
}

/// The body of a request without the message list's end: what the next one must begin with.
fn fields(request: &Recorded) -> (Value, Value, Value, Value, Value, Value) {
    let of = |name: &str| request.body[name].clone();
    (of("model"), of("options"), of("truncate"), of("shift"), of("keep_alive"), of("think"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_request_of_a_session_of_fifty_calls_begins_with_the_whole_one_before() {
    let house = play().await;
    let chats = house.chats();
    assert_eq!(chats.len(), 55);
    for pair in chats.windows(2) {
        let repeated = pair[1].repeats(&pair[0]);
        assert!(repeated.is_whole(), "{} of {} bytes are the same", repeated.bytes, repeated.of);
        assert_eq!(fields(&pair[0]), fields(&pair[1]));
    }
}

/// The options without the bound on the reply, for which nothing is loaded again.
fn runner(request: &Recorded) -> Value {
    let mut options = request.body["options"].clone();
    options.as_object_mut().unwrap().remove("num_predict");
    options
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_request_asks_for_the_same_model_in_the_same_way_and_loads_it_once() {
    let house = play().await;
    let asked: Vec<Recorded> =
        house.server.requests().into_iter().filter(|request| request.path == "/api/chat").collect();
    assert!(asked.iter().any(Recorded::is_load) && asked.iter().any(Recorded::is_render));
    for request in &asked {
        assert_eq!(
            (&request.body["truncate"], &request.body["shift"], &request.body["options"]["num_ctx"]),
            (&json!(false), &json!(false), &json!(65_536)),
        );
        assert_eq!(runner(request), runner(&asked[0]));
    }
    assert_eq!(house.server.loads(), 1);
    assert_eq!(asked.iter().filter(|request| request.is_chat() && request.loaded).count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_summary_and_an_examination_do_not_load_the_model_again() {
    let mut house = play().await;
    house.wish(Op::Context(ContextOp::Compact { instructions: String::new() }));
    house.end_saying_yes().await;
    house.wish(Op::Server(ServerOp::Examine));
    house.end_saying_yes().await;
    assert_eq!(house.server.loads(), 1);
    let chats = house.chats();
    assert!(chats.iter().all(|request| runner(request) == runner(&chats[0])));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_server_had_in_mind_is_told() {
    let mut house = play().await;
    let reused = house.context().await.reused.expect("the server tells how long it read");
    assert!(reused.tokens * 10 > reused.of * 9, "{} of {}", reused.tokens, reused.of);
}
