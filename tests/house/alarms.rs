//! Protected files that a command changes where nobody watches: what is said then, and that nothing else is taken for it.

use crate::stage::{House, call, text};
use serde_json::json;
use std::process::Stdio;

/// What is said while these commands are wanted one after the other, with these flags.
fn said(house: &House, flags: &[&str]) -> String {
    let args = [&["--model", "m", "-p", "do it"], flags].concat();
    let output = house.headless(&args).stdin(Stdio::null()).output().unwrap();
    String::from_utf8(output.stderr).unwrap()
}

fn wanting(commands: &[&str]) -> House {
    let wanted = commands.iter().map(|command| call("run_command", json!({"command": command})));
    House::new(&wanted.chain([text("Done.")]).collect::<Vec<_>>())
}

/// Flags that let commands happen, alone and with all others.
const FLAGS: [&[&str]; 4] = [
    &["--unsafe"],
    &["--allow", "run"],
    &["--allow", "run", "--allow", "write", "--allow", "net", "--allow", "mcp"],
    &["--allow", "run", "--trust"],
];

#[test]
fn a_folder_called_lib_ends_nothing_that_a_flag_allows() {
    for flags in FLAGS {
        let house = wanting(&["mkdir -p lib src/bin; echo a > lib/a.js; echo b > src/bin/b.rs", "echo c > c.txt"]);
        let said = said(&house, flags);
        assert!(!said.contains("protected") && !said.contains("refused"), "{flags:?}: {said}");
        assert_eq!(house.read("c.txt"), "c\n", "{flags:?}");
    }
}

#[test]
fn after_an_alarm_no_flag_is_advised_and_the_reason_is_the_true_one() {
    for flags in FLAGS {
        let house = wanting(&["sh build.sh", "echo c > c.txt"]);
        house.write("build.sh", "echo x > .envrc\n");
        let said = said(&house, flags);
        assert!(said.contains("a command changed a protected file: .envrc (new)"), "{flags:?}: {said}");
        let refused = said.lines().find(|line| line.starts_with("refused: ")).unwrap_or_default();
        assert!(refused.contains("protected files were changed in this session"), "{flags:?}: {said}");
        assert!(refused.contains("look at them, then start agent again"), "{flags:?}: {said}");
        assert!(!refused.contains("--"), "{flags:?}: {refused}");
        assert!(!house.project().join("c.txt").exists(), "{flags:?}");
    }
}
