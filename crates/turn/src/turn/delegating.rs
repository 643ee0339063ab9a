//! A task for a second agent: the conversation is set aside, one of the agent's own begins, and goes on through the very
//! same rooms; when it ends, the first one is there again as it was, and its call has the agent's answer for a result.
//!
//! Everything else stays the session's own: model and options, policy and rules, numbers, what can be undone, the records.
//! One agent at a time: it gives no tasks itself. Its steps are steps of the turn: it has no more than are left of that.

use crate::conversation::history::History;
use crate::machine::{Machine, State, Turn};
use crate::out::Task;
use crate::turn::brakes::Brake;
use crate::turn::working::{Stage, Working};
use crate::{Input, Limits};
use agent_context::{agent_prompt, grouped, squeeze};
use agent_dialects::{Form, Tools};
use agent_protocol::{
    Failure, FailureKind, NoticeLevel, Outcome, Role, Status, ToolCall, ToolSpec, Trouble, TurnEndReason,
};

/// Replies with calls that one task may take, where as many are left of the turn; then the agent answers with what it has.
const MOST_STEPS: u32 = 50;

/// Bytes of an agent's last words where it did not finish.
const LAST_WORDS: usize = 4_096;

/// The conversation that waits, and what is known of the agent that works meanwhile.
#[derive(Debug)]
pub(crate) struct Aside {
    /// What it is told first.
    system: String,
    /// It was told to end.
    told_to_end: bool,
    working: Box<Working>,
    history: History,
    turn: Turn,
    tools: Vec<ToolSpec>,
    known_tools: Tools,
    /// How tools went; `None`: by the server.
    form: Option<Form>,
}

impl Aside {
    /// The conversation that is written down.
    pub(crate) fn history(&mut self) -> &mut History {
        &mut self.history
    }

    pub(crate) fn system(&self) -> &str {
        &self.system
    }
}

impl Machine {
    /// The current call gives `prompt` to an agent of this kind.
    pub(crate) fn delegate(&mut self, agent: &str, prompt: &str) {
        let Some(kind) = self.agent_kind(agent) else {
            let names: Vec<String> = self.agent_kinds().into_iter().map(|kind| kind.name).collect();
            let message = format!("there is no agent {agent:?}; take one of {}", names.join(", "));
            return self.finish(Failure::new(FailureKind::InvalidArguments, message).into());
        };
        let tools = kind.tools_of(&self.settings.tools, &self.settings.groups);
        if tools.is_empty() {
            let message = format!("{} would have no tools here; do the task yourself", kind.name);
            return self.finish(Failure::new(FailureKind::NotReady, message).into());
        }
        if self.steps_left() == 0 {
            let message = "this turn has no steps left for an agent; answer with what you have";
            return self.finish(Failure::new(FailureKind::NotReady, message).into());
        }
        let form = self.form_in_use();
        let State::Working(mut working) = std::mem::replace(&mut self.state, State::Idle) else { return };
        working.stage = Stage::Running { held: None };
        let system = agent_prompt(&kind.prompt, self.instructions());
        let mut turn = Turn::new(self.turn.id);
        // What happens for the task belongs to what the turn did.
        turn.done = std::mem::take(&mut self.turn.done);
        prompt.clone_into(&mut turn.asked);
        self.record_conversation();
        self.out.task = Some(Task { call: working.current.id, agent: kind.name, calls: 0, wished: false });
        self.aside = Some(Box::new(Aside {
            told_to_end: false,
            working,
            history: std::mem::replace(&mut self.history, History::new(&system)),
            system,
            turn: std::mem::replace(&mut self.turn, turn),
            known_tools: std::mem::replace(&mut self.known_tools, Tools::new(&tools)),
            tools: std::mem::replace(&mut self.settings.tools, tools),
            form,
        }));
        self.put_tools();
        self.history.said(prompt);
        self.call_model();
    }

    /// The form in which tools go by text, where they do.
    fn form_in_use(&self) -> Option<Form> {
        (self.tools_by() == agent_protocol::ToolsBy::Text).then(|| self.form())
    }

    /// The agent is done, for this reason: the first conversation goes on.
    pub(crate) fn end_task(&mut self, reason: TurnEndReason) {
        let (Some(aside), Some(task)) = (self.aside.take(), self.out.task.take()) else { return };
        let outcome = self.outcome_of_task(task.calls, &reason);
        let Aside { mut working, history, turn, tools, known_tools, form, .. } = *aside;
        working.ends = match reason {
            TurnEndReason::Interrupted => Some(TurnEndReason::Interrupted),
            // Whoever asks again at once only waits in vain again.
            TurnEndReason::Broken { trouble } if is_gone(&trouble) => Some(TurnEndReason::Broken { trouble }),
            TurnEndReason::Done
            | TurnEndReason::Length
            | TurnEndReason::StepLimit
            | TurnEndReason::Repeating
            | TurnEndReason::Stuck { .. }
            | TurnEndReason::Full
            | TurnEndReason::Lost
            | TurnEndReason::Broken { .. } => None,
        };
        let agents = std::mem::replace(&mut self.turn, turn);
        self.turn.done = agents.done;
        self.turn.brakes.stepped_by_agent(agents.brakes.taken());
        self.turn.usage = crate::turn::listening::sum(agents.usage, self.turn.usage);
        (self.history, self.settings.tools, self.known_tools) = (history, tools, known_tools);
        self.state = State::Working(working);
        if form == self.form_in_use() {
            self.link.measure.rewritten(&[], &[]);
        } else {
            // The server turned out not to take calls while the agent worked.
            self.turn.results = self.form_in_use();
            self.offer_tools();
        }
        self.finish(outcome);
    }

    fn outcome_of_task(&self, calls: u64, reason: &TurnEndReason) -> Outcome {
        let last = self.history.messages().iter().rev().find(|message| message.role == Role::Assistant);
        let said = last.map(|last| last.content.trim()).unwrap_or_default();
        let calls = if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
        let summary = format!("{calls}, {} tokens", grouped(self.used()));
        let outcome = |status, told: String, summary| Outcome {
            status,
            told,
            summary,
            detail: said.to_owned(),
            fence: None,
            changed: Vec::new(),
            images: Vec::new(),
        };
        let (kind, why) = match reason {
            TurnEndReason::Done => return outcome(Status::Done, said.to_owned(), summary),
            TurnEndReason::Length => {
                let told = format!("{said}\n\n(the agent's answer was cut off here)");
                return outcome(Status::Done, told, format!("{summary}, cut off"));
            }
            TurnEndReason::Interrupted => {
                let told = "stopped by the person before the agent was done; what it changed so far stands".to_owned();
                return outcome(Status::Stopped, told, summary);
            }
            TurnEndReason::StepLimit => (FailureKind::Timeout, "it took all the steps it may take".to_owned()),
            TurnEndReason::Repeating => (FailureKind::Io, "it went in circles".to_owned()),
            TurnEndReason::Stuck { how } => (FailureKind::Io, format!("it {}", how.words())),
            TurnEndReason::Full => (FailureKind::TooLarge, "its conversation fills the window".to_owned()),
            TurnEndReason::Lost => (FailureKind::Io, "it was lost".to_owned()),
            TurnEndReason::Broken { trouble } => (FailureKind::Unreachable, trouble.to_string()),
        };
        let mut told =
            format!("error: the agent did not finish: {why}; what it changed stands. Give it less, or do it yourself");
        if !said.is_empty() {
            let said = squeeze(said.to_owned(), LAST_WORDS);
            told.push_str(&format!("\n\nWhat it said last:\n{said}"));
        }
        outcome(Status::Failed { kind }, told, format!("{summary}: {why}"))
    }

    /// An agent is at work.
    pub(crate) fn is_delegating(&self) -> bool {
        self.aside.is_some()
    }

    /// Tells apart what a face wants from what comes of the agent.
    pub(crate) fn note_wish(&mut self, input: &Input) {
        if let Some(task) = &mut self.out.task {
            task.wished = matches!(input, Input::Op(_) | Input::Exported { .. } | Input::Written { .. });
        }
    }

    /// Where the turn at hand is stopped.
    pub(crate) fn limits(&self) -> Limits {
        let limits = self.settings.limits;
        match &self.aside {
            Some(aside) => Limits { steps: aside.turn.brakes.left(&limits).min(MOST_STEPS), ..limits },
            None => limits,
        }
    }

    fn steps_left(&self) -> u32 {
        self.turn.brakes.left(&self.limits())
    }

    /// The agent was told to end, and makes calls none the less: none of them is run, and its task ends.
    pub(crate) fn calls_in_vain(&mut self, calls: &[ToolCall]) -> bool {
        let told = self.aside.as_ref().is_some_and(|aside| aside.told_to_end);
        if told {
            calls.iter().for_each(|call| self.tell(call, too_late()));
            self.end_turn(TurnEndReason::StepLimit);
        }
        told
    }

    /// An agent is not worth a question: it is told to answer, or its task ends here, and the first one decides. What
    /// only it has said may be made shorter by rule.
    pub(crate) fn brake_agent(&mut self, brake: Brake) {
        let Some(aside) = &mut self.aside else { return };
        match brake {
            Brake::Full { then, .. } => {
                self.out.notice(NoticeLevel::Info, "the agent's conversation is made shorter by rule");
                self.shorten(then);
            }
            Brake::Steps(steps) if !aside.told_to_end => {
                aside.told_to_end = true;
                self.out.notice(NoticeLevel::Info, format!("the agent took {steps} steps; it is told to answer now"));
                self.history.said("(that was the last step: make no more calls, and answer now with what you have)");
                self.call_model();
            }
            Brake::Steps(_) => self.end_turn(TurnEndReason::StepLimit),
            Brake::Repeat(..) => self.end_turn(TurnEndReason::Repeating),
            Brake::Stuck(how) => self.end_turn(TurnEndReason::Stuck { how }),
        }
    }

    /// Why the current call may not go on, where its tool is none of the agent's.
    pub(crate) fn not_the_agents(&self, name: &str) -> Option<Failure> {
        self.aside.as_ref()?;
        let names: Vec<&str> = self.settings.tools.iter().map(|spec| spec.name.as_str()).collect();
        let message = format!("{name} is none of your tools in this task; yours are {}", names.join(", "));
        (!names.contains(&name)).then(|| Failure::new(FailureKind::UnknownTool, message))
    }
}

/// What comes of a call after the last step.
fn too_late() -> Outcome {
    Failure::new(FailureKind::Denied, "not run: that was the last step").into()
}

/// Nobody would answer the next request either.
fn is_gone(trouble: &Trouble) -> bool {
    matches!(trouble, Trouble::Unreachable { .. } | Trouble::ModelMissing { .. })
}
