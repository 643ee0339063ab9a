//! What linters find, as `file:line: message`: the worst first, none twice, not without end.

use crate::words::{self, shortened};
use regex::Regex;
use std::sync::LazyLock;

/// Lines that are told.
const MOST: usize = 100;
/// Characters of one message.
const WIDTH: usize = 300;

/// How the messages of a linter look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageForm {
    /// `a.rs:1:2: warning: message`.
    Clippy,
    /// The same, of a compiler in C.
    Gcc,
    /// `a.py:1:2: C0114 message`.
    Pylint,
    /// A file's name, and below it `1:2  warning  message  rule`.
    Stylish,
    /// `a.go:1:2: message`.
    Bare,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    Error,
    Warning,
    Note,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Message {
    pub(super) severity: Severity,
    pub(super) path: String,
    pub(super) line: u64,
    pub(super) text: String,
}

impl Severity {
    fn of(word: &str) -> Option<Self> {
        match word {
            "error" | "fatal" => Some(Severity::Error),
            "warning" => Some(Severity::Warning),
            "note" | "info" | "style" | "help" => Some(Severity::Note),
            _ => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// Everything that `output` tells, in this form, the worst first and none twice. `spelled` names files.
pub(super) fn read(form: MessageForm, output: &str, spelled: &dyn Fn(&str) -> String) -> Vec<Message> {
    let mut messages: Vec<Message> = match form {
        MessageForm::Stylish => stylish(output),
        MessageForm::Clippy | MessageForm::Gcc | MessageForm::Pylint | MessageForm::Bare => {
            output.lines().filter_map(|line| located(form, line)).collect()
        }
    };
    for message in &mut messages {
        message.path = spelled(&message.path);
    }
    messages.sort();
    messages.dedup();
    messages
}

/// `path:line:column: rest`.
fn located(form: MessageForm, line: &str) -> Option<Message> {
    static LINE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(?:vet: )?([^\s:][^:]*):(\d+):(?:\d+:)? (.+)$").expect("it is written here"));
    let found = LINE.captures(line)?;
    let rest = &found[3];
    let (severity, text) = match form {
        MessageForm::Clippy | MessageForm::Gcc => leading(rest)?,
        MessageForm::Pylint => (pylint(rest)?, rest.to_owned()),
        MessageForm::Bare => (bare(rest), rest.to_owned()),
        MessageForm::Stylish => return None,
    };
    Some(Message {
        severity,
        path: found[1].to_owned(),
        line: found[2].parse().ok()?,
        text: shortened(text.trim(), WIDTH),
    })
}

/// `error[E0308]: message`: the code stays, the word does not.
fn leading(rest: &str) -> Option<(Severity, String)> {
    let (word, text) = rest.split_once(": ")?;
    let (word, code) =
        word.split_once('[').map_or((word, None), |(word, code)| (word, Some(code.trim_end_matches(']'))));
    let text = code.map_or_else(|| text.to_owned(), |code| format!("{code}: {text}"));
    Some((Severity::of(word)?, text))
}

/// By the letter that a message's number begins with.
fn pylint(rest: &str) -> Option<Severity> {
    let number = rest.split(' ').next()?;
    let known = number.len() == 5 && number[1..].bytes().all(|byte| byte.is_ascii_digit());
    match number.chars().next().filter(|_| known)? {
        'E' | 'F' => Some(Severity::Error),
        'W' => Some(Severity::Warning),
        _ => Some(Severity::Note),
    }
}

/// Those that tell no severity: what cannot be compiled is an error, all else a warning.
fn bare(rest: &str) -> Severity {
    let errors = ["invalid-syntax", "SyntaxError", "E9", "undeclared name", "undefined:", "expected ", "syntax error"];
    let broken = errors.iter().any(|word| rest.starts_with(word)) || rest.ends_with("(typecheck)");
    if broken { Severity::Error } else { Severity::Warning }
}

fn stylish(output: &str) -> Vec<Message> {
    static LINE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^  +(\d+):\d+  +(error|warning)  +(.*)$").expect("it is written here"));
    let (mut messages, mut path) = (Vec::new(), "");
    for line in output.lines() {
        if let Some(found) = LINE.captures(line) {
            let text = found[3].split("  ").map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>();
            let text = match text.as_slice() {
                [message, rule] => format!("{message} ({rule})"),
                parts => parts.join(" "),
            };
            let (severity, line) = (Severity::of(&found[2]), found[1].parse().ok());
            if let (Some(severity), Some(line)) = (severity, line) {
                messages.push(Message { severity, path: path.to_owned(), line, text: shortened(text.trim(), WIDTH) });
            }
        } else if !line.starts_with(' ') && line.contains(['/', '.']) {
            path = line.trim();
        }
    }
    messages
}

/// `2 errors, 1 warning`.
pub(super) fn counts(messages: &[Message]) -> String {
    let of = |severity: Severity| {
        let count = messages.iter().filter(|message| message.severity == severity).count() as u64;
        (count > 0).then(|| words::count(count, severity.word()))
    };
    let counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note].into_iter().filter_map(of).collect();
    if counts.is_empty() { "nothing found".into() } else { counts.join(", ") }
}

/// As lines.
pub(super) fn lines(messages: &[Message]) -> String {
    let line = |message: &Message| {
        let Message { severity, path, line, text } = message;
        format!("\n{path}:{line}: {}: {text}", severity.word())
    };
    let mut lines: String = messages.iter().take(MOST).map(line).collect();
    if messages.len() > MOST {
        lines.push_str(&format!("\n[… {} more; lint a smaller part to see them]", messages.len() - MOST));
    }
    lines
}
