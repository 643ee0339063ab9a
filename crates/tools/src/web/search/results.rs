//! The answers of the providers, each in its own shape.

use super::{Hit, MOST};
use crate::web::Engine;
use agent_protocol::{Failure, FailureKind};
use serde_json::Value;

/// Characters of a result's text.
const SNIPPET: usize = 500;
const TITLE: usize = 160;
const URL: usize = 1_000;

/// The results in an answer, at most as many as were asked for. An answer without any is an empty list.
pub(super) fn read(engine: Engine, answer: &[u8]) -> Result<Vec<Hit>, Failure> {
    let (list, [title, url, snippet]) = match engine {
        Engine::Google => ("items", ["title", "link", "snippet"]),
        Engine::Tavily | Engine::Ollama | Engine::Searxng => ("results", ["title", "url", "content"]),
    };
    let answer: Value = serde_json::from_slice(answer).map_err(|_| {
        let message =
            format!("{} answers with something else than results; go on without, or tell the user", engine.name());
        Failure::new(FailureKind::Unreachable, message)
    })?;
    let items = answer.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text = |item: &Value, key: &str, most| line(item.get(key).and_then(Value::as_str).unwrap_or_default(), most);
    let hits = items.iter().map(|item| Hit {
        title: text(item, title, TITLE),
        url: text(item, url, URL),
        snippet: text(item, snippet, SNIPPET),
    });
    Ok(hits.filter(|hit| hit.url.starts_with("http")).take(MOST as usize).collect())
}

/// In one line, at most so many characters.
fn line(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_address_is_no_result_and_long_ones_are_cut() {
        let long = "word ".repeat(400);
        let answer = serde_json::json!({ "results": [
            { "title": "a\n b", "url": "https://a.b/", "content": long },
            { "title": "no address" }, "nonsense", { "url": "javascript:x" } ] });
        let hits = read(Engine::Tavily, answer.to_string().as_bytes()).unwrap();
        assert_eq!((hits.len(), hits[0].title.as_str(), hits[0].snippet.chars().count()), (1, "a b", SNIPPET + 1));
        assert_eq!(read(Engine::Google, b"{}"), Ok(Vec::new()));
        assert_eq!(read(Engine::Google, b"<html>").unwrap_err().kind, FailureKind::Unreachable);
    }
}
