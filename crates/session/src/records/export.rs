//! Writes a session out for others to read: Markdown for people, JSON and ATIF for programs.
//!
//! Pure: what is known of a session goes in, text comes out. Nothing in it can break the document apart: fences are
//! longer than any run of backticks inside, and control characters become signs.

mod atif;
mod calls;
mod compared;
mod marks;
mod words;

use crate::records::said::words_of;
use agent_protocol::{
    CallEvent, ContextEvent, Event, HookFate, NoticeLevel, Record, SaidId, ServerEvent, SessionCard, SessionEvent,
    Settlement, TurnEvent, Way,
};
pub use atif::atif;
use calls::Calls;
use marks::{block, code, fenced, folded, plain, visible};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Characters of what was said that are told where it is named again.
const QUOTED: usize = 60;

/// The session as one JSON object: `format` (1), `session` and every record under `records`.
pub fn json(card: &SessionCard, records: &[Record]) -> String {
    let all = serde_json::json!({"format": 1, "session": card, "records": records});
    serde_json::to_string_pretty(&all).expect("a value is always JSON") + "\n"
}

/// The session as a document for people.
pub fn markdown(card: &SessionCard, records: &[Record]) -> String {
    let mut page = Page::new(card, taken_back(records));
    for record in records {
        match record {
            Record::Setting(_) => page.goes_on(),
            Record::Event { event } => page.event(event),
            // The same once more, as the model sees it; and what was about to happen, which an event tells when it did.
            Record::Conversation { .. } | Record::Undoing { .. } | Record::Before { .. } => {}
        }
    }
    page.finish()
}

/// For each thing said that was taken back later, which rewind did it: the number of the thing it went back to.
fn taken_back(records: &[Record]) -> BTreeMap<SaidId, SaidId> {
    let (mut last, mut taken) = (0, BTreeMap::new());
    for record in records {
        let Record::Event { event } = record else { continue };
        last += u64::from(words_of(event).is_some());
        if let Event::Session(SessionEvent::Rewound { said, .. }) = event {
            (said.0..=last).for_each(|number| {
                taken.entry(SaidId(number)).or_insert(*said);
            });
        }
    }
    taken
}

/// What streams in and is not written out yet.
#[derive(Default)]
struct Stream {
    thinking: String,
    answer: String,
}

/// The document as far as it is written.
struct Page {
    text: String,
    stream: Stream,
    calls: Calls,
    said: u64,
    taken_back: BTreeMap<SaidId, SaidId>,
    model: Option<String>,
    /// The last one of the session, for what no event names.
    last_model: Option<String>,
    /// It stands there by name since the last words of the user.
    named: bool,
    settings: u64,
}

impl Page {
    fn new(card: &SessionCard, taken_back: BTreeMap<SaidId, SaidId>) -> Self {
        let mut page = Page {
            text: format!("# {}\n", plain(&card.title)),
            stream: Stream::default(),
            calls: Calls::default(),
            said: 0,
            taken_back,
            model: None,
            last_model: card.model.clone(),
            named: false,
            settings: 0,
        };
        let model = card.model.as_deref().map_or_else(|| "none".to_owned(), plain);
        let project = plain(&card.project.to_string_lossy());
        let rows = [
            ("model", model),
            ("project", project),
            ("began", words::date(card.began)),
            ("turns", card.turns.to_string()),
        ];
        page.text.push_str("\n| | |\n|---|---|\n");
        for (name, value) in rows {
            writeln!(page.text, "| {name} | {value} |").expect("a string takes all that is written to it");
        }
        page
    }

    fn goes_on(&mut self) {
        self.settings += 1;
        if self.settings > 1 {
            self.remark("the session goes on");
        }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Turn(event) => self.turn_event(event),
            Event::Call(event) => self.call_event(event),
            Event::Server(event) => {
                if let ServerEvent::ModelSet { card, .. } = event {
                    self.model_set(&card.name);
                }
            }
            Event::Context(event) => {
                if let ContextEvent::Fitted { how, before, after } = event {
                    self.remark(&words::fitted(how, *before, *after));
                }
            }
            Event::Session(event) => {
                if let Some(line) = session_line(event) {
                    self.remark(&line);
                }
            }
            Event::List(_) => {}
        }
    }

    fn turn_event(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::Started { text, .. } | TurnEvent::Steered { text } => self.push_user_text(text),
            TurnEvent::Thinking { text } => {
                self.end_answer();
                self.stream.thinking.push_str(text);
            }
            TurnEvent::Text { text } => {
                self.end_thinking();
                self.stream.answer.push_str(text);
            }
            TurnEvent::WasThinking { text } => {
                self.stream.answer.clear();
                self.stream.thinking.push_str(text);
            }
            TurnEvent::Replied { .. } => self.end_stream(),
            TurnEvent::SetAside { text, why } => {
                if !text.trim().is_empty() {
                    self.remark(&plain(&why.told(text)));
                }
            }
            TurnEvent::Receipt { receipt, .. } => words::receipt(receipt).iter().for_each(|line| self.remark(line)),
            TurnEvent::Ended { reason, .. } => {
                self.end_stream();
                words::ended(reason).iter().for_each(|how| self.remark(how));
            }
            TurnEvent::Todos { .. } | TurnEvent::Waiting { .. } => {}
            TurnEvent::Queued { .. } | TurnEvent::Unqueued { .. } => {}
        }
    }

    fn call_event(&mut self, event: &CallEvent) {
        match event {
            CallEvent::Proposed { call } => {
                if !matches!(call.origin.way, Way::Program | Way::Outside | Way::Message) {
                    self.end_stream();
                    self.model_speaks();
                }
                self.calls.proposed(call);
            }
            CallEvent::Understood { call, notes, .. } => self.calls.understood(*call, notes),
            CallEvent::Asked { question } => self.calls.asked(question),
            CallEvent::Settled { ask, settlement } => {
                if let Settlement::Yes { word, .. } | Settlement::No { word } = settlement {
                    self.calls.answered(*ask, word.as_deref());
                }
            }
            CallEvent::Running { call, preview } => self.calls.running(*call, preview),
            CallEvent::Finished { call, outcome } => {
                let lines = self.calls.finished(*call, outcome);
                self.paragraph(&lines);
            }
            CallEvent::Delegated { event, .. } => self.agent_did(event),
            CallEvent::Output { .. } | CallEvent::ModeChanged { .. } => {}
            CallEvent::Jobs { .. } | CallEvent::Tried { .. } => {}
        }
    }

    /// What an agent does is told in a line for each call, above the task that it did it for; what it writes is not.
    fn agent_did(&mut self, event: &Event) {
        let Event::Call(event) = event else { return };
        if let CallEvent::Finished { call, outcome } = event {
            let lines = self.calls.finished(*call, outcome);
            let first = lines.lines().next().unwrap_or_default();
            self.paragraph(&format!("> {first}"));
        } else {
            self.call_event(event);
        }
    }

    fn model_set(&mut self, name: &str) {
        let earlier = self.model.replace(name.to_owned());
        if earlier.is_some_and(|earlier| earlier != name) {
            self.remark(&format!("from here on with {}", code(name)));
        }
    }

    fn push_user_text(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        self.end_stream();
        self.said += 1;
        let said = SaidId(self.said);
        let by = self.taken_back.get(&said).copied();
        if by == Some(said) {
            self.remark("what follows was taken back");
        }
        self.named = false;
        let heading = if by.is_some() { "## You (taken back)" } else { "## You" };
        self.paragraph(heading);
        self.paragraph(&block(text));
    }

    /// What follows is the model's.
    fn model_speaks(&mut self) {
        if !std::mem::replace(&mut self.named, true) {
            let name =
                self.model.as_deref().or(self.last_model.as_deref()).map_or_else(|| "The model".to_owned(), plain);
            self.text.push_str(&format!("\n## {name}\n"));
        }
    }

    fn end_stream(&mut self) {
        self.end_thinking();
        self.end_answer();
    }

    fn end_thinking(&mut self) {
        let thinking = std::mem::take(&mut self.stream.thinking);
        if !thinking.trim().is_empty() {
            self.model_speaks();
            let inside = fenced("text", thinking.trim());
            self.text.push_str(&format!("\n{}", folded("Thinking", &inside)));
        }
    }

    fn end_answer(&mut self) {
        let answer = std::mem::take(&mut self.stream.answer);
        if !answer.trim().is_empty() {
            self.model_speaks();
            self.text.push_str(&format!("\n{}\n", block(&answer)));
        }
    }

    /// A short line in italics.
    fn remark(&mut self, words: &str) {
        self.paragraph(&format!("*{}*", words.trim()));
    }

    fn paragraph(&mut self, text: &str) {
        self.end_stream();
        self.text.push_str(&format!("\n{}\n", text.trim_end()));
    }

    fn finish(mut self) -> String {
        self.end_stream();
        for lines in self.calls.unfinished() {
            self.paragraph(&lines);
        }
        self.text
    }
}

/// What happened to the session as a whole, where that belongs into its history.
fn session_line(event: &SessionEvent) -> Option<String> {
    match event {
        SessionEvent::Undone { direction, files, part, .. } => Some(words::undone(*direction, *part, files)),
        SessionEvent::Rewound { text, .. } => {
            Some(format!("went back to before “{}”; that and what came after it was taken back", quoted(text)))
        }
        SessionEvent::Renamed { title } => (!title.is_empty()).then(|| format!("renamed to “{}”", plain(title))),
        SessionEvent::Notice { level, text } => {
            let sign = if *level == NoticeLevel::Warning { "! " } else { "" };
            Some(format!("{sign}{}", plain(text)))
        }
        SessionEvent::HookRan { firing } => {
            (firing.fate != HookFate::Nothing).then(|| format!("hook {}", plain(&firing.line())))
        }
        SessionEvent::Opened { .. } | SessionEvent::CheckedOut { .. } => None,
        SessionEvent::Closed | SessionEvent::Journal { .. } => None,
        SessionEvent::Restored { .. } | SessionEvent::NotRestored { .. } => None,
        SessionEvent::Page { .. } | SessionEvent::NoPage { .. } | SessionEvent::Said { .. } => None,
        SessionEvent::UndoPlanned { .. } => None,
    }
}

/// The first words of something, to name it by.
fn quoted(text: &str) -> String {
    let line = visible(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default());
    let mut begin: String = line.trim().chars().take(QUOTED).collect();
    if begin.len() < text.trim().len() {
        begin.push('…');
    }
    plain(&begin)
}
