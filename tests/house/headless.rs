//! The face without a screen, as scripts use it.

use crate::stage::{House, alive, call, text};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Output, Stdio};

fn run(house: &House, args: &[&str]) -> Output {
    house.headless(args).stdin(Stdio::null()).output().unwrap()
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn progress(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn write_then_answer() -> House {
    House::new(&[call("write_file", json!({"file_path": "new.txt", "content": "text\n"})), text("All done.")])
}

#[test]
fn the_answer_goes_to_stdout_and_progress_to_stderr() {
    let house = House::new(&[call("read_file", json!({"file_path": "a.txt"})), text("It says two.")]);
    house.write("a.txt", "two\n");
    let output = run(&house, &["--model", "m", "-p", "what does it say?"]);
    assert_eq!((out(&output), output.status.code()), ("It says two.\n", Some(0)));
    assert!(progress(&output).contains("Read a.txt"), "{}", progress(&output));
}

#[test]
fn what_would_ask_is_refused_with_the_flag_that_allows_it() {
    let house = write_then_answer();
    let output = run(&house, &["--model", "m", "-p", "write it"]);
    assert!(progress(&output).contains("--allow write"), "{}", progress(&output));
    assert!(!house.project().join("new.txt").exists());
    let told = house.server().chats()[1].body["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(told.contains("refused: nobody is here") && told.contains("--allow write"), "{told}");
}

#[test]
fn allowed_writes_happen() {
    for flags in [vec!["--allow", "write"], vec!["--unsafe"]] {
        let house = write_then_answer();
        let output = run(&house, &[vec!["--model", "m", "-p", "write it"], flags].concat());
        assert_eq!((out(&output), house.read("new.txt").as_str()), ("All done.\n", "text\n"));
    }
}

#[test]
fn allowing_one_kind_allows_no_other() {
    let run_it = || House::new(&[call("run_command", json!({"command": "echo ran > out.txt"})), text("Done.")]);
    let house = run_it();
    run(&house, &["--model", "m", "-p", "run it", "--allow", "run"]);
    assert_eq!(house.read("out.txt"), "ran\n");
    let house = run_it();
    run(&house, &["--model", "m", "-p", "run it", "--allow", "write"]);
    assert!(!house.project().join("out.txt").exists());
}

#[test]
fn json_is_one_object_and_stream_json_one_a_line() {
    let house = write_then_answer();
    let output = run(&house, &["--model", "m", "-p", "write it", "--output-format", "json", "--allow", "write"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["answer"], &summary["exit_code"]), (&json!("All done."), &json!(0)));
    assert_eq!(summary["calls"][0]["name"], "write_file");

    let house = write_then_answer();
    let output = run(&house, &["--model", "m", "-p", "write it", "--output-format", "stream-json"]);
    let types: Vec<String> = out(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    for wanted in ["opened", "turn_started", "proposed", "asked", "settled", "finished", "turn_ended", "end"] {
        assert!(types.iter().any(|kind| kind == wanted), "{wanted} is missing in {types:?}");
    }
}

#[test]
fn the_prompt_may_come_from_standard_input() {
    let house = House::new(&[text("Heard.")]);
    let mut child =
        house.headless(&["--model", "m", "-p"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"from the pipe\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(out(&output), "Heard.\n");
    let messages = house.server().chats()[0].body["messages"].clone();
    assert_eq!(messages[1]["content"], "from the pipe\n");
}

#[test]
fn each_way_to_end_has_its_exit_code() {
    let nowhere = House::without_server();
    let output = run(&nowhere, &["--model", "m", "-p", "hi"]);
    assert_eq!(output.status.code(), Some(3), "{}", progress(&output));
    assert!(progress(&output).contains("ollama serve"), "{}", progress(&output));

    let house = House::new(&[]);
    let output = run(&house, &["--model", "nope", "-p", "hi"]);
    assert_eq!(output.status.code(), Some(4), "{}", progress(&output));
    assert!(progress(&output).contains("installed: m"), "{}", progress(&output));

    let cut = |text: &str| json!([{"text": text}, {"cut": true}]);
    let house = House::new(&[cut("a piece"), cut("half")]);
    let output = run(&house, &["--model", "m", "-p", "hi"]);
    assert_eq!((out(&output), output.status.code()), ("half\n", Some(5)));

    let output = run(&house, &["--model", "m", "--nonsense"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn where_every_call_was_refused_or_the_change_alone_the_shell_learns_it() {
    let output = run(&write_then_answer(), &["--model", "m", "-p", "write it"]);
    assert_eq!((out(&output), output.status.code()), ("All done.\n", Some(8)), "{}", progress(&output));
    let read = call("read_file", json!({"file_path": "a.txt"}));
    let house = House::new(&[read, call("write_file", json!({"file_path": "b", "content": "b"})), text("Read it.")]);
    house.write("a.txt", "two\n");
    let output = run(&house, &["--model", "m", "--output-format", "json", "-p", "write it"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &summary["receipt"]["unchanged"]), (Some(9), &json!(true)));
    let output = run(&write_then_answer(), &["--model", "m", "--output-format", "json", "-p", "write it"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["exit_code"], output.status.code()), (&json!(8), Some(8)));
}

#[test]
fn a_plan_is_the_answer_and_what_needs_a_person_is_not_offered() {
    let plan = call("exit_plan_mode", json!({"plan": "1. it"}));
    let house = House::new(&[plan, call("write_file", json!({"file_path": "b", "content": "b"})), text("1. Mend it.")]);
    let output = run(&house, &["--model", "m", "--plan", "--tools", "all", "-p", "mend it"]);
    assert_eq!((out(&output), output.status.code()), ("1. Mend it.\n", Some(0)), "{}", progress(&output));
    let chats = house.server().chats();
    let offered = chats[0].body["tools"].to_string();
    for (name, stands) in [("ask_user", false), ("exit_plan_mode", false), ("save_memory", false), ("todo_write", true)]
    {
        assert_eq!(offered.contains(&format!("\"{name}\"")), stands, "{name}");
    }
    let last = |at: usize| chats[at].body["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(last(0).contains("write your plan as your answer") && !last(0).contains("exit_plan_mode"), "{}", last(0));
    assert!(last(1).contains("nobody is here to decide on a plan; write it as your answer"), "{}", last(1));
}

#[test]
fn the_only_model_is_taken_and_that_is_said_and_of_several_one_is_to_be_named() {
    let house = House::new(&[text("Hello."), text("Hello.")]);
    for time in ["at first", "again, for nobody chose it"] {
        let output = run(&house, &["-p", "hi"]);
        assert_eq!((out(&output), output.status.code()), ("Hello.\n", Some(0)), "{}", progress(&output));
        assert!(progress(&output).contains("no model is chosen; taking m:latest, the only one installed"), "{time}");
    }
    let models = json!([{"name": "m", "context_length": 8192}, {"name": "n", "context_length": 8192}]);
    let house = House::scripted(json!({"models": models, "replies": []}));
    let output = run(&house, &["-p", "hi"]);
    assert_eq!(output.status.code(), Some(4), "{}", progress(&output));
    assert!(progress(&output).contains("installed: m:latest, n:latest"), "{}", progress(&output));
}

#[test]
fn groups_of_tools_that_are_none_or_leave_none_are_wrong_usage() {
    let house = House::new(&[]);
    for (groups, told) in
        [("magic", "expected some of core, plan"), ("core,", "expected some of"), ("user", "hold no tool")]
    {
        let output = run(&house, &["--model", "m", "--tools", groups, "-p", "hi"]);
        assert_eq!(output.status.code(), Some(2), "{groups}: {}", progress(&output));
        assert!(progress(&output).contains(told), "{groups}: {}", progress(&output));
    }
    assert_eq!(house.server().requests().len(), 0);
}

#[test]
fn going_in_circles_ends_with_its_own_code() {
    let read = || call("read_file", json!({"file_path": "a.txt"}));
    let house = House::new(&[read(), read(), read(), read(), read()]);
    house.write("a.txt", "two\n");
    let output = run(&house, &["--model", "m", "-p", "hi"]);
    assert_eq!(output.status.code(), Some(7), "{}", progress(&output));
    assert_eq!(house.server().chats().len(), 5, "the model is told twice before the turn ends");
}

#[test]
fn the_step_limit_ends_with_its_own_code() {
    let read = |n: u32| call("read_file", json!({"file_path": "a.txt", "offset": n}));
    let house = House::new(&[read(1), read(2), read(3)]);
    house.write("a.txt", "1\n2\n3\n");
    house.write(".agent/config.toml", "[limits]\nsteps = 2\n");
    let output = run(&house, &["--model", "m", "-p", "hi"]);
    assert_eq!(output.status.code(), Some(6), "{}", progress(&output));
}

#[test]
fn when_the_time_is_up_what_was_written_is_the_answer_and_the_exit_code_says_so() {
    let slow = json!([{"text": "So far"}, {"wait_ms": 60_000}, {"text": "never shown"}]);
    let house = House::new(&[slow.clone(), slow]);
    let output = run(&house, &["--model", "m", "-p", "hi", "--max-time", "1s"]);
    assert_eq!((out(&output), output.status.code()), ("So far\n", Some(11)), "{}", progress(&output));
    assert!(progress(&output).contains("stopped: the time is up"), "{}", progress(&output));
    let format = ["--model", "m", "-p", "hi", "--max-time", "1s", "--output-format", "stream-json"];
    let output = run(&house, &format);
    assert!(out(&output).contains("\"reason\":{\"reason\":\"time_limit\"}"), "{}", out(&output));
}

#[test]
fn a_command_that_runs_when_the_time_is_up_is_ended() {
    let house = House::new(&[call("run_command", json!({"command": "echo begun > begun.txt; sleep 75.375"}))]);
    let output = run(&house, &["--model", "m", "-p", "run it", "--unsafe", "--max-time", "3s"]);
    assert_eq!(output.status.code(), Some(11), "{}", progress(&output));
    let left =
        std::fs::read_dir("/proc").unwrap().flatten().filter_map(|it| std::fs::read(it.path().join("cmdline")).ok());
    assert_eq!(left.filter(|line| String::from_utf8_lossy(line).contains("sleep\u{0}75.375")).count(), 0);
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let house = House::new(&[text("Nobody reads this.")]);
    let mut child = house
        .headless(&["--model", "m", "-p", "hi"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!progress(&output).contains("panicked"), "{}", progress(&output));
    assert_eq!(output.status.code(), Some(141));
}

#[test]
fn a_wrong_config_names_file_line_and_what_was_meant() {
    let house = House::new(&[]);
    std::fs::create_dir_all(house.config()).unwrap();
    std::fs::write(house.config().join("config.toml"), "\nmodle = \"m\"\n").unwrap();
    let output = run(&house, &["-p", "hi"]);
    assert_eq!(output.status.code(), Some(2));
    let said = progress(&output);
    assert!(said.contains("config.toml:2:") && said.contains("did you mean `model`?"), "{said}");
}

#[test]
fn a_project_cannot_turn_safe_mode_off() {
    let house = write_then_answer();
    house.write(".agent/config.toml", "mode = \"unsafe\"\nhost = \"evil:1\"\n");
    let output = run(&house, &["--model", "m", "-p", "write it"]);
    assert!(!house.project().join("new.txt").exists());
    assert!(progress(&output).contains("a project can only make things safer"), "{}", progress(&output));
}

#[test]
fn project_words_are_told_once_at_the_start() {
    let house = House::new(&[text("Yes.")]);
    house.write("AGENTS.md", "Always use tabs.\n");
    run(&house, &["--model", "m", "--trust", "-p", "hi"]);
    let system = house.server().chats()[0].body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(system.contains("# From AGENTS.md\n\nAlways use tabs."), "{system}");
}

#[test]
fn words_of_a_folder_that_nobody_trusts_are_not_told_and_that_is_said() {
    let house = House::new(&[text("Yes.")]);
    house.write("AGENTS.md", "Always use tabs.\n");
    let output = run(&house, &["--model", "m", "-p", "hi"]);
    let system = house.server().chats()[0].body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(!system.contains("Always use tabs."), "{system}");
    assert!(progress(&output).contains("AGENTS.md is not used") && progress(&output).contains("--trust"));
}

#[test]
fn a_signal_ends_the_command_too() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let stays = "echo $$ > pid.txt; exec sleep 1000";
        let house = House::new(&[call("run_command", json!({"command": stays})), text("never said")]);
        let mut child = house
            .headless(&["--model", "m", "--unsafe", "-p", "run it"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let pid =
            wait_until(|| std::fs::read_to_string(house.project().join("pid.txt")).ok().filter(|pid| !pid.is_empty()));
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(128 + signal.as_raw()));
        wait_until(|| (!alive(&pid)).then_some(()));
    }
}

/// Looks again and again until there is something to see.
fn wait_until<T>(look: impl Fn() -> Option<T>) -> T {
    let begun = std::time::Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(begun.elapsed() < std::time::Duration::from_secs(30), "waited in vain");
        std::thread::yield_now();
    }
}

#[test]
fn a_model_that_cannot_be_looked_up_ends_with_its_own_code() {
    let house = House::scripted(json!({
        "models": [{"name": "m", "context_length": 8192}],
        "answers": [{"path": "/api/show", "status": 502, "body": "<html>bad gateway</html>"}],
        "replies": []
    }));
    let output = run(&house, &["--model", "m", "-p", "hi"]);
    assert_eq!(output.status.code(), Some(4), "{}", progress(&output));
}

#[test]
fn earlier_prompts_of_the_person_stay_out_of_a_scripts_output() {
    let house = House::new(&[text("Yes.")]);
    let state = house.state();
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("history.jsonl"), "\"my secret prompt\"\n").unwrap();
    let output = run(&house, &["--model", "m", "-p", "hi", "--output-format", "stream-json"]);
    assert!(!out(&output).contains("my secret prompt"));
    assert_eq!(std::fs::read_to_string(state.join("history.jsonl")).unwrap(), "\"my secret prompt\"\n");
}

#[test]
fn what_a_projects_config_says_cannot_reach_the_terminal_raw() {
    let house = House::new(&[]);
    house.write(".agent/config.toml", "\"\\u001b]0;owned\\u0007\" = 1\n");
    let output = run(&house, &["-p", "hi"]);
    assert!(progress(&output).contains(".agent/config.toml:1:1: "), "{}", progress(&output));
    assert!(!output.stderr.contains(&0x1b), "{}", progress(&output));
}

#[test]
fn completions_may_lose_their_reader() {
    let house = House::without_server();
    let mut child =
        house.headless(&["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(!progress(&child.wait_with_output().unwrap()).contains("panicked"));
    assert!(out(&run(&house, &["completions", "zsh"])).contains("#compdef agent"));
}

#[test]
fn a_flag_counts_before_the_environment_and_that_before_the_file() {
    let house = House::new(&[text("From the environment."), text("From the flag.")]);
    std::fs::create_dir_all(house.config()).unwrap();
    std::fs::write(house.config().join("config.toml"), "host = \"127.0.0.1:1\"\nmodel = \"m\"\n").unwrap();
    let output = run(&house, &["-p", "hi"]);
    assert_eq!(out(&output), "From the environment.\n", "{}", progress(&output));
    let mut command = house.headless(&["--host", &house.server().url(), "-p", "hi"]);
    let output = command.env("AGENT_HOST", "127.0.0.1:1").stdin(Stdio::null()).output().unwrap();
    assert_eq!(out(&output), "From the flag.\n", "{}", progress(&output));
    let mut command = house.headless(&["-p", "hi"]);
    let output = command.env_remove("AGENT_HOST").stdin(Stdio::null()).output().unwrap();
    assert!(progress(&output).contains("127.0.0.1:1 "), "{}", progress(&output));
}

#[test]
fn claude_md_is_told_where_there_is_no_agents_md() {
    let house = House::new(&[text("Yes.")]);
    house.write("CLAUDE.md", "Always use spaces.\n");
    run(&house, &["--model", "m", "--trust", "-p", "hi"]);
    let system = house.server().chats()[0].body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(system.contains("# From CLAUDE.md\n\nAlways use spaces."), "{system}");
}
