//! A server as the user approved it: nothing is called of one that is another by now.

use crate::mcp::answer::Answer;
use crate::mcp::connection::Connection;
use crate::mcp::error::McpError;
use crate::mcp::mark::Mark;
use crate::mcp::offered::{Offered, differences};
use crate::mcp::server::Server;
use crate::mcp::words::line;
use agent_policy::SandboxLimits;
use agent_sandbox::Surroundings;
use serde_json::{Map, Value};
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

const NAMED: usize = 5;
/// Characters of them.
const WORDS: usize = 600;

/// A server as the user approved it. Plain data, made by the door.
#[derive(Debug, Clone, PartialEq)]
pub struct Pinned {
    pub server: Server,
    /// [`Mark::whole`] of what was approved.
    pub mark: String,
    pub tools: Vec<Offered>,
}

impl Pinned {
    /// Starts or reaches it, if it is what was approved.
    async fn open(&self, fence: &SandboxLimits, around: Arc<Surroundings>) -> Result<Connection, McpError> {
        let server = self.server.clone();
        let mark = spawn_blocking(move || Mark::of(&server, around.programs())).await;
        let mark = mark.map_err(|_| self.changed("it cannot be looked at"))??;
        if mark.whole != self.mark {
            return Err(self.changed("its program or its settings are others now"));
        }
        let connection = Connection::open(&self.server, fence).await?;
        let different = differences(&self.tools, &connection.tools().await?);
        if different.is_empty() {
            return Ok(connection);
        }
        let more = if different.len() > NAMED { ", and more" } else { "" };
        let named = line(&different[..different.len().min(NAMED)].join(", "), WORDS);
        Err(self.changed(&format!("{named}{more}")))
    }

    fn changed(&self, what: &str) -> McpError {
        McpError::Changed { server: self.server.name.clone(), what: what.to_owned() }
    }
}

/// One server of a session: started at the first call, kept, started again when it died or hangs. Dropping it ends it.
#[derive(Debug)]
pub struct Link {
    pinned: Pinned,
    around: Arc<Surroundings>,
    connection: Mutex<Option<Arc<Connection>>>,
}

impl Link {
    /// Nothing is started yet. A program of the server is looked for where commands `around` it are.
    pub fn new(pinned: Pinned, around: Arc<Surroundings>) -> Self {
        Link { pinned, around, connection: Mutex::default() }
    }

    pub fn pinned(&self) -> &Pinned {
        &self.pinned
    }

    /// Calls `tool` of it. Dropping the future stops waiting, and tells the server so.
    ///
    /// # Errors
    /// A [`McpError`]; [`McpError::Changed`] when it is not what was approved, and nothing was called.
    pub async fn call(
        &self,
        fence: &SandboxLimits,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<Answer, McpError> {
        let connection = self.there(fence).await?;
        let answer = connection.call(tool, arguments).await;
        if matches!(answer, Err(McpError::Silent { .. })) && connection.is_ours() {
            self.let_go(&connection).await;
        }
        answer
    }

    /// One that hangs is not asked again: the next call starts another. It ends when nobody waits for it any more.
    async fn let_go(&self, silent: &Arc<Connection>) {
        let mut kept = self.connection.lock().await;
        if kept.as_ref().is_some_and(|connection| Arc::ptr_eq(connection, silent)) {
            *kept = None;
        }
    }

    async fn there(&self, fence: &SandboxLimits) -> Result<Arc<Connection>, McpError> {
        let mut kept = self.connection.lock().await;
        if let Some(connection) = kept.as_ref().filter(|connection| connection.is_there()) {
            return Ok(connection.clone());
        }
        // What is left of one that died goes first.
        *kept = None;
        let connection = Arc::new(self.pinned.open(fence, self.around.clone()).await?);
        *kept = Some(connection.clone());
        Ok(connection)
    }
}
