//! What is looked at around a change, shown both ways: changes of a weak model that break a file or lose code where nobody looks,
//! and are mended or refused where somebody does; and changes that are all right, of which none is refused.
//!
//! `good/*.txt` and `pairs.txt` hold them, each under a line `=== name`, with `path: …` and sections under lines `--- kind`.

mod finished;
mod good;
mod pairs;
mod rewritten;

use crate::support::Gate;
use agent_policy::Looked;
use agent_protocol::{Failure, FileDiff, LeverChanges, Levers, ModelCall, Outcome, PreviewBody};
use agent_tools::{Output, Toolbox};
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

/// One text of a file of cases.
struct Case {
    name: String,
    /// What stands before the first section: `key: value`, or a word.
    head: Vec<(String, String)>,
    sections: Vec<(String, String)>,
}

impl Case {
    fn all(text: &str) -> Vec<Case> {
        let text = format!("\n{text}");
        text.split("\n=== ").skip(1).map(Case::read).collect()
    }

    fn read(text: &str) -> Case {
        let (name, rest) = text.split_once('\n').unwrap();
        let (mut head, mut sections) = (Vec::new(), Vec::<(String, String)>::new());
        for line in rest.split_inclusive('\n') {
            match (line.trim_end().strip_prefix("--- "), sections.last_mut()) {
                (Some(kind), _) => sections.push((kind.to_owned(), String::new())),
                (None, Some((_, body))) => body.push_str(line),
                (None, None) if line.trim().is_empty() => {}
                (None, None) => {
                    let (key, value) = line.trim().split_once(": ").unwrap_or((line.trim(), ""));
                    head.push((key.to_owned(), value.to_owned()));
                }
            }
        }
        // Nor is the line end before the next case one of the last section.
        if let Some((_, body)) = sections.last_mut().filter(|(_, body)| !body.is_empty() && !body.ends_with('\n')) {
            body.push('\n');
        }
        Case { name: name.to_owned(), head, sections }
    }

    fn head(&self, key: &str) -> Option<&str> {
        self.head.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    fn path(&self) -> &str {
        self.head("path").unwrap()
    }

    fn section(&self, kind: &str) -> Option<&str> {
        self.sections.iter().find(|(known, _)| known == kind).map(|(_, body)| body.as_str())
    }

    /// The call that the sections of this kind are about.
    fn call(&self, prefix: &str) -> ModelCall {
        let section = |kind: &str| self.section(format!("{prefix} {kind}").trim());
        if let Some(content) = section("write") {
            return call("write_file", json!({ "file_path": self.path(), "content": content }));
        }
        let bare = |kind: &str| section(kind).unwrap().strip_suffix('\n').unwrap_or_default().to_owned();
        let arguments = json!({
            "file_path": self.path(), "old_string": bare("old"), "new_string": bare("new"),
            "replace_all": self.head("all").is_some(),
        });
        call("edit_file", arguments)
    }
}

fn call(name: &str, arguments: Value) -> ModelCall {
    ModelCall { server_id: None, index: None, name: name.into(), arguments }
}

/// A project, and the tools over it.
struct Project {
    _folder: TempDir,
    root: PathBuf,
    toolbox: Toolbox,
    gate: Gate,
}

/// What came of a call that was made.
struct Made {
    outcome: Outcome,
    files: Vec<FileDiff>,
}

impl Project {
    /// With the levers that `changes` says, and the file as it is.
    fn new(changes: &LeverChanges, path: &str, text: Option<&str>) -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let toolbox = Toolbox::new(root.clone());
        let mut levers = Levers::default();
        levers.change(changes);
        toolbox.adapt(levers);
        if let Some(text) = text {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), text).unwrap();
        }
        Project { toolbox, gate: Gate::new(&root), _folder: folder, root }
    }

    fn read(&mut self, path: &str) {
        if self.root.join(path).exists() {
            self.make(&call("read_file", json!({ "file_path": path }))).unwrap();
        }
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// The whole way of a call.
    fn make(&mut self, call: &ModelCall) -> Result<Made, Failure> {
        let look = self.gate.look(self.toolbox.reach(call)?.action).unwrap();
        let looked = Looked::from(&look);
        let job = self.toolbox.plan(call, look)?;
        let files = match job.preview().body {
            PreviewBody::Diff { files } => files,
            _ => Vec::new(),
        };
        let permit = self.gate.deed(job.action(), &looked).unwrap();
        let (live, _heard) = unbounded_channel();
        let (reaches, _) = unbounded_channel();
        let out = Output { live, room: 4_000, intent: None, reaches };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let outcome = runtime.block_on(self.toolbox.perform(job, permit, out, Box::pin(std::future::pending())));
        Ok(Made { outcome, files })
    }
}

/// Words by which a remark on a change is known.
const REMARKS: [&str; 5] = ["does not parse", "would go", "re-indented", "already", "new error"];

impl Made {
    /// What was said of the change to the user or the model, beside what it is.
    fn remarks(&self) -> Vec<String> {
        let notes = self.files.iter().filter_map(|file| file.note.clone());
        let marks = self.files.iter().flat_map(|file| &file.marks).map(|mark| mark.text.clone());
        let said = notes.chain(marks).chain([self.outcome.told.clone(), self.outcome.summary.clone()]);
        said.filter(|said| REMARKS.iter().any(|remark| said.contains(remark))).collect()
    }
}
