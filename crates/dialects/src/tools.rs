//! The tools a model was offered, as far as reading its calls needs them.

use agent_protocol::ToolSpec;
use serde_json::Value;
use std::sync::Arc;

/// The tools by name; cheap to clone. Without any specs (`Tools::any`) every name is as good as offered.
#[derive(Debug, Clone, Default)]
pub struct Tools {
    /// `None`: any name goes.
    offered: Option<Arc<[Offered]>>,
}

#[derive(Debug, Clone)]
struct Offered {
    name: String,
    aliases: Vec<String>,
    parameters: Value,
}

impl Tools {
    /// The tools of `specs`.
    pub fn new(specs: &[ToolSpec]) -> Self {
        let offered = specs.iter().map(|spec| Offered {
            name: spec.name.clone(),
            aliases: spec.aliases.clone(),
            parameters: spec.parameters.clone(),
        });
        Tools { offered: Some(offered.collect()) }
    }

    /// No specs: any name goes, and no types are known.
    pub fn any() -> Self {
        Tools { offered: None }
    }

    /// Is every name as good as offered?
    pub fn is_any(&self) -> bool {
        self.offered.is_none()
    }

    /// Is a tool of this name, or with this alias, offered?
    pub fn knows(&self, name: &str) -> bool {
        self.offered.is_none() || self.find(name).is_some()
    }

    /// Is a tool of exactly this name offered?
    pub fn offers(&self, name: &str) -> bool {
        self.offered.as_ref().is_none_or(|offered| offered.iter().any(|tool| tool.name == name))
    }

    /// Names and aliases, where tools are known.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let offered = self.offered.iter().flat_map(|offered| offered.iter());
        offered.flat_map(|tool| std::iter::once(&tool.name).chain(&tool.aliases)).map(String::as_str)
    }

    /// The schema of one parameter; `None` where tool or parameter is not known.
    pub fn schema(&self, tool: &str, parameter: &str) -> Option<&Value> {
        self.find(tool)?.parameters.get("properties")?.get(parameter)
    }

    /// The names of a tool's parameters; none where it is not known.
    pub fn parameters(&self, tool: &str) -> impl Iterator<Item = &str> {
        let properties = self.find(tool).and_then(|tool| tool.parameters.get("properties")?.as_object());
        properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str))
    }

    /// The parameters a tool needs; none where it is not known.
    pub fn required(&self, tool: &str) -> impl Iterator<Item = &str> {
        let required = self.find(tool).and_then(|tool| tool.parameters.get("required")?.as_array());
        required.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Can this tool be called without any argument? Yes where nothing is known of it.
    pub fn needs_nothing(&self, tool: &str) -> bool {
        let required = self.find(tool).and_then(|tool| tool.parameters.get("required")).and_then(Value::as_array);
        required.is_none_or(Vec::is_empty)
    }

    /// Has this tool no parameters at all? Not where nothing is known of it.
    pub(crate) fn takes_nothing(&self, tool: &str) -> bool {
        self.offered.is_some() && self.knows(tool) && self.parameters(tool).next().is_none()
    }

    fn find(&self, name: &str) -> Option<&Offered> {
        let offered = self.offered.as_ref()?;
        let spelt = |tool: &&Offered| tool.name == name;
        let like = |tool: &&Offered| is_like(name, &tool.name) || tool.aliases.iter().any(|alias| is_like(name, alias));
        offered.iter().find(spelt).or_else(|| offered.iter().find(like))
    }
}

/// Are these the same but for capitals? Asked of every line of an answer, so it copies nothing.
fn is_like(one: &str, other: &str) -> bool {
    if one.is_ascii() && other.is_ascii() {
        return one.eq_ignore_ascii_case(other);
    }
    one.chars().flat_map(char::to_lowercase).eq(other.chars().flat_map(char::to_lowercase))
}
