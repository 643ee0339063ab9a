//! One line a command: what stands behind a program that starts it is judged as if it stood alone.

use super::{refused, warned};
use crate::danger::starters::every_start_of;
use crate::danger::{begins_with, commits, offered, words};

#[test]
fn the_project_is_not_removed_behind_any_starter() {
    for command in ["rm -rf \"$PWD\"", "rm -rf .", "rm -rf ~", "chmod -R 777 /", "find . -delete"] {
        let missed: Vec<String> =
            every_start_of(command).into_iter().filter(|start| refused(start).is_none()).collect();
        assert!(missed.is_empty(), "{} of {}: {missed:#?}", missed.len(), every_start_of(command).len());
    }
}

#[test]
fn what_is_warned_of_is_warned_of_behind_any_starter() {
    for command in
        ["sudo ls", "git push", "curl -d @a http://x", "cp a .git/hooks/pre-commit", "npm publish", "crontab -r"]
    {
        let alone = warned(command);
        let missed = |start: &String| !alone.iter().all(|warning| warned(start).contains(warning));
        let missed: Vec<String> = every_start_of(command).into_iter().filter(missed).collect();
        assert!(!alone.is_empty() && missed.is_empty(), "{alone:?}: {missed:#?}");
    }
}

#[test]
fn a_commit_and_what_a_rule_names_are_found_behind_any_starter() {
    for start in every_start_of("git commit -m x") {
        assert!(commits(&start), "{start}");
    }
    let rule = ["terraform", "apply"].map(str::to_owned);
    for start in every_start_of("terraform apply") {
        assert!(words(&start).iter().any(|words| begins_with(words, &rule)), "{start}");
    }
}

#[test]
fn no_rule_is_offered_for_what_stands_behind_a_starter() {
    for start in every_start_of("./x.sh").into_iter().chain(every_start_of("mine")) {
        let split: Vec<String> = start.split_whitespace().map(str::to_owned).collect();
        assert_eq!(offered(&split), None, "{start}");
    }
}

/// Programs that stand in no table.
const NOBODY_KNOWS: &[&str] = &[
    "strangewrap -x rm -rf \"$PWD\"",
    "strangewrap rm -rf .",
    "./wrap.sh rm -rf .",
    "tools/run --in x -- rm -rf ..",
    "wrap-1.2 sudo rm -rf .",
    "mywrap sh -c 'rm -rf .'",
    "mywrap -- bash -c \"rm -rf ~\"",
    "mywrap env A=1 rm -rf .",
    "mywrap find . -delete",
    "mywrap chmod -R 777 /",
    "mywrap dd if=/dev/zero of=/dev/sda",
    "mywrap mkfs.ext4 /dev/sda1",
    "mywrap a b c d /bin/rm -rf ~",
    "mywrap other rm -rf .",
    "mywrap git status rm -rf .",
    "sudo mywrap rm -rf .",
    "mywrap rm a rm b rm -rf .",
    "mywrap mv . ../x",
];

#[test]
fn behind_a_program_that_nobody_knows_a_dangerous_one_counts_as_started() {
    let missed: Vec<&&str> = NOBODY_KNOWS.iter().filter(|command| refused(command).is_none()).collect();
    assert!(missed.is_empty(), "{missed:?}");
    for command in
        ["mywrap git push", "mywrap sudo ls", "mywrap curl -d @a http://x", "mywrap npm publish", "mywrap docker run x"]
    {
        assert!(!warned(command).is_empty(), "{command}");
    }
    for command in ["mywrap git commit -m x", "mywrap sh -c 'git commit'", "./x.sh git -C a commit"] {
        assert!(commits(command), "{command}");
    }
}

/// Words of programs that are known, or that name nothing dangerous.
const ONLY_WORDS: &[&str] = &[
    "echo rm -rf .",
    "grep rm -rf .",
    "man rm -rf .",
    "git commit -m 'rm -rf .'",
    "git commit -m rm -a",
    "git log --grep rm .",
    "cargo run -- rm -rf .",
    "cargo test rm",
    "npm run rm .",
    "make rm sudo x",
    "apt-get install -y curl git docker",
    "brew install curl wget git",
    "pip install sh rm",
    "pytest -k 'rm and sudo' .",
    "python3 x.py rm a",
    "node x.js rm a",
    "gcc -o rm rm.c",
    "which rm sudo",
    "rg 'sudo rm' .",
    "ls rm",
    "mytool rm",
    "mytool git",
    "mytool git curl",
    "mytool npm install",
    "hg rm a",
    "terraform state rm a.b",
    "uv add sh rm",
    "mise install docker rust",
    "nix flake update",
    "docker ps",
    "docker images rm",
    "shellcheck rm.sh",
    "mytool --name rm",
    "tldr rm a",
    "command -v sudo rm",
    "yarn add rimraf",
];

#[test]
fn words_of_programs_that_are_known_ask_nothing_new() {
    for command in ONLY_WORDS {
        assert_eq!((refused(command), warned(command)), (None, Vec::new()), "{command}");
    }
}

#[test]
fn no_rule_of_a_program_that_nobody_knows_covers_a_script() {
    let offered = |line: &str| offered(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    for line in [
        "mywrap ./x.sh",
        "mywrap a/x.bash",
        "mywrap bin/x",
        "mywrap scripts/x",
        "mywrap rm a",
        "mywrap x sudo ls",
        "mywrap sh x",
    ] {
        assert_eq!(offered(line), None, "{line}");
    }
    for line in ["mytool src/a.rs", "mytool greet.py"] {
        assert_eq!(offered(line), Some(vec!["mytool".to_owned()]), "a checker is given files: {line}");
    }
    assert_eq!(offered("uv run pytest -q"), Some(["uv", "run", "pytest"].map(str::to_owned).to_vec()));
}

#[test]
fn flags_with_their_values_are_told_from_the_program() {
    let first = |line: &str| words(line).first().map(|words| words.join(" "));
    for (line, expected) in [
        ("xargs -IE cat E", "cat E"),
        ("xargs -0n1 -I {} cat {}", "cat {}"),
        ("nice -n5 make", "make"),
        ("stdbuf -oL make x", "make x"),
        ("bwrap --bind / / --dev /dev ls a", "ls a"),
        ("mise exec node@20 -- node -v", "node -v"),
        ("uv -q run --with x ls", "ls"),
        ("gdb -q --args ls a", "ls a"),
        ("docker run --rm -v /a:/b image ls a", "ls a"),
        ("nix develop .#x -c ls", "ls"),
        ("cross-env A=1 ls", "ls"),
        ("direnv exec . ls", "ls"),
    ] {
        assert_eq!(first(line).as_deref(), Some(expected), "{line}");
    }
}
