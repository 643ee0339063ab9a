//! Files as the server is told of them: always with the text that they have at this moment.

use super::address;
use super::server::{LanguageServerProcess, Patience, Told};
use crate::apply::{LARGEST, digest};
use crate::open::{Found, open, read_all};
use crate::text;
use crate::workspace::Workspace;
use agent_protocol::{Digest, Failure, FailureKind};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};

/// Files that a server is told of at a time; all are told again when there are more.
const MOST: usize = 100;

/// A file with the text that the server was told.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) digest: Digest,
    pub(crate) version: i64,
}

/// The text of the file at `path`.
pub(crate) fn text_of(workspace: &Workspace, path: &Path) -> Result<String, Failure> {
    let shown = workspace.shown(path);
    match open(workspace, path)? {
        Found::File(mut file, _) => text::exact(read_all(&mut file, &shown, LARGEST)?, &shown),
        Found::Folder => {
            Err(Failure::new(FailureKind::InvalidArguments, format!("{shown} is a folder; give the path of a file")))
        }
        Found::Missing => {
            let message = format!("{shown} does not exist; look for it with glob_files or list_directory");
            Err(Failure::new(FailureKind::NotFound, message))
        }
    }
}

impl LanguageServerProcess {
    /// Tells it of the file at `path`, and of all others it knows that changed.
    pub(crate) fn show(&self, workspace: &Workspace, path: &Path, language: &str) -> Result<Document, Failure> {
        let text = text_of(workspace, path)?;
        let mut told = self.told();
        if told.len() >= MOST && !told.contains_key(path) {
            let all: Vec<PathBuf> = told.keys().cloned().collect();
            all.iter().for_each(|path| self.close(&mut told, path));
        }
        let others: Vec<PathBuf> = told.keys().filter(|known| *known != path).cloned().collect();
        for other in others {
            match text_of(workspace, &other) {
                Ok(text) => drop(self.tell_text(&mut told, &other, "", &text)),
                // It is gone, or nothing that can be told: the server sees for itself.
                Err(_) => self.close(&mut told, &other),
            }
        }
        let Told { version, digest } = self.tell_text(&mut told, path, language, &text);
        Ok(Document { path: path.to_owned(), text, digest, version })
    }

    /// What it said is wrong with the file at `address`, if it was said of this `version`.
    pub(crate) fn faults(&self, address: &str, version: i64) -> Option<Vec<Value>> {
        self.state.faults(address, version)
    }

    /// The same; waits until something was said. `None`: nothing was, for that long.
    pub(crate) fn reported(
        &self,
        address: &str,
        version: i64,
        patience: &Patience,
    ) -> Result<Option<Vec<Value>>, Failure> {
        self.state.wait(patience.until, || !patience.stop.wanted(), || self.faults(address, version).is_some());
        patience.stop.check()?;
        let faults = self.faults(address, version);
        if faults.is_none() && self.is_gone() { Err(self.gone()) } else { Ok(faults) }
    }

    /// What is wrong with the file as it was told: asked, and told by itself. `None`: nobody said anything, though the server
    /// had until `report` to do so by itself.
    pub(crate) fn diagnosed(
        &self,
        document: &Document,
        patience: &Patience,
        report: &Patience,
    ) -> Result<Option<Vec<Value>>, Failure> {
        if !self.can("diagnosticProvider") {
            return self.reported(&address::of(&document.path), document.version, report);
        }
        let question = json!({ "textDocument": LanguageServerProcess::address(&document.path) });
        let answer = self.ask("textDocument/diagnostic", question, patience)?;
        let asked = answer["items"].as_array().cloned().unwrap_or_default();
        let told = self.faults(&address::of(&document.path), document.version).unwrap_or_default();
        let more: Vec<Value> = told.into_iter().filter(|told| !asked.contains(told)).collect();
        Ok(Some(asked.into_iter().chain(more).collect()))
    }

    fn told(&self) -> MutexGuard<'_, HashMap<PathBuf, Told>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell_text(&self, told: &mut HashMap<PathBuf, Told>, path: &Path, language: &str, text: &str) -> Told {
        let (uri, digest) = (address::of(path), digest(text.as_bytes()));
        let now = match told.get(path) {
            Some(before) if before.digest == digest => return before.clone(),
            Some(before) => Told { version: before.version + 1, digest },
            None => Told { version: 1, digest },
        };
        self.state.forget(&uri);
        if now.version == 1 {
            let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
            self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        } else {
            let document = json!({ "uri": uri, "version": now.version });
            let changes = json!([{ "text": text }]);
            self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
            self.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
        }
        told.insert(path.to_owned(), now.clone());
        now
    }

    fn close(&self, told: &mut HashMap<PathBuf, Told>, path: &Path) {
        told.remove(path);
        let uri = address::of(path);
        self.state.forget(&uri);
        self.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
}
