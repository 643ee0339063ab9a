//! `agent acp` in a child process, driven by the client side of the protocol's own crate: what goes over the wire is read by the
//! types of the protocol's authors, and not by ours. A server answers from a script.
//!
//! `AGENT_BIN` names the program; `tests/acp_client/run` sets it.
#![cfg(test)]

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CancelNotification, ContentBlock, ContentChunk, ImageContent, InitializeRequest, NewSessionRequest,
    PermissionOptionKind, PromptRequest, RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse,
    SelectedPermissionOutcome, SessionNotification, SessionUpdate, StopReason, TextContent,
};
use agent_client_protocol::{AcpAgent, AcpAgentConfig, Agent, Client};
use agent_mock_server::{Script, Server};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::Notify;

/// A test that takes longer has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// A picture of one pixel.
const DOT: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// A home, a project and a scripted server.
struct House {
    folder: TempDir,
    server: Server,
}

impl House {
    /// With a server whose model sees and says this, one after the other.
    fn new(replies: &[Value]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "project"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let replies: Vec<Value> = replies.iter().map(|say| json!({"times": 1, "say": say})).collect();
        let model = json!({"name": "m", "context_length": 32768, "capabilities": ["completion", "tools", "vision"]});
        let script = Script::from_value(json!({"models": [model], "replies": replies})).unwrap();
        House { folder, server: Server::start(script).unwrap() }
    }

    fn project(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    /// The program, with a home of its own.
    fn agent(&self) -> AcpAgent {
        let program = std::env::var("AGENT_BIN").expect("AGENT_BIN names the program; tests/acp_client/run sets it");
        let home = self.folder.path().join("home");
        let in_home = |name: &str| home.join(name).display().to_string();
        let config = AcpAgentConfig::new(program)
            .args(["acp", "--model", "m"])
            .env("HOME", home.display().to_string())
            .env("XDG_CONFIG_HOME", in_home("config"))
            .env("XDG_STATE_HOME", in_home("state"))
            .env("AGENT_HOST", self.server.url());
        AcpAgent::new(config)
    }
}

/// What the user behind the client does, and what they were shown.
#[derive(Default)]
struct Seen {
    /// What the model said.
    said: Mutex<String>,
    /// Titles of what was asked.
    asked: Mutex<Vec<String>>,
    /// Something was said.
    news: Notify,
}

impl Seen {
    fn take(&self, update: SessionUpdate) {
        if let SessionUpdate::AgentMessageChunk(ContentChunk { content: ContentBlock::Text(text), .. }) = update {
            self.said.lock().unwrap().push_str(&text.text);
            self.news.notify_one();
        }
    }

    fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }
}

fn words(text: &str) -> ContentBlock {
    ContentBlock::Text(TextContent::new(text))
}

/// Lets `act` speak with the program; whatever is asked is answered with the first choice of this kind.
async fn with_client<A>(house: &House, answer: PermissionOptionKind, seen: Arc<Seen>, act: A)
where
    A: AsyncFnOnce(ConnectionTo<Agent>) -> Result<(), agent_client_protocol::Error>,
{
    let (told, asked) = (seen.clone(), seen);
    let session = Client
        .v1()
        .on_receive_notification(
            async move |notification: SessionNotification, _connection| {
                told.take(notification.update);
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, _connection| {
                let title = request.tool_call.fields.title.clone().unwrap_or_default();
                asked.asked.lock().unwrap().push(title);
                let option = request.options.iter().find(|option| option.kind == answer).expect("it is offered");
                let chosen = SelectedPermissionOutcome::new(option.option_id.clone());
                responder.respond(RequestPermissionResponse::new(RequestPermissionOutcome::Selected(chosen)))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .connect_with(house.agent(), act);
    tokio::time::timeout(PATIENCE, session).await.expect("it ends in time").expect("nothing goes wrong on the wire");
}

async fn begin(connection: &ConnectionTo<Agent>, project: &Path) -> agent_client_protocol::v1::schema::SessionId {
    let begun = connection.send_request(InitializeRequest::new(ProtocolVersion::V1)).block_task().await.unwrap();
    let can = begun.agent_capabilities.prompt_capabilities;
    assert!(can.image && can.embedded_context && !can.audio);
    connection.send_request(NewSessionRequest::new(project)).block_task().await.unwrap().session_id
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_with_a_picture_a_permission_and_what_comes_of_it() {
    let write = json!([{"call": {"name": "write_file", "arguments": {"file_path": "a.txt", "content": "new\n"}}}]);
    let house = House::new(&[write, json!([{"text": "Written."}])]);
    let (seen, project) = (Arc::new(Seen::default()), house.project());
    let act = async move |connection: ConnectionTo<Agent>| {
        let session = begin(&connection, &project).await;
        let picture = ContentBlock::Image(ImageContent::new(DOT, "image/png"));
        let prompt = PromptRequest::new(session, vec![words("write what you see"), picture]);
        let ended = connection.send_request(prompt).block_task().await?;
        assert_eq!(ended.stop_reason, StopReason::EndTurn);
        Ok(())
    };
    with_client(&house, PermissionOptionKind::AllowOnce, seen.clone(), act).await;
    assert_eq!(std::fs::read_to_string(house.project().join("a.txt")).unwrap(), "new\n");
    assert_eq!((seen.said().as_str(), seen.asked.lock().unwrap().len()), ("Written.", 1));
    let first = house.server.chats()[0].body["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(first["images"].as_array().map(Vec::len), Some(1), "{first}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_is_not_done_and_what_is_cancelled_ends() {
    let write = json!([{"call": {"name": "write_file", "arguments": {"file_path": "a.txt", "content": "new\n"}}}]);
    let slow = json!([{"text": "Once upon a time"}, {"wait_ms": 60_000}, {"text": "never shown"}]);
    let house = House::new(&[write, json!([{"text": "As you wish."}]), slow]);
    let (seen, project) = (Arc::new(Seen::default()), house.project());
    let watched = seen.clone();
    let act = async move |connection: ConnectionTo<Agent>| {
        let session = begin(&connection, &project).await;
        let prompt = PromptRequest::new(session.clone(), vec![words("write it")]);
        let ended = connection.send_request(prompt).block_task().await?;
        assert_eq!(ended.stop_reason, StopReason::EndTurn);
        let tale = connection.send_request(PromptRequest::new(session.clone(), vec![words("tell me a tale")]));
        while !watched.said().contains("Once upon a time") {
            watched.news.notified().await;
        }
        connection.send_notification(CancelNotification::new(session))?;
        assert_eq!(tale.block_task().await?.stop_reason, StopReason::Cancelled);
        Ok(())
    };
    with_client(&house, PermissionOptionKind::RejectOnce, seen.clone(), act).await;
    assert!(!house.project().join("a.txt").exists());
    assert!(seen.said().starts_with("As you wish.") && !seen.said().contains("never shown"), "{}", seen.said());
}
