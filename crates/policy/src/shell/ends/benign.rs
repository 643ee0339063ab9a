//! Which failures of a part are no failures to a person: nothing was found, two files differ, a reader left early.

use super::cut::{PipePart, program};
use crate::lists::listed;

/// Ended because nobody reads any more.
const NOBODY_READS: i32 = 128 + 13;
/// What they say whose 1 means "no" and no more than that.
const ANSWERS: &str = "[ ack ag cmp command diff egrep expr fgrep grep hash pgrep rg test type which zgrep zdiff \
    colordiff false pidof systemctl";
/// Programs that end before they have read all.
const LEAVES_EARLY: &[&str] = &["head", "grep", "egrep", "fgrep", "rg", "sed", "awk", "less", "more", "true", ":"];
/// What is done in case it is needed, and let go of where it is not.
const LET_GO: &str = "rm rmdir mkdir kill pkill killall ls cat cd stat file find unset unalias ln touch deactivate \
    head tail wc";

/// A part of a pipe that failed.
pub(super) struct FailedPart<'a> {
    pub(super) words: &'a [String],
    pub(super) code: i32,
    pub(super) after: &'a [PipePart],
    /// What all of them said.
    pub(super) output: &'a str,
}

impl FailedPart<'_> {
    pub(super) fn is_benign(&self) -> bool {
        self.code == NOBODY_READS || answers_no(self.words, self.code) || self.lost_its_reader()
    }

    /// Some do not end by the signal, but say that nobody reads and fail.
    fn lost_its_reader(&self) -> bool {
        let early = self.after.iter().any(|part| LEAVES_EARLY.contains(&part.program()));
        let output = self.output.to_ascii_lowercase();
        early && ["broken pipe", "brokenpipe", "epipe"].iter().any(|words| output.contains(words))
    }
}

/// It says no to what it was asked.
fn answers_no(words: &[String], code: i32) -> bool {
    let program = program(words);
    let rest: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    match program {
        // It looked into nothing where nothing was found.
        "xargs" => code == 123 && rest.iter().any(|word| listed(ANSWERS, word)),
        "git" => {
            let asks = ["diff", "grep", "merge-base", "check-ignore", "show-ref", "rev-parse", "config", "ls-files"];
            code == 1 && rest.iter().any(|word| asks.contains(word))
        }
        _ => code == 1 && listed(ANSWERS, program),
    }
}

/// A look around, whose failure says something by itself: it is not there.
fn is_a_look(words: &[String], code: i32) -> bool {
    let program = program(words);
    let looks = crate::shell::is_reader(program) && program != "cd" || listed(ANSWERS, program);
    let version =
        code == 127 && words.get(1).is_some_and(|word| matches!(word.as_str(), "--version" | "-V" | "version" | "-v"));
    looks || version || answers_no(words, code)
}

/// It was said beforehand that it may fail, and it is of a kind of which that is meant.
pub(super) fn is_let_go(words: &[String], code: i32) -> bool {
    listed(LET_GO, program(words)) || is_a_look(words, code)
}
