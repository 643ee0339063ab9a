//! The text of a message, in parts that each know who wrote them.
//!
//! What the model is sent is the parts one after the other and nothing else: what stands between two of them is a part too.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// Who wrote a part of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "origin", rename_all = "snake_case")]
pub enum PartOrigin {
    Person,
    Model,
    /// This program: the standing instructions, reminders, and what stands between other parts.
    Program,
    /// A tool: the result of a call.
    Result,
    /// It stands for the earlier conversation, but for the words of the user that stand between its parts.
    Summary {
        /// Messages of the user that are part of that conversation and whose words were left out here.
        #[serde(default, skip_serializing_if = "is_zero")]
        left_out: u64,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A part of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessagePart<'a> {
    pub origin: PartOrigin,
    pub text: &'a str,
}

/// The text of a message. It reads as one text; [`Message::parts`](crate::Message::parts) tells who wrote what of it.
///
/// It is written down under `content`, and where the role of the message does not say it all, with its `parts`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    text: String,
    /// Who wrote it up to which byte, in order. None: the role of the message says who wrote all of it.
    parts: Vec<(PartOrigin, usize)>,
}

impl Content {
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Adds a part to the content of a message whose role stands for `own`.
    pub(crate) fn push(&mut self, own: PartOrigin, origin: PartOrigin, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.parts.is_empty() && !self.text.is_empty() {
            self.parts.push((own, self.text.len()));
        }
        self.text.push_str(text);
        if !self.parts.is_empty() || origin != own {
            self.parts.push((origin, self.text.len()));
        }
    }

    /// Leaves out what stands behind so many bytes.
    pub(crate) fn truncate(&mut self, own: PartOrigin, bytes: usize) {
        self.text.truncate(self.text.floor_char_boundary(bytes));
        let end = self.text.len();
        let whole = self.parts.iter().filter(|(_, part_end)| *part_end < end).count();
        self.parts.truncate(if end == 0 { 0 } else { whole + 1 });
        if let Some((_, last_end)) = self.parts.last_mut() {
            *last_end = end;
        }
        if matches!(self.parts[..], [(origin, _)] if origin == own) {
            self.parts.clear();
        }
    }

    /// The parts of the content of a message whose role stands for `own`.
    pub(crate) fn parts(&self, own: PartOrigin) -> Vec<MessagePart<'_>> {
        if self.parts.is_empty() {
            return if self.text.is_empty() { Vec::new() } else { vec![MessagePart { origin: own, text: &self.text }] };
        }
        let begins = std::iter::once(0).chain(self.parts.iter().map(|(_, end)| *end));
        let parts = self.parts.iter().zip(begins);
        parts.map(|((origin, end), begin)| MessagePart { origin: *origin, text: &self.text[begin..*end] }).collect()
    }
}

impl Deref for Content {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<T: Into<String>> From<T> for Content {
    /// The role of the message says who wrote it.
    fn from(text: T) -> Self {
        Content { text: text.into(), parts: Vec::new() }
    }
}

impl PartialEq<str> for Content {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<String> for Content {
    fn eq(&self, other: &String) -> bool {
        self.text == *other
    }
}

impl PartialEq<&str> for Content {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

/// How content is written down.
#[derive(Serialize, Deserialize)]
struct WrittenContent<'a> {
    content: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<WrittenPart<'a>>,
}

/// How a part is written down.
#[derive(Serialize, Deserialize)]
struct WrittenPart<'a> {
    #[serde(flatten)]
    origin: PartOrigin,
    /// Absent from the only part, which is the whole content. Places in the content would not do: secrets are left out of
    /// every text that is written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let many = self.parts.len() > 1;
        let parts = if self.parts.is_empty() { Vec::new() } else { self.parts(PartOrigin::Program) };
        let parts = parts.into_iter().map(|MessagePart { origin, text }| {
            let text = many.then_some(Cow::Borrowed(text));
            WrittenPart { origin, text }
        });
        let parts = parts.collect();
        WrittenContent { content: Cow::Borrowed(&self.text), parts }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let WrittenContent { content, parts } = WrittenContent::deserialize(deserializer)?;
        let text = content.into_owned();
        Ok(match &parts[..] {
            [] => Content::from(text),
            [WrittenPart { origin, text: None }] => Content { parts: vec![(*origin, text.len())], text },
            parts => joined(parts),
        })
    }
}

fn joined(parts: &[WrittenPart<'_>]) -> Content {
    let mut content = Content::default();
    for part in parts {
        content.text.push_str(part.text.as_deref().unwrap_or_default());
        content.parts.push((part.origin, content.text.len()));
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Message, Role};
    use PartOrigin::{Person, Program, Result as Told, Summary};

    fn parts(message: &Message) -> Vec<(PartOrigin, &str)> {
        message.parts().iter().map(|part| (part.origin, part.text)).collect()
    }

    fn written(message: &Message) -> String {
        serde_json::to_string(message).expect("a message can be written")
    }

    #[test]
    fn where_nothing_else_is_known_the_role_says_who_wrote_it() {
        assert_eq!(parts(&Message::text(Role::User, "fix it")), [(Person, "fix it")]);
        assert_eq!(parts(&Message::text(Role::Tool, "1 line")), [(Told, "1 line")]);
        assert_eq!(parts(&Message::text(Role::Assistant, "")), []);
    }

    #[test]
    fn the_text_is_the_parts_one_after_the_other() {
        let mut message = Message::text(Role::User, "fix it");
        message.push(Program, "\n\n(go on)");
        message.push(Person, "");
        message.push(Person, "\n\nplease");
        assert_eq!(parts(&message), [(Person, "fix it"), (Program, "\n\n(go on)"), (Person, "\n\nplease")]);
        assert_eq!(message.content, "fix it\n\n(go on)\n\nplease");
    }

    #[test]
    fn what_is_taken_off_the_end_leaves_what_was_there_before() {
        let before = Message::text(Role::User, "naïve");
        let mut message = before.clone();
        message.push(Program, "\n\n");
        message.push(Person, "more");
        message.truncate(9);
        assert_eq!(parts(&message), [(Person, "naïve"), (Program, "\n\n"), (Person, "m")]);
        message.truncate(before.content.len());
        assert_eq!(message, before);
        message.truncate(3);
        assert_eq!(message, Message::text(Role::User, "na"), "never within a character");
        let mut remark = Message::by(Role::User, Program, "(go on)");
        remark.truncate(0);
        assert_eq!(remark, Message::text(Role::User, ""));
    }

    #[test]
    fn what_is_written_down_says_only_what_the_role_does_not() {
        let plain = Message::text(Role::User, "fix it");
        assert_eq!(written(&plain), r#"{"role":"user","content":"fix it"}"#);
        let remark = Message::by(Role::User, Program, "(go on)");
        assert_eq!(written(&remark), r#"{"role":"user","content":"(go on)","parts":[{"origin":"program"}]}"#);
        let mut mixed = Message::by(Role::User, Summary { left_out: 2 }, "list ");
        mixed.push(Person, "fix it");
        assert_eq!(
            written(&mixed),
            r#"{"role":"user","content":"list fix it","parts":[{"origin":"summary","left_out":2,"text":"list "},{"origin":"person","text":"fix it"}]}"#
        );
        for message in [plain, remark, mixed] {
            assert_eq!(serde_json::from_str::<Message>(&written(&message)).unwrap(), message);
        }
    }

    #[test]
    fn a_message_that_was_written_down_without_parts_is_by_whom_its_role_says() {
        let old = r#"{"role":"user","content":"(go on)"}"#;
        assert_eq!(serde_json::from_str::<Message>(old).unwrap(), Message::text(Role::User, "(go on)"));
    }
}
