//! Cases: a text that a model wrote, and what it means. One JSON object a line.

use agent_dialects::{Start, Tools};
use agent_protocol::ToolSpec;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What reading one needs of a case.
#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) input: String,
    #[serde(default)]
    starts_in_reasoning: bool,
    #[serde(default)]
    tools: Option<Value>,
    #[serde(default)]
    toolset: Option<String>,
}

impl Case {
    /// The tools it is offered: its own, or those of the list it names.
    pub(crate) fn tools(&self, toolsets: &Map<String, Value>) -> Tools {
        let tools = self.tools.as_ref().or_else(|| toolsets.get(self.toolset.as_ref()?));
        tools.filter(|tools| !tools.is_null()).map_or_else(Tools::any, |tools| Tools::new(&specs(tools)))
    }

    /// In what it begins.
    pub(crate) fn start(&self) -> Start {
        if self.starts_in_reasoning { Start::Reasoning } else { Start::Answer }
    }
}

fn specs(tools: &Value) -> Vec<ToolSpec> {
    let spec = |tool: &Value| {
        let tool = tool.get("function").unwrap_or(tool);
        let text = |key: &str| tool.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let parameters = tool.get("parameters").cloned().unwrap_or_default();
        let aliases = tool.get("aliases").and_then(Value::as_array).into_iter().flatten();
        let aliases = aliases.filter_map(Value::as_str).map(str::to_owned).collect();
        ToolSpec { name: text("name"), description: text("description"), parameters, aliases }
    };
    tools.as_array().into_iter().flatten().map(spec).collect()
}
