//! A person who comes back: what was said is there again, also where the program was killed; a session is picked,
//! searched, named, copied and written out.

use crate::stage::{House, call, text};
use crate::terminal::Terminal;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

/// Leaves, as a person does.
fn leave(mut screen: Terminal) {
    screen.keys("<c-d>");
    assert!(screen.wait_exit().success());
}

/// Says something and waits until it was answered.
fn say(screen: &mut Terminal, words: &str, answer: &str) -> String {
    screen.keys(&format!("{words}<enter>"));
    screen.wait_for(answer)
}

/// A session in which this was said and answered, and that was left.
fn visited(house: &House, words: &str, answer: &str) {
    let mut screen = house.open();
    say(&mut screen, words, answer);
    screen.wait_gone("Esc interrupts");
    leave(screen);
}

/// What the model was sent in this chat, from after the instructions on.
fn sent(house: &House, chat: usize) -> Vec<String> {
    let messages = house.server().chats()[chat].body["messages"].as_array().unwrap().clone();
    messages[1..].iter().map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

fn run(house: &House, args: &[&str]) -> Output {
    house.headless(args).stdin(Stdio::null()).output().unwrap()
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Waits until the only session has these words written down: the disk may be slow, and a killed program writes no more.
fn wait_for_journal(house: &House, words: &str) {
    let begun = Instant::now();
    while !house.journals().iter().any(|journal| journal.contains(words)) {
        assert!(begun.elapsed() < Duration::from_secs(60), "{words:?} is not written down");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The kept sessions, as a script sees them.
fn kept(house: &House) -> Vec<Value> {
    let listed: Value = serde_json::from_str(out(&run(house, &["sessions", "list", "--json"]))).unwrap();
    listed["sessions"].as_array().unwrap().clone()
}

fn id(card: &Value) -> String {
    card["id"].as_str().unwrap().to_owned()
}

#[test]
fn who_comes_back_finds_the_conversation_and_the_model_reads_it_again() {
    let house = House::new(&[text("The moon is made of rock."), text("About as old as the earth.")]);
    visited(&house, "what is the moon made of?", "made of rock");
    let mut screen = house.open_with(&["-c"], (80, 24));
    let shown = screen.wait_for("resumed: what is the moon made of? · 1 turn · m");
    assert!(shown.contains("› what is the moon made of?") && shown.contains("The moon is made of rock."), "{shown}");
    say(&mut screen, "how old is it?", "as old as the earth");
    let expected = ["what is the moon made of?", "The moon is made of rock.", "how old is it?"];
    assert_eq!(sent(&house, 1), expected);
    leave(screen);
    assert_eq!(kept(&house).len(), 1);
}

#[test]
fn a_first_visit_has_nothing_to_go_on_with_and_says_so() {
    let house = House::new(&[]);
    let output = run(&house, &["-c", "-p", "go on"]);
    assert!(err(&output).contains("no session of") && err(&output).contains("agent sessions list --all"));
}

#[test]
fn what_had_arrived_when_the_program_was_killed_is_there_and_the_turn_is_marked() {
    let long: String = (1..=120).map(|line| format!("sentence {line} of the tale. ")).collect();
    let house = House::new(&[json!([{"text": long}, {"text": "and then"}, {"wait_ms": 60_000}]), text("They lived.")]);
    let mut screen = house.open();
    say(&mut screen, "tell me a tale", "and then");
    wait_for_journal(&house, "sentence 60 ");
    kill_process(Pid::from_raw(screen.pid().cast_signed()).unwrap(), Signal::KILL).unwrap();
    screen.wait_exit();
    let mut screen = house.open_with(&["-c"], (80, 24));
    let shown = screen.wait_for("resumed: tell me a tale");
    assert!(shown.contains("of the tale."), "{shown}");
    assert!(shown.contains("ended in the middle"), "{shown}");
    say(&mut screen, "go on", "They lived.");
    let told = sent(&house, 1);
    assert!(told[1].starts_with("sentence 1 of the tale.") && told[2..] == ["go on"], "{told:?}");
}

#[test]
fn a_command_that_ran_when_the_program_was_killed_may_have_run_and_can_be_undone() {
    let stays = "echo two > a.txt; echo it runs; exec sleep 1000";
    let house = House::new(&[call("run_command", json!({"command": stays})), text("I will look.")]);
    house.write("a.txt", "one\n");
    let mut screen = house.open();
    screen.keys("run it<enter>");
    screen.wait_for("approve once");
    screen.press_until_gone("y", "approve once");
    screen.wait("its output to show", |shown| shown.lines().any(|line| line.trim_end().ends_with("it runs")));
    // That it runs was written down before it did.
    kill_process(Pid::from_raw(screen.pid().cast_signed()).unwrap(), Signal::KILL).unwrap();
    screen.wait_exit();
    let mut screen = house.open_with(&["-c"], (80, 24));
    let shown = screen.wait_for("resumed: run it");
    assert!(shown.contains("may have run"), "{shown}");
    screen.keys("/undo<enter>");
    screen.wait_for("y undo");
    screen.keys("y");
    screen.wait_for("undone: 1 file is as before “run it”");
    assert_eq!(house.read("a.txt"), "one\n");
    say(&mut screen, "and now?", "I will look.");
    let told = sent(&house, 1);
    assert!(told.iter().any(|told| told.contains("it may have happened, wholly or in part")), "{told:?}");
}

#[test]
fn a_session_is_picked_from_a_list_that_can_be_searched() {
    let house = House::new(&[text("Apples."), text("Pears."), text("Plums.")]);
    visited(&house, "name a red fruit", "Apples.");
    visited(&house, "name a green fruit", "Pears.");
    let mut screen = house.open_with(&["-r"], (80, 24));
    let shown = screen.wait_for("Go on with a session");
    let (green, red) = (shown.find("name a green fruit"), shown.find("name a red fruit"));
    assert!(green.is_some() && green < red && shown.contains("1 turn") && shown.contains("just now"), "{shown}");
    screen.keys("red");
    screen.wait_gone("name a green fruit");
    screen.keys("<enter>");
    let shown = screen.wait_for("resumed: name a red fruit");
    assert!(shown.contains("Apples."), "{shown}");
    say(&mut screen, "another", "Plums.");
    assert_eq!(sent(&house, 2), ["name a red fruit", "Apples.", "another"]);
}

#[test]
fn in_a_running_session_another_is_gone_on_with_and_this_one_is_kept() {
    let house = House::new(&[text("Apples."), text("Pears."), text("Plums.")]);
    visited(&house, "name a red fruit", "Apples.");
    let mut screen = house.open_with(&["--model", "m"], (80, 24));
    say(&mut screen, "name a green fruit", "Pears.");
    screen.wait_gone("Esc interrupts");
    screen.keys("/resume<enter>");
    let shown = screen.wait_for("Go on with a session");
    assert!(shown.contains("this one"), "{shown}");
    screen.keys("<enter>");
    let shown = screen.wait_for("resumed: name a red fruit");
    assert!(shown.contains("Apples.") && !shown.contains("Pears."), "{shown}");
    say(&mut screen, "another", "Plums.");
    leave(screen);
    let turns: Vec<(String, u64)> = kept(&house)
        .iter()
        .map(|card| (card["title"].as_str().unwrap().to_owned(), card["turns"].as_u64().unwrap()))
        .collect();
    assert_eq!(turns, [("name a red fruit".to_owned(), 2), ("name a green fruit".to_owned(), 1)]);
}

#[test]
fn a_session_is_named_and_found_by_its_name() {
    let house = House::new(&[text("Apples.")]);
    let mut screen = house.open_with(&["--model", "m"], (80, 24));
    say(&mut screen, "name a red fruit", "Apples.");
    screen.wait_gone("Esc interrupts");
    screen.keys("/rename the fruit bowl<enter>");
    screen.wait_for("the session is called “the fruit bowl” now");
    leave(screen);
    let mut screen = house.open_with(&["-r"], (80, 24));
    screen.wait_for("the fruit bowl");
    screen.keys("<enter>");
    screen.wait_for("resumed: the fruit bowl");
}

#[test]
fn a_copy_goes_on_and_the_session_stays_as_it_is() {
    let house = House::new(&[text("Apples."), text("Pears.")]);
    let mut screen = house.open_with(&["--model", "m"], (80, 24));
    say(&mut screen, "name a red fruit", "Apples.");
    screen.wait_gone("Esc interrupts");
    screen.keys("/fork<enter>");
    screen.wait_for("forked: name a red fruit · 1 turn");
    say(&mut screen, "and a green one", "Pears.");
    leave(screen);
    let sessions = kept(&house);
    assert_eq!(sessions.iter().map(|card| card["turns"].clone()).collect::<Vec<_>>(), [json!(2), json!(1)]);
    assert_eq!(sessions[0]["parent"], sessions[1]["id"]);
}

#[test]
fn a_session_is_written_out_into_the_project() {
    let house = House::new(&[text("Apples.")]);
    let mut screen = house.open_with(&["--model", "m"], (80, 24));
    say(&mut screen, "name a red fruit", "Apples.");
    screen.wait_gone("Esc interrupts");
    screen.keys("/export fruit.md<enter>");
    screen.wait_for("written: ");
    let written = house.read("fruit.md");
    assert!(written.contains("name a red fruit") && written.contains("Apples."), "{written}");
    screen.keys("/export fruit.md<enter>");
    screen.wait_for("not written: ");
    assert_eq!(house.read("fruit.md"), written);
    screen.keys("/export fruit.json<enter>");
    screen.wait("the file", |_| house.project().join("fruit.json").exists());
}

#[test]
fn a_script_goes_on_with_the_last_session_or_with_one_it_names() {
    let house = House::new(&[text("One."), text("Two."), text("Three."), text("Four.")]);
    run(&house, &["--model", "m", "-p", "first"]);
    let first = id(&kept(&house)[0]);
    run(&house, &["--model", "m", "-p", "second"]);
    assert_eq!(out(&run(&house, &["-c", "-p", "third"])), "Three.\n");
    assert_eq!(sent(&house, 2), ["second", "Two.", "third"]);
    assert_eq!(out(&run(&house, &["-r", &first, "-p", "fourth"])), "Four.\n");
    assert_eq!(sent(&house, 3), ["first", "One.", "fourth"]);
}

#[test]
fn a_model_that_is_gone_is_said_and_another_can_be_chosen() {
    let house = House::new(&[text("Apples.")]);
    visited(&house, "name a red fruit", "Apples.");
    let script = json!({
        "models": [{"name": "other", "context_length": 32_768}],
        "replies": [{"times": 1, "say": text("Plums.")}],
    });
    let later = house.with_server(script);
    let output = run(&later, &["-c", "-p", "another"]);
    assert_eq!(output.status.code(), Some(4), "{}{}", out(&output), err(&output));
    assert!(err(&output).contains("m is not installed"), "{}", err(&output));
    let mut screen = later.open_with(&["-c"], (80, 24));
    // Before the list is there, a notice speaks of "another" model.
    let shown = screen.wait_for("Choose a model");
    assert!(shown.contains("m is not installed") || shown.contains("is gone"), "{shown}");
    // None is marked: Enter alone takes no other model than the one that was named.
    screen.press_until("<down>", "› other");
    screen.press_until_gone("<enter>", "Choose a model");
    screen.wait_for("resumed: name a red fruit");
    say(&mut screen, "another", "Plums.");
    assert_eq!(sent(&later, 0), ["name a red fruit", "Apples.", "another"]);
}

#[test]
fn a_session_of_another_folder_goes_on_here_and_that_is_said() {
    let house = House::new(&[text("Apples."), text("Plums.")]);
    visited(&house, "name a red fruit", "Apples.");
    let session = id(&kept(&house)[0]);
    let elsewhere = house.outside().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let mut command = house.command(&["-r", &session]);
    command.cwd(&elsewhere);
    let mut screen = Terminal::start(command, (80, 24));
    screen.wait_for("resumed: name a red fruit");
    let shown = screen.wait_for("goes on in");
    assert!(shown.contains("this session was in"), "{shown}");
    say(&mut screen, "another", "Plums.");
    let told = sent(&house, 1);
    let place = elsewhere.display();
    assert_eq!(told.last().unwrap(), &format!("(the project folder is {place} now)\n\nanother"));
}

#[test]
fn a_session_that_is_open_in_another_terminal_is_not_opened_twice() {
    let house = House::new(&[text("Apples.")]);
    let mut first = house.open_with(&["--model", "m"], (80, 24));
    say(&mut first, "name a red fruit", "Apples.");
    first.wait_gone("Esc interrupts");
    wait_for_journal(&house, "Apples.");
    let second = house.open_with(&["--model", "m", "-c"], (80, 24));
    second.wait_for("open in another agent");
    leave(second);
    leave(first);
}

#[test]
fn a_session_that_cannot_be_saved_says_so_until_it_can() {
    let house = House::new(&[text("Apples."), text("Pears.")]);
    std::fs::create_dir_all(house.state()).unwrap();
    let place = house.state().join("sessions");
    std::fs::write(&place, "a file where a folder should be").unwrap();
    let mut screen = house.open_with(&["--model", "m"], (80, 24));
    say(&mut screen, "name a red fruit", "Apples.");
    screen.wait_for("! this session is not saved: ");
    screen.wait_for("not saved  m");
    std::fs::remove_file(&place).unwrap();
    say(&mut screen, "and a green one", "Pears.");
    screen.wait_gone("not saved  m");
    leave(screen);
    assert_eq!(kept(&house)[0]["turns"], 2, "nothing of it is lost");
}
