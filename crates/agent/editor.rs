//! What an editor wants of a session that it opens.

use agent_protocol::SessionId;
use agent_tools::Buffers;
use std::sync::Arc;

/// What an editor wants of a session.
#[derive(Clone)]
pub(crate) struct Editor {
    /// What a new session is called: editors speak of it before anything is written down.
    pub(crate) name: SessionId,
    /// Tells what it holds of files.
    pub(crate) buffers: Option<Arc<dyn Buffers>>,
}
