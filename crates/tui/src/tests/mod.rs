//! The screen driven by keys and events, and looked at as text.

mod asking;
mod composing;
mod details;
mod dialogs;
mod fence;
mod harness;
mod honest;
mod leading;
mod looks;
mod question;
mod rescue;
mod sessions;
mod sessions_shown;
mod streaming;
mod undoing;
mod window;
