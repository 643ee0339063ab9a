//! Symbols of a file as an outline, and those of the project by name.

use super::super::page::{LinePage, shortened};
use super::kinds;
use super::places::{Shower, place};
use crate::lsp::Position;
use crate::words;
use serde_json::Value;

/// Characters of what is said of a symbol.
const WIDTH: usize = 120;
/// How deep an outline goes.
const DEEPEST: usize = 20;

/// The symbols of one file: each with its line, indented as they lie in each other.
pub(super) fn outline(answer: &Value, room: usize) -> (String, String) {
    let mut lines = Vec::new();
    gather(answer, 0, &mut lines);
    told(&lines, room)
}

fn gather(symbols: &Value, depth: usize, lines: &mut Vec<String>) {
    for symbol in symbols.as_array().into_iter().flatten() {
        let range = symbol.get("selectionRange").or_else(|| symbol.get("location")?.get("range"));
        let Some(at) = range.and_then(|range| Position::read(range.get("start")?)) else { continue };
        let detail = symbol["detail"].as_str().unwrap_or_default();
        let container = symbol["containerName"].as_str().unwrap_or_default();
        let beside = match (detail, container) {
            ("", "") => String::new(),
            ("", container) => format!(" in {container}"),
            (detail, _) => format!(" {detail}"),
        };
        let indent = "  ".repeat(depth);
        let name = symbol["name"].as_str().unwrap_or_default();
        let line = format!("{} {name}{beside}", kinds::symbol(&symbol["kind"]));
        lines.push(format!("{}: {indent}{}", at.line + 1, shortened(&one_line(&line), WIDTH)));
        if depth < DEEPEST {
            gather(&symbol["children"], depth + 1, lines);
        }
    }
}

/// The symbols of the project that an answer names.
pub(super) fn found(answer: &Value, shower: &mut Shower<'_>, room: usize) -> (String, String) {
    let all = answer.as_array().map_or(&[][..], Vec::as_slice);
    let line = |symbol: &Value| {
        let place = place(symbol.get("location")?)?;
        let (line, column, _) = shower.located(&place);
        let container = symbol["containerName"].as_str().unwrap_or_default();
        let inside = if container.is_empty() { String::new() } else { format!(" in {container}") };
        let what =
            format!("{} {}{inside}", kinds::symbol(&symbol["kind"]), symbol["name"].as_str().unwrap_or_default());
        Some(format!("{}:{line}:{column}: {}", shower.path(&place), shortened(&one_line(&what), WIDTH)))
    };
    let lines: Vec<String> = all.iter().filter_map(line).collect();
    told(&lines, room)
}

fn told(lines: &[String], room: usize) -> (String, String) {
    let mut page = LinePage::new(room);
    let left = page.list(lines.iter(), lines.len(), "more");
    let text = if lines.is_empty() { "no symbols\n".to_owned() } else { page.with(&[left]) };
    (text, words::count(lines.len() as u64, "symbol"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::Encoding;
    use crate::workspace::Workspace;
    use serde_json::json;
    use std::path::Path;

    fn at(line: usize) -> Value {
        json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 1 } })
    }

    #[test]
    fn an_outline_is_indented_as_symbols_lie_in_each_other() {
        let answer = json!([{
            "name": "Server", "kind": 23, "selectionRange": at(2), "range": at(1),
            "children": [{ "name": "run", "detail": "fn(&self)\n -> u8", "kind": 6, "selectionRange": at(4) }],
        }, { "name": "flat", "kind": 12, "containerName": "m", "location": { "uri": "file:///a", "range": at(9) } }]);
        assert_eq!(
            outline(&answer, 4000),
            ("3: struct Server\n5:   method run fn(&self) -> u8\n10: function flat in m\n".into(), "3 symbols".into())
        );
        assert_eq!(outline(&answer, 440).0, "3: struct Server\n[2 more]\n");
        assert_eq!(outline(&Value::Null, 4000), ("no symbols\n".into(), "0 symbols".into()));
    }

    #[test]
    fn symbols_of_the_project_are_shown_with_their_files() {
        let answer = json!([
            { "name": "run", "kind": 12, "containerName": "m", "location": { "uri": "file:///p/a.rs", "range": at(3) } },
            { "name": "nowhere", "kind": 12, "location": { "uri": "x:y" } },
        ]);
        let workspace = Workspace::new(Path::new("/p"));
        let told = found(&answer, &mut Shower::new(&workspace, Encoding::Utf8), 4000);
        assert_eq!(told, ("a.rs:4:1: function run in m\n".into(), "1 symbol".into()));
    }
}
