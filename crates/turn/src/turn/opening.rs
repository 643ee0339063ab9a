//! Questions before the first turn: is this folder meant, and is what was found in it trusted?
//!
//! No turn begins while one stands open. One after the other: nobody trusts a folder that they did not mean.

use crate::machine::Machine;
use crate::turn::asking::Verdict;
use crate::{Effect, Memory, Trust};
use agent_protocol::{AskId, Event, NoticeLevel, Settlement, Subject};

/// An open question of the start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Opening {
    pub(crate) ask: AskId,
    about: About,
}

#[derive(Debug, Clone, Copy)]
enum About {
    Folder,
    Trust,
}

impl Machine {
    /// Asks what has to be asked at the start.
    pub(crate) fn open(&mut self) {
        if self.settings.doubtful_folder {
            self.ask_about_folder();
        } else {
            self.ask_about_trust();
        }
    }

    fn ask_about_folder(&mut self) {
        let ask = self.out.next_ask();
        self.opening = Some(Opening { ask, about: About::Folder });
        let path = self.settings.project.clone();
        let title = format!("Work in {}?", path.display());
        let why = "this is hardly a project folder; everything in it could be read. Better start in the folder of a \
                   project, or name it with -C";
        self.ask_plainly(ask, Subject::Folder { path }, title, why.into());
    }

    fn ask_about_trust(&mut self) {
        let found = match &self.settings.trust {
            Trust::Settled => return,
            Trust::Ask { found, .. } => found.clone(),
        };
        let ask = self.out.next_ask();
        self.opening = Some(Opening { ask, about: About::Trust });
        let path = self.settings.project.clone();
        let title = format!("Trust {}?", path.display());
        let why = "nobody has said yet whether this is trusted. Without trust the model is told none of it, and git asks each time";
        self.ask_plainly(ask, Subject::Trust { path, found }, title, why.into());
    }

    pub(crate) fn answer_opening(&mut self, opening: Opening, verdict: &Verdict) {
        let Opening { ask, about } = opening;
        let yes = matches!(verdict, Verdict::Yes { .. });
        let (remember, word) = (None, None);
        self.settle(ask, if yes { Settlement::Yes { remember, word } } else { Settlement::No { word } });
        match (about, yes) {
            (About::Folder, false) => return self.out.emit(Event::Closed),
            (About::Folder, true) => self.ask_about_trust(),
            (About::Trust, true) => self.trust(),
            (About::Trust, false) => {
                let text = "what was found in this folder is not used in this session; you are asked again next time";
                self.out.notice(NoticeLevel::Info, text);
            }
        }
        self.go_on_if_idle();
        self.preload();
    }

    fn trust(&mut self) {
        if let Trust::Ask { system, .. } = std::mem::take(&mut self.settings.trust) {
            self.settings.system = system;
            self.tell_of_agents();
            self.settings.memory.iter_mut().for_each(|file| file.told = !file.text.is_empty());
            self.offer_tools();
        }
        self.policy.trust();
        self.out.carry_out(Effect::Remember(Memory::Trusted));
    }
}
