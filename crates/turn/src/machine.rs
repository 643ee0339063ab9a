//! The machine itself: what it holds, and where each input goes.

use crate::conversation::fitting::{Fit, Summarising};
use crate::conversation::history::History;
use crate::conversation::untold::Untold;
use crate::out::Out;
use crate::records::said::Sayings;
use crate::records::sessions::Resuming;
use crate::records::undo::UndoLog;
use crate::server::link::Link;
use crate::turn::acts::Lists;
use crate::turn::asking::Waiting;
use crate::turn::brakes::{Brake, Brakes};
use crate::turn::delegating::Aside;
use crate::turn::examining::Examining;
use crate::turn::listening::Listening;
use crate::turn::opening::Opening;
use crate::turn::queue::Queue;
use crate::turn::receipts::Done;
use crate::turn::rescue::Rescue;
use crate::turn::undoing::Undoing;
use crate::turn::working::Working;
use crate::{Effect, Input, Keep, Memory, Settings};
use agent_dialects::Form;
use agent_dialects::Tools;
use agent_policy::{Invocation, Policy};
use agent_protocol::{
    AskId, Event, JobCard, Mode, NoticeLevel, Op, Piped, SaidId, ToolSpec, TurnEndReason, TurnId, UndoPlan, Usage,
};

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
    /// The conversation that waits while an agent works on a task.
    pub(crate) aside: Option<Box<Aside>>,
    pub(crate) opening: Option<Opening>,
    pub(crate) sayings: Sayings,
    pub(crate) log: UndoLog,
    /// What the person saw last of what an undo would change.
    pub(crate) undo_plan: Option<UndoPlan>,
    /// What happened between turns and the model does not know yet.
    pub(crate) untold: Untold,
    /// The commands in the background, as they were told last.
    pub(crate) jobs: Vec<JobCard>,
    pub(crate) background: Vec<Invocation>,
    /// What there is to do, by the model's own list.
    pub(crate) todos: Lists,
    /// A session is being opened; nothing begins before it is.
    pub(crate) resuming: Option<Resuming>,
    /// This session was there before.
    pub(crate) resumed: bool,
    /// The standing instructions that it began with.
    pub(crate) resumed_with: Option<String>,
    /// A command ran in an earlier turn.
    pub(crate) ran_before: bool,
    /// Clear as soon as the turn is over.
    clear_wanted: bool,
    pub(crate) out: Out,
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
    /// The model summarises what came before.
    Summarising(Box<Summarising>),
    /// The model is examined.
    Examining(Box<Examining>),
    /// The turn is over, for this reason, but for a look at what it did.
    LookingAfter(Box<TurnEndReason>),
    /// Files are being brought back.
    Undoing(Box<Undoing>),
    /// The conversation is read as it was before this was said.
    GoingBack(SaidId),
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
    /// How far the conversation was made shorter since the last reply.
    pub(crate) fit: Fit,
    /// The server said that the conversation does not fit, since the last reply.
    pub(crate) refused: bool,
    /// What was said.
    pub(crate) asked: String,
    /// What it did so far.
    pub(crate) done: Done,
    /// It is one call that no model made, and none hears of it.
    pub(crate) from_outside: bool,
}

impl Turn {
    pub(crate) fn new(id: TurnId) -> Self {
        Turn {
            id,
            usage: Usage::default(),
            brakes: Brakes::default(),
            rescue: Rescue::default(),
            after_result: false,
            results: None,
            remark: None,
            fit: Fit::Not,
            refused: false,
            asked: String::new(),
            done: Done::default(),
            from_outside: false,
        }
    }
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
            aside: None,
            opening: None,
            sayings: Sayings::default(),
            log: UndoLog::default(),
            undo_plan: None,
            untold: Untold::default(),
            jobs: Vec::new(),
            background: Vec::new(),
            todos: Lists::default(),
            resuming: None,
            resumed: false,
            resumed_with: None,
            ran_before: false,
            clear_wanted: false,
            out: Out::default(),
            settings,
            policy,
        }
    }

    /// Takes one input and says what is to be carried out, in order.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        self.note_wish(&input);
        match input {
            Input::Start => self.start(),
            Input::Op(op) => self.op(op),
            Input::Model { reply, event } => self.heard(reply, event),
            Input::Reached { call, result, facts } => self.reached(call, result, &facts),
            Input::Planned { call, result, facts } => self.planned(call, result, &facts),
            Input::Output { call, chunk } => self.put_out(call, chunk),
            Input::Jobs { jobs } => self.jobs_changed(jobs),
            Input::Tampered { names } => self.tampered_beside(&names),
            Input::Ran { call, outcome } => self.ran(call, outcome),
            Input::Tried { action, facts } => self.tried(action, &facts),
            Input::Probed { result, can_start } => self.probed(result, can_start),
            Input::Described { name, result, loaded } => self.described(name, result, loaded),
            Input::Listed { reason, result } => self.listed(reason, result),
            Input::Pulled { name, state } => self.pulled(name, state),
            Input::NotStarted { why } => self.not_started(why),
            Input::Preloaded { name, result } => self.preloaded(&name, result),
            Input::Loaded { result } => self.loaded(result),
            Input::Rendered { request, result } => self.rendered(request, result),
            Input::DescribedOnly { name, result, loaded } => self.described_only(name, result, loaded),
            Input::ToldLoaded { result } => self.told_loaded(result),
            Input::Removed { name, result } => self.removed(name, result),
            input @ (Input::Reaches { .. } | Input::ReachOver { .. } | Input::Ports { .. }) => self.of_reaching(input),
            Input::Minutes => self.renew(),
            Input::Leave => self.leave(),
            input @ (Input::Journal { .. }
            | Input::SessionsListed { .. }
            | Input::SessionOpened { .. }
            | Input::PageRead { .. }
            | Input::ReadBack { .. }
            | Input::Exported { .. }
            | Input::Written { .. }
            | Input::UndoPlanned { .. }
            | Input::Undone { .. }
            | Input::LookedAfter { .. }) => self.of_sessions(input),
        }
        self.record_conversation();
        self.out.take()
    }

    fn start(&mut self) {
        self.tell_of_agents();
        self.out.emit(Event::Opened {
            project: self.settings.project.clone(),
            host: self.settings.host.clone(),
            mode: self.policy.mode(),
            // What else models call them is no news for a face, and a lot of it.
            tools: self.settings.tools.iter().map(|spec| ToolSpec { aliases: Vec::new(), ..spec.clone() }).collect(),
            enclosure: self.settings.enclosure.clone(),
            exposed: self.settings.exposed,
        });
        let history = std::mem::take(&mut self.settings.history);
        self.out.emit(Event::Said { history });
        for text in std::mem::take(&mut self.settings.notices) {
            self.out.notice(NoticeLevel::Warning, text);
        }
        let mode = self.policy.mode();
        self.untold.plan_mode(mode == Mode::Plan);
        // Whoever goes on with the session knows in which mode it began.
        self.out.recorder.note(&Event::ModeChanged { mode });
        self.open();
        self.begin();
    }

    /// Is nothing under way?
    pub fn is_at_rest(&self) -> bool {
        matches!(self.state, State::Idle)
    }

    fn op(&mut self, op: Op) {
        match op {
            Op::Say { text } => self.say(text, None),
            Op::SayWith { text, input } => self.say(text, Some(input)),
            Op::Unqueue => self.unqueue(),
            Op::Reply { ask, answer } => self.reply(ask, answer),
            Op::Interrupt => self.interrupt(),
            Op::SetMode { mode } => self.set_mode(mode),
            Op::SetGroups { groups } => self.set_groups(&groups),
            Op::StopJob { job } => self.stop_job(job),
            Op::Memory => self.out.emit(Event::Memory { files: self.settings.memory.clone() }),
            Op::Skills => self.out.emit(Event::Skills { skills: self.settings.skills.clone() }),
            Op::Call { name, arguments } => self.call(name, arguments),
            Op::Clear => self.clear(),
            Op::Models => self.list_models(),
            Op::SetModel { name } => self.set_model(name),
            Op::Pull { name } => self.out.carry_out(Effect::Pull { name }),
            Op::DescribeModel { name } => self.out.carry_out(Effect::DescribeOnly { name }),
            Op::Loaded => self.out.carry_out(Effect::TellLoaded),
            Op::RemoveModel { name } => self.out.carry_out(Effect::RemoveModel { name }),
            Op::SetThink { think } => self.set_think(think),
            Op::Compact { instructions } => self.compact(&instructions),
            Op::Context => self.tell_context(),
            Op::Prompt => self.show_prompt(),
            Op::Examine => self.examine(),
            Op::StopPull => self.out.carry_out(Effect::StopPull),
            Op::StartServer => self.start_server(),
            Op::Permissions => self.list_permissions(),
            Op::Revoke { rule } => self.revoke(&rule),
            Op::Try { command } => self.try_command(command),
            op @ (Op::Ports | Op::Forward { .. }) => self.op_of_ports(op),
            Op::Retry => self.retry(),
            op @ (Op::Sessions
            | Op::Open { .. }
            | Op::Rename { .. }
            | Op::Fork { .. }
            | Op::Page { .. }
            | Op::Export { .. }
            | Op::Undoable
            | Op::PlanUndo { .. }
            | Op::Undo { .. }
            | Op::Rewind { .. }) => self.op_of_sessions(op),
        }
    }

    fn say(&mut self, text: String, input: Option<Piped>) {
        if self.settings.keep == Keep::Everything {
            self.out.carry_out(Effect::Remember(Memory::Said(text.clone())));
        }
        self.queue.push(text, input);
        self.go_on_if_idle();
        self.show_queue();
        if matches!(self.state, State::Idle) {
            self.say_what_is_missing();
        }
    }

    /// Begins a turn with what is queued, if nothing stands in the way.
    pub(crate) fn go_on_if_idle(&mut self) {
        let waits = self.opening.is_some() || self.resuming.is_some();
        let ready = matches!(self.state, State::Idle) && !waits && self.link.is_ready();
        if !ready {
            return;
        }
        if let Some(waiting) = self.queue.take_all() {
            self.show_queue();
            let text = self.with_inputs(&waiting);
            self.take_saying(&text);
            self.begin_turn(text);
            // What strangers wrote asks for nothing.
            self.turn.asked = waiting.text;
        }
    }

    /// Begins a turn on the conversation as it stands.
    pub(crate) fn begin_turn(&mut self, text: String) {
        self.start_turn(text);
        self.call_model();
    }

    /// Begins a turn in which it is not settled yet what is asked of the model.
    pub(crate) fn start_turn(&mut self, text: String) {
        self.turn = Turn::new(self.out.next_turn());
        self.turn.asked.clone_from(&text);
        self.undo_plan = None;
        self.link.forget_resume();
        self.wake_recorder();
        self.out.emit(Event::TurnStarted { turn: self.turn.id, text });
    }

    /// The turn is over; what it did is looked up and told first.
    pub(crate) fn end_turn(&mut self, reason: TurnEndReason) {
        if self.is_delegating() {
            self.end_task(reason);
        } else if !self.look_after(&reason) {
            self.settle_turn(reason, Vec::new());
        }
    }

    /// The turn is over; what is queued begins the next one, unless the person interrupted.
    pub(crate) fn finish_turn(&mut self, reason: TurnEndReason) {
        self.state = State::Idle;
        // Whoever reads that it is over finds all of it.
        self.record_conversation();
        let failed = matches!(reason, TurnEndReason::Interrupted | TurnEndReason::Full | TurnEndReason::Broken { .. });
        self.out.emit(Event::TurnEnded { turn: self.turn.id, reason, usage: self.turn.usage });
        self.keep_profile();
        self.clear_if_wanted();
        if failed {
            self.unqueue_if_any();
        } else {
            self.go_on_if_idle();
        }
    }

    pub(crate) fn interrupt(&mut self) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Idle => {}
            State::Listening(listening) => self.hang_up(*listening),
            State::Working(working) => self.stop_working(*working),
            State::Summarising(_) => self.stop_summary(),
            State::Examining(_) => self.stop_examining(),
            // These take a moment and end by themselves; nothing more is asked of the model then.
            state @ (State::LookingAfter(_) | State::Undoing(_) | State::GoingBack(_)) => {
                self.turn.done.say_nothing_more();
                self.state = state;
            }
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

    /// Clears, where that was wished for while something was under way.
    pub(crate) fn clear_if_wanted(&mut self) {
        if std::mem::take(&mut self.clear_wanted) {
            self.forget_conversation();
        }
    }

    fn forget_conversation(&mut self) {
        self.flush_records();
        self.history.clear();
        self.leave_session();
        self.rewritten(usize::MAX);
        self.out.emit(Event::Cleared);
        if !std::mem::take(&mut self.todos).now().is_empty() {
            self.out.emit(Event::Todos { items: Vec::new() });
        }
        self.tell_window();
    }

    fn set_mode(&mut self, mode: Mode) {
        if self.waiting() == Waiting::Person {
            self.out.notice(NoticeLevel::Warning, "answer the question first; the mode is as it was");
            return;
        }
        let wanted = mode;
        let mode = self.policy.set_mode(wanted);
        if mode != wanted {
            let why = self.policy.held_back().unwrap_or_default();
            self.out.notice(NoticeLevel::Warning, format!("{} is off in this session: {why}", wanted.words()));
        }
        self.untold.plan_mode(mode == Mode::Plan);
        self.out.emit(Event::ModeChanged { mode });
    }

    fn retry(&mut self) {
        if !self.is_idle() {
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
        if !self.is_idle() {
            return;
        }
        if self.history.awaits_reply() && self.queue.is_empty() {
            if self.history.drop_broken_tail() {
                self.rewritten(usize::MAX);
            }
            self.begin_turn(String::new());
        } else if self.queue.is_empty() {
            self.out.notice(NoticeLevel::Info, "there is nothing to take up; the conversation is as it was");
        } else {
            self.go_on_if_idle();
        }
    }
}
