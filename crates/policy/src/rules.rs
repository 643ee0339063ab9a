//! Rules that outlive a session: what the user allowed for good, and what anybody tightened.

use crate::danger::{self, Covered};
use agent_protocol::HostPattern;
use std::path::PathBuf;

/// A rule about commands that begin with certain words. Plain data; where it is kept and how it is written is the door's
/// and the store's business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingRule {
    pub verdict: RuleVerdict,
    /// Decoded words the command (each part of it, for Allow; any, for the others) begins with.
    pub words: Vec<String>,
    /// Where the program was found when the rule was made; another one asks again. `None`: any.
    pub program: Option<PathBuf>,
    /// The day it was made, like `2026-11-21`.
    pub since: Option<String>,
    /// The command that it was made for.
    pub example: Option<String>,
}

impl StandingRule {
    /// Is this rule about `command`, as far as its first words tell? For trying a rule on examples; what becomes of a
    /// command is for a policy to say, which also asks about flags that nobody agreed to.
    pub fn is_about(&self, command: &str) -> bool {
        let parts = danger::words(command);
        match self.verdict {
            RuleVerdict::Allow => !parts.is_empty() && parts.iter().all(|words| words.starts_with(&self.words)),
            RuleVerdict::Ask | RuleVerdict::Deny => parts.iter().any(|words| danger::begins_with(words, &self.words)),
        }
    }

    /// May a rule that allows begin with these words? Not with a program that starts others or runs code it is given,
    /// nor with less than says what a program does.
    pub fn may_allow(words: &[String]) -> bool {
        danger::prefix(words).is_some_and(|least| danger::covered(words, &least) != Covered::No)
    }
}

/// What follows from a [`StandingRule`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleVerdict {
    /// It runs without a question, in the project profile.
    Allow,
    /// It asks in every mode.
    Ask,
    Deny,
}

/// A rule about what commands that begin with certain words may reach. Plain data, like [`StandingRule`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingReach {
    /// Decoded words that each part of the command begins with, unless it is proved to only read. Empty: any command.
    pub words: Vec<String>,
    /// Where the program was found when the rule was made; another one asks again. `None` only where no words are named.
    pub program: Option<PathBuf>,
    /// Without a port. Empty: the network as a whole, where commands cannot be held to single hosts.
    pub hosts: Vec<HostPattern>,
    /// The day it was made, like `2026-11-21`.
    pub since: Option<String>,
    /// The command that it was made for.
    pub example: Option<String>,
}

/// What the user allowed for good in a project, as it is written down and read back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// Their rules for this project, in the order in which they were made.
    pub rules: Vec<StandingRule>,
    /// What commands of this project may reach, in the order in which it was allowed.
    pub reaches: Vec<StandingReach>,
    /// Commands proved to only read run without a question, in every project.
    pub read_only: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(verdict: RuleVerdict, words: &[&str]) -> StandingRule {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        StandingRule { verdict, words, program: None, since: None, example: None }
    }

    #[test]
    fn a_rule_that_tightens_is_about_a_command_when_any_part_is() {
        let rule = rule(RuleVerdict::Ask, &["git", "push"]);
        for command in ["git push", "ls; git push origin", "sudo git push", "sh -c 'git push'", "/usr/bin/git push"] {
            assert!(rule.is_about(command), "{command}");
        }
        for command in ["git pull", "git", "echo git push", "my-git push", "git 'push origin'"] {
            assert!(!rule.is_about(command), "{command}");
        }
    }

    #[test]
    fn a_rule_that_allows_is_about_a_command_when_every_part_is() {
        let rule = rule(RuleVerdict::Allow, &["cargo", "test"]);
        for command in ["cargo test", "cargo test --workspace", "cargo test && cargo test --doc"] {
            assert!(rule.is_about(command), "{command}");
        }
        for command in ["cargo test; ls", "sudo cargo test", "cargo testing", "", "./cargo test", "/tmp/cargo test"] {
            assert!(!rule.is_about(command), "{command}");
        }
    }

    #[test]
    fn no_rule_allows_what_runs_anything() {
        let may =
            |words: &[&str]| StandingRule::may_allow(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert!(may(&["cargo", "test"]) && may(&["cargo", "test", "--workspace"]) && may(&["make"]));
        assert!(
            !may(&["cargo"]) && !may(&["bash"]) && !may(&["git", "-c", "a=b"]) && !may(&["npm", "run"]) && !may(&[])
        );
    }
}
