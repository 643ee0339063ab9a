//! What language servers that run already say of files after a change, and did not say before it. None is started for this, and
//! nobody waits long: who has not answered by then has nothing to say.

use crate::lsp::{Document, LanguageServerProcess, Lines, Patience, Position, Servers};
use crate::words;
use crate::workspace::Workspace;
use agent_protocol::{Outcome, Status};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Files of a call that are watched.
const FILES: usize = 3;
/// Errors that are told.
const MOST: usize = 5;
/// Characters of an error that are told.
const WIDTH: usize = 200;
/// How long servers have to say what is wrong before a change, and after it.
const BEFORE: Duration = Duration::from_millis(500);
const AFTER: Duration = Duration::from_millis(1_500);

/// Files that are about to be changed, and what is wrong with them until then.
pub(super) struct Watched {
    workspace: Workspace,
    files: Vec<WatchedFile>,
}

struct WatchedFile {
    path: PathBuf,
    server: Arc<LanguageServerProcess>,
    language: String,
    before: Vec<ServerError>,
}

/// An error, however the lines around it move.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ServerError {
    message: String,
    code: String,
    /// The line that it stands in, without its indentation.
    text: String,
    /// From 1.
    line: usize,
    column: usize,
}

impl ServerError {
    fn is(&self, other: &ServerError) -> bool {
        (&self.message, &self.code, &self.text) == (&other.message, &other.code, &other.text)
    }

    fn words(&self, shown: &str) -> String {
        let code = if self.code.is_empty() { String::new() } else { format!(" [{}]", self.code) };
        let message: String = self.message.chars().take(WIDTH).collect();
        format!("{shown}:{}:{}: {message}{code}", self.line, self.column)
    }
}

impl Watched {
    /// Looks at these files, each with whether it is there already.
    pub(super) fn before<'a>(
        servers: Arc<Servers>,
        workspace: &Workspace,
        files: impl Iterator<Item = (&'a Path, bool)>,
    ) -> Self {
        let until = Instant::now() + BEFORE;
        let watch = |(path, is_there): (&Path, bool)| {
            let server = running(&servers, workspace, path)?;
            let before = if is_there { server.errors(workspace, path, until)? } else { Vec::new() };
            let Running { server, language } = server;
            Some(WatchedFile { path: path.to_owned(), server, language, before })
        };
        let files = if servers.has_any() { files.take(FILES).filter_map(watch).collect() } else { Vec::new() };
        Watched { workspace: workspace.clone(), files }
    }

    /// The outcome of the change, with the errors that are new since.
    pub(super) fn told(self, mut outcome: Outcome) -> Outcome {
        if outcome.status != Status::Done || self.files.is_empty() {
            return outcome;
        }
        let until = Instant::now() + AFTER;
        let (mut told, mut names) = (Vec::new(), Vec::new());
        for WatchedFile { path, server, language, before } in self.files {
            let running = Running { server, language };
            let new = new_ones(before, running.errors(&self.workspace, &path, until).unwrap_or_default());
            let shown = self.workspace.shown(&path);
            if !new.is_empty() && !names.contains(&running.server.name().to_owned()) {
                names.push(running.server.name().to_owned());
            }
            told.extend(new.iter().map(|error| error.words(&shown)));
        }
        if told.is_empty() {
            return outcome;
        }
        let count = words::count(told.len() as u64, "new error");
        let more = told.len().saturating_sub(MOST);
        told.truncate(MOST);
        told.extend((more > 0).then(|| format!("[{more} more]")));
        outcome.told.push_str(&format!(
            "\n({count} since this change, says {}:\n{})",
            names.join(", "),
            told.join("\n")
        ));
        outcome.summary.push_str(&format!("; {count}"));
        outcome
    }
}

/// A server that has seen all there is, and what it calls the language of the file.
struct Running {
    server: Arc<LanguageServerProcess>,
    language: String,
}

/// The server that runs for the file at `path`, unless nobody is to be told of the file.
fn running(servers: &Servers, workspace: &Workspace, path: &Path) -> Option<Running> {
    if !workspace.contains(path) || workspace.is_secret(path) {
        return None;
    }
    let choice = servers.choice(path, &workspace.shown(path)).ok()?;
    let server = servers.running(&choice).filter(|server| !server.is_busy())?;
    Some(Running { server, language: choice.language })
}

impl Running {
    /// What is wrong with the file as it is now; `None`: nothing was said until then.
    fn errors(&self, workspace: &Workspace, path: &Path, until: Instant) -> Option<Vec<ServerError>> {
        let patience = Patience::until(until);
        let document = self.server.show(workspace, path, &self.language).ok()?;
        let said = self.server.diagnosed(&document, &patience, &patience).ok()??;
        // Who looks further says so, and then more.
        let is_more = self.server.is_busy() && self.server.settle(&patience);
        let later = is_more.then(|| self.server.diagnosed(&document, &patience, &patience).ok()).flatten().flatten();
        let said = later.unwrap_or(said);
        Some(errors(&said, &document, &self.server))
    }
}

fn errors(said: &[Value], document: &Document, server: &LanguageServerProcess) -> Vec<ServerError> {
    let lines = Lines::of(&document.text);
    let error = |fault: &&Value| fault["severity"].as_u64().unwrap_or(1) == 1;
    let read = |fault: &Value| {
        let at = Position::read(&fault["range"]["start"]).unwrap_or(Position { line: 0, character: 0 });
        ServerError {
            message: fault["message"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "),
            code: fault["code"]
                .as_str()
                .map_or_else(|| fault["code"].as_i64().map_or(String::new(), |code| code.to_string()), str::to_owned),
            text: lines.line(at.line).unwrap_or_default().trim().to_owned(),
            line: at.line + 1,
            column: lines.column(at, server.encoding),
        }
    };
    let mut errors: Vec<ServerError> = said.iter().filter(error).map(read).collect();
    errors.sort_by_key(|error| (error.line, error.column));
    errors
}

/// Those that were not there before, each as often as it came.
fn new_ones(mut before: Vec<ServerError>, now: Vec<ServerError>) -> Vec<ServerError> {
    let is_new = |error: &ServerError| match before.iter().position(|known| known.is(error)) {
        Some(place) => {
            before.swap_remove(place);
            false
        }
        None => true,
    };
    now.into_iter().filter(is_new).collect()
}

#[cfg(test)]
mod tests;
