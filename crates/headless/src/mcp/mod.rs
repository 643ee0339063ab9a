//! Offers our tools to another program over MCP: it writes lines of JSON to our standard input and reads them from our
//! standard output, which carries nothing else.
//!
//! It is a front end like the others: each call is an `Op`, what comes of it is heard in `Event`s, and where a person would be
//! asked, the other program is asked to ask them. Where it cannot, the answer is No, with the flag that would have
//! allowed it. Decides nothing.

mod asking;
mod call_runner;

use crate::end::Signals;
use crate::streams::progress_line;
use crate::{End, Streams};
use agent_protocol::{Event, Op, ToolSpec};
pub(crate) use asking::question_words;
use call_runner::{CallRunner, Opened, QueuedCall};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;
use std::borrow::Cow;
use std::io::{Read, Write};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, channel};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// Calls that may wait for their turn; more are turned away.
const WAITING: usize = 64;

/// Serves the tools of this session until the other program closes its end, or a signal comes. `version` is ours.
///
/// # Errors
/// When signals cannot be heard, or no thread can be begun.
pub async fn serve(
    ops: UnboundedSender<Op>,
    events: UnboundedReceiver<Event>,
    version: &str,
    pipes: Pipes,
    streams: &mut Streams<'_>,
) -> io::Result<End> {
    let mut signals = Signals::listen()?;
    let mut runner = CallRunner::new(ops, events);
    let opened = tokio::select! {
        opened = runner.opened() => opened,
        end = signals.next() => return Ok(end),
    };
    let Some(opened) = opened else { return Ok(End::Failed) };
    let (calls, queue) = channel(WAITING);
    let handler = Handler::new(&opened, version, calls);
    let (transport, written) = pipes.open()?;
    let end = {
        let mut served = pin!(until_closed(handler, transport));
        tokio::select! {
            ended = &mut served => match ended {
                Ok(()) => End::Answered,
                Err(words) => {
                    progress_line(streams, &words)?;
                    End::Failed
                }
            },
            end = runner.work(queue, streams) => end,
            end = signals.next() => end,
        }
    };
    written.wait().await;
    Ok(end)
}

/// Talks to the other program until it closes its end.
async fn until_closed(handler: Handler, transport: Transport) -> Result<(), String> {
    let running = match handler.serve(transport).await {
        Ok(running) => running,
        // It went away before it said anything, which is no fault.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(format!("the other program does not begin as MCP wants it: {error}")),
    };
    running.waiting().await.map(drop).map_err(|error| format!("serving ended unexpectedly: {error}"))
}

/// Bytes that may be on their way in one direction.
const ON_THE_WAY: usize = 64 << 10;

/// Bytes of the longest message that is read; a longer one is passed over.
const LONGEST_LINE: usize = 8 << 20;

/// So long the last words may take to be written.
const PATIENCE: Duration = Duration::from_secs(2);

/// How messages go in and out.
type Transport = AsyncRwTransport<RoleServer, DuplexStream, DuplexStream>;

/// Where the other program is.
pub struct Pipes {
    pub input: Box<dyn Read + Send>,
    pub output: Box<dyn Write + Send>,
}

/// The end of what is written.
struct Written(oneshot::Receiver<()>);

impl Written {
    /// Waits until all is written, but not for ever.
    async fn wait(self) {
        // A thread that broke has nothing more to say either.
        drop(timeout(PATIENCE, self.0).await);
    }
}

impl Pipes {
    /// Begins to read and write.
    fn open(self) -> io::Result<(Transport, Written)> {
        let runtime = Handle::current();
        let (read, mut to_read) = duplex(ON_THE_WAY);
        let (write, mut to_write) = duplex(ON_THE_WAY);
        let (mut input, mut output) = (self.input, self.output);
        let (done, written) = oneshot::channel();
        let reading = runtime.clone();
        thread::Builder::new().name("mcp-input".into()).spawn(move || {
            let mut bytes = vec![0; 8 << 10];
            while let Ok(count @ 1..) = input.read(&mut bytes) {
                if reading.block_on(to_read.write_all(&bytes[..count])).is_err() {
                    return;
                }
            }
        })?;
        thread::Builder::new().name("mcp-output".into()).spawn(move || {
            let mut bytes = vec![0; 8 << 10];
            while let Ok(count @ 1..) = runtime.block_on(to_write.read(&mut bytes)) {
                if output.write_all(&bytes[..count]).and_then(|()| output.flush()).is_err() {
                    break;
                }
            }
            // Whoever waited for it may be gone.
            let _told = done.send(());
        })?;
        Ok((AsyncRwTransport::new_server(read, write).with_max_line_length(LONGEST_LINE), Written(written)))
    }
}

/// Tools that are between a model and its person: there is no model of ours here, and the other program has its own.
const OF_A_SESSION: [&str; 4] = ["todo_write", "exit_plan_mode", "ask_user", "task"];

/// The newest version that still lets a server ask the user something in the middle of a call.
const NEWEST: ProtocolVersion = ProtocolVersion::V_2025_11_25;

/// Answers the other program; calls go to the runner.
struct Handler {
    info: ServerConfig,
    tools: Vec<Tool>,
    calls: mpsc::Sender<QueuedCall>,
}

impl Handler {
    fn new(opened: &Opened, version: &str, calls: mpsc::Sender<QueuedCall>) -> Self {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let info = ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("agent", version))
            .with_protocol_version(NEWEST)
            .with_instructions(format!(
                "Tools over the files of {}; paths are relative to it. Calls are carried out one after the other. What \
                 changes something may be refused: the answer says why, and what to do next.",
                opened.project.display()
            ));
        let offered = opened.tools.iter().filter(|spec| !OF_A_SESSION.contains(&spec.name.as_str()));
        Handler { info, tools: offered.map(tool).collect(), calls }
    }
}

fn tool(spec: &ToolSpec) -> Tool {
    let schema = match &spec.parameters {
        Value::Object(schema) => schema.clone(),
        _ => serde_json::Map::from_iter([("type".to_owned(), Value::from("object"))]),
    };
    Tool::new(spec.name.clone(), spec.description.clone(), Arc::new(schema))
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.info.clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::known_up_to(&NEWEST))
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (answer, answered) = oneshot::channel();
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let queued = QueuedCall { name: request.name.into_owned(), arguments, context, answer };
        let full = "too many calls wait for their turn; call again when some of them have ended";
        self.calls.try_send(queued).map_err(|_| ErrorData::internal_error(full, None))?;
        let gone = |_| ErrorData::internal_error("the call was given up", None);
        answered.await.map(CallToolResponse::from).map_err(gone)
    }
}
