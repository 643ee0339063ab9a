//! What has arrived of one reply, read as it arrives.
//!
//! Decides nothing but what is what: text, reasoning, calls, and what is none of these. `listening` acts on it.

mod reasoning;

use crate::context::Estimator;
use crate::conversation::request::Asked;
use crate::conversation::schema::{self, SchemaReply};
use crate::server::Server;
use crate::server::offer::finishing::{BARE, answer, is_end};
use crate::turn::guards::loops::{Loops, Prose, without_echo};
use crate::turn::guards::token_count::{HeldCall, TokenCount};
use agent_dialects::{Fault, FileReader, FilesKnown, Found, Lost, Piece, Splitter, Start, Tools};
use agent_protocol::{Event, ModelCall, Phase, SetAside, ToolSpec, TurnEvent};
use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Received {
    setup: Setup,
    reader: Reader,
    /// What finds files in the answer, of a model that works by files.
    files: Option<FileReader>,
    /// The answer and the reasoning, as a person reads them.
    said: Prose,
    thought: Prose,
    thought_tokens: TokenCount,
    /// The call that is being written, where it arrives as text.
    call: Option<HeldCall>,
    /// All that arrives, calls with their file contents included.
    anything: Loops,
    looping: bool,
    same_words: u32,
    /// What the model wrote besides what the server took for reasoning or calls, byte for byte.
    written: String,
    /// The answer: what stands before the first call.
    pub(crate) text: String,
    /// The reasoning, wherever it stood.
    pub(crate) thinking: String,
    /// What of it the server had told apart already.
    pub(crate) servers_thinking: String,
    /// Calls that the server sent.
    pub(crate) sent: Vec<ModelCall>,
    /// The call of a reply that was kept to a schema.
    pub(crate) kept: Option<ModelCall>,
    /// Calls found in the text.
    pub(crate) found: Vec<Found>,
    /// Calls in the text that cannot be carried out.
    pub(crate) lost: Vec<Lost>,
    after: String,
    invented: String,
    /// So much of what was written is passed on already, up to the last that looked like a call; only where there are
    /// no calls.
    talked: usize,
}

/// So many bytes of a made-up result are read to see whether reasoning ends behind it.
const LONGEST_INVENTION: usize = 4000;

/// The dialect of what was read by others, or by a schema.
pub(crate) const NO_DIALECT: &str = "";

#[derive(Debug)]
enum Reader {
    /// Nothing has arrived yet.
    Fresh,
    Reading(Box<Splitter>),
    /// The reply is kept to a schema, and means nothing before it is complete.
    Holding,
    Over,
}

/// What a splitter is made of.
#[derive(Debug, Clone)]
struct Setup {
    tools: Tools,
    /// The model gets tools; where it does not, all that it writes is talk.
    calls: bool,
    /// Where the text begins, if the server tells no reasoning apart.
    start: Start,
    /// The server says whether the model thinks, and tells its reasoning apart where it does.
    thinking_is_known: bool,
}

impl Setup {
    fn for_server(server: &Server) -> Self {
        let start = if server.starts_in_reasoning() { Start::Reasoning } else { Start::Answer };
        Setup {
            tools: server.offer.now.known.clone(),
            calls: server.offers_tools(),
            start,
            thinking_is_known: server.says_whether_it_thinks(),
        }
    }

    fn splitter(&self, start: Start) -> Splitter {
        Splitter::new(self.tools.clone(), start)
    }
    fn split_all(&self, text: &str) -> Vec<Piece> {
        let mut splitter = self.splitter(Start::Answer);
        let mut pieces = splitter.push(text);
        pieces.extend(splitter.finish());
        pieces
    }
}

/// What to do about a piece that arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    GoOn,
    /// The model makes up the result of its own, complete call: nothing after this counts.
    Invented,
    /// The model says the same again and again.
    Looping,
}

impl Received {
    /// A reply that was asked for in this way, of which nothing has arrived yet. So many repetitions of the same words are a
    /// loop.
    /// `files`: it is read as an answer of files.
    pub(crate) fn for_request(asked: Asked, server: &Server, same_words: u32, files: Option<FilesKnown>) -> Self {
        if let Some(known) = files {
            let files = Some(FileReader::new(known));
            return Received { files, ..Received::of_talk(server, same_words) };
        }
        match asked {
            Asked::Plainly | Asked::Told => Received::new(Setup::for_server(server), same_words),
            Asked::Constrained => Received::kept_to_schema(Setup::for_server(server), same_words),
        }
    }

    /// An answer in an examination, in which calls are looked for whatever form the model works in.
    pub(crate) fn of_examined(server: &Server, same_words: u32) -> Self {
        Received::new(Setup { calls: true, ..Setup::for_server(server) }, same_words)
    }

    /// A reply in which nothing is a call, whatever it looks like.
    pub(crate) fn of_talk(server: &Server, same_words: u32) -> Self {
        Received::new(Setup { calls: false, ..Setup::for_server(server) }, same_words)
    }

    fn new(setup: Setup, same_words: u32) -> Self {
        Received {
            setup,
            reader: Reader::Fresh,
            files: None,
            said: Prose::new(same_words),
            thought: Prose::new(same_words),
            thought_tokens: TokenCount::default(),
            call: None,
            anything: Loops::in_anything(same_words),
            looping: false,
            same_words,
            written: String::new(),
            text: String::new(),
            thinking: String::new(),
            servers_thinking: String::new(),
            sent: Vec::new(),
            kept: None,
            found: Vec::new(),
            lost: Vec::new(),
            after: String::new(),
            invented: String::new(),
            talked: 0,
        }
    }

    /// A reply that is kept to a schema.
    fn kept_to_schema(setup: Setup, same_words: u32) -> Self {
        Received { reader: Reader::Holding, ..Received::new(setup, same_words) }
    }

    /// A piece of what the server takes for the answer.
    pub(crate) fn text(&mut self, text: &str, out: &mut Vec<Event>) -> Sign {
        self.written.push_str(text);
        self.looping |= self.anything.hear(text);
        if self.sent.is_empty() {
            let pieces = self.split(text);
            self.take(pieces, out);
            self.tell_of_call(out);
        } else {
            self.text_behind_calls(text, out);
        }
        if !self.invented.is_empty() && !self.found.is_empty() && !self.may_be_reasoning() {
            return Sign::Invented;
        }
        self.sign()
    }

    /// May all that has arrived turn out to be reasoning that the prompt opened?
    fn may_be_reasoning(&self) -> bool {
        !self.setup.thinking_is_known && self.thinking.is_empty() && self.invented.len() < LONGEST_INVENTION
    }

    /// A piece of what the server takes for reasoning.
    pub(crate) fn thinking(&mut self, text: String, out: &mut Vec<Event>) -> Sign {
        self.thinking.push_str(&text);
        self.servers_thinking.push_str(&text);
        self.looping |= self.anything.hear(&text) | self.thought.hear(&text);
        self.thought_tokens.add(&text);
        out.push(Event::Turn(TurnEvent::Thinking { text }));
        self.sign()
    }

    fn sign(&self) -> Sign {
        if self.looping { Sign::Looping } else { Sign::GoOn }
    }

    /// Calls that the server sends: what was held back before them is decided, and text after them is none of the answer.
    pub(crate) fn calls(&mut self, calls: Vec<ModelCall>, out: &mut Vec<Event>) {
        let held = self.close();
        self.take(held, out);
        self.calls_came();
        self.sent.extend(calls);
    }

    /// The reply is complete, or broke off: what is held back is decided.
    pub(crate) fn finish(&mut self, out: &mut Vec<Event>) {
        let pieces = match &self.reader {
            Reader::Holding => self.read_kept(out),
            Reader::Fresh | Reader::Reading(_) | Reader::Over => self.close(),
        };
        self.take(pieces, out);
        if let Some(mut files) = self.files.take() {
            let held = files.finish();
            self.sort(held, out);
        }
        if self.written.trim().is_empty() && self.sent.is_empty() && self.setup.calls {
            self.look_in_thinking();
        }
        self.reader = Reader::Over;
    }

    /// Has anything of the reply arrived?
    pub(crate) fn has_anything(&self) -> bool {
        !self.written.is_empty() || !self.thinking.is_empty() || !self.sent.is_empty()
    }

    pub(crate) fn has_calls(&self) -> bool {
        !self.sent.is_empty() || self.kept.is_some() || !self.found.is_empty()
    }

    /// What was written and is no part of the answer, to be shown as such; comes once, at the end.
    pub(crate) fn set_aside(&mut self) -> Vec<Event> {
        let mut aside: Vec<(String, SetAside)> = Vec::new();
        // Calls that the server had read as well say nothing new; others beside them are not run, for nobody could
        // tell whether they were meant as well.
        if !self.sent.is_empty() {
            let other = self.found.drain(..).filter(|found| !self.sent.iter().any(|call| is_same(call, found)));
            aside.extend(other.map(|found| (found.raw, SetAside::Beside)));
        }
        aside.extend(self.lost.iter().map(|lost| (lost.raw.clone(), why(lost.why))));
        aside.push((self.after.clone(), SetAside::AfterCall));
        aside.push((self.invented.clone(), SetAside::Invented));
        aside.dedup();
        aside.retain(|(text, _)| !text.trim().is_empty());
        aside
            .into_iter()
            .map(|(text, why)| Event::Turn(TurnEvent::SetAside { text: text.trim().to_owned(), why }))
            .collect()
    }

    /// Calls by which the model only ends its work are none: what they say is the answer, or stands behind the other calls,
    /// whose results the model has not seen yet.
    pub(crate) fn take_end(&mut self, offered: &[ToolSpec]) -> Vec<Event> {
        let sent = self.sent.extract_if(.., |call| is_end(&call.name, offered)).collect::<Vec<_>>();
        let found = self.found.extract_if(.., |found| is_end(&found.name, offered));
        let found = found.map(|found| ModelCall {
            server_id: None,
            index: None,
            name: found.name,
            arguments: Value::Object(found.arguments),
        });
        let ends: Vec<ModelCall> = sent.into_iter().chain(found).collect();
        let Some(said) = ends.last().map(|call| answer(call).unwrap_or_default()) else { return Vec::new() };
        if self.has_calls() {
            self.after = format!("{}\n{said}", self.after);
            return Vec::new();
        }
        let text = match (self.text.trim(), said.as_str()) {
            ("", "") => BARE.to_owned(),
            ("", said) => said.to_owned(),
            (text, said) if text.contains(said) => return Vec::new(),
            (_, said) if self.text.ends_with('\n') => format!("\n{said}"),
            (_, said) => format!("\n\n{said}"),
        };
        self.text.push_str(&text);
        vec![Event::Turn(TurnEvent::Text { text })]
    }

    /// The same reply, of which a part turned out to be these calls; `text` is what stands around them.
    pub(crate) fn read_as(self, text: String, found: Vec<Found>) -> Self {
        Received { text, found, ..self }
    }

    /// What the model wrote, up to the end of its last call: as it goes back to a model whose tools go by text.
    pub(crate) fn written(&self) -> String {
        let more_followed = !self.lost.is_empty() || !self.invented.is_empty() || !self.after.trim().is_empty();
        let mut end = 0;
        for found in &self.found {
            end += self.written[end..].find(&found.raw).map_or(0, |at| at + found.raw.len());
        }
        match (self.found.is_empty(), end, more_followed) {
            // The calls stood in what the server took for reasoning.
            (false, 0, _) => self.found.iter().map(|found| found.raw.as_str()).collect::<Vec<_>>().join("\n"),
            (false, _, true) => self.written[..end].to_owned(),
            _ => self.written.clone(),
        }
    }

    /// The answer without the words that the model only repeated.
    pub(crate) fn text_before_echo(&self) -> &str {
        without_echo(&self.text, self.same_words)
    }

    /// About how many tokens of thinking are here.
    pub(crate) fn thought_tokens(&self, estimator: &Estimator) -> u64 {
        self.thought_tokens.tokens(estimator)
    }

    /// About how many tokens the call has that is being written as text.
    pub(crate) fn call_tokens(&self, estimator: &Estimator) -> Option<u64> {
        self.call.as_ref().map(|call| call.tokens(estimator))
    }

    /// Is the end of what arrived a loop, as a server sees it that stops them by itself?
    pub(crate) fn was_looping(&self) -> bool {
        self.anything.server_would_stop()
    }

    /// Text is to be read, where none was yet.
    fn begin(&mut self) {
        if matches!(self.reader, Reader::Fresh) {
            let start = if self.servers_thinking.is_empty() { self.setup.start } else { Start::AfterReasoning };
            self.reader = Reader::Reading(Box::new(self.setup.splitter(start)));
        }
    }

    fn split(&mut self, text: &str) -> Vec<Piece> {
        self.begin();
        match &mut self.reader {
            Reader::Reading(splitter) => splitter.push(text),
            Reader::Fresh | Reader::Holding | Reader::Over => Vec::new(),
        }
    }

    fn close(&mut self) -> Vec<Piece> {
        match &mut self.reader {
            Reader::Reading(splitter) => splitter.finish(),
            Reader::Fresh | Reader::Holding | Reader::Over => Vec::new(),
        }
    }

    fn take(&mut self, pieces: Vec<Piece>, out: &mut Vec<Event>) {
        if !self.sent.is_empty() && !matches!(self.reader, Reader::Holding) {
            return self.take_behind_calls(pieces, out);
        }
        let pieces = if self.setup.calls { pieces } else { self.as_talk(pieces) };
        let pieces = self.files_in(pieces);
        self.sort(pieces, out);
    }

    /// Each piece in its place.
    fn sort(&mut self, pieces: Vec<Piece>, out: &mut Vec<Event>) {
        for piece in pieces {
            match &piece {
                Piece::Text(text) => self.looping |= self.said.hear(text),
                Piece::Thinking(text) => {
                    self.looping |= self.thought.hear(text);
                    self.thought_tokens.add(text);
                }
                // Reasoning that is over has no bound any more.
                Piece::Call(_) | Piece::Lost(_) | Piece::Invented(_) | Piece::WasThinking(_) => {}
            }
            match piece {
                Piece::Text(text) if self.found.is_empty() && self.lost.is_empty() => {
                    self.text.push_str(&text);
                    out.push(Event::Turn(TurnEvent::Text { text }));
                }
                Piece::Text(text) => self.after.push_str(&text),
                Piece::Thinking(text) => {
                    self.thinking.push_str(&text);
                    out.push(Event::Turn(TurnEvent::Thinking { text }));
                }
                Piece::Call(found) => self.found.push(found),
                Piece::Lost(lost) => self.lost.push(lost),
                Piece::Invented(text) => self.invented.push_str(&text),
                Piece::WasThinking(was) => self.was_thinking(was, out),
            }
        }
    }

    /// The files among what is said, where the model works by files.
    fn files_in(&mut self, pieces: Vec<Piece>) -> Vec<Piece> {
        let Some(mut files) = self.files.take() else { return pieces };
        let mut found = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => found.extend(files.push(&text)),
                Piece::WasThinking(was) => {
                    files = files.forget();
                    found.push(Piece::WasThinking(was));
                }
                other => found.push(other),
            }
        }
        self.files = Some(files);
        found
    }

    /// What looks like a call or its result is talk like the rest.
    fn as_talk(&mut self, pieces: Vec<Piece>) -> Vec<Piece> {
        // Each end counts from the mark before it, and what stands before a mark is still in `written`.
        let mut last_mark = 0;
        let talk = pieces.into_iter().filter_map(|piece| match piece {
            Piece::Text(text) | Piece::Invented(text) => Some(Piece::Text(text)),
            Piece::Thinking(text) => Some(Piece::Thinking(text)),
            Piece::WasThinking(was) => {
                last_mark += was.end;
                self.talked = last_mark;
                Some(Piece::WasThinking(was))
            }
            Piece::Call(Found { raw, .. }) | Piece::Lost(Lost { raw, .. }) => {
                // Several calls in one block have the whole block for their text: it is said once.
                let at = self.written[self.talked..].find(&raw)?;
                self.talked += at + raw.len();
                Some(Piece::Text(raw))
            }
        });
        talk.collect()
    }

    /// Says with each piece of a call that one is being written: nothing else of it shows before it is complete.
    fn tell_of_call(&mut self, out: &mut Vec<Event>) {
        let Some((name, bytes)) = self.held_call() else {
            self.call = None;
            return;
        };
        let begins = self.written.len().saturating_sub(bytes);
        self.call.get_or_insert_with(|| HeldCall::begins(begins)).grows(&self.written);
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        out.push(Event::Turn(TurnEvent::Waiting { phase: Phase::WritingCall { name, bytes } }));
    }

    /// The tool, and how many bytes of its call are here and not read yet.
    fn held_call(&self) -> Option<(Option<String>, usize)> {
        if let Some(files) = self.files.as_ref().filter(|files| files.held() > 0) {
            return Some((files.held_name().map(str::to_owned), files.held()));
        }
        match &self.reader {
            Reader::Reading(splitter) if self.setup.calls && splitter.holds_a_call() => {
                Some((splitter.held_name().map(str::to_owned), splitter.held()))
            }
            Reader::Holding => Some((None, self.written.len())),
            Reader::Reading(_) | Reader::Fresh | Reader::Over => None,
        }
    }

    /// Reads a reply that should have been kept to a schema; where it was not, it is read like any other.
    fn read_kept(&mut self, out: &mut Vec<Event>) -> Vec<Piece> {
        match schema::parse_reply(&self.written) {
            Some(SchemaReply::Call(call)) => {
                self.kept = Some(call);
                Vec::new()
            }
            Some(SchemaReply::Answer(text)) => {
                self.text.push_str(&text);
                out.push(Event::Turn(TurnEvent::Text { text }));
                Vec::new()
            }
            None => {
                let pieces = self.setup.split_all(&self.written);
                let is_read = pieces.iter().any(|piece| matches!(piece, Piece::Call(_) | Piece::Lost(_)));
                if is_read || !schema::is_cut_off(&self.written) {
                    return pieces;
                }
                // Half an answer in the form of a call is neither.
                let raw = self.written.clone();
                vec![Piece::Lost(Lost { why: Fault::CutOff, name: None, dialect: NO_DIALECT, raw })]
            }
        }
    }
}

/// Are these the same call?
pub(crate) fn is_same(call: &ModelCall, found: &Found) -> bool {
    call.name == found.name && call.arguments.as_object() == Some(&found.arguments)
}

fn why(fault: Fault) -> SetAside {
    match fault {
        Fault::CutOff => SetAside::CutOff,
        Fault::Unreadable => SetAside::Unreadable,
    }
}
