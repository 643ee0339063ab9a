//! What touches nothing but the session: the list of what there is to do, plans, and questions to the person. Nobody's
//! hands are needed for it, so it is over as soon as it may happen.

use crate::Effect;
use crate::conversation::untold::PlanBy;
use crate::machine::{Machine, State};
use agent_policy::Permit;
use agent_protocol::{
    Action, AskId, Event, Mode, Outcome, Preview, SaidId, SessionAct, Settlement, Status, Todo, TodoStatus,
};

/// What stands above the list where a conversation was made shorter.
const LIST: &str = "## To do";

/// The tool that puts a plan before the person.
const PLAN_TOOL: &str = "exit_plan_mode";

/// The list of what there is to do, as it became.
#[derive(Debug, Default)]
pub(crate) struct Lists(Vec<(SaidId, Vec<Todo>)>);

impl Lists {
    pub(crate) fn now(&self) -> &[Todo] {
        self.0.last().map_or(&[], |(_, items)| items)
    }

    /// It is this now, after what was `said` last.
    pub(crate) fn set(&mut self, said: SaidId, items: Vec<Todo>) {
        self.0.push((said, items));
    }

    /// As it was before this was said. True where that is another.
    pub(crate) fn go_back(&mut self, said: SaidId) -> bool {
        let before = self.0.len();
        self.0.retain(|(made, _)| *made < said);
        self.0.len() < before
    }
}

impl Machine {
    /// Does what `permit` is for, if that is the session's own affair; else gives it back.
    pub(crate) fn act(&mut self, permit: Permit, preview: Preview) -> Option<(Permit, Preview)> {
        let Action::Session { act } = permit.action() else { return Some((permit, preview)) };
        let act = act.clone();
        let State::Working(working) = &mut self.state else { return None };
        let (call, amended) = (working.current.id, working.amended);
        let words = match &act {
            SessionAct::Inquire { .. } => std::mem::take(&mut working.words),
            SessionAct::Todo { .. } | SessionAct::Propose { .. } | SessionAct::Delegate { .. } => Vec::new(),
        };
        // The planned job is not needed any more.
        self.out.carry_out(Effect::Forget(call));
        self.out.emit(Event::Running { call, preview });
        let (told, summary) = match act {
            SessionAct::Todo { items } => self.keep_list(items),
            SessionAct::Propose { plan } => self.approved(&plan, amended),
            SessionAct::Inquire { .. } => answered(&words),
            SessionAct::Delegate { agent, prompt, description: _ } => {
                self.delegate(&agent, &prompt);
                return None;
            }
        };
        self.finish(done(told, summary));
        None
    }

    /// How the model hands over a plan with the tools it has.
    pub(crate) fn plan_by(&self) -> PlanBy {
        let offered = self.settings.tools.iter().any(|spec| spec.name == PLAN_TOOL);
        if offered { PlanBy::Tool } else { PlanBy::Answer }
    }

    fn keep_list(&mut self, items: Vec<Todo>) -> (String, String) {
        let open = items.iter().filter(|item| item.status != TodoStatus::Completed).count();
        let told = match (items.len(), open) {
            (0, _) => "the list is empty".to_owned(),
            (all, 0) => format!("all {all} done"),
            (all, open) => format!("{open} of {all} to do"),
        };
        self.set_todos(items);
        (told.clone(), told)
    }

    pub(crate) fn set_todos(&mut self, items: Vec<Todo>) {
        self.todos.set(self.sayings.current(), items.clone());
        self.out.emit(Event::Todos { items });
    }

    /// The person said yes to the plan: now it may be carried out.
    fn approved(&mut self, plan: &str, amended: bool) -> (String, String) {
        if self.policy.mode() == Mode::Plan {
            self.policy.set_mode(Mode::Safe);
            self.untold.knows_plan_mode(false);
            self.out.emit(Event::ModeChanged { mode: Mode::Safe });
        }
        let told = if amended {
            format!("the person changed the plan and approved it; carry out this one:\n\n{}", plan.trim())
        } else {
            "the person approved the plan; carry it out".to_owned()
        };
        (told, "approved".to_owned())
    }

    /// The person does not answer a question of the model.
    pub(crate) fn leave_unanswered(&mut self, ask: AskId, word: Option<String>) {
        let told = match &word {
            Some(word) => format!("the person does not answer, and says: {word}"),
            None => "the person does not answer; decide yourself, and say what you assumed".to_owned(),
        };
        let summary = word.clone().unwrap_or_default();
        self.settle(ask, Settlement::No { word });
        if let State::Working(working) = &self.state {
            let call = working.current.id;
            self.out.carry_out(Effect::Forget(call));
        }
        self.finish(Outcome { status: Status::Refused, ..done(told, summary) });
    }

    /// `summary` with the list of what there is to do, which a summary may leave out and the work needs.
    pub(crate) fn with_list(&self, summary: &str) -> String {
        if self.is_delegating() || self.todos.now().iter().all(|item| item.status == TodoStatus::Completed) {
            return summary.to_owned();
        }
        let lines = self.todos.now().iter().map(|item| {
            let mark = match item.status {
                TodoStatus::Pending => "[ ]",
                TodoStatus::InProgress => "[>]",
                TodoStatus::Completed => "[x]",
            };
            format!("\n- {mark} {} (id {})", item.content.split_whitespace().collect::<Vec<_>>().join(" "), item.id)
        });
        format!("{}\n\n{LIST}{}", summary.trim_end(), lines.collect::<String>())
    }
}

fn answered(words: &[String]) -> (String, String) {
    match words {
        [] => ("the person says yes".to_owned(), "yes".to_owned()),
        words => (format!("the person answers: {}", words.join("\n")), words.join(" ")),
    }
}

fn done(told: String, summary: String) -> Outcome {
    Outcome {
        status: Status::Done,
        told,
        summary,
        detail: String::new(),
        fence: None,
        changed: Vec::new(),
        images: Vec::new(),
    }
}
