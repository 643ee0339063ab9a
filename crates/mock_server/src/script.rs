//! The script: which models there are, and what is said to whom. Plain data, read from JSON.
//!
//! What a reply consists of is in `steps`, when it is given in `rules`.

use crate::Model;
use crate::{Counts, Rule, ScriptStep, Step};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// The window a server uses on its own account, on a machine without much video memory.
const USUAL_WINDOW: u64 = 4096;

/// All that a server is told.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    /// Which language the server speaks; it answers no path of the other.
    pub speaks: Wire,
    /// What `/api/version` says; absent: the version of the server that is played.
    pub version: Option<String>,
    /// A server from before `truncate`, `shift` and `_debug_render_only`: it does not see them, cuts what is longer than
    /// the window without a word, and tells neither capabilities nor the window of a loaded model.
    pub old: bool,
    pub models: Vec<Model>,
    /// The models that are loaded from the start.
    pub loaded: Vec<AtStart>,
    /// How long it takes to load a model, in milliseconds.
    pub load_ms: u64,
    /// The window for requests that name none, in tokens, where the model's own `parameters` name none either.
    pub default_window: u64,
    /// No request gets a larger window than this, in tokens; only `/api/ps` tells. No limit when absent.
    pub most_window: Option<u64>,
    /// How tokens are counted.
    pub counts: Counts,
    /// The model does not get to see the thinking of earlier turns, as most templates have it.
    pub drops_thinking: bool,
    /// How long a prompt is read before the first token, in milliseconds.
    pub reading_ms: u64,
    /// How fast a prompt is read besides, in tokens a second: all but what it has in common with the last one from the
    /// beginning, the model's own reply included. The time is told also where it is not kept. Absent: no time at all.
    pub reading_per_second: Option<f64>,
    /// How fast replies are written where a step does not say; as fast as possible when absent.
    pub tokens_per_second: Option<f64>,
    /// Whether the script's times are kept.
    pub pace: Pace,
    /// What is said, and when. The first rule that fits wins.
    pub replies: Vec<Rule>,
    /// What is done, step by step, where no rule fits.
    pub course: Vec<ScriptStep>,
    /// What can be pulled. Any other name ends in the error of a machine without network.
    pub pulls: Vec<Pull>,
    /// Fixed answers by path, instead of what the server would say.
    pub answers: Vec<Answer>,
}

impl Default for Script {
    fn default() -> Self {
        Script {
            speaks: Wire::Ollama,
            version: None,
            old: false,
            models: vec![Model::default()],
            loaded: Vec::new(),
            load_ms: 0,
            default_window: USUAL_WINDOW,
            most_window: None,
            counts: Counts::Quarter,
            drops_thinking: false,
            reading_ms: 0,
            reading_per_second: None,
            tokens_per_second: None,
            pace: Pace::AsWritten,
            replies: Vec::new(),
            course: Vec::new(),
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

    /// The same script in the language of OpenAI's servers.
    pub fn over_v1(mut self) -> Self {
        self.speaks = Wire::OpenAi;
        self
    }

    /// What the server calls itself.
    pub(crate) fn version(&self) -> &str {
        self.version.as_deref().unwrap_or(if self.old { "0.5.4" } else { "0.12.6" })
    }

    /// Waits so many milliseconds.
    pub(crate) async fn wait(&self, ms: u64) {
        self.wait_for(Duration::from_millis(ms)).await;
    }

    /// Waits so long, or not at all where the script is hurried. A wait of nothing costs nothing.
    pub(crate) async fn wait_for(&self, pause: Duration) {
        if self.pace == Pace::AsWritten && !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }

    /// How long so many tokens of a prompt are read, where the script says how fast that goes.
    pub(crate) fn reading(&self, tokens: u64) -> Option<Duration> {
        let rate = self.reading_per_second.filter(|rate| *rate > 0.0)?;
        Some(Duration::from_millis(self.reading_ms) + Duration::from_secs_f64(tokens as f64 / rate))
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

/// The language of a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub enum Wire {
    /// Ollama's own: `/api/…`.
    #[default]
    #[serde(rename = "ollama")]
    Ollama,
    /// That of OpenAI's servers: `/v1/…`, events instead of lines. The server alone decides on windows.
    #[serde(rename = "openai")]
    OpenAi,
}

/// Whether the script's times are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    #[default]
    AsWritten,
    /// No: nothing waits.
    Immediate,
}

/// A model that is loaded from the start.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum AtStart {
    /// By its name: ready for any request, none of which loads it again.
    Ready(String),
    /// As for an earlier request. One that wants it otherwise loads it again.
    For(Earlier),
}

/// What a model was loaded with before the script began.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Earlier {
    pub model: String,
    /// The window that was asked for; none when absent.
    #[serde(default)]
    pub num_ctx: Option<u64>,
    /// The request's `shift`, if it had one.
    #[serde(default)]
    pub shift: Option<bool>,
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
    pub status: u16,
    /// Further headers; `Content-Type` may be one of them.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The body: text is sent as it is, anything else as JSON.
    #[serde(default)]
    pub body: Value,
}
