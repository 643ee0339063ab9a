//! What reaches beyond the project without naming a path: more rights, other machines, services, packages.

use super::flags::{of_git, operands, says};
use super::known::{name, publishes};
use super::script::{ScriptPart, ScriptWord};
use super::touched::is_remote;
use crate::lists::listed;

/// Programs that run others with more rights.
const RIGHTS: &[&str] =
    &["sudo", "sudoedit", "su", "doas", "pkexec", "run0", "runuser", "gosu", "su-exec", "newgrp", "visudo", "setpriv"];

/// What containers and services can be asked without a change.
const LOOKS: &str = "ps images logs inspect version info top stats port diff history search status show cat \
    list-units list-unit-files list-timers list-dependencies list-sockets is-active is-enabled is-failed help";

/// Flags that send something along with a request.
const SENDS: &[&str] = &[
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-ascii",
    "--data-urlencode",
    "--json",
    "-F",
    "--form",
    "--form-string",
    "-T",
    "--upload-file",
    "--post-data",
    "--post-file",
    "--body-data",
    "--body-file",
];

/// What of `part` reaches beyond the project, for the user.
pub(super) fn outward(part: &ScriptPart) -> Option<String> {
    if part.writes.iter().any(|word| word.text.starts_with("/dev/tcp/") || word.text.starts_with("/dev/udp/")) {
        return Some("sends something to another machine".into());
    }
    let (program, words) = part.words.split_first()?;
    let program = name(program);
    let first = operands(words).first().map_or("", |word| word.text.as_str());
    let what = match program {
        rights if RIGHTS.contains(&rights) => "runs with more rights than yours",
        "git" => return by_git(words),
        "scp" | "rsync" | "sftp" if operands(words).last().is_some_and(|word| is_remote(&word.text)) => {
            "sends files to another machine"
        }
        "curl" | "wget" if sends(words) => "sends something to another machine",
        "ssh" | "nc" | "ncat" | "netcat" | "socat" | "telnet" if part.fed => "sends something to another machine",
        "crontab" if !says(words, &["-l"]) => "changes what runs at set times",
        "at" | "batch" => "runs something later, when nobody looks",
        "systemctl" | "launchctl" | "service" if !asks(words, first) => "changes services of this system",
        "docker" | "podman" | "nerdctl" if !asks(words, first) => "can reach all of this system",
        _ if publishes(program, first) => "publishes a package",
        _ => return None,
    };
    Some(format!("{program} {what}"))
}

/// Why `part` can do nothing within the sandbox: what it needs no sandbox gives.
pub(super) fn needs_no_sandbox(part: &ScriptPart) -> Option<String> {
    let (program, words) = part.words.split_first()?;
    let program = name(program);
    let told = || says(words, &["--version", "--help", "-v", "-h"]) && operands(words).is_empty();
    let what = match program {
        rights if RIGHTS.contains(&rights) => "gets more rights",
        "crontab" | "at" | "batch" => "changes what runs at set times",
        "systemctl" | "launchctl" | "service" if !told() => "talks to the system's services",
        "docker" | "podman" | "nerdctl" if !told() => "talks to its service, which can reach all of this system",
        _ => return None,
    };
    Some(format!("{program} {what}, which only works without the sandbox"))
}

fn asks(words: &[ScriptWord], first: &str) -> bool {
    listed(LOOKS, first) || first.is_empty() && says(words, &["--version", "--help", "-v"])
}

fn sends(words: &[ScriptWord]) -> bool {
    // Short ones may have their value right after the letter: `-d@file`.
    let joined = |word: &ScriptWord| {
        let text = word.text.as_str();
        !text.starts_with("--") && ["-d", "-F", "-T"].iter().any(|flag| text.starts_with(flag))
    };
    says(words, SENDS) || words.iter().any(joined)
}

fn by_git(words: &[ScriptWord]) -> Option<String> {
    match of_git(words)? {
        ("push", _) => Some("git push sends the project's history to another machine".into()),
        ("send-email" | "send-pack", _) => Some("git sends something to another machine".into()),
        ("config", rest) if sets(rest) => Some("git config sets what git does and runs".into()),
        _ => None,
    }
}

fn sets(words: &[ScriptWord]) -> bool {
    let reads =
        ["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool", "-l", "--list"];
    let changes =
        ["--unset", "--unset-all", "--add", "--replace-all", "--remove-section", "--rename-section", "-e", "--edit"];
    if says(words, &changes) {
        return true;
    }
    let operands: Vec<&str> = operands(words).into_iter().map(|word| word.text.as_str()).collect();
    match operands.as_slice() {
        ["get" | "list", ..] | [] => false,
        ["set" | "unset" | "rename-section" | "remove-section" | "edit", ..] => true,
        [_] => false,
        _ => !says(words, &reads),
    }
}
