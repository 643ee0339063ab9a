//! The hooks of a session: the user's own, and those of the project that they approved and that are still what they approved.
//! None is run for that.

use crate::config::Config;
use crate::guard;
use crate::session::Plan;
use agent_policy::GuardedFile;
use agent_protocol::sanitize::clean_line;
use agent_protocol::{Hook, HookEvent, HookOrigin, SandboxKind};
use agent_store::{Folder, HookPin, HookPins};
use agent_tools::{HookScript, Toolbox, hook_mark, hook_scripts, own_hook_files};
use anyhow::{Context, Result, anyhow};
use std::path::Path;

/// A hook of the project as it is now.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// With the files that its command names; off where one of them cannot be read.
    pub(crate) hook: Hook,
    /// What it is known by.
    pub(crate) mark: String,
    /// The files with their bytes.
    pub(crate) scripts: Vec<HookScript>,
    /// It asks to leave the sandbox, which only one's own can.
    pub(crate) wants_out: bool,
}

/// How it stands with a hook of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HookApproval {
    /// It is what was approved on this day.
    Holds(String),
    /// It was never approved.
    Missing,
    /// It is another than the one that was approved on this day.
    Changed(String),
}

/// The project's hooks as they are now. Reads the files that they name.
pub(crate) fn of_project(config: &Config, project: &Path) -> Vec<Found> {
    let found = config.project_hooks.iter().map(|table| {
        let mut hook = table.resolved(HookOrigin::Project);
        let (scripts, fault) = match hook_scripts(project, &hook.command) {
            Ok(scripts) => (scripts, None),
            Err(fault) => (Vec::new(), Some(fault)),
        };
        hook.files = scripts.iter().map(|script| script.file.clone()).collect();
        let mark = hook_mark(&hook);
        hook.off = fault;
        Found { hook, mark, scripts, wants_out: table.wants_out() }
    });
    found.collect()
}

impl Found {
    /// Is it the one that was approved, as it may have changed since?
    fn is_of(&self, pin: &HookPin) -> bool {
        pin.mark == self.mark || pin.event == self.hook.event.name() && pin.command == self.hook.command
    }

    /// Compares it with what was approved.
    pub(crate) fn approval(&self, pins: &[HookPin]) -> HookApproval {
        if let Some(pin) = pins.iter().find(|pin| pin.mark == self.mark) {
            return HookApproval::Holds(pin.since.clone());
        }
        match pins.iter().find(|pin| self.is_of(pin)) {
            Some(pin) => HookApproval::Changed(pin.since.clone()),
            None => HookApproval::Missing,
        }
    }
}

/// The hooks of a session, those that are off included, and what the user should know.
///
/// # Errors
/// One of the user's own cannot be used as it is written: what keeps them safe may stand in it.
pub(crate) fn of_session(plan: &Plan, sandbox: SandboxKind, tools: &Toolbox) -> Result<(Vec<Hook>, Vec<String>)> {
    let mut notices = Vec::new();
    if !plan.purpose.works() {
        return Ok((Vec::new(), notices));
    }
    let mut hooks = Vec::new();
    for table in &plan.config.hooks {
        let hook = table.resolved(HookOrigin::Yours);
        let name = hook.label();
        let wrong = |wrong: String| anyhow!("the hook {name} of your config cannot be used: {wrong}");
        let mut hook = with_tools(hook, tools).map_err(wrong)?;
        hook.files = own_hook_files(&plan.project, guard::home().as_deref(), &hook.command).scripts;
        hooks.push(hook);
    }
    // Where the project's settings cannot be read nothing of them counts.
    if plan.config.held_back.is_none() {
        let folder = Folder::at(&plan.project).context("cannot look at the project folder")?;
        let pins = HookPins::new(plan.place.clone(), &folder).load();
        let found = of_project(&plan.config, &plan.project);
        let vanished = vanished(&found, &pins, tools);
        notices.extend(vanished.iter().map(|hook| format!("the project's hook {} is not run: {GONE}", hook.label())));
        hooks.extend(vanished);
        hooks.extend(found.into_iter().map(|found| standing(found, &pins, sandbox, tools, &mut notices)));
        let missing = hooks.iter().filter(|hook| hook.off.as_deref() == Some(NOT_APPROVED)).count();
        notices.extend(not_approved(missing));
    }
    Ok((hooks, notices))
}

const GONE: &str = "you approved it, and the project's settings do not name it any more; the calls that it guarded are asked about \
                    until `agent hooks approve` or `agent hooks forget`";

/// Guards that were approved and that the project's settings do not name any more.
fn vanished(found: &[Found], pins: &[HookPin], tools: &Toolbox) -> Vec<Hook> {
    let is_there = |pin: &&HookPin| found.iter().any(|found| found.is_of(pin));
    let gone = pins.iter().filter(|pin| !is_there(pin) && pin.event == HookEvent::PreTool.name());
    let hook = |pin: &HookPin| {
        // What cannot be read by now was for all.
        let meant = tools.hook_tools(pin.matcher.as_deref()).ok().filter(|tools| !tools.is_empty());
        Hook {
            event: HookEvent::PreTool,
            matcher: pin.matcher.clone(),
            tools: meant.or_else(|| tools.hook_tools(None).ok()).unwrap_or_default(),
            command: pin.command.clone(),
            timeout_secs: 1,
            sandbox: true,
            origin: HookOrigin::Project,
            files: Vec::new(),
            asks: Some(GONE.to_owned()),
            off: None,
        }
    };
    gone.map(hook).collect()
}

/// The files that hooks in force name, which nobody changes unasked.
pub(crate) fn guarded(hooks: &[Hook], project: &Path) -> Vec<GuardedFile> {
    let home = guard::home();
    let mut all: Vec<GuardedFile> = Vec::new();
    for hook in hooks.iter().filter(|hook| hook.off.is_none()) {
        let whose = match hook.origin {
            HookOrigin::Yours => "your hook",
            HookOrigin::Project => "the project's hook",
        };
        let why = format!("is run by {whose} {}", hook.label());
        let mut files = own_hook_files(project, home.as_deref(), &hook.command).named;
        files.extend(hook.files.iter().map(|file| file.path.clone()));
        for path in files {
            if all.iter().all(|known| known.path != path) {
                all.push(GuardedFile { path, why: why.clone() });
            }
        }
    }
    all
}

const NOT_APPROVED: &str = "not approved; `agent hooks approve` shows it";

fn not_approved(count: usize) -> Option<String> {
    let which = match count {
        0 => return None,
        1 => "1 hook that is".to_owned(),
        more => format!("{more} hooks that are"),
    };
    Some(format!(
        "this project brings {which} not run before you approved them: `agent hooks approve` shows them whole"
    ))
}

/// A hook of the project. One that was approved and cannot be run as it was asks about the calls that it guards.
fn standing(found: Found, pins: &[HookPin], sandbox: SandboxKind, tools: &Toolbox, notices: &mut Vec<String>) -> Hook {
    let approval = found.approval(pins);
    let (mut hook, wants_out) = (found.hook.clone(), found.wants_out);
    let name = clean_line(&hook.label()).into_owned();
    let unusable = hook.off.take();
    let since = match &approval {
        HookApproval::Missing => {
            if let Some(why) = &unusable {
                notices.push(format!("the project's hook {name} is off: {}", clean_line(why)));
            }
            return Hook { off: Some(unusable.unwrap_or_else(|| NOT_APPROVED.to_owned())), ..hook };
        }
        HookApproval::Holds(since) | HookApproval::Changed(since) => since,
    };
    let no_sandbox = "a project's hook runs in the sandbox alone, and there is none here";
    let why = match (unusable, &approval) {
        (Some(why), _) => Some(why),
        (None, HookApproval::Changed(_)) => Some(format!("changed since you approved it on {since}")),
        (None, _) if sandbox != SandboxKind::Kernel => Some(no_sandbox.to_owned()),
        (None, HookApproval::Holds(_) | HookApproval::Missing) => None,
    };
    if let (HookApproval::Changed(_), Some(pin)) = (&approval, pins.iter().find(|pin| found.is_of(pin))) {
        // It guards what was approved, whatever it says now.
        hook.matcher.clone_from(&pin.matcher);
    }
    let hook = match with_tools(hook.clone(), tools) {
        Ok(hook) => hook,
        Err(wrong) => {
            // Which calls it is to guard is not known; that was approved with it.
            notices.push(format!("the project's hook {name} is off: {}", clean_line(&wrong)));
            return Hook { off: Some(wrong), ..hook };
        }
    };
    if sandbox == SandboxKind::Disposable && approval == HookApproval::Holds(since.clone()) {
        // The user wants no question on this machine.
        notices.push(format!("the project's hook {name} is off: {no_sandbox}"));
        return Hook { off: Some(no_sandbox.to_owned()), ..hook };
    }
    let Some(why) = why else {
        if wants_out {
            notices.push(format!(
                "the project's hook {name} runs in the sandbox: only one in your own config can leave it"
            ));
        }
        return hook;
    };
    let guards = hook.event == HookEvent::PreTool;
    let asks = if guards { ", so the calls that it guards are asked about" } else { "" };
    notices.push(format!(
        "the project's hook {name} (`{}`) is not run{asks}: {}; `agent hooks approve` shows it again",
        clean_line(&hook.command),
        clean_line(&why)
    ));
    match guards {
        true => Hook { asks: Some(why), ..hook },
        false => Hook { off: Some(why), ..hook },
    }
}

/// With the tools that its matcher means.
fn with_tools(mut hook: Hook, tools: &Toolbox) -> Result<Hook, String> {
    if hook.event.is_of_calls() {
        hook.tools = tools.hook_tools(hook.matcher.as_deref())?;
        if hook.tools.is_empty() {
            let matcher = hook.matcher.as_deref().unwrap_or_default();
            return Err(format!("its matcher {matcher:?} names no tool that there is"));
        }
    }
    Ok(hook)
}

#[cfg(test)]
mod tests;
