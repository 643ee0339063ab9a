//! The machine itself: what it holds, and where each input goes.

use crate::asking::Waiting;
use crate::brakes::{Brake, Brakes};
use crate::history::History;
use crate::link::Link;
use crate::listening::Listening;
use crate::queue::Queue;
use crate::rescue::Rescue;
use crate::working::Working;
use crate::{Effect, Input, Keep, Memory, Settings};
use agent_dialects::Form;
use agent_dialects::Tools;
use agent_policy::Policy;
use agent_protocol::{AskId, CallId, Event, NoticeLevel, Op, ReplyId, ToolSpec, TurnEndReason, TurnId, Usage};

/// One session's mind.
#[derive(Debug)]
pub struct Machine {
    pub(crate) settings: Settings,
    /// The offered tools, as far as reading calls needs them.
    pub(crate) known_tools: Tools,
    pub(crate) policy: Policy,
    pub(crate) history: History,
    pub(crate) link: Link,
    pub(crate) queue: Queue,
    pub(crate) state: State,
    pub(crate) turn: Turn,
    pub(crate) folder_ask: Option<AskId>,
    /// Clear as soon as the turn is over.
    clear_wanted: bool,
    ids: Ids,
    out: Vec<Effect>,
}

/// Where the turn stands.
#[derive(Debug)]
pub(crate) enum State {
    /// No turn.
    Idle,
    /// A reply is arriving.
    Listening(Box<Listening>),
    /// Calls are being carried out.
    Working(Box<Working>),
    /// The person is asked whether to go on.
    Braked { ask: AskId, brake: Brake },
}

/// What is counted over one turn.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) id: TurnId,
    pub(crate) usage: Usage,
    pub(crate) brakes: Brakes,
    /// What was tried since the last reply that could be used.
    pub(crate) rescue: Rescue,
    /// The model has a result before it that it has not answered.
    pub(crate) after_result: bool,
    /// The form in which the results of the calls under way go back; `None`: as messages of their own.
    pub(crate) results: Option<Form>,
    /// Something to tell the model with the results.
    pub(crate) remark: Option<String>,
}

impl Turn {
    fn new(id: TurnId) -> Self {
        Turn {
            id,
            usage: Usage::default(),
            brakes: Brakes::default(),
            rescue: Rescue::default(),
            after_result: false,
            results: None,
            remark: None,
        }
    }
}

#[derive(Debug, Default)]
struct Ids {
    turn: u64,
    reply: u64,
    call: u64,
    ask: u64,
}

impl Machine {
    /// A machine that has not started yet.
    pub fn new(settings: Settings, policy: Policy) -> Self {
        Machine {
            known_tools: Tools::new(&settings.tools),
            history: History::new(&settings.system),
            link: Link::new(settings.model.clone()),
            queue: Queue::default(),
            state: State::Idle,
            turn: Turn::new(TurnId(0)),
            folder_ask: None,
            clear_wanted: false,
            ids: Ids::default(),
            out: Vec::new(),
            settings,
            policy,
        }
    }

    /// Takes one input and says what is to be carried out, in order.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Start => self.start(),
            Input::Op(op) => self.op(op),
            Input::Model { reply, event } => self.heard(reply, event),
            Input::Reached { call, result, facts } => self.reached(call, result, &facts),
            Input::Planned { call, result, facts } => self.planned(call, result, &facts),
            Input::Output { call, chunk } => self.put_out(call, chunk),
            Input::Ran { call, outcome } => self.ran(call, outcome),
            Input::Probed { result, can_start } => self.probed(result, can_start),
            Input::Described { name, result } => self.described(name, result),
            Input::Listed { reason, result } => self.listed(reason, result),
            Input::Pulled { name, state } => self.pulled(name, state),
            Input::NotStarted { why } => self.not_started(why),
        }
        std::mem::take(&mut self.out)
    }

    fn start(&mut self) {
        self.emit(Event::Opened {
            project: self.settings.project.clone(),
            host: self.settings.host.clone(),
            mode: self.policy.mode(),
            // What else models call them is no news for a face, and a lot of it.
            tools: self.settings.tools.iter().map(|spec| ToolSpec { aliases: Vec::new(), ..spec.clone() }).collect(),
        });
        let history = std::mem::take(&mut self.settings.history);
        self.emit(Event::Said { history });
        for text in std::mem::take(&mut self.settings.notices) {
            self.notice(NoticeLevel::Warning, text);
        }
        if self.settings.doubtful_folder {
            self.ask_about_folder();
        }
        self.look_for_server();
    }

    fn op(&mut self, op: Op) {
        match op {
            Op::Say { text } => self.say(text),
            Op::Unqueue => self.unqueue(),
            Op::Reply { ask, answer } => self.reply(ask, answer),
            Op::Interrupt => self.interrupt(),
            Op::SetMode { mode } => self.set_mode(mode),
            Op::Clear => self.clear(),
            Op::Models => self.list_models(),
            Op::SetModel { name } => self.set_model(name),
            Op::Pull { name } => self.carry_out(Effect::Pull { name }),
            Op::StopPull => self.carry_out(Effect::StopPull),
            Op::StartServer => self.start_server(),
            Op::Retry => self.retry(),
        }
    }

    fn say(&mut self, text: String) {
        if self.settings.keep == Keep::Everything {
            self.carry_out(Effect::Remember(Memory::Said(text.clone())));
        }
        self.queue.push(text);
        self.go_on_if_idle();
        self.show_queue();
        if matches!(self.state, State::Idle) {
            self.say_what_is_missing();
        }
    }

    /// Begins a turn with what is queued, if nothing stands in the way.
    pub(crate) fn go_on_if_idle(&mut self) {
        let ready = matches!(self.state, State::Idle) && self.folder_ask.is_none() && self.link.is_ready();
        if !ready {
            return;
        }
        if let Some(text) = self.queue.take_all() {
            self.show_queue();
            self.history.said(&text);
            self.begin_turn(text);
        }
    }

    /// Begins a turn on the conversation as it stands.
    pub(crate) fn begin_turn(&mut self, text: String) {
        self.ids.turn += 1;
        self.turn = Turn::new(TurnId(self.ids.turn));
        self.link.forget_resume();
        self.emit(Event::TurnStarted { turn: self.turn.id, text });
        self.call_model();
    }

    /// The turn is over; what is queued begins the next one, unless the person interrupted.
    pub(crate) fn end_turn(&mut self, reason: TurnEndReason) {
        self.state = State::Idle;
        let failed = matches!(reason, TurnEndReason::Interrupted | TurnEndReason::Broken { .. });
        self.emit(Event::TurnEnded { turn: self.turn.id, reason, usage: self.turn.usage });
        if std::mem::take(&mut self.clear_wanted) {
            self.forget_conversation();
        }
        if failed {
            self.unqueue_if_any();
        } else {
            self.go_on_if_idle();
        }
    }

    fn interrupt(&mut self) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Idle => {}
            State::Listening(listening) => self.hang_up(*listening),
            State::Working(working) => self.stop_working(*working),
            State::Braked { ask, .. } => {
                self.settle_withdrawn(ask);
                self.end_turn(TurnEndReason::Interrupted);
            }
        }
    }

    fn clear(&mut self) {
        self.interrupt();
        // A job that is being stopped still answers, and ends the turn then.
        if matches!(self.state, State::Idle) {
            self.forget_conversation();
        } else {
            self.clear_wanted = true;
        }
    }

    fn forget_conversation(&mut self) {
        self.history.clear();
        self.emit(Event::Cleared);
        self.emit(Event::Window { used: 0, of: self.link.window() });
    }

    fn set_mode(&mut self, mode: agent_protocol::Mode) {
        if self.waiting() == Waiting::Person {
            self.notice(NoticeLevel::Warning, "answer the question first; the mode is as it was".into());
            return;
        }
        self.policy.set_mode(mode);
        self.emit(Event::ModeChanged { mode });
    }

    fn retry(&mut self) {
        if !matches!(self.state, State::Idle) {
            return;
        }
        if self.link.is_ready() && self.link.is_up() {
            self.resume();
        } else {
            self.link.resume_when_up();
            self.look_for_server();
        }
    }

    /// Takes up a turn that broke off, or begins one with what is queued.
    pub(crate) fn resume(&mut self) {
        if !matches!(self.state, State::Idle) {
            return;
        }
        if self.history.awaits_reply() && self.queue.is_empty() {
            self.history.drop_broken_tail();
            self.begin_turn(String::new());
        } else {
            self.go_on_if_idle();
        }
    }

    pub(crate) fn emit(&mut self, event: Event) {
        self.out.push(Effect::Emit(event));
    }

    pub(crate) fn emit_all(&mut self, events: Vec<Event>) {
        self.out.extend(events.into_iter().map(Effect::Emit));
    }

    pub(crate) fn carry_out(&mut self, effect: Effect) {
        self.out.push(effect);
    }

    pub(crate) fn notice(&mut self, level: NoticeLevel, text: String) {
        self.emit(Event::Notice { level, text });
    }

    pub(crate) fn next_reply(&mut self) -> ReplyId {
        self.ids.reply += 1;
        ReplyId(self.ids.reply)
    }

    pub(crate) fn next_call_id(&mut self) -> CallId {
        self.ids.call += 1;
        CallId(self.ids.call)
    }

    pub(crate) fn next_ask(&mut self) -> AskId {
        self.ids.ask += 1;
        AskId(self.ids.ask)
    }
}
