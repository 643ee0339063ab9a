//! The tools through their own doors, with real files and programs. The cases, each a test by its name, are in `played/`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::print_stderr, clippy::print_stdout, reason = "a test that is passed over says so")]

mod alarms;
mod checks;
mod dev;
mod edits;
mod everyday;
mod gate;
mod git;
mod git_tools;
mod hooks;
mod lsp;
mod restore;
mod running;
mod support;
mod theirs;
mod tools;
