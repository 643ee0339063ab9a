//! What can go wrong with a server.

/// What can go wrong with a server. The words of its own in it are plain and short.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum McpError {
    /// Its program is not there.
    #[error("{program} is not installed, or not on the PATH, so the server {server} cannot be started")]
    NoProgram {
        /// The server.
        server: String,
        /// The program.
        program: String,
    },
    /// A variable that it needs is not set.
    #[error("{variable} is not set in the environment, and the server {server} needs it")]
    NotSet {
        /// The server.
        server: String,
        /// The variable.
        variable: String,
    },
    /// It could not be started or reached.
    #[error("the server {server} could not be started or reached: {why}")]
    NotThere {
        /// The server.
        server: String,
        /// Why, and its last words.
        why: String,
    },
    /// It did not answer in time.
    #[error("the server {server} did not answer within {seconds} seconds")]
    Silent {
        /// The server.
        server: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// It ended, or the connection did, before the answer was there.
    #[error("the server {server} ended before it answered{said}; another call starts it again")]
    Gone {
        /// The server.
        server: String,
        /// Why, and its last words, behind `: `; empty where nothing is known.
        said: String,
    },
    /// It is not what the user approved.
    #[error(
        "the server {server} is not what was approved: {what}; nothing was called; the user can look at it with \
        `agent mcp approve {server}`"
    )]
    Changed {
        /// The server.
        server: String,
        /// What is different.
        what: String,
    },
    /// It answered that it cannot do that.
    #[error("the server {server} refused: {why}")]
    Refused {
        /// The server.
        server: String,
        /// In its words.
        why: String,
    },
    /// It answered with more than is taken.
    #[error("the server {server} {what}; ask it for less at a time")]
    TooMuch {
        /// The server.
        server: String,
        /// Of what.
        what: &'static str,
    },
    /// It answered something that cannot be used.
    #[error("the server {server} answered with something that is not understood here: {why}")]
    NotUnderstood {
        /// The server.
        server: String,
        /// What.
        why: String,
    },
}
