//! The conversation as the model sees it.

use crate::{Content, MessagePart, PartOrigin};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The standing instructions, first and only once.
    System,
    User,
    Assistant,
    /// The result of a call.
    Tool,
}

/// One message, kept exactly as it was sent or received: the server's prompt cache matches on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub role: Role,
    /// The text; empty when a reply holds nothing but calls.
    #[serde(flatten)]
    pub content: Content,
    /// What the model thought aloud, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// Calls of an assistant message, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ModelCall>,
    /// Of a tool message: the tool that answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// Of a tool message: the server's id of the call, where it gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// Pictures that belong to the text, for a model that can see; any other is sent none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
}

/// A picture, small enough to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// `image/png` or `image/jpeg`.
    pub mime: String,
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// The file's bytes in Base64 (RFC 4648, with padding), without anything around them.
    pub base64: String,
}

impl Role {
    /// Who writes a message of this role, unless its parts say otherwise.
    fn writes(self) -> PartOrigin {
        match self {
            Role::System => PartOrigin::Program,
            Role::User => PartOrigin::Person,
            Role::Assistant => PartOrigin::Model,
            Role::Tool => PartOrigin::Result,
        }
    }
}

impl Message {
    /// A message that is only text, all of it by whom the role says.
    pub fn text(role: Role, content: impl Into<Content>) -> Self {
        Message {
            role,
            content: content.into(),
            thinking: None,
            calls: Vec::new(),
            tool_name: None,
            tool_call_id: None,
            images: Vec::new(),
        }
    }

    /// A message that is only text, all of it of this origin.
    pub fn by(role: Role, origin: PartOrigin, text: &str) -> Self {
        let mut message = Message::text(role, "");
        message.push(origin, text);
        message
    }

    /// The result of `call`, as the model reads it.
    pub fn result(call: &ModelCall, content: impl Into<Content>) -> Self {
        Message {
            tool_name: Some(call.name.clone()),
            tool_call_id: call.server_id.clone(),
            ..Message::text(Role::Tool, content)
        }
    }

    /// What the content consists of, in order: nothing stands between these parts, and none is empty.
    pub fn parts(&self) -> Vec<MessagePart<'_>> {
        self.content.parts(self.role.writes())
    }

    /// Adds a part at the end of the content.
    pub fn push(&mut self, origin: PartOrigin, text: &str) {
        self.content.push(self.role.writes(), origin, text);
    }

    /// Leaves out what stands behind the first so many bytes of the content, or behind the character before.
    pub fn truncate(&mut self, bytes: usize) {
        self.content.truncate(self.role.writes(), bytes);
    }
}

/// A call as the server sent it; sent back unchanged, argument order included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelCall {
    /// The server's id; older servers give none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_id: Option<String>,
    /// The server's position of the call within the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    pub name: String,
    /// The arguments: an object, or `null` where the server sent none.
    #[serde(default)]
    pub arguments: Value,
}
