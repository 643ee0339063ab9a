//! What can be written besides plain words: files by `@`, commands of one's own by `!`, facts by `#`, long pastes.

use crate::stage::{House, text};
use rustix::process::{Pid, Signal, kill_process};

#[test]
fn a_file_is_named_completed_and_attached() {
    let house = House::new(&[text("It adds.")]);
    house.write("src/adding.rs", "fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\n");
    house.write("src/other.rs", "fn other() {}\n");
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("explain @adn");
    screen.wait_for("› @src/adding.rs");
    screen.keys("<tab>");
    screen.wait_for("› explain @src/adding.rs");
    screen.keys("<enter>");
    screen.wait_for("It adds.");
    let chats = house.server().chats();
    let told = chats.last().unwrap().body.to_string();
    assert!(told.contains("fn add(a: u8, b: u8)") && told.contains("explain @src/adding.rs"), "{told}");
    assert!(!told.contains("fn other()"), "{told}");
    assert!(screen.screen().contains("Attach src/adding.rs"), "{}", screen.screen());
}

#[test]
fn a_command_of_ones_own_runs_outside_the_sandbox_and_the_model_is_told_next_time() {
    let house = House::new(&[text("I see.")]);
    let outside = house.outside().join("made.txt");
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("!");
    screen.wait_for("your shell · no sandbox");
    screen.keys(&format!("echo from-my-shell; echo x > {}<enter>", outside.display()));
    screen.wait_for("from-my-shell");
    house.wait_turns(1);
    assert!(outside.exists() && house.server().chats().is_empty(), "no model is asked");
    screen.wait_gone("your shell · no sandbox");
    screen.wait_gone("interrupts");
    screen.keys("!!echo between-us<enter>");
    house.wait_turns(2);
    screen.wait_gone("interrupts");
    screen.keys("what came out?<enter>");
    screen.wait_for("I see.");
    let told = house.server().chats().last().unwrap().body.to_string();
    assert!(told.contains("from-my-shell") && told.contains("what came out?"), "{told}");
    assert!(!told.contains("between-us"), "{told}");
}

#[test]
fn esc_stops_a_command_of_ones_own() {
    let house = House::new(&[]);
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("!echo begun; sleep 600<enter>");
    screen.wait_for("begun");
    screen.keys("<esc>");
    house.wait_turns(1);
    assert!(screen.wait_for("stopped").contains("SAFE"));
}

#[test]
fn a_long_paste_is_one_thing_that_can_be_opened_and_is_sent_whole() {
    let house = House::new(&[text("Long.")]);
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    let lines: String = (1..=42).map(|number| format!("line {number}\n")).collect();
    screen.paste(&lines);
    screen.wait_for("[pasted 42 lines]");
    screen.keys("<backspace>");
    screen.wait_gone("[pasted 42 lines]");
    screen.paste(&lines);
    screen.wait_for("[pasted 42 lines]");
    std::thread::sleep(std::time::Duration::from_millis(200));
    screen.keys("<enter>");
    screen.wait_for("Long.");
    let told = house.server().chats().last().unwrap().body.to_string();
    assert!(told.contains("line 1\\nline 2") && told.contains("line 42"), "{told}");
}

#[test]
fn what_a_person_wants_to_be_remembered_is_asked_about_and_written_down() {
    let house = House::new(&[]);
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("#the tests run with make check<enter>");
    screen.wait_for("approve once");
    screen.press_until_gone("y", "approve once");
    house.wait_turns(1);
    assert!(house.read(".agent/memory.md").contains("the tests run with make check"));
    assert!(house.server().chats().is_empty(), "no model is asked");
}

#[test]
fn a_draft_is_there_again_after_a_crash() {
    let house = House::new(&[text("Hello.")]);
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("half a thought");
    let kept = || std::fs::read_to_string(house.state().join("drafts.json")).is_ok_and(|text| text.contains("half a"));
    screen.wait("the draft to be kept", |_| kept());
    let pid = Pid::from_raw(i32::try_from(screen.pid()).unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    screen.wait_exit();
    let mut again = house.open();
    again.wait_for("› half a thought");
    again.wait_for("this is what you were writing");
    again.keys("<enter>");
    again.wait_for("Hello.");
    again.wait("the draft to be forgotten", |_| !kept());
}

#[test]
fn a_markdown_file_is_a_slash_command() {
    let house = House::new(&[text("Fixed.")]);
    let folder = house.config().join("commands");
    std::fs::create_dir_all(&folder).unwrap();
    let file = "---\ndescription: Fix an issue\nargument-hint: \"[number]\"\n---\nFix issue $1.\n";
    std::fs::write(folder.join("mend.md"), file).unwrap();
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("/men");
    screen.wait_for("Fix an issue (yours)");
    screen.keys("<tab>12<enter>");
    screen.wait_for("Fixed.");
    assert!(house.server().chats().last().unwrap().body.to_string().contains("Fix issue 12."));
}
