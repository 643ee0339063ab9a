//! A call of the model: one line that says in words what it does and how it stands, and what belongs to it below.
//!
//! This room knows the life of a call; `lines` draws it, `title` names it while nothing better is known,
//! `recognised` tells by which way it came.

mod changed;
mod lines;
mod recognised;
mod sandbox;
mod subagent;
mod texts;
mod title;

use super::{Cell, INDENT, Place, Room};
use crate::clean::{OutputCleaner, clean_line, clean_text};
use crate::diff::{LaterDiff, Names};
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use agent_protocol::sanitize::figures::limit;
use agent_protocol::{CallId, Chunk, Outcome, Preview, PreviewBody, Settlement, Status, Todo, ToolCall};
use changed::Changed;
use ratatui::text::Line;
pub(crate) use recognised::{Recognised, Told};
use sandbox::SandboxWords;
use std::time::Duration;
use subagent::Subagent;
use texts::{Arguments, Detail};
use title::Telling;

/// Lines of live output that can be unfolded while a command runs.
const LIVE_LINES: usize = 1_000;

/// One call, from the proposal to its end. Everything in it is clean, or is cleaned when it is laid out.
pub(in crate::transcript) struct Call {
    palette: Palette,
    title: String,
    /// What it can be called by while nobody has looked at it.
    telling: Telling,
    recognised: Recognised,
    subject: Subject,
    state: State,
    /// What the user said with an answer.
    word: Option<String>,
    /// What the command puts out while it runs.
    live: OutputCleaner,
    /// Hooks that were run for it and had nothing to say.
    hooks: u64,
    /// What the fence has to tell of it.
    fence: SandboxWords,
    changed: Changed,
    /// What it put out in the end, or all that there is to say about a failure.
    detail: Detail,
    /// What an agent does for it.
    subagent: Subagent,
}

/// What a call is about, as closely as is known.
enum Subject {
    /// Names and values, before anything better is known.
    Arguments(Arguments),
    Command {
        command: String,
        cwd: String,
        /// `for 2 min at most`, `in the background`.
        span: String,
        /// What it acts on, if it was to be looked at.
        files: Option<Box<LaterDiff>>,
    },
    Diff(Box<LaterDiff>),
    Todos(Vec<Todo>),
    Plan(String),
    /// A question to the user, and answers to choose from; clean.
    Inquiry {
        question: String,
        choices: Vec<String>,
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
        let subject = match telling.todos(call.name()) {
            [] => Subject::Arguments(Arguments::new(&call.call.arguments)),
            todos => Subject::Todos(todos.to_vec()),
        };
        Call {
            palette,
            title: telling.title(call.name()),
            telling,
            recognised: Recognised::new(&call.origin),
            subject,
            state: State::Proposed,
            word: None,
            hooks: 0,
            live: OutputCleaner::new(LIVE_LINES),
            fence: SandboxWords::default(),
            changed: Changed::default(),
            detail: Detail::none(),
            subagent: Subagent::default(),
        }
    }

    /// It is carried out by the tool `name`, changed as the notes say.
    pub(in crate::transcript) fn understood(&mut self, name: &str, notes: &[String]) {
        if matches!(self.state, State::Proposed) {
            self.title = self.telling.title(name);
            if let todos @ [_, ..] = self.telling.todos(name) {
                self.subject = Subject::Todos(todos.to_vec());
            }
        }
        self.recognised.noted(notes);
    }

    /// A hook was run for it and had nothing to say.
    pub(in crate::transcript) fn hook_passed(&mut self) {
        self.hooks += 1;
    }

    pub(in crate::transcript) fn asked(&mut self, preview: &Preview, highlighter: &Highlighter) {
        self.preview(preview, highlighter);
        self.state = State::Asking;
    }

    pub(in crate::transcript) fn settled(&mut self, settlement: &Settlement) {
        self.state = State::Answered;
        let (Settlement::Yes { word, .. } | Settlement::No { word }) = settlement else {
            return;
        };
        self.word = word.as_deref().map(|word| clean_line(word).into_owned());
    }

    /// It is being carried out.
    pub(in crate::transcript) fn running(&mut self, preview: &Preview, highlighter: &Highlighter, now: Duration) {
        self.preview(preview, highlighter);
        self.state = State::Running { since: now, shown_secs: 0 };
    }

    /// It has put something out.
    pub(in crate::transcript) fn output(&mut self, chunk: &Chunk) {
        self.live.push(&chunk.text);
    }

    pub(in crate::transcript) fn finished(&mut self, outcome: &Outcome) {
        self.detail = match outcome.detail.is_empty() {
            true => Detail::clean(self.live.last(usize::MAX).join("\n")),
            false => Detail::raw(outcome.detail.clone()),
        };
        self.live = OutputCleaner::new(0);
        self.fence = outcome.fence.as_ref().map(SandboxWords::of).unwrap_or_default();
        self.changed = Changed::of(&outcome.changed, self.palette);
        let whole = clean_text(&outcome.summary.trim().replace("\r\n", "\n")).into_owned();
        let summary = first_line(&whole).to_owned();
        if summary.len() < whole.len() && !self.detail.text().contains(&whole) {
            self.detail = Detail::clean(format!("{whole}\n{}", self.detail.text()));
        }
        self.state = State::Ended { status: outcome.status, summary };
    }

    /// What was changed, as far as it is told while folded: in words before it is done, in a word after that.
    fn changes(&self, width: usize) -> Vec<String> {
        self.recognised.changes(self.told(), width.saturating_sub(INDENT))
    }

    fn told(&self) -> Told {
        match self.state {
            State::Proposed | State::Asking | State::Answered | State::Running { .. } => Told::Three,
            State::Ended { .. } => Told::One,
        }
    }

    fn preview(&mut self, preview: &Preview, highlighter: &Highlighter) {
        // How far a list is says more than that one is written.
        if !matches!(self.subject, Subject::Todos(_)) {
            self.title = clean_line(&preview.title).into_owned();
        }
        match &preview.body {
            PreviewBody::Plain | PreviewBody::Fetch { .. } | PreviewBody::Call { .. } | PreviewBody::Task { .. } => {}
            PreviewBody::Command { command, cwd, timeout_secs, profile: _, cover: _, files, note: _, background } => {
                let files =
                    (!files.is_empty()).then(|| LaterDiff::new(files, Names::OfAll, self.palette, highlighter.clone()));
                self.subject = Subject::Command {
                    files: files.map(Box::new),
                    command: clean_text(command).into_owned(),
                    cwd: clean_line(&cwd.to_string_lossy()).into_owned(),
                    span: span(*timeout_secs, *background),
                };
            }
            PreviewBody::Diff { files } => {
                if !matches!(&self.subject, Subject::Diff(diff) if diff.is_of(files)) {
                    let diff = LaterDiff::new(files, Names::OfSeveral, self.palette, highlighter.clone());
                    self.subject = Subject::Diff(Box::new(diff));
                }
            }
            PreviewBody::Plan { text } => self.subject = Subject::Plan(text.clone()),
            PreviewBody::Choices { question, choices } => {
                let clean = |text: &String| clean_line(text.trim()).into_owned();
                let choices = choices.iter().map(clean).collect();
                self.subject = Subject::Inquiry { question: clean_text(question.trim()).into_owned(), choices };
            }
        }
    }
}

impl Cell for Call {
    fn rows(&self, room: Room<'_>) -> Vec<Line<'static>> {
        self.lines(room)
    }

    /// Where these are its title and what was changed, and nothing else, it is one of a list.
    fn place(&self, height: usize) -> Place {
        if height == 1 + self.told().rows(self.recognised.notes.len()) { Place::Listed } else { Place::Alone }
    }

    fn folds(&self) -> bool {
        let silent = self.detail.is_empty() && self.live.count() == 0;
        !silent
            || !self.subagent.is_empty()
            || self.changed.is_listed()
            || !self.recognised.is_plain()
            || !matches!(&self.subject, Subject::Arguments(arguments) if arguments.is_empty())
    }

    /// The calls of its agent show the time too.
    fn tick(&mut self, now: Duration) -> bool {
        let mut changed = false;
        self.subagent.each_call(|call| changed |= call.tick(now));
        if let State::Running { since, shown_secs } = &mut self.state {
            let secs = now.saturating_sub(*since).as_secs();
            changed |= secs != *shown_secs;
            *shown_secs = secs;
        }
        changed
    }

    fn highlighted(&mut self, done: &Highlighted) -> bool {
        if self.subagent.highlighted(done) {
            return true;
        }
        let diff = match &mut self.subject {
            Subject::Diff(diff) | Subject::Command { files: Some(diff), .. } => diff,
            Subject::Arguments(_) | Subject::Command { files: None, .. } => return false,
            Subject::Todos(_) | Subject::Plan(_) | Subject::Inquiry { .. } => return false,
        };
        match diff.compared().filter(|view| view.waits_for(done.ticket)) {
            Some(view) => {
                view.highlighted(done);
                true
            }
            None => false,
        }
    }

    /// Whether it ran cannot be told where it had begun.
    fn lost(&mut self) {
        self.subagent.each_call(Call::lost);
        let (status, summary) = match self.state {
            State::Ended { .. } => return,
            State::Running { .. } => (Status::Unknown, ""),
            State::Proposed | State::Asking | State::Answered => (Status::Stopped, "it was not begun"),
        };
        self.detail = Detail::clean(self.live.last(usize::MAX).join("\n"));
        self.live = OutputCleaner::new(0);
        self.state = State::Ended { status, summary: summary.to_owned() };
    }

    /// This call, or the one of its agent that has this number.
    fn call(&mut self, id: CallId) -> Option<&mut Call> {
        Some(if self.subagent.has(id) { self.subagent.call_mut(id)? } else { self })
    }

    fn remarks(&self, call: CallId) -> Recognised {
        self.subagent.remarks(call).unwrap_or_else(|| self.recognised.clone())
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

/// For how long a command may run.
fn span(secs: u64, background: bool) -> String {
    if background { "in the background".to_owned() } else { format!("for {} at most", limit(secs)) }
}
