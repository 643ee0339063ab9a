//! How much of each prompt the server has still in mind, by its own count.

use super::server::Llama;
use super::{house, of, out, said};
use serde_json::Value;

/// Requests whose counts are compared.
const REQUESTS: usize = 20;

/// One session, gone on with by a new process for each turn: what is read back from its journal gives the same bytes.
#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn over_twenty_requests_the_server_reads_hardly_anything_twice() {
    let (house, llama) = (house(), Llama::start(16_384, 1));
    house.write("README.md", "# Demo\n");
    let prompts = ["Read README.md and tell me what it says.", "Hello", "hi"];
    let mut counts: Vec<(Value, bool)> = Vec::new();
    for (turn, prompt) in prompts.iter().cycle().take(REQUESTS).enumerate() {
        let further = if turn == 0 { vec![] } else { vec!["-c"] };
        let args = [further, vec!["--output-format", "stream-json", "-p", prompt]].concat();
        let lines = out(&said(&house, &llama, &args));
        let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        // Reasoning is not sent back, so of such a reply less comes again than the server counted.
        let reasoned = !of(&events, "was_thinking").is_empty();
        counts.extend(of(&events, "replied").iter().map(|event| (event["usage"].clone(), reasoned)));
    }
    assert!(counts.len() >= REQUESTS, "{counts:?}");
    let count = |usage: &Value, name: &str| usage[name].as_u64().unwrap();
    for pair in counts.windows(2) {
        let (usage, reasoned) = &pair[0];
        let reply = if *reasoned { 0 } else { count(usage, "reply_tokens") };
        let earlier = count(usage, "prompt_tokens") + reply;
        let cached = count(&pair[1].0, "cached_tokens");
        assert!(cached * 100 >= earlier * 95, "{cached} of {earlier} were in its mind: {pair:?}");
    }
}
