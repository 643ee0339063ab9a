//! Compares a model's final answer with the facts of its turn: what changed on disk, which commands ran, how the tests ended.
//!
//! Pure, and careful: a false alarm is worse than a miss, for the model is told of it and the user reads it. Only plain
//! statements count (`statements.rs`), and only where the facts leave no doubt that they are not so.

mod asked;
mod language;
mod names;
mod other_tests;
mod prose;
mod small_talk;
mod statements;

pub(crate) use asked::{Wish, consents, new_files, renamed, renaming, wants_change};
pub(crate) use language::names_a_file;
use names::{base, is_same_file, may_be_unseen};
pub(crate) use other_tests::may_change_tests;
use prose::Answer;
pub(crate) use small_talk::is_remark;
use statements::Statement;

/// What is known of a turn when its answer is read.
#[derive(Debug, Clone)]
pub(crate) struct Facts<'a> {
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
    /// A call of this turn was refused or failed.
    pub(crate) denied: bool,
    /// What the user said in this turn.
    pub(crate) asked: &'a str,
}

/// What the answer states and the facts deny, one thing an entry, in words for person and model:
/// `it says that src/a.rs was changed, but it was not`.
pub(crate) fn unverified(answer: &str, facts: &Facts<'_>) -> Vec<String> {
    let wish = Wish::from_text(facts.asked);
    // Who asks about earlier work, or gives thanks for it, hears of earlier work, and who wants a text gets sentences that
    // somebody else says.
    if matches!(wish, Wish::Words | Wish::Nothing) {
        return Vec::new();
    }
    let answer = Answer::parse(answer);
    let mut denied: Vec<String> = Vec::new();
    for statement in statements::find_in(&answer, wish, facts.denied) {
        for words in facts.deny(&statement, &answer) {
            if !denied.contains(&words) {
                denied.push(words);
            }
        }
    }
    denied
}

impl Facts<'_> {
    fn deny(&self, statement: &Statement, answer: &Answer) -> Vec<String> {
        match statement {
            // What was taken back in the same turn is not seen on disk any more.
            Statement::Changed(_) | Statement::ChangedSomething(_) if answer.takes_back => Vec::new(),
            Statement::Changed(files) => {
                files.iter().filter(|file| !self.may_have_changed(file)).map(|file| not_changed(file)).collect()
            }
            Statement::ChangedSomething(_) if !self.nothing_happened() => Vec::new(),
            Statement::ChangedSomething(Some(file)) => vec![not_changed(file)],
            Statement::ChangedSomething(None) => vec!["it says that something was changed, but no file was".into()],
            Statement::Ran if self.commands.is_empty() => {
                vec!["it says that something was run, but no command was".into()]
            }
            Statement::Ran => Vec::new(),
            Statement::TestsPass => self.failed_tests().into_iter().collect(),
        }
    }

    /// Why the tests cannot be said to pass.
    fn failed_tests(&self) -> Option<String> {
        let unknown = self.commands.is_empty() && !self.ran_earlier && !asked::tells_of_tests(self.asked);
        if unknown {
            return Some("it says that the tests pass, but no command ran".into());
        }
        self.failed_tests.as_ref().map(|how| format!("it says that the tests pass, but the last run failed ({how})"))
    }

    fn nothing_happened(&self) -> bool {
        self.files.is_empty() && self.earlier.is_empty() && self.commands.is_empty()
    }

    /// Was it changed, or could that have escaped us? A command may change what git ignores.
    fn may_have_changed(&self, file: &str) -> bool {
        let seen = self.files.iter().chain(self.earlier).any(|changed| is_same_file(file, changed));
        let unseen = !self.commands.is_empty() && may_be_unseen(file);
        seen || unseen || self.commands.iter().any(|command| command.contains(base(file)))
    }
}

fn not_changed(file: &str) -> String {
    format!("it says that {file} was changed, but it was not")
}

#[cfg(test)]
mod tests;
