//! Writes a session out for others to read: Markdown for people, JSON for programs.
//!
//! Pure: what is known of a session goes in, text comes out. Nothing in it can break the document apart: fences are
//! longer than any run of backticks inside, and control characters become signs.

mod calls;
mod compared;
mod marks;
mod words;

use agent_protocol::{
    CallEvent, ContextEvent, Event, NoticeLevel, Record, SaidId, ServerEvent, SessionCard, SessionEvent, Settlement,
    TurnEvent,
};
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
        match record {
            Record::Event { event: Event::Session(SessionEvent::Rewound { said, .. }) } => {
                (said.0..=last).for_each(|number| {
                    taken.entry(SaidId(number)).or_insert(*said);
                });
            }
            Record::Event { event } if said_by(event).is_some() => last += 1,
            _ => {}
        }
    }
    taken
}

/// The words of the person, where the event is about something they said.
fn said_by(event: &Event) -> Option<&str> {
    match event {
        Event::Turn(TurnEvent::Started { text, .. }) if !text.is_empty() => Some(text),
        Event::Turn(TurnEvent::Steered { text }) => Some(text),
        _ => None,
    }
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
    /// Things said so far.
    said: u64,
    taken_back: BTreeMap<SaidId, SaidId>,
    model: Option<String>,
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
        if let Some(text) = said_by(event) {
            return self.said(text);
        }
        match event {
            Event::Turn(TurnEvent::Thinking { text }) => {
                self.end_answer();
                self.stream.thinking.push_str(text);
            }
            Event::Turn(TurnEvent::Text { text }) => {
                self.end_thinking();
                self.stream.answer.push_str(text);
            }
            Event::Turn(TurnEvent::Replied { .. }) => self.end_stream(),
            Event::Call(CallEvent::Proposed { call }) => self.calls.proposed(call),
            Event::Call(CallEvent::Understood { call, notes, .. }) => self.calls.understood(*call, notes),
            Event::Call(CallEvent::Asked { question }) => self.calls.asked(question),
            Event::Call(CallEvent::Settled {
                ask,
                settlement: Settlement::Yes { word, .. } | Settlement::No { word },
            }) => {
                self.calls.answered(*ask, word.as_deref());
            }
            Event::Call(CallEvent::Running { call, preview }) => self.calls.running(*call, preview),
            Event::Call(CallEvent::Finished { call, outcome }) => {
                let lines = self.calls.finished(*call, outcome);
                self.paragraph(&lines);
            }
            Event::Call(CallEvent::Delegated { event, .. }) => self.agent_did(event),
            other => self.happened(other),
        }
    }

    /// What an agent does is told in a line for each call, above the task that it did it for.
    fn agent_did(&mut self, event: &Event) {
        match event {
            Event::Call(CallEvent::Proposed { call }) => self.calls.proposed(call),
            Event::Call(CallEvent::Understood { call, notes, .. }) => self.calls.understood(*call, notes),
            Event::Call(CallEvent::Running { call, preview }) => self.calls.running(*call, preview),
            Event::Call(CallEvent::Finished { call, outcome }) => {
                let lines = self.calls.finished(*call, outcome);
                let first = lines.lines().next().unwrap_or_default();
                self.paragraph(&format!("> {first}"));
            }
            _ => {}
        }
    }

    /// What is told in one line.
    fn happened(&mut self, event: &Event) {
        match event {
            Event::Server(ServerEvent::ModelSet { card, .. }) => {
                let earlier = self.model.replace(card.name.clone());
                if earlier.is_some_and(|earlier| earlier != card.name) {
                    self.remark(&format!("from here on with {}", code(&card.name)));
                }
            }
            Event::Turn(TurnEvent::SetAside { text, why }) if !text.trim().is_empty() => {
                self.remark(&plain(&why.told(text)))
            }
            Event::Context(ContextEvent::Fitted { how, before, after }) => {
                self.remark(&words::fitted(how, *before, *after))
            }
            Event::Turn(TurnEvent::Receipt { receipt, .. }) => {
                words::receipt(receipt).iter().for_each(|line| self.remark(line))
            }
            Event::Session(SessionEvent::Undone { direction, files, .. }) => {
                self.remark(&words::undone(*direction, files))
            }
            Event::Session(SessionEvent::Rewound { text, .. }) => {
                self.remark(&format!(
                    "went back to before “{}”; that and what came after it was taken back",
                    quoted(text)
                ));
            }
            Event::Session(SessionEvent::Renamed { title }) if !title.is_empty() => {
                self.remark(&format!("renamed to “{}”", plain(title)))
            }
            Event::Session(SessionEvent::Notice { level, text }) => {
                let sign = if *level == NoticeLevel::Warning { "! " } else { "" };
                self.remark(&format!("{sign}{}", plain(text)));
            }
            Event::Turn(TurnEvent::Ended { reason, .. }) => {
                self.end_stream();
                if let Some(how) = words::ended(reason) {
                    self.remark(&how);
                }
            }
            _ => {}
        }
    }

    fn said(&mut self, text: &str) {
        self.end_stream();
        self.said += 1;
        let said = SaidId(self.said);
        let by = self.taken_back.get(&said).copied();
        if by == Some(said) {
            self.remark("what follows was taken back");
        }
        let heading = if by.is_some() { "## You (taken back)" } else { "## You" };
        self.paragraph(heading);
        self.paragraph(&block(text));
    }

    fn end_stream(&mut self) {
        self.end_thinking();
        self.end_answer();
    }

    fn end_thinking(&mut self) {
        let thinking = std::mem::take(&mut self.stream.thinking);
        if !thinking.trim().is_empty() {
            let inside = fenced("text", thinking.trim());
            self.text.push_str(&format!("\n{}", folded("Thinking", &inside)));
        }
    }

    fn end_answer(&mut self) {
        let answer = std::mem::take(&mut self.stream.answer);
        if !answer.trim().is_empty() {
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

/// The first words of something, to name it by.
fn quoted(text: &str) -> String {
    let line = visible(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default());
    let mut begin: String = line.trim().chars().take(QUOTED).collect();
    if begin.len() < text.trim().len() {
        begin.push('…');
    }
    plain(&begin)
}
