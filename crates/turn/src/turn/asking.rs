//! Questions to the person, and their answers.

use crate::Effect;
use crate::conversation::fitting::Then;
use crate::machine::{Machine, State};
use crate::turn::anew::lasts_for_good;
use crate::turn::brakes::Brake;
use crate::turn::working::{Stage, look_preview, reach_at_least, refused};
use agent_policy::{Held, Permit};
use agent_protocol::{
    Action, Answer, AskId, Cause, Event, Mode, NoticeLevel, Preview, PreviewBody, Proposal, Question, Rule, SessionAct,
    Settlement, Subject, TurnEndReason,
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
pub(crate) enum Verdict {
    Yes { remember: Option<Rule>, word: Option<String> },
    No { word: Option<String> },
}

impl Machine {
    pub(crate) fn waiting(&self) -> Waiting {
        let asking = match &self.state {
            State::Braked { .. } => true,
            State::Working(working) => match &working.stage {
                Stage::AskingLook { .. } | Stage::Asking { .. } => true,
                Stage::Running { held } => held.is_some(),
                Stage::Reaching | Stage::Planning => false,
            },
            State::Idle
            | State::Listening(_)
            | State::Summarising(_)
            | State::Examining(_)
            | State::LookingAfter(_)
            | State::Undoing(_)
            | State::GoingBack(_) => self.opening.is_some(),
        };
        if asking { Waiting::Person } else { Waiting::Other }
    }

    pub(crate) fn ask_look(&mut self, held: Held) {
        let ask = self.out.next_ask();
        let State::Working(working) = &mut self.state else { return };
        let preview = look_preview(held.action());
        let question = question_about(ask, working.current.id, &held, preview);
        working.stage = Stage::AskingLook { ask, held };
        self.out.emit(Event::Asked { question });
    }

    pub(crate) fn ask_run(&mut self, held: Held, mut preview: Preview) {
        reach_at_least(&mut preview, held.least());
        let ask = self.out.next_ask();
        let State::Working(working) = &mut self.state else { return };
        let mut question = question_about(ask, working.current.id, &held, preview.clone());
        if let Some(fenced) = &working.fenced {
            question.why = format!("{}; {}", fenced.words(), question.why);
        }
        if let Some(replaced) = &working.replaced {
            question.warnings.insert(0, replaced.clone());
        }
        working.stage = Stage::Asking { ask, held, preview };
        self.out.emit(Event::Asked { question });
    }

    pub(crate) fn ask_about_brake(&mut self, brake: Brake) {
        if self.is_delegating() {
            return self.brake_agent(brake);
        }
        let ask = self.out.next_ask();
        let subject = match &brake {
            Brake::Steps(steps) => Subject::Steps { steps: *steps },
            Brake::Full { tokens, window, .. } => Subject::Shorten { tokens: *tokens, window: *window },
            Brake::Repeat(name, times) => Subject::Repeat { name: name.clone(), times: *times },
            Brake::Stuck(how) => Subject::Stuck { how: *how },
        };
        let why = match &brake {
            Brake::Steps(_) | Brake::Repeat(..) | Brake::Full { .. } => brake.words(),
            Brake::Stuck(_) => format!("{}; yes lets it try once more, a word with it may help", brake.words()),
        };
        let title = if matches!(brake, Brake::Full { .. }) { "Make the conversation shorter?" } else { "Go on?" };
        self.state = State::Braked { ask, brake };
        self.ask_plainly(ask, subject, title.to_owned(), why);
    }

    pub(crate) fn ask_plainly(&mut self, id: AskId, subject: Subject, title: String, why: String) {
        let preview = Preview { title, body: PreviewBody::Plain };
        let (offers, warnings, parts) = (Vec::new(), Vec::new(), Vec::new());
        let cause = Cause::Always;
        let question =
            Question { id, call: None, subject, preview, why, offers, warnings, parts, cause, hosts: Vec::new() };
        self.out.emit(Event::Asked { question });
    }

    pub(crate) fn reply(&mut self, ask: AskId, answer: Answer) {
        let verdict = match answer {
            Answer::Yes { remember, word } => Verdict::Yes { remember, word: said(word) },
            Answer::No { word } => Verdict::No { word: said(word) },
            Answer::Instead { proposal } => return self.propose_instead(ask, proposal),
        };
        if let Some(opening) = self.opening.take_if(|opening| opening.ask == ask) {
            self.answer_opening(opening, &verdict);
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
                Stage::Running { held: Some(open) } if open.ask == ask => {
                    working.stage = Stage::Running { held: None };
                    self.state = State::Working(working);
                    self.answer_reach(*open, verdict);
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
            Verdict::No { word } => match held.action() {
                Action::Session { act: SessionAct::Inquire { .. } } => self.leave_unanswered(ask, word),
                Action::Read { .. }
                | Action::Write { .. }
                | Action::Restore { .. }
                | Action::Run { .. }
                | Action::Fetch { .. }
                | Action::Call { .. }
                | Action::Session {
                    act: SessionAct::Todo { .. } | SessionAct::Propose { .. } | SessionAct::Delegate { .. },
                } => {
                    self.refuse(ask, word);
                }
            },
            Verdict::Yes { remember, word } => match self.answered_yes(held, remember.clone()) {
                Ok(permit) => {
                    if remember.as_ref().is_some_and(lasts_for_good) {
                        self.keep_permissions();
                    }
                    self.settle(ask, Settlement::Yes { remember: remember.clone(), word: word.clone() });
                    if let State::Working(working) = &mut self.state {
                        working.remembered = remember;
                        working.words.extend(word);
                    }
                    go(self, permit);
                }
                Err(agent_policy::Refused) => {
                    let text = "that answer was wider than what was offered; taken as no";
                    self.out.notice(NoticeLevel::Warning, text);
                    self.refuse(ask, None);
                }
            },
        }
    }

    /// The permit for a yes. With what is remembered another mode may come into force, which is told.
    fn answered_yes(&mut self, held: Held, remember: Option<Rule>) -> Result<Permit, agent_policy::Refused> {
        let mode = self.policy.mode();
        let permit = self.policy.answer(held, remember);
        self.tell_mode_since(mode);
        permit
    }

    /// Tells which mode is in force, where that is another than `before`.
    pub(crate) fn tell_mode_since(&mut self, before: Mode) {
        let mode = self.policy.mode();
        if mode != before {
            self.out.emit(Event::ModeChanged { mode });
        }
    }

    fn refuse(&mut self, ask: AskId, word: Option<String>) {
        let outcome = refused(word.as_deref(), self.settings.keep);
        self.settle(ask, Settlement::No { word: word.clone() });
        if let State::Working(working) = &self.state
            && working.fenced.is_some()
        {
            let call = working.current.id;
            return self.declined(call, word);
        }
        if let State::Working(working) = &mut self.state {
            let call = working.current.id;
            self.out.carry_out(Effect::Forget(call));
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
        working.amended = true;
        let call = working.current.id;
        self.settle(ask, Settlement::Instead);
        self.out.carry_out(Effect::Amend { call, proposal });
    }

    fn answer_brake(&mut self, ask: AskId, brake: &Brake, verdict: Verdict) {
        match verdict {
            Verdict::Yes { remember, word } => {
                self.settle(ask, Settlement::Yes { remember, word: word.clone() });
                self.queue_word(word);
                self.turn.brakes.let_go();
                if let Brake::Full { then, .. } = brake {
                    return self.shorten(*then);
                }
                if matches!(brake, Brake::Stuck(_)) {
                    self.out.notice(NoticeLevel::Info, "the model is asked again");
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
                    Brake::Full { then: Then::End, .. } => TurnEndReason::Done,
                    Brake::Full { .. } => TurnEndReason::Full,
                    Brake::Repeat(..) => TurnEndReason::Repeating,
                    Brake::Stuck(how) => TurnEndReason::Stuck { how: *how },
                });
            }
        }
    }

    fn queue_word(&mut self, word: Option<String>) {
        if let Some(word) = word {
            self.queue.push(word, None);
        }
    }

    pub(crate) fn settle(&mut self, ask: AskId, settlement: Settlement) {
        self.out.emit(Event::Settled { ask, settlement });
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
        warnings: held.warnings().to_vec(),
        parts: held.parts().to_vec(),
        cause: held.cause(),
        hosts: held.hosts().to_vec(),
    }
}

/// A word that says something.
fn said(word: Option<String>) -> Option<String> {
    word.map(|word| word.trim().to_owned()).filter(|word| !word.is_empty())
}
