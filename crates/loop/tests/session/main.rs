//! Whole sessions: a scripted model, real tools, a temporary project.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod keeping;
mod lsp;
mod safety;
mod scripted;
mod sessions;
mod undoing;
