//! Replies that are no answer: a call of a tool that does not exist, written as text; a result, a schema or words of ours, said
//! back; an empty block. Small models end their turns so, and nobody would know.
//!
//! A call that goes on and on is one as well: the typical runaway is one write that fills the whole reply. It is ended, and the
//! model told to write in parts. What arrives as text is counted; servers that read calls themselves send nothing while one is
//! being written: of these the silence tells, once something of the reply was here.
//!
//! Careful: what may be meant for the user is an answer.

use crate::ServerEffect;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::server::Server;
use crate::turn::guards::cut_off::{finish_unusable, keep_words};
use crate::turn::guards::loop_guard::Halt;
use crate::turn::guards::unusable_reply::UnusableReply;
use crate::turn::phase::{Listening, Next, Phase};
use agent_protocol::{Message, PartOrigin, Stuck, ToolSpec};
use serde_json::Value;

/// Bytes of the shortest words of ours that are recognised when they are said back.
const SHORTEST: usize = 24;

/// Why the reply is no answer, if it is none. `last` is what the model was told before it.
pub(crate) fn no_answer(text: &str, last: Option<&Message>, specs: &[ToolSpec]) -> Option<UnusableReply> {
    let bare = bare(text);
    if bare.is_empty() {
        return Some(mishap("the reply is an empty block", "your last reply is an empty block".to_owned()));
    }
    let echoes = starts_as_ours(text) || last.is_some_and(|last| is_said_back(bare, last));
    if echoes {
        let told = "your last reply only repeats what you were told".to_owned();
        return Some(mishap("the reply only repeats what the model was told", told));
    }
    unknown_tool(bare, specs).map(|name| {
        let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        let near = near(&name, &names).map_or(String::new(), |near| format!("did you mean {near}? "));
        let told = format!("there is no tool {name:?}; {near}the tools are {}", names.join(", "));
        mishap("the reply is a call of a tool that does not exist", told)
    })
}

/// The tool whose name begins like that, or holds a part of it.
fn near<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let first = name.split('_').next().unwrap_or(name);
    let begins = |known: &&&str| name.starts_with(**known) || known.starts_with(name);
    let shares = |known: &&&str| known.split('_').any(|part| part == first);
    names.iter().find(begins).or_else(|| names.iter().find(shares)).copied()
}

fn mishap(what: &str, told: String) -> UnusableReply {
    UnusableReply { what: what.to_owned(), told }
}

/// The text without a fence or marks of a result around all of it.
fn bare(text: &str) -> &str {
    let mut text = text.trim();
    for (open, close) in [("<tool_response>", "</tool_response>"), ("```", "```")] {
        if let Some(inner) = text.strip_prefix(open).and_then(|inner| inner.strip_suffix(close)) {
            // The word behind a fence is no text.
            let inner = if open == "```" { inner.split_once('\n').map_or("", |(_, inner)| inner) } else { inner };
            text = inner.trim();
        }
    }
    text
}

/// Begins as only results and lists of tools begin.
fn starts_as_ours(text: &str) -> bool {
    let text = text.trim_start();
    ["<tool_response>", "<tools>", "{\"type\": \"function\"", "{\"type\":\"function\""]
        .iter()
        .any(|mark| text.starts_with(mark))
}

/// Is it what the program said last, or the result of a call that failed?
fn is_said_back(bare: &str, last: &Message) -> bool {
    let ours = |origin| matches!(origin, PartOrigin::Program | PartOrigin::Result);
    last.parts().iter().filter(|part| ours(part.origin)).any(|part| {
        let told = part.text.trim().trim_matches(['(', ')']);
        let fails = part.origin == PartOrigin::Program || told.starts_with("error");
        fails && told.len() >= SHORTEST && bare.trim_matches(['(', ')']) == told
    })
}

/// The name of a tool that does not exist, where all of the text is a call of it.
fn unknown_tool(bare: &str, specs: &[ToolSpec]) -> Option<String> {
    let value: Value = serde_json::from_str(bare).ok()?;
    let name = value.get("name")?.as_str()?;
    let has_arguments =
        ["arguments", "parameters", "args"].iter().any(|key| value.get(key).is_some_and(Value::is_object));
    let known = specs.iter().any(|spec| spec.name == name || spec.aliases.iter().any(|alias| alias == name));
    (has_arguments && !known).then(|| name.chars().take(60).collect())
}

/// Tokens beyond which a call of the next reply is ended. A model that works by files has no other way to write one.
pub(crate) fn longest_call(server: &Server) -> Option<u64> {
    let most = u64::from(server.levers().longest_call);
    (most > 0 && server.offers_tools()).then_some(most)
}

/// More of the reply is here, and it is no thinking.
pub(crate) fn go_on(
    listening: Box<Listening>,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) -> Next {
    let call = || listening.heard.call_tokens(server.measure.gauge.estimator());
    match listening.longest_call.and_then(|most| call().filter(|tokens| *tokens > most)) {
        Some(tokens) => end(*listening, tokens, conversation, out),
        None => Next::Rest(Phase::Listening(listening)),
    }
}

/// Tokens that a call must have by now of which nothing has arrived for so many seconds, where they are too many.
pub(crate) fn silent(secs: u64, listening: &Listening, server: &Server) -> Option<u64> {
    let most = listening.longest_call.filter(|_| listening.heard.has_anything())?;
    let tokens = (secs as f64 * server.measure.speeds.writing()?) as u64;
    (tokens > most).then_some(tokens)
}

/// The call has no end: nothing of it is run.
pub(crate) fn end(mut listening: Listening, tokens: u64, conversation: &mut Conversation, out: &mut Out) -> Next {
    out.carry_out(ServerEffect::HangUp);
    conversation.it_fitted();
    finish_unusable(&mut listening.heard, out);
    keep_words(listening.heard, conversation);
    Next::Halt(Halt::Counted(Stuck::Endless, tokens))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::Role;
    use serde_json::json;

    fn spec(name: &str) -> ToolSpec {
        ToolSpec { name: name.into(), description: String::new(), parameters: json!({}), aliases: Vec::new() }
    }

    fn what(text: &str, last: Option<&Message>) -> Option<String> {
        no_answer(text, last, &[spec("edit_file"), spec("read_file")]).map(|mishap| mishap.told)
    }

    #[test]
    fn a_call_of_no_tool_is_told_which_there_are() {
        let told = what("```json\n{\"name\": \"edit_files\", \"arguments\": {\"a\": 1}}\n```", None).unwrap();
        assert!(told.starts_with("there is no tool \"edit_files\"; did you mean edit_file?"), "{told}");
        assert_eq!(what("{\"name\": \"Ann\", \"age\": 3}", None), None, "that is somebody's data");
    }

    #[test]
    fn what_is_said_back_and_empty_blocks_are_no_answers() {
        let last = Message::by(Role::User, PartOrigin::Result, "error: a.py does not exist; did you mean b.py?");
        assert!(what("<tool_response>\nerror\n</tool_response>", None).is_some());
        assert!(what("error: a.py does not exist; did you mean b.py?", Some(&last)).is_some());
        assert!(what("```\n```", None).is_some());
        let read = Message::by(Role::User, PartOrigin::Result, "1\tthe text of a file that was read");
        assert_eq!(what("1\tthe text of a file that was read", Some(&read)), None, "that may be what was asked for");
        assert_eq!(what("It is fixed.", Some(&last)), None);
    }
}
