//! May this command reach that host? Asked while it runs, when it tries.
//!
//! The yes to a run may have named hosts, config or a flag may allow some, and rules for good name the words that a command
//! begins with. What none of these allows is the user's to decide, one host at a time.

use super::command::{Invocation, JudgedCommand};
use super::{Network, Policy, Refused};
use crate::danger::{self, Covered};
use crate::{StandingReach, hosts};
use agent_protocol::{Cause, CommandPart, Host, HostPattern, Mode, Rule, RuleOffer};
use std::net::IpAddr;

/// A command's wish to reach a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    pub by: Invocation,
    /// What it wants to reach.
    pub host: Host,
    /// It may have read something that is known to be secret, so no lasting yes of the user counts.
    pub sees_secrets: bool,
    /// It runs in the background, where nothing waits for an answer.
    pub background: bool,
}

/// What becomes of a wish.
#[derive(Debug)]
pub enum ReachVerdict {
    /// It may.
    Allow,
    Ask(Box<HeldReach>),
    /// It may not, and this is why.
    Deny(String),
}

/// A wish that waits for its one answer.
#[derive(Debug)]
pub struct HeldReach {
    wish: Wish,
    hosts: Vec<Host>,
    why: String,
    cause: Cause,
    offers: Vec<RuleOffer>,
    warnings: Vec<String>,
}

impl HeldReach {
    pub fn wish(&self) -> &Wish {
        &self.wish
    }

    /// What a yes lets it reach.
    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// Why the user is asked.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// What would have spared the question.
    pub fn cause(&self) -> Cause {
        self.cause
    }

    /// What a lasting yes could mean.
    pub fn offers(&self) -> &[RuleOffer] {
        &self.offers
    }

    /// What is odd about it, one line each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl Policy {
    /// The verdict on a wish of a command that runs.
    pub fn judge_reach(&self, wish: Wish) -> ReachVerdict {
        if let Some(why) = self.no_network() {
            return ReachVerdict::Deny(why);
        }
        if self.setup.disposable || self.may_reach(&wish) {
            return ReachVerdict::Allow;
        }
        if wish.background {
            let (line, host) = (shortened(&wish.by.line), &wish.host);
            return ReachVerdict::Deny(format!(
                "`{line}` runs in the background, where nobody is asked while it waits, and nothing allows {host} yet"
            ));
        }
        ReachVerdict::Ask(Box::new(self.hold_reach(wish)))
    }

    /// Turns a yes into what the command may reach from now on.
    ///
    /// # Errors
    /// [`Refused`] when `remember` is none of the offers; nothing is allowed then.
    pub fn answer_reach(&mut self, held: HeldReach, remember: Option<Rule>) -> Result<Vec<Host>, Refused> {
        if let Some(rule) = remember {
            if self.suspended || !held.offers.iter().any(|offer| offer.rule == rule) {
                return Err(Refused);
            }
            self.keep_reach(&rule, &held.wish.by);
        }
        Ok(held.hosts)
    }

    /// Why no command reaches anything, where that is so.
    pub(super) fn no_network(&self) -> Option<String> {
        if self.setup.mode == Mode::Plan {
            return Some("this is plan mode, in which no command reaches the net".into());
        }
        let denied = self.setup.network == Network::Deny && !self.setup.disposable;
        denied.then(|| "network = \"deny\" is set under [sandbox], so no command reaches the net".into())
    }

    fn may_reach(&self, wish: &Wish) -> bool {
        if wish.by.hosts.contains(&wish.host) {
            return true;
        }
        if self.suspended {
            return false;
        }
        let usual = self.setup.ports.contains(&wish.host.port);
        let named = |pattern: &HostPattern| pattern.covers(&wish.host) && (usual || pattern.port().is_some());
        let named = self.setup.hosts.iter().any(named);
        if named || usual && self.setup.network == Network::Allow {
            return true;
        }
        usual && !wish.sees_secrets && self.rules_reach(&wish.by, |rule| rule.names(&wish.host))
    }

    /// Do rules for good let every part of the command reach what `which` looks for?
    fn rules_reach(&self, by: &Invocation, which: impl Fn(&StandingReach) -> bool) -> bool {
        if !self.lasting_rules_count() {
            return false;
        }
        let rules: Vec<&StandingReach> = self.setup.kept.reaches.iter().filter(|rule| which(rule)).collect();
        let any = rules.iter().any(|rule| rule.words.is_empty());
        let covered = |part: &CommandPart| rules.iter().any(|rule| self.is_covered(part, rule, by) == Covered::All);
        any || !by.fed && by.wanting().next().is_some() && by.wanting().all(covered)
    }

    fn is_covered(&self, part: &CommandPart, rule: &StandingReach, by: &Invocation) -> Covered {
        let program = part.words.first().and_then(|name| by.programs.get(name));
        if rule.program.is_none() || rule.program.as_ref() != program {
            return Covered::No;
        }
        if self.leads_away(&part.words, &by.cwd) {
            return Covered::No;
        }
        danger::covered(&part.words, &rule.words)
    }

    /// What a command is let reach from its start: single hosts, and what stands for many. Whatever allows it something
    /// hides from it what is secret.
    pub(super) fn reaches_from_start(&self, by: &Invocation) -> (Vec<Host>, Vec<HostPattern>) {
        let mut hosts = by.hosts.clone();
        if self.suspended || self.no_network().is_some() {
            return (hosts, Vec::new());
        }
        let any = (self.setup.network == Network::Allow).then(HostPattern::any);
        let kept = self.setup.kept.reaches.iter().flat_map(|rule| &rule.hosts);
        let kept = kept.filter(|name| self.rules_reach(by, |rule| rule.hosts.contains(name)));
        let mut patterns = Vec::new();
        for pattern in any.iter().chain(&self.setup.hosts).chain(kept) {
            let ports = pattern.port().map_or(self.setup.ports.clone(), |port| vec![port]);
            for pattern in ports.into_iter().map(|port| pattern.at(port)) {
                match pattern.single() {
                    Some(host) => hosts.push(host),
                    None => patterns.push(pattern),
                }
            }
        }
        hosts.sort();
        hosts.dedup();
        patterns.sort();
        patterns.dedup();
        (hosts, patterns)
    }

    /// Where hosts cannot be told apart: may this command have the network as a whole?
    pub(super) fn may_have_network(&self, by: &Invocation) -> bool {
        let can = !self.setup.by_host && !self.suspended;
        let allowed = || self.setup.network == Network::Allow || self.rules_reach(by, |rule| rule.hosts.is_empty());
        can && self.no_network().is_none() && allowed()
    }

    /// What a yes to this run names: what its package managers need and nothing allows yet.
    pub(super) fn hosts_to_name(&self, command: &JudgedCommand<'_>) -> Vec<Host> {
        if !self.setup.by_host || command.profile != agent_protocol::Profile::Project || self.no_network().is_some() {
            return Vec::new();
        }
        let wish = |host: &Host| Wish {
            by: Invocation::of(command),
            host: host.clone(),
            sees_secrets: false,
            background: command.background,
        };
        hosts::needed(command.line).into_iter().filter(|host| !self.may_reach(&wish(host))).collect()
    }

    fn hold_reach(&self, wish: Wish) -> HeldReach {
        let by = &wish.by;
        let hosts: Vec<Host> = hosts::beside(&wish.host).into_iter().filter(|host| !by.hosts.contains(host)).collect();
        let lasts = !wish.sees_secrets && self.setup.ports.contains(&wish.host.port) && !is_address(&wish.host.name);
        let names: Option<Vec<HostPattern>> = hosts.iter().map(HostPattern::exactly).collect();
        let offers = names.filter(|_| lasts).map(|names| self.reach_offers(by, names)).unwrap_or_default();
        let why = self.why_reach_asks(&wish);
        let warnings = reach_warnings(&wish, &self.setup.ports);
        let cause = if self.suspended { Cause::Suspended } else { Cause::HostNotAllowed };
        HeldReach { hosts, why, cause, offers, warnings, wish }
    }

    fn why_reach_asks(&self, wish: &Wish) -> String {
        let except = |part: &CommandPart| {
            self.setup.kept.reaches.iter().filter(|rule| rule.names(&wish.host)).find_map(|rule| {
                match self.is_covered(part, rule, &wish.by) {
                    Covered::Except(word) => Some((rule.words.join(" "), word)),
                    Covered::All | Covered::No => None,
                }
            })
        };
        let except = wish.by.wanting().find_map(except).filter(|_| self.lasting_rules_count());
        match except {
            Some((rule, word)) => format!("your rule for `{rule}` does not cover `{word}`"),
            None if wish.sees_secrets => {
                "it may have read files whose names say that they hold secrets, so no lasting yes counts for it".into()
            }
            None => format!("nothing allows this host yet{}", self.suspended_words()),
        }
    }

    /// Lasting yeses that let `by` reach the hosts of these `names`; no names: the network as a whole.
    pub(super) fn reach_offers(&self, by: &Invocation, names: Vec<HostPattern>) -> Vec<RuleOffer> {
        if !self.lasting_rules_count() || by.fed || by.wanting().next().is_none() {
            return Vec::new();
        }
        let words: Option<Vec<Vec<String>>> = by.wanting().map(|part| self.reach_words(part, by)).collect();
        let Some(mut words) = words else { return Vec::new() };
        words.dedup();
        let named = super::single(&words).map(|words| Rule::Reach { words: words.clone(), hosts: names.clone() });
        let any = Rule::Reach { words: Vec::new(), hosts: names };
        let offer = |rule: Rule| RuleOffer { words: format!("always let {}", super::offers::spelled(&rule)), rule };
        named.into_iter().chain([any]).map(offer).collect()
    }

    /// The words that a rule for `part` would name; none for what runs whatever it is given.
    fn reach_words(&self, part: &CommandPart, by: &Invocation) -> Option<Vec<String>> {
        let known = part.words.first().is_some_and(|name| by.programs.contains_key(name));
        if !known || self.leads_away(&part.words, &by.cwd) {
            return None;
        }
        danger::offered(&part.words)
    }

    /// Keeps a rule about what commands reach, for good.
    pub(super) fn keep_reach(&mut self, rule: &Rule, by: &Invocation) {
        let Rule::Reach { words, hosts } = rule else { return };
        let standing = StandingReach {
            program: words.first().and_then(|name| by.programs.get(name)).cloned(),
            words: words.clone(),
            hosts: hosts.clone(),
            since: None,
            example: Some(by.line.clone()),
        };
        let kept = &mut self.setup.kept.reaches;
        kept.retain(|rule| rule.words != *words || rule.hosts != *hosts);
        kept.push(standing);
    }
}

impl StandingReach {
    /// Does it let commands reach this host?
    fn names(&self, host: &Host) -> bool {
        self.hosts.iter().any(|pattern| pattern.covers(host))
    }

    /// May such a rule be taken from a file? What names no words is about any command; what does, about no program that
    /// runs what it is given.
    pub fn may_hold(words: &[String], hosts: &[HostPattern]) -> bool {
        let plain = |host: &HostPattern| host.port().is_none() && !host.is_address();
        (words.is_empty() || crate::StandingRule::may_allow(words)) && hosts.iter().all(plain)
    }
}

fn is_address(name: &str) -> bool {
    name.parse::<IpAddr>().is_ok()
}

fn reach_warnings(wish: &Wish, ports: &[u16]) -> Vec<String> {
    let Host { name, port } = &wish.host;
    let mut warnings = Vec::new();
    if !ports.contains(port) {
        warnings.push(format!("an unusual port: {port}"));
    }
    if is_address(name) {
        warnings.push(format!("{name} is an address and no name; nobody knows whose it is"));
    }
    if name.split('.').any(|label| label.starts_with("xn--")) {
        warnings.push(format!("{name} is a name in other letters than it seems; look twice"));
    }
    warnings
}

fn shortened(line: &str) -> String {
    let whole = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = whole.chars().take(80).collect();
    if shown == whole { whole } else { format!("{shown} …") }
}
