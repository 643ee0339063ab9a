//! What may be remembered, and how it stands in the file.

use crate::Secrets;
use crate::redact::refuse_mark;
use crate::replace::is_crlf;

/// Characters of the longest fact: all of them are told in every later session.
const LONGEST: usize = 400;

/// The fact as it is written. `Err`: what is the matter with it, to be said after its name.
pub(super) fn read(given: &str, secrets: &Secrets) -> Result<String, String> {
    let fact = bare(given);
    if fact.is_empty() {
        return Err("says nothing; give the fact as one line of text".into());
    }
    if fact.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
        return Err("has several lines; save one fact at a time, each as one line".into());
    }
    if fact.chars().any(is_unseen) {
        return Err("holds characters that nobody sees; write it in plain text".into());
    }
    let length = fact.chars().count();
    if length > LONGEST {
        return Err(format!("has {length} characters, and may have {LONGEST}; say it shorter"));
    }
    if let Err(failure) = refuse_mark(fact, "", "fact") {
        return Err(format!("cannot be saved: {}", failure.message));
    }
    if secrets.unwritten(fact) != fact {
        return Err(
            "holds what looks like a secret, and secrets are not remembered; say where it is kept instead".into()
        );
    }
    Ok(fact.to_owned())
}

/// Without the mark of a list, which it gets anyway.
fn bare(line: &str) -> &str {
    let line = line.trim();
    let rest = line.strip_prefix(['-', '*', '+']).filter(|rest| rest.is_empty() || rest.starts_with(' '));
    rest.unwrap_or(line).trim()
}

/// Control characters, and what only changes how others are drawn: with these a line may say more than a person sees.
/// The joiners of scripts that need them are let through.
fn is_unseen(letter: char) -> bool {
    let joins = matches!(letter, '\u{200c}' | '\u{200d}');
    let drawn_as_nothing = matches!(letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    letter.is_control() || drawn_as_nothing && !joins
}

/// Is it in `text` already, word for word?
pub(super) fn stands_in(text: &str, fact: &str) -> bool {
    text.lines().any(|line| bare(line) == fact)
}

/// `text` with the fact as its last line.
pub(super) fn added(text: &str, fact: &str) -> String {
    let end = if is_crlf(text) { "\r\n" } else { "\n" };
    let last = text.lines().last().unwrap_or_default().trim_start();
    let joined = if text.is_empty() || text.ends_with('\n') { "" } else { end };
    // Below anything but a list an empty line begins one.
    let apart = if last.is_empty() || ["- ", "* ", "+ "].iter().any(|mark| last.starts_with(mark)) { "" } else { end };
    format!("{text}{joined}{apart}- {fact}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(given: &str) -> Result<String, String> {
        read(given, &Secrets::new(["hunter2-and-more".to_owned()]))
    }

    #[test]
    fn a_fact_is_one_line_of_visible_text() {
        assert_eq!(said("  - Tests run with `make check`. "), Ok("Tests run with `make check`.".into()));
        assert_eq!(said("می‌خواهم 👩‍💻"), Ok("می‌خواهم 👩‍💻".into()));
        for (given, why) in [
            ("- ", "says nothing"),
            ("one\ntwo", "several lines"),
            ("one\u{2028}two", "several lines"),
            ("a\u{1b}[2Jb", "nobody sees"),
            ("a\u{202e}b", "nobody sees"),
            ("a\u{e0041}b", "nobody sees"),
            (&"x".repeat(401), "has 401 characters, and may have 400"),
            (&format!("the token is ghp_{}", "0123456789abcdefghijABCDEFGHIJ012345"), "looks like a secret"),
            ("log in with hunter2-and-more", "looks like a secret"),
            ("the key is [redacted: a GitHub token]", "only stands for a secret"),
        ] {
            let found = said(given).unwrap_err();
            assert!(found.contains(why), "{given:?}: {found}");
        }
    }

    #[test]
    fn a_fact_becomes_the_last_point_of_the_list() {
        for (text, expected) in [
            ("", "- x\n"),
            ("# Notes\n", "# Notes\n\n- x\n"),
            ("# Notes\n\n- a\n", "# Notes\n\n- a\n- x\n"),
            ("* a", "* a\n- x\n"),
            ("words\n", "words\n\n- x\n"),
            ("- a\r\n- b\r\n", "- a\r\n- b\r\n- x\r\n"),
        ] {
            assert_eq!(added(text, "x"), expected, "{text:?}");
        }
    }

    #[test]
    fn a_fact_is_known_however_the_list_is_marked() {
        assert!(stands_in("# Notes\n\n* tests run with make\n", "tests run with make"));
        assert!(!stands_in("- tests run with make check\n", "tests run with make"));
    }
}
