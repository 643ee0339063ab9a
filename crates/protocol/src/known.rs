//! What was learned of a model, kept between sessions under the digest of its weights.

use crate::{Think, ToolsBy, Way};
use serde::{Deserialize, Serialize};

/// What is known of one model. What is absent was never learned.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelProfile {
    /// The digest of the model.
    pub digest: String,
    /// The name under which it was met last.
    pub name: String,
    /// The window it was used with last, in tokens, where nobody configured one.
    pub window: Option<u64>,
    /// How much of it lay in the graphics card's memory then, in percent.
    pub gpu_percent: Option<u8>,
    /// What its tokens hold.
    pub calibration: Option<Calibration>,
    /// Tokens read in a second.
    pub reading: Option<f64>,
    /// Tokens written in a second.
    pub writing: Option<f64>,
    /// How long it took to load, in milliseconds.
    pub load_ms: Option<u64>,
    /// What the examination found, if there was one.
    pub examined: Option<Examined>,
    /// The form of work that the user chose for it, or that it was lowered to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<ToolsBy>,
    /// What was measured to suit it better than what it had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuned: Option<Tuned>,
    /// The machine to which the user agreed to send what this cloud model is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cloud_allowed: Option<String>,
}

/// What was measured to suit a model better than what it had. It goes before what is known of its family, and after whatever
/// the user says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tuned {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub think: Option<Think>,
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    pub options: serde_json::Map<String, serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<ToolsBy>,
    /// What was found of each, in words.
    pub found: Vec<String>,
}

/// What the tokens of a model hold, learned from the server's counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Tokens a unit of each feature takes; the order is that of `context::estimator`.
    pub weights: Vec<f64>,
    pub samples: u64,
}

/// What an examination of a model found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Examined {
    /// How its tools should go; `None`: neither way worked.
    pub tools_by: Option<ToolsBy>,
    /// By which ways its calls came, in the order in which they first did.
    pub ways: Vec<Way>,
    /// The dialects it wrote its calls in, where it wrote them as text.
    pub dialects: Vec<String>,
    /// A call held to a schema comes where no tools stand beside it, and with them it did not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub schema_alone: bool,
    /// In which ways it failed, in words.
    pub faults: Vec<String>,
    pub findings: Vec<ProbeFinding>,
}

/// One question of the examination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Probe {
    OneCall,
    /// Two calls in one reply.
    TwoCalls,
    /// Writing a file of several lines with quotes and backslashes.
    Write,
    /// An edit whose old text must be met exactly.
    Edit,
    /// Ending the turn once the result is there.
    Stop,
    /// A call held to a schema, of a model whose calls need help: how it can be asked as a last way.
    Schema,
    Think,
    /// The window that was asked for is the window that is given.
    Window,
    /// A change by a SEARCH/REPLACE block, of a model whose calls get nothing done.
    Blocks,
}

impl Probe {
    /// All of them, in the order in which they are asked.
    pub const ALL: [Probe; 9] = [
        Probe::OneCall,
        Probe::TwoCalls,
        Probe::Write,
        Probe::Edit,
        Probe::Stop,
        Probe::Schema,
        Probe::Think,
        Probe::Window,
        Probe::Blocks,
    ];

    pub fn words(self) -> &'static str {
        match self {
            Probe::OneCall => "one call",
            Probe::TwoCalls => "two calls at once",
            Probe::Write => "write with quotes and backslashes",
            Probe::Edit => "an exact edit",
            Probe::Stop => "stops after a result",
            Probe::Schema => "a call held to a schema",
            Probe::Think => "thinking switch",
            Probe::Window => "window as asked for",
            Probe::Blocks => "a change by a block",
        }
    }
}

/// What became of one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeFinding {
    pub probe: Probe,
    pub verdict: ProbeVerdict,
    pub words: String,
}

/// How a question of the examination went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeVerdict {
    Passed,
    /// It works, with help: the call had to be found in text, mended, or asked for again.
    Rescued,
    /// It does not.
    Failed,
    /// There is nothing to ask: the model has no such ability.
    Skipped,
}
