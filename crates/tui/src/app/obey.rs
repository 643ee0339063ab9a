//! Carries out what is typed: a slash command, or a message to send.

use super::{App, Cmd};
use crate::clean::clean_line;
use crate::commands::{self, Reading, Verb};
use crate::dialogs::{Dialog, Panel};
use crate::settings::Exit;
use agent_protocol::{Mode, Op};

impl App {
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
                vec![Cmd::Send(Op::Say { text })]
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
            Verb::Tools => self.open(Panel::tools(&self.session)),
            Verb::Model if argument.is_empty() => return vec![Cmd::Send(Op::Models)],
            Verb::Model => return vec![Cmd::Send(Op::SetModel { name: argument.to_owned() })],
            Verb::Safe => return self.set_mode(Mode::Safe),
            Verb::Unsafe => return self.set_mode(Mode::Unsafe),
            Verb::Clear => return vec![Cmd::Send(Op::Clear)],
            Verb::Retry => return vec![Cmd::Send(Op::Retry)],
            Verb::Exit => return vec![Cmd::Leave(Exit::Quit)],
            Verb::Copy => return self.copy_part(argument),
        }
        Vec::new()
    }

    pub(super) fn open(&mut self, panel: Panel) {
        (self.dialog, self.remark) = (Some(Dialog::Panel(panel)), None);
    }

    /// Asks for the mode; a remark where it is set already.
    pub(super) fn set_mode(&mut self, mode: Mode) -> Vec<Cmd> {
        if self.session.mode == mode {
            self.say(match mode {
                Mode::Safe => "safe mode is on already",
                Mode::Unsafe => "unsafe mode is on already",
            });
            return Vec::new();
        }
        vec![Cmd::Send(Op::SetMode { mode })]
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
