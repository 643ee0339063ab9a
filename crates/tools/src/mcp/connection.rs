//! One server that is there: started or reached, greeted, asked, ended.

use crate::mcp::answer::Answer;
use crate::mcp::error::McpError;
use crate::mcp::limited::{LONGEST, Limited};
use crate::mcp::offered::Offered;
use crate::mcp::server::{Server, Way};
use crate::mcp::words::{line, lines};
use crate::mcp::{http, mark};
use agent_policy::SandboxLimits;
use agent_sandbox::{Lifeline, Serving, Shell, Surroundings, serve};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, Implementation, PaginatedRequestParams,
};
use rmcp::service::{ClientInitializeError, RoleClient, RunningService, ServiceError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ServiceExt, transport::Transport};
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Pages of a list of tools, and tools in all.
const PAGES: usize = 20;
const TOOLS: usize = 128;
/// Bytes of what it complains of that are kept, from the end.
const COMPLAINTS: usize = 4_096;
/// Characters of it that are told.
const WORDS: usize = 400;

/// A server that is there. Dropping it ends it with all it started; where it is elsewhere, it is let go.
#[derive(Debug)]
pub struct Connection {
    server: Server,
    service: RunningService<RoleClient, ClientConfig>,
    /// Of a program of ours.
    life: Option<Life>,
}

/// What keeps a program alive. Ended in this order.
#[derive(Debug)]
struct Life {
    _family: Lifeline,
    complaints: Complaints,
    too_long: Arc<AtomicBool>,
    /// Its temporary folder.
    _around: Surroundings,
}

/// The end of what a program wrote to its standard error.
#[derive(Debug)]
struct Complaints {
    kept: Arc<Mutex<VecDeque<u8>>>,
    reading: JoinHandle<()>,
}

impl Connection {
    /// Starts `server` within `fence`, or reaches it, and greets it.
    ///
    /// Must be called within a runtime.
    ///
    /// # Errors
    /// A [`McpError`].
    pub async fn open(server: &Server, fence: &SandboxLimits) -> Result<Self, McpError> {
        match &server.way {
            Way::Program { argv, env } => Connection::start(server, argv, env, fence).await,
            Way::Address { url, secrets, proxy } => {
                let transport = http::transport(server, url, secrets, *proxy)?;
                let service = greet(server, transport).await?.map_err(|error| not_there(server, &error, None))?;
                Ok(Connection { server: server.clone(), service, life: None })
            }
        }
    }

    async fn start(server: &Server, argv: &[String], env: &[String], fence: &SandboxLimits) -> Result<Self, McpError> {
        let failed = |why: String| McpError::NotThere { server: server.name.clone(), why };
        let around = Surroundings::new(std::env::vars_os(), env, fence.root());
        let around = around.map_err(|error| failed(format!("there is no temporary folder ({error})")))?;
        let program = mark::program(server, argv, around.programs())?;
        let words = std::iter::once(program.to_string_lossy().into_owned()).chain(argv.iter().skip(1).cloned());
        // In a folder of its own: from that of the project, a repository could put its own files in place of what the
        // words of the user's command name.
        let cwd = around.temporary().to_owned();
        let shell = Shell { line: String::new(), argv: words.collect(), cwd, input: None, held: None };
        let serving = serve(&shell, fence, &around).map_err(|error| failed(error.to_string()))?;
        let Serving { input, output, errors, family } = serving;
        let too_long = Arc::new(AtomicBool::new(false));
        let life =
            Life { _family: family, complaints: Complaints::read(errors), too_long: too_long.clone(), _around: around };
        let transport = AsyncRwTransport::new_client(Limited::new(output, LONGEST, too_long), input);
        let greeted = greet(server, transport.with_max_line_length(2 * LONGEST)).await?;
        match greeted {
            Ok(service) => Ok(Connection { server: server.clone(), service, life: Some(life) }),
            Err(error) => Err(not_there(server, &error, Some(life.complaints.end().await))),
        }
    }

    /// What it has, in its order.
    ///
    /// # Errors
    /// A [`McpError`], also where it has more than is taken.
    pub async fn tools(&self) -> Result<Vec<Offered>, McpError> {
        let (mut tools, mut cursor) = (Vec::new(), None);
        for _ in 0..PAGES {
            let page = PaginatedRequestParams::default().with_cursor(cursor.take());
            let page = self.in_time(self.service.list_tools(Some(page))).await?;
            tools.extend(page.tools.iter().filter_map(Offered::read));
            if tools.len() > TOOLS {
                break;
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(tools);
            }
        }
        Err(McpError::TooMuch { server: self.server.name.clone(), what: "has more tools than can be looked through" })
    }

    /// Calls `tool`. Dropping the future stops waiting, and tells the server so.
    ///
    /// # Errors
    /// A [`McpError`]; that the tool itself failed is an [`Answer`].
    pub async fn call(&self, tool: &str, arguments: Map<String, Value>) -> Result<Answer, McpError> {
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        match self.in_time(self.service.call_tool_once(call)).await? {
            CallToolResponse::Complete(result) => Ok(Answer::read(result)),
            _ => Err(self.not_understood("it wants to ask something back, and nobody is asked here")),
        }
    }

    /// Is it a program that was started here?
    pub(crate) fn is_ours(&self) -> bool {
        self.life.is_some()
    }

    /// Is it still there?
    pub fn is_there(&self) -> bool {
        !self.service.is_transport_closed() && !self.service.is_closed()
    }

    async fn in_time<T>(&self, answer: impl Future<Output = Result<T, ServiceError>>) -> Result<T, McpError> {
        match timeout(self.server.timeout, answer).await {
            Err(_) => Err(silent(&self.server)),
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(self.failed(error)),
        }
    }

    fn failed(&self, error: ServiceError) -> McpError {
        let server = self.server.name.clone();
        match error {
            ServiceError::McpError(error) => McpError::Refused { server, why: line(&error.message, WORDS) },
            ServiceError::TransportClosed | ServiceError::TransportSend(_) if self.was_too_long() => {
                McpError::TooMuch { server, what: "answered with more than 8 MB" }
            }
            ServiceError::TransportSend(error) if self.life.is_none() => {
                let said = line(&error.error.to_string(), WORDS);
                McpError::Gone { server, said: format!(": {said}") }
            }
            ServiceError::TransportClosed | ServiceError::TransportSend(_) => {
                McpError::Gone { server, said: self.last_words() }
            }
            other => self.not_understood(&other.to_string()),
        }
    }

    fn was_too_long(&self) -> bool {
        self.life.as_ref().is_some_and(|life| life.too_long.load(Ordering::Relaxed))
    }

    fn last_words(&self) -> String {
        self.life.as_ref().map_or(String::new(), |life| behind_colon(&life.complaints.now()))
    }

    fn not_understood(&self, why: &str) -> McpError {
        McpError::NotUnderstood { server: self.server.name.clone(), why: line(why, WORDS) }
    }
}

/// Says who we are. We can do nothing for a server: it gets no model, no folders and no person to ask.
async fn greet<T>(
    server: &Server,
    transport: T,
) -> Result<Result<RunningService<RoleClient, ClientConfig>, ClientInitializeError>, McpError>
where
    T: Transport<RoleClient> + 'static,
{
    let us = ClientConfig::new(ClientCapabilities::default(), Implementation::new("agent", env!("CARGO_PKG_VERSION")));
    timeout(server.timeout, us.serve(transport)).await.map_err(|_| silent(server))
}

fn silent(server: &Server) -> McpError {
    McpError::Silent { server: server.name.clone(), seconds: server.timeout.as_secs() }
}

fn not_there(server: &Server, error: &ClientInitializeError, complaints: Option<String>) -> McpError {
    let why = match error {
        ClientInitializeError::ConnectionClosed(_) => "it ended before it said anything".to_owned(),
        ClientInitializeError::JsonRpcError(error) => format!("it refused: {}", error.message),
        // It is noticed at whichever end of the pipe comes first.
        ClientInitializeError::TransportError { .. } if complaints.is_some() => {
            "it ended before it said anything".to_owned()
        }
        ClientInitializeError::TransportError { error, .. } => error.error.to_string(),
        other => other.to_string(),
    };
    let said = complaints.map_or(String::new(), |said| behind_colon(&said));
    McpError::NotThere { server: server.name.clone(), why: line(&why, WORDS) + &said }
}

fn behind_colon(said: &str) -> String {
    let said = line(said, WORDS);
    if said.is_empty() { said } else { format!(": {said}") }
}

impl Complaints {
    fn read(mut errors: Receiver) -> Self {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let keep = kept.clone();
        let reading = tokio::spawn(async move {
            let mut buffer = [0; 1_024];
            while let Ok(read @ 1..) = errors.read(&mut buffer).await {
                let mut kept = keep.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&buffer[..read]);
                let over = kept.len().saturating_sub(COMPLAINTS);
                kept.drain(..over);
            }
        });
        Complaints { kept, reading }
    }

    /// The end of what was said so far, the last lines first to be kept.
    fn now(&self) -> String {
        let kept: Vec<u8> = self.kept.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let text = lines(&String::from_utf8_lossy(&kept));
        let skipped = text.chars().count().saturating_sub(WORDS);
        text.chars().skip(skipped).collect()
    }

    /// The same of a program that ends: all it said is waited for, but not for long.
    async fn end(mut self) -> String {
        let patience = std::time::Duration::from_secs(1);
        // Whoever still holds the other end of the pipe is not waited for.
        let _ = timeout(patience, &mut self.reading).await;
        self.now()
    }
}

impl Drop for Complaints {
    fn drop(&mut self) {
        self.reading.abort();
    }
}
