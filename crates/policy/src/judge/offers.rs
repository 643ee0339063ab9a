//! What a lasting yes to a command could mean, and what becomes of it once it was said.

use super::running::Command;
use super::{Held, Invocation, Policy, Refused};
use crate::{Kept, RuleVerdict, StandingReach, StandingRule, danger, shell};
use agent_protocol::{Grant, Lasts, Profile, Rule, RuleOffer};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// More than so many offers are no choice but a list.
const MOST: usize = 4;

impl Policy {
    /// The offers, and where the programs are found that they name.
    pub(super) fn run_offers(&self, command: &Command<'_>) -> (Vec<RuleOffer>, HashMap<String, PathBuf>) {
        let mut programs = HashMap::new();
        let git = command.may_commit();
        // The run was allowed by itself; what can last is that such commands have the network.
        if command.profile == Profile::Network && !self.setup.by_host && command.warnings.is_empty() {
            return (self.reach_offers(&Invocation::of(command), Vec::new()), programs);
        }
        // What it destroys depends on what is there then.
        let once = git || danger::discards(command.line).is_some();
        if once || !command.is_all_said() || !command.warnings.is_empty() || command.profile > Profile::Project {
            return (Vec::new(), programs);
        }
        let exact = || RuleOffer {
            words: format!("don't ask again in this session for exactly this command in {}", self.shown(command.cwd)),
            rule: Rule::Command { command: command.line.into(), cwd: command.cwd.into() },
        };
        // The rule would hold for the shell too, where git obeys what the repository names.
        let mut offers = if command.direct_git { Vec::new() } else { vec![exact()] };
        if command.reads_only() && !self.suspended {
            let lasting = self.lasting_rules_count().then_some(Lasts::Always);
            offers.extend(std::iter::once(Lasts::Session).chain(lasting).map(|lasts| {
                let rule = Rule::ReadOnly { lasts };
                RuleOffer { words: format!("always run {}", spelled(&rule)), rule }
            }));
        }
        let hostile = command.facts.git(command.cwd).is_some_and(|git| !git.findings.is_empty());
        for part in command.reading.parts.iter().filter(|part| part.why_not.is_some()) {
            // Readers have a rule of their own; what they ask about is what they name.
            let known = part.words.first().is_some_and(|name| shell::is_reader(name));
            // No rule holds for these words.
            let away = self.leads_away(&part.words, command.cwd);
            if known || away || hostile && part.words.first().is_some_and(|name| name == "git") {
                continue;
            }
            let Some(name) = part.words.first() else { continue };
            let (Some(words), Some(program)) = (danger::offered(&part.words), command.facts.program(name)) else {
                continue;
            };
            let rule = Rule::Words { words };
            if !offers.iter().any(|offer| offer.rule == rule) && self.lasting_rules_count() {
                programs.insert(name.clone(), program.to_owned());
                offers.push(RuleOffer { words: format!("always run {}", spelled(&rule)), rule });
            }
        }
        offers.truncate(MOST);
        (offers, programs)
    }

    /// Remembers `rule` if `held` offers it, or one that is wider.
    pub(super) fn remember(&mut self, rule: Rule, held: &Held) -> Result<(), Refused> {
        if !held.offers.iter().any(|offer| holds(&offer.rule, &rule, held)) {
            return Err(Refused);
        }
        match &rule {
            Rule::Words { words } => {
                let standing = StandingRule {
                    verdict: RuleVerdict::Allow,
                    program: words.first().and_then(|name| held.programs.get(name)).cloned(),
                    words: words.clone(),
                    since: None,
                    example: held
                        .parts
                        .iter()
                        .map(|part| &part.words)
                        .find(|part| part.starts_with(words))
                        .map(|part| part.join(" ")),
                };
                let kept = &mut self.setup.kept.rules;
                kept.retain(|rule| rule.words != standing.words);
                kept.push(standing);
            }
            Rule::ReadOnly { lasts: Lasts::Always } => self.setup.kept.read_only = true,
            Rule::Reach { .. } => self.keep_reach(&rule, held.invocation.as_ref().unwrap_or(&Invocation::default())),
            Rule::ReadOnly { lasts: Lasts::Session }
            | Rule::Command { .. }
            | Rule::File { .. }
            | Rule::Host { .. }
            | Rule::Tool { .. }
            | Rule::Look { .. } => {
                self.remembered.insert(rule);
            }
        }
        Ok(())
    }
}

/// Is `rule` what was `offered`, or narrower and still about the command that is `held`?
fn holds(offered: &Rule, rule: &Rule, held: &Held) -> bool {
    match (offered, rule) {
        (Rule::Words { words: offered }, Rule::Words { words }) => {
            words.starts_with(offered) && held.parts.iter().any(|part| part.words.starts_with(words))
        }
        _ => offered == rule,
    }
}

/// What a rule means, in words that follow "always run" or stand by themselves.
pub(super) fn spelled(rule: &Rule) -> String {
    match rule {
        Rule::Command { command, cwd } => format!("exactly `{command}` in {}", cwd.display()),
        Rule::Words { words } => {
            format!("commands that begin with `{}` in this project, never with more reach", words.join(" "))
        }
        Rule::ReadOnly { lasts: Lasts::Session } => "commands proved to only read, in this session".into(),
        Rule::ReadOnly { lasts: Lasts::Always } => "commands proved to only read, for good".into(),
        Rule::File { path } => format!("changes to {}", path.display()),
        Rule::Host { host, plain: false } => format!("getting things from {host}"),
        Rule::Host { host, plain: true } => format!("getting things from {host}, also without encryption"),
        Rule::Reach { words, hosts } => {
            let which = match words.as_slice() {
                [] => "any command of this project".to_owned(),
                words => format!("commands that begin with `{}` in this project", words.join(" ")),
            };
            let what = if hosts.is_empty() { "the network".to_owned() } else { hosts.join(", ") };
            format!("{which} reach {what}")
        }
        Rule::Tool { server, tool } => format!("calls of {tool} of {server}"),
        Rule::Look { path } => format!("looking at {}", path.display()),
    }
}

/// The rules that hold, those of the session last.
pub(super) fn grants(kept: &Kept, remembered: &HashSet<Rule>) -> Vec<Grant> {
    let mut grants: Vec<Grant> = kept.rules.iter().map(grant).chain(kept.reaches.iter().map(reach)).collect();
    if kept.read_only {
        grants.push(plain(Rule::ReadOnly { lasts: Lasts::Always }, Lasts::Always));
    }
    let mut session: Vec<Grant> = remembered.iter().map(|rule| plain(rule.clone(), Lasts::Session)).collect();
    session.sort_by(|a, b| a.words.cmp(&b.words));
    grants.extend(session);
    grants
}

fn grant(rule: &StandingRule) -> Grant {
    let StandingRule { words, since, example, .. } = rule.clone();
    Grant { since, example, ..plain(Rule::Words { words }, Lasts::Always) }
}

fn reach(rule: &StandingReach) -> Grant {
    let StandingReach { words, hosts, since, example, .. } = rule.clone();
    Grant { since, example, ..plain(Rule::Reach { words, hosts }, Lasts::Always) }
}

fn plain(rule: Rule, lasts: Lasts) -> Grant {
    let words = match &rule {
        // How long is said beside it.
        Rule::ReadOnly { .. } => "commands proved to only read".into(),
        Rule::Command { .. }
        | Rule::Words { .. }
        | Rule::File { .. }
        | Rule::Host { .. }
        | Rule::Reach { .. }
        | Rule::Tool { .. }
        | Rule::Look { .. } => spelled(&rule),
    };
    Grant { words, rule, lasts, since: None, example: None }
}

/// Takes `rule` out of what is kept.
pub(super) fn revoke(kept: &mut Kept, rule: &Rule) {
    match rule {
        Rule::Words { words } => kept.rules.retain(|rule| rule.words != *words),
        Rule::Reach { words, hosts } => kept.reaches.retain(|rule| rule.words != *words || rule.hosts != *hosts),
        Rule::ReadOnly { lasts: Lasts::Always } => kept.read_only = false,
        Rule::ReadOnly { lasts: Lasts::Session } => {}
        Rule::Command { .. } | Rule::File { .. } | Rule::Host { .. } | Rule::Tool { .. } | Rule::Look { .. } => {}
    }
}
