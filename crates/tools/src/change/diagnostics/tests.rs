//! What is told after a change, of a server that plays a part.

use super::*;
use crate::Ground;
use crate::LanguageServer;
use crate::lsp::tests::{Heard, answer, playing, told};
use crate::program::Watch;
use serde_json::json;
use tempfile::TempDir;

struct Project {
    _folder: TempDir,
    workspace: Workspace,
    servers: Arc<Servers>,
    heard: Heard,
}

/// A project with `a.q`, for which a server runs that finds an error in every line that holds `bad`, and a warning in every one
/// that holds `odd`.
fn project(text: &str, abilities: Value) -> Project {
    let folder = TempDir::new().unwrap();
    let root = folder.path().canonicalize().unwrap();
    std::fs::write(root.join("a.q"), text).unwrap();
    let pulls = abilities["diagnosticProvider"] == true;
    let mut text = String::new();
    let (server, heard) = playing(&root, abilities, move |message| {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("textDocument/didOpen") => text = params["textDocument"]["text"].as_str().unwrap().into(),
            Some("textDocument/didChange") => text = params["contentChanges"][0]["text"].as_str().unwrap().into(),
            Some("textDocument/diagnostic") => return Some(vec![answer(message, json!({ "items": faults(&text) }))]),
            Some(_) | None => return Some(Vec::new()),
        }
        let (uri, version) = (&params["textDocument"]["uri"], &params["textDocument"]["version"]);
        let said = json!({ "uri": uri, "version": version, "diagnostics": faults(&text) });
        let said = json!({ "method": "textDocument/publishDiagnostics", "params": said });
        Some(if pulls { Vec::new() } else { vec![said] })
    });
    let own =
        LanguageServer { name: "fake".into(), command: vec!["sh".into()], extensions: vec!["q".into(), "pem".into()] };
    let ground = Ground { servers: vec![own], ..Ground::of_this_process(root.clone()).unwrap() };
    let servers = Arc::new(Servers::with(&ground, server));
    Project { _folder: folder, workspace: Workspace::new(&root), servers, heard }
}

fn faults(text: &str) -> Vec<Value> {
    let at =
        |line: usize| json!({ "start": { "line": line, "character": 2 }, "end": { "line": line, "character": 3 } });
    let fault = |(line, text): (usize, &str)| {
        let severity = if text.contains("bad") { 1 } else { 2 };
        let message = format!("{}\nis wrong", text.trim());
        json!({ "range": at(line), "severity": severity, "message": message, "code": "E1" })
    };
    text.lines().enumerate().filter(|(_, text)| text.contains("bad") || text.contains("odd")).map(fault).collect()
}

impl Project {
    /// What is told and shown where the file becomes `text`.
    fn changed(&self, text: &str) -> (String, String) {
        let path = self.workspace.root().join("a.q");
        let files = [(path.as_path(), true)];
        let watched = Watched::before(self.servers.clone(), &self.workspace, files.into_iter());
        std::fs::write(&path, text).unwrap();
        let outcome = watched.told(words::done("edited a.q".into(), "+1 −1".into(), String::new()));
        (outcome.told, outcome.summary)
    }
}

#[test]
fn errors_that_are_new_are_told_wherever_their_lines_moved() {
    for abilities in [json!({}), json!({ "diagnosticProvider": true })] {
        let project = project("one\nbad 1\n", abilities);
        let (to_model, to_person) = project.changed("one\ntwo\n  bad 1\n  bad 2\nodd\n");
        assert_eq!(to_model, "edited a.q\n(1 new error since this change, says fake:\na.q:4:3: bad 2 is wrong [E1])");
        assert_eq!(to_person, "+1 −1; 1 new error");
        let silent = ("edited a.q".to_owned(), "+1 −1".to_owned());
        assert_eq!(project.changed("one\n  bad 1\n  bad 2\n"), silent, "nothing is new");
        assert_eq!(project.changed("one\n"), silent);
    }
}

#[test]
fn a_few_of_many_are_told() {
    let project = project("one\n", json!({}));
    let text: String = (0..8).map(|at| format!("bad {at}\n")).collect();
    let (to_model, to_person) = project.changed(&text);
    assert!(to_model.ends_with("\na.q:5:3: bad 4 is wrong [E1]\n[3 more])"), "{to_model}");
    assert_eq!(to_person, "+1 −1; 8 new errors");
}

#[test]
fn secrets_are_shown_to_no_server_and_none_is_started() {
    let project = project("one\n", json!({}));
    let root = project.workspace.root();
    let watched = |path: PathBuf| {
        Watched::before(project.servers.clone(), &project.workspace, [(path.as_path(), true)].into_iter())
    };
    assert!(project.workspace.is_secret(&root.join("key.pem")));
    assert!(watched(root.join("key.pem")).files.is_empty());
    assert!(watched("/elsewhere/a.q".into()).files.is_empty());
    assert!(watched(root.join("a.rs")).files.is_empty());
    assert!(told(&project.heard, "textDocument/didOpen").is_empty());
    let ground = Ground::of_this_process(root.into()).unwrap();
    let none = Arc::new(Servers::new(&ground, &Watch::default()));
    assert!(
        Watched::before(none, &project.workspace, [(root.join("a.q").as_path(), true)].into_iter()).files.is_empty()
    );
}
