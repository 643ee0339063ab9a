//! Decides whether an action may happen. What is asked of each kind of action stands in a room of its own.
//!
//! Does not resolve paths and does not ask anybody; see `tools::workspace` and `turn::asking`.

mod command;
mod elsewhere;
mod hook;
mod looking;
mod offers;
mod own_command;
mod places;
mod reaching;
mod restoring;
mod ruling;
mod running;
mod setup;
mod writing;

use crate::names::{self, Resolved};
use crate::{Facts, Grounds, Kept, Leave, PathKind, Permit, SandboxLimits};
use agent_protocol::{
    Action, Cause, CommandPart, Grant, Host, Mode, Profile, Rule, RuleOffer, SandboxKind, SessionAct,
};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ruling::{Asking, Free, Ruling};
use running::CommandLine;

pub use command::Invocation;
pub use hook::HookPermit;
pub use own_command::OwnPermit;
pub use reaching::{HeldReach, ReachVerdict, Wish};
pub use setup::{Network, Setup};

/// Why nothing is changed in plan mode, for the model.
const PLAN_MODE: &str = "this is plan mode, in which nothing is changed; look, then end with a plan: with exit_plan_mode \
                         where you have it, else as your answer";

/// Why nothing counts that was allowed beforehand: rules, flags, the mode.
const SUSPENDED: &str = "what you allowed beforehand is suspended, for a command changed protected files";

/// The rules of one session.
#[derive(Debug)]
pub struct Policy {
    setup: Setup,
    remembered: HashSet<Rule>,
    /// A command changed protected files: nothing that was allowed beforehand counts any more.
    suspended: bool,
}

/// What becomes of an action.
#[derive(Debug)]
pub enum Verdict {
    /// It may happen.
    Allow(Permit),
    Ask(Held),
    /// It may not, and this is why.
    Deny(String),
    /// It cannot be done whoever allows it, and this is why.
    Impossible(String),
}

/// An action that waits for its one answer.
#[derive(Debug)]
pub struct Held {
    action: Action,
    asking: Asking,
}

impl Held {
    /// What would be let through, held all the same: `why` for the user.
    pub fn again(permit: Permit, why: impl Into<String>) -> Self {
        let Permit { action, fence, invocation, .. } = permit;
        let (env, hosts, least) = (fence.env().to_vec(), fence.hosts().to_vec(), fence.profile());
        let (kept, invocation) = (fence.kept().to_vec(), invocation.map(|read| *read));
        Held { action, asking: Asking { env, hosts, least, kept, invocation, ..Asking::because(why) } }
    }

    /// The same with one more thing to know.
    #[must_use]
    pub fn warned(mut self, warning: impl Into<String>) -> Self {
        self.asking.warnings.push(warning.into());
        self
    }

    pub fn action(&self) -> &Action {
        &self.action
    }

    /// Why the user is asked.
    pub fn why(&self) -> &str {
        &self.asking.why
    }

    /// What would have spared the question.
    pub fn cause(&self) -> Cause {
        self.asking.cause
    }

    /// What a lasting yes could mean.
    pub fn offers(&self) -> &[RuleOffer] {
        &self.asking.offers
    }

    /// What is dangerous about it, one line each.
    pub fn warnings(&self) -> &[String] {
        &self.asking.warnings
    }

    /// Hosts that a yes lets it reach.
    pub fn hosts(&self) -> &[Host] {
        &self.asking.hosts
    }

    /// A yes lets a command run at least so far out.
    pub fn least(&self) -> Profile {
        self.asking.least
    }

    /// A command as it was read.
    pub fn parts(&self) -> &[CommandPart] {
        &self.asking.parts
    }
}

/// What a call was already allowed to look at; it need not be asked for the same look twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    paths: Vec<PathBuf>,
    leave: Leave,
}

impl From<&Permit> for Looked {
    fn from(permit: &Permit) -> Self {
        Looked { paths: permit.action().looked_at().to_vec(), leave: permit.leave() }
    }
}

/// The yes asked for a rule that was never offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused;

impl Policy {
    /// A policy with nothing remembered.
    pub fn new(setup: Setup) -> Self {
        let mode = setup.mode;
        let mut policy = Policy { setup, remembered: HashSet::new(), suspended: false };
        policy.set_mode(mode);
        policy
    }

    pub fn mode(&self) -> Mode {
        self.setup.mode
    }

    /// Puts another mode in force, and says which it is: safe mode, where the modes that ask less are off in this session.
    pub fn set_mode(&mut self, mode: Mode) -> Mode {
        self.setup.mode = match (mode, &self.setup.held_back) {
            (Mode::AcceptEdits | Mode::Unsafe, Some(_)) => Mode::Safe,
            (Mode::Safe | Mode::AcceptEdits | Mode::Plan | Mode::Unsafe, _) => mode,
        };
        self.setup.mode
    }

    /// Why the modes that ask less and lasting rules are off in this session, where they are.
    pub fn held_back(&self) -> Option<&str> {
        self.setup.held_back.as_deref()
    }

    /// The user trusts what was found in the folder.
    pub fn trust(&mut self) {
        self.setup.trusted = true;
    }

    /// Does the user trust what was found in the folder?
    pub fn is_trusted(&self) -> bool {
        self.setup.trusted && !self.suspended
    }

    /// Is there somebody to ask, or a refusal, before a command reaches the network?
    pub fn asks_about_network(&self) -> bool {
        self.setup.network != Network::Allow && !self.setup.allow_net && !self.setup.disposable
    }

    /// Protected files were changed by a command: nothing that was allowed beforehand counts any more.
    pub fn suspend(&mut self) {
        self.suspended = true;
        self.remembered.clear();
    }

    /// The verdict on a look, before anything of the call is known but where it wants to look.
    pub fn judge(&self, action: Action, facts: &Facts) -> Verdict {
        self.judge_planned(action, facts, &Looked { paths: Vec::new(), leave: Leave::Rule })
    }

    /// The verdict on what a call plans to do, after it `looked`.
    pub fn judge_planned(&self, action: Action, facts: &Facts, looked: &Looked) -> Verdict {
        if let Some(why) = impossible(&action, facts) {
            return Verdict::Impossible(why);
        }
        self.thrown_away(self.judge_kind(action, facts, looked))
    }

    fn judge_kind(&self, action: Action, facts: &Facts, looked: &Looked) -> Verdict {
        let ruling = match &action {
            Action::Read { paths } => self.judge_look(paths, facts, looked),
            Action::Write { changes } => self.judge_write(changes, facts),
            Action::Restore { files } => self.judge_restore(files),
            Action::Run { command, argv, cwd, profile, background, input, timeout_secs: _ } => {
                let (profile, background, fed) = (*profile, *background, input.is_some());
                self.judge_run(&CommandLine { line: command, argv, cwd, profile, background, fed }, facts)
            }
            Action::Fetch { url, sends } => self.judge_fetch(url, sends),
            Action::Call { server, tool, arguments: _ } => self.judge_call(server, tool),
            Action::Session { act } => match act {
                SessionAct::Todo { .. } => Ruling::Allow(Free::because("nothing changes but the list")),
                SessionAct::Delegate { .. } => {
                    Ruling::Allow(Free::because("all that is done for it is judged for itself"))
                }
                SessionAct::Propose { .. } => Ruling::Ask(Asking::for_you("you decide on plans")),
                SessionAct::Inquire { .. } => Ruling::Ask(Asking::for_you("the model asks you")),
            },
        };
        match ruling {
            Ruling::Allow(free) => Verdict::Allow(self.permit(action, free)),
            Ruling::Ask(asking) => Verdict::Ask(Held { action, asking }),
            Ruling::Deny(why) => Verdict::Deny(why),
        }
    }

    /// Turns a yes into a permit. `held` is consumed: one question, one answer.
    ///
    /// # Errors
    /// [`Refused`] when `remember` is neither among the offers nor narrower; nothing is permitted then.
    pub fn answer(&mut self, held: Held, remember: Option<Rule>) -> Result<Permit, Refused> {
        if let Some(rule) = remember {
            self.remember(rule, &held.asking)?;
        }
        Ok(self.let_go(held, Free { leave: Leave::Person, ..Free::because("you said yes") }))
    }

    /// What is held may happen, as it was asked about.
    fn let_go(&self, held: Held, free: Free) -> Permit {
        let Held { action, asking: Asking { env, least, places, kept, hosts, invocation, .. } } = held;
        let invocation = invocation.map(|read| read.with(hosts));
        self.permit(action, Free { env, least, places, kept, invocation, ..free })
    }

    /// On a machine that may be thrown away nothing is asked that a person could allow, but what is for them alone: the
    /// model's own questions, and what later sessions are told.
    fn thrown_away(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Ask(held) if self.setup.disposable && held.cause() != Cause::Never => {
                Verdict::Allow(self.let_go(held, Free::because("this machine may be thrown away")))
            }
            Verdict::Allow(_) | Verdict::Ask(_) | Verdict::Deny(_) | Verdict::Impossible(_) => verdict,
        }
    }

    /// The rules that hold, those of this session last.
    pub fn grants(&self) -> Vec<Grant> {
        offers::grants(&self.setup.kept, &self.remembered)
    }

    /// What is to be kept for good.
    pub fn kept(&self) -> Kept {
        self.setup.kept.clone()
    }

    /// Takes `rule` back; one that does not hold is none the less taken back.
    pub fn revoke(&mut self, rule: &Rule) {
        match rule {
            Rule::All { rules } => rules.iter().for_each(|rule| self.revoke(rule)),
            Rule::Edits if self.mode() == Mode::AcceptEdits => drop(self.set_mode(Mode::Safe)),
            Rule::Edits => {}
            Rule::Command { .. }
            | Rule::Words { .. }
            | Rule::ReadOnly { .. }
            | Rule::File { .. }
            | Rule::Host { .. }
            | Rule::Reach { .. }
            | Rule::Tool { .. }
            | Rule::Look { .. } => {
                self.remembered.remove(rule);
                offers::revoke(&mut self.setup.kept, rule);
            }
        }
    }

    fn permit(&self, action: Action, free: Free) -> Permit {
        let Setup { root, writable, ports, .. } = &self.setup;
        let grounds = Grounds { root: root.clone(), writable: writable.clone(), ports: ports.clone() };
        let fence = SandboxLimits::around(&action, &grounds);
        let Free { because, leave, reads_only: line, env, least, places, kept, invocation } = free;
        let fence = fence.keeping(kept);
        let fence = self.reached(fence, least, &places, invocation.as_ref()).with(env);
        let fence = if line.is_some() { fence.narrowed() } else { fence };
        Permit {
            action,
            fence: fence.on(self.setup.sandbox),
            line,
            leave,
            because,
            invocation: invocation.map(Box::new),
        }
    }

    /// The sandbox with all that was allowed to what runs in it.
    fn reached(
        &self,
        fence: SandboxLimits,
        least: Profile,
        places: &[PathBuf],
        by: Option<&Invocation>,
    ) -> SandboxLimits {
        let Some(by) = by else { return fence.at_least(least) };
        let (hosts, patterns) = if self.setup.by_host { self.reaches_from_start(by) } else { Default::default() };
        let held_in = self.setup.sandbox == SandboxKind::Kernel && fence.profile() == Profile::Project;
        let network = held_in && self.may_have_network(by);
        let least = if network { least.max(Profile::Network) } else { least };
        fence.reaching(hosts, patterns, places).at_least(least)
    }

    fn inside(&self, path: &Path) -> bool {
        path.starts_with(&self.setup.root)
    }

    /// The user's home; one that is no whole path is nobody's.
    fn home(&self) -> Option<Resolved<'_>> {
        self.setup.home.as_deref().and_then(Resolved::new)
    }

    /// Does the name of `path` say that it holds secrets? Of what nobody can place that is to be feared.
    fn is_secret(&self, path: &Path) -> bool {
        Resolved::new(path).is_none_or(|path| names::is_secret(path, self.home()))
    }

    /// Is it our own config or state, or lies in it?
    fn own(&self, path: &Path) -> bool {
        self.setup.own.iter().any(|own| path.starts_with(own))
    }

    /// Is it of our own what a model may look at? What lies in the project counts once that is trusted.
    fn readable(&self, path: &Path) -> bool {
        let counts = |folder: &Path| self.setup.trusted || !self.inside(folder);
        self.is_memory_file(path) || self.setup.readable.iter().any(|folder| path.starts_with(folder) && counts(folder))
    }

    /// Is it a file of what is remembered for later sessions?
    fn is_memory_file(&self, path: &Path) -> bool {
        self.setup.memories.iter().any(|memory| path == memory)
    }

    /// What a question says besides where something that was allowed would have counted.
    fn suspended_words(&self) -> String {
        match () {
            () if self.suspended => format!("; {SUSPENDED}"),
            () if self.setup.held_back.is_some() => "; your rules are off in this session".to_owned(),
            () => String::new(),
        }
    }

    /// Why something asks that can be allowed beforehand, and is not.
    fn lacks_leave(&self) -> Cause {
        if self.suspended { Cause::Suspended } else { Cause::NotAllowed }
    }

    /// Do rules that outlive a session count in this one?
    fn lasting_rules_count(&self) -> bool {
        !self.suspended && self.setup.held_back.is_none()
    }

    fn remembers(&self, rule: &Rule) -> bool {
        self.remembered.contains(rule)
    }

    /// A path as a person would name it.
    fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.setup.root) {
            Ok(inside) if inside.as_os_str().is_empty() => "the project folder".into(),
            Ok(inside) => inside.display().to_string(),
            Err(_) => path.display().to_string(),
        }
    }
}

/// What cannot be done whoever allows it.
fn impossible(action: &Action, facts: &Facts) -> Option<String> {
    let special = |path: &Path| match facts.kind(path) {
        Some(PathKind::Special) => Some(format!("{} is a pipe, socket or device, not a file", path.display())),
        Some(_) => None,
        None => Some(format!("it is not known what {} is", path.display())),
    };
    match action {
        Action::Read { paths } => paths.iter().find_map(|path| special(path)),
        Action::Write { changes } => changes.0.iter().find_map(|change| match facts.kind(&change.path) {
            Some(PathKind::Folder) => Some(format!("{} is a folder", change.path.display())),
            _ => special(&change.path),
        }),
        // It is looked at, one by one, when it is brought back.
        Action::Restore { .. } | Action::Session { .. } | Action::Fetch { .. } | Action::Call { .. } => None,
        Action::Run { cwd, .. } => {
            (facts.kind(cwd) != Some(PathKind::Folder)).then(|| format!("{} is not a folder", cwd.display()))
        }
    }
}

fn single<T>(items: &[T]) -> Option<&T> {
    match items {
        [one] => Some(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
