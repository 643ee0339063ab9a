//! Settings that cannot be read whole: one's own stop the start, a project's hold the session back. And what the flags of
//! `-p` cover of commits.

use crate::stage::{House, call, text};
use crate::terminal::Terminal;
use portable_pty::{PtySize, native_pty_system};
use serde_json::json;
use std::io::Read;
use std::process::{Command, Output, Stdio};

fn run(house: &House, args: &[&str]) -> Output {
    house.headless(args).stdin(Stdio::null()).output().unwrap()
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// A file of the user's settings.
fn own(house: &House, name: &str, text: &str) {
    std::fs::create_dir_all(house.config()).unwrap();
    std::fs::write(house.config().join(name), text).unwrap();
}

/// What it says in a terminal where it ends by itself, and its code.
fn ends_in_a_terminal(house: &House) -> (String, u32) {
    let size = PtySize { rows: 40, cols: 200, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut child = pair.slave.spawn_command(house.command(&["--model", "m"])).unwrap();
    drop(pair.slave);
    let mut said = Vec::new();
    // The end of a terminal is told as an error on some systems.
    let _end = pair.master.try_clone_reader().unwrap().read_to_end(&mut said);
    (String::from_utf8_lossy(&said).into_owned(), child.wait().unwrap().exit_code())
}

/// A file of one's own with a fault, and what is said of it.
const FAULTS: [(&str, &str, &str); 4] = [
    (
        "config.toml",
        "[sandbox]\nrequire = true\n[tools]\nexlude = [\"bash\"]\n",
        "config.toml:4:1: unknown field `exlude`",
    ),
    ("config.toml", "mode = [[[\0", "config.toml:1:"),
    ("policy.toml", "[[rule]]\nwords = [\"make\"]\nverdict = \"dney\"\n", "policy.toml:3:11: unknown variant `dney`"),
    ("models.toml", "[[familly]]\n", "models.toml:1:3: unknown field `familly`"),
];

#[test]
fn a_file_of_ones_own_that_cannot_be_read_stops_the_start_everywhere() {
    for (name, text, told) in FAULTS {
        let house = House::new(&[]);
        own(&house, name, text);
        let (shown, code) = ends_in_a_terminal(&house);
        assert!(code == 2 && shown.contains(told) && shown.contains("`agent doctor`"), "{name}: {code} {shown}");
        assert!(!shown.contains('\u{1b}'), "nothing was drawn: {shown:?}");
        for args in [&["--model", "m", "-p", "hi"][..], &["--unsafe", "-p", "hi"], &["mcp"]] {
            let output = run(&house, args);
            assert_eq!((output.status.code(), out(&output)), (Some(2), ""), "{name} {args:?}: {}", err(&output));
            assert!(
                err(&output).starts_with("agent: nothing was started") && err(&output).contains(told),
                "{output:?}"
            );
        }
        assert!(house.server().chats().is_empty() && !house.state().join("sessions").exists());
    }
}

#[test]
fn what_is_wrong_is_still_said_by_the_doctor_and_help_needs_no_settings() {
    for (name, text, told) in FAULTS {
        let house = House::without_server();
        own(&house, name, text);
        let doctor = run(&house, &["doctor", "--no-probes"]);
        assert_eq!(doctor.status.code(), Some(3), "{}", err(&doctor));
        assert!(out(&doctor).contains(told) && out(&doctor).contains("before that is mended"), "{}", out(&doctor));
        for args in [&["--help"][..], &["--version"], &["sessions"], &["completions", "bash"], &["doctor", "--help"]] {
            assert_eq!(run(&house, args).status.code(), Some(0), "{args:?}");
        }
    }
}

/// Of a project, each broken in its own way.
const BROKEN: [(&str, &str); 2] = [
    (".agent/config.toml", "modle = \"m\"\n"),
    (".agent/policy.toml", "[[rule]]\nwords = [\"x\"]\nverdict = \"aks\"\n"),
];

#[test]
fn a_projects_broken_file_goes_on_in_safe_mode_without_what_it_brings_along() {
    for (name, broken) in BROKEN {
        let house = House::new(&[call("write_file", json!({"file_path": "new.txt", "content": "x"})), text("Done.")]);
        own(&house, "config.toml", "mode = \"unsafe\"\n");
        house.write("AGENTS.md", "Always use tabs.\n");
        house.write(name, broken);
        let output = run(&house, &["--model", "m", "--trust", "--unsafe", "-p", "write it"]);
        let lines: Vec<&str> = err(&output).lines().filter(|line| line.contains(name)).collect();
        assert!(lines.len() == 1 && lines[0].contains("did you mean"), "{}", err(&output));
        assert!(lines[0].contains("unsafe mode (also by --unsafe), your lasting rules"), "{}", lines[0]);
        assert!(!house.project().join("new.txt").exists(), "unsafe mode is off");
        let system = house.server().chats()[0].body["messages"][0]["content"].to_string();
        assert!(!system.contains("Always use tabs"), "nothing of the project is told: {system}");
        assert_eq!(out(&output), "Done.\n", "the session goes on");
    }
}

#[test]
fn a_projects_broken_file_still_tightens_as_far_as_it_can_be_read() {
    let house = House::new(&[call("run_command", json!({"command": "ls"})), text("Done.")]);
    house.write(".agent/config.toml", "[tools]\nexclude = [\"run_command\"]\nexlude = []\n");
    run(&house, &["--model", "m", "-p", "look", "--allow", "run"]);
    assert!(!house.server().chats()[0].body["tools"].to_string().contains("run_command"));
}

#[test]
fn on_the_screen_a_held_back_session_never_gets_to_unsafe_mode() {
    let house = House::new(&[text("Hello.")]);
    house.write(".agent/config.toml", "modle = \"m\"\n");
    let mut screen = Terminal::start(house.command(&["--model", "m", "--unsafe"]), (120, 40));
    let shown = screen.wait_for("config.toml:1:1");
    assert!(shown.contains("unknown field `modle`; did you mean `model`?"), "{shown}");
    screen.keys("<s-tab>");
    screen.wait_for("accept-edits mode is off in this session");
    screen.keys("<s-tab>");
    screen.wait_for("PLAN");
    screen.keys("<s-tab>");
    let shown = screen.wait_for("unsafe mode is off in this session");
    assert!(!shown.contains("UNSAFE"), "{shown}");
    screen.wait_gone("PLAN");
    screen.keys("hi<enter>");
    screen.wait_for("Hello.");
}

fn committing() -> House {
    let line = "git add a.txt && git -c user.name=x -c user.email=x@y.z commit -qm one && git log --oneline > log.txt";
    let house = House::new(&[call("run_command", json!({"command": line})), text("Done.")]);
    house.write("a.txt", "one\n");
    let made = Command::new("git").args(["init", "-q"]).current_dir(house.project()).status().unwrap();
    assert!(made.success());
    house
}

#[test]
fn leave_for_commands_is_none_for_commits() {
    let house = committing();
    let output = run(&house, &["--model", "m", "--trust", "-p", "commit it", "--allow", "run"]);
    assert!(err(&output).contains("`--allow commit`"), "{}", err(&output));
    assert!(!house.project().join("log.txt").exists());
    let house = committing();
    let flags = ["--allow", "run", "--allow", "commit"];
    let output = run(&house, &[&["--model", "m", "--trust", "-p", "commit it"][..], &flags].concat());
    assert!(house.read("log.txt").contains(" one"), "{}", err(&output));
}

#[test]
fn what_is_set_is_listed_with_the_file_or_variable_that_says_so() {
    let house = House::without_server();
    own(&house, "config.toml", "model = \"mine\"\n[limits]\nsteps = 30\n");
    house.write(".agent/config.toml", "model = \"theirs\"\n[limits]\nsteps = 20\n");
    let listed = run(&house, &["config"]);
    assert_eq!(listed.status.code(), Some(0), "{}", err(&listed));
    let line = |of: &str| out(&listed).lines().find(|line| line.starts_with(of)).unwrap_or_default().to_owned();
    assert!(line("model = \"mine\"").ends_with("your config.toml"), "{}", out(&listed));
    assert!(line("limits.steps = 20").ends_with("this project's config.toml"), "{}", out(&listed));
    assert!(line("sandbox.require").ends_with("default"), "{}", out(&listed));
    assert!(out(&listed).contains("not taken, as such a file can only make things safer:\nmodel "), "{}", out(&listed));
    let named = run(&house, &["config", "limits.steps", "--json"]);
    let named: serde_json::Value = serde_json::from_str(out(&named)).unwrap();
    assert_eq!(
        named["settings"],
        json!([{ "name": "limits.steps", "value": 20, "from": "this project's config.toml" }])
    );
    let none = run(&house, &["config", "limit"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(err(&none).contains("agent config --defaults"), "{}", err(&none));
    own(&house, "config.toml", "mode = 3\n");
    let faulty = run(&house, &["config"]);
    assert_eq!(faulty.status.code(), Some(2));
    assert!(err(&faulty).contains("config.toml:1:8"), "{}", err(&faulty));
}

#[test]
fn what_is_known_of_the_project_is_written_into_a_file_once_it_was_shown() {
    let house = House::without_server();
    house.write("README.md", "# Shop\n\nSells things to people.\n");
    house.write("go.mod", "module shop\n");
    let unasked = run(&house, &["init"]);
    assert_eq!(unasked.status.code(), Some(2), "{}", out(&unasked));
    assert!(err(&unasked).contains("--yes"), "{}", err(&unasked));
    let written = run(&house, &["init", "--yes"]);
    assert_eq!(written.status.code(), Some(0), "{}", err(&written));
    assert!(out(&written).contains("+Sells things to people."), "it is shown first: {}", out(&written));
    let text = house.read("AGENTS.md");
    assert!(text.contains("Sells things to people.") && text.contains("go build ./..."), "{text}");
    let again = run(&house, &["init", "--yes"]);
    assert_eq!(again.status.code(), Some(1), "{}", err(&again));
    assert!(err(&again).contains("AGENTS.md is there already"), "{}", err(&again));
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let house = House::without_server();
    let folder = house.outside().join("man");
    let written = run(&house, &["manual", folder.to_str().unwrap()]);
    assert_eq!(written.status.code(), Some(0), "{}", err(&written));
    let page = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(page("agent.1").contains("Exit codes of"), "{}", page("agent.1"));
    assert!(page("agent-sessions.1").contains("Print one JSON object"));
    let nowhere = run(&house, &["manual", "/proc/none"]);
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(err(&nowhere).contains("cannot write manual pages into /proc/none"), "{}", err(&nowhere));
}

#[test]
fn two_actions_on_one_key_stop_the_start_with_both_names() {
    let house = House::new(&[]);
    std::fs::write(house.config().join("config.toml"), "[keys]\ndetails = \"f5\"\ntodos = \"f5\"\n").unwrap();
    let mut screen = Terminal::spawn(house.command(&["--model", "m"]), (100, 30));
    assert_eq!(screen.wait_exit().exit_code(), 2);
    let told = screen.screen().replace('\n', " ");
    assert!(told.contains("F5 is set for details and for todos"), "{told}");
}

#[test]
fn a_setting_is_changed_on_the_screen_and_counts_from_the_next_start() {
    let house = House::new(&[]);
    own(&house, "config.toml", "# mine\n[limits]\nsteps = 30 # enough\n");
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("/config limits.steps<enter>");
    screen.wait_for("your config.toml");
    screen.keys("<enter>");
    screen.wait_for("› 30");
    screen.keys("<c-u>none<enter>");
    screen.wait_for("expected a whole number above 0");
    screen.keys("<c-u>40<enter>");
    screen.wait_for("written; from the next start on: limits.steps = 40 (your config.toml)");
    let file = std::fs::read_to_string(house.config().join("config.toml")).unwrap();
    assert_eq!(file, "# mine\n[limits]\nsteps = 40 # enough\n");
    screen.press_until_gone("<esc>", "Settings");
    screen.keys("/config screen.theme = dark<enter>");
    screen.wait_for("screen.theme = \"dark\" (your config.toml)");
    screen.press_until_gone("<esc>", "Settings");
    screen.keys("/exit<enter>");
    screen.wait_exit();
    assert!(out(&run(&house, &["config", "screen.theme"])).contains("screen.theme = \"dark\""));
}

#[test]
fn a_flag_of_this_start_is_listed_as_what_it_is() {
    let house = House::new(&[]);
    let mut screen = house.open_with(&["--model", "m", "--plan"], (100, 30));
    screen.wait_for("/ 16k");
    screen.keys("/config mode<enter>");
    screen.wait("the mode with its flag", |shown| {
        shown.lines().any(|row| row.contains("mode") && row.contains("\"plan\"") && row.contains("--plan"))
    });
}

#[test]
fn a_setting_is_written_by_the_command_line_and_taken_out_again() {
    let house = House::new(&[]);
    let written = run(&house, &["config", "screen.theme", "high-contrast"]);
    assert_eq!(written.status.code(), Some(0), "{}", err(&written));
    assert!(out(&written).contains("screen.theme = \"high-contrast\""), "{}", out(&written));
    let refused = run(&house, &["config", "screen.them", "dark"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        err(&refused).starts_with("agent: nothing was written: ") && err(&refused).contains("theme"),
        "{}",
        err(&refused)
    );
    assert_eq!(run(&house, &["config", "screen.theme", "--unset"]).status.code(), Some(0));
    assert!(out(&run(&house, &["config", "screen.theme"])).contains("default"));
}
