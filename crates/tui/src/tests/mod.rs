//! The screen driven by keys and events, and looked at as text.

mod agents;
mod asking;
mod composing;
mod details;
mod dialogs;
mod fence;
mod fetching;
mod groups;
mod harness;
mod honest;
mod inquiries;
mod jobs;
mod leading;
mod looks;
mod plans;
mod question;
mod rescue;
mod sessions;
mod sessions_shown;
mod several;
mod skills;
mod streaming;
mod todos;
mod undoing;
mod window;
