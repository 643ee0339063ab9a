//! Downloads a model and tells how far it is.

use super::product;
use super::wire::PullLine;
use crate::http::frame::{Lines, Nothing};
use crate::http::json;
use crate::http::server::Server;
use crate::http::told::{Teller, told};
use crate::http::trouble;
use agent_protocol::{PullState, ServerError};
use futures_util::stream::BoxStream;
use ollama_rs::models::pull::PullModelStatus;
use serde_json::json;
use std::sync::Arc;

/// The longest line of a download's progress.
const LINE_LIMIT: usize = 1024 * 1024;

/// So many layers are told apart; a model has about a dozen.
const LAYERS_KEPT: usize = 1_000;

/// The progress of a download, and how it ends.
pub(super) fn pull(server: Arc<Server>, name: String) -> BoxStream<'static, PullState> {
    told(move |out| async move {
        let last = match follow(&server, &name, &out).await {
            Ok(()) => PullState::Done,
            Err(trouble @ ServerError::Unreachable { .. }) => PullState::Failed { trouble },
            Err(trouble) => PullState::Failed { trouble: failed(&trouble, &name) },
        };
        out.say(last);
    })
}

/// What a person can do about a download that failed is the same whatever broke, but for a model that the library does not
/// have: the server's own words are the only sign of that.
fn failed(trouble: &ServerError, name: &str) -> ServerError {
    let message = match trouble {
        ServerError::Refused { message, .. }
        | ServerError::MidReply { message }
        | ServerError::Busy { message, .. } => message.clone(),
        ServerError::Cut { why } => why.clone(),
        other => other.to_string(),
    };
    if message.ends_with("file does not exist") {
        return ServerError::NotInLibrary { model: name.to_owned(), library: product::library() };
    }
    ServerError::PullFailed { message }
}

async fn follow(server: &Server, name: &str, out: &Teller<PullState>) -> Result<(), ServerError> {
    let body = json!({ "name": name, "insecure": false, "stream": true }).to_string();
    let mut response = server.post("api/pull", body.into(), name).await?;
    let (mut lines, mut nothing) = (Lines::up_to(LINE_LIMIT), Nothing::default());
    let mut layers = Layers::default();
    let mut told = None;
    while let Some(piece) = response.chunk().await.map_err(trouble::of_cut)? {
        lines.push(&piece);
        while let Some(line) = lines.next() {
            let line = line.map_err(|_| ServerError::LineTooLong { limit: LINE_LIMIT })?;
            let Some(status) = read(&line, name)? else {
                nothing.take(line.len())?;
                continue;
            };
            if status.message == "success" {
                return Ok(());
            }
            let state = layers.take(status);
            if told.as_ref() != Some(&state) {
                out.say(state.clone());
                told = Some(state);
            }
        }
    }
    Err(ServerError::Cut { why: "the server ended the download before it was complete".to_owned() })
}

/// What a line says, if it says anything.
fn read(line: &[u8], name: &str) -> Result<Option<PullModelStatus>, ServerError> {
    if line.trim_ascii().is_empty() {
        return Ok(None);
    }
    match json::read(line, json::PIECES) {
        Some(PullLine::Status(status)) => Ok(Some(status)),
        Some(PullLine::Error { error }) => Err(trouble::of_line(&error, name)),
        None => Err(trouble::of_garbage(line)),
    }
}

/// The layers of a model, as far as the server has named them.
#[derive(Default)]
struct Layers(Vec<Layer>);

struct Layer {
    digest: String,
    done: u64,
    total: u64,
}

impl Layers {
    /// The state of the whole after `status`. What is known of a layer is kept where a status does not repeat it.
    fn take(&mut self, status: PullModelStatus) -> PullState {
        if let Some(digest) = status.digest {
            let layer = match self.0.iter_mut().position(|layer| layer.digest == digest) {
                Some(place) => &mut self.0[place],
                None if self.0.len() >= LAYERS_KEPT => return self.progress(status.message),
                None => {
                    self.0.push(Layer { digest, done: 0, total: 0 });
                    self.0.last_mut().expect("one was just added")
                }
            };
            layer.total = status.total.unwrap_or(layer.total);
            layer.done = status.completed.unwrap_or(layer.done);
        }
        self.progress(status.message)
    }

    fn progress(&self, status: String) -> PullState {
        // The figures are a stranger's: their sum need not fit.
        let sum = |of: fn(&Layer) -> u64| self.0.iter().map(of).fold(0, u64::saturating_add);
        PullState::Progress { status, done: sum(|layer| layer.done), total: sum(|layer| layer.total) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(message: &str, layer: Option<(&str, Option<u64>, Option<u64>)>) -> PullModelStatus {
        PullModelStatus {
            message: message.to_owned(),
            digest: layer.map(|(digest, ..)| digest.to_owned()),
            total: layer.and_then(|(_, total, _)| total),
            completed: layer.and_then(|(.., completed)| completed),
        }
    }

    #[test]
    fn layers_are_summed_and_none_is_forgotten() {
        let mut layers = Layers::default();
        let mut after = |status| match layers.take(status) {
            PullState::Progress { status, done, total } => (status, done, total),
            other => panic!("{other:?}"),
        };
        let said = |text: &str, done, total| (text.to_owned(), done, total);
        assert_eq!(after(status("pulling manifest", None)), said("pulling manifest", 0, 0));
        assert_eq!(after(status("pulling a", Some(("a", Some(100), None)))), said("pulling a", 0, 100));
        assert_eq!(after(status("pulling a", Some(("a", Some(100), Some(60))))), said("pulling a", 60, 100));
        assert_eq!(after(status("pulling b", Some(("b", Some(10), Some(10))))), said("pulling b", 70, 110));
        assert_eq!(after(status("pulling a", Some(("a", None, Some(100))))), said("pulling a", 110, 110));
        assert_eq!(after(status("verifying sha256 digest", None)), said("verifying sha256 digest", 110, 110));
    }

    #[test]
    fn figures_of_any_size_and_layers_of_any_number_are_borne() {
        let mut layers = Layers::default();
        for number in 0..2 * LAYERS_KEPT {
            let digest = number.to_string();
            let state = layers.take(status("pulling", Some((&digest, Some(u64::MAX), Some(u64::MAX)))));
            assert_eq!(state, PullState::Progress { status: "pulling".to_owned(), done: u64::MAX, total: u64::MAX });
        }
        assert_eq!(layers.0.len(), LAYERS_KEPT);
    }
}
