//! Questions to the person, and their answers.

use crate::Effect;
use crate::brakes::Brake;
use crate::machine::{Machine, State};
use crate::working::{Stage, look_preview, refused};
use agent_policy::{Held, Permit};
use agent_protocol::{
    Answer, AskId, Event, NoticeLevel, Preview, PreviewBody, Proposal, Question, Rule, Settlement, Subject,
    TurnEndReason,
};

/// Who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// A question stands open.
    Person,
    /// The model, a tool, or nobody.
    Other,
}

/// A plain yes or no, with all that went with it.
enum Verdict {
    Yes { remember: Option<Rule>, word: Option<String> },
    No { word: Option<String> },
}

impl Machine {
    pub(crate) fn waiting(&self) -> Waiting {
        let asking = match &self.state {
            State::Braked { .. } => true,
            State::Working(working) => matches!(working.stage, Stage::AskingLook { .. } | Stage::Asking { .. }),
            State::Idle | State::Listening(_) => self.folder_ask.is_some(),
        };
        if asking { Waiting::Person } else { Waiting::Other }
    }

    pub(crate) fn ask_look(&mut self, held: Held) {
        let ask = self.next_ask();
        let State::Working(working) = &mut self.state else { return };
        let preview = look_preview(held.action());
        let question = question_about(ask, working.current.id, &held, preview);
        working.stage = Stage::AskingLook { ask, held };
        self.emit(Event::Asked { question });
    }

    pub(crate) fn ask_run(&mut self, held: Held, preview: Preview) {
        let ask = self.next_ask();
        let State::Working(working) = &mut self.state else { return };
        let question = question_about(ask, working.current.id, &held, preview.clone());
        working.stage = Stage::Asking { ask, held, preview };
        self.emit(Event::Asked { question });
    }

    pub(crate) fn ask_about_brake(&mut self, brake: Brake) {
        let ask = self.next_ask();
        let subject = match &brake {
            Brake::Steps(steps) => Subject::Steps { steps: *steps },
            Brake::Repeat(name, times) => Subject::Repeat { name: name.clone(), times: *times },
            Brake::Stuck(how) => Subject::Stuck { how: *how },
        };
        let why = match &brake {
            Brake::Steps(_) | Brake::Repeat(..) => brake.words(),
            Brake::Stuck(_) => format!("{}; yes lets it try once more, a word with it may help", brake.words()),
        };
        self.state = State::Braked { ask, brake };
        self.ask_plainly(ask, subject, "Go on?".to_owned(), why);
    }

    pub(crate) fn ask_about_folder(&mut self) {
        let ask = self.next_ask();
        self.folder_ask = Some(ask);
        let path = self.settings.project.clone();
        let title = format!("Work in {}?", path.display());
        let why = "this is hardly a project folder; everything in it could be read. Better start in the folder of a \
                   project, or name it with -C";
        self.ask_plainly(ask, Subject::Folder { path }, title, why.into());
    }

    fn ask_plainly(&mut self, id: AskId, subject: Subject, title: String, why: String) {
        let preview = Preview { title, body: PreviewBody::Plain };
        self.emit(Event::Asked { question: Question { id, call: None, subject, preview, why, offers: Vec::new() } });
    }

    pub(crate) fn reply(&mut self, ask: AskId, answer: Answer) {
        let verdict = match answer {
            Answer::Yes { remember, word } => Verdict::Yes { remember, word: said(word) },
            Answer::No { word } => Verdict::No { word: said(word) },
            Answer::Instead { proposal } => return self.propose_instead(ask, proposal),
        };
        if self.folder_ask == Some(ask) {
            self.answer_folder(ask, &verdict);
            return;
        }
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Braked { ask: open, brake } if open == ask => self.answer_brake(ask, &brake, verdict),
            State::Working(mut working) => match std::mem::replace(&mut working.stage, Stage::Planning) {
                Stage::AskingLook { ask: open, held } if open == ask => {
                    self.state = State::Working(working);
                    self.answer_held(ask, held, verdict, Machine::let_look);
                }
                Stage::Asking { ask: open, held, preview } if open == ask => {
                    self.state = State::Working(working);
                    self.answer_held(ask, held, verdict, |machine, permit| machine.let_run(permit, preview));
                }
                stage => {
                    working.stage = stage;
                    self.state = State::Working(working);
                }
            },
            other => self.state = other,
        }
    }

    fn answer_held(&mut self, ask: AskId, held: Held, verdict: Verdict, go: impl FnOnce(&mut Machine, Permit)) {
        match verdict {
            Verdict::No { word } => self.refuse(ask, word),
            Verdict::Yes { remember, word } => match self.policy.answer(held, remember.clone()) {
                Ok(permit) => {
                    self.settle(ask, Settlement::Yes { remember, word: word.clone() });
                    if let State::Working(working) = &mut self.state {
                        working.words.extend(word);
                    }
                    go(self, permit);
                }
                Err(agent_policy::Refused) => {
                    let text = "that answer was wider than what was offered; taken as no";
                    self.notice(NoticeLevel::Warning, text.into());
                    self.refuse(ask, None);
                }
            },
        }
    }

    fn refuse(&mut self, ask: AskId, word: Option<String>) {
        let outcome = refused(word.as_deref());
        self.settle(ask, Settlement::No { word });
        if let State::Working(working) = &mut self.state {
            let call = working.current.id;
            self.carry_out(Effect::Forget(call));
        }
        self.finish(outcome);
    }

    /// The person puts something else in place of the proposal: it is planned, judged and asked again.
    fn propose_instead(&mut self, ask: AskId, proposal: Proposal) {
        let State::Working(working) = &mut self.state else { return };
        if !matches!(&working.stage, Stage::Asking { ask: open, .. } if *open == ask) {
            return;
        }
        working.stage = Stage::Planning;
        let call = working.current.id;
        self.settle(ask, Settlement::Instead);
        self.carry_out(Effect::Amend { call, proposal });
    }

    fn answer_brake(&mut self, ask: AskId, brake: &Brake, verdict: Verdict) {
        match verdict {
            Verdict::Yes { remember, word } => {
                self.settle(ask, Settlement::Yes { remember, word: word.clone() });
                self.queue_word(word);
                self.turn.brakes.let_go();
                if matches!(brake, Brake::Stuck(_)) {
                    self.notice(NoticeLevel::Info, "the model is asked again".into());
                }
                self.steer();
                if !self.history.awaits_reply() {
                    // A request that ends in the model's own words would be taken for words to go on from.
                    self.history.said("(go on)");
                }
                self.call_model();
            }
            Verdict::No { word } => {
                self.settle(ask, Settlement::No { word: word.clone() });
                self.queue_word(word);
                self.end_turn(match brake {
                    Brake::Steps(_) => TurnEndReason::StepLimit,
                    Brake::Repeat(..) => TurnEndReason::Repeating,
                    Brake::Stuck(how) => TurnEndReason::Stuck { how: *how },
                });
            }
        }
    }

    fn queue_word(&mut self, word: Option<String>) {
        if let Some(word) = word {
            self.queue.push(word);
        }
    }

    fn answer_folder(&mut self, ask: AskId, verdict: &Verdict) {
        self.folder_ask = None;
        match verdict {
            Verdict::Yes { .. } => {
                self.settle(ask, Settlement::Yes { remember: None, word: None });
                self.go_on_if_idle();
            }
            Verdict::No { .. } => {
                self.settle(ask, Settlement::No { word: None });
                self.emit(Event::Closed);
            }
        }
    }

    fn settle(&mut self, ask: AskId, settlement: Settlement) {
        self.emit(Event::Settled { ask, settlement });
    }

    pub(crate) fn settle_withdrawn(&mut self, ask: AskId) {
        self.settle(ask, Settlement::Withdrawn);
    }
}

fn question_about(id: AskId, call: agent_protocol::CallId, held: &Held, preview: Preview) -> Question {
    Question {
        id,
        call: Some(call),
        subject: Subject::Action { action: held.action().clone() },
        preview,
        why: held.why().to_owned(),
        offers: held.offers().to_vec(),
    }
}

/// A word that says something.
fn said(word: Option<String>) -> Option<String> {
    word.map(|word| word.trim().to_owned()).filter(|word| !word.is_empty())
}
