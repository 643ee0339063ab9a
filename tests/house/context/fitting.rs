//! What does not fit becomes shorter, in steps that show; nothing is lost silently.

use super::session::Session;
use super::texts::{Kind, text};
use agent_protocol::{
    Answer, CallEvent, CallOp, Compaction, ContextEvent, ContextOp, Event, Op, Subject, TurnEndReason,
};
use serde_json::{Value, json};

const SUMMARY: &str =
    "## Goal\nread all files\n\n## Decisions\nnone\n\n## Files\n- 0.txt\n\n## Commands\nnone\n\n## Open\n- go on";

/// A model that reads one file a turn, and summarises when it is asked to.
fn reader(turns: u64, further: Value) -> Value {
    let summary = json!({"when": {"user_contains": "## Goal"}, "say": [{"text": SUMMARY}]});
    let read = |turn: u64| {
        let path = format!("{turn}.txt");
        [
            json!({"when": {"user_contains": format!("number {turn}."), "after": "person"},
                "say": [{"call": {"name": "read_file", "arguments": {"file_path": path}}}]}),
            json!({"when": {"user_contains": format!("number {turn}.")}, "say": [{"text": format!("I read number {turn}.")}]}),
        ]
    };
    let replies: Vec<Value> = std::iter::once(summary).chain((0..turns).flat_map(read)).collect();
    let mut script = json!({"models": [{"name": "m", "context_length": 131_072}], "counts": "pieces", "pace": "immediate", "replies": replies});
    script.as_object_mut().unwrap().extend(further.as_object().cloned().unwrap_or_default());
    script
}

async fn read_all(house: &mut Session, turns: u64, bytes: usize) {
    for turn in 0..turns {
        house.write(&format!("{turn}.txt"), &text(Kind::Code, turn, bytes));
        let said = format!("Read number {turn}. Remember the word w{turn}w.");
        assert_eq!(house.turn(&said).await, TurnEndReason::Done, "turn {turn}");
    }
}

/// All that the model is told in the last request.
fn told(house: &Session) -> String {
    house.chats().last().unwrap().body["messages"].to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_session_in_a_small_window_never_overflows_and_every_step_shows() {
    let mut house = Session::open(reader(30, json!({})), Some(8_192)).await;
    read_all(&mut house, 30, 4_000).await;
    let fitted = house.fitted();
    assert!(fitted.iter().any(|how| matches!(how, Compaction::Stubbed { .. })), "{fitted:?}");
    assert!(fitted.iter().any(|how| matches!(how, Compaction::Summarised { .. })), "{fitted:?}");
    for chat in house.chats() {
        let prompt = chat.prompt.unwrap();
        assert!(prompt.tokens <= prompt.window, "{prompt:?}");
    }
    assert_eq!(house.server.loads(), 1);
    assert!(told(&house).contains("w29w") && told(&house).contains("w0w"), "the first task and the last words stay");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_that_turns_out_smaller_is_said_and_kept_to() {
    let mut house = Session::open(reader(12, json!({"most_window": 6_000})), Some(32_768)).await;
    read_all(&mut house, 12, 4_000).await;
    let window = house.heard.iter().find_map(|event| match event {
        Event::Context(ContextEvent::WindowMeasured { window }) => window.effective,
        _ => None,
    });
    assert_eq!(window, Some(6_000));
    assert!(
        house.notices().iter().any(|text| text.contains("6,000") || text.contains("6000")),
        "{:?}",
        house.notices()
    );
    assert!(!house.fitted().is_empty());
    assert_eq!(house.server.loads(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_overflow_in_the_middle_of_a_turn_is_mended_and_the_turn_goes_on() {
    // One file that takes more than the estimate thinks: a server that counts every sign as several tokens.
    let script = reader(3, json!({"counts": "bytes"}));
    let mut house = Session::open(script, Some(5_500)).await;
    read_all(&mut house, 3, 9_000).await;
    assert!(!house.fitted().is_empty());
    for call in house.heard.iter().filter(|event| matches!(event, Event::Call(CallEvent::Proposed { .. }))) {
        let Event::Call(CallEvent::Proposed { call }) = call else { continue };
        let ended =
            |event: &&Event| matches!(event, Event::Call(CallEvent::Finished { call: ended, .. }) if *ended == call.id);
        assert_eq!(house.heard.iter().filter(ended).count(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_server_that_cuts_in_silence_is_noticed_and_said_once() {
    let mut house = Session::open(reader(14, json!({"old": true})), Some(6_000)).await;
    // The scripted server gives such a request less than it has: the count falls.
    for turn in 0..14 {
        house.write(&format!("{turn}.txt"), &text(Kind::Cjk, turn, 3_000));
        house.turn(&format!("Read number {turn}. {}", text(Kind::Cjk, 90 + turn, 900))).await;
    }
    let cut = house.chats().into_iter().filter(|chat| {
        let prompt = chat.prompt.unwrap();
        prompt.tokens >= prompt.window
    });
    let warned = house.notices().iter().filter(|text| text.contains("without a word")).count();
    assert!(warned <= 1, "{:?}", house.notices());
    assert!(cut.count() <= 2, "once it is noticed, the conversation is kept shorter");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_server_with_a_smaller_window_than_it_was_asked_for_is_noticed() {
    let mut house = Session::open(reader(14, json!({"old": true, "most_window": 4_096})), Some(16_384)).await;
    read_all(&mut house, 14, 2_500).await;
    let warned = house.notices().iter().filter(|text| text.contains("without a word")).count();
    assert_eq!(warned, 1, "{:?}", house.notices());
    assert!(!house.fitted().is_empty(), "what it reads whole is kept to from then on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_refuses_to_summarise_ends_in_a_choice() {
    let refuses =
        json!({"when": {"user_contains": "## Goal"}, "say": [{"text": "I'm sorry, I can't help with that."}]});
    let mut script = reader(4, json!({}));
    script["replies"].as_array_mut().unwrap().insert(0, refuses);
    let mut house = Session::open(script, Some(16_384)).await;
    read_all(&mut house, 4, 3_000).await;
    house.wish(Op::Context(ContextOp::Compact { instructions: String::new() }));
    let asked = house.wait(|event| matches!(event, Event::Call(CallEvent::Asked { .. }))).await;
    let Event::Call(CallEvent::Asked { question }) = asked else { panic!() };
    assert!(matches!(question.subject, Subject::Shorten { .. }), "{question:?}");
    house.wish(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Yes { remember: None, word: None } }));
    assert_eq!(house.end_of_turn().await, TurnEndReason::Done);
    assert!(matches!(house.fitted()[..], [Compaction::Digested { .. }]));
    house.turn("Read number 3. once more").await;
    assert!(told(&house).contains("0.txt"), "the list names the files");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_larger_than_its_share_is_cut_and_says_how_to_read_on() {
    let mut house = Session::open(reader(1, json!({})), Some(8_192)).await;
    read_all(&mut house, 1, 60_000).await;
    let chats = house.chats();
    let messages = chats.last().unwrap().body["messages"].as_array().unwrap().clone();
    let result = messages.iter().find(|message| message["role"] == "tool").unwrap()["content"].as_str().unwrap();
    assert!(result.len() < 8_192 && result.contains("offset"), "{}", &result[result.len().saturating_sub(200)..]);
}
