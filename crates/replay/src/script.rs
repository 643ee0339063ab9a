//! The script: which models there are, and what is said to whom. Plain data, read from JSON.
//!
//! What a reply consists of is in `steps`, when it is given in `rules`.

use crate::{Rule, Step};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// All that a server is told.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    /// What `/api/version` says.
    pub version: String,
    /// The installed models.
    pub models: Vec<Model>,
    /// Names of the models that are loaded from the start.
    pub loaded: Vec<String>,
    /// How long it takes to load a model, in milliseconds.
    pub load_ms: u64,
    /// How long a prompt is read before the first token, in milliseconds.
    pub reading_ms: u64,
    /// How fast replies are written where a step does not say; as fast as possible when absent.
    pub tokens_per_second: Option<f64>,
    /// Whether the script's times are kept.
    pub pace: Pace,
    /// What is said, and when. The first rule that fits wins.
    pub replies: Vec<Rule>,
    /// What can be pulled. Any other name ends in the error of a machine without network.
    pub pulls: Vec<Pull>,
    /// Fixed answers by path, instead of what the server would say.
    pub answers: Vec<Answer>,
}

impl Default for Script {
    fn default() -> Self {
        Script {
            version: "0.12.6".into(),
            models: vec![Model::default()],
            loaded: Vec::new(),
            load_ms: 0,
            reading_ms: 0,
            tokens_per_second: None,
            pace: Pace::AsWritten,
            replies: Vec::new(),
            pulls: Vec::new(),
            answers: Vec::new(),
        }
    }
}

/// Why a script cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// It is not JSON, or names something that scripts don't have.
    #[error("the script cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// A reply can't be played in this order.
    #[error("reply {reply} of the script: {why}")]
    Unplayable {
        /// Which, from 1.
        reply: usize,
        /// Why.
        why: &'static str,
    },
}

impl Script {
    /// Reads a script from JSON text.
    ///
    /// # Errors
    /// If it is not JSON, has a field that scripts don't have, or asks for what HTTP cannot do.
    pub fn from_json(text: &str) -> Result<Self, ScriptError> {
        serde_json::from_str::<Script>(text)?.checked()
    }

    /// Reads a script from a JSON value.
    ///
    /// # Errors
    /// As [`Script::from_json`].
    pub fn from_value(value: Value) -> Result<Self, ScriptError> {
        serde_json::from_value::<Script>(value)?.checked()
    }

    /// The same script without any waiting: everything is said as fast as it can be sent.
    pub fn hurried(mut self) -> Self {
        self.pace = Pace::Immediate;
        self
    }

    /// Waits so long, or not at all where the script is hurried. A wait of nothing costs nothing.
    pub(crate) async fn wait(&self, ms: u64) {
        let pause = self.pause(ms);
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }

    fn pause(&self, ms: u64) -> Duration {
        match self.pace {
            Pace::AsWritten => Duration::from_millis(ms),
            Pace::Immediate => Duration::ZERO,
        }
    }

    pub(crate) fn rate(&self, of_step: Option<f64>) -> Option<f64> {
        match self.pace {
            Pace::AsWritten => of_step.or(self.tokens_per_second).filter(|rate| *rate > 0.0),
            Pace::Immediate => None,
        }
    }

    fn checked(self) -> Result<Self, ScriptError> {
        for (index, rule) in self.replies.iter().enumerate() {
            let mut waits_over = rule.say.iter().skip_while(|step| matches!(step, Step::Wait { .. }));
            waits_over.next();
            if waits_over.any(|step| matches!(step, Step::Status { .. })) {
                let why = "a status must come before anything else, because headers go out with the first token";
                return Err(ScriptError::Unplayable { reply: index + 1, why });
            }
        }
        Ok(self)
    }
}

/// Whether the script's times are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Yes.
    #[default]
    AsWritten,
    /// No: nothing waits.
    Immediate,
}

/// An installed model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Model {
    /// Full name with tag.
    pub name: String,
    /// Bytes on disk.
    pub size: u64,
    /// The length it was trained for, in tokens.
    pub context_length: u64,
    /// What it can do: `completion`, `tools`, `thinking`, `vision`. Absent: a server too old to tell.
    pub capabilities: Option<Vec<String>>,
    /// Like `llama`.
    pub family: String,
    /// Like `8.0B`.
    pub parameter_size: String,
    /// Like `Q4_K_M`.
    pub quantization: String,
    /// How its calls are sent.
    pub calls: CallStyle,
}

impl Default for Model {
    fn default() -> Self {
        Model {
            name: "scripted:latest".into(),
            size: 4_920_753_328,
            context_length: 32_768,
            capabilities: Some(vec!["completion".into(), "tools".into()]),
            family: "llama".into(),
            parameter_size: "8.0B".into(),
            quantization: "Q4_K_M".into(),
            calls: CallStyle::OneLineEach,
        }
    }
}

impl Model {
    /// Can it do this? A model that doesn't tell can do everything.
    pub(crate) fn can(&self, capability: &str) -> bool {
        self.capabilities.as_ref().is_none_or(|list| list.iter().any(|name| name == capability))
    }

    /// The name with its tag: `tiny` means `tiny:latest`.
    pub(crate) fn full_name(name: &str) -> String {
        let last_part = name.rsplit('/').next().unwrap_or(name);
        if last_part.contains(':') { name.to_owned() } else { format!("{name}:latest") }
    }

    pub(crate) fn is_called(&self, name: &str) -> bool {
        Model::full_name(&self.name).eq_ignore_ascii_case(&Model::full_name(name))
    }
}

/// How a model's calls are sent; it depends on how the server reads the model's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStyle {
    /// One line a call, before the line with `done:true`; ids of `call_` and eight characters.
    #[default]
    OneLineEach,
    /// All calls inside the line with `done:true`; ids of 32 characters.
    InLastLine,
}

/// Something that can be pulled.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pull {
    /// The model that is installed afterwards. Its size is what is downloaded.
    pub model: Model,
    /// How many progress lines are sent.
    #[serde(default = "Pull::usual_lines")]
    pub lines: u64,
    /// How long the download takes, in milliseconds.
    #[serde(default)]
    pub ms: u64,
    /// Breaks off half-way with these words.
    #[serde(default)]
    pub fails: Option<String>,
}

impl Pull {
    fn usual_lines() -> u64 {
        20
    }
}

/// A fixed answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// For this path, with any method.
    pub path: String,
    /// So many times; always when absent.
    #[serde(default)]
    pub times: Option<u32>,
    /// After so many milliseconds.
    #[serde(default)]
    pub wait_ms: u64,
    /// The HTTP status.
    pub status: u16,
    /// Further headers; `Content-Type` may be one of them.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The body: text is sent as it is, anything else as JSON.
    #[serde(default)]
    pub body: Value,
}
