//! What comes as the answer to a wish: lists, panels, remarks.

use super::{App, Cmd};
use crate::clean::clean_line;
use crate::dialogs::{Dialog, Panel, Picker, PromptView, Pull, Sessions, Skills};
use crate::think;
use agent_protocol::{
    CallEvent, ContextEvent, Event, ModelCard, ModelsReason, PullState, ServerEvent, SessionCard, SessionEvent,
    SkillCard, Think, UndoPlan, UndoTurn,
};

impl App {
    /// The answers; all else was heard before, or is of the conversation alone.
    pub(super) fn told(&mut self, event: Event) {
        match event {
            Event::Server(ServerEvent::Models { models, reason }) => self.models(models, reason),
            Event::Server(ServerEvent::Pulling { name, state }) => self.pulling(name, state),
            Event::Server(ServerEvent::ThinkSet { think }) => self.think_set(think),
            Event::Context(ContextEvent::Context { report }) => self.open(Panel::context(&report)),
            Event::Context(ContextEvent::Prompt { request, rendered, trouble }) => {
                let prompt = PromptView::new(request, rendered, trouble.as_ref());
                (self.dialog, self.remark) = (Some(Dialog::Prompt(prompt)), None);
            }
            Event::Call(CallEvent::Permissions { grants }) => {
                if let Some(Dialog::Permissions(list)) = &mut self.dialog {
                    list.take(grants);
                }
            }
            Event::Call(CallEvent::Tried { command, verdict, why }) => {
                if let Some(Dialog::Permissions(list)) = &mut self.dialog {
                    list.tried(command, verdict, why);
                }
            }
            Event::Session(SessionEvent::Skills { skills }) => self.skills(&skills),
            Event::Session(SessionEvent::Memory { files }) => self.open(Panel::memory(&files)),
            Event::Session(SessionEvent::Sessions { sessions, now }) => self.sessions(sessions, now),
            Event::Session(SessionEvent::Rewound { text, .. }) => self.rewound(&text),
            // Heard before, or of the conversation alone.
            Event::Turn(_) | Event::Call(_) | Event::Context(_) | Event::Server(_) | Event::Session(_) => {}
        }
    }

    fn think_set(&mut self, think: Option<Think>) {
        self.session.think = think;
        // What the config says comes before the server is looked for: nobody asked, and the status line shows it.
        if self.session.server.is_some() {
            self.say(format!("thinking: {}, from the next request on", think::level(think).name));
        }
    }

    fn models(&mut self, models: Vec<ModelCard>, reason: ModelsReason) {
        if matches!(self.dialog, Some(Dialog::Pull(_))) {
            return;
        }
        let current = self.session.model.as_ref().map(|model| model.name.clone());
        let asked = reason == ModelsReason::Asked;
        let picker = Dialog::Models(Picker::new(models, reason, current));
        if asked { self.dialog = Some(picker) } else { self.unbidden(picker) }
    }

    /// Shows a dialog that nobody asked for, unless the person is choosing something: then it waits.
    pub(super) fn unbidden(&mut self, dialog: Dialog) {
        let waits = self.dialog.as_ref().is_some_and(Dialog::goes_first);
        *(if waits { &mut self.behind } else { &mut self.dialog }) = Some(dialog);
    }

    fn sessions(&mut self, sessions: Vec<SessionCard>, now: i64) {
        let current = self.session.id.clone();
        if !Sessions::has_others(&sessions, current.as_ref()) {
            self.say(if sessions.is_empty() { "no sessions are kept yet" } else { "no other sessions are kept yet" });
            return;
        }
        let sessions = Sessions::new(sessions, &self.session.project, current, now);
        self.open_before(Dialog::Sessions(sessions));
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
        (self.dialog, self.remark) = (Some(Dialog::Skills(Skills::new(skills, usable))), None);
    }

    /// Begins a message with the skill that was chosen.
    pub(super) fn begin_with_skill(&mut self) -> bool {
        let Some(Dialog::Skills(skills)) = &self.dialog else { return false };
        let words = skills.words();
        self.close();
        if let Some(words) = words {
            self.composer.precede(&words);
        }
        true
    }

    /// Shows what the person asked for; what had come unbidden waits behind it.
    fn open_before(&mut self, dialog: Dialog) {
        let before = self.dialog.replace(dialog);
        if let Some(before @ (Dialog::Server(_) | Dialog::Models(_) | Dialog::Pull(_))) = before {
            self.behind = Some(before);
        }
        self.remark = None;
    }

    /// What can be undone. Of use only to the dialog that waits for it.
    pub(super) fn undoable(&mut self, turns: Vec<UndoTurn>) -> Vec<Cmd> {
        let Some(Dialog::Undo(undo)) = &mut self.dialog else { return Vec::new() };
        let taken = undo.take(turns, self.now);
        self.shown_anew();
        match taken {
            Ok(op) => op.map(Cmd::Send).into_iter().collect(),
            Err(why) => {
                self.close();
                self.say(why);
                Vec::new()
            }
        }
    }

    /// What an undo would change. Of use only to the dialog that asked.
    pub(super) fn undo_planned(&mut self, plan: UndoPlan) -> Vec<Cmd> {
        if matches!(self.dialog, Some(Dialog::Undo(_) | Dialog::Rewind(_))) {
            self.shown_anew();
        }
        let (now, palette, highlighter) = (self.now, self.palette, &self.highlighter);
        let ask = self.dialog.as_mut().and_then(|dialog| dialog.planned(plan, now, palette, highlighter));
        ask.map(Cmd::Send).into_iter().collect()
    }

    /// The words of the message come back, to be said in other words.
    fn rewound(&mut self, text: &str) {
        if !text.is_empty() {
            self.composer.precede(text);
        }
    }

    fn pulling(&mut self, name: String, state: PullState) {
        match state {
            PullState::Progress { .. } | PullState::Failed { .. } => match &mut self.dialog {
                Some(Dialog::Pull(pull)) if pull.is_of(&name) => pull.take(state, self.now),
                _ => self.dialog = Some(Dialog::Pull(Pull::new(name, state, self.now))),
            },
            PullState::Done | PullState::Stopped => {
                self.dialog.take_if(|dialog| matches!(dialog, Dialog::Pull(pull) if pull.is_of(&name)));
                let name = clean_line(&name).into_owned();
                self.say(match state {
                    PullState::Done => format!("{name} is here"),
                    _ => format!("stopped pulling {name}; what is here is kept for the next try"),
                });
            }
        }
    }
}
