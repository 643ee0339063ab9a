//! The hooks of a session: the user's own, and those of the project that they approved and that are still what they approved.
//! None is run for that.

use crate::config::Config;
use crate::session::Plan;
use agent_protocol::{Hook, HookOrigin, SandboxKind};
use agent_store::{Folder, HookPin, HookPins};
use agent_tools::{HookScript, Toolbox, hook_mark, hook_scripts};
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
    /// Compares it with what was approved.
    pub(crate) fn approval(&self, pins: &[HookPin]) -> HookApproval {
        if let Some(pin) = pins.iter().find(|pin| pin.mark == self.mark) {
            return HookApproval::Holds(pin.since.clone());
        }
        let same = |pin: &&HookPin| pin.event == self.hook.event.name() && pin.command == self.hook.command;
        match pins.iter().find(same) {
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
        hooks.push(with_tools(hook, tools).map_err(wrong)?);
    }
    // Where the project's settings cannot be read nothing of them counts.
    if plan.config.held_back.is_none() && !plan.config.project_hooks.is_empty() {
        let folder = Folder::at(&plan.project).context("cannot look at the project folder")?;
        let pins = HookPins::new(plan.place.clone(), &folder).load();
        let found = of_project(&plan.config, &plan.project).into_iter();
        hooks.extend(found.map(|found| standing(found, &pins, sandbox, tools, &mut notices)));
        let missing = hooks.iter().filter(|hook| hook.off.as_deref() == Some(NOT_APPROVED)).count();
        notices.extend(not_approved(missing));
    }
    Ok((hooks, notices))
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

/// A hook of the project, off where it is not what was approved, or cannot run here.
fn standing(found: Found, pins: &[HookPin], sandbox: SandboxKind, tools: &Toolbox, notices: &mut Vec<String>) -> Hook {
    let approval = found.approval(pins);
    let Found { hook, wants_out, .. } = found;
    let off = |hook: &Hook, why: String| Hook { off: Some(why), ..hook.clone() };
    let name = hook.label();
    match approval {
        _ if hook.off.is_some() => {
            let why = hook.off.clone().unwrap_or_default();
            notices.push(format!("the project's hook {name} is off: {why}"));
            return hook;
        }
        HookApproval::Missing => return off(&hook, NOT_APPROVED.to_owned()),
        HookApproval::Changed(since) => {
            notices.push(format!(
                "the project's hook {name} (`{}`) is off: it or a file that it names changed since you approved it on {since}; \
                 `agent hooks approve` looks at it again",
                hook.command
            ));
            return off(&hook, format!("changed since you approved it on {since}; `agent hooks approve` looks again"));
        }
        HookApproval::Holds(_) => {}
    }
    if sandbox != SandboxKind::Kernel {
        let why = "a project's hook runs in the sandbox alone, and there is none here";
        notices.push(format!("the project's hook {name} is off: {why}"));
        return off(&hook, why.to_owned());
    }
    if wants_out {
        notices
            .push(format!("the project's hook {name} runs in the sandbox: only one in your own config can leave it"));
    }
    match with_tools(hook.clone(), tools) {
        Ok(hook) => hook,
        Err(wrong) => {
            notices.push(format!("the project's hook {name} is off: {wrong}"));
            off(&hook, wrong)
        }
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
