//! From what was written down back to a session: what the faces saw, what the model saw, and what can be undone.
//!
//! Pure folding over the records; what the program left in the middle of is brought to an end here, so that every call
//! has its result and nothing waits for an answer.

use crate::context::with_parts;
use crate::conversation::history::History;
use crate::conversation::todos::TodoLists;
use crate::conversation::untold::Untold;
use crate::records::said::{EarlierConversation, Lies, Sayings, words_of};
use crate::records::undo::UndoLog;
use agent_protocol::{
    AskId, CallEvent, CallId, Digest, Event, FileChange, Message, Mode, ModelCall, Outcome, PartOrigin, Preview,
    PreviewBody, Record, Role, SaidId, ServerEvent, SessionEvent, Setting, Settlement, Status, ToolCall, TurnEndReason,
    TurnEvent, TurnId, Usage, Way,
};

/// What the model is told of a call that was being carried out.
const MAY_HAVE_RUN: &str = "the program ended while this was being carried out: it may have happened, wholly or in \
                            part; look before you do it again";

/// What the model is told of a call that had not begun.
const NOT_RUN: &str = "not run: the program ended before it began";

/// A session as it was written down.
#[derive(Debug, Default)]
pub(crate) struct Past {
    pub(crate) events: Vec<Event>,
    pub(crate) sayings: Sayings,
    pub(crate) log: UndoLog,
    /// What the model has not been told yet.
    pub(crate) untold: Untold,
    pub(crate) todos: TodoLists,
    pub(crate) setting: Option<Setting>,
    /// The model that was talked to last.
    pub(crate) model: Option<String>,
    /// A command ran in it.
    pub(crate) ran: bool,
    /// The last one and what the model was told of it.
    pub(crate) last_command: Option<(String, String)>,
    running: Option<String>,
    /// One was started in the background.
    pub(crate) left_running: bool,
    /// The highest numbers in use: of turns, calls and questions.
    pub(crate) highest: (u64, u64, u64),
    messages: Vec<Message>,
    /// What the server counted last: of so many of the messages, so many tokens.
    counted: Option<(usize, u64)>,
    /// Where conversations lie that were made shorter: they are needed only where somebody went back.
    earlier: Lies,
    broken_tail: bool,
    settled: bool,
    unsent: bool,
    /// Files were being brought back.
    undoing: Option<Event>,
    turn: Option<TurnId>,
    asks: Vec<AskId>,
    /// The calls of the last reply, in order.
    calls: Vec<(ToolCall, Stage)>,
    /// The calls of an agent that works for one of them, with that one.
    agents: Vec<(CallId, ToolCall, Stage)>,
    /// What was said and is not in the conversation yet.
    unheard: Option<String>,
    /// What the model had not been told before that was said.
    untold_before: Untold,
    /// What arrived of a reply that is not in the conversation.
    text: String,
    thinking: String,
}

/// How far a call came.
#[derive(Debug)]
enum Stage {
    Waiting,
    /// It was being carried out.
    Running,
    /// It ended, and this is what the model is told.
    Told(String),
    /// It ended, and the model was told.
    Heard,
}

impl Past {
    pub(crate) fn from_records(records: Vec<Record>) -> Self {
        let goes_back =
            |record: &Record| matches!(record, Record::Event { event: Event::Session(SessionEvent::Rewound { .. }) });
        let earlier = if records.iter().any(goes_back) { Lies::InMemory } else { Lies::InJournal };
        let mut past = Past { earlier, ..Past::default() };
        for record in records {
            match record {
                Record::Setting(setting) => past.set(setting),
                Record::Conversation { from, messages, broken_tail, settled, unsent } => {
                    past.converse(from, messages);
                    (past.broken_tail, past.settled, past.unsent) = (broken_tail, settled, unsent);
                }
                // Whoever opened the session looked what became of that.
                Record::Before { .. } => {}
                Record::Undoing { direction, said, files, part } => {
                    past.undoing = Some(Event::Session(SessionEvent::Undone { direction, said, files, part }));
                }
                Record::Event { event } => {
                    past.hear(&event);
                    past.events.push(event);
                }
            }
        }
        past
    }

    /// What is known of files is known by where they were: it counts no more where the project moved.
    fn set(&mut self, setting: Setting) {
        let before = self.setting.replace(setting);
        if before.is_some_and(|before| self.setting.as_ref().is_some_and(|now| now.project != before.project)) {
            self.log = UndoLog::default();
        }
    }

    fn converse(&mut self, from: usize, messages: Vec<Message>) {
        let from = from.min(self.messages.len());
        let messages: Vec<Message> = messages.into_iter().map(with_parts).collect();
        let same = from + self.messages[from..].iter().zip(&messages).take_while(|(was, is)| was == is).count();
        self.sayings.rewritten(&self.messages, same, self.earlier);
        self.messages.truncate(from);
        self.messages.extend(messages);
        self.counted = self.counted.filter(|(counted, _)| *counted <= same);
        self.unheard = None;
        for (_, stage) in &mut self.calls {
            if matches!(stage, Stage::Told(_)) {
                *stage = Stage::Heard;
            }
        }
        self.forget_piece();
    }

    fn forget_piece(&mut self) {
        self.text.clear();
        self.thinking.clear();
    }

    fn hear(&mut self, event: &Event) {
        match event {
            Event::Turn(event) => self.hear_turn(event),
            Event::Call(event) => self.hear_call(event),
            Event::Server(event) => {
                if let ServerEvent::ModelSet { card, .. } = event {
                    self.model = Some(card.name.clone());
                }
            }
            Event::Session(event) => {
                if let SessionEvent::Undone { direction, said, files, part } = event {
                    self.undoing = None;
                    self.untold.moved(files);
                    self.log.done(*direction, *said, *part, files);
                } else if let SessionEvent::Rewound { said, .. } = event {
                    self.go_back(*said);
                }
            }
            // What became of the conversation is written down as the conversation itself; lists are not written down.
            Event::Context(_) | Event::List(_) => {}
        }
    }

    fn hear_turn(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::Started { turn, text } => {
                self.highest.0 = self.highest.0.max(turn.0);
                self.turn = Some(*turn);
                self.calls.clear();
                self.say(text);
            }
            TurnEvent::Steered { text } => self.say(text),
            TurnEvent::Ended { .. } => {
                self.turn = None;
                self.calls.clear();
                self.agents.clear();
                self.forget_piece();
            }
            TurnEvent::Text { text } => self.text.push_str(text),
            TurnEvent::Thinking { text } => self.thinking.push_str(text),
            TurnEvent::WasThinking { text } => {
                self.text.clear();
                self.thinking.push_str(text);
            }
            TurnEvent::Replied { usage, .. } => {
                self.counted = usage.prompt_tokens.map(|tokens| (self.messages.len(), tokens)).or(self.counted);
                self.calls.clear();
            }
            TurnEvent::Todos { items } => self.todos.set(self.sayings.current(), items.clone()),
            TurnEvent::Queued { .. } | TurnEvent::Unqueued { .. } | TurnEvent::Waiting { .. } => {}
            TurnEvent::SetAside { .. } | TurnEvent::Receipt { .. } => {}
        }
    }

    fn hear_call(&mut self, event: &CallEvent) {
        match event {
            CallEvent::Proposed { call } => {
                self.highest.1 = self.highest.1.max(call.id.0);
                if call.origin.way == Way::Outside {
                    self.no_model_hears();
                }
                self.calls.push((call.clone(), Stage::Waiting));
            }
            CallEvent::Asked { question } => {
                self.highest.2 = self.highest.2.max(question.id.0);
                self.asks.push(question.id);
            }
            CallEvent::Settled { ask, .. } => self.asks.retain(|open| open != ask),
            CallEvent::Running { call, preview } => {
                self.began(preview);
                self.set_stage(*call, Stage::Running);
            }
            CallEvent::Finished { call, outcome } => self.finished(*call, outcome),
            CallEvent::Delegated { call, event } => {
                if let Event::Call(event) = event.as_ref() {
                    self.hear_agent(*call, event);
                }
            }
            CallEvent::ModeChanged { mode } => self.untold.plan_mode(*mode == Mode::Plan),
            CallEvent::Understood { .. } | CallEvent::Output { .. } => {}
            CallEvent::Jobs { .. } | CallEvent::Tried { .. } => {}
        }
    }

    /// What an agent says is no part of the conversation; what it does counts.
    fn hear_agent(&mut self, task: CallId, event: &CallEvent) {
        match event {
            CallEvent::Proposed { call } => {
                self.highest.1 = self.highest.1.max(call.id.0);
                self.agents.push((task, call.clone(), Stage::Waiting));
            }
            CallEvent::Running { call, preview } => {
                self.began(preview);
                if let Some((_, _, stage)) = self.agents.iter_mut().find(|(_, known, _)| known.id == *call) {
                    *stage = Stage::Running;
                }
            }
            CallEvent::Finished { call, outcome } => {
                self.agents.retain(|(_, known, _)| known.id != *call);
                self.log_changes(outcome);
            }
            // Its questions come as plain ones.
            CallEvent::Asked { .. } | CallEvent::Settled { .. } | CallEvent::Understood { .. } => {}
            CallEvent::Delegated { .. } | CallEvent::Output { .. } | CallEvent::ModeChanged { .. } => {}
            CallEvent::Jobs { .. } | CallEvent::Tried { .. } => {}
        }
    }

    /// How the agent's calls are shown that never came to an end.
    fn end_agents(&mut self, recovered: &[(CallId, Vec<FileChange>)]) -> Vec<Event> {
        let ends = std::mem::take(&mut self.agents).into_iter().filter_map(|(task, call, stage)| {
            let event = ended(&call, &stage, recovered)?;
            if let Event::Call(CallEvent::Finished { outcome, .. }) = &event {
                self.log_changes(outcome);
            }
            Some(Event::Call(CallEvent::Delegated { call: task, event: Box::new(event) }))
        });
        ends.collect()
    }

    fn say(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.sayings.say(text, &self.messages);
            self.untold_before.clone_from(&self.untold);
            self.untold.mark_told();
            self.unheard = Some(text.to_owned());
        }
    }

    /// What was said is a call from outside: the model knows as much as before.
    fn no_model_hears(&mut self) {
        self.unheard = None;
        self.untold = std::mem::take(&mut self.untold_before);
    }

    /// Whoever ran it, it may have done what is not known, and what went on in the background is gone.
    fn began(&mut self, preview: &Preview) {
        self.running = None;
        if let PreviewBody::Command { command, background, .. } = &preview.body {
            self.ran = true;
            self.left_running |= *background;
            self.running = (!background).then(|| command.clone());
        }
    }

    fn set_stage(&mut self, id: CallId, stage: Stage) {
        if let Some((_, known)) = self.calls.iter_mut().find(|(call, _)| call.id == id) {
            *known = stage;
        }
    }

    fn finished(&mut self, id: CallId, outcome: &Outcome) {
        self.set_stage(id, Stage::Told(outcome.told.clone()));
        self.log_changes(outcome);
    }

    fn log_changes(&mut self, outcome: &Outcome) {
        let said = self.sayings.current();
        let words = self.sayings.text(said).unwrap_or_default().to_owned();
        if let Some(command) = self.running.take() {
            self.last_command = Some((command, outcome.told.clone()));
        }
        self.log.changed(said, &words, &outcome.changed);
    }

    fn go_back(&mut self, said: SaidId) {
        let files = self.log.changed_since(said);
        let text = self.sayings.text(said).unwrap_or_default().to_owned();
        self.untold.went_back(&text, &files);
        if let Some(EarlierConversation::Known(messages)) = self.sayings.conversation_before(said, &self.messages) {
            self.messages = messages;
        }
        self.counted = self.counted.filter(|(counted, _)| *counted <= self.messages.len());
        self.sayings.go_back(said);
        self.todos.go_back(said);
        self.calls.clear();
        self.forget_piece();
    }

    /// What the server counted last, where these messages are still the first of the conversation.
    pub(crate) fn counted(&self) -> Option<(usize, u64)> {
        self.counted
    }

    /// The conversation as it stood before this was said; `None`: it was not said in these.
    pub(crate) fn conversation_before(mut records: Vec<Record>, said: SaidId) -> Option<Vec<Message>> {
        records.truncate(records_before(&records, said)?);
        Some(Past::from_records(records).messages)
    }

    /// The conversation, well-formed; what was left in the middle is brought to an end by these events.
    /// `system` are the standing instructions where nothing was written down of them.
    pub(crate) fn brought_to_an_end(
        &mut self,
        system: &str,
        recovered: &[(CallId, Vec<FileChange>)],
    ) -> (History, Vec<Event>) {
        let mut history = match std::mem::take(&mut self.messages) {
            messages if messages.is_empty() => History::new(system),
            messages => History::taken_up(messages, self.broken_tail, self.settled, self.unsent),
        };
        let mut closing: Vec<Event> = self
            .asks
            .drain(..)
            .map(|ask| Event::Call(CallEvent::Settled { ask, settlement: Settlement::Withdrawn }))
            .collect();
        // As far as it came, the disk tells; what was there before can be brought back in any case.
        closing.extend(self.undoing.take().inspect(|undone| self.hear(undone)));
        let Some(turn) = self.turn.take() else { return (history, closing) };
        closing.extend(self.end_agents(recovered));
        self.answer_calls(&mut history);
        if let Some(text) = self.unheard.take() {
            history.append_user_part(PartOrigin::Person, &text);
        }
        let ends: Vec<Event> = self.calls.iter().filter_map(|(call, stage)| ended(call, stage, recovered)).collect();
        for end in &ends {
            if let Event::Call(CallEvent::Finished { outcome, .. }) = end {
                self.log_changes(outcome);
            }
        }
        closing.extend(ends);
        let (text, thinking) = (std::mem::take(&mut self.text), std::mem::take(&mut self.thinking));
        if history.may_take_a_reply() {
            history.replied_in_part(text, thinking);
        }
        closing.push(Event::Turn(TurnEvent::Ended { turn, reason: TurnEndReason::Lost, usage: Usage::default() }));
        (history, closing)
    }

    /// Gives every call of the last message its result.
    fn answer_calls(&self, history: &mut History) {
        let messages = history.messages();
        let Some(at) = messages.iter().rposition(|message| message.role == Role::Assistant) else { return };
        let results = messages[at + 1..].iter().filter(|message| message.role == Role::Tool).count();
        let unanswered: Vec<ModelCall> = messages[at].calls.iter().skip(results).cloned().collect();
        for (place, call) in unanswered.iter().enumerate() {
            let told = match self.calls.get(results + place).map(|(_, stage)| stage) {
                Some(Stage::Told(told)) => told,
                Some(Stage::Running) => MAY_HAVE_RUN,
                Some(Stage::Waiting | Stage::Heard) | None => NOT_RUN,
            };
            history.result(Message::result(call, told));
        }
        // Where tools go by text the calls are no part of the message, and their results are said. What the model wrote is
        // there, unless its text is still to come.
        let by_text = messages_of_calls(history).is_empty() && self.text.is_empty();
        let heard = |call: &ToolCall| by_text && call.origin.way != Way::Outside;
        for (call, stage) in self.calls.iter().filter(|(call, _)| heard(call)) {
            let told = match stage {
                Stage::Told(told) => told,
                Stage::Running => MAY_HAVE_RUN,
                Stage::Waiting => NOT_RUN,
                Stage::Heard => continue,
            };
            let told = format!("(result of {}) {told}", call.call.name);
            history.result_by_text(&Message::by(Role::User, PartOrigin::Result, &told));
        }
    }
}

/// The calls of the last message by the model.
fn messages_of_calls(history: &History) -> &[ModelCall] {
    let last = history.messages().iter().rfind(|message| message.role == Role::Assistant);
    last.map_or(&[], |last| &last.calls)
}

/// How a call is shown that never came to an end.
fn ended(call: &ToolCall, stage: &Stage, recovered: &[(CallId, Vec<FileChange>)]) -> Option<Event> {
    let (status, told, summary) = match stage {
        Stage::Told(_) | Stage::Heard => return None,
        Stage::Running => (Status::Unknown, MAY_HAVE_RUN, "the program ended while it ran"),
        Stage::Waiting => (Status::Stopped, NOT_RUN, "not run"),
    };
    let found = recovered.iter().find(|(known, _)| *known == call.id);
    let changed = found.map(|(_, changed)| changed.clone()).unwrap_or_default();
    let outcome = Outcome {
        status,
        told: told.into(),
        summary: summary.into(),
        detail: String::new(),
        fence: None,
        changed,
        failing: None,
        images: Vec::new(),
        job: None,
    };
    Some(Event::Call(CallEvent::Finished { call: call.id, outcome }))
}

/// The calls that never told how they ended, with what is kept of how it was before them.
pub fn unfinished(records: &[Record]) -> Vec<(CallId, Digest)> {
    let mut open: Vec<(CallId, Digest)> = Vec::new();
    for record in records {
        match record {
            // Of a call that ran again with more reach it counts how it was before the first time.
            Record::Before { call, kept } if !open.iter().any(|(known, _)| known == call) => {
                open.push((*call, kept.clone()));
            }
            Record::Event { event } => {
                if let Event::Call(CallEvent::Finished { call, .. }) = event.of_agent() {
                    open.retain(|(known, _)| known != call);
                }
            }
            Record::Setting(_) | Record::Before { .. } | Record::Conversation { .. } | Record::Undoing { .. } => {}
        }
    }
    open
}

/// Where a copy of a session ends that goes on from before this was said; `None`: nobody said it.
pub fn records_before(records: &[Record], said: SaidId) -> Option<usize> {
    let mut count = 0;
    let is_it = |record: &Record| {
        let says = matches!(record, Record::Event { event } if words_of(event).is_some());
        count += u64::from(says);
        says && count == said.0
    };
    records.iter().position(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::Profile;

    #[test]
    fn what_an_agent_left_running_is_as_gone_as_what_the_model_did() {
        let runs = |background| {
            let body = PreviewBody::Command {
                command: "serve".into(),
                cwd: "/p".into(),
                timeout_secs: 0,
                profile: Profile::Project,
                cover: None,
                files: Vec::new(),
                note: None,
                background,
            };
            Event::Call(CallEvent::Running { call: CallId(2), preview: Preview { title: String::new(), body } })
        };
        for (background, event) in [(true, runs(true)), (false, runs(false))] {
            let delegated = Event::Call(CallEvent::Delegated { call: CallId(1), event: Box::new(event.clone()) });
            for event in [event, delegated] {
                let past = Past::from_records(vec![Record::Event { event }]);
                assert_eq!((past.ran, past.left_running), (true, background));
            }
        }
    }
}
