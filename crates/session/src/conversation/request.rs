//! The request that the model is sent, in all its kinds: the next one of the conversation, one for a summary, a question of
//! an examination, and one that only loads the model. All have the same options, so that no server loads the model again.

use crate::context::summary_request;
use crate::conversation::example::with_example;
use crate::conversation::{Conversation, schema};
use crate::server::Server;
use agent_protocol::{ChatRequest, Message, Role, Think, ToolSpec};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The temperature of a reply where nobody says another, as far as can be known.
const USUAL_TEMPERATURE: f64 = 0.7;

/// So much is added to it with each further try at one task.
const WARMER: f64 = 0.2;

/// Tokens that an answer to a question of an examination may take: the longest one that is asked for is a small file, with
/// some thinking before it.
const LONGEST_ANSWER: u64 = 2_048;

/// What stands for the answer where a call came in the place of a summary, and what is said then.
const A_CALL: &str = "(a call)";
const AFTER_A_CALL: &str = "(Your answer to this was a call. It was not carried out, and no call will be now. Write the summary in \
                            words, under the five headings.)";

/// How a reply is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Asked {
    #[default]
    Plainly,
    /// After the model was told what was wrong with the last one.
    Told,
    /// Kept to a schema of the offered tools.
    Constrained,
}

/// Which summary is asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct SummaryWish {
    /// The user's words on what to keep.
    pub(crate) instructions: String,
    /// Old results are left out of what it summarises.
    pub(crate) stubbed: bool,
    /// It was asked for already, and a call came.
    pub(crate) again: bool,
}

impl Conversation {
    /// The messages as they are sent: behind the instructions stands the worked example, where the model needs one.
    pub(crate) fn sent(&self, server: &Server) -> Cow<'_, [Message]> {
        with_example(self.messages(), server)
    }

    /// The next request of the conversation.
    pub(crate) fn request(&self, asked: Asked, server: &Server) -> ChatRequest {
        let alone = asked == Asked::Constrained && server.measure.holds_alone();
        ChatRequest {
            messages: self.sent(server).into_owned(),
            tools: if alone { Vec::new() } else { server.sent_tools().to_vec() },
            max_reply_tokens: Some(server.longest_reply_beside(self.used(server))),
            format: match asked {
                Asked::Plainly | Asked::Told => None,
                Asked::Constrained => Some(schema::of_calls(server.offer.specs())),
            },
            ..to_load(server)
        }
    }
}

/// A request that only loads the model: it has no messages. Every reply is bounded: one that never ends would be ended by
/// nobody else.
pub(crate) fn to_load(server: &Server) -> ChatRequest {
    ChatRequest {
        model: server.model_name(),
        messages: Vec::new(),
        tools: Vec::new(),
        window: server.measure.window.asked,
        max_reply_tokens: Some(server.measure.room.longest_reply),
        options: options(server),
        keep_alive: server.settings.keep_alive.clone(),
        format: None,
        think: server.think(),
    }
}

/// A summary of `messages` is asked for, which takes at most `longest` tokens. It goes on from the conversation, so that the
/// server has most of it in mind.
pub(crate) fn for_summary(
    mut messages: Vec<Message>,
    wish: &SummaryWish,
    longest: u64,
    server: &Server,
) -> ChatRequest {
    messages.push(Message::text(Role::User, summary_request(&wish.instructions)));
    if wish.again {
        messages.push(Message::text(Role::Assistant, A_CALL));
        messages.push(Message::text(Role::User, AFTER_A_CALL));
    }
    ChatRequest {
        messages: with_example(&messages, server).into_owned(),
        tools: server.sent_tools().to_vec(),
        max_reply_tokens: Some(longest),
        ..to_load(server)
    }
}

/// A question of an examination.
pub(crate) fn for_question(
    (messages, tools): (Vec<Message>, Vec<ToolSpec>),
    (think, format): (Option<Think>, Option<Value>),
    server: &Server,
) -> ChatRequest {
    ChatRequest {
        messages,
        tools,
        think: think.or_else(|| server.think()),
        format,
        max_reply_tokens: Some(LONGEST_ANSWER.min(server.window() / 2).max(1)),
        ..to_load(server)
    }
}

/// What the user set, and where they did not, what suits the model.
fn options(server: &Server) -> Map<String, Value> {
    let mut options = server.family_options();
    options.extend(server.measure.tuned().map(|tuned| tuned.options.clone()).unwrap_or_default());
    options.extend(server.settings.options.clone());
    if server.tries > 0 {
        let usual = options.get("temperature").and_then(Value::as_f64).unwrap_or(USUAL_TEMPERATURE);
        options.insert("temperature".into(), json!(usual + WARMER * server.tries as f64));
        if let Some(seed) = options.get("seed").and_then(Value::as_u64) {
            options.insert("seed".into(), json!(seed + server.tries as u64));
        }
    }
    options
}
