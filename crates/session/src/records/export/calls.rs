//! Calls, from their proposal to their end: a line each, then what was to be done, then what came out.

use super::compared::unified;
use super::marks::{code, fenced, folded, plain};
use agent_protocol::{AskId, CallId, FileDiff, Outcome, Preview, PreviewBody, Question, Status, ToolCall};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Calls that have not ended.
#[derive(Default)]
pub(super) struct Calls {
    open: BTreeMap<CallId, Open>,
    asked: HashMap<AskId, CallId>,
}

#[derive(Default)]
struct Open {
    name: String,
    arguments: Value,
    preview: Option<Preview>,
    /// It was being carried out.
    began: bool,
    notes: Vec<String>,
    /// What the user said with an answer.
    words: Vec<String>,
}

impl Calls {
    pub(super) fn proposed(&mut self, call: &ToolCall) {
        let open = Open { name: call.name().to_owned(), arguments: call.call.arguments.clone(), ..Open::default() };
        self.open.insert(call.id, open);
    }

    pub(super) fn understood(&mut self, call: CallId, notes: &[String]) {
        self.entry(call).notes.extend_from_slice(notes);
    }

    pub(super) fn asked(&mut self, question: &Question) {
        let Some(call) = question.call else { return };
        self.asked.insert(question.id, call);
        self.entry(call).preview = Some(question.preview.clone());
    }

    pub(super) fn answered(&mut self, ask: AskId, word: Option<&str>) {
        if let (Some(call), Some(word)) = (self.asked.remove(&ask), word) {
            self.entry(call).words.push(word.to_owned());
        }
    }

    pub(super) fn running(&mut self, call: CallId, preview: &Preview) {
        let open = self.entry(call);
        open.preview = Some(preview.clone());
        open.began = true;
    }

    /// It has ended, and is told.
    pub(super) fn finished(&mut self, call: CallId, outcome: &Outcome) -> String {
        let open = self.open.remove(&call).unwrap_or_default();
        let mut text = open.line(sign(outcome.status), &state(outcome));
        text.push_str(&open.body());
        if !outcome.detail.trim().is_empty() {
            text.push_str(&format!("\n{}", folded("Output", &fenced("text", &outcome.detail))));
        }
        text
    }

    /// Those of which no end was written down.
    pub(super) fn unfinished(&mut self) -> Vec<String> {
        let told = |open: &Open| {
            let (sign, state) = if open.began { ("?", "may have run") } else { ("–", "never begun") };
            open.line(sign, state) + &open.body()
        };
        self.open.values().map(told).collect()
    }

    fn entry(&mut self, call: CallId) -> &mut Open {
        self.open.entry(call).or_default()
    }
}

impl Open {
    fn line(&self, sign: &str, state: &str) -> String {
        let title = self.preview.as_ref().map_or(&self.name, |preview| &preview.title);
        let dot = if state.is_empty() { "" } else { " · " };
        let mut text = format!("{sign} {}{dot}{}\n", code(title), plain(state));
        for note in &self.notes {
            text.push_str(&format!("\n*{}*\n", plain(note)));
        }
        for word in &self.words {
            text.push_str(&format!("\n*you said with it: {}*\n", plain(word)));
        }
        text
    }

    /// What it would do, as closely as is known.
    fn body(&self) -> String {
        match self.preview.as_ref().map(|preview| &preview.body) {
            Some(PreviewBody::Plain) => String::new(),
            Some(PreviewBody::Diff { files }) => files.iter().map(diff).collect(),
            Some(PreviewBody::Command { command, .. }) => format!("\n{}", fenced("sh", command)),
            Some(PreviewBody::Fetch { url, sends }) => match sends.as_str() {
                "" => format!("\n{}", code(url)),
                sends => format!("\n{}, with {}", code(url), code(sends)),
            },
            Some(PreviewBody::Call { arguments, .. }) => format!("\n{}", fenced("json", arguments)),
            Some(PreviewBody::Task { prompt, .. }) => format!("\n{}", folded("Task", &fenced("markdown", prompt))),
            Some(PreviewBody::Plan { text }) => format!("\n{}", fenced("markdown", text)),
            Some(PreviewBody::Choices { question, choices }) => {
                let choices: String = choices.iter().map(|choice| format!("\n- {}", plain(choice))).collect();
                format!("\n{}\n{choices}\n", plain(question))
            }
            None if self.arguments.is_null() => String::new(),
            None => {
                let arguments = serde_json::to_string_pretty(&self.arguments).expect("a value is always JSON");
                format!("\n{}", folded("Arguments", &fenced("json", &arguments)))
            }
        }
    }
}

fn diff(file: &FileDiff) -> String {
    let note = file.note.as_ref().map(|note| format!("\n*{}*\n", plain(note)));
    format!("\n{}{}", fenced("diff", &unified(file)), note.unwrap_or_default())
}

fn sign(status: Status) -> &'static str {
    match status {
        Status::Done => "✓",
        Status::Exited { .. } | Status::Failed { .. } => "✗",
        Status::Refused | Status::Stopped => "–",
        Status::Unknown => "?",
    }
}

fn state(outcome: &Outcome) -> String {
    let word = match outcome.status {
        Status::Refused => "refused",
        Status::Unknown => "may have run",
        Status::Done | Status::Exited { .. } | Status::Failed { .. } | Status::Stopped => "",
    };
    match (word, outcome.summary.as_str()) {
        ("", summary) => summary.to_owned(),
        (word, "") => word.to_owned(),
        (word, summary) if summary.starts_with(word) => summary.to_owned(),
        (word, summary) => format!("{word}: {summary}"),
    }
}
