//! Decides whether an action may happen.
//!
//! Does not resolve paths and does not ask anybody; see `tools::workspace` and `turn::asking`.

use crate::{Facts, Fence, PathKind, Permit};
use agent_protocol::{Action, Changes, Mode, Rule, RuleOffer};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What a policy starts from.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The project folder, links resolved.
    pub root: PathBuf,
    /// The mode it starts in.
    pub mode: Mode,
    /// Writes inside the project need no question (headless `--allow write`).
    pub allow_write: bool,
    /// Commands started inside the project need no question (headless `--allow run`).
    pub allow_run: bool,
}

/// The rules of one session.
#[derive(Debug)]
pub struct Policy {
    setup: Setup,
    remembered: HashSet<Rule>,
}

/// What becomes of an action.
#[derive(Debug)]
pub enum Verdict {
    /// It may happen.
    Allow(Permit),
    /// The person decides.
    Ask(Held),
    /// It may not, and this is why.
    Deny(String),
}

/// An action that waits for its one answer.
#[derive(Debug)]
pub struct Held {
    action: Action,
    why: String,
    offers: Vec<RuleOffer>,
}

impl Held {
    /// What would happen.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// Why the person is asked.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// What a lasting yes could mean.
    pub fn offers(&self) -> &[RuleOffer] {
        &self.offers
    }
}

/// What a call was already allowed to look at; it need not be asked for the same look twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    paths: Vec<PathBuf>,
}

impl From<&Permit> for Looked {
    fn from(permit: &Permit) -> Self {
        match permit.action() {
            Action::Read { paths } => Looked { paths: paths.clone() },
            Action::Write { .. } | Action::Run { .. } => Looked { paths: Vec::new() },
        }
    }
}

/// The yes asked for a rule that was never offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused;

impl Policy {
    /// A policy with nothing remembered.
    pub fn new(setup: Setup) -> Self {
        Policy { setup, remembered: HashSet::new() }
    }

    /// The mode in force.
    pub fn mode(&self) -> Mode {
        self.setup.mode
    }

    /// Puts another mode in force.
    pub fn set_mode(&mut self, mode: Mode) {
        self.setup.mode = mode;
    }

    /// The verdict on a look, before anything of the call is known but where it wants to look.
    pub fn judge(&self, action: Action, facts: &Facts) -> Verdict {
        self.judge_planned(action, facts, &Looked { paths: Vec::new() })
    }

    /// The verdict on what a call plans to do, after it `looked`.
    pub fn judge_planned(&self, action: Action, facts: &Facts, looked: &Looked) -> Verdict {
        if let Some(why) = impossible(&action, facts) {
            return Verdict::Deny(why);
        }
        match self.reason_to_ask(&action, looked) {
            None => Verdict::Allow(permit(action)),
            Some(mut why) => {
                note_other_names(&action, facts, &mut why);
                let offers = self.offers(&action);
                Verdict::Ask(Held { action, why, offers })
            }
        }
    }

    /// Turns a yes into a permit. `held` is consumed: one question, one answer.
    ///
    /// # Errors
    /// [`Refused`] when `remember` is not among the offers; nothing is permitted then.
    pub fn answer(&mut self, held: Held, remember: Option<Rule>) -> Result<Permit, Refused> {
        if let Some(rule) = remember {
            if !held.offers.iter().any(|offer| offer.rule == rule) {
                return Err(Refused);
            }
            self.remembered.insert(rule);
        }
        Ok(permit(held.action))
    }

    fn reason_to_ask(&self, action: &Action, looked: &Looked) -> Option<String> {
        match action {
            Action::Read { paths } => self.reason_to_ask_look(paths, looked),
            Action::Write { changes } => self.reason_to_ask_write(changes),
            Action::Run { command, cwd, .. } => self.reason_to_ask_run(command, cwd),
        }
    }

    fn reason_to_ask_look(&self, paths: &[PathBuf], looked: &Looked) -> Option<String> {
        let known = |path: &PathBuf| self.inside(path) || looked.paths.contains(path) || self.remembers_look(path);
        let ask = !paths.iter().all(known);
        ask.then(|| "that is outside the project; to change something there would be asked again".into())
    }

    fn reason_to_ask_write(&self, changes: &Changes) -> Option<String> {
        let asked = |path: &PathBuf| !self.remembered.contains(&Rule::File { path: path.clone() });
        if changes.0.iter().any(|change| !self.inside(&change.path) && asked(&change.path)) {
            return Some("that is outside the project".into());
        }
        if self.setup.mode == Mode::Unsafe || self.setup.allow_write {
            return None;
        }
        changes.0.iter().any(|change| asked(&change.path)).then(|| "safe mode asks before every write".into())
    }

    fn reason_to_ask_run(&self, command: &str, cwd: &Path) -> Option<String> {
        if self.remembered.contains(&Rule::Command { command: command.into(), cwd: cwd.into() }) {
            return None;
        }
        if !self.inside(cwd) {
            return Some("it runs outside the project".into());
        }
        if self.setup.mode == Mode::Unsafe || self.setup.allow_run {
            return None;
        }
        Some("safe mode asks before every command".into())
    }

    fn inside(&self, path: &Path) -> bool {
        path.starts_with(&self.setup.root)
    }

    fn remembers_look(&self, path: &Path) -> bool {
        self.remembered.contains(&Rule::Look { path: path.into() })
    }

    fn offers(&self, action: &Action) -> Vec<RuleOffer> {
        let never = "don't ask again in this session";
        let offer = match action {
            Action::Read { paths } => single(paths).map(|path| RuleOffer {
                words: format!("{never} to look at {}", self.shown(path)),
                rule: Rule::Look { path: path.clone() },
            }),
            Action::Write { changes } => single(&changes.0).map(|change| RuleOffer {
                words: format!("{never} for changes to {}", self.shown(&change.path)),
                rule: Rule::File { path: change.path.clone() },
            }),
            Action::Run { command, cwd, .. } => Some(RuleOffer {
                words: format!("{never} for exactly this command in {}", self.shown(cwd)),
                rule: Rule::Command { command: command.clone(), cwd: cwd.clone() },
            }),
        };
        offer.into_iter().collect()
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

fn permit(action: Action) -> Permit {
    let fence = Fence::around(&action);
    Permit { action, fence }
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
        Action::Run { command, cwd, .. } => impossible_run(command, cwd, facts),
    }
}

fn impossible_run(command: &str, cwd: &Path, facts: &Facts) -> Option<String> {
    if command.contains('\0') {
        return Some("the command holds a NUL character, which no shell can be given".into());
    }
    (facts.kind(cwd) != Some(PathKind::Folder)).then(|| format!("{} is not a folder", cwd.display()))
}

fn note_other_names(action: &Action, facts: &Facts, why: &mut String) {
    let Action::Write { changes } = action else { return };
    for change in &changes.0 {
        if let Some(PathKind::File { names: 2.. }) = facts.kind(&change.path) {
            why.push_str("; the file has other names (hard links), which keep the old text");
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
