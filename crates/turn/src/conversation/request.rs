//! The request that the model is sent, in all its kinds: the next one of the conversation, one for a summary, a question of
//! an examination, and one that only loads the model. All have the same options, so that no server loads the model again.

use crate::Settings;
use crate::conversation::{Conversation, schema};
use crate::server::Server;
use agent_context::summary_request;
use agent_protocol::{ChatRequest, Message, PartOrigin, Role, Think, ToolSpec};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Tokens that an answer to a question of an examination may take: the longest one that is asked for is a small file, with
/// some thinking before it.
const LONGEST_ANSWER: u64 = 2_048;

/// How a reply is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Asked {
    /// As always.
    #[default]
    Plainly,
    /// After the model was told what was wrong with the last one.
    Told,
    /// Kept to a schema of the offered tools.
    Constrained,
}

/// The worked example of a model that works by files: what it is asked, and what it answers. Without one it solves a third.
const EXAMPLE: [(Role, &str); 2] = [
    (Role::User, include_str!("../../../../assets/prompts/files/example_request.md")),
    (Role::Assistant, include_str!("../../../../assets/prompts/files/example_answer.md")),
];

/// The files of the example: none of the project's, unless there is one of that name.
pub(crate) const EXAMPLE_FILES: [&str; 1] = ["greet.py"];

impl Conversation {
    /// The messages as they are sent: behind the instructions stands the worked example, where the model works by files.
    pub(crate) fn sent(&self, server: &Server) -> Cow<'_, [Message]> {
        with_example(self.messages(), server)
    }

    /// The next request of the conversation.
    pub(crate) fn request(&self, asked: Asked, server: &Server, settings: &Settings) -> ChatRequest {
        ChatRequest {
            messages: self.sent(server).into_owned(),
            tools: server.sent_tools().to_vec(),
            max_reply_tokens: Some(server.longest_reply_beside(self.used(server))),
            format: match asked {
                Asked::Plainly | Asked::Told => None,
                Asked::Constrained => Some(schema::of_calls(server.offer.specs())),
            },
            ..to_load(server, settings)
        }
    }
}

/// These messages, with the worked example in its place where there is one.
pub(crate) fn with_example<'a>(messages: &'a [Message], server: &Server) -> Cow<'a, [Message]> {
    let Some((first, rest)) = messages.split_first().filter(|_| server.works_by_files()) else {
        return Cow::Borrowed(messages);
    };
    let example = EXAMPLE.iter().map(|(role, text)| Message::by(*role, PartOrigin::Program, text.trim_end()));
    Cow::Owned(std::iter::once(first.clone()).chain(example).chain(rest.iter().cloned()).collect())
}

/// A request that only loads the model: it has no messages. Every reply is bounded: one that never ends would be ended by
/// nobody else.
pub(crate) fn to_load(server: &Server, settings: &Settings) -> ChatRequest {
    ChatRequest {
        model: server.model_name(),
        messages: Vec::new(),
        tools: Vec::new(),
        window: server.measure.window.asked,
        max_reply_tokens: Some(server.measure.room.longest_reply),
        options: options(server, settings),
        keep_alive: settings.keep_alive.clone(),
        format: None,
        think: server.think(),
    }
}

/// A summary of `messages` is asked for, which takes at most `longest` tokens. It goes on from the conversation, so that the
/// server has most of it in mind.
pub(crate) fn for_summary(
    mut messages: Vec<Message>,
    instructions: &str,
    longest: u64,
    (server, settings): (&Server, &Settings),
) -> ChatRequest {
    messages.push(Message::text(Role::User, summary_request(instructions)));
    ChatRequest {
        messages: with_example(&messages, server).into_owned(),
        tools: server.sent_tools().to_vec(),
        max_reply_tokens: Some(longest),
        ..to_load(server, settings)
    }
}

/// A question of an examination.
pub(crate) fn for_question(
    (messages, tools): (Vec<Message>, Vec<ToolSpec>),
    think: Option<Think>,
    (server, settings): (&Server, &Settings),
) -> ChatRequest {
    ChatRequest {
        messages,
        tools,
        think: think.or_else(|| server.think()),
        max_reply_tokens: Some(LONGEST_ANSWER.min(server.window() / 2).max(1)),
        ..to_load(server, settings)
    }
}

/// What the person set, and where they did not, what suits the model.
fn options(server: &Server, settings: &Settings) -> Map<String, Value> {
    let mut options = server.family().map(|family| family.options.clone()).unwrap_or_default();
    options.extend(settings.options.clone());
    options
}
