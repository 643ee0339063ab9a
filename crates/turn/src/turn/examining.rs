//! The model is examined: short questions, judged by `exam`, put to it as any request is. Nothing is run.

use crate::Effect;
use crate::ToolsMode;
use crate::conversation::history::History;
use crate::machine::{Machine, State};
use crate::server::exam::{Answer, Exam, Next};
use crate::turn::acting::from_text;
use crate::turn::heard::{Heard, Sign};
use crate::turn::listening::sum;
use crate::turn::raw::quoted_calls;
use crate::turn::rescue::Asked;
use agent_context::Gauge;
use agent_dialects::Fault;
use agent_protocol::{
    ChatRequest, Event, Examined, LoadedModel, Message, ModelEvent, NoticeLevel, Origin, ProbeFinding, ReplyId,
    ToolSpec, ToolsBy, Trouble, TurnEndReason, Usage, Way,
};
use serde_json::Value;

/// Tokens that an answer may take: the longest one that is asked for is a small file, with some thinking before it.
const LONGEST_ANSWER: u64 = 2_048;

/// An examination under way.
#[derive(Debug)]
pub(crate) struct Examining {
    exam: Exam,
    /// The question that is being answered.
    open: Option<(ReplyId, Heard)>,
    /// Learns what the model's tokens hold, apart from the conversation.
    gauge: Gauge,
    /// The exam waits for a look at what is loaded.
    looking: bool,
    /// A question was answered by the model, and not by trouble.
    judged: bool,
    /// The server went away, or answered nothing: what was found until then is no verdict on the model.
    lost: Option<Trouble>,
}

impl Machine {
    /// Examines the model in use.
    pub(crate) fn examine(&mut self) {
        if !self.is_idle() {
            let text = "the model can be examined when the turn is over; esc ends it";
            return self.out.notice(NoticeLevel::Warning, text);
        }
        let Some(card) = self.link.card().filter(|_| self.link.is_ready()).cloned() else {
            return self.say_no_model();
        };
        self.start_turn(String::new());
        let exam = Exam::new(&card, &self.settings.tools, self.link.measure.window.asked);
        let gauge = Gauge::new(self.link.measure.calibration());
        let examining = Examining { exam, open: None, gauge, looking: false, judged: false, lost: None };
        self.state = State::Examining(Box::new(examining));
        self.next_question();
    }

    fn next_question(&mut self) {
        let State::Examining(examining) = &mut self.state else { return };
        match examining.exam.next() {
            Next::Ask { probe, messages, tools, think } => {
                self.out.emit(Event::Examining { probe });
                let think = think.or_else(|| self.think());
                let mut options = self.options();
                options.insert("num_predict".into(), Value::from(LONGEST_ANSWER));
                let (messages, tools) = self.as_offered(messages, tools);
                let request = ChatRequest { messages, tools, think, options, ..self.request(Asked::Plainly) };
                let (reply, heard) = (self.out.next_reply(), self.ears(Asked::Plainly));
                if let State::Examining(examining) = &mut self.state {
                    examining.gauge.rewritten();
                    examining.gauge.sent(&request.messages, &request.tools);
                    examining.open = Some((reply, heard));
                }
                self.out.carry_out(Effect::CallModel { reply, request: Box::new(request) });
            }
            Next::Look => {
                examining.looking = true;
                self.out.carry_out(Effect::LookLoaded);
            }
            Next::Over(examined) => self.examination_over(examined),
        }
    }

    fn examination_over(&mut self, examined: Examined) {
        let State::Examining(examining) = std::mem::replace(&mut self.state, State::Idle) else { return };
        self.link.measure.after_examination(&examining.gauge);
        if let Some(trouble) = examining.lost {
            return self.end_broken(trouble);
        }
        let before = (self.tools_by(), self.form());
        // An examination in which nothing could be judged takes nothing back.
        let profile = if examining.judged {
            self.link.measure.examined(examined)
        } else {
            self.link.measure.not_examined(examined)
        };
        self.out.emit(Event::Diagnosed { profile: Box::new(profile) });
        if (self.tools_by(), self.form()) != before {
            self.offer_tools();
        }
        self.end_turn(TurnEndReason::Done);
    }

    /// Does an examination wait for a look at what is loaded?
    pub(crate) fn awaits_look(&self) -> bool {
        matches!(&self.state, State::Examining(examining) if examining.looking)
    }

    /// The question in the way in which this model gets its tools.
    fn as_offered(&self, messages: Vec<Message>, tools: Vec<ToolSpec>) -> (Vec<Message>, Vec<ToolSpec>) {
        // What was found earlier is no reason not to try the server's way again.
        let by_server = match self.settings.tools_mode {
            ToolsMode::Auto => self.link.calls_tools(),
            ToolsMode::Native | ToolsMode::Text => self.tools_by() == ToolsBy::Server,
        };
        if by_server || tools.is_empty() {
            return (messages, tools);
        }
        let form = self.form();
        let system = messages.first().map(|first| first.content.clone()).unwrap_or_default();
        let mut history = History::of(messages);
        history.set_system(&system, Some(&form.describe(&tools)));
        history.turn_into_text(form);
        (history.messages().to_vec(), Vec::new())
    }

    pub(crate) fn heard_examined(&mut self, reply: ReplyId, event: ModelEvent) {
        let State::Examining(examining) = &mut self.state else { return };
        let Some((_, heard)) = examining.open.as_mut().filter(|(open, _)| *open == reply) else { return };
        let mut unseen = Vec::new();
        let sign = match event {
            ModelEvent::Waiting { phase } => return self.out.emit(Event::Waiting { phase }),
            ModelEvent::Thinking { text } => heard.thinking(text, &mut unseen),
            ModelEvent::Text { text } => heard.text(&text, &mut unseen),
            ModelEvent::Calls { calls } => {
                heard.calls(calls, &mut unseen);
                Sign::GoOn
            }
            ModelEvent::Done { reason, usage } => {
                return self.answered_question(usage, reason.as_deref() == Some("length"), None);
            }
            ModelEvent::Broken { trouble } => return self.answered_question(Usage::default(), false, Some(trouble)),
        };
        if sign != Sign::GoOn {
            self.out.carry_out(Effect::HangUp);
            self.answered_question(Usage::default(), sign == Sign::Looping, None);
        }
    }

    fn answered_question(&mut self, usage: Usage, cut: bool, trouble: Option<Trouble>) {
        let State::Examining(examining) = &mut self.state else { return };
        let Some((_, heard)) = examining.open.take() else { return };
        match &trouble {
            Some(trouble @ Trouble::Unreachable { .. }) => examining.lost = Some(trouble.clone()),
            Some(_) => {}
            None => {
                examining.judged = true;
                self.link.measure.replied_apart(&usage, &mut examining.gauge);
            }
        }
        let findings = examining.exam.answered(answer(heard, &self.settings.tools, End { usage, cut, trouble }));
        self.turn.usage = sum(self.turn.usage, usage);
        self.tell_findings(findings);
    }

    pub(crate) fn examined_window(&mut self, loaded: Option<&LoadedModel>) {
        let State::Examining(examining) = &mut self.state else { return };
        examining.looking = false;
        let findings = examining.exam.looked(loaded);
        if let Some(loaded) = loaded
            && self.link.measure.loaded(loaded)
        {
            self.window_measured();
        }
        self.tell_findings(findings);
    }

    fn tell_findings(&mut self, findings: Vec<ProbeFinding>) {
        self.out.emit_all(findings.into_iter().map(|finding| Event::Probed { finding }).collect());
        self.next_question();
    }

    pub(crate) fn stop_examining(&mut self) {
        self.out.carry_out(Effect::HangUp);
        self.end_turn(TurnEndReason::Interrupted);
    }
}

/// How a reply ended.
struct End {
    usage: Usage,
    /// The length limit ended it.
    cut: bool,
    trouble: Option<Trouble>,
}

/// The reply as it was read: the server's calls where it sent any, else those found in the text, or those that a server
/// quotes which could not read them.
fn answer(mut heard: Heard, specs: &[ToolSpec], end: End) -> Answer {
    let End { usage, cut, trouble } = end;
    heard.finish(&mut Vec::new());
    if cut {
        heard.distrust_end();
    }
    let lost = heard.lost.iter().map(|lost| fault(lost.why).to_owned()).collect();
    let calls = if let Some(Trouble::BadCall { message }) = &trouble {
        quoted_calls(message, specs).into_iter().map(|found| from_text(found, Way::ServerError)).collect()
    } else if heard.sent.is_empty() {
        heard.found.drain(..).map(|found| from_text(found, Way::Text)).collect()
    } else {
        heard.sent.drain(..).map(|call| (call, Origin::default())).collect()
    };
    Answer { calls, text: heard.text, thinking: heard.thinking, lost, usage, cut, trouble }
}

fn fault(why: Fault) -> &'static str {
    match why {
        Fault::CutOff => "a call was cut off",
        Fault::Unreadable => "a call could not be read",
    }
}
