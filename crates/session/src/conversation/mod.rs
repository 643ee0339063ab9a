//! The conversation: what the model is sent, how full its window is, and what it has not been told yet. The only part that
//! may make the conversation shorter.

pub(crate) mod base;
pub(crate) mod compaction;
pub(crate) mod example;
pub(crate) mod history;
pub(crate) mod request;
pub(crate) mod schema;
pub(crate) mod todos;
pub(crate) mod untold;
pub(crate) mod working;

use crate::Settings;
use crate::conversation::compaction::CompactionStep;
use crate::conversation::history::History;
use crate::conversation::todos::TodoLists;
use crate::conversation::untold::{PlanBy, Untold};
use crate::out::Out;
use crate::records::Records;
use crate::server::Server;
use crate::server::offer::PLAN_TOOL;
use agent_dialects::Form;
use agent_protocol::{ContextEvent, Message, PartOrigin, Setting};
use std::path::PathBuf;

/// The conversation of a session.
#[derive(Debug)]
pub(crate) struct Conversation {
    /// The one that goes on: that with the user, or that of an agent.
    pub(crate) now: Dialogue,
    /// The one with the user, while an agent works on a task.
    aside: Option<Box<Dialogue>>,
    /// The standing instructions of this session.
    pub(crate) standing: String,
    /// Those that the session began with, where it was there before.
    pub(crate) resumed_with: Option<String>,
    /// What the session that goes on was left with, until its model is asked.
    pub(crate) left_with: Option<LeftWith>,
    /// What the server counted last of the session that goes on, until its model is known.
    pub(crate) resumed_at: Option<CountedBefore>,
    /// What happened between turns and the model does not know yet.
    pub(crate) untold: Untold,
    /// What there is to do, by the model's own list.
    pub(crate) todos: TodoLists,
    pub(crate) project: PathBuf,
    records: bool,
}

/// Who had which tools when a session was left.
#[derive(Debug)]
pub(crate) struct LeftWith {
    pub(crate) model: Option<String>,
    /// By name, in order.
    pub(crate) tools: Vec<String>,
}

/// What the server counted last in a session that goes on.
#[derive(Debug)]
pub(crate) struct CountedBefore {
    /// By the tokens of this model.
    model: String,
    /// So many messages at the start.
    messages: usize,
    /// As so many tokens, with the tools.
    tokens: u64,
}

impl CountedBefore {
    /// What is written down of it, if anything is.
    pub(crate) fn from_record(model: Option<String>, counted: Option<(usize, u64)>) -> Option<Self> {
        let (messages, tokens) = counted?;
        Some(CountedBefore { model: model?, messages, tokens })
    }
}

/// One sequence of messages, and where it stands.
#[derive(Debug)]
pub(crate) struct Dialogue {
    pub(crate) history: History,
    /// What an agent is told first; `None`: the session's own instructions hold.
    instructions: Option<String>,
    /// The model has a result before it that it has not answered.
    pub(crate) after_result: bool,
    /// The form in which the results of the calls under way go back; `None`: as messages of their own.
    pub(crate) results: Option<Form>,
    /// Files that the model was shown for what it is asked now, as paths in the project.
    pub(crate) shown: Vec<String>,
    /// How far it was made shorter since the last reply.
    pub(crate) fit: CompactionStep,
    /// The server said that it does not fit, since the last reply.
    pub(crate) refused: bool,
    /// Tokens that it had when it was made shorter last.
    pub(crate) shortened_to: Option<u64>,
}

impl Dialogue {
    fn new(history: History, instructions: Option<String>) -> Self {
        Dialogue {
            history,
            instructions,
            after_result: false,
            results: None,
            shown: Vec::new(),
            fit: CompactionStep::Not,
            refused: false,
            shortened_to: None,
        }
    }
}

impl Conversation {
    pub(crate) fn new(settings: &Settings) -> Self {
        Conversation {
            now: Dialogue::new(History::new(&settings.system), None),
            aside: None,
            standing: settings.system.clone(),
            resumed_with: None,
            left_with: None,
            resumed_at: None,
            untold: Untold::default(),
            todos: TodoLists::default(),
            project: settings.project.clone(),
            records: settings.record,
        }
    }

    pub(crate) fn messages(&self) -> &[Message] {
        self.now.history.messages()
    }

    pub(crate) fn append_user_text(&mut self, text: &str) {
        self.now.history.append_user_part(PartOrigin::Person, text);
    }

    /// The program tells the model this, in the user's place.
    pub(crate) fn remind(&mut self, text: &str) {
        self.now.history.append_user_part(PartOrigin::Program, text);
    }

    /// All since the user's last words is left out: they are answered anew.
    pub(crate) fn back_to_words(&mut self) {
        self.now.history.back_to_words();
    }

    /// Does an agent work on a task?
    pub(crate) fn is_delegating(&self) -> bool {
        self.aside.is_some()
    }

    /// The standing instructions of the conversation that goes on.
    pub(crate) fn instructions(&self) -> &str {
        self.now.instructions.as_deref().or(self.resumed_with.as_deref()).unwrap_or(&self.standing)
    }

    /// Sets the conversation aside; one of an agent begins, which is told `instructions` first.
    pub(crate) fn set_aside(&mut self, instructions: String) {
        let agents = Dialogue::new(History::new(&instructions), Some(instructions));
        self.aside = Some(Box::new(std::mem::replace(&mut self.now, agents)));
    }

    /// The agent is done: the conversation that was set aside goes on.
    pub(crate) fn take_up_again(&mut self) {
        if let Some(aside) = self.aside.take() {
            self.now = *aside;
        }
    }

    pub(crate) fn begin_turn(&mut self) {
        self.resumed_at = None;
        let now = &mut self.now;
        (now.after_result, now.results, now.fit, now.refused) = (false, None, CompactionStep::Not, false);
    }

    /// A reply came, so the conversation fits: what is done when it does not begins anew.
    pub(crate) fn it_fitted(&mut self) {
        (self.now.fit, self.now.refused) = (CompactionStep::Not, false);
    }

    /// The session goes on where the server counted it last, if that was this model.
    pub(crate) fn take_up_count(&mut self, server: &mut Server) {
        let name = server.model_name();
        let Some(before) = self.resumed_at.take_if(|before| server.is_ready() && before.model == name) else { return };
        if let Some(counted) = self.messages().get(..before.messages) {
            let tools = server.sent_tools().to_vec();
            server.measure.gauge.taken_up(counted, &tools, before.tokens);
        }
    }

    /// Tokens that the next request would have.
    pub(crate) fn used(&self, server: &Server) -> u64 {
        server.measure.gauge.used(&self.sent(server), server.sent_tools())
    }

    /// Says how full the window is, where that changed.
    pub(crate) fn tell_window(&self, server: &mut Server, out: &mut Out) {
        let (used, of) = (self.used(server), server.window());
        if server.measure.told != Some((used, of)) {
            say_window(used, server, out);
        }
    }

    /// Says what the window turned out to be, and keeps it.
    pub(crate) fn window_measured(&self, server: &mut Server, out: &mut Out) {
        let window = server.measure.window.clone();
        out.emit(ContextEvent::WindowMeasured { window });
        server.warn_of_window(out);
        self.warn_of_base(server, out);
        self.tell_window(server, out);
        server.keep_profile(out);
    }

    /// Puts the tools where this model finds them, and says so.
    pub(crate) fn offer_tools(&mut self, server: &mut Server, records: &mut Records, out: &mut Out) {
        let before = self.messages().to_vec();
        self.put_tools(server);
        // The tools of an agent are a choice of these.
        if !self.is_delegating() {
            self.reworked(&before, records, out);
            server.tell_costs(out);
        }
    }

    /// Puts the tools where this model finds them.
    pub(crate) fn put_tools(&mut self, server: &mut Server) {
        let form = server.form_in_use();
        let specs = server.offer.specs();
        if form == Some(Form::Files) {
            // Long instructions cost a small model more than they are worth to it.
            self.now.history.set_system(Form::Files.describe(&[]).trim_end(), None);
        } else {
            let tools = form.filter(|_| !specs.is_empty()).map(|form| form.describe(specs));
            let system = self.instructions().to_owned();
            self.now.history.set_system(&system, tools.as_deref());
        }
        server.measure.rewritten(&[], &[]);
        if let Some(form) = form {
            self.now.history.turn_into_text(form);
        }
    }

    /// The conversation was `before` and is another now, for what is sent and not for what was said.
    fn reworked(&self, before: &[Message], records: &mut Records, out: &Out) {
        let same = before.iter().zip(self.messages()).take_while(|(before, now)| before == now).count();
        if same < before.len() {
            records.sayings.rewritten(before, same, out.recorder.earlier());
        }
    }

    /// The conversation is another now, but for so many messages at its beginning.
    pub(crate) fn rewritten(&self, same: usize, server: &mut Server) {
        let tools = server.sent_tools().to_vec();
        let messages = self.messages();
        let same = example::with_example(&messages[..same.min(messages.len())], server).into_owned();
        server.measure.rewritten(&same, &tools);
    }

    /// Puts what the user says into the conversation, with what the model does not know yet.
    pub(crate) fn take_saying(&mut self, said: &Message, server: &Server, records: &mut Records, out: &mut Out) {
        self.wake_recorder(server, out);
        self.record(out);
        if said.content.trim().is_empty() {
            return self.now.history.said_in_parts(said);
        }
        records.sayings.say(&said.content, self.messages());
        let untold = self.untold.tell(plan_by(server));
        untold.iter().for_each(|line| self.remind(line));
        self.now.history.said_in_parts(said);
    }

    /// Something begins that is worth being written down.
    pub(crate) fn wake_recorder(&self, server: &Server, out: &mut Out) {
        if self.records {
            // Before the model is known, nobody can tell which tools it gets.
            let tools = if server.is_ready() { server.offer.names() } else { Vec::new() };
            out.recorder.wake(Setting {
                project: self.project.clone(),
                instructions: self.instructions().to_owned(),
                tools: tools.into_iter().map(str::to_owned).collect(),
                version: env!("CARGO_PKG_VERSION").into(),
            });
        }
    }

    /// Writes down what became of the conversation, before what comes next.
    pub(crate) fn record(&mut self, out: &mut Out) {
        // What an agent says among itself is no part of it.
        let history = &mut self.aside.as_deref_mut().unwrap_or(&mut self.now).history;
        if out.recorder.awake
            && let Some(change) = history.take_change()
        {
            out.recorder.add(change);
        }
    }
}

/// How the model hands over a plan.
pub(crate) fn plan_by(server: &Server) -> PlanBy {
    if server.offer.names().contains(&PLAN_TOOL) { PlanBy::Tool } else { PlanBy::Answer }
}

/// Says how full the window is.
pub(crate) fn say_window(used: u64, server: &mut Server, out: &mut Out) {
    let of = server.window();
    server.measure.told = Some((used, of));
    out.emit(ContextEvent::Window { used, of });
}
