//! Rewritten lines do what they did, in every shell there is, and tell how their parts ended.

#![expect(clippy::disallowed_methods, reason = "the shells are asked, and they are programs")]

use super::{Watched, watched};
use std::path::Path;
use std::process::{Command, Stdio};

/// What came of a line: what it said, how it ended.
fn run(shell: &str, line: &str, folder: &Path) -> (String, Option<i32>) {
    let mut command = Command::new(shell);
    command.args(["-c", line]).current_dir(folder).stdin(Stdio::null());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (said, output.status.code())
}

/// The hidden failures of `line`, as `words: code` each, after it was run for real.
fn hidden(line: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join(".report");
    let watched = watched(line, &report)?;
    let (said, code) = run("/bin/sh", &watched.line, folder.path());
    let told = std::fs::read_to_string(&report).unwrap_or_default();
    let ends = watched.hidden(&told, code.unwrap_or(-1), &said);
    let ends: Vec<String> = ends.iter().map(|end| format!("{}: {}", end.words, end.code)).collect();
    Some(ends.join(" | "))
}

#[test]
fn a_part_that_failed_is_told_where_the_exit_code_does_not_say_it() {
    for (line, told) in [
        // Of a pipe only the last part is heard.
        ("sh -c 'exit 101' 2>&1 | tail -30", "sh: 101 | tail: 0"),
        ("cd . && sh -c 'exit 101' 2>&1 | tail -30", "sh: 101 | tail: 0"),
        ("X=1 sh -c 'exit 7' | sort | uniq -c", "sh: 7 | sort: 0 | uniq: 0"),
        ("set -e; sh -c 'exit 3' | cat; echo on", "sh: 3 | cat: 0"),
        ("(exit 4) | cat", "(…): 4 | cat: 0"),
        ("cat <<EOF | sh | tail -1\nexit 9\nEOF", "cat: 0 | sh: 9 | tail: 0"),
        ("sh -c 'exit 2' | sed s/a/b/ > out.txt; cat out.txt", "sh: 2 | sed: 0"),
        ("nothing-like-this --flag 2>/dev/null | head -3", "nothing-like-this: 127 | head: 0"),
        // Of a list only the last.
        ("sh -c 'exit 5'; echo done", "sh: 5"),
        ("sh -c 'exit 5'\necho done", "sh: 5"),
        ("cd nowhere 2>/dev/null; echo done", "cd: 2"),
        ("true && sh -c 'exit 6' && echo never; echo done", "sh: 6"),
        ("sh -c 'exit 5' || true", "sh: 5 | true: 0"),
        ("true && sh -c 'exit 5' || echo failed", "sh: 5 | echo: 0"),
        ("sh -c 'exit 8' | cat || true; sh -c 'exit 9' | cat", "sh: 8 | cat: 0 | sh: 9 | cat: 0"),
        // Of several parts the one that the exit code is of.
        ("true; sh -c 'exit 5'", "sh: 5"),
        ("sh -c 'exit 5' && echo never", "sh: 5"),
        ("true && sh -c 'exit 5'", "sh: 5"),
        ("sh -c 'exit 4'; sh -c 'exit 5'", "sh: 4 | sh: 5"),
        ("true && exit 3; echo never", ""),
        // What the exit code says is not said again, and where nothing failed nothing is.
        ("true | sh -c 'exit 5'", ""),
        ("echo a | cat; echo b | cat", ""),
        ("false && true; true", ""),
        ("sh -c 'exit 5' || sh -c 'exit 0'", ""),
        ("exit 3; echo never", ""),
        ("sh -c 'exit 3' & wait; echo done", ""),
    ] {
        assert_eq!(hidden(line).as_deref(), Some(told), "{line}");
    }
}

#[test]
fn what_is_no_failure_to_a_person_is_not_told() {
    for line in [
        // A reader that has enough ends the one that writes.
        "yes | head -1",
        "seq 1000000 | grep -q 3; echo found",
        "sh -c 'echo a; echo Broken pipe >&2; exit 101' | head -1",
        // Nothing found, and a difference.
        "echo a | grep b | wc -l",
        "grep -q nothing /dev/null; echo on",
        "echo a > a; echo b > b; diff a b | cat",
        "grep -q nothing /dev/null || echo none",
        "test -f nothing; echo on",
        "[ -f nothing ] || echo none",
        "command -v nothing-like-this || echo missing",
        "ls nothing 2>/dev/null || true",
        "mkdir . 2>/dev/null || true",
        "nothing-like-this --version 2>/dev/null; ls",
    ] {
        assert_eq!(hidden(line).as_deref(), Some(""), "{line}");
    }
}

#[test]
fn a_line_whose_exit_code_says_it_all_or_that_is_not_understood_stays_as_it_is() {
    for line in [
        "cargo test",
        "sleep 9 &",
        "for f in *; do cat $f | tail; done",
        "if cargo test | tail; then echo yes; fi",
        "f() { false | true; }; f",
        "cargo test | tee log; exit ${PIPESTATUS[0]}",
        "set -x; cargo test | tail",
        "alias ls='ls -l'; ls | tail",
        "a <(b) | c",
        "a |& b",
        "a &> b | c",
        "a $'x' | b",
        "cat <<EOF | tail\nnever closed",
        "! false | true",
        "time make | tail",
        "a | ",
        "{ a; b; } | c",
    ] {
        assert_eq!(watched(line, Path::new("/tmp/report")), None, "{line}");
    }
    assert_eq!(watched("a | b", Path::new("/tmp/it's")), None, "a place that cannot be quoted");
}

/// With what reports in it, a line says and does what it did.
#[test]
fn the_line_means_what_it_meant() {
    let lines = [
        "echo 'a\\tb' | cat; echo $?",
        "sh -c 'exit 3'; echo \"exit: $?\"",
        "sh -c 'exit 3' | cat; echo \"$?\"; false; echo $?",
        "X=1; Y=$(echo 2; exit 4); echo \"$? $X $Y\"; cd / && pwd; pwd | cat",
        "set -e; true | cat; false; echo never",
        "set -e; false || true; false && true; echo on; sh -c 'exit 9'; echo never",
        "set -e; false | cat; echo on | cat; (exit 4); echo never",
        "set -eu; echo $UNSET | cat; echo never",
        "exit 5; echo never",
        "true && exit 6 || true; echo never",
        "exec sh -c 'echo in; exit 7'; echo never",
        "exec 3>out; echo a >&3; cat out | cat",
        "trap 'echo bye $?' EXIT; sh -c 'exit 2' | cat; sh -c 'exit 8'",
        "cat <<A | cat - ; cat <<'B'\none $HOME\nA\ntwo $HOME\nB\necho end # comment ' here",
        "cat <<-A | tr a b; echo x\n\taaa\n\tA\necho end",
        "sleep 0 & P=$!; wait $P; echo $?; [ $P = $! ]; echo $?",
        "echo a | { read x; echo $x; }",
        "echo a | (read x; echo \"$x\"); echo b || echo c",
        "printf '%s\\n' a b c |\n  grep b &&\n  echo found ||\n  echo none",
        "echo \"$(echo 'a | b; c' | tr '|' '+')\" | cat; echo `echo x; echo y | cat`",
        "echo ${HOME:-none} | cat; echo $((1 + (2 * 3))) | cat; echo a\\;b \\| | cat",
        "nothing-like-this | cat; nothing-like-this; echo $?",
        "umask 077; echo a > f; ls -l f | cut -c1-10; set -- a b; echo $# $2 | cat; echo $1",
        "yes | head -2; seq 9 | sed 2q; echo $?",
        "kill -9 $$ | cat; echo never",
        "unset HOME; echo ${HOME-none} | cat; export A=b; sh -c 'echo $A' | cat; env | grep -c agent_end",
        "echo a 2>&1 >/dev/null | cat; echo b >&2 | cat; : | true ; : ;\n\n# nothing\n",
    ];
    let mut watched_lines = 0;
    for shell in ["/bin/sh", "/bin/bash", "/bin/dash"].iter().filter(|shell| Path::new(shell).exists()) {
        for line in lines {
            let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let report = other.path().join(".report");
            let Some(Watched { line: anew, .. }) = watched(line, &report) else { continue };
            watched_lines += 1;
            let place =
                |said: (String, Option<i32>), folder: &Path| (said.0.replace(folder.to_str().unwrap(), "HERE"), said.1);
            let was = place(run(shell, line, one.path()), one.path());
            assert_eq!(place(run(shell, &anew, other.path()), other.path()), was, "{shell}: {line}\n{anew}");
        }
    }
    assert!(watched_lines >= 25, "most of them are watched: {watched_lines}");
}
