//! The rows as they are written down.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// One row: a project is set up, a call is made, somebody answers, and this is how it must end.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) mode: agent_protocol::Mode,
    /// Lines for a shell in the project; those that begin with `@` mean something of their own.
    pub(crate) setup: Vec<String>,
    pub(crate) tool: String,
    pub(crate) args: Value,
    pub(crate) user: Option<User>,
    /// Lines for a shell between the question and its answer.
    pub(crate) during: Vec<String>,
    pub(crate) expect: Expect,
    #[serde(rename = "tags")]
    _tags: Vec<String>,
    pub(crate) why: String,
}

/// What the person says when asked. Nobody there: no question may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum User {
    Approve,
    Deny,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    pub(crate) outcome: Ends,
    pub(crate) error_type: Option<String>,
    #[serde(default)]
    pub(crate) fs: BTreeMap<String, Left>,
    #[serde(default)]
    pub(crate) result: Said,
    #[serde(default)]
    pub(crate) prompt_shows: Vec<String>,
    #[serde(default)]
    pub(crate) limits: Limits,
}

/// How a row ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ends {
    /// It is asked, and then it is as the person says.
    Ask,
    /// It is done without a question.
    Ok,
    /// It fails, asked or not.
    Error,
    /// It is refused without a question.
    Deny,
}

/// What is at a path in the end.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Left {
    pub(crate) absent: bool,
    pub(crate) unchanged: bool,
    pub(crate) absent_or_unchanged: bool,
    pub(crate) content: Option<String>,
    pub(crate) hex: Option<String>,
    pub(crate) contains_hex: Option<String>,
    pub(crate) mode: Option<String>,
    pub(crate) symlink: Option<String>,
    pub(crate) entries: Option<Vec<String>>,
}

/// What the model is told.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Said {
    pub(crate) contains: Option<String>,
    pub(crate) lacks: Option<String>,
    pub(crate) count: Option<usize>,
    /// Looked at where it is drawn.
    #[serde(rename = "screen_lacks_hex")]
    _screen_lacks_hex: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Limits {
    pub(crate) seconds: Option<f64>,
    pub(crate) rss_mb: Option<u64>,
    pub(crate) result_kb: Option<usize>,
}

/// All rows.
pub(crate) fn all() -> Vec<Row> {
    let lines = [include_str!("cases.jsonl"), include_str!("ours.jsonl")].into_iter().flat_map(str::lines);
    let row = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let rows: Vec<Row> = lines.map(row).collect();
    assert!(rows.len() >= 92, "{} rows", rows.len());
    rows
}
