//! The answer as text, progress in words.

use crate::advice::{advice, no_model};
use crate::streams::{NOT_SAVED, Printer};
use crate::streams::{honest, progress, progress_foreign, progress_line};
use crate::{End, Streams, receipt};
use agent_protocol::sanitize::figures::{counted, short};
use agent_protocol::sanitize::{FOREIGN, foreign_block};
use agent_protocol::{
    BackgroundCommand, BackgroundState, CallEvent, CallId, Compaction, ContextEvent, Event, FailureKind, HookFate,
    JournalState, Origin, Outcome, Phase, Preview, PreviewBody, SandboxKind, SandboxReport, SandboxSupport, ServerCard,
    ServerEvent, ServerState, SessionEvent, SetAside, Status, Stuck, Subject, ToolCall, TurnEndReason, TurnEvent, Way,
};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

/// Collects the text of the reply that is arriving: it is the answer if no call follows.
#[derive(Debug, Default)]
pub(crate) struct Text {
    reply: String,
    /// Questions stand among what is said, so the answer bears the mark of foreign text.
    among_questions: bool,
    begins: Begins,
    calls: HashMap<CallId, Call>,
    /// Why nothing holds commands in; told once, when the first of them runs.
    unfenced: Option<String>,
    /// That the request waits for a place was said.
    queued: bool,
    /// What happens is not written down at the moment.
    unsaved: bool,
    /// The commands in the background, as they stood last.
    jobs: Vec<BackgroundCommand>,
    server: ServerCard,
}

/// Where the next text belongs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum Begins {
    /// To the reply at hand.
    #[default]
    Nothing,
    /// To a new one: what was said before it is not the answer. If nothing comes, it is.
    Reply,
}

/// A call that has not ended.
#[derive(Debug, Default)]
struct Call {
    title: String,
    /// `from text: hermes, 2 repairs`; empty for one that the server sent.
    came: String,
}

impl Printer for Text {
    fn event(&mut self, event: &Event, streams: &mut Streams<'_>) -> io::Result<()> {
        match event {
            Event::Turn(event) => self.print_turn_event(event, streams),
            Event::Call(event) => self.print_call_event(event, streams),
            Event::Context(event) => print_context_event(event, "", streams),
            Event::Server(event) => self.print_server_event(event, streams),
            Event::Session(event) => self.print_session_event(event, streams),
            Event::List(_) => Ok(()),
        }
    }

    fn end(&mut self, _end: End, streams: &mut Streams<'_>) -> io::Result<()> {
        streams.out.flush()
    }
}

impl Text {
    /// For a front end that asks questions.
    pub(crate) fn among_questions() -> Self {
        Text { among_questions: true, ..Text::default() }
    }

    /// Did the model say something that is its answer, if nothing follows?
    pub(crate) fn has_answer(&self) -> bool {
        !self.reply.trim().is_empty()
    }

    fn print_turn_event(&mut self, event: &TurnEvent, streams: &mut Streams<'_>) -> io::Result<()> {
        match event {
            TurnEvent::Waiting { phase: Phase::Sending } => (self.begins, self.queued) = (Begins::Reply, false),
            TurnEvent::Waiting { phase: Phase::Queued { trouble } } => {
                if !std::mem::replace(&mut self.queued, true) {
                    progress_line(streams, &format!("waiting until the server has room: {trouble}"))?;
                }
            }
            TurnEvent::Text { text } => {
                if std::mem::take(&mut self.begins) == Begins::Reply {
                    self.no_answer(streams)?;
                }
                self.reply.push_str(text);
            }
            TurnEvent::WasThinking { .. } => self.reply.clear(),
            TurnEvent::SetAside { text, why } => set_aside(text, *why, streams)?,
            TurnEvent::Receipt { receipt, .. } => {
                receipt::line(receipt).iter().try_for_each(|line| progress_line(streams, line))?;
                let mut doubts = receipt.doubts.iter();
                doubts.try_for_each(|doubt| progress_line(streams, &format!("warning: not so: {doubt}")))?;
                let warnings = receipt::warnings(receipt);
                warnings.iter().try_for_each(|warning| progress_line(streams, &format!("warning: {warning}")))?;
                receipt::unchecked(receipt).iter().try_for_each(|words| progress_line(streams, words))?;
            }
            TurnEvent::Ended { reason, .. } => self.turn_ended(reason, streams)?,
            TurnEvent::Started { .. }
            | TurnEvent::Steered { .. }
            | TurnEvent::Queued { .. }
            | TurnEvent::Unqueued { .. }
            | TurnEvent::Waiting { .. }
            | TurnEvent::Thinking { .. }
            | TurnEvent::Replied { .. }
            | TurnEvent::Todos { .. } => {}
        }
        Ok(())
    }

    fn print_call_event(&mut self, event: &CallEvent, streams: &mut Streams<'_>) -> io::Result<()> {
        match event {
            CallEvent::Proposed { call } => {
                self.no_answer(streams)?;
                self.proposed(call);
            }
            CallEvent::Understood { call, name, notes } => {
                self.title(*call, name);
                notes.iter().try_for_each(|note| progress_line(streams, &format!("changed: {note}")))?;
            }
            CallEvent::Asked { question } => {
                // What wants to reach a host runs under its own title.
                let about = !matches!(question.subject, Subject::Reach { .. });
                if let Some(call) = question.call.filter(|_| about) {
                    self.title(call, &question.preview.title);
                }
                let mut warnings = question.warnings.iter();
                warnings.try_for_each(|warning| progress_line(streams, &format!("warning: {warning}")))?;
            }
            CallEvent::Running { call, preview } => self.running(*call, preview, streams)?,
            CallEvent::Finished { call, outcome } => self.finished(*call, outcome, "", streams)?,
            CallEvent::Jobs { jobs } => self.print_jobs(jobs, streams)?,
            CallEvent::Delegated { event, .. } => self.print_subagent_event(event, streams)?,
            CallEvent::Settled { .. }
            | CallEvent::Output { .. }
            | CallEvent::ModeChanged { .. }
            | CallEvent::Tried { .. } => {}
        }
        Ok(())
    }

    fn print_server_event(&mut self, event: &ServerEvent, streams: &mut Streams<'_>) -> io::Result<()> {
        match event {
            ServerEvent::Server { state: ServerState::Down { trouble, .. } } => {
                progress(streams, &format!("{trouble}; {}", advice(trouble)))
            }
            ServerEvent::Server { state: ServerState::Up(card) } => {
                self.server = card.clone();
                Ok(())
            }
            ServerEvent::Models { models, reason } => progress(streams, &no_model(models, reason, &self.server)),
            ServerEvent::Server { .. }
            | ServerEvent::ModelSet { .. }
            | ServerEvent::ModelDescribed { .. }
            | ServerEvent::Loaded { .. }
            | ServerEvent::ModelRemoved { .. }
            | ServerEvent::Nearby { .. }
            | ServerEvent::ThinkSet { .. }
            | ServerEvent::Overruled { .. }
            | ServerEvent::Pulling { .. }
            | ServerEvent::Examining { .. }
            | ServerEvent::Probed { .. }
            | ServerEvent::Diagnosed { .. } => Ok(()),
        }
    }

    fn print_session_event(&mut self, event: &SessionEvent, streams: &mut Streams<'_>) -> io::Result<()> {
        match event {
            SessionEvent::Opened { host, sandbox, exposed, .. } => {
                self.unfenced = without_fence(sandbox);
                let words = format!("warning: {host} is not encrypted: others on the way to it can read along");
                exposed.then_some(words).iter().try_for_each(|words| progress_line(streams, words))
            }
            SessionEvent::Restored { card, .. } => {
                self.calls.clear();
                self.reply.clear();
                let turns = counted(card.turns, "turn");
                progress_line(streams, &format!("going on with “{}” ({turns})", card.title))
            }
            SessionEvent::NotRestored { why } => progress_line(streams, why),
            SessionEvent::Journal { state: JournalState::Unkept { why } } => {
                self.unsaved = true;
                progress_line(streams, &format!("warning: {NOT_SAVED}{why}"))
            }
            SessionEvent::Journal { state: JournalState::Kept { .. } } => {
                let again = std::mem::take(&mut self.unsaved).then_some("this session is saved again");
                again.iter().try_for_each(|words| progress_line(streams, words))
            }
            SessionEvent::Notice { text, .. } => progress(streams, text),
            SessionEvent::HookRan { firing } if firing.fate == HookFate::Nothing => Ok(()),
            SessionEvent::HookRan { firing } => progress_line(streams, &format!("hook {}", firing.line())),
            SessionEvent::CheckedOut { .. }
            | SessionEvent::Said { .. }
            | SessionEvent::Page { .. }
            | SessionEvent::NoPage { .. }
            | SessionEvent::Renamed { .. }
            | SessionEvent::UndoPlanned { .. }
            | SessionEvent::Undone { .. }
            | SessionEvent::Rewound { .. }
            | SessionEvent::Closed => Ok(()),
        }
    }

    /// What an agent does is progress, indented; what it says comes as the result of its task.
    fn print_subagent_event(&mut self, event: &Event, streams: &mut Streams<'_>) -> io::Result<()> {
        match event {
            Event::Call(CallEvent::Proposed { call }) => self.proposed(call),
            Event::Call(CallEvent::Understood { call, name, .. }) => self.title(*call, name),
            Event::Call(CallEvent::Running { call, preview }) => self.running(*call, preview, streams)?,
            Event::Call(CallEvent::Finished { call, outcome }) => self.finished(*call, outcome, "  ", streams)?,
            Event::Session(SessionEvent::Notice { text, .. }) => progress_line(streams, &format!("  {text}"))?,
            Event::Context(event) => print_context_event(event, "  ", streams)?,
            Event::Turn(_) | Event::Call(_) | Event::Server(_) | Event::Session(_) | Event::List(_) => {}
        }
        Ok(())
    }

    fn proposed(&mut self, call: &ToolCall) {
        self.calls.insert(call.id, Call { title: call.name().to_owned(), came: arrival_label(&call.origin) });
    }

    fn running(&mut self, call: CallId, preview: &Preview, streams: &mut Streams<'_>) -> io::Result<()> {
        self.title(call, &preview.title);
        let command = matches!(preview.body, PreviewBody::Command { .. });
        let words = if command { self.unfenced.take() } else { None };
        words.iter().try_for_each(|words| progress_line(streams, words))
    }

    fn finished(&mut self, call: CallId, outcome: &Outcome, indent: &str, streams: &mut Streams<'_>) -> io::Result<()> {
        let call = self.calls.remove(&call).unwrap_or_default();
        progress_line(streams, &format!("{indent}{}", finished(&call, outcome)))?;
        outcome.fence.iter().try_for_each(|report| fence(report, streams))
    }

    /// A line for each that began or came to its end.
    fn print_jobs(&mut self, jobs: &[BackgroundCommand], streams: &mut Streams<'_>) -> io::Result<()> {
        let known = std::mem::replace(&mut self.jobs, jobs.to_vec());
        let mut news = jobs.iter().filter(|job| !known.contains(job));
        news.try_for_each(|job| progress_line(streams, &in_background(job)))
    }

    /// What was said so far was not the answer.
    fn no_answer(&mut self, streams: &mut Streams<'_>) -> io::Result<()> {
        let said = std::mem::take(&mut self.reply);
        progress_foreign(streams, said.trim())
    }

    fn title(&mut self, call: CallId, title: &str) {
        self.calls.entry(call).or_default().title = title.to_owned();
    }

    fn turn_ended(&mut self, reason: &TurnEndReason, streams: &mut Streams<'_>) -> io::Result<()> {
        let answer = std::mem::take(&mut self.reply);
        if !answer.is_empty() {
            let answer = match self.among_questions {
                true => Cow::Owned(foreign_block(answer.trim_end(), FOREIGN)),
                false => honest(&answer, streams.out_is_terminal),
            };
            writeln!(streams.out, "{}", answer.trim_end())?;
        }
        match reason {
            TurnEndReason::Broken { trouble } => progress(streams, &format!("{trouble}; {}", advice(trouble))),
            TurnEndReason::Length => progress(streams, CUT),
            TurnEndReason::Full => progress(streams, FULL),
            TurnEndReason::Stuck { how } => {
                progress(streams, &format!("stopped: the model {}; {}", how.words(), way_out(*how)))
            }
            TurnEndReason::TimeLimit => progress(streams, "stopped: the time is up; -c goes on with the session"),
            TurnEndReason::Lost => progress(streams, "the program ended in the middle of this turn"),
            // Of a window that is too small a notice said what helps.
            TurnEndReason::Done
            | TurnEndReason::Interrupted
            | TurnEndReason::StepLimit
            | TurnEndReason::Repeating
            | TurnEndReason::TooSmall { .. } => Ok(()),
        }
    }
}

/// How it stands with a command in the background.
fn in_background(job: &BackgroundCommand) -> String {
    let state = match job.state {
        BackgroundState::Running => "runs until this run is over".to_owned(),
        BackgroundState::Ended { code: Some(code) } => format!("ended with exit code {code}"),
        BackgroundState::Ended { code: None } => "ended by a signal".to_owned(),
        BackgroundState::Stopped => "stopped".to_owned(),
    };
    format!("background {}: {} · {state}", job.id.0, job.command)
}

fn print_context_event(event: &ContextEvent, indent: &str, streams: &mut Streams<'_>) -> io::Result<()> {
    match event {
        ContextEvent::Fitted { how, before, after } => {
            progress_line(streams, &format!("{indent}{}", fitted(how, *before, *after)))
        }
        ContextEvent::WindowMeasured { .. }
        | ContextEvent::Fitting { .. }
        | ContextEvent::Offered { .. }
        | ContextEvent::Window { .. }
        | ContextEvent::Cleared => Ok(()),
    }
}

/// How the conversation was made shorter, and by how much.
fn fitted(how: &Compaction, before: u64, after: u64) -> String {
    let what = match how {
        Compaction::Stubbed { results } => format!("{} became a line each", counted(*results, "old result")),
        Compaction::Summarised { messages, .. } => format!("the model summarised {}", counted(*messages, "message")),
        Compaction::Digested { messages, .. } => {
            format!("{} became a rule-based summary", counted(*messages, "message"))
        }
    };
    format!("compacted: {what}, {} → {} tokens", short(before), short(after))
}

/// How a turn ends whose last reply was cut off by the limit, and the way out.
const CUT: &str = "the reply was cut off: the length limit or the window is full; ask for smaller steps, or set a larger \
                   num_predict under [options], or num_ctx";

/// How a turn ends that found no room any more, and the way out.
const FULL: &str =
    "stopped: the conversation fills the window; ask for less at a time, or give the model a larger window";

/// What can be done about a model that is stuck.
fn way_out(how: Stuck) -> &'static str {
    match how {
        Stuck::Alternating | Stuck::Silent | Stuck::Announcing | Stuck::Looking | Stuck::Idle => {
            "say more closely what to do"
        }
        Stuck::Endless => "ask for it in parts",
        Stuck::Babbling | Stuck::Unreadable => "name another with --model",
    }
}

/// By which way a call came that the server did not send; a call it sent may still have been mended.
fn arrival_label(origin: &Origin) -> String {
    let way = match (origin.way, &origin.dialect) {
        (Way::Server | Way::Program | Way::Outside | Way::Message, _) => None,
        // That is how a model works that works by files.
        (_, Some(_)) if origin.is_file_block() => None,
        (way, Some(dialect)) => Some(format!("{}: {dialect}", way.words())),
        (way, None) => Some(way.words().to_owned()),
    };
    let repairs = match origin.repairs.len() {
        0 => None,
        1 => Some("1 repair".to_owned()),
        many => Some(format!("{many} repairs")),
    };
    way.into_iter().chain(repairs).collect::<Vec<_>>().join(", ")
}

/// What the model wrote and nobody gets to see here is told by its length. A blank after a call is no news.
fn set_aside(text: &str, why: SetAside, streams: &mut Streams<'_>) -> io::Result<()> {
    match why {
        SetAside::Invented | SetAside::AfterCall | SetAside::Beside if text.trim().is_empty() => Ok(()),
        SetAside::Invented | SetAside::AfterCall | SetAside::Beside | SetAside::CutOff | SetAside::Unreadable => {
            progress(streams, &why.told(text))
        }
    }
}

/// Why commands can do what the user can, if they can.
fn without_fence(sandbox: &SandboxSupport) -> Option<String> {
    match sandbox.kind {
        SandboxKind::Kernel => None,
        SandboxKind::None => Some(format!("warning: commands run without a sandbox: {}", sandbox.words)),
        SandboxKind::Off => Some("warning: commands run without a sandbox: it is switched off in the config".into()),
        SandboxKind::Disposable => {
            Some("warning: NO SANDBOX, NO QUESTIONS: commands can do what you can, and nothing is asked".into())
        }
    }
}

/// What the fence has to tell of a command.
fn fence(report: &SandboxReport, streams: &mut Streams<'_>) -> io::Result<()> {
    if let Some(words) = report.blocked_words() {
        progress_line(streams, &format!("  {words}"))?;
    }
    let mut tampered = report.tampered.iter();
    tampered
        .try_for_each(|name| progress_line(streams, &format!("warning: a command changed a protected file: {name}")))
}

fn finished(call: &Call, outcome: &Outcome) -> String {
    let Call { title, came } = call;
    let sign = match outcome.status {
        Status::Done => "✓",
        Status::Failed { kind: FailureKind::CannotRun } => "–",
        Status::Exited { .. } | Status::Failed { .. } => "✗",
        Status::Refused | Status::Stopped => "–",
        Status::Unknown => "?",
    };
    let state = match outcome.status {
        Status::Refused => "refused",
        Status::Done | Status::Exited { .. } | Status::Failed { .. } | Status::Stopped | Status::Unknown => {
            &outcome.summary
        }
    };
    let line = if state.is_empty() { format!("{sign} {title}") } else { format!("{sign} {title} · {state}") };
    if came.is_empty() { line } else { format!("{line} ({came})") }
}
