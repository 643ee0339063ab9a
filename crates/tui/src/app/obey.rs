//! Carries out what is typed: a slash command, or a message to send.

use super::App;
use super::commands::{self, Reading};
use crate::clean::clean_line;
use crate::cmd::Cmd;
use crate::composer::Writing;
use crate::dialogs::{ConfigList, Dialog, Groups, JobList, Levels, Panel, Permissions, Rewind, SessionDiff, Undo};
use crate::form::{self, FORMS};
use crate::keymap::Deed;
use crate::settings::Begin;
use crate::settings::ConfigAtHand;
use crate::think;
use agent_frontend::export_target;
use agent_protocol::{
    BackgroundId, CallOp, ContextOp, ListOp, Mode, Op, OwnCommand, ServerOp, SessionId, SessionOp, Think, TurnOp,
    UndoDirection,
};

impl App {
    /// What is asked first of all.
    pub(crate) fn begin(&self) -> Vec<Cmd> {
        match &self.settings.begin {
            Begin::Plain => Vec::new(),
            Begin::Say(text) => {
                let said = OwnCommand::or_words(&self.settings.commands, text.clone(), None, Vec::new());
                vec![Cmd::Send(Op::Turn(said))]
            }
            Begin::PickSession => vec![Cmd::Send(Op::List(ListOp::Sessions))],
        }
    }

    /// Sends the message, or does what the command says.
    pub(super) fn send(&mut self) -> Vec<Cmd> {
        if self.composer.continued() {
            return Vec::new();
        }
        let text = self.composer.text();
        if text.trim().is_empty() {
            return Vec::new();
        }
        match self.composer.writing() {
            Writing::Message => {}
            Writing::Shell => return self.run_own(&text),
            Writing::Memory => return self.save_memory(&text),
        }
        match commands::read(&text) {
            Reading::Message if self.names_nothing() => Vec::new(),
            Reading::Message => {
                self.composer.take();
                self.transcript.scroll_to_end();
                vec![Cmd::Send(Op::Turn(TurnOp::Say { text }))]
            }
            Reading::Command { command, argument } => {
                self.composer.take();
                (command.run)(self, argument)
            }
            Reading::Elsewhere { words } => {
                self.composer.take();
                self.say(words);
                Vec::new()
            }
            Reading::Unknown { word, nearest } => {
                if let Some(command) = OwnCommand::named(&self.settings.commands, word) {
                    let said = command.said(text.trim()[word.len() + 1..].trim());
                    self.composer.take();
                    self.transcript.scroll_to_end();
                    return vec![Cmd::Send(Op::Turn(said))];
                }
                let word = clean_line(word).into_owned();
                self.say(match nearest {
                    Some(nearest) => format!("there is no command /{word}; did you mean /{nearest}?"),
                    None => format!("there is no command /{word}; /help lists them all"),
                });
                Vec::new()
            }
        }
    }

    /// A message is written out, to be looked at and sent.
    pub(super) fn begin_message(&mut self, text: &str) -> Vec<Cmd> {
        self.composer.precede(text);
        self.say("look at it, change it as you like, and press Enter");
        Vec::new()
    }

    /// Runs a command in the user's own shell; a second `!` keeps it from the model.
    fn run_own(&mut self, text: &str) -> Vec<Cmd> {
        if !self.is_idle() {
            return Vec::new();
        }
        let (command, told) = match text.trim_start().strip_prefix('!') {
            Some(command) => (command, false),
            None => (text, true),
        };
        let command = command.trim().to_owned();
        if command.is_empty() {
            return Vec::new();
        }
        self.composer.take();
        self.transcript.scroll_to_end();
        vec![Cmd::Send(Op::Call(CallOp::Shell { command, told }))]
    }

    /// Saves a fact for later sessions of this project. It asks with the diff, as it does when a model wants to.
    fn save_memory(&mut self, text: &str) -> Vec<Cmd> {
        if !self.is_idle() {
            return Vec::new();
        }
        let fact = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.composer.take();
        self.transcript.scroll_to_end();
        vec![Cmd::Send(Op::Call(CallOp::Remember { fact }))]
    }

    /// Does the message name a file that is none? The user is told so once; the next Enter sends it as it is.
    fn names_nothing(&mut self) -> bool {
        let Some(name) = self.composer.names_nothing() else { return false };
        let (name, key) = (clean_line(&name).into_owned(), self.keymap.label(Deed::Send));
        self.say(format!("@{name} is no file that can be attached here; {key} sends it as text"));
        true
    }

    pub(super) fn show_keys(&mut self) -> Vec<Cmd> {
        self.show(Panel::keys(&self.keymap, commands::sheet()))
    }

    /// Opens a dialog that needs nothing more.
    pub(crate) fn show(&mut self, dialog: impl Dialog + 'static) -> Vec<Cmd> {
        self.open(dialog);
        Vec::new()
    }

    /// Opens a dialog that waits for the answer of the house.
    pub(crate) fn ask(&mut self, dialog: impl Dialog + 'static, op: Op) -> Vec<Cmd> {
        self.open(dialog);
        vec![Cmd::Send(op)]
    }

    /// Opens a dialog that the user asked for. What was remarked before is old by now.
    pub(super) fn open(&mut self, dialog: impl Dialog + 'static) {
        self.dialog = Some(Box::new(dialog));
        self.remark = None;
    }

    /// The settings that hold; of one section, or with one word, where that is named. `NAME = VALUE` sets one.
    pub(crate) fn show_config(&mut self, wanted: &str) -> Vec<Cmd> {
        let set = wanted.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        let listed = self.settings.config.as_ref().map(ConfigAtHand::list).unwrap_or_default();
        self.show(ConfigList::new(&listed, set.map_or(wanted, |(name, _)| name)));
        set.map(|(name, value)| ConfigList::write(name, value)).into_iter().collect()
    }

    /// What the model can call; a choice, where there are groups of it.
    pub(crate) fn show_tools(&mut self) -> Vec<Cmd> {
        match Groups::of(&self.session).filter(|_| !self.session.lacks_tools()) {
            Some(groups) => self.show(groups),
            None => self.show(Panel::tools(&self.session)),
        }
    }

    pub(crate) fn show_jobs(&mut self) -> Vec<Cmd> {
        self.begin_clock();
        self.show(JobList::new(self.jobs.clone()))
    }

    pub(crate) fn show_prompt(&mut self) -> Vec<Cmd> {
        self.say("asking the server what it makes of the next request");
        vec![Cmd::Send(Op::List(ListOp::Prompt))]
    }

    /// The list of models, or the one that is named.
    pub(crate) fn choose_model(&mut self, name: &str) -> Vec<Cmd> {
        vec![Cmd::Send(if name.is_empty() {
            Op::Server(ServerOp::Models)
        } else {
            Op::Server(ServerOp::SetModel { name: name.to_owned() })
        })]
    }

    /// The list of sessions, or the one that is named.
    pub(crate) fn resume(&mut self, id: &str) -> Vec<Cmd> {
        vec![Cmd::Send(if id.is_empty() {
            Op::List(ListOp::Sessions)
        } else {
            Op::Session(SessionOp::Open { id: SessionId(id.to_owned()) })
        })]
    }

    pub(crate) fn export(&mut self, argument: &str) -> Vec<Cmd> {
        let (format, path) = export_target(argument);
        vec![Cmd::Send(Op::Session(SessionOp::Export { format, path }))]
    }

    pub(crate) fn compact(&mut self, keep: &str) -> Vec<Cmd> {
        vec![Cmd::Send(Op::Context(ContextOp::Compact { instructions: keep.to_owned() }))]
    }

    /// Stops what runs in the background: all of it, or the one of this number.
    pub(crate) fn stop_jobs(&mut self, argument: &str) -> Vec<Cmd> {
        if self.jobs.running() == 0 {
            self.say("nothing runs in the background");
            return Vec::new();
        }
        let named = argument.trim_start_matches('#').parse().map(BackgroundId);
        match named {
            _ if argument.is_empty() || argument == "all" => vec![Cmd::Send(Op::Call(CallOp::StopJob { job: None }))],
            Ok(id) if self.jobs.runs(id) => vec![Cmd::Send(Op::Call(CallOp::StopJob { job: Some(id) }))],
            _ => {
                self.say(format!("no command {} runs in the background; /ps lists them", clean_line(argument)));
                Vec::new()
            }
        }
    }

    pub(crate) fn list_permissions(&mut self, command: &str) -> Vec<Cmd> {
        let (list, ops) = Permissions::open(command);
        self.open(list);
        ops.into_iter().map(Cmd::Send).collect()
    }

    /// Asks what can be undone; the dialog waits for it.
    pub(crate) fn undo(&mut self, direction: UndoDirection) -> Vec<Cmd> {
        if !self.is_idle() {
            return Vec::new();
        }
        let (undo, op) = Undo::open(direction);
        self.ask(undo, op)
    }

    /// Shows all that this session changed.
    pub(crate) fn show_changes(&mut self) -> Vec<Cmd> {
        if !self.is_idle() {
            return Vec::new();
        }
        let (changes, op) = SessionDiff::open(self.columns);
        self.ask(changes, op)
    }

    /// Lets the user choose a message to go back to.
    pub(crate) fn rewind(&mut self) -> Vec<Cmd> {
        if !self.is_idle() {
            return Vec::new();
        }
        let said = self.transcript.said();
        if said.is_empty() {
            self.say("nothing was said in this session yet");
            return Vec::new();
        }
        self.show(Rewind::new(said))
    }

    /// Is no turn under way? If one is, the user is told what to do first.
    fn is_idle(&mut self) -> bool {
        if self.work.is_some() {
            let key = self.keymap.label(Deed::Interrupt);
            self.say(format!("the model is at work; stop it with {key} first, or wait until it is done"));
        }
        self.work.is_none()
    }

    /// Gives the session a title; one that was given is taken back by a dash.
    pub(crate) fn rename(&mut self, title: &str) -> Vec<Cmd> {
        if title.is_empty() {
            self.say("write the title after it, like /rename the red build; /rename - takes the first words again");
            return Vec::new();
        }
        let title = if title == "-" { String::new() } else { title.to_owned() };
        vec![Cmd::Send(Op::Session(SessionOp::Rename { title }))]
    }

    /// In which form the model works: what holds now, or what was named.
    pub(crate) fn form(&mut self, argument: &str) -> Vec<Cmd> {
        if let Some(named) = form::named(argument) {
            return vec![Cmd::Send(Op::Server(ServerOp::SetForm { form: named.form }))];
        }
        let names: Vec<&str> = FORMS.iter().map(|form| form.name).collect();
        let names = names.join(", ");
        let now = self.session.offered.as_ref().map_or("no model is chosen yet", |offered| offered.by.words());
        self.say(match argument {
            "" => format!("{now}; /form {names} changes that"),
            wrong => format!("{} is no form of work; there are {names}", clean_line(wrong)),
        });
        Vec::new()
    }

    /// How much the model thinks: a choice, or what was named.
    pub(crate) fn think(&mut self, argument: &str) -> Vec<Cmd> {
        let level = think::named(argument);
        let thoughtless = self.session.model.as_ref().is_some_and(|model| model.thinking == Some(false));
        if thoughtless && !level.is_some_and(|level| matches!(level.think, None | Some(Think::Off))) {
            self.say("this model does not think; /model chooses another");
            return Vec::new();
        }
        match level {
            Some(level) => return vec![Cmd::Send(Op::Server(ServerOp::SetThink { think: level.think }))],
            None if argument.is_empty() => {
                self.open(Levels::new(self.session.think));
            }
            None => {
                let names: Vec<&str> = think::LEVELS.iter().map(|level| level.name).collect();
                self.say(format!("{} is no level of thinking; there are {}", clean_line(argument), names.join(", ")));
            }
        }
        Vec::new()
    }

    /// Asks for the mode; a remark where it is set already.
    pub(crate) fn set_mode(&mut self, mode: Mode) -> Vec<Cmd> {
        if self.session.mode == mode {
            self.say(match mode {
                Mode::Safe => "safe mode is on already",
                Mode::AcceptEdits => "accept-edits mode is on already",
                Mode::Plan => "plan mode is on already",
                Mode::Unsafe => "unsafe mode is on already",
            });
            return Vec::new();
        }
        // At a question nothing comes of it.
        self.session.wanted_mode = Some(mode).filter(|_| self.questions.is_empty());
        vec![Cmd::Send(Op::Call(CallOp::SetMode { mode }))]
    }

    pub(crate) fn copy_part(&mut self, argument: &str) -> Vec<Cmd> {
        if argument.is_empty() {
            let answer = self.transcript.last_answer();
            return self.copy(answer, "last answer");
        }
        match argument.parse::<usize>() {
            Ok(number @ 1..) => {
                let block = self.transcript.code_blocks().into_iter().nth(number - 1);
                self.copy(block, &format!("code block {number} in the last answer"))
            }
            _ => {
                self.say("say which code block: /copy 1 copies the first; /copy alone copies the whole answer");
                Vec::new()
            }
        }
    }
}
