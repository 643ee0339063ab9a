//! Prompts that are read, remembered and counted, by rules that a client does not know.

use crate::client::{PATIENCE, Reply, chat, send};
use agent_mock_server::{End, PromptRead, Script, Server};
use serde_json::{Value, json};

/// A server with the model `m`, which counts and says this.
fn start(counts: &str, more: Value) -> Server {
    let mut script = json!({"models": [{"name": "m"}], "counts": counts, "pace": "immediate",
        "reading_per_second": 1000, "replies": [{"say": [{"text": "Hello, world!"}]}]});
    script.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    Server::start(Script::from_value(script).unwrap()).unwrap()
}

fn ask(server: &Server, messages: &Value, tools: &Value) -> Reply {
    let options = json!({"num_ctx": 16384});
    chat(
        server.addr(),
        &json!({"model": "m", "messages": messages, "tools": tools, "truncate": false, "shift": false, "options": options}),
    )
}

/// Tokens of the prompt, milliseconds of reading, tokens written.
fn figures(reply: &Reply) -> [u64; 3] {
    let last = reply.lines().pop().unwrap();
    let figure = |name: &str| last[name].as_u64().unwrap();
    [figure("prompt_eval_count"), figure("prompt_eval_duration") / 1_000_000, figure("eval_count")]
}

fn last_read(server: &Server) -> (u64, u64, bool) {
    let chat = server.chats().pop().unwrap();
    let read = chat.prompt.unwrap();
    (read.tokens, read.new, chat.loaded)
}

fn person(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn model(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

#[test]
fn prompts_and_replies_are_counted_by_the_scripts_rule() {
    let count = |counts: &str| figures(&ask(&start(counts, json!({})), &json!([person("Hello, world!")]), &json!([])));
    assert_eq!(count("quarter"), [4, 4, 5], "a reply by its pieces, and one for its end");
    assert_eq!(count("words"), [7, 7, 5]);
    assert_eq!(count("bytes"), [10, 10, 6]);
    assert_eq!(count("pieces"), [8, 8, 5]);
}

#[test]
fn tools_calls_and_thinking_are_part_of_a_prompt() {
    let call = json!({"function": {"name": "ls", "arguments": {"path": "."}}});
    let messages = json!([
        person("Hi"),
        {"role": "assistant", "content": "", "thinking": "Let me see", "tool_calls": [call]},
        {"role": "tool", "tool_name": "ls", "content": "a b"},
    ]);
    let tools = json!([{"type": "function", "function": {"name": "ls", "parameters": {}}}]);
    let count = |counts: &str| {
        let server = start(counts, json!({}));
        [&json!([]), &tools].map(|tools| figures(&ask(&server, &messages, tools))[0])
    };
    assert_eq!(count("words"), [(1 + 3) + (3 + 23 + 3) + (2 + 3), 38 + 32]);
    assert_eq!(count("bytes"), [(1 + 5) + (4 + 14 + 5) + (1 + 5), 35 + 23]);
}

#[test]
fn what_a_prompt_begins_with_again_is_not_read_again() {
    let server = start("words", json!({}));
    let mut messages = json!([{"role": "system", "content": "Be brief."}, person("one two three")]);
    assert_eq!(figures(&ask(&server, &messages, &json!([])))[..2], [12, 12]);
    assert_eq!(last_read(&server), (12, 12, true));
    let list = messages.as_array_mut().unwrap();
    list.extend([model("Hello, world!"), person("four five")]);
    assert_eq!(figures(&ask(&server, &messages, &json!([])))[..2], [24, 5], "nor is its own reply");
    assert_eq!(last_read(&server), (24, 5, false));
    assert_eq!(figures(&ask(&server, &messages, &json!([])))[..2], [24, 1], "the same again");
    messages[1] = person("one two four");
    assert_eq!(figures(&ask(&server, &messages, &json!([])))[..2], [24, 18], "all behind a change is new");
    let tools = json!([{"type": "function"}]);
    let [all, new, _] = figures(&ask(&server, &messages, &tools));
    assert_eq!(all, new, "and tools come first");
}

#[test]
fn a_reply_that_is_sent_back_otherwise_is_read_again() {
    let server = start("words", json!({}));
    ask(&server, &json!([person("one")]), &json!([]));
    ask(&server, &json!([person("one"), model("Hello world"), person("two")]), &json!([]));
    assert_eq!(last_read(&server), (4 + 5 + 4, 9, false));
}

#[test]
fn a_model_that_is_loaded_again_has_nothing_in_mind() {
    let server = start("words", json!({}));
    let messages = json!([person("one two three")]);
    ask(&server, &messages, &json!([]));
    ask(&server, &messages, &json!([]));
    assert_eq!(last_read(&server), (6, 1, false));
    let unloading = json!({"model": "m", "messages": [], "keep_alive": 0});
    chat(server.addr(), &unloading);
    ask(&server, &messages, &json!([]));
    assert_eq!(last_read(&server), (6, 6, true));
    assert_eq!(server.loads(), 2);
}

#[test]
fn the_thinking_of_earlier_turns_is_dropped_where_the_template_does_so() {
    let thought = json!({"role": "assistant", "content": "Yes.", "thinking": "one two three"});
    let ended = json!([person("Hi"), thought, person("And?")]);
    let running = json!([person("Hi"), thought, {"role": "tool", "content": "x"}]);
    let count = |drops: bool, messages: &Value| {
        figures(&ask(&start("words", json!({"drops_thinking": drops})), messages, &json!([])))[0]
    };
    assert_eq!([count(false, &ended), count(true, &ended)], [4 + 8 + 5, 4 + 5 + 5]);
    assert_eq!([count(false, &running), count(true, &running)], [4 + 8 + 4, 4 + 8 + 4], "of this turn it is kept");
}

#[test]
fn dropped_thinking_costs_the_cache_from_there_on() {
    let say = json!([{"thinking": "one two"}, {"text": "Yes."}]);
    let server = start("words", json!({"drops_thinking": true, "replies": [{"say": say}]}));
    let thought = json!({"role": "assistant", "content": "Yes.", "thinking": "one two"});
    ask(&server, &json!([person("Hi")]), &json!([]));
    ask(&server, &json!([person("Hi"), thought, {"role": "tool", "content": "x"}]), &json!([]));
    assert_eq!(last_read(&server), (4 + 7 + 4, 4, false));
    ask(
        &server,
        &json!([person("Hi"), thought, {"role": "tool", "content": "x"}, thought, person("And?")]),
        &json!([]),
    );
    assert_eq!(last_read(&server).1, 5 + 4 + 5 + 5);
}

#[test]
fn while_a_prompt_is_read_nothing_is_said() {
    let script = json!({"models": [{"name": "m"}], "counts": "words", "reading_per_second": 0.001});
    let server = Server::start(Script::from_value(script).unwrap()).unwrap();
    let body = json!({"model": "m", "messages": [person("one two")]}).to_string();
    let exchange = send(server.addr(), "POST", "/api/chat", "127.0.0.1", &body);
    let read = server.wait(PATIENCE, |requests| requests.first()?.prompt).unwrap();
    assert_eq!((read.new, server.chats()[0].ended), (5, None));
    drop(exchange);
    assert_eq!(server.wait_for_chat_end(1, PATIENCE).unwrap().ended.unwrap().how, End::ClientGone);
}

#[test]
fn the_journal_tells_what_was_read_and_how_much_stands_there_again() {
    let server = start("words", json!({"models": [{"name": "m", "context_length": 20}]}));
    ask(&server, &json!([person("one")]), &json!([]));
    ask(&server, &json!([person("one"), model("Hello, world!"), person("two")]), &json!([]));
    ask(&server, &json!([person("won")]), &json!([]));
    let refused = ask(&server, &json!([person(&"word ".repeat(30))]), &json!([]));
    assert_eq!(refused.status, 400);
    let chats = server.chats();
    let read = |tokens, new| Some(PromptRead { tokens, new, window: 20 });
    let told: Vec<_> = chats.iter().map(|chat| chat.prompt).collect();
    assert_eq!(told, [read(4, 4), read(15, 4), read(4, 4), read(33, 0)]);
    assert!(chats[1].repeats(&chats[0]).is_whole());
    let changed = chats[2].repeats(&chats[0]);
    assert!(!changed.is_whole() && changed.bytes > 0, "{changed:?}");
}

#[test]
fn a_request_that_only_loads_is_no_chat_and_counts_as_none() {
    let replies = json!([{"when": {"request": 1}, "say": [{"text": "first"}]}, {"say": [{"text": "later"}]}]);
    let server = start("words", json!({"replies": replies}));
    let options = json!({"num_ctx": 16384});
    let load = json!({"model": "m", "messages": [], "truncate": false, "shift": false, "options": options});
    assert_eq!(chat(server.addr(), &load).json()["done_reason"], "load");
    let reply = ask(&server, &json!([person("Hi")]), &json!([]));
    assert_eq!((reply.content().as_str(), last_read(&server)), ("first", (4, 4, false)));
    let requests = server.requests();
    assert_eq!([requests[0].is_load(), requests[0].loaded, requests[1].is_load()], [true, true, false]);
    assert_eq!((server.chats().len(), server.loads()), (1, 1));
}
