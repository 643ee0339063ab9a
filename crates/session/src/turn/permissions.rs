//! The mode, and the rules that hold: listing them, taking one back, and trying what they would make of a command.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::turn::state::Turn;
use crate::{CallEffect, Effect, Memory};
use agent_policy::{Facts, Verdict};
use agent_protocol::{Action, CallEvent, Lasts, ListEvent, Mode, NoticeLevel, Profile, Rule, TriedVerdict};

/// Seconds for a command that is only tried; it never runs.
const NO_TIME: u64 = 1;

pub(crate) fn list_permissions(turn: &Turn, out: &mut Out) {
    let grants = turn.policy.grants();
    out.emit(ListEvent::Permissions { grants });
}

pub(crate) fn revoke(rule: &Rule, turn: &mut Turn, out: &mut Out) {
    turn.policy.revoke(rule);
    keep_permissions(turn, out);
    list_permissions(turn, out);
}

/// Has the rules that are to last written down.
pub(crate) fn keep_permissions(turn: &Turn, out: &mut Out) {
    let kept = turn.policy.kept();
    out.carry_out(Effect::Remember(Memory::Permissions(kept)));
}

/// Is it written down beyond the session?
pub(crate) fn lasts_for_good(rule: &Rule) -> bool {
    match rule {
        Rule::Words { .. } | Rule::Reach { .. } | Rule::ReadOnly { lasts: Lasts::Always } => true,
        Rule::ReadOnly { lasts: Lasts::Session }
        | Rule::Command { .. }
        | Rule::File { .. }
        | Rule::Look { .. }
        | Rule::Host { .. }
        | Rule::Edits
        | Rule::Tool { .. } => false,
        Rule::All { rules } => rules.iter().any(lasts_for_good),
    }
}

/// The user wants another mode.
pub(crate) fn set_mode(wanted: Mode, asking: bool, turn: &mut Turn, conversation: &mut Conversation, out: &mut Out) {
    if asking {
        let text = "answer the question first; the mode is as it was";
        return out.notice(NoticeLevel::Warning, text);
    }
    let mode = turn.policy.set_mode(wanted);
    if mode != wanted {
        let why = turn.policy.held_back().unwrap_or_default();
        out.notice(NoticeLevel::Warning, format!("{} is off in this session: {why}", wanted.words()));
    }
    conversation.untold.plan_mode(mode == Mode::Plan);
    out.emit(CallEvent::ModeChanged { mode });
}

/// Tells which mode is in force, where that is another than `before`.
pub(crate) fn tell_mode_since(before: Mode, turn: &Turn, out: &mut Out) {
    let mode = turn.policy.mode();
    if mode != before {
        out.emit(CallEvent::ModeChanged { mode });
    }
}

/// Judges a command that nobody means to run.
pub(crate) fn try_command(command: String, conversation: &Conversation, out: &mut Out) {
    let (cwd, profile) = (conversation.project.clone(), Profile::Project);
    out.carry_out(CallEffect::Try {
        action: Action::Run {
            command,
            argv: Vec::new(),
            cwd,
            timeout_secs: NO_TIME,
            profile,
            background: false,
            input: None,
        },
    });
}

pub(crate) fn tried(action: Action, facts: &Facts, turn: &Turn, out: &mut Out) {
    let Action::Run { command, .. } = &action else { return };
    let command = command.clone();
    let (verdict, why) = match turn.policy.judge(action, facts) {
        Verdict::Allow(permit) => (TriedVerdict::Runs, permit.because().to_owned()),
        Verdict::Ask(held) => (TriedVerdict::Asks, held.why().to_owned()),
        Verdict::Deny(why) | Verdict::Impossible(why) => (TriedVerdict::Refused, why),
    };
    out.emit(CallEvent::Tried { command, verdict, why });
}
