//! The rules about commands: the built-in ones, the user's, the project's.
//!
//! Each file is read by itself, and its examples are tried, so that an error names the file and the line. Only the user's
//! own file can allow something, and only while nobody else can write to it.

use super::file::{line, located};
use super::{Faulty, held_back_words, owner, text};
use agent_policy::{Kept, RuleVerdict, StandingReach, StandingRule};
use agent_store::{Permissions, WrittenReach, WrittenReadOnly, WrittenRule, WrittenRules, WrittenVerdict};
use anyhow::{Context, Result, anyhow};
use std::path::Path;

const BUILT_IN: &str = include_str!("../../../config/policy.toml");

/// Where a rule of one's own is written.
pub(crate) const FILE: &str = "policy.toml";

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Rules {
    /// What the user allowed for good in this project.
    pub(crate) kept: Kept,
    /// What asks or is refused, whoever said so.
    pub(crate) tightened: Vec<StandingRule>,
    /// What is wrong with the project's file, which holds the session back; `None`: nothing is.
    pub(crate) held_back: Option<String>,
    /// What the user should know about their layers.
    pub(crate) notices: Vec<String>,
}

/// Where the layers are found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layers<'a> {
    pub(crate) user_folder: &'a Path,
    /// The project folder, links resolved.
    pub(crate) project: &'a Path,
    /// The user's rules for this project.
    pub(crate) permissions: &'a Permissions,
    /// What becomes of the user's file where it cannot be read; the project's holds the session back.
    pub(crate) faulty: Faulty,
}

/// Reads and merges all layers.
pub(crate) fn load(layers: &Layers<'_>) -> Result<Rules> {
    let mut rules = Rules::default();
    let built_in = parse(BUILT_IN).map_err(|error| anyhow!(error)).context("built-in config/policy.toml")?;
    rules.tighten(&built_in);
    let path = layers.user_folder.join(FILE);
    if let Some(written) = layers.take(read(&path), &mut rules)? {
        rules.tighten(&written);
        rules.take_from_person(&written, &path, layers);
    }
    let path = layers.project.join(".agent").join(FILE);
    match read(&path) {
        Ok(None) => {}
        Ok(Some(written)) => {
            rules.tighten(&written);
            rules.notices.extend(loosened(&written));
        }
        Err(error) => rules.hold_back(format!("{error:#}"), &path),
    }
    Ok(rules)
}

impl Layers<'_> {
    /// The user's rules. Those that cannot be read may be such that refuse.
    fn take(&self, layer: Result<Option<WrittenRules>>, rules: &mut Rules) -> Result<Option<WrittenRules>> {
        match (layer, self.faulty) {
            (Err(error), Faulty::Say) => {
                rules.notices.push(format!("{error:#}; nothing else starts before that is mended"));
                rules.ask_always();
                Ok(None)
            }
            (layer, Faulty::Refuse | Faulty::Say) => layer,
        }
    }
}

impl Rules {
    /// The project's file at `path` cannot be read whole. What it refuses is refused as far as that can be read; and as the
    /// rest may refuse as well, every command asks.
    fn hold_back(&mut self, fault: String, path: &Path) {
        self.notices.push(format!("{}; every command asks", held_back_words(&fault)));
        self.held_back = Some(fault);
        self.ask_always();
        let text = text(path).ok().flatten().unwrap_or_default();
        self.tightened.extend(salvaged(&text).into_iter().filter(|rule| rule.verdict != RuleVerdict::Allow));
    }

    fn ask_always(&mut self) {
        let (verdict, words) = (RuleVerdict::Ask, Vec::new());
        self.tightened.push(StandingRule { verdict, words, program: None, since: None, example: None });
    }

    fn tighten(&mut self, written: &WrittenRules) {
        let rules = written.rules.iter().map(|rule| rule.get_ref().standing());
        self.tightened.extend(rules.filter(|rule| rule.verdict != RuleVerdict::Allow));
    }

    fn take_from_person(&mut self, written: &WrittenRules, path: &Path, layers: &Layers<'_>) {
        if !owner::is_ours_alone(path) {
            self.notices.push(format!(
                "others can write to {path}, so nothing it allows was taken; look through it, then `chmod 600 {path}`",
                path = path.display()
            ));
            return;
        }
        let Kept { rules, reaches, read_only } = layers.permissions.kept(written);
        let (rules, barred): (Vec<_>, Vec<_>) =
            rules.into_iter().partition(|rule| StandingRule::may_allow(&rule.words));
        self.notices.extend(barred.iter().map(|rule| {
            format!("no rule can allow `{}`, which can run anything; that was not taken", rule.words.join(" "))
        }));
        let here = |rule: &WrittenRule| rule.project.as_deref() == Some(layers.project);
        let meant = written.rules.iter().filter(|rule| here(rule.get_ref())).count();
        let reach_here = |reach: &WrittenReach| reach.project == layers.project;
        let reach_meant = written.reaches.iter().filter(|reach| reach_here(reach.get_ref())).count();
        if meant > rules.len() + barred.len() || reach_meant > reaches.len() {
            self.notices.push(
                "some of your rules were made for another folder that had this one's name, so they do not hold here"
                    .into(),
            );
        }
        self.kept = Kept { rules, reaches, read_only };
    }
}

/// What a project's own file allows, for the user to know.
fn loosened(written: &WrittenRules) -> Option<String> {
    let rules = written.rules.iter().map(|rule| rule.get_ref()).filter(|rule| rule.verdict == WrittenVerdict::Allow);
    let mut allowed: Vec<String> = rules.map(|rule| format!("`{}`", rule.words.join(" "))).collect();
    if !written.reaches.is_empty() {
        allowed.push("commands to reach hosts".into());
    }
    if written.read_only == WrittenReadOnly::Always {
        allowed.push("commands that only read".into());
    }
    (!allowed.is_empty()).then(|| {
        format!(
            "this project's .agent/policy.toml allows {}; a project can only make things safer, so that was not taken",
            allowed.join(", ")
        )
    })
}

fn read(path: &Path) -> Result<Option<WrittenRules>> {
    let Some(text) = text(path)? else { return Ok(None) };
    parse(&text).map(Some).map_err(|error| anyhow!("{}:{error}", path.display()))
}

/// The rules of a file that cannot be read whole, as far as each can be read by itself.
fn salvaged(text: &str) -> Vec<StandingRule> {
    let Ok(mut table) = text.parse::<toml::Table>() else { return Vec::new() };
    let Some(toml::Value::Array(rules)) = table.remove("rule") else { return Vec::new() };
    let readable = rules.into_iter().filter_map(|rule| rule.try_into::<WrittenRule>().ok());
    readable.filter(|rule| check(rule).is_ok()).map(|rule| rule.standing()).collect()
}

/// Reads one file and tries its examples. The error begins with the line.
fn parse(text: &str) -> Result<WrittenRules, String> {
    let written = WrittenRules::parse(text).map_err(|error| located(text, &error))?;
    for rule in &written.rules {
        let at = line(text, rule.span().start);
        check(rule.get_ref()).map_err(|wrong| format!("{at}: {wrong}"))?;
    }
    for reach in &written.reaches {
        let at = line(text, reach.span().start);
        check_reach(reach.get_ref()).map_err(|wrong| format!("{at}: {wrong}"))?;
    }
    Ok(written)
}

fn check_reach(reach: &WrittenReach) -> Result<(), String> {
    if reach.words.is_empty() != reach.program.is_none() {
        return Err("words: a rule that names words names the program too, and one that names none does not".into());
    }
    if !StandingReach::may_hold(&reach.words, &reach.hosts) {
        let hosts: Vec<String> = reach.hosts.iter().map(ToString::to_string).collect();
        let what = format!("`{}` reach {}", reach.words.join(" "), hosts.join(", "));
        return Err(format!(
            "hosts: no rule can let {what}; give names of hosts, and words of a program that runs nothing else"
        ));
    }
    Ok(())
}

fn check(rule: &WrittenRule) -> Result<(), String> {
    if rule.words.is_empty() || rule.words.iter().any(String::is_empty) {
        return Err("words: names at least the program, and no empty word".into());
    }
    let place = [rule.project.is_some(), rule.device.is_some(), rule.inode.is_some(), rule.program.is_some()];
    match rule.verdict {
        WrittenVerdict::Allow if place != [true; 4] => {
            return Err(
                "verdict: a rule that allows names project, device, inode and program; answer a question with \
                        \"always\", and it is written for you"
                    .into(),
            );
        }
        WrittenVerdict::Ask | WrittenVerdict::Deny if place != [false; 4] => {
            return Err(
                "project: only a rule that allows is for one project; leave out project, device, inode and program"
                    .into(),
            );
        }
        WrittenVerdict::Allow | WrittenVerdict::Ask | WrittenVerdict::Deny => {}
    }
    let (standing, words) = (rule.standing(), rule.words.join(" "));
    if let Some(command) = rule.matches.iter().find(|command| !standing.is_about(command)) {
        return Err(format!("match: the rule for `{words}` is not about `{command}`"));
    }
    if let Some(command) = rule.not_match.iter().find(|command| standing.is_about(command)) {
        return Err(format!("not_match: the rule for `{words}` is about `{command}`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
