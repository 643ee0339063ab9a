//! The panel of tools: what the model is offered, what that costs, and by which way its calls arrived. Where there are
//! groups to choose from, see `groups`.

use super::panel::{Panel, PanelRow, pair};
use crate::clean::clean_line;
use agent_frontend::Session;
use agent_protocol::sanitize::figures::grouped;
use agent_protocol::{ToolCost, ToolSpec, ToolsBy};

impl Panel {
    /// What the model can call.
    pub(crate) fn tools(session: &Session) -> Self {
        let mut rows = if session.lacks_tools() { nothing(session) } else { offered(session) };
        rows.extend(facts(session).into_iter().map(|(word, text)| PanelRow::Pair(word, text)));
        Panel::new(TITLE, rows)
    }
}

/// How the tools are offered, and by which ways calls of them came: a word and a text, clean.
pub(super) fn facts(session: &Session) -> Vec<(String, String)> {
    let by = session.offered.as_ref().filter(|_| !session.lacks_tools()).map(|offered| match offered.by {
        ToolsBy::Server => "by the server, in the model's own form",
        ToolsBy::Text => "by text: described in the prompt, read in the reply",
        ToolsBy::Files => "not at all: it is shown files and answers with files; /form changes that",
    });
    let mended = session.arrivals.mended();
    let facts = [
        by.map(|by| ("offered", by.to_owned())),
        Some(("calls so far", session.arrivals.by_way())),
        (!mended.is_empty()).then_some(("repaired", mended)),
    ];
    let clean = |(word, text): (&str, String)| (word.to_owned(), clean_line(&text).into_owned());
    facts.into_iter().flatten().map(clean).collect()
}

/// What a tool does, in a sentence; empty where nobody has told.
pub(super) fn described(session: &Session, tool: &str) -> String {
    let found = session.tools.iter().find(|known| known.name == tool);
    found.map(|tool| clean_line(first_sentence(&tool.description)).into_owned()).unwrap_or_default()
}

/// Names one after the other.
pub(super) fn tool_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// That nothing is offered, why, and what helps.
fn nothing(session: &Session) -> Vec<PanelRow> {
    let mut rows = vec![pair("offered", "nothing: this model cannot call tools")];
    // A server that would have to offer them is what a person has asked for; else they go by text in a moment.
    if session.offered.is_some() {
        rows.push(pair("why", "tools.mode is native: only the server may offer them"));
    }
    rows.push(pair("instead", "tools.mode = \"auto\" describes them in the prompt; /model chooses another"));
    rows
}

/// The tools, how they are offered, and what all of them take of the prompt.
fn offered(session: &Session) -> Vec<PanelRow> {
    let mut rows: Vec<PanelRow> = session.tools.iter().map(|tool| tool_row(session, tool)).collect();
    if rows.is_empty() {
        rows.push(pair("", "none: the model can only talk"));
    }
    rows.push(PanelRow::Blank);
    rows.extend(session.offered.as_ref().and_then(|offered| cost(session, &offered.costs)));
    rows
}

fn tool_row(session: &Session, tool: &ToolSpec) -> PanelRow {
    PanelRow::Figure {
        word: clean_line(&tool.name).into_owned(),
        figure: session.cost(&tool.name).map(estimate).unwrap_or_default(),
        text: described(session, &tool.name),
    }
}

/// What all of them take of the prompt; nothing where nothing was counted.
fn cost(session: &Session, costs: &[ToolCost]) -> Option<PanelRow> {
    let total: u64 = costs.iter().map(|cost| cost.tokens).sum();
    let share = share(total, session.window);
    (!costs.is_empty()).then(|| pair("cost", format!("{} tokens of every prompt{share}", estimate(total))))
}

/// `, 12 % of the window`, where that is known.
pub(super) fn share(tokens: u64, window: u64) -> String {
    match tokens.saturating_mul(100).checked_div(window) {
        None => String::new(),
        Some(0) => ", less than 1 % of the window".to_owned(),
        Some(percent) => format!(", {percent} % of the window"),
    }
}

pub(super) const TITLE: &str = "Tools the model can call";

/// Words whose full stop ends no sentence, without it.
const ABBREVIATIONS: &[&str] = &["e.g", "i.e", "etc", "vs"];

pub(super) fn estimate(tokens: u64) -> String {
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
