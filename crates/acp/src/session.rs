//! One session of the editor, which is one session of the loop: what the editor wants goes down as `Op`s, what happens
//! goes up as updates, and a prompt is answered when its turn is over.

mod asks;
mod prompting;
mod undo;

use crate::asking::Answered;
use crate::commands;
use crate::doorway::Doorway;
use crate::ending::{Ending, StopReason, failed, missing};
use crate::mapping::{Mapping, Telling};
use crate::options::{self, OptionChoice};
use crate::prompt::Draft;
use crate::wire::{Editor, Fault};
use crate::words::{Voice, chunk};
use agent_protocol::{
    AskId, CallEvent, CallOp, Event, Op, OwnCommand, ServerEvent, ServerOp, ServerState, SessionEvent, Subject,
    TurnEvent, TurnOp,
};
use asks::Asks;
use prompting::UnderWay;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;
use tokio::time::{Instant, interval, sleep_until};
use undo::TakingBack;

/// So often the output of a running command is told.
const BETWEEN: Duration = Duration::from_millis(200);

/// So long a new session waits for what the server tells; its options come later then.
const PATIENCE: Duration = Duration::from_secs(3);

/// Where all that can be chosen goes when something was, or why it was not.
pub(crate) type Chosen = oneshot::Sender<Result<Vec<Value>, Fault>>;

/// What is wanted of a session.
pub(crate) enum Order {
    /// The editor knows the session by now.
    Announced,
    Prompt {
        blocks: Vec<Value>,
        done: oneshot::Sender<Ending>,
    },
    /// A prompt with all that it names and shows, or why it cannot be said.
    Gathered(Result<Draft, Fault>),
    Answered {
        ask: AskId,
        answered: Answered,
    },
    /// The question about taking changes back is answered.
    TakeBack {
        is_yes: bool,
    },
    Cancel,
    Choose {
        choice: OptionChoice,
        done: Chosen,
    },
    Close,
}

/// What the editor is told of a session that is open now.
pub(crate) struct Ready {
    pub(crate) modes: Value,
    pub(crate) options: Vec<Value>,
}

/// What a session begins with.
pub(crate) struct Start {
    pub(crate) name: String,
    pub(crate) project: PathBuf,
    pub(crate) editor: Editor,
    pub(crate) doorway: Arc<dyn Doorway>,
    /// The editor tells what it holds of a file.
    pub(crate) reads_files: bool,
    pub(crate) ops: UnboundedSender<Op>,
    /// Slash commands of the user's own.
    pub(crate) commands: Vec<OwnCommand>,
    pub(crate) orders: UnboundedSender<Order>,
    /// What is to be said with the first prompt.
    pub(crate) remarks: Vec<Value>,
    /// It goes on with an earlier one.
    pub(crate) earlier: Option<Past>,
    pub(crate) ready: oneshot::Sender<Result<Ready, Fault>>,
}

/// What the editor wants of a session that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Past {
    /// All that happened in it.
    Told,
    /// Nothing: it still shows it.
    Known,
}

pub(crate) struct Session {
    start: Start,
    mapping: Mapping,
    known: agent_frontend::Session,
    /// The user is asked whether a cloud model may be used.
    asks_cloud: bool,
    ready: Option<oneshot::Sender<Result<Ready, Fault>>>,
    /// The editor knows the session; until then it is told of no news.
    announced: bool,
    /// The options are others than the editor was told.
    stale: bool,
    restored: bool,
    under_way: Option<UnderWay>,
    asks: Asks,
    /// The editor was asked whether changes are to be taken back.
    taking: Option<TakingBack>,
    choosing: Vec<(OptionChoice, Chosen)>,
    /// Notices of a time in which nobody reads: told with the next prompt.
    remarks: Vec<Value>,
}

impl Session {
    pub(crate) fn new(mut start: Start) -> (Self, Instant) {
        let (ready, unused) = oneshot::channel();
        let ready = std::mem::replace(&mut start.ready, ready);
        drop(unused);
        let session = Session {
            mapping: Mapping::new(start.project.clone(), Telling::Now),
            known: agent_frontend::Session::default(),
            asks_cloud: false,
            ready: Some(ready),
            announced: false,
            stale: false,
            restored: start.earlier.is_none(),
            under_way: None,
            asks: Asks::default(),
            taking: None,
            choosing: Vec::new(),
            remarks: std::mem::take(&mut start.remarks),
            start,
        };
        (session, Instant::now() + PATIENCE)
    }

    /// Works until the editor or the loop is done with it.
    pub(crate) async fn run(
        mut self,
        deadline: Instant,
        mut events: UnboundedReceiver<Event>,
        mut orders: UnboundedReceiver<Order>,
    ) {
        let mut between = interval(BETWEEN);
        loop {
            let flow = tokio::select! {
                event = events.recv() => match event {
                    Some(event) => self.on_event(&event),
                    None => ControlFlow::Break(()),
                },
                order = orders.recv() => match order {
                    Some(order) => self.obey(order),
                    None => ControlFlow::Break(()),
                },
                _ = between.tick(), if self.mapping.has_outputs() => self.tell_outputs(),
                () = sleep_until(deadline), if self.ready.is_some() => self.be_ready(),
            };
            if flow.is_break() {
                break;
            }
        }
        self.asks.give_up();
        let over = "the session is over; begin a new one, or load this one again";
        if let Some(ready) = self.ready.take() {
            // Whoever opened it may be gone.
            let _told = ready.send(Err(failed(over)));
        }
        self.finish(Err(failed(over)));
    }

    fn obey(&mut self, order: Order) -> ControlFlow<()> {
        match order {
            Order::Announced => {
                self.announced = true;
                self.tell(vec![commands::available_commands(&self.start.commands)]);
                if std::mem::take(&mut self.stale) {
                    self.tell_options();
                }
            }
            Order::Prompt { blocks, done } => self.prompt(&blocks, done),
            Order::Gathered(Ok(draft)) => self.gathered(draft),
            Order::Gathered(Err(fault)) => self.not_gathered(fault),
            Order::Answered { ask, answered } => self.answered(ask, answered),
            Order::TakeBack { is_yes } => self.take_back(is_yes),
            Order::Cancel => self.cancel(),
            Order::Choose { choice, done } => self.choose(choice, done),
            Order::Close => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }

    fn on_event(&mut self, event: &Event) -> ControlFlow<()> {
        self.known.on_event(event);
        self.settle_choices(event);
        let updates = self.mapping.take(event);
        let unread = self.under_way.is_none() && matches!(event, Event::Session(SessionEvent::Notice { .. }));
        if unread {
            self.remarks.extend(updates);
        } else {
            self.tell(updates);
        }
        if options::may_change(event) {
            self.tell_options();
        }
        self.follow(event);
        self.follow_undo(event);
        if let Some(words) = self.under_way.as_ref().and_then(|under_way| under_way.command()?.ended(event)) {
            if !words.is_empty() {
                self.tell(vec![chunk(Voice::Model, &words)]);
            }
            self.finish(Ok(StopReason::EndTurn));
        }
        if self.ready.is_some() && self.restored && self.is_settled() {
            return self.be_ready();
        }
        match event {
            Event::Session(SessionEvent::Closed) => ControlFlow::Break(()),
            Event::Session(SessionEvent::NotRestored { why }) if !self.restored => {
                if let Some(ready) = self.ready.take() {
                    // Whoever opened it may be gone.
                    let _told = ready.send(Err(missing(why)));
                }
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// What has to be done about it.
    fn follow(&mut self, event: &Event) {
        match event {
            Event::Session(SessionEvent::Restored { card, events }) => {
                self.restore(events);
                let title = agent_protocol::sanitize::clean_line(&card.title);
                self.tell(vec![json!({"sessionUpdate": "session_info_update", "title": title})]);
            }
            Event::Server(ServerEvent::Server { state: ServerState::Up(_) }) => {
                self.send(Op::Server(ServerOp::Models));
                self.server_is_up();
            }
            Event::Server(ServerEvent::Server { state: ServerState::Down { .. } }) => self.give_up_before_a_turn(),
            Event::Server(ServerEvent::Models { .. }) => {
                match self.known.only_model().map(str::to_owned) {
                    Some(name) => self.send(Op::Server(ServerOp::SetModel { name })),
                    None => self.give_up_before_a_turn(),
                };
            }
            Event::Call(CallEvent::Asked { question }) => {
                // The editor can put the question only when it knows the session.
                self.asks_cloud |= matches!(question.subject, Subject::Cloud { .. });
                self.asks.hold(question.clone());
                self.put_questions();
            }
            Event::Call(CallEvent::Settled { ask, .. }) => {
                let over = self.asks.settled(*ask);
                self.tell(over.into_iter().collect());
            }
            // What is said while a turn comes to its end joins that.
            Event::Turn(TurnEvent::Started { .. } | TurnEvent::Steered { .. }) => self.turn_started(),
            Event::Turn(TurnEvent::Ended { reason, .. }) => self.turn_ended(reason),
            // What was to be said is given back: it was refused, or taken back before a turn began.
            Event::Turn(TurnEvent::Unqueued { text }) if !text.is_empty() => self.finish(Ok(StopReason::EndTurn)),
            _ => {}
        }
    }

    /// Takes up what happened in an earlier life of the session, and tells it where that is wanted.
    fn restore(&mut self, events: &[Event]) {
        let mut again = Mapping::new(self.start.project.clone(), Telling::Again);
        let told = self.start.earlier == Some(Past::Told);
        for event in events {
            let updates = again.take(event);
            if told {
                self.tell(updates);
            }
        }
        self.restored = true;
    }

    /// Is there nothing more to be waited for before the editor is told the options?
    fn is_settled(&self) -> bool {
        let known = &self.known;
        let lacks = known.lacks_model.is_some() && known.only_model().is_none();
        let is_chosen = known.model.is_some() || self.asks_cloud || lacks;
        known.sandbox.is_some() && (known.trouble.is_some() || known.models.is_some() && is_chosen)
    }

    /// Tells what the session is like, now that this is known as far as it will be.
    fn be_ready(&mut self) -> ControlFlow<()> {
        if let Some(ready) = self.ready.take() {
            self.stale = false;
            let told = Ready { modes: options::modes(&self.known), options: options::all(&self.known) };
            // Whoever opened it may be gone.
            let _told = ready.send(Ok(told));
        }
        ControlFlow::Continue(())
    }

    fn choose(&mut self, choice: OptionChoice, done: Chosen) {
        let op = choice.op();
        self.choosing.push((choice, done));
        self.send(op);
    }

    fn settle_choices(&mut self, event: &Event) {
        for (choice, done) in std::mem::take(&mut self.choosing) {
            match choice.settled(event) {
                // Whoever chose may be gone.
                Some(settled) => drop(done.send(settled.map(|()| options::all(&self.known)))),
                None => self.choosing.push((choice, done)),
            }
        }
    }

    fn tell_options(&mut self) {
        if self.announced {
            let options = options::all(&self.known);
            self.tell(vec![json!({"sessionUpdate": "config_option_update", "configOptions": options})]);
        } else {
            self.stale = true;
        }
    }

    fn tell_outputs(&mut self) -> ControlFlow<()> {
        let outputs = self.mapping.outputs();
        self.tell(outputs);
        ControlFlow::Continue(())
    }

    fn tell(&self, updates: Vec<Value>) {
        for update in updates {
            self.start.editor.notify("session/update", json!({"sessionId": self.start.name, "update": update}));
        }
    }

    /// The loop may be gone already; then the next thing heard is that.
    fn send(&self, op: Op) {
        drop(self.start.ops.send(op));
    }

    fn answered(&mut self, ask: AskId, answered: Answered) {
        if !self.asks.is_open(ask) {
            return;
        }
        match answered {
            Answered::Answer(answer) => self.send(Op::Call(CallOp::Reply { ask, answer })),
            Answered::TakenBack => {
                self.asks.hold_again();
                self.cancel();
            }
        }
    }

    /// Puts what waits for an answer, where somebody is there to answer: an editor asks only while it waits for a prompt.
    fn put_questions(&mut self) {
        if self.under_way.is_none() {
            return;
        }
        for question in self.asks.take_held() {
            if let Err((ask, answer)) = self.asks.put(question, &self.start) {
                self.send(Op::Call(CallOp::Reply { ask, answer }));
            }
        }
    }

    /// Stops what is under way.
    fn interrupt(&self) {
        self.send(Op::Turn(TurnOp::Interrupt));
    }
}
