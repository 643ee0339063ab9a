//! `agent mcp`: the built binary as a server of tools, driven over its pipes by a small client.

use crate::stage::{House, alive};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// The other program.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// What it answers where its person is asked.
    answer: Value,
    /// What its person was asked.
    asked: Vec<String>,
    progress: Vec<String>,
    /// Answers that came before they were waited for, by their number.
    early: Vec<(u64, Value)>,
    last: u64,
}

impl Client {
    /// Begins as MCP wants it; `asks`: it can ask its person something.
    fn start(house: &House, args: &[&str], asks: bool) -> Self {
        let mut client = Client::silent(house, args);
        let capabilities = if asks { json!({"elicitation": {}}) } else { json!({}) };
        let info = json!({"name": "client", "version": "1"});
        let begin = json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": info});
        let told = client.request("initialize", begin);
        assert_eq!(told["result"]["serverInfo"]["name"], "agent", "{told}");
        client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    /// Says nothing yet.
    fn silent(house: &House, args: &[&str]) -> Self {
        let mut child = house
            .headless(&[&["mcp"], args].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let (asked, progress, early) = (Vec::new(), Vec::new(), Vec::new());
        Client { child, input, output, answer: json!({"action": "decline"}), asked, progress, early, last: 0 }
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("standard output carries {line:?}: {error}"))
    }

    /// Sends a request, and gives its number.
    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let id = self.last;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answered(id)
    }

    /// Waits for an answer; what the server asks meanwhile is answered.
    fn answered(&mut self, id: u64) -> Value {
        if let Some(at) = self.early.iter().position(|(early, _)| *early == id) {
            return self.early.swap_remove(at).1;
        }
        loop {
            let message = self.read();
            match message["method"].as_str() {
                Some("elicitation/create") => {
                    self.asked.push(message["params"]["message"].as_str().unwrap().to_owned());
                    assert_eq!(message["params"]["requestedSchema"]["properties"]["allow"]["type"], "boolean");
                    let answer = self.answer.clone();
                    self.write(&json!({"jsonrpc": "2.0", "id": message["id"], "result": answer}));
                }
                Some("notifications/progress") => {
                    self.progress.push(message["params"]["message"].as_str().unwrap_or_default().to_owned());
                }
                _ => match message["id"].as_u64() {
                    Some(answered) if answered == id => return message,
                    Some(other) => self.early.push((other, message)),
                    None => {}
                },
            }
        }
    }

    /// What a call is told, and whether that is an error.
    fn call(&mut self, name: &str, arguments: Value) -> (String, bool) {
        let told = self.request("tools/call", json!({"name": name, "arguments": arguments}));
        let text = told["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{told}"));
        (text.to_owned(), told["result"]["isError"].as_bool().unwrap_or_default())
    }

    /// Goes away, and gives the exit code.
    fn leave(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().unwrap().code()
    }
}

/// Looks again and again until there is something to see.
fn wait_until<T>(look: impl Fn() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain");
        std::thread::yield_now();
    }
}

fn new_file() -> Value {
    json!({"file_path": "new.txt", "content": "text\n"})
}

#[test]
fn the_tools_are_listed_and_one_is_called_and_no_model_server_is_asked() {
    let house = House::new(&[]);
    house.write("a.txt", "two\n");
    let mut client = Client::start(&house, &[], false);
    let listed = client.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"read_file") && names.contains(&"run_command"), "{names:?}");
    for inside in ["todo_write", "exit_plan_mode", "ask_user", "task"] {
        assert!(!names.contains(&inside), "{names:?}");
    }
    let read = tools.iter().find(|tool| tool["name"] == "read_file").unwrap();
    assert_eq!(read["inputSchema"]["type"], "object", "{read}");
    let (told, wrong) = client.call("read_file", json!({"file_path": "a.txt"}));
    assert!(told.contains("two") && !wrong, "{told}");
    let (told, wrong) = client.call("read_file", json!({"file_path": "b.txt"}));
    assert!(wrong, "{told}");
    let (told, wrong) = client.call("ask_user", json!({"question": "which?"}));
    assert!(wrong && told.contains("there is none here"), "{told}");
    assert_eq!(client.leave(), Some(0));
    assert_eq!(house.server().requests().len(), 0, "nobody is asked for a model");
}

#[test]
fn what_would_ask_is_refused_with_the_flag_that_allows_it_where_nobody_can_be_asked() {
    let house = House::without_server();
    let mut client = Client::start(&house, &[], false);
    let (told, wrong) = client.call("write_file", new_file());
    assert!(wrong && told.contains("--allow write"), "{told}");
    assert!(!house.project().join("new.txt").exists());
    assert_eq!(client.leave(), Some(0));
    for flags in [["--allow", "write,run"].as_slice(), &["--unsafe"]] {
        let mut client = Client::start(&house, flags, false);
        let (told, wrong) = client.call("write_file", new_file());
        assert!(!wrong, "{told}");
        assert_eq!(house.read("new.txt"), "text\n");
        std::fs::remove_file(house.project().join("new.txt")).unwrap();
        client.leave();
    }
}

#[test]
fn a_person_behind_the_other_program_is_asked_and_what_they_say_counts() {
    let house = House::without_server();
    let mut client = Client::start(&house, &[], true);
    client.answer = json!({"action": "decline"});
    let (told, wrong) = client.call("write_file", new_file());
    assert!(wrong && told.contains("the user said no"), "{told}");
    client.answer = json!({"action": "accept", "content": {"allow": false, "word": "call it old.txt"}});
    let (told, wrong) = client.call("write_file", new_file());
    assert!(wrong && told.contains("call it old.txt"), "{told}");
    assert!(!house.project().join("new.txt").exists());
    client.answer = json!({"action": "accept", "content": {"allow": true}});
    let (told, wrong) = client.call("write_file", new_file());
    assert!(!wrong, "{told}");
    assert_eq!(house.read("new.txt"), "text\n");
    let shown = client.asked.last().unwrap();
    assert!(shown.contains("new.txt") && shown.contains("+text"), "{shown}");
    let (told, wrong) = client.call("run_command", json!({"command": "echo ran > ran.txt"}));
    assert!(!wrong, "{told}");
    assert!(client.asked.last().unwrap().contains("echo ran > ran.txt"), "{:?}", client.asked);
    assert_eq!((house.read("ran.txt").as_str(), client.asked.len()), ("ran\n", 4));
    assert_eq!(client.leave(), Some(0));
    assert!(house.journals()[0].contains("call write_file"), "what was done is written down");
}

#[test]
fn a_running_command_tells_how_it_goes_and_can_be_cancelled() {
    let house = House::without_server();
    let mut client = Client::start(&house, &["--unsafe"], false);
    let stays = "echo here it goes; echo $$ > pid.txt; exec sleep 1000";
    let meta = json!({"progressToken": "p"});
    let running = json!({"name": "run_command", "arguments": {"command": stays, "timeout": 600}, "_meta": meta});
    let id = client.send("tools/call", running);
    let pid =
        wait_until(|| std::fs::read_to_string(house.project().join("pid.txt")).ok().filter(|pid| !pid.is_empty()));
    client.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    wait_until(|| (!alive(&pid)).then_some(()));
    let (told, wrong) = client.call("list_directory", json!({"path": "."}));
    assert!(told.contains("pid.txt") && !wrong, "the next call is answered, and the cancelled one never: {told}");
    assert!(!client.progress.is_empty(), "that it runs is told");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn what_is_no_message_is_passed_over_and_calls_that_come_at_once_are_all_carried_out() {
    let house = House::without_server();
    let mut client = Client::start(&house, &["--unsafe"], false);
    for garbage in ["", "hello", "{\"jsonrpc\":", "\u{1b}[2J\u{0}", "[1,2", &"x".repeat(9 << 20)] {
        writeln!(client.input.as_mut().unwrap(), "{garbage}").unwrap();
    }
    let line = |n: u32| json!({"name": "run_command", "arguments": {"command": format!("echo {n} >> lines.txt")}});
    let ids: Vec<u64> = (1..=5).map(|n| client.send("tools/call", line(n))).collect();
    for id in ids {
        let told = client.answered(id);
        assert_eq!(told["result"]["isError"], false, "{told}");
    }
    let mut lines: Vec<String> = house.read("lines.txt").lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(lines, ["1", "2", "3", "4", "5"]);
    let (told, wrong) = client.call("git_status", json!({}));
    assert!(wrong && told.contains("group git") && told.contains("--tools"), "{told}");
    let unknown = client.request("no/such/method", json!({}));
    assert!(unknown["error"]["code"].is_i64(), "{unknown}");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn a_client_that_goes_away_leaves_no_process_behind() {
    let house = House::without_server();
    let mut client = Client::start(&house, &["--unsafe"], false);
    let stays = json!({"command": "echo $$ > pid.txt; exec sleep 1000", "timeout": 600});
    client.send("tools/call", json!({"name": "run_command", "arguments": stays}));
    let pid =
        wait_until(|| std::fs::read_to_string(house.project().join("pid.txt")).ok().filter(|pid| !pid.is_empty()));
    assert_eq!(client.leave(), Some(0));
    wait_until(|| (!alive(&pid)).then_some(()));
    assert_eq!(Client::silent(&house, &[]).leave(), Some(0), "also one that never said anything");
}
