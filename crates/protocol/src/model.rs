//! What is said to a model server, and what comes back.

use crate::{Message, ModelCall, Phase, ServerError, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One request for one reply. Every field is sent in every request of a session, so that the server never has to
/// load the model again on our account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The model's name on the server.
    pub model: String,
    /// The whole conversation, system message first.
    pub messages: Vec<Message>,
    /// What the model may call; empty for a model without tool support.
    pub tools: Vec<ToolSpec>,
    /// Context window asked for, in tokens.
    pub window: u64,
    /// Tokens at which the server ends the reply; `None` leaves that to it.
    pub max_reply_tokens: Option<u64>,
    /// Further runner and sampling options, by the server's own names, as the user set them.
    pub options: serde_json::Map<String, Value>,
    /// How long the model stays loaded: a duration like `30m`, or `-1` for ever.
    pub keep_alive: Option<String>,
    /// `json`, or a JSON schema the reply must fit.
    pub format: Option<Value>,
    /// Thinking; `None` leaves it to the server.
    pub think: Option<Think>,
}

/// How much a thinking model thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Think {
    /// Not at all.
    Off,
    On,
    Low,
    Medium,
    High,
    /// As much as it can.
    Max,
}

/// One thing heard from the server. A stream of these always ends in `Done` or `Broken`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ModelEvent {
    /// What the server seems to be doing while nothing arrives.
    Waiting {
        /// The phase that begins now.
        phase: Phase,
    },
    Thinking {
        text: String,
    },
    /// A piece of the answer.
    Text {
        text: String,
    },
    /// Calls, complete as the server always sends them.
    Calls {
        /// In order.
        calls: Vec<ModelCall>,
    },
    /// The reply is complete: the server said `done:true`.
    Done {
        /// The server's word for why it stopped: `stop`, `length`, `load`, `unload`.
        reason: Option<String>,
        usage: Usage,
    },
    /// The reply is not complete and will not be.
    Broken {
        trouble: ServerError,
    },
}

/// The server's counts for one reply; each may be missing. Times in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Size of the whole prompt in tokens, cached part included.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the prompt that the server had in mind already, where it counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    pub reply_tokens: Option<u64>,
    /// Time to load the model.
    pub load_ns: Option<u64>,
    /// Time to read the uncached part of the prompt.
    pub prompt_ns: Option<u64>,
    /// Time to write the reply.
    pub reply_ns: Option<u64>,
    pub total_ns: Option<u64>,
}

/// Fewer tokens than this say nothing about speed.
const TELLING_TOKENS: u64 = 5;

/// A reply written in less time than this says nothing about speed: 50 ms.
const TELLING_NS: u64 = 50_000_000;

impl Usage {
    /// Tokens written per second, where the server gave both figures and they are large enough to tell something.
    pub fn tokens_per_second(&self) -> Option<f64> {
        let (tokens, ns) = (self.reply_tokens?, self.reply_ns?);
        (tokens >= TELLING_TOKENS && ns >= TELLING_NS).then(|| tokens as f64 * 1e9 / ns as f64)
    }
}

/// What is known of an installed model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelCard {
    /// Its name, as it was chosen or as the server lists it.
    pub name: String,
    /// Size on disk in bytes.
    pub size_bytes: Option<u64>,
    /// Length the model was trained for, in tokens.
    pub context_length: Option<u64>,
    /// Like `24B`.
    pub parameter_size: Option<String>,
    /// Like `Q4_K_M`.
    pub quantization: Option<String>,
    /// Like `mistral3`.
    pub family: Option<String>,
    /// Can it call tools? `None`: the server did not say.
    pub tools: Option<bool>,
    /// Can it think? `None`: the server did not say.
    pub thinking: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vision: Option<bool>,
    /// The digest of what is installed under this name.
    pub digest: Option<String>,
    /// The window that the model's own file asks for, in tokens.
    pub own_window: Option<u64>,
    /// Options of sampling that the server uses for it where a request names none, as its own file has them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub own_options: Map<String, Value>,
    /// Where it runs, if the server passes on what it is sent to another machine: `ollama.com`. Such a model is called a
    /// cloud model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote_host: Option<String>,
}

/// What stands beside a cloud model wherever models are listed.
pub const CLOUD_MARK: &str = "cloud: leaves this machine";

impl ModelCard {
    /// The mark of a cloud model; `None` for one that runs where the server is.
    pub fn cloud_mark(&self) -> Option<&'static str> {
        self.remote_host.as_ref().map(|_| CLOUD_MARK)
    }

    /// The model that is meant where none is chosen: the only one that runs where the server is. A cloud model is never
    /// meant unless it is named.
    pub fn only_one(models: &[ModelCard]) -> Option<&str> {
        let mut local = models.iter().filter(|card| card.remote_host.is_none());
        let only = local.next().filter(|_| local.next().is_none())?;
        Some(&only.name)
    }
}

#[cfg(test)]
mod tests {
    use super::{ModelCard, Usage};

    #[test]
    fn a_rate_is_told_only_of_what_took_a_while() {
        let rate = |tokens, ns| {
            let usage = Usage { reply_tokens: Some(tokens), reply_ns: Some(ns), ..Usage::default() };
            usage.tokens_per_second()
        };
        assert_eq!(rate(60, 2_000_000_000), Some(30.0));
        assert_eq!(rate(5, 50_000_000), Some(100.0));
        assert_eq!([rate(4, 2_000_000_000), rate(60, 49_999_999), rate(1, 1_000), rate(0, 0)], [None; 4]);
        assert_eq!(Usage { reply_tokens: Some(60), ..Usage::default() }.tokens_per_second(), None);
    }

    #[test]
    fn a_cloud_model_is_never_the_one_that_is_meant() {
        let local = |name: &str| ModelCard { name: name.into(), ..ModelCard::default() };
        let cloud = || ModelCard { remote_host: Some("ollama.com".into()), ..local("far") };
        assert_eq!(ModelCard::only_one(&[cloud()]), None);
        assert_eq!(ModelCard::only_one(&[cloud(), local("near"), cloud()]), Some("near"));
        assert_eq!(ModelCard::only_one(&[local("near"), local("other")]), None);
    }
}
