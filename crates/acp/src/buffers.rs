//! What the editor holds of a file: asked before one is written, and where a prompt only names one.

use crate::doorway::{BufferText, BufferWish};
use crate::wire::Editor;
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

/// An editor that does not answer for so long does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the editor holds of the file; `None`: it did not answer.
pub(crate) async fn text(editor: &Editor, session: &str, path: &Path) -> Option<BufferText> {
    let wish = json!({"sessionId": session, "path": path.display().to_string()});
    match timeout(PATIENCE, editor.request("fs/read_text_file", wish)).await {
        Ok(Ok(told)) => told["content"].as_str().map(|text| BufferText::Text(text.to_owned())),
        // Editors answer so where the file is not there, or not theirs to read.
        Ok(Err(_)) => Some(BufferText::Nothing),
        Err(_) => None,
    }
}

/// Answers wishes until nobody has any more.
pub(crate) async fn answer(editor: Editor, session: String, mut wishes: UnboundedReceiver<BufferWish>) {
    while let Some(BufferWish { path, answer }) = wishes.recv().await {
        if let Some(held) = text(&editor, &session, &path).await {
            // Nobody may be waiting any more.
            let _told = answer.send(held);
        }
    }
}
