//! The worked example in front of a conversation, for models that do not call tools by themselves: one whose calls are described
//! in the prompt sees calls, one that works by files sees an answer with a file. A model that calls sees none.
//!
//! It stands in requests alone: no journal and no screen has it.

use crate::server::Server;
use agent_dialects::Form;
use agent_protocol::{Message, PartOrigin, Role, ToolsBy};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// What a model that works by files is asked, and what it answers. Without it, it solves a third.
const BY_FILES: [(Role, &str); 2] = [
    (Role::User, include_str!("../../../../assets/prompts/files/example_request.md")),
    (Role::Assistant, include_str!("../../../../assets/prompts/files/example_answer.md")),
];

/// The files of the examples: none of the project's, unless there is one of that name.
pub(crate) const EXAMPLE_FILES: [&str; 1] = ["greet.py"];

/// These messages, with the worked example behind the first where there is one.
pub(crate) fn with_example<'a>(messages: &'a [Message], server: &Server) -> Cow<'a, [Message]> {
    let example = match server.tools_by() {
        ToolsBy::Server => Vec::new(),
        ToolsBy::Text => by_calls(server),
        ToolsBy::Files => BY_FILES.iter().map(|(role, text)| program(*role, text.trim_end())).collect(),
    };
    match messages.split_first() {
        Some((first, rest)) if !example.is_empty() => {
            Cow::Owned(std::iter::once(first.clone()).chain(example).chain(rest.iter().cloned()).collect())
        }
        Some(_) | None => Cow::Borrowed(messages),
    }
}

/// The example with calls, in the form that the model knows: a look, a change and an answer. None where it lacks one of the
/// tools.
fn by_calls(server: &Server) -> Vec<Message> {
    let offered = server.offer.names();
    if [READ, EDIT].iter().all(|tool| offered.contains(tool)) { steps(server.form()) } else { Vec::new() }
}

const READ: &str = "read_file";
const EDIT: &str = "edit_file";

fn steps(form: Form) -> Vec<Message> {
    let [file] = EXAMPLE_FILES;
    let call = |name: &str, arguments: Value| form.call(name, arguments.as_object().unwrap_or(&Map::new()));
    let read = json!({ "file_path": file });
    let edit = json!({ "file_path": file, "old_string": "hello to teh world", "new_string": "hello to the world" });
    let seen = "1\tdef hello():\n2\t    return \"hello to teh world\"";
    vec![
        program(Role::User, "greet.py says teh where it should say the."),
        program(Role::Assistant, &call(READ, read)),
        program(Role::User, &form.result(seen)),
        program(Role::Assistant, &call(EDIT, edit)),
        program(Role::User, &form.result("edited greet.py: 1 line added, 1 removed")),
        program(Role::Assistant, "Corrected: greet.py says \"hello to the world\" now."),
    ]
}

fn program(role: Role, text: &str) -> Message {
    Message::by(role, PartOrigin::Program, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_with_calls_reads_changes_and_answers() {
        let written: Vec<String> = steps(Form::Hermes).iter().map(|message| message.content.to_string()).collect();
        assert!(written[1].starts_with("<tool_call>") && written[2].starts_with("<tool_response>"), "{written:?}");
        assert!(written[3].contains(EDIT) && written[5].contains("now."), "{written:?}");
        let told: Vec<&String> = written.iter().filter(|text| text.contains(".py")).collect();
        assert!(told.iter().all(|text| text.contains(EXAMPLE_FILES[0])), "one file alone is spoken of: {told:?}");
    }
}
