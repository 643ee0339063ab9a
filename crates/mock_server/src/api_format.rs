//! The two languages in which a reply can be written: Ollama's lines and the events of OpenAI's servers.

use crate::events::{self, Completion};
use crate::http::LINES;
use crate::stamp::rfc3339;
use crate::wire::{ChatLine, ErrorBody, MessageLine, ReplyFigures, WireCall, go_json};
use std::time::SystemTime;

/// A language, and what of the reply it has to remember.
#[derive(Debug)]
pub(crate) enum ApiFormat<'a> {
    Ollama {
        /// As the client called it.
        model: &'a str,
    },
    OpenAi(Completion<'a>),
}

/// How a reply ends that the model finished.
#[derive(Debug)]
pub(crate) struct Closing<'a> {
    pub(crate) reason: &'a str,
    pub(crate) calls: &'a [WireCall],
    pub(crate) counts: ReplyFigures,
}

impl ApiFormat<'_> {
    /// What a stream is told to be.
    pub(crate) fn stream_type(&self) -> &'static str {
        match self {
            ApiFormat::Ollama { .. } => LINES,
            ApiFormat::OpenAi(_) => events::EVENTS,
        }
    }

    /// A piece of a stream.
    pub(crate) fn piece(&mut self, message: &MessageLine<'_>) -> String {
        match self {
            ApiFormat::Ollama { model } => line(model, message, None) + "\n",
            ApiFormat::OpenAi(completion) => completion.piece(message),
        }
    }

    /// The last piece of a stream.
    pub(crate) fn last(&mut self, closing: &Closing<'_>) -> String {
        match self {
            ApiFormat::Ollama { model } => line(model, &MessageLine::calls(closing.calls), Some(closing)) + "\n",
            ApiFormat::OpenAi(completion) => completion.last(closing.calls, closing.reason, closing.counts),
        }
    }

    /// A reply in one object; without an end where the model never came to one.
    pub(crate) fn whole(&self, message: &MessageLine<'_>, closing: Option<&Closing<'_>>) -> String {
        match self {
            ApiFormat::Ollama { model } => line(model, message, closing),
            ApiFormat::OpenAi(completion) => {
                completion.whole(message, closing.map(|closing| (closing.reason, closing.counts)))
            }
        }
    }

    /// The body of a failure.
    pub(crate) fn error(&self, message: &str) -> String {
        match self {
            ApiFormat::Ollama { .. } => go_json(&ErrorBody { error: message }),
            ApiFormat::OpenAi(_) => events::error(500, message).to_string(),
        }
    }

    /// A failure in the middle of a stream.
    pub(crate) fn error_piece(&self, message: &str) -> String {
        match self {
            ApiFormat::Ollama { .. } => self.error(message) + "\n",
            ApiFormat::OpenAi(_) => events::event(&events::error(500, message)),
        }
    }
}

fn line(model: &str, message: &MessageLine<'_>, end: Option<&Closing<'_>>) -> String {
    go_json(&ChatLine {
        model,
        created_at: rfc3339(SystemTime::now()),
        message,
        done: end.is_some(),
        done_reason: end.map(|closing| closing.reason),
        counts: end.map(|closing| closing.counts),
    })
}
