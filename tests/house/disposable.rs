//! `--no-sandbox-no-questions`, and the flags that let commands reach further without it.

use crate::stage::{House, call, text};
use crate::terminal::Terminal;
use serde_json::json;
use std::process::{Output, Stdio};

const FLAG: &str = "--no-sandbox-no-questions";

fn run(house: &House, ci: &str, args: &[&str]) -> Output {
    house.headless(args).env("CI", ci).stdin(Stdio::null()).output().unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn refused(output: &Output) -> Vec<&str> {
    err(output).lines().filter(|line| line.starts_with("refused: ")).collect()
}

/// The model writes beside the project, by a command.
fn outward(times: usize) -> House {
    let reply = || [call("run_command", json!({"command": "echo out >> ../out.txt"})), text("Done.")];
    House::new(&(0..times).flat_map(|_| reply()).collect::<Vec<_>>())
}

fn is_out(house: &House) -> bool {
    house.outside().join("out.txt").exists()
}

#[test]
fn in_ci_nothing_is_asked_and_nothing_held_in_and_one_line_says_so() {
    let house = outward(1);
    let output = run(&house, "true", &["--model", "m", "-p", "go", FLAG]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let said = "NO SANDBOX, NO QUESTIONS: commands can do what you can, and nothing is asked";
    assert_eq!(err(&output).lines().filter(|line| line.ends_with(said)).count(), 1, "{}", err(&output));
    assert!(is_out(&house), "{}", err(&output));
}

#[test]
fn what_nobody_means_and_what_is_our_own_stays_refused() {
    let lines = ["rm -rf /", "echo 'x", "echo \u{202e}x", "echo x > \"$HOME/config/agent/config.toml\""];
    let mut replies: Vec<_> = lines.iter().map(|line| call("run_command", json!({"command": line}))).collect();
    replies.push(call("write_file", json!({"file_path": ".agent/config.toml", "content": "mode = \"unsafe\"\n"})));
    replies.push(text("Done."));
    let house = House::new(&replies);
    let output = run(&house, "true", &["--model", "m", "-p", "go", FLAG]);
    assert_eq!(output.status.code(), Some(8), "{}", err(&output));
    assert!(!house.project().join(".agent").exists());
    let own = std::fs::read_to_string(house.config().join("config.toml")).unwrap();
    assert!(!own.starts_with("x"), "{own}");
}

#[test]
fn a_session_that_goes_on_does_not_inherit_it() {
    let house = outward(2);
    run(&house, "true", &["--model", "m", "-p", "go", FLAG]);
    std::fs::remove_file(house.outside().join("out.txt")).unwrap();
    let output = run(&house, "true", &["--model", "m", "-c", "-p", "again"]);
    assert!(refused(&output).len() == 1 && !is_out(&house), "{}", err(&output));
}

#[test]
fn where_a_person_is_expected_and_none_is_there_nothing_starts() {
    let house = outward(1);
    let output = run(&house, "false", &["--model", "m", "-p", "go", FLAG]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("without a terminal nobody can type `disposable`"), "{}", err(&output));
    assert!(house.server().chats().is_empty() && !is_out(&house));
}

#[test]
fn settings_that_contradict_it_refuse_it() {
    for (name, text, told) in [
        (".agent/config.toml", "[sandbox]\nrequire = true\n", "sandbox.require is set"),
        (".agent/config.toml", "mode = \"plan\"\n", "plan mode is set"),
        (".agent/config.toml", "nothing_knows_this = 1\n", "is refused while this session is held back"),
        (".agent/policy.toml", "[[", "is refused while this session is held back"),
    ] {
        let house = outward(1);
        house.write(name, text);
        let output = run(&house, "true", &["--model", "m", "-p", "go", FLAG]);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", err(&output));
        assert!(err(&output).contains(told) && !is_out(&house), "{name}: {}", err(&output));
    }
    for args in [["-p", "go", FLAG, "--plan"].as_slice(), &["mcp", FLAG], &[FLAG, "mcp"]] {
        assert_eq!(run(&outward(1), "true", args).status.code(), Some(2), "{args:?}");
    }
}

fn at_a_terminal(house: &House) -> Terminal {
    let mut command = house.command(&["--model", "m", FLAG]);
    command.env("CI", "false");
    Terminal::spawn(command, (120, 40))
}

#[test]
fn a_person_types_the_word_and_the_screen_says_it_in_red() {
    let house = House::new(&[text("Done.")]);
    let mut terminal = at_a_terminal(&house);
    terminal.wait_for("type disposable and press Enter");
    terminal.keys("disposable<enter>");
    terminal.wait_for("  NO SANDBOX");
    // Red, and the other way round than the rest.
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    let before = &raw[..raw.find(" NO SANDBOX ").unwrap()];
    let style = &before[before.rfind('\u{1b}').unwrap_or(0)..];
    assert!(style.starts_with("\u{1b}[") && style.contains("7;31m"), "{style:?}");
    terminal.wait_for("── NO SANDBOX, NO QUESTIONS: commands can do whatever you can");
}

#[test]
fn any_other_word_starts_nothing() {
    let house = House::new(&[]);
    let mut terminal = at_a_terminal(&house);
    terminal.wait_for("type disposable and press Enter");
    terminal.keys("yes<enter>");
    assert_eq!(terminal.wait_exit().exit_code(), 2);
    assert!(terminal.screen().contains("that was not `disposable`, so nothing was started"), "{}", terminal.screen());
}

#[test]
fn a_folder_that_is_named_may_be_written_in_and_no_other() {
    let house = House::new(&[
        call("write_file", json!({"file_path": "../there/a.txt", "content": "a\n"})),
        call("write_file", json!({"file_path": "../other/elsewhere.txt", "content": "a\n"})),
        text("Done."),
    ]);
    let there = house.outside().join("there");
    std::fs::create_dir(&there).unwrap();
    let output = run(&house, "true", &["--model", "m", "-p", "go", "--allow", "write=../there"]);
    assert_eq!(std::fs::read_to_string(there.join("a.txt")).unwrap(), "a\n", "{}", err(&output));
    assert!(!house.outside().join("other/elsewhere.txt").exists());
    let folder = house.outside().join("other");
    assert!(refused(&output)[0].contains(&format!("`--allow write={}`", folder.display())), "{}", err(&output));
}

#[test]
fn a_folder_that_holds_too_much_is_no_folder_to_name() {
    let house = House::new(&[]);
    let home = house.outside().join("home");
    for folder in ["config/agent", "state/agent"] {
        std::fs::create_dir_all(home.join(folder)).unwrap();
    }
    std::fs::create_dir_all(house.project().join(".agent")).unwrap();
    house.write("file.txt", "x");
    for (folder, told) in [
        ("/", "that is the whole machine"),
        ("../home", "that is your home or above it"),
        ("..", "that is your home or above it"),
        ("../home/config", "belongs to agent itself"),
        ("../home/config/agent", "belongs to agent itself"),
        (".agent", "belongs to agent itself"),
        (".", "belongs to agent itself"),
        ("../missing", "the folder has to be there"),
        ("file.txt", "that is not a folder"),
    ] {
        let output = run(&house, "true", &["--model", "m", "-p", "go", "--allow", &format!("write={folder}")]);
        assert_eq!(output.status.code(), Some(2), "{folder}");
        assert!(err(&output).contains(told), "{folder}: {}", err(&output));
    }
}

#[test]
fn every_refusal_names_the_flag_that_would_have_let_it_happen() {
    let command = |line: &str| call("run_command", json!({"command": line}));
    for (reply, flag) in [
        (call("write_file", json!({"file_path": "a.txt", "content": "a\n"})), "`--allow write`"),
        (call("write_file", json!({"file_path": "../there/a.txt", "content": "a\n"})), "`--allow write=/"),
        (call("write_file", json!({"file_path": "../home/a.txt", "content": "a\n"})), FLAG),
        (call("write_file", json!({"file_path": ".envrc", "content": "a\n"})), FLAG),
        (call("read_file", json!({"file_path": ".env"})), "`--unsafe`"),
        (call("read_file", json!({"file_path": "../there/b.txt"})), FLAG),
        (command("make test"), "`--allow run`"),
        (command("git commit -m x"), "`--allow run` with `--allow commit`"),
        // Nothing is there, and nothing is run: what lies beside this project lies in a `/tmp` of their own for commands.
        (command("cp a /srv/there/b"), "`--allow run` with `--allow write=DIR`"),
        (command("sudo make install"), FLAG),
        (command("git push"), FLAG),
        (command("docker ps"), FLAG),
        (call("run_command", json!({"command": "make", "directory": "../there"})), FLAG),
    ] {
        let house = House::new(&[reply.clone(), text("Done.")]);
        house.write(".env", "A=1\n");
        std::fs::create_dir(house.outside().join("there")).unwrap();
        std::fs::write(house.outside().join("there/b.txt"), "b").unwrap();
        let output = run(&house, "true", &["--model", "m", "-p", "go"]);
        let first = refused(&output);
        assert!(first.len() == 1 && first[0].contains(flag), "{reply}: {flag}: {}", err(&output));
        assert!(!first[0].contains("no flag allows it"), "{reply}: {}", err(&output));
    }
}
