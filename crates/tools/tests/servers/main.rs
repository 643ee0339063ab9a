//! Servers that are started: good ones, and those that lie, die, say nothing or too much.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod http;

use agent_policy::{Grounds, SandboxLimits};
use agent_sandbox::Surroundings;
use agent_tools::mcp::{Connection, Link, Mark, McpError, Offered, Pinned, Server, Way};
use serde_json::{Map, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(30);

struct Notes {
    folder: TempDir,
    server: Server,
}

impl Notes {
    /// The server of `notes.sh` that does as `how` says.
    fn new(how: &str) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/notes.sh");
        let argv = vec!["sh".into(), script.to_str().unwrap().into(), how.into()];
        let way = Way::Program { argv, env: vec!["CARGO_PKG_NAME".into()] };
        Notes { folder: tempfile::tempdir().unwrap(), server: Server { name: "notes".into(), way, timeout: PATIENCE } }
    }

    async fn open(&self) -> Result<Connection, McpError> {
        Connection::open(&self.server, &fence(self.folder.path())).await
    }
}

pub(crate) fn fence(root: &Path) -> SandboxLimits {
    let grounds = Grounds { root: root.canonicalize().unwrap(), writable: Vec::new(), ports: Vec::new() };
    SandboxLimits::for_server(&grounds, agent_sandbox::probe().kind)
}

async fn said(connection: &Connection, tool: &str) -> String {
    connection.call(tool, Map::new()).await.unwrap().text
}

async fn refused(connection: &Connection, tool: &str) -> McpError {
    connection.call(tool, Map::new()).await.unwrap_err()
}

#[tokio::test]
async fn a_server_says_what_it_has_page_by_page_and_answers() {
    let notes = Notes::new("good");
    let connection = notes.open().await.unwrap();
    let schema = json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] });
    let tool =
        |name: &str, description: &str, schema| Offered { name: name.into(), description: description.into(), schema };
    let expected = [
        tool("add", "Adds a note.", schema),
        tool("pid", "Tells its number.", json!({ "type": "object", "properties": {} })),
    ];
    assert_eq!(connection.tools().await.unwrap(), expected);
    let answer = connection.call("add", Map::from_iter([("text".into(), "x".into())])).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.failed), ("added", false));
    let answer = connection.call("fail", Map::new()).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.failed), ("the disk is full", true));
    assert_eq!(
        refused(&connection, "refuse").await,
        McpError::Refused { server: "notes".into(), why: "no such tool".into() }
    );
    assert!(connection.is_there());
}

#[tokio::test]
async fn a_server_gets_the_variables_that_are_listed_for_it_alone() {
    let notes = Notes::new("good");
    assert_eq!(said(&notes.open().await.unwrap(), "secret").await, "unset agent-tools");
}

#[tokio::test]
async fn garbage_before_the_greeting_is_passed_over() {
    let notes = Notes::new("garbage");
    assert_eq!(said(&notes.open().await.unwrap(), "add").await, "added");
}

#[tokio::test]
async fn the_last_words_of_a_server_that_does_not_live_are_told() {
    let error = Notes::new("dead").open().await.unwrap_err();
    let why = "it ended before it said anything: no notes here";
    assert_eq!(error, McpError::NotThere { server: "notes".into(), why: why.into() });
    let notes = Notes::new("good");
    let connection = notes.open().await.unwrap();
    assert!(matches!(refused(&connection, "die").await, McpError::Gone { .. }));
    assert!(!connection.is_there());
}

#[tokio::test]
async fn a_server_that_never_answers_is_waited_for_only_so_long() {
    let mut notes = Notes::new("mute");
    notes.server.timeout = Duration::from_millis(1_000);
    assert_eq!(notes.open().await.unwrap_err(), McpError::Silent { server: "notes".into(), seconds: 1 });
}

#[tokio::test]
async fn whoever_stops_waiting_for_a_call_tells_the_server() {
    let notes = Notes::new("good");
    let connection = notes.open().await.unwrap();
    assert_eq!(said(&connection, "cancelled").await, "no");
    tokio::select! {
        biased;
        _ = connection.call("slow", Map::new()) => panic!("it never answers"),
        // Answered only after the call above was sent.
        text = said(&connection, "add") => assert_eq!(text, "added"),
    }
    assert_eq!(said(&connection, "cancelled").await, "yes");
}

#[tokio::test]
async fn more_than_can_be_taken_is_not_taken() {
    let notes = Notes::new("good");
    let connection = notes.open().await.unwrap();
    assert!(matches!(refused(&connection, "huge").await, McpError::TooMuch { .. }));
    let endless = Notes::new("endless");
    assert!(matches!(endless.open().await.unwrap().tools().await, Err(McpError::TooMuch { .. })));
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let mut notes = Notes::new("good");
    notes.server.way = Way::Program { argv: vec!["no-such-program".into()], env: Vec::new() };
    let expected = McpError::NoProgram { server: "notes".into(), program: "no-such-program".into() };
    assert_eq!(notes.open().await.unwrap_err(), expected);
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_a_server_that_is_let_go() {
    let notes = Notes::new("good");
    let connection = notes.open().await.unwrap();
    let process = Path::new("/proc").join(said(&connection, "pid").await);
    assert!(process.exists());
    drop(connection);
    assert!(!process.exists());
}

/// A link to what was approved of this server.
async fn approved(notes: &Notes, change: impl FnOnce(&mut Pinned)) -> Link {
    let around = Arc::new(Surroundings::new(std::env::vars_os(), &[], notes.folder.path()).unwrap());
    let mark = Mark::of(&notes.server, around.programs()).unwrap().whole;
    let tools = notes.open().await.unwrap().tools().await.unwrap();
    let mut pinned = Pinned { server: notes.server.clone(), mark, tools };
    change(&mut pinned);
    Link::new(pinned, around)
}

async fn through(link: &Link, notes: &Notes, tool: &str) -> Result<String, McpError> {
    link.call(&fence(notes.folder.path()), tool, Map::new()).await.map(|answer| answer.text)
}

#[tokio::test]
async fn a_server_is_started_once_and_again_when_it_died() {
    let notes = Notes::new("good");
    let link = approved(&notes, |_| ()).await;
    let first = through(&link, &notes, "pid").await.unwrap();
    assert_eq!(through(&link, &notes, "pid").await.unwrap(), first);
    assert!(matches!(through(&link, &notes, "die").await, Err(McpError::Gone { .. })));
    assert_ne!(through(&link, &notes, "pid").await.unwrap(), first);
}

#[tokio::test]
async fn a_server_that_hangs_is_started_again() {
    let notes = Notes::new("good");
    let link = approved(&notes, |pinned| pinned.server.timeout = Duration::from_secs(3)).await;
    let first = through(&link, &notes, "pid").await.unwrap();
    assert!(matches!(through(&link, &notes, "slow").await, Err(McpError::Silent { .. })));
    assert_ne!(through(&link, &notes, "pid").await.unwrap(), first);
}

#[tokio::test]
async fn a_server_is_started_where_the_project_puts_nothing() {
    let mut notes = Notes::new("good");
    let script = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/notes.sh")).unwrap();
    std::fs::write(notes.folder.path().join("notes"), script).unwrap();
    notes.server.way = Way::Program { argv: vec!["sh".into(), "notes".into()], env: Vec::new() };
    let error = notes.open().await.unwrap_err();
    assert!(matches!(error, McpError::NotThere { .. }), "{error}");
}

#[tokio::test]
async fn nothing_is_called_of_a_server_that_is_not_what_was_approved() {
    let notes = Notes::new("good");
    let changed = |what: &str| McpError::Changed { server: "notes".into(), what: what.into() };
    let other = approved(&notes, |pinned| pinned.tools[0].description = "Adds nothing.".into()).await;
    let what = "add has another description: \"Adds a note.\"";
    assert_eq!(through(&other, &notes, "add").await, Err(changed(what)));
    let more = approved(&notes, |pinned| drop(pinned.tools.pop())).await;
    assert_eq!(through(&more, &notes, "add").await, Err(changed("pid is new")));
    let program = approved(&notes, |pinned| pinned.mark = "0".repeat(64)).await;
    assert_eq!(through(&program, &notes, "add").await, Err(changed("its program or its settings are others now")));
}
