//! The text that a model is given for a request, where a client asks for that and nothing else.

use crate::Script;
use crate::counting::spaced;
use crate::prompt::shows_thinking;
use crate::request::Chat;
use serde_json::json;

/// As the template that `/api/show` tells would write it, with tools, thinking and calls.
pub(crate) fn rendered(chat: &Chat, script: &Script) -> String {
    let mut text = String::new();
    if !chat.tools.is_empty() {
        text += &format!("<|tools|>{}<|end|>", spaced(&chat.tools));
    }
    for (at, message) in chat.messages.iter().enumerate() {
        text += &format!("<|{}|>", message.role);
        if !message.thinking.is_empty() && shows_thinking(chat, script, at) {
            text += &format!("<think>{}</think>", message.thinking);
        }
        text += &message.content;
        for call in &message.calls {
            let call = json!({"name": call.name, "arguments": call.arguments});
            text += &format!("<tool_call>{}</tool_call>", spaced(&call));
        }
        text += "<|end|>";
    }
    text + "<|assistant|>"
}
