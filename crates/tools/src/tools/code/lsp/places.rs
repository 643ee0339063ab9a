//! Places in files as servers answer them, shown as `path:line:column: text of the line`.

use super::super::page::{LinePage, shortened};
use crate::lsp::{Encoding, Lines, Position, address, text_of};
use crate::words;
use crate::workspace::Workspace;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Characters of a line that are shown.
const WIDTH: usize = 200;
const MOST: usize = 100;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LspPlace {
    pub(super) path: PathBuf,
    pub(super) at: Position,
}

/// The places of an answer, each once: one, several, or links to them. Those in no file are counted apart.
pub(super) fn read(answer: &Value) -> (Vec<LspPlace>, usize) {
    let all = match answer {
        Value::Array(all) => all.as_slice(),
        Value::Null => &[],
        one => std::slice::from_ref(one),
    };
    let mut places: Vec<LspPlace> = Vec::new();
    let mut nowhere = 0;
    for said in all {
        match place(said) {
            Some(place) if places.contains(&place) => {}
            Some(place) => places.push(place),
            None => nowhere += 1,
        }
    }
    (places, nowhere)
}

pub(super) fn place(said: &Value) -> Option<LspPlace> {
    let (uri, range) = match said.get("targetUri") {
        Some(uri) => (uri, said.get("targetSelectionRange").or_else(|| said.get("targetRange"))?),
        None => (said.get("uri")?, said.get("range")?),
    };
    Some(LspPlace { path: address::path(uri.as_str()?)?, at: Position::read(range.get("start")?)? })
}

/// Shows places; each file is read once. Of files outside the project and of secret ones nothing but the place is shown.
pub(super) struct Shower<'a> {
    workspace: &'a Workspace,
    encoding: Encoding,
    texts: HashMap<PathBuf, Option<String>>,
}

impl<'a> Shower<'a> {
    pub(super) fn new(workspace: &'a Workspace, encoding: Encoding) -> Self {
        Shower { workspace, encoding, texts: HashMap::new() }
    }

    /// With the text of the file that was asked about.
    pub(super) fn knowing(mut self, path: &Path, text: &str) -> Self {
        self.texts.insert(path.to_owned(), Some(text.to_owned()));
        self
    }

    pub(super) fn shown(&mut self, place: &LspPlace) -> String {
        let (line, column, text) = self.located(place);
        let text = if text.is_empty() { text } else { format!(": {text}") };
        format!("{}:{line}:{column}{text}", self.workspace.shown(&place.path))
    }

    /// The file, as a person names it.
    pub(super) fn path(&self, place: &LspPlace) -> String {
        self.workspace.shown(&place.path)
    }

    /// The line and column from 1, and what the line says.
    pub(super) fn located(&mut self, place: &LspPlace) -> (usize, usize, String) {
        let (workspace, encoding) = (self.workspace, self.encoding);
        let readable = workspace.contains(&place.path) && !workspace.is_secret(&place.path);
        let text = self.texts.entry(place.path.clone()).or_insert_with(|| {
            // A link may lead out of the project.
            let resolved = workspace.resolve(&place.path.to_string_lossy()).ok()?;
            let same = resolved == place.path && readable;
            same.then(|| text_of(workspace, &place.path).ok()).flatten()
        });
        let Some(text) = text else { return (place.at.line + 1, place.at.character + 1, String::new()) };
        let lines = Lines::of(text);
        let line = lines.line(place.at.line).unwrap_or_default();
        (place.at.line + 1, lines.column(place.at, encoding), shortened(line, WIDTH))
    }
}

/// All `places` below each other, as many as there is room for, and what is to be said besides.
pub(super) fn page(shower: &mut Shower<'_>, places: &[LspPlace], nowhere: usize, room: usize) -> (String, String) {
    let mut page = LinePage::new(room);
    let left = page.list(places.iter().take(MOST).map(|place| shower.shown(place)), places.len(), "more");
    let nowhere = match nowhere {
        0 => String::new(),
        some => format!("{} not in files", words::count(some as u64, "place")),
    };
    let mut files: Vec<&PathBuf> = places.iter().map(|place| &place.path).collect();
    files.sort();
    files.dedup();
    let count = |number: usize, one| words::count(number as u64, one);
    let summary = format!("{} in {}", count(places.len(), "place"), count(files.len(), "file"));
    (page.with(&[left, nowhere]), summary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn range(line: usize) -> Value {
        json!({ "start": { "line": line, "character": 2 }, "end": { "line": line, "character": 3 } })
    }

    #[test]
    fn servers_answer_in_four_ways() {
        let place = |line| LspPlace { path: "/a.rs".into(), at: Position { line, character: 2 } };
        let location = json!({ "uri": "file:///a.rs", "range": range(1) });
        let link = json!({ "targetUri": "file:///a.rs", "targetRange": range(0), "targetSelectionRange": range(4) });
        assert_eq!(read(&Value::Null), (vec![], 0));
        assert_eq!(read(&location), (vec![place(1)], 0));
        assert_eq!(read(&json!([location, location, link])), (vec![place(1), place(4)], 0));
        assert_eq!(read(&json!([{ "uri": "jdt://x", "range": range(1) }, 7])), (vec![], 2));
    }

    #[test]
    fn lines_are_shown_of_the_project_alone_and_of_no_secrets() {
        let folder = tempfile::TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let project = root.join("p");
        std::fs::create_dir(&project).unwrap();
        for name in ["p/a.rs", "p/.env", "out.rs"] {
            std::fs::write(root.join(name), "one\n  🦀 two\n").unwrap();
        }
        std::os::unix::fs::symlink(root.join("out.rs"), project.join("link.rs")).unwrap();
        let workspace = Workspace::new(&project);
        let mut shower = Shower::new(&workspace, Encoding::Utf16);
        let mut shown = |path: PathBuf| shower.shown(&LspPlace { path, at: Position { line: 1, character: 4 } });
        assert_eq!(shown(project.join("a.rs")), "a.rs:2:4: 🦀 two");
        assert_eq!(shown(project.join(".env")), ".env:2:5");
        assert_eq!(shown(project.join("link.rs")), "link.rs:2:5");
        assert_eq!(shown(root.join("out.rs")), format!("{}:2:5", root.join("out.rs").display()));
    }

    #[test]
    fn what_has_no_room_is_counted() {
        let workspace = Workspace::new(Path::new("/p"));
        let places: Vec<LspPlace> = (0..150)
            .map(|line| LspPlace { path: format!("/x/{}", line % 3).into(), at: Position { line, character: 0 } })
            .collect();
        let (told, summary) = page(&mut Shower::new(&workspace, Encoding::Utf8), &places, 1, 10_000);
        assert!(told.starts_with("/x/0:1:1\n/x/1:2:1\n"), "{told}");
        assert!(told.ends_with("/x/0:100:1\n[50 more]\n[1 place not in files]\n"), "{told}");
        assert_eq!(summary, "150 places in 3 files");
    }
}
