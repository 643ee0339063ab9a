//! The screen driven by keys and events, and looked at as text.

mod asking;
mod composing;
mod details;
mod dialogs;
mod harness;
mod leading;
mod looks;
mod rescue;
mod streaming;
