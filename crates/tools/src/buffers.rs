//! What somebody's editor holds of a file, saved or not: nothing is written below a text that differs from the disk, for
//! whoever saves that text later would undo what was written, or be told of a conflict.

use crate::apply::LARGEST;
use crate::open::{Found, open, read_all};
use crate::workspace::Workspace;
use agent_protocol::{Action, Failure, FailureKind};
use futures_util::future::BoxFuture;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

/// An editor that tells what it holds of files.
pub trait Buffers: Send + Sync {
    /// What it holds of the file at `path` (absolute, links resolved).
    fn text(&self, path: PathBuf) -> BoxFuture<'static, Buffer>;
}

impl std::fmt::Debug for dyn Buffers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Buffers")
    }
}

/// What an editor holds of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Buffer {
    /// This text, saved or not.
    Text(String),
    /// Nothing: the file is not open there.
    Closed,
    /// It did not answer.
    Silent,
}

/// The editor of a session, if it has one.
#[derive(Debug, Clone)]
pub(crate) struct OpenBuffers {
    buffers: Option<Arc<dyn Buffers>>,
    workspace: Workspace,
}

impl OpenBuffers {
    pub(crate) fn new(buffers: Option<Arc<dyn Buffers>>, workspace: &Workspace) -> Self {
        OpenBuffers { buffers, workspace: workspace.clone() }
    }

    /// Why `action` must not be done now: a file that it writes has unsaved changes.
    pub(crate) async fn refusal(&self, action: &Action) -> Option<Failure> {
        for change in action.changes() {
            if let Some(failure) = self.unsaved(&change.path).await {
                return Some(failure);
            }
        }
        None
    }

    /// The files among `paths` that must not be written now, each with why. Blocking; called beside a runtime.
    pub(crate) fn held<'a>(&self, paths: impl Iterator<Item = &'a Path>) -> HashMap<PathBuf, String> {
        let (Some(_), Ok(runtime)) = (&self.buffers, Handle::try_current()) else { return HashMap::new() };
        let held = |path: &Path| Some((path.to_owned(), runtime.block_on(self.unsaved(path))?.message));
        paths.filter_map(held).collect()
    }

    /// Why this file must not be written now.
    async fn unsaved(&self, path: &Path) -> Option<Failure> {
        let buffers = self.buffers.as_ref()?;
        let shown = self.workspace.shown(path);
        let message = match buffers.text(path.to_owned()).await {
            Buffer::Closed => return None,
            Buffer::Text(text) if self.is_on_disk(path, text.clone()).await => return None,
            Buffer::Text(_) => {
                format!("{shown} has unsaved changes in the editor: save it first; nothing was written, ask for that")
            }
            Buffer::Silent => format!(
                "the editor does not say whether {shown} has unsaved changes; nothing was written, try it once more"
            ),
        };
        Some(Failure::new(FailureKind::Stale, message))
    }

    /// Is this what lies on disk, as far as an editor shows it? What cannot be read here is left to whoever writes it.
    async fn is_on_disk(&self, path: &Path, text: String) -> bool {
        let (workspace, path) = (self.workspace.clone(), path.to_owned());
        let same = spawn_blocking(move || {
            let shown = workspace.shown(&path);
            match open(&workspace, &path) {
                Ok(Found::Missing) => text.is_empty(),
                Ok(Found::File(mut file, _)) => {
                    read_all(&mut file, &shown, LARGEST).map_or(true, |bytes| same(&text, &bytes))
                }
                Ok(Found::Folder) | Err(_) => true,
            }
        });
        same.await.unwrap_or(true)
    }
}

/// Do editor and disk hold the same, but for line ends, a byte order mark, and an empty last line?
fn same(text: &str, bytes: &[u8]) -> bool {
    let Ok(disk) = std::str::from_utf8(bytes) else { return true };
    plain(text) == plain(disk)
}

fn plain(text: &str) -> String {
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n").trim_end_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{Change, Changes};
    use std::future::ready;

    struct Holding(Buffer);

    impl Buffers for Holding {
        fn text(&self, _path: PathBuf) -> BoxFuture<'static, Buffer> {
            Box::pin(ready(self.0.clone()))
        }
    }

    async fn refused(disk: Option<&str>, held: Buffer) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let path = root.join("a.rs");
        if let Some(disk) = disk {
            std::fs::write(&path, disk).unwrap();
        }
        let buffers = OpenBuffers::new(Some(Arc::new(Holding(held))), &Workspace::with(&root, None));
        let changes = Changes(vec![Change { path, before: None, after: Some("new".into()) }]);
        buffers.refusal(&Action::Write { changes }).await.map(|failure| failure.message)
    }

    #[tokio::test]
    async fn only_a_text_that_differs_from_the_disk_holds_a_write() {
        let text = |text: &str| Buffer::Text(text.into());
        for (disk, held) in [
            (Some("one\r\ntwo\r\n"), text("one\ntwo")),
            (Some("one\n"), text("one\n")),
            (Some("one\n"), Buffer::Closed),
            (None, text("")),
            (None, Buffer::Closed),
        ] {
            assert_eq!(refused(disk, held.clone()).await, None, "{disk:?} {held:?}");
        }
        let unsaved = "a.rs has unsaved changes in the editor: save it first";
        assert!(refused(Some("one\n"), text("one \n")).await.unwrap().starts_with(unsaved));
        assert!(refused(None, text("one\n")).await.unwrap().starts_with(unsaved));
        assert!(refused(Some("one\n"), Buffer::Silent).await.unwrap().contains("does not say"));
    }
}
