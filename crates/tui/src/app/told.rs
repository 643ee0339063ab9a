//! What is heard and opens a dialog, or leaves a remark: the answers to wishes, and what comes unbidden.

use super::App;
use crate::clean::clean_line;
use crate::dialogs::{Dialog, Picker, Pull, ServerDown, Sessions, Skills, answer_to};
use crate::think;
use agent_protocol::{
    Event, ListEvent, ModelCard, ModelsReason, NearbyServer, PullState, ServerEvent, ServerState, SessionCard,
    SkillCard, Think,
};

impl App {
    /// Opens the dialog for what was heard, if there is one and none that is open took it up.
    pub(super) fn opens(&mut self, event: &Event) {
        match event {
            Event::Server(ServerEvent::Models { models, reason }) => self.models(models.clone(), reason.clone()),
            Event::Server(ServerEvent::Pulling { name, state }) => self.pulling(name, state),
            Event::Server(ServerEvent::Server { state: ServerState::Down { trouble, can_start } }) => {
                self.unbidden(ServerDown::new(trouble.clone(), *can_start));
            }
            Event::List(ListEvent::Skills { skills }) => self.skills(skills),
            Event::List(ListEvent::Sessions { sessions, now }) => self.sessions(sessions.clone(), *now),
            Event::List(event) => {
                if let Some(dialog) = answer_to(event, &self.session) {
                    (self.dialog, self.remark) = (Some(dialog), None);
                }
            }
            Event::Turn(_) | Event::Call(_) | Event::Context(_) | Event::Server(_) | Event::Session(_) => {}
        }
    }

    pub(super) fn think_set(&mut self, think: Option<Think>) {
        // What the config says comes before the server is looked for: nobody asked, and the status line shows it.
        if self.session.server.is_some() {
            self.say(format!("thinking: {}, from the next request on", think::level(think).name));
        }
    }

    fn models(&mut self, models: Vec<ModelCard>, reason: ModelsReason) {
        let current = self.session.model.as_ref().map(|model| model.name.clone());
        let asked = reason == ModelsReason::Asked;
        let picker = Picker::new(models, reason, current, self.session.server_card(), self.other_servers())
            .with_results(&self.settings.results)
            .working(self.session.in_use_words());
        if asked { self.dialog = Some(Box::new(picker)) } else { self.unbidden(picker) }
    }

    /// The servers that can be chosen: none while a turn is under way, which would end with it.
    fn other_servers(&self) -> Vec<NearbyServer> {
        if self.work.is_some() { Vec::new() } else { self.settings.servers.clone() }
    }

    /// Shows a dialog that nobody asked for, unless the user is choosing something: then it waits.
    fn unbidden(&mut self, dialog: impl Dialog + 'static) {
        let waits = self.dialog.as_ref().is_some_and(|dialog| dialog.goes_first());
        *(if waits { &mut self.behind } else { &mut self.dialog }) = Some(Box::new(dialog));
    }

    fn sessions(&mut self, sessions: Vec<SessionCard>, now: i64) {
        let current = self.session.id.clone();
        if !Sessions::has_others(&sessions, current.as_ref()) {
            self.say(if sessions.is_empty() { "no sessions are kept yet" } else { "no other sessions are kept yet" });
            return;
        }
        let sessions = Sessions::new(sessions, &self.session.project, current, now);
        // What had come unbidden waits behind it.
        let before = self.dialog.take().filter(|dialog| dialog.is_of_the_server());
        self.behind = before.or(self.behind.take());
        self.open(sessions);
    }

    fn skills(&mut self, skills: &[SkillCard]) {
        if skills.is_empty() {
            self.say(
                "no skills are installed; each is a folder in `skills` beside your config.toml, with a SKILL.md in it",
            );
            return;
        }
        let groups = self.session.offered.as_ref().map(|offered| &offered.groups);
        let usable = groups.is_none_or(|groups| groups.iter().any(|group| group.on && group.name == "agent"));
        self.open(Skills::new(skills, usable));
    }

    fn pulling(&mut self, name: &str, state: &PullState) {
        match state {
            PullState::Progress { .. } | PullState::Failed { .. } => {
                self.dialog = Some(Box::new(Pull::new(name.to_owned(), state.clone(), self.now)));
            }
            PullState::Done | PullState::Stopped => {}
        }
    }

    /// A download has come to its end.
    pub(super) fn pulled(&mut self, name: &str, state: &PullState) {
        let name = clean_line(name);
        match state {
            PullState::Progress { .. } | PullState::Failed { .. } => {}
            PullState::Done => self.say(format!("{name} is here")),
            PullState::Stopped => self.say(format!("stopped pulling {name}; what is here is kept for the next try")),
        }
    }
}
