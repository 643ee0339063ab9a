//! Do bash, dash and this room read a command alike? Random texts, rich in what makes shells differ, are read here; every
//! one that is taken for plain is run by both shells with recorders in place of programs, and so is its canonical line.
//!
//! `AGENT_FUZZ` is the number of texts, `AGENT_FUZZ_SEED` where they begin.
#![expect(clippy::print_stdout, reason = "the seed and the number of texts are for whoever runs a million of them")]
#![expect(clippy::disallowed_methods, reason = "the shells are asked, and they are programs")]

mod expected;
mod texts;

use crate::Facts;
use crate::shell::canon;
use crate::shell::lexer::lex;
use crate::shell::readers::Uses;
use crate::shell::walk::{Program, WalkStep};
use crate::shell::words::{Joint, Simple};
use expected::{As, Folder};
use std::path::Path;
use std::process::Command;

/// So many texts a run of a shell.
const BATCH: usize = 2_000;
const TEXTS: usize = 20_000;
const SEED: u64 = 20_261_121;

/// The programs: recorders of what they are given. The last one fails.
const PROGRAMS: &[&str] = &["ls", "cat", "echo", "wc", "grep", "cd", "test", "true", "fail"];

/// A shell, and the Debian package of the same name.
struct Shell {
    program: &'static str,
    flag: &'static str,
}

/// What `sh` is: dash, or bash in another manner.
const SHELLS: &[Shell] = &[
    Shell { program: "bash", flag: "--norc" },
    Shell { program: "dash", flag: "+e" },
    Shell { program: "bash", flag: "--posix" },
];

/// One text that was taken for plain.
struct Case {
    text: String,
    script: Vec<Simple>,
}

#[test]
fn bash_dash_and_this_room_read_alike() {
    let (texts, seed) = (setting("AGENT_FUZZ", TEXTS as u64), setting("AGENT_FUZZ_SEED", SEED));
    let folder = Folder::new();
    let mut random = texts::Random(seed);
    let (mut read, mut plain) = (0, 0);
    while read < texts {
        let size = BATCH.min(usize::try_from(texts - read).expect("what is left fits"));
        let cases: Vec<Case> = (0..size).filter_map(|_| case(texts::text(&mut random))).collect();
        read += size as u64;
        plain += cases.len();
        let lines: Vec<String> = cases.iter().map(|case| canonical(&case.script)).collect();
        let originals: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        for shell in SHELLS {
            compare(&folder, shell, &cases, &originals, As::Written, seed);
            compare(&folder, shell, &cases, &lines, As::Canonical, seed);
        }
    }
    println!("seed {seed}: {plain} of {texts} texts were plain, and read alike by all");
    assert!(plain as u64 * 4 > texts, "only {plain} of {texts} texts were plain");
}

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |said| said.parse().unwrap_or_else(|_| panic!("{name} is no number: {said}")))
}

/// A text that is plain and starts only recorders.
fn case(text: String) -> Option<Case> {
    let script = lex(&text).ok()?;
    let known = script.iter().all(|simple| PROGRAMS.contains(&simple.words[0].text.as_str()));
    // bash writes down a word with a new line in it in two goes, and the programs of a pipe write at once.
    let lines = script.iter().flat_map(|simple| &simple.words).any(|word| word.text.contains('\n'));
    let piped = script.iter().any(|simple| simple.joint == Joint::Pipe);
    (known && !(lines && piped)).then_some(Case { text, script })
}

fn canonical(script: &[Simple]) -> String {
    let steps: Vec<WalkStep<'_>> = script.iter().map(step).collect();
    canon::line(&steps, &Facts::default())
}

/// All words are taken for files, for those are what a canonical line leaves patterns in.
fn step(simple: &Simple) -> WalkStep<'_> {
    let program = Program { name: simple.words[0].text.clone(), spelled: None };
    let uses = Uses {
        files: (1..simple.words.len()).collect(),
        names_only: simple.words[0].text == "echo",
        ..Uses::default()
    };
    WalkStep { simple, program: Ok(program), uses: Ok(uses), claims: Vec::new() }
}

fn compare(folder: &Folder, shell: &Shell, cases: &[Case], lines: &[&str], written: As, seed: u64) {
    let recorded = run(folder, shell, lines);
    for (at, (case, line)) in cases.iter().zip(lines).enumerate() {
        let expected = folder.records(&case.script, written);
        let got = recorded.get(at).map(|records| expected::ordered(records.clone(), &case.script));
        assert_eq!(
            got.as_ref(),
            Some(&expected),
            "{} (left) and this room (right) read this differently, seed {seed}:\n{:?}\nrun as:\n{line:?}",
            shell.program,
            case.text
        );
    }
}

/// What the recorders saw of each line: its programs, each with its words.
fn run(folder: &Folder, shell: &Shell, lines: &[&str]) -> Vec<Vec<Vec<String>>> {
    let (script, record) = (folder.beside("script"), folder.beside("record"));
    std::fs::write(&script, batch(&record, lines)).unwrap();
    std::fs::write(&record, "").unwrap();
    let mut command = Command::new(shell.program);
    command
        .arg(shell.flag)
        .arg(&script)
        .current_dir(folder.inside())
        .env("LC_ALL", "C")
        .env_remove("BASH_ENV")
        .env_remove("ENV");
    let name = shell.program;
    let output = command.output().unwrap_or_else(|error| panic!("{name}: {error}; install the Debian package {name}"));
    assert!(output.status.success(), "{name} came to its end: {output:?}");
    let text = String::from_utf8(std::fs::read(&record).unwrap()).expect("words are text");
    let mut cases: Vec<&str> = text.split('\u{3}').collect();
    cases.pop();
    cases.iter().map(|case| records(case)).collect()
}

fn records(case: &str) -> Vec<Vec<String>> {
    let mut records: Vec<&str> = case.split("\u{2}\u{1}").collect();
    records.pop();
    let words = |record: &str| {
        let mut words: Vec<String> = record.split('\u{1}').map(str::to_owned).collect();
        words.pop();
        words
    };
    records.into_iter().map(words).collect()
}

/// A script that hands each line to `eval`. Every program is a function that writes down its words in one go.
fn batch(record: &Path, lines: &[&str]) -> String {
    let mut script = format!("PATH=/nowhere\nexec 9>>'{}'\n", record.display());
    for name in PROGRAMS {
        let end = if *name == "fail" { "return 1" } else { "return 0" };
        script.push_str(&format!("{name}() {{ printf '%s\\001' {name} \"$@\" '\u{2}' >&9; {end}; }}\n"));
    }
    for line in lines {
        script.push_str(&format!("eval '{}'\nprintf '\\003' >&9\n", line.replace('\'', "'\\''")));
    }
    script
}
