//! Hooks: programs of the user's own, or of a project, that are run when something happens in a session.

use crate::{CallId, Mode, ModelCall, lossy};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// Letters of a command that its short name holds.
const SHORT: usize = 40;

/// What hooks are run at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookEvent {
    /// A call is understood, and nobody was asked about it yet.
    PreTool,
    PostTool,
    /// The user sends a message.
    UserPrompt,
    /// The model has nothing more to do.
    TurnEnd,
    SessionStart,
    SessionEnd,
    /// The user is asked something.
    Notification,
}

impl HookEvent {
    pub const ALL: [HookEvent; 7] = [
        HookEvent::PreTool,
        HookEvent::PostTool,
        HookEvent::UserPrompt,
        HookEvent::TurnEnd,
        HookEvent::SessionStart,
        HookEvent::SessionEnd,
        HookEvent::Notification,
    ];

    /// Its name in our settings.
    pub fn name(self) -> &'static str {
        match self {
            HookEvent::PreTool => "pre_tool",
            HookEvent::PostTool => "post_tool",
            HookEvent::UserPrompt => "user_prompt",
            HookEvent::TurnEnd => "turn_end",
            HookEvent::SessionStart => "session_start",
            HookEvent::SessionEnd => "session_end",
            HookEvent::Notification => "notification",
        }
    }

    /// Its name in Claude Code, which hooks are told.
    pub fn told_name(self) -> &'static str {
        match self {
            HookEvent::PreTool => "PreToolUse",
            HookEvent::PostTool => "PostToolUse",
            HookEvent::UserPrompt => "UserPromptSubmit",
            HookEvent::TurnEnd => "Stop",
            HookEvent::SessionStart => "SessionStart",
            HookEvent::SessionEnd => "SessionEnd",
            HookEvent::Notification => "Notification",
        }
    }

    /// The one of this name, be it ours or Claude Code's.
    pub fn named(name: &str) -> Option<Self> {
        HookEvent::ALL.into_iter().find(|event| event.name() == name || event.told_name() == name)
    }

    /// Is it about a call, so that a matcher says about calls of which tools?
    pub fn is_of_calls(self) -> bool {
        matches!(self, HookEvent::PreTool | HookEvent::PostTool)
    }
}

/// Whose settings a hook stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookOrigin {
    Yours,
    Project,
}

impl HookOrigin {
    pub fn words(self) -> &'static str {
        match self {
            HookOrigin::Yours => "yours",
            HookOrigin::Project => "project",
        }
    }
}

/// A hook as the settings have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hook {
    /// What it is run at.
    pub event: HookEvent,
    /// For which tools, as it was written; none: for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matcher: Option<String>,
    /// The tools that this means, by our names for them; empty where it is about no calls.
    #[serde(skip)]
    pub tools: Vec<String>,
    /// The shell line.
    pub command: String,
    /// Seconds after which it is ended.
    pub timeout_secs: u64,
    /// It runs in the sandbox.
    pub sandbox: bool,
    pub origin: HookOrigin,
    /// Files that were approved with it, or the scripts of the user's own as they were when the session began: as long as
    /// they hold just that, it may run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<HookFile>,
    /// Why it is not run although it was in force, so that you are asked about the calls that it guards; none: it is run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<String>,
    /// Why it is not in force; none: it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off: Option<String>,
}

impl Hook {
    /// A short name: that of its script, or the beginning of its command.
    pub fn label(&self) -> String {
        let bare = |word: &str| word.trim_matches(['"', '\'']).rsplit('/').next().unwrap_or_default().to_owned();
        let is_script = |word: &&str| word.contains('/') && !word.starts_with('-') && !word.ends_with('/');
        let of_program = |word: &&str| ["/bin/", "/usr/"].iter().any(|folder| word.starts_with(folder));
        let script = self.command.split_whitespace().filter(is_script).find(|word| !of_program(word)).map(bare);
        match script.filter(|name| !name.is_empty()) {
            Some(name) => name,
            None => {
                let line = self.command.split_whitespace().collect::<Vec<_>>().join(" ");
                let start: String = line.chars().take(SHORT).collect();
                if start == line { line } else { format!("{start} …") }
            }
        }
    }
}

impl HookOrigin {
    /// Since when its files have to be what they are, in words that follow `changed`.
    pub fn since(self) -> &'static str {
        match self {
            HookOrigin::Yours => "since the session began",
            HookOrigin::Project => "since you approved it",
        }
    }
}

/// A file that a hook was approved with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookFile {
    /// Where it lies.
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// What a hook is told.
#[derive(Debug, Clone, PartialEq)]
pub struct HookInput {
    pub event: HookEvent,
    pub mode: Mode,
    /// The call it is about.
    pub call: Option<HookCall>,
    pub prompt: Option<String>,
    /// A hook kept this turn from ending once already.
    pub again: bool,
    /// What the user is asked, in words.
    pub message: Option<String>,
    /// By what a session begins, or why it ends, in Claude Code's words.
    pub cause: Option<String>,
}

impl HookInput {
    /// That this happens, and nothing about it.
    pub fn new(event: HookEvent, mode: Mode) -> Self {
        HookInput { event, mode, call: None, prompt: None, again: false, message: None, cause: None }
    }
}

/// The call that a hook is told of.
#[derive(Debug, Clone, PartialEq)]
pub struct HookCall {
    /// As the model made it.
    pub call: ModelCall,
    /// The tool that carries it out, by our name.
    pub tool: String,
    /// Files that it looks at first.
    pub paths: Vec<PathBuf>,
    /// What came of it, as the model will be told; none: it did not run yet.
    pub told: Option<String>,
    pub failed: bool,
}

/// What a hook said, as it was understood.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HookSaid {
    /// What is to become of what it was run at.
    pub decision: HookDecision,
    pub reason: String,
    /// A word for the model.
    pub context: String,
    /// Other arguments for the call.
    pub input: Option<Value>,
    /// The same as the model may read it; empty where there are none.
    pub input_told: String,
    /// The turn is to end.
    pub stop: bool,
    /// A word for the user.
    pub shown: String,
    /// What was wrong with it.
    pub fault: Option<HookFault>,
}

/// What a hook wants to become of what it was run at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HookDecision {
    /// It does not say.
    #[default]
    None,
    /// That it happens unasked, which no hook can bring about.
    Allow,
    /// That the user is asked.
    Ask,
    /// That it does not happen.
    Refuse,
}

/// What went wrong with a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookFault {
    /// Its time was up, after so many seconds.
    TimedOut(u64),
    /// It ended in a way that says nothing, in words.
    Failed(String),
    /// It was not run, for this file of it is another than when it was approved, or when the session began.
    Changed(String),
    /// It could not be run, in words.
    NotRun(String),
}

#[derive(Debug, Clone, PartialEq)]
pub struct HookRun {
    pub name: String,
    pub origin: HookOrigin,
    pub said: HookSaid,
    /// Protected files that it changed, by the names a person would use.
    pub tampered: Vec<String>,
}

/// What came of a firing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookFate {
    /// Nothing: it had nothing to say.
    Nothing,
    /// The model is told something.
    Told,
    /// The user is asked about the call, whatever else allows it.
    Asked,
    Refused,
    /// The call has other arguments now, and is judged with these.
    Rewrote,
    /// It said that the call may happen, which is not for a hook to say.
    AllowIgnored,
    WentOn,
    Stopped,
    /// It went wrong, and all goes on as if it was not there.
    Failed,
    TimedOut,
    /// It is not what it was when it was approved, or when the session began, and is not run.
    Off,
}

impl HookFate {
    /// In words; empty where there is nothing to tell.
    pub fn words(self) -> &'static str {
        match self {
            HookFate::Nothing => "",
            HookFate::Told => "told the model",
            HookFate::Asked => "wants you to be asked",
            HookFate::Refused => "refused",
            HookFate::Rewrote => "changed the call",
            HookFate::AllowIgnored => "says allow, which no hook can: you are asked as before",
            HookFate::WentOn => "the model goes on",
            HookFate::Stopped => "ended the turn",
            HookFate::Failed => "failed",
            HookFate::TimedOut => "timed out",
            HookFate::Off => "not run",
        }
    }

    /// Is it better not overlooked?
    pub fn is_warning(self) -> bool {
        match self {
            HookFate::Failed | HookFate::TimedOut | HookFate::Off => true,
            HookFate::Nothing
            | HookFate::Told
            | HookFate::Asked
            | HookFate::Refused
            | HookFate::Rewrote
            | HookFate::AllowIgnored
            | HookFate::WentOn
            | HookFate::Stopped => false,
        }
    }
}

/// One hook was run, and this came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookFiring {
    /// What it was run at.
    pub at: HookEvent,
    pub hook: String,
    pub origin: HookOrigin,
    /// The call it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallId>,
    pub fate: HookFate,
    /// The first line of what it said to that.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
}

impl HookFiring {
    /// In one line: `pre_tool · guard.sh · refused: not on main`.
    pub fn line(&self) -> String {
        let mut line = format!("{} · {}", self.at.name(), self.hook);
        match (self.fate.words(), self.words.as_str()) {
            ("", "") => {}
            ("", words) | (words, "") => line.push_str(&format!(" · {words}")),
            (fate, words) => line.push_str(&format!(" · {fate}: {words}")),
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(command: &str) -> Hook {
        Hook {
            event: HookEvent::PreTool,
            matcher: None,
            tools: Vec::new(),
            command: command.into(),
            timeout_secs: 10,
            sandbox: true,
            origin: HookOrigin::Yours,
            files: Vec::new(),
            asks: None,
            off: None,
        }
    }

    #[test]
    fn events_are_known_by_both_names() {
        for event in HookEvent::ALL {
            assert_eq!(HookEvent::named(event.name()), Some(event));
            assert_eq!(HookEvent::named(event.told_name()), Some(event));
        }
        assert_eq!(HookEvent::named("PreCompact"), None);
    }

    #[test]
    fn a_hook_is_called_by_its_script() {
        for (command, name) in [
            ("python3 .agent/hooks/guard.py --strict", "guard.py"),
            ("\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/style.sh", "style.sh"),
            ("/usr/bin/env bash hooks/a.sh", "a.sh"),
            ("jq -r .tool_input.command", "jq -r .tool_input.command"),
            ("make lint", "make lint"),
        ] {
            assert_eq!(hook(command).label(), name, "{command}");
        }
    }

    #[test]
    fn a_firing_is_one_line() {
        let firing = |fate, words: &str| HookFiring {
            at: HookEvent::PreTool,
            hook: "guard.sh".into(),
            origin: HookOrigin::Yours,
            call: None,
            fate,
            words: words.into(),
        };
        assert_eq!(firing(HookFate::Refused, "not on main").line(), "pre_tool · guard.sh · refused: not on main");
        assert_eq!(firing(HookFate::Nothing, "").line(), "pre_tool · guard.sh");
        assert_eq!(firing(HookFate::TimedOut, "").line(), "pre_tool · guard.sh · timed out");
    }
}
