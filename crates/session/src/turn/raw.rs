//! The call inside the words of a server that could not read it.
//!
//! Nothing is guessed: arguments without a name are a call only where they fit exactly one tool.

use agent_dialects::{Found, Piece, Repair, Splitter, Start, Tools, salvage};
use agent_protocol::ToolSpec;
use serde_json::{Map, Value};

/// What stands around the raw text in servers' errors; the end may be missing.
///
/// Source: `model/parsers` and `harmony` of Ollama; see also `ollama::trouble` in the backend.
const QUOTES: [(&str, &str); 2] = [("raw='", "', err="), ("raw=\"", "\", err=")];

/// After these words stands the reply that the server could not read; behind the first of them the rest of it, from the
/// character on at which the server's parser stopped.
///
/// Source: llama.cpp#24644, #23838, #20761 (with 0 where all of it follows); lmstudio-bug-tracker#942.
const REST: &str = "Failed to parse input at pos ";
const WHOLE: &str = "Model Output:";

/// So many closing brackets too many are left out.
const MOST_CLOSERS: usize = 3;

/// The calls that an error quotes, complete ones only.
pub(crate) fn quoted_calls(error: &str, specs: &[ToolSpec]) -> Vec<Found> {
    let offered = Tools::new(specs);
    if let Some(reply) = reply(error) {
        return reply.calls(&offered);
    }
    let Some(raw) = quoted(error) else {
        // Some servers quote without saying so; then only a call with a mark is one.
        return salvage(error, &offered);
    };
    let found = parse_raw(raw, specs, &offered);
    if !found.is_empty() {
        return found;
    }
    // Models close one bracket too many; the server stumbles over just that.
    let shorter = (1..=MOST_CLOSERS).map_while(|extra| without_closers(raw, extra));
    let mended = shorter.map(|shorter| parse_raw(shorter, specs, &offered)).find(|found| !found.is_empty());
    let mut found = mended.unwrap_or_default();
    for found in &mut found {
        raw.clone_into(&mut found.raw);
        found.repairs.push(Repair::ExtraCloser);
    }
    found
}

fn parse_raw(raw: &str, specs: &[ToolSpec], offered: &Tools) -> Vec<Found> {
    let found = salvage(raw, offered);
    if found.is_empty() { bare_arguments(raw, specs, offered).into_iter().collect() } else { found }
}

/// The text without so many closing brackets at its end; `None`: it does not end in so many.
fn without_closers(raw: &str, extra: usize) -> Option<&str> {
    (0..extra).try_fold(raw, |raw, _| raw.strip_suffix([']', '}']).map(str::trim_end))
}

/// The raw text in an error.
pub(super) fn quoted(error: &str) -> Option<&str> {
    QUOTES.iter().find_map(|(open, close)| {
        let (_, rest) = error.split_once(open)?;
        // The raw text may hold quotes of its own: the last closing one is the server's.
        let end = rest.rfind(close).unwrap_or_else(|| rest.len() - usize::from(rest.ends_with(&close[..1])));
        Some(rest[..end].trim()).filter(|raw| !raw.is_empty())
    })
}

/// What an error quotes of a reply.
struct Reply<'a> {
    text: &'a str,
    /// From its beginning.
    whole: bool,
}

fn reply(error: &str) -> Option<Reply<'_>> {
    if let Some((_, rest)) = error.split_once(REST) {
        let (at, text) = rest.split_once(':')?;
        return Some(Reply { text: text.trim(), whole: at.parse() == Ok(0) });
    }
    error.split_once(WHOLE).map(|(_, text)| Reply { text: text.trim(), whole: true })
}

impl<'a> Reply<'a> {
    /// The calls in it, where none of them was lost. A rest that does not begin with a call, or with thinking, may have begun
    /// in the middle of a value, and what looks like a call there is text of it.
    fn calls(&self, offered: &Tools) -> Vec<Found> {
        let pieces = self.pieces(offered);
        let blank = |piece: &Piece| match piece {
            Piece::Thinking(_) => true,
            Piece::Text(text) => text.trim().is_empty(),
            Piece::Call(_) | Piece::Lost(_) | Piece::Invented(_) | Piece::WasThinking(_) => false,
        };
        let begins = self.whole || matches!(pieces.iter().find(|piece| !blank(piece)), Some(Piece::Call(_)));
        if !begins || pieces.iter().any(|piece| matches!(piece, Piece::Lost(_))) {
            return Vec::new();
        }
        let calls =
            pieces.into_iter().filter_map(|piece| if let Piece::Call(found) = piece { Some(found) } else { None });
        calls.collect()
    }

    /// Its text, where a call is in it.
    fn with_call(self, offered: &Tools) -> Option<&'a str> {
        let called = self.pieces(offered).iter().any(|piece| matches!(piece, Piece::Call(_) | Piece::Lost(_)));
        called.then_some(self.text)
    }

    fn pieces(&self, offered: &Tools) -> Vec<Piece> {
        let mut splitter = Splitter::new(offered.clone(), Start::Answer);
        let mut pieces = Vec::new();
        for piece in splitter.push(self.text).into_iter().chain(splitter.finish()) {
            match piece {
                Piece::WasThinking(was) => pieces = vec![Piece::Thinking(was.text)],
                other => pieces.push(other),
            }
        }
        pieces
    }
}

/// The model's words in an error, where a call is among them.
pub(crate) fn quoted_words<'a>(error: &'a str, specs: &[ToolSpec]) -> Option<&'a str> {
    quoted(error).or_else(|| reply(error)?.with_call(&Tools::new(specs)))
}

/// The server's words without what it quotes of the model's.
pub(crate) fn before_quote(error: &str) -> &str {
    let end = [": raw=", REST, WHOLE].iter().filter_map(|mark| error.find(mark)).min();
    let own = &error[..end.unwrap_or(error.len())];
    if own.is_empty() { error.split(':').next().unwrap_or(error) } else { own.trim_end() }
}

/// Arguments without a name, where exactly one tool takes them.
fn bare_arguments(raw: &str, specs: &[ToolSpec], offered: &Tools) -> Option<Found> {
    if !raw.starts_with('{') {
        return None;
    }
    let mut fits = specs.iter().filter_map(|spec| {
        let call = format!("{{\"name\": {}, \"arguments\": {raw}}}", Value::from(spec.name.as_str()));
        let found = salvage(&call, offered).into_iter().next()?;
        let fits = found.name == spec.name && takes(spec, &found.arguments);
        fits.then(|| Found { raw: raw.to_owned(), ..found })
    });
    let found = fits.next()?;
    fits.next().is_none().then_some(found)
}

/// Does the tool know all of these arguments, and are all there that it needs?
fn takes(spec: &ToolSpec, arguments: &Map<String, Value>) -> bool {
    let known = spec.parameters.get("properties").and_then(Value::as_object);
    let all_known = arguments.keys().all(|key| known.is_some_and(|known| known.contains_key(key)));
    let mut required = spec.parameters.get("required").and_then(Value::as_array).into_iter().flatten();
    !arguments.is_empty()
        && all_known
        && required.all(|name| name.as_str().is_some_and(|name| arguments.contains_key(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn spec(name: &str, required: &[&str], optional: &[&str]) -> ToolSpec {
        let properties: Map<String, Value> =
            required.iter().chain(optional).map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
        let parameters = json!({"type": "object", "properties": properties, "required": required});
        ToolSpec { name: name.into(), description: String::new(), parameters, aliases: Vec::new() }
    }

    fn specs() -> [ToolSpec; 3] {
        [
            spec("run_command", &["command"], &["timeout"]),
            spec("read_file", &["file_path"], &["offset"]),
            spec("write_file", &["file_path", "content"], &[]),
        ]
    }

    fn calls(error: &str) -> Vec<(String, Value)> {
        let found = quoted_calls(error, &specs()).into_iter();
        found.map(|found| (found.name, Value::Object(found.arguments))).collect()
    }

    #[test]
    fn the_raw_text_is_what_stands_between_the_servers_quotes() {
        let error = "error parsing tool call: raw='{\"command\":\"echo 'a', err=1\"}', err=invalid character";
        assert_eq!(quoted(error), Some("{\"command\":\"echo 'a', err=1\"}"));
        assert_eq!(quoted("tool 'nope' not found"), None);
        assert_eq!(quoted("error parsing tool call: raw='', err=unexpected end of JSON input"), None);
        assert_eq!(quoted("raw='cut at the end'"), Some("cut at the end"));
    }

    #[test]
    fn a_named_call_in_an_error_is_found() {
        let error = r#"error parsing tool call: raw='{"name":"read_file","arguments":{"file_path":"a"}}', err=x"#;
        assert_eq!(calls(error), [("read_file".to_owned(), json!({"file_path": "a"}))]);
        let marked = r#"unexpected text <tool_call>{"name":"read_file","arguments":{"file_path":"a"}}</tool_call>"#;
        assert_eq!(calls(marked), [("read_file".to_owned(), json!({"file_path": "a"}))]);
        assert_eq!(calls("tool 'read_file' not found"), []);
    }

    #[test]
    fn arguments_alone_are_a_call_where_one_tool_takes_them() {
        let error = |raw: &str| format!("error parsing tool call: raw='{raw}', err=invalid character ']' after value");
        assert_eq!(calls(&error(r#"{"command":"ls"}"#)), [("run_command".to_owned(), json!({"command": "ls"}))]);
        let write = r#"{"file_path":"a","content":"x"}"#;
        assert_eq!(calls(&error(write)), [("write_file".to_owned(), json!({"file_path": "a", "content": "x"}))]);
        assert_eq!(calls(&error(r#"{"path":"a"}"#)), [], "no tool takes it");
        assert_eq!(calls(&error("{}")), [], "it says nothing");
        assert_eq!(calls(&error("ls -R")), [], "it is no call");
        let two = [spec("one", &["x"], &[]), spec("two", &["x"], &[])];
        assert!(quoted_calls(&error(r#"{"x":"1"}"#), &two).is_empty(), "two tools take it");
    }

    #[test]
    fn a_bracket_too_many_is_left_out_and_said() {
        for raw in [
            r#"{"name":"run_command","arguments":{"command":"ls"}}]"#,
            r#"{"command":"ls"}}"#,
            r#"{"command":"ls"} ] }"#,
        ] {
            let error =
                format!("error parsing tool call: raw='{raw}', err=invalid character ']' after top-level value");
            let found = quoted_calls(&error, &specs());
            assert_eq!(found.len(), 1, "{raw}");
            assert_eq!((found[0].raw.as_str(), &found[0].repairs[..]), (raw, &[Repair::ExtraCloser][..]));
        }
    }

    #[test]
    fn arguments_that_are_cut_off_are_no_call() {
        for raw in [r#"{"command":"rm -rf /tmp/x"#, r#"{"command":"rm""#, r#"{"command":"rm -rf "#] {
            assert_eq!(calls(&format!("error parsing tool call: raw='{raw}', err=unexpected end")), [], "{raw}");
        }
    }
}
