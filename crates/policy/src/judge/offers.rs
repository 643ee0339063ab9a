//! What a lasting yes to a command could mean, and what becomes of it once it was said.

use super::command::{Invocation, JudgedCommand};
use super::{Asking, Policy, Refused};
use crate::danger::{self, Covered};
use crate::{Kept, RuleVerdict, StandingReach, StandingRule, shell};
use agent_protocol::{CommandPart, Grant, Lasts, Mode, Profile, Rule, RuleOffer};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// More than so many offers are no choice but a list.
const MOST: usize = 4;

/// Readers that mostly stand behind a pipe, or beside what matters: nobody thinks of them as looking at something.
const FILTERS: &[&str] = &["tail", "head", "grep", "wc", "cut", "tr", "uniq", "sort", "echo", "true", "cd"];

impl Policy {
    /// The offers, and where the programs are found that they name.
    pub(super) fn run_offers(&self, command: &JudgedCommand<'_>) -> (Vec<RuleOffer>, HashMap<String, PathBuf>) {
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
        if self.lasting_rules_count() {
            let words = self.offers_of_words(command, &mut programs);
            offers.extend(words);
        }
        offers.truncate(MOST);
        (offers, programs)
    }

    /// Rules for the first words of each part, and one for all of them where that is what the command needs.
    fn offers_of_words(&self, command: &JudgedCommand<'_>, programs: &mut HashMap<String, PathBuf>) -> Vec<RuleOffer> {
        let hostile = command.facts.git(command.cwd).is_some_and(|git| !git.findings.is_empty());
        let mut rules: Vec<Rule> = Vec::new();
        let mut all_said = true;
        let allowed = |part: &&CommandPart| self.is_free_beside(part, command) || self.is_ruled(part, command);
        for part in command.reading.parts.iter().filter(|part| !allowed(part)) {
            // Readers have a rule of their own; what they ask about is what they name.
            let known = part.words.first().is_some_and(|name| shell::is_reader(name));
            // No rule holds for these words.
            let away = self.leads_away(&part.words, command.cwd);
            let barred = known || away || hostile && part.words.first().is_some_and(|name| name == "git");
            let offered = (!barred).then(|| self.words_and_program(&part.words, command)).flatten();
            let Some((words, program)) = offered else {
                all_said = false;
                continue;
            };
            programs.insert(words[0].clone(), program);
            let rule = Rule::Words { words };
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        let mut all = rules.clone();
        if !all.is_empty() && !self.setup.kept.read_only && command.reading.parts.iter().any(looks) {
            all.push(Rule::ReadOnly { lasts: Lasts::Always });
        }
        let together = (all_said && all.len() > 1).then_some(Rule::All { rules: all });
        let offer = |rule: Rule| RuleOffer { words: format!("always run {}", spelled(&rule)), rule };
        together.into_iter().chain(rules).map(offer).collect()
    }

    /// What a rule for a program with these words would name, and where that program lies.
    fn words_and_program(&self, words: &[String], command: &JudgedCommand<'_>) -> Option<(Vec<String>, PathBuf)> {
        Some((danger::offered(words)?, self.place_of(words.first()?, command)?))
    }

    /// Remembers `rule` if what was `asked` offers it, or one that is wider.
    pub(super) fn remember(&mut self, rule: Rule, asked: &Asking) -> Result<(), Refused> {
        if !asked.offers.iter().any(|offer| holds(&offer.rule, &rule, asked)) {
            return Err(Refused);
        }
        self.keep(rule, asked);
        Ok(())
    }

    fn keep(&mut self, rule: Rule, asked: &Asking) {
        match rule {
            Rule::All { rules } => rules.into_iter().for_each(|rule| self.keep(rule, asked)),
            Rule::Edits => drop(self.set_mode(Mode::AcceptEdits)),
            Rule::Words { words } => self.keep_words(words, asked),
            Rule::ReadOnly { lasts: Lasts::Always } => self.setup.kept.read_only = true,
            Rule::Reach { .. } => self.keep_reach(&rule, asked.invocation.as_ref().unwrap_or(&Invocation::default())),
            Rule::ReadOnly { lasts: Lasts::Session }
            | Rule::Command { .. }
            | Rule::File { .. }
            | Rule::Host { .. }
            | Rule::Tool { .. }
            | Rule::Look { .. } => {
                self.remembered.insert(rule);
            }
        }
    }

    fn keep_words(&mut self, words: Vec<String>, asked: &Asking) {
        let example = asked.parts.iter().map(|part| &part.words).find(|part| is_for(&words, part));
        let standing = StandingRule {
            verdict: RuleVerdict::Allow,
            program: words.first().and_then(|name| asked.programs.get(name)).cloned(),
            since: None,
            example: example.map(|part| part.join(" ")),
            words,
        };
        let kept = &mut self.setup.kept.rules;
        kept.retain(|rule| rule.words != standing.words);
        kept.push(standing);
    }
}

/// Is `rule` what was `offered`, or narrower and still about the command that was `asked` about?
fn holds(offered: &Rule, rule: &Rule, asked: &Asking) -> bool {
    match (offered, rule) {
        (Rule::Words { words: offered }, Rule::Words { words }) => {
            words.starts_with(offered) && asked.parts.iter().any(|part| is_for(words, &part.words))
        }
        _ => offered == rule,
    }
}

/// Does a rule for these words name the beginning of this `part`, harmless flags in between left out?
fn is_for(words: &[String], part: &[String]) -> bool {
    part.starts_with(words) || danger::covered(part, words) == Covered::All
}

/// What a rule means, in words that follow "always run" or stand by themselves.
pub(super) fn spelled(rule: &Rule) -> String {
    match rule {
        Rule::Command { command, cwd } => format!("exactly `{command}` in {}", cwd.display()),
        Rule::Words { words } => {
            format!(
                "commands that begin with `{}` in this project, never with more reach{}",
                words.join(" "),
                own(words)
            )
        }
        Rule::All { rules } => {
            let words = rules.iter().filter_map(words_of).collect::<Vec<_>>();
            let named = words.iter().map(|words| format!("`{}`", words.join(" "))).collect::<Vec<_>>();
            let own = words.iter().map(|words| own(words)).find(|own| !own.is_empty()).unwrap_or_default();
            let reads = rules.contains(&Rule::ReadOnly { lasts: Lasts::Always });
            let reads = if reads { "; and in every project those proved to only read" } else { "" };
            format!(
                "commands that begin with {} in this project, never with more reach{own}{reads}",
                named.join(" or ")
            )
        }
        Rule::Edits => "edits inside the project (accept-edits mode)".into(),
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
            let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
            let what = if hosts.is_empty() { "the network".to_owned() } else { hosts.join(", ") };
            format!("{which} reach {what}")
        }
        Rule::Tool { server, tool } => format!("calls of {tool} of {server}"),
        Rule::Look { path } => format!("looking at {}", path.display()),
    }
}

/// What is to be known where a program is called by its path, or may be.
fn own(words: &[String]) -> &'static str {
    let by_path = words.first().is_some_and(|program| program.contains('/'));
    match by_path {
        true => "; that program lies in the project, where it can change",
        false if danger::runs_tests(words) => "; the project's own copy of that program counts as well",
        false => "",
    }
}

/// Does a part that only reads look at something itself, and not only at what the one before it prints?
fn looks(part: &CommandPart) -> bool {
    let name = part.words.first().map_or("", String::as_str);
    part.why_not.is_none() && !FILTERS.contains(&name)
}

/// The words that a rule names.
fn words_of(rule: &Rule) -> Option<&[String]> {
    if let Rule::Words { words } = rule { Some(words) } else { None }
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
    // How long is said beside it.
    let is_reading = matches!(rule, Rule::ReadOnly { .. });
    let words = if is_reading { "commands proved to only read".into() } else { spelled(&rule) };
    Grant { words, rule, lasts, since: None, example: None }
}

/// Takes `rule` out of what is kept.
pub(super) fn revoke(kept: &mut Kept, rule: &Rule) {
    match rule {
        Rule::Words { words } => kept.rules.retain(|rule| rule.words != *words),
        Rule::Reach { words, hosts } => kept.reaches.retain(|rule| rule.words != *words || rule.hosts != *hosts),
        Rule::ReadOnly { lasts: Lasts::Always } => kept.read_only = false,
        Rule::ReadOnly { lasts: Lasts::Session } => {}
        Rule::Command { .. }
        | Rule::File { .. }
        | Rule::Host { .. }
        | Rule::Tool { .. }
        | Rule::Edits
        | Rule::Look { .. } => {}
        Rule::All { rules } => rules.iter().for_each(|rule| revoke(kept, rule)),
    }
}
