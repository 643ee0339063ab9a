//! What the binary gives this front end: sessions, each with two channels to a loop of its own; and what the loop asks back:
//! what the editor holds of a file before that is written.

use crate::wire::Editor;
use agent_protocol::{Event, Image, Op, OwnCommand, SessionCard, SessionId};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

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

/// A file is about to be written, and the core wants to know what the editor holds of it.
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

/// An editor that does not answer for so long does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the editor holds of the file; `None`: it did not answer.
pub(crate) async fn buffer_text(editor: &Editor, session: &str, path: &Path) -> Option<BufferText> {
    let wish = json!({"sessionId": session, "path": path.display().to_string()});
    match timeout(PATIENCE, editor.request("fs/read_text_file", wish)).await {
        Ok(Ok(told)) => told["content"].as_str().map(|text| BufferText::Text(text.to_owned())),
        // Editors answer so where the file is not there, or not theirs to read.
        Ok(Err(_)) => Some(BufferText::Nothing),
        Err(_) => None,
    }
}

/// Answers wishes until nobody has any more.
pub(crate) async fn answer_buffer_wishes(editor: Editor, session: String, mut wishes: UnboundedReceiver<BufferWish>) {
    while let Some(BufferWish { path, answer }) = wishes.recv().await {
        if let Some(held) = buffer_text(&editor, &session, &path).await {
            // Nobody may be waiting any more.
            let _told = answer.send(held);
        }
    }
}
