//! One row of `cases.jsonl`.

use serde_json::Value;

const CASES: &str = include_str!("cases.jsonl");

/// What goes wrong, and what has to hold then.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) title: String,
    /// What the server plays, and what else is done to the program.
    pub(crate) inject: Value,
}

/// All rows, in their order.
pub(crate) fn all() -> Vec<Case> {
    let rows = CASES.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case is one line of JSON"));
    rows.map(|row| Case { id: text(&row["id"]), title: text(&row["title"]), inject: row["inject"].clone() }).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
