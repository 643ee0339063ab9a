//! The context window: how large it is, what fills it, what was done to make room.

use crate::ModelCard;
use serde::{Deserialize, Serialize};

/// The window of the model in use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowState {
    /// Tokens asked for, the same in every request.
    pub asked: u64,
    /// How that number was come by.
    pub chosen: WindowChoice,
    /// Tokens the model was trained for, where the server says so.
    pub trained: Option<u64>,
    /// Tokens the server really gives, once the model is loaded.
    pub effective: Option<u64>,
    /// How much of the model lies in the graphics card's memory, in percent, once it is loaded.
    pub gpu_percent: Option<u8>,
}

impl WindowState {
    /// Tokens that can be counted on.
    pub fn tokens(&self) -> u64 {
        self.effective.map_or(self.asked, |effective| effective.min(self.asked))
    }
}

/// How the size of a window was come by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowChoice {
    /// By flag, environment or config.
    Configured,
    /// The server's own default, where the environment names it.
    Server,
    /// As in the last session with this model.
    Remembered,
    /// The model was loaded with it already: nothing need be loaded again.
    Loaded,
    /// The server alone decides, and gives so many.
    Fixed,
    /// The model's own file says so.
    Modelfile,
    /// Nothing else was known.
    #[default]
    Default,
}

/// A model in the server's memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedModel {
    /// Its name, as the server lists it.
    pub name: String,
    /// The digest of what is loaded.
    pub digest: Option<String>,
    /// Bytes it takes in all.
    pub size_bytes: Option<u64>,
    /// Bytes of these in the graphics card's memory.
    pub vram_bytes: Option<u64>,
    /// The window it was loaded with, in tokens.
    pub context_length: Option<u64>,
    /// What its weights are, where the server says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Box<LoadedWeights>>,
}

/// What weights are, as far as a server says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedWeights {
    /// Like `mistral3`.
    pub family: Option<String>,
    /// Like `24B`.
    pub parameter_size: Option<String>,
    /// Like `Q4_K_M`.
    pub quantization: Option<String>,
}

impl LoadedModel {
    /// Is this the model that `card` tells of? The digest tells; where a server gives none, the name does.
    pub fn is(&self, card: &ModelCard) -> bool {
        match (&self.digest, &card.digest) {
            (Some(digest), Some(installed)) => digest == installed,
            _ => self.name.trim_end_matches(":latest") == card.name.trim_end_matches(":latest"),
        }
    }

    /// May this be the model that `card` tells of, under another name? Ollama loads weights once, and lists models that share
    /// them by the name that came first, with the digest of that name. Whatever is told of both has to be the same.
    pub fn may_be(&self, card: &ModelCard) -> bool {
        let agree = |here: &Option<String>, there: &Option<String>| here.is_none() || there.is_none() || here == there;
        self.weights.as_deref().is_none_or(|weights| {
            agree(&weights.family, &card.family)
                && agree(&weights.parameter_size, &card.parameter_size)
                && agree(&weights.quantization, &card.quantization)
        })
    }

    /// Of all that is loaded, the model of `card`, which has just answered and so must be among them: by digest or name, else
    /// the only one that it may be. `None` where that leaves a doubt.
    pub fn of_answering(loaded: Vec<LoadedModel>, card: &ModelCard) -> Option<LoadedModel> {
        if let Some(known) = loaded.iter().find(|loaded| loaded.is(card)) {
            return Some(known.clone());
        }
        let mut possible = loaded.into_iter().filter(|loaded| loaded.may_be(card));
        possible.next().filter(|_| possible.next().is_none())
    }

    /// How much of it lies in the graphics card's memory, in percent.
    pub fn gpu_percent(&self) -> Option<u8> {
        let (size, vram) = (self.size_bytes.filter(|size| *size > 0)?, self.vram_bytes?);
        u8::try_from((u128::from(vram.min(size)) * 100) / u128::from(size)).ok()
    }
}

/// Where the tokens go, and how well that is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContextReport {
    pub model: String,
    pub window: WindowState,
    /// What fills it, in the order of the prompt; their sum is `used`.
    pub parts: Vec<ContextPart>,
    /// Tokens in it: what the server counted last, and an estimate of what was added since.
    pub used: u64,
    /// Tokens beyond which old results become a line each, whatever the window holds; `None`: only the window counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub working: Option<u64>,
    /// Tokens kept free for a reply: the conversation is made shorter before it grows into them.
    pub reserve: u64,
    /// The longest reply asked for, in tokens.
    pub longest_reply: u64,
    /// The last time that both are known of one prompt: what was estimated before, and what the server counted.
    pub checked: Option<Checked>,
    /// Characters a token holds with this model, as far as learned.
    pub characters_per_token: f64,
    /// From how many counts that was learned.
    pub samples: u64,
    /// Tokens read in a second, where that is known.
    pub reading: Option<f64>,
    /// Tokens written in a second, where that is known.
    pub writing: Option<f64>,
    /// Of the last prompt, how many tokens the server had still in mind, by the time it took.
    pub reused: Option<Reused>,
    /// How often the conversation was made shorter.
    pub fitted: u64,
    /// The server cuts long prompts without a word: it is too old to be told not to.
    pub cuts_silently: bool,
}

/// One part of the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextPart {
    pub kind: PartKind,
    /// Tokens, estimated and scaled so that the sum is what the server counted.
    pub tokens: u64,
    /// Messages, files or tools it is made of.
    pub count: u64,
}

/// Kinds of parts, in the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    System,
    /// What the user's and the project's files tell every model.
    ProjectWords,
    /// Descriptions and schemas of the tools.
    Tools,
    /// What stands for the earlier conversation.
    Summary,
    Person,
    /// What the model wrote, thinking and calls included.
    Model,
    Results,
}

impl PartKind {
    pub fn words(self) -> &'static str {
        match self {
            PartKind::System => "instructions",
            PartKind::ProjectWords => "project words",
            PartKind::Tools => "tools",
            PartKind::Summary => "summary",
            PartKind::Person => "you",
            PartKind::Model => "the model",
            PartKind::Results => "tool results",
        }
    }
}

/// An estimate that was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    pub estimated: u64,
    pub counted: u64,
}

impl Checked {
    /// By how much of the count the estimate was wrong, in percent; positive: too high.
    pub fn error_percent(&self) -> f64 {
        let counted = self.counted.max(1) as f64;
        (self.estimated as f64 - counted) / counted * 100.0
    }
}

/// A prompt read in less time than this says nothing about speed, for each request takes some time besides: 1 s.
const TELLING_READ_NS: u64 = 1_000_000_000;

/// Nor does one of which less than this was read, for that is known to within 40 tokens.
const TELLING_READ_TOKENS: u64 = 200;

/// How much of a prompt the server did not have to read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reused {
    /// Tokens it had still in mind, estimated from the time it took.
    pub tokens: u64,
    /// Tokens of the whole prompt.
    pub of: u64,
}

impl Reused {
    /// Tokens that were really read and the time for it in nanoseconds, where they are large enough to tell how fast.
    pub fn telling_read(self, prompt_ns: Option<u64>) -> Option<(u64, u64)> {
        let tokens = self.of.saturating_sub(self.tokens);
        prompt_ns.filter(|ns| *ns >= TELLING_READ_NS && tokens >= TELLING_READ_TOKENS).map(|ns| (tokens, ns))
    }
}

/// Why the conversation is made shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactionReason {
    Asked,
    /// It is about to fill the window.
    NearlyFull,
    /// The server said that it does not fit.
    Overflow,
}

/// One step by which the conversation was made shorter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Compaction {
    /// Old results became a line each that says how to get them again.
    Stubbed { results: u64 },
    /// The model summarised what came before.
    Summarised {
        /// Its words, as it reads them from now on.
        summary: String,
        /// Messages that this stands for.
        messages: u64,
    },
    /// What came before was put together by rule, without the model: what the user said, files, commands.
    Digested {
        /// The words that stand for it.
        summary: String,
        /// Messages that this stands for.
        messages: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_on_the_card_is_told_in_percent() {
        let model = |size, vram| LoadedModel { size_bytes: size, vram_bytes: vram, ..LoadedModel::default() };
        assert_eq!(model(Some(200), Some(150)).gpu_percent(), Some(75));
        assert_eq!(model(Some(200), Some(300)).gpu_percent(), Some(100));
        assert_eq!([model(Some(0), Some(0)).gpu_percent(), model(None, Some(1)).gpu_percent()], [None; 2]);
    }

    #[test]
    fn a_loaded_model_is_known_by_its_digest_or_else_by_its_name() {
        let loaded = |name: &str, digest: Option<&str>| LoadedModel {
            name: name.into(),
            digest: digest.map(str::to_owned),
            ..LoadedModel::default()
        };
        let card = ModelCard { name: "tiny".into(), digest: Some("a".into()), ..ModelCard::default() };
        assert!(loaded("other:latest", Some("a")).is(&card));
        assert!(!loaded("tiny:latest", Some("b")).is(&card));
        assert!(loaded("tiny:latest", None).is(&card));
        assert!(!loaded("tiny:7b", None).is(&card));
    }

    #[test]
    fn a_model_that_answered_is_found_under_the_name_of_another_that_shares_its_weights() {
        let loaded = |name: &str, family: &str| LoadedModel {
            name: name.into(),
            digest: Some(name.into()),
            weights: Some(Box::new(LoadedWeights { family: Some(family.into()), ..LoadedWeights::default() })),
            ..LoadedModel::default()
        };
        let (own, other) = (Some("own".into()), Some("llama".into()));
        let card = ModelCard { name: "alias".into(), digest: own, family: other, ..ModelCard::default() };
        let found = |loaded: &[LoadedModel]| LoadedModel::of_answering(loaded.to_vec(), &card).map(|found| found.name);
        let (shared, strange) = (loaded("tiny", "llama"), loaded("vision", "qwen3vl"));
        assert_eq!(found(&[strange.clone(), shared.clone()]), Some("tiny".into()));
        assert_eq!(found(&[shared.clone(), loaded("own", "llama")]), Some("own".into()), "the digest tells");
        assert_eq!(found(&[shared, loaded("twin", "llama")]), None, "either may be it");
        assert_eq!([found(&[strange]), found(&[])], [None, None]);
    }

    #[test]
    fn a_server_that_gives_less_than_was_asked_for_counts() {
        let window = |effective| WindowState { asked: 100, effective, ..WindowState::default() }.tokens();
        assert_eq!([window(None), window(Some(40)), window(Some(400))], [100, 40, 100]);
    }
}
