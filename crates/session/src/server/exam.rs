//! The examination of a model: a few short questions, and what its replies show.
//!
//! No tool runs here and nothing is looked at: results that the model is shown are made up, and only what it wrote is
//! judged. Messages are as a server takes them, calls and results as messages of their own; where tools go by text,
//! whoever sends a question turns it into text first.
//!
//! **Invariant.** Each question of `Probe::ALL` has exactly one finding in the end, in that order, and none takes more
//! than two requests.

mod judge;
mod kit;
mod questions;
mod record;
#[cfg(test)]
mod tests;

use crate::context::squeeze;
use agent_protocol::{
    Examined, LoadedModel, Message, ModelCall, ModelCard, Origin, Probe, ProbeFinding, ProbeVerdict, ServerError,
    ServerErrorScope, Think, ToolSpec, ToolsBy, Usage, Way,
};
use judge::{After, Judged};
use kit::{Deed, Tool};
use questions::Asked;
use record::Record;
pub(crate) use record::suits;
use serde_json::Value;
use std::collections::VecDeque;

/// So much of what went wrong with a request is told, in bytes.
const TROUBLE: usize = 300;

/// What is told where the server lets a model have no tools.
const NO_TOOLS: &str =
    "the server lets this model have no tools; they should go by text (mode = \"text\" under [tools])";

#[derive(Debug, PartialEq)]
pub(crate) enum ExamStep {
    /// Put this to the model.
    Ask {
        /// The question that this belongs to.
        probe: Probe,
        messages: Vec<Message>,
        /// What the model may call.
        tools: Vec<ToolSpec>,
        /// Thinking; `None`: as the session has it.
        think: Option<Think>,
        /// A JSON schema that the reply is held to.
        format: Option<Value>,
    },
    /// Look at what the server has loaded.
    Look,
    Over(Examined),
}

/// A reply, as the machine read it, calls in text included.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// The calls, and how each came.
    pub(crate) calls: Vec<(ModelCall, Origin)>,
    pub(crate) text: String,
    pub(crate) thinking: String,
    /// Why calls that it wrote cannot be used.
    pub(crate) lost: Vec<String>,
    pub(crate) usage: Usage,
    /// The length limit ended it.
    pub(crate) cut: bool,
    /// Why there is no complete reply.
    pub(crate) trouble: Option<ServerError>,
}

#[derive(Debug)]
pub(crate) struct Exam {
    /// Can the model think? `None`: the server did not say.
    thinking: Option<bool>,
    /// Tokens the model was trained for.
    trained: Option<u64>,
    window_asked: u64,
    tools: Vec<ToolSpec>,
    stage: Stage,
    left: VecDeque<Probe>,
    /// Why no further question with tools is put.
    closed: Option<String>,
    gone: bool,
    record: Record,
    /// Findings that were not handed over yet.
    untold: Vec<ProbeFinding>,
}

#[derive(Debug)]
enum Stage {
    Asked(Box<Asked>),
    Look,
    Over,
}

/// How a question went, and why.
type Verdict = (ProbeVerdict, String);

impl Exam {
    /// An examination of this model, with the session's tools and the window that its requests ask for.
    pub(crate) fn new(card: &ModelCard, tools: &[ToolSpec], window_asked: u64) -> Self {
        let mut exam = Exam {
            thinking: card.thinking,
            trained: card.context_length,
            window_asked,
            tools: tools.to_vec(),
            stage: Stage::Over,
            left: Probe::ALL.into(),
            closed: None,
            gone: false,
            record: Record::default(),
            untold: Vec::new(),
        };
        exam.go_on();
        exam
    }

    /// What comes next; the same until it is answered.
    pub(crate) fn next(&mut self) -> ExamStep {
        match &self.stage {
            Stage::Asked(asked) => asked.next(),
            Stage::Look => ExamStep::Look,
            Stage::Over => ExamStep::Over(self.record.examined()),
        }
    }

    /// Judges a reply. There may be several findings, or none yet.
    pub(crate) fn answered(&mut self, answer: Answer) -> Vec<ProbeFinding> {
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Asked(asked) => match broken_by(&answer) {
                Some(trouble) => self.broke(*asked, trouble),
                None => self.judge(*asked, &answer),
            },
            waiting @ (Stage::Look | Stage::Over) => self.stage = waiting,
        }
        std::mem::take(&mut self.untold)
    }

    /// Judges the window; `None`: the server does not tell how it has the model loaded.
    pub(crate) fn looked(&mut self, loaded: Option<&LoadedModel>) -> Vec<ProbeFinding> {
        if matches!(self.stage, Stage::Look) {
            let (verdict, words) = self.window(loaded);
            self.found(Probe::Window, verdict, words);
            self.go_on();
        }
        std::mem::take(&mut self.untold)
    }

    /// Takes up the next question that can be put; the others get their finding unasked.
    fn go_on(&mut self) {
        self.stage = Stage::Over;
        while let Some(probe) = self.left.pop_front() {
            match self.put(probe) {
                Ok(stage) => {
                    self.stage = stage;
                    return;
                }
                Err((verdict, words)) => self.found(probe, verdict, words),
            }
        }
    }

    /// What to wait for once this question is put; `Err`: it is not worth putting.
    fn put(&self, probe: Probe) -> Result<Stage, Verdict> {
        if self.gone {
            return Err((ProbeVerdict::Skipped, "the server went away".into()));
        }
        let asked = match probe {
            Probe::OneCall => Asked::OneCall(self.tool(Deed::Read)?),
            Probe::TwoCalls => Asked::TwoCalls(self.tool(Deed::Read)?),
            Probe::Write => Asked::Write(self.tool(Deed::Write)?),
            Probe::Edit => Asked::Edit(self.tool(Deed::Edit)?),
            Probe::Stop => Asked::Stop(self.tool(Deed::Read)?),
            Probe::Schema => self.schema()?,
            Probe::Think => self.switch()?,
            Probe::Window => return Ok(Stage::Look),
            Probe::Blocks => self.blocks()?,
        };
        Ok(Stage::Asked(Box::new(asked)))
    }

    fn tool(&self, deed: Deed) -> Result<Tool, Verdict> {
        let tool = Tool::find(&self.tools, deed);
        let tool = tool.ok_or_else(|| (ProbeVerdict::Skipped, format!("no tool that {} is offered", deed.label())))?;
        match &self.closed {
            Some(why) => Err((ProbeVerdict::Failed, why.clone())),
            None => Ok(tool),
        }
    }

    /// Only of a model that will work by files it is of interest how it changes long ones.
    fn blocks(&self) -> Result<Asked, Verdict> {
        match self.record.examined().tools_by {
            Some(ToolsBy::Files) if self.closed.is_none() => Ok(Asked::Blocks),
            Some(ToolsBy::Files | ToolsBy::Server | ToolsBy::Text) | None => {
                Err((ProbeVerdict::Skipped, "only of interest where a model works by files".into()))
            }
        }
    }

    /// Only of a model that calls by the server, and needs help with it, it is of interest what helps as a last way.
    fn schema(&self) -> Result<Asked, Verdict> {
        let Examined { tools_by, findings, .. } = self.record.examined();
        let helped = |finding: &ProbeFinding| matches!(finding.verdict, ProbeVerdict::Rescued | ProbeVerdict::Failed);
        let needs_help = findings.iter().any(helped);
        match tools_by {
            Some(ToolsBy::Server) if needs_help => Ok(Asked::Schema(self.tool(Deed::Read)?)),
            Some(ToolsBy::Server) => Err((ProbeVerdict::Skipped, "its calls need no such help".into())),
            Some(ToolsBy::Files | ToolsBy::Text) | None => {
                Err((ProbeVerdict::Skipped, "only of interest where calls go by the server".into()))
            }
        }
    }

    fn switch(&self) -> Result<Asked, Verdict> {
        let words = match self.thinking {
            Some(true) => return Ok(Asked::ThinkOff),
            Some(false) => "the model has no thinking to switch",
            None => "the server does not say whether the model can think",
        };
        Err((ProbeVerdict::Skipped, words.into()))
    }

    fn judge(&mut self, asked: Asked, answer: &Answer) {
        let probe = asked.probe();
        // Where no tool is offered, what looks like a call is none.
        let counts = asked.needs_tool() && asked.format().is_none();
        let calls = if counts { answer.calls.as_slice() } else { &[] };
        let alone = matches!(asked, Asked::SchemaAlone(..));
        match judge::judge(asked, answer) {
            After::Then(asked) => {
                self.record.calls(calls, ProbeVerdict::Passed);
                self.stage = Stage::Asked(Box::new(asked));
            }
            After::Judged(Judged { verdict, words, habits }) => {
                self.record.calls(calls, verdict);
                self.record.schema_alone |= alone && verdict == ProbeVerdict::Passed;
                habits.into_iter().for_each(|habit| self.record.fault(habit));
                if verdict == ProbeVerdict::Failed {
                    self.record.fault(format!("{}: {words}", probe.words()));
                }
                self.found(probe, verdict, words);
                self.go_on();
            }
        }
    }

    /// There is no reply to judge.
    fn broke(&mut self, asked: Asked, trouble: &ServerError) {
        if let (Asked::Schema(tool), ServerErrorScope::Request) = (&asked, trouble.scope()) {
            let why = squeeze(trouble.to_string(), TROUBLE);
            self.stage = Stage::Asked(Box::new(Asked::SchemaAlone(tool.clone(), why)));
            return;
        }
        let words = match trouble {
            ServerError::NoTools { .. } => NO_TOOLS.to_owned(),
            other => squeeze(other.to_string(), TROUBLE),
        };
        match trouble.scope() {
            ServerErrorScope::Server => self.gone = true,
            ServerErrorScope::Model | ServerErrorScope::Request if asked.needs_tool() => {
                self.closed = Some(words.clone())
            }
            ServerErrorScope::Model | ServerErrorScope::Request | ServerErrorScope::Reply => {}
        }
        self.record.no_tools |= matches!(trouble, ServerError::NoTools { .. });
        if is_the_models(trouble) {
            self.record.fault(format!("{}: {words}", asked.probe().words()));
        }
        self.found(asked.probe(), ProbeVerdict::Failed, words);
        self.go_on();
    }

    fn window(&self, loaded: Option<&LoadedModel>) -> Verdict {
        let Some(loaded) = loaded else {
            return (ProbeVerdict::Skipped, "the server does not tell how it has this model loaded".into());
        };
        let (asked, trained) = (self.window_asked, self.trained);
        match loaded.context_length {
            None => (ProbeVerdict::Skipped, "the server does not tell the window of what it has loaded".into()),
            Some(given) if given >= asked => (ProbeVerdict::Passed, format!("{asked} tokens, as asked for")),
            Some(given) => {
                let why = if trained == Some(given) {
                    "the model was trained for no more"
                } else {
                    "a larger one takes more memory"
                };
                let words = format!(
                    "{asked} tokens were asked for and the server gives {given} ({why}); set num_ctx = {given} in the \
                     config, or start with --num-ctx {given}"
                );
                (ProbeVerdict::Failed, words)
            }
        }
    }

    fn found(&mut self, probe: Probe, verdict: ProbeVerdict, words: String) {
        let finding = ProbeFinding { probe, verdict, words };
        self.record.found(finding.clone());
        self.untold.push(finding);
    }
}

/// Does it tell something of the model, and not of the server or the way to it?
fn is_the_models(trouble: &ServerError) -> bool {
    matches!(
        trouble,
        ServerError::NoTools { .. }
            | ServerError::BadCall { .. }
            | ServerError::NotDone
            | ServerError::ReplyTooLong { .. }
    )
}

/// Why there is no reply to judge. Calls that were read in the server's error are one; those that came before it are
/// not run, and count for nothing.
fn broken_by(answer: &Answer) -> Option<&ServerError> {
    let quoted = answer.calls.iter().any(|(_, origin)| origin.way == Way::ServerError);
    let read_nevertheless = |trouble: &ServerError| quoted && matches!(trouble, ServerError::BadCall { .. });
    answer.trouble.as_ref().filter(|trouble| !read_nevertheless(trouble))
}
