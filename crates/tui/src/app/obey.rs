//! Carries out what is typed: a slash command, or a message to send.

use super::{App, Cmd};
use crate::clean::clean_line;
use crate::commands::{self, Reading, Verb};
use crate::dialogs::{Dialog, Groups, JobList, Levels, Panel, Permissions, PortList, Rewind, Undo};
use crate::keymap::Deed;
use crate::settings::{Begin, Exit};
use crate::think;
use agent_protocol::{
    CallOp, ContextOp, JobId, Mode, Op, ServerOp, SessionId, SessionOp, Think, TurnOp, UndoDirection,
};

impl App {
    /// What is asked first of all.
    pub(crate) fn begin(&self) -> Vec<Cmd> {
        match self.settings.begin {
            Begin::Plain => Vec::new(),
            Begin::PickSession => vec![Cmd::Send(Op::Session(SessionOp::Sessions))],
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
        match commands::read(&text) {
            Reading::Message => {
                self.composer.take();
                self.transcript.scroll_to_end();
                vec![Cmd::Send(Op::Turn(TurnOp::Say { text }))]
            }
            Reading::Command { verb, argument } => {
                self.composer.take();
                self.obey(verb, argument)
            }
            Reading::Unknown { word, nearest } => {
                let word = clean_line(word).into_owned();
                self.say(match nearest {
                    Some(nearest) => format!("there is no command /{word}; did you mean /{nearest}?"),
                    None => format!("there is no command /{word}; /help lists them all"),
                });
                Vec::new()
            }
        }
    }

    fn obey(&mut self, verb: Verb, argument: &str) -> Vec<Cmd> {
        match verb {
            Verb::Help => self.open(Panel::keys(&self.keymap)),
            Verb::Status => self.open(Panel::status(self)),
            Verb::Tools => self.open_tools(),
            Verb::Todos => self.show_todos(),
            Verb::Skills => return vec![Cmd::Send(Op::Session(SessionOp::Skills))],
            Verb::Memory => return vec![Cmd::Send(Op::Session(SessionOp::Memory))],
            Verb::Ps => self.list_jobs(),
            Verb::Ports => return self.list_ports(),
            Verb::Stop => return self.stop_jobs(argument),
            Verb::Sandbox => self.open(Panel::sandbox(&self.session)),
            Verb::Permissions => return self.list_permissions(argument),
            Verb::Model if argument.is_empty() => return vec![Cmd::Send(Op::Server(ServerOp::Models))],
            Verb::Model => return vec![Cmd::Send(Op::Server(ServerOp::SetModel { name: argument.to_owned() }))],
            Verb::Think => return self.think(argument),
            Verb::Context => return vec![Cmd::Send(Op::Context(ContextOp::Context))],
            Verb::Prompt => {
                self.say("asking the server what it makes of the next request");
                return vec![Cmd::Send(Op::Context(ContextOp::Prompt))];
            }
            Verb::Compact => {
                return vec![Cmd::Send(Op::Context(ContextOp::Compact { instructions: argument.to_owned() }))];
            }
            Verb::Doctor => return vec![Cmd::Send(Op::Server(ServerOp::Examine))],
            Verb::Undo => return self.undo(UndoDirection::Undo),
            Verb::Redo => return self.undo(UndoDirection::Redo),
            Verb::Rewind => self.rewind(),
            Verb::Resume if argument.is_empty() => return vec![Cmd::Send(Op::Session(SessionOp::Sessions))],
            Verb::Resume => {
                return vec![Cmd::Send(Op::Session(SessionOp::Open { id: SessionId(argument.to_owned()) }))];
            }
            Verb::Rename => return self.rename(argument),
            Verb::Fork => return vec![Cmd::Send(Op::Session(SessionOp::Fork { said: None }))],
            Verb::Export => {
                let (format, path) = commands::export(argument);
                return vec![Cmd::Send(Op::Session(SessionOp::Export { format, path }))];
            }
            Verb::Safe => return self.set_mode(Mode::Safe),
            Verb::AcceptEdits => return self.set_mode(Mode::AcceptEdits),
            Verb::Plan => return self.set_mode(Mode::Plan),
            Verb::Unsafe => return self.set_mode(Mode::Unsafe),
            Verb::Clear => return vec![Cmd::Send(Op::Context(ContextOp::Clear))],
            Verb::Retry => return vec![Cmd::Send(Op::Turn(TurnOp::Retry))],
            Verb::Exit => return vec![Cmd::Leave(Exit::Quit)],
            Verb::Copy => return self.copy_part(argument),
        }
        Vec::new()
    }

    pub(super) fn open(&mut self, panel: Panel) {
        (self.dialog, self.remark) = (Some(Dialog::Panel(panel)), None);
    }

    /// What the model can call; a choice, where there are groups of it.
    fn open_tools(&mut self) {
        let groups = Groups::of(&self.session).filter(|_| !self.session.lacks_tools());
        match groups {
            Some(groups) => (self.dialog, self.remark) = (Some(Dialog::Groups(groups)), None),
            None => self.open(Panel::tools(&self.session)),
        }
    }

    fn list_jobs(&mut self) {
        self.begin_clock();
        (self.dialog, self.remark) = (Some(Dialog::Jobs(JobList::new(self.jobs.clone()))), None);
    }

    fn list_ports(&mut self) -> Vec<Cmd> {
        (self.dialog, self.remark) = (Some(Dialog::Ports(PortList::default())), None);
        vec![Cmd::Send(Op::Call(CallOp::Ports))]
    }

    /// Stops what runs in the background: all of it, or the one of this number.
    fn stop_jobs(&mut self, argument: &str) -> Vec<Cmd> {
        if self.jobs.running() == 0 {
            self.say("nothing runs in the background");
            return Vec::new();
        }
        let named = argument.trim_start_matches('#').parse().map(JobId);
        match named {
            _ if argument.is_empty() || argument == "all" => vec![Cmd::Send(Op::Call(CallOp::StopJob { job: None }))],
            Ok(id) if self.jobs.runs(id) => vec![Cmd::Send(Op::Call(CallOp::StopJob { job: Some(id) }))],
            _ => {
                self.say(format!("no command {} runs in the background; /ps lists them", clean_line(argument)));
                Vec::new()
            }
        }
    }

    fn list_permissions(&mut self, command: &str) -> Vec<Cmd> {
        let (list, ops) = Permissions::open(command);
        (self.dialog, self.remark) = (Some(Dialog::Permissions(list)), None);
        ops.into_iter().map(Cmd::Send).collect()
    }

    /// Asks what can be undone; the dialog waits for it.
    fn undo(&mut self, direction: UndoDirection) -> Vec<Cmd> {
        if !self.is_idle() {
            return Vec::new();
        }
        let (undo, op) = Undo::open(direction);
        (self.dialog, self.remark) = (Some(Dialog::Undo(undo)), None);
        vec![Cmd::Send(op)]
    }

    /// Lets the person choose a message to go back to.
    pub(super) fn rewind(&mut self) {
        if !self.is_idle() {
            return;
        }
        let said = self.transcript.said();
        if said.is_empty() {
            return self.say("nothing was said in this session yet");
        }
        (self.dialog, self.remark) = (Some(Dialog::Rewind(Rewind::new(said))), None);
    }

    /// Is no turn under way? If one is, the person is told what to do first.
    fn is_idle(&mut self) -> bool {
        if self.work.is_some() {
            let key = self.keymap.label(Deed::Interrupt);
            self.say(format!("the model is at work; stop it with {key} first, or wait until it is done"));
        }
        self.work.is_none()
    }

    /// Gives the session a title; one that was given is taken back by a dash.
    fn rename(&mut self, title: &str) -> Vec<Cmd> {
        if title.is_empty() {
            self.say("write the title after it, like /rename the red build; /rename - takes the first words again");
            return Vec::new();
        }
        let title = if title == "-" { String::new() } else { title.to_owned() };
        vec![Cmd::Send(Op::Session(SessionOp::Rename { title }))]
    }

    /// How much the model thinks: a choice, or what was named.
    fn think(&mut self, argument: &str) -> Vec<Cmd> {
        let level = think::named(argument);
        let thoughtless = self.session.model.as_ref().is_some_and(|model| model.thinking == Some(false));
        if thoughtless && !level.is_some_and(|level| matches!(level.think, None | Some(Think::Off))) {
            self.say("this model does not think; /model chooses another");
            return Vec::new();
        }
        match level {
            Some(level) => return vec![Cmd::Send(Op::Server(ServerOp::SetThink { think: level.think }))],
            None if argument.is_empty() => {
                (self.dialog, self.remark) = (Some(Dialog::Levels(Levels::new(self.session.think))), None);
            }
            None => {
                let names: Vec<&str> = think::LEVELS.iter().map(|level| level.name).collect();
                self.say(format!("{} is no level of thinking; there are {}", clean_line(argument), names.join(", ")));
            }
        }
        Vec::new()
    }

    /// Asks for the mode; a remark where it is set already.
    pub(super) fn set_mode(&mut self, mode: Mode) -> Vec<Cmd> {
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

    fn copy_part(&mut self, argument: &str) -> Vec<Cmd> {
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
