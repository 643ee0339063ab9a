//! Finds in a model's final answer the claim of an edit or a run that did not happen.
//!
//! Pure, and careful: a false alarm is worse than a miss, for the model is told of it and the person reads it. What
//! cannot be told for certain is believed. It knows nothing of what happened beyond what [`Did`] says.

mod asked;
mod edits;
mod names;
mod prose;
mod runs;
mod tongues;

use asked::Wish;
use names::{is_same_file, may_be_unseen};
use prose::Answer;

/// What really happened.
#[derive(Debug, Clone)]
pub(crate) struct Did<'a> {
    /// Files really changed in this turn, as a person would name them.
    pub(crate) files: &'a [String],
    /// Files changed earlier in this session.
    pub(crate) earlier: &'a [String],
    /// Shell lines that ran in this turn.
    pub(crate) commands: &'a [String],
    /// How the last test run of this turn ended, in words, where it failed.
    pub(crate) failed_tests: Option<String>,
    /// A command ran earlier in this session.
    pub(crate) ran_earlier: bool,
    /// What the person said in this turn.
    pub(crate) asked: &'a str,
}

/// What an answer says was done.
#[derive(Debug, Clone, PartialEq)]
enum Claim {
    /// Exactly these files were changed.
    Files(Deed, Vec<String>),
    /// Something was changed in or around one of these files; which one, the sentence does not say for certain.
    Around(Deed, Vec<String>),
    /// Something was changed, and no file is named that must be the one.
    Something,
    /// This was run just now.
    Ran(Run),
    /// The tests pass, as whoever runs them sees.
    TestsPass,
}

/// What was done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Changed,
    Created,
    Deleted,
}

/// What was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    Tests,
    Command,
    Trial,
}

/// What the answer claims and did not happen, one thing an entry, in words for person and model:
/// `it says that src/a.rs was changed, but it was not`.
pub(crate) fn doubts(answer: &str, did: &Did<'_>) -> Vec<String> {
    let wish = Wish::of(did.asked);
    // Who asks about earlier work hears of earlier work, and who wants a text gets sentences that somebody else says.
    if wish == Wish::Words {
        return Vec::new();
    }
    let answer = Answer::read(answer);
    let mut doubts: Vec<String> = Vec::new();
    for sentence in answer.sentences.iter().filter(|sentence| !sentence.asks) {
        let mut claims = edits::claims(sentence, &answer, wish);
        claims.extend(runs::claims(sentence));
        claims.extend(tongues::claims(sentence));
        for doubt in claims.iter().flat_map(|claim| did.doubt(claim, &answer)) {
            if !doubts.contains(&doubt) {
                doubts.push(doubt);
            }
        }
    }
    doubts
}

impl Did<'_> {
    fn doubt(&self, claim: &Claim, answer: &Answer) -> Vec<String> {
        match claim {
            // What was taken back in the same turn is not seen on disk any more.
            Claim::Files(..) | Claim::Around(..) | Claim::Something if answer.takes_back => Vec::new(),
            Claim::Files(deed, files) => {
                let untrue = files.iter().filter(|file| !self.may_have_changed(file));
                untrue.map(|file| deed.denied(file)).collect()
            }
            Claim::Around(deed, files) if self.nothing_changed() && self.commands.is_empty() => {
                files.first().map(|file| deed.denied(file)).into_iter().collect()
            }
            Claim::Something if self.nothing_changed() && self.commands.is_empty() => {
                vec!["it says that something was changed, but no file was".into()]
            }
            Claim::Ran(run) if self.commands.is_empty() => vec![run.denied()],
            Claim::TestsPass if self.commands.is_empty() && !self.ran_earlier && !asked::tells_of_tests(self.asked) => {
                vec!["it says that the tests pass, but no command ran".into()]
            }
            Claim::TestsPass => {
                let failed = self.failed_tests.iter();
                failed.map(|how| format!("it says that the tests pass, but the last run failed ({how})")).collect()
            }
            Claim::Around(..) | Claim::Something | Claim::Ran(_) => Vec::new(),
        }
    }

    fn nothing_changed(&self) -> bool {
        self.files.is_empty() && self.earlier.is_empty()
    }

    /// Was it changed, or could that have escaped us? A command may change what git ignores.
    fn may_have_changed(&self, file: &str) -> bool {
        let seen = self.files.iter().chain(self.earlier).any(|changed| is_same_file(file, changed));
        let base = names::base(file);
        let unseen = !self.commands.is_empty() && may_be_unseen(file);
        seen || unseen || self.commands.iter().any(|command| command.contains(base))
    }
}

impl Deed {
    fn denied(self, file: &str) -> String {
        let done = match self {
            Deed::Changed => "changed",
            Deed::Created => "created",
            Deed::Deleted => "deleted",
        };
        format!("it says that {file} was {done}, but it was not")
    }
}

impl Run {
    fn denied(self) -> String {
        let what = match self {
            Run::Tests => "the tests were run",
            Run::Command => "a command was run",
            Run::Trial => "it was tried out",
        };
        format!("it says that {what}, but no command ran")
    }
}

#[cfg(test)]
mod tests;
