//! A model that the scripted server has.

use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Model {
    pub name: String,
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
    /// What its own file sets, as `/api/show` tells: `{"num_ctx": 8192, "temperature": 0.2}`. Holds where a request says
    /// nothing else.
    pub parameters: Map<String, Value>,
    /// How much of it lies in the graphics card's memory when it is loaded, in percent. Nothing when absent.
    pub vram_percent: Option<u8>,
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
            parameters: Map::from_iter([("temperature".to_owned(), 0.into())]),
            vram_percent: None,
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
