//! A call of the model: one line that says in words what it does and how it stands, and what belongs to it below.
//!
//! This room knows the life of a call; `lines` draws it, `title` names it while nothing better is known,
//! `recognised` tells by which way it came.

mod lines;
mod recognised;
mod title;

use super::{INDENT, Laid, Room};
use crate::clean::{OutputCleaner, clean_line, clean_output, clean_text};
use crate::diff::DiffView;
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use agent_protocol::{Chunk, FileDiff, Outcome, Preview, PreviewBody, Settlement, Status, ToolCall};
use recognised::Recognised;
pub(crate) use recognised::{Remarks, Told};
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;
use title::Telling;

/// Lines of live output that can be unfolded while a command runs.
const LIVE_LINES: usize = 1_000;

/// Characters of one argument that are kept; what a file will hold is seen in the diff.
const ARGUMENT: usize = 10_000;

/// One call, from the proposal to its end. Everything in it is clean.
pub(in crate::transcript) struct Call {
    palette: Palette,
    title: String,
    /// What it can be called by while nobody has looked at it.
    telling: Telling,
    recognised: Recognised,
    subject: Subject,
    state: State,
    /// What the person said with an answer.
    word: Option<String>,
    /// What the command puts out while it runs.
    live: OutputCleaner,
    /// What it put out in the end, or all that there is to say about a failure.
    detail: String,
    pub(super) laid: Laid,
}

/// What a call is about, as closely as is known.
enum Subject {
    /// Names and values, before anything better is known.
    Arguments(Vec<(String, String)>),
    Command {
        command: String,
        cwd: String,
        timeout_secs: u64,
    },
    Diff {
        view: Box<DiffView>,
        /// Tells whether another preview holds the same files.
        digest: u64,
    },
}

enum State {
    Proposed,
    Asking,
    Answered,
    Running {
        since: Duration,
        shown_secs: u64,
    },
    Ended {
        status: Status,
        /// One line.
        summary: String,
    },
}

impl Call {
    /// The model proposes `call`.
    pub(in crate::transcript) fn new(call: &ToolCall, palette: Palette) -> Self {
        let telling = Telling::of(&call.call.arguments);
        Call {
            palette,
            title: telling.title(call.name()),
            telling,
            recognised: Recognised::new(&call.origin),
            subject: Subject::Arguments(arguments(&call.call.arguments)),
            state: State::Proposed,
            word: None,
            live: OutputCleaner::new(LIVE_LINES),
            detail: String::new(),
            laid: Laid::default(),
        }
    }

    /// It is carried out by the tool `name`, changed as the notes say.
    pub(in crate::transcript) fn understood(&mut self, name: &str, notes: &[String]) {
        if matches!(self.state, State::Proposed) {
            self.title = self.telling.title(name);
        }
        self.recognised.noted(notes);
        self.laid.spoil();
    }

    /// What a person who is asked about it should know: by which way it came, what was changed.
    pub(in crate::transcript) fn remarks(&self) -> Remarks {
        self.recognised.remarks()
    }

    /// The person is asked.
    pub(in crate::transcript) fn asked(&mut self, preview: &Preview, highlighter: &Highlighter) {
        self.preview(preview, highlighter);
        self.state = State::Asking;
    }

    /// The person has answered.
    pub(in crate::transcript) fn settled(&mut self, settlement: &Settlement) {
        self.state = State::Answered;
        let (Settlement::Yes { word, .. } | Settlement::No { word }) = settlement else {
            return self.laid.spoil();
        };
        self.word = word.as_deref().map(|word| clean_line(word).into_owned());
        self.laid.spoil();
    }

    /// It is being carried out.
    pub(in crate::transcript) fn running(&mut self, preview: &Preview, highlighter: &Highlighter, now: Duration) {
        self.preview(preview, highlighter);
        self.state = State::Running { since: now, shown_secs: 0 };
    }

    /// It has put something out.
    pub(in crate::transcript) fn output(&mut self, chunk: &Chunk) {
        self.live.push(&chunk.text);
        self.laid.spoil();
    }

    /// It has ended.
    pub(in crate::transcript) fn finished(&mut self, outcome: &Outcome) {
        self.detail = match outcome.detail.is_empty() {
            true => self.live.last(usize::MAX).join("\n"),
            false => clean_output(&outcome.detail),
        };
        self.live = OutputCleaner::new(0);
        let whole = clean_text(&outcome.summary.trim().replace("\r\n", "\n")).into_owned();
        let summary = first_line(&whole).to_owned();
        if summary.len() < whole.len() && !self.detail.contains(&whole) {
            self.detail = format!("{whole}\n{}", self.detail);
        }
        self.state = State::Ended { status: outcome.status, summary };
        self.laid.spoil();
    }

    pub(super) fn tick(&mut self, now: Duration) {
        if let State::Running { since, shown_secs } = &mut self.state {
            let secs = now.saturating_sub(*since).as_secs();
            if secs != *shown_secs {
                *shown_secs = secs;
                self.laid.spoil();
            }
        }
    }

    /// Is there anything to unfold?
    pub(super) fn folds(&self) -> bool {
        let silent = self.detail.is_empty() && self.live.count() == 0;
        !silent
            || !self.recognised.is_plain()
            || !matches!(&self.subject, Subject::Arguments(arguments) if arguments.is_empty())
    }

    /// Laid out in `height` rows, are these its title and what was changed, and nothing else?
    pub(super) fn is_listed(&self, height: usize) -> bool {
        height == 1 + self.told().rows(self.recognised.notes.len())
    }

    /// What was changed, as far as it is told while folded: in words before it is done, in a word after that.
    fn changes(&self, width: usize) -> Vec<String> {
        recognised::changes(&self.recognised.notes, self.told(), width.saturating_sub(INDENT))
    }

    fn told(&self) -> Told {
        match self.state {
            State::Proposed | State::Asking | State::Answered | State::Running { .. } => Told::Three,
            State::Ended { .. } => Told::One,
        }
    }

    pub(super) fn lay_out(&mut self, room: Room<'_>) -> usize {
        if self.laid.is_right(room.width, room.fold) {
            return self.laid.rows.len();
        }
        let rows = self.lines(room);
        self.laid.set(room.width, room.fold, rows)
    }

    pub(super) fn highlighted(&mut self, done: &Highlighted) -> bool {
        match &mut self.subject {
            Subject::Diff { view, .. } if view.waits_for(done.ticket) => {
                view.highlighted(done);
                self.laid.spoil();
                true
            }
            Subject::Diff { .. } | Subject::Arguments(_) | Subject::Command { .. } => false,
        }
    }

    fn preview(&mut self, preview: &Preview, highlighter: &Highlighter) {
        self.title = clean_line(&preview.title).into_owned();
        self.laid.spoil();
        match &preview.body {
            PreviewBody::Plain => {}
            PreviewBody::Command { command, cwd, timeout_secs } => {
                self.subject = Subject::Command {
                    command: clean_text(command).into_owned(),
                    cwd: clean_line(&cwd.to_string_lossy()).into_owned(),
                    timeout_secs: *timeout_secs,
                };
            }
            PreviewBody::Diff { files } => {
                let now = digest(files);
                if !matches!(self.subject, Subject::Diff { digest, .. } if digest == now) {
                    let view = Box::new(DiffView::new(files, self.palette, highlighter.clone()));
                    self.subject = Subject::Diff { view, digest: now };
                }
            }
        }
    }
}

/// The first line of `text`. Words that only lead over to the next line are left out: `not there; the nearest are:`.
fn first_line(text: &str) -> &str {
    let Some((line, _)) = text.split_once('\n') else { return text };
    match line.trim_end().strip_suffix(':') {
        Some(line) => line.rsplit_once("; ").map_or(line, |(said, _)| said),
        None => line.trim_end().trim_end_matches(';'),
    }
}

/// Arguments as a person reads them: text as text, the rest as JSON.
fn arguments(arguments: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let pair = |(name, value): (&String, &Value)| {
        (clean_line(name).into_owned(), clean_text(&kept(text(value), ARGUMENT)).into_owned())
    };
    match arguments {
        Value::Object(arguments) => arguments.iter().map(pair).collect(),
        Value::Null => Vec::new(),
        other => vec![("arguments".to_owned(), clean_text(&kept(text(other), ARGUMENT)).into_owned())],
    }
}

/// The beginning of a long text, `most` characters, and how much more there is.
fn kept(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}\n… {} more bytes", &text[..end], text.len() - end),
        None => text,
    }
}

fn digest(files: &[FileDiff]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in files {
        (&file.path, &file.before, &file.after, &file.note).hash(&mut hasher);
    }
    hasher.finish()
}
