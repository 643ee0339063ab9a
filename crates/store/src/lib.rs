//! What is kept on disk between sessions.
