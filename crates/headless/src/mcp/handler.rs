//! What the other program may ask of us: which tools there are, and to call one.

use super::desk::{Opened, QueuedCall};
use agent_protocol::ToolSpec;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Tools that are between a model and its person: there is no model of ours here, and the other program has its own.
const OF_A_SESSION: [&str; 4] = ["todo_write", "exit_plan_mode", "ask_user", "task"];

/// The newest version that still lets a server ask the user something in the middle of a call.
const NEWEST: ProtocolVersion = ProtocolVersion::V_2025_11_25;

/// Answers the other program; calls go to the desk.
pub(super) struct Handler {
    info: ServerConfig,
    tools: Vec<Tool>,
    calls: mpsc::Sender<QueuedCall>,
}

impl Handler {
    pub(super) fn new(opened: &Opened, version: &str, calls: mpsc::Sender<QueuedCall>) -> Self {
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
