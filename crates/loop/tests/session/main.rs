//! Whole sessions: a scripted model, real tools, a temporary project.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod agents;
mod background;
#[path = "../../../tools/tests/played/case.rs"]
mod case;
mod every_tool;
mod hooks;
mod keeping;
mod lsp;
mod only_talking;
mod pages;
mod ports;
mod remembering;
mod safety;
mod scripted;
mod servers;
mod sessions;
#[path = "../../../tools/tests/played/stage.rs"]
mod stage;
mod theirs;
mod undoing;
