//! What the binary gives this front end: sessions, each with two channels to a loop of its own.

use agent_protocol::{Event, Image, Op, OwnCommand, SessionCard, SessionId};
use std::path::PathBuf;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Opens sessions, and knows those that are kept.
pub trait Doorway: Send + Sync {
    /// Opens a session. Blocking.
    ///
    /// # Errors
    /// Why it cannot be opened, in words that name the next step.
    fn open(&self, opening: Opening) -> Result<EditorSession, String>;

    /// A picture, whose bytes the editor hands over in Base64, as a model is shown it. Blocking.
    ///
    /// # Errors
    /// Why it cannot be shown.
    fn picture(&self, base64: &str) -> Result<Image, String>;

    /// The kept sessions, the one written to last first: those of `folder`, where one is named. Blocking.
    fn sessions(&self, folder: Option<PathBuf>) -> Vec<SessionCard>;
}

#[derive(Debug)]
pub struct Opening {
    /// The folder it works in, as the editor names it.
    pub folder: PathBuf,
    /// The kept session it goes on with; `None`: a new one begins.
    pub earlier: Option<SessionId>,
    /// Who is asked what the editor holds of a file before it is written; `None`: the editor does not tell.
    pub buffers: Option<UnboundedSender<BufferWish>>,
}

#[derive(Debug)]
pub struct EditorSession {
    /// The name it is kept under.
    pub id: SessionId,
    /// The project folder, links resolved.
    pub project: PathBuf,
    /// What is wanted of it. Dropping this ends it.
    pub ops: UnboundedSender<Op>,
    pub events: UnboundedReceiver<Event>,
    /// Slash commands of the user's own, and of the project.
    pub commands: Vec<OwnCommand>,
    /// Ends when everything under way has been stopped and written down.
    pub ended: JoinHandle<()>,
}

/// Somebody is about to write a file, and wants to know what the editor holds of it.
#[derive(Debug)]
pub struct BufferWish {
    /// The file: absolute, links resolved.
    pub path: PathBuf,
    /// Where the answer goes. Dropping it says that the editor does not answer.
    pub answer: oneshot::Sender<BufferText>,
}

/// What the editor holds of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BufferText {
    /// This text, saved or not.
    Text(String),
    /// Nothing that it would tell: the file is not open, or not there.
    Nothing,
}
