//! How much of each prompt the server has still in mind, by its own count.

use super::server::Llama;
use super::{house, journal};
use serde_json::Value;

/// Requests whose counts are compared.
const REQUESTS: usize = 20;

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn over_twenty_requests_the_server_reads_hardly_anything_twice() {
    let (house, llama) = (house(), Llama::start(16_384, 1));
    house.write("README.md", "# Demo\n");
    let mut screen = house.open_with(&["--host", &llama.host(), "--model", "tiny"], (120, 40));
    for turn in 1..=REQUESTS / 2 {
        screen.keys("Read README.md and tell me what it says.<enter>");
        house.wait_turns(turn);
        screen.wait_gone("Esc interrupts");
    }
    let events = journal(&house);
    let counts: Vec<&Value> =
        events.iter().filter(|event| event["type"] == "replied").map(|event| &event["usage"]).collect();
    assert_eq!(counts.len(), REQUESTS);
    let of = |usage: &Value, name: &str| usage[name].as_u64().unwrap();
    for pair in counts.windows(2) {
        let earlier = of(pair[0], "prompt_tokens") + of(pair[0], "reply_tokens");
        let cached = of(pair[1], "cached_tokens");
        assert!(cached * 100 >= earlier * 95, "{cached} of {earlier} were in its mind: {counts:?}");
    }
}
