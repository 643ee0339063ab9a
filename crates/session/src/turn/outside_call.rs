//! A call that no model made: somebody outside wants one tool to do one thing. It is a turn of its own, and goes the way of
//! every call: looked at, judged, asked about, written down, and it can be taken back.
//!
//! A command that the user typed after `!` is one as well: it runs in their shell and outside the sandbox, and the model is told
//! of it with what is said next, where they wish that.
//!
//! **Invariant.** No model hears of a call from outside: nothing of it goes into the conversation, and none is asked afterwards.

use crate::CallEffect;
use crate::context::squeeze;
use crate::conversation::Conversation;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::work::{Stage, Working};
use crate::turn::program_calls::CallOrigin;
use crate::turn::state::{AfterOwn, Turn, room};
use crate::turn::user_message::start_turn;
use agent_protocol::{
    Action, CallEvent, Failure, FailureKind, ModelCall, NoticeLevel, Origin, Outcome, Preview, PreviewBody, Profile,
    SessionAct, ToolCall, Way, fenced,
};
use serde_json::{Value, json};
use std::collections::VecDeque;

/// The tool that saves what a person wants to be remembered; no model is told of it.
const MEMORY: &str = "persons_memory";

/// Letters of a name that are shown; it is somebody else's.
const MOST_LETTERS: usize = 60;

/// Carries out one call from outside. One at a time: whoever makes them waits for the end of the turn.
pub(crate) fn call(phase: Phase, name: String, arguments: Value, parts: &mut Parts) -> Next {
    let words = format!("call {}", short_name(&name));
    carry_out(phase, words, (name, arguments), parts)
}

/// Saves what the user wants to be remembered: asked about with the diff, as it is where a model wants that.
pub(crate) fn remember(phase: Phase, fact: &str, parts: &mut Parts) -> Next {
    carry_out(phase, format!("#{fact}"), (MEMORY.to_owned(), json!({ "fact": fact })), parts)
}

fn carry_out(phase: Phase, words: String, (name, arguments): (String, Value), parts: &mut Parts) -> Next {
    if !phase.is_idle() || parts.turn.opening.is_some() || parts.turn.resuming.is_some() {
        let text = format!("{} was not called: something else is under way", short_name(&name));
        parts.out.notice(NoticeLevel::Warning, text);
        return Next::Rest(phase);
    }
    let Parts { conversation, server, records, out, .. } = parts;
    conversation.wake_recorder(server, out);
    conversation.record(out);
    // It can be gone back to, and what it changes can be taken back, like anything said.
    records.sayings.say(&words, conversation.messages());
    start_turn(words, parts);
    parts.turn.counts.from_outside = true;
    let call = ModelCall { server_id: None, index: None, name, arguments };
    let origin = Origin { way: Way::Outside, ..Origin::default() };
    let call = ToolCall { id: parts.out.next_call(), call, origin };
    parts.out.emit(CallEvent::Proposed { call: call.clone() });
    Next::Work(vec![call])
}

/// Why this cannot be done for somebody outside: it is between a model and its person.
pub(crate) fn only_inside(action: &Action, turn: &Turn) -> Option<Failure> {
    let Action::Session { act } = action else { return None };
    let what = match act {
        SessionAct::Todo { .. } => "a list of what there is to do",
        SessionAct::Propose { .. } => "a plan",
        SessionAct::Inquire { .. } => "a question",
        SessionAct::Delegate { .. } => "a task for a second agent",
    };
    let message = format!("{what} belongs to a session with a model of its own; there is none here, so do without");
    turn.counts.from_outside.then(|| Failure::new(FailureKind::NotReady, message))
}

fn short_name(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MOST_LETTERS).collect()
}

/// Letters of a command that a title shows.
const TITLE_LETTERS: usize = 80;

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
    let start: String = line.chars().take(TITLE_LETTERS).collect();
    if start == line { line } else { format!("{start} …") }
}
