//! Windows that the server fixed: too small, and one that fills.

use super::server::Llama;
use super::{events, house, journal, of, patient_house, progress, said};
use crate::stage::House;
use serde_json::Value;

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn a_window_in_which_not_even_the_instructions_fit_is_refused_before_anything_is_sent() {
    let (house, llama) = (house(), Llama::start(512, 1));
    let output = said(&house, &llama, &["-p", "Hello"]);
    let told = progress(&output);
    assert_eq!(output.status.code(), Some(5), "{told}");
    assert!(told.contains("the instructions and tools alone take about"), "{told}");
    assert!(
        told.contains(
            "the window of tiny holds 512, so no message fits; a larger --ctx-size where the server runs gives"
        ),
        "{told}"
    );
    assert_eq!(llama.counted("prompt_tokens_total"), 0, "the server was not asked");
}

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn the_first_request_knows_the_window_and_asks_for_no_more() {
    let (house, llama) = (house(), Llama::start(4_096, 1));
    let told = events(&house, &llama, "Hello");
    let sizes: Vec<u64> = of(&told, "window").iter().filter_map(|event| event["of"].as_u64()).collect();
    assert!(!sizes.is_empty() && sizes.iter().all(|of| *of == 4_096), "{sizes:?}");
    let measured = &of(&told, "window_measured")[0]["window"];
    assert_eq!((&measured["chosen"], measured["effective"].as_u64()), (&Value::from("fixed"), Some(4_096)));
    let notices: String = of(&told, "notice").iter().map(|event| event.to_string()).collect();
    assert!(!notices.contains("short of memory"), "{notices}");
    let asked = said(&house, &llama, &["--num-ctx", "16384", "-p", "Hello"]);
    let words = "16,384 tokens were asked for, and this server alone decides: it gives 4,096 to tiny";
    assert!(progress(&asked).contains(words), "{}", progress(&asked));
}

/// Two endless replies, each ended by its limit, fill the window. The model cannot write a summary: the user agrees to a list
/// made by rule, and the conversation goes on.
#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn a_window_that_fills_is_made_room_in_and_nothing_is_lost_without_a_word() {
    let (house, llama) = (patient_house(), Llama::start(4_096, 1));
    let mut screen = house.open_with(&["--host", &llama.host(), "--model", "tiny"], (120, 40));
    let made_shorter = |event: &Value| event["type"] == "fitted" && event["after"].as_u64() < event["before"].as_u64();
    let mut turns = 0;
    while !journal(&house).iter().any(made_shorter) {
        assert!(turns < 8, "the window does not fill");
        turns += 1;
        screen.keys("Stream forever<enter>");
        screen.wait("the turn to end, or a question", |screen| ended(&house) >= turns || screen.contains("y/1 use it"));
        if screen.screen().contains("y/1 use it") {
            screen.press_slowly_until("y", "compacted");
        }
        house.wait_turns(turns);
    }
    let told = journal(&house);
    let replies: Vec<&Value> = told.iter().filter(|event| event["type"] == "replied").collect();
    assert!(replies.len() >= turns, "each turn was answered");
    for reply in replies {
        assert!(reply["usage"]["prompt_tokens"].as_u64().is_some_and(|tokens| tokens < 4_096), "{reply}");
    }
    let failed = |event: &Value| {
        event["type"] == "turn_ended" && !["done", "length"].contains(&event["reason"]["reason"].as_str().unwrap_or(""))
    };
    assert!(!told.iter().any(failed), "no request was refused or lost: {told:?}");
}

fn ended(house: &House) -> usize {
    journal(house).iter().filter(|event| event["type"] == "turn_ended").count()
}
