//! Before the model is asked: files that the user's words name are read, by a call of the program. It is judged like any
//! other look, and what would have to be asked about is left out. A model that works by files gets all that has to do with
//! the words; one that can read by itself gets only short files that are named, and all that is attached by `@`.

use crate::Planned;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::guards::claims::{Wish, names_a_file};
use crate::turn::phase::Next;
use crate::turn::phases::work::Working;
use crate::turn::program_calls::CallOrigin;
use crate::turn::program_calls::message_commands;
use crate::turn::program_calls::pictures;
use crate::turn::program_calls::project_facts;
use crate::turn::state::Turn;
use agent_protocol::{Action, CallEvent, Failure, Mention, NoticeLevel, Outcome, ToolCall, mentions};
use serde_json::{Value, json};
use std::path::Path;

/// What a model that works by files is told of a question: it was shown nothing but changes.
const IN_WORDS: &str = "(This asks for no change: answer it in a sentence or two, without a file. Give values as the files have them, \
    numbers above all, and not only their names.)";
/// What it is told of a greeting or of thanks, for which no file is read.
const SMALL_TALK: &str = "(This asks for no change: answer it in a sentence, without a file.)";

/// How much is read of what words attach: just that.
const ATTACHED: &str = "attached";

/// Bytes that short files may take that are read ahead for a model which can read by itself.
const AHEAD: usize = 8_000;

/// Reads what the words name, where they name anything; then the model is asked.
pub(crate) fn before_asking(parts: &mut Parts) -> Next {
    let words = parts.turn.counts.asked.clone();
    let by_files = parts.server.works_by_files();
    let wish = by_files.then(|| Wish::from_text(&words));
    match wish {
        Some(Wish::Words) => parts.conversation.remind(IN_WORDS),
        Some(Wish::Nothing) => parts.conversation.remind(SMALL_TALK),
        Some(Wish::Work | Wish::Unclear) | None => {}
    }
    if by_files {
        pictures::say_not_read(&words, &mut parts.conversation, &mut parts.out);
    }
    parts.conversation.now.shown.clear();
    // What is attached is read whole, and not once more for being named.
    let others = without_signs(&words, by_files);
    let names_files = parts.server.offers_tools() && may_name_a_file(&others);
    let facts = project_facts::arguments(&words, &parts.turn, &parts.conversation, &parts.server, &parts.records);
    let mut calls = message_commands::due(std::mem::take(&mut parts.turn.counts.expands), &mut parts.out);
    calls.extend(pictures::calls(&words, &mut parts.conversation, &parts.server, &mut parts.out));
    if (by_files && wish != Some(Wish::Nothing)) || names_files {
        let (scope, budget) = if by_files {
            ("project", room(&parts.conversation, &parts.server))
        } else {
            ("named", room(&parts.conversation, &parts.server).min(AHEAD))
        };
        let mut arguments = json!({ "words": others, "scope": scope, "budget": budget });
        if facts.is_some() {
            // What is looked for with one message has to be found in one time.
            arguments["message"] = json!(parts.records.sayings.current().0);
        }
        calls.push(CallOrigin::ContextFiles.call(arguments, &mut parts.out));
    }
    calls.extend(facts.map(|arguments| CallOrigin::ProjectFacts.call(arguments, &mut parts.out)));
    calls.extend(attachments(&words, &parts.conversation, &parts.server, &mut parts.out));
    if calls.is_empty() { Next::Ask } else { Next::Work(calls) }
}

/// The calls for words that joined the turn: commands that stand in them are run, what they attach is read.
pub(crate) fn since(turn: &mut Turn, conversation: &mut Conversation, server: &Server, out: &mut Out) -> Vec<ToolCall> {
    let mut calls = message_commands::due(std::mem::take(&mut turn.counts.expands), out);
    if let Some(words) = turn.counts.attaches.take() {
        if server.works_by_files() {
            pictures::say_not_read(&words, conversation, out);
        }
        calls.extend(pictures::calls(&words, conversation, server, out));
        calls.extend(attachments(&words, conversation, server, out));
    }
    calls
}

/// The call that reads what the words attach by `@`, where they do. A model that works by files gets it with the others.
fn attachments(words: &str, conversation: &Conversation, server: &Server, out: &mut Out) -> Option<ToolCall> {
    let words = pictures::without(words, &conversation.project);
    if server.works_by_files() || conversation.is_delegating() || mentions(&words).is_empty() {
        return None;
    }
    let arguments = json!({ "words": words, "scope": ATTACHED, "budget": room(conversation, server) });
    Some(CallOrigin::ContextFiles.call(arguments, out))
}

/// Is it the call that reads what is attached?
fn is_attachment(call: &ToolCall) -> bool {
    call.call.arguments.get("scope").and_then(Value::as_str) == Some(ATTACHED)
}

/// A call of the program that would have to be asked about is left out; of what somebody attached they are told so.
pub(crate) fn left_out(working: &Working, out: &mut Out) -> Next {
    if is_attachment(&working.current) {
        out.notice(NoticeLevel::Warning, "not attached: reading files here would have to be asked about first");
    }
    Next::pass_over(working, out)
}

/// The words without what they attach; `kept`: without the signs alone.
fn without_signs(words: &str, kept: bool) -> String {
    let (mut others, mut from) = (String::new(), 0);
    for mention in mentions(words) {
        others.push_str(&words[from..mention.place.start]);
        if kept {
            others.push_str(mention.name());
        }
        from = mention.place.end;
    }
    others + &words[from..]
}

/// Bytes that gathered files may take.
fn room(conversation: &Conversation, server: &Server) -> usize {
    conversation.room(server)
}

/// The same for files that the model asks for by name.
pub(crate) fn asked_for(path: &str, conversation: &Conversation, server: &Server) -> Value {
    json!({ "words": path, "scope": "wanted", "budget": room(conversation, server) })
}

/// Is there something in the words that may be the name of a file? The disk says whether it is.
fn may_name_a_file(words: &str) -> bool {
    names_a_file(words) || words.contains('/')
}

/// What a call of the program is going to do is known: it is told, or passed over where it is nothing.
pub(crate) fn planned(
    working: &Working,
    result: &Result<Planned, Failure>,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) -> Option<Next> {
    let files = match result {
        Ok(Planned { action: Action::Read { paths }, .. }) => paths.clone(),
        Ok(_) | Err(_) => Vec::new(),
    };
    let by_files = server.works_by_files();
    if files.is_empty() && !(by_files && result.is_ok()) {
        say_not_attached(&working.current, result, out);
        return Some(Next::pass_over(working, out));
    }
    let root = conversation.project.clone();
    let shown = files.iter().filter_map(|path| name_in(path, &root));
    conversation.now.shown.extend(shown);
    out.emit(CallEvent::Proposed { call: working.current.clone() });
    None
}

/// Nothing of what was to be attached could be: where it was meant to be a file, the user is told before the model is asked.
fn say_not_attached(call: &ToolCall, result: &Result<Planned, Failure>, out: &mut Out) {
    let words = || call.call.arguments.get("words").and_then(Value::as_str).unwrap_or_default();
    let meant = || mentions(words()).iter().any(Mention::is_path_like);
    if let Err(failure) = result
        && is_attachment(call)
        && meant()
    {
        out.notice(NoticeLevel::Warning, failure.message.clone());
    }
}

fn name_in(path: &Path, root: &Path) -> Option<String> {
    Some(path.strip_prefix(root).ok()?.to_str()?.to_owned())
}

/// The files stand before the words that they are for.
pub(crate) fn tell_model(outcome: &mut Outcome, conversation: &mut Conversation, server: &Server, out: &mut Out) {
    if outcome.told.is_empty() {
        return;
    }
    let images = std::mem::take(&mut outcome.images);
    if !outcome.told.trim().is_empty() {
        conversation.now.history.put_before_words(&outcome.told);
    }
    pictures::show(images, conversation, server, out);
}

#[cfg(test)]
mod tests {
    use super::{may_name_a_file, without_signs};

    #[test]
    fn what_is_attached_is_not_looked_for_once_more() {
        assert_eq!(without_signs("compare @a.rs:3-4 with b.rs", false), "compare  with b.rs");
        assert_eq!(without_signs("compare @./a.rs:3-4 with b.rs", true), "compare a.rs with b.rs");
        assert_eq!(without_signs("nothing", false), "nothing");
    }

    #[test]
    fn names_of_files_are_seen_in_words() {
        for words in ["fix a.py", "see `src/x`.", "In lib/a.rs: why?", "(main.c)"] {
            assert!(may_name_a_file(words), "{words}");
        }
        for words in ["fix the bug", "go to 1.5", "Now. Then", "e. g. this"] {
            assert!(!may_name_a_file(words), "{words}");
        }
    }
}
