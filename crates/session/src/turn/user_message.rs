//! What the user says: it waits until it can go out, begins a turn, or joins the one that runs at its next step.

use crate::conversation::Conversation;
use crate::conversation::compaction::Then;
use crate::out::Out;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::loading::preload;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::hooks;
use crate::turn::phases::tries::Tries;
use crate::turn::program_calls::context_files::before_asking;
use crate::turn::program_calls::pictures;
use crate::turn::queue::{QueuedMessage, Waiting};
use crate::turn::state::Counts;
use crate::turn::state::Turn;
use crate::turn::stdin_input::with_inputs;
use crate::{Effect, Keep, Memory};
use agent_protocol::{CompactionReason, ContextEvent, Message, Mode, NoticeLevel, TurnEvent};

pub(crate) fn say(phase: Phase, saying: QueuedMessage, turn: &mut Turn, server: &mut Server, out: &mut Out) -> Next {
    if turn.keep == Keep::Everything {
        out.carry_out(Effect::Remember(Memory::Said(saying.text())));
    }
    turn.queue.push(saying);
    if phase.is_idle() && may_begin(turn, server) {
        return Next::GoOn;
    }
    show_queue(turn, out);
    if phase.is_idle() && turn.opening.is_none() {
        server.say_what_is_missing(out);
    }
    Next::Rest(phase)
}

/// Does nothing stand in the way of a turn, where none is under way?
fn may_begin(turn: &Turn, server: &Server) -> bool {
    let opened = turn.opening.is_none() && turn.resuming.is_none();
    opened && turn.hooks.starting.is_none() && server.is_ready()
}

/// Begins a turn with what is queued, if nothing stands in the way.
pub(crate) fn go_on(parts: &mut Parts) -> Next {
    if !may_begin(&parts.turn, &parts.server) || parts.turn.queue.is_empty() {
        return Next::idle();
    }
    if let Some(next) = hooks::before_prompt(&mut parts.turn, &mut parts.out) {
        return next;
    }
    match parts.turn.queue.take_all() {
        Some(waiting) => begin(waiting, parts),
        None => Next::idle(),
    }
}

/// Begins a turn with these words.
pub(crate) fn begin(waiting: Waiting, parts: &mut Parts) -> Next {
    show_queue(&mut parts.turn, &mut parts.out);
    for words in std::mem::take(&mut parts.turn.hooks.first_words) {
        parts.conversation.untold.of_hook(words);
    }
    let message = with_inputs(&waiting, &parts.conversation, &parts.server, &mut parts.out);
    take_saying(&message, parts);
    start_turn(message.content.to_string(), parts);
    // What strangers wrote asks for nothing.
    parts.turn.counts.asked = waiting.user_text();
    parts.turn.counts.expands = waiting.commands();
    pictures::show(waiting.images, &mut parts.conversation, &parts.server, &mut parts.out);
    before_asking(parts)
}

/// The same; where nothing is queued, the model is loaded while the user still types.
pub(crate) fn go_on_or_load(parts: &mut Parts) -> Next {
    let next = go_on(parts);
    if matches!(next, Next::Rest(_)) {
        preload(&parts.turn, &parts.server, &mut parts.out);
    }
    next
}

/// Takes up a turn that broke off, or begins one with what is queued.
pub(crate) fn resume(parts: &mut Parts) -> Next {
    if parts.turn.resuming.is_some() {
        return Next::idle();
    }
    let history = &mut parts.conversation.now.history;
    if history.awaits_reply() && parts.turn.queue.is_empty() {
        if history.drop_broken_tail() {
            parts.conversation.rewritten(usize::MAX, &mut parts.server);
        }
        start_turn(String::new(), parts);
        Next::Ask
    } else if parts.turn.queue.is_empty() {
        parts.out.notice(NoticeLevel::Info, "there is nothing to take up; the conversation is as it was");
        Next::idle()
    } else {
        Next::GoOn
    }
}

/// A turn begins; what is asked of the model in it comes next.
pub(crate) fn start_turn(text: String, parts: &mut Parts) {
    let Parts { turn, records, server, conversation, out, .. } = parts;
    turn.counts = Counts::new(out.next_turn());
    turn.counts.asked.clone_from(&text);
    turn.counts.tries = Tries::starting_at(records.sayings.current());
    server.tries = 0;
    conversation.begin_turn();
    records.undo_plan = None;
    server.forget_resume();
    conversation.wake_recorder(server, out);
    out.emit(TurnEvent::Started { turn: turn.counts.id, text });
}

/// The user wants the conversation shorter, now.
pub(crate) fn compact(phase: Phase, instructions: &str, parts: &mut Parts) -> Next {
    if !phase.is_idle() || parts.turn.resuming.is_some() {
        let text = "the conversation can be compacted when the turn is over; Esc ends it";
        parts.out.notice(NoticeLevel::Warning, text);
    } else if !parts.server.is_ready() {
        parts.server.say_no_model(&mut parts.out);
    } else if parts.conversation.messages().len() < 3 {
        parts.out.notice(NoticeLevel::Info, "there is nothing to make shorter yet");
    } else {
        start_turn(String::new(), parts);
        parts.conversation.tell_window(&mut parts.server, &mut parts.out);
        parts.out.emit(ContextEvent::Fitting { reason: CompactionReason::Asked });
        return Next::Summarise { instructions: instructions.to_owned(), then: Then::End };
    }
    Next::Rest(phase)
}

/// Tells the front ends what waits, where that changed.
pub(crate) fn show_queue(turn: &mut Turn, out: &mut Out) {
    if let Some(texts) = turn.queue.news() {
        out.emit(TurnEvent::Queued { texts });
    }
}

/// What waits goes back to the user.
pub(crate) fn unqueue(turn: &mut Turn, out: &mut Out) {
    let text = turn.queue.take_all().map(|waiting| waiting.text).unwrap_or_default();
    show_queue(turn, out);
    out.emit(TurnEvent::Unqueued { text });
}

/// Does anything that is queued join the running turn? Nothing where an agent works on a task, for the user speaks to the one
/// they know; and nothing that hooks have to hear first.
pub(crate) fn joins(turn: &Turn, conversation: &Conversation) -> bool {
    !turn.queue.is_empty() && !conversation.is_delegating() && !hooks::hold_words(turn)
}

/// Adds what is queued to the running turn.
pub(crate) fn steer(parts: &mut Parts) {
    if !joins(&parts.turn, &parts.conversation) {
        return;
    }
    if let Some(waiting) = parts.turn.queue.take_all() {
        show_queue(&mut parts.turn, &mut parts.out);
        let message = with_inputs(&waiting, &parts.conversation, &parts.server, &mut parts.out);
        take_saying(&message, parts);
        parts.turn.counts.progress.begin_anew();
        parts.turn.counts.attaches = Some(waiting.user_text());
        parts.turn.counts.expands.extend(waiting.commands());
        parts.out.emit(TurnEvent::Steered { text: message.content.to_string() });
        pictures::show(waiting.images, &mut parts.conversation, &parts.server, &mut parts.out);
    }
}

fn take_saying(message: &Message, parts: &mut Parts) {
    let Parts { server, conversation, records, out, turn, .. } = parts;
    if turn.policy.mode() == Mode::Plan && server.offer.plan() {
        conversation.offer_tools(server, records, out);
    }
    conversation.take_saying(message, server, records, out);
}
