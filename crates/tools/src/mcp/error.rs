//! What can go wrong with a server.

/// What can go wrong with a server. The words of its own in it are plain and short.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum McpError {
    /// Its program is not there.
    #[error("{program} is not installed, or not on the PATH, so the server {server} cannot be started")]
    NoProgram { server: String, program: String },
    /// A variable that it needs is not set.
    #[error("{variable} is not set in the environment, and the server {server} needs it")]
    NotSet { server: String, variable: String },
    /// It could not be started or reached.
    #[error("the server {server} could not be started or reached: {why}")]
    NotThere {
        server: String,
        /// Why, and its last words.
        why: String,
    },
    /// It did not answer in time.
    #[error("the server {server} did not answer within {seconds} seconds")]
    Silent {
        server: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// It ended, or the connection did, before the answer was there.
    #[error("the server {server} ended before it answered{said}; another call starts it again")]
    Gone {
        server: String,
        /// Why, and its last words, behind `: `; empty where nothing is known.
        said: String,
    },
    /// It is not what the user approved.
    #[error(
        "the server {server} is not what was approved: {what}; nothing was called; the user can look at it with \
        `agent mcp approve {server}`"
    )]
    Changed { server: String, what: String },
    /// It answered that it cannot do that.
    #[error("the server {server} refused: {why}")]
    Refused { server: String, why: String },
    /// It answered with more than is taken.
    #[error("the server {server} {what}; ask it for less at a time")]
    TooMuch { server: String, what: &'static str },
    /// It answered something that cannot be used.
    #[error("the server {server} answered with something that is not understood here: {why}")]
    NotUnderstood { server: String, why: String },
}
