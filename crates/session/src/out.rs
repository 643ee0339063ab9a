//! What leaves the machine: effects in order, numbers that are given out, and what the front ends hear, which is noted for
//! the journal on its way. Decides nothing.

use crate::Effect;
use crate::records::recorder::Recorder;
use agent_protocol::{
    AskId, CallEvent, CallId, ContextEvent, Event, NoticeLevel, ReplyId, SessionEvent, TurnEvent, TurnId,
};

/// Collects what one step brings about.
#[derive(Debug, Default)]
pub(crate) struct Out {
    effects: Vec<Effect>,
    ids: Ids,
    pub(crate) recorder: Recorder,
    /// The task of an agent that works just now: what happens meanwhile is told as part of it.
    pub(crate) task: Option<Task>,
}

/// The task that an agent works on, as far as the front ends hear of it.
#[derive(Debug)]
pub(crate) struct Task {
    /// The call that gave it.
    pub(crate) call: CallId,
    /// The agent's kind, as a person knows it.
    pub(crate) agent: String,
    /// Calls that were made for it so far.
    pub(crate) calls: u64,
    /// What happens just now is a wish of a front end, and none of the agent's doing.
    pub(crate) wished: bool,
}

/// The numbers that were given out last.
#[derive(Debug, Default)]
struct Ids {
    turn: u64,
    reply: u64,
    call: u64,
    ask: u64,
}

impl Out {
    pub(crate) fn emit(&mut self, event: impl Into<Event>) {
        let event = self.as_of_task(event.into());
        self.recorder.note(&event);
        self.effects.push(Effect::Emit(event));
    }

    pub(crate) fn emit_all(&mut self, events: Vec<Event>) {
        events.into_iter().for_each(|event| self.emit(event));
    }

    pub(crate) fn carry_out(&mut self, effect: impl Into<Effect>) {
        self.effects.push(effect.into());
    }

    pub(crate) fn notice(&mut self, level: NoticeLevel, text: impl Into<String>) {
        self.emit(SessionEvent::Notice { level, text: text.into() });
    }

    /// All that this step brought about. What it adds to the session goes to disk before anything of it is carried out.
    pub(crate) fn take(&mut self) -> Vec<Effect> {
        let mut effects = std::mem::take(&mut self.effects);
        if let Some(record) = self.recorder.hand_on() {
            effects.insert(0, record);
        }
        effects
    }

    pub(crate) fn next_turn(&mut self) -> TurnId {
        self.ids.turn += 1;
        TurnId(self.ids.turn)
    }

    pub(crate) fn next_reply(&mut self) -> ReplyId {
        self.ids.reply += 1;
        ReplyId(self.ids.reply)
    }

    pub(crate) fn next_call(&mut self) -> CallId {
        self.ids.call += 1;
        CallId(self.ids.call)
    }

    pub(crate) fn next_ask(&mut self) -> AskId {
        self.ids.ask += 1;
        AskId(self.ids.ask)
    }

    /// Numbers of turns, calls and questions up to these are in use already, and are not given out again.
    pub(crate) fn ids_at_least(&mut self, (turn, call, ask): (u64, u64, u64)) {
        let ids = &mut self.ids;
        (ids.turn, ids.call, ids.ask) = (ids.turn.max(turn), ids.call.max(call), ids.ask.max(ask));
    }

    /// `event` as it is told: what happens while an agent works is told as part of its task, its questions as questions.
    fn as_of_task(&mut self, event: Event) -> Event {
        let Some(task) = &mut self.task else { return event };
        match event {
            Event::Call(CallEvent::Asked { mut question }) => {
                question.why = format!("{} asks: {}", task.agent, question.why);
                Event::Call(CallEvent::Asked { question })
            }
            event if is_of_task(&event, task.wished) => {
                task.calls += u64::from(matches!(event, Event::Call(CallEvent::Proposed { .. })));
                Event::Call(CallEvent::Delegated { call: task.call, event: Box::new(event) })
            }
            event => event,
        }
    }
}

/// Is `event` told as a part of the task that an agent works on? Of the server, the window and the session there is only one.
fn is_of_task(event: &Event, wished: bool) -> bool {
    match event {
        Event::Turn(event) => matches!(
            event,
            TurnEvent::Text { .. }
                | TurnEvent::Thinking { .. }
                | TurnEvent::WasThinking { .. }
                | TurnEvent::Replied { .. }
                | TurnEvent::SetAside { .. }
        ),
        Event::Call(event) => matches!(
            event,
            CallEvent::Proposed { .. }
                | CallEvent::Understood { .. }
                | CallEvent::Running { .. }
                | CallEvent::Output { .. }
                | CallEvent::Finished { .. }
        ),
        Event::Context(event) => matches!(event, ContextEvent::Fitting { .. } | ContextEvent::Fitted { .. }),
        Event::Session(event) => !wished && matches!(event, SessionEvent::Notice { level: NoticeLevel::Info, .. }),
        Event::Server(_) | Event::List(_) => false,
    }
}
