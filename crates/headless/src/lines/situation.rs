//! What is known of the session, to say it when it is asked for.

use crate::advice::marked;
use agent_frontend::Session;
use agent_protocol::sanitize::figures::{ago, counted, short, window};
use agent_protocol::{
    BackgroundCommand, BackgroundState, ModelCard, ModelsReason, SessionCard, SessionId, Todo, TodoStatus,
};

/// Sessions that are said at once.
const SESSIONS: usize = 20;

/// What is known so far.
#[derive(Debug, Default)]
pub(super) struct Situation {
    pub(super) session: Session,
    pub(super) todos: Vec<Todo>,
    pub(super) jobs: Vec<BackgroundCommand>,
    /// The kept sessions, as they were said last.
    sessions: Vec<SessionId>,
}

impl Situation {
    pub(super) fn status(&self) -> Vec<String> {
        let Session { project, host, mode, model, used, window: of, .. } = &self.session;
        let model = model.as_ref().map_or("none is chosen".to_owned(), marked);
        let mut lines = vec![
            format!("project: {}", project.display()),
            format!("server: {host}"),
            format!("model: {model}"),
            format!("mode: {}", mode.words()),
        ];
        lines.extend((*used > 0).then(|| format!("context: {} of {} tokens", short(*used), window(*of))));
        lines.extend(self.session.kept_id().map(|id| format!("session: {id}")));
        lines
    }

    pub(super) fn to_do(&self) -> Vec<String> {
        let line = |todo: &Todo| {
            let state = match todo.status {
                TodoStatus::Pending => "to do",
                TodoStatus::InProgress => "being done",
                TodoStatus::Completed => "done",
            };
            format!("{state}: {}", todo.content)
        };
        if self.todos.is_empty() { vec!["there is no list".into()] } else { self.todos.iter().map(line).collect() }
    }

    pub(super) fn in_background(&self) -> Vec<String> {
        let running = self.jobs.iter().filter(|job| job.state == BackgroundState::Running);
        let lines: Vec<String> = running.map(|job| format!("{}: {}", job.id.0, job.command)).collect();
        if lines.is_empty() { vec!["nothing runs in the background".into()] } else { lines }
    }

    /// The sessions of this project, to choose one.
    pub(super) fn list(&mut self, sessions: &[SessionCard], now: i64) -> Vec<String> {
        self.sessions = sessions.iter().map(|card| card.id.clone()).collect();
        let own = sessions.iter().filter(|card| card.project == self.session.project);
        let line = |card: &SessionCard| {
            let turns = counted(card.turns, "turn");
            format!("{}: {}, {turns}, {}", card.id, card.title, ago(now - card.updated))
        };
        let mut lines: Vec<String> = own.take(SESSIONS).map(line).collect();
        lines.push(match lines.is_empty() {
            true => "no session of this project is kept".to_owned(),
            false => "/resume and the beginning of its name goes on with one".to_owned(),
        });
        lines
    }

    /// The session whose name begins so, where that is one; else what was typed, of which the loop says what is wrong.
    pub(super) fn session_named(&self, name: &str) -> SessionId {
        let mut fitting = self.sessions.iter().filter(|id| id.0.starts_with(name));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => only.clone(),
            (_, _) => SessionId(name.to_owned()),
        }
    }
}

/// The models there are, and how one is chosen.
pub(super) fn models_words(models: &[ModelCard], reason: &ModelsReason) -> String {
    let names: Vec<String> = models.iter().map(marked).collect();
    let names = names.join(", ");
    match reason {
        ModelsReason::Asked => format!("models: {names}; /model and a name chooses one"),
        ModelsReason::NoneChosen => format!("no model is chosen; /model and a name chooses one of {names}"),
        ModelsReason::NotUsed { name } => {
            format!("the model {name} is not used; /model and a name chooses one of {names}")
        }
        ModelsReason::Missing { name } => {
            format!("the model {name} is not installed; /model and a name chooses one of {names}")
        }
    }
}
