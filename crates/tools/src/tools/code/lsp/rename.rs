//! A rename: the server says what changes in which files, and that becomes a change like any other, shown before it is
//! written. Every text it changes is one that the server was told, to the letter.

use super::answer::able;
use super::asked::LspQuestion;
use super::{ANSWER, Desk};
use crate::PlannedCall;
use crate::change::{Author, EditPart, Edits, Findings, KnownState, Verb, before};
use crate::lsp::{Choice, Document, Encoding, LanguageServerProcess, Lines, Patience, Position, address};
use agent_protocol::{Failure, FailureKind};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Files that one rename changes.
const MOST: usize = 200;
/// How often the server is asked, as long as it names files that it was not told of.
const ROUNDS: usize = 4;

/// Ranges and the texts for them.
type Texts = Vec<(Position, Position, String)>;

pub(super) fn planned(
    desk: &Desk,
    server: &LanguageServerProcess,
    choice: &Choice,
    asked: &LspQuestion,
) -> Result<Box<dyn PlannedCall>, Failure> {
    able(server, asked)?;
    let patience = Patience::secs(ANSWER, &desk.planning.stop());
    let mut documents = vec![server.show(&desk.workspace, &asked.path, &choice.language)?];
    if !server.settle(&patience.at_most(ANSWER / 2)) {
        let message = format!("{} is still indexing and would not find every use; ask again later", server.name());
        return Err(Failure::new(FailureKind::NotReady, message));
    }
    for _ in 0..ROUNDS {
        let edits = asked_for(desk, server, asked, &documents[0], &patience)?;
        let untold: Vec<&PathBuf> = edits
            .iter()
            .map(|(path, _)| path)
            .filter(|path| documents.iter().all(|known| known.path != **path))
            .collect();
        if untold.is_empty() {
            return changes(desk, server, asked, &documents, edits);
        }
        for path in untold {
            documents.push(server.show(&desk.workspace, path, &choice.language)?);
        }
    }
    Err(stale("the server names other files each time; call lsp rename again"))
}

/// What the server would change, file by file.
fn asked_for(
    desk: &Desk,
    server: &LanguageServerProcess,
    asked: &LspQuestion,
    document: &Document,
    patience: &Patience,
) -> Result<Vec<(PathBuf, Texts)>, Failure> {
    let shown = desk.workspace.shown(&asked.path);
    let places = asked.candidates(&document.text, server.encoding, &shown)?;
    let position = places.first().map_or(Value::Null, |place| place.told());
    let params = json!({ "textDocument": LanguageServerProcess::address(&asked.path), "position": position, "newName": asked.new_name });
    let answer = server.ask(asked.what.method(), params, patience)?;
    let edits = read(&answer)?;
    if edits.is_empty() {
        let message = format!("{} has nothing to rename there; check line and symbol", server.name());
        return Err(Failure::new(FailureKind::NoMatch, message));
    }
    if edits.len() > MOST {
        let message = format!("that would change {} files, at most {MOST} are changed in one call", edits.len());
        return Err(Failure::new(FailureKind::TooLarge, message));
    }
    match edits.iter().find(|(path, _)| !is_ours(desk, asked, path)) {
        Some((path, _)) => Err(Failure::new(
            FailureKind::Denied,
            format!(
                "that would change {}, which is not a file of the project to be changed so; rename by hand with edit_file",
                desk.workspace.shown(path)
            ),
        )),
        None => Ok(edits),
    }
}

/// May this be changed because it was renamed elsewhere?
fn is_ours(desk: &Desk, asked: &LspQuestion, path: &Path) -> bool {
    let itself = desk.workspace.resolve(&path.to_string_lossy()).is_ok_and(|resolved| resolved == path);
    path == asked.path || itself && desk.workspace.contains(path) && !desk.workspace.is_secret(path)
}

/// The edits of an answer; what else it would do to files is not done.
fn read(answer: &Value) -> Result<Vec<(PathBuf, Texts)>, Failure> {
    let mut all: Vec<(PathBuf, Texts)> = Vec::new();
    let mut add = |uri: &str, edits: &Value| -> Option<()> {
        let path = address::path(uri)?;
        let texts: Option<Texts> = edits.as_array()?.iter().map(text).collect();
        match all.iter_mut().find(|(known, _)| *known == path) {
            Some((_, known)) => known.extend(texts?),
            None => all.push((path, texts?)),
        }
        Some(())
    };
    let unreadable =
        || Failure::new(FailureKind::Io, "the server's answer cannot be read; rename by hand with edit_file");
    match (answer["documentChanges"].as_array(), answer["changes"].as_object()) {
        (Some(changes), _) => {
            for change in changes {
                if change.get("kind").is_some() {
                    let message = "the server would also move, make or delete files, which is not done by a rename; do it \
                                   by hand with edit_file and run_command";
                    return Err(Failure::new(FailureKind::InvalidArguments, message));
                }
                let uri = change["textDocument"]["uri"].as_str().unwrap_or_default();
                add(uri, &change["edits"]).ok_or_else(unreadable)?;
            }
        }
        (None, Some(changes)) => {
            for (uri, edits) in changes {
                add(uri, edits).ok_or_else(unreadable)?;
            }
        }
        (None, None) => {}
    }
    all.retain(|(_, texts)| !texts.is_empty());
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(all)
}

fn text(edit: &Value) -> Option<(Position, Position, String)> {
    let at = |end: &str| Position::read(edit.get("range")?.get(end)?);
    Some((at("start")?, at("end")?, edit["newText"].as_str()?.to_owned()))
}

fn changes(
    desk: &Desk,
    server: &LanguageServerProcess,
    asked: &LspQuestion,
    documents: &[Document],
    edits: Vec<(PathBuf, Texts)>,
) -> Result<Box<dyn PlannedCall>, Failure> {
    let mut parts = Vec::new();
    for (path, texts) in edits {
        let shown = desk.workspace.shown(&path);
        let changed = || stale(&format!("{shown} changed meanwhile; call lsp rename again"));
        let told = documents.iter().find(|document| document.path == path).ok_or_else(changed)?;
        let before =
            before(&desk.workspace, &path)?.filter(|before| before.digest == told.digest).ok_or_else(changed)?;
        let after = applied(&told.text, texts, server.encoding).ok_or_else(changed)?;
        let known = KnownState::If(path.clone(), before.digest.clone());
        let (verb, author) = (Verb::Edit, Author::Model);
        parts.push(EditPart {
            path,
            before: Some(before),
            after: Some(after),
            verb,
            note: None,
            how: None,
            author,
            known,
            findings: Findings::default(),
        });
    }
    let old = asked.symbol.as_deref().unwrap_or("the symbol");
    let title = format!("Rename {old} to {} in {}", asked.new_name, crate::words::count(parts.len() as u64, "file"));
    Ok(Edits::new(desk.workspace.clone(), parts).titled(title).planned())
}

/// `text` with `texts` in it; `None` where two of them are about the same place.
fn applied(text: &str, texts: Texts, encoding: Encoding) -> Option<String> {
    let lines = Lines::of(text);
    let mut cuts: Vec<(usize, usize, String)> = texts
        .into_iter()
        .map(|(start, end, new)| (lines.byte(start, encoding), lines.byte(end, encoding), new))
        .collect();
    cuts.sort();
    cuts.dedup();
    let (mut made, mut done) = (String::new(), 0);
    for (start, end, new) in cuts {
        if start < done || end < start {
            return None;
        }
        made.push_str(&text[done..start]);
        made.push_str(&new);
        done = end;
    }
    made.push_str(&text[done..]);
    Some(made)
}

fn stale(message: &str) -> Failure {
    Failure::new(FailureKind::Stale, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(line: usize, from: usize, to: usize, new: &str) -> Value {
        json!({
            "range": {
                "start": { "line": line, "character": from },
                "end": { "line": line, "character": to },
            },
            "newText": new,
        })
    }

    fn after(text: &str, edits: &[Value], encoding: Encoding) -> Option<String> {
        applied(text, edits.iter().map(|said| super::text(said).unwrap()).collect(), encoding)
    }

    #[test]
    fn edits_count_in_the_text_as_it_was_whatever_their_order() {
        let edits = [edit(1, 3, 4, "long"), edit(0, 0, 1, "long"), edit(1, 0, 1, "long"), edit(1, 0, 1, "long")];
        assert_eq!(after("a = 1\r\na, a\r\n", &edits, Encoding::Utf16).unwrap(), "long = 1\r\nlong, long\r\n");
        assert_eq!(after("🦀a", &[edit(0, 2, 3, "b")], Encoding::Utf16).unwrap(), "🦀b");
        assert_eq!(after("🦀a", &[edit(0, 4, 5, "b")], Encoding::Utf8).unwrap(), "🦀b");
    }

    #[test]
    fn edits_of_the_same_place_are_not_made() {
        assert_eq!(after("abc", &[edit(0, 0, 2, "x"), edit(0, 1, 3, "y")], Encoding::Utf8), None);
        assert_eq!(after("abc", &[edit(0, 2, 1, "x")], Encoding::Utf8), None);
    }

    #[test]
    fn both_forms_of_an_answer_are_read_and_files_are_not_moved() {
        let one = json!({ "changes": { "file:///b": [edit(0, 0, 1, "x")], "file:///a": [], "file:///c": [edit(0, 0, 1, "x")] } });
        let paths = |answer: &Value| read(answer).map(|all| all.into_iter().map(|(path, _)| path).collect::<Vec<_>>());
        assert_eq!(paths(&one).unwrap(), [Path::new("/b"), Path::new("/c")]);
        let document =
            |uri: &str| json!({ "textDocument": { "uri": uri, "version": 1 }, "edits": [edit(0, 0, 1, "x")] });
        let two = json!({ "documentChanges": [document("file:///a"), document("file:///a")] });
        assert_eq!(read(&two).unwrap()[0].1.len(), 2);
        let moved = json!({ "documentChanges": [document("file:///a"), { "kind": "rename" }] });
        assert!(paths(&moved).unwrap_err().message.contains("is not done by a rename"));
        assert!(paths(&json!({ "changes": { "x:y": [edit(0, 0, 1, "x")] } })).is_err());
        assert_eq!(paths(&Value::Null).unwrap(), Vec::<PathBuf>::new());
    }
}
