//! What can go wrong with a model server, told apart by what a person would do about it.

use crate::{Capability, ServerProgram};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// One kind of trouble. `Display` says what happened; [`ServerError::advice`] says what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "trouble", rename_all = "snake_case")]
pub enum ServerError {
    /// Nobody answers at the address.
    Unreachable {
        host: String,
        why: String,
        /// The program that should answer there, where one can be named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        program: Option<Box<ServerProgram>>,
    },
    /// The model is not installed.
    ModelMissing { model: String },
    /// There is no such model to download.
    NotInLibrary {
        model: String,
        /// Where a person finds those that there are.
        library: String,
    },
    /// This server does not do that with its models.
    Unsupported {
        /// What was wanted of it.
        what: Capability,
    },
    /// The model cannot call tools.
    NoTools { model: String },
    /// The server does not take what the request asks of the model's thinking.
    NoThinking {
        /// The HTTP status; `None` where it came in the middle of a reply.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
        message: String,
    },
    /// The conversation does not fit the window.
    TooLong {
        /// Tokens it has; `None` where the server did not say.
        prompt_tokens: Option<u64>,
        /// Tokens the window holds; `None` where the server did not say.
        window: Option<u64>,
    },
    /// The server is busy or a gateway before it is.
    Busy {
        /// The HTTP status: 429, 502 or 503; 500 from a gateway whose back end does not answer.
        status: u16,
        message: String,
    },
    /// The server refused the request in another way.
    Refused { status: u16, message: String },
    /// The server wants the request to be made elsewhere, and was not followed: nobody named that place.
    Redirected {
        /// Where to.
        to: String,
    },
    Locked {
        host: String,
        /// The HTTP status: 401, 403 or 407.
        status: u16,
        /// A key was sent, and is not accepted.
        #[serde(default)]
        has_key: bool,
        /// The server's own words, where it gave any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// The command that signs the server in where it passes requests on, where that is what it lacks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sign_in: Option<String>,
    },
    /// What answers is something else than a model server of the kind that is spoken to.
    #[serde(rename = "not_ollama")]
    Foreign {
        host: String,
        /// What it sends instead: a content type.
        sends: String,
    },
    /// The server reported an error in the middle of a reply.
    MidReply { message: String },
    /// What runs the model ended in the middle: out of memory, a bug, or somebody stopped it. The next request loads it anew.
    Crashed { message: String },
    /// The server could not read what the model wrote, mostly a call: the model's mistake, which it can mend when told.
    BadCall { message: String },
    /// A model could not be downloaded.
    PullFailed { message: String },
    /// The connection broke in the middle of a reply.
    Cut { why: String },
    /// The reply ended without the server saying that it was complete.
    NotDone,
    /// The server sent something that is not of its protocol.
    Garbage {
        /// The beginning of it.
        line: String,
    },
    /// The server sent a line longer than we read.
    LineTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// The server sent more than we take for one reply.
    ReplyTooLong {
        /// The limit in bytes.
        limit: usize,
    },
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerError::Unreachable { host, why, .. } => write!(f, "no model server answers at {host} ({why})"),
            ServerError::ModelMissing { model } => write!(f, "the model {model} is not installed"),
            ServerError::NotInLibrary { model, .. } => write!(f, "the library has no model {model}"),
            ServerError::Unsupported { what } => {
                write!(f, "this server manages its models itself: it cannot {}", what.words())
            }
            ServerError::NoTools { model } => write!(f, "the model {model} cannot call tools"),
            ServerError::NoThinking { message, .. } => {
                write!(f, "the server refused the setting for the model's thinking: {message}")
            }
            ServerError::TooLong { prompt_tokens: Some(tokens), window: Some(window) } => {
                write!(f, "the conversation has {tokens} tokens and the window holds {window}")
            }
            ServerError::TooLong { window: Some(window), .. } => {
                write!(f, "the conversation has more than the {window} tokens that the window holds")
            }
            ServerError::TooLong { .. } => write!(f, "the conversation does not fit the window"),
            ServerError::Busy { status, message } => write!(f, "the server is busy ({status}: {message})"),
            ServerError::Refused { status, message } => write!(f, "the server refused ({status}: {message})"),
            ServerError::Redirected { to } => write!(f, "the server tried to redirect to {to}; not followed"),
            ServerError::Locked { host, status, message: Some(message), .. } => {
                write!(f, "the server at {host} refused ({status}: {message})")
            }
            ServerError::Locked { host, status, has_key: false, .. } => {
                write!(f, "the server at {host} wants credentials ({status})")
            }
            ServerError::Locked { host, status, has_key: true, .. } => {
                write!(f, "the server at {host} does not accept the key that it was sent ({status})")
            }
            ServerError::Foreign { host, sends } => {
                write!(f, "{host} does not look like a model server: it sends {sends}")
            }
            ServerError::MidReply { message } => write!(f, "the server reported an error: {message}"),
            ServerError::Crashed { message } => {
                write!(f, "what runs the model on the server has crashed: {message}")
            }
            ServerError::BadCall { message } => {
                write!(f, "the server could not read the model's reply: {message}")
            }
            ServerError::PullFailed { message } => write!(f, "{} ({message})", why_no_download(message)),
            ServerError::Cut { why } => write!(f, "the connection was cut before the reply was complete ({why})"),
            ServerError::NotDone => {
                write!(f, "the reply ended without its last line; the server may have stopped a loop")
            }
            ServerError::Garbage { line } => write!(f, "the server sent something unreadable: {line}"),
            ServerError::LineTooLong { limit } => write!(f, "reply line too long: more than {limit} bytes"),
            ServerError::ReplyTooLong { limit } => {
                write!(f, "reply too long: more than {limit} bytes, or too many calls")
            }
        }
    }
}

/// Why a download failed, before the server's own words: a network that is not there is told in those of its language.
fn why_no_download(message: &str) -> &'static str {
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&["no such host", "dial tcp", "connection refused", "network is unreachable", "i/o timeout"]) {
        "the download failed, for the server does not reach the place where models lie"
    } else if says(&["x509", "certificate"]) {
        "the download failed, for the server does not trust the place where models lie"
    } else if says(&["no space left"]) {
        "the download failed, for the server's disk is full"
    } else {
        "the download failed"
    }
}

impl ServerError {
    /// What is wrong and what helps, and only then the server's own words, where these are another program's.
    pub fn with_step(&self, step: &str) -> String {
        if let ServerError::PullFailed { message } = self {
            return format!("{}; {step} (the server's words: {message})", why_no_download(message));
        }
        format!("{self}; {step}")
    }

    /// What a person can do about it.
    pub fn advice(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            ServerError::Unreachable { program: Some(program), .. } => {
                let start = &program.start;
                return Cow::Owned(format!("start it with `{start}`, or name another address with --host"));
            }
            ServerError::NotInLibrary { library, .. } => return Cow::Owned(format!("{library} lists those there are")),
            ServerError::Unreachable { program: None, .. } => "start it, or name another address with --host",
            ServerError::ModelMissing { .. } => "install it, or choose another with /model",
            ServerError::Unsupported { .. } => "its own documentation tells how",
            ServerError::NoTools { .. } => "choose another with /model, or chat without tools",
            ServerError::NoThinking { .. } => "leave it to the server: /think auto, and no think in your config",
            ServerError::TooLong { .. } => "begin anew with /clear, or start with a larger --num-ctx",
            ServerError::Busy { .. } => "wait a little, then /retry",
            ServerError::Refused { .. } => "see the server's log, then /retry",
            ServerError::Redirected { .. } => "name the right address yourself with --host, if you trust it",
            ServerError::Locked { sign_in: Some(command), .. } => {
                let step = format!("run `{command}` where the server runs, or choose another model with /model");
                return Cow::Owned(step);
            }
            ServerError::Locked { status: 403, message: Some(_), .. } => {
                "choose another model with /model, or ask whoever runs the server"
            }
            ServerError::Locked { has_key: true, .. } => {
                "look whether the key is still valid, and start again with a new one"
            }
            ServerError::Locked { has_key: false, .. } => {
                "name the variable with its key: --api-key-env, or api_key_env in your config"
            }
            ServerError::Crashed { .. } => {
                "/retry loads it again; if it goes on so, memory may be short: a smaller --num-ctx or model takes less"
            }
            ServerError::MidReply { .. }
            | ServerError::BadCall { .. }
            | ServerError::Cut { .. }
            | ServerError::ReplyTooLong { .. } => "/retry takes the turn up again",
            ServerError::PullFailed { .. } => "check the name and the network, then pull again; what has arrived stays",
            ServerError::NotDone => "/retry takes the turn up again; a higher temperature helps against loops",
            ServerError::Garbage { .. } | ServerError::LineTooLong { .. } | ServerError::Foreign { .. } => {
                "check that the address is that of a model server"
            }
        })
    }

    /// The same where the request asked nothing of the model's thinking: it was refused for something else.
    #[must_use]
    pub fn of_no_thinking_asked(self) -> ServerError {
        match self {
            ServerError::NoThinking { status: Some(status), message } => ServerError::Refused { status, message },
            ServerError::NoThinking { status: None, message } => ServerError::MidReply { message },
            other => other,
        }
    }

    /// What else it would spoil.
    pub fn scope(&self) -> ServerErrorScope {
        match self {
            ServerError::Unreachable { .. } => ServerErrorScope::Server,
            ServerError::ModelMissing { .. } | ServerError::NotInLibrary { .. } => ServerErrorScope::Model,
            ServerError::Unsupported { .. }
            | ServerError::NoTools { .. }
            | ServerError::NoThinking { .. }
            | ServerError::TooLong { .. }
            | ServerError::Busy { .. }
            | ServerError::Refused { .. }
            | ServerError::Redirected { .. }
            | ServerError::Locked { .. }
            | ServerError::Foreign { .. }
            | ServerError::PullFailed { .. } => ServerErrorScope::Request,
            ServerError::MidReply { .. }
            | ServerError::Crashed { .. }
            | ServerError::BadCall { .. }
            | ServerError::Cut { .. }
            | ServerError::NotDone
            | ServerError::Garbage { .. }
            | ServerError::LineTooLong { .. }
            | ServerError::ReplyTooLong { .. } => ServerErrorScope::Reply,
        }
    }
}

/// What else a trouble would spoil, were it tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerErrorScope {
    Server,
    /// Every request about this model: it is not there.
    Model,
    /// Every request like this one.
    Request,
    /// This one reply alone: the next may be complete.
    Reply,
}
