//! What a turn really did, in one line, and what it did not do although it says so.

use agent_protocol::{CommandReceipt, FileReceipt, FolderReceipt, Host, Receipt};
use serde_json::{Value, json};

/// More files or commands than this are counted, not named.
const NAMED: usize = 8;

/// The line, like `changed: a.rs +1 −1 · ran: make (exit 2)`; `None` where nothing was done.
pub(crate) fn line(receipt: &Receipt) -> Option<String> {
    let parts = [
        part("changed", &receipt.files, file),
        part("built", &receipt.folders, FolderReceipt::words),
        part("ran", &receipt.commands, command),
        part("reached", &receipt.hosts, Host::to_string),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// What a person has to know besides.
pub(crate) fn warnings(receipt: &Receipt) -> Vec<String> {
    let unchanged = receipt.unchanged.then(|| "nothing was changed".to_owned());
    let failing = receipt.failing.as_ref().map(|how| format!("the check still fails: {how}"));
    unchanged.into_iter().chain(failing).collect()
}

/// That nothing checked the change, and why; `None` where something did, or nothing was to.
pub(crate) fn unchecked(receipt: &Receipt) -> Option<String> {
    receipt.not_run.as_ref().map(|why| format!("not checked: {why}"))
}

/// How the check after the last change went, in a word for programs; `None`: there was nothing to check.
fn check(receipt: &Receipt) -> Option<&'static str> {
    let failed = receipt.failing.as_ref().map(|_| "failed");
    failed.or(receipt.not_run.as_ref().map(|_| "not_run")).or(receipt.checked.as_ref().map(|_| "passed"))
}

/// For programs: all lists, also where they are empty.
pub(crate) fn object(receipt: &Receipt) -> Value {
    json!({
        "files": receipt.files,
        "folders": receipt.folders,
        "commands": receipt.commands,
        "hosts": receipt.hosts,
        "doubts": receipt.doubts,
        "unchanged": receipt.unchanged,
        "failing": receipt.failing,
        "check": check(receipt),
        "not_run": receipt.not_run,
    })
}

fn part<T>(word: &str, things: &[T], named: impl Fn(&T) -> String) -> Option<String> {
    let mut names: Vec<String> = things.iter().take(NAMED).map(named).collect();
    if let Some(more) = things.len().checked_sub(NAMED).filter(|more| *more > 0) {
        names.push(format!("{more} more"));
    }
    (!names.is_empty()).then(|| format!("{word}: {}", names.join(", ")))
}

fn file(file: &FileReceipt) -> String {
    format!("{}{}", file.shown_path, file.fate_words())
}

fn command(receipt: &CommandReceipt) -> String {
    format!("{} ({}{})", receipt.command, receipt.end_words(), receipt.parts_end_words())
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{FailureKind, FileFate, PartEnd, Status};

    fn changed(path: &str, what: FileFate, added: u64, removed: u64) -> FileReceipt {
        FileReceipt { shown_path: path.into(), what, added, removed }
    }

    fn ran(command: &str, status: Status) -> CommandReceipt {
        CommandReceipt { command: command.into(), status, background: false, parts: Vec::new() }
    }

    #[test]
    fn a_receipt_is_one_line_of_what_really_happened() {
        let files = vec![
            changed("a.rs", FileFate::Changed, 1, 1),
            changed("new.rs", FileFate::Created, 12, 0),
            changed("old.rs", FileFate::Deleted, 0, 3),
            changed("logo.png", FileFate::Changed, 0, 0),
        ];
        let commands = vec![ran("make", Status::Exited { code: Some(2) }), ran("make", Status::Done)];
        let receipt = Receipt { files, commands, doubts: Vec::new(), ..Receipt::default() };
        let told =
            "changed: a.rs +1 −1, new.rs +12 (new), old.rs −3 (deleted), logo.png · ran: make (exit 2), make (exit 0)";
        assert_eq!(line(&receipt).as_deref(), Some(told));
        assert_eq!(
            line(&Receipt { files: Vec::new(), ..receipt }).as_deref(),
            Some("ran: make (exit 2), make (exit 0)")
        );
        assert_eq!(line(&Receipt { doubts: vec!["it says so".into()], ..Receipt::default() }), None);
    }

    #[test]
    fn folders_hidden_failures_and_hosts_are_told() {
        let part = |words: &str, code| PartEnd { words: words.into(), code };
        let command = CommandReceipt {
            parts: vec![part("cargo test", 101), part("tail", 0)],
            ..ran("cargo test | tail", Status::Exited { code: Some(0) })
        };
        let folder = |path: &str, files| FolderReceipt { shown_path: path.into(), files };
        let receipt = Receipt {
            commands: vec![command],
            folders: vec![folder(".venv", 1_549), folder("target", 0)],
            hosts: vec![Host { name: "example.org".into(), port: 443 }],
            ..Receipt::default()
        };
        let told = "built: +1,549 in .venv, target · ran: cargo test | tail (exit 0, but cargo test: 101 | tail: 0) · \
                    reached: example.org:443";
        assert_eq!(line(&receipt).as_deref(), Some(told));
        assert_eq!(object(&receipt)["commands"][0]["parts"][0], json!({"words": "cargo test", "code": 101}));
        assert_eq!(object(&receipt)["hosts"], json!([{"name": "example.org", "port": 443}]));
    }

    #[test]
    fn of_a_list_that_failed_the_part_that_did_is_told() {
        let parts = vec![PartEnd { words: "cargo fmt".into(), code: 1 }];
        let list = CommandReceipt { parts, ..ran("cargo fmt && cargo test", Status::Exited { code: Some(1) }) };
        assert_eq!(command(&list), "cargo fmt && cargo test (exit 1, parts: cargo fmt: 1)");
    }

    #[test]
    fn a_check_that_could_not_run_is_neither_passed_nor_failed() {
        let receipt = Receipt { not_run: Some("no tests found".into()), ..Receipt::default() };
        assert_eq!(object(&receipt)["check"], "not_run");
        assert_eq!(object(&receipt)["not_run"], "no tests found");
        assert_eq!(unchecked(&receipt).as_deref(), Some("not checked: no tests found"));
        assert_eq!(warnings(&receipt), Vec::<String>::new());
        let passed = Receipt { checked: Some("2 passed".into()), ..Receipt::default() };
        assert_eq!((&object(&passed)["check"], unchecked(&passed)), (&json!("passed"), None));
        assert_eq!(object(&Receipt::default())["check"], json!(null));
    }

    #[test]
    fn every_way_a_command_can_end_has_a_word() {
        for (status, word) in [
            (Status::Exited { code: None }, "ended by a signal"),
            (Status::Failed { kind: FailureKind::Timeout }, "took too long"),
            (Status::Stopped, "stopped"),
            (Status::Unknown, "may have run"),
        ] {
            assert_eq!(command(&ran("x", status)), format!("x ({word})"));
        }
        let behind = |status| CommandReceipt { background: true, ..ran("x", status) };
        assert_eq!(command(&behind(Status::Done)), "x (left running)");
        assert_eq!(command(&behind(Status::Exited { code: Some(1) })), "x (exit 1)");
    }

    #[test]
    fn of_many_files_most_are_only_counted() {
        let files = (0..1_000).map(|n| changed(&format!("{n}"), FileFate::Created, 0, 0)).collect();
        let told = line(&Receipt { files, ..Receipt::default() }).unwrap();
        assert!(told.starts_with("changed: 0 (new), 1 (new), ") && told.ends_with(", 7 (new), 992 more"), "{told}");
    }
}
