//! The panel of tools: what the model is offered, what that costs, and by which way its calls arrived.

use super::panel::{Panel, Row, pair};
use crate::app::Session;
use crate::clean::clean_line;
use crate::words::grouped;
use agent_protocol::{ToolCost, ToolSpec, ToolsBy};

impl Panel {
    /// What the model can call.
    pub(crate) fn tools(session: &Session) -> Self {
        let mut rows = if session.lacks_tools() { nothing(session) } else { offered(session) };
        rows.push(pair("calls so far", session.arrivals.by_way()));
        let mended = session.arrivals.mended();
        if !mended.is_empty() {
            rows.push(pair("mended", mended));
        }
        Panel::new("Tools the model can call", rows)
    }
}

/// That nothing is offered, why, and what helps.
fn nothing(session: &Session) -> Vec<Row> {
    let mut rows = vec![pair("offered", "nothing: this model cannot call tools")];
    // A server that would have to offer them is what a person has asked for; else they go by text in a moment.
    if session.offered.is_some() {
        rows.push(pair("why", "tools.mode is native: only the server may offer them"));
    }
    rows.push(pair("instead", "tools.mode = \"auto\" describes them in the prompt; /model chooses another"));
    rows
}

/// The tools, how they are offered, and what all of them take of the prompt.
fn offered(session: &Session) -> Vec<Row> {
    let mut rows: Vec<Row> = session.tools.iter().map(|tool| tool_row(session, tool)).collect();
    if rows.is_empty() {
        rows.push(pair("", "none: the model can only talk"));
    }
    rows.push(Row::Blank);
    if let Some(offered) = &session.offered {
        let by = match offered.by {
            ToolsBy::Server => "by the server, in the model's own form",
            ToolsBy::Text => "by text: described in the prompt, read in the reply",
        };
        rows.push(pair("offered", by));
        rows.extend(cost(session, &offered.costs));
    }
    rows
}

fn tool_row(session: &Session, tool: &ToolSpec) -> Row {
    Row::Figure {
        word: clean_line(&tool.name).into_owned(),
        figure: session.cost(&tool.name).map(estimate).unwrap_or_default(),
        text: clean_line(first_sentence(&tool.description)).into_owned(),
    }
}

/// What all of them take of the prompt; nothing where nothing was counted.
fn cost(session: &Session, costs: &[ToolCost]) -> Option<Row> {
    let total: u64 = costs.iter().map(|cost| cost.tokens).sum();
    let share = match total.saturating_mul(100).checked_div(session.window) {
        None => String::new(),
        Some(0) => ", less than 1 % of the window".to_owned(),
        Some(percent) => format!(", {percent} % of the window"),
    };
    (!costs.is_empty()).then(|| pair("cost", format!("{} tokens of every prompt{share}", estimate(total))))
}

/// Words whose full stop ends no sentence, without it.
const ABBREVIATIONS: &[&str] = &["e.g", "i.e", "etc", "vs"];

fn estimate(tokens: u64) -> String {
    format!("≈ {}", grouped(tokens))
}

/// The first sentence of a description. A full stop after `e.g` or `i.e` ends none, nor does one inside a name.
fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    let ends = |(at, _): &(usize, &str)| {
        let word = text[..*at].rsplit(char::is_whitespace).next().unwrap_or_default();
        text[at + 1..].starts_with(char::is_whitespace) && !ABBREVIATIONS.contains(&word.trim_start_matches('('))
    };
    text.match_indices(['.', '!', '?']).find(ends).map_or(text, |(at, _)| &text[..=at])
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn the_first_sentence_is_not_cut_at_an_abbreviation_or_a_name() {
        assert_eq!(first_sentence("Edit a file. old_string must be unique."), "Edit a file.");
        assert_eq!(
            first_sentence(" Find files, e.g. by src/*.rs. `path` is the root."),
            "Find files, e.g. by src/*.rs."
        );
        assert_eq!(first_sentence("Find files by name"), "Find files by name");
        assert_eq!(first_sentence("Run a command.\nIt ends."), "Run a command.");
        assert_eq!(first_sentence(""), "");
    }
}
