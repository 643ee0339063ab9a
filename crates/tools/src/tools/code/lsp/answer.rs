//! One question to a running server, and its answer in words.

use super::super::page::{LinePage, shortened};
use super::asked::{LspAction, LspQuestion};
use super::places::{self, LspPlace, Shower};
use super::{Desk, kinds, symbols};
use crate::lsp::{Choice, Document, LanguageServerProcess, Patience, Position};
use crate::words;
use agent_protocol::{Failure, FailureKind, Outcome};
use serde_json::{Value, json};

/// Seconds of an answer's time that are spent on waiting until a server has seen the project.
const SETTLING: u64 = 20;
/// Seconds until a server has said what is wrong with a file.
const REPORTING: u64 = 15;
const COMPLETIONS: usize = 40;
/// Characters of a line of an answer.
const WIDTH: usize = 300;

/// An answer in words, and what the user is told of it.
type Words = (String, String);

/// Asks, and says what came of it.
pub(super) fn answer(
    desk: &Desk,
    server: &LanguageServerProcess,
    (choice, asked): (&Choice, &LspQuestion),
    patience: &Patience,
    room: usize,
) -> Result<Outcome, Failure> {
    able(server, asked)?;
    let document = server.show(&desk.workspace, &asked.path, &choice.language)?;
    let settled = server.settle(&patience.at_most(SETTLING));
    let question = Question { desk, server, asked, document: &document, patience };
    let (mut told, summary) = match asked.what {
        LspAction::Definition | LspAction::References => question.places(room)?,
        LspAction::Hover => question.hover(room)?,
        LspAction::Symbols => question.symbols(room)?,
        LspAction::Diagnostics => question.diagnostics(room)?,
        LspAction::Completions => question.completions(room)?,
        LspAction::Rename => (format!("{} runs now; call lsp rename again\n", server.name()), "started".into()),
    };
    if !settled {
        told.push_str(&format!("[{} is still indexing: this may not be all; ask again later]\n", server.name()));
    }
    Ok(words::done(told.clone(), summary, told))
}

pub(super) fn able(server: &LanguageServerProcess, asked: &LspQuestion) -> Result<(), Failure> {
    let ability = match asked.what {
        // Who does not answer that question tells by itself.
        LspAction::Diagnostics => return Ok(()),
        LspAction::Symbols if asked.symbol.is_some() => "workspaceSymbolProvider",
        what => what.ability(),
    };
    if server.can(ability) {
        return Ok(());
    }
    let message = format!(
        "{} does not offer {}; use find_references, search_code or grep_search",
        server.name(),
        asked.what.in_words()
    );
    Err(Failure::new(FailureKind::InvalidArguments, message))
}

struct Question<'a> {
    desk: &'a Desk,
    server: &'a LanguageServerProcess,
    asked: &'a LspQuestion,
    document: &'a Document,
    patience: &'a Patience,
}

impl Question<'_> {
    fn shown(&self) -> String {
        self.desk.workspace.shown(&self.asked.path)
    }

    fn shower(&self) -> Shower<'_> {
        let shower = Shower::new(&self.desk.workspace, self.server.encoding);
        shower.knowing(&self.document.path, &self.document.text)
    }

    fn ask(&self, params: Value) -> Result<Value, Failure> {
        self.server.ask(self.asked.what.method(), params, self.patience)
    }

    /// The first answer that says something, of all places that may be meant.
    fn ask_about(&self, says: impl Fn(&Value) -> bool) -> Result<Value, Failure> {
        let text = &self.document.text;
        let mut last = Value::Null;
        for position in self.asked.candidates(text, self.server.encoding, &self.shown())? {
            last = self.ask(self.params(position))?;
            if says(&last) {
                break;
            }
        }
        Ok(last)
    }

    fn params(&self, position: Position) -> Value {
        let document = LanguageServerProcess::address(&self.asked.path);
        let mut params = json!({ "textDocument": document, "position": position.told() });
        if self.asked.what == LspAction::References {
            params["context"] = json!({ "includeDeclaration": true });
        }
        params
    }

    fn places(&self, room: usize) -> Result<Words, Failure> {
        let answer = self.ask_about(|answer| !places::read(answer).0.is_empty())?;
        let (mut places, nowhere) = places::read(&answer);
        if places.is_empty() {
            return Ok(self.nothing());
        }
        if self.asked.what == LspAction::References {
            places.sort();
        }
        Ok(places::page(&mut self.shower(), &places, nowhere, room))
    }

    fn nothing(&self) -> Words {
        let what = self.asked.what.in_words();
        let told =
            format!("{} knows no {what} for that place; a name in a comment or string has none\n", self.server.name());
        (told, "nothing found".into())
    }

    fn hover(&self, room: usize) -> Result<Words, Failure> {
        let answer = self.ask_about(|answer| !hover_text(answer).is_empty())?;
        let text = hover_text(&answer);
        if text.is_empty() {
            return Ok(self.nothing());
        }
        let mut page = LinePage::new(room);
        let left = page.list(text.lines(), text.lines().count(), "more lines");
        let summary = shortened(text.lines().next().unwrap_or_default(), 60);
        Ok((page.with(&[left]), summary))
    }

    fn symbols(&self, room: usize) -> Result<Words, Failure> {
        let Some(name) = &self.asked.symbol else {
            let answer = self.ask(json!({ "textDocument": LanguageServerProcess::address(&self.asked.path) }))?;
            return Ok(symbols::outline(&answer, room));
        };
        let answer = self.server.ask("workspace/symbol", json!({ "query": name }), self.patience)?;
        Ok(symbols::found(&answer, &mut self.shower(), room))
    }

    fn diagnostics(&self, room: usize) -> Result<Words, Failure> {
        let report = self.patience.at_most(REPORTING);
        let Some(mut faults) = self.server.diagnosed(self.document, self.patience, &report)? else {
            let told = format!(
                "{} has said nothing about {} yet; run the build or lint_code instead, or ask again later\n",
                self.server.name(),
                self.shown()
            );
            return Ok((told, "nothing said yet".into()));
        };
        faults.sort_by_key(|fault| (fault["severity"].as_u64().unwrap_or(1), Position::read(&fault["range"]["start"])));
        let (mut page, mut shower) = (LinePage::new(room), self.shower());
        let left = page.list(faults.iter().map(|fault| self.fault(fault, &mut shower)), faults.len(), "more");
        let summary = counted(&faults);
        let none = faults.is_empty().then(|| format!("no diagnostics for {}", self.shown()));
        Ok((page.with(&[none.unwrap_or_default(), left]), summary))
    }

    /// `src/a.rs:3:5: error: message [code]`.
    fn fault(&self, fault: &Value, shower: &mut Shower<'_>) -> String {
        let at = Position::read(&fault["range"]["start"]).unwrap_or(Position { line: 0, character: 0 });
        let (line, column, _) = shower.located(&LspPlace { path: self.document.path.clone(), at });
        let code = match &fault["code"] {
            Value::String(code) => format!(" [{code}]"),
            Value::Number(code) => format!(" [{code}]"),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => String::new(),
        };
        let message = fault["message"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let severity = kinds::severity(&fault["severity"]);
        format!("{}:{line}:{column}: {severity}: {}{code}", self.shown(), shortened(&message, WIDTH))
    }

    fn completions(&self, room: usize) -> Result<Words, Failure> {
        let answer = self.ask_about(|answer| !items(answer).is_empty())?;
        let mut items = items(&answer).to_vec();
        if items.is_empty() {
            return Ok(self.nothing());
        }
        items.sort_by_key(|item| item["sortText"].as_str().or(item["label"].as_str()).unwrap_or_default().to_owned());
        let mut page = LinePage::new(room);
        let line = |item: &Value| {
            let detail = item["detail"].as_str().map_or(String::new(), |detail| format!(": {detail}"));
            shortened(&format!("{}{detail}", item["label"].as_str().unwrap_or_default()).replace('\n', " "), 120)
        };
        let left = page.list(items.iter().take(COMPLETIONS).map(line), items.len(), "more");
        Ok((page.with(&[left]), words::count(items.len() as u64, "completion")))
    }
}

fn items(answer: &Value) -> &[Value] {
    answer.as_array().or_else(|| answer["items"].as_array()).map_or(&[], Vec::as_slice)
}

/// `2 errors, 1 warning`.
fn counted(faults: &[Value]) -> String {
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for fault in faults {
        let severity = kinds::severity(&fault["severity"]);
        match counts.iter_mut().find(|(known, _)| *known == severity) {
            Some((_, count)) => *count += 1,
            None => counts.push((severity, 1)),
        }
    }
    let words: Vec<String> = counts.iter().map(|(severity, count)| words::count(*count, severity)).collect();
    if words.is_empty() { "no diagnostics".into() } else { words.join(", ") }
}

/// The text of a hover, whichever of its shapes it has, without the marks of Markdown around code.
fn hover_text(answer: &Value) -> String {
    let text = |part: &Value| part.as_str().or_else(|| part["value"].as_str()).unwrap_or_default().to_owned();
    let whole = match &answer["contents"] {
        Value::Array(parts) => parts.iter().map(text).collect::<Vec<_>>().join("\n"),
        one => text(one),
    };
    let lines = whole.lines().map(str::trim_end).filter(|line| !line.trim_start().starts_with("```"));
    let mut kept: Vec<&str> = Vec::new();
    for line in lines {
        if !(line.is_empty() && kept.last().is_none_or(|last| last.is_empty())) {
            kept.push(line);
        }
    }
    kept.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hover_is_read_in_all_its_shapes() {
        let markdown = json!({ "contents": { "kind": "markdown", "value": "```rust\nfn run()\n```\n\n\nRuns it.\n" } });
        assert_eq!(hover_text(&markdown), "fn run()\n\nRuns it.");
        let several = json!({ "contents": [{ "language": "c", "value": "int x" }, "said"] });
        assert_eq!(hover_text(&several), "int x\nsaid");
        assert_eq!((hover_text(&Value::Null), hover_text(&json!({ "contents": "" }))), (String::new(), String::new()));
    }

    #[test]
    fn faults_are_counted_by_how_bad_they_are() {
        let fault = |severity: u64| json!({ "severity": severity });
        assert_eq!(counted(&[fault(1), fault(1), fault(2)]), "2 errors, 1 warning");
        assert_eq!(counted(&[]), "no diagnostics");
    }
}
