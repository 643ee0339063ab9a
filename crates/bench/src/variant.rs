//! An arm of a run: one model on one server with its settings. All that a trial's process knows of the user's settings is
//! what stands here.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// One model with its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// As tables and rows call it.
    pub name: String,
    /// Where the server listens.
    pub host: String,
    /// Of which kind it is: `auto`, `ollama` or `openai`.
    pub kind: String,
    /// The variable that holds its key. The key itself is written nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// Other headers, with the variables that hold their values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers_env: BTreeMap<String, String>,
    /// Keys may go to another machine unencrypted.
    #[serde(default)]
    pub allow_plain_key: bool,
    pub model: String,
    /// Its window in tokens; none: as the server and the model have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// How it is to think; none: as its family does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub think: Option<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    /// Other keys of the config, with dots between their parts, and their values as TOML or as plain words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
}

impl Variant {
    /// The config file of a trial's process.
    pub fn config(&self) -> String {
        let mut top = toml::Table::new();
        let text = |value: &str| toml::Value::String(value.to_owned());
        top.insert("host".into(), text(&self.host));
        top.insert("model".into(), text(&self.model));
        if let Some(window) = self.window.and_then(|window| i64::try_from(window).ok()) {
            top.insert("num_ctx".into(), toml::Value::Integer(window));
        }
        if let Some(think) = &self.think {
            top.insert("think".into(), text(think));
        }
        let mut server = toml::Table::new();
        server.insert("kind".into(), text(&self.kind));
        if let Some(variable) = &self.api_key_env {
            server.insert("api_key_env".into(), text(variable));
        }
        if !self.headers_env.is_empty() {
            let headers = self.headers_env.iter().map(|(name, variable)| (name.clone(), text(variable)));
            server.insert("headers_env".into(), toml::Value::Table(headers.collect()));
        }
        server.insert("allow_plain_key".into(), toml::Value::Boolean(self.allow_plain_key));
        top.insert("server".into(), toml::Value::Table(server));
        if let Ok(options) = toml::Value::try_from(&self.options) {
            top.insert("options".into(), options);
        }
        let mut sandbox = toml::Table::new();
        sandbox.insert("require".into(), toml::Value::Boolean(true));
        sandbox.insert("network".into(), text("deny"));
        top.insert("sandbox".into(), toml::Value::Table(sandbox));
        for (key, value) in &self.settings {
            set(&mut top, key, plain(value));
        }
        top.to_string()
    }

    /// Whether the server keeps the same model loaded for both.
    pub fn shares_model_with(&self, other: &Variant) -> bool {
        let loaded =
            |arm: &Variant| (arm.host.clone(), arm.model.clone(), arm.window, arm.settings.get("num_ctx").cloned());
        loaded(self) == loaded(other)
    }
}

/// A value as TOML writes it; what is none is words.
fn plain(text: &str) -> toml::Value {
    let read = format!("value = {text}").parse::<toml::Table>().ok().and_then(|mut table| table.remove("value"));
    read.unwrap_or_else(|| toml::Value::String(text.to_owned()))
}

/// Sets `key`, whose parts have dots between them. Where a part is no table it becomes one.
fn set(table: &mut toml::Table, key: &str, value: toml::Value) {
    let Some((first, rest)) = key.split_once('.') else {
        table.insert(key.to_owned(), value);
        return;
    };
    let mut inner = match table.remove(first) {
        Some(toml::Value::Table(inner)) => inner,
        Some(_) | None => toml::Table::new(),
    };
    set(&mut inner, rest, value);
    table.insert(first.to_owned(), toml::Value::Table(inner));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_config_of_a_trial_holds_the_arm_and_what_keeps_it_apart() {
        let arm = Variant {
            name: "m".into(),
            host: "127.0.0.1:1".into(),
            kind: "ollama".into(),
            api_key_env: Some("KEY".into()),
            headers_env: BTreeMap::new(),
            allow_plain_key: false,
            model: "m:7b".into(),
            window: Some(16384),
            think: None,
            options: serde_json::from_str(r#"{"temperature": 0.5, "stop": ["x"]}"#).unwrap(),
            settings: BTreeMap::new(),
        };
        let config: toml::Table = arm.config().parse().unwrap();
        let expected = "host = \"127.0.0.1:1\"\nmodel = \"m:7b\"\nnum_ctx = 16384\n[options]\ntemperature = 0.5\nstop = \
                        [\"x\"]\n[sandbox]\nnetwork = \"deny\"\nrequire = true\n[server]\nallow_plain_key = false\n\
                        api_key_env = \"KEY\"\nkind = \"ollama\"\n";
        assert_eq!(config, expected.parse().unwrap());
        assert_eq!(serde_json::from_value::<Variant>(serde_json::to_value(&arm).unwrap()).unwrap(), arm);
    }

    #[test]
    fn settings_that_are_compared_go_over_the_others() {
        let json = r#"{"name":"m","host":"h","kind":"auto","model":"m","options":{"temperature":0.5},
            "settings":{"think":"off","options.temperature":"0.2","tools.mode":"text","num_ctx":"8192"}}"#;
        let arm: Variant = serde_json::from_str(json).unwrap();
        let config: toml::Table = arm.config().parse().unwrap();
        assert_eq!(config["think"].as_str(), Some("off"));
        assert_eq!(config["options"]["temperature"].as_float(), Some(0.2));
        assert_eq!((config["tools"]["mode"].as_str(), config["num_ctx"].as_integer()), (Some("text"), Some(8192)));
        let mut other = arm.clone();
        other.settings.insert("think".into(), "on".into());
        assert!(arm.shares_model_with(&other));
        other.settings.insert("num_ctx".into(), "16384".into());
        assert!(!arm.shares_model_with(&other));
    }
}
