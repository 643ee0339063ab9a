//! A command of the user's own, which they typed themselves: it runs in their shell and outside the sandbox, as a turn of its
//! own. No model is asked; it is told with what is said next, where they wish that.

use crate::CallEffect;
use crate::context::squeeze;
use crate::conversation::Conversation;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::work::{Stage, Working};
use crate::turn::program_calls::CallOrigin;
use crate::turn::room::room;
use crate::turn::state::AfterOwn;
use crate::turn::state::Turn;
use crate::turn::user_message::start_turn;
use agent_protocol::{CallEvent, NoticeLevel, Outcome, Preview, PreviewBody, Profile, fenced};
use serde_json::json;
use std::collections::VecDeque;

/// Letters of a command that a title shows.
const MOST_LETTERS: usize = 80;

/// Runs it, where nothing else is under way.
pub(crate) fn run(phase: Phase, command: &str, told: bool, parts: &mut Parts) -> Next {
    if !phase.is_idle() || parts.turn.opening.is_some() || parts.turn.resuming.is_some() {
        let text =
            format!("{} was not run: something else is under way; stop it first, or wait", short_command(command));
        parts.out.notice(NoticeLevel::Warning, text);
        return Next::Rest(phase);
    }
    let permit = match parts.turn.policy.own_command(command) {
        Ok(permit) => permit,
        Err(why) => {
            parts.out.notice(NoticeLevel::Warning, why);
            return Next::Rest(phase);
        }
    };
    let words = format!("{}{}", if told { "!" } else { "!!" }, permit.command());
    let Parts { conversation, server, records, out, .. } = parts;
    conversation.wake_recorder(server, out);
    conversation.record(out);
    records.sayings.say(&words, conversation.messages());
    start_turn(words, parts);
    parts.turn.counts.from_outside = true;
    parts.turn.counts.own_command = Some(if told { AfterOwn::Told } else { AfterOwn::NotTold });
    let command = permit.command().to_owned();
    let call = CallOrigin::OwnCommand.proposed_call(json!({ "command": command }), &mut parts.out);
    let (id, room) = (call.id, room(&parts.turn, &parts.conversation, &parts.server));
    parts.out.emit(CallEvent::Running { call: id, preview: preview(command, &parts.conversation) });
    parts.out.carry_out(CallEffect::RunOwn { call: id, permit, room });
    let mut working = Working::new(call, VecDeque::new());
    working.stage = Stage::Running { held: None };
    Next::working(Box::new(working))
}

/// It has ended: the model is told so with what is said next.
pub(crate) fn ended(outcome: &Outcome, turn: &Turn, conversation: &mut Conversation, server: &Server) {
    if turn.counts.own_command != Some(AfterOwn::Told) {
        return;
    }
    let told = squeeze(outcome.told.clone(), conversation.room(server));
    let text = fenced("output", "a command that the user ran themselves, in their own shell", &told);
    conversation.untold.of_own_command(text);
}

fn preview(command: String, conversation: &Conversation) -> Preview {
    let body = PreviewBody::Command {
        cwd: conversation.project.clone(),
        timeout_secs: 0,
        profile: Profile::Unfenced,
        cover: None,
        files: Vec::new(),
        note: None,
        background: false,
        command: command.clone(),
    };
    Preview { title: format!("Run {} in your shell", short_command(&command)), body }
}

fn short_command(command: &str) -> String {
    let line = command.split_whitespace().collect::<Vec<_>>().join(" ");
    let start: String = line.chars().take(MOST_LETTERS).collect();
    if start == line { line } else { format!("{start} …") }
}
