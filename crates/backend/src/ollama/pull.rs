//! Downloads a model and tells how far it is.

use super::catalogue::of_ollama_rs;
use super::server::Server;
use super::told::{Teller, told};
use super::trouble;
use agent_protocol::{PullState, Trouble};
use futures_util::stream::{BoxStream, StreamExt};
use ollama_rs::error::OllamaError;
use ollama_rs::models::pull::PullModelStatus;
use serde_json::Value;
use std::sync::Arc;

/// The progress of a download, and how it ends.
pub(super) fn pull(server: Arc<Server>, name: String) -> BoxStream<'static, PullState> {
    told(move |out| async move {
        let last = match follow(&server, &name, &out).await {
            Ok(()) => PullState::Done,
            Err(trouble @ Trouble::Unreachable { .. }) => PullState::Failed { trouble },
            Err(trouble) => PullState::Failed { trouble: failed(&trouble) },
        };
        out.say(last);
    })
}

/// What a person can do about a download that failed is the same whatever broke.
fn failed(trouble: &Trouble) -> Trouble {
    let message = match trouble {
        Trouble::Refused { message, .. } | Trouble::MidReply { message } | Trouble::Busy { message, .. } => {
            message.clone()
        }
        Trouble::Cut { why } => why.clone(),
        other => other.to_string(),
    };
    Trouble::PullFailed { message }
}

async fn follow(server: &Server, name: &str, out: &Teller<PullState>) -> Result<(), Trouble> {
    let opened = server.ollama_rs().pull_model_stream(name.to_owned(), false).await;
    let mut statuses = opened.map_err(|error| of_ollama_rs(error, server, name))?;
    let mut layers = Layers::default();
    let mut told = None;
    while let Some(status) = statuses.next().await {
        let status = status.map_err(|error| of_broken_pull(error, name))?;
        if status.message == "success" {
            return Ok(());
        }
        let state = layers.take(status);
        if told.as_ref() != Some(&state) {
            out.say(state.clone());
            told = Some(state);
        }
    }
    Err(Trouble::Cut { why: "the server ended the download before it was complete".to_owned() })
}

fn of_broken_pull(error: OllamaError, name: &str) -> Trouble {
    match error {
        OllamaError::InternalError(error) => trouble::of_line(&Value::from(error.message), name),
        OllamaError::JsonError(error) => Trouble::Garbage { line: error.to_string() },
        other => Trouble::Cut { why: other.to_string() },
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
                None => {
                    self.0.push(Layer { digest, done: 0, total: 0 });
                    self.0.last_mut().expect("one was just added")
                }
            };
            layer.total = status.total.unwrap_or(layer.total);
            layer.done = status.completed.unwrap_or(layer.done);
        }
        PullState::Progress {
            status: status.message,
            done: self.0.iter().map(|layer| layer.done).sum(),
            total: self.0.iter().map(|layer| layer.total).sum(),
        }
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
}
