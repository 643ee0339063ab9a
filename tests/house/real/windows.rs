//! Windows that the server fixed: too small, and one that fills.

use super::server::Llama;
use super::{events, house, journal, of, progress, said};
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
        told.contains("the window of tiny holds 512; a larger --ctx-size where the server runs gives it more"),
        "{told}"
    );
    assert!(told.contains("nothing was sent"), "{told}");
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

/// The model cannot write a summary: the person agrees to a list made by rule, and the conversation goes on.
#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn a_window_that_fills_is_made_room_in_and_nothing_is_lost_without_a_word() {
    let (house, llama) = (house(), Llama::start(4_096, 1));
    let mut screen = house.open_with(&["--host", &llama.host(), "--model", "tiny"], (120, 40));
    let made_shorter = |house: &crate::stage::House| {
        journal(house)
            .iter()
            .any(|event| event["type"] == "fitted" && event["after"].as_u64() < event["before"].as_u64())
    };
    let mut turns = 0;
    while !made_shorter(&house) {
        assert!(turns < 40, "the window does not fill");
        turns += 1;
        screen.keys("Tell me a story.<enter>");
        screen.wait("the turn to end, or a question", |screen| {
            let ended = journal(&house).iter().filter(|event| event["type"] == "turn_ended").count() >= turns;
            ended || screen.contains("y go on")
        });
        if screen.screen().contains("y go on") {
            screen.press_until_gone("y", "y go on");
            house.wait_turns(turns);
        }
    }
    let shown = screen.wait_for("compacted");
    assert!(shown.contains("tokens"), "{shown}");
    screen.wait_gone("Esc interrupts");
    screen.keys("Hello<enter>");
    screen.wait_for("I am a tiny test model");
    house.wait_turns(turns + 1);
    let told = journal(&house);
    let replies: Vec<&Value> = told.iter().filter(|event| event["type"] == "replied").collect();
    assert!(replies.len() > turns, "each turn was answered");
    for reply in replies {
        assert!(reply["usage"]["prompt_tokens"].as_u64().is_some_and(|tokens| tokens < 4_096), "{reply}");
    }
    let broken = told.iter().find(|event| event["type"] == "turn_ended" && event["reason"]["reason"] != "done");
    assert!(broken.is_none(), "{broken:?}");
}
