//! What the model says and calls.

use super::server::Llama;
use super::{events, house, journal, of, out, progress, said};
use serde_json::{Value, json};

/// A picture of one red dot.
const DOT: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDAT\
    \x78\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99\x3d\x1d\0\0\0\0IEND\xaeB`\x82";

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn a_chat_is_answered_and_counted_by_the_server() {
    let (house, llama) = (house(), Llama::start(16_384, 1));
    let output = said(&house, &llama, &["--output-format", "json", "-p", "Hello"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["answer"], "Hello! I am a tiny test model. Ask me to read README.md.", "{}", progress(&output));
    assert_eq!(summary["exit_code"], 0);
    let events = events(&house, &llama, "Hello");
    let usage = &of(&events, "replied")[0]["usage"];
    for count in ["prompt_tokens", "cached_tokens", "reply_tokens", "prompt_ns", "reply_ns"] {
        assert!(usage[count].as_u64().is_some(), "{count}: {usage}");
    }
}

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn a_tool_is_called_and_its_result_answered() {
    let (house, llama) = (house(), Llama::start(16_384, 1));
    house.write("README.md", "# Demo\n");
    let events = events(&house, &llama, "Read README.md and tell me what it says.");
    let call = &of(&events, "proposed")[0]["call"];
    assert_eq!((&call["name"], &call["arguments"]), (&json!("read_file"), &json!({"file_path": "README.md"})));
    assert!(call["server_id"].as_str().is_some_and(|id| !id.is_empty()), "{call}");
    assert_eq!(of(&events, "finished")[0]["outcome"]["told"], "1\t# Demo\n");
    let answer: String = of(&events, "text").iter().filter_map(|event| event["text"].as_str()).collect();
    assert_eq!(answer, "README.md describes a **demo project** with one binary and a few tests.");
}

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn two_calls_in_one_reply_are_both_carried_out() {
    let (house, llama) = (house(), Llama::start(16_384, 1));
    house.write("a.rs", "// TODO\n");
    let events = events(&house, &llama, "Search for TODO.");
    let called: Vec<&Value> = of(&events, "proposed").iter().map(|event| &event["call"]["name"]).collect();
    assert_eq!(called, ["grep_search", "glob_files"]);
    assert_eq!((of(&events, "replied").len(), of(&events, "finished").len()), (2, 2), "both came in the first reply");
    let answer: String = of(&events, "text").iter().filter_map(|event| event["text"].as_str()).collect();
    assert_eq!(answer, "I searched for TODO and listed the Rust files.");
}

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn calls_as_text_are_found() {
    let (house, llama) = (house(), Llama::start(16_384, 1));
    house.write("README.md", "# Demo\n");
    for (prompt, dialect) in
        [("Use a fenced call.", "json"), ("Use the mistral format.", "mistral"), ("Use the xml format.", "")]
    {
        let output = said(&house, &llama, &["-p", prompt]);
        assert!(out(&output).ends_with("call ran.\n"), "{prompt}: {}{}", out(&output), progress(&output));
        assert!(progress(&output).contains("Read README.md · 1 line"), "{prompt}: {}", progress(&output));
        assert!(progress(&output).contains(&format!("(from text: {dialect}")), "{prompt}: {}", progress(&output));
    }
}

/// The model has no eyes, and the server would refuse the picture: it is not sent, and that is said.
#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn a_picture_stays_here_where_the_server_says_that_the_model_sees_none() {
    let (house, llama) = (house(), Llama::start(16_384, 1));
    std::fs::write(house.project().join("README.md"), DOT).unwrap();
    let events = events(&house, &llama, "Read README.md and tell me what it says.");
    let told = of(&events, "finished")[0]["outcome"]["told"].to_string();
    assert!(told.contains("PNG") || told.contains("image"), "{told}");
    let sent = journal(&house).iter().map(Value::to_string).collect::<String>();
    assert!(sent.contains("this model does not understand pictures"), "{sent}");
    assert_eq!(of(&events, "turn_ended")[0]["reason"]["reason"], "done", "the server did not refuse the request");
}

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn what_the_server_is_and_gives_is_shown() {
    let (house, llama) = (house(), Llama::start(16_384, 2));
    let listed = out(&said(&house, &llama, &["models"]));
    assert!(listed.contains("tiny") && listed.contains("window 8k"), "{listed}");
    let looked = out(&said(&house, &llama, &["doctor"]));
    for line in
        ["llama.cpp", "decides alone how large a window is (--ctx-size where it runs)", "works on 2 requests at once"]
    {
        assert!(looked.contains(line), "{line}: {looked}");
    }
    assert!(looked.contains("counts     come with replies, with how much of the prompt was cached"), "{looked}");
    assert!(looked.contains("8k asked for, 8k given; as the server was started with it"), "{looked}");
}
