//! Before the model is asked: files that the person's words name are read, by a call of the program. It is judged like any
//! other look, and what would have to be asked about is left out. A model that works by files gets all that has to do with
//! the words; one that can read by itself gets only short files that are named.

use crate::CallEffect;
use crate::Planned;
use crate::parts::Parts;
use crate::turn::claims::names_a_file;
use crate::turn::phase::Next;
use crate::turn::work::Working;
use agent_protocol::{Action, CallEvent, Failure, ModelCall, Origin, Outcome, PartOrigin, ToolCall, Way};
use serde_json::{Value, json};
use std::path::Path;

/// The call that reads files ahead.
pub(crate) const GATHER: &str = "gather_files";

/// Bytes that short files may take that are read ahead for a model which can read by itself.
const AHEAD: usize = 8_000;

/// A call of the program: nobody hears of it before it is known that it is worth a word.
pub(crate) fn program_call(name: &str, arguments: Value, parts: &mut Parts) -> ToolCall {
    let call = ModelCall { server_id: None, index: None, name: name.to_owned(), arguments };
    ToolCall { id: parts.out.next_call(), call, origin: Origin { way: Way::Program, ..Origin::default() } }
}

/// Reads what the words name, where they name anything; then the model is asked.
pub(crate) fn before_asking(parts: &mut Parts) -> Next {
    let words = parts.turn.counts.asked.clone();
    let by_files = parts.server.works_by_files();
    parts.conversation.now.shown.clear();
    let names_files = || parts.server.offers_tools() && may_name_a_file(&words);
    if !by_files && !names_files() {
        return Next::Ask;
    }
    let (scope, budget) = if by_files { ("project", room(parts)) } else { ("named", room(parts).min(AHEAD)) };
    let arguments = json!({ "words": words, "scope": scope, "budget": budget });
    Next::Work(vec![program_call(GATHER, arguments, parts)])
}

/// Bytes that gathered files may take.
fn room(parts: &Parts) -> usize {
    parts.conversation.room(&parts.server)
}

/// The same for files that the model asks for by name.
pub(crate) fn asked_for(path: &str, parts: &Parts) -> Value {
    json!({ "words": path, "scope": "wanted", "budget": room(parts) })
}

/// Is there something in the words that may be the name of a file? The disk says whether it is.
fn may_name_a_file(words: &str) -> bool {
    names_a_file(words) || words.contains('/')
}

/// Is it a call that the program made?
pub(crate) fn is_programs(call: &ToolCall) -> bool {
    call.origin.way == Way::Program
}

/// What a call of the program is going to do is known: it is told, or passed over where it is nothing.
pub(crate) fn planned(working: &Working, result: &Result<Planned, Failure>, parts: &mut Parts) -> Option<Next> {
    if working.current.call.name != GATHER {
        return None;
    }
    let files = match result {
        Ok(Planned { action: Action::Read { paths }, .. }) => paths.clone(),
        Ok(_) | Err(_) => Vec::new(),
    };
    let by_files = parts.server.works_by_files();
    if files.is_empty() && !(by_files && result.is_ok()) {
        return Some(pass_over(working, parts));
    }
    let root = parts.settings.project.clone();
    let shown = files.iter().filter_map(|path| name_in(path, &root));
    parts.conversation.now.shown.extend(shown);
    parts.out.emit(CallEvent::Proposed { call: working.current.clone() });
    None
}

/// Nothing comes of it, and nobody is told.
pub(crate) fn pass_over(working: &Working, parts: &mut Parts) -> Next {
    parts.out.carry_out(CallEffect::Forget(working.current.id));
    Next::Ask
}

fn name_in(path: &Path, root: &Path) -> Option<String> {
    Some(path.strip_prefix(root).ok()?.to_str()?.to_owned())
}

/// The files stand before the words that they are for.
pub(crate) fn tell_model(call: &ToolCall, outcome: &Outcome, parts: &mut Parts) {
    let history = &mut parts.conversation.now.history;
    if call.call.name == GATHER {
        if !outcome.told.trim().is_empty() {
            history.put_before_words(&outcome.told);
        }
    } else {
        history.said(PartOrigin::Result, &outcome.told);
    }
}

#[cfg(test)]
mod tests {
    use super::may_name_a_file;

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
