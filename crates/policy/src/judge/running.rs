//! May this command run?
//!
//! Refused is what nobody means; free is what the user allowed beforehand, within its sandbox; everything else asks.

use super::command::{Invocation, JudgedCommand};
use super::places::Beyond;
use super::{Asking, Free, PLAN_MODE, Policy, Ruling, SUSPENDED, Setup};
use crate::danger::{self, Covered, Places};
use crate::shell::{self, Proof, Site};
use crate::{Facts, RuleVerdict, StandingRule};
use agent_protocol::{Cause, CommandPart, Lasts, Mode, Profile, Rule, SandboxKind};
use std::path::{Component, Path, PathBuf};

/// A command as it would be run.
#[derive(Clone, Copy)]
pub(super) struct CommandLine<'a> {
    pub(super) line: &'a str,
    pub(super) argv: &'a [String],
    pub(super) cwd: &'a Path,
    pub(super) profile: Profile,
    pub(super) background: bool,
    /// It is given something to read.
    pub(super) fed: bool,
}

struct Asks {
    why: String,
    cause: Cause,
}

impl Asks {
    /// Whatever was allowed beforehand.
    fn always(why: impl Into<String>) -> Self {
        Asks { why: why.into(), cause: Cause::Always }
    }
}

impl Policy {
    pub(super) fn judge_run(&self, asked: &CommandLine<'_>, facts: &Facts) -> Ruling {
        let CommandLine { line, argv, cwd, profile, background, fed } = *asked;
        if !argv.is_empty() && shell::spelled(argv) != line {
            return Ruling::Deny("what would be started is not what is shown".into());
        }
        let places = self.places(cwd, facts);
        if let Some(why) = danger::refusal(line, &places).or_else(|| self.refusal(line, profile)) {
            return Ruling::Deny(why);
        }
        let site = Site {
            root: &self.setup.root,
            cwd,
            trusted: self.setup.trusted,
            sandboxed: self.setup.sandbox == SandboxKind::Kernel,
            home: self.setup.home.as_deref(),
        };
        let mut reading = shell::read(line, &site, facts);
        if let Proof::Incomplete(why) = reading.proof {
            return Ruling::Deny(why);
        }
        if background && matches!(reading.proof, Proof::ReadsOnly { .. }) {
            reading.proof = Proof::No("it goes on in the background".into());
        }
        if self.setup.mode == Mode::Plan && !matches!(reading.proof, Proof::ReadsOnly { .. }) {
            return Ruling::Deny(PLAN_MODE.into());
        }
        let direct_git = argv.first().is_some_and(|name| name == "git");
        let own_env = match direct_git.then(|| shell::git_environment(cwd, profile >= Profile::Network, facts)) {
            Some(Ok(env)) => env,
            Some(Err(why)) => return Ruling::Deny(why),
            None => Vec::new(),
        };
        let beyond = match self.beyond(line, profile, &places) {
            Ok(beyond) => beyond,
            Err(why) => return Ruling::Deny(why),
        };
        let warnings = [self.run_warnings(line, &places), beyond.warnings.clone()].concat();
        let command = JudgedCommand { line, direct_git, cwd, profile, reading, warnings, fed, background, facts };
        let invocation = Some(Invocation::of(&command));
        let kept = self.kept_from(line, &places);
        match self.free_run(&command) {
            Ok(free) if free.reads_only.is_some() => Ruling::Allow(free),
            Ok(free) => {
                let repository = self.repository_of(line).filter(|_| self.may_use_repository(&command));
                // A new work tree, which unsafe mode lets be made anywhere: all else that lies outside asks.
                let new = if self.setup.mode == Mode::Unsafe { beyond.places } else { Vec::new() };
                let places = repository.map(Path::to_owned).into_iter().chain(new).collect();
                Ruling::Allow(Free { env: own_env, invocation, places, kept, ..free })
            }
            Err(asks) => {
                let asking = self.ask_run(&command, asks, beyond);
                Ruling::Ask(Asking { env: own_env, invocation, kept, ..asking })
            }
        }
    }

    /// The question about a command.
    fn ask_run(&self, command: &JudgedCommand<'_>, asks: Asks, beyond: Beyond) -> Asking {
        let Asks { why, cause } = asks;
        let why = why + &beyond.why + &self.why_only_once(command);
        let (offers, programs) = self.run_offers(command);
        let warnings = command.warnings.iter().cloned().chain(self.git_warning(command)).collect();
        let (parts, hosts) = (command.reading.parts.clone(), self.hosts_to_name(command));
        let Beyond { places, least, .. } = beyond;
        Asking { offers, warnings, parts, programs, hosts, places, least, cause, ..Asking::because(why) }
    }

    fn places<'a>(&'a self, cwd: &'a Path, facts: &'a Facts) -> Places<'a> {
        let Setup { root, home, own, guarded, .. } = &self.setup;
        Places { root, cwd, home: home.as_deref(), own, guarded, open: self.open(), facts: Some(facts) }
    }

    /// What hooks and git run and a command may not change: all but what it names to change, which it was asked about. git
    /// checks out what it finds; that a hook is another then is seen before it runs.
    fn kept_from(&self, line: &str, places: &Places<'_>) -> Vec<PathBuf> {
        if danger::calls_git(line) {
            return Vec::new();
        }
        let named = danger::guards(line, places);
        let kept = places.guarded().filter(|file| !named.contains(file));
        kept.map(|file| file.path.clone()).collect()
    }

    /// Refused by the rules of the house, whatever the command.
    fn refusal(&self, line: &str, profile: Profile) -> Option<String> {
        if self.setup.require_sandbox && self.setup.sandbox != SandboxKind::Kernel {
            return Some("sandbox.require is set and there is no sandbox here; no command can run".into());
        }
        if self.setup.require_sandbox && profile == Profile::Unfenced {
            return Some("sandbox.require is set, so no command runs without the sandbox".into());
        }
        if profile == Profile::Network
            && let Some(why) = self.no_network()
        {
            return Some(why);
        }
        let rule = self.tightened(line, RuleVerdict::Deny)?;
        Some(format!("a rule refuses commands that begin with `{}`", rule.words.join(" ")))
    }

    fn run_warnings(&self, line: &str, places: &Places<'_>) -> Vec<String> {
        let mut warnings = danger::warnings(line, places);
        if let Some(rule) = self.tightened(line, RuleVerdict::Ask) {
            warnings.push(rule_asks(rule));
        }
        if !self.is_open(places.cwd) {
            warnings.push(format!("runs outside the project: {}", places.cwd.display()));
        }
        warnings
    }

    fn tightened(&self, line: &str, verdict: RuleVerdict) -> Option<&StandingRule> {
        let mut rules = self.setup.tightened.iter().filter(|rule| rule.verdict == verdict).peekable();
        rules.peek()?;
        let parts = danger::words(line);
        rules.find(|rule| rule.words.is_empty() || parts.iter().any(|words| danger::begins_with(words, &rule.words)))
    }

    /// Leave without a question, or why one is needed.
    fn free_run(&self, command: &JudgedCommand<'_>) -> Result<Free, Asks> {
        let asked_by_rule = self.tightened(command.line, RuleVerdict::Ask).is_some();
        match (&command.reading.proof, self.allows_reading() && !asked_by_rule) {
            (Proof::ReadsOnly { line, env }, true) => {
                let (reads_only, env) = (Some(line.clone()), env.clone());
                return Ok(Free { reads_only, env, ..Free::because("it is proved to only read") });
            }
            (Proof::ReadsOnly { .. }, false) | (Proof::No(_) | Proof::Incomplete(_), _) => {}
        }
        match command.profile {
            Profile::Network => self.may_have_all_network(command)?,
            Profile::Unfenced => return Err(Asks::always("it would run without the sandbox and can do what you can")),
            Profile::ReadOnly | Profile::Project => {}
        }
        let by_flag = self.is_flagged(command);
        if self.setup.mode != Mode::Unsafe && !by_flag && danger::commits(command.line) {
            let why = format!("{} asks before every commit and push", self.setup.mode.words());
            return Err(Asks { why, cause: self.lacks_leave_to_run(command) });
        }
        let exact = Rule::Command { command: command.line.into(), cwd: command.cwd.into() };
        let changes_guard = || !danger::guards(command.line, &self.places(command.cwd, command.facts)).is_empty();
        if self.remembers(&exact) && command.is_all_said() && !changes_guard() {
            return Ok(Free::because("you allowed exactly this command"));
        }
        if !command.warnings.is_empty() {
            let named = danger::outside(command.line, &self.places(command.cwd, command.facts));
            let folders = command.warnings.iter().all(|warning| warning.starts_with("outside the project: "))
                && named.iter().all(|path| self.could_be_opened(path));
            let cause = match folders {
                true if self.suspended => Cause::Suspended,
                true => Cause::FolderNotAllowed,
                false => Cause::Always,
            };
            return Err(Asks { why: "it asks in every mode".into(), cause });
        }
        let by_mode = !self.suspended && (self.setup.mode == Mode::Unsafe || by_flag);
        let by_rule = self.lasting_rules_count() && command.is_all_said() && self.all_allowed(command);
        if self.setup.sandbox == SandboxKind::None && (by_mode || by_rule) {
            let why = "there is no sandbox on this system, so commands ask; /sandbox says why".into();
            return Err(Asks { why, cause: Cause::NoSandbox });
        }
        match () {
            () if by_mode => Ok(Free::because("the mode lets it happen")),
            () if by_rule => Ok(Free::because("a rule of yours allows it")),
            () => Err(Asks { why: self.why_asked(command), cause: self.lacks_leave_to_run(command) }),
        }
    }

    /// May it write in a repository outside the project without a question? Where commits are allowed, or the user said yes
    /// to this very command.
    fn may_use_repository(&self, command: &JudgedCommand<'_>) -> bool {
        self.setup.allow_commit || self.setup.mode == Mode::Unsafe || !self.is_flagged(command)
    }

    /// Do the flags of this start cover it? Those for commands cover no commit, nor what git may take for one; the one for
    /// commits covers what the git tools start, and a line for the shell only where that is covered itself.
    fn is_flagged(&self, command: &JudgedCommand<'_>) -> bool {
        if command.may_commit() {
            return self.setup.allow_commit && (command.direct_git || self.setup.allow_run);
        }
        self.setup.allow_run
    }

    /// Which leave is missing for what is not covered. None would help what is dangerous.
    fn lacks_leave_to_run(&self, command: &JudgedCommand<'_>) -> Cause {
        let runs = self.setup.allow_run || command.direct_git;
        match (self.lacks_leave(), command.may_commit() && !self.setup.allow_commit) {
            _ if !command.warnings.is_empty() => Cause::Always,
            (Cause::NotAllowed, true) if runs => Cause::CommitNotAllowed,
            (Cause::NotAllowed, true) => Cause::CommandAndCommitNotAllowed,
            (cause, _) => cause,
        }
    }

    /// The network as a whole, not host by host.
    fn may_have_all_network(&self, command: &JudgedCommand<'_>) -> Result<(), Asks> {
        if self.setup.by_host {
            return Err(Asks::always(
                "it would reach the network as a whole, not only hosts that you were asked about",
            ));
        }
        if self.may_have_network(&Invocation::of(command)) {
            return Ok(());
        }
        let cause = match () {
            () if self.suspended => Cause::Suspended,
            () if command.warnings.is_empty() => Cause::HostNotAllowed,
            () => Cause::Always,
        };
        Err(Asks { why: "it would reach the network".into(), cause })
    }

    /// Git runs what a hostile repository names, also for who only looks.
    fn git_warning(&self, command: &JudgedCommand<'_>) -> Option<String> {
        let runs_git = danger::words(command.line).iter().any(|words| words.first().is_some_and(|name| name == "git"));
        let findings = &command.facts.git(command.cwd)?.findings;
        let named = findings.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        (runs_git && !findings.is_empty()).then(|| format!("git obeys what this folder names: {named}"))
    }

    /// Why no lasting yes is offered where one otherwise would be.
    fn why_only_once(&self, command: &JudgedCommand<'_>) -> String {
        let discards = danger::discards(command.line).filter(|_| command.is_all_said() && command.warnings.is_empty());
        discards.map_or_else(String::new, |what| format!("; `{what}` can throw work away, so it asks each time"))
    }

    fn why_asked(&self, command: &JudgedCommand<'_>) -> String {
        if let Some(why) = self.why_not_covered(command).filter(|_| !self.suspended) {
            return why;
        }
        let allowed = self.setup.mode == Mode::Unsafe || self.setup.allow_run;
        let mode = self.setup.mode.words();
        let asks = match self.suspended && allowed {
            true => SUSPENDED.to_owned(),
            false => format!("{mode} asks before every command{}", self.suspended_words()),
        };
        match &command.reading.proof {
            Proof::ReadsOnly { .. } => format!("{asks}; this one only reads"),
            Proof::No(why) | Proof::Incomplete(why) => format!("{asks}; not proved to only read: {why}"),
        }
    }

    fn allows_reading(&self) -> bool {
        let for_good = self.setup.kept.read_only && self.lasting_rules_count();
        !self.suspended && (for_good || self.remembers(&Rule::ReadOnly { lasts: Lasts::Session }))
    }

    /// Is every part allowed by itself: proved to only read, or named by a rule?
    fn all_allowed(&self, command: &JudgedCommand<'_>) -> bool {
        let parts = &command.reading.parts;
        let ruled = |part: &CommandPart| self.is_ruled(part, command);
        let some = self.allows_reading() || parts.iter().any(ruled);
        // What could not be read has no parts.
        some && !parts.is_empty() && parts.iter().all(|part| ruled(part) || self.is_free_beside(part, command))
    }

    /// Beside what a rule allows nobody is asked about what only reads, but about other folders.
    pub(super) fn is_free_beside(&self, part: &CommandPart, command: &JudgedCommand<'_>) -> bool {
        part.why_not.is_none() && (self.allows_reading() || self.stays(part, command.cwd))
    }

    /// Does a rule name this part?
    pub(super) fn is_ruled(&self, part: &CommandPart, command: &JudgedCommand<'_>) -> bool {
        self.rule_for(&part.words, command) && !self.leads_away(&part.words, command.cwd)
    }

    /// Is what runs next in the same folder still? The project's own counts as that.
    fn stays(&self, part: &CommandPart, cwd: &Path) -> bool {
        match part.words.as_slice() {
            [cd, to] if cd == "cd" => [cwd, &self.setup.root].contains(&lexically(&cwd.join(to)).as_path()),
            [program, ..] => program != "cd",
            [] => true,
        }
    }

    /// Where a program lies that `command` calls by this name: outside the project, or in it by the path it is called by.
    pub(super) fn place_of(&self, name: &str, command: &JudgedCommand<'_>) -> Option<PathBuf> {
        if !name.contains('/') {
            return command.facts.program(name).map(Path::to_owned);
        }
        let place = lexically(&command.cwd.join(name));
        let here = |part: &CommandPart| match part.words.as_slice() {
            [cd, to] if cd == "cd" => lexically(&command.cwd.join(to)) == command.cwd,
            [program, ..] => program != "cd",
            [] => true,
        };
        (self.inside(&place) && command.reading.parts.iter().all(here)).then_some(place)
    }

    /// Does a word name a place outside the project, or secrets? A rule for words was not given for those.
    pub(super) fn leads_away(&self, words: &[String], cwd: &Path) -> bool {
        words.iter().skip(1).any(|word| {
            let attached =
                word.strip_prefix('-').and_then(|flag| flag.char_indices().nth(1).map(|(at, _)| &flag[at..]));
            let value = word.split_once('=').map(|(_, value)| value);
            [Some(word.as_str()), attached, value].into_iter().flatten().any(|name| {
                let place = lexically(&cwd.join(name));
                let names_a_place = name.starts_with('/') || name.split('/').any(|part| part == "..");
                let away = names_a_place && !self.is_open(&place) && place != Path::new("/dev/null");
                away || self.is_secret(&place)
            })
        })
    }

    fn rule_for(&self, words: &[String], command: &JudgedCommand<'_>) -> bool {
        danger::discards_words(words).is_none()
            && self.covered_by(words, command).any(|(_, covered)| covered == Covered::All)
    }

    /// The rules that allow something of this very program, or of one of its name that the project brings along to run
    /// its tests; and what becomes of these words under each.
    fn covered_by<'a>(
        &'a self,
        words: &[String],
        command: &JudgedCommand<'_>,
    ) -> impl Iterator<Item = (&'a StandingRule, Covered)> {
        let program = words.first().and_then(|name| self.place_of(name, command));
        let allow = |rule: &&StandingRule| rule.verdict == RuleVerdict::Allow && rule.program.is_some();
        self.setup.kept.rules.iter().filter(allow).filter_map(move |rule| match &program {
            None => None,
            Some(_) if rule.program == program => Some((rule, danger::covered(words, &rule.words))),
            Some(_) => Some((rule, danger::covered(&danger::by_name(words, &rule.words)?, &rule.words))),
        })
    }

    /// A rule is about a command like this one, but not with this word.
    fn why_not_covered(&self, command: &JudgedCommand<'_>) -> Option<String> {
        let not_covered = |part: &CommandPart| {
            if danger::discards_words(&part.words).is_some() || self.rule_for(&part.words, command) {
                return None;
            }
            self.covered_by(&part.words, command).find_map(|(rule, covered)| {
                let rule_for = rule.words.join(" ");
                match covered {
                    Covered::Except(word) => Some(format!("your rule for `{rule_for}` does not cover `{word}`")),
                    Covered::All | Covered::No => None,
                }
            })
        };
        command.reading.parts.iter().find_map(not_covered)
    }
}

/// A rule without words is about every command: somebody's rules could not be read.
fn rule_asks(rule: &StandingRule) -> String {
    if rule.words.is_empty() {
        return "policy.toml cannot be read, so every command asks until it is mended".into();
    }
    format!("a rule asks about commands that begin with `{}`", rule.words.join(" "))
}

/// `path` without `.` and `..`, links not followed.
pub(super) fn lexically(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut whole, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(whole.pop()),
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => whole.push(part),
        }
        whole
    })
}
