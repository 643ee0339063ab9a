//! `[[hooks]]`: programs that are run when something happens in a session.

use agent_protocol::{Hook, HookEvent, HookOrigin};
use serde::Deserialize;
use std::num::NonZeroU32;

/// Seconds a hook has when nothing is said.
const USUAL: u64 = 10;

/// Seconds a hook has at most: everything waits for it.
const LONGEST: u64 = 600;

/// One of them, as written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HookTable {
    event: HookName,
    matcher: Option<String>,
    command: HookLine,
    timeout: Option<NonZeroU32>,
    sandbox: Option<bool>,
}

/// What it is run at, by our name or by Claude Code's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct HookName(HookEvent);

impl TryFrom<String> for HookName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        HookEvent::named(&name).map(HookName).ok_or_else(|| {
            let names: Vec<String> = HookEvent::ALL.iter().map(|event| format!("`{}`", event.name())).collect();
            format!("unknown event `{name}`, expected one of {}", names.join(", "))
        })
    }
}

/// A shell line that says something.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct HookLine(String);

impl TryFrom<String> for HookLine {
    type Error = &'static str;

    fn try_from(line: String) -> Result<Self, Self::Error> {
        match line.trim() {
            "" => Err("the command of a hook is empty; say what to run"),
            line if line.contains('\0') => Err("a command cannot hold a NUL character"),
            line => Ok(HookLine(line.to_owned())),
        }
    }
}

impl HookTable {
    /// As it is used; which tools its matcher means is found where these are known. Only in the user's own settings `sandbox`
    /// counts.
    pub(crate) fn resolved(&self, origin: HookOrigin) -> Hook {
        let timeout = self.timeout.map_or(USUAL, |seconds| u64::from(seconds.get()).min(LONGEST));
        Hook {
            event: self.event.0,
            matcher: self.matcher.clone().filter(|matcher| !matcher.trim().is_empty()),
            tools: Vec::new(),
            command: self.command.0.clone(),
            timeout_secs: timeout,
            sandbox: origin == HookOrigin::Project || self.sandbox != Some(false),
            origin,
            files: Vec::new(),
            asks: None,
            off: None,
        }
    }

    /// Does a project's hook ask for what only one's own can have?
    pub(crate) fn wants_out(&self) -> bool {
        self.sandbox == Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<HookTable, String> {
        toml::from_str(text).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn both_names_of_an_event_are_read_and_what_is_missing_is_usual() {
        for event in ["pre_tool", "PreToolUse"] {
            let hook = read(&format!("event = {event:?}\ncommand = \" ./guard.sh \"")).unwrap();
            let hook = hook.resolved(HookOrigin::Yours);
            assert_eq!((hook.event, hook.command.as_str()), (HookEvent::PreTool, "./guard.sh"));
            assert_eq!((hook.matcher, hook.timeout_secs, hook.sandbox), (None, 10, true));
        }
    }

    #[test]
    fn only_ones_own_hook_leaves_the_sandbox() {
        let hook = read("event = \"Stop\"\ncommand = \"x\"\nsandbox = false\ntimeout = 60").unwrap();
        assert!(!hook.resolved(HookOrigin::Yours).sandbox && hook.resolved(HookOrigin::Project).sandbox);
        assert!(hook.wants_out() && hook.resolved(HookOrigin::Yours).timeout_secs == 60);
    }

    #[test]
    fn what_cannot_be_a_hook_is_said() {
        for (bad, word) in [
            ("event = \"PreCompact\"\ncommand = \"x\"", "unknown event `PreCompact`"),
            ("event = \"pre_tool\"\ncommand = \" \"", "empty"),
            ("event = \"pre_tool\"", "missing field `command`"),
            ("event = \"pre_tool\"\ncommand = \"x\"\ntimeout = 0", "nonzero"),
            ("event = \"pre_tool\"\ncommand = \"x\"\ntimeot = 1", "unknown field `timeot`"),
        ] {
            let error = read(bad).unwrap_err();
            assert!(error.contains(word), "{bad}: {error}");
        }
    }
}
