//! The two protocols in which imported exercises are tried, and what each try came to. Both allow a second try in the same
//! conversation; they differ in what the model sees of the tests, and that counts for more than most models do.

use crate::class::TrialClass;
use crate::variant::Variant;
use agent_protocol::sanitize::clean_copy;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Of the second try's output so many characters are told where tests are open.
const TAIL: usize = 4_000;
/// No more bytes of it are told in any case: they are one argument of a process, for which Linux has 128 KiB.
const MOST: usize = 100_000;
/// The first protocol's settings: tools for files, searches and a list of steps. A model that works by files has its changes
/// checked by the program, which would run what is there; so it is given a check that says nothing.
const NO_COMMANDS: [(&str, &str); 3] = [
    ("tools.groups", r#"["core", "plan"]"#),
    ("tools.exclude", r#"["run_command", "jobs"]"#),
    ("checks.command", r#""true""#),
];

/// In which way imported exercises are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportProtocol {
    /// Tests unseen and no commands; the whole output of the tests once, then a second try. As in aider's table.
    Aider,
    /// Tests there and runnable from the start; a second try with the end of their output. As in little-coder's.
    Open,
}

impl ImportProtocol {
    /// As it is said on the command line.
    pub fn word(self) -> &'static str {
        match self {
            ImportProtocol::Aider => "aider",
            ImportProtocol::Open => "open",
        }
    }

    /// What it means, for the head of a report.
    pub fn words(self) -> &'static str {
        match self {
            ImportProtocol::Aider => "protocol aider: tests unseen, no commands, two tries",
            ImportProtocol::Open => "protocol open: tests open and runnable, two tries",
        }
    }

    /// What is said with the exercise's own words. `files` may be changed; `tests` check them with `command`.
    pub(crate) fn prompt(self, instructions: &str, files: &[String], tests: &[String], command: &str) -> String {
        let files = files.join(", ");
        let rules = format!(
            "Solve this by changing {files}. Keep the names of functions, types and classes that are there: tests use \
             them. Use the standard library alone."
        );
        match self {
            ImportProtocol::Aider => {
                let unseen = "Nothing can be run here; the tests are run when you have finished.";
                format!("{instructions}\n\n---\n{rules} {unseen}")
            }
            ImportProtocol::Open => format!(
                "{instructions}\n\n---\n{rules} The tests are in {}; they are right and stay as they are. Run them \
                 with:\n\n{command}",
                tests.join(", ")
            ),
        }
    }

    /// What is said before the second try: what the tests printed.
    pub(crate) fn again(self, output: &str, files: &[String]) -> String {
        // Tests print anything; a control character would end the argument, or be obeyed by a terminal.
        let output = clean_copy(output);
        let told = match self {
            ImportProtocol::Aider => last_bytes(&output),
            ImportProtocol::Open => last_bytes(tail(&output)),
        };
        let of_it = match (self, told.len() == output.len()) {
            (ImportProtocol::Aider, true) => "This is what they print",
            (ImportProtocol::Aider, false) | (ImportProtocol::Open, _) => "This is the end of what they print",
        };
        let files = files.join(", ");
        format!("The tests fail. {of_it}:\n\n{told}\n\nThe tests are right. Correct {files} so that they pass.")
    }

    /// The arm as it is where commands are off.
    pub(crate) fn arm(self, arm: &Variant) -> Variant {
        let mut arm = arm.clone();
        match self {
            ImportProtocol::Aider => {
                arm.settings.extend(NO_COMMANDS.map(|(key, value)| (key.to_owned(), value.to_owned())));
            }
            ImportProtocol::Open => {}
        }
        arm
    }
}

impl fmt::Display for ImportProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

fn tail(output: &str) -> &str {
    let from = output.char_indices().rev().nth(TAIL - 1).map_or(0, |(at, _)| at);
    &output[from..]
}

/// The end of `output`, not longer than one argument may be.
fn last_bytes(output: &str) -> &str {
    let from = output.ceil_char_boundary(output.len().saturating_sub(MOST));
    &output[from..]
}

/// What one try of an imported exercise came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TryResult {
    pub class: TrialClass,
    /// How long it took, without grading.
    pub secs: f64,
    /// Calls that named no tool or had arguments that cannot be read.
    pub malformed: u64,
    /// The tests did not come to their end.
    pub cut: bool,
    /// The exit code of the process; none where it was ended.
    pub exit: Option<i32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_try_is_told_all_or_the_end() {
        let output = format!("begin{}end", "ä".repeat(5_000));
        let files = ["a.py".to_owned()];
        let all = ImportProtocol::Aider.again(&output, &files);
        let end = ImportProtocol::Open.again(&output, &files);
        assert!(all.contains(&output) && !end.contains("begin") && end.contains("ääend"));
        assert_eq!(tail(&output).chars().count(), TAIL);
        assert_eq!(tail("short"), "short");
    }

    #[test]
    fn what_is_told_can_be_the_argument_of_a_process_whatever_the_tests_print() {
        let output = format!("begin\0\u{1b}[31m{}\tthe end", "ä€".repeat(60_000));
        for protocol in [ImportProtocol::Aider, ImportProtocol::Open] {
            let told = protocol.again(&output, &["a.py".to_owned()]);
            assert!(told.len() < 128 << 10, "{protocol}: {} bytes", told.len());
            assert!(told.contains("\tthe end\n") && told.contains("This is the end"), "{protocol}");
        }
        let told = ImportProtocol::Aider.again("a\0b\u{1b}[31mred\n\tx", &[]);
        assert!(!told.contains('\0') && !told.contains('\u{1b}') && told.contains("\n\tx"), "{told:?}");
        assert!(told.contains("This is what they print"), "{told}");
    }

    #[test]
    fn only_who_may_see_the_tests_is_told_of_them() {
        let told = |protocol: ImportProtocol| {
            protocol.prompt("Greet.", &["a.py".to_owned()], &["a_test.py".to_owned()], "run them")
        };
        assert!(!told(ImportProtocol::Aider).contains("a_test.py") && told(ImportProtocol::Aider).contains("a.py"));
        assert!(told(ImportProtocol::Open).contains("a_test.py") && told(ImportProtocol::Open).ends_with("run them"));
    }
}
